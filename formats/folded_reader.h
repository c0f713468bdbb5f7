/* SPDX-License-Identifier: MIT */
/*
 * folded_reader.h - the parts of the reader of folded stacks.
 *
 * The reader works on views into the window. Of each distinct frame it keeps one copy;
 * samples are ids in blocks, sent as soon as one is full when the sink takes them
 * early, at the end otherwise. A frame, its function and its location have the same
 * number, in order of first appearance.
 *
 *	folded.c          lines: what each one is, and the format itself
 *	folded_stack.c    the text of a stack to ids of frames
 *	folded_sample.c   samples in blocks, their decimals, differential files
 *	folded_send.c     frames, types and blocks to the sink
 */
#ifndef PROF_FORMATS_FOLDED_READER_H
#define PROF_FORMATS_FOLDED_READER_H

#include "formats/folded.h"
#include "libprof/base/arena.h"
#include "libprof/base/limits.h"
#include "libprof/base/map.h"

enum {
	FOLDED_BLOCK_SAMPLES = 4096,
	FOLDED_BLOCK_FRAMES = 1 << 16,
	FOLDED_COMMENTS = 64,
};

/* Every distinct frame text, numbered in order of arrival. */
struct prof_folded_frames {
	struct prof_text *items;
	uint32_t count;
	size_t cap;
	struct prof_map map;
	struct prof_arena bytes;
};

/* Samples as they arrived, in the layout of struct prof_batch. */
struct prof_folded_block {
	struct prof_folded_block *next;
	uint32_t count;
	uint32_t frame_count;
	uint32_t frame_cap;
	uint32_t decimals; /* values are in units of 10^-decimals */
	uint32_t *frames;
	uint32_t ends[FOLDED_BLOCK_SAMPLES];
	int64_t values[]; /* FOLDED_BLOCK_SAMPLES * columns */
};

/* How many counts a line has, and how that is known. */
enum prof_folded_columns {
	FOLDED_COLUMNS_UNKNOWN,      /* no line yet */
	FOLDED_COLUMNS_ONE,          /* some line has one count */
	FOLDED_COLUMNS_DIFFERENTIAL, /* every line so far has two */
	FOLDED_COLUMNS_DECLARED,     /* the first line says it */
};

/* The line being read, and what is kept of it for the next one. */
struct prof_folded_line {
	const char *data; /* of the stack; NULL when the bytes have moved */
	size_t len;
	uint32_t *ends; /* frame i is followed by the byte at ends[i] */
	uint32_t *ids;  /* PROF_NONE for an empty frame */
	uint64_t *hashes;
	uint32_t count;
	size_t cap;
	bool gaps; /* some frame is empty */
};

struct prof_folded_reader {
	struct prof_window *in;
	struct prof_sink *out;
	uint32_t number; /* of the line, from 1 */
	bool started;    /* a sample was seen */

	enum prof_folded_columns columns;
	uint32_t column_count;
	struct prof_text *declared; /* "type/unit" per column, in `texts` */
	uint32_t decimals;          /* the most of any count */
	unsigned rounded;           /* had more: 1 a first count, 2 one behind it */

	struct prof_folded_frames frames;
	struct prof_folded_line line;
	struct prof_folded_block *first;
	struct prof_folded_block *last;

	/* While differential: the text between stack and last count of each sample. */
	struct prof_buf tails;
	size_t *tail_ends;
	size_t tail_count;
	size_t tail_cap;

	bool typed; /* the types are out, and with them columns and decimals fixed */
	bool kernel_sent;
	uint32_t frames_sent;
	uint32_t string_count; /* refs given out */

	bool austin;
	const char *austin_type; /* NULL, or a type and its unit ... */
	const char *austin_unit;
	int64_t duration_ns;
	struct prof_text comments[FOLDED_COMMENTS];
	uint32_t comment_count;
	uint32_t comments_left_out;
	struct prof_arena texts;
};

/* --- folded_stack.c --- */

/* The id of `text`, new or known; `hash` is its prof_hash(). False: out of memory. */
bool prof_folded_intern(struct prof_folded_frames *table, struct prof_text text,
			uint64_t hash, uint32_t *id) PROF_NODISCARD;

void prof_folded_frames_free(struct prof_folded_frames *table);

/* Turn `stack` into the ids of reader->line, root first. */
bool prof_folded_read_stack(struct prof_folded_reader *reader, struct prof_text stack,
			    struct prof_error *err) PROF_NODISCARD;

/* --- folded_sample.c --- */

/* Add a sample of `stack` and one count per column. */
bool prof_folded_add_sample(struct prof_folded_reader *reader, struct prof_text stack,
			    const struct prof_folded_count *counts,
			    struct prof_error *err) PROF_NODISCARD;

/*
 * Add a line while no line with a single count was seen: `last` is its last count, and
 * `stack` what stands before that, maybe another count too.
 */
bool prof_folded_add_undecided(struct prof_folded_reader *reader,
			       struct prof_text stack, struct prof_folded_count last,
			       struct prof_error *err) PROF_NODISCARD;

/* Multiply the counts of a block until they have `decimals`. */
bool prof_folded_block_rescale(struct prof_folded_block *block, uint32_t columns,
			       uint32_t decimals,
			       struct prof_error *err) PROF_NODISCARD;

/* NULL is fine. */
void prof_folded_block_free(struct prof_folded_block *block);

/* --- folded_send.c --- */

/* Send a string and tell its ref. */
bool prof_folded_send_string(struct prof_folded_reader *reader, struct prof_text text,
			     uint32_t *ref, struct prof_error *err) PROF_NODISCARD;

/*
 * Send everything about frames and types that the sink does not know yet. A sink that
 * is not early must get all strings first, so they come before what uses them.
 */
bool prof_folded_send_tables(struct prof_folded_reader *reader,
			     struct prof_error *err) PROF_NODISCARD;

/* Send all blocks and keep none. Tables must be out. */
bool prof_folded_send_blocks(struct prof_folded_reader *reader,
			     struct prof_error *err) PROF_NODISCARD;

#endif

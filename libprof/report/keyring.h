/* SPDX-License-Identifier: MIT */
/*
 * keyring.h - the keys of one input as small numbers, its strings known or not.
 *
 * Private to libprof/report. Two ways, chosen by whether strings came before keys:
 *
 *	strings first    every string is kept; a key is its text, and equal texts are
 *	                 one node
 *	strings later    only the strings that a key needs are kept; a key is its string
 *	                 refs, and whether two have the same text shows in the end
 *
 * Nodes count up from 0.
 *
 * Errors:  AGAIN when a string was let pass that is needed now, or a mapping is needed
 *          that has not come; LIMIT for 2^32 nodes.
 */
#ifndef PROF_REPORT_KEYRING_H
#define PROF_REPORT_KEYRING_H

#include "libprof/base/arena.h"
#include "libprof/base/map.h"
#include "libprof/base/strings.h"
#include "libprof/report/key.h"

/* A frame as a sink gets it: names are string refs, the mapping its ref or PROF_NONE. */
struct prof_ref_frame {
	uint64_t address;
	int64_t line;
	uint32_t name;
	uint32_t file;
	uint32_t mapping;
};

struct prof_keyring_key;
struct prof_keyring_wanted;
struct prof_keyring_mapping;

enum { PROF_KEYRING_RECENT = 64 };

struct prof_keyring_recent {
	uint32_t ref; /* 0: none */
	struct prof_buf text;
};

struct prof_keyring {
	enum prof_by by;

	bool keep_all;           /* strings came first */
	struct prof_arena bytes; /* of the strings kept */
	struct prof_text *all;   /* by ref, when all are kept */
	size_t all_cap;
	uint32_t seen; /* strings delivered */

	struct prof_keyring_wanted *wanted; /* strings to keep otherwise */
	size_t wanted_cap;
	uint32_t wanted_count;
	struct prof_map wanted_map;                             /* by ref */
	struct prof_keyring_recent recent[PROF_KEYRING_RECENT]; /* by ref, modulo */

	struct prof_keyring_mapping *mappings;
	size_t mapping_cap;
	uint32_t mapping_count;
	struct prof_map mapping_map; /* by ref */

	struct prof_keyring_key *keys;
	size_t key_cap;
	uint32_t key_count;
	struct prof_map key_map;
	struct prof_strings names; /* by node, when strings came first */
	struct prof_buf scratch;
};

bool prof_keyring_strings(struct prof_keyring *ring, const struct prof_text *texts,
			  uint32_t count, struct prof_error *err) PROF_NODISCARD;

bool prof_keyring_mapping(struct prof_keyring *ring, const struct prof_mapping *mapping,
			  struct prof_error *err) PROF_NODISCARD;

/* See to it that the text of `ref` can be asked for in the end. */
bool prof_keyring_want(struct prof_keyring *ring, uint32_t ref,
		       struct prof_error *err) PROF_NODISCARD;

/* The text of `ref`, borrowed from the ring, once strings have come. */
bool prof_keyring_text(struct prof_keyring *ring, uint32_t ref, struct prof_text *text,
		       struct prof_error *err) PROF_NODISCARD;

/* The node of a frame. */
bool prof_keyring_node(struct prof_keyring *ring, const struct prof_ref_frame *frame,
		       uint32_t *node, struct prof_error *err) PROF_NODISCARD;

/* Whether the node of a frame is that of all frames of its function. */
bool prof_keyring_by_function(const struct prof_keyring *ring,
			      const struct prof_ref_frame *frame);

/* The node of a sample with `labels` by the label `key`. */
bool prof_keyring_label(struct prof_keyring *ring, struct prof_text key,
			struct prof_labels labels, uint32_t *node,
			struct prof_error *err) PROF_NODISCARD;

/* How many nodes there are. */
uint32_t prof_keyring_nodes(const struct prof_keyring *ring);

/*
 * Once everything has come: the name of `node`, borrowed until the next call. AGAIN
 * when a name turns out empty that was taken for one.
 */
bool prof_keyring_name(struct prof_keyring *ring, uint32_t node, struct prof_text *name,
		       struct prof_error *err) PROF_NODISCARD;

/* Forget all but `by`. */
void prof_keyring_clear(struct prof_keyring *ring);

void prof_keyring_free(struct prof_keyring *ring);

#endif

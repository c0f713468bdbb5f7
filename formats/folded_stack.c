/* SPDX-License-Identifier: MIT */
#include "formats/folded_reader.h"

#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"
#include "libprof/base/scan.h"

static inline bool same_bytes(const char *a, const char *b, size_t len)
{
	uint64_t x[4];
	uint64_t y[4];

	if (len > 32 || len < 8) {
		return memcmp(a, b, len) == 0;
	}
	memcpy(&x[0], a, 8);
	memcpy(&y[0], b, 8);
	memcpy(&x[1], a + len - 8, 8);
	memcpy(&y[1], b + len - 8, 8);
	if (len <= 16) {
		return ((x[0] ^ y[0]) | (x[1] ^ y[1])) == 0;
	}
	memcpy(&x[2], a + 8, 8);
	memcpy(&y[2], b + 8, 8);
	memcpy(&x[3], a + len - 16, 8);
	memcpy(&y[3], b + len - 16, 8);
	return ((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3])) == 0;
}

static bool frames_add(struct prof_folded_frames *table, struct prof_text text,
		       uint64_t hash, uint32_t *id)
{
	const char *copy;

	if (table->count >= PROF_NONE - 1 ||
	    !prof_reserve((void **)&table->items, &table->cap, (size_t)table->count + 1,
			  sizeof(*table->items))) {
		return false;
	}
	copy = prof_arena_copy(&table->bytes, text.data, text.len);
	if (!copy || !prof_map_add(&table->map, hash, table->count)) {
		return false;
	}
	table->items[table->count] = (struct prof_text){ copy, text.len };
	*id = table->count++;
	return true;
}

bool prof_folded_intern(struct prof_folded_frames *table, struct prof_text text,
			uint64_t hash, uint32_t *id)
{
	struct prof_map_walk walk = prof_map_walk(&table->map, hash);

	while (prof_map_next(&walk, id)) {
		const struct prof_text *known = &table->items[*id];

		if (known->len == text.len &&
		    same_bytes(known->data, text.data, text.len)) {
			return true;
		}
	}
	return frames_add(table, text, hash, id);
}

void prof_folded_frames_free(struct prof_folded_frames *table)
{
	prof_free(table->items);
	prof_map_free(&table->map);
	prof_arena_free(&table->bytes);
}

/* Room for `need` frames in all three arrays, which grow together. */
static bool line_reserve(struct prof_folded_line *line, size_t need)
{
	size_t cap = line->cap;
	size_t same = line->cap;

	if (need <= cap) {
		return true;
	}
	if (!prof_reserve((void **)&line->ends, &cap, need, sizeof(*line->ends))) {
		return false;
	}
	if (!prof_reserve((void **)&line->ids, &same, cap, sizeof(*line->ids))) {
		return false;
	}
	same = line->cap;
	if (!prof_reserve((void **)&line->hashes, &same, cap, sizeof(*line->hashes))) {
		return false;
	}
	line->cap = cap;
	return true;
}

/*
 * How many frames, separator included, the stack shares with the line before: on
 * sorted input most of them, and none of those is hashed again.
 */
static uint32_t shared_frames(const struct prof_folded_line *line,
			      struct prof_text stack)
{
	size_t len = stack.len < line->len ? stack.len : line->len;
	size_t same = 0;
	uint32_t frames = 0;

	if (!line->data) {
		return 0;
	}
	for (; len - same >= 8; same += 8) {
		uint64_t a;
		uint64_t b;

		memcpy(&a, line->data + same, 8);
		memcpy(&b, stack.data + same, 8);
		if (a != b) {
			break;
		}
	}
	while (same < len && line->data[same] == stack.data[same]) {
		same++;
	}
	while (frames + 1 < line->count && line->ends[frames] < same) {
		frames++;
	}
	return frames;
}

/* Note where frame `line->count` ends, and what it hashes to. */
static inline void line_push(struct prof_folded_reader *reader, const char *stack,
			     size_t end, uint64_t seed)
{
	struct prof_folded_line *line = &reader->line;
	uint32_t at = line->count++;
	size_t start = at ? (size_t)line->ends[at - 1] + 1 : 0;

	line->ends[at] = (uint32_t)end;
	line->hashes[at] = prof_hash(stack + start, end - start, seed);
	prof_map_prefetch(&reader->frames.map, line->hashes[at]);
}

/* Find the ends of the frames of `stack` from byte `at` on. */
static bool split_frames(struct prof_folded_reader *reader, struct prof_text stack,
			 size_t at)
{
	const struct prof_window *in = reader->in;
	const uint8_t *data = (const uint8_t *)stack.data;
	const uint8_t *limit = in->data + in->len + (in->padded ? PROF_SOURCE_PAD : 0);
	uint64_t seed = prof_hash_seed();

	for (; at < stack.len; at += PROF_SCAN_WIDTH) {
		uint8_t copy[PROF_SCAN_WIDTH] = { 0 };
		const uint8_t *block = data + at;
		size_t left = stack.len - at;
		uint64_t mask;

		if (limit - block < PROF_SCAN_WIDTH) {
			memcpy(copy, block, left < sizeof(copy) ? left : sizeof(copy));
			block = copy;
		}
		mask = prof_scan_equal(block, ';');
		if (left < PROF_SCAN_WIDTH) {
			mask &= (UINT64_C(1) << left) - 1;
		}
		/* one more for the last frame, which no separator follows */
		if (!line_reserve(&reader->line,
				  (size_t)reader->line.count + PROF_SCAN_WIDTH + 1)) {
			return false;
		}
		for (; mask; mask &= mask - 1) {
			line_push(reader, stack.data,
				  at + (size_t)__builtin_ctzll(mask), seed);
		}
	}
	line_push(reader, stack.data, stack.len, seed);
	return true;
}

bool prof_folded_read_stack(struct prof_folded_reader *reader, struct prof_text stack,
			    struct prof_error *err)
{
	struct prof_folded_line *line = &reader->line;
	uint32_t shared = shared_frames(line, stack);
	size_t start = shared ? (size_t)line->ends[shared - 1] + 1 : 0;

	if (memchr(stack.data + start, '\0', stack.len - start)) {
		return prof_fail_line(err, PROF_ERR_SYNTAX, reader->number,
				      "a NUL byte in a name: this is not text");
	}
	line->count = shared;
	line->gaps &= shared > 0;
	if (!split_frames(reader, stack, start)) {
		return prof_fail_nomem(err);
	}
	if (line->count > PROF_MAX_DEPTH) {
		return prof_fail_line(err, PROF_ERR_LIMIT, reader->number,
				      "a stack of %u frames, more than %u", line->count,
				      PROF_MAX_DEPTH);
	}
	for (uint32_t i = shared; i < line->count; i++) {
		struct prof_text text = { stack.data + start, line->ends[i] - start };

		start = (size_t)line->ends[i] + 1;
		line->ids[i] = PROF_NONE;
		line->gaps |= text.len == 0;
		if (text.len > 0 &&
		    !prof_folded_intern(&reader->frames, text, line->hashes[i],
					&line->ids[i])) {
			return prof_fail_nomem(err);
		}
	}
	line->data = stack.data;
	line->len = stack.len;
	return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * stacks.h - distinct stacks, and distinct label sets, under small ids.
 *
 * Both are lists of fixed-size things; equal lists get one id. Ids count up in order
 * of first addition. Stacks come in batches, because then the cache misses of the
 * table overlap: hash all, prefetch, then compare.
 *
 * Errors:  sticky `failed`: memory ran out, or 2^32 - 2 ids were given.
 * Threads: one at a time.
 * Cost:    4 bytes a frame, 8 a stack, 16 a table slot.
 */
#ifndef PROF_MODEL_STACKS_H
#define PROF_MODEL_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libprof/base/map.h"
#include "libprof/model/sink.h"

struct prof_stacks {
	uint32_t *frames;
	size_t frame_cap;
	uint64_t *ends; /* [0] is 0; NULL while there is no stack */
	size_t end_cap;
	uint32_t count;
	struct prof_map map;
	bool failed;
};

/*
 * The ids of `count` stacks, into `ids`: stack i is frames [i ? ends[i-1] : 0,
 * ends[i]), as in a batch.
 */
void prof_stacks_add(struct prof_stacks *stacks, const uint32_t *frames,
		     const uint32_t *ends, uint32_t count, uint32_t *ids);

void prof_stacks_free(struct prof_stacks *stacks);

struct prof_sets {
	struct prof_label *labels;
	size_t label_cap;
	uint32_t *ends; /* [0] is 0; set 0, the empty one, is there from the start */
	size_t end_cap;
	uint32_t count;
	struct prof_map map;
	bool failed;
};

/* The id of the set of `count` labels in their canonical order; 0 for none. */
uint32_t prof_sets_add(struct prof_sets *sets, const struct prof_label *labels,
		       uint32_t count);

/*
 * Sort labels as a profile has them: text labels by key, then numeric ones by key,
 * those of one key as they came. `strings` has the texts of the keys.
 */
void prof_labels_sort(struct prof_label *labels, size_t count,
		      const struct prof_text *strings);

void prof_sets_free(struct prof_sets *sets);

#endif

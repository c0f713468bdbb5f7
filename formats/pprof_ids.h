/* SPDX-License-Identifier: MIT */
/*
 * pprof_ids.h - from the ids of an input to refs that count up from 0.
 *
 * Ids are any 64-bit numbers but 0. Nearly every producer counts 1, 2, 3...: that costs
 * no table at all (`crooked` is false then). Ids that are merely dense, up to about four
 * times their count, index an array; all others, such as addresses, go through a map.
 *
 * Threads: one writer, or many readers.
 */
#ifndef PROF_FORMATS_PPROF_IDS_H
#define PROF_FORMATS_PPROF_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libprof/base/map.h"
#include "libprof/model/sink.h"

struct prof_pprof_far {
	uint64_t id;
	uint32_t ref;
};

struct prof_pprof_ids {
	uint32_t count; /* refs given out */
	bool crooked;   /* some ref is not its id - 1 */

	uint32_t *direct; /* ref of id i + 1, or PROF_NONE */
	size_t direct_len;

	struct prof_pprof_far *far;
	size_t far_count;
	size_t far_cap;
	struct prof_map map;
};

/* Give `id`, which is not 0 and not there yet, the ref `count`. False: no memory. */
bool prof_pprof_ids_add(struct prof_pprof_ids *ids, uint64_t id) PROF_NODISCARD;

/* For tables that are crooked; prof_pprof_ids_find() calls it. */
uint32_t prof_pprof_ids_search(const struct prof_pprof_ids *ids, uint64_t id);

/* The ref of `id` or PROF_NONE, which is what id 0 always has. */
static inline uint32_t prof_pprof_ids_find(const struct prof_pprof_ids *ids,
					   uint64_t id)
{
	if (!ids->crooked) {
		return id - 1 < ids->count ? (uint32_t)(id - 1) : PROF_NONE;
	}
	return prof_pprof_ids_search(ids, id);
}

void prof_pprof_ids_free(struct prof_pprof_ids *ids);

#endif

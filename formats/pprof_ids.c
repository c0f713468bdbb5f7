/* SPDX-License-Identifier: MIT */
#include "formats/pprof_ids.h"

#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"

enum {
	DENSE = 4, /* ids up to so many times their count index the array */
	SLACK = 1024,
};

static uint64_t hash_of(uint64_t id)
{
	return prof_hash_mix(id ^ prof_hash_seed(), PROF_HASH_A);
}

/* Make the array hold `id`, with PROF_NONE in what is new. */
static bool grow_direct(struct prof_pprof_ids *ids, size_t need)
{
	size_t len = ids->direct_len;

	if (need <= len) {
		return true;
	}
	if (!prof_reserve((void **)&ids->direct, &ids->direct_len, need,
			  sizeof(*ids->direct))) {
		return false;
	}
	while (len < ids->direct_len) {
		ids->direct[len++] = PROF_NONE;
	}
	return true;
}

/* The first id out of line: what counted itself so far gets its array. */
static bool make_crooked(struct prof_pprof_ids *ids)
{
	if (!grow_direct(ids, ids->count)) {
		return false;
	}
	for (uint32_t i = 0; i < ids->count; i++) {
		ids->direct[i] = i;
	}
	ids->crooked = true;
	return true;
}

static bool add_far(struct prof_pprof_ids *ids, uint64_t id)
{
	if (!prof_reserve((void **)&ids->far, &ids->far_cap, ids->far_count + 1,
			  sizeof(*ids->far)) ||
	    !prof_map_add(&ids->map, hash_of(id), (uint32_t)ids->far_count)) {
		return false;
	}
	ids->far[ids->far_count++] = (struct prof_pprof_far){ id, ids->count };
	return true;
}

bool prof_pprof_ids_add(struct prof_pprof_ids *ids, uint64_t id)
{
	uint64_t dense = (uint64_t)ids->count * DENSE + SLACK;

	if (ids->count == PROF_NONE) {
		return false;
	}
	if (ids->crooked || id != (uint64_t)ids->count + 1) {
		if (!ids->crooked && !make_crooked(ids)) {
			return false;
		}
		if (id > dense) {
			if (!add_far(ids, id)) {
				return false;
			}
		} else if (grow_direct(ids, (size_t)id)) {
			ids->direct[id - 1] = ids->count;
		} else {
			return false;
		}
	}
	ids->count++;
	return true;
}

/* An id that came early, when it was far, stays in the map: so both may have it. */
uint32_t prof_pprof_ids_search(const struct prof_pprof_ids *ids, uint64_t id)
{
	struct prof_map_walk walk = { 0 };
	uint32_t at = 0;

	if (id - 1 < ids->direct_len && ids->direct[id - 1] != PROF_NONE) {
		return ids->direct[id - 1];
	}
	if (ids->far_count == 0) {
		return PROF_NONE;
	}
	walk = prof_map_walk(&ids->map, hash_of(id));
	while (prof_map_next(&walk, &at)) {
		if (ids->far[at].id == id) {
			return ids->far[at].ref;
		}
	}
	return PROF_NONE;
}

void prof_pprof_ids_free(struct prof_pprof_ids *ids)
{
	prof_free(ids->direct);
	prof_free(ids->far);
	prof_map_free(&ids->map);
	*ids = (struct prof_pprof_ids){ 0 };
}

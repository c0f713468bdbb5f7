/* SPDX-License-Identifier: MIT */
/*
 * map.h - from hashes to ids: the one hash table of the tree.
 *
 * The map stores no keys. Whoever owns the things keeps them in an array, and asks:
 *
 *	struct prof_map_walk walk = prof_map_walk(&map, hash);
 *	while (prof_map_next(&walk, &id)) {
 *		if (things[id] equals key)
 *			return id;
 *	}
 *	things[count] = key;
 *	prof_map_add(&map, hash, count++);
 *
 * For many keys in a row: hash all, prof_map_prefetch() each, then walk. That hides
 * the cache misses and is twice as fast on tables larger than the cache.
 *
 * Errors:  prof_map_add() is false when memory ran out; the map is unchanged then.
 * Cost:    8 bytes per slot, at most half full, linear probing.
 * Threads: a map belongs to one thread at a time.
 */
#ifndef PROF_BASE_MAP_H
#define PROF_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libprof/base/error.h"

struct prof_map_slot {
	uint32_t hash;
	uint32_t id_plus_1; /* 0 = free */
};

struct prof_map {
	struct prof_map_slot *slots; /* NULL while empty */
	size_t mask;                 /* slots - 1, a power of two less one */
	size_t count;
};

struct prof_map_walk {
	const struct prof_map *map;
	size_t at;
	uint32_t hash;
};

/* Remember `id` (below 2^32 - 1) under `hash`. The key must not be there yet. */
bool prof_map_add(struct prof_map *map, uint64_t hash, uint32_t id) PROF_NODISCARD;

void prof_map_clear(struct prof_map *map);
void prof_map_free(struct prof_map *map);

/* The slot is chosen by the high half, so that the stored low half still tells apart. */
static inline size_t prof_map_slot(const struct prof_map *map, uint32_t hash)
{
	return (size_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 32) & map->mask;
}

static inline void prof_map_prefetch(const struct prof_map *map, uint64_t hash)
{
	if (map->slots) {
		__builtin_prefetch(&map->slots[prof_map_slot(map, (uint32_t)hash)]);
	}
}

static inline struct prof_map_walk prof_map_walk(const struct prof_map *map,
						 uint64_t hash)
{
	uint32_t low = (uint32_t)hash;

	return (struct prof_map_walk){ map, prof_map_slot(map, low), low };
}

/* The next id stored under the hash, or false. */
static inline bool prof_map_next(struct prof_map_walk *walk, uint32_t *id)
{
	const struct prof_map_slot *slots = walk->map->slots;

	while (slots && slots[walk->at].id_plus_1 != 0) {
		const struct prof_map_slot *slot = &slots[walk->at];

		walk->at = (walk->at + 1) & walk->map->mask;
		if (slot->hash == walk->hash) {
			*id = slot->id_plus_1 - 1;
			return true;
		}
	}
	return false;
}

#endif

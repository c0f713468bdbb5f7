/* SPDX-License-Identifier: MIT */
#include "libprof/base/map.h"

#include <string.h>

#include "libprof/base/alloc.h"

enum { FIRST_SLOTS = 64 };

static void insert(struct prof_map *map, struct prof_map_slot slot)
{
	size_t at = prof_map_slot(map, slot.hash);

	while (map->slots[at].id_plus_1 != 0) {
		at = (at + 1) & map->mask;
	}
	map->slots[at] = slot;
}

static bool grow(struct prof_map *map)
{
	size_t old_count = map->slots ? map->mask + 1 : 0;
	size_t count = old_count > 0 ? old_count * 2 : FIRST_SLOTS;
	struct prof_map_slot *old = map->slots;
	struct prof_map_slot *slots = prof_alloc_array(count, sizeof(*slots));

	if (!slots) {
		return false;
	}
	map->slots = slots;
	map->mask = count - 1;
	for (size_t i = 0; i < old_count; i++) {
		if (old[i].id_plus_1 != 0) {
			insert(map, old[i]);
		}
	}
	prof_free(old);
	return true;
}

bool prof_map_add(struct prof_map *map, uint64_t hash, uint32_t id)
{
	if ((!map->slots || (map->count + 1) * 2 > map->mask + 1) && !grow(map)) {
		return false;
	}
	insert(map, (struct prof_map_slot){ (uint32_t)hash, id + 1 });
	map->count++;
	return true;
}

void prof_map_clear(struct prof_map *map)
{
	if (map->slots) {
		memset(map->slots, 0, (map->mask + 1) * sizeof(*map->slots));
	}
	map->count = 0;
}

void prof_map_free(struct prof_map *map)
{
	prof_free(map->slots);
	*map = (struct prof_map){ 0 };
}

/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "formats/memmap.h"
#include "libprof/base/alloc.h"

static int by_value(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* How many bounds are at or below `address`. */
static uint32_t bounds_below(const struct prof_memmap *map, uint64_t address)
{
	uint32_t low = 0;
	uint32_t high = map->bound_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (map->bounds[middle] <= address) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static void lower(uint32_t *lowest, uint32_t id)
{
	*lowest = id < *lowest ? id : *lowest;
}

/* Let `id` cover [start, limit), which are bounds. */
static void cover(struct prof_memmap *map, struct prof_memmap_cover *tree,
		  uint64_t start, uint64_t limit, uint32_t id)
{
	size_t left = (size_t)map->bound_count + bounds_below(map, start) - 1;
	size_t right = (size_t)map->bound_count + bounds_below(map, limit) - 1;

	for (; left < right; left /= 2, right /= 2) {
		if (left % 2 == 1) {
			lower(&tree->lowest[left++], id);
		}
		if (right % 2 == 1) {
			lower(&tree->lowest[--right], id);
		}
	}
}

static uint32_t covering(const struct prof_memmap *map,
			 const struct prof_memmap_cover *tree, uint64_t address)
{
	uint32_t below = bounds_below(map, address);
	uint32_t lowest = PROF_NONE;

	if (below == 0) {
		return PROF_NONE;
	}
	for (size_t node = (size_t)map->bound_count + below - 1; node > 0; node /= 2) {
		lower(&lowest, tree->lowest[node]);
	}
	return lowest;
}

/* Whether the mapping's file has bytes before those mapped, and room for them. */
static bool has_beginning(const struct prof_mapping *mapping)
{
	return mapping->offset > 0 && mapping->offset <= mapping->start;
}

static bool collect_bounds(struct prof_memmap *map, struct prof_error *err)
{
	uint32_t count = 0;
	uint32_t kept = 0;

	map->bounds = prof_alloc_array(map->count * (size_t)3, sizeof(*map->bounds));
	if (!map->bounds) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < map->count; i++) {
		const struct prof_mapping *mapping = &map->items[i];

		map->bounds[count++] = mapping->start;
		map->bounds[count++] = mapping->limit;
		if (has_beginning(mapping)) {
			map->bounds[count++] = mapping->start - mapping->offset;
		}
	}
	qsort(map->bounds, count, sizeof(*map->bounds), by_value);
	for (uint32_t i = 0; i < count; i++) {
		if (kept == 0 || map->bounds[kept - 1] != map->bounds[i]) {
			map->bounds[kept++] = map->bounds[i];
		}
	}
	map->bound_count = kept;
	return true;
}

static bool make_cover(const struct prof_memmap *map, struct prof_memmap_cover *tree,
		       struct prof_error *err)
{
	size_t count = (size_t)map->bound_count * 2;

	tree->lowest = prof_alloc_array(count, sizeof(*tree->lowest));
	if (!tree->lowest) {
		return prof_fail_nomem(err);
	}
	memset(tree->lowest, 0xff, count * sizeof(*tree->lowest));
	return true;
}

bool prof_memmap_index(struct prof_memmap *map, struct prof_error *err)
{
	map->fake = PROF_NONE;
	if (map->count == 0) {
		return true;
	}
	if (map->count > UINT32_MAX / 3) {
		return prof_fail(err, PROF_ERR_LIMIT, "more than %u mappings",
				 UINT32_MAX / 3);
	}
	if (!collect_bounds(map, err) || !make_cover(map, &map->cover, err) ||
	    !make_cover(map, &map->before, err)) {
		return false;
	}
	for (uint32_t i = 0; i < map->count; i++) {
		const struct prof_mapping *mapping = &map->items[i];

		if (mapping->start < mapping->limit) {
			cover(map, &map->cover, mapping->start, mapping->limit, i);
		}
		if (has_beginning(mapping)) {
			cover(map, &map->before, mapping->start - mapping->offset,
			      mapping->start, i);
		}
	}
	return true;
}

static bool add_fake(struct prof_memmap *map, struct prof_error *err)
{
	if (!prof_reserve((void **)&map->items, &map->cap, map->count + (size_t)1,
			  sizeof(*map->items))) {
		return prof_fail_nomem(err);
	}
	map->items[map->count] = (struct prof_mapping){ .limit = UINT64_MAX };
	map->fake = map->count++;
	return true;
}

/* Map the file of `id` from its beginning, which is a bound too. */
static void map_beginning(struct prof_memmap *map, uint32_t id)
{
	struct prof_mapping *mapping = &map->items[id];

	mapping->start -= mapping->offset;
	mapping->offset = 0;
	if (mapping->start < mapping->limit) {
		cover(map, &map->cover, mapping->start, mapping->limit, id);
	}
}

bool prof_memmap_find(struct prof_memmap *map, uint64_t address, uint32_t *mapping,
		      struct prof_error *err)
{
	uint32_t found = covering(map, &map->cover, address);

	if (found == PROF_NONE && map->fake == PROF_NONE) {
		found = covering(map, &map->before, address);
		/* a mapping of nothing stays so when mapped from its beginning */
		if (found != PROF_NONE && map->items[found].offset > 0) {
			map_beginning(map, found);
		} else if (add_fake(map, err)) {
			found = map->fake;
		} else {
			return false;
		}
	}
	*mapping = found == PROF_NONE ? map->fake : found;
	return true;
}

/* SPDX-License-Identifier: MIT */
#include "libprof/flame/layout.h"

#include <assert.h>
#include <string.h>

#include "libprof/base/alloc.h"

static uint32_t deepest(const uint32_t *depths, uint32_t count)
{
	uint32_t max = 0;

	for (uint32_t i = 0; i < count; i++) {
		assert(i == 0 ? depths[i] == 0
			      : depths[i] > 0 && depths[i] <= depths[i - 1] + 1);
		max = depths[i] > max ? depths[i] : max;
	}
	return max;
}

static uint64_t above_zero(int64_t value)
{
	return value > 0 ? (uint64_t)value : 0;
}

/*
 * Widths from the last node to the first: children come before their parent then, and
 * `open[d]` holds what the nodes at depth d have added since their parent was passed.
 */
static bool measure(struct prof_layout *layout, const int64_t *selfs, uint64_t *open,
		    struct prof_error *err)
{
	for (uint32_t i = layout->count; i-- > 0;) {
		uint32_t depth = layout->row[i];
		uint64_t width = above_zero(selfs[i]);

		if (__builtin_add_overflow(width, open[depth + 1], &width) ||
		    __builtin_add_overflow(open[depth], width, &open[depth])) {
			return prof_fail(err, PROF_ERR_LIMIT,
					 "the sum of all values does not fit 64 bits");
		}
		open[depth + 1] = 0;
		layout->width[i] = width;
		if (width > 0) {
			layout->shown++;
			layout->row_count = depth >= layout->row_count
						    ? depth + 1
						    : layout->row_count;
		}
		if (selfs[i] < 0) {
			layout->negative += -(uint64_t)selfs[i];
			layout->negative_count++;
		}
	}
	return true;
}

/* Starts from the first node to the last: `next[d]` is the free place at depth d. */
static void place(struct prof_layout *layout, const int64_t *selfs, uint64_t *next)
{
	next[0] = 0;
	for (uint32_t i = 0; i < layout->count; i++) {
		uint32_t depth = layout->row[i];

		layout->start[i] = next[depth];
		next[depth] += layout->width[i];
		next[depth + 1] = layout->start[i] + above_zero(selfs[i]);
	}
}

bool prof_layout_init(struct prof_layout *layout, const uint32_t *depths,
		      const int64_t *selfs, uint32_t count, struct prof_error *err)
{
	struct prof_layout made = { .count = count };
	size_t levels = (size_t)deepest(depths, count) + 2;
	uint64_t *scratch = prof_alloc_array(levels, sizeof(*scratch));
	bool ok = false;

	made.start = prof_alloc_array(count, sizeof(*made.start));
	made.width = prof_alloc_array(count, sizeof(*made.width));
	made.row = prof_alloc_array(count, sizeof(*made.row));
	if (!scratch || !made.start || !made.width || !made.row) {
		prof_error_set(err, PROF_ERR_NOMEM, "out of memory");
		goto out;
	}
	if (count > 0) {
		memcpy(made.row, depths, count * sizeof(*depths));
	}
	if (!measure(&made, selfs, scratch, err)) {
		goto out;
	}
	place(&made, selfs, scratch);
	made.total = count > 0 ? made.width[0] : 0;
	*layout = made;
	ok = true;
out:
	prof_free(scratch);
	if (!ok) {
		prof_layout_free(&made);
	}
	return ok;
}

void prof_layout_free(struct prof_layout *layout)
{
	if (layout) {
		prof_free(layout->start);
		prof_free(layout->width);
		prof_free(layout->row);
		*layout = (struct prof_layout){ 0 };
	}
}

static uint32_t count_from(const struct prof_layout *layout, uint64_t width)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < layout->count; i++) {
		count += layout->width[i] >= width;
	}
	return count;
}

struct prof_layout_cut prof_layout_widest(const struct prof_layout *layout,
					  uint64_t min_width, uint32_t max)
{
	uint64_t low = min_width; /* too many, or just as many, are as wide as this */
	uint64_t high = layout->total + 1; /* none is */

	assert(min_width > 0);
	if (count_from(layout, low) <= max || max == 0) {
		return (struct prof_layout_cut){ .width = max == 0 ? UINT64_MAX
								   : min_width - 1 };
	}
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (count_from(layout, middle) >= max) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return (struct prof_layout_cut){ low, max - count_from(layout, low + 1) };
}

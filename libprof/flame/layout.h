/* SPDX-License-Identifier: MIT */
/*
 * layout.h - where each box of a flame graph stands, in samples.
 *
 *	row 2   [      ][c ]            start of a node = start of its parent
 *	row 1   [self a][b     ]          + self of the parent + widths of the siblings
 *	row 0   [ all             ]       before it: the self part is at the left
 *	        0                 total
 *
 * Integers only; pixels come in with prof_layout_place(), at the very end. What a box
 * of no width cannot show is counted: width of a node is the sum of the values above
 * zero in its subtree, which is its total unless some are negative.
 *
 * Units:   starts and widths are in the unit of the values.
 * Owns:    its arrays; independent of what it was made from.
 * Errors:  NOMEM; LIMIT when the values above zero do not add up in 64 bits.
 * Threads: immutable once made; may be read by many.
 * Cost:    two linear passes, no recursion, 20 bytes a node.
 */
#ifndef PROF_FLAME_LAYOUT_H
#define PROF_FLAME_LAYOUT_H

#include <stdint.h>

#include "libprof/base/error.h"
#include "libprof/base/hash.h"

struct prof_layout {
	uint32_t count; /* nodes, in the order they were given */
	uint64_t *start;
	uint64_t *width;
	uint32_t *row;
	uint32_t row_count; /* rows that hold a box of some width */

	uint64_t total;    /* width of the root */
	uint64_t negative; /* what is below zero and therefore not there, added up */
	uint32_t negative_count; /* of nodes with such values */
	uint32_t shown;          /* nodes of some width */
};

/*
 * Lay out `count` nodes in preorder: depths[0] is 0, and no other depth is 0 or more
 * than one above that of the node before it. `selfs` are their own values, without
 * their children.
 */
bool prof_layout_init(struct prof_layout *layout, const uint32_t *depths,
		      const int64_t *selfs, uint32_t count,
		      struct prof_error *err) PROF_NODISCARD;

/* NULL and zeroed are fine. */
void prof_layout_free(struct prof_layout *layout);

/*
 * Where `value` samples fall on a line of `span` units that shows them all, rounded to
 * the nearest. `total` must not be 0.
 */
static inline uint64_t prof_layout_place(const struct prof_layout *layout,
					 uint64_t value, uint64_t span)
{
	return (uint64_t)(((prof_u128)value * span + layout->total / 2) /
			  layout->total);
}

/*
 * The widest nodes: all above `width`, and the first `ties` of those that are exactly
 * as wide. A node is never in without its parent.
 */
struct prof_layout_cut {
	uint64_t width;
	uint32_t ties;
};

/* The cut that keeps at most `max` nodes, none narrower than `min_width` (above 0). */
struct prof_layout_cut prof_layout_widest(const struct prof_layout *layout,
					  uint64_t min_width, uint32_t max);

/* Whether the cut keeps a node of `width`. Ask once for each node, in order. */
static inline bool prof_layout_keeps(struct prof_layout_cut *cut, uint64_t width)
{
	if (width == cut->width && cut->ties > 0) {
		cut->ties--;
		return true;
	}
	return width > cut->width;
}

#endif

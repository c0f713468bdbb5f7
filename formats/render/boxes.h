/* SPDX-License-Identifier: MIT */
/*
 * boxes.h - what a static picture draws of a layout: the widest frames, and where
 * narrow ones stand side by side, one box for all of them.
 *
 *	row 1   [ parse      ][////][ write ]      //// 37 frames, none of them a pixel
 *
 * Owns:   its boxes. Borrows nothing.
 */
#ifndef PROF_RENDER_BOXES_H
#define PROF_RENDER_BOXES_H

#include "libprof/base/error.h"
#include "libprof/flame/layout.h"

struct prof_box {
	uint64_t start; /* in samples, as in the layout */
	uint64_t width;
	uint32_t node;
	uint32_t row;
	uint32_t hidden; /* frames this box stands for; 0 when it is the frame itself */
};

struct prof_boxes {
	struct prof_box *data; /* by row, then from left to right */
	uint32_t count;
	uint32_t frames; /* of them that are frames themselves */
	uint32_t row_count;
};

struct prof_boxes_options {
	uint32_t max;       /* boxes in all */
	uint32_t span;      /* pixels that the root takes */
	uint32_t group_max; /* pixels that the box of narrow frames may take */
};

/*
 * The boxes of `layout`, each at least a pixel wide. `ends` are the nodes' ends, as in
 * struct prof_tree_node: node i has its subtree in [i, ends[i]).
 */
bool prof_boxes_init(struct prof_boxes *boxes, const struct prof_layout *layout,
		     const uint32_t *ends, const struct prof_boxes_options *options,
		     struct prof_error *err) PROF_NODISCARD;

/* NULL and zeroed are fine. */
void prof_boxes_free(struct prof_boxes *boxes);

#endif

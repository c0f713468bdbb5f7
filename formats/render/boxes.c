/* SPDX-License-Identifier: MIT */
#include "formats/render/boxes.h"

#include "libprof/base/alloc.h"

struct picker {
	const struct prof_layout *layout;
	const uint32_t *ends;
	uint64_t pixel;     /* in samples, rounded up */
	uint64_t group_max; /* in samples */
	uint32_t max;

	struct prof_box *picked; /* in preorder */
	size_t count;
	size_t cap;
	uint32_t frames;
	uint32_t groups_left;
	bool failed;

	struct prof_box group; /* hidden = 0: none is open */
	uint32_t group_end;    /* the node behind its last subtree */
};

static void pick(struct picker *picker, struct prof_box box)
{
	if (!prof_reserve((void **)&picker->picked, &picker->cap, picker->count + 1,
			  sizeof(*picker->picked))) {
		picker->failed = true;
		return;
	}
	picker->picked[picker->count++] = box;
}

static void close_group(struct picker *picker)
{
	if (picker->group.hidden > 0 && picker->group.width >= picker->pixel &&
	    picker->groups_left > 0) {
		picker->groups_left--;
		pick(picker, picker->group);
	}
	picker->group.hidden = 0;
}

static uint32_t frames_in(const struct picker *picker, uint32_t node)
{
	uint32_t count = 0;

	for (uint32_t i = node; i < picker->ends[node]; i++) {
		count += picker->layout->width[i] > 0;
	}
	return count;
}

/* Add the whole subtree of `node` to the open group, or begin another one. */
static void hide(struct picker *picker, uint32_t node)
{
	const struct prof_layout *layout = picker->layout;
	struct prof_box *group = &picker->group;

	/* The node that follows a subtree, on the same row, is its next sibling. */
	if (group->hidden == 0 || picker->group_end != node ||
	    group->row != layout->row[node] ||
	    group->width + layout->width[node] > picker->group_max) {
		close_group(picker);
		*group = (struct prof_box){
			.start = layout->start[node],
			.node = node,
			.row = layout->row[node],
		};
	}
	group->width += layout->width[node];
	group->hidden += frames_in(picker, node);
	picker->group_end = picker->ends[node];
}

static void pick_all(struct picker *picker)
{
	const struct prof_layout *layout = picker->layout;
	struct prof_layout_cut cut =
		prof_layout_widest(layout, picker->pixel, picker->max);
	struct prof_layout_cut counting = cut;
	uint32_t i = 0;

	for (uint32_t n = 0; n < layout->count; n++) {
		picker->frames += prof_layout_keeps(&counting, layout->width[n]);
	}
	picker->groups_left = picker->max - picker->frames;

	while (i < layout->count) {
		if (prof_layout_keeps(&cut, layout->width[i])) {
			close_group(picker);
			pick(picker, (struct prof_box){
					     .start = layout->start[i],
					     .width = layout->width[i],
					     .node = i,
					     .row = layout->row[i],
				     });
			i++;
			continue;
		}
		if (layout->width[i] > 0) {
			hide(picker, i);
		}
		i = picker->ends[i];
	}
	close_group(picker);
}

/*
 * Order what was picked by row: a counting sort, which keeps the order of preorder in
 * each row.
 */
static bool sort_rows(struct prof_boxes *boxes, const struct picker *picker)
{
	uint32_t *next = prof_alloc_array((size_t)boxes->row_count + 1, sizeof(*next));

	boxes->data = prof_alloc_array(picker->count, sizeof(*boxes->data));
	if (!next || !boxes->data) {
		prof_free(next);
		return false;
	}
	for (size_t i = 0; i < picker->count; i++) {
		next[picker->picked[i].row + 1]++;
	}
	for (uint32_t row = 0; row < boxes->row_count; row++) {
		next[row + 1] += next[row];
	}
	for (size_t i = 0; i < picker->count; i++) {
		boxes->data[next[picker->picked[i].row]++] = picker->picked[i];
	}
	prof_free(next);
	return true;
}

bool prof_boxes_init(struct prof_boxes *boxes, const struct prof_layout *layout,
		     const uint32_t *ends, const struct prof_boxes_options *options,
		     struct prof_error *err)
{
	struct prof_boxes made = { 0 };
	struct picker picker = {
		.layout = layout,
		.ends = ends,
		.pixel = layout->total / options->span +
			 (layout->total % options->span > 0),
		.max = options->max,
	};
	bool ok = true;

	if (layout->total == 0) {
		*boxes = made;
		return true;
	}
	picker.group_max = picker.pixel * options->group_max;
	pick_all(&picker);

	made.count = (uint32_t)picker.count;
	made.frames = picker.frames;
	for (size_t i = 0; i < picker.count; i++) {
		uint32_t rows = picker.picked[i].row + 1;

		made.row_count = rows > made.row_count ? rows : made.row_count;
	}
	if (picker.failed || !sort_rows(&made, &picker)) {
		prof_boxes_free(&made);
		ok = prof_fail_nomem(err);
	} else {
		*boxes = made;
	}
	prof_free(picker.picked);
	return ok;
}

void prof_boxes_free(struct prof_boxes *boxes)
{
	if (boxes) {
		prof_free(boxes->data);
		*boxes = (struct prof_boxes){ 0 };
	}
}

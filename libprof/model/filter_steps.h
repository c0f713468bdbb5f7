/* SPDX-License-Identifier: MIT */
/*
 * filter_steps.h - the steps of a filter that look at names and cut stacks.
 *
 * Private to libprof/model. A profile being filtered is a copy of its lines, frames and
 * labels, from which each step takes away in place. Steps that are not used do nothing.
 */
#ifndef PROF_MODEL_FILTER_STEPS_H
#define PROF_MODEL_FILTER_STEPS_H

#include "libprof/base/arena.h"
#include "libprof/model/filter.h"

/* A matcher and its answers so far. */
struct prof_filter_memo {
	const struct prof_matcher *matcher;
	bool simplified;
	uint8_t *answers; /* by string id: 0 not asked, 1 no, 2 yes */
};

struct prof_filtering {
	const struct prof_profile *profile;
	const struct prof_filter *filter;
	struct prof_filter_count *counts;
	struct prof_filter_memo memos[PROF_FILTER_STEPS];
	struct prof_filter_memo keep;

	uint8_t *marks; /* by location; the steps' own */
	struct prof_line *lines;
	uint32_t *line_begin; /* by location */
	uint32_t *line_count;

	uint32_t *frames;
	uint64_t *frame_begin; /* by stack */
	uint32_t *frame_count;
	uint8_t *stack_fate; /* by stack: 0, or 1 + the step that removes its samples */
	uint8_t *set_fate;   /* by label set */

	struct prof_label *labels;
	uint32_t *set_ends;

	struct prof_arena arena; /* of all of these */
};

/* The answer of a matcher for a string of the profile. */
bool prof_filter_ask(const struct prof_filtering *f,
		     const struct prof_filter_memo *memo, uint32_t string);

void prof_filter_drop(struct prof_filtering *f);
void prof_filter_names(struct prof_filtering *f); /* focus, ignore, hide, show */
void prof_filter_show_from(struct prof_filtering *f);
void prof_filter_prune_from(struct prof_filtering *f);

#endif

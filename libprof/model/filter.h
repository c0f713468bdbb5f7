/* SPDX-License-Identifier: MIT */
/*
 * filter.h - less of a profile: stacks, frames, labels and columns that somebody wants.
 *
 * Steps, in this order, each on what the one before left:
 *
 *	drop      frames of droppable functions and what they call, as profiles may ask
 *	          for themselves (drop_frames, keep_frames); values go to the caller
 *	focus     samples without a matching location are removed
 *	ignore    samples with a matching location are removed
 *	hide      matching lines are cut, and locations left without any
 *	show      all other lines are cut, and locations left without any
 *	show_from frames above the outermost match are cut; samples without one removed
 *	tag_focus, tag_ignore     samples by their labels
 *	tag_show, tag_hide        labels by their keys
 *	prune_from                frames below the innermost match are cut
 *	drop_zero samples that are zero in every column kept are removed
 *
 * A line matches by its function's name or file; a location by any line, or by the
 * file of its mapping: then hide takes all its lines, and show and show_from leave
 * them. Lines are cut in the location, so a cut shows in every stack that has it.
 * Focus and ignore look at lines before hide and show cut them. A sample whose frames
 * are all hidden is removed. drop and prune_from match simplified names.
 *
 * The result is a profile of its own with what its samples use, or with everything if
 * that is wanted; see copy.h. Totals for percentages are those of the profile that
 * went in, if the caller wants so.
 *
 * Errors:  LIMIT never; NOMEM. A filter that matches nothing is no error: the report
 *          says it.
 * Cost:    each name is matched once; O(frames of distinct stacks).
 * Source:  order and meaning are those of google/pprof.
 */
#ifndef PROF_MODEL_FILTER_H
#define PROF_MODEL_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "libprof/base/arena.h"
#include "libprof/base/error.h"
#include "libprof/model/profile.h"
#include "libprof/model/tagfilter.h"

enum prof_filter_step {
	PROF_FILTER_DROP,
	PROF_FILTER_FOCUS,
	PROF_FILTER_IGNORE,
	PROF_FILTER_HIDE,
	PROF_FILTER_SHOW,
	PROF_FILTER_SHOW_FROM,
	PROF_FILTER_TAG_FOCUS,
	PROF_FILTER_TAG_IGNORE,
	PROF_FILTER_TAG_SHOW,
	PROF_FILTER_TAG_HIDE,
	PROF_FILTER_PRUNE_FROM,
	PROF_FILTER_ZERO,
	PROF_FILTER_STEPS
};

/* What is not set does nothing. Everything is borrowed. */
struct prof_filter {
	struct prof_matcher drop; /* simplified names, to be anchored by the caller */
	struct prof_matcher keep; /* exceptions to drop */
	struct prof_matcher focus;
	struct prof_matcher ignore;
	struct prof_matcher hide;
	struct prof_matcher show;
	struct prof_matcher show_from;
	struct prof_tag_filter *tag_focus;
	struct prof_tag_filter *tag_ignore;
	struct prof_matcher tag_show; /* keys */
	struct prof_matcher tag_hide;
	struct prof_matcher prune_from; /* simplified names */
	const uint32_t *columns;        /* the ones to keep, in this order */
	uint32_t column_count;          /* 0: all */
	bool drop_zero;
	bool keep_unused; /* the result has all strings, functions and locations */
};

/* What one step did. */
struct prof_filter_count {
	bool used;
	uint32_t functions; /* that matched by name or file */
	uint32_t
		matched; /* locations; for tag steps samples, respectively label keys */
	uint32_t samples; /* removed */
	int64_t *values;  /* removed, by column of the input: sums of absolute values,
			       at most INT64_MAX */
};

struct prof_filter_report {
	struct prof_filter_count steps[PROF_FILTER_STEPS];
	struct prof_arena arena;
};

/*
 * Filter `profile` into a new one, the caller's. `report` may be NULL; otherwise it is
 * filled and must be freed.
 */
bool prof_filter(const struct prof_profile *profile, const struct prof_filter *filter,
		 struct prof_profile **out, struct prof_filter_report *report,
		 struct prof_error *err) PROF_NODISCARD;

/* Whether the filter would change anything. */
bool prof_filter_is_set(const struct prof_filter *filter);

void prof_filter_report_free(struct prof_filter_report *report);

/* "focus", "show_from" ...: as in the list above. */
const char *prof_filter_step_name(enum prof_filter_step step);

/*
 * A name without its parameters, for drop and prune_from: one leading '.' goes, and
 * everything from the first '(' that is not part of "(anonymous namespace)" or
 * "operator()".
 */
struct prof_text prof_simplified_name(struct prof_text name);

#endif

/* SPDX-License-Identifier: MIT */
#include "libprof/model/filter.h"

#include <assert.h>
#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/model/copy.h"
#include "libprof/model/filter_steps.h"

const char *prof_filter_step_name(enum prof_filter_step step)
{
	static const char *const names[PROF_FILTER_STEPS] = {
		"drop",     "focus",     "ignore",     "hide",
		"show",     "show_from", "tag_focus",  "tag_ignore",
		"tag_show", "tag_hide",  "prune_from", "drop_zero",
	};

	return names[step];
}

struct prof_text prof_simplified_name(struct prof_text name)
{
	static const char *const reserved[] = { "(anonymous namespace)", "operator()" };

	if (name.len > 0 && name.data[0] == '.') {
		name.data++;
		name.len--;
	}
	for (size_t i = 0; i < name.len; i++) {
		size_t skip = 0;

		for (int r = 0; r < 2; r++) {
			size_t len = strlen(reserved[r]);

			if (len <= name.len - i &&
			    memcmp(name.data + i, reserved[r], len) == 0) {
				skip = len;
			}
		}
		if (skip == 0 && name.data[i] == '(') {
			return (struct prof_text){ name.data, i };
		}
		i += skip > 0 ? skip - 1 : 0;
	}
	return name;
}

/* --- labels ----------------------------------------------------------------------------- */

static bool filter_tags(struct prof_filtering *f, struct prof_error *err)
{
	const struct prof_profile *profile = f->profile;
	struct prof_tag_filter *focus = f->filter->tag_focus;
	struct prof_tag_filter *ignore = f->filter->tag_ignore;
	struct prof_tag_units units = { 0 };

	if (!focus && !ignore) {
		return true;
	}
	if (!prof_tag_units_init(&units, profile, err)) {
		return false;
	}
	for (uint32_t s = 0; s < profile->set_count; s++) {
		struct prof_labels labels = prof_label_set(profile, s);

		if (focus && !prof_tag_filter_match(focus, profile, &units, labels)) {
			f->set_fate[s] = 1 + PROF_FILTER_TAG_FOCUS;
		} else if (ignore &&
			   prof_tag_filter_match(ignore, profile, &units, labels)) {
			f->set_fate[s] = 1 + PROF_FILTER_TAG_IGNORE;
		}
	}
	prof_tag_units_free(&units);
	if ((focus && prof_tag_filter_failed(focus)) ||
	    (ignore && prof_tag_filter_failed(ignore))) {
		return prof_fail_nomem(err);
	}
	return true;
}

static bool keeps_key(const struct prof_filtering *f, uint32_t key)
{
	const struct prof_filter_memo *memos = f->memos;

	return (!f->counts[PROF_FILTER_TAG_SHOW].used ||
		prof_filter_ask(f, &memos[PROF_FILTER_TAG_SHOW], key)) &&
	       !(f->counts[PROF_FILTER_TAG_HIDE].used &&
		 prof_filter_ask(f, &memos[PROF_FILTER_TAG_HIDE], key));
}

static void filter_labels(struct prof_filtering *f)
{
	const struct prof_profile *profile = f->profile;
	uint32_t kept = 0;

	for (uint32_t s = 0; s < profile->set_count; s++) {
		struct prof_labels labels = prof_label_set(profile, s);

		for (size_t i = 0; i < labels.count; i++) {
			if (keeps_key(f, labels.data[i].key)) {
				f->labels[kept++] = labels.data[i];
			}
		}
		f->set_ends[s + 1] = kept;
	}
}

/* --- samples -------------------------------------------------------------------------------- */

/* What happens to a sample: 0, or 1 + the step that removes it. */
static uint8_t sample_fate(const struct prof_filtering *f,
			   const struct prof_profile *view, uint32_t sample)
{
	uint8_t stack = f->stack_fate[view->sample_stack[sample]];
	uint8_t set = f->set_fate[view->sample_set[sample]];

	if (stack || set) {
		return stack ? stack : set;
	}
	for (uint32_t c = 0; c < view->type_count; c++) {
		if (!f->filter->drop_zero || view->values[c][sample] != 0) {
			return 0;
		}
	}
	return f->filter->drop_zero ? 1 + PROF_FILTER_ZERO : 0;
}

static void count_removed(struct prof_filtering *f, uint32_t sample, uint8_t fate)
{
	struct prof_filter_count *count = &f->counts[fate - 1];

	count->samples++;
	for (uint32_t c = 0; c < f->profile->type_count; c++) {
		int64_t value = f->profile->values[c][sample];
		int64_t *sum = &count->values[c];

		if (value < 0 && __builtin_sub_overflow(0, value, &value)) {
			value = INT64_MAX;
		}
		if (__builtin_add_overflow(*sum, value, sum)) {
			*sum = INT64_MAX;
		}
	}
}

static void choose_samples(struct prof_filtering *f, const struct prof_profile *view,
			   bool *keep)
{
	for (uint32_t i = 0; i < view->sample_count; i++) {
		uint8_t fate = sample_fate(f, view, i);
		uint8_t set = f->set_fate[view->sample_set[i]];

		keep[i] = fate == 0;
		if (fate != 0) {
			count_removed(f, i, fate);
		}
		f->counts[PROF_FILTER_TAG_FOCUS].matched +=
			set != 1 + PROF_FILTER_TAG_FOCUS;
		f->counts[PROF_FILTER_TAG_IGNORE].matched +=
			set == 1 + PROF_FILTER_TAG_IGNORE;
	}
}

/* --- the whole -------------------------------------------------------------------------------- */

static const struct prof_matcher *matcher_of(const struct prof_filter *filter, int step)
{
	switch ((enum prof_filter_step)step) {
	case PROF_FILTER_DROP:
		return &filter->drop;
	case PROF_FILTER_FOCUS:
		return &filter->focus;
	case PROF_FILTER_IGNORE:
		return &filter->ignore;
	case PROF_FILTER_HIDE:
		return &filter->hide;
	case PROF_FILTER_SHOW:
		return &filter->show;
	case PROF_FILTER_SHOW_FROM:
		return &filter->show_from;
	case PROF_FILTER_TAG_SHOW:
		return &filter->tag_show;
	case PROF_FILTER_TAG_HIDE:
		return &filter->tag_hide;
	case PROF_FILTER_PRUNE_FROM:
		return &filter->prune_from;
	default:
		return NULL;
	}
}

static bool step_is_set(const struct prof_filter *filter, int step)
{
	const struct prof_matcher *matcher = matcher_of(filter, step);

	switch ((enum prof_filter_step)step) {
	case PROF_FILTER_TAG_FOCUS:
		return filter->tag_focus != NULL;
	case PROF_FILTER_TAG_IGNORE:
		return filter->tag_ignore != NULL;
	case PROF_FILTER_ZERO:
		return filter->drop_zero;
	default:
		return matcher && matcher->match;
	}
}

bool prof_filter_is_set(const struct prof_filter *filter)
{
	for (int i = 0; i < PROF_FILTER_STEPS; i++) {
		if (step_is_set(filter, i)) {
			return true;
		}
	}
	return filter->column_count > 0;
}

static void memo_init(struct prof_filtering *f, struct prof_filter_memo *memo,
		      const struct prof_matcher *matcher)
{
	memo->matcher = matcher;
	memo->answers = prof_arena_array(&f->arena, f->profile->string_count, 1);
}

/* Copies of what the steps change. Failure is left to the arena. */
static void filtering_init(struct prof_filtering *f)
{
	const struct prof_profile *p = f->profile;
	struct prof_arena *arena = &f->arena;
	uint64_t frames = p->stack_count ? p->stack_ends[p->stack_count] : 0;

	for (int i = 0; i < PROF_FILTER_STEPS; i++) {
		f->counts[i].used = step_is_set(f->filter, i);
		if (f->counts[i].used && matcher_of(f->filter, i)) {
			memo_init(f, &f->memos[i], matcher_of(f->filter, i));
		}
	}
	if (f->filter->keep.match) {
		memo_init(f, &f->keep, &f->filter->keep);
	}
	f->keep.simplified = true;
	f->memos[PROF_FILTER_DROP].simplified = true;
	f->memos[PROF_FILTER_PRUNE_FROM].simplified = true;
	f->marks = prof_arena_array(arena, p->location_count, 1);
	f->lines = prof_arena_array(arena, p->line_count, sizeof(*f->lines));
	f->line_begin = prof_arena_array(arena, p->location_count, sizeof(uint32_t));
	f->line_count = prof_arena_array(arena, p->location_count, sizeof(uint32_t));
	f->frames = prof_arena_array(arena, (size_t)frames, sizeof(uint32_t));
	f->frame_begin = prof_arena_array(arena, p->stack_count, sizeof(uint64_t));
	f->frame_count = prof_arena_array(arena, p->stack_count, sizeof(uint32_t));
	f->stack_fate = prof_arena_array(arena, p->stack_count, 1);
	f->set_fate = prof_arena_array(arena, p->set_count, 1);
	f->set_ends =
		prof_arena_array(arena, (size_t)p->set_count + 1, sizeof(uint32_t));
	f->labels =
		prof_arena_array(arena, p->set_ends[p->set_count], sizeof(*f->labels));
}

static void filtering_fill(struct prof_filtering *f)
{
	const struct prof_profile *p = f->profile;

	for (uint32_t i = 0; i < p->line_count; i++) {
		f->lines[i] = p->lines[i];
	}
	for (uint32_t i = 0; i < p->location_count; i++) {
		f->line_begin[i] = p->locations[i].first_line;
		f->line_count[i] = (uint32_t)prof_location_lines(p, i).count;
	}
	for (uint32_t s = 0; s < p->stack_count; s++) {
		struct prof_frames frames = prof_stack(p, s);

		f->frame_begin[s] = p->stack_ends[s];
		f->frame_count[s] = (uint32_t)frames.count;
		for (size_t i = 0; i < frames.count; i++) {
			f->frames[p->stack_ends[s] + i] = frames.data[i];
		}
	}
}

/* Close the gaps that the steps have left in lines and frames, into the view. */
static void view_tables(struct prof_filtering *f, struct prof_profile *view)
{
	const struct prof_profile *p = f->profile;
	uint64_t frame = 0;
	uint32_t line = 0;

	for (uint32_t i = 0; i < p->location_count; i++) {
		view->locations[i] = p->locations[i];
		view->locations[i].first_line = line;
		for (uint32_t k = 0; k < f->line_count[i]; k++) {
			f->lines[line++] = f->lines[f->line_begin[i] + k];
		}
	}
	view->locations[p->location_count].first_line = line;
	view->lines = f->lines;
	view->line_count = line;
	for (uint32_t s = 0; s < p->stack_count; s++) {
		view->stack_ends[s] = frame;
		for (uint32_t k = 0; k < f->frame_count[s]; k++) {
			f->frames[frame++] = f->frames[f->frame_begin[s] + k];
		}
	}
	view->stack_ends[p->stack_count] = frame;
	view->frames = f->frames;
	view->labels = f->labels;
	view->set_ends = f->set_ends;
}

/* Whether a column of the view is what the profile shows by default. */
static bool has_default(const struct prof_profile *view)
{
	for (uint32_t c = 0; c < view->type_count; c++) {
		if (view->types[c].type == view->header.default_type) {
			return true;
		}
	}
	return false;
}

static void view_columns(const struct prof_filtering *f, struct prof_profile *view)
{
	for (uint32_t c = 0; c < f->filter->column_count; c++) {
		uint32_t from = f->filter->columns[c];

		assert(from < f->profile->type_count);
		view->types[c] = f->profile->types[from];
		view->values[c] = f->profile->values[from];
	}
	view->type_count = f->filter->column_count;
	if (!has_default(view)) {
		view->header.default_type = 0;
	}
}

static bool run_steps(struct prof_filtering *f, struct prof_error *err)
{
	filtering_fill(f);
	prof_filter_drop(f);
	prof_filter_names(f);
	prof_filter_show_from(f);
	if (!filter_tags(f, err)) {
		return false;
	}
	filter_labels(f);
	prof_filter_prune_from(f);
	return true;
}

/* How many functions a step matched, and label keys. */
static void count_matches(struct prof_filtering *f)
{
	const struct prof_profile *p = f->profile;

	for (int i = 0; i < PROF_FILTER_STEPS; i++) {
		const struct prof_filter_memo *memo = &f->memos[i];

		if (!memo->matcher) {
			continue;
		}
		if (i == PROF_FILTER_TAG_SHOW || i == PROF_FILTER_TAG_HIDE) {
			for (uint32_t s = 0; s < p->string_count; s++) {
				f->counts[i].matched += memo->answers[s] == 2;
			}
			continue;
		}
		for (uint32_t k = 0; k < p->function_count; k++) {
			const struct prof_function *function = &p->functions[k];

			f->counts[i].functions +=
				prof_filter_ask(f, memo, function->name) ||
				(!memo->simplified &&
				 prof_filter_ask(f, memo, function->file));
		}
	}
}

static bool filter_into(struct prof_filtering *f, struct prof_profile **out,
			struct prof_error *err)
{
	const struct prof_profile *p = f->profile;
	struct prof_profile view = *p;
	size_t columns = f->filter->column_count;
	bool *keep = prof_arena_array(&f->arena, p->sample_count, sizeof(*keep));

	filtering_init(f);
	view.locations = prof_arena_array(&f->arena, (size_t)p->location_count + 1,
					  sizeof(*view.locations));
	view.stack_ends = prof_arena_array(&f->arena, (size_t)p->stack_count + 1,
					   sizeof(*view.stack_ends));
	if (columns > 0) {
		view.types = prof_arena_array(&f->arena, columns, sizeof(*view.types));
		view.values =
			prof_arena_array(&f->arena, columns, sizeof(*view.values));
	}
	if (f->arena.failed) {
		return prof_fail_nomem(err);
	}
	if (!run_steps(f, err)) {
		return false;
	}
	view_tables(f, &view);
	if (columns > 0) {
		view_columns(f, &view);
	}
	choose_samples(f, &view, keep);
	count_matches(f);
	return f->filter->keep_unused ? prof_profile_copy_all(&view, keep, out, err)
				      : prof_profile_copy(&view, keep, out, err);
}

bool prof_filter(const struct prof_profile *profile, const struct prof_filter *filter,
		 struct prof_profile **out, struct prof_filter_report *report,
		 struct prof_error *err)
{
	struct prof_filter_report own = { 0 };
	struct prof_filtering f = {
		.profile = profile,
		.filter = filter,
		.counts = own.steps,
	};
	bool ok;

	for (int i = 0; i < PROF_FILTER_STEPS; i++) {
		own.steps[i].values = prof_arena_array(&own.arena, profile->type_count,
						       sizeof(int64_t));
	}
	ok = own.arena.failed ? prof_fail_nomem(err) : filter_into(&f, out, err);
	prof_arena_free(&f.arena);
	if (ok && report) {
		*report = own;
	} else {
		prof_filter_report_free(&own);
	}
	return ok;
}

void prof_filter_report_free(struct prof_filter_report *report)
{
	prof_arena_free(&report->arena);
}

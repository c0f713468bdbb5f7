/* SPDX-License-Identifier: MIT */
#include "libprof/model/filter_steps.h"

/* What the steps found out about a location. */
enum mark {
	MARK_FOCUSED = 1 << 0,
	MARK_IGNORED = 1 << 1,
	MARK_HIDDEN = 1 << 2,  /* hide left no line */
	MARK_UNSHOWN = 1 << 3, /* show left no line */
	MARK_FROM = 1 << 4,    /* show_from matched */
	MARK_PRUNED = 1 << 5,  /* dropped whole, with all below it */
	MARK_BENEATH = 1 << 6, /* lines were cut: what is below goes too */
};

bool prof_filter_ask(const struct prof_filtering *f,
		     const struct prof_filter_memo *memo, uint32_t string)
{
	uint8_t *answer = &memo->answers[string];

	if (*answer == 0) {
		struct prof_text text = prof_string(f->profile, string);

		if (memo->simplified) {
			text = prof_simplified_name(text);
		}
		*answer = memo->matcher->match(memo->matcher->context, text) ? 2 : 1;
	}
	return *answer == 2;
}

static bool line_matches(const struct prof_filtering *f,
			 const struct prof_filter_memo *memo,
			 const struct prof_line *line)
{
	const struct prof_function *function = &f->profile->functions[line->function];

	return prof_filter_ask(f, memo, function->name) ||
	       prof_filter_ask(f, memo, function->file);
}

static bool mapping_matches(const struct prof_filtering *f,
			    const struct prof_filter_memo *memo, uint32_t location)
{
	uint32_t mapping = f->profile->locations[location].mapping;

	return mapping != PROF_NONE &&
	       prof_filter_ask(f, memo, f->profile->mappings[mapping].file);
}

static bool location_matches(const struct prof_filtering *f,
			     const struct prof_filter_memo *memo, uint32_t location)
{
	const struct prof_line *lines = f->lines + f->line_begin[location];

	for (uint32_t i = 0; i < f->line_count[location]; i++) {
		if (line_matches(f, memo, &lines[i])) {
			return true;
		}
	}
	return mapping_matches(f, memo, location);
}

/* Keep the lines of a location that match, or those that do not. */
static void cut_lines(struct prof_filtering *f, const struct prof_filter_memo *memo,
		      uint32_t location, bool matching)
{
	struct prof_line *lines = f->lines + f->line_begin[location];
	uint32_t kept = 0;

	if (mapping_matches(f, memo, location)) {
		f->line_count[location] = matching ? f->line_count[location] : 0;
		return;
	}
	for (uint32_t i = 0; i < f->line_count[location]; i++) {
		if (line_matches(f, memo, &lines[i]) == matching) {
			lines[kept++] = lines[i];
		}
	}
	f->line_count[location] = kept;
}

/* --- drop --------------------------------------------------------------------------- */

static bool is_droppable(const struct prof_filtering *f, const struct prof_line *line)
{
	uint32_t name = f->profile->functions[line->function].name;

	return name != 0 && prof_filter_ask(f, &f->memos[PROF_FILTER_DROP], name) &&
	       !(f->keep.matcher && prof_filter_ask(f, &f->keep, name));
}

static void mark_droppable(struct prof_filtering *f, uint32_t location)
{
	const struct prof_line *lines = f->lines + f->line_begin[location];
	uint32_t count = f->line_count[location];

	for (uint32_t i = count; i-- > 0;) {
		if (!is_droppable(f, &lines[i])) {
			continue;
		}
		f->counts[PROF_FILTER_DROP].matched++;
		if (i + 1 == count) {
			f->marks[location] |= MARK_PRUNED;
		} else {
			f->marks[location] |= MARK_BENEATH;
			f->line_begin[location] += i + 1;
			f->line_count[location] -= i + 1;
		}
		return;
	}
}

/* Frames before the first one that is not droppable stay, so that something does. */
static void drop_below(struct prof_filtering *f, uint32_t stack)
{
	const uint32_t *frames = f->frames + f->frame_begin[stack];
	bool user = false;

	for (uint32_t i = f->frame_count[stack]; i-- > 0;) {
		uint8_t marks = f->marks[frames[i]];
		uint32_t cut = marks & MARK_PRUNED ? i + 1 : i;

		if (!(marks & (MARK_PRUNED | MARK_BENEATH))) {
			user = true;
		} else if (user) {
			f->frame_begin[stack] += cut;
			f->frame_count[stack] -= cut;
			return;
		}
	}
}

void prof_filter_drop(struct prof_filtering *f)
{
	if (!f->counts[PROF_FILTER_DROP].used) {
		return;
	}
	for (uint32_t i = 0; i < f->profile->location_count; i++) {
		mark_droppable(f, i);
	}
	for (uint32_t s = 0; s < f->profile->stack_count; s++) {
		drop_below(f, s);
	}
	for (uint32_t i = 0; i < f->profile->location_count; i++) {
		f->marks[i] = 0;
	}
}

/* --- focus, ignore, hide, show -------------------------------------------------------- */

static void mark_names(struct prof_filtering *f, uint32_t location)
{
	struct prof_filter_count *counts = f->counts;
	const struct prof_filter_memo *memos = f->memos;
	uint8_t *marks = &f->marks[location];

	if (counts[PROF_FILTER_IGNORE].used &&
	    location_matches(f, &memos[PROF_FILTER_IGNORE], location)) {
		counts[PROF_FILTER_IGNORE].matched++;
		*marks |= MARK_IGNORED;
	} else if (!counts[PROF_FILTER_FOCUS].used) {
		*marks |= MARK_FOCUSED;
	} else if (location_matches(f, &memos[PROF_FILTER_FOCUS], location)) {
		counts[PROF_FILTER_FOCUS].matched++;
		*marks |= MARK_FOCUSED;
	}
	if (counts[PROF_FILTER_HIDE].used &&
	    location_matches(f, &memos[PROF_FILTER_HIDE], location)) {
		counts[PROF_FILTER_HIDE].matched++;
		cut_lines(f, &memos[PROF_FILTER_HIDE], location, false);
		*marks |= f->line_count[location] == 0 ? MARK_HIDDEN : 0;
	}
	if (counts[PROF_FILTER_SHOW].used) {
		cut_lines(f, &memos[PROF_FILTER_SHOW], location, true);
		counts[PROF_FILTER_SHOW].matched += f->line_count[location] > 0;
		*marks |= f->line_count[location] == 0 ? MARK_UNSHOWN : 0;
	}
}

/* The step that has removed a stack of which nothing is left, or which never had any. */
static enum prof_filter_step blame(const struct prof_filtering *f, uint8_t marks)
{
	static const enum prof_filter_step order[] = {
		PROF_FILTER_FOCUS,
		PROF_FILTER_SHOW,
		PROF_FILTER_HIDE,
		PROF_FILTER_IGNORE,
	};
	size_t i = 0;

	if (marks & MARK_UNSHOWN) {
		return PROF_FILTER_SHOW;
	}
	if (marks & MARK_HIDDEN) {
		return PROF_FILTER_HIDE;
	}
	while (!f->counts[order[i]].used) {
		i++;
	}
	return order[i];
}

static void filter_stack(struct prof_filtering *f, uint32_t stack)
{
	uint32_t *frames = f->frames + f->frame_begin[stack];
	uint32_t kept = 0;
	uint8_t all = 0;

	for (uint32_t i = 0; i < f->frame_count[stack]; i++) {
		uint8_t marks = f->marks[frames[i]];

		all |= marks;
		if (!(marks & (MARK_HIDDEN | MARK_UNSHOWN))) {
			frames[kept++] = frames[i];
		}
	}
	if (all & MARK_IGNORED) {
		f->stack_fate[stack] = 1 + PROF_FILTER_IGNORE;
	} else if (!(all & MARK_FOCUSED)) {
		f->stack_fate[stack] = (uint8_t)(1 + blame(f, 0));
	} else if (kept == 0) {
		f->stack_fate[stack] = (uint8_t)(1 + blame(f, all));
	}
	f->frame_count[stack] = kept;
}

void prof_filter_names(struct prof_filtering *f)
{
	const struct prof_filter_count *counts = f->counts;

	if (!counts[PROF_FILTER_FOCUS].used && !counts[PROF_FILTER_IGNORE].used &&
	    !counts[PROF_FILTER_HIDE].used && !counts[PROF_FILTER_SHOW].used) {
		return;
	}
	for (uint32_t i = 0; i < f->profile->location_count; i++) {
		mark_names(f, i);
	}
	for (uint32_t s = 0; s < f->profile->stack_count; s++) {
		filter_stack(f, s);
	}
}

/* --- show_from -------------------------------------------------------------------------- */

static void mark_from(struct prof_filtering *f, uint32_t location)
{
	const struct prof_filter_memo *memo = &f->memos[PROF_FILTER_SHOW_FROM];
	const struct prof_line *lines = f->lines + f->line_begin[location];
	bool matched = mapping_matches(f, memo, location);

	for (uint32_t i = f->line_count[location]; !matched && i-- > 0;) {
		if (line_matches(f, memo, &lines[i])) {
			f->line_count[location] = i + 1;
			matched = true;
		}
	}
	f->marks[location] |= matched ? MARK_FROM : 0;
	f->counts[PROF_FILTER_SHOW_FROM].matched += matched;
}

void prof_filter_show_from(struct prof_filtering *f)
{
	if (!f->counts[PROF_FILTER_SHOW_FROM].used) {
		return;
	}
	for (uint32_t i = 0; i < f->profile->location_count; i++) {
		mark_from(f, i);
	}
	for (uint32_t s = 0; s < f->profile->stack_count; s++) {
		const uint32_t *frames = f->frames + f->frame_begin[s];
		uint32_t count = f->frame_count[s];

		while (count > 0 && !(f->marks[frames[count - 1]] & MARK_FROM)) {
			count--;
		}
		f->frame_count[s] = count;
		if (count == 0 && f->stack_fate[s] == 0) {
			f->stack_fate[s] = 1 + PROF_FILTER_SHOW_FROM;
		}
	}
}

/* --- prune_from --------------------------------------------------------------------------- */

static void mark_prune_from(struct prof_filtering *f, uint32_t location)
{
	const struct prof_line *lines = f->lines + f->line_begin[location];

	for (uint32_t i = 0; i < f->line_count[location]; i++) {
		uint32_t name = f->profile->functions[lines[i].function].name;

		if (name != 0 &&
		    prof_filter_ask(f, &f->memos[PROF_FILTER_PRUNE_FROM], name)) {
			f->marks[location] |= MARK_BENEATH;
			f->counts[PROF_FILTER_PRUNE_FROM].matched++;
			f->line_begin[location] += i;
			f->line_count[location] -= i;
			return;
		}
	}
}

void prof_filter_prune_from(struct prof_filtering *f)
{
	if (!f->counts[PROF_FILTER_PRUNE_FROM].used) {
		return;
	}
	for (uint32_t i = 0; i < f->profile->location_count; i++) {
		mark_prune_from(f, i);
	}
	for (uint32_t s = 0; s < f->profile->stack_count; s++) {
		const uint32_t *frames = f->frames + f->frame_begin[s];

		for (uint32_t i = 0; i < f->frame_count[s]; i++) {
			if (f->marks[frames[i]] & MARK_BENEATH) {
				f->frame_begin[s] += i;
				f->frame_count[s] -= i;
				break;
			}
		}
	}
}

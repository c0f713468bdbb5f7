/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/filter_options.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/report_options.h"
#include "cmd/save.h"
#include "cmd/table.h"
#include "formats/format.h"
#include "libprof/base/alloc.h"
#include "libprof/model/merge.h"
#include "libprof/model/scale.h"
#include "libprof/report/diff.h"

enum {
	ROWS = 30, /* of a table for people, unless they say otherwise */
	EXIT_NOT_COMPARABLE = 3,
};

struct diff_options {
	int64_t limit; /* -1: not given */
	bool cum;
	bool normalize;
	struct option_list base;
	struct report_options report;
	struct filter_options filter;
	struct input_options input;
	struct table_options table;
	struct save_options save;
};

static const struct option options[] = {
	{ 'b', "base", "FILE", "compare with FILE; given again, with their sum",
	  OPTION_LIST(struct diff_options, base), .alias = "diff_base" },
	{ 'n', "limit", "N", "show at most N rows, 0 for all (30; all for programs)",
	  OPTION_INTEGER(struct diff_options, limit), .alias = "nodecount" },
	{ 'c', "cum", NULL, "compare what functions and their callees take together",
	  OPTION_FLAG(struct diff_options, cum) },
	{ 0, "normalize", NULL, "scale what was before to the total of what is after",
	  OPTION_FLAG(struct diff_options, normalize) },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct diff_options, report),
	OPTION_INCLUDE(struct diff_options, filter),
	OPTION_INCLUDE(struct diff_options, input),
	OPTION_INCLUDE(struct diff_options, table),
	OPTION_INCLUDE(struct diff_options, save),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool diff go-cpu.pb.gz go-cpu-after.pb.gz",
	  "what became faster or slower" },
	{ "fgtool diff --normalize --cum go-cpu.pb.gz go-cpu-after.pb.gz",
	  "... as shares of runs that differ in length" },
	{ "fgtool diff -b go-heap-1.pb.gz go-heap-2.pb.gz --sample-type inuse_space",
	  "what holds more memory than before" },
	{ "fgtool diff -b go-cpu.pb.gz -o change.pb.gz go-cpu-after.pb.gz",
	  "the difference as a profile, for any other report" },
	{ 0 },
};

/* One order of columns; which ones people see depends on what is compared. */
static const struct table_column flat_columns[] = {
	{ "flat_before", "before", TABLE_VALUE, NULL },
	{ "flat_before_percent", "before%", TABLE_PERCENT, NULL },
	{ "flat_after", "after", TABLE_VALUE, NULL },
	{ "flat_after_percent", "after%", TABLE_PERCENT, NULL },
	{ "flat_delta", "delta", TABLE_VALUE, NULL },
	{ "flat_ratio", "change", TABLE_NUMBER, NULL },
	{ "cum_before", NULL, TABLE_VALUE, NULL },
	{ "cum_before_percent", NULL, TABLE_PERCENT, NULL },
	{ "cum_after", NULL, TABLE_VALUE, NULL },
	{ "cum_after_percent", NULL, TABLE_PERCENT, NULL },
	{ "cum_delta", NULL, TABLE_VALUE, NULL },
	{ "cum_ratio", NULL, TABLE_NUMBER, NULL },
	{ "state", NULL, TABLE_WORD, NULL },
	{ "name", "name", TABLE_NAME, NULL },
	{ 0 },
};

static const struct table_column cum_columns[] = {
	{ "flat_before", NULL, TABLE_VALUE, NULL },
	{ "flat_before_percent", NULL, TABLE_PERCENT, NULL },
	{ "flat_after", NULL, TABLE_VALUE, NULL },
	{ "flat_after_percent", NULL, TABLE_PERCENT, NULL },
	{ "flat_delta", NULL, TABLE_VALUE, NULL },
	{ "flat_ratio", NULL, TABLE_NUMBER, NULL },
	{ "cum_before", "before", TABLE_VALUE, NULL },
	{ "cum_before_percent", "before%", TABLE_PERCENT, NULL },
	{ "cum_after", "after", TABLE_VALUE, NULL },
	{ "cum_after_percent", "after%", TABLE_PERCENT, NULL },
	{ "cum_delta", "delta", TABLE_VALUE, NULL },
	{ "cum_ratio", "change", TABLE_NUMBER, NULL },
	{ "state", NULL, TABLE_WORD, NULL },
	{ "name", "name", TABLE_NAME, NULL },
	{ 0 },
};

/* Which inputs are on which side. */
struct sides {
	struct input_options before_input;
	char *bases[OPTION_LIST_MAX]; /* copies: argv is not const, lists of it are */
	struct prof_arena memory;
	char **before;
	int before_count;
	char **after;
	int after_count;
};

static bool choose_sides(const struct command *self, const struct diff_options *diff,
			 int argc, char **argv, struct sides *sides)
{
	if (diff->base.count == 0 && argc != 2) {
		usage_error(self,
			    "give two profiles, BEFORE and AFTER, or --base FILE");
	}
	sides->before_input = diff->input;
	sides->before_input.files_from = NULL;
	if (diff->base.count == 0) {
		sides->before = argv;
		sides->before_count = 1;
		sides->after = argv + 1;
		sides->after_count = 1;
		return true;
	}
	for (size_t i = 0; i < diff->base.count; i++) {
		struct prof_text path = prof_text(diff->base.items[i]);

		sides->bases[i] = prof_arena_copy(&sides->memory, path.data, path.len);
	}
	sides->before = sides->bases;
	sides->before_count = (int)diff->base.count;
	sides->after = argv;
	sides->after_count = argc;
	return !sides->memory.failed;
}

/* Two sides that do not fit are both named. Always false. */
static bool not_comparable(const struct sides *sides, struct prof_error *err)
{
	struct prof_error plain = *err;

	if (plain.code == PROF_ERR_MISMATCH) {
		prof_error_set(
			err, plain.code, "%s, %s: cannot compare: %s",
			input_name(sides->before[0]),
			input_name(sides->after_count > 0 ? sides->after[0] : "-"),
			plain.message);
	}
	return false;
}

/* the difference as a table */

struct view {
	const struct diff_options *options;
	const struct prof_diff *diff;
	enum prof_by by;
	uint32_t limit;
	bool people;
};

static const struct prof_diff_value *value_of(const struct view *view,
					      const struct prof_diff_row *row)
{
	return view->options->cum ? &row->cum : &row->flat;
}

/* For people a row without a change is none. */
static bool is_shown(const struct view *view, const struct prof_diff_row *row)
{
	return !view->people || value_of(view, row)->delta != 0;
}

static const char *state_of(const struct prof_diff_row *row)
{
	if (!row->in_before) {
		return "new";
	}
	if (!row->in_after) {
		return "gone";
	}
	return row->flat.delta != 0 || row->cum.delta != 0 ? "changed" : "same";
}

static void show_change(const struct prof_diff_value *value, char *out, size_t size)
{
	double ratio = prof_diff_ratio(value);

	if (value->scaled == 0 && value->after == 0) {
		snprintf(out, size, "0%%");
	} else if (value->scaled == 0) {
		snprintf(out, size, "new");
	} else if (value->after == 0) {
		snprintf(out, size, "gone");
	} else {
		int sign = snprintf(out, size, ratio > 1 ? "+" : "");

		table_show_percent(ratio - 1, out + sign, size - (size_t)sign);
	}
}

static void add_value(struct table *table, const struct view *view,
		      const struct prof_diff_value *value, struct report_unit *unit)
{
	const struct prof_diff_value *total = &view->diff->total;
	char change[64];

	show_change(value, change, sizeof(change));
	report_value(table, unit, value->before);
	table_percent(table, report_share(value->before, total->before));
	report_value(table, unit, value->after);
	table_percent(table, report_share(value->after, total->after));
	table_value(table, value->delta, report_show_signed(unit, value->delta));
	table_number(table, prof_diff_ratio(value), change);
}

static int64_t smallest(const struct view *view)
{
	int64_t least = 0;

	for (uint32_t i = 0; i < view->diff->row_count && i < view->limit; i++) {
		const struct prof_diff_value *value =
			value_of(view, &view->diff->rows[i]);

		least = report_smaller(least, value->before);
		least = report_smaller(least, value->after);
		least = report_smaller(least, value->delta);
	}
	return least;
}

static void add_rows(struct table *table, const struct view *view,
		     struct report_unit *unit)
{
	uint32_t shown = 0;
	uint32_t hidden = 0;
	uint32_t same = 0;

	for (uint32_t i = 0; i < view->diff->row_count; i++) {
		const struct prof_diff_row *row = &view->diff->rows[i];

		if (!is_shown(view, row)) {
			same++;
		} else if (shown == view->limit) {
			hidden++;
		} else {
			shown++;
			add_value(table, view, &row->flat, unit);
			add_value(table, view, &row->cum, unit);
			table_word(table, state_of(row));
			table_name(table, row->name);
		}
	}
	if (hidden > 0) {
		table_foot(table, "%u more %s changed", hidden,
			   report_noun(view->by, hidden));
		table_field_value(table, "other_rows", NULL, hidden, NULL);
	}
	if (same > 0) {
		table_foot(table, "%u %s did not change", same,
			   report_noun(view->by, same));
	}
}

static void add_totals(struct table *table, const struct prof_diff *diff,
		       struct report_unit *unit)
{
	const struct prof_diff_value *total = &diff->total;
	char change[64];
	char shown[200];

	table_field_text(table, "sample_type", "Type", diff->type.type);
	table_field_text(table, "unit", NULL, diff->type.unit);
	table_field_value(table, "before", "Before", total->before,
			  report_show(unit, total->before));
	if (diff->factor != 1.0) {
		table_field_number(table, "factor", "Scaled by", diff->factor, NULL);
	}
	show_change(total, change, sizeof(change));
	snprintf(shown, sizeof(shown), "%s (%s)", report_show(unit, total->after),
		 change);
	table_field_value(table, "after", "After", total->after, shown);
}

static bool print(const struct view *view, struct prof_error *err)
{
	const struct diff_options *diff = view->options;
	const struct prof_diff_value *total = &view->diff->total;
	struct table table = { .schema = "fgtool-diff/1",
			       .columns = diff->cum ? cum_columns : flat_columns };
	struct report_unit unit = { 0 };
	bool ok =
		report_unit(&diff->report, view->diff->type.unit, smallest(view),
			    total->after > total->before ? total->after : total->before,
			    &unit, err);

	if (ok) {
		add_totals(&table, view->diff, &unit);
		add_rows(&table, view, &unit);
		ok = table_print(&table, &diff->table, diff->save.path, err);
	}
	report_unit_free(&unit);
	table_free(&table);
	return ok;
}

static bool compare(const struct diff_options *diff, struct sides *sides,
		    struct prof_error *err)
{
	struct prof_diff_options how = { .by_cum = diff->cum,
					 .equal_totals = diff->normalize };
	struct view view = { .options = diff, .limit = UINT32_MAX };
	struct prof_key_options key = { 0 };
	struct prof_top_result *before = NULL;
	struct prof_top_result *after = NULL;
	struct prof_diff *result = NULL;
	bool ok = report_key(&diff->report, &key, err) &&
		  report_top(&sides->before_input, &diff->filter, sides->before_count,
			     sides->before, &key, &before, err) &&
		  report_top(&diff->input, &diff->filter, sides->after_count,
			     sides->after, &key, &after, err) &&
		  report_column(&diff->report, after, &how.column, err) &&
		  (prof_diff_make(before, after, &how, &result, err) ||
		   not_comparable(sides, err));

	view.diff = result;
	view.by = key.by;
	view.people =
		diff->table.format == TABLE_TEXT || diff->table.format == TABLE_MD;
	if (diff->limit > 0 && diff->limit < UINT32_MAX) {
		view.limit = (uint32_t)diff->limit;
	} else if (diff->limit < 0 && view.people) {
		view.limit = ROWS;
	}
	ok = ok && print(&view, err);
	prof_diff_free(result);
	prof_top_result_free(before);
	prof_top_result_free(after);
	return ok;
}

/* the difference as a profile */

/* A profile is written when a format is asked for, by option or by name. */
static bool wants_profile(const struct save_options *save)
{
	char stem[4096];
	size_t len = 0;

	if (save->format) {
		return true;
	}
	if (!save->path || snprintf(stem, sizeof(stem), "%s", save->path) < 1) {
		return false;
	}
	len = strlen(stem);
	if (len > 3 && strcmp(stem + len - 3, ".gz") == 0) {
		stem[len - 3] = '\0';
	} else if (len > 4 && strcmp(stem + len - 4, ".zst") == 0) {
		stem[len - 4] = '\0';
	}
	return prof_format_for_path(stem) != NULL;
}

/*
 * The ratio of each column that turns `before` into what is to be added. Whether the
 * types are those of `after` is for the merge to say.
 */
static bool choose_ratios(const struct diff_options *diff,
			  const struct prof_profile *before,
			  const struct prof_profile *after, struct prof_ratio *ratios,
			  struct prof_error *err)
{
	for (uint32_t c = 0; c < before->type_count; c++) {
		int64_t was = 0;
		int64_t is = 0;

		ratios[c] = (struct prof_ratio){ .num = 1, .den = 1 };
		if (diff->normalize && c < after->type_count) {
			if (!prof_column_total(before, c, &was, err) ||
			    !prof_column_total(after, c, &is, err) ||
			    (was != 0 &&
			     !prof_ratio_to_total(before, c, is, &ratios[c], err))) {
				return false;
			}
		}
		ratios[c].num = -ratios[c].num;
	}
	return true;
}

/*
 * Merging adds durations up, which makes no sense for a difference. Snapshots without
 * one, as heap profiles are, are apart by the time between them.
 */
static void set_duration(const struct prof_header *before,
			 const struct prof_header *after, struct prof_header *change)
{
	change->duration_ns = after->duration_ns;
	if (before->duration_ns == 0 && after->duration_ns == 0 &&
	    before->time_ns != 0 && after->time_ns > before->time_ns) {
		change->duration_ns = after->time_ns - before->time_ns;
	}
}

static bool subtract(const struct diff_options *diff, struct prof_profile *before,
		     struct prof_profile *after, struct prof_profile **out,
		     struct prof_error *err)
{
	struct prof_ratio *ratios = NULL;
	struct prof_profile *negative = NULL;
	bool ok = false;

	ratios = prof_alloc_array(before->type_count, sizeof(*ratios));
	if (!ratios) {
		return prof_fail_nomem(err);
	}
	if (choose_ratios(diff, before, after, ratios, err) &&
	    prof_scale(before, ratios, &negative, NULL, err)) {
		struct prof_profile *const pair[] = { negative, after };

		ok = prof_merge(pair, 2, PROF_BUILD_CANONICAL, out, err);
	}
	if (ok) {
		set_duration(&before->header, &after->header, &(*out)->header);
	}
	prof_profile_free(negative);
	prof_free(ratios);
	return ok;
}

static bool save(const struct diff_options *diff, struct sides *sides,
		 struct prof_error *err)
{
	struct prof_profile *before = NULL;
	struct prof_profile *after = NULL;
	struct prof_profile *change = NULL;
	uint32_t column = 0;
	bool ok = input_profile(&sides->before_input, sides->before_count,
				sides->before, &before, err) &&
		  input_profile(&diff->input, sides->after_count, sides->after, &after,
				err) &&
		  filter_profile(&diff->filter, &before, err) &&
		  filter_profile(&diff->filter, &after, err) &&
		  (subtract(diff, before, after, &change, err) ||
		   not_comparable(sides, err)) &&
		  input_column(change, diff->report.sample_type, &column, err) &&
		  save_profile(&diff->save, change, column, err);

	prof_profile_free(change);
	prof_profile_free(before);
	prof_profile_free(after);
	return ok;
}

static int run_diff(const struct command *self, int argc, char **argv)
{
	struct diff_options diff = { .limit = -1 };
	struct sides sides = { 0 };
	struct prof_error err = { 0 };
	bool ok = false;

	argc = options_parse(self, &diff, argc, argv);
	if (!choose_sides(self, &diff, argc, argv, &sides)) {
		(void)prof_fail_nomem(&err);
	} else if (wants_profile(&diff.save)) {
		ok = save(&diff, &sides, &err);
	} else {
		ok = compare(&diff, &sides, &err);
	}
	prof_arena_free(&sides.memory);
	if (!ok && err.code == PROF_ERR_MISMATCH) {
		complain(&err);
		return EXIT_NOT_COMPARABLE;
	}
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_diff = {
	.name = "diff",
	.group = "reports",
	.summary = "Print what changed between two profiles",
	.usage = "BEFORE AFTER",
	.description =
		"Rows are joined by name, the largest change first. With -o FILE or\n"
		"--to FORMAT that is a profile's, the difference is written as a profile:\n"
		"AFTER and the negative of BEFORE, added up.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_diff,
};

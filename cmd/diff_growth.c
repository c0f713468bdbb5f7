/* SPDX-License-Identifier: MIT */
/*
 * One process at two times: what grew since. An exact difference of two states, so no
 * statistics; rows as diff.h joins them.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/diff.h"
#include "libprof/base/alloc.h"
#include "libprof/report/diff.h"

enum { ROWS = 30 /* of a table for people, unless they say otherwise */ };

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

struct view {
	const struct diff_options *options;
	const struct prof_diff *diff;
	enum prof_by by;
	uint32_t limit;
	bool people;
	enum table_format format;
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
	const struct table_options how = { .format = (int)view->format,
					   .color = diff->color,
					   .width = diff->width };
	const struct prof_diff_value *total = &view->diff->total;
	struct table table = { .schema = "fgtool-growth/1",
			       .columns = diff->cum ? cum_columns : flat_columns };
	struct report_unit unit = { 0 };
	bool ok =
		report_unit(&diff->report, view->diff->type.unit, smallest(view),
			    total->after > total->before ? total->after : total->before,
			    &unit, err);

	if (ok) {
		add_totals(&table, view->diff, &unit);
		add_rows(&table, view, &unit);
		ok = table_print(&table, &how, diff->save.path, err);
	}
	report_unit_free(&unit);
	table_free(&table);
	return ok;
}

/* Paths as the inputs want them, the copies of the side's. */
static char **list_paths(const struct diff_side *side, struct prof_arena *memory)
{
	char **paths =
		prof_arena_array(memory, (size_t)side->count + 1, sizeof(*paths));

	for (uint32_t i = 0; paths && i < side->count; i++) {
		const char *path = side->runs[i].path;

		paths[i] = prof_arena_copy(memory, path, strlen(path));
	}
	return memory->failed ? NULL : paths;
}

static bool top_of(const struct diff_options *diff, const struct diff_side *side,
		   bool listed, const struct prof_key_options *key,
		   struct prof_top_result **out, struct prof_error *err)
{
	struct input_options input = diff->input;
	struct prof_arena memory = { 0 };
	char **paths = list_paths(side, &memory);
	bool ok = false;

	input.files_from = listed ? input.files_from : NULL;
	ok = paths ? report_top(&input, &diff->filter, (int)side->count, paths, key,
				out, err)
		   : prof_fail_nomem(err);
	prof_arena_free(&memory);
	return ok;
}

static bool choose_scale(const struct diff_options *diff, struct prof_diff_options *how,
			 struct prof_error *err)
{
	if (diff->gates.count > 0) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "--gate: --base alone is one process at two times; a "
				 "gate needs runs before and after");
	}
	how->equal_totals = diff->normalize && strcmp(diff->normalize, "total") == 0;
	if (diff->per || (diff->normalize && !how->equal_totals &&
			  strcmp(diff->normalize, "none") != 0)) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "--base alone knows --normalize=none and total only");
	}
	return true;
}

static void set_view(const struct diff_options *diff, enum diff_format format,
		     struct view *view)
{
	static const enum table_format formats[] = {
		[DIFF_TEXT] = TABLE_TEXT,   [DIFF_JSON] = TABLE_JSON,
		[DIFF_CSV] = TABLE_CSV,     [DIFF_MD] = TABLE_MD,
		[DIFF_MARKDOWN] = TABLE_MD,
	};

	view->options = diff;
	view->format = formats[format];
	view->limit = UINT32_MAX;
	view->people = view->format == TABLE_TEXT || view->format == TABLE_MD;
	if (diff->limit > 0 && diff->limit < UINT32_MAX) {
		view->limit = (uint32_t)diff->limit;
	} else if (diff->limit < 0 && view->people && !diff->all) {
		view->limit = ROWS;
	}
}

bool diff_growth(const struct diff_options *diff, const struct diff_sides *sides,
		 enum diff_format format, struct prof_error *err)
{
	struct prof_diff_options how = { .by_cum = diff->cum };
	struct view view = { 0 };
	struct prof_key_options key = { 0 };
	struct prof_top_result *before = NULL;
	struct prof_top_result *after = NULL;
	struct prof_diff *result = NULL;
	bool ok = choose_scale(diff, &how, err) &&
		  report_key(&diff->report, &key, err) &&
		  top_of(diff, &sides->side[PROF_BEFORE], false, &key, &before, err) &&
		  top_of(diff, &sides->side[PROF_AFTER], true, &key, &after, err) &&
		  report_column(&diff->report, after, &how.column, err) &&
		  (prof_diff_make(before, after, &how, &result, err) ||
		   diff_not_comparable(sides, err));

	if (ok) {
		set_view(diff, format, &view);
		view.diff = result;
		view.by = key.by;
		ok = print(&view, err);
	}
	prof_diff_free(result);
	prof_top_result_free(before);
	prof_top_result_free(after);
	return ok;
}

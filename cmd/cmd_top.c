/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "cmd/command.h"
#include "cmd/filter_options.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/output.h"
#include "cmd/report_options.h"
#include "cmd/table.h"

enum { ROWS = 30 /* of a table for people, unless they say otherwise */ };

struct top_options {
	int64_t limit; /* -1: not given */
	bool cum;
	double min;
	struct report_options report;
	struct filter_options filter;
	struct input_options input;
	struct table_options table;
	struct output_options output;
};

static const struct option options[] = {
	{ 'n', "limit", "N", "show at most N rows, 0 for all (30; all for programs)",
	  OPTION_INTEGER(struct top_options, limit), .alias = "nodecount" },
	{ 'c', "cum", NULL, "sort by what functions and their callees take together",
	  OPTION_FLAG(struct top_options, cum) },
	{ 0, "min", "SHARE", "leave out rows with a cum below SHARE of the total: 1%",
	  OPTION_FRACTION(struct top_options, min), .alias = "nodefraction" },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct top_options, report),
	OPTION_INCLUDE(struct top_options, filter),
	OPTION_INCLUDE(struct top_options, input),
	OPTION_INCLUDE(struct top_options, table),
	OPTION_INCLUDE(struct top_options, output),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool top go-cpu.pb.gz", "the functions with most time of their own" },
	{ "fgtool top -n 10 --cum go-cpu.pb.gz",
	  "... with their callees', ten of them" },
	{ "fgtool top --focus json go-cpu.pb.gz",
	  "only samples with JSON in their stacks; shares are still of all" },
	{ "fgtool top --by line --sample-type inuse_space go-heap-1.pb.gz",
	  "the lines that hold memory" },
	{ "fgtool top --by label:route go-cpu.pb.gz", "time by the value of a label" },
	{ "cat go-cpu.pb.gz | fgtool top --format json", "for programs, all rows" },
	{ 0 },
};

static const struct table_column columns[] = {
	{ "flat", "flat", TABLE_VALUE, NULL },
	{ "flat_percent", "flat%", TABLE_PERCENT, NULL },
	{ "sum_percent", "sum%", TABLE_PERCENT, NULL },
	{ "cum", "cum", TABLE_VALUE, NULL },
	{ "cum_percent", "cum%", TABLE_PERCENT, NULL },
	{ "name", "name", TABLE_NAME, NULL },
	{ 0 },
};

/* What is shown of a column, and what of it is not in the rows shown. */
struct view {
	const struct top_options *top;
	const struct prof_top_result *result;
	enum prof_by by;
	uint32_t column;
	uint32_t limit; /* rows */
	int64_t total;

	uint32_t hidden; /* rows that have values but are not shown */
	int64_t hidden_flat;
	int64_t stackless; /* of samples without a stack: in no row */
	int64_t removed;   /* by filters */
	int64_t smallest;
};

static bool for_people(const struct table_options *table)
{
	return table->format == TABLE_TEXT || table->format == TABLE_MD;
}

static bool has_value(const struct view *view, const struct prof_top_row *row)
{
	return row->flat[view->column] != 0 || row->cum[view->column] != 0;
}

static bool is_shown(const struct view *view, const struct prof_top_row *row)
{
	double cum = (double)row->cum[view->column];
	double least = view->top->min * (double)view->total;

	return has_value(view, row) && (cum >= least || -cum >= least);
}

/*
 * Rows come in the order of their size. Samples without a stack are what the total has
 * and the rows have not; with negative values there is no telling.
 */
static void measure(struct view *view)
{
	const struct prof_top_result *result = view->result;
	uint32_t shown = 0;
	int64_t flat_sum = 0;

	for (uint32_t i = 0; i < result->row_count; i++) {
		const struct prof_top_row *row = &result->rows[i];
		int64_t flat = row->flat[view->column];
		int64_t cum = row->cum[view->column];

		flat_sum += flat;
		if (is_shown(view, row) && shown < view->limit) {
			shown++;
			view->smallest =
				report_smaller(view->smallest, flat != 0 ? flat : cum);
		} else if (has_value(view, row)) {
			view->hidden++;
			view->hidden_flat += flat;
		}
	}
	view->stackless = result->negative ? 0 : view->total - view->removed - flat_sum;
}

/* A row without a cum: what people miss for the columns to add up. */
static void add_rest(struct table *table, const struct view *view,
		     struct report_unit *unit, int64_t value, const char *name)
{
	report_value(table, unit, value);
	table_percent(table, report_share(value, view->total));
	table_missing(table);
	table_missing(table);
	table_missing(table);
	table_name(table, prof_text(name));
	table_tone(table, TABLE_DIM);
}

static void add_rows(struct table *table, const struct view *view,
		     struct report_unit *unit)
{
	const struct prof_top_result *result = view->result;
	uint32_t shown = 0;
	int64_t sum = 0;

	for (uint32_t i = 0; i < result->row_count && shown < view->limit; i++) {
		const struct prof_top_row *row = &result->rows[i];
		int64_t flat = row->flat[view->column];
		int64_t cum = row->cum[view->column];

		if (!is_shown(view, row)) {
			continue;
		}
		shown++;
		sum += flat;
		report_value(table, unit, flat);
		table_percent(table, report_share(flat, view->total));
		table_percent(table, report_share(sum, view->total));
		report_value(table, unit, cum);
		table_percent(table, report_share(cum, view->total));
		table_name(table, row->name);
	}
}

/* What the rows shown lack, as rows for people and as fields for programs. */
static void add_rests(struct table *table, const struct view *view, char *name,
		      size_t size, struct report_unit *unit)
{
	bool people = for_people(&view->top->table);

	if (view->hidden > 0 && people) {
		snprintf(name, size, "(other, %u %s)", view->hidden,
			 report_noun(view->by, view->hidden));
		add_rest(table, view, unit, view->hidden_flat, name);
	} else if (view->hidden > 0) {
		table_field_value(table, "other_rows", NULL, view->hidden, NULL);
		table_field_value(table, "other_flat", NULL, view->hidden_flat, NULL);
	}
	if (view->removed != 0 && people) {
		add_rest(table, view, unit, view->removed, "(filtered out)");
	} else if (view->removed != 0) {
		table_field_value(table, "filtered_out", NULL, view->removed, NULL);
	}
	if (view->stackless != 0 && people) {
		add_rest(table, view, unit, view->stackless, "(no stack)");
	} else if (view->stackless != 0) {
		table_field_value(table, "no_stack", NULL, view->stackless, NULL);
	}
}

/* That there is more to see than the column shown. */
static void note_types(struct table *table, const struct view *view)
{
	const struct prof_top_result *result = view->result;
	struct prof_buf others = { .max = 1024 };

	for (uint32_t c = 0; c < result->type_count; c++) {
		if (c != view->column) {
			prof_buf_adds(&others, others.len > 0 ? ", " : "");
			prof_text_escape(&others, result->types[c].type);
		}
	}
	if (others.len > 0 && view->total == 0 && result->sample_count > 0) {
		table_note(table,
			   "All values are 0; try --sample-type with one of: %.*s",
			   (int)others.len, others.data);
	} else if (others.len > 0) {
		table_note(table, "Other types: %.*s", (int)others.len, others.data);
	}
	prof_buf_free(&others);
}

static bool print(const struct view *view, struct prof_error *err)
{
	const struct top_options *top = view->top;
	const struct prof_top_result *result = view->result;
	struct table table = { .schema = "fgtool-top/1", .columns = columns };
	struct report_header header = {
		.time_ns = result->time_ns,
		.duration_ns = result->duration_ns,
		.total = view->total,
	};
	struct report_unit unit = { 0 };
	char other[64];
	bool ok = false;

	if (result->type_count > 0) {
		header.type = result->types[view->column];
	}
	if (!report_unit(&top->report, header.type.unit, view->smallest, view->total,
			 &unit, err)) {
		return false;
	}
	report_fields(&table, &header, &unit);
	table_field_value(&table, "samples", "Samples", (int64_t)result->sample_count,
			  NULL);
	note_types(&table, view);
	add_rows(&table, view, &unit);
	add_rests(&table, view, other, sizeof(other), &unit);
	if (result->row_count == 0) {
		table_foot(&table, "the profile has no samples");
	}
	ok = table_print(&table, &top->table, top->output.path, err);
	report_unit_free(&unit);
	table_free(&table);
	return ok;
}

static uint32_t limit_of(const struct top_options *top)
{
	if (top->limit > 0 && top->limit < UINT32_MAX) {
		return (uint32_t)top->limit;
	}
	return top->limit < 0 && for_people(&top->table) ? ROWS : UINT32_MAX;
}

static bool report(const struct top_options *top, enum prof_by by,
		   struct prof_top_result *result, struct prof_error *err)
{
	struct view view = {
		.top = top,
		.result = result,
		.by = by,
		.limit = limit_of(top),
	};

	if (!report_column(&top->report, result, &view.column, err)) {
		return false;
	}
	if (result->type_count > 0) {
		view.total = result->total[view.column];
		view.removed = result->removed ? result->removed[view.column] : 0;
	}
	prof_top_sort(result, view.column, top->cum);
	measure(&view);
	return print(&view, err);
}

static int run_top(const struct command *self, int argc, char **argv)
{
	struct top_options top = { .limit = -1 };
	struct prof_key_options key = { 0 };
	struct prof_top_result *result = NULL;
	struct prof_error err = { 0 };
	bool ok = false;

	argc = options_parse(self, &top, argc, argv);
	ok = report_key(&top.report, &key, &err) &&
	     report_top(&top.input, &top.filter, argc, argv, &key, &result, &err) &&
	     report(&top, key.by, result, &err);
	prof_top_result_free(result);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_top = {
	.name = "top",
	.group = "reports",
	.summary = "Print where the values of a profile are",
	.usage = "[PROFILE...]",
	.description =
		"flat is what a function has of its own, cum what it has together with\n"
		"all it calls; recursion counts once. Several profiles are added up.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_top,
};

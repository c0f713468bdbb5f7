/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/command.h"
#include "cmd/filter_options.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/output.h"
#include "cmd/table.h"
#include "cmd/values_options.h"
#include "libprof/base/alloc.h"
#include "libprof/model/aggregate.h"
#include "libprof/model/merge.h"
#include "libprof/model/tagfilter.h"
#include "libprof/model/unit.h"
#include "libprof/report/frameinfo.h"

enum { TRACES = 20 /* for people, unless they say otherwise */ };

struct traces_options {
	int64_t limit; /* -1: not given */
	int by;        /* index into grains */
	struct values_options values;
	struct filter_options filter;
	struct input_options input;
	struct table_options table;
	struct output_options output;
};

static const char *const grains[] = { "function", "line", "address", NULL };

static const enum prof_granularity granularities[] = {
	PROF_GRANULARITY_FUNCTIONS,
	PROF_GRANULARITY_LINES,
	PROF_GRANULARITY_ADDRESSES,
};

static const struct option options[] = {
	{ 'n', "limit", "N", "show at most N stacks, 0 for all (20; all for programs)",
	  OPTION_INTEGER(struct traces_options, limit) },
	{ 0, "by", "WHAT", "how fine frames are: function, line or address",
	  OPTION_CHOICE(struct traces_options, by, grains) },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct traces_options, values),
	OPTION_INCLUDE(struct traces_options, filter),
	OPTION_INCLUDE(struct traces_options, input),
	OPTION_INCLUDE(struct traces_options, table),
	OPTION_INCLUDE(struct traces_options, output),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool traces go-cpu.pb.gz", "the twenty stacks that take most" },
	{ "fgtool traces --focus mallocgc -n 3 go-cpu.pb.gz",
	  "three ways to allocate" },
	{ "fgtool traces --format json go-cpu.pb.gz", "all stacks, for a program" },
	{ 0 },
};

static const struct table_column columns[] = {
	{ "trace", NULL, TABLE_VALUE, NULL },
	{ "value", "value", TABLE_VALUE, NULL },
	{ "percent", "value%", TABLE_PERCENT, NULL },
	{ "kind", NULL, TABLE_WORD, NULL },
	{ "name", "name", TABLE_NAME, NULL },
	{ 0 },
};

struct page {
	const struct prof_profile *profile; /* aggregated */
	uint32_t column;
	struct table table;
	struct report_unit unit;
	struct prof_tag_units tag_units;
	int64_t total;
	struct prof_arena names; /* which the table borrows */
	struct prof_text
		*lines; /* by line and location: printed names, once asked for */
	struct prof_buf scratch;
	uint32_t *order; /* samples, largest first */
	uint32_t limit;
};

/* --- order --------------------------------------------------------------------------- */

static uint64_t size_of(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static int compare_samples(const void *left, const void *right, void *context)
{
	const int64_t *values = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;

	if (size_of(values[a]) != size_of(values[b])) {
		return size_of(values[a]) > size_of(values[b]) ? -1 : 1;
	}
	return a < b ? -1 : a > b;
}

static bool sort_samples(struct page *page)
{
	uint32_t count = page->profile->sample_count;

	page->order = prof_alloc_array((size_t)count + 1, sizeof(*page->order));
	for (uint32_t i = 0; page->order && i < count; i++) {
		page->order[i] = i;
	}
	if (page->order && count > 1) {
		qsort_r(page->order, count, sizeof(*page->order), compare_samples,
			page->profile->values[page->column]);
	}
	return page->order != NULL;
}

/* --- rows ---------------------------------------------------------------------------- */

/* What is in `scratch`, for the table to borrow. */
static struct prof_text keep(struct page *page)
{
	const char *copy =
		prof_arena_copy(&page->names, page->scratch.data, page->scratch.len);

	return (struct prof_text){ copy, copy ? page->scratch.len : 0 };
}

/* Stacks share their frames: each is named once. */
static struct prof_text frame_name(struct page *page, uint32_t location, uint32_t line)
{
	const struct prof_path_trim trim = { 0 };
	size_t at = (size_t)page->profile->locations[location].first_line + location;
	struct prof_frame_info info;

	if (!page->lines[at + line].data) {
		info = prof_frame_info(page->profile, location, line, &trim, false,
				       &page->names);
		prof_buf_clear(&page->scratch);
		prof_frame_info_add(&page->scratch, &info);
		page->lines[at + line] = keep(page);
	}
	return page->lines[at + line];
}

/* A row without a value, below that of its stack. */
static void add_name(struct page *page, uint32_t rank, const char *kind,
		     struct prof_text name, bool inlined)
{
	table_value(&page->table, rank, NULL);
	table_missing(&page->table);
	table_missing(&page->table);
	table_word(&page->table, kind);
	if (inlined) {
		prof_buf_clear(&page->scratch);
		prof_buf_add(&page->scratch, name.data, name.len);
		prof_buf_adds(&page->scratch, " (inlined)");
		table_name_as(
			&page->table, name,
			(struct prof_text){ page->scratch.data, page->scratch.len });
	} else {
		table_name(&page->table, name);
	}
}

static void add_labels(struct page *page, uint32_t rank, struct prof_labels labels)
{
	const struct prof_profile *profile = page->profile;

	for (size_t i = 0; i < labels.count; i++) {
		const struct prof_label *label = &labels.data[i];
		struct prof_text key = prof_string(profile, label->key);
		struct prof_text text = prof_string(profile, label->text);

		prof_buf_clear(&page->scratch);
		prof_buf_add(&page->scratch, key.data, key.len);
		prof_buf_addc(&page->scratch, ':');
		if (label->text != 0) {
			prof_buf_add(&page->scratch, text.data, text.len);
		} else {
			prof_unit_label(
				&page->scratch, label->number,
				prof_tag_unit(&page->tag_units, profile, label->key),
				prof_text("auto"));
		}
		add_name(page, rank, "label", keep(page), false);
		table_tone(&page->table, TABLE_DIM);
	}
}

static void add_frames(struct page *page, uint32_t rank, struct prof_frames frames)
{
	for (size_t i = 0; i < frames.count; i++) {
		size_t lines = prof_location_lines(page->profile, frames.data[i]).count;
		uint32_t count = lines > 0 ? (uint32_t)lines : 1;

		for (uint32_t k = 0; k < count; k++) {
			add_name(page, rank, "frame",
				 frame_name(page, frames.data[i], k), k + 1 < count);
		}
	}
}

static void add_value(struct page *page, uint32_t rank, int64_t value, const char *kind,
		      const char *shown)
{
	table_value(&page->table, rank, NULL);
	report_value(&page->table, &page->unit, value);
	table_percent(&page->table, report_share(value, page->total));
	table_word(&page->table, kind);
	table_name_as(&page->table, prof_text(""), prof_text(shown));
	table_tone(&page->table, TABLE_STRONG);
}

static void add_stack(struct page *page, uint32_t rank, uint32_t sample)
{
	const struct prof_profile *profile = page->profile;
	struct prof_frames frames = prof_stack(profile, profile->sample_stack[sample]);
	char title[64];

	snprintf(title, sizeof(title), "stack %u%s", rank,
		 frames.count == 0 ? ", without frames" : "");
	add_value(page, rank, profile->values[page->column][sample], "stack", title);
	add_labels(page, rank, prof_label_set(profile, profile->sample_set[sample]));
	add_frames(page, rank, frames);
}

static void add_stacks(struct page *page)
{
	const int64_t *values = page->profile->values[page->column];
	uint32_t rank = 0;
	uint32_t hidden = 0;
	int64_t others = 0;
	char title[64];

	for (uint32_t i = 0; i < page->profile->sample_count; i++) {
		uint32_t sample = page->order[i];

		if (values[sample] == 0) {
			continue;
		}
		if (rank < page->limit) {
			add_stack(page, ++rank, sample);
		} else {
			hidden++;
			others += values[sample];
		}
	}
	if (hidden > 0) {
		snprintf(title, sizeof(title), "(other, %u %s)", hidden,
			 hidden == 1 ? "stack" : "stacks");
		add_value(page, 0, others, "other", title);
	}
	if (rank == 0) {
		table_foot(&page->table, "the profile has no samples");
	}
}

/* --- report -------------------------------------------------------------------------- */

static uint32_t limit_of(const struct traces_options *traces)
{
	bool people =
		traces->table.format == TABLE_TEXT || traces->table.format == TABLE_MD;

	if (traces->limit > 0 && traces->limit < UINT32_MAX) {
		return (uint32_t)traces->limit;
	}
	return traces->limit < 0 && people ? TRACES : UINT32_MAX;
}

static int64_t smallest_value(const struct page *page)
{
	const int64_t *values = page->profile->values[page->column];
	uint32_t count = page->profile->sample_count;
	int64_t smallest = 0;

	for (uint32_t i = 0; i < count && i < page->limit; i++) {
		smallest = report_smaller(smallest, values[page->order[i]]);
	}
	return smallest;
}

static bool print(struct page *page, const struct traces_options *traces,
		  const struct values *values, struct prof_error *err)
{
	size_t lines =
		(size_t)page->profile->line_count + page->profile->location_count + 1;

	page->lines = prof_alloc_array(lines, sizeof(*page->lines));
	if (!page->lines || (page->profile->sample_count > 0 && !sort_samples(page))) {
		return prof_fail_nomem(err);
	}
	if (!prof_tag_units_init(&page->tag_units, page->profile, err) ||
	    !values_unit(&traces->values, values, smallest_value(page), &page->unit,
			 err)) {
		return false;
	}
	page->table = (struct table){ .schema = "fgtool-traces/1", .columns = columns };
	report_fields(&page->table, &values->header, &page->unit);
	add_stacks(page);
	if (page->names.failed || page->scratch.failed) {
		return prof_fail_nomem(err);
	}
	return table_print(&page->table, &traces->table, traces->output.path, err);
}

/* Samples of one stack, which a profile may have several of, are one trace. */
static bool report(const struct traces_options *traces, const struct values *values,
		   struct prof_error *err)
{
	const struct prof_aggregate_options grain = {
		.granularity = granularities[traces->by],
	};
	struct prof_aggregate coarse = { 0 };
	struct prof_profile *merged = NULL;
	struct page page = {
		.column = values->column,
		.total = values->header.total,
		.limit = limit_of(traces),
	};
	struct prof_profile *view = &coarse.view;
	bool ok = prof_aggregate_init(&coarse, values->profile, &grain, err) &&
		  prof_merge(&view, 1, PROF_BUILD_CANONICAL, &merged, err);

	page.profile = merged;
	ok = ok && print(&page, traces, values, err);
	prof_tag_units_free(&page.tag_units);
	prof_arena_free(&page.names);
	prof_buf_free(&page.scratch);
	prof_free(page.lines);
	prof_free(page.order);
	report_unit_free(&page.unit);
	table_free(&page.table);
	prof_profile_free(merged);
	prof_aggregate_free(&coarse);
	return ok;
}

static int run_traces(const struct command *self, int argc, char **argv)
{
	struct traces_options traces = { .limit = -1 };
	struct values values = { 0 };
	struct prof_error err = { 0 };
	bool ok = false;

	argc = options_parse(self, &traces, argc, argv);
	ok = values_read(&traces.values, &traces.filter, &traces.input, argc, argv,
			 &values, &err) &&
	     report(&traces, &values, &err);
	values_free(&values);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_traces = {
	.name = "traces",
	.group = "reports",
	.summary = "Print the stacks that take most",
	.usage = "[PROFILE...]",
	.description =
		"Samples with equal stacks and labels are added up. Each stack is shown\n"
		"with its labels and its frames, leaf first.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_traces,
};

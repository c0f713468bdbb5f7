/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "cmd/command.h"
#include "cmd/filter_options.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/output.h"
#include "cmd/table.h"
#include "cmd/values_options.h"
#include "libprof/report/tags.h"

enum { VALUES = 10 /* of a key for people, unless they say otherwise */ };

struct tags_options {
	int64_t limit; /* -1: not given */
	struct values_options values;
	struct filter_options filter;
	struct input_options input;
	struct table_options table;
	struct output_options output;
};

static const struct option options[] = {
	{ 'n', "limit", "N", "show at most N values of a key, 0 for all (10)",
	  OPTION_INTEGER(struct tags_options, limit) },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct tags_options, values),
	OPTION_INCLUDE(struct tags_options, filter),
	OPTION_INCLUDE(struct tags_options, input),
	OPTION_INCLUDE(struct tags_options, table),
	OPTION_INCLUDE(struct tags_options, output),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool tags go-cpu.pb.gz", "the labels, and what their values take" },
	{ "fgtool tags --tag-show route -n 0 go-cpu.pb.gz",
	  "one label, all its values" },
	{ "fgtool tags --format csv go-cpu.pb.gz", "for a spreadsheet" },
	{ 0 },
};

static const struct table_column columns[] = {
	{ "value", "value", TABLE_VALUE, NULL },
	{ "percent", "value%", TABLE_PERCENT, NULL },
	{ "key", "key", TABLE_NAME, NULL },
	{ "kind", NULL, TABLE_WORD, NULL },
	{ "label", "label", TABLE_NAME, NULL },
	{ 0 },
};

/* One table being filled. */
struct page {
	struct table table;
	struct report_unit unit;
	int64_t total;
	uint32_t limit; /* values of a key */
};

static void add_row(struct page *page, int64_t value, struct prof_text key,
		    const char *kind)
{
	report_value(&page->table, &page->unit, value);
	table_percent(&page->table, report_share(value, page->total));
	table_name(&page->table, key);
	table_word(&page->table, kind);
}

/* A row that is no value of the label: dimmed, and empty for programs. */
static void add_rest(struct page *page, int64_t value, struct prof_text key,
		     const char *kind, const char *shown)
{
	add_row(page, value, key, kind);
	table_name_as(&page->table, prof_text(""), prof_text(shown));
	table_tone(&page->table, TABLE_DIM);
}

static void add_key(struct page *page, const struct prof_tag_key *key)
{
	int64_t others = 0;
	uint32_t hidden = 0;
	char text[64];

	for (uint32_t i = 0; i < key->value_count; i++) {
		if (i >= page->limit) {
			others += key->values[i].value;
			hidden++;
			continue;
		}
		add_row(page, key->values[i].value, key->key, "value");
		table_name(&page->table, key->values[i].text);
	}
	if (hidden > 0) {
		snprintf(text, sizeof(text), "(other, %u %s)", hidden,
			 hidden == 1 ? "value" : "values");
		add_rest(page, others, key->key, "other", text);
	}
	if (key->without != 0) {
		add_rest(page, key->without, key->key, "none", "(no such label)");
	}
}

static int64_t smallest_value(const struct prof_tags *tags, uint32_t limit)
{
	int64_t smallest = 0;

	for (uint32_t k = 0; k < tags->key_count; k++) {
		const struct prof_tag_key *key = &tags->keys[k];

		for (uint32_t i = 0; i < key->value_count && i < limit; i++) {
			smallest = report_smaller(smallest, key->values[i].value);
		}
	}
	return smallest;
}

static uint32_t limit_of(const struct tags_options *tags)
{
	bool people =
		tags->table.format == TABLE_TEXT || tags->table.format == TABLE_MD;

	if (tags->limit > 0 && tags->limit < UINT32_MAX) {
		return (uint32_t)tags->limit;
	}
	return tags->limit < 0 && people ? VALUES : UINT32_MAX;
}

static bool print(const struct tags_options *tags_of, const struct values *values,
		  const struct prof_tags *tags, struct prof_error *err)
{
	struct page page = {
		.table = { .schema = "fgtool-tags/1", .columns = columns },
		.total = values->header.total,
		.limit = limit_of(tags_of),
	};
	bool ok = values_unit(&tags_of->values, values,
			      smallest_value(tags, page.limit), &page.unit, err);

	if (ok) {
		report_fields(&page.table, &values->header, &page.unit);
		for (uint32_t k = 0; k < tags->key_count; k++) {
			add_key(&page, &tags->keys[k]);
		}
		if (tags->key_count == 0) {
			table_foot(&page.table, "no sample has a label");
		}
		ok = table_print(&page.table, &tags_of->table, tags_of->output.path,
				 err);
	}
	report_unit_free(&page.unit);
	table_free(&page.table);
	return ok;
}

static bool report(const struct tags_options *tags_of, const struct values *values,
		   struct prof_error *err)
{
	struct prof_tag_units units = { 0 };
	struct prof_tags *tags = NULL;
	bool ok = prof_tag_units_init(&units, values->profile, err) &&
		  prof_tags_build(values->profile, values->column, &units,
				  prof_text("minimum"), &tags, err) &&
		  print(tags_of, values, tags, err);

	prof_tag_units_free(&units);
	prof_tags_free(tags);
	return ok;
}

static int run_tags(const struct command *self, int argc, char **argv)
{
	struct tags_options tags = { .limit = -1 };
	struct values values = { 0 };
	struct prof_error err = { 0 };
	bool ok = false;

	argc = options_parse(self, &tags, argc, argv);
	ok = values_read(&tags.values, &tags.filter, &tags.input, argc, argv, &values,
			 &err) &&
	     report(&tags, &values, &err);
	values_free(&values);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_tags = {
	.name = "tags",
	.group = "reports",
	.summary = "Print how values spread over the labels of samples",
	.usage = "[PROFILE...]",
	.description =
		"For each label, its values and what the samples take that have them.\n"
		"A sample counts for every value it has.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_tags,
};

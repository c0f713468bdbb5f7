/* SPDX-License-Identifier: MIT */
#include "cmd/command.h"
#include "cmd/filter_options.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/output.h"
#include "cmd/pattern.h"
#include "cmd/source_file.h"
#include "cmd/suggest.h"
#include "cmd/table.h"
#include "cmd/values_options.h"
#include "libprof/base/arena.h"
#include "libprof/model/aggregate.h"
#include "libprof/report/list.h"

enum { TAB = 8 };

struct list_options {
	const char *source_path;
	const char *trim_path;
	struct option_list maps;
	struct values_options values;
	struct filter_options filter;
	struct input_options input;
	struct table_options table;
	struct output_options output;
};

static const struct option options[] = {
	{ 0, "source-path", "DIRS", "where sources are, folders separated by ':' (.)",
	  OPTION_TEXT(struct list_options, source_path), .alias = "source_path" },
	{ 0, "trim-path", "DIRS", "what to strip from names of sources",
	  OPTION_TEXT(struct list_options, trim_path), .alias = "trim_path" },
	{ 0, "map-path", "FROM=TO", "sources named FROM... are in TO; may be repeated",
	  OPTION_LIST(struct list_options, maps) },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct list_options, values),
	OPTION_INCLUDE(struct list_options, filter),
	OPTION_INCLUDE(struct list_options, input),
	OPTION_INCLUDE(struct list_options, table),
	OPTION_INCLUDE(struct list_options, output),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool list mallocgc --source-path /usr/lib/go/src go-cpu.pb.gz",
	  "what each line of a function takes" },
	{ "fgtool list digest --map-path /build/app=src go-cpu.pb.gz",
	  "sources that were elsewhere when the program was built" },
	{ "fgtool list --format csv mallocgc go-cpu.pb.gz", "for a spreadsheet" },
	{ 0 },
};

static const struct table_column columns[] = {
	{ "function", NULL, TABLE_NAME, NULL },
	{ "file", NULL, TABLE_NAME, NULL },
	{ "flat", "flat", TABLE_VALUE, NULL },
	{ "cum", "cum", TABLE_VALUE, NULL },
	{ "cum_percent", "cum%", TABLE_PERCENT, NULL },
	{ "line", "line", TABLE_VALUE, NULL },
	{ "source", "source", TABLE_NAME, NULL },
	{ 0 },
};

struct page {
	struct table table;
	struct report_unit unit;
	struct source_roots roots;
	int64_t total;
	struct prof_arena texts;  /* lines of sources, which the table borrows */
	struct prof_text missing; /* the last file that was not found: said once */
	struct prof_buf shown;
};

static bool matches(void *context, struct prof_text text)
{
	return pattern_match(context, text.data, text.len);
}

/* --- rows ---------------------------------------------------------------------------- */

static void add_values(struct page *page, const struct prof_list_function *function,
		       int64_t flat, int64_t cum)
{
	table_name(&page->table, function->name);
	table_name(&page->table, function->file);
	if (flat == 0 && cum == 0) {
		table_missing(&page->table);
		table_missing(&page->table);
		table_missing(&page->table);
		return;
	}
	report_value(&page->table, &page->unit, flat);
	report_value(&page->table, &page->unit, cum);
	table_percent(&page->table, report_share(cum, page->total));
}

/* The line that a function begins with. */
static void add_head(struct page *page, const struct prof_list_function *function)
{
	prof_buf_clear(&page->shown);
	prof_buf_add(&page->shown, function->name.data, function->name.len);
	prof_buf_adds(&page->shown, " in ");
	if (function->file.len > 0) {
		prof_buf_add(&page->shown, function->file.data, function->file.len);
	} else {
		prof_buf_adds(&page->shown, "an unknown file");
	}
	add_values(page, function, function->flat, function->cum);
	table_missing(&page->table);
	table_name_as(&page->table, prof_text(""),
		      (struct prof_text){ page->shown.data, page->shown.len });
	table_tone(&page->table, TABLE_STRONG);
}

static void add_line(struct page *page, const struct prof_list_function *function,
		     const struct prof_list_line *line, struct prof_text text)
{
	const char *copy = prof_arena_copy(&page->texts, text.data, text.len);

	prof_buf_clear(&page->shown);
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] != '\t') {
			prof_buf_addc(&page->shown, text.data[i]);
			continue;
		}
		do {
			prof_buf_addc(&page->shown, ' ');
		} while (page->shown.len % TAB != 0 && !page->shown.failed);
	}
	add_values(page, function, line->flat, line->cum);
	table_value(&page->table, line->line, NULL);
	table_name_as(&page->table, (struct prof_text){ copy, copy ? text.len : 0 },
		      (struct prof_text){ page->shown.data, page->shown.len });
}

static void add_source(struct page *page, const struct prof_list_function *function,
		       const struct source_file *file)
{
	struct prof_text text = { 0 };
	uint32_t at = 0;

	for (int64_t n = function->first;
	     n <= function->last && source_file_line(file, n, &text); n++) {
		struct prof_list_line line = { .line = n };

		while (at < function->line_count && function->lines[at].line < n) {
			at++;
		}
		if (at < function->line_count && function->lines[at].line == n) {
			line = function->lines[at];
		}
		add_line(page, function, &line, text);
	}
}

/* Without a source the numbers are worth something still. */
static void add_numbers(struct page *page, const struct prof_list_function *function,
			const struct prof_buf *tried)
{
	for (uint32_t i = 0; i < function->line_count; i++) {
		add_line(page, function, &function->lines[i], prof_text(""));
	}
	if (tried->len > 0 && !prof_text_equal(page->missing, function->file)) {
		page->missing = function->file;
		notice("no source of '%.*s': tried %.*s", (int)function->file.len,
		       function->file.data, (int)tried->len, tried->data);
	}
}

static void add_function(struct page *page, const struct prof_list_function *function)
{
	struct source_file file = { 0 };
	struct prof_buf tried = { .max = 2048 };

	add_head(page, function);
	if (function->file.len > 0 &&
	    source_file_find(&file, function->file, &page->roots, &tried)) {
		add_source(page, function, &file);
	} else {
		add_numbers(page, function, &tried);
	}
	source_file_free(&file);
	prof_buf_free(&tried);
}

/* --- report -------------------------------------------------------------------------- */

static int64_t smallest_value(const struct prof_list *list)
{
	int64_t smallest = 0;

	for (uint32_t i = 0; i < list->function_count; i++) {
		const struct prof_list_function *function = &list->functions[i];

		for (uint32_t k = 0; k < function->line_count; k++) {
			smallest = report_smaller(smallest, function->lines[k].flat);
			smallest = report_smaller(smallest, function->lines[k].cum);
		}
	}
	return smallest;
}

static bool print(const struct list_options *list_of, const struct values *values,
		  const struct prof_list *list, struct prof_error *err)
{
	struct page page = {
		.table = { .schema = "fgtool-list/1", .columns = columns },
		.roots = { list_of->source_path, list_of->trim_path,
			   list_of->maps.items, list_of->maps.count },
		.total = values->header.total,
	};
	bool ok = values_unit(&list_of->values, values, smallest_value(list),
			      &page.unit, err);

	if (ok) {
		report_fields(&page.table, &values->header, &page.unit);
		for (uint32_t i = 0; i < list->function_count; i++) {
			add_function(&page, &list->functions[i]);
		}
		ok = (!page.texts.failed && !page.shown.failed) || prof_fail_nomem(err);
	}
	ok = ok && table_print(&page.table, &list_of->table, list_of->output.path, err);
	prof_arena_free(&page.texts);
	prof_buf_free(&page.shown);
	report_unit_free(&page.unit);
	table_free(&page.table);
	return ok;
}

static bool nothing_found(const struct prof_profile *profile, const char *regex,
			  struct prof_error *err)
{
	struct suggest near = suggest_for(prof_text(regex));
	struct prof_buf hint = { .max = 1024 };

	for (uint32_t i = 0; i < profile->function_count; i++) {
		suggest_add_name(&near,
				 prof_string(profile, profile->functions[i].name));
	}
	suggest_say(&near, "", &hint);
	prof_error_set(err, PROF_ERR_MISMATCH, "no function matches '%s'%.*s", regex,
		       (int)hint.len, hint.data ? hint.data : "");
	prof_buf_free(&hint);
	return false;
}

static bool report(const struct list_options *list_of, const char *regex,
		   const struct values *values, struct prof_error *err)
{
	const struct prof_aggregate_options grain = {
		.granularity = PROF_GRANULARITY_LINES,
	};
	struct pattern names = { 0 };
	const struct prof_list_options how = {
		.column = values->column,
		.exact = true,
		.names = { matches, &names },
	};
	struct prof_aggregate coarse = { 0 };
	struct prof_list *list = NULL;
	bool ok = pattern_init(&names, regex, err) &&
		  prof_aggregate_init(&coarse, values->profile, &grain, err) &&
		  prof_list_build(&coarse.view, &how, &list, err) &&
		  (list->function_count > 0 ||
		   nothing_found(values->profile, regex, err)) &&
		  print(list_of, values, list, err);

	prof_list_free(list);
	prof_aggregate_free(&coarse);
	pattern_free(&names);
	return ok;
}

static int run_list(const struct command *self, int argc, char **argv)
{
	struct list_options list = { 0 };
	struct values values = { 0 };
	struct prof_error err = { 0 };
	bool ok = false;

	argc = options_parse(self, &list, argc, argv);
	if (argc == 0) {
		usage_error(self, "say which functions: a regular expression");
	}
	ok = values_read(&list.values, &list.filter, &list.input, argc - 1, argv + 1,
			 &values, &err) &&
	     report(&list, argv[0], &values, &err);
	values_free(&values);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_list = {
	.name = "list",
	.group = "reports",
	.summary = "Print the source of functions with the value of each line",
	.usage = "RE [PROFILE...]",
	.description =
		"Sources are looked for below the folders of --source-path only,\n"
		"whatever names the profile has. A sample counts once per line.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_list,
};

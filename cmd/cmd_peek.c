/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/filter_options.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/output.h"
#include "cmd/pattern.h"
#include "cmd/suggest.h"
#include "cmd/table.h"
#include "cmd/values_options.h"
#include "libprof/base/alloc.h"
#include "libprof/model/aggregate.h"
#include "libprof/report/graph.h"

struct peek_options {
	int by; /* index into grains */
	struct values_options values;
	struct filter_options filter;
	struct input_options input;
	struct table_options table;
	struct output_options output;
};

/* The order of enum prof_granularity, but for the first. */
static const char *const grains[] = { "function", "file", "line", "address", NULL };

static const enum prof_granularity granularities[] = {
	PROF_GRANULARITY_FUNCTIONS,
	PROF_GRANULARITY_FILES,
	PROF_GRANULARITY_LINES,
	PROF_GRANULARITY_ADDRESSES,
};

static const struct option options[] = {
	{ 0, "by", "WHAT", "a row per function, file, line or address",
	  OPTION_CHOICE(struct peek_options, by, grains) },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct peek_options, values),
	OPTION_INCLUDE(struct peek_options, filter),
	OPTION_INCLUDE(struct peek_options, input),
	OPTION_INCLUDE(struct peek_options, table),
	OPTION_INCLUDE(struct peek_options, output),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool peek mallocgc go-cpu.pb.gz", "who allocates, and what that calls" },
	{ "fgtool peek --by line mallocgc go-cpu.pb.gz", "the same, line by line" },
	{ "fgtool peek --format csv mallocgc go-cpu.pb.gz", "for a spreadsheet" },
	{ 0 },
};

static const struct table_column columns[] = {
	{ "function", NULL, TABLE_NAME, NULL },
	{ "relation", "relation", TABLE_WORD, NULL },
	{ "value", "value", TABLE_VALUE, NULL },
	{ "percent", "value%", TABLE_PERCENT, NULL },
	{ "flat", "flat", TABLE_VALUE, NULL },
	{ "name", "name", TABLE_NAME, NULL },
	{ 0 },
};

struct page {
	const struct prof_graph *graph;
	struct table table;
	struct report_unit unit;
	int64_t total;
	uint32_t *chosen; /* nodes that match */
	uint32_t chosen_count;
};

/* --- choosing ------------------------------------------------------------------------ */

static bool nothing_found(const struct page *page, const char *regex,
			  struct prof_error *err)
{
	struct suggest near = suggest_for(prof_text(regex));
	struct prof_buf hint = { .max = 1024 };

	for (uint32_t i = 0; i < page->graph->node_count; i++) {
		suggest_add_name(&near, page->graph->nodes[i].name);
	}
	suggest_say(&near, "", &hint);
	prof_error_set(err, PROF_ERR_MISMATCH, "nothing matches '%s'%.*s", regex,
		       (int)hint.len, hint.data ? hint.data : "");
	prof_buf_free(&hint);
	return false;
}

static bool choose(struct page *page, const char *regex, struct prof_error *err)
{
	struct pattern pattern = { 0 };

	if (!pattern_init(&pattern, regex, err)) {
		return false;
	}
	page->chosen = prof_alloc_array((size_t)page->graph->node_count + 1,
					sizeof(*page->chosen));
	for (uint32_t i = 0; page->chosen && i < page->graph->node_count; i++) {
		struct prof_text name = page->graph->nodes[i].name;

		if (pattern_match(&pattern, name.data, name.len)) {
			page->chosen[page->chosen_count++] = i;
		}
	}
	pattern_free(&pattern);
	if (!page->chosen) {
		return prof_fail_nomem(err);
	}
	return page->chosen_count > 0 || nothing_found(page, regex, err);
}

/* --- printing ------------------------------------------------------------------------ */

static void add_row(struct page *page, uint32_t node, const char *relation,
		    int64_t value, uint32_t other)
{
	const struct prof_graph_node *nodes = page->graph->nodes;

	table_name(&page->table, nodes[node].name);
	table_word(&page->table, relation);
	report_value(&page->table, &page->unit, value);
	table_percent(&page->table, report_share(value, page->total));
	if (other == node) {
		report_value(&page->table, &page->unit, nodes[node].flat);
	} else {
		table_missing(&page->table);
	}
	table_name(&page->table, nodes[other].name);
	if (other == node) {
		table_tone(&page->table, TABLE_STRONG);
	}
}

static void add_node(struct page *page, uint32_t index)
{
	const struct prof_graph *graph = page->graph;
	const struct prof_graph_node *node = &graph->nodes[index];

	for (uint32_t i = 0; i < node->in_count; i++) {
		const struct prof_graph_edge *edge =
			&graph->edges[graph->in_edges[node->first_in + i]];

		add_row(page, index, "caller", edge->weight, edge->from);
	}
	add_row(page, index, "=", node->cum, index);
	for (uint32_t i = 0; i < node->out_count; i++) {
		const struct prof_graph_edge *edge =
			&graph->edges[graph->out_edges[node->first_out + i]];

		add_row(page, index, "callee", edge->weight, edge->to);
	}
}

static int64_t smallest_value(const struct page *page)
{
	const struct prof_graph *graph = page->graph;
	int64_t smallest = 0;

	for (uint32_t i = 0; i < page->chosen_count; i++) {
		const struct prof_graph_node *node = &graph->nodes[page->chosen[i]];

		smallest = report_smaller(smallest,
					  node->flat != 0 ? node->flat : node->cum);
	}
	return smallest;
}

static bool print(struct page *page, const struct peek_options *peek,
		  const struct values *values, struct prof_error *err)
{
	if (!values_unit(&peek->values, values, smallest_value(page), &page->unit,
			 err)) {
		return false;
	}
	page->table = (struct table){ .schema = "fgtool-peek/1", .columns = columns };
	page->total = values->header.total;
	report_fields(&page->table, &values->header, &page->unit);
	for (uint32_t i = 0; i < page->chosen_count; i++) {
		add_node(page, page->chosen[i]);
	}
	return table_print(&page->table, &peek->table, peek->output.path, err);
}

static bool report(const struct peek_options *peek, const char *regex,
		   const struct values *values, struct prof_error *err)
{
	const struct prof_aggregate_options grain = {
		.granularity = granularities[peek->by],
	};
	const struct prof_graph_options how = {
		.column = values->column,
		.order = PROF_GRAPH_BY_CUM,
		.edges = PROF_GRAPH_ALL_EDGES,
	};
	struct prof_aggregate coarse = { 0 };
	struct prof_graph *graph = NULL;
	struct page page = { 0 };
	bool ok = prof_aggregate_init(&coarse, values->profile, &grain, err) &&
		  prof_graph_build(&coarse.view, &how, &graph, err);

	page.graph = graph;
	ok = ok && choose(&page, regex, err) && print(&page, peek, values, err);
	prof_free(page.chosen);
	report_unit_free(&page.unit);
	table_free(&page.table);
	prof_graph_free(graph);
	prof_aggregate_free(&coarse);
	return ok;
}

static int run_peek(const struct command *self, int argc, char **argv)
{
	struct peek_options peek = { 0 };
	struct values values = { 0 };
	struct prof_error err = { 0 };
	bool ok = false;

	argc = options_parse(self, &peek, argc, argv);
	if (argc == 0) {
		usage_error(self, "say which functions: a regular expression");
	}
	ok = values_read(&peek.values, &peek.filter, &peek.input, argc - 1, argv + 1,
			 &values, &err) &&
	     report(&peek, argv[0], &values, &err);
	values_free(&values);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_peek = {
	.name = "peek",
	.group = "reports",
	.summary = "Print callers and callees of functions that match",
	.usage = "RE [PROFILE...]",
	.description = "Above each function, marked '=', stand its callers, below its\n"
		       "callees, with what the calls take; recursion counts once.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_peek,
};

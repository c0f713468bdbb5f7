/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/command.h"
#include "cmd/filter_options.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/output.h"
#include "cmd/report_options.h"
#include "cmd/table.h"
#include "libprof/base/alloc.h"
#include "libprof/report/calltree.h"

#define MIN_SHARE 0.005 /* of a tree for people, unless they say otherwise */

enum { MAX_INDENT = 40 /* levels; deeper ones say how much deeper */ };

struct tree_options {
	bool leaf_first;
	int64_t depth; /* 0: all */
	double min;    /* below 0: not given */
	struct report_options report;
	struct filter_options filter;
	struct input_options input;
	struct table_options table;
	struct output_options output;
};

static const struct option options[] = {
	{ 'r', "leaf-first", NULL, "begin with the leaves: below them, who calls them",
	  OPTION_FLAG(struct tree_options, leaf_first), .alias = "reverse" },
	{ 0, "depth", "N", "show at most N frames of a stack (all)",
	  OPTION_INTEGER(struct tree_options, depth) },
	{ 0, "min", "SHARE",
	  "leave out what is below SHARE of the total (0.5%; 0 for programs)",
	  OPTION_FRACTION(struct tree_options, min), .alias = "nodefraction" },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct tree_options, report),
	OPTION_INCLUDE(struct tree_options, filter),
	OPTION_INCLUDE(struct tree_options, input),
	OPTION_INCLUDE(struct tree_options, table),
	OPTION_INCLUDE(struct tree_options, output),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool tree go-cpu.pb.gz", "who calls what, and how much it takes" },
	{ "fgtool tree --leaf-first --min 2% go-cpu.pb.gz",
	  "the hot functions, and below each its callers" },
	{ "fgtool tree --depth 4 --sample-type alloc_space go-allocs.pb.gz",
	  "the upper end of what allocates" },
	{ "cat go-cpu.pb.gz | fgtool tree --format json",
	  "every node, parents before children" },
	{ 0 },
};

static const struct table_column columns[] = {
	{ "depth", NULL, TABLE_VALUE, NULL },
	{ "total", "total", TABLE_VALUE, NULL },
	{ "total_percent", "total%", TABLE_PERCENT, NULL },
	{ "self", "self", TABLE_VALUE, NULL },
	{ "self_percent", "self%", TABLE_PERCENT, NULL },
	{ "other", NULL, TABLE_VALUE, NULL },
	{ "name", "name", TABLE_NAME, NULL },
	{ 0 },
};

/* A line to be: a node, or `other` nodes of a parent that are not shown. */
struct line {
	uint32_t node;
	uint32_t other; /* 0 for a node */
	int64_t total;  /* of the others */
	uint32_t indent;
	bool chained; /* all that its parent calls */
};

struct view {
	const struct prof_calltree *tree;
	int64_t total; /* what shares are of */
	double min;
	uint32_t depth;

	struct line *lines; /* a stack: the next line is the last */
	size_t line_count;
	size_t line_cap;
	uint32_t *children; /* of one node, that are shown */
	size_t child_cap;
	struct prof_buf shown;
};

static bool is_shown(const struct view *view, uint32_t node)
{
	double total = (double)view->tree->total[0][node];
	double least = view->min * (double)view->total;

	return view->tree->nodes[node].depth <= view->depth &&
	       (total >= least || -total >= least);
}

static uint64_t size_of(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Larger first; equal ones by name, which is the order they have. */
static int compare_totals(const void *left, const void *right, void *context)
{
	const int64_t *totals = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;

	if (size_of(totals[a]) != size_of(totals[b])) {
		return size_of(totals[a]) > size_of(totals[b]) ? -1 : 1;
	}
	return a < b ? -1 : a > b;
}

/* The children of `parent` that are shown, into view->children; the rest adds up. */
static bool collect(struct view *view, uint32_t parent, size_t *count,
		    struct line *rest)
{
	const struct prof_tree_node *nodes = view->tree->nodes;

	*count = 0;
	for (uint32_t i = parent + 1; i < nodes[parent].end; i = nodes[i].end) {
		if (!is_shown(view, i)) {
			rest->other += nodes[i].end - i;
			rest->total += view->tree->total[0][i];
			continue;
		}
		if (!prof_reserve((void **)&view->children, &view->child_cap,
				  *count + 1, sizeof(*view->children))) {
			return false;
		}
		view->children[(*count)++] = i;
	}
	if (*count > 1) {
		qsort_r(view->children, *count, sizeof(*view->children), compare_totals,
			view->tree->total[0]);
	}
	return true;
}

static bool push(struct view *view, struct line line)
{
	if (!prof_reserve((void **)&view->lines, &view->line_cap, view->line_count + 1,
			  sizeof(*view->lines))) {
		return false;
	}
	view->lines[view->line_count++] = line;
	return true;
}

/*
 * Push what stands below a line, the last first. A child that takes all of its parent
 * is not indented any further: stacks are deep, but they do not branch much.
 */
static bool push_below(struct view *view, const struct line *line)
{
	const struct prof_calltree *tree = view->tree;
	struct line rest = { .node = line->node, .indent = line->indent + 1 };
	size_t count = 0;
	bool chained = false;

	if (!collect(view, line->node, &count, &rest) ||
	    (rest.other > 0 && !push(view, rest))) {
		return false;
	}
	chained = count == 1 && rest.other == 0 && tree->self[0][line->node] == 0 &&
		  line->node != 0;
	while (count > 0) {
		uint32_t child = view->children[--count];

		if (!push(view, (struct line){ .node = child,
					       .indent = line->indent + !chained,
					       .chained = chained })) {
			return false;
		}
	}
	return true;
}

/* What leads to a name: its indentation, and how it is related to the line above. */
static void indent(struct view *view, const struct line *line)
{
	uint32_t indent = line->indent < MAX_INDENT ? line->indent : MAX_INDENT;

	prof_buf_clear(&view->shown);
	for (uint32_t i = 0; i < indent; i++) {
		prof_buf_adds(&view->shown, "  ");
	}
	if (line->indent > MAX_INDENT) {
		prof_buf_addf(&view->shown, "+%u ", line->indent - MAX_INDENT);
	}
	prof_buf_adds(&view->shown, line->chained ? "> " : "");
}

static void add_node(struct table *table, struct view *view, struct report_unit *unit,
		     const struct line *line)
{
	const struct prof_calltree *tree = view->tree;
	const struct prof_tree_node *node = &tree->nodes[line->node];
	struct prof_text name = tree->names[node->name].text;
	int64_t total = tree->total[0][line->node];
	int64_t self = tree->self[0][line->node];

	indent(view, line);
	prof_buf_add(&view->shown, name.data, name.len);
	table_value(table, node->depth, NULL);
	report_value(table, unit, total);
	table_percent(table, report_share(total, view->total));
	report_value(table, unit, self);
	table_percent(table, report_share(self, view->total));
	table_value(table, 0, NULL);
	table_name_as(table, name,
		      (struct prof_text){ view->shown.data, view->shown.len });
}

static void add_other(struct table *table, struct view *view, struct report_unit *unit,
		      const struct line *line)
{
	indent(view, line);
	prof_buf_addf(&view->shown, "(other, %u %s)", line->other,
		      line->other == 1 ? "node" : "nodes");
	table_value(table, view->tree->nodes[line->node].depth + 1, NULL);
	report_value(table, unit, line->total);
	table_percent(table, report_share(line->total, view->total));
	table_missing(table);
	table_missing(table);
	table_value(table, line->other, NULL);
	table_name_as(table, prof_text(""),
		      (struct prof_text){ view->shown.data, view->shown.len });
	table_tone(table, TABLE_DIM);
}

static bool add_lines(struct table *table, struct view *view, struct report_unit *unit,
		      struct prof_error *err)
{
	bool ok = push(view, (struct line){ .node = 0 });

	while (ok && view->line_count > 0) {
		struct line line = view->lines[--view->line_count];

		if (line.other > 0) {
			add_other(table, view, unit, &line);
			continue;
		}
		add_node(table, view, unit, &line);
		ok = push_below(view, &line) && !view->shown.failed;
	}
	return ok || prof_fail_nomem(err);
}

static int64_t smallest_shown(const struct view *view)
{
	const struct prof_calltree *tree = view->tree;
	int64_t smallest = 0;

	for (uint32_t i = 0; i < tree->node_count; i++) {
		if (is_shown(view, i)) {
			smallest = report_smaller(smallest, tree->total[0][i]);
			smallest = report_smaller(smallest, tree->self[0][i]);
		}
	}
	return smallest;
}

static bool print(const struct tree_options *options_of, struct view *view,
		  const struct report_header *header, struct prof_error *err)
{
	struct table table = { .schema = "fgtool-tree/1", .columns = columns };
	struct report_unit unit = { 0 };
	bool ok = report_unit(&options_of->report, header->type.unit,
			      smallest_shown(view), view->total, &unit, err);

	if (ok) {
		report_fields(&table, header, &unit);
		ok = add_lines(&table, view, &unit, err) &&
		     table_print(&table, &options_of->table, options_of->output.path,
				 err);
	}
	report_unit_free(&unit);
	table_free(&table);
	return ok;
}

static struct view view_of(const struct tree_options *tree)
{
	bool people =
		tree->table.format == TABLE_TEXT || tree->table.format == TABLE_MD;

	return (struct view){
		.min = tree->min >= 0 ? tree->min
		       : people       ? MIN_SHARE
				      : 0,
		.depth = tree->depth > 0 && tree->depth < UINT32_MAX
				 ? (uint32_t)tree->depth
				 : UINT32_MAX,
	};
}

/* `total` is what shares are of: of the whole profile, whatever filters left of it. */
static bool report(const struct tree_options *options_of,
		   const struct prof_profile *profile,
		   const struct prof_calltree_options *how, int64_t total,
		   struct prof_error *err)
{
	struct view view = view_of(options_of);
	struct prof_calltree *tree = NULL;
	struct report_header header = {
		.time_ns = profile->header.time_ns,
		.duration_ns = profile->header.duration_ns,
		.total = total,
	};
	bool ok = prof_calltree_build(profile, how, &tree, err);

	if (ok && profile->type_count > 0) {
		const struct prof_value_type *type = &profile->types[how->column];

		header.type.type = prof_string(profile, type->type);
		header.type.unit = prof_string(profile, type->unit);
	}
	view.tree = tree;
	view.total = header.total;
	ok = ok && print(options_of, &view, &header, err);
	prof_free(view.lines);
	prof_free(view.children);
	prof_buf_free(&view.shown);
	prof_calltree_free(tree);
	return ok;
}

static int run_tree(const struct command *self, int argc, char **argv)
{
	struct tree_options tree = { .min = -1 };
	struct prof_calltree_options how = { 0 };
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };
	int64_t total = 0;
	bool ok = false;

	argc = options_parse(self, &tree, argc, argv);
	how.leaf_first = tree.leaf_first;
	ok = report_key(&tree.report, &how.key, &err) &&
	     input_profile(&tree.input, argc, argv, &profile, &err) &&
	     input_column(profile, tree.report.sample_type, &how.column, &err) &&
	     report_has_label(profile, &how.key, &err) &&
	     (profile->type_count == 0 ||
	      prof_column_total(profile, how.column, &total, &err)) &&
	     filter_profile(&tree.filter, &profile, &err) &&
	     report(&tree, profile, &how, total, &err);
	prof_profile_free(profile);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_tree = {
	.name = "tree",
	.group = "reports",
	.summary = "Print the call tree of a profile",
	.usage = "[PROFILE...]",
	.description =
		"Below each function stand those it calls, the largest first; with\n"
		"--leaf-first those that call it. '>' is all that the line above calls.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_tree,
};

/* SPDX-License-Identifier: MIT */
#include "libprof/report/list.h"

#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/model/aggregate.h"
#include "libprof/report/graph.h"

enum { MARGIN = 5 }; /* lines shown around those with values */

static int compare_nodes(const void *a, const void *b)
{
	const struct prof_frame_info *x =
		&(*(const struct prof_graph_node *const *)a)->info;
	const struct prof_frame_info *y =
		&(*(const struct prof_graph_node *const *)b)->info;
	int order = prof_text_compare(x->name, y->name);

	if (order == 0) {
		order = prof_text_compare(x->file, y->file);
	}
	if (order != 0) {
		return order;
	}
	if (x->line != y->line) {
		return x->line < y->line ? -1 : 1;
	}
	return (x->start_line > y->start_line) - (x->start_line < y->start_line);
}

static bool same_function(const struct prof_graph_node *a,
			  const struct prof_graph_node *b)
{
	return prof_text_equal(a->info.name, b->info.name) &&
	       prof_text_equal(a->info.file, b->info.file);
}

static int64_t first_line(const struct prof_frame_info *info)
{
	if (info->start_line != 0) {
		return info->start_line;
	}
	return info->line > INT64_MIN + MARGIN ? info->line - MARGIN : INT64_MIN;
}

static int64_t last_line(const struct prof_frame_info *info)
{
	return info->line < INT64_MAX - MARGIN ? info->line + MARGIN : INT64_MAX;
}

/* Sums are those of the graph's, which fit; together they may not. */
static bool add_node(struct prof_list_function *function,
		     const struct prof_graph_node *node)
{
	struct prof_list_line *line = function->lines + function->line_count;
	int64_t first = first_line(&node->info);
	int64_t last = last_line(&node->info);

	if (function->line_count == 0 || line[-1].line != node->info.line) {
		line->line = node->info.line;
		function->line_count++;
	} else {
		line--;
	}
	if (first < function->first) {
		function->first = first;
	} else if (last > function->last) {
		function->last = last;
	}
	return !__builtin_add_overflow(line->flat, node->flat, &line->flat) &&
	       !__builtin_add_overflow(line->cum, node->cum, &line->cum) &&
	       !__builtin_add_overflow(function->flat, node->flat, &function->flat) &&
	       !__builtin_add_overflow(function->cum, node->cum, &function->cum);
}

static struct prof_list_function *begin(struct prof_list *list,
					const struct prof_graph_node *node,
					struct prof_list_line *lines)
{
	struct prof_list_function *last = list->functions + list->function_count;

	/* nodes without a file come first, and do not count when others follow */
	if (list->function_count > 0 && last[-1].file.len == 0 &&
	    prof_text_equal(last[-1].name, node->info.name)) {
		last--;
	} else {
		list->function_count++;
	}
	*last = (struct prof_list_function){
		.name = node->info.name,
		.file = node->info.file,
		.first = first_line(&node->info),
		.last = last_line(&node->info),
		.lines = lines,
	};
	return last;
}

static bool fill(struct prof_list *list, const struct prof_graph_node **nodes,
		 uint32_t count, struct prof_error *err)
{
	struct prof_list_line *lines =
		prof_arena_array(&list->arena, count, sizeof(*lines));
	struct prof_list_function *function = NULL;

	list->functions =
		prof_arena_array(&list->arena, count, sizeof(*list->functions));
	if (list->arena.failed) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (i == 0 || !same_function(nodes[i - 1], nodes[i])) {
			function = begin(list, nodes[i], lines + i);
		}
		if (!add_node(function, nodes[i])) {
			return prof_fail(err, PROF_ERR_LIMIT,
					 "the sum of a function's lines does not fit "
					 "64 bits");
		}
	}
	for (uint32_t i = 0; i < list->function_count; i++) {
		if (list->functions[i].first < 1) {
			list->functions[i].first = 1;
		}
	}
	return true;
}

static bool choose(const struct prof_graph *graph,
		   const struct prof_list_options *options, struct prof_list *list,
		   struct prof_error *err)
{
	const struct prof_graph_node **nodes =
		prof_alloc_array((size_t)graph->node_count + 1, sizeof(*nodes));
	uint32_t count = 0;
	bool ok = false;

	if (!nodes) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < graph->node_count; i++) {
		if (options->names.match(options->names.context,
					 graph->nodes[i].info.name)) {
			nodes[count++] = &graph->nodes[i];
		}
	}
	qsort(nodes, count, sizeof(*nodes), compare_nodes);
	ok = fill(list, nodes, count, err);
	prof_free(nodes);
	return ok;
}

static int compare_names(const struct prof_list_function *a,
			 const struct prof_frame_info *b)
{
	int order = prof_text_compare(a->name, b->name);

	return order != 0 ? order : prof_text_compare(a->file, b->file);
}

/* The function of the list that a node is about, or NULL. */
static struct prof_list_function *find(struct prof_list *list,
				       const struct prof_frame_info *info)
{
	uint32_t low = 0;
	uint32_t high = list->function_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = compare_names(&list->functions[middle], info);

		if (order == 0) {
			return &list->functions[middle];
		}
		low = order < 0 ? middle + 1 : low;
		high = order < 0 ? high : middle;
	}
	return NULL;
}

/* Values of functions from a graph that has a node for each. */
static bool count_functions(const struct prof_profile *profile,
			    const struct prof_graph_options *all,
			    struct prof_list *list, struct prof_error *err)
{
	const struct prof_aggregate_options grain = {
		.granularity = PROF_GRANULARITY_FILEFUNCTIONS,
	};
	struct prof_aggregate coarse = { 0 };
	struct prof_graph *graph = NULL;
	bool ok = prof_aggregate_init(&coarse, profile, &grain, err) &&
		  prof_graph_build(&coarse.view, all, &graph, err);

	for (uint32_t i = 0; ok && i < graph->node_count; i++) {
		struct prof_list_function *function = find(list, &graph->nodes[i].info);

		if (function) {
			function->flat = graph->nodes[i].flat;
			function->cum = graph->nodes[i].cum;
		}
	}
	prof_graph_free(graph);
	prof_aggregate_free(&coarse);
	return ok;
}

bool prof_list_build(const struct prof_profile *profile,
		     const struct prof_list_options *options, struct prof_list **out,
		     struct prof_error *err)
{
	const struct prof_graph_options all = {
		.column = options->column,
		.objects = !options->exact,
		.drop_negative = options->drop_negative,
		.order = PROF_GRAPH_BY_FLAT,
		.edges = PROF_GRAPH_NO_EDGES,
		.trim = options->trim,
	};
	struct prof_list *list = prof_alloc_array(1, sizeof(*list));
	struct prof_graph *graph = NULL;
	bool ok = list ? prof_graph_build(profile, &all, &graph, err)
		       : prof_fail_nomem(err);

	ok = ok && choose(graph, options, list, err) &&
	     (!options->exact || count_functions(profile, &all, list, err));
	if (ok) {
		prof_arena_take(&list->arena, &graph->arena); /* cleaned file names */
	}
	prof_graph_free(graph);
	if (!ok) {
		prof_list_free(list);
		return false;
	}
	*out = list;
	return true;
}

void prof_list_free(struct prof_list *list)
{
	if (list) {
		prof_arena_free(&list->arena);
		prof_free(list);
	}
}

/* SPDX-License-Identifier: MIT */
#include "libprof/report/graph.h"

#include "libprof/base/alloc.h"
#include "libprof/model/unit.h"
#include "libprof/report/graph_work.h"

static void work_free(struct prof_graph_work *work)
{
	prof_free(work->infos);
	prof_free(work->names);
	prof_free(work->inlinable);
	prof_free(work->first_frame);
	prof_free(work->frames);
	prof_free(work->only_frame);
	prof_free(work->stack_value);
	prof_free(work->stack_div);
	prof_free(work->stack_used);
	prof_free(work->sums);
	prof_free(work->node_info);
	prof_free(work->parent);
	prof_free(work->inlined);
	prof_free(work->residual);
	prof_free(work->stack_leaf);
	prof_free(work->list);
	prof_free(work->listed);
	prof_free(work->kept);
	prof_free(work->edges);
	prof_graph_tags_free(work->tags);
	prof_arena_free(&work->arena);
}

/*
 * Numbers of the nodes in the graph: those of the list first, then those that an edge
 * of a listed node leads to or comes from. PROF_NONE for the others.
 */
static uint32_t number_nodes(const struct prof_graph_work *work, uint32_t *number,
			     uint32_t *order)
{
	uint32_t count = work->list_count;

	for (uint32_t n = 0; n < work->node_count; n++) {
		number[n] = PROF_NONE;
	}
	for (uint32_t i = 0; i < count; i++) {
		number[work->list[i]] = i;
		order[i] = work->list[i];
	}
	for (uint32_t e = 0; e < work->edge_count; e++) {
		uint32_t ends[2] = { work->edges[e].from, work->edges[e].to };

		for (int i = 0; i < 2; i++) {
			if (number[ends[i]] == PROF_NONE) {
				order[count] = ends[i];
				number[ends[i]] = count++;
			}
		}
	}
	return count;
}

static void give_nodes(struct prof_graph_work *work, const uint32_t *order,
		       struct prof_graph *graph)
{
	for (uint32_t i = 0; i < graph->known_count; i++) {
		const struct prof_graph_sums *sums = &work->sums[order[i]];

		graph->nodes[i] = (struct prof_graph_node){
			.info = work->infos[prof_graph_info_of(work, order[i])],
			.name = prof_graph_name(work, order[i]),
			.flat = sums->flat,
			.flat_div = sums->flat_div,
			.cum = sums->cum,
			.cum_div = sums->cum_div,
		};
	}
}

/* Edges are sorted already, so the edges of each node come out sorted. */
static void give_edges(const struct prof_graph_work *work, const uint32_t *number,
		       struct prof_graph *graph)
{
	uint32_t in = 0;
	uint32_t out = 0;

	for (uint32_t e = 0; e < work->edge_count; e++) {
		graph->edges[e] = work->edges[e];
		graph->edges[e].from = number[work->edges[e].from];
		graph->edges[e].to = number[work->edges[e].to];
		graph->nodes[graph->edges[e].from].out_count++;
		graph->nodes[graph->edges[e].to].in_count++;
	}
	for (uint32_t i = 0; i < graph->known_count; i++) {
		struct prof_graph_node *node = &graph->nodes[i];

		node->first_in = in;
		node->first_out = out;
		in += node->in_count;
		out += node->out_count;
		node->in_count = 0;
		node->out_count = 0;
	}
	for (uint32_t e = 0; e < work->edge_count; e++) {
		struct prof_graph_node *from = &graph->nodes[graph->edges[e].from];
		struct prof_graph_node *to = &graph->nodes[graph->edges[e].to];

		graph->out_edges[from->first_out + from->out_count++] = e;
		graph->in_edges[to->first_in + to->in_count++] = e;
	}
}

static bool fill(struct prof_graph_work *work, const uint32_t *number,
		 const uint32_t *order, struct prof_graph *graph,
		 struct prof_error *err)
{
	struct prof_arena *arena = &work->arena;
	size_t edges = (size_t)work->edge_count + 1;

	graph->nodes = prof_arena_array(arena, (size_t)graph->known_count + 1,
					sizeof(*graph->nodes));
	graph->edges = prof_arena_array(arena, edges, sizeof(*graph->edges));
	graph->in_edges = prof_arena_array(arena, edges, sizeof(*graph->in_edges));
	graph->out_edges = prof_arena_array(arena, edges, sizeof(*graph->out_edges));
	if (arena->failed) {
		return prof_fail_nomem(err);
	}
	graph->edge_count = work->edge_count;
	graph->node_count = work->list_count;
	graph->mean = work->options->mean;
	graph->call_tree = work->options->call_tree;
	graph->dropped_nodes = work->dropped_nodes;
	graph->dropped_edges = work->dropped_edges;
	graph->found_count = work->found_count;
	give_nodes(work, order, graph);
	give_edges(work, number, graph);
	if (arena->failed) {
		return prof_fail_nomem(err);
	}
	prof_arena_take(&graph->arena, arena);
	return !work->tags || prof_graph_give_tags(work, number, graph, err);
}

static bool make_graph(struct prof_graph_work *work, struct prof_graph **out,
		       struct prof_error *err)
{
	size_t count = (size_t)work->node_count + 1;
	uint32_t *number = prof_alloc_array(count, sizeof(*number));
	uint32_t *order = prof_alloc_array(count, sizeof(*order));
	struct prof_graph *graph = prof_alloc_array(1, sizeof(*graph));
	bool ok = number && order && graph;

	if (ok) {
		graph->known_count = number_nodes(work, number, order);
		ok = fill(work, number, order, graph, err);
	} else {
		prof_error_set(err, PROF_ERR_NOMEM, "out of memory");
	}
	prof_free(order);
	prof_free(number);
	if (!ok) {
		prof_graph_free(graph);
		return false;
	}
	*out = graph;
	return true;
}

bool prof_graph_build(const struct prof_profile *profile,
		      const struct prof_graph_options *options, struct prof_graph **out,
		      struct prof_error *err)
{
	struct prof_graph_work work = { .profile = profile, .options = options };
	bool ok;

	ok = prof_graph_find_frames(&work, err) && prof_graph_add_stacks(&work, err) &&
	     (options->call_tree ? prof_graph_add_paths(&work, err)
				 : prof_graph_add_nodes(&work, err)) &&
	     prof_graph_trim(&work, err) && make_graph(&work, out, err);
	work_free(&work);
	return ok;
}

void prof_graph_free(struct prof_graph *graph)
{
	if (graph) {
		prof_arena_free(&graph->arena);
		prof_free(graph);
	}
}

uint32_t prof_graph_inlined(const struct prof_graph *graph,
			    const struct prof_graph_node *node)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < node->in_count; i++) {
		count += graph->edges[graph->in_edges[node->first_in + i]].inlined;
	}
	return count;
}

/* The least |value| shown that is not 0; 0 when there is none. */
static int64_t smallest(const struct prof_graph *graph)
{
	int64_t least = 0;

	for (uint32_t i = 0; i < graph->node_count; i++) {
		int64_t value = prof_graph_flat(&graph->nodes[i]);

		value = value ? value : prof_graph_cum(&graph->nodes[i]);
		value = prof_graph_abs(value);
		if (value > 0 && (least == 0 || value < least)) {
			least = value;
		}
	}
	return least;
}

struct prof_text prof_graph_unit(const struct prof_graph *graph,
				 const struct prof_value_style *style, bool coarse)
{
	struct prof_text automatic = prof_text("minimum");
	int64_t least = smallest(graph);
	int64_t total = prof_value_divided(style, style->total);
	int64_t hundred;
	struct prof_text low;
	struct prof_text high;

	if (graph->node_count == 0) {
		return style->show;
	}
	least = prof_value_divided(style, least ? least : style->total);
	low = prof_unit_scale(least, style->unit, automatic).unit;
	high = prof_unit_scale(total, style->unit, automatic).unit;
	if (coarse && !prof_text_equal(low, high) &&
	    !__builtin_mul_overflow(least, 100, &hundred) && hundred < total) {
		low = prof_unit_scale(hundred, style->unit, automatic).unit;
	}
	return low.len > 0 ? low : style->unit;
}

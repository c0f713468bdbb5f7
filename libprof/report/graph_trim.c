/* SPDX-License-Identifier: MIT */
#include "libprof/base/alloc.h"
#include "libprof/report/graph_work.h"

/* |part of `sum`|, truncated. */
static int64_t cutoff(int64_t sum, double fraction)
{
	double part = (double)sum * fraction;

	part = part < 0 ? -part : part;
	return part < 0x1p63 ? (int64_t)part : INT64_MAX;
}

static bool is_listed(const struct prof_graph_work *work, uint32_t node)
{
	const struct prof_graph_sums *sums = &work->sums[node];

	if (sums->flat == 0 && sums->cum == 0) {
		return false;
	}
	return !work->options->drop_negative ||
	       !(sums->flat < 0 || (sums->flat == 0 && sums->cum < 0));
}

/* List all nodes but those without values; the cutoffs follow from their flat. */
static bool make_list(struct prof_graph_work *work, struct prof_error *err)
{
	size_t count = (size_t)work->node_count + 1;
	int64_t sum = 0;

	work->list = prof_alloc_array(count, sizeof(*work->list));
	work->listed = prof_alloc_array(count, sizeof(*work->listed));
	if (!work->list || !work->listed) {
		return prof_fail_nomem(err);
	}
	for (uint32_t n = 0; n < work->node_count; n++) {
		if (is_listed(work, n)) {
			work->list[work->list_count++] = n;
			work->listed[n] = true;
			sum += work->sums[n].flat;
		}
	}
	work->node_cutoff = cutoff(sum, work->options->node_fraction);
	work->edge_cutoff = cutoff(sum, work->options->edge_fraction);
	return true;
}

/* From now on only the first `count` nodes of the list are kept. */
static bool keep_first(struct prof_graph_work *work, uint32_t count,
		       struct prof_error *err)
{
	prof_free(work->kept);
	work->kept =
		prof_alloc_array((size_t)work->node_count + 1, sizeof(*work->kept));
	if (!work->kept) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < count; i++) {
		work->kept[work->list[i]] = true;
	}
	work->list_count = count;
	if (work->parent) {
		prof_graph_splice(work);
	}
	return true;
}

static bool drop_small_nodes(struct prof_graph_work *work, struct prof_error *err)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < work->list_count; i++) {
		uint32_t node = work->list[i];

		if (prof_graph_abs(work->sums[node].cum) >= work->node_cutoff) {
			work->list[kept++] = node;
		}
	}
	work->dropped_nodes = work->list_count - kept;
	return work->dropped_nodes == 0 || keep_first(work, kept, err);
}

static bool make_edges(struct prof_graph_work *work, struct prof_error *err)
{
	if (work->options->edges == PROF_GRAPH_NO_EDGES) {
		return true;
	}
	return work->parent ? prof_graph_link_edges(work, err)
			    : prof_graph_walk_edges(work, err);
}

/* Remove edges below the cutoff to listed nodes; returns how many. */
static uint32_t drop_small_edges(struct prof_graph_work *work)
{
	uint32_t before = work->edge_count;
	uint32_t count = 0;

	for (uint32_t e = 0; e < before; e++) {
		const struct prof_graph_edge *edge = &work->edges[e];

		if (!work->listed[edge->to] ||
		    prof_graph_abs(edge->weight) >= work->edge_cutoff) {
			work->edges[count++] = *edge;
		}
	}
	work->edge_count = count;
	return before - count;
}

/* In a tree, edges below the cutoff go before nodes do: what hangs on them is a root. */
static void cut_small_links(struct prof_graph_work *work)
{
	for (uint32_t i = 0; i < work->list_count; i++) {
		uint32_t node = work->list[i];

		if (prof_graph_abs(work->sums[node].cum) < work->edge_cutoff) {
			work->parent[node] = PROF_NONE;
		}
	}
}

/* How many nodes of the list fit into the limit. */
static uint32_t select_nodes(const struct prof_graph_work *work)
{
	int64_t limit = work->options->node_limit;
	int64_t used = 0;
	uint32_t count = 0;

	if (!work->options->picture) {
		return limit < work->list_count ? (uint32_t)limit : work->list_count;
	}
	while (count < work->list_count) {
		uint32_t tags = prof_graph_flat_tags(work, work->list[count]);

		used += 1 + (tags < 4 ? tags : 4);
		count++;
		if (used >= limit) {
			break;
		}
	}
	return count;
}

/* Tags of the nodes that the limit can reach. */
static bool collect_tags(struct prof_graph_work *work, struct prof_error *err)
{
	int64_t limit = work->options->node_limit;
	uint32_t count = work->list_count;

	if (!work->options->tags) {
		return true;
	}
	if (limit > 0 && limit < count) {
		count = (uint32_t)limit;
	}
	return prof_graph_collect_tags(work, count, err);
}

/* Keep to the limit; edges and order are made anew when nodes go. */
static bool apply_limit(struct prof_graph_work *work, bool *fresh,
			struct prof_error *err)
{
	uint32_t count;

	if (work->options->node_limit <= 0) {
		return true;
	}
	count = select_nodes(work);
	if (work->parent) {
		cut_small_links(work);
		*fresh = false;
	}
	if (count == work->list_count) {
		/* Edges that selecting has dropped are not reported as dropped. */
		if (*fresh || make_edges(work, err)) {
			drop_small_edges(work);
			*fresh = true;
			return true;
		}
		return false;
	}
	if (!keep_first(work, count, err) || !make_edges(work, err) ||
	    !prof_graph_sort_list(work, err)) {
		return false;
	}
	*fresh = true;
	return true;
}

bool prof_graph_trim(struct prof_graph_work *work, struct prof_error *err)
{
	/* Sorting by entropy needs edges early; otherwise they are made once. */
	bool fresh = work->options->order == PROF_GRAPH_BY_ENTROPY;

	if (!make_list(work, err) ||
	    (work->node_cutoff > 0 && !drop_small_nodes(work, err))) {
		return false;
	}
	work->found_count = work->list_count;
	if ((fresh && !make_edges(work, err)) || !prof_graph_sort_list(work, err) ||
	    !collect_tags(work, err) || !apply_limit(work, &fresh, err) ||
	    (!fresh && !make_edges(work, err))) {
		return false;
	}
	work->dropped_edges = drop_small_edges(work);
	return prof_graph_sort_edges(work, err) &&
	       (!work->options->picture || prof_graph_remove_redundant(work, err));
}

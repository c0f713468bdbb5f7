/* SPDX-License-Identifier: MIT */
#include "libprof/base/alloc.h"
#include "libprof/report/graph_work.h"

struct search {
	const struct prof_graph_work *work;
	struct prof_graph_lists lists;
	bool *removed;   /* per edge */
	uint32_t *seen;  /* per node: the last search that met it, from 1 */
	uint32_t *queue; /* nodes */
	uint32_t round;
};

/* Whether another path leads where the edge `without` leads: search backwards. */
static bool has_detour(struct search *search, uint32_t without)
{
	const struct prof_graph_edge *edges = search->work->edges;
	uint32_t head = 0;
	uint32_t tail = 0;

	search->round++;
	search->seen[edges[without].to] = search->round;
	search->queue[tail++] = edges[without].to;
	while (head < tail) {
		uint32_t node = search->queue[head++];
		uint32_t end = search->lists.in_first[node + 1];

		for (uint32_t i = search->lists.in_first[node]; i < end; i++) {
			uint32_t edge = search->lists.in[i];
			uint32_t from = edges[edge].from;

			if (edge == without || search->removed[edge] ||
			    search->seen[from] == search->round) {
				continue;
			}
			if (from == edges[without].from) {
				return true;
			}
			search->seen[from] = search->round;
			search->queue[tail++] = from;
		}
	}
	return false;
}

/* The lightest edges come last, and only those before a real one are looked at. */
static void remove_at(struct search *search, uint32_t node)
{
	uint32_t first = search->lists.in_first[node];

	for (uint32_t i = search->lists.in_first[node + 1]; i-- > first;) {
		uint32_t edge = search->lists.in[i];

		if (!search->work->edges[edge].residual) {
			return;
		}
		search->removed[edge] = has_detour(search, edge);
	}
}

static void compact(struct prof_graph_work *work, const bool *removed)
{
	uint32_t count = 0;

	for (uint32_t e = 0; e < work->edge_count; e++) {
		if (!removed[e]) {
			work->edges[count++] = work->edges[e];
		}
	}
	work->edge_count = count;
}

bool prof_graph_remove_redundant(struct prof_graph_work *work, struct prof_error *err)
{
	size_t nodes = (size_t)work->node_count + 1;
	struct search search = { .work = work };
	bool ok;

	if (!prof_graph_lists_init(&search.lists, work, err)) {
		return false;
	}
	search.removed =
		prof_alloc_array((size_t)work->edge_count + 1, sizeof(*search.removed));
	search.seen = prof_alloc_array(nodes, sizeof(*search.seen));
	search.queue = prof_alloc_array(nodes, sizeof(*search.queue));
	ok = search.removed && search.seen && search.queue;
	for (uint32_t i = work->list_count; ok && i-- > 0;) {
		remove_at(&search, work->list[i]);
	}
	if (ok) {
		compact(work, search.removed);
	}
	prof_free(search.queue);
	prof_free(search.seen);
	prof_free(search.removed);
	prof_graph_lists_free(&search.lists);
	return ok || prof_fail_nomem(err);
}

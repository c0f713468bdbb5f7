/* SPDX-License-Identifier: MIT */
#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"
#include "libprof/report/graph_work.h"

enum { ROOT = 0 }; /* node 0 stands above all paths while they are collected */

struct planter {
	struct prof_graph_work *work;
	struct prof_map map;  /* (parent, identity) -> node */
	uint32_t *last_child; /* per node: the one that was taken last */
	size_t last_cap;
	size_t sum_cap;
	size_t info_cap;
	size_t parent_cap;
	size_t inlined_cap;
};

static bool new_node(struct planter *planter, uint32_t parent, uint32_t info)
{
	struct prof_graph_work *work = planter->work;
	uint32_t node = work->node_count;
	size_t need = (size_t)node + 1;

	if (node == PROF_NONE - 1 ||
	    !prof_reserve((void **)&work->sums, &planter->sum_cap, need,
			  sizeof(*work->sums)) ||
	    !prof_reserve((void **)&work->node_info, &planter->info_cap, need,
			  sizeof(*work->node_info)) ||
	    !prof_reserve((void **)&work->parent, &planter->parent_cap, need,
			  sizeof(*work->parent)) ||
	    !prof_reserve((void **)&work->inlined, &planter->inlined_cap, need,
			  sizeof(*work->inlined)) ||
	    !prof_reserve((void **)&planter->last_child, &planter->last_cap, need,
			  sizeof(*planter->last_child))) {
		return false;
	}
	work->sums[node] = (struct prof_graph_sums){ 0 };
	work->node_info[node] = info;
	work->parent[node] = parent;
	work->inlined[node] = true;
	planter->last_child[node] = PROF_NONE;
	work->node_count++;
	return true;
}

static bool find_child(struct planter *planter, uint32_t parent, uint32_t info,
		       uint32_t *node)
{
	struct prof_graph_work *work = planter->work;
	uint64_t pair = (uint64_t)parent << 32 | info;
	uint32_t last = planter->last_child[parent];
	struct prof_map_walk walk;
	uint64_t hash;

	if (last != PROF_NONE && work->node_info[last] == info) {
		*node = last;
		return true;
	}
	hash = prof_hash_mix(pair ^ PROF_HASH_A, prof_hash_seed() ^ PROF_HASH_B);
	for (walk = prof_map_walk(&planter->map, hash); prof_map_next(&walk, node);) {
		if (work->parent[*node] == parent && work->node_info[*node] == info) {
			planter->last_child[parent] = *node;
			return true;
		}
	}
	*node = work->node_count;
	planter->last_child[parent] = *node;
	return new_node(planter, parent, info) &&
	       prof_map_add(&planter->map, hash, *node);
}

static bool plant_stack(struct planter *planter, uint32_t stack)
{
	struct prof_graph_work *work = planter->work;
	struct prof_frames frames = prof_stack(work->profile, stack);
	int64_t value = work->stack_value[stack];
	int64_t div = work->stack_div ? work->stack_div[stack] : 0;
	uint32_t node = ROOT;

	for (size_t k = frames.count; k-- > 0;) {
		uint32_t first = work->first_frame[frames.data[k]];
		uint32_t end = work->first_frame[frames.data[k] + 1];

		for (uint32_t i = end; i-- > first;) {
			if (!find_child(planter, node, work->frames[i], &node)) {
				return false;
			}
			work->sums[node].cum += value;
			work->sums[node].cum_div += div;
			work->inlined[node] &= i + 1 < end;
		}
	}
	work->sums[node].flat += value;
	work->sums[node].flat_div += div;
	work->stack_leaf[stack] = node == ROOT ? PROF_NONE : node;
	return true;
}

/* Nothing stands above the paths any more: node 0 stays, but is nobody's parent. */
static void uproot(struct prof_graph_work *work)
{
	work->sums[ROOT] = (struct prof_graph_sums){ 0 };
	for (uint32_t n = 0; n < work->node_count; n++) {
		if (work->parent[n] == ROOT) {
			work->parent[n] = PROF_NONE;
		}
	}
}

bool prof_graph_add_paths(struct prof_graph_work *work, struct prof_error *err)
{
	struct planter planter = { .work = work };
	uint32_t stacks = work->profile->stack_count;
	bool ok;

	work->stack_leaf =
		prof_alloc_array((size_t)stacks + 1, sizeof(*work->stack_leaf));
	ok = work->stack_leaf && new_node(&planter, PROF_NONE, PROF_NONE);
	for (uint32_t s = 0; ok && s < stacks; s++) {
		work->stack_leaf[s] = PROF_NONE;
		ok = !work->stack_used[s] || plant_stack(&planter, s);
	}
	if (ok) {
		uproot(work);
		work->residual =
			prof_alloc_array(work->node_count, sizeof(*work->residual));
		ok = work->residual != NULL;
	}
	prof_map_free(&planter.map);
	prof_free(planter.last_child);
	return ok || prof_fail_nomem(err);
}

/* Parents have smaller numbers than their children, so one pass upwards is enough. */
void prof_graph_splice(struct prof_graph_work *work)
{
	for (uint32_t n = ROOT + 1; n < work->node_count; n++) {
		uint32_t parent = work->parent[n];

		/* A parent that goes was joined to one that stays before. */
		if (parent == PROF_NONE || !work->listed[parent] ||
		    work->kept[parent]) {
			continue;
		}
		work->residual[n] = true;
		work->inlined[n] &= work->inlined[parent];
		work->parent[n] = work->parent[parent];
	}
}

bool prof_graph_link_edges(struct prof_graph_work *work, struct prof_error *err)
{
	work->edge_count = 0;
	if (!prof_reserve((void **)&work->edges, &work->edge_cap,
			  (size_t)work->node_count + 1, sizeof(*work->edges))) {
		return prof_fail_nomem(err);
	}
	for (uint32_t n = ROOT + 1; n < work->node_count; n++) {
		uint32_t parent = work->parent[n];
		bool gone = work->kept && work->listed[n] && !work->kept[n];

		if (parent == PROF_NONE || gone) {
			continue;
		}
		work->edges[work->edge_count++] = (struct prof_graph_edge){
			.from = parent,
			.to = n,
			.weight = work->sums[n].cum,
			.weight_div = work->sums[n].cum_div,
			.residual = work->residual[n],
			.inlined = work->inlined[n],
		};
	}
	return true;
}

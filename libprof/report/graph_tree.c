/* SPDX-License-Identifier: MIT */
#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"
#include "libprof/report/graph_work.h"

/*
 * Every step down a stack depends on the one before, and each waits for memory. So
 * LANES stacks are walked in turns: while one waits, the others go on.
 */
enum { ROOT = 0, LANES = 16 }; /* node 0 stands above all paths */

#define CALLED (UINT32_C(1) << 31) /* in info: some call was not inlined */

/* A node while it grows. */
struct twig {
	uint32_t parent;
	uint32_t info; /* identity, below PROF_GRAPH_MAX_FRAMES, and CALLED */
	int64_t cum;
};

/* A stack on its way down. */
struct lane {
	struct prof_frames frames; /* locations that are left */
	uint32_t first;            /* frames of the location at hand: those left */
	uint32_t next;
	uint32_t node;
	uint32_t info; /* of the child that comes next, and CALLED */
	uint64_t hash;
	uint32_t stack;
	bool active;
	bool fetched; /* the child was looked for, so that its memory is near */
};

struct planter {
	struct prof_graph_work *work;
	struct prof_error *err;
	uint64_t seed;
	struct prof_map map; /* (parent, identity) -> node */
	struct twig *twigs;
	size_t twig_cap;
	uint32_t twig_count;
	int64_t *cum_divs; /* per node; NULL without mean */
	size_t div_cap;
	struct lane lanes[LANES];
	uint32_t stack; /* the next one */
};

static bool new_twig(struct planter *planter, const struct lane *lane, uint32_t *node)
{
	*node = planter->twig_count;
	if (*node == PROF_NONE - 1 ||
	    !prof_reserve((void **)&planter->twigs, &planter->twig_cap,
			  (size_t)*node + 1, sizeof(*planter->twigs)) ||
	    (planter->work->stack_div &&
	     !prof_reserve((void **)&planter->cum_divs, &planter->div_cap,
			   (size_t)*node + 1, sizeof(*planter->cum_divs)))) {
		return false;
	}
	planter->twigs[*node] = (struct twig){
		.parent = lane->node,
		.info = lane->info & ~CALLED,
	};
	if (planter->cum_divs) {
		planter->cum_divs[*node] = 0;
	}
	planter->twig_count++;
	return true;
}

static bool find_child(struct planter *planter, const struct lane *lane, uint32_t *node)
{
	struct prof_map_walk walk = prof_map_walk(&planter->map, lane->hash);

	while (prof_map_next(&walk, node)) {
		const struct twig *twig = &planter->twigs[*node];

		if (twig->parent == lane->node &&
		    ((twig->info ^ lane->info) & ~CALLED) == 0) {
			return true;
		}
	}
	return new_twig(planter, lane, node) &&
	       prof_map_add(&planter->map, lane->hash, *node);
}

/* Have the memory of the child that is probably meant fetched. */
static void fetch_child(const struct planter *planter, const struct lane *lane)
{
	struct prof_map_walk walk = prof_map_walk(&planter->map, lane->hash);
	uint32_t node;

	if (prof_map_next(&walk, &node)) {
		__builtin_prefetch(&planter->twigs[node]);
	}
}

/* Point the lane at the next frame; it becomes inactive behind the last one. */
static bool advance(struct planter *planter, struct lane *lane)
{
	struct prof_graph_work *work = planter->work;
	uint64_t pair;

	if (lane->next == lane->first) {
		uint32_t location;

		if (lane->frames.count == 0) {
			lane->active = false;
			work->stack_leaf[lane->stack] =
				lane->node == ROOT ? PROF_NONE : lane->node;
			return true;
		}
		location = lane->frames.data[--lane->frames.count];
		lane->first = work->first_frame[location];
		lane->next = work->first_frame[location + 1];
		lane->info = CALLED;
		if (lane->next - lane->first > 1 &&
		    !prof_graph_count_frames(work, lane->next - lane->first)) {
			return prof_graph_fail_frames(planter->err);
		}
	} else {
		lane->info = 0;
	}
	lane->info |= work->frames[--lane->next];
	pair = (uint64_t)lane->node << 32 | (lane->info & ~CALLED);
	lane->hash = prof_hash_mix(pair ^ PROF_HASH_A, planter->seed);
	prof_map_prefetch(&planter->map, lane->hash);
	lane->fetched = false;
	return true;
}

/* Begin the next stack that counts, if there is one. */
static bool load(struct planter *planter, struct lane *lane)
{
	struct prof_graph_work *work = planter->work;
	uint32_t stacks = work->profile->stack_count;

	while (planter->stack < stacks && !work->stack_used[planter->stack]) {
		work->stack_leaf[planter->stack++] = PROF_NONE;
	}
	if (planter->stack == stacks) {
		return true;
	}
	*lane = (struct lane){
		.frames = prof_stack(work->profile, planter->stack),
		.node = ROOT,
		.stack = planter->stack++,
		.active = true,
	};
	work->locations_walked += lane->frames.count;
	return advance(planter, lane);
}

/* One step of a lane. */
static bool step(struct planter *planter, struct lane *lane)
{
	const struct prof_graph_work *work = planter->work;
	uint32_t node;

	if (!lane->active) {
		return load(planter, lane);
	}
	if (!lane->fetched) {
		fetch_child(planter, lane);
		lane->fetched = true;
		return true;
	}
	if (!find_child(planter, lane, &node)) {
		return prof_fail_nomem(planter->err);
	}
	planter->twigs[node].cum += work->stack_value[lane->stack];
	planter->twigs[node].info |= lane->info & CALLED;
	if (planter->cum_divs) {
		planter->cum_divs[node] += work->stack_div[lane->stack];
	}
	lane->node = node;
	return advance(planter, lane);
}

static bool any_active(const struct planter *planter)
{
	bool any = planter->stack < planter->work->profile->stack_count;

	for (uint32_t i = 0; i < LANES; i++) {
		any |= planter->lanes[i].active;
	}
	return any;
}

/* Make nodes of what has grown. Nothing stands above the paths any more. */
static bool harvest(struct planter *planter)
{
	struct prof_graph_work *work = planter->work;
	size_t count = planter->twig_count;

	prof_map_free(&planter->map);
	work->node_count = planter->twig_count;
	work->sums = prof_alloc_array(count, sizeof(*work->sums));
	work->node_info = prof_alloc_array(count, sizeof(*work->node_info));
	work->parent = prof_alloc_array(count, sizeof(*work->parent));
	work->inlined = prof_alloc_array(count, sizeof(*work->inlined));
	work->residual = prof_alloc_array(count, sizeof(*work->residual));
	if (!work->sums || !work->node_info || !work->parent || !work->inlined ||
	    !work->residual) {
		return false;
	}
	for (uint32_t n = 0; n < work->node_count; n++) {
		const struct twig *twig = &planter->twigs[n];

		work->sums[n].cum = twig->cum;
		work->sums[n].cum_div = planter->cum_divs ? planter->cum_divs[n] : 0;
		work->node_info[n] = twig->info & ~CALLED;
		work->inlined[n] = !(twig->info & CALLED);
		work->parent[n] = twig->parent == ROOT ? PROF_NONE : twig->parent;
	}
	for (uint32_t s = 0; s < work->profile->stack_count; s++) {
		uint32_t leaf = work->stack_leaf[s];

		if (leaf != PROF_NONE) {
			work->sums[leaf].flat += work->stack_value[s];
			work->sums[leaf].flat_div +=
				work->stack_div ? work->stack_div[s] : 0;
		}
	}
	return true;
}

static bool grow(struct planter *planter)
{
	struct lane root = { .node = PROF_NONE };
	uint32_t node;

	planter->work->stack_leaf =
		prof_alloc_array((size_t)planter->work->profile->stack_count + 1,
				 sizeof(*planter->work->stack_leaf));
	if (!planter->work->stack_leaf || !new_twig(planter, &root, &node)) {
		return prof_fail_nomem(planter->err);
	}
	while (any_active(planter)) {
		for (uint32_t i = 0; i < LANES; i++) {
			if (!step(planter, &planter->lanes[i])) {
				return false;
			}
		}
	}
	return harvest(planter) || prof_fail_nomem(planter->err);
}

bool prof_graph_add_paths(struct prof_graph_work *work, struct prof_error *err)
{
	struct planter planter = {
		.work = work,
		.err = err,
		.seed = prof_hash_seed() ^ PROF_HASH_B,
	};
	bool ok = grow(&planter);

	prof_map_free(&planter.map);
	prof_free(planter.twigs);
	prof_free(planter.cum_divs);
	return ok;
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

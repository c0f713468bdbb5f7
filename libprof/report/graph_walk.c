/* SPDX-License-Identifier: MIT */
#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"
#include "libprof/report/graph_work.h"

/* --- stacks ------------------------------------------------------------------------- */

static bool fail_sum(const struct prof_graph_work *work, struct prof_error *err)
{
	const struct prof_profile *profile = work->profile;
	struct prof_text type =
		prof_string(profile, profile->types[work->options->column].type);

	return prof_fail(err, PROF_ERR_LIMIT,
			 "the sum of the '%.*s' values does not fit 64 bits",
			 (int)(type.len < 100 ? type.len : 100), type.data);
}

/* Add |value| to `sum`; false when it does not fit. */
static bool add_magnitude(int64_t *sum, int64_t value)
{
	return value < 0 ? !__builtin_sub_overflow(*sum, value, sum)
			 : !__builtin_add_overflow(*sum, value, sum);
}

bool prof_graph_add_stacks(struct prof_graph_work *work, struct prof_error *err)
{
	const struct prof_profile *profile = work->profile;
	size_t count = (size_t)profile->stack_count + 1;
	const int64_t *values;
	int64_t magnitude = 0;
	int64_t div_magnitude = 0;

	work->stack_value = prof_alloc_array(count, sizeof(*work->stack_value));
	work->stack_used = prof_alloc_array(count, sizeof(*work->stack_used));
	work->stack_div = work->options->mean
				  ? prof_alloc_array(count, sizeof(*work->stack_div))
				  : NULL;
	if (!work->stack_value || !work->stack_used ||
	    (work->options->mean && !work->stack_div)) {
		return prof_fail_nomem(err);
	}
	values = profile->sample_count > 0 ? profile->values[work->options->column]
					   : NULL;
	for (uint32_t i = 0; i < profile->sample_count; i++) {
		int64_t div = work->options->mean ? profile->values[0][i] : 0;
		uint32_t stack = profile->sample_stack[i];

		if (!add_magnitude(&magnitude, values[i]) ||
		    !add_magnitude(&div_magnitude, div)) {
			return fail_sum(work, err);
		}
		if (values[i] != 0 || div != 0) {
			work->stack_used[stack] = true;
			work->stack_value[stack] += values[i];
		}
		if (work->stack_div) {
			work->stack_div[stack] += div;
		}
	}
	return true;
}

/* --- nodes -------------------------------------------------------------------------- */

/* What a frame of the inner loop touches: one line of the cache. */
struct cell {
	int64_t cum;
	uint64_t stamp; /* the last stack that added, plus 1 */
};

static void add_stack(struct prof_graph_work *work, struct cell *cells, uint32_t stack)
{
	struct prof_frames frames = prof_stack(work->profile, stack);
	int64_t value = work->stack_value[stack];
	uint64_t stamp = (uint64_t)stack + 1;

	for (size_t k = 0; k < frames.count; k++) {
		uint32_t end = work->first_frame[frames.data[k] + 1];

		for (uint32_t i = work->first_frame[frames.data[k]]; i < end; i++) {
			struct cell *cell = &cells[work->frames[i]];

			if (cell->stamp != stamp) {
				cell->stamp = stamp;
				cell->cum += value;
				if (work->stack_div) {
					work->sums[work->frames[i]].cum_div +=
						work->stack_div[stack];
				}
			}
		}
	}
	if (frames.count > 0) {
		uint32_t leaf = work->frames[work->first_frame[frames.data[0]]];

		work->sums[leaf].flat += value;
		work->sums[leaf].flat_div +=
			work->stack_div ? work->stack_div[stack] : 0;
	}
}

bool prof_graph_add_nodes(struct prof_graph_work *work, struct prof_error *err)
{
	size_t count = (size_t)work->info_count + 1;
	struct cell *cells = prof_alloc_array(count, sizeof(*cells));

	work->node_count = work->info_count;
	work->sums = prof_alloc_array(count, sizeof(*work->sums));
	if (!cells || !work->sums) {
		prof_free(cells);
		return prof_fail_nomem(err);
	}
	for (uint32_t s = 0; s < work->profile->stack_count; s++) {
		if (work->stack_used[s]) {
			add_stack(work, cells, s);
		}
	}
	for (uint32_t n = 0; n < work->node_count; n++) {
		work->sums[n].cum = cells[n].cum;
	}
	prof_free(cells);
	return true;
}

/* --- edges -------------------------------------------------------------------------- */

struct walker {
	struct prof_graph_work *work;
	struct prof_map map; /* (from, to) -> edge */
	uint32_t *last_from; /* per node: whose edge to it was the last one, and */
	uint32_t *last_edge; /* which; PROF_NONE at first */
	uint32_t *stamps;    /* per edge: the last stack that added */
	size_t stamp_cap;
	bool *wanted; /* per node: edges to it; NULL: to all */
};

static bool new_edge(struct walker *walker, uint32_t from, uint32_t to, uint64_t hash)
{
	struct prof_graph_work *work = walker->work;
	uint32_t count = work->edge_count;

	if (count == PROF_NONE - 1 ||
	    !prof_reserve((void **)&work->edges, &work->edge_cap, (size_t)count + 1,
			  sizeof(*work->edges)) ||
	    !prof_reserve((void **)&walker->stamps, &walker->stamp_cap,
			  (size_t)count + 1, sizeof(*walker->stamps)) ||
	    !prof_map_add(&walker->map, hash, count)) {
		return false;
	}
	work->edges[count] = (struct prof_graph_edge){
		.from = from,
		.to = to,
		.inlined = true,
	};
	walker->stamps[count] = PROF_NONE;
	work->edge_count++;
	return true;
}

/* Neighbours repeat from stack to stack, so the last edge to `to` is tried first. */
static bool find_edge(struct walker *walker, uint32_t from, uint32_t to, uint32_t *id)
{
	const struct prof_graph_work *work = walker->work;
	uint64_t pair = (uint64_t)from << 32 | to;
	struct prof_map_walk walk;
	uint64_t hash;

	if (walker->last_from[to] == from) {
		*id = walker->last_edge[to];
		return true;
	}
	hash = prof_hash_mix(pair ^ PROF_HASH_A, prof_hash_seed() ^ PROF_HASH_B);
	walker->last_from[to] = from;
	for (walk = prof_map_walk(&walker->map, hash); prof_map_next(&walk, id);) {
		if (work->edges[*id].from == from && work->edges[*id].to == to) {
			walker->last_edge[to] = *id;
			return true;
		}
	}
	*id = work->edge_count;
	walker->last_edge[to] = *id;
	return new_edge(walker, from, to, hash);
}

/* Where a walk down one stack stands. */
struct step {
	uint32_t stack;
	uint32_t parent; /* PROF_NONE above the first node */
	bool residual;   /* frames were dropped since then */
};

static bool take_frame(struct walker *walker, struct step *step, uint32_t node,
		       bool inlined)
{
	struct prof_graph_work *work = walker->work;
	bool wanted = !walker->wanted || walker->wanted[node];
	struct prof_graph_edge *edge;
	uint32_t id;

	if (work->kept && !work->kept[node]) {
		step->residual = true;
		return true;
	}
	if (wanted && step->parent != PROF_NONE && step->parent != node) {
		if (!find_edge(walker, step->parent, node, &id)) {
			return false;
		}
		edge = &work->edges[id];
		if (walker->stamps[id] != step->stack) {
			walker->stamps[id] = step->stack;
			edge->weight += work->stack_value[step->stack];
			edge->weight_div +=
				work->stack_div ? work->stack_div[step->stack] : 0;
			edge->residual |= step->residual;
			edge->inlined &= inlined;
		}
	}
	step->parent = node;
	step->residual = false;
	return true;
}

static bool walk_stack(struct walker *walker, uint32_t stack)
{
	struct prof_graph_work *work = walker->work;
	struct prof_frames frames = prof_stack(work->profile, stack);
	struct step step = { .stack = stack, .parent = PROF_NONE };

	for (size_t k = frames.count; k-- > 0;) {
		uint32_t first = work->first_frame[frames.data[k]];
		uint32_t end = work->first_frame[frames.data[k] + 1];

		for (uint32_t i = end; i-- > first;) {
			if (!take_frame(walker, &step, work->frames[i], i + 1 < end)) {
				return false;
			}
		}
	}
	return true;
}

bool prof_graph_walk_edges(struct prof_graph_work *work, struct prof_error *err)
{
	size_t count = (size_t)work->node_count + 1;
	struct walker walker = {
		.work = work,
		.last_from = prof_alloc_array(count, sizeof(*walker.last_from)),
		.last_edge = prof_alloc_array(count, sizeof(*walker.last_edge)),
	};
	bool ok = walker.last_from && walker.last_edge;

	work->edge_count = 0;
	if (work->options->edges == PROF_GRAPH_INLINED_EDGES) {
		walker.wanted = work->inlinable;
	}
	for (uint32_t n = 0; ok && n < work->node_count; n++) {
		walker.last_from[n] = PROF_NONE;
	}
	for (uint32_t s = 0; ok && s < work->profile->stack_count; s++) {
		ok = !work->stack_used[s] || walk_stack(&walker, s);
	}
	prof_map_free(&walker.map);
	prof_free(walker.stamps);
	prof_free(walker.last_edge);
	prof_free(walker.last_from);
	return ok || prof_fail_nomem(err);
}

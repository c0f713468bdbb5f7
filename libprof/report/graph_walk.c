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

struct adder {
	struct prof_graph_work *work;
	struct cell *cells; /* per node */
	int64_t value;      /* of the stack at hand */
	int64_t div;
	uint64_t stamp;
};

static inline void add_frame(const struct adder *adder, uint32_t node)
{
	struct cell *cell = &adder->cells[node];

	if (cell->stamp != adder->stamp) {
		cell->stamp = adder->stamp;
		cell->cum += adder->value;
		if (adder->div != 0) {
			adder->work->sums[node].cum_div += adder->div;
		}
	}
}

static void add_stack(struct adder *adder, uint32_t stack)
{
	struct prof_graph_work *work = adder->work;
	struct prof_frames frames = prof_stack(work->profile, stack);
	uint32_t leaf;

	adder->value = work->stack_value[stack];
	adder->div = work->stack_div ? work->stack_div[stack] : 0;
	adder->stamp = (uint64_t)stack + 1;
	for (size_t k = 0; k < frames.count; k++) {
		uint32_t only = work->only_frame[frames.data[k]];
		uint32_t end = work->first_frame[frames.data[k] + 1];

		if (only != PROF_NONE) {
			add_frame(adder, only);
			continue;
		}
		for (uint32_t i = work->first_frame[frames.data[k]]; i < end; i++) {
			add_frame(adder, work->frames[i]);
		}
	}
	if (frames.count > 0) {
		leaf = work->frames[work->first_frame[frames.data[0]]];
		work->sums[leaf].flat += adder->value;
		work->sums[leaf].flat_div += adder->div;
	}
}

bool prof_graph_add_nodes(struct prof_graph_work *work, struct prof_error *err)
{
	size_t count = (size_t)work->info_count + 1;
	struct cell *cells = prof_alloc_array(count, sizeof(*cells));
	struct adder adder = { .work = work, .cells = cells };

	work->node_count = work->info_count;
	work->sums = prof_alloc_array(count, sizeof(*work->sums));
	if (!cells || !work->sums) {
		prof_free(cells);
		return prof_fail_nomem(err);
	}
	for (uint32_t s = 0; s < work->profile->stack_count; s++) {
		if (work->stack_used[s]) {
			add_stack(&adder, s);
		}
	}
	for (uint32_t n = 0; n < work->node_count; n++) {
		work->sums[n].cum = cells[n].cum;
	}
	prof_free(cells);
	return true;
}

/* --- edges -------------------------------------------------------------------------- */

/*
 * Nodes that are kept are numbered again, so that few of them make small tables. A code
 * is such a number, with WANTED if edges to the node are; SKIP for a node that is
 * dropped. A location has the code of its only frame; MANY if it has several, which
 * are looked up one by one.
 */
enum { WANTED = 1 << 30, MANY = 1 << 29, NUMBER = MANY - 1 };

#define SKIP UINT32_MAX

enum {
	BATCH = 64,  /* calls whose memory is fetched at once */
	CHUNK = 128, /* locations of a stack looked up at once */
};

/* An edge while it is walked: half a line of the cache. */
struct link {
	uint32_t from; /* numbers */
	uint32_t to;
	int64_t weight;
	int64_t weight_div;
	uint32_t stamp; /* the last stack that added, plus 1 */
	bool residual;
	bool inlined;
};

/* A call met in a stack, on its way to its edge. */
struct call {
	uint64_t hash;
	int64_t value;
	int64_t div;
	uint32_t from;
	uint32_t to;
	uint32_t stamp;
	bool residual;
	bool inlined;
};

/* A location of the stack at hand. */
struct place {
	uint32_t location;
	uint32_t code;
	bool residual; /* the one before was left out */
};

struct walker {
	const struct prof_graph_work *work;
	uint32_t *codes;   /* per node */
	uint32_t *entries; /* per location: a code, or MANY */
	uint32_t *nodes;   /* per number: node */
	uint32_t number_count;
	uint64_t seed;

	struct prof_map map; /* (from, to) -> link */
	struct link *links;
	size_t link_cap;
	uint32_t link_count;

	struct call calls[BATCH];
	uint32_t call_count;
	struct place places[CHUNK];
};

/* Where a walk down one stack stands. */
struct step {
	int64_t value;
	int64_t div;
	uint32_t stamp;
	uint32_t parent; /* number; PROF_NONE above the first node */
	bool residual;   /* frames were dropped since then */
};

static bool new_link(struct walker *walker, const struct call *call, uint32_t *id)
{
	*id = walker->link_count;
	if (*id == PROF_NONE - 1 ||
	    !prof_reserve((void **)&walker->links, &walker->link_cap, (size_t)*id + 1,
			  sizeof(*walker->links)) ||
	    !prof_map_add(&walker->map, call->hash, *id)) {
		return false;
	}
	walker->links[*id] = (struct link){
		.from = call->from,
		.to = call->to,
		.inlined = true,
	};
	walker->link_count++;
	return true;
}

static bool find_link(struct walker *walker, const struct call *call, uint32_t *id)
{
	struct prof_map_walk walk = prof_map_walk(&walker->map, call->hash);

	while (prof_map_next(&walk, id)) {
		if (walker->links[*id].from == call->from &&
		    walker->links[*id].to == call->to) {
			return true;
		}
	}
	return new_link(walker, call, id);
}

/* Add the calls held to their edges, in order: the first of a stack decides. */
static bool add_calls(struct walker *walker)
{
	uint32_t id;

	for (uint32_t i = 0; i < walker->call_count; i++) {
		struct prof_map_walk walk =
			prof_map_walk(&walker->map, walker->calls[i].hash);

		if (prof_map_next(&walk, &id)) {
			__builtin_prefetch(&walker->links[id]);
		}
	}
	for (uint32_t i = 0; i < walker->call_count; i++) {
		const struct call *call = &walker->calls[i];
		struct link *link;

		if (!find_link(walker, call, &id)) {
			return false;
		}
		link = &walker->links[id];
		if (link->stamp != call->stamp) {
			link->stamp = call->stamp;
			link->weight += call->value;
			link->weight_div += call->div;
			link->residual |= call->residual;
			link->inlined &= call->inlined;
		}
	}
	walker->call_count = 0;
	return true;
}

/* Go on to the node of `code`, by the edge that leads there. */
static bool take_frame(struct walker *walker, struct step *step, uint32_t code,
		       bool inlined)
{
	uint32_t to = code & NUMBER;
	uint32_t from = step->parent;
	bool residual = step->residual;
	uint64_t pair = (uint64_t)from << 32 | to;
	uint64_t hash;

	step->parent = to;
	step->residual = false;
	if (!(code & WANTED) || from == PROF_NONE || from == to) {
		return true;
	}
	hash = prof_hash_mix(pair ^ PROF_HASH_A, walker->seed);
	prof_map_prefetch(&walker->map, hash);
	walker->calls[walker->call_count++] = (struct call){
		.hash = hash,
		.value = step->value,
		.div = step->div,
		.from = from,
		.to = to,
		.stamp = step->stamp,
		.residual = residual,
		.inlined = inlined,
	};
	return walker->call_count < BATCH || add_calls(walker);
}

/* The frames of a location that has several, the outermost first. */
static bool take_frames(struct walker *walker, struct step *step, uint32_t location)
{
	const struct prof_graph_work *work = walker->work;
	uint32_t first = work->first_frame[location];
	uint32_t end = work->first_frame[location + 1];

	for (uint32_t i = end; i-- > first;) {
		uint32_t code = walker->codes[work->frames[i]];

		if (code == SKIP) {
			step->residual = true;
		} else if (!take_frame(walker, step, code, i + 1 < end)) {
			return false;
		}
	}
	return true;
}

/* Go down the locations of one chunk, those without a kept node left out. */
static bool walk_chunk(struct walker *walker, struct step *step, uint32_t count)
{
	bool ok = true;

	for (uint32_t i = 0; ok && i < count; i++) {
		const struct place *place = &walker->places[i];

		step->residual |= place->residual;
		ok = place->code & MANY ? take_frames(walker, step, place->location)
					: take_frame(walker, step, place->code, false);
	}
	return ok;
}

/*
 * Whether a frame is kept is hard to foretell, so the others are left out by a step
 * without a branch before.
 */
static bool walk_stack(struct walker *walker, uint32_t stack)
{
	const struct prof_graph_work *work = walker->work;
	struct prof_frames frames = prof_stack(work->profile, stack);
	struct step step = {
		.value = work->stack_value[stack],
		.div = work->stack_div ? work->stack_div[stack] : 0,
		.stamp = stack + 1,
		.parent = PROF_NONE,
	};
	bool residual = false;

	for (size_t k = frames.count; k > 0;) {
		uint32_t count = 0;

		while (k > 0 && count < CHUNK) {
			struct place *place = &walker->places[count];
			bool kept;

			place->location = frames.data[--k];
			place->code = walker->entries[place->location];
			place->residual = residual;
			kept = place->code != SKIP;
			residual = !kept;
			count += kept;
		}
		if (!walk_chunk(walker, &step, count)) {
			return false;
		}
	}
	return true;
}

/* Number the nodes that are kept. */
static void number_nodes(struct walker *walker)
{
	const struct prof_graph_work *work = walker->work;
	bool all = work->options->edges == PROF_GRAPH_ALL_EDGES;

	for (uint32_t n = 0; n < work->node_count; n++) {
		walker->codes[n] = SKIP;
		if (work->kept && !work->kept[n]) {
			continue;
		}
		walker->codes[n] = walker->number_count;
		walker->nodes[walker->number_count++] = n;
		if (all || work->inlinable[n]) {
			walker->codes[n] |= WANTED;
		}
	}
}

static uint32_t entry_of(const struct walker *walker, uint32_t location)
{
	const struct prof_graph_work *work = walker->work;
	uint32_t first = work->first_frame[location];
	uint32_t end = work->first_frame[location + 1];
	bool any = false;

	if (end - first == 1) {
		return walker->codes[work->frames[first]];
	}
	for (uint32_t i = first; i < end; i++) {
		any |= walker->codes[work->frames[i]] != SKIP;
	}
	return any ? (uint32_t)MANY : SKIP;
}

static bool walker_init(struct walker *walker)
{
	const struct prof_graph_work *work = walker->work;
	size_t nodes = (size_t)work->node_count + 1;
	size_t locations = (size_t)work->profile->location_count + 1;

	walker->codes = prof_alloc_array(nodes, sizeof(*walker->codes));
	walker->nodes = prof_alloc_array(nodes, sizeof(*walker->nodes));
	walker->entries = prof_alloc_array(locations, sizeof(*walker->entries));
	if (!walker->codes || !walker->nodes || !walker->entries) {
		return false;
	}
	number_nodes(walker);
	for (uint32_t i = 0; i < work->profile->location_count; i++) {
		walker->entries[i] = entry_of(walker, i);
	}
	return true;
}

static bool give_edges(const struct walker *walker, struct prof_graph_work *work)
{
	work->edge_count = 0;
	if (!prof_reserve((void **)&work->edges, &work->edge_cap,
			  (size_t)walker->link_count + 1, sizeof(*work->edges))) {
		return false;
	}
	for (uint32_t i = 0; i < walker->link_count; i++) {
		const struct link *link = &walker->links[i];

		work->edges[i] = (struct prof_graph_edge){
			.from = walker->nodes[link->from],
			.to = walker->nodes[link->to],
			.weight = link->weight,
			.weight_div = link->weight_div,
			.residual = link->residual,
			.inlined = link->inlined,
		};
	}
	work->edge_count = walker->link_count;
	return true;
}

bool prof_graph_walk_edges(struct prof_graph_work *work, struct prof_error *err)
{
	struct walker walker = { .work = work, .seed = prof_hash_seed() ^ PROF_HASH_B };
	bool ok = walker_init(&walker);

	for (uint32_t s = 0; ok && s < work->profile->stack_count; s++) {
		ok = !work->stack_used[s] || walk_stack(&walker, s);
	}
	ok = ok && add_calls(&walker) && give_edges(&walker, work);
	prof_map_free(&walker.map);
	prof_free(walker.links);
	prof_free(walker.nodes);
	prof_free(walker.codes);
	prof_free(walker.entries);
	return ok || prof_fail_nomem(err);
}

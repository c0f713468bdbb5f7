/* SPDX-License-Identifier: MIT */
#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"
#include "libprof/report/graph_work.h"

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

	uint32_t first; /* stack, and the one behind the last */
	uint32_t end;
	bool wanted; /* there are nodes to which edges are */
	bool ok;
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

static uint64_t pair_hash(const struct walker *walker, uint32_t from, uint32_t to)
{
	uint64_t pair = (uint64_t)from << 32 | to;

	return prof_hash_mix(pair ^ PROF_HASH_A, walker->seed);
}

/* Go on to the node of `code`, by the edge that leads there. */
static bool take_frame(struct walker *walker, struct step *step, uint32_t code,
		       bool inlined)
{
	uint32_t to = code & NUMBER;
	uint32_t from = step->parent;
	bool residual = step->residual;
	uint64_t hash;

	step->parent = to;
	step->residual = false;
	if (!(code & WANTED) || from == PROF_NONE || from == to) {
		return true;
	}
	hash = pair_hash(walker, from, to);
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
			walker->wanted = true;
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

/* Free what a walker found. */
static void walker_free(struct walker *walker)
{
	prof_map_free(&walker->map);
	prof_free(walker->links);
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

static void walk_part(void *context)
{
	struct walker *walker = context;

	for (uint32_t s = walker->first; walker->ok && s < walker->end; s++) {
		walker->ok = !walker->work->stack_used[s] || walk_stack(walker, s);
	}
	walker->ok = walker->ok && add_calls(walker);
}

/* Add the links of `from`: no sum depends on the order. */
static bool join(struct walker *walker, const struct walker *from)
{
	for (uint32_t i = 0; i < from->link_count; i++) {
		const struct link *link = &from->links[i];
		struct call call = {
			.hash = pair_hash(walker, link->from, link->to),
			.from = link->from,
			.to = link->to,
		};
		uint32_t id;

		if (!find_link(walker, &call, &id)) {
			return false;
		}
		walker->links[id].weight += link->weight;
		walker->links[id].weight_div += link->weight_div;
		walker->links[id].residual |= link->residual;
		walker->links[id].inlined &= link->inlined;
	}
	return true;
}

bool prof_graph_walk_edges(struct prof_graph_work *work, struct prof_error *err)
{
	struct walker walker = {
		.work = work,
		.seed = prof_hash_seed() ^ PROF_HASH_B,
		.end = prof_graph_middle(work),
		.ok = true,
	};
	bool ok = walker_init(&walker);
	bool split = walker.end < work->profile->stack_count;
	struct walker second = walker;

	second.first = walker.end;
	second.end = work->profile->stack_count;
	if (ok && walker.wanted) {
		prof_graph_run_two(walk_part, &walker, split ? &second : NULL);
		ok = walker.ok && second.ok && join(&walker, &second);
	}
	ok = ok && give_edges(&walker, work);
	walker_free(&second);
	prof_free(walker.nodes);
	prof_free(walker.codes);
	prof_free(walker.entries);
	walker_free(&walker);
	return ok || prof_fail_nomem(err);
}

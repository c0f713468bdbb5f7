/* SPDX-License-Identifier: MIT */
/*
 * graph_work.h - a graph while it is made.
 *
 * Private to libprof/report.
 *
 *	frames     every line of every location gets an identity; equal ones are one
 *	stacks     samples with one stack are added up, so that each is walked once
 *	nodes      identities, or as a call tree paths; flat and cum of each
 *	list       the nodes that are shown, best first
 *	edges      walked for the nodes kept; of a call tree, links to the parents
 *	tags       only for nodes that may be shown
 *
 * Sums:  the sum of all |value| fits int64, so no other sum can leave it.
 * Owns:  everything but the profile; `arena` has what passes to the graph.
 */
#ifndef PROF_REPORT_GRAPH_WORK_H
#define PROF_REPORT_GRAPH_WORK_H

#include "libprof/base/map.h"
#include "libprof/report/graph.h"

enum { PROF_GRAPH_MAX_FRAMES = 1 << 29 }; /* of all locations */

struct prof_graph_sums {
	int64_t flat;
	int64_t flat_div;
	int64_t cum;
	int64_t cum_div;
};

struct prof_graph_work {
	const struct prof_profile *profile;
	const struct prof_graph_options *options;
	struct prof_arena arena;

	struct prof_frame_info *infos; /* per identity */
	struct prof_text *names;       /* per identity; data is NULL until asked for */
	bool *inlinable;               /* per identity: inlined in some location */
	uint32_t info_count;
	uint32_t *first_frame; /* per location, and one more: index into frames */
	uint32_t *frames;      /* identities, innermost first */
	uint32_t *only_frame;  /* per location: its identity; PROF_NONE for several */

	int64_t *stack_value; /* per stack */
	int64_t *stack_div;   /* NULL without mean */
	bool *stack_used;     /* some sample of it is not 0 */

	uint64_t locations_walked;
	uint64_t frames_walked; /* of locations with several */

	struct prof_graph_sums *sums; /* per node */
	uint32_t node_count;
	uint32_t *node_info;  /* tree: identity of a node; otherwise NULL */
	uint32_t *parent;     /* tree: node or PROF_NONE */
	bool *inlined;        /* tree: the edge from the parent */
	bool *residual;       /* tree: the edge from the parent */
	uint32_t *stack_leaf; /* tree: node, PROF_NONE for an empty stack */

	uint32_t *list; /* nodes that are shown */
	uint32_t list_count;
	bool *listed; /* per node */
	bool *kept;   /* per node: the others are dropped from stacks; NULL: all are */

	struct prof_graph_edge *edges;
	size_t edge_cap;
	uint32_t edge_count;

	int64_t node_cutoff;
	int64_t edge_cutoff;
	uint32_t dropped_nodes;
	uint32_t dropped_edges;
	uint32_t found_count;

	struct prof_graph_tags *tags; /* NULL: not collected */
};

static inline uint32_t prof_graph_info_of(const struct prof_graph_work *work,
					  uint32_t node)
{
	return work->node_info ? work->node_info[node] : node;
}

/*
 * What inlined calls may add: a location with a million lines costs its writer little
 * but would stand in every stack that uses it.
 */
enum {
	PROF_GRAPH_INLINE_RATIO = 64,
	PROF_GRAPH_INLINE_FREE = 1 << 26, /* frames, whatever the ratio */
};

/* Count the `count` frames of one location; false when that is too much. */
static inline bool prof_graph_count_frames(struct prof_graph_work *work, uint32_t count)
{
	work->frames_walked += count;
	return work->frames_walked <= PROF_GRAPH_INLINE_FREE ||
	       work->frames_walked / PROF_GRAPH_INLINE_RATIO <= work->locations_walked;
}

#define prof_graph_fail_frames(err)                                         \
	prof_fail(err, PROF_ERR_LIMIT,                                      \
		  "inlined calls make more than %d frames of one location", \
		  PROF_GRAPH_INLINE_RATIO)

/* |value|, which fits because sums do. */
static inline int64_t prof_graph_abs(int64_t value)
{
	return value < 0 ? -value : value;
}

/* graph_frames.c: fill infos and frames. */
bool prof_graph_find_frames(struct prof_graph_work *work,
			    struct prof_error *err) PROF_NODISCARD;

/* The printable name of `node`; empty when memory ran out, and the arena knows. */
struct prof_text prof_graph_name(struct prof_graph_work *work, uint32_t node);

/* graph_walk.c: add up samples per stack; check that their sum fits. */
bool prof_graph_add_stacks(struct prof_graph_work *work,
			   struct prof_error *err) PROF_NODISCARD;

/* Make nodes of identities and add up stacks per node. */
bool prof_graph_add_nodes(struct prof_graph_work *work,
			  struct prof_error *err) PROF_NODISCARD;

/* graph_edges.c: walk the stacks for the edges between nodes that are kept. */
bool prof_graph_walk_edges(struct prof_graph_work *work,
			   struct prof_error *err) PROF_NODISCARD;

/*
 * graph_two.c: the stack before which half of all frames are; the number of stacks
 * where there are too few frames for two threads. The same for the same profile, so
 * that results do not depend on threads.
 */
uint32_t prof_graph_middle(const struct prof_graph_work *work);

/* Run `first`, and unless it is NULL `second` at the same time if that can be. */
void prof_graph_run_two(void (*run)(void *context), void *first, void *second);

/* graph_tree.c: make nodes of paths and add up stacks per node. */
bool prof_graph_add_paths(struct prof_graph_work *work,
			  struct prof_error *err) PROF_NODISCARD;

/* Join the children of listed nodes that are not kept to their grandparents. */
void prof_graph_splice(struct prof_graph_work *work);

/* The edges of the tree as it is. */
bool prof_graph_link_edges(struct prof_graph_work *work,
			   struct prof_error *err) PROF_NODISCARD;

/* graph_sort.c: sort the list in the order of the options. */
bool prof_graph_sort_list(struct prof_graph_work *work,
			  struct prof_error *err) PROF_NODISCARD;

/* Sort the edges. */
bool prof_graph_sort_edges(struct prof_graph_work *work,
			   struct prof_error *err) PROF_NODISCARD;

/* Edges of each node in the order they have: indices [first[n], first[n + 1]). */
struct prof_graph_lists {
	uint32_t *in_first;
	uint32_t *in;
	uint32_t *out_first;
	uint32_t *out;
};

bool prof_graph_lists_init(struct prof_graph_lists *lists,
			   const struct prof_graph_work *work,
			   struct prof_error *err) PROF_NODISCARD;
void prof_graph_lists_free(struct prof_graph_lists *lists);

/* graph_trim.c: choose what is shown; leaves list and edges sorted. */
bool prof_graph_trim(struct prof_graph_work *work,
		     struct prof_error *err) PROF_NODISCARD;

/* graph_redundant.c: remove residual edges where another path leads there too. */
bool prof_graph_remove_redundant(struct prof_graph_work *work,
				 struct prof_error *err) PROF_NODISCARD;

/*
 * graph_tags.c: the tags of `count` listed nodes, those below the cutoff left out.
 * What was collected before is forgotten.
 */
bool prof_graph_collect_tags(struct prof_graph_work *work, uint32_t count,
			     struct prof_error *err) PROF_NODISCARD;

/* How many tags of `node` have a flat value; 0 if not collected. */
uint32_t prof_graph_flat_tags(const struct prof_graph_work *work, uint32_t node);

/* graph_tags_out.c: give the nodes of `graph`, numbered as `number` says, their tags. */
bool prof_graph_give_tags(const struct prof_graph_work *work, const uint32_t *number,
			  struct prof_graph *graph,
			  struct prof_error *err) PROF_NODISCARD;

void prof_graph_tags_free(struct prof_graph_tags *tags);

#endif

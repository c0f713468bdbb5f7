/* SPDX-License-Identifier: MIT */
/*
 * graph.h - who calls whom: flat and cum of every frame, weights of the calls between.
 *
 *	main --7--> parse --3--> strtol        node:  flat 4, cum 7   (parse)
 *	     `-2--> write                      edge:  weight 7        (main -> parse)
 *
 * A node is all frames with one identity (frameinfo.h): aggregate the profile to choose
 * how fine it is. A sample counts once per node and once per edge, so recursion counts
 * once, and a function that calls itself has no edge to itself. As a call tree, a node
 * is one path from the root instead.
 *
 * Trimmed: nodes whose |cum| is below a fraction of the sum of flat are dropped, then
 * all but the best `node_limit`; what a dropped node stood between is joined by a
 * residual edge. The flat value of a dropped node is nobody's.
 *
 * Units:   undivided int64 in the unit of the column. *_div are the sums of the first
 *          column when `mean` is set, else 0; prof_graph_mean() divides.
 * Order:   nodes by `order`, ties broken to the end; edges of a node by |weight|,
 *          descending, then by the names of caller and callee.
 * Owns:    nodes, edges, tags; borrows the texts of the profile, which must outlive it.
 * Errors:  LIMIT when a sum does not fit int64, for 2^32 nodes or edges.
 * Threads: immutable once built; may be read by many.
 * Cost:    each distinct stack is walked once for the sums and once or twice for edges,
 *          where they are asked for, by two threads when there are many; a call tree
 *          sorts the stacks. Tags only for the nodes that may be shown.
 * Source:  the graph of google/pprof, but every tie is broken.
 */
#ifndef PROF_REPORT_GRAPH_H
#define PROF_REPORT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "libprof/base/arena.h"
#include "libprof/report/frameinfo.h"
#include "libprof/report/value.h"

enum prof_graph_order {
	PROF_GRAPH_BY_FLAT,
	PROF_GRAPH_BY_CUM,
	PROF_GRAPH_BY_ENTROPY, /* cum weighted by how evenly calls spread, plus flat */
};

enum prof_graph_edges {
	PROF_GRAPH_NO_EDGES,
	PROF_GRAPH_INLINED_EDGES, /* those to nodes that are inlined somewhere */
	PROF_GRAPH_ALL_EDGES,
};

struct prof_graph_options {
	uint32_t column;
	bool mean;
	bool call_tree;
	bool objects; /* object file and start line tell nodes apart */
	bool drop_negative;
	bool by_cum; /* of tags, and what comes first in the order by entropy */
	bool tags;
	bool picture; /* tags use up the limit; redundant edges go */
	enum prof_graph_order order;
	enum prof_graph_edges edges;
	int64_t node_limit; /* 0 and below: none */
	double node_fraction;
	double edge_fraction;
	struct prof_path_trim trim;
	struct prof_text bytes_unit; /* of the label "bytes"; empty: found in the
					profile */
	struct prof_text bytes_show; /* to show it in; data NULL: "minimum" */
};

/* All text labels of some samples, or a number of theirs, at one node. */
struct prof_graph_tag {
	struct prof_text name; /* "key:value\nkey:value", the \n as two characters; of a
				  number as it is shown: "1.50kB" */
	int64_t number;        /* of the label "bytes" */
	int64_t flat;
	int64_t flat_div;
	int64_t cum;
	int64_t cum_div;
	uint32_t first_number; /* index into tags: numbers of samples with this name */
	uint32_t number_count;
};

struct prof_graph_node {
	struct prof_frame_info info;
	struct prof_text name; /* printable: prof_frame_info_add() */
	int64_t flat;
	int64_t flat_div;
	int64_t cum;
	int64_t cum_div;
	uint32_t first_in; /* index into in_edges */
	uint32_t in_count;
	uint32_t first_out; /* index into out_edges */
	uint32_t out_count;
	uint32_t first_tag; /* index into tags: those with a name */
	uint32_t tag_count;
	uint32_t first_number; /* index into tags: numbers of samples without a name */
	uint32_t number_count;
};

struct prof_graph_edge {
	uint32_t from; /* nodes */
	uint32_t to;
	int64_t weight;
	int64_t weight_div;
	bool residual; /* dropped nodes stood between */
	bool inlined;  /* always inlined into its caller */
};

struct prof_graph {
	struct prof_arena arena;

	struct prof_graph_node *nodes;
	uint32_t node_count;  /* to be shown */
	uint32_t known_count; /* with those behind that only edges lead to */

	struct prof_graph_edge *edges;
	uint32_t edge_count;
	uint32_t *in_edges; /* indices of edges, sorted per node */
	uint32_t *out_edges;

	struct prof_graph_tag *tags; /* per node and name: by |flat|, of nodes without
					callees by |cum|, then name */
	uint32_t tag_count;
	struct prof_text bytes_unit;

	bool mean;
	bool call_tree;
	uint32_t dropped_nodes; /* below the fraction */
	uint32_t dropped_edges;
	uint32_t found_count; /* nodes before node_limit */
};

/* The graph of one column of `profile`; the label pprof::base is no tag. */
bool prof_graph_build(const struct prof_profile *profile,
		      const struct prof_graph_options *options, struct prof_graph **out,
		      struct prof_error *err) PROF_NODISCARD;

/* NULL is fine. */
void prof_graph_free(struct prof_graph *graph);

/* `sum` divided by `div`, or `sum` when that is 0. */
static inline int64_t prof_graph_mean(int64_t sum, int64_t div)
{
	return div == -1 ? (int64_t)(0 - (uint64_t)sum) : div ? sum / div : sum;
}

static inline int64_t prof_graph_flat(const struct prof_graph_node *node)
{
	return prof_graph_mean(node->flat, node->flat_div);
}

static inline int64_t prof_graph_cum(const struct prof_graph_node *node)
{
	return prof_graph_mean(node->cum, node->cum_div);
}

/* How many of the edges to `node` are inlined: compare with its in_count. */
uint32_t prof_graph_inlined(const struct prof_graph *graph,
			    const struct prof_graph_node *node);

/*
 * What "minimum" means for this graph: one unit for all its values, chosen for the
 * smallest one. `coarse` allows a larger unit when the total is much larger. `unit` is
 * that of the values; it is the answer when it is not known. Without nodes nothing is
 * chosen.
 */
struct prof_text prof_graph_unit(const struct prof_graph *graph,
				 const struct prof_value_style *style, bool coarse);

#endif

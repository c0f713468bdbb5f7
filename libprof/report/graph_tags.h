/* SPDX-License-Identifier: MIT */
/*
 * graph_tags.h - labels of samples at nodes, while a graph is made.
 *
 * Private to libprof/report.
 *
 *	label set --> tags      all its texts, joined, are one tag; each of its numbers
 *	                        under these texts is another
 *	(node, tag) --> cell    flat and cum
 *
 * Most of a million label sets weigh less than the cutoff wherever they are. They are
 * recognized by sums of |value| over buckets of a hash of their texts, which can only
 * be too large, before any text is made.
 */
#ifndef PROF_REPORT_GRAPH_TAGS_H
#define PROF_REPORT_GRAPH_TAGS_H

#include "libprof/base/strings.h"
#include "libprof/report/graph_work.h"

struct prof_graph_tag_key {
	uint32_t name; /* of names: joined texts; 0 for none */
	uint32_t text; /* of texts: the number as shown; 0: this is no number */
	int64_t number;
	int64_t sum; /* of |value| over all samples that have it */
};

struct prof_graph_tag_cell {
	uint32_t node;
	uint32_t tag;
	struct prof_graph_sums sums;
};

struct prof_graph_tags {
	struct prof_strings names;
	struct prof_strings texts;
	struct prof_text bytes_unit;

	struct prof_graph_tag_key *keys;
	size_t key_cap;
	uint32_t key_count;
	struct prof_map key_map;

	uint32_t *set_first; /* per set, and one more: index into set_tags */
	uint32_t *set_tags;  /* keys */
	size_t set_tag_cap;
	uint32_t set_tag_count;

	struct prof_graph_tag_cell *cells;
	size_t cell_cap;
	uint32_t cell_count;
	struct prof_map cell_map;

	uint32_t *flat_counts; /* per node: cells with a flat value */
};

/* graph_tags_sets.c: the tags of each label set that may reach the cutoff somewhere. */
bool prof_graph_find_tags(const struct prof_graph_work *work,
			  struct prof_graph_tags *tags,
			  struct prof_error *err) PROF_NODISCARD;

#endif

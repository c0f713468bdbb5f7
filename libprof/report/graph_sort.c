/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/report/graph_work.h"

/* --- edges of a node ---------------------------------------------------------------- */

/* Turn counts into places: first[n] is where the edges of n begin. */
static void sum_up(uint32_t *first, uint32_t count)
{
	uint32_t at = 0;

	for (uint32_t n = 0; n <= count; n++) {
		uint32_t here = first[n];

		first[n] = at;
		at += here;
	}
}

/* After every place has moved to its end, move all back by one node. */
static void move_back(uint32_t *first, uint32_t count)
{
	memmove(first + 1, first, count * sizeof(*first));
	first[0] = 0;
}

bool prof_graph_lists_init(struct prof_graph_lists *lists,
			   const struct prof_graph_work *work, struct prof_error *err)
{
	size_t nodes = (size_t)work->node_count + 1;
	size_t edges = (size_t)work->edge_count + 1;
	struct prof_graph_lists made = {
		.in_first = prof_alloc_array(nodes, sizeof(*made.in_first)),
		.in = prof_alloc_array(edges, sizeof(*made.in)),
		.out_first = prof_alloc_array(nodes, sizeof(*made.out_first)),
		.out = prof_alloc_array(edges, sizeof(*made.out)),
	};

	if (!made.in_first || !made.in || !made.out_first || !made.out) {
		prof_graph_lists_free(&made);
		return prof_fail_nomem(err);
	}
	for (uint32_t e = 0; e < work->edge_count; e++) {
		made.in_first[work->edges[e].to]++;
		made.out_first[work->edges[e].from]++;
	}
	sum_up(made.in_first, work->node_count);
	sum_up(made.out_first, work->node_count);
	for (uint32_t e = 0; e < work->edge_count; e++) {
		made.in[made.in_first[work->edges[e].to]++] = e;
		made.out[made.out_first[work->edges[e].from]++] = e;
	}
	move_back(made.in_first, work->node_count);
	move_back(made.out_first, work->node_count);
	*lists = made;
	return true;
}

void prof_graph_lists_free(struct prof_graph_lists *lists)
{
	prof_free(lists->in_first);
	prof_free(lists->in);
	prof_free(lists->out_first);
	prof_free(lists->out);
	*lists = (struct prof_graph_lists){ 0 };
}

/* --- entropy ------------------------------------------------------------------------ */

/* -p log2 p, the share p of a whole; not a number for nothing, or less, of it. */
static double surprise(int64_t part, double whole)
{
	double share = (double)prof_graph_abs(part) / whole;

	return -share * log2(share);
}

/*
 * Shannon's entropy of the weights of `count` edges, and of `self` when that is
 * positive; 1 when there is no edge. Of the edges only positive ones make up the
 * whole, so with negative values around it is no entropy any more, but this is how
 * pprof counts.
 */
static double entropy(const struct prof_graph_work *work, const uint32_t *edges,
		      uint32_t count, int64_t self)
{
	int64_t whole = self;
	double result = 0;

	if (count == 0) {
		return 1;
	}
	for (uint32_t i = 0; i < count; i++) {
		int64_t weight = work->edges[edges[i]].weight;

		whole += weight > 0 ? weight : 0;
	}
	if (whole == 0) {
		return 0;
	}
	for (uint32_t i = 0; i < count; i++) {
		result += surprise(work->edges[edges[i]].weight, (double)whole);
	}
	return self > 0 ? result + surprise(self, (double)whole) : result;
}

/* As processors of the x86 kind convert: what does not fit is the least integer. */
static int64_t truncated(double value)
{
	const double limit = 9223372036854775808.0;

	return value < limit && value >= -limit ? (int64_t)value : INT64_MIN;
}

static int64_t wrapping_sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* |value|, but the least integer stays what it is. */
static int64_t magnitude(int64_t value)
{
	return value < 0 ? (int64_t)(0 - (uint64_t)value) : value;
}

/* How much a node tells: its cum counts more the more its neighbours differ. */
static int64_t score(const struct prof_graph_work *work,
		     const struct prof_graph_lists *lists, uint32_t node)
{
	const struct prof_graph_sums *sums = &work->sums[node];
	uint32_t in = lists->in_first[node];
	uint32_t out = lists->out_first[node];
	double spread;

	spread = entropy(work, lists->in + in, lists->in_first[node + 1] - in, 0) +
		 entropy(work, lists->out + out, lists->out_first[node + 1] - out,
			 sums->flat);
	return wrapping_sum(truncated(spread * (double)sums->cum), sums->flat);
}

/* --- nodes -------------------------------------------------------------------------- */

struct item {
	int64_t first; /* descending */
	struct prof_text name;
	int64_t second; /* descending */
	int64_t third;  /* descending */
	const struct prof_frame_info *info;
	uint32_t node;
};

static int decimal_order(int64_t a, int64_t b)
{
	char left[24];
	char right[24];

	snprintf(left, sizeof(left), "%" PRId64, a);
	snprintf(right, sizeof(right), "%" PRId64, b);
	return strcmp(left, right);
}

/* What names do not show. Numbers as texts: pprof compares a dump of all fields. */
static int info_order(const struct prof_frame_info *a, const struct prof_frame_info *b)
{
	int order = prof_text_compare(a->name, b->name);

	order = order ? order : prof_text_compare(a->file, b->file);
	order = order ? order : decimal_order(a->start_line, b->start_line);
	return order ? order : prof_text_compare(a->object, b->object);
}

static int item_order(const void *left, const void *right)
{
	const struct item *a = left;
	const struct item *b = right;
	int order;

	if (a->first != b->first) {
		return a->first > b->first ? -1 : 1;
	}
	order = prof_text_compare(a->name, b->name);
	if (order) {
		return order;
	}
	if (a->second != b->second) {
		return a->second > b->second ? -1 : 1;
	}
	if (a->third != b->third) {
		return a->third > b->third ? -1 : 1;
	}
	order = info_order(a->info, b->info);
	return order ? order : (a->node > b->node) - (a->node < b->node);
}

/* `lists` only when sorted by entropy. */
static void fill_item(struct prof_graph_work *work,
		      const struct prof_graph_lists *lists, struct item *item,
		      uint32_t node)
{
	const struct prof_graph_sums *sums = &work->sums[node];
	enum prof_graph_order by = work->options->order;
	int64_t first = by == PROF_GRAPH_BY_CUM ? sums->cum : sums->flat;

	if (lists) {
		first = score(work, lists, node);
	}
	*item = (struct item){
		.first = magnitude(first),
		.name = prof_graph_name(work, node),
		.second = magnitude(by == PROF_GRAPH_BY_FLAT ? sums->cum : sums->flat),
		.third = magnitude(sums->cum),
		.info = &work->infos[prof_graph_info_of(work, node)],
		.node = node,
	};
}

bool prof_graph_sort_list(struct prof_graph_work *work, struct prof_error *err)
{
	bool by_entropy = work->options->order == PROF_GRAPH_BY_ENTROPY;
	struct prof_graph_lists lists = { 0 };
	struct item *items;

	if (by_entropy && !prof_graph_lists_init(&lists, work, err)) {
		return false;
	}
	items = prof_alloc_array((size_t)work->list_count + 1, sizeof(*items));
	if (!items) {
		prof_graph_lists_free(&lists);
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < work->list_count; i++) {
		fill_item(work, by_entropy ? &lists : NULL, &items[i], work->list[i]);
	}
	qsort(items, work->list_count, sizeof(*items), item_order);
	for (uint32_t i = 0; i < work->list_count; i++) {
		work->list[i] = items[i].node;
	}
	prof_free(items);
	prof_graph_lists_free(&lists);
	return !work->arena.failed || prof_fail_nomem(err);
}

/* --- all edges ---------------------------------------------------------------------- */

static int edge_order(const void *left, const void *right, void *context)
{
	const struct prof_graph_edge *a = left;
	const struct prof_graph_edge *b = right;
	struct prof_graph_work *work = context;
	int order;

	if (magnitude(a->weight) != magnitude(b->weight)) {
		return magnitude(a->weight) > magnitude(b->weight) ? -1 : 1;
	}
	order = prof_text_compare(prof_graph_name(work, a->from),
				  prof_graph_name(work, b->from));
	order = order ? order
		      : prof_text_compare(prof_graph_name(work, a->to),
					  prof_graph_name(work, b->to));
	if (order) {
		return order;
	}
	order = (a->from > b->from) - (a->from < b->from);
	return order ? order : (a->to > b->to) - (a->to < b->to);
}

bool prof_graph_sort_edges(struct prof_graph_work *work, struct prof_error *err)
{
	if (work->edge_count > 1) {
		qsort_r(work->edges, work->edge_count, sizeof(*work->edges), edge_order,
			work);
	}
	return !work->arena.failed || prof_fail_nomem(err);
}

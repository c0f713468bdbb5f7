/* SPDX-License-Identifier: MIT */
#include "libprof/base/alloc.h"
#include "libprof/base/seqsort.h"
#include "libprof/report/graph_work.h"

/*
 * Stacks become sequences of identities, leaf first. Sorted by their roots, paths
 * with a common beginning are neighbours, and every frame behind what a stack has in
 * common with the one before is a new node: no hash of (parent, frame), which would
 * wait for memory at every step. Nodes come in preorder, parents first.
 */
enum { NOBODY = 0 }; /* node 0 is never used, so that others are behind it */

struct planter {
	struct prof_graph_work *work;
	struct prof_seq *seqs;
	uint32_t *common; /* per sequence: with the one before */
	uint32_t seq_count;
	uint32_t *numbers; /* of all sequences */
	uint32_t max_len;
	uint32_t *path; /* nodes of the stack at hand, from the root */
};

static bool count_numbers(struct planter *planter, uint64_t *count,
			  struct prof_error *err)
{
	struct prof_graph_work *work = planter->work;

	*count = 0;
	for (uint32_t s = 0; s < work->profile->stack_count; s++) {
		struct prof_frames frames = prof_stack(work->profile, s);

		if (!work->stack_used[s]) {
			continue;
		}
		work->locations_walked += frames.count;
		for (size_t k = 0; k < frames.count; k++) {
			uint32_t own = work->first_frame[frames.data[k] + 1] -
				       work->first_frame[frames.data[k]];

			if (own > 1 && !prof_graph_count_frames(work, own)) {
				return prof_graph_fail_frames(err);
			}
			*count += own;
		}
		planter->seq_count++;
	}
	return true;
}

/* The identities of a stack, leaf first; how many. */
static size_t expand(const struct prof_graph_work *work, uint32_t stack, uint32_t *out)
{
	struct prof_frames frames = prof_stack(work->profile, stack);
	size_t len = 0;

	for (size_t k = 0; k < frames.count; k++) {
		uint32_t only = work->only_frame[frames.data[k]];
		uint32_t first = work->first_frame[frames.data[k]];
		uint32_t end = work->first_frame[frames.data[k] + 1];

		if (only != PROF_NONE) {
			out[len++] = only;
			continue;
		}
		for (uint32_t i = first; i < end; i++) {
			out[len++] = work->frames[i];
		}
	}
	return len;
}

static bool make_sequences(struct planter *planter, struct prof_error *err)
{
	struct prof_graph_work *work = planter->work;
	uint64_t count = 0;
	uint32_t *at;
	uint32_t next = 0;

	if (!count_numbers(planter, &count, err)) {
		return false;
	}
	planter->numbers = prof_alloc_array(count + 1, sizeof(*planter->numbers));
	planter->seqs = prof_alloc_array((size_t)planter->seq_count + 1,
					 sizeof(*planter->seqs));
	planter->common = prof_alloc_array((size_t)planter->seq_count + 1,
					   sizeof(*planter->common));
	if (!planter->numbers || !planter->seqs || !planter->common) {
		return prof_fail_nomem(err);
	}
	at = planter->numbers;
	for (uint32_t s = 0; s < work->profile->stack_count; s++) {
		size_t len;

		if (!work->stack_used[s]) {
			continue;
		}
		len = expand(work, s, at);
		if (len >= PROF_NONE) {
			return prof_fail(err, PROF_ERR_LIMIT,
					 "a stack of more than 2^32 frames");
		}
		planter->seqs[next++] = (struct prof_seq){ at, (uint32_t)len, s };
		planter->max_len =
			len > planter->max_len ? (uint32_t)len : planter->max_len;
		at += len;
	}
	return prof_seqsort(planter->seqs, planter->seq_count, true, err);
}

/* Count the nodes and make room for them. */
static bool make_room(struct planter *planter, struct prof_error *err)
{
	struct prof_graph_work *work = planter->work;
	uint64_t nodes = 1;

	for (uint32_t i = 0; i < planter->seq_count; i++) {
		const struct prof_seq *seq = &planter->seqs[i];

		planter->common[i] = i ? prof_seq_common(seq - 1, seq, true) : 0;
		nodes += seq->len - planter->common[i];
	}
	if (nodes >= PROF_NONE) {
		return prof_fail(err, PROF_ERR_LIMIT, "a tree of more than 2^32 nodes");
	}
	work->node_count = (uint32_t)nodes;
	work->sums = prof_alloc_array(nodes, sizeof(*work->sums));
	work->node_info = prof_alloc_array(nodes, sizeof(*work->node_info));
	work->parent = prof_alloc_array(nodes, sizeof(*work->parent));
	work->inlined = prof_alloc_array(nodes, sizeof(*work->inlined));
	work->residual = prof_alloc_array(nodes, sizeof(*work->residual));
	planter->path =
		prof_alloc_array((size_t)planter->max_len + 1, sizeof(*planter->path));
	if (!work->sums || !work->node_info || !work->parent || !work->inlined ||
	    !work->residual || !planter->path) {
		return prof_fail_nomem(err);
	}
	work->parent[NOBODY] = PROF_NONE;
	return true;
}

/* An edge is inlined if it is in every stack: find those that are not. */
static void mark_called(const struct planter *planter, const struct prof_seq *seq)
{
	struct prof_graph_work *work = planter->work;
	struct prof_frames frames = prof_stack(work->profile, seq->id);
	uint32_t depth = 0;

	for (size_t k = frames.count; k-- > 0;) {
		work->inlined[planter->path[depth]] = false;
		depth += work->first_frame[frames.data[k] + 1] -
			 work->first_frame[frames.data[k]];
	}
}

static void plant(struct planter *planter)
{
	struct prof_graph_work *work = planter->work;
	uint32_t node = NOBODY;

	for (uint32_t i = 0; i < planter->seq_count; i++) {
		const struct prof_seq *seq = &planter->seqs[i];

		for (uint32_t d = planter->common[i]; d < seq->len; d++) {
			planter->path[d] = ++node;
			work->node_info[node] = seq->data[seq->len - 1 - d];
			work->parent[node] = d > 0 ? planter->path[d - 1] : PROF_NONE;
			work->inlined[node] = true;
		}
		work->stack_leaf[seq->id] = PROF_NONE;
		if (seq->len > 0) {
			uint32_t leaf = planter->path[seq->len - 1];

			work->stack_leaf[seq->id] = leaf;
			work->sums[leaf].flat += work->stack_value[seq->id];
			work->sums[leaf].flat_div +=
				work->stack_div ? work->stack_div[seq->id] : 0;
			mark_called(planter, seq);
		}
	}
}

/* What children have goes to their parents, the last child first. */
static void add_up(struct prof_graph_work *work)
{
	for (uint32_t n = work->node_count; n-- > 1;) {
		struct prof_graph_sums *sums = &work->sums[n];

		sums->cum += sums->flat;
		sums->cum_div += sums->flat_div;
		if (work->parent[n] != PROF_NONE) {
			work->sums[work->parent[n]].cum += sums->cum;
			work->sums[work->parent[n]].cum_div += sums->cum_div;
		}
	}
}

bool prof_graph_add_paths(struct prof_graph_work *work, struct prof_error *err)
{
	struct planter planter = { .work = work };
	bool ok;

	work->stack_leaf = prof_alloc_array((size_t)work->profile->stack_count + 1,
					    sizeof(*work->stack_leaf));
	ok = work->stack_leaf ? make_sequences(&planter, err) : prof_fail_nomem(err);
	ok = ok && make_room(&planter, err);
	if (ok) {
		plant(&planter);
		add_up(work);
	}
	prof_free(planter.path);
	prof_free(planter.common);
	prof_free(planter.seqs);
	prof_free(planter.numbers);
	return ok;
}

/* Parents have smaller numbers than their children, so one pass upwards is enough. */
void prof_graph_splice(struct prof_graph_work *work)
{
	for (uint32_t n = NOBODY + 1; n < work->node_count; n++) {
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
	for (uint32_t n = NOBODY + 1; n < work->node_count; n++) {
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

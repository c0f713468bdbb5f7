/* SPDX-License-Identifier: MIT */
#include "libprof/report/calltree.h"

#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/base/limits.h"
#include "libprof/base/seqsort.h"
#include "libprof/report/frames.h"

/*
 * What inlined calls may add: a location with a million lines costs its writer little
 * but would stand in every stack that uses it.
 */
enum { MAX_INLINE_RATIO = 64, INLINE_FREE = 1 << 26 /* frames, whatever the ratio */ };

/* One profile on its way into a tree. */
struct side {
	const struct prof_profile *profile;
	uint32_t column;
	int64_t *values; /* per stack, or per label set */
	uint32_t count;  /* of values */
	struct prof_frame_table table;
	uint32_t *set_names; /* by label: per set */
};

struct build {
	const struct prof_calltree_options *options;
	struct side sides[2];
	uint32_t side_count;
	struct prof_frame_names names;

	uint32_t *frames; /* ranks, leaf first, sequence behind sequence */
	struct prof_seq *seqs;
	int64_t *seq_values; /* by id of a sequence */
	uint32_t seq_count;
	uint32_t side_start; /* first id of side 1 */

	struct prof_calltree *tree;
};

static bool by_label(const struct build *build)
{
	return build->options->key.by == PROF_BY_LABEL;
}

/* values */

/* No sum leaves int64 when the sum of all |value| does not. */
static bool sum_values(const struct build *build, struct side *side,
		       struct prof_error *err)
{
	const struct prof_profile *profile = side->profile;
	const uint32_t *of =
		by_label(build) ? profile->sample_set : profile->sample_stack;
	const int64_t *values = NULL;
	int64_t total = 0;

	side->count = by_label(build) ? profile->set_count : profile->stack_count;
	side->values = prof_alloc_array(side->count, sizeof(*side->values));
	if (!side->values) {
		return prof_fail_nomem(err);
	}
	if (profile->type_count == 0) {
		return true;
	}
	if (!prof_column_total(profile, side->column, &total, err)) {
		return false;
	}
	values = profile->values[side->column];
	for (uint32_t i = 0; i < profile->sample_count; i++) {
		side->values[of[i]] += values[i];
	}
	return true;
}

/* names */

static bool name_sets(struct build *build, struct side *side, struct prof_error *err)
{
	side->set_names = prof_alloc_array(side->count, sizeof(*side->set_names));
	if (!side->set_names) {
		return prof_fail_nomem(err);
	}
	for (uint32_t set = 0; set < side->count; set++) {
		if (side->values[set] != 0 &&
		    !prof_frames_add_label(&build->names, side->profile, set,
					   build->options->key.label,
					   &side->set_names[set], err)) {
			return false;
		}
	}
	return true;
}

static void mark_used(const struct side *side, bool *used)
{
	for (uint32_t stack = 0; stack < side->count; stack++) {
		struct prof_frames frames = prof_stack(side->profile, stack);

		for (size_t i = 0; i < frames.count && side->values[stack] != 0; i++) {
			used[frames.data[i]] = true;
		}
	}
}

static bool name_frames(struct build *build, struct side *side, struct prof_error *err)
{
	bool *used = prof_alloc_array(side->profile->location_count, sizeof(*used));
	bool ok = false;

	if (!used) {
		return prof_fail_nomem(err);
	}
	mark_used(side, used);
	ok = prof_frames_add(&build->names, side->profile, build->options->key.by, used,
			     &side->table, err);
	prof_free(used);
	return ok;
}

static void rank_names(const struct build *build, struct side *side)
{
	const uint32_t *rank = build->names.rank;
	uint64_t count = 0;

	if (side->set_names) {
		for (uint32_t set = 0; set < side->count; set++) {
			uint32_t *name = &side->set_names[set];

			*name = side->values[set] != 0 ? rank[*name] : 0;
		}
		return;
	}
	count = side->table.first[side->profile->location_count];
	for (uint64_t i = 0; i < count; i++) {
		side->table.names[i] = rank[side->table.names[i]];
	}
}

/* sequences */

static uint64_t stack_depth(const struct side *side, uint32_t stack)
{
	struct prof_frames frames = prof_stack(side->profile, stack);
	const uint64_t *first = side->table.first;
	uint64_t depth = 0;

	for (size_t i = 0; i < frames.count; i++) {
		depth += first[frames.data[i] + 1] - first[frames.data[i]];
	}
	return depth;
}

/* How many sequences and numbers a side has. */
static bool measure(const struct side *side, uint64_t *seqs, uint64_t *frames,
		    struct prof_error *err)
{
	uint64_t own = 0;
	uint64_t depths = 0;

	for (uint32_t i = 0; i < side->count; i++) {
		uint64_t depth = 1;

		if (side->values[i] == 0) {
			continue;
		}
		if (!side->set_names) {
			depth = stack_depth(side, i);
			own += prof_stack(side->profile, i).count;
		}
		depths += depth;
		if (depth >= UINT32_MAX ||
		    (depths > INLINE_FREE && depths / MAX_INLINE_RATIO > own)) {
			return prof_fail(
				err, PROF_ERR_LIMIT,
				"inlined calls make more than %d frames of one",
				MAX_INLINE_RATIO);
		}
		++*seqs;
	}
	*frames += depths;
	return true;
}

/* What one module does within itself is one frame by module. */
static uint32_t *unite(uint32_t *start, uint32_t *end)
{
	uint32_t *to = start;

	for (uint32_t *from = start; from < end; from++) {
		if (from == start || *from != to[-1]) {
			*to++ = *from;
		}
	}
	return to;
}

static uint32_t *expand(const struct side *side, uint32_t stack, uint32_t *to)
{
	struct prof_frames frames = prof_stack(side->profile, stack);
	const struct prof_frame_table *table = &side->table;

	for (size_t i = 0; i < frames.count; i++) {
		uint64_t at = table->first[frames.data[i]];
		uint64_t end = table->first[frames.data[i] + 1];

		do {
			*to++ = table->names[at++];
		} while (at < end);
	}
	return to;
}

static uint32_t *add_seqs(struct build *build, const struct side *side,
			  uint32_t *frames)
{
	for (uint32_t i = 0; i < side->count; i++) {
		uint32_t *start = frames;
		uint32_t id = build->seq_count;

		if (side->values[i] == 0) {
			continue;
		}
		if (side->set_names) {
			*frames++ = side->set_names[i];
		} else {
			frames = expand(side, i, frames);
		}
		if (build->options->key.by == PROF_BY_MODULE) {
			frames = unite(start, frames);
		}
		build->seqs[id] =
			(struct prof_seq){ start, (uint32_t)(frames - start), id };
		build->seq_values[id] = side->values[i];
		build->seq_count++;
	}
	return frames;
}

static bool make_seqs(struct build *build, struct prof_error *err)
{
	uint64_t seqs = 0;
	uint64_t frames = 0;
	uint32_t *to = NULL;

	for (uint32_t s = 0; s < build->side_count; s++) {
		if (!measure(&build->sides[s], &seqs, &frames, err)) {
			return false;
		}
	}
	if (seqs >= UINT32_MAX) {
		return prof_fail(err, PROF_ERR_LIMIT, "more than %u stacks",
				 UINT32_MAX);
	}
	build->frames =
		prof_realloc_array(NULL, (size_t)frames, sizeof(*build->frames));
	build->seqs = prof_realloc_array(NULL, (size_t)seqs, sizeof(*build->seqs));
	build->seq_values =
		prof_realloc_array(NULL, (size_t)seqs, sizeof(*build->seq_values));
	if (!build->frames || !build->seqs || !build->seq_values) {
		return prof_fail_nomem(err);
	}
	to = build->frames;
	for (uint32_t s = 0; s < build->side_count; s++) {
		build->side_start = build->seq_count;
		to = add_seqs(build, &build->sides[s], to);
	}
	return true;
}

/* nodes */

/* Allocated apart, because it is large, and freed with the tree. */
static void *own(struct prof_calltree *tree, size_t count, size_t size)
{
	return prof_arena_adopt(&tree->arena, prof_alloc_array(count, size));
}

static bool make_nodes(struct build *build, uint64_t count, struct prof_error *err)
{
	struct prof_calltree *tree = build->tree;

	if (count >= UINT32_MAX) {
		return prof_fail(err, PROF_ERR_LIMIT, "a tree of more than %u nodes",
				 UINT32_MAX);
	}
	tree->node_count = (uint32_t)count;
	tree->side_count = build->side_count;
	tree->nodes = own(tree, (size_t)count, sizeof(*tree->nodes));
	for (uint32_t s = 0; s < build->side_count; s++) {
		tree->total[s] = own(tree, (size_t)count, sizeof(*tree->total[s]));
		tree->self[s] = own(tree, (size_t)count, sizeof(*tree->self[s]));
	}
	if (!tree->nodes || !tree->total[0] || !tree->self[0] ||
	    (build->side_count == 2 && (!tree->total[1] || !tree->self[1]))) {
		return prof_fail_nomem(err);
	}
	return true;
}

/*
 * What each sorted sequence has in common with the one before goes to where its id
 * was, in an array by position; returns the number of nodes, the root's included.
 */
static uint64_t find_common(const struct build *build, uint32_t *common,
			    uint32_t *max_depth)
{
	bool backwards = !build->options->leaf_first;
	uint64_t nodes = 1;

	*max_depth = 0;
	for (uint32_t i = 0; i < build->seq_count; i++) {
		const struct prof_seq *seq = &build->seqs[i];

		common[i] = i > 0 ? prof_seq_common(seq - 1, seq, backwards) : 0;
		nodes += seq->len - common[i];
		if (seq->len > *max_depth) {
			*max_depth = seq->len;
		}
	}
	return nodes;
}

/* open[d] is the node at depth d on the path of the sequence before. */
static void add_nodes(const struct build *build, const uint32_t *common, uint32_t *open)
{
	struct prof_calltree *tree = build->tree;
	bool backwards = !build->options->leaf_first;
	uint32_t count = 1;

	open[0] = 0;
	for (uint32_t i = 0; i < build->seq_count; i++) {
		const struct prof_seq *seq = &build->seqs[i];
		uint32_t side = build->side_count == 2 && seq->id >= build->side_start;

		for (uint32_t d = common[i]; d < seq->len; d++) {
			tree->nodes[count] = (struct prof_tree_node){
				.name = seq->data[backwards ? seq->len - 1 - d : d],
				.parent = open[d],
				.end = count + 1,
				.depth = d + 1,
			};
			open[d + 1] = count++;
		}
		tree->self[side][open[seq->len]] += build->seq_values[seq->id];
	}
}

/* From the last node to the first every child is finished before its parent. */
static void add_up(struct prof_calltree *tree)
{
	struct prof_tree_node *nodes = tree->nodes;

	nodes[0].end = tree->node_count;
	for (uint32_t s = 0; s < tree->side_count; s++) {
		memcpy(tree->total[s], tree->self[s],
		       tree->node_count * sizeof(*tree->total[s]));
	}
	for (uint32_t i = tree->node_count - 1; i > 0; i--) {
		struct prof_tree_node *parent = &nodes[nodes[i].parent];

		if (parent->end < nodes[i].end) {
			parent->end = nodes[i].end;
		}
		for (uint32_t s = 0; s < tree->side_count; s++) {
			tree->total[s][nodes[i].parent] += tree->total[s][i];
		}
	}
}

static bool grow_tree(struct build *build, struct prof_error *err)
{
	uint32_t *common = prof_realloc_array(NULL, build->seq_count, sizeof(*common));
	uint32_t *open = NULL;
	uint64_t nodes = 0;
	bool ok = false;

	if (!common) {
		return prof_fail_nomem(err);
	}
	nodes = find_common(build, common, &build->tree->max_depth);
	open = prof_realloc_array(NULL, (size_t)build->tree->max_depth + 1,
				  sizeof(*open));
	if (!open) {
		(void)prof_fail_nomem(err);
	} else if (make_nodes(build, nodes, err)) {
		add_nodes(build, common, open);
		add_up(build->tree);
		ok = true;
	}
	prof_free(open);
	prof_free(common);
	return ok;
}

static bool run(struct build *build, struct prof_error *err)
{
	struct prof_calltree *tree = build->tree;

	for (uint32_t s = 0; s < build->side_count; s++) {
		struct side *side = &build->sides[s];

		if (!sum_values(build, side, err) ||
		    !(by_label(build) ? name_sets(build, side, err)
				      : name_frames(build, side, err))) {
			return false;
		}
	}
	if (!prof_frames_rank(&build->names, &tree->arena, &tree->names,
			      &tree->name_count, err)) {
		return false;
	}
	for (uint32_t s = 0; s < build->side_count; s++) {
		rank_names(build, &build->sides[s]);
	}
	return make_seqs(build, err) &&
	       prof_seqsort(build->seqs, build->seq_count, !build->options->leaf_first,
			    err) &&
	       grow_tree(build, err);
}

static void build_free(struct build *build)
{
	for (int s = 0; s < 2; s++) {
		prof_free(build->sides[s].values);
		prof_free(build->sides[s].set_names);
		prof_frame_table_free(&build->sides[s].table);
	}
	prof_frame_names_free(&build->names);
	prof_free(build->frames);
	prof_free(build->seqs);
	prof_free(build->seq_values);
}

static bool finish(struct build *build, struct prof_calltree **out,
		   struct prof_error *err)
{
	bool ok = false;

	build->tree = prof_alloc_array(1, sizeof(*build->tree));
	ok = build->tree ? run(build, err) : prof_fail_nomem(err);
	build_free(build);
	if (!ok) {
		prof_calltree_free(build->tree);
		return false;
	}
	*out = build->tree;
	return true;
}

bool prof_calltree_build(const struct prof_profile *profile,
			 const struct prof_calltree_options *options,
			 struct prof_calltree **out, struct prof_error *err)
{
	struct build build = {
		.options = options,
		.sides = { { .profile = profile, .column = options->column } },
		.side_count = 1,
	};

	return finish(&build, out, err);
}

bool prof_calltree_compare(const struct prof_profile *before,
			   const struct prof_profile *after, uint32_t before_column,
			   const struct prof_calltree_options *options,
			   struct prof_calltree **out, struct prof_error *err)
{
	struct build build = {
		.options = options,
		.sides = { { .profile = before, .column = before_column },
			   { .profile = after, .column = options->column } },
		.side_count = 2,
	};

	return finish(&build, out, err);
}

void prof_calltree_free(struct prof_calltree *tree)
{
	if (tree) {
		prof_arena_free(&tree->arena);
		prof_free(tree);
	}
}

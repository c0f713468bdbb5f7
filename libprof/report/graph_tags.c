/* SPDX-License-Identifier: MIT */
#include "libprof/report/graph_tags.h"

#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"

struct collector {
	struct prof_graph_work *work;
	struct prof_graph_tags *tags;
	bool *wanted;   /* per node */
	uint64_t *seen; /* per node: the last visit that met it */
	uint64_t visit; /* from 1 */
	uint32_t *near; /* wanted nodes of the stack at hand, each once */
	uint32_t near_count;
	uint32_t leaf; /* of the stack at hand, if wanted; or PROF_NONE */
};

static void meet(struct collector *collector, uint32_t node)
{
	if (collector->wanted[node] && collector->seen[node] != collector->visit) {
		collector->seen[node] = collector->visit;
		collector->near[collector->near_count++] = node;
	}
}

static void visit_path(struct collector *collector, uint32_t stack)
{
	const struct prof_graph_work *work = collector->work;
	uint32_t leaf = work->stack_leaf[stack];

	if (leaf != PROF_NONE && collector->wanted[leaf]) {
		collector->leaf = leaf;
	}
	for (uint32_t node = leaf; node != PROF_NONE; node = work->parent[node]) {
		meet(collector, node);
	}
}

static void visit_frames(struct collector *collector, uint32_t stack)
{
	const struct prof_graph_work *work = collector->work;
	struct prof_frames frames = prof_stack(work->profile, stack);

	for (size_t k = 0; k < frames.count; k++) {
		uint32_t end = work->first_frame[frames.data[k] + 1];

		for (uint32_t i = work->first_frame[frames.data[k]]; i < end; i++) {
			meet(collector, work->frames[i]);
		}
	}
	if (frames.count > 0) {
		uint32_t leaf = work->frames[work->first_frame[frames.data[0]]];

		collector->leaf = collector->wanted[leaf] ? leaf : PROF_NONE;
	}
}

/* The cell of a tag at a node, new or known. */
static bool find_cell(struct prof_graph_tags *tags, uint32_t node, uint32_t tag,
		      struct prof_graph_tag_cell **cell)
{
	uint64_t pair = (uint64_t)node << 32 | tag;
	uint64_t hash =
		prof_hash_mix(pair ^ PROF_HASH_A, prof_hash_seed() ^ PROF_HASH_B);
	struct prof_map_walk walk = prof_map_walk(&tags->cell_map, hash);
	uint32_t id;

	while (prof_map_next(&walk, &id)) {
		*cell = &tags->cells[id];
		if ((*cell)->node == node && (*cell)->tag == tag) {
			return true;
		}
	}
	id = tags->cell_count;
	if (id == PROF_NONE - 1 ||
	    !prof_reserve((void **)&tags->cells, &tags->cell_cap, (size_t)id + 1,
			  sizeof(*tags->cells)) ||
	    !prof_map_add(&tags->cell_map, hash, id)) {
		return false;
	}
	*cell = &tags->cells[id];
	**cell = (struct prof_graph_tag_cell){ .node = node, .tag = tag };
	tags->cell_count++;
	return true;
}

static bool add_tag(struct collector *collector, uint32_t tag, int64_t value,
		    int64_t div)
{
	struct prof_graph_tag_cell *cell;

	for (uint32_t i = 0; i < collector->near_count; i++) {
		if (!find_cell(collector->tags, collector->near[i], tag, &cell)) {
			return false;
		}
		cell->sums.cum += value;
		cell->sums.cum_div += div;
		if (collector->near[i] == collector->leaf) {
			cell->sums.flat += value;
			cell->sums.flat_div += div;
		}
	}
	return true;
}

static bool add_samples(struct collector *collector)
{
	const struct prof_graph_work *work = collector->work;
	const struct prof_profile *profile = work->profile;
	const struct prof_graph_tags *tags = collector->tags;
	uint32_t stack = PROF_NONE;

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		int64_t value = profile->values[work->options->column][i];
		int64_t div = work->options->mean ? profile->values[0][i] : 0;
		uint32_t set = profile->sample_set[i];

		if (tags->set_first[set] == tags->set_first[set + 1] ||
		    (value == 0 && div == 0)) {
			continue;
		}
		if (profile->sample_stack[i] != stack) {
			stack = profile->sample_stack[i];
			collector->visit++;
			collector->near_count = 0;
			collector->leaf = PROF_NONE;
			(work->parent ? visit_path : visit_frames)(collector, stack);
		}
		for (uint32_t k = tags->set_first[set]; k < tags->set_first[set + 1];
		     k++) {
			if (!add_tag(collector, tags->set_tags[k], value, div)) {
				return false;
			}
		}
	}
	return true;
}

/* Forget cells below the cutoff; count those of each node with a flat value. */
static void drop_light(const struct prof_graph_work *work, struct prof_graph_tags *tags)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < tags->cell_count; i++) {
		const struct prof_graph_tag_cell *cell = &tags->cells[i];

		if (prof_graph_abs(cell->sums.flat) < work->node_cutoff &&
		    prof_graph_abs(cell->sums.cum) < work->node_cutoff) {
			continue;
		}
		tags->flat_counts[cell->node] += cell->sums.flat != 0;
		tags->cells[count++] = *cell;
	}
	tags->cell_count = count;
}

bool prof_graph_collect_tags(struct prof_graph_work *work, uint32_t count,
			     struct prof_error *err)
{
	size_t nodes = (size_t)work->node_count + 1;
	struct prof_graph_tags *tags = prof_alloc_array(1, sizeof(*tags));
	struct collector collector = {
		.work = work,
		.tags = tags,
		.wanted = prof_alloc_array(nodes, sizeof(*collector.wanted)),
		.seen = prof_alloc_array(nodes, sizeof(*collector.seen)),
		.near = prof_alloc_array((size_t)count + 1, sizeof(*collector.near)),
	};
	bool ok = tags && collector.wanted && collector.seen && collector.near;

	prof_graph_tags_free(work->tags);
	work->tags = tags;
	if (ok) {
		tags->flat_counts = prof_alloc_array(nodes, sizeof(uint32_t));
		ok = tags->flat_counts != NULL;
	}
	for (uint32_t i = 0; ok && i < count; i++) {
		collector.wanted[work->list[i]] = true;
	}
	if (!ok) {
		prof_error_set(err, PROF_ERR_NOMEM, "out of memory");
	}
	ok = ok && prof_graph_find_tags(work, tags, err);
	if (ok && !add_samples(&collector)) {
		ok = prof_fail_nomem(err);
	}
	if (ok) {
		drop_light(work, tags);
	}
	prof_free(collector.wanted);
	prof_free(collector.seen);
	prof_free(collector.near);
	return ok;
}

uint32_t prof_graph_flat_tags(const struct prof_graph_work *work, uint32_t node)
{
	return work->tags ? work->tags->flat_counts[node] : 0;
}

void prof_graph_tags_free(struct prof_graph_tags *tags)
{
	if (!tags) {
		return;
	}
	prof_strings_free(&tags->names);
	prof_strings_free(&tags->texts);
	prof_free(tags->keys);
	prof_map_free(&tags->key_map);
	prof_free(tags->set_first);
	prof_free(tags->set_tags);
	prof_free(tags->cells);
	prof_map_free(&tags->cell_map);
	prof_free(tags->flat_counts);
	prof_free(tags);
}

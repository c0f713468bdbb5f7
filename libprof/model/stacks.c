/* SPDX-License-Identifier: MIT */
#include "libprof/model/stacks.h"

#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"

enum {
	GROUP = 64,        /* stacks whose cache misses overlap */
	LINE_FRAMES = 16,  /* in a cache line */
	EARLY_FRAMES = 256 /* of a stack that are pulled in */
};

struct span {
	const uint32_t *frames;
	uint32_t count;
	uint64_t hash;
};

static bool same_stack(const struct prof_stacks *stacks, uint32_t id,
		       const struct span *span)
{
	uint64_t first = stacks->ends[id];

	return stacks->ends[id + 1] - first == span->count &&
	       (span->count == 0 || memcmp(stacks->frames + first, span->frames,
					   span->count * sizeof(*span->frames)) == 0);
}

static uint32_t append_stack(struct prof_stacks *stacks, const struct span *span)
{
	uint32_t id = stacks->count;
	uint64_t first = id > 0 ? stacks->ends[id] : 0;

	if (id >= UINT32_MAX - 1 ||
	    !prof_reserve((void **)&stacks->ends, &stacks->end_cap, (size_t)id + 2,
			  sizeof(*stacks->ends)) ||
	    !prof_reserve((void **)&stacks->frames, &stacks->frame_cap,
			  (size_t)first + span->count + 1, sizeof(*stacks->frames)) ||
	    !prof_map_add(&stacks->map, span->hash, id)) {
		stacks->failed = true;
		return 0;
	}
	if (span->count > 0) {
		memcpy(stacks->frames + first, span->frames,
		       span->count * sizeof(*span->frames));
	}
	stacks->ends[id] = first;
	stacks->ends[id + 1] = first + span->count;
	stacks->count++;
	return id;
}

static uint32_t intern_stack(struct prof_stacks *stacks, const struct span *span)
{
	struct prof_map_walk walk = prof_map_walk(&stacks->map, span->hash);
	uint32_t id = 0;

	while (prof_map_next(&walk, &id)) {
		if (same_stack(stacks, id, span)) {
			return id;
		}
	}
	return append_stack(stacks, span);
}

/* Pull in what intern_stack() will touch: the slots are already on their way. */
static void prefetch_keys(const struct prof_stacks *stacks, const struct span *spans,
			  uint32_t count)
{
	uint32_t ids[GROUP];
	uint32_t depths[GROUP];
	uint32_t found = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct prof_map_walk walk = prof_map_walk(&stacks->map, spans[i].hash);

		if (prof_map_next(&walk, &ids[found])) {
			__builtin_prefetch(&stacks->ends[ids[found]]);
			depths[found++] = spans[i].count < EARLY_FRAMES ? spans[i].count
									: EARLY_FRAMES;
		}
	}
	for (uint32_t i = 0; i < found; i++) {
		const uint32_t *frames = stacks->frames + stacks->ends[ids[i]];

		for (uint32_t at = 0; at <= depths[i]; at += LINE_FRAMES) {
			__builtin_prefetch(frames + at);
		}
	}
}

static void add_group(struct prof_stacks *stacks, struct span *spans, uint32_t count,
		      uint32_t *ids)
{
	uint64_t seed = prof_hash_seed();

	for (uint32_t i = 0; i < count; i++) {
		spans[i].hash =
			prof_hash(spans[i].frames,
				  spans[i].count * sizeof(*spans[i].frames), seed);
		prof_map_prefetch(&stacks->map, spans[i].hash);
	}
	prefetch_keys(stacks, spans, count);
	for (uint32_t i = 0; i < count; i++) {
		ids[i] = intern_stack(stacks, &spans[i]);
	}
}

void prof_stacks_add(struct prof_stacks *stacks, const uint32_t *frames,
		     const uint32_t *ends, uint32_t count, uint32_t *ids)
{
	struct span spans[GROUP];
	uint32_t first = 0;

	for (uint32_t done = 0; done < count; done += GROUP) {
		uint32_t group = count - done < GROUP ? count - done : GROUP;

		for (uint32_t i = 0; i < group; i++) {
			uint32_t end = ends[done + i];

			spans[i] = (struct span){ frames + first, end - first, 0 };
			first = end;
		}
		add_group(stacks, spans, group, ids + done);
	}
}

void prof_stacks_free(struct prof_stacks *stacks)
{
	prof_free(stacks->frames);
	prof_free(stacks->ends);
	prof_map_free(&stacks->map);
	*stacks = (struct prof_stacks){ 0 };
}

static uint64_t hash_labels(const struct prof_label *labels, uint32_t count)
{
	uint64_t hash = prof_hash_seed();

	for (uint32_t i = 0; i < count; i++) {
		uint64_t key = (uint64_t)labels[i].key << 32 | labels[i].text;

		hash = prof_hash_mix(hash ^ key, PROF_HASH_A ^ labels[i].unit);
		hash = prof_hash_mix(hash ^ (uint64_t)labels[i].number, PROF_HASH_B);
	}
	return hash;
}

static bool same_labels(const struct prof_label *a, const struct prof_label *b,
			uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (a[i].key != b[i].key || a[i].text != b[i].text ||
		    a[i].number != b[i].number || a[i].unit != b[i].unit) {
			return false;
		}
	}
	return true;
}

static bool append_set(struct prof_sets *sets, const struct prof_label *labels,
		       uint32_t count, uint64_t hash)
{
	uint32_t id = sets->count;
	uint32_t first = id > 0 ? sets->ends[id] : 0;

	if (id >= UINT32_MAX - 1 || count > UINT32_MAX - first ||
	    !prof_reserve((void **)&sets->ends, &sets->end_cap, (size_t)id + 2,
			  sizeof(*sets->ends)) ||
	    !prof_reserve((void **)&sets->labels, &sets->label_cap,
			  (size_t)first + count + 1, sizeof(*sets->labels)) ||
	    !prof_map_add(&sets->map, hash, id)) {
		sets->failed = true;
		return false;
	}
	if (count > 0) {
		memcpy(sets->labels + first, labels, count * sizeof(*labels));
	}
	sets->ends[id] = first;
	sets->ends[id + 1] = first + count;
	sets->count++;
	return true;
}

uint32_t prof_sets_add(struct prof_sets *sets, const struct prof_label *labels,
		       uint32_t count)
{
	uint64_t hash = 0;
	struct prof_map_walk walk = { 0 };
	uint32_t id = 0;

	if (sets->failed ||
	    (sets->count == 0 && !append_set(sets, NULL, 0, hash_labels(NULL, 0)))) {
		return 0;
	}
	if (count == 0) {
		return 0;
	}
	hash = hash_labels(labels, count);
	walk = prof_map_walk(&sets->map, hash);
	while (prof_map_next(&walk, &id)) {
		uint32_t first = sets->ends[id];

		if (sets->ends[id + 1] - first == count &&
		    same_labels(sets->labels + first, labels, count)) {
			return id;
		}
	}
	id = sets->count;
	return append_set(sets, labels, count, hash) ? id : 0;
}

static bool label_after(const struct prof_label *a, const struct prof_label *b,
			const struct prof_text *strings)
{
	if ((a->text == 0) != (b->text == 0)) {
		return a->text == 0;
	}
	return a->key != b->key &&
	       prof_text_compare(strings[a->key], strings[b->key]) > 0;
}

/* Merge two sorted runs, the left one first among equals. */
static void merge_runs(const struct prof_label *from, struct prof_label *to,
		       size_t middle, size_t end, const struct prof_text *strings)
{
	size_t left = 0;
	size_t right = middle;

	for (size_t i = 0; i < end; i++) {
		bool take_right = left == middle ||
				  (right < end &&
				   label_after(&from[left], &from[right], strings));

		to[i] = take_right ? from[right++] : from[left++];
	}
}

/* For the odd sample with very many labels: bottom-up merge sort, O(n log n). */
static bool sort_many(struct prof_label *labels, size_t count,
		      const struct prof_text *strings)
{
	struct prof_label *from = labels;
	struct prof_label *spare = prof_alloc_array(count, sizeof(*spare));
	struct prof_label *to = spare;

	if (!spare) {
		return false;
	}
	for (size_t width = 1; width < count; width *= 2) {
		struct prof_label *swap = from;

		for (size_t at = 0; at < count; at += 2 * width) {
			size_t end = count - at < 2 * width ? count - at : 2 * width;

			merge_runs(from + at, to + at, end < width ? end : width, end,
				   strings);
		}
		from = to;
		to = swap;
	}
	if (from != labels) {
		memcpy(labels, from, count * sizeof(*labels));
	}
	prof_free(spare);
	return true;
}

void prof_labels_sort(struct prof_label *labels, size_t count,
		      const struct prof_text *strings)
{
	if (count > 32 && sort_many(labels, count, strings)) {
		return;
	}
	for (size_t i = 1; i < count; i++) {
		struct prof_label label = labels[i];
		size_t at = i;

		for (; at > 0 && label_after(&labels[at - 1], &label, strings); at--) {
			labels[at] = labels[at - 1];
		}
		labels[at] = label;
	}
}

void prof_sets_free(struct prof_sets *sets)
{
	prof_free(sets->labels);
	prof_free(sets->ends);
	prof_map_free(&sets->map);
	*sets = (struct prof_sets){ 0 };
}

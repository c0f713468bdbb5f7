/* SPDX-License-Identifier: MIT */
#include "libprof/report/summary.h"

#include <stdlib.h>

#include "libprof/base/alloc.h"

static void count_locations(const struct prof_profile *profile,
			    struct prof_summary *summary)
{
	for (uint32_t i = 0; i < profile->location_count; i++) {
		size_t lines = prof_location_lines(profile, i).count;

		summary->inlined += lines > 1;
		summary->unsymbolized += lines == 0;
	}
}

static void count_samples(const struct prof_profile *profile,
			  struct prof_summary *summary)
{
	summary->min_depth = profile->sample_count > 0 ? UINT32_MAX : 0;
	for (uint32_t i = 0; i < profile->sample_count; i++) {
		uint32_t depth =
			(uint32_t)prof_stack(profile, profile->sample_stack[i]).count;

		summary->frames += depth;
		if (depth > summary->max_depth) {
			summary->max_depth = depth;
		}
		if (depth < summary->min_depth) {
			summary->min_depth = depth;
		}
		for (uint32_t c = 0; c < profile->type_count; c++) {
			summary->nonzero[c] += profile->values[c][i] != 0;
			summary->negative |= profile->values[c][i] < 0;
		}
	}
}

static int label_order(const void *left, const void *right)
{
	const struct prof_label *a = left;
	const struct prof_label *b = right;

	if (a->key != b->key) {
		return a->key < b->key ? -1 : 1;
	}
	if (a->text != b->text) {
		return a->text < b->text ? -1 : 1;
	}
	if (a->unit != b->unit) {
		return a->unit < b->unit ? -1 : 1;
	}
	return (a->number > b->number) - (a->number < b->number);
}

static int key_order(const void *left, const void *right, void *context)
{
	const struct prof_profile *profile = context;
	const struct prof_label_key *a = left;
	const struct prof_label_key *b = right;

	return prof_text_compare(prof_string(profile, a->key),
				 prof_string(profile, b->key));
}

/* `labels` are sorted: a run of one key becomes one entry. */
static void count_values(struct prof_summary *summary, const struct prof_label *labels,
			 uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		bool new_key = i == 0 || labels[i].key != labels[i - 1].key;
		struct prof_label_key *key = NULL;

		if (new_key) {
			summary->keys[summary->key_count++].key = labels[i].key;
		}
		key = &summary->keys[summary->key_count - 1];
		key->values += new_key || label_order(&labels[i], &labels[i - 1]) != 0;
		key->text |= labels[i].text != 0;
		key->number |= labels[i].text == 0;
	}
}

/* Samples per key: through the position of each key among the sorted ones. */
static void count_users(const struct prof_profile *profile,
			struct prof_summary *summary, uint32_t *position)
{
	for (uint32_t k = 0; k < summary->key_count; k++) {
		position[summary->keys[k].key] = k;
	}
	for (uint32_t i = 0; i < profile->sample_count; i++) {
		struct prof_labels labels =
			prof_label_set(profile, profile->sample_set[i]);

		for (size_t l = 0; l < labels.count; l++) {
			bool again =
				l > 0 && labels.data[l].key == labels.data[l - 1].key;

			summary->keys[position[labels.data[l].key]].samples += !again;
		}
	}
}

static bool count_labels(const struct prof_profile *profile,
			 struct prof_summary *summary)
{
	uint32_t count = profile->set_ends[profile->set_count];
	struct prof_label *sorted = prof_alloc_array(count, sizeof(*sorted));
	uint32_t *position = prof_alloc_array(profile->string_count, sizeof(*position));

	summary->keys =
		prof_arena_array(&summary->arena, count, sizeof(*summary->keys));
	if (sorted && position && summary->keys) {
		if (count > 0) {
			memcpy(sorted, profile->labels, count * sizeof(*sorted));
		}
		qsort(sorted, count, sizeof(*sorted), label_order);
		count_values(summary, sorted, count);
		qsort_r(summary->keys, summary->key_count, sizeof(*summary->keys),
			key_order, (void *)(uintptr_t)profile);
		count_users(profile, summary, position);
	}
	prof_free(position);
	prof_free(sorted);
	return sorted && position && summary->keys;
}

bool prof_summarize(const struct prof_profile *profile, struct prof_summary *out,
		    struct prof_error *err)
{
	struct prof_summary summary = { 0 };
	size_t types = profile->type_count;
	bool ok = true;

	summary.total = prof_arena_array(&summary.arena, types, sizeof(*summary.total));
	summary.nonzero =
		prof_arena_array(&summary.arena, types, sizeof(*summary.nonzero));
	if (summary.arena.failed || !count_labels(profile, &summary)) {
		prof_arena_free(&summary.arena);
		return prof_fail_nomem(err);
	}
	count_locations(profile, &summary);
	count_samples(profile, &summary);
	for (uint32_t c = 0; ok && c < profile->type_count; c++) {
		ok = prof_column_total(profile, c, &summary.total[c], err);
	}
	if (!ok) {
		prof_arena_free(&summary.arena);
		return false;
	}
	*out = summary;
	return true;
}

void prof_summary_free(struct prof_summary *summary)
{
	prof_arena_free(&summary->arena);
	*summary = (struct prof_summary){ 0 };
}

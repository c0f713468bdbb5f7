/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"
#include "libprof/model/tagfilter.h"
#include "libprof/model/unit.h"
#include "libprof/report/graph_tags.h"

struct finder {
	const struct prof_graph_work *work;
	const struct prof_profile *profile;
	struct prof_graph_tags *tags;
	struct prof_error *err;

	bool *used;         /* per set: some sample of it counts */
	int64_t *weights;   /* per set: sum of |value| */
	int64_t *buckets;   /* sums of weights by hash of the texts */
	uint64_t mask;      /* buckets - 1 */
	uint32_t base_key;  /* string "pprof::base"; PROF_NONE: nobody has it */
	uint32_t bytes_key; /* string "bytes" */
	struct prof_text show;

	struct prof_text *parts; /* "key:value" of the set at hand */
	size_t part_cap;
	struct prof_buf joined;
	struct prof_buf scratch;
	struct prof_map number_map; /* number -> number_texts */
	struct number_text *number_texts;
	size_t number_cap;
	uint32_t number_count;
};

struct number_text {
	int64_t number;
	uint32_t text; /* of tags->texts */
};

static uint32_t find_string(const struct prof_profile *profile, const char *what)
{
	for (uint32_t i = 0; i < profile->string_count; i++) {
		if (prof_text_equal(prof_string(profile, i), prof_text(what))) {
			return i;
		}
	}
	return PROF_NONE;
}

static void weigh_sets(struct finder *finder)
{
	const struct prof_profile *profile = finder->profile;
	const struct prof_graph_options *options = finder->work->options;

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		int64_t value = profile->values[options->column][i];
		int64_t div = options->mean ? profile->values[0][i] : 0;
		uint32_t set = profile->sample_set[i];

		finder->weights[set] += prof_graph_abs(value);
		finder->used[set] |= value != 0 || div != 0;
	}
}

static bool is_text(const struct finder *finder, const struct prof_label *label)
{
	return label->text != 0 && label->key != finder->base_key;
}

/* The bucket of a set's texts, whatever their order. */
static int64_t *bucket(const struct finder *finder, uint32_t set)
{
	struct prof_labels labels = prof_label_set(finder->profile, set);
	uint64_t hash = 0;

	for (size_t k = 0; k < labels.count; k++) {
		const struct prof_label *label = &labels.data[k];
		uint64_t pair = (uint64_t)label->key << 32 | label->text;

		if (is_text(finder, label)) {
			hash += prof_hash_mix(pair ^ PROF_HASH_A,
					      prof_hash_seed() ^ PROF_HASH_B);
		}
	}
	return &finder->buckets[(hash >> 32) & finder->mask];
}

static int text_order(const void *left, const void *right)
{
	const struct prof_text *a = left;
	const struct prof_text *b = right;

	return prof_text_compare(*a, *b);
}

/* The texts of a set as "key:value", sorted, joined by a backslash and an n. */
static bool join_texts(struct finder *finder, struct prof_labels labels, uint32_t *name)
{
	struct prof_buf *bytes = &finder->scratch;
	size_t count = 0;
	size_t start = 0;

	prof_buf_clear(bytes);
	prof_buf_clear(&finder->joined);
	if (!prof_reserve((void **)&finder->parts, &finder->part_cap, labels.count,
			  sizeof(*finder->parts))) {
		return false;
	}
	for (size_t k = 0; k < labels.count; k++) {
		const struct prof_label *label = &labels.data[k];
		struct prof_text key = prof_string(finder->profile, label->key);
		struct prof_text text = prof_string(finder->profile, label->text);

		if (is_text(finder, label)) {
			prof_buf_add(bytes, key.data, key.len);
			prof_buf_addc(bytes, ':');
			prof_buf_add(bytes, text.data, text.len);
			finder->parts[count++].len = key.len + 1 + text.len;
		}
	}
	for (size_t i = 0; i < count; i++) {
		finder->parts[i].data = bytes->data + start;
		start += finder->parts[i].len;
	}
	if (bytes->failed) {
		return false;
	}
	if (count > 1) {
		qsort(finder->parts, count, sizeof(*finder->parts), text_order);
	}
	for (size_t i = 0; i < count; i++) {
		prof_buf_adds(&finder->joined, i > 0 ? "\\n" : "");
		prof_buf_add(&finder->joined, finder->parts[i].data,
			     finder->parts[i].len);
	}
	*name = prof_strings_add(
		&finder->tags->names,
		(struct prof_text){ finder->joined.data, finder->joined.len });
	return !finder->joined.failed && !finder->tags->names.failed;
}

/* How a number is shown: formatted once per distinct number. */
static bool number_text(struct finder *finder, int64_t number, uint32_t *text)
{
	uint64_t hash = prof_hash_mix((uint64_t)number ^ PROF_HASH_A,
				      prof_hash_seed() ^ PROF_HASH_B);
	struct prof_map_walk walk = prof_map_walk(&finder->number_map, hash);
	uint32_t id;

	while (prof_map_next(&walk, &id)) {
		if (finder->number_texts[id].number == number) {
			*text = finder->number_texts[id].text;
			return true;
		}
	}
	prof_buf_clear(&finder->scratch);
	prof_unit_label(&finder->scratch, number, finder->tags->bytes_unit,
			finder->show);
	*text = prof_strings_add(
		&finder->tags->texts,
		(struct prof_text){ finder->scratch.data, finder->scratch.len });
	id = finder->number_count;
	if (finder->scratch.failed || finder->tags->texts.failed ||
	    !prof_reserve((void **)&finder->number_texts, &finder->number_cap,
			  (size_t)id + 1, sizeof(*finder->number_texts))) {
		return false;
	}
	finder->number_texts[id] = (struct number_text){ number, *text };
	finder->number_count++;
	return prof_map_add(&finder->number_map, hash, id);
}

/* The tag (name, text), new or known. */
static bool find_key(struct prof_graph_tags *tags, const struct prof_graph_tag_key *key,
		     uint32_t *id)
{
	uint64_t pair = (uint64_t)key->name << 32 | key->text;
	uint64_t hash =
		prof_hash_mix(pair ^ PROF_HASH_A, prof_hash_seed() ^ PROF_HASH_B);
	struct prof_map_walk walk = prof_map_walk(&tags->key_map, hash);

	while (prof_map_next(&walk, id)) {
		if (tags->keys[*id].name == key->name &&
		    tags->keys[*id].text == key->text) {
			return true;
		}
	}
	*id = tags->key_count;
	if (!prof_reserve((void **)&tags->keys, &tags->key_cap, (size_t)*id + 1,
			  sizeof(*tags->keys)) ||
	    !prof_map_add(&tags->key_map, hash, *id)) {
		return false;
	}
	tags->keys[*id] = *key;
	tags->key_count++;
	return true;
}

/* Append a tag to those of the set at hand, and the set's weight to the tag's. */
static bool add_tag(struct finder *finder, const struct prof_graph_tag_key *key,
		    int64_t weight)
{
	struct prof_graph_tags *tags = finder->tags;
	int64_t *sum;
	uint32_t id;

	if (!find_key(tags, key, &id) ||
	    !prof_reserve((void **)&tags->set_tags, &tags->set_tag_cap,
			  (size_t)tags->set_tag_count + 1, sizeof(*tags->set_tags))) {
		return false;
	}
	tags->set_tags[tags->set_tag_count++] = id;
	sum = &tags->keys[id].sum;
	if (__builtin_add_overflow(*sum, weight, sum)) {
		*sum = INT64_MAX;
	}
	return true;
}

static bool find_set(struct finder *finder, uint32_t set)
{
	struct prof_labels labels = prof_label_set(finder->profile, set);
	int64_t weight = finder->weights[set];
	struct prof_graph_tag_key key = { 0 };

	if (!join_texts(finder, labels, &key.name) ||
	    (key.name != 0 && !add_tag(finder, &key, weight))) {
		return false;
	}
	for (size_t k = 0; k < labels.count; k++) {
		const struct prof_label *label = &labels.data[k];

		if (label->text != 0 || label->key != finder->bytes_key) {
			continue;
		}
		key.number = label->number;
		if (!number_text(finder, key.number, &key.text) ||
		    !add_tag(finder, &key, weight)) {
			return false;
		}
	}
	return true;
}

static bool find_sets(struct finder *finder)
{
	struct prof_graph_tags *tags = finder->tags;
	int64_t cutoff = finder->work->node_cutoff;
	bool ok = true;

	weigh_sets(finder);
	for (uint32_t s = 0; s < finder->profile->set_count; s++) {
		*bucket(finder, s) += finder->weights[s];
	}
	for (uint32_t s = 0; ok && s < finder->profile->set_count; s++) {
		tags->set_first[s] = tags->set_tag_count;
		ok = !finder->used[s] || *bucket(finder, s) < cutoff ||
		     find_set(finder, s);
	}
	tags->set_first[finder->profile->set_count] = tags->set_tag_count;
	return ok && tags->set_tag_count < PROF_NONE - 1;
}

/* Forget tags that cannot reach the cutoff at any node. */
static void drop_light(struct finder *finder)
{
	struct prof_graph_tags *tags = finder->tags;
	uint32_t count = 0;
	uint32_t at = 0;

	for (uint32_t s = 0; s < finder->profile->set_count; s++) {
		tags->set_first[s] = count;
		for (; at < tags->set_first[s + 1]; at++) {
			uint32_t tag = tags->set_tags[at];

			if (tags->keys[tag].sum >= finder->work->node_cutoff) {
				tags->set_tags[count++] = tag;
			}
		}
	}
	tags->set_first[finder->profile->set_count] = count;
	tags->set_tag_count = count;
}

static bool find_unit(struct finder *finder)
{
	const struct prof_graph_options *options = finder->work->options;
	struct prof_tag_units units = { 0 };

	finder->tags->bytes_unit = options->bytes_unit;
	finder->show =
		options->bytes_show.data ? options->bytes_show : prof_text("minimum");
	if (options->bytes_unit.len > 0 || finder->bytes_key == PROF_NONE) {
		return true;
	}
	if (!prof_tag_units_init(&units, finder->profile, finder->err)) {
		return false;
	}
	finder->tags->bytes_unit =
		prof_tag_unit(&units, finder->profile, finder->bytes_key);
	prof_tag_units_free(&units);
	return true;
}

static bool allocate(struct finder *finder)
{
	uint32_t sets = finder->profile->set_count;
	uint64_t count = 16;

	while (count < (uint64_t)sets * 2) {
		count *= 2;
	}
	finder->mask = count - 1;
	finder->used = prof_alloc_array((size_t)sets + 1, sizeof(*finder->used));
	finder->weights = prof_alloc_array((size_t)sets + 1, sizeof(*finder->weights));
	finder->buckets = prof_alloc_array((size_t)count, sizeof(*finder->buckets));
	finder->tags->set_first =
		prof_alloc_array((size_t)sets + 1, sizeof(*finder->tags->set_first));
	return finder->used && finder->weights && finder->buckets &&
	       finder->tags->set_first;
}

bool prof_graph_find_tags(const struct prof_graph_work *work,
			  struct prof_graph_tags *tags, struct prof_error *err)
{
	struct finder finder = {
		.work = work,
		.profile = work->profile,
		.tags = tags,
		.err = err,
		.base_key = find_string(work->profile, "pprof::base"),
		.bytes_key = find_string(work->profile, "bytes"),
	};
	bool ok;

	prof_error_set(err, PROF_ERR_NOMEM, "out of memory");
	ok = allocate(&finder) && find_unit(&finder) && find_sets(&finder);
	if (ok) {
		drop_light(&finder);
	}
	prof_map_free(&finder.number_map);
	prof_free(finder.number_texts);
	prof_buf_free(&finder.scratch);
	prof_buf_free(&finder.joined);
	prof_free(finder.parts);
	prof_free(finder.buckets);
	prof_free(finder.weights);
	prof_free(finder.used);
	return ok;
}

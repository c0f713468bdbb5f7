/* SPDX-License-Identifier: MIT */
#include "libprof/model/amend.h"

#include <assert.h>
#include <math.h>

#include "libprof/base/alloc.h"
#include "libprof/model/stacks.h"

/* A copy in the profile's arena of `count` items, with room for `more` behind them. */
static void *grown(struct prof_profile *profile, const void *items, size_t count,
		   size_t more, size_t size)
{
	char *copy = prof_arena_array(&profile->arena, count + more, size);

	if (copy && count > 0) {
		memcpy(copy, items, count * size);
	}
	return copy;
}

bool prof_amend_string(struct prof_profile *profile, struct prof_text text,
		       uint32_t *id, struct prof_error *err)
{
	struct prof_text *strings = NULL;
	char *copy = NULL;

	for (uint32_t i = 0; i < profile->string_count; i++) {
		if (prof_text_equal(profile->strings[i], text)) {
			*id = i;
			return true;
		}
	}
	strings = grown(profile, profile->strings, profile->string_count, 1,
			sizeof(*strings));
	copy = prof_arena_copy(&profile->arena, text.data, text.len);
	if (!strings || !copy) {
		return prof_fail_nomem(err);
	}
	strings[profile->string_count] = (struct prof_text){ copy, text.len };
	profile->strings = strings;
	*id = profile->string_count++;
	return true;
}

bool prof_amend_mapping(struct prof_profile *profile, struct prof_error *err)
{
	struct prof_mapping *mapping = NULL;

	if (profile->mapping_count > 0) {
		return true;
	}
	mapping = prof_arena_array(&profile->arena, 1, sizeof(*mapping));
	if (!mapping) {
		return prof_fail_nomem(err);
	}
	mapping->id = 1;
	profile->mappings = mapping;
	profile->mapping_count = 1;
	for (uint32_t i = 0; i < profile->location_count; i++) {
		profile->locations[i].mapping = 0;
	}
	return true;
}

bool prof_amend_comment(struct prof_profile *profile, struct prof_text text,
			struct prof_error *err)
{
	struct prof_header *header = &profile->header;
	uint32_t *comments = grown(profile, header->comments, header->comment_count, 1,
				   sizeof(*comments));

	if (!comments) {
		return prof_fail_nomem(err);
	}
	if (!prof_amend_string(profile, text, &comments[header->comment_count], err)) {
		return false;
	}
	header->comments = comments;
	header->comment_count++;
	return true;
}

/* Copy the labels of a set but the texts of `key`, and behind them the new label. */
static uint32_t relabel(const struct prof_profile *profile, uint32_t set,
			const struct prof_label *label, struct prof_label *out)
{
	struct prof_labels labels = prof_label_set(profile, set);
	uint32_t count = 0;

	for (size_t i = 0; i < labels.count; i++) {
		if (labels.data[i].key != label->key || labels.data[i].text == 0) {
			out[count++] = labels.data[i];
		}
	}
	out[count++] = *label;
	prof_labels_sort(out, count, profile->strings);
	return count;
}

bool prof_amend_label(struct prof_profile *profile, struct prof_text key,
		      struct prof_text text, struct prof_error *err)
{
	struct prof_arena *arena = &profile->arena;
	uint32_t sets = profile->set_count;
	uint32_t old = sets > 0 ? profile->set_ends[sets] : 0;
	struct prof_label label = { 0 };
	struct prof_label *labels = NULL;
	uint32_t *ends = NULL;

	if (sets >= UINT32_MAX - 1 || old >= UINT32_MAX - sets) {
		return prof_fail(err, PROF_ERR_LIMIT, "too many labels");
	}
	if (!prof_amend_string(profile, key, &label.key, err) ||
	    !prof_amend_string(profile, text, &label.text, err)) {
		return false;
	}
	labels = prof_arena_array(arena, (size_t)old + sets + 1, sizeof(*labels));
	ends = prof_arena_array(arena, (size_t)sets + 2, sizeof(*ends));
	if (!labels || !ends) {
		return prof_fail_nomem(err);
	}
	/* set 0 stays the empty one: the others move up */
	for (uint32_t s = 0; s < sets; s++) {
		ends[s + 2] =
			ends[s + 1] + relabel(profile, s, &label, labels + ends[s + 1]);
	}
	for (uint32_t i = 0; i < profile->sample_count; i++) {
		profile->sample_set[i]++;
	}
	profile->labels = labels;
	profile->set_ends = ends;
	profile->set_count = sets + 1;
	return true;
}

bool prof_amend_columns(struct prof_profile *profile, const uint32_t *columns,
			uint32_t count, struct prof_error *err)
{
	struct prof_value_type *types =
		prof_arena_array(&profile->arena, count, sizeof(*types));
	int64_t **values = prof_arena_array(&profile->arena, count, sizeof(*values));

	if (!types || !values) {
		return prof_fail_nomem(err);
	}
	for (uint32_t c = 0; c < count; c++) {
		assert(columns[c] < profile->type_count);
		types[c] = profile->types[columns[c]];
		values[c] = profile->values ? profile->values[columns[c]] : NULL;
	}
	profile->types = types;
	profile->values = values;
	profile->type_count = count;
	return true;
}

static bool scale_column(const struct prof_profile *profile, uint32_t column,
			 double ratio, struct prof_error *err)
{
	struct prof_text type = prof_string(profile, profile->types[column].type);
	int64_t *values = profile->values[column];

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		double scaled = round((double)values[i] * ratio);

		if (!(fabs(scaled) < 0x1p63)) {
			return prof_fail(err, PROF_ERR_LIMIT,
					 "a scaled '%.*s' value does not fit 64 bits",
					 (int)type.len, type.data);
		}
		values[i] = (int64_t)scaled;
	}
	return true;
}

static bool says_something(const struct prof_profile *profile, const double *ratios,
			   uint32_t sample)
{
	for (uint32_t c = 0; c < profile->type_count; c++) {
		if (ratios[c] != 1 && profile->values[c][sample] != 0) {
			return true;
		}
	}
	return false;
}

static void drop_samples(struct prof_profile *profile, const double *ratios)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		if (!says_something(profile, ratios, i)) {
			continue;
		}
		profile->sample_stack[kept] = profile->sample_stack[i];
		profile->sample_set[kept] = profile->sample_set[i];
		for (uint32_t c = 0; c < profile->type_count; c++) {
			profile->values[c][kept] = profile->values[c][i];
		}
		kept++;
	}
	profile->sample_count = kept;
}

bool prof_amend_scale(struct prof_profile *profile, const double *ratios,
		      struct prof_error *err)
{
	bool changes = false;

	for (uint32_t c = 0; c < profile->type_count; c++) {
		if (ratios[c] == 1) {
			continue;
		}
		changes = true;
		if (profile->sample_count > 0 &&
		    !scale_column(profile, c, ratios[c], err)) {
			return false;
		}
	}
	if (changes) {
		drop_samples(profile, ratios);
	}
	return true;
}

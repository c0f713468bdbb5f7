/* SPDX-License-Identifier: MIT */
#include "libprof/model/profile.h"

#include <assert.h>
#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/base/limits.h"

enum { BATCH = 1024 }; /* samples sent at once */

void prof_profile_free(struct prof_profile *profile)
{
	if (profile) {
		prof_arena_free(&profile->arena);
		prof_free(profile);
	}
}

uint32_t prof_default_column(const struct prof_profile *profile)
{
	uint32_t wanted = profile->header.default_type;

	for (uint32_t c = 0; wanted != 0 && c < profile->type_count; c++) {
		if (profile->types[c].type == wanted) {
			return c;
		}
	}
	return profile->type_count > 0 ? profile->type_count - 1 : 0;
}

/* Whether `name` is "type" or "type/unit" of the column. */
static bool names_column(const struct prof_profile *profile, uint32_t column,
			 struct prof_text name)
{
	struct prof_text type = prof_string(profile, profile->types[column].type);
	struct prof_text unit = prof_string(profile, profile->types[column].unit);

	if (prof_text_equal(name, type)) {
		return true;
	}
	return name.len == type.len + 1 + unit.len && name.data[type.len] == '/' &&
	       prof_text_equal((struct prof_text){ name.data, type.len }, type) &&
	       prof_text_equal((struct prof_text){ name.data + type.len + 1, unit.len },
			       unit);
}

static bool column_number(const struct prof_profile *profile, struct prof_text name,
			  uint32_t *column)
{
	uint32_t number = 0;

	if (name.len == 0 || name.len > 3) {
		return false;
	}
	for (size_t i = 0; i < name.len; i++) {
		if (name.data[i] < '0' || name.data[i] > '9') {
			return false;
		}
		number = number * 10 + (uint32_t)(name.data[i] - '0');
	}
	if (number >= profile->type_count) {
		return false;
	}
	*column = number;
	return true;
}

bool prof_find_column(const struct prof_profile *profile, struct prof_text name,
		      uint32_t *column)
{
	uint32_t found = PROF_NONE;

	for (uint32_t c = 0; c < profile->type_count; c++) {
		if (names_column(profile, c, name)) {
			if (found != PROF_NONE) {
				return false;
			}
			found = c;
		}
	}
	if (found == PROF_NONE) {
		return column_number(profile, name, column);
	}
	*column = found;
	return true;
}

static bool sum_column(const struct prof_profile *profile, uint32_t column,
		       bool absolute, int64_t *out, struct prof_error *err)
{
	const int64_t *values = profile->values[column];
	struct prof_text type = prof_string(profile, profile->types[column].type);
	__extension__ __int128 sum = 0;

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		__extension__ __int128 value = values[i];

		sum += absolute && value < 0 ? -value : value;
	}
	if (sum > INT64_MAX || sum < INT64_MIN) {
		return prof_fail(err, PROF_ERR_LIMIT,
				 "the sum of the '%.*s' values does not fit 64 bits",
				 (int)type.len, type.data);
	}
	*out = (int64_t)sum;
	return true;
}

bool prof_column_total(const struct prof_profile *profile, uint32_t column,
		       int64_t *total, struct prof_error *err)
{
	return sum_column(profile, column, true, total, err);
}

bool prof_column_sum(const struct prof_profile *profile, uint32_t column, int64_t *sum,
		     struct prof_error *err)
{
	return sum_column(profile, column, false, sum, err);
}

static bool send_tables(const struct prof_profile *profile, struct prof_sink *sink,
			struct prof_error *err)
{
	for (uint32_t i = 0; i < profile->mapping_count; i++) {
		struct prof_mapping mapping = profile->mappings[i];

		mapping.ref = i;
		if (!sink->mapping(sink, &mapping, err)) {
			return false;
		}
	}
	for (uint32_t i = 0; i < profile->function_count; i++) {
		if (!sink->function(sink, &profile->functions[i], err)) {
			return false;
		}
	}
	for (uint32_t i = 0; i < profile->location_count; i++) {
		const struct prof_location *location = &profile->locations[i];
		struct prof_lines lines = prof_location_lines(profile, i);
		struct prof_sink_location record = {
			.id = location->id,
			.address = location->address,
			.mapping = location->mapping,
			.folded = location->folded,
			.lines = lines.data,
			.line_count = (uint32_t)lines.count,
		};

		if (!sink->location(sink, &record, err)) {
			return false;
		}
	}
	return true;
}

/* Buffers of one batch; the arrays grow and are freed by send_samples(). */
struct sending {
	uint32_t *frames;
	size_t frame_cap;
	uint32_t ends[BATCH];
	int64_t *values;
	struct prof_label *labels;
	size_t label_cap;
	uint32_t label_ends[BATCH];
};

static bool add_frames(struct sending *s, const struct prof_profile *profile,
		       uint32_t sample, uint32_t *used)
{
	struct prof_frames frames = prof_stack(profile, profile->sample_stack[sample]);

	if (frames.count > UINT32_MAX - *used ||
	    !prof_reserve((void **)&s->frames, &s->frame_cap, *used + frames.count + 1,
			  sizeof(*s->frames))) {
		return false;
	}
	if (frames.count > 0) {
		memcpy(s->frames + *used, frames.data,
		       frames.count * sizeof(*s->frames));
	}
	*used += (uint32_t)frames.count;
	return true;
}

static bool add_labels(struct sending *s, const struct prof_profile *profile,
		       uint32_t sample, uint32_t *used)
{
	struct prof_labels labels =
		prof_label_set(profile, profile->sample_set[sample]);

	if (labels.count > UINT32_MAX - *used ||
	    !prof_reserve((void **)&s->labels, &s->label_cap, *used + labels.count + 1,
			  sizeof(*s->labels))) {
		return false;
	}
	if (labels.count > 0) {
		memcpy(s->labels + *used, labels.data,
		       labels.count * sizeof(*s->labels));
	}
	*used += (uint32_t)labels.count;
	return true;
}

/* Fill a batch from sample `first` on: fewer samples when their stacks are deep. */
static bool fill(struct sending *s, const struct prof_profile *profile, uint32_t first,
		 bool with_labels, struct prof_batch *batch)
{
	uint32_t types = profile->type_count;
	uint32_t frames = 0;
	uint32_t labels = 0;
	uint32_t n = 0;

	while (n < BATCH && first + n < profile->sample_count && frames < 1u << 16) {
		if (!add_frames(s, profile, first + n, &frames) ||
		    (with_labels && !add_labels(s, profile, first + n, &labels))) {
			return false;
		}
		for (uint32_t c = 0; c < types; c++) {
			s->values[(size_t)n * types + c] =
				profile->values[c][first + n];
		}
		s->ends[n] = frames;
		s->label_ends[n] = labels;
		n++;
	}
	*batch = (struct prof_batch){
		.count = n,
		.frames = s->frames,
		.ends = s->ends,
		.values = s->values,
		.labels = s->labels,
		.label_ends = labels > 0 ? s->label_ends : NULL,
	};
	return true;
}

static bool send_samples(const struct prof_profile *profile, struct prof_sink *sink,
			 struct prof_error *err)
{
	bool with_labels = !sink->no_labels && profile->set_count > 1;
	struct sending *s = prof_alloc_array(1, sizeof(*s));
	bool ok = true;

	if (s) {
		s->values = prof_alloc_array((size_t)BATCH * profile->type_count,
					     sizeof(*s->values));
	}
	if (!s || !s->values) {
		prof_free(s);
		return prof_fail_nomem(err);
	}
	for (uint32_t first = 0; ok && first < profile->sample_count;) {
		struct prof_batch batch = { 0 };

		ok = fill(s, profile, first, with_labels, &batch) ||
		     prof_fail_nomem(err);
		ok = ok && sink->samples(sink, &batch, err);
		first += batch.count;
	}
	prof_free(s->frames);
	prof_free(s->labels);
	prof_free(s->values);
	prof_free(s);
	return ok;
}

bool prof_profile_send(const struct prof_profile *profile, struct prof_sink *sink,
		       struct prof_error *err)
{
	return sink->begin(sink, err) &&
	       sink->strings(sink, profile->strings, profile->string_count, err) &&
	       send_tables(profile, sink, err) &&
	       sink->types(sink, profile->types, profile->type_count, err) &&
	       send_samples(profile, sink, err) &&
	       sink->end(sink, &profile->header, err);
}

/* SPDX-License-Identifier: MIT */
/*
 * count.h - a sink for fuzz targets that counts what it gets and holds a reader to the
 * promises of sink.h: what the next step relies on must be true for any input.
 */
#ifndef TESTS_FUZZ_COUNT_H
#define TESTS_FUZZ_COUNT_H

#include <stdlib.h>

#include "formats/format.h"
#include "libprof/base/limits.h"
#include "tests/dribble.h"

struct count {
	struct prof_sink sink;
	bool done;
	uint64_t profiles;
	uint64_t samples;
	uint64_t frames;
	uint64_t labels;
	uint64_t sum;

	bool in_profile; /* the rest is of the current profile */
	bool typed;
	uint32_t types;
	uint32_t strings;
	uint32_t functions;
	uint32_t locations;
	uint32_t highest; /* string ref */
};

static inline void count_check(bool kept)
{
	if (!kept) {
		abort();
	}
}

static inline void count_string(struct count *count, uint32_t ref)
{
	if (ref > count->highest) {
		count->highest = ref;
	}
	count_check(count->sink.early || ref < count->strings);
}

static inline bool count_begin(struct prof_sink *sink, struct prof_error *err)
{
	struct count *count = (struct count *)sink;

	(void)err;
	count_check(!count->in_profile);
	count->in_profile = true;
	count->typed = false;
	count->strings = 0;
	count->functions = 0;
	count->locations = 0;
	count->highest = 0;
	return true;
}

static inline bool count_strings(struct prof_sink *sink, const struct prof_text *texts,
				 uint32_t n, struct prof_error *err)
{
	struct count *count = (struct count *)sink;

	(void)err;
	count_check(count->in_profile && n > 0);
	count_check(count->strings > 0 || texts[0].len == 0);
	for (uint32_t i = 0; i < n; i++) {
		for (size_t at = 0; at < texts[i].len; at++) {
			count->sum += (unsigned char)texts[i].data[at];
		}
	}
	count->strings += n;
	return true;
}

static inline bool count_mapping(struct prof_sink *sink,
				 const struct prof_mapping *mapping,
				 struct prof_error *err)
{
	struct count *count = (struct count *)sink;

	(void)err;
	count_check(count->in_profile);
	count_string(count, mapping->file);
	count_string(count, mapping->build_id);
	return true;
}

static inline bool count_function(struct prof_sink *sink,
				  const struct prof_function *function,
				  struct prof_error *err)
{
	struct count *count = (struct count *)sink;

	(void)err;
	count_check(count->in_profile);
	count_string(count, function->name);
	count_string(count, function->system_name);
	count_string(count, function->file);
	count->functions++;
	return true;
}

static inline bool count_location(struct prof_sink *sink,
				  const struct prof_sink_location *location,
				  struct prof_error *err)
{
	struct count *count = (struct count *)sink;

	(void)err;
	count_check(count->in_profile);
	for (uint32_t i = 0; i < location->line_count; i++) {
		count_check(location->lines[i].function < count->functions);
	}
	count->locations++;
	return true;
}

static inline bool count_types(struct prof_sink *sink,
			       const struct prof_value_type *types, uint32_t n,
			       struct prof_error *err)
{
	struct count *count = (struct count *)sink;

	(void)err;
	count_check(count->in_profile && !count->typed && n <= PROF_MAX_SAMPLE_TYPE);
	for (uint32_t i = 0; i < n; i++) {
		count_string(count, types[i].type);
		count_string(count, types[i].unit);
	}
	count->typed = true;
	count->types = n;
	return true;
}

static inline bool count_samples(struct prof_sink *sink, const struct prof_batch *batch,
				 struct prof_error *err)
{
	struct count *count = (struct count *)sink;
	uint32_t frame = 0;
	uint32_t labels = batch->label_ends ? batch->label_ends[batch->count - 1] : 0;

	(void)err;
	count_check(count->in_profile && count->typed && batch->count > 0);
	for (uint32_t i = 0; i < batch->count; i++) {
		count_check(batch->ends[i] >= frame &&
			    batch->ends[i] - frame <= PROF_MAX_DEPTH);
		for (; frame < batch->ends[i]; frame++) {
			count_check(batch->frames[frame] < count->locations);
			count->sum += batch->frames[frame];
		}
	}
	for (size_t i = 0; i < (size_t)batch->count * count->types; i++) {
		count->sum += (uint64_t)batch->values[i];
	}
	for (uint32_t i = 0; i < labels; i++) {
		count_string(count, batch->labels[i].key);
		count_string(count, batch->labels[i].text);
		count_string(count, batch->labels[i].unit);
	}
	count->frames += frame;
	count->labels += labels;
	count->samples += batch->count;
	return true;
}

static inline bool count_end(struct prof_sink *sink, const struct prof_header *header,
			     struct prof_error *err)
{
	struct count *count = (struct count *)sink;

	(void)err;
	count_check(count->in_profile && count->typed && count->strings > 0);
	count_string(count, header->period_type.type);
	count_string(count, header->period_type.unit);
	count_string(count, header->default_type);
	count_string(count, header->doc_url);
	count_string(count, header->drop_frames);
	count_string(count, header->keep_frames);
	for (uint32_t i = 0; i < header->comment_count; i++) {
		count_string(count, header->comments[i]);
	}
	count_check(count->highest < count->strings);
	count->in_profile = false;
	count->profiles++;
	return true;
}

/* Read `size` bytes, `step` at a time. */
static inline struct count count_read(const struct prof_format *format, bool early,
				      const uint8_t *data, size_t size, size_t step)
{
	struct count count = { .sink = { .early = early,
					 .begin = count_begin,
					 .strings = count_strings,
					 .mapping = count_mapping,
					 .function = count_function,
					 .location = count_location,
					 .types = count_types,
					 .samples = count_samples,
					 .end = count_end } };
	struct dribble in = dribble(data, size, step);
	struct prof_window window = prof_window(&in.base);
	struct prof_error err = { 0 };

	count.done = format->read(&window, &count.sink, &err);
	count_check(count.done ? !count.in_profile : err.code != PROF_OK);
	prof_window_free(&window);
	prof_source_free(&in.base);
	return count;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * small_profile.h - profiles for tests, written as C initializers.
 *
 *	static const struct small_type types[] = { { "cpu", "ns" } };
 *	static const struct small_sample samples[] = {
 *		{ .stack = "main;parse", .values = { 3 }, .key = "user", .text = "ann" },
 *	};
 *	struct prof_profile *profile = small_profile(types, 1, samples, 1);
 *
 * Stacks are root first. Every function has one location: line 10 of small.c, 20 ...
 */
#ifndef TESTS_SMALL_PROFILE_H
#define TESTS_SMALL_PROFILE_H

#include <stdlib.h>

#include "libprof/base/strings.h"
#include "libprof/model/builder.h"
#include "libprof/model/profile.h"

enum { SMALL_MAX = 32 };

struct small_type {
	const char *type;
	const char *unit;
};

struct small_sample {
	const char *stack;
	int64_t values[2];
	const char *key; /* of a label; NULL for none */
	const char *text;
	int64_t number; /* when text is NULL */
	const char *unit;
};

struct small_maker {
	struct prof_strings strings;
	uint32_t names[SMALL_MAX]; /* of functions, which are locations too */
	uint32_t count;
	uint32_t frames[SMALL_MAX];
	uint32_t depth;
};

static inline uint32_t small_string(struct small_maker *maker, const char *text)
{
	return prof_strings_add(&maker->strings, prof_text(text ? text : ""));
}

static inline uint32_t small_frame(struct small_maker *maker, uint32_t name)
{
	for (uint32_t i = 0; i < maker->count; i++) {
		if (maker->names[i] == name) {
			return i;
		}
	}
	assert_true(maker->count < SMALL_MAX);
	maker->names[maker->count] = name;
	return maker->count++;
}

/* The frames of a stack, leaf first. */
static inline void small_stack(struct small_maker *maker, const char *stack)
{
	size_t end = strlen(stack);

	maker->depth = 0;
	while (end > 0) {
		size_t start = end;
		struct prof_text name;

		while (start > 0 && stack[start - 1] != ';') {
			start--;
		}
		name = (struct prof_text){ stack + start, end - start };
		assert_true(maker->depth < SMALL_MAX);
		maker->frames[maker->depth++] =
			small_frame(maker, prof_strings_add(&maker->strings, name));
		end = start > 0 ? start - 1 : 0;
	}
}

static inline void small_tables(struct small_maker *maker, struct prof_sink *sink)
{
	struct prof_error err = { 0 };

	assert_true(
		sink->strings(sink, maker->strings.items, maker->strings.count, &err));
	for (uint32_t i = 0; i < maker->count; i++) {
		struct prof_function function = {
			.id = i + 1,
			.name = maker->names[i],
			.system_name = maker->names[i],
			.file = small_string(maker, "small.c"),
		};

		assert_true(sink->function(sink, &function, &err));
	}
	for (uint32_t i = 0; i < maker->count; i++) {
		struct prof_line line = { .function = i, .line = 10 * (i + 1) };
		struct prof_sink_location location = {
			.id = i + 1,
			.mapping = PROF_NONE,
			.lines = &line,
			.line_count = 1,
		};

		assert_true(sink->location(sink, &location, &err));
	}
}

static inline void small_send(struct small_maker *maker, struct prof_sink *sink,
			      const struct small_sample *sample)
{
	struct prof_error err = { 0 };
	struct prof_label label = {
		.key = small_string(maker, sample->key),
		.text = small_string(maker, sample->text),
		.number = sample->number,
		.unit = small_string(maker, sample->unit),
	};
	uint32_t label_end = sample->key ? 1 : 0;
	struct prof_batch batch = {
		.count = 1,
		.frames = maker->frames,
		.ends = &maker->depth,
		.values = sample->values,
		.labels = &label,
		.label_ends = &label_end,
	};

	small_stack(maker, sample->stack);
	assert_true(sink->samples(sink, &batch, &err));
}

static inline struct prof_profile *small_profile(const struct small_type *types,
						 uint32_t type_count,
						 const struct small_sample *samples,
						 uint32_t count)
{
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	struct prof_sink *sink = prof_builder_sink(builder);
	struct prof_value_type list[2] = { { 0 } };
	struct prof_header header = { 0 };
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };
	struct small_maker maker = { 0 };

	small_string(&maker, "");
	small_string(&maker, "small.c");
	for (uint32_t c = 0; c < type_count; c++) {
		list[c].type = small_string(&maker, types[c].type);
		list[c].unit = small_string(&maker, types[c].unit);
	}
	for (uint32_t i = 0; i < count; i++) {
		small_stack(&maker, samples[i].stack);
		small_string(&maker, samples[i].key);
		small_string(&maker, samples[i].text);
		small_string(&maker, samples[i].unit);
	}
	assert_true(sink->begin(sink, &err));
	small_tables(&maker, sink);
	assert_true(sink->types(sink, list, type_count, &err));
	for (uint32_t i = 0; i < count; i++) {
		small_send(&maker, sink, &samples[i]);
	}
	assert_true(sink->end(sink, &header, &err));
	assert_true(prof_builder_finish(builder, &profile, &err));
	prof_builder_free(builder);
	prof_strings_free(&maker.strings);
	return profile;
}

/* The function of frame `depth` of a sample, from the leaf. */
static inline struct prof_text small_name(const struct prof_profile *profile,
					  uint32_t sample, uint32_t depth)
{
	struct prof_frames frames = prof_stack(profile, profile->sample_stack[sample]);
	struct prof_lines lines = prof_location_lines(profile, frames.data[depth]);

	assert_true(depth < frames.count && lines.count == 1);
	return prof_string(profile, profile->functions[lines.data[0].function].name);
}

#define assert_text(text, want) assert_true(prof_text_equal(text, prof_text(want)))

#endif

/* SPDX-License-Identifier: MIT */
/*
 * random_profile.h - small profiles for tests: the same seed gives the same profile.
 *
 * They have what merging must cope with: modules loaded at another address each time,
 * inlined calls, recursion, labels of both kinds, locations without lines, comments,
 * unused entries, zero values and, if wanted, negative ones.
 */
#ifndef TESTS_RANDOM_PROFILE_H
#define TESTS_RANDOM_PROFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "libprof/model/builder.h"
#include "libprof/model/profile.h"

struct random {
	uint64_t state;
};

static inline uint32_t random_below(struct random *random, uint32_t bound)
{
	random->state = random->state * UINT64_C(6364136223846793005) +
			UINT64_C(1442695040888963407);
	return (uint32_t)(random->state >> 33) % bound;
}

enum {
	RANDOM_STRINGS = 60,
	RANDOM_FUNCTIONS = 20,
	RANDOM_LOCATIONS = 30,
	RANDOM_SAMPLES = 40,
};

static inline bool random_tables(struct random *random, struct prof_sink *sink,
				 struct prof_error *err)
{
	char bytes[RANDOM_STRINGS][24] = { "" };
	struct prof_text texts[RANDOM_STRINGS] = { { "", 0 } };
	uint64_t shift = (uint64_t)random_below(random, 16) << 12;

	for (uint32_t i = 1; i < RANDOM_STRINGS; i++) {
		/* Every profile lists the same names in an order of its own. */
		uint32_t name = (i * 7 + (uint32_t)(shift >> 12) * 13) % RANDOM_STRINGS;

		snprintf(bytes[i], sizeof(bytes[i]), "name%u", (unsigned)name);
		texts[i] = prof_text(bytes[i]);
	}
	if (!sink->strings(sink, texts, RANDOM_STRINGS, err)) {
		return false;
	}
	for (uint32_t i = 0; i < 3; i++) {
		uint64_t start = UINT64_C(0x400000) * (i + 1) + (i > 0 ? shift : 0);
		struct prof_mapping mapping = {
			.id = i + 1,
			.start = start,
			.limit = start + UINT64_C(0x1000) * (i + 1) - (shift & 0xff0),
			.file = random_below(random, 4) + 1,
			.build_id = i == 1 ? 0 : 5,
			.flags = random_below(random, 16),
			.ref = i,
		};

		if (!sink->mapping(sink, &mapping, err)) {
			return false;
		}
	}
	for (uint32_t i = 0; i < RANDOM_FUNCTIONS; i++) {
		struct prof_function function = {
			.id = i + 1,
			.name = random_below(random, RANDOM_STRINGS),
			.system_name = random_below(random, 3),
			.file = random_below(random, 4),
			.start_line = random_below(random, 2),
		};

		if (!sink->function(sink, &function, err)) {
			return false;
		}
	}
	for (uint32_t i = 0; i < RANDOM_LOCATIONS; i++) {
		uint32_t mapping = random_below(random, 4);
		struct prof_line lines[3];
		uint32_t count = random_below(random, 4);
		struct prof_sink_location location = {
			.id = i + 1,
			.address = UINT64_C(0x400000) * (mapping + 1) +
				   (mapping > 0 ? shift : 0) + random_below(random, 64),
			.mapping = mapping < 3 ? mapping : PROF_NONE,
			.folded = random_below(random, 8) == 0,
			.lines = lines,
			.line_count = count,
		};

		for (uint32_t l = 0; l < count; l++) {
			lines[l] = (struct prof_line){
				random_below(random, RANDOM_FUNCTIONS),
				random_below(random, 3), random_below(random, 2)
			};
		}
		if (!sink->location(sink, &location, err)) {
			return false;
		}
	}
	return true;
}

static inline bool random_samples(struct random *random, struct prof_sink *sink,
				  bool negative, struct prof_error *err)
{
	for (uint32_t i = 0; i < RANDOM_SAMPLES; i++) {
		uint32_t frames[6];
		struct prof_label labels[3];
		uint32_t depth = random_below(random, 7);
		uint32_t label_count = random_below(random, 4);
		int64_t values[2] = { random_below(random, 3),
				      random_below(random, 3) };
		struct prof_batch batch = { .count = 1,
					    .frames = frames,
					    .ends = &depth,
					    .values = values,
					    .labels = labels,
					    .label_ends = &label_count };

		if (negative && random_below(random, 3) == 0) {
			values[0] = -values[0];
			values[1] = -values[1];
		}
		for (uint32_t f = 0; f < depth; f++) {
			frames[f] = random_below(random, RANDOM_LOCATIONS / 4);
		}
		for (uint32_t l = 0; l < label_count; l++) {
			bool text = random_below(random, 2) == 0;

			labels[l] = (struct prof_label){
				.key = random_below(random, 2) + 10,
				.text = text ? random_below(random, 2) + 20 : 0,
				.number = text ? 0 : random_below(random, 2) + 1,
				.unit = text ? 0 : random_below(random, 2),
			};
		}
		if (!sink->samples(sink, &batch, err)) {
			return false;
		}
	}
	return true;
}

/* Deliver a whole random profile to `sink`. */
static inline bool random_send(uint64_t seed, bool negative, struct prof_sink *sink,
			       struct prof_error *err)
{
	struct random random = { seed * 977 + 5 };
	struct prof_value_type types[2] = { { 0 } };
	uint32_t comments[2];
	struct prof_header header = { 0 };

	if (!sink->begin(sink, err) || !random_tables(&random, sink, err) ||
	    !sink->types(sink, types, 2, err) ||
	    !random_samples(&random, sink, negative, err)) {
		return false;
	}
	comments[0] = random_below(&random, 3) + 30;
	comments[1] = random_below(&random, 3) + 40;
	header.time_ns = random_below(&random, 4);
	header.duration_ns = random_below(&random, 100);
	header.period = random_below(&random, 10);
	header.default_type = random_below(&random, 3);
	header.doc_url = random_below(&random, 3);
	header.drop_frames = random_below(&random, 3);
	header.comments = comments;
	header.comment_count = 2;
	return sink->end(sink, &header, err);
}

/* The random profile as a builder gives it, or NULL with *err. */
static inline struct prof_profile *random_profile(uint64_t seed, bool negative,
						  enum prof_build how,
						  struct prof_error *err)
{
	struct prof_builder *builder = prof_builder_new(how);
	struct prof_profile *profile = NULL;

	if (!builder) {
		prof_error_set(err, PROF_ERR_NOMEM, "out of memory");
		return NULL;
	}
	if (!random_send(seed, negative, prof_builder_sink(builder), err) ||
	    !prof_builder_finish(builder, &profile, err)) {
		profile = NULL;
	}
	prof_builder_free(builder);
	return profile;
}

#endif

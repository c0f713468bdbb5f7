/* SPDX-License-Identifier: MIT */
/*
 * builder.h - the usual sink: records in, a profile out.
 *
 *	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
 *	read(window, prof_builder_sink(builder), err);
 *	prof_builder_finish(builder, &profile, err);
 *
 * As it is: tables keep the input's order, ids and unused entries, samples stay apart.
 * When a second profile arrives the builder turns to merging, in order of arrival.
 *
 * Merged: equal mappings, functions, locations, stacks and label sets become one,
 * samples with equal stacks and labels are added up, samples that are zero in every
 * column vanish, and so does what no sample uses. See merge.h for the keys.
 *
 * Errors:  SYNTAX for ids that are 0 or twice there; LIMIT for sums past int64 and
 *          tables past 2^32 entries; MISMATCH for different sample or period types.
 * Threads: one thread at a time.
 * Cost:    merged: one hash and one probe per sample, in batches with prefetch.
 */
#ifndef PROF_MODEL_BUILDER_H
#define PROF_MODEL_BUILDER_H

#include "libprof/base/error.h"
#include "libprof/model/profile.h"
#include "libprof/model/sink.h"

enum prof_build {
	PROF_BUILD_AS_IS,     /* one input, nothing changed */
	PROF_BUILD_FIRST_USE, /* merged, tables in order of first use, as pprof does */
	PROF_BUILD_CANONICAL, /* merged, a function of the multiset of the inputs */
};

struct prof_builder;

/* NULL when out of memory. */
struct prof_builder *prof_builder_new(enum prof_build how);

/* The sink that feeds `builder`; lives and dies with it. */
struct prof_sink *prof_builder_sink(struct prof_builder *builder);

/* Whether a profile with sample types has arrived: others must have the same. */
bool prof_builder_typed(const struct prof_builder *builder);

/* How many profiles have ended in this builder. */
size_t prof_builder_inputs(const struct prof_builder *builder);

/*
 * The profile of everything that arrived; the builder is empty afterwards and must
 * be freed. Merging nothing gives an empty profile; SYNTAX when a profile that was to
 * stay as it is has not ended.
 */
bool prof_builder_finish(struct prof_builder *builder, struct prof_profile **out,
			 struct prof_error *err) PROF_NODISCARD;

/*
 * Add everything that arrived in `from`, which is empty afterwards, to `into`: two
 * threads merge half of the inputs each, then one absorbs the other. Both canonical.
 */
bool prof_builder_absorb(struct prof_builder *into, struct prof_builder *from,
			 struct prof_error *err) PROF_NODISCARD;

/* NULL is fine. */
void prof_builder_free(struct prof_builder *builder);

#endif

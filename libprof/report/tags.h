/* SPDX-License-Identifier: MIT */
/*
 * tags.h - how the values of samples spread over their labels.
 *
 *	user   30    ann 20
 *	             bob 10
 *	bytes  12    4kB 12
 *
 * A sample counts once per value it has for a key. Numbers are formatted first, and
 * those that look alike are one.
 *
 * Units:   int64 in the unit of the column.
 * Order:   keys bytewise; values of a key by |value|, descending, then bytewise.
 * Owns:    everything; independent of the profile once built.
 * Errors:  LIMIT when a sum does not fit int64.
 * Cost:    a look-up per label of every distinct label set, not per sample.
 * Source:  the counting of google/pprof -tags.
 */
#ifndef PROF_REPORT_TAGS_H
#define PROF_REPORT_TAGS_H

#include <stdint.h>

#include "libprof/base/arena.h"
#include "libprof/base/error.h"
#include "libprof/model/profile.h"
#include "libprof/model/tagfilter.h"

struct prof_tag_value {
	struct prof_text text; /* as in the profile: show it escaped */
	int64_t value;
};

struct prof_tag_key {
	struct prof_text key;
	int64_t total;   /* of its values */
	int64_t without; /* of the samples that have no such label */
	struct prof_tag_value *values;
	uint32_t value_count;
};

struct prof_tags {
	struct prof_arena arena;
	struct prof_tag_key *keys;
	uint32_t key_count;
};

/*
 * Count one column. Numbers have the unit that `units` knows for their key and are
 * shown in `show` ("minimum", "kB"); `units` counts in strings of `profile`.
 */
bool prof_tags_build(const struct prof_profile *profile, uint32_t column,
		     const struct prof_tag_units *units, struct prof_text show,
		     struct prof_tags **out, struct prof_error *err) PROF_NODISCARD;

/* NULL is fine. */
void prof_tags_free(struct prof_tags *tags);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * tagfilter.h - which samples have certain labels.
 *
 *	[KEY=]VALUE
 *
 *	VALUE is a range           100, 4kb:, :2ms, 1mb:16mb   whole numbers, both ends
 *	                           included; the second in the unit of the first
 *	      or expressions       GET,^/api                   regular, comma separated
 *
 * A range looks at numbers: with a key at those of the key, otherwise at all. Numbers
 * are compared after conversion to the unit of the range; a number without a unit, or
 * with one that cannot be converted, is compared as it is when neither side can be
 * converted: see prof_unit_scale().
 * Expressions look at texts: with a key, one of them must match one text of it;
 * otherwise each of them must match some label, written "key:text".
 *
 * Owns:    a filter owns a copy of its text; matchers borrow their contexts.
 * Errors:  those of `compile`.
 * Threads: one at a time, because matchers are.
 * Source:  the grammar and its meaning are those of google/pprof -tagfocus.
 */
#ifndef PROF_MODEL_TAGFILTER_H
#define PROF_MODEL_TAGFILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "libprof/base/error.h"
#include "libprof/base/text.h"
#include "libprof/model/profile.h"

/* A question about names. libprof has no regular expressions; callers bring them. */
struct prof_matcher {
	bool (*match)(void *context, struct prof_text text); /* NULL: not set */
	void *context;
};

/* Makes a matcher out of one regular expression; what it allocates stays its own. */
struct prof_compiler {
	bool (*compile)(void *context, struct prof_text regex, struct prof_matcher *out,
			struct prof_error *err);
	void *context;
};

/*
 * The unit that the numbers of each label key have: the first one met, sample by
 * sample; "bytes" for the keys alignment and request, else the key itself.
 */
struct prof_tag_units {
	uint32_t *units; /* by string id of the key; 0: none was met */
};

bool prof_tag_units_init(struct prof_tag_units *units,
			 const struct prof_profile *profile,
			 struct prof_error *err) PROF_NODISCARD;
struct prof_text prof_tag_unit(const struct prof_tag_units *units,
			       const struct prof_profile *profile, uint32_t key);
void prof_tag_units_free(struct prof_tag_units *units);

struct prof_tag_filter;

bool prof_tag_filter_new(struct prof_text text, const struct prof_compiler *compiler,
			 struct prof_tag_filter **out,
			 struct prof_error *err) PROF_NODISCARD;

/* Whether the value was read as a range, which people may not have meant. */
bool prof_tag_filter_is_range(const struct prof_tag_filter *filter);

/* Whether a sample with these labels passes. False as well when memory ran out. */
bool prof_tag_filter_match(struct prof_tag_filter *filter,
			   const struct prof_profile *profile,
			   const struct prof_tag_units *units,
			   struct prof_labels labels);

/* Whether memory ran out while matching: the answers are worth nothing then. */
bool prof_tag_filter_failed(const struct prof_tag_filter *filter);

/* NULL is fine. */
void prof_tag_filter_free(struct prof_tag_filter *filter);

#endif

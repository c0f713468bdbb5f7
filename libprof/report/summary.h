/* SPDX-License-Identifier: MIT */
/*
 * summary.h - what a profile holds, in numbers.
 *
 * Units:   per column in the unit of its type. Order: label keys bytewise.
 * Owns:    its arrays; borrows the profile for the texts of keys.
 * Errors:  LIMIT when a total does not fit int64.
 * Cost:    one pass over samples and stacks.
 */
#ifndef PROF_REPORT_SUMMARY_H
#define PROF_REPORT_SUMMARY_H

#include "libprof/base/arena.h"
#include "libprof/model/profile.h"

struct prof_label_key {
	uint32_t key;     /* string */
	uint32_t values;  /* distinct values */
	uint64_t samples; /* that have the key */
	bool text;        /* some value is a text */
	bool number;      /* some value is a number */
};

struct prof_summary {
	struct prof_arena arena;

	int64_t *total;    /* per column: sum of |value| */
	uint64_t *nonzero; /* per column: samples that are not 0 */
	bool negative;

	uint64_t frames; /* locations in all samples' stacks */
	uint32_t min_depth;
	uint32_t max_depth;
	uint32_t inlined;      /* locations with more than one line */
	uint32_t unsymbolized; /* locations without lines */

	struct prof_label_key *keys;
	uint32_t key_count;
};

bool prof_summarize(const struct prof_profile *profile, struct prof_summary *out,
		    struct prof_error *err) PROF_NODISCARD;

void prof_summary_free(struct prof_summary *summary);

#endif

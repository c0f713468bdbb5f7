/* SPDX-License-Identifier: MIT */
/*
 * aggregate.h - a profile seen at a coarser grain: by function, file, line or address.
 *
 *	granularity    function  file   line   column       address
 *	functions      keep      -      -      -            -
 *	filefunctions  keep      keep   -      -            -
 *	files          -         keep   -      -            -
 *	lines          keep      keep   keep   on request   -
 *	addresses      keep      keep   keep   keep         keep
 *
 * What is not kept becomes empty or 0. Without inlines a location keeps its last line
 * only, so the real function gets what its inlined callees cost; columns are then on
 * request for addresses too. Locations are not joined: reports join equal frames.
 *
 * Owns:    the changed tables; borrows all others from the profile, which must outlive
 *          the view.
 * Errors:  NOMEM.
 * Cost:    O(functions + locations + lines): samples are not touched.
 * Source:  the granularities of google/pprof.
 */
#ifndef PROF_MODEL_AGGREGATE_H
#define PROF_MODEL_AGGREGATE_H

#include <stdbool.h>

#include "libprof/base/error.h"
#include "libprof/model/profile.h"

enum prof_granularity {
	PROF_GRANULARITY_FUNCTIONS,
	PROF_GRANULARITY_FILEFUNCTIONS,
	PROF_GRANULARITY_FILES,
	PROF_GRANULARITY_LINES,
	PROF_GRANULARITY_ADDRESSES,
};

struct prof_aggregate_options {
	enum prof_granularity granularity;
	bool no_inlines;
	bool columns; /* keep them with lines */
};

struct prof_aggregate {
	struct prof_profile view; /* read it; do not free it */
	struct prof_arena arena;  /* of the changed tables */
};

/* Fill `out`, which must be freed. */
bool prof_aggregate_init(struct prof_aggregate *out, const struct prof_profile *profile,
			 const struct prof_aggregate_options *options,
			 struct prof_error *err) PROF_NODISCARD;

/* NULL and zeroed are fine. */
void prof_aggregate_free(struct prof_aggregate *aggregate);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * diff.h - two tops row by row: before, after, and what lies between.
 *
 *	name    before  after  delta
 *	parse       40     10    -30
 *	strtol       -     12    +12   new
 *
 * Rows are joined by name. With a factor other than 1, what was before is multiplied
 * by it first, so that runs of different length can be compared: delta is then
 * after - round(before * factor).
 *
 * Units:   int64 in the unit of the column, which both sides share.
 * Order:   by |delta|, descending; ties by name.
 * Owns:    copies of the names; independent of the tops once made.
 * Errors:  MISMATCH when before has no such column; LIMIT when a delta does not fit
 *          int64.
 */
#ifndef PROF_REPORT_DIFF_H
#define PROF_REPORT_DIFF_H

#include "libprof/base/arena.h"
#include "libprof/base/error.h"
#include "libprof/report/top.h"

struct prof_diff_value {
	int64_t before; /* as measured */
	int64_t scaled; /* before * factor */
	int64_t after;
	int64_t delta; /* after - scaled */
};

struct prof_diff_row {
	struct prof_text name;
	struct prof_diff_value flat;
	struct prof_diff_value cum;
	bool in_before; /* false: new */
	bool in_after;  /* false: gone */
};

struct prof_diff {
	struct prof_arena arena;
	struct prof_diff_row *rows;
	uint32_t row_count;
	struct prof_top_type type;    /* of the column */
	struct prof_diff_value total; /* sums of |value| over all samples */
	double factor;
};

struct prof_diff_options {
	uint32_t column;   /* of after; before has it under the same type and unit */
	bool by_cum;       /* sort by the delta of cum instead of flat */
	bool equal_totals; /* choose the factor that makes the totals equal */
	double factor;     /* otherwise this; 0 is 1 */
};

bool prof_diff_make(const struct prof_top_result *before,
		    const struct prof_top_result *after,
		    const struct prof_diff_options *options, struct prof_diff **out,
		    struct prof_error *err) PROF_NODISCARD;

/* NULL is fine. */
void prof_diff_free(struct prof_diff *diff);

/*
 * How often `after` is what was expected: 1 for no change, NAN for 0 of 0, INFINITY
 * for something out of nothing.
 */
double prof_diff_ratio(const struct prof_diff_value *value);

#endif

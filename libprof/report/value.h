/* SPDX-License-Identifier: MIT */
/*
 * value.h - how the values of one report are shown.
 *
 *	struct prof_value_style style = {
 *		.unit = unit of the column, .show = prof_text("minimum"),
 *		.ratio = 1 / divide_by, .total = total,
 *	};
 *
 * Percentages are of `total` and are not divided; values are.
 */
#ifndef PROF_REPORT_VALUE_H
#define PROF_REPORT_VALUE_H

#include <stdint.h>

#include "libprof/base/buf.h"
#include "libprof/base/error.h"
#include "libprof/model/profile.h"

struct prof_value_style {
	struct prof_text unit; /* of the values */
	struct prof_text show; /* to show them in: "minimum", "auto", "kB" ... */
	double ratio;          /* multiplies values if above 0 and not 1 */
	int64_t total;
};

/* `value` times the ratio, truncated. */
int64_t prof_value_divided(const struct prof_value_style *style, int64_t value);

/* Append `value` with its unit: "1.50s". */
void prof_value_add(struct prof_buf *out, const struct prof_value_style *style,
		    int64_t value);

/* Append `value` as a percentage of the total, at least six wide. */
void prof_value_add_percent(struct prof_buf *out, const struct prof_value_style *style,
			    int64_t value);

/*
 * The total that percentages are of: the sum of |value| over all samples, or over
 * those with the label pprof::base = "true" when that is not 0. With `mean` it is
 * divided by the same sum of the first column. LIMIT when a sum does not fit int64.
 */
bool prof_value_total(const struct prof_profile *profile, uint32_t column, bool mean,
		      int64_t *total, struct prof_error *err) PROF_NODISCARD;

#endif

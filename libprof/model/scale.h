/* SPDX-License-Identifier: MIT */
/*
 * scale.h - the values of a profile times a factor.
 *
 * Factors are ratios of whole numbers, so that 0.1, 1/3 and -1 are what they say:
 * value * num / den is computed in 128 bits and rounded once, half away from zero.
 *
 *	0.1 = 1/10      1.5e-3 = 3/2000      -1 = -1/1      2/3
 *
 * Negative factors turn a profile round: merged with another they subtract it.
 */
#ifndef PROF_MODEL_SCALE_H
#define PROF_MODEL_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#include "libprof/base/error.h"
#include "libprof/base/text.h"
#include "libprof/model/profile.h"

struct prof_ratio {
	int64_t num;
	int64_t den; /* above 0 */
};

/*
 * Read a decimal number or A/B, in lowest terms. SYNTAX when it is neither; LIMIT when
 * numerator or denominator do not fit 64 bits.
 */
bool prof_ratio_parse(struct prof_text text, struct prof_ratio *out,
		      struct prof_error *err) PROF_NODISCARD;

/*
 * The ratio that brings the total of a column, its sum of absolute values, to `total`,
 * but for the rounding of each value. MISMATCH when all of the column is 0.
 */
bool prof_ratio_to_total(const struct prof_profile *profile, uint32_t column,
			 int64_t total, struct prof_ratio *out,
			 struct prof_error *err) PROF_NODISCARD;

/*
 * Multiply each column of `profile` by its ratio, into a new profile. Samples that
 * become zero in every column are dropped and counted in `*dropped`, if not NULL; what
 * the profile says of itself stays as it is. LIMIT names the column that does not fit.
 */
bool prof_scale(const struct prof_profile *profile, const struct prof_ratio *ratios,
		struct prof_profile **out, uint32_t *dropped,
		struct prof_error *err) PROF_NODISCARD;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * compat.h - profiles of different programs and runs made alike, so that they merge.
 *
 *	prof_compat_types(inputs, count, err)     the same columns in all
 *	prof_compat_units(inputs, count, err)     and the same units
 *	prof_compat_normalize(profile, base, err) and the same totals
 *
 * All of them change the profiles in place: see amend.h.
 *
 * Errors: MISMATCH when there is nothing in common, or units do not convert.
 * Source: the rules are those of google/pprof. For columns that people choose by hand
 *         columns.h has stricter ones.
 */
#ifndef PROF_MODEL_COMPAT_H
#define PROF_MODEL_COMPAT_H

#include <stddef.h>

#include "libprof/base/error.h"
#include "libprof/model/profile.h"

/*
 * Keep the columns whose type, whatever its unit, all profiles have, in the order of
 * the first. A type that a profile has twice counts twice. Who loses the default type
 * gets the first column as its default.
 */
bool prof_compat_types(struct prof_profile *const *inputs, size_t count,
		       struct prof_error *err) PROF_NODISCARD;

/*
 * Bring every column, and the period, to the smallest of the units that the profiles
 * have for it. One profile stays as it is.
 */
bool prof_compat_units(struct prof_profile *const *inputs, size_t count,
		       struct prof_error *err) PROF_NODISCARD;

/* Scale every column of `profile` so that its sum becomes that of `base`. */
bool prof_compat_normalize(struct prof_profile *profile,
			   const struct prof_profile *base,
			   struct prof_error *err) PROF_NODISCARD;

#endif

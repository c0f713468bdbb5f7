/* SPDX-License-Identifier: MIT */
/*
 * columns.h - merging profiles whose sample types differ: what they have in common.
 *
 * Kept are the types, by name and unit, that occur in every profile, in the order of
 * the first one with types, or, canonically, of the one with the bytewise smallest list
 * of types; profiles without types are neutral. A profile that loses
 * its default type gets none.
 *
 * Errors: MISMATCH when the profiles have no type in common, or as merging says.
 */
#ifndef PROF_MODEL_COLUMNS_H
#define PROF_MODEL_COLUMNS_H

#include <stddef.h>

#include "libprof/base/error.h"
#include "libprof/model/builder.h"
#include "libprof/model/profile.h"

/* Merge the common columns of `count` profiles, which stay the caller's. */
bool prof_merge_common(struct prof_profile *const *inputs, size_t count,
		       enum prof_build how, struct prof_profile **out,
		       struct prof_error *err) PROF_NODISCARD;

#endif

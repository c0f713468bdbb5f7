/* SPDX-License-Identifier: MIT */
/*
 * merge.h - many profiles become one: a commutative monoid.
 *
 * The canonical merge is a function of the multiset of its inputs: any order and any
 * grouping give the same profile, byte for byte once written, and an empty profile
 * (no types, no samples) is neutral. merge(merge(a, b), c) == merge(c, a, b).
 *
 * group key   sample types in order (type and unit), period type; else MISMATCH
 * values      int64 sums; LIMIT when a sum does not fit
 * samples     same stack, same labels (values of one key keep their order): added up;
 *             all zero: dropped
 * time        minimum of those not 0; duration: sum; period: maximum
 * comments    union, sorted bytewise
 * default type, doc url, drop and keep frames: bytewise smallest that is not empty
 * mapping     same (size rounded up to 4096, offset, build id or else file): start is
 *             the smallest, limit = start + largest size, file and build id bytewise
 *             smallest not empty, flags and-ed; addresses move along with the start
 * main        the smallest of the inputs' first mappings: named files before [vdso],
 *             //anon and shared objects, then bytewise; it comes first
 * location    same (mapping, address - start, folded, all lines with columns)
 * function    same (name, system name, file, start line)
 * numbering   strings bytewise; functions, mappings, locations, stacks (root first),
 *             samples by content; ids 1, 2, 3 ...; what no sample uses is dropped
 *
 * One exception: samples that cancel to zero vanish together with what only they know
 * of a mapping (its start, file and flags), so with values of both signs these may
 * depend on the grouping.
 *
 * Source: keys as google/pprof profile/merge.go; the rest is ours, because pprof's
 *         result depends on the order of its inputs.
 */
#ifndef PROF_MODEL_MERGE_H
#define PROF_MODEL_MERGE_H

#include "libprof/base/error.h"
#include "libprof/model/builder.h"
#include "libprof/model/profile.h"

/* Merge `count` profiles, which stay the caller's; `how` is not PROF_BUILD_AS_IS. */
bool prof_merge(struct prof_profile *const *inputs, size_t count, enum prof_build how,
		struct prof_profile **out, struct prof_error *err) PROF_NODISCARD;

/*
 * Whether two profiles have the same group key; an empty profile fits any. Otherwise
 * MISMATCH with both type lists.
 */
bool prof_merge_compatible(const struct prof_profile *a, const struct prof_profile *b,
			   struct prof_error *err) PROF_NODISCARD;

/* True for a profile without types and samples: the neutral element. */
bool prof_profile_empty(const struct prof_profile *profile);

#endif

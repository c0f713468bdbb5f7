/* SPDX-License-Identifier: MIT */
/*
 * amend.h - small changes to a profile, by who owns it and before anyone reads it.
 *
 * A profile is immutable for its readers. Who has just made one may still say what it
 * lacks, without copying it: what is new comes from the profile's own arena.
 *
 * Errors:  NOMEM; LIMIT when a scaled value does not fit int64. After a failure the
 *          profile is as it was, but for values scaled already.
 * Threads: one, the owner.
 */
#ifndef PROF_MODEL_AMEND_H
#define PROF_MODEL_AMEND_H

#include "libprof/base/error.h"
#include "libprof/base/text.h"
#include "libprof/model/profile.h"

/* The id of `text`, a new one if the profile does not have the string yet. */
bool prof_amend_string(struct prof_profile *profile, struct prof_text text,
		       uint32_t *id, struct prof_error *err) PROF_NODISCARD;

/*
 * A profile without any mapping gets one with id 1, no name and no addresses, to which
 * all its locations belong. Others stay as they are.
 */
bool prof_amend_mapping(struct prof_profile *profile,
			struct prof_error *err) PROF_NODISCARD;

/* One more comment, the last. */
bool prof_amend_comment(struct prof_profile *profile, struct prof_text text,
			struct prof_error *err) PROF_NODISCARD;

/* Give every sample the label `key` = `text`, instead of the texts it has there. */
bool prof_amend_label(struct prof_profile *profile, struct prof_text key,
		      struct prof_text text, struct prof_error *err) PROF_NODISCARD;

/* Keep the `count` columns named, in this order; all of them exist. */
bool prof_amend_columns(struct prof_profile *profile, const uint32_t *columns,
			uint32_t count, struct prof_error *err) PROF_NODISCARD;

/*
 * Multiply each column by its ratio in double precision, rounding half away from zero.
 * Columns with ratio 1 stay as they are. Samples are dropped in which every other
 * column is 0 now: that a column which stayed says something does not save them, as
 * google/pprof has it.
 */
bool prof_amend_scale(struct prof_profile *profile, const double *ratios,
		      struct prof_error *err) PROF_NODISCARD;

#endif

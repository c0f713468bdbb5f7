/* SPDX-License-Identifier: MIT */
/*
 * pprof_load.h - from the operands of a pprof command line to the profile it is about.
 *
 *	[BINARY] SOURCE...      each read as it is, made alike, merged in this order
 *	-base, -diff_base       subtracted; normalized before if wanted
 *	drop_frames             what the profile wants dropped is dropped
 *	-add_comment            added
 *
 * A source that cannot be read is said and left out, as long as one is left.
 *
 * Source: the same steps in the same order as google/pprof.
 */
#ifndef FGTOOL_PPROF_LOAD_H
#define FGTOOL_PPROF_LOAD_H

#include "cmd/pprof_options.h"
#include "libprof/base/error.h"
#include "libprof/model/profile.h"
#include "libprof/model/tagfilter.h"

/* The profile of the operands; the caller's to free. */
bool pprof_load(const struct pprof_options *options, int count, char **operands,
		struct prof_profile **out, struct prof_error *err) PROF_NODISCARD;

/* A loaded profile made ready for a report. */
struct pprof_view {
	struct prof_profile *profile; /* with frames from tags, filtered */
	struct prof_tag_units units;  /* of numeric labels, before filtering */
	uint32_t column;
	int64_t total; /* what percentages are of */
};

/*
 * Choose the column, add frames from tags, filter. Takes `profile`, which is freed on
 * failure too. The strings of the view are those of `units`.
 */
bool pprof_view_init(struct pprof_view *view, const struct pprof_options *options,
		     struct prof_profile *profile,
		     struct prof_error *err) PROF_NODISCARD;

void pprof_view_free(struct pprof_view *view);

#endif

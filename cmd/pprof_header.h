/* SPDX-License-Identifier: MIT */
/*
 * pprof_header.h - the lines that head pprof's reports.
 *
 *	File: server
 *	Type: cpu
 *	Time: 2017-02-17 17:15:31 UTC
 *	Duration: 10s, Total samples = 1.12s (11.20%)
 *	Active filters:
 *	   focus=parse
 *
 * Both functions fit struct pprof_labels, with a struct pprof_header as the context.
 */
#ifndef FGTOOL_PPROF_HEADER_H
#define FGTOOL_PPROF_HEADER_H

#include "cmd/pprof_options.h"
#include "libprof/base/buf.h"
#include "libprof/model/profile.h"
#include "libprof/report/value.h"

struct pprof_header {
	const struct prof_profile *profile;
	const struct pprof_options *options;
	uint32_t column;
};

/* What the profile says of itself. */
void pprof_header_profile(const void *context, const struct prof_value_style *style,
			  struct prof_buf *out);

/* Which filters are active. */
void pprof_header_filters(const void *context, const struct prof_value_style *style,
			  struct prof_buf *out);

/* The name of a column, "mean_" in front if means are shown. */
void pprof_header_type(const struct pprof_header *header, struct prof_buf *out);

/* Move what `out` holds from `start` on to the right of `width` characters. */
void pprof_align_right(struct prof_buf *out, size_t start, size_t width);

#endif

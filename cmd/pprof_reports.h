/* SPDX-License-Identifier: MIT */
/*
 * pprof_reports.h - the reports of pprof that come straight from samples.
 *
 * Those that come from a graph are in pprof_text.h.
 *
 * Bytes:   those of google/pprof; names are printed as they are in the profile.
 * Errors:  NOMEM; MISMATCH "no matches found for regexp: R"; those of the numbers.
 */
#ifndef FGTOOL_PPROF_REPORTS_H
#define FGTOOL_PPROF_REPORTS_H

#include "cmd/output.h"
#include "cmd/pprof_header.h"
#include "cmd/pprof_load.h"
#include "cmd/pprof_options.h"
#include "libprof/base/buf.h"
#include "libprof/base/error.h"

/* What a report is about: the options, and the view with the style of its values. */
struct pprof_job {
	const struct pprof_options *options;
	struct pprof_view view;
	struct prof_value_style style;
	struct pprof_header header;
	struct prof_aggregate_options granularity;
	struct output *stream; /* where reports go that are too long to be held */
};

/* Write what `out` holds once it is much; then it is empty. */
bool pprof_drain(const struct pprof_job *job, struct prof_buf *out,
		 struct prof_error *err) PROF_NODISCARD;

/* Every sample: its labels, then its frames, leaf first. */
bool pprof_traces(const struct pprof_job *job, struct prof_buf *out,
		  struct prof_error *err) PROF_NODISCARD;

/* The weights of label values, key by key. */
bool pprof_tags(const struct pprof_job *job, struct prof_buf *out,
		struct prof_error *err) PROF_NODISCARD;

/* The tables of the profile. */
bool pprof_raw(const struct pprof_job *job, struct prof_buf *out,
	       struct prof_error *err) PROF_NODISCARD;

/* The comments, hidden ones too. */
void pprof_comments(const struct pprof_job *job, struct prof_buf *out);

/* The source of functions whose name matches, with the value of each line. */
bool pprof_list(const struct pprof_job *job, struct prof_buf *out,
		struct prof_error *err) PROF_NODISCARD;

/* The instructions of routines whose name matches, with the value of each. */
bool pprof_disasm(const struct pprof_job *job, struct prof_buf *out,
		  struct prof_error *err) PROF_NODISCARD;

/*
 * A page of HTML that needs nothing else: the source of files that match, with the value
 * of each line and what it was compiled to, as far as source and program are at hand.
 */
bool pprof_weblist(const struct pprof_job *job, struct prof_buf *out,
		   struct prof_error *err) PROF_NODISCARD;

/* The filtered profile, or its top rows as one; gzipped. */
bool pprof_proto(const struct pprof_job *job, struct prof_buf *out,
		 struct prof_error *err) PROF_NODISCARD;
bool pprof_topproto(const struct pprof_job *job, struct prof_buf *out,
		    struct prof_error *err) PROF_NODISCARD;

#endif

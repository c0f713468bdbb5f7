/* SPDX-License-Identifier: MIT */
/*
 * pprof_text.h - the reports of pprof that come from a graph: top, tree, peek, dot and
 * callgrind.
 *
 *	struct pprof_graph_report report = {
 *		.kind = PPROF_TOP,
 *		.profile = filtered, .granularity = { ... }, .graph = { ... },
 *		.style = { .unit = ..., .show = prof_text("minimum"), .ratio = 1,
 *			   .total = total },
 *	};
 *
 *	if (!pprof_graph_report(&report, &out, &err))
 *		return complain(&err);
 *
 * `graph` holds what the user chose: column, mean, call_tree, drop_negative, by_cum,
 * node_limit (resolved, 0 for none), fractions, trim. The rest follows from the kind.
 * Peek and callgrind never trim, whatever the limits say.
 *
 * Bytes:   those of google/pprof; names are printed as they are in the profile.
 * Errors:  MISMATCH "no matches found for regexp: R"; those of the graph.
 */
#ifndef FGTOOL_PPROF_TEXT_H
#define FGTOOL_PPROF_TEXT_H

#include "libprof/model/aggregate.h"
#include "libprof/model/tagfilter.h"
#include "libprof/report/graph.h"

enum pprof_graph_kind {
	PPROF_TOP,
	PPROF_TREE,
	PPROF_PEEK,
	PPROF_DOT,
	PPROF_CALLGRIND,
};

/* Lines, each with its newline, that head a report. The style's unit is chosen. */
struct pprof_labels {
	void (*add)(const void *context, const struct prof_value_style *style,
		    struct prof_buf *out); /* NULL: none */
	const void *context;
};

struct pprof_graph_report {
	enum pprof_graph_kind kind;
	const struct prof_profile *profile; /* filtered, not aggregated */
	struct prof_aggregate_options granularity;
	struct prof_graph_options graph;
	struct prof_value_style style; /* show: "minimum" is replaced by one unit */
	struct prof_text type;         /* callgrind: name of the column's type */

	struct pprof_labels labels;  /* of the profile; none when compact */
	struct pprof_labels filters; /* "Active filters:" and so on */
	struct prof_text title;      /* dot: base name of the main binary, or empty */
	struct prof_text url;        /* dot: of the documentation, or empty */

	struct prof_matcher symbols; /* peek: nodes to show */
	struct prof_text regex;      /* peek: its text, for the message */
};

/* Append the report to `out`. */
bool pprof_graph_report(const struct pprof_graph_report *report, struct prof_buf *out,
			struct prof_error *err) PROF_NODISCARD;

/*
 * "Showing nodes accounting for ..." and the lines after it, each with its newline;
 * dropped edges only for a picture.
 */
void pprof_text_showing(struct prof_buf *out, const struct pprof_graph_report *report,
			const struct prof_graph *graph,
			const struct prof_value_style *style);

#endif

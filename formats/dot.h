/* SPDX-License-Identifier: MIT */
/*
 * dot.h - a graph in the language of Graphviz, as pprof draws it.
 *
 * Nodes are boxes whose size follows flat and whose colour follows cum; labels of
 * samples hang on them as smaller boxes; edges are as thick as they weigh.
 *
 * Errors: NOMEM.
 * Source: the output of google/pprof -dot, byte for byte.
 */
#ifndef PROF_FORMATS_DOT_H
#define PROF_FORMATS_DOT_H

#include "libprof/base/buf.h"
#include "libprof/base/error.h"
#include "libprof/report/graph.h"

struct prof_dot_options {
	struct prof_text title;  /* empty: "unnamed" */
	struct prof_text legend; /* lines, each with its newline; empty: no legend */
	struct prof_text url;    /* of the legend; empty: none */
	struct prof_value_style style;
};

bool prof_dot_write(const struct prof_graph *graph,
		    const struct prof_dot_options *options, struct prof_buf *out,
		    struct prof_error *err) PROF_NODISCARD;

#endif

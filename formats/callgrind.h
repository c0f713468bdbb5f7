/* SPDX-License-Identifier: MIT */
/*
 * callgrind.h - a graph as a file that KCachegrind opens, as pprof writes it.
 *
 * One cost line per node, at its address and line; calls follow with the weight of
 * their edge. Objects, files and functions are named once and numbered. Values are
 * whole numbers of the unit that `style` shows.
 *
 * Quirks:  call targets are relative to the node before, the count of calls is 0, and
 *          in a call tree callees are told apart as "name [1/2]": so does pprof.
 * Errors:  NOMEM.
 * Source:  https://valgrind.org/docs/manual/cl-format.html; the output of google/pprof
 *          -callgrind, byte for byte.
 */
#ifndef PROF_FORMATS_CALLGRIND_H
#define PROF_FORMATS_CALLGRIND_H

#include "libprof/base/buf.h"
#include "libprof/base/error.h"
#include "libprof/report/graph.h"

struct prof_callgrind_options {
	struct prof_text type; /* name of the column's type */
	struct prof_value_style style;
};

bool prof_callgrind_write(const struct prof_graph *graph,
			  const struct prof_callgrind_options *options,
			  struct prof_buf *out, struct prof_error *err) PROF_NODISCARD;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * list.h - what each source line of chosen functions costs.
 *
 *	parse in parse.c   flat 30  cum 80   lines 12 to 27
 *		line 17    flat 30  cum 30
 *		line 22    flat  0  cum 50
 *
 * Flat and cum of a function are the sums of its lines: a function that has several
 * lines in one stack, by recursion, counts for each of them. Unless `exact` is set:
 * then every sample counts once for a line, and once for a function.
 *
 * Order:   functions by name, files of one by name, lines by number.
 * Owns:    everything but the texts, which are the profile's: it must outlive the list.
 * Errors:  LIMIT as graph.h.
 * Source:  the numbers and ranges of google/pprof -list.
 */
#ifndef PROF_REPORT_LIST_H
#define PROF_REPORT_LIST_H

#include <stdint.h>

#include "libprof/base/arena.h"
#include "libprof/base/error.h"
#include "libprof/model/profile.h"
#include "libprof/model/tagfilter.h"
#include "libprof/report/frameinfo.h"

struct prof_list_line {
	int64_t line;
	int64_t flat;
	int64_t cum;
};

/* One function in one file; no file: the function has none at all. */
struct prof_list_function {
	struct prof_text name;
	struct prof_text file;
	int64_t flat;
	int64_t cum;
	int64_t first; /* line to show, at least 1 */
	int64_t last;
	struct prof_list_line *lines; /* distinct */
	uint32_t line_count;
};

struct prof_list {
	struct prof_arena arena;
	struct prof_list_function *functions;
	uint32_t function_count;
};

struct prof_list_options {
	uint32_t column;
	bool drop_negative;
	bool exact; /* see above; start lines of functions are not known then */
	struct prof_matcher names; /* of functions to list */
	struct prof_path_trim trim;
};

/* `profile` is aggregated by line. */
bool prof_list_build(const struct prof_profile *profile,
		     const struct prof_list_options *options, struct prof_list **out,
		     struct prof_error *err) PROF_NODISCARD;

/* NULL is fine. */
void prof_list_free(struct prof_list *list);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * top.h - flat and cum of every function, file, line, address, module or label value.
 *
 * flat of a key: values of the samples whose leaf frame it is. cum: values of the
 * samples that have it anywhere in their stack, each sample once, so recursion counts
 * once. Both are exact.
 *
 * Two ways in, one engine:
 *
 *	prof_top_new(&options), feed prof_top_sink() by a reader, prof_top_finish()
 *	prof_profile_send(profile, prof_top_sink(top), err), prof_top_finish()
 *
 * The first needs memory for the tables only: all columns are added up as samples
 * arrive, names are told apart by string ref, and strings may come last. When that
 * turns out not to be exact - two refs with equal bytes in one profile; several
 * inputs with negative values, which could cancel; a type announced after samples -
 * the sink fails with PROF_ERR_AGAIN, and the caller reads again through a builder.
 * By label always needs the profile (PROF_ERR_AGAIN at once from a reader that has
 * not delivered strings first).
 *
 * Several inputs add up, joined by key content; types must be equal, else MISMATCH.
 *
 * Units:   int64 in the unit of each column's type.
 * Owns:    the result owns copies of its names.
 * Errors:  LIMIT when a sum does not fit int64, naming the column.
 * Threads: samples may be taken by two threads, see prof_sink.fork.
 * Cost:    about 3 ns per frame; 8 + 16 bytes per key and column and 30 per location.
 */
#ifndef PROF_REPORT_TOP_H
#define PROF_REPORT_TOP_H

#include "libprof/base/arena.h"
#include "libprof/base/error.h"
#include "libprof/model/profile.h"
#include "libprof/report/key.h"

struct prof_top;

struct prof_top_row {
	struct prof_text name; /* as in the profile: show it escaped */
	int64_t *flat;         /* per column */
	int64_t *cum;
};

struct prof_top_type {
	struct prof_text type;
	struct prof_text unit;
};

struct prof_top_result {
	struct prof_arena arena;
	struct prof_top_row *rows; /* sorted by name, bytewise; see prof_top_sort() */
	uint32_t row_count;
	struct prof_top_type *types;
	uint32_t type_count;
	uint32_t default_column;
	int64_t *total;   /* per column: sum of |value| over all samples */
	int64_t *removed; /* per column: part of the total that filters took away before
			     the engine saw it; NULL for none. The caller sets it */
	uint64_t sample_count; /* samples seen */
	int64_t time_ns;       /* as merging would have them: see merge.h */
	int64_t duration_ns;
	bool negative; /* some value was below zero */
};

/* NULL when out of memory. */
struct prof_top *prof_top_new(const struct prof_key_options *options);

struct prof_sink *prof_top_sink(struct prof_top *top);

/* The rows of everything that arrived; `top` must be freed afterwards. */
bool prof_top_finish(struct prof_top *top, struct prof_top_result **out,
		     struct prof_error *err) PROF_NODISCARD;

void prof_top_free(struct prof_top *top);
void prof_top_result_free(struct prof_top_result *result);

/* Send `profile` through an engine of its own. */
bool prof_top_of(const struct prof_profile *profile,
		 const struct prof_key_options *options, struct prof_top_result **out,
		 struct prof_error *err) PROF_NODISCARD;

/*
 * The column `name` means: the name of a type, "type/unit" or a number counted from 0.
 * False when there is none or `name` is ambiguous.
 */
bool prof_top_column(const struct prof_top_result *result, struct prof_text name,
		     uint32_t *column) PROF_NODISCARD;

/* Sort rows by |flat| or |cum| of `column`, descending; ties by name, then the other. */
void prof_top_sort(struct prof_top_result *result, uint32_t column, bool by_cum);

#endif

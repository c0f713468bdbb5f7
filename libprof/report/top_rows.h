/* SPDX-License-Identifier: MIT */
/*
 * top_rows.h - rows of all inputs of a top, joined by the content of their names.
 *
 * Private to libprof/report. An input that has ended is a keyring, which names its
 * nodes, and a tally, which has their sums.
 *
 * Errors:  as top.h says: AGAIN, MISMATCH, LIMIT.
 */
#ifndef PROF_REPORT_TOP_ROWS_H
#define PROF_REPORT_TOP_ROWS_H

#include "libprof/base/strings.h"
#include "libprof/report/keyring.h"
#include "libprof/report/tally.h"
#include "libprof/report/top.h"

struct prof_top_rows {
	struct prof_strings names; /* row -> name */
	uint64_t *sums;            /* per row: flat, then cum, of each column */
	size_t sum_cap;            /* rows */
	uint32_t *last_input;      /* per row: the last input that had it, from 1 */
	size_t last_input_cap;
	uint32_t inputs; /* that were not empty */

	struct prof_strings type_names;
	uint32_t *types; /* names of each column: type, unit, type, unit */
	uint32_t type_count;
	uint32_t default_type; /* name, 0 for none */
	int64_t *total;        /* per column */
	uint64_t sample_count;
	int64_t time_ns;
	int64_t duration_ns;
	bool negative;
};

struct prof_top_input {
	struct prof_keyring *ring;
	const struct prof_tally *tally;
	const struct prof_value_type *types; /* tally->columns */
	const struct prof_header *header;
};

/* Add an input that has ended. */
bool prof_top_rows_join(struct prof_top_rows *rows, const struct prof_top_input *input,
			struct prof_error *err) PROF_NODISCARD;

/* The result; the memory of the names passes to it. */
bool prof_top_rows_result(struct prof_top_rows *rows, struct prof_top_result **out,
			  struct prof_error *err) PROF_NODISCARD;

void prof_top_rows_free(struct prof_top_rows *rows);

#endif

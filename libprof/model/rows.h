/* SPDX-License-Identifier: MIT */
/*
 * rows.h - the samples of a builder: columns that grow, and sums that do not wrap.
 *
 * Private to libprof/model. A sum that leaves int64 on the way is remembered with a
 * carry, so that whether the total fits does not depend on the order of addition.
 *
 * Errors:  functions are false when memory ran out or 2^32 - 2 rows are there.
 */
#ifndef PROF_MODEL_ROWS_H
#define PROF_MODEL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libprof/base/map.h"

/* The true value of a cell is the stored one plus count * 2^64. */
struct prof_carry {
	uint32_t row;
	uint32_t column;
	int32_t count;
};

struct prof_rows {
	uint32_t type_count;
	uint32_t *stacks;
	size_t stack_cap;
	uint32_t *sets;
	size_t set_cap;
	int64_t **values; /* [column][row]; NULL until prof_rows_columns() */
	size_t *value_caps;
	uint32_t count;

	bool mapped;        /* false while row i is that of stack i, without labels */
	uint32_t *of_stack; /* row of a stack without labels, or PROF_NONE, if mapped */
	size_t of_stack_cap;
	uint32_t of_stack_count;
	struct prof_map map; /* (stack, set) -> row */

	struct prof_carry *carries;
	size_t carry_cap;
	size_t carry_count;
};

/* Say how many columns there are, once, before the first row. */
bool prof_rows_columns(struct prof_rows *rows, uint32_t type_count);

/* One more row. */
bool prof_rows_append(struct prof_rows *rows, uint32_t stack, uint32_t set,
		      const int64_t *values);

/* Add to the row of (stack, set), a new one if there is none. */
bool prof_rows_sum(struct prof_rows *rows, uint32_t stack, uint32_t set,
		   const int64_t *values);

/* Pull in what prof_rows_sum() of these stacks, without labels, will touch. */
void prof_rows_prefetch(const struct prof_rows *rows, const uint32_t *stacks,
			uint32_t count);

/*
 * Net carries: sort them by cell, drop those that cancel. What is left are cells that
 * do not fit int64.
 */
void prof_rows_settle(struct prof_rows *rows);

/* Whether some row is zero in every column. */
bool prof_rows_have_zero(const struct prof_rows *rows);

void prof_rows_free(struct prof_rows *rows);

#endif

/* SPDX-License-Identifier: MIT */
#include "libprof/model/rows.h"

#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"
#include "libprof/model/sink.h"

bool prof_rows_columns(struct prof_rows *rows, uint32_t type_count)
{
	int64_t **values = prof_alloc_array(type_count, sizeof(*values));
	size_t *caps = prof_alloc_array(type_count, sizeof(*caps));

	if (!values || !caps) {
		prof_free(values);
		prof_free(caps);
		return false;
	}
	rows->values = values;
	rows->value_caps = caps;
	rows->type_count = type_count;
	return true;
}

bool prof_rows_append(struct prof_rows *rows, uint32_t stack, uint32_t set,
		      const int64_t *values)
{
	uint32_t row = rows->count;

	if (row >= UINT32_MAX - 1 ||
	    !prof_reserve((void **)&rows->stacks, &rows->stack_cap, (size_t)row + 1,
			  sizeof(*rows->stacks)) ||
	    !prof_reserve((void **)&rows->sets, &rows->set_cap, (size_t)row + 1,
			  sizeof(*rows->sets))) {
		return false;
	}
	for (uint32_t c = 0; c < rows->type_count; c++) {
		if (!prof_reserve((void **)&rows->values[c], &rows->value_caps[c],
				  (size_t)row + 1, sizeof(**rows->values))) {
			return false;
		}
		rows->values[c][row] = values[c];
	}
	rows->stacks[row] = stack;
	rows->sets[row] = set;
	rows->count++;
	return true;
}

static bool note_carry(struct prof_rows *rows, uint32_t row, uint32_t column, int sign)
{
	if (!prof_reserve((void **)&rows->carries, &rows->carry_cap,
			  rows->carry_count + 1, sizeof(*rows->carries))) {
		return false;
	}
	rows->carries[rows->carry_count++] = (struct prof_carry){ row, column, sign };
	return true;
}

static bool add_to(struct prof_rows *rows, uint32_t row, const int64_t *values)
{
	for (uint32_t c = 0; c < rows->type_count; c++) {
		int64_t *sum = &rows->values[c][row];

		if (__builtin_add_overflow(*sum, values[c], sum) &&
		    !note_carry(rows, row, c, values[c] < 0 ? -1 : 1)) {
			return false;
		}
	}
	return true;
}

/* Stacks and rows part ways: from now on which row a stack has is written down. */
static bool begin_mapping(struct prof_rows *rows)
{
	if (!prof_reserve((void **)&rows->of_stack, &rows->of_stack_cap, rows->count,
			  sizeof(*rows->of_stack))) {
		return false;
	}
	for (uint32_t i = 0; i < rows->count; i++) {
		rows->of_stack[i] = i;
	}
	rows->of_stack_count = rows->count;
	rows->mapped = true;
	return true;
}

/* The row of a stack without labels is found without a hash. */
static bool sum_without_labels(struct prof_rows *rows, uint32_t stack,
			       const int64_t *values)
{
	if (!rows->mapped && stack <= rows->count) {
		return stack < rows->count ? add_to(rows, stack, values)
					   : prof_rows_append(rows, stack, 0, values);
	}
	if ((!rows->mapped && !begin_mapping(rows)) ||
	    !prof_reserve((void **)&rows->of_stack, &rows->of_stack_cap,
			  (size_t)stack + 1, sizeof(*rows->of_stack))) {
		return false;
	}
	while (rows->of_stack_count <= stack) {
		rows->of_stack[rows->of_stack_count++] = PROF_NONE;
	}
	if (rows->of_stack[stack] != PROF_NONE) {
		return add_to(rows, rows->of_stack[stack], values);
	}
	rows->of_stack[stack] = rows->count;
	return prof_rows_append(rows, stack, 0, values);
}

bool prof_rows_sum(struct prof_rows *rows, uint32_t stack, uint32_t set,
		   const int64_t *values)
{
	uint64_t key = (uint64_t)stack << 32 | set;
	uint64_t hash = 0;
	struct prof_map_walk walk = { 0 };
	uint32_t row = 0;

	if (set == 0) {
		return sum_without_labels(rows, stack, values);
	}
	if (!rows->mapped && !begin_mapping(rows)) {
		return false;
	}
	hash = prof_hash_mix(key ^ prof_hash_seed(), PROF_HASH_B);
	walk = prof_map_walk(&rows->map, hash);
	while (prof_map_next(&walk, &row)) {
		if (rows->stacks[row] == stack && rows->sets[row] == set) {
			return add_to(rows, row, values);
		}
	}
	return prof_map_add(&rows->map, hash, rows->count) &&
	       prof_rows_append(rows, stack, set, values);
}

void prof_rows_prefetch(const struct prof_rows *rows, const uint32_t *stacks,
			uint32_t count)
{
	for (uint32_t i = 0; rows->mapped && i < count; i++) {
		if (stacks[i] < rows->of_stack_count) {
			__builtin_prefetch(&rows->of_stack[stacks[i]]);
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t row = stacks[i];

		if (rows->mapped) {
			row = row < rows->of_stack_count ? rows->of_stack[row]
							 : PROF_NONE;
		}
		for (uint32_t c = 0; row < rows->count && c < rows->type_count; c++) {
			__builtin_prefetch(&rows->values[c][row], 1);
		}
	}
}

static int carry_order(const void *left, const void *right)
{
	const struct prof_carry *a = left;
	const struct prof_carry *b = right;

	if (a->row != b->row) {
		return a->row < b->row ? -1 : 1;
	}
	return (a->column > b->column) - (a->column < b->column);
}

void prof_rows_settle(struct prof_rows *rows)
{
	size_t kept = 0;

	if (rows->carry_count == 0) {
		return;
	}
	qsort(rows->carries, rows->carry_count, sizeof(*rows->carries), carry_order);
	for (size_t i = 0; i < rows->carry_count; i++) {
		if (kept > 0 &&
		    carry_order(&rows->carries[kept - 1], &rows->carries[i]) == 0) {
			rows->carries[kept - 1].count += rows->carries[i].count;
		} else {
			rows->carries[kept++] = rows->carries[i];
		}
	}
	rows->carry_count = 0;
	for (size_t i = 0; i < kept; i++) {
		if (rows->carries[i].count != 0) {
			rows->carries[rows->carry_count++] = rows->carries[i];
		}
	}
}

bool prof_rows_have_zero(const struct prof_rows *rows)
{
	for (uint32_t row = 0; row < rows->count; row++) {
		bool zero = true;

		for (uint32_t c = 0; zero && c < rows->type_count; c++) {
			zero = rows->values[c][row] == 0;
		}
		if (zero) {
			return true;
		}
	}
	return false;
}

void prof_rows_free(struct prof_rows *rows)
{
	for (uint32_t c = 0; c < rows->type_count; c++) {
		prof_free(rows->values[c]);
	}
	prof_free(rows->values);
	prof_free(rows->value_caps);
	prof_free(rows->stacks);
	prof_free(rows->sets);
	prof_free(rows->of_stack);
	prof_map_free(&rows->map);
	prof_free(rows->carries);
	*rows = (struct prof_rows){ 0 };
}

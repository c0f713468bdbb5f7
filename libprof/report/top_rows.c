/* SPDX-License-Identifier: MIT */
#include "libprof/report/top_rows.h"

#include <stdlib.h>

#include "libprof/base/alloc.h"

enum { TYPES_SHOWN = 4096 /* bytes of a type list in a message */ };

static void show_types(const struct prof_top_rows *rows, const uint32_t *types,
		       uint32_t count, struct prof_buf *out)
{
	for (uint32_t i = 0; i < 2 * count; i++) {
		struct prof_text text = prof_strings_get(&rows->type_names, types[i]);

		prof_buf_adds(out, i % 2 == 1 ? "/" : i > 0 ? ", " : "");
		prof_buf_add(out, text.data, text.len);
	}
}

static bool types_differ(const struct prof_top_rows *rows, const uint32_t *types,
			 uint32_t count, struct prof_error *err)
{
	struct prof_buf known = { .max = TYPES_SHOWN };
	struct prof_buf other = { .max = TYPES_SHOWN };

	show_types(rows, rows->types, rows->type_count, &known);
	show_types(rows, types, count, &other);
	prof_error_set(err, PROF_ERR_MISMATCH, "sample types differ: (%.*s) and (%.*s)",
		       (int)known.len, known.data ? known.data : "", (int)other.len,
		       other.data ? other.data : "");
	prof_buf_free(&known);
	prof_buf_free(&other);
	return false;
}

static bool type_id(struct prof_top_rows *rows, struct prof_keyring *ring, uint32_t ref,
		    uint32_t *id, struct prof_error *err)
{
	struct prof_text text = { 0 };

	if (!prof_keyring_text(ring, ref, &text, err)) {
		return false;
	}
	*id = prof_strings_add(&rows->type_names, text);
	return !rows->type_names.failed || prof_fail_nomem(err);
}

/* Keep the types of the first input, compare those of the others. Owns `types`. */
static bool take_types(struct prof_top_rows *rows, uint32_t *types, uint32_t count,
		       struct prof_error *err)
{
	bool ok = true;

	if (rows->inputs == 0) {
		rows->types = types;
		rows->type_count = count;
		rows->total = prof_alloc_array(count, sizeof(*rows->total));
		return rows->total || prof_fail_nomem(err);
	}
	ok = count == rows->type_count &&
	     memcmp(types, rows->types, count * 2 * sizeof(*types)) == 0;
	if (!ok) {
		(void)types_differ(rows, types, count, err);
	}
	prof_free(types);
	return ok;
}

static bool join_types(struct prof_top_rows *rows, const struct prof_top_input *input,
		       struct prof_error *err)
{
	uint32_t count = input->tally->columns;
	uint32_t *types = prof_alloc_array(count, 2 * sizeof(*types));

	if (!types) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!type_id(rows, input->ring, input->types[i].type, &types[2 * i],
			     err) ||
		    !type_id(rows, input->ring, input->types[i].unit, &types[2 * i + 1],
			     err)) {
			prof_free(types);
			return false;
		}
	}
	return take_types(rows, types, count, err);
}

static bool join_totals(struct prof_top_rows *rows, const struct prof_tally *tally,
			struct prof_error *err)
{
	for (uint32_t c = 0; c < rows->type_count; c++) {
		if (tally->overflow[c] ||
		    __builtin_add_overflow(rows->total[c], (int64_t)tally->total[c],
					   &rows->total[c])) {
			struct prof_text type =
				prof_strings_get(&rows->type_names, rows->types[2 * c]);

			return prof_fail(err, PROF_ERR_LIMIT,
					 "a sum of '%.*s' values does not fit 64 bits",
					 (int)type.len, type.data);
		}
	}
	rows->sample_count += tally->sample_count;
	rows->negative = rows->negative || tally->negative;
	return true;
}

/* Room for one more row and its sums. */
static bool have_row(struct prof_top_rows *rows, uint32_t row)
{
	size_t width = 2 * (size_t)rows->type_count;
	size_t old_rows = rows->sum_cap;
	size_t old_inputs = rows->last_input_cap;

	if (!prof_reserve((void **)&rows->sums, &rows->sum_cap, (size_t)row + 1,
			  width * sizeof(*rows->sums)) ||
	    !prof_reserve((void **)&rows->last_input, &rows->last_input_cap,
			  (size_t)row + 1, sizeof(*rows->last_input))) {
		return false;
	}
	if (rows->sum_cap > old_rows) {
		memset(rows->sums + old_rows * width, 0,
		       (rows->sum_cap - old_rows) * width * sizeof(*rows->sums));
	}
	if (rows->last_input_cap > old_inputs) {
		memset(rows->last_input + old_inputs, 0,
		       (rows->last_input_cap - old_inputs) * sizeof(*rows->last_input));
	}
	return true;
}

static bool join_node(struct prof_top_rows *rows, const struct prof_top_input *input,
		      uint32_t node, struct prof_error *err)
{
	const struct prof_tally *tally = input->tally;
	size_t columns = tally->columns;
	const uint64_t *flat = tally->flat + node * columns;
	const uint64_t *cum = tally->cum + node * (columns + 1) + 1;
	struct prof_text name = { 0 };
	uint32_t row = 0;

	if (tally->cum[node * (columns + 1)] == 0) {
		return true;
	}
	if (!prof_keyring_name(input->ring, node, &name, err)) {
		return false;
	}
	row = prof_strings_add(&rows->names, name);
	if (rows->names.failed || !have_row(rows, row)) {
		return prof_fail_nomem(err);
	}
	if (rows->last_input[row] == rows->inputs + 1) {
		return prof_fail(err, PROF_ERR_AGAIN, "two names are the same");
	}
	rows->last_input[row] = rows->inputs + 1;
	for (size_t c = 0; c < columns; c++) {
		rows->sums[row * 2 * columns + c] += flat[c];
		rows->sums[(row * 2 + 1) * columns + c] += cum[c];
	}
	return true;
}

static bool join_header(struct prof_top_rows *rows, const struct prof_top_input *input,
			struct prof_error *err)
{
	const struct prof_header *header = input->header;
	struct prof_text known = { 0 };
	struct prof_text other = { 0 };
	uint32_t id = 0;

	if (header->time_ns != 0 &&
	    (rows->time_ns == 0 || header->time_ns < rows->time_ns)) {
		rows->time_ns = header->time_ns;
	}
	if (__builtin_add_overflow(rows->duration_ns, header->duration_ns,
				   &rows->duration_ns)) {
		return prof_fail(err, PROF_ERR_LIMIT,
				 "the sum of the durations does not fit 64 bits");
	}
	if (!type_id(rows, input->ring, header->default_type, &id, err)) {
		return false;
	}
	known = prof_strings_get(&rows->type_names, rows->default_type);
	other = prof_strings_get(&rows->type_names, id);
	if (known.len == 0 || (other.len > 0 && prof_text_compare(other, known) < 0)) {
		rows->default_type = id;
	}
	return true;
}

bool prof_top_rows_join(struct prof_top_rows *rows, const struct prof_top_input *input,
			struct prof_error *err)
{
	const struct prof_tally *tally = input->tally;
	uint32_t nodes = prof_keyring_nodes(input->ring);

	if (tally->columns == 0 && tally->sample_count == 0) {
		return true; /* the neutral element */
	}
	if (!join_types(rows, input, err) || !join_totals(rows, tally, err)) {
		return false;
	}
	for (uint32_t node = 0; node < nodes && node < tally->summed; node++) {
		if (!join_node(rows, input, node, err)) {
			return false;
		}
	}
	if (!join_header(rows, input, err)) {
		return false;
	}
	rows->inputs++;
	if (rows->negative && rows->inputs > 1) {
		return prof_fail(err, PROF_ERR_AGAIN, "negative values may cancel");
	}
	return true;
}

void prof_top_rows_free(struct prof_top_rows *rows)
{
	prof_strings_free(&rows->names);
	prof_strings_free(&rows->type_names);
	prof_free(rows->sums);
	prof_free(rows->last_input);
	prof_free(rows->types);
	prof_free(rows->total);
}

/* the result */

static bool row_is_zero(const uint64_t *sums, size_t width)
{
	for (size_t i = 0; i < width; i++) {
		if (sums[i] != 0) {
			return false;
		}
	}
	return true;
}

static void fill_rows(const struct prof_top_rows *rows, struct prof_top_result *result,
		      int64_t *values)
{
	size_t columns = rows->type_count;
	size_t width = 2 * columns;

	for (uint32_t row = 0; row < rows->names.count && row < rows->sum_cap; row++) {
		const uint64_t *sums = rows->sums + row * width;

		if (row_is_zero(sums, width)) {
			continue;
		}
		for (size_t i = 0; i < width; i++) {
			values[i] = (int64_t)sums[i];
		}
		result->rows[result->row_count++] = (struct prof_top_row){
			.name = prof_strings_get(&rows->names, row),
			.flat = values,
			.cum = values + columns,
		};
		values += width;
	}
}

static struct prof_text copy_type(const struct prof_top_rows *rows,
				  struct prof_top_result *result, uint32_t id)
{
	struct prof_text text = prof_strings_get(&rows->type_names, id);
	const char *copy = prof_arena_copy(&result->arena, text.data, text.len);

	return (struct prof_text){ copy, text.len };
}

static void fill_types(const struct prof_top_rows *rows, struct prof_top_result *result)
{
	uint32_t count = rows->type_count;
	bool found = false;

	result->type_count = count;
	result->default_column = count > 0 ? count - 1 : 0;
	for (uint32_t c = 0; c < count; c++) {
		result->types[c].type = copy_type(rows, result, rows->types[2 * c]);
		result->types[c].unit = copy_type(rows, result, rows->types[2 * c + 1]);
		result->total[c] = rows->total[c];
		if (!found && rows->default_type != 0 &&
		    rows->types[2 * c] == rows->default_type) {
			result->default_column = c;
			found = true;
		}
	}
}

static int compare_names(const void *left, const void *right)
{
	const struct prof_top_row *a = left;
	const struct prof_top_row *b = right;

	return prof_text_compare(a->name, b->name);
}

/* The names' memory passes from the engine to the result. */
static bool fill(struct prof_top_rows *rows, struct prof_top_result *result)
{
	size_t count = rows->names.count;
	size_t columns = rows->type_count;
	int64_t *values = NULL;

	result->arena = rows->names.bytes;
	rows->names.bytes = (struct prof_arena){ 0 };
	values = prof_arena_array(&result->arena, count,
				  2 * (columns > 0 ? columns : 1) * sizeof(*values));
	result->rows = prof_arena_array(&result->arena, count, sizeof(*result->rows));
	result->types =
		prof_arena_array(&result->arena, columns, sizeof(*result->types));
	result->total =
		prof_arena_array(&result->arena, columns, sizeof(*result->total));
	if (result->arena.failed) {
		return false;
	}
	fill_types(rows, result);
	fill_rows(rows, result, values);
	if (result->row_count > 1) {
		qsort(result->rows, result->row_count, sizeof(*result->rows),
		      compare_names);
	}
	result->sample_count = rows->sample_count;
	result->time_ns = rows->time_ns;
	result->duration_ns = rows->duration_ns;
	result->negative = rows->negative;
	return !result->arena.failed;
}

bool prof_top_rows_result(struct prof_top_rows *rows, struct prof_top_result **out,
			  struct prof_error *err)
{
	struct prof_top_result *result = prof_alloc_array(1, sizeof(*result));

	if (!result || !fill(rows, result)) {
		prof_top_result_free(result);
		return prof_fail_nomem(err);
	}
	*out = result;
	return true;
}

void prof_top_result_free(struct prof_top_result *result)
{
	if (result) {
		prof_arena_free(&result->arena);
		prof_free(result);
	}
}

/* sorting */

static bool names_type(const struct prof_top_type *type, struct prof_text name)
{
	size_t len = type->type.len;

	if (prof_text_equal(type->type, name)) {
		return true;
	}
	return name.len == len + 1 + type->unit.len && name.data[len] == '/' &&
	       prof_text_equal(type->type, (struct prof_text){ name.data, len }) &&
	       prof_text_equal(type->unit, (struct prof_text){ name.data + len + 1,
							       type->unit.len });
}

static bool column_number(const struct prof_top_result *result, struct prof_text name,
			  uint32_t *column)
{
	uint32_t number = 0;

	if (name.len == 0 || name.len > 3) {
		return false;
	}
	for (size_t i = 0; i < name.len; i++) {
		if (name.data[i] < '0' || name.data[i] > '9') {
			return false;
		}
		number = number * 10 + (uint32_t)(name.data[i] - '0');
	}
	if (number >= result->type_count) {
		return false;
	}
	*column = number;
	return true;
}

bool prof_top_column(const struct prof_top_result *result, struct prof_text name,
		     uint32_t *column)
{
	uint32_t found = PROF_NONE;

	for (uint32_t c = 0; c < result->type_count; c++) {
		if (names_type(&result->types[c], name)) {
			if (found != PROF_NONE) {
				return false;
			}
			found = c;
		}
	}
	if (found == PROF_NONE) {
		return column_number(result, name, column);
	}
	*column = found;
	return true;
}

struct order {
	uint32_t column;
	bool by_cum;
};

static uint64_t size_of(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static int compare_values(const void *left, const void *right, void *context)
{
	const struct prof_top_row *a = left;
	const struct prof_top_row *b = right;
	const struct order *order = context;
	uint32_t c = order->column;
	uint64_t first = size_of(order->by_cum ? a->cum[c] : a->flat[c]);
	uint64_t second = size_of(order->by_cum ? b->cum[c] : b->flat[c]);

	if (first != second) {
		return first > second ? -1 : 1;
	}
	return prof_text_compare(a->name, b->name);
}

void prof_top_sort(struct prof_top_result *result, uint32_t column, bool by_cum)
{
	struct order order = { column, by_cum };

	if (result->row_count > 1 && column < result->type_count) {
		qsort_r(result->rows, result->row_count, sizeof(*result->rows),
			compare_values, &order);
	}
}

/* SPDX-License-Identifier: MIT */
#include "libprof/report/diff.h"

#include <math.h>
#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/base/buf.h"

enum { TYPES_SHOWN = 4096 /* bytes of a type list in a message */ };

struct join {
	const struct prof_top_result *before;
	const struct prof_top_result *after;
	uint32_t before_column;
	uint32_t after_column;
	const struct prof_top_row **before_rows; /* by name */
	const struct prof_top_row **after_rows;
};

static void list_types(const struct prof_top_result *top, struct prof_buf *out)
{
	for (uint32_t i = 0; i < top->type_count; i++) {
		prof_buf_adds(out, i > 0 ? ", " : "");
		prof_buf_add(out, top->types[i].type.data, top->types[i].type.len);
		prof_buf_addc(out, '/');
		prof_buf_add(out, top->types[i].unit.data, top->types[i].unit.len);
	}
}

static bool types_differ(const struct join *join, struct prof_error *err)
{
	struct prof_buf before = { .max = TYPES_SHOWN };
	struct prof_buf after = { .max = TYPES_SHOWN };

	list_types(join->before, &before);
	list_types(join->after, &after);
	prof_error_set(err, PROF_ERR_MISMATCH, "sample types differ: (%.*s) and (%.*s)",
		       (int)before.len, before.data ? before.data : "", (int)after.len,
		       after.data ? after.data : "");
	prof_buf_free(&before);
	prof_buf_free(&after);
	return false;
}

/* A side without types is empty: all its values are 0, whatever the column. */
static bool find_column(struct join *join, struct prof_error *err)
{
	const struct prof_top_result *before = join->before;
	const struct prof_top_type *want = NULL;

	if (before->type_count == 0 || join->after->type_count == 0) {
		return true;
	}
	want = &join->after->types[join->after_column];
	for (uint32_t i = 0; i < before->type_count; i++) {
		if (prof_text_equal(before->types[i].type, want->type) &&
		    prof_text_equal(before->types[i].unit, want->unit)) {
			join->before_column = i;
			return true;
		}
	}
	return types_differ(join, err);
}

static int compare_names(const void *left, const void *right)
{
	const struct prof_top_row *const *a = left;
	const struct prof_top_row *const *b = right;

	return prof_text_compare((*a)->name, (*b)->name);
}

static const struct prof_top_row **by_name(const struct prof_top_result *top)
{
	const struct prof_top_row **rows =
		prof_alloc_array(top->row_count, sizeof(const struct prof_top_row *));

	if (!rows) {
		return NULL;
	}
	for (uint32_t i = 0; i < top->row_count; i++) {
		rows[i] = &top->rows[i];
	}
	if (top->row_count > 1) {
		qsort(rows, top->row_count, sizeof(const struct prof_top_row *),
		      compare_names);
	}
	return rows;
}

static bool set_value(struct prof_diff_value *value, int64_t before, int64_t after,
		      double factor, struct prof_error *err)
{
	double scaled = round((double)before * factor);

	*value = (struct prof_diff_value){ .before = before, .after = after };
	if (factor == 1.0) {
		value->scaled = before;
	} else if (!(fabs(scaled) < 9223372036854775808.0)) {
		return prof_fail(err, PROF_ERR_LIMIT,
				 "%g times %lld does not fit 64 bits", factor,
				 (long long)before);
	} else {
		value->scaled = (int64_t)scaled;
	}
	if (__builtin_sub_overflow(after, value->scaled, &value->delta)) {
		return prof_fail(err, PROF_ERR_LIMIT,
				 "a difference does not fit 64 bits");
	}
	return true;
}

static int64_t flat_of(const struct prof_top_row *row, uint32_t column)
{
	return row ? row->flat[column] : 0;
}

static int64_t cum_of(const struct prof_top_row *row, uint32_t column)
{
	return row ? row->cum[column] : 0;
}

static bool add_row(struct prof_diff *diff, const struct join *join,
		    const struct prof_top_row *before, const struct prof_top_row *after,
		    struct prof_error *err)
{
	const struct prof_top_row *either = before ? before : after;
	uint32_t was = join->before_column;
	uint32_t is = join->after_column;
	struct prof_diff_row *row = &diff->rows[diff->row_count];

	*row = (struct prof_diff_row){ .name = { NULL, 0 } };
	if (!set_value(&row->flat, flat_of(before, was), flat_of(after, is),
		       diff->factor, err) ||
	    !set_value(&row->cum, cum_of(before, was), cum_of(after, is), diff->factor,
		       err)) {
		return false;
	}
	/* Zero in this column on one side is as good as absent there. */
	row->in_before = before && (row->flat.before != 0 || row->cum.before != 0);
	row->in_after = after && (row->flat.after != 0 || row->cum.after != 0);
	if (!row->in_before && !row->in_after) {
		return true;
	}
	row->name.data =
		prof_arena_copy(&diff->arena, either->name.data, either->name.len);
	row->name.len = either->name.len;
	diff->row_count++;
	return !diff->arena.failed || prof_fail_nomem(err);
}

static bool join_rows(struct prof_diff *diff, const struct join *join,
		      struct prof_error *err)
{
	uint32_t b = 0;
	uint32_t a = 0;

	while (b < join->before->row_count || a < join->after->row_count) {
		const struct prof_top_row *before =
			b < join->before->row_count ? join->before_rows[b] : NULL;
		const struct prof_top_row *after =
			a < join->after->row_count ? join->after_rows[a] : NULL;
		int order = !before  ? 1
			    : !after ? -1
				     : prof_text_compare(before->name, after->name);

		if (!add_row(diff, join, order <= 0 ? before : NULL,
			     order >= 0 ? after : NULL, err)) {
			return false;
		}
		b += order <= 0;
		a += order >= 0;
	}
	return true;
}

static uint64_t size_of(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static int compare_deltas(const void *left, const void *right, void *by_cum)
{
	const struct prof_diff_row *a = left;
	const struct prof_diff_row *b = right;
	uint64_t first = size_of(*(bool *)by_cum ? a->cum.delta : a->flat.delta);
	uint64_t second = size_of(*(bool *)by_cum ? b->cum.delta : b->flat.delta);

	if (first != second) {
		return first > second ? -1 : 1;
	}
	return prof_text_compare(a->name, b->name);
}

static struct prof_text copy(struct prof_diff *diff, struct prof_text text)
{
	return (struct prof_text){ prof_arena_copy(&diff->arena, text.data, text.len),
				   text.len };
}

static bool set_header(struct prof_diff *diff, const struct join *join,
		       const struct prof_diff_options *options, struct prof_error *err)
{
	bool had = join->before->type_count > 0;
	bool has = join->after->type_count > 0;
	const struct prof_top_type *type =
		has ? &join->after->types[join->after_column] : join->before->types;
	int64_t before = had ? join->before->total[join->before_column] : 0;
	int64_t after = has ? join->after->total[join->after_column] : 0;

	diff->factor = options->factor != 0 ? options->factor : 1.0;
	if (options->equal_totals) {
		diff->factor = before != 0 ? (double)after / (double)before : 1.0;
	}
	if (has || had) {
		diff->type.type = copy(diff, type->type);
		diff->type.unit = copy(diff, type->unit);
	}
	return set_value(&diff->total, before, after, diff->factor, err);
}

static bool fill(struct prof_diff *diff, struct join *join,
		 const struct prof_diff_options *options, struct prof_error *err)
{
	size_t rows = (size_t)join->before->row_count + join->after->row_count;
	bool by_cum = options->by_cum;

	if (!find_column(join, err) || !set_header(diff, join, options, err)) {
		return false;
	}
	join->before_rows = by_name(join->before);
	join->after_rows = by_name(join->after);
	diff->rows = prof_arena_array(&diff->arena, rows + 1, sizeof(*diff->rows));
	if (!join->before_rows || !join->after_rows || !diff->rows) {
		return prof_fail_nomem(err);
	}
	if (!join_rows(diff, join, err)) {
		return false;
	}
	if (diff->row_count > 1) {
		qsort_r(diff->rows, diff->row_count, sizeof(*diff->rows),
			compare_deltas, &by_cum);
	}
	return true;
}

bool prof_diff_make(const struct prof_top_result *before,
		    const struct prof_top_result *after,
		    const struct prof_diff_options *options, struct prof_diff **out,
		    struct prof_error *err)
{
	struct join join = { .before = before,
			     .after = after,
			     .after_column = options->column };
	struct prof_diff *diff = prof_alloc_array(1, sizeof(*diff));
	bool ok = diff ? fill(diff, &join, options, err) : prof_fail_nomem(err);

	prof_free(join.before_rows);
	prof_free(join.after_rows);
	if (!ok) {
		prof_diff_free(diff);
		return false;
	}
	*out = diff;
	return true;
}

void prof_diff_free(struct prof_diff *diff)
{
	if (diff) {
		prof_arena_free(&diff->arena);
		prof_free(diff);
	}
}

double prof_diff_ratio(const struct prof_diff_value *value)
{
	if (value->scaled == 0) {
		return value->after == 0  ? NAN
		       : value->after > 0 ? INFINITY
					  : -INFINITY;
	}
	return (double)value->after / (double)value->scaled;
}

/* SPDX-License-Identifier: MIT */
#include "libprof/report/diff.h"

#include <math.h>

#include "libprof/base/alloc.h"
#include "tests/test.h"

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

struct given {
	const char *name;
	int64_t flat;
	int64_t cum;
};

enum { MAX_ROWS = 8 };

/* A top of columns "unused" and "cpu", of which only the second has values. */
struct fixture {
	struct prof_top_result top;
	struct prof_top_row rows[MAX_ROWS];
	struct prof_top_type types[2];
	int64_t flat[MAX_ROWS][2];
	int64_t cum[MAX_ROWS][2];
	int64_t total[2];
};

static void fill(struct fixture *f, const struct given *given, uint32_t count)
{
	*f = (struct fixture){ 0 };
	f->types[0] = (struct prof_top_type){ prof_text("unused"), prof_text("count") };
	f->types[1] = (struct prof_top_type){ prof_text("cpu"), prof_text("ns") };
	for (uint32_t i = 0; i < count; i++) {
		f->flat[i][1] = given[i].flat;
		f->cum[i][1] = given[i].cum;
		f->total[1] += given[i].flat;
		f->rows[i] = (struct prof_top_row){ prof_text(given[i].name),
						    f->flat[i], f->cum[i] };
	}
	f->top = (struct prof_top_result){ .rows = f->rows,
					   .row_count = count,
					   .types = f->types,
					   .type_count = 2,
					   .default_column = 1,
					   .total = f->total };
}

static const struct given then[] = {
	{ "main", 0, 100 }, { "parse", 40, 60 }, { "gone", 10, 10 }, { "same", 50, 50 }
};
static const struct given now[] = {
	{ "strtol", 20, 20 }, { "parse", 10, 30 }, { "main", 0, 80 }, { "same", 50, 50 }
};

static struct prof_diff *diff_of(const struct prof_diff_options *options)
{
	struct fixture before;
	struct fixture after;
	struct prof_diff *diff = NULL;
	struct prof_error err = { 0 };

	fill(&before, then, COUNT(then));
	fill(&after, now, COUNT(now));
	assert_true(prof_diff_make(&before.top, &after.top, options, &diff, &err));
	return diff;
}

static const struct prof_diff_row *row_of(const struct prof_diff *diff,
					  const char *name)
{
	for (uint32_t i = 0; i < diff->row_count; i++) {
		if (prof_text_equal(diff->rows[i].name, prof_text(name))) {
			return &diff->rows[i];
		}
	}
	fail_msg("no row %s", name);
	return NULL;
}

static void rows_are_joined_by_name(void **state)
{
	struct prof_diff *diff = diff_of(&(struct prof_diff_options){ .column = 1 });
	const struct prof_diff_row *parse = row_of(diff, "parse");

	assert_int_equal(diff->row_count, 5);
	assert_int_equal(parse->flat.before, 40);
	assert_int_equal(parse->flat.after, 10);
	assert_int_equal(parse->flat.delta, -30);
	assert_int_equal(parse->cum.delta, -30);
	assert_int_equal(diff->total.before, 100);
	assert_int_equal(diff->total.delta, -20);
	assert_memory_equal(diff->type.type.data, "cpu", 3);
	prof_diff_free(diff);
}

static void what_is_new_or_gone_is_said(void **state)
{
	struct prof_diff *diff = diff_of(&(struct prof_diff_options){ .column = 1 });

	assert_true(row_of(diff, "gone")->in_before);
	assert_false(row_of(diff, "gone")->in_after);
	assert_false(row_of(diff, "strtol")->in_before);
	assert_true(row_of(diff, "strtol")->in_after);
	assert_true(row_of(diff, "main")->in_before && row_of(diff, "main")->in_after);
	prof_diff_free(diff);
}

static void the_largest_change_comes_first(void **state)
{
	struct prof_diff *diff = diff_of(&(struct prof_diff_options){ .column = 1 });
	static const char *const order[] = { "parse", "strtol", "gone", "main",
					     "same" };

	for (uint32_t i = 0; i < COUNT(order); i++) {
		assert_memory_equal(diff->rows[i].name.data, order[i], 4);
	}
	prof_diff_free(diff);
	diff = diff_of(&(struct prof_diff_options){ .column = 1, .by_cum = true });
	assert_memory_equal(diff->rows[0].name.data, "parse", 5);
	assert_memory_equal(diff->rows[1].name.data, "main", 4);
	assert_memory_equal(diff->rows[2].name.data, "strtol", 6);
	prof_diff_free(diff);
}

static void totals_can_be_made_equal(void **state)
{
	struct prof_diff *diff = diff_of(
		&(struct prof_diff_options){ .column = 1, .equal_totals = true });

	assert_true(fabs(diff->factor - 0.8) < 1e-12);
	assert_int_equal(diff->total.delta, 0);
	assert_int_equal(row_of(diff, "parse")->flat.before, 40);
	assert_int_equal(row_of(diff, "parse")->flat.scaled, 32);
	assert_int_equal(row_of(diff, "parse")->flat.delta, -22);
	assert_int_equal(row_of(diff, "same")->flat.delta, 10);
	prof_diff_free(diff);
}

static void a_profile_does_not_differ_from_itself(void **state)
{
	struct fixture top;
	struct prof_diff *diff = NULL;
	struct prof_error err = { 0 };

	fill(&top, then, COUNT(then));
	assert_true(prof_diff_make(&top.top, &top.top,
				   &(struct prof_diff_options){ .column = 1 }, &diff,
				   &err));
	for (uint32_t i = 0; i < diff->row_count; i++) {
		assert_int_equal(diff->rows[i].flat.delta, 0);
		assert_int_equal(diff->rows[i].cum.delta, 0);
	}
	prof_diff_free(diff);
}

static void nothing_can_be_compared_with_something(void **state)
{
	struct fixture after;
	struct prof_top_result nothing = { 0 };
	struct prof_diff *diff = NULL;
	struct prof_error err = { 0 };

	fill(&after, now, COUNT(now));
	assert_true(prof_diff_make(&nothing, &after.top,
				   &(struct prof_diff_options){ .column = 1 }, &diff,
				   &err));
	assert_int_equal(diff->row_count, 4);
	assert_int_equal(diff->total.delta, 80);
	prof_diff_free(diff);
	assert_true(prof_diff_make(&nothing, &nothing, &(struct prof_diff_options){ 0 },
				   &diff, &err));
	assert_int_equal(diff->row_count, 0);
	prof_diff_free(diff);
}

static void different_types_are_not_comparable(void **state)
{
	struct fixture before;
	struct fixture after;
	struct prof_diff *diff = NULL;
	struct prof_error err = { 0 };

	fill(&before, then, COUNT(then));
	fill(&after, now, COUNT(now));
	after.types[1].unit = prof_text("ms");
	assert_false(prof_diff_make(&before.top, &after.top,
				    &(struct prof_diff_options){ .column = 1 }, &diff,
				    &err));
	assert_int_equal(err.code, PROF_ERR_MISMATCH);
	assert_string_equal(err.message, "sample types differ: (unused/count, cpu/ns) "
					 "and (unused/count, cpu/ms)");
	assert_null(diff);
}

static void a_difference_past_int64_is_refused(void **state)
{
	static const struct given low[] = { { "a", -2, -2 } };
	static const struct given high[] = { { "a", INT64_MAX, INT64_MAX } };
	struct fixture before;
	struct fixture after;
	struct prof_diff *diff = NULL;
	struct prof_error err = { 0 };

	fill(&before, low, 1);
	fill(&after, high, 1);
	assert_false(prof_diff_make(&before.top, &after.top,
				    &(struct prof_diff_options){ .column = 1 }, &diff,
				    &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	fill(&before, high, 1);
	assert_false(prof_diff_make(
		&before.top, &after.top,
		&(struct prof_diff_options){ .column = 1, .factor = 2 }, &diff, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
}

static void ratios_have_their_special_cases(void **state)
{
	assert_true(isnan(prof_diff_ratio(&(struct prof_diff_value){ 0 })));
	assert_true(isinf(prof_diff_ratio(&(struct prof_diff_value){ .after = 1 })));
	assert_true(prof_diff_ratio(&(struct prof_diff_value){ .scaled = 4,
							       .after = 1 }) == 0.25);
}

static void running_out_of_memory_is_reported(void **state)
{
	struct fixture before;
	struct fixture after;
	bool done = false;

	fill(&before, then, COUNT(then));
	fill(&after, now, COUNT(now));
	for (int64_t n = 0; !done; n++) {
		struct prof_diff *diff = NULL;
		struct prof_error err = { 0 };

		prof_alloc_fail_after(n);
		done = prof_diff_make(&before.top, &after.top,
				      &(struct prof_diff_options){ .column = 1 }, &diff,
				      &err);
		prof_alloc_fail_after(-1);
		assert_true(done || err.code == PROF_ERR_NOMEM);
		prof_diff_free(diff);
	}
}

TEST_MAIN(cmocka_unit_test(rows_are_joined_by_name),
	  cmocka_unit_test(what_is_new_or_gone_is_said),
	  cmocka_unit_test(the_largest_change_comes_first),
	  cmocka_unit_test(totals_can_be_made_equal),
	  cmocka_unit_test(a_profile_does_not_differ_from_itself),
	  cmocka_unit_test(nothing_can_be_compared_with_something),
	  cmocka_unit_test(different_types_are_not_comparable),
	  cmocka_unit_test(a_difference_past_int64_is_refused),
	  cmocka_unit_test(ratios_have_their_special_cases),
	  cmocka_unit_test(running_out_of_memory_is_reported))

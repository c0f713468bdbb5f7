/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <string.h>

#include "libprof/model/compat.h"
#include "tests/unit/libprof/small_profile.h"

static const struct small_sample one[] = {
	{ .stack = "main", .values = { 1, 2000 } },
	{ .stack = "main;f", .values = { 3, 500 } },
};

static struct prof_profile *make(const char *first, const char *first_unit,
				 const char *second, const char *second_unit)
{
	const struct small_type types[] = { { first, first_unit },
					    { second, second_unit } };

	return small_profile(types, second ? 2 : 1, one, 2);
}

static void free_all(struct prof_profile **profiles, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		prof_profile_free(profiles[i]);
	}
}

static void common_columns_stay_in_the_order_of_the_first(void **state)
{
	struct prof_profile *profiles[] = {
		make("samples", "count", "cpu", "ns"),
		make("cpu", "ns", "samples", "count"),
	};
	struct prof_error err = { 0 };

	assert_true(prof_compat_types(profiles, 2, &err));
	assert_text(prof_string(profiles[1], profiles[1]->types[0].type), "samples");
	assert_int_equal(profiles[1]->values[0][0], 2000);
	free_all(profiles, 2);
}

static void a_lost_default_becomes_the_first_column(void **state)
{
	struct prof_profile *profiles[] = {
		make("samples", "count", "cpu", "ns"),
		make("cpu", "ns", NULL, NULL),
	};
	struct prof_error err = { 0 };

	profiles[0]->header.default_type = profiles[0]->types[0].type;
	assert_true(prof_compat_types(profiles, 2, &err));
	assert_int_equal(profiles[0]->type_count, 1);
	assert_text(prof_string(profiles[0], profiles[0]->header.default_type), "cpu");
	free_all(profiles, 2);
}

static void nothing_in_common_is_an_error(void **state)
{
	struct prof_profile *profiles[] = {
		make("samples", "count", NULL, NULL),
		make("cpu", "ns", NULL, NULL),
	};
	struct prof_error err = { 0 };

	assert_false(prof_compat_types(profiles, 2, &err));
	assert_int_equal(err.code, PROF_ERR_MISMATCH);
	free_all(profiles, 2);
}

static void the_smallest_unit_wins(void **state)
{
	struct prof_profile *profiles[] = {
		make("samples", "count", "cpu", "us"),
		make("samples", "count", "cpu", "ms"),
	};
	struct prof_error err = { 0 };

	assert_true(prof_compat_units(profiles, 2, &err));
	assert_text(prof_string(profiles[1], profiles[1]->types[1].unit), "us");
	assert_int_equal(profiles[0]->values[1][0], 2000);
	assert_int_equal(profiles[1]->values[1][0], 2000000);
	free_all(profiles, 2);
}

static void units_that_do_not_convert_are_an_error(void **state)
{
	struct prof_profile *profiles[] = {
		make("cpu", "bytes", NULL, NULL),
		make("cpu", "ms", NULL, NULL),
	};
	struct prof_error err = { 0 };

	assert_false(prof_compat_units(profiles, 2, &err));
	assert_int_equal(err.code, PROF_ERR_MISMATCH);
	free_all(profiles, 2);
}

static void normalizing_gives_the_sums_of_the_base(void **state)
{
	static const struct small_type types[] = { { "samples", "count" },
						   { "cpu", "ns" } };
	static const struct small_sample base[] = {
		{ .stack = "main", .values = { 8, 250 } },
	};
	struct prof_profile *profiles[] = {
		make("samples", "count", "cpu", "ns"),
		small_profile(types, 2, base, 1),
	};
	struct prof_error err = { 0 };
	int64_t sum = 0;

	assert_true(prof_compat_normalize(profiles[0], profiles[1], &err));
	assert_true(prof_column_sum(profiles[0], 0, &sum, &err));
	assert_int_equal(sum, 8);
	assert_int_equal(profiles[0]->values[1][0], 200);
	assert_int_equal(profiles[0]->values[1][1], 50);
	free_all(profiles, 2);
}

TEST_MAIN(cmocka_unit_test(common_columns_stay_in_the_order_of_the_first),
	  cmocka_unit_test(a_lost_default_becomes_the_first_column),
	  cmocka_unit_test(nothing_in_common_is_an_error),
	  cmocka_unit_test(the_smallest_unit_wins),
	  cmocka_unit_test(units_that_do_not_convert_are_an_error),
	  cmocka_unit_test(normalizing_gives_the_sums_of_the_base))

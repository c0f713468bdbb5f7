/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include "libprof/report/value.h"
#include "tests/unit/libprof/line_profile.h"

static void check(const struct prof_value_style *style, int64_t value,
		  const char *shown, const char *percent)
{
	struct prof_buf out = { 0 };

	prof_value_add(&out, style, value);
	prof_buf_addc(&out, '|');
	prof_value_add_percent(&out, style, value);
	prof_buf_addc(&out, '\0');
	assert_int_equal(strncmp(out.data, shown, strlen(shown)), 0);
	assert_string_equal(out.data + strlen(shown) + 1, percent);
	prof_buf_free(&out);
}

static void values_are_shown_in_the_unit_of_the_style(void **state)
{
	struct prof_value_style style = { .unit = prof_text("bytes"),
					  .show = prof_text("minimum"),
					  .ratio = 1,
					  .total = 4096 };

	check(&style, 2048, "2kB", "50.00%");
	style.show = prof_text("B");
	check(&style, -2048, "-2048B", "50.00%");
}

static void values_are_divided_and_percentages_are_not(void **state)
{
	struct prof_value_style style = { .unit = prof_text("count"),
					  .show = prof_text("minimum"),
					  .ratio = 1.0 / 3,
					  .total = 100 };

	check(&style, 10, "3", "10.00%");
	assert_int_equal(prof_value_divided(&style, -10), -3);
	style.ratio = -1;
	assert_int_equal(prof_value_divided(&style, 10), 10);
	style.ratio = 1e9;
	assert_int_equal(prof_value_divided(&style, INT64_MAX), INT64_MAX);
	assert_int_equal(prof_value_divided(&style, INT64_MIN), INT64_MIN);
}

static void check_total(const char *text, uint32_t column, bool mean, int64_t expected)
{
	struct prof_profile *profile = line_profile(text);
	struct prof_error err = { 0 };
	int64_t total = 99;

	assert_true(prof_value_total(profile, column, mean, &total, &err));
	assert_int_equal(total, expected);
	prof_profile_free(profile);
}

static void the_total_is_the_sum_of_magnitudes(void **state)
{
	check_total("a 1 10\nb 2 -30\n", 1, false, 40);
	check_total("a 1 10\nb 3 -30\n", 1, true, 10);
}

static void base_samples_are_the_total_if_they_have_any(void **state)
{
	check_total("a 1 10\nb 2 -30 pprof::base:true\n", 1, false, 30);
}

static void a_total_that_does_not_fit_is_an_error(void **state)
{
	struct prof_profile *profile =
		line_profile("a 1 9223372036854775807\nb 1 -1\n");
	struct prof_error err = { 0 };
	int64_t total = 99;

	assert_false(prof_value_total(profile, 1, false, &total, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_int_equal(total, 99);
	prof_profile_free(profile);
}

TEST_MAIN(cmocka_unit_test(values_are_shown_in_the_unit_of_the_style),
	  cmocka_unit_test(values_are_divided_and_percentages_are_not),
	  cmocka_unit_test(the_total_is_the_sum_of_magnitudes),
	  cmocka_unit_test(base_samples_are_the_total_if_they_have_any),
	  cmocka_unit_test(a_total_that_does_not_fit_is_an_error))

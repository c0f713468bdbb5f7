/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <string.h>

#include "libprof/model/unit.h"

static void assert_label(int64_t value, const char *from, const char *to,
			 const char *want)
{
	struct prof_buf out = { 0 };

	prof_unit_label(&out, value, prof_text(from), prof_text(to));
	prof_buf_addc(&out, '\0');
	assert_string_equal(out.data, want);
	prof_buf_free(&out);
}

static void assert_percent(int64_t value, int64_t total, const char *want)
{
	struct prof_buf out = { 0 };

	prof_unit_percent(&out, value, total);
	prof_buf_addc(&out, '\0');
	assert_string_equal(out.data, want);
	prof_buf_free(&out);
}

static void assert_text(struct prof_text text, const char *want)
{
	assert_int_equal(text.len, strlen(want));
	assert_memory_equal(text.data, want, text.len);
}

static void names_are_found_in_any_case_and_number(void **state)
{
	assert_label(2, "kilobytes", "B", "2048B");
	assert_label(2, "KB", "byte", "2048B");
	assert_label(3, "Seconds", "ms", "3000ms");
	assert_label(3, "secs", "millisecond", "3000ms");
	assert_label(2, "hours", "s", "7200s");
	assert_label(5, "\xce\xbcs", "ns", "5000ns");
}

static void automatic_units_are_the_largest_that_fit(void **state)
{
	assert_label(999, "ns", "auto", "999ns");
	assert_label(1000, "ns", "auto", "1us");
	assert_label(1500000000, "nanoseconds", "minimum", "1.50s");
	assert_label(3600, "s", "auto", "1hrs");
	assert_label(1024, "bytes", "auto", "1kB");
	assert_label(1023, "bytes", "auto", "1023B");
	assert_label(INT64_C(1) << 61, "bytes", "auto", "2048PB");
	assert_label(1500, "GCU", "auto", "1.50k*GCU");
}

static void two_decimals_unless_they_are_zero(void **state)
{
	assert_label(1500, "ms", "s", "1.50s");
	assert_label(1001, "ms", "s", "1s");
	assert_label(1, "ns", "s", "0");
	assert_label(0, "bytes", "auto", "0");
	assert_label(-1, "ns", "s", "0");
	assert_label(-2048, "bytes", "auto", "-2kB");
}

static void other_wishes_give_the_default_of_the_family(void **state)
{
	assert_label(5, "bytes", "foo", "5B");
	assert_label(5, "bytes", "ms", "5B");
	assert_label(2000, "ms", "bytes", "2s");
	assert_label(5, "GCU", "count", "5GCU");
}

static void unknown_units_are_not_converted(void **state)
{
	assert_label(11111, "cycles", "cycles", "11111cycles");
	assert_label(11111, "cycles", "count", "11111");
	assert_label(7, "kib", "auto", "7");
	assert_label(7, "count", "ms", "7ms");
}

static void whole_numbers_are_exact_beyond_doubles(void **state)
{
	assert_label(INT64_C(9007199254740993), "count", "count", "9007199254740993");
	assert_label(INT64_MIN, "bytes", "B", "-9223372036854775808B");
}

static void percentages_have_six_characters(void **state)
{
	assert_percent(1, 1, "  100%");
	assert_percent(9996, 10000, "  100%");
	assert_percent(1120, 10000, "11.20%");
	assert_percent(0, 5, "    0%");
	assert_percent(5, 0, "    0%");
	assert_percent(5, 1000, "  0.5%");
	assert_percent(-5, 1000, "  0.5%");
	assert_percent(999, 100000, "    1%");
	assert_percent(53, 100000, "0.053%");
	assert_percent(1, 1000000000, "1e-07%");
	assert_percent(150, 10, "1500.00%");
}

static void a_report_has_one_unit(void **state)
{
	struct prof_text ns = prof_text("nanoseconds");

	assert_text(prof_unit_choose(10000000, 3000000000, ns), "s");
	assert_text(prof_unit_choose(10000000, 900000000, ns), "ms");
	assert_text(prof_unit_choose(50000000, 3000000000, ns), "ms");
	assert_text(prof_unit_choose(0, 3000000000, ns), "s");
	assert_text(prof_unit_choose(3, 100, prof_text("cycles")), "cycles");
	assert_text(prof_unit_choose(INT64_MAX, INT64_MAX, ns), "hrs");
}

static void families_are_known(void **state)
{
	assert_true(prof_unit_known(prof_text("milliseconds")));
	assert_false(prof_unit_known(prof_text("count")));
	assert_false(prof_unit_known(prof_text("")));
	assert_true(prof_unit_convertible(prof_text("ns"), prof_text("hrs")));
	assert_false(prof_unit_convertible(prof_text("ns"), prof_text("kb")));
	assert_true(prof_unit_is_time(prof_text("ms")));
	assert_false(prof_unit_is_time(prof_text("bytes")));
}

static void quantities_are_digits_and_letters(void **state)
{
	struct prof_text unit;
	int64_t value;

	assert_int_equal(prof_unit_parse(prof_text("-10mb:"), &value, &unit), 5);
	assert_int_equal(value, -10);
	assert_text(unit, "mb");
	assert_int_equal(prof_unit_parse(prof_text("+7"), &value, &unit), 2);
	assert_int_equal(value, 7);
	assert_int_equal(unit.len, 0);
	assert_int_equal(
		prof_unit_parse(prof_text("-9223372036854775808"), &value, &unit), 20);
	assert_true(value == INT64_MIN);
	assert_int_equal(
		prof_unit_parse(prof_text("9223372036854775808"), &value, &unit), 0);
	assert_int_equal(prof_unit_parse(prof_text("mb"), &value, &unit), 0);
	assert_int_equal(prof_unit_parse(prof_text(""), &value, &unit), 0);
}

TEST_MAIN(cmocka_unit_test(names_are_found_in_any_case_and_number),
	  cmocka_unit_test(automatic_units_are_the_largest_that_fit),
	  cmocka_unit_test(two_decimals_unless_they_are_zero),
	  cmocka_unit_test(other_wishes_give_the_default_of_the_family),
	  cmocka_unit_test(unknown_units_are_not_converted),
	  cmocka_unit_test(whole_numbers_are_exact_beyond_doubles),
	  cmocka_unit_test(percentages_have_six_characters),
	  cmocka_unit_test(a_report_has_one_unit), cmocka_unit_test(families_are_known),
	  cmocka_unit_test(quantities_are_digits_and_letters))

/* SPDX-License-Identifier: MIT */
#include "libprof/base/buf.h"

#include <inttypes.h>
#include <stdio.h>

#include "libprof/base/alloc.h"
#include "tests/test.h"

static void assert_holds(const struct prof_buf *buf, const char *text)
{
	assert_false(buf->failed);
	assert_int_equal(buf->len, strlen(text));
	assert_memory_equal(buf->data, text, buf->len);
}

static void pieces_are_appended(void **state)
{
	struct prof_buf buf = { 0 };

	prof_buf_adds(&buf, "main");
	prof_buf_addc(&buf, ';');
	prof_buf_add(&buf, "parse and more", 5);
	prof_buf_add(&buf, NULL, 0);
	prof_buf_addf(&buf, " %d%s", 12, "");
	assert_holds(&buf, "main;parse 12");
	prof_buf_free(&buf);
}

static void many_bytes_survive_growing(void **state)
{
	struct prof_buf buf = { 0 };

	for (int i = 0; i < 100000; i++) {
		prof_buf_addc(&buf, (char)(i % 251));
	}
	assert_int_equal(buf.len, 100000);
	for (int i = 0; i < 100000; i++) {
		assert_int_equal(buf.data[i], (char)(i % 251));
	}
	prof_buf_free(&buf);
}

static void a_long_format_is_not_cut(void **state)
{
	struct prof_buf buf = { 0 };

	prof_buf_addf(&buf, "%5000s|", "x");
	assert_int_equal(buf.len, 5001);
	assert_int_equal(buf.data[4999], 'x');
	assert_int_equal(buf.data[5000], '|');
	prof_buf_free(&buf);
}

static void integers_are_written_as_printf_does(void **state)
{
	static const int64_t numbers[] = { 0,   1,    -1,        9,         10,
					   -10, 1234, INT64_MAX, INT64_MIN, -999999 };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct prof_buf buf = { 0 };
		char expected[64];

		snprintf(expected, sizeof(expected), "%" PRId64 " %" PRIu64, numbers[i],
			 (uint64_t)numbers[i]);
		prof_buf_add_int(&buf, numbers[i]);
		prof_buf_addc(&buf, ' ');
		prof_buf_add_uint(&buf, (uint64_t)numbers[i]);
		assert_holds(&buf, expected);
		prof_buf_free(&buf);
	}
}

static void a_maximum_is_kept_to_the_byte(void **state)
{
	struct prof_buf buf = { .max = 64 };

	for (int i = 0; i < 64; i++) {
		prof_buf_addc(&buf, 'x');
		assert_false(buf.failed);
	}
	prof_buf_addc(&buf, 'x');
	assert_true(buf.failed);
	assert_int_equal(buf.len, 64);
	prof_buf_free(&buf);
}

static void failure_is_sticky_until_cleared(void **state)
{
	struct prof_buf buf = { 0 };

	prof_buf_adds(&buf, "ab");
	prof_alloc_fail_after(0);
	prof_buf_addf(&buf, "%1000d", 1);
	prof_alloc_fail_after(-1);
	assert_true(buf.failed);
	assert_false(prof_buf_reserve(&buf, 1000));
	assert_int_equal(buf.len, 2);
	prof_buf_clear(&buf);
	prof_buf_adds(&buf, "cd");
	assert_holds(&buf, "cd");
	prof_buf_free(&buf);
}

static void a_size_that_overflows_fails(void **state)
{
	struct prof_buf buf = { 0 };

	prof_buf_adds(&buf, "ab");
	assert_false(prof_buf_reserve(&buf, SIZE_MAX));
	assert_true(buf.failed);
	prof_buf_free(&buf);
}

TEST_MAIN(cmocka_unit_test(pieces_are_appended),
	  cmocka_unit_test(many_bytes_survive_growing),
	  cmocka_unit_test(a_long_format_is_not_cut),
	  cmocka_unit_test(integers_are_written_as_printf_does),
	  cmocka_unit_test(a_maximum_is_kept_to_the_byte),
	  cmocka_unit_test(failure_is_sticky_until_cleared),
	  cmocka_unit_test(a_size_that_overflows_fails))

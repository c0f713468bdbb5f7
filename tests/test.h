/* SPDX-License-Identifier: MIT */
/*
 * test.h - unit tests: cmocka and the headers it forgets to include.
 *
 *	static void counts_are_summed(void **state)
 *	{
 *		assert_int_equal(sum("a 1\nb 2\n"), 3);
 *	}
 *
 *	TEST_MAIN(cmocka_unit_test(counts_are_summed), cmocka_unit_test(...))
 *
 * Tests are static, so forgetting to list one is an unused-function error. Their
 * `state` may stay unused: tests are compiled with -Wno-unused-parameter.
 */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TEST_MAIN(...)                                                    \
	int main(void)                                                    \
	{                                                                 \
		static const struct CMUnitTest tests[] = { __VA_ARGS__ }; \
                                                                          \
		return cmocka_run_group_tests(tests, NULL, NULL);         \
	}

#endif

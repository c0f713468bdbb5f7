/* SPDX-License-Identifier: MIT */
#include "libprof/base/error.h"

#include <string.h>

#include "tests/test.h"

static void failing_is_false_and_says_why(void **state)
{
	struct prof_error err = { .line = 7, .located = true, .offset = 9 };

	assert_false(prof_fail(&err, PROF_ERR_SYNTAX, "bad sample count '%s'", "x"));
	assert_int_equal(err.code, PROF_ERR_SYNTAX);
	assert_string_equal(err.message, "bad sample count 'x'");
	assert_int_equal(err.line, 0);
	assert_false(err.located);
}

static void a_place_is_a_line_or_an_offset(void **state)
{
	struct prof_error err = { 0 };

	assert_false(prof_fail_line(&err, PROF_ERR_SYNTAX, 12, "no count"));
	assert_int_equal(err.line, 12);
	assert_false(err.located);
	assert_false(prof_fail_at(&err, PROF_ERR_LIMIT, 0, "too deep"));
	assert_int_equal(err.line, 0);
	assert_true(err.located);
	assert_int_equal(err.offset, 0);
}

static void a_long_message_is_cut(void **state)
{
	struct prof_error err = { 0 };

	assert_false(prof_fail(&err, PROF_ERR_IO, "%1000d", 1));
	assert_int_equal(strlen(err.message), sizeof(err.message) - 1);
}

static void bytes_of_an_input_cannot_drive_a_terminal(void **state)
{
	struct prof_error err = { 0 };

	assert_false(prof_fail(&err, PROF_ERR_SYNTAX, "%s",
			       "a\x1b[2Jb\nc\x7f\xff \xe2\x80\xae \xc3\xa4"));
	assert_string_equal(err.message, "a?[2Jb?c?? ??? \xc3\xa4");
}

static void a_character_cut_at_the_end_is_not_left_half(void **state)
{
	struct prof_error err = { 0 };

	assert_false(prof_fail(&err, PROF_ERR_SYNTAX, "%*s\xc3\xa4",
			       (int)sizeof(err.message) - 2, ""));
	assert_int_equal(err.message[sizeof(err.message) - 2], '?');
}

static void running_out_of_memory_needs_none(void **state)
{
	struct prof_error err = { 0 };

	assert_false(prof_fail_nomem(&err));
	assert_int_equal(err.code, PROF_ERR_NOMEM);
	assert_string_equal(err.message, "out of memory");
}

TEST_MAIN(cmocka_unit_test(failing_is_false_and_says_why),
	  cmocka_unit_test(a_place_is_a_line_or_an_offset),
	  cmocka_unit_test(a_long_message_is_cut),
	  cmocka_unit_test(bytes_of_an_input_cannot_drive_a_terminal),
	  cmocka_unit_test(a_character_cut_at_the_end_is_not_left_half),
	  cmocka_unit_test(running_out_of_memory_needs_none))

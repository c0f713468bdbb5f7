/* SPDX-License-Identifier: MIT */
#include "cmd/diff.h"

#include <string.h>

#include "tests/test.h"

static struct diff_run before[2];
static struct diff_run after[2];

static bool parse(const char *per, struct prof_error *err)
{
	struct diff_sides sides = {
		.side = { { before, 2 }, { after, 2 }, { NULL, 0 } },
	};

	memset(before, 0, sizeof(before));
	memset(after, 0, sizeof(after));
	return diff_per_parse(per, &sides, err);
}

static void is_refused(const char *per, const char *why)
{
	struct prof_error err = { 0 };

	assert_false(parse(per, &err));
	assert_int_equal(err.code, PROF_ERR_SYNTAX);
	if (!strstr(err.message, why)) {
		fail_msg("'%s' does not say '%s'", err.message, why);
	}
}

static void every_run_gets_its_number(void **state)
{
	struct prof_error err = { 0 };

	assert_true(parse("requests=1,2.5:3e3,4", &err));
	assert_true(before[0].work == 1.0 && before[1].work == 2.5);
	assert_true(after[0].work == 3000.0 && after[1].work == 4.0);
}

static void one_number_stands_for_all_runs(void **state)
{
	struct prof_error err = { 0 };

	assert_true(parse("requests=7:8,9", &err));
	assert_true(before[0].work == 7.0 && before[1].work == 7.0);
	assert_true(after[0].work == 8.0 && after[1].work == 9.0);
}

static void a_name_alone_leaves_work_unknown(void **state)
{
	struct prof_error err = { 0 };

	assert_true(parse("requests", &err));
	assert_true(before[0].work == 0.0);
	assert_true(
		prof_text_equal(diff_per_name("requests=1:2"), prof_text("requests")));
}

static void numbers_are_finite_and_above_zero(void **state)
{
	is_refused("r=0:1", "'0' is no number above 0");
	is_refused("r=nan:1", "'nan' is no number above 0");
	is_refused("r=inf:1", "'inf' is no number above 0");
	is_refused("r=-1:1", "'-1' is no number above 0");
	is_refused("r=1,:1", "'' is no number above 0");
	is_refused("r=:1", "'' is no number above 0");
}

static void sides_and_runs_must_fit(void **state)
{
	is_refused("r=1", "is not NAME=BEFORE");
	is_refused("r=1,2,3:1", "3 numbers for the 2 runs before");
	is_refused("r=1:1,2,3", "3 numbers for the 2 runs after");
	is_refused("=1:1", "has no name");
}

TEST_MAIN(cmocka_unit_test(every_run_gets_its_number),
	  cmocka_unit_test(one_number_stands_for_all_runs),
	  cmocka_unit_test(a_name_alone_leaves_work_unknown),
	  cmocka_unit_test(numbers_are_finite_and_above_zero),
	  cmocka_unit_test(sides_and_runs_must_fit))

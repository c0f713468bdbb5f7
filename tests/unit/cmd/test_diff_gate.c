/* SPDX-License-Identifier: MIT */
#include "cmd/diff_gate.h"

#include <math.h>
#include <string.h>

#include "tests/test.h"

static struct gate gate_of(const char *text)
{
	struct gate gate = { 0 };
	struct prof_error err = { 0 };

	if (!gate_parse(text, &gate, &err)) {
		fail_msg("%s", err.message);
	}
	return gate;
}

static void is_refused(const char *text, const char *why)
{
	struct gate gate = { .threshold = 99 };
	struct prof_error err = { 0 };

	assert_false(gate_parse(text, &gate, &err));
	assert_int_equal(err.code, PROF_ERR_SYNTAX);
	assert_true(gate.threshold == 99.0);
	if (!strstr(err.message, why)) {
		fail_msg("'%s' does not say '%s'", err.message, why);
	}
}

static void is_text(struct prof_text text, const char *want)
{
	assert_true(prof_text_equal(text, prof_text(want)));
}

static void a_percentage_is_a_fraction_with_its_sign(void **state)
{
	struct gate grown = gate_of("total>+2%");
	struct gate fallen = gate_of("cum < -12.5 %");

	assert_int_equal(grown.metric, GATE_TOTAL);
	assert_int_equal(grown.measure, GATE_PERCENT);
	assert_false(grown.less);
	assert_true(fabs(grown.threshold - 0.02) < 1e-15);
	assert_int_equal(fallen.metric, GATE_CUM);
	assert_true(fallen.less);
	assert_true(fallen.threshold == -0.125);
}

static void points_and_units_are_measures_too(void **state)
{
	struct gate points = gate_of("new>+1pp");
	struct gate unit = gate_of("flat(hash) > 20ms");

	assert_int_equal(points.metric, GATE_NEW);
	assert_int_equal(points.measure, GATE_POINTS);
	assert_true(points.threshold == 0.01);
	assert_int_equal(unit.measure, GATE_UNIT);
	assert_true(unit.threshold == 20.0);
	is_text(unit.unit, "ms");
}

static void a_pattern_ends_at_its_own_parenthesis(void **state)
{
	is_text(gate_of("cum(^db\\.(get|put)$)>+0%").pattern, "^db\\.(get|put)$");
	is_text(gate_of("cum(f\\()>+0%").pattern, "f\\(");
	is_text(gate_of("cum([)(])>+0%").pattern, "[)(]");
	is_text(gate_of("cum([]()]x)>+0%").pattern, "[]()]x");
	is_text(gate_of("flat( a b )>+0%").pattern, " a b ");
	is_text(gate_of("flat(operator>)>+0%").pattern, "operator>");
}

static void conditions_follow_where(void **state)
{
	struct gate share = gate_of("cum>+3% where share >= 1.5%");
	struct gate label = gate_of("total>+3% where label route=/a b=c");

	assert_true(fabs(share.min_share - 0.015) < 1e-15);
	assert_int_equal(share.label_key.len, 0);
	is_text(label.label_key, "route");
	is_text(label.label_value, "/a b=c");
}

static void thresholds_are_finite_numbers(void **state)
{
	is_refused("total>nan%", "a number is expected at 'nan%'");
	is_refused("total>+inf%", "a number is expected at '+inf%'");
	is_refused("total>0x10%", "'where' is expected at '10%'");
	is_refused("total>1.2.3%", "a number is expected");
	is_refused("total>1e400%", "is expected at '400%'");
	is_refused("total>", "a number is expected at its end");
	is_refused("total>+", "a number is expected at '+'");
	is_refused("total>99999999999999999999999999999999999999999%",
		   "a number is expected");
}

static void a_threshold_needs_its_measure(void **state)
{
	is_refused("total>+2", "a unit such as ms is expected at its end");
	is_refused("cum>+2 where share>=1%", "is expected at 'where");
}

static void what_is_no_gate_is_refused(void **state)
{
	is_refused("", "is expected at its end");
	is_refused("totals>+2%", "is expected at 'totals>+2%'");
	is_refused("total=2%", "'>' or '<' is expected");
	is_refused("total>=2%", "'>' or '<' is expected");
	is_refused("total(x)>2%", "only flat and cum take a name");
	is_refused("cum()>2%", "a name is missing");
	is_refused("cum(x>2%", "not closed");
	is_refused("cum([)>2%", "not closed");
	is_refused("total>2% or cum>3%", "'where' is expected at 'or");
	is_refused("total>2% where", "is expected at its end");
	is_refused("total>2% where share>1%", "'>=' is expected");
	is_refused("total>2% where share>=101%", "at most 100%");
	is_refused("total>2% where share>=1% x", "the end is expected");
	is_refused("total>2% where label =x", "KEY=VALUE");
}

static void a_gate_that_cannot_hold_is_refused(void **state)
{
	is_refused("new>+10%", "write 10pp");
	is_refused("new<+1pp", "never below 0");
	is_refused("total<-101%", "more than 100%");
}

TEST_MAIN(cmocka_unit_test(a_percentage_is_a_fraction_with_its_sign),
	  cmocka_unit_test(points_and_units_are_measures_too),
	  cmocka_unit_test(a_pattern_ends_at_its_own_parenthesis),
	  cmocka_unit_test(conditions_follow_where),
	  cmocka_unit_test(thresholds_are_finite_numbers),
	  cmocka_unit_test(a_threshold_needs_its_measure),
	  cmocka_unit_test(what_is_no_gate_is_refused),
	  cmocka_unit_test(a_gate_that_cannot_hold_is_refused))

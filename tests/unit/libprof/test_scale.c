/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/model/scale.h"
#include "tests/unit/libprof/random_profile.h"

/* A profile of two columns, "x" and "y", and one frame. */
static struct prof_profile *make(const int64_t values[][2], uint32_t count)
{
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	struct prof_sink *sink = prof_builder_sink(builder);
	struct prof_text strings[] = { { "", 0 }, { "x", 1 }, { "y", 1 }, { "f", 1 } };
	struct prof_value_type types[] = { { 1, 0 }, { 2, 0 } };
	struct prof_function function = { .id = 1, .name = 3 };
	struct prof_line line = { 0 };
	struct prof_sink_location location = {
		.id = 1, .mapping = PROF_NONE, .lines = &line, .line_count = 1
	};
	struct prof_header header = { .period = 10, .duration_ns = 5 };
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };
	uint32_t frame = 0;
	uint32_t end = 1;

	assert_true(sink->begin(sink, &err) && sink->strings(sink, strings, 4, &err) &&
		    sink->function(sink, &function, &err) &&
		    sink->location(sink, &location, &err) &&
		    sink->types(sink, types, 2, &err));
	for (uint32_t i = 0; i < count; i++) {
		struct prof_batch batch = {
			.count = 1, .frames = &frame, .ends = &end, .values = values[i]
		};

		assert_true(sink->samples(sink, &batch, &err));
	}
	assert_true(sink->end(sink, &header, &err));
	assert_true(prof_builder_finish(builder, &profile, &err));
	prof_builder_free(builder);
	return profile;
}

static struct prof_ratio ratio(const char *text)
{
	struct prof_ratio out = { 0 };
	struct prof_error err = { 0 };

	if (!prof_ratio_parse(prof_text(text), &out, &err)) {
		fail_msg("%s", err.message);
	}
	return out;
}

static void assert_ratio(const char *text, int64_t num, int64_t den)
{
	struct prof_ratio got = ratio(text);

	assert_true(got.num == num);
	assert_true(got.den == den);
}

static void assert_no_ratio(const char *text, enum prof_code code)
{
	struct prof_ratio out;
	struct prof_error err = { 0 };

	assert_false(prof_ratio_parse(prof_text(text), &out, &err));
	assert_int_equal(err.code, code);
}

static void factors_are_what_they_say(void **state)
{
	assert_ratio("1", 1, 1);
	assert_ratio("-1", -1, 1);
	assert_ratio("0.1", 1, 10);
	assert_ratio("+1.50", 3, 2);
	assert_ratio("-.5", -1, 2);
	assert_ratio("3.", 3, 1);
	assert_ratio("1.5e-3", 3, 2000);
	assert_ratio("2E3", 2000, 1);
	assert_ratio("2/6", 1, 3);
	assert_ratio("-4/2", -2, 1);
	assert_ratio("0", 0, 1);
	assert_ratio("0.0e9", 0, 1);
	assert_ratio("1.50000000000000000000000000000", 3, 2);
	assert_ratio("-9223372036854775808", INT64_MIN, 1);
}

static void other_texts_are_no_factors(void **state)
{
	static const char *const texts[] = { "",   "x",   "1x",  ".",    "-",
					     "1e", "nan", "inf", "1/0",  "1/-2",
					     "1/", "/2",  "1 2", "1.5/2" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_no_ratio(texts[i], PROF_ERR_SYNTAX);
	}
	assert_no_ratio("9223372036854775808", PROF_ERR_LIMIT);
	assert_no_ratio("1e19", PROF_ERR_LIMIT);
	assert_no_ratio("1e-19", PROF_ERR_LIMIT);
}

static void values_round_half_away_from_zero(void **state)
{
	const int64_t values[][2] = { { 5, 15 }, { -5, -15 }, { 4, 14 }, { 6, -1 } };
	const struct prof_ratio ratios[] = { ratio("0.1"), ratio("1/3") };
	struct prof_profile *profile = make(values, 4);
	struct prof_profile *scaled = NULL;
	struct prof_error err = { 0 };
	uint32_t dropped = 9;

	assert_true(prof_scale(profile, ratios, &scaled, &dropped, &err));
	assert_int_equal(dropped, 0);
	assert_int_equal(scaled->values[0][0], 1);
	assert_int_equal(scaled->values[0][1], -1);
	assert_int_equal(scaled->values[0][2], 0);
	assert_int_equal(scaled->values[0][3], 1);
	assert_int_equal(scaled->values[1][0], 5);
	assert_int_equal(scaled->values[1][2], 5);
	assert_int_equal(scaled->values[1][3], 0);
	assert_int_equal(scaled->header.period, 10);
	assert_int_equal(scaled->header.duration_ns, 5);
	prof_profile_free(scaled);
	prof_profile_free(profile);
}

static void large_values_are_exact(void **state)
{
	const int64_t big = INT64_C(9007199254740993);
	const int64_t values[][2] = { { big, INT64_MAX } };
	const struct prof_ratio ratios[] = { ratio("-1"), ratio("0.5") };
	struct prof_profile *profile = make(values, 1);
	struct prof_profile *scaled = NULL;
	struct prof_error err = { 0 };

	assert_true(prof_scale(profile, ratios, &scaled, NULL, &err));
	assert_true(scaled->values[0][0] == -big);
	assert_true(scaled->values[1][0] == INT64_MAX / 2 + 1);
	prof_profile_free(scaled);
	prof_profile_free(profile);
}

static void what_does_not_fit_is_an_error_with_the_column(void **state)
{
	const int64_t values[][2] = { { 1, INT64_MIN } };
	const struct prof_ratio ratios[] = { ratio("1"), ratio("-1") };
	struct prof_profile *profile = make(values, 1);
	struct prof_profile *scaled = NULL;
	struct prof_error err = { 0 };

	assert_false(prof_scale(profile, ratios, &scaled, NULL, &err));
	assert_null(scaled);
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_string_equal(err.message,
			    "a value of 'y' does not fit 64 bits once scaled");
	prof_profile_free(profile);
}

static void samples_that_become_zero_are_dropped_and_others_are_not(void **state)
{
	const int64_t values[][2] = { { 1, 2 }, { 0, 0 }, { 1, 100 }, { 3, 0 } };
	const struct prof_ratio ratios[] = { ratio("0.1"), ratio("0.01") };
	struct prof_profile *profile = make(values, 4);
	struct prof_profile *scaled = NULL;
	struct prof_error err = { 0 };
	uint32_t dropped = 0;

	assert_true(prof_scale(profile, ratios, &scaled, &dropped, &err));
	assert_int_equal(dropped, 2);
	assert_int_equal(scaled->sample_count, 2);
	assert_int_equal(scaled->values[1][0], 0);
	assert_int_equal(scaled->values[1][1], 1);
	prof_profile_free(scaled);
	prof_profile_free(profile);
}

static void a_total_is_reached(void **state)
{
	const int64_t values[][2] = { { 10, 0 }, { -30, 0 } };
	struct prof_profile *profile = make(values, 2);
	struct prof_ratio got = { 0 };
	struct prof_error err = { 0 };

	assert_true(prof_ratio_to_total(profile, 0, 100, &got, &err));
	assert_int_equal(got.num, 5);
	assert_int_equal(got.den, 2);
	assert_false(prof_ratio_to_total(profile, 1, 100, &got, &err));
	assert_int_equal(err.code, PROF_ERR_MISMATCH);
	prof_profile_free(profile);
}

static void assert_same_samples(const struct prof_profile *a,
				const struct prof_profile *b)
{
	assert_int_equal(a->sample_count, b->sample_count);
	for (uint32_t i = 0; i < a->sample_count; i++) {
		struct prof_frames x = prof_stack(a, a->sample_stack[i]);
		struct prof_frames y = prof_stack(b, b->sample_stack[i]);

		assert_int_equal(x.count, y.count);
		for (size_t k = 0; k < x.count; k++) {
			assert_int_equal(a->locations[x.data[k]].id,
					 b->locations[y.data[k]].id);
		}
		assert_int_equal(a->values[0][i], b->values[0][i]);
		assert_int_equal(a->values[1][i], b->values[1][i]);
	}
}

static void a_factor_of_one_changes_nothing(void **state)
{
	const struct prof_ratio ratios[] = { { 1, 1 }, { 1, 1 } };

	for (uint64_t seed = 0; seed < 50; seed++) {
		struct prof_error err = { 0 };
		struct prof_profile *profile =
			random_profile(seed, true, PROF_BUILD_AS_IS, &err);
		struct prof_profile *scaled = NULL;

		assert_non_null(profile);
		assert_true(prof_scale(profile, ratios, &scaled, NULL, &err));
		assert_true(prof_profile_validate(scaled, &err));
		assert_same_samples(profile, scaled);
		prof_profile_free(scaled);
		prof_profile_free(profile);
	}
}

static void every_failed_allocation_is_reported(void **state)
{
	const struct prof_ratio ratios[] = { { 2, 1 }, { 1, 2 } };
	struct prof_error err = { 0 };
	struct prof_profile *profile = random_profile(3, true, PROF_BUILD_AS_IS, &err);
	struct prof_profile *scaled = NULL;
	int64_t n = 0;

	assert_non_null(profile);
	for (bool ok = false; !ok; n++) {
		prof_alloc_fail_after(n);
		ok = prof_scale(profile, ratios, &scaled, NULL, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
	}
	assert_true(n > 10);
	prof_profile_free(scaled);
	prof_profile_free(profile);
}

TEST_MAIN(cmocka_unit_test(factors_are_what_they_say),
	  cmocka_unit_test(other_texts_are_no_factors),
	  cmocka_unit_test(values_round_half_away_from_zero),
	  cmocka_unit_test(large_values_are_exact),
	  cmocka_unit_test(what_does_not_fit_is_an_error_with_the_column),
	  cmocka_unit_test(samples_that_become_zero_are_dropped_and_others_are_not),
	  cmocka_unit_test(a_total_is_reached),
	  cmocka_unit_test(a_factor_of_one_changes_nothing),
	  cmocka_unit_test(every_failed_allocation_is_reported))

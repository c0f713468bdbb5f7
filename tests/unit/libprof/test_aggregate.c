/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include "libprof/base/alloc.h"
#include "libprof/model/aggregate.h"
#include "tests/unit/libprof/line_profile.h"

static const char text[] = "main;run>fast 1 10\n"
			   "main 2 20\n";

static struct prof_aggregate aggregate(const struct prof_profile *profile,
				       enum prof_granularity granularity,
				       bool no_inlines)
{
	struct prof_aggregate_options options = { .granularity = granularity,
						  .no_inlines = no_inlines };
	struct prof_aggregate result = { 0 };
	struct prof_error err = { 0 };

	assert_true(prof_aggregate_init(&result, profile, &options, &err));
	assert_true(prof_profile_validate(&result.view, &err));
	return result;
}

/* What the innermost line of the second location says. */
static void check(enum prof_granularity granularity, const char *name, const char *file,
		  int64_t line, uint64_t address)
{
	struct prof_profile *profile = line_profile(text);
	struct prof_aggregate result = aggregate(profile, granularity, false);
	struct prof_lines lines = prof_location_lines(&result.view, 1);
	const struct prof_function *function =
		&result.view.functions[lines.data[0].function];

	assert_int_equal(lines.count, 2);
	assert_true(prof_text_equal(prof_string(&result.view, function->name),
				    prof_text(name)));
	assert_true(prof_text_equal(prof_string(&result.view, function->file),
				    prof_text(file)));
	assert_int_equal(lines.data[0].line, line);
	assert_int_equal(result.view.locations[1].address, address);
	prof_aggregate_free(&result);
	prof_profile_free(profile);
}

static void a_granularity_keeps_what_it_names(void **state)
{
	check(PROF_GRANULARITY_FUNCTIONS, "fast", "", 0, 0);
	check(PROF_GRANULARITY_FILEFUNCTIONS, "fast", "src/fast.c", 0, 0);
	check(PROF_GRANULARITY_FILES, "", "src/fast.c", 0, 0);
	check(PROF_GRANULARITY_LINES, "fast", "src/fast.c", 2, 0);
	check(PROF_GRANULARITY_ADDRESSES, "fast", "src/fast.c", 2, 0x2000);
}

static void without_inlines_the_real_function_stays(void **state)
{
	struct prof_profile *profile = line_profile(text);
	struct prof_aggregate result =
		aggregate(profile, PROF_GRANULARITY_FUNCTIONS, true);
	struct prof_lines lines = prof_location_lines(&result.view, 1);
	uint32_t name = result.view.functions[lines.data[0].function].name;

	assert_int_equal(lines.count, 1);
	assert_true(prof_text_equal(prof_string(&result.view, name), prof_text("run")));
	prof_aggregate_free(&result);
	prof_profile_free(profile);
}

static void running_out_of_memory_is_an_error(void **state)
{
	struct prof_profile *profile = line_profile(text);
	struct prof_aggregate_options options = { 0 };
	struct prof_aggregate result = { 0 };
	struct prof_error err = { 0 };
	bool ok = false;

	for (int64_t n = 0; !ok; n++) {
		prof_alloc_fail_after(n);
		ok = prof_aggregate_init(&result, profile, &options, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
	}
	prof_aggregate_free(&result);
	prof_profile_free(profile);
}

TEST_MAIN(cmocka_unit_test(a_granularity_keeps_what_it_names),
	  cmocka_unit_test(without_inlines_the_real_function_stays),
	  cmocka_unit_test(running_out_of_memory_is_an_error))

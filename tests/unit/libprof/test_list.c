/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/report/list.h"
#include "tests/unit/libprof/small_profile.h"

static const struct small_type types[] = { { "cpu", "ns" } };

static const struct small_sample samples[] = {
	{ .stack = "main;f;g", .values = { 5 } },
	{ .stack = "main;f;g;f", .values = { 7 } },
	{ .stack = "main", .values = { 1 } },
};

static bool all(void *context, struct prof_text text)
{
	return true;
}

static bool only_f(void *context, struct prof_text text)
{
	return prof_text_equal(text, prof_text("f"));
}

static bool build(bool (*match)(void *, struct prof_text), bool exact,
		  struct prof_list **list, struct prof_profile **profile,
		  struct prof_error *err)
{
	const struct prof_list_options options = {
		.exact = exact,
		.names = { match, NULL },
	};

	*profile = small_profile(types, 1, samples, 3);
	return prof_list_build(*profile, &options, list, err);
}

static void functions_are_listed_by_name(void **state)
{
	struct prof_profile *profile = NULL;
	struct prof_list *list = NULL;
	struct prof_error err = { 0 };

	assert_true(build(all, false, &list, &profile, &err));
	assert_int_equal(list->function_count, 3);
	assert_text(list->functions[0].name, "f");
	assert_text(list->functions[2].name, "main");
	assert_int_equal(list->functions[2].cum, 13);
	assert_int_equal(list->functions[2].flat, 1);
	prof_list_free(list);
	prof_profile_free(profile);
}

static void five_lines_around_are_shown(void **state)
{
	struct prof_profile *profile = NULL;
	struct prof_list *list = NULL;
	struct prof_error err = { 0 };

	assert_true(build(only_f, true, &list, &profile, &err));
	assert_int_equal(list->function_count, 1);
	assert_int_equal(list->functions[0].line_count, 1);
	assert_int_equal(list->functions[0].first,
			 list->functions[0].lines[0].line - 5);
	assert_int_equal(list->functions[0].last, list->functions[0].lines[0].line + 5);
	prof_list_free(list);
	prof_profile_free(profile);
}

static void recursion_counts_once(void **state)
{
	struct prof_profile *profile = NULL;
	struct prof_list *list = NULL;
	struct prof_error err = { 0 };

	assert_true(build(only_f, true, &list, &profile, &err));
	assert_int_equal(list->functions[0].cum, 12);
	assert_int_equal(list->functions[0].flat, 7);
	assert_int_equal(list->functions[0].lines[0].cum, 12);
	prof_list_free(list);
	prof_profile_free(profile);
}

static void running_out_of_memory_is_reported(void **state)
{
	const struct prof_list_options options = { .exact = true,
						   .names = { all, NULL } };
	struct prof_profile *profile = small_profile(types, 1, samples, 3);
	struct prof_list *list = NULL;
	struct prof_error err = { 0 };

	for (int64_t n = 0; !list; n++) {
		prof_alloc_fail_after(n);
		assert_true(prof_list_build(profile, &options, &list, &err) ||
			    err.code == PROF_ERR_NOMEM);
		prof_alloc_fail_after(-1);
	}
	prof_list_free(list);
	prof_profile_free(profile);
}

TEST_MAIN(cmocka_unit_test(functions_are_listed_by_name),
	  cmocka_unit_test(five_lines_around_are_shown),
	  cmocka_unit_test(recursion_counts_once),
	  cmocka_unit_test(running_out_of_memory_is_reported))

/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/model/amend.h"
#include "libprof/model/copy.h"
#include "libprof/model/plainname.h"
#include "tests/unit/libprof/random_profile.h"
#include "tests/unit/libprof/small_profile.h"

static const struct small_type types[] = { { "samples", "count" }, { "cpu", "ns" } };

static const struct small_sample samples[] = {
	{ .stack = "main", .values = { 1, 10 } },
	{ .stack = "main;f", .values = { 2, 0 }, .key = "user", .text = "ann" },
	{ .stack = "main;g", .values = { 0, 3 }, .key = "user", .text = "bob" },
};

static struct prof_profile *make(void)
{
	return small_profile(types, 2, samples, 3);
}

static void strings_are_found_or_added(void **state)
{
	struct prof_profile *profile = make();
	struct prof_error err = { 0 };
	uint32_t count = profile->string_count;
	uint32_t id = 0;

	assert_true(prof_amend_string(profile, prof_text("cpu"), &id, &err));
	assert_int_equal(id, profile->types[1].type);
	assert_int_equal(profile->string_count, count);
	assert_true(prof_amend_string(profile, prof_text("new"), &id, &err));
	assert_int_equal(id, count);
	assert_text(prof_string(profile, id), "new");
	assert_true(prof_profile_validate(profile, &err));
	prof_profile_free(profile);
}

static void a_profile_without_a_mapping_gets_one(void **state)
{
	struct prof_profile *profile = make();
	struct prof_error err = { 0 };

	assert_true(prof_amend_mapping(profile, &err));
	assert_true(prof_amend_mapping(profile, &err));
	assert_int_equal(profile->mapping_count, 1);
	assert_int_equal(profile->locations[0].mapping, 0);
	assert_true(prof_profile_validate(profile, &err));
	prof_profile_free(profile);
}

static void a_comment_is_the_last_one(void **state)
{
	struct prof_profile *profile = make();
	struct prof_error err = { 0 };

	assert_true(prof_amend_comment(profile, prof_text("one"), &err));
	assert_true(prof_amend_comment(profile, prof_text("two"), &err));
	assert_int_equal(profile->header.comment_count, 2);
	assert_text(prof_string(profile, profile->header.comments[1]), "two");
	prof_profile_free(profile);
}

static void a_label_takes_the_place_of_its_texts(void **state)
{
	struct prof_profile *profile = make();
	struct prof_error err = { 0 };

	assert_true(
		prof_amend_label(profile, prof_text("user"), prof_text("all"), &err));
	for (uint32_t i = 0; i < 3; i++) {
		struct prof_labels labels =
			prof_label_set(profile, profile->sample_set[i]);

		assert_int_equal(labels.count, 1);
		assert_text(prof_string(profile, labels.data[0].text), "all");
	}
	assert_int_equal(prof_label_set(profile, 0).count, 0);
	assert_true(prof_profile_validate(profile, &err));
	prof_profile_free(profile);
}

static void columns_change_their_order(void **state)
{
	struct prof_profile *profile = make();
	const uint32_t columns[] = { 1 };
	struct prof_error err = { 0 };

	assert_true(prof_amend_columns(profile, columns, 1, &err));
	assert_int_equal(profile->type_count, 1);
	assert_int_equal(profile->values[0][0], 10);
	assert_true(prof_profile_validate(profile, &err));
	prof_profile_free(profile);
}

static void scaling_rounds_and_drops_what_becomes_zero(void **state)
{
	struct prof_profile *profile = make();
	const double ratios[] = { 1, -0.25 };
	struct prof_error err = { 0 };

	assert_true(prof_amend_scale(profile, ratios, &err));
	/* the second sample is zero in the only column that was scaled */
	assert_int_equal(profile->sample_count, 2);
	assert_int_equal(profile->values[1][0], -3);
	assert_int_equal(profile->values[1][1], -1);
	prof_profile_free(profile);
}

static void scaling_past_64_bits_is_an_error(void **state)
{
	struct prof_profile *profile = make();
	const double ratios[] = { 1e19, 1 };
	struct prof_error err = { 0 };

	assert_false(prof_amend_scale(profile, ratios, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	prof_profile_free(profile);
}

static void a_full_copy_loses_nothing(void **state)
{
	struct prof_error err = { 0 };
	struct prof_profile *profile = random_profile(7, true, PROF_BUILD_AS_IS, &err);
	struct prof_profile *copy = NULL;

	assert_true(prof_profile_copy_all(profile, NULL, &copy, &err));
	assert_int_equal(copy->location_count, profile->location_count);
	assert_int_equal(copy->function_count, profile->function_count);
	assert_int_equal(copy->mapping_count, profile->mapping_count);
	assert_int_equal(copy->string_count, profile->string_count);
	for (uint32_t i = 0; i < copy->string_count; i++) {
		assert_true(prof_text_equal(copy->strings[i], profile->strings[i]));
	}
	prof_profile_free(copy);
	prof_profile_free(profile);
}

static bool amend_all(struct prof_profile *profile, struct prof_error *err)
{
	uint32_t id = 0;

	return prof_amend_string(profile, prof_text("x"), &id, err) &&
	       prof_amend_mapping(profile, err) &&
	       prof_amend_comment(profile, prof_text("y"), err) &&
	       prof_amend_label(profile, prof_text("a"), prof_text("b"), err);
}

static void running_out_of_memory_is_reported(void **state)
{
	struct prof_error err = { 0 };
	bool ok = false;

	for (int64_t n = 0; !ok; n++) {
		struct prof_profile *profile = make();

		prof_alloc_fail_after(n);
		ok = amend_all(profile, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
		prof_profile_free(profile);
	}
}

/* --- plain names ----------------------------------------------------------------------- */

static void assert_plain(const char *name, const char *want)
{
	const struct prof_plain_names options = { .params = true, .templates = true };
	const struct small_sample one = { .stack = name, .values = { 1, 1 } };
	struct prof_profile *profile = small_profile(types, 2, &one, 1);
	struct prof_error err = { 0 };

	assert_true(prof_plain_names(profile, &options, &err));
	assert_text(small_name(profile, 0, 0), want);
	assert_true(prof_profile_validate(profile, &err));
	prof_profile_free(profile);
}

static void cpp_names_lose_their_parameters(void **state)
{
	assert_plain("std::vector<int>::push_back(int const&)",
		     "std::vector::push_back");
	assert_plain("foo(bar(baz))::x<y<z>>", "foo::x");
	assert_plain("A<B>::f(C<D>)", "A::f");
}

static void other_names_stay(void **state)
{
	assert_plain("plain(int)", "plain(int)");
	assert_plain("main.F[go.shape.int]", "main.F[go.shape.int]");
	assert_plain("com.x.Y.<init>(I)", "com.x.Y.<init>(I)");
	assert_plain("p.(*T[...]).M", "p.(*T[...]).M");
	assert_plain("::x(", "::x(");
	assert_plain("a::b>c", "a::b>c");
}

TEST_MAIN(cmocka_unit_test(strings_are_found_or_added),
	  cmocka_unit_test(a_profile_without_a_mapping_gets_one),
	  cmocka_unit_test(a_comment_is_the_last_one),
	  cmocka_unit_test(a_label_takes_the_place_of_its_texts),
	  cmocka_unit_test(columns_change_their_order),
	  cmocka_unit_test(scaling_rounds_and_drops_what_becomes_zero),
	  cmocka_unit_test(scaling_past_64_bits_is_an_error),
	  cmocka_unit_test(a_full_copy_loses_nothing),
	  cmocka_unit_test(running_out_of_memory_is_reported),
	  cmocka_unit_test(cpp_names_lose_their_parameters),
	  cmocka_unit_test(other_names_stay))

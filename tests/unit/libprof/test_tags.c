/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/model/tagframes.h"
#include "libprof/report/tags.h"
#include "tests/unit/libprof/random_profile.h"
#include "tests/unit/libprof/small_profile.h"

static const struct small_type types[] = { { "cpu", "ns" } };

static const struct small_sample samples[] = {
	{ .stack = "main;f", .values = { 5 }, .key = "user", .text = "bob" },
	{ .stack = "main;f", .values = { 7 }, .key = "user", .text = "ann" },
	{ .stack = "main;g",
	  .values = { 2 },
	  .key = "size",
	  .number = 2048,
	  .unit = "bytes" },
	{ .stack = "main", .values = { 1 } },
};

static struct prof_profile *make(void)
{
	return small_profile(types, 1, samples, 4);
}

/* --- weights of labels ------------------------------------------------------------------- */

static bool build(const struct prof_profile *profile, struct prof_tags **tags,
		  struct prof_error *err)
{
	struct prof_tag_units units = { 0 };
	bool ok = prof_tag_units_init(&units, profile, err) &&
		  prof_tags_build(profile, 0, &units, prof_text("minimum"), tags, err);

	prof_tag_units_free(&units);
	return ok;
}

static void values_are_added_up_and_sorted(void **state)
{
	struct prof_profile *profile = make();
	struct prof_tags *tags = NULL;
	struct prof_error err = { 0 };

	assert_true(build(profile, &tags, &err));
	assert_int_equal(tags->key_count, 2);
	assert_text(tags->keys[0].key, "size");
	assert_text(tags->keys[0].values[0].text, "2kB");
	assert_int_equal(tags->keys[0].without, 13);
	assert_text(tags->keys[1].key, "user");
	assert_int_equal(tags->keys[1].total, 12);
	assert_int_equal(tags->keys[1].without, 3);
	assert_text(tags->keys[1].values[0].text, "ann");
	assert_text(tags->keys[1].values[1].text, "bob");
	prof_tags_free(tags);
	prof_profile_free(profile);
}

static void a_profile_without_labels_has_no_keys(void **state)
{
	struct prof_profile *profile = small_profile(types, 1, samples + 3, 1);
	struct prof_tags *tags = NULL;
	struct prof_error err = { 0 };

	assert_true(build(profile, &tags, &err));
	assert_int_equal(tags->key_count, 0);
	prof_tags_free(tags);
	prof_profile_free(profile);
}

static void running_out_of_memory_is_reported(void **state)
{
	struct prof_error err = { 0 };
	struct prof_profile *profile = random_profile(3, true, PROF_BUILD_AS_IS, &err);
	struct prof_tags *tags = NULL;

	for (int64_t n = 0; !tags; n++) {
		prof_alloc_fail_after(n);
		assert_true(build(profile, &tags, &err) || err.code == PROF_ERR_NOMEM);
		prof_alloc_fail_after(-1);
	}
	prof_tags_free(tags);
	prof_profile_free(profile);
}

/* --- frames from labels ------------------------------------------------------------------ */

static void labels_become_frames_at_both_ends(void **state)
{
	const struct prof_tag_frames wanted = {
		.root_keys = prof_text("user,none"),
		.leaf_keys = prof_text(",size"),
		.unit = prof_text("minimum"),
	};
	struct prof_profile *profile = make();
	struct prof_error err = { 0 };
	bool rooted = false;
	bool leafed = false;

	assert_true(prof_tag_frames_add(profile, &wanted, &rooted, &leafed, &err));
	assert_true(rooted && leafed);
	assert_int_equal(prof_stack(profile, profile->sample_stack[0]).count, 5);
	assert_text(small_name(profile, 0, 4), "bob");
	assert_text(small_name(profile, 0, 3), "");
	assert_text(small_name(profile, 0, 0), "");
	assert_text(small_name(profile, 1, 4), "ann");
	assert_text(small_name(profile, 2, 0), "2kB");
	assert_text(small_name(profile, 2, 1), "g");
	prof_profile_free(profile);
}

static void keys_that_nobody_has_are_told(void **state)
{
	const struct prof_tag_frames wanted = {
		.root_keys = prof_text("nobody"),
		.unit = prof_text("minimum"),
	};
	struct prof_profile *profile = make();
	struct prof_error err = { 0 };
	bool rooted = true;
	bool leafed = true;

	assert_true(prof_tag_frames_add(profile, &wanted, &rooted, &leafed, &err));
	assert_false(rooted);
	assert_false(leafed);
	prof_profile_free(profile);
}

static void frames_without_memory_are_an_error(void **state)
{
	const struct prof_tag_frames wanted = {
		.root_keys = prof_text("user"),
		.leaf_keys = prof_text("size"),
		.unit = prof_text("minimum"),
	};
	struct prof_error err = { 0 };
	bool ok = false;

	for (int64_t n = 0; !ok; n++) {
		struct prof_profile *profile = make();
		bool met[2];

		prof_alloc_fail_after(n);
		ok = prof_tag_frames_add(profile, &wanted, &met[0], &met[1], &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
		prof_profile_free(profile);
	}
}

TEST_MAIN(cmocka_unit_test(values_are_added_up_and_sorted),
	  cmocka_unit_test(a_profile_without_labels_has_no_keys),
	  cmocka_unit_test(running_out_of_memory_is_reported),
	  cmocka_unit_test(labels_become_frames_at_both_ends),
	  cmocka_unit_test(keys_that_nobody_has_are_told),
	  cmocka_unit_test(frames_without_memory_are_an_error))

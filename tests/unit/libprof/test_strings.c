/* SPDX-License-Identifier: MIT */
#include "libprof/base/strings.h"

#include <stdio.h>

#include "libprof/base/alloc.h"
#include "tests/test.h"

static struct prof_text numbered(char *room, size_t size, int number)
{
	int len = snprintf(room, size, "function_%d", number);

	return (struct prof_text){ room, (size_t)len };
}

static void the_empty_string_is_always_0(void **state)
{
	struct prof_strings strings = { 0 };
	uint32_t id = 99;

	assert_int_equal(prof_strings_get(&strings, 0).len, 0);
	assert_true(prof_strings_find(&strings, prof_text(""), &id));
	assert_int_equal(id, 0);
	assert_int_equal(prof_strings_add(&strings, prof_text("")), 0);
	assert_int_equal(prof_strings_add(&strings, (struct prof_text){ NULL, 0 }), 0);
	assert_int_equal(strings.count, 1);
	prof_strings_free(&strings);
}

static void ids_count_up_and_equal_bytes_share_one(void **state)
{
	struct prof_strings strings = { 0 };

	assert_int_equal(prof_strings_add(&strings, prof_text("main")), 1);
	assert_int_equal(prof_strings_add(&strings, prof_text("parse")), 2);
	assert_int_equal(prof_strings_add(&strings, prof_text("main")), 1);
	assert_int_equal(prof_strings_add(&strings, prof_text("mai")), 3);
	assert_int_equal(strings.count, 4);
	prof_strings_free(&strings);
}

static void names_are_bytes_with_a_length(void **state)
{
	struct prof_strings strings = { 0 };
	struct prof_text with_nul = { "a\0b", 3 };
	uint32_t id = prof_strings_add(&strings, with_nul);

	assert_true(id != prof_strings_add(&strings, prof_text("a")));
	assert_true(prof_text_equal(prof_strings_get(&strings, id), with_nul));
	assert_int_equal(prof_strings_get(&strings, id).data[3], '\0');
	prof_strings_free(&strings);
}

static void many_strings_keep_their_place(void **state)
{
	struct prof_strings strings = { 0 };
	char room[32];
	const char *first = NULL;

	for (int i = 0; i < 50000; i++) {
		assert_int_equal(
			prof_strings_add(&strings, numbered(room, sizeof(room), i)),
			i + 1);
		first = first ? first : prof_strings_get(&strings, 1).data;
	}
	assert_ptr_equal(prof_strings_get(&strings, 1).data, first);
	for (int i = 0; i < 50000; i++) {
		uint32_t id = 0;

		assert_true(prof_strings_find(&strings, numbered(room, sizeof(room), i),
					      &id));
		assert_int_equal(id, i + 1);
		assert_string_equal(prof_strings_get(&strings, id).data, room);
	}
	prof_strings_free(&strings);
}

static void what_was_never_added_is_not_found(void **state)
{
	struct prof_strings strings = { 0 };
	uint32_t id = 99;

	assert_false(prof_strings_find(&strings, prof_text("main"), &id));
	prof_strings_add(&strings, prof_text("main"));
	assert_false(prof_strings_find(&strings, prof_text("Main"), &id));
	assert_int_equal(id, 99);
	assert_int_equal(prof_strings_get(&strings, 17).len, 0);
	prof_strings_free(&strings);
}

static bool add_many(struct prof_strings *strings)
{
	char room[32];

	for (int i = 0; i < 500; i++) {
		prof_strings_add(strings, numbered(room, sizeof(room), i));
	}
	return !strings->failed;
}

static void any_allocation_may_fail(void **state)
{
	bool ok = false;

	for (int64_t n = 0; !ok; n++) {
		struct prof_strings strings = { 0 };

		prof_alloc_fail_after(n);
		ok = add_many(&strings);
		prof_alloc_fail_after(-1);
		if (!ok) {
			assert_int_equal(prof_strings_add(&strings, prof_text("x")), 0);
		}
		prof_strings_free(&strings);
	}
}

TEST_MAIN(cmocka_unit_test(the_empty_string_is_always_0),
	  cmocka_unit_test(ids_count_up_and_equal_bytes_share_one),
	  cmocka_unit_test(names_are_bytes_with_a_length),
	  cmocka_unit_test(many_strings_keep_their_place),
	  cmocka_unit_test(what_was_never_added_is_not_found),
	  cmocka_unit_test(any_allocation_may_fail))

/* SPDX-License-Identifier: MIT */
#include "libprof/base/alloc.h"

#include <string.h>

#include "tests/test.h"

static void an_array_is_zeroed(void **state)
{
	char *bytes = prof_alloc_array(100, 10);

	assert_non_null(bytes);
	for (size_t i = 0; i < 1000; i++) {
		assert_int_equal(bytes[i], 0);
	}
	prof_free(bytes);
}

static void nothing_is_still_something_to_free(void **state)
{
	void *none = prof_alloc(0);
	void *empty = prof_alloc_array(0, 8);

	assert_non_null(none);
	assert_non_null(empty);
	prof_free(none);
	prof_free(empty);
	prof_free(NULL);
}

static void a_size_that_overflows_is_refused(void **state)
{
	void *old = prof_alloc(4);

	assert_null(prof_alloc_array(SIZE_MAX / 4, 8));
	assert_null(prof_realloc_array(old, SIZE_MAX / 4, 8));
	prof_free(old);
}

static void growing_keeps_the_elements(void **state)
{
	uint32_t *items = NULL;
	size_t cap = 0;

	for (uint32_t i = 0; i < 10000; i++) {
		assert_true(prof_reserve((void **)&items, &cap, i + 1, sizeof(*items)));
		assert_true(cap > i);
		items[i] = i;
	}
	for (uint32_t i = 0; i < 10000; i++) {
		assert_int_equal(items[i], i);
	}
	prof_free(items);
}

static void capacity_grows_by_half_and_never_overflows(void **state)
{
	assert_int_equal(prof_grow(0, 1), 16);
	assert_int_equal(prof_grow(16, 17), 24);
	assert_int_equal(prof_grow(16, 1000), 1000);
	assert_true(prof_grow(SIZE_MAX / 2, SIZE_MAX / 2 + 1) > SIZE_MAX / 2);
	assert_true(prof_grow(SIZE_MAX - 1, SIZE_MAX) == SIZE_MAX);
}

static void a_failed_reserve_changes_nothing(void **state)
{
	char *items = prof_alloc(16);
	char *const old = items;
	size_t cap = 16;

	assert_non_null(items);
	prof_alloc_fail_after(0);
	assert_false(prof_reserve((void **)&items, &cap, 17, 1));
	prof_alloc_fail_after(-1);
	assert_false(prof_reserve((void **)&items, &cap, SIZE_MAX, 8));
	assert_ptr_equal(items, old);
	assert_int_equal(cap, 16);
	prof_free(items);
}

static void the_nth_allocation_fails_and_all_after_it(void **state)
{
	void *first = NULL;
	void *second = NULL;

	prof_alloc_fail_after(2);
	first = prof_alloc(1);
	second = prof_alloc_array(1, 1);
	assert_null(prof_alloc(1));
	assert_null(prof_alloc_array(1, 1));
	assert_null(prof_realloc_array(NULL, 1, 1));
	prof_alloc_fail_after(-1);
	assert_non_null(first);
	assert_non_null(second);
	prof_free(first);
	prof_free(second);
}

TEST_MAIN(cmocka_unit_test(an_array_is_zeroed),
	  cmocka_unit_test(nothing_is_still_something_to_free),
	  cmocka_unit_test(a_size_that_overflows_is_refused),
	  cmocka_unit_test(growing_keeps_the_elements),
	  cmocka_unit_test(capacity_grows_by_half_and_never_overflows),
	  cmocka_unit_test(a_failed_reserve_changes_nothing),
	  cmocka_unit_test(the_nth_allocation_fails_and_all_after_it))

/* SPDX-License-Identifier: MIT */
#include "libprof/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "libprof/base/alloc.h"
#include "tests/test.h"

static void objects_are_aligned_and_apart(void **state)
{
	struct prof_arena arena = { 0 };
	unsigned char *objects[1000];

	for (size_t i = 0; i < 1000; i++) {
		objects[i] = prof_arena_alloc(&arena, i % 37 + 1);
		assert_non_null(objects[i]);
		assert_int_equal((uintptr_t)objects[i] % alignof(max_align_t), 0);
		memset(objects[i], (int)(i % 256), i % 37 + 1);
	}
	for (size_t i = 0; i < 1000; i++) {
		for (size_t at = 0; at < i % 37 + 1; at++) {
			assert_int_equal(objects[i][at], i % 256);
		}
	}
	assert_false(arena.failed);
	prof_arena_free(&arena);
}

static void objects_behind_a_copy_are_aligned_again(void **state)
{
	struct prof_arena arena = { 0 };

	for (size_t len = 0; len < 100; len++) {
		uint64_t *number = NULL;

		assert_non_null(prof_arena_copy(&arena, "x", len > 0));
		number = prof_arena_alloc(&arena, sizeof(*number));
		assert_non_null(number);
		assert_int_equal((uintptr_t)number % alignof(max_align_t), 0);
		*number = len;
	}
	prof_arena_free(&arena);
}

static void a_large_object_leaves_the_open_block_open(void **state)
{
	struct prof_arena arena = { 0 };
	char *small = prof_arena_alloc(&arena, 16);
	char *large = prof_arena_alloc(&arena, 10 << 20);
	char *next = prof_arena_alloc(&arena, 16);

	assert_non_null(small);
	assert_non_null(large);
	assert_non_null(next);
	memset(large, 1, 10 << 20);
	memset(small, 2, 16);
	memset(next, 3, 16);
	assert_int_equal(large[0], 1);
	assert_int_equal(arena.used, (10 << 20) + 32);
	prof_arena_free(&arena);
}

static void an_array_is_zeroed_and_its_size_checked(void **state)
{
	struct prof_arena arena = { 0 };
	uint32_t *zeros = prof_arena_array(&arena, 1000, sizeof(*zeros));

	assert_non_null(zeros);
	for (size_t i = 0; i < 1000; i++) {
		assert_int_equal(zeros[i], 0);
	}
	assert_null(prof_arena_array(&arena, SIZE_MAX / 2, 4));
	assert_true(arena.failed);
	prof_arena_free(&arena);
}

static void a_copy_ends_in_nul(void **state)
{
	struct prof_arena arena = { 0 };

	assert_memory_equal(prof_arena_copy(&arena, "main\0x", 6), "main\0x\0", 7);
	assert_string_equal(prof_arena_copy(&arena, NULL, 0), "");
	prof_arena_free(&arena);
}

static void failure_is_sticky_until_freed(void **state)
{
	struct prof_arena arena = { 0 };

	prof_alloc_fail_after(0);
	assert_null(prof_arena_alloc(&arena, 1));
	prof_alloc_fail_after(-1);
	assert_true(arena.failed);
	assert_null(prof_arena_alloc(&arena, 1 << 20));
	assert_null(prof_arena_adopt(&arena, prof_alloc(8)));
	prof_arena_free(&arena);
	assert_false(arena.failed);
	assert_non_null(prof_arena_alloc(&arena, 1));
	prof_arena_free(&arena);
}

static void adopted_memory_dies_with_the_arena(void **state)
{
	struct prof_arena arena = { 0 };
	void *first = prof_alloc(100);
	void *second = prof_alloc(100);

	assert_null(prof_arena_adopt(&arena, NULL));
	assert_false(arena.failed);
	assert_ptr_equal(prof_arena_adopt(&arena, first), first);
	assert_non_null(prof_arena_alloc(&arena, 10));
	assert_ptr_equal(prof_arena_adopt(&arena, second), second);
	assert_non_null(prof_arena_alloc(&arena, 10));
	prof_arena_free(&arena);
}

static void no_size_is_too_large_to_be_refused(void **state)
{
	struct prof_arena arena = { 0 };

	assert_null(prof_arena_alloc(&arena, SIZE_MAX));
	prof_arena_free(&arena);
	assert_null(prof_arena_alloc(&arena, SIZE_MAX - 32));
	prof_arena_free(&arena);
	assert_null(prof_arena_copy(&arena, "", SIZE_MAX));
	prof_arena_free(&arena);
}

TEST_MAIN(cmocka_unit_test(objects_are_aligned_and_apart),
	  cmocka_unit_test(objects_behind_a_copy_are_aligned_again),
	  cmocka_unit_test(a_large_object_leaves_the_open_block_open),
	  cmocka_unit_test(an_array_is_zeroed_and_its_size_checked),
	  cmocka_unit_test(a_copy_ends_in_nul),
	  cmocka_unit_test(failure_is_sticky_until_freed),
	  cmocka_unit_test(adopted_memory_dies_with_the_arena),
	  cmocka_unit_test(no_size_is_too_large_to_be_refused))

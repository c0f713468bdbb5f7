/* SPDX-License-Identifier: MIT */
#include "libprof/base/map.h"

#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"
#include "tests/test.h"

static uint64_t hash_of(uint32_t key)
{
	return prof_hash(&key, sizeof(key), prof_hash_seed());
}

static bool has(const struct prof_map *map, uint64_t hash, uint32_t wanted)
{
	struct prof_map_walk walk = prof_map_walk(map, hash);
	uint32_t id = 0;

	while (prof_map_next(&walk, &id)) {
		if (id == wanted) {
			return true;
		}
	}
	return false;
}

static void an_empty_map_finds_nothing(void **state)
{
	struct prof_map map = { 0 };

	prof_map_prefetch(&map, 1);
	assert_false(has(&map, 1, 0));
	prof_map_clear(&map);
	prof_map_free(&map);
}

static void every_id_is_found_under_its_hash(void **state)
{
	struct prof_map map = { 0 };

	for (uint32_t id = 0; id < 100000; id++) {
		assert_true(prof_map_add(&map, hash_of(id), id));
	}
	assert_int_equal(map.count, 100000);
	for (uint32_t id = 0; id < 100000; id++) {
		assert_true(has(&map, hash_of(id), id));
	}
	assert_true(map.mask + 1 >= 2 * map.count);
	prof_map_free(&map);
}

static void equal_hashes_give_every_id(void **state)
{
	struct prof_map map = { 0 };

	for (uint32_t id = 0; id < 500; id++) {
		assert_true(prof_map_add(&map, 42, id));
	}
	for (uint32_t id = 0; id < 500; id++) {
		assert_true(has(&map, 42, id));
	}
	assert_false(has(&map, 43, 7));
	prof_map_free(&map);
}

static void the_largest_id_fits(void **state)
{
	struct prof_map map = { 0 };

	assert_true(prof_map_add(&map, UINT64_MAX, UINT32_MAX - 1));
	assert_true(has(&map, UINT64_MAX, UINT32_MAX - 1));
	prof_map_free(&map);
}

static void a_cleared_map_is_empty_and_usable(void **state)
{
	struct prof_map map = { 0 };

	assert_true(prof_map_add(&map, 1, 1));
	prof_map_clear(&map);
	assert_int_equal(map.count, 0);
	assert_false(has(&map, 1, 1));
	assert_true(prof_map_add(&map, 1, 2));
	assert_true(has(&map, 1, 2));
	prof_map_free(&map);
}

static void out_of_memory_leaves_the_map_as_it_was(void **state)
{
	struct prof_map map = { 0 };
	uint32_t count = 0;

	prof_alloc_fail_after(0);
	assert_false(prof_map_add(&map, 1, 1));
	prof_alloc_fail_after(2);
	while (prof_map_add(&map, hash_of(count), count)) {
		count++;
	}
	prof_alloc_fail_after(-1);
	assert_int_equal(map.count, count);
	for (uint32_t id = 0; id < count; id++) {
		assert_true(has(&map, hash_of(id), id));
	}
	assert_true(prof_map_add(&map, hash_of(count), count));
	prof_map_free(&map);
}

static void the_hash_sees_every_byte_and_the_length(void **state)
{
	unsigned char key[64] = { 0 };

	for (size_t len = 1; len <= sizeof(key); len++) {
		uint64_t whole = prof_hash(key, len, 7);

		assert_true(whole != prof_hash(key, len - 1, 7));
		assert_true(whole != prof_hash(key, len, 8));
		for (size_t at = 0; at < len; at++) {
			key[at] = 1;
			assert_true(whole != prof_hash(key, len, 7));
			key[at] = 0;
		}
	}
}

static void the_seed_of_a_process_stays(void **state)
{
	assert_true(prof_hash_seed() == prof_hash_seed());
}

TEST_MAIN(cmocka_unit_test(an_empty_map_finds_nothing),
	  cmocka_unit_test(every_id_is_found_under_its_hash),
	  cmocka_unit_test(equal_hashes_give_every_id),
	  cmocka_unit_test(the_largest_id_fits),
	  cmocka_unit_test(a_cleared_map_is_empty_and_usable),
	  cmocka_unit_test(out_of_memory_leaves_the_map_as_it_was),
	  cmocka_unit_test(the_hash_sees_every_byte_and_the_length),
	  cmocka_unit_test(the_seed_of_a_process_stays))

/* SPDX-License-Identifier: MIT */
#include "libprof/base/seqsort.h"

#include <stdlib.h>
#include <string.h>

#include "libprof/base/alloc.h"
#include "tests/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static uint64_t state_of_random = 1;

static uint32_t random_below(uint32_t end)
{
	state_of_random = state_of_random * UINT64_C(6364136223846793005) + 1;
	return (uint32_t)(state_of_random >> 33) % end;
}

static bool backwards_now;

static uint32_t number(const struct prof_seq *seq, uint32_t at)
{
	return seq->data[backwards_now ? seq->len - 1 - at : at];
}

/* The order as its definition says it, slowly. */
static int compare(const void *left, const void *right)
{
	const struct prof_seq *a = left;
	const struct prof_seq *b = right;

	for (uint32_t i = 0; i < a->len && i < b->len; i++) {
		if (number(a, i) != number(b, i)) {
			return number(a, i) < number(b, i) ? -1 : 1;
		}
	}
	if (a->len != b->len) {
		return a->len < b->len ? -1 : 1;
	}
	return a->id < b->id ? -1 : a->id > b->id;
}

static void assert_sorts(struct prof_seq *seqs, size_t count, bool backwards)
{
	struct prof_error err = { 0 };
	struct prof_seq *expected = malloc((count + 1) * sizeof(*seqs));

	assert_non_null(expected);
	if (count > 0) {
		memcpy(expected, seqs, count * sizeof(*seqs));
	}
	backwards_now = backwards;
	qsort(expected, count, sizeof(*seqs), compare);
	assert_true(prof_seqsort(seqs, count, backwards, &err));
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(seqs[i].id, expected[i].id);
		assert_int_equal(seqs[i].len, expected[i].len);
		assert_ptr_equal(seqs[i].data, expected[i].data);
	}
	free(expected);
}

static void nothing_and_one_are_sorted(void **state)
{
	uint32_t data[] = { 7 };
	struct prof_seq one = { data, 1, 0 };

	assert_sorts(NULL, 0, false);
	assert_sorts(&one, 1, true);
}

static void a_prefix_comes_first(void **state)
{
	uint32_t data[] = { 1, 2, 3 };
	uint32_t other[] = { 0, 9 };
	struct prof_seq seqs[] = {
		{ data, 3, 0 },  { data, 1, 1 }, { data, 2, 2 },
		{ other, 2, 3 }, { NULL, 0, 4 },
	};
	const uint32_t order[] = { 4, 3, 1, 2, 0 };
	struct prof_error err = { 0 };

	assert_true(prof_seqsort(seqs, COUNT(seqs), false, &err));
	for (size_t i = 0; i < COUNT(seqs); i++) {
		assert_int_equal(seqs[i].id, order[i]);
	}
}

static void equal_sequences_stand_by_id(void **state)
{
	uint32_t data[] = { 5, UINT32_MAX - 1, 0, 5, UINT32_MAX - 1, 0 };
	struct prof_seq seqs[400];

	for (uint32_t i = 0; i < COUNT(seqs); i++) {
		uint32_t len = 2 + i % 2;

		seqs[i] = (struct prof_seq){ data + i / 2 % 2 * 3, len, i * 77 % 400 };
	}
	assert_sorts(seqs, COUNT(seqs), false);
}

/* Alphabets and lengths from tiny to large: many equal ones, many prefixes. */
static void random_sequences_sort_both_ways(void **state)
{
	static uint32_t data[20000];
	static struct prof_seq seqs[3000];

	for (uint32_t round = 0; round < 60; round++) {
		uint32_t count = round < 30 ? round : 100 * (round - 29);
		uint32_t max_len = 1 + random_below(round % 3 == 0 ? 40 : 6);
		uint32_t letters = 1 + random_below(round % 2 == 0 ? 3 : 1000);

		for (size_t i = 0; i < COUNT(data); i++) {
			data[i] = random_below(letters);
		}
		for (uint32_t i = 0; i < count; i++) {
			seqs[i] = (struct prof_seq){ data + random_below(10000),
						     random_below(max_len), i };
		}
		assert_sorts(seqs, count, round % 4 < 2);
	}
}

static void long_common_beginnings_need_no_stack(void **state)
{
	enum { LEN = 1 << 20, SEQS = 40 };
	uint32_t *data = calloc(LEN + SEQS, sizeof(*data));
	struct prof_seq seqs[SEQS];

	assert_non_null(data);
	for (uint32_t i = 0; i < SEQS; i++) {
		data[LEN + i] = i * 7 % SEQS;
		seqs[i] = (struct prof_seq){ data + i, LEN + 1, i };
	}
	assert_sorts(seqs, SEQS, false);
	for (uint32_t i = 0; i < SEQS; i++) {
		seqs[i] = (struct prof_seq){ data, LEN - i * 13 % SEQS, i };
	}
	assert_sorts(seqs, SEQS, true);
	free(data);
}

static void common_beginnings_are_counted(void **state)
{
	uint32_t data[] = { 1, 2, 3, 4, 2, 3, 4 };
	struct prof_seq a = { data, 4, 0 };
	struct prof_seq b = { data + 4, 3, 1 };
	struct prof_seq none = { NULL, 0, 2 };

	assert_int_equal(prof_seq_common(&a, &b, false), 0);
	assert_int_equal(prof_seq_common(&a, &b, true), 3);
	assert_int_equal(prof_seq_common(&a, &a, false), 4);
	assert_int_equal(prof_seq_common(&a, &none, true), 0);
}

static void running_out_of_memory_is_reported(void **state)
{
	uint32_t data[] = { 2, 1 };
	struct prof_seq seqs[] = { { data, 1, 0 }, { data + 1, 1, 1 } };
	struct prof_error err = { 0 };

	prof_alloc_fail_after(0);
	assert_false(prof_seqsort(seqs, 2, false, &err));
	prof_alloc_fail_after(-1);
	assert_int_equal(err.code, PROF_ERR_NOMEM);
	assert_int_equal(seqs[0].id, 0);
}

TEST_MAIN(cmocka_unit_test(nothing_and_one_are_sorted),
	  cmocka_unit_test(a_prefix_comes_first),
	  cmocka_unit_test(equal_sequences_stand_by_id),
	  cmocka_unit_test(random_sequences_sort_both_ways),
	  cmocka_unit_test(long_common_beginnings_need_no_stack),
	  cmocka_unit_test(common_beginnings_are_counted),
	  cmocka_unit_test(running_out_of_memory_is_reported))

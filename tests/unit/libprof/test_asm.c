/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include "libprof/report/asm.h"

static struct prof_graph_node node(const char *name, int64_t flat, int64_t cum)
{
	return (struct prof_graph_node){
		.info = { .name = prof_text(name), .line = 7 },
		.flat = flat,
		.cum = cum,
		.cum_div = 2,
	};
}

static void hits_in_the_range_add_up(void **state)
{
	const struct prof_graph_node nodes[] = {
		node("late", 100, 1000),
		node("", 1, 10),
		node("b", 2, 20),
		node("a", 4, 40),
	};
	struct prof_asm_hit hits[] = {
		{ 0x20, &nodes[0] },
		{ 0x10, &nodes[1] },
		{ 0x12, &nodes[2] },
		{ 0x12, &nodes[3] },
	};
	struct prof_asm_sum sum = { 0 };
	struct prof_error err = { 0 };

	prof_asm_sort(hits, 4);
	assert_int_equal(prof_asm_first(hits, 4, 0x11), 1);
	assert_int_equal(prof_asm_first(hits, 4, 0x21), 4);
	assert_true(prof_asm_add(hits, 4, 0x10, 0x20, &sum, &err));
	assert_int_equal(sum.flat, 7);
	assert_int_equal(sum.cum, 70);
	assert_int_equal(sum.cum_div, 6);
	assert_int_equal(sum.line, 7);
	assert_memory_equal(sum.function.data, "a", 1);
}

static void a_range_without_hits_is_nothing(void **state)
{
	const struct prof_graph_node nodes[] = { node("a", 1, 1) };
	const struct prof_asm_hit hits[] = { { 0x20, &nodes[0] } };
	struct prof_asm_sum sum = { .flat = 99 };
	struct prof_error err = { 0 };

	assert_true(prof_asm_add(hits, 1, 0x21, 0x30, &sum, &err));
	assert_int_equal(sum.flat, 0);
	assert_int_equal(sum.function.len, 0);
	prof_asm_sort(NULL, 0);
	assert_int_equal(prof_asm_first(NULL, 0, 5), 0);
}

static void a_sum_beyond_64_bits_is_refused(void **state)
{
	const struct prof_graph_node nodes[] = { node("a", INT64_MAX, 1) };
	const struct prof_asm_hit hits[] = { { 1, &nodes[0] }, { 2, &nodes[0] } };
	struct prof_asm_sum sum = { .flat = 99 };
	struct prof_error err = { 0 };

	assert_false(prof_asm_add(hits, 2, 0, 9, &sum, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_int_equal(sum.flat, 99);
}

TEST_MAIN(cmocka_unit_test(hits_in_the_range_add_up),
	  cmocka_unit_test(a_range_without_hits_is_nothing),
	  cmocka_unit_test(a_sum_beyond_64_bits_is_refused))

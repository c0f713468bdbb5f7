/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include "libprof/base/alloc.h"
#include "libprof/flame/layout.h"

/*
 *	row 3          [d 3]
 *	row 2      [b 4    ][c 2]
 *	row 1  [a 1]                [e 5]       a is 7 with its children
 *	row 0  [all 12                  ]
 */
static const uint32_t depths[] = { 0, 1, 2, 3, 2, 1 };
static const int64_t selfs[] = { 0, 1, 1, 3, 2, 5 };

enum { NODES = 6 };

static struct prof_layout made(const uint32_t *d, const int64_t *s, uint32_t count)
{
	struct prof_layout layout = { 0 };
	struct prof_error err = { 0 };

	assert_true(prof_layout_init(&layout, d, s, count, &err));
	return layout;
}

static void a_width_is_self_and_children(void **state)
{
	static const uint64_t widths[] = { 12, 7, 4, 3, 2, 5 };
	struct prof_layout layout = made(depths, selfs, NODES);

	for (int i = 0; i < NODES; i++) {
		assert_int_equal(layout.width[i], widths[i]);
	}
	assert_int_equal(layout.total, 12);
	assert_int_equal(layout.shown, NODES);
	assert_int_equal(layout.row_count, 4);
	prof_layout_free(&layout);
}

static void the_self_part_is_at_the_left(void **state)
{
	static const uint64_t starts[] = { 0, 0, 1, 2, 5, 7 };
	struct prof_layout layout = made(depths, selfs, NODES);

	for (int i = 0; i < NODES; i++) {
		assert_int_equal(layout.start[i], starts[i]);
	}
	prof_layout_free(&layout);
}

static void children_fit_into_their_parent(void **state)
{
	enum { COUNT = 5000 };
	static uint32_t d[COUNT];
	static int64_t s[COUNT];
	static uint64_t next[COUNT + 1]; /* where the next at this depth may start */
	static uint64_t ends[COUNT + 1]; /* where its parent ends */
	struct prof_layout layout = { 0 };
	uint32_t seed = 1;

	for (int i = 1; i < COUNT; i++) {
		seed = seed * 1664525 + 1013904223;
		d[i] = 1 + (seed >> 16) % (d[i - 1] + 1);
		s[i] = (int64_t)(seed >> 8) % 100 - 20;
	}
	layout = made(d, s, COUNT);
	for (int i = 0; i < COUNT; i++) {
		uint64_t end = layout.start[i] + layout.width[i];

		assert_true(i == 0 || layout.start[i] >= next[d[i]]);
		assert_true(i == 0 || end <= ends[d[i]]);
		next[d[i]] = end;
		next[d[i] + 1] = layout.start[i];
		ends[d[i] + 1] = end;
	}
	prof_layout_free(&layout);
}

static void negative_values_take_no_room_and_are_counted(void **state)
{
	static const uint32_t d[] = { 0, 1, 1, 2, 2 };
	static const int64_t s[] = { 0, -8, 1, -3, 4 };
	struct prof_layout layout = made(d, s, 5);

	assert_int_equal(layout.total, 5);
	assert_int_equal(layout.width[1], 0);
	assert_int_equal(layout.width[2], 5);
	assert_int_equal(layout.width[3], 0);
	assert_int_equal(layout.start[4], 1);
	assert_int_equal(layout.negative, 11);
	assert_int_equal(layout.negative_count, 2);
	assert_int_equal(layout.shown, 3);
	prof_layout_free(&layout);
}

static void the_smallest_value_is_counted_exactly(void **state)
{
	static const uint32_t d[] = { 0, 1 };
	static const int64_t s[] = { 0, INT64_MIN };
	struct prof_layout layout = made(d, s, 2);

	assert_true(layout.negative == UINT64_C(1) << 63);
	assert_int_equal(layout.total, 0);
	assert_int_equal(layout.row_count, 0);
	prof_layout_free(&layout);
}

static void sums_beyond_64_bits_are_an_error(void **state)
{
	static const uint32_t d[] = { 0, 1, 1, 1 };
	static const int64_t s[] = { 0, INT64_MAX, INT64_MAX, INT64_MAX };
	struct prof_layout layout = { .count = 99 };
	struct prof_error err = { 0 };

	assert_false(prof_layout_init(&layout, d, s, 4, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_int_equal(layout.count, 99);
}

static void places_are_exact_for_huge_totals(void **state)
{
	static const uint32_t d[] = { 0, 1 };
	static const int64_t s[] = { INT64_MAX, INT64_MAX };
	struct prof_layout layout = made(d, s, 2);

	assert_int_equal(prof_layout_place(&layout, layout.total, 11800), 11800);
	assert_int_equal(prof_layout_place(&layout, layout.start[1], 11800), 5900);
	prof_layout_free(&layout);
}

static uint32_t kept(const struct prof_layout *layout, uint64_t min, uint32_t max)
{
	struct prof_layout_cut cut = prof_layout_widest(layout, min, max);
	uint32_t mask = 0;

	for (uint32_t i = 0; i < layout->count; i++) {
		mask |= (uint32_t)prof_layout_keeps(&cut, layout->width[i]) << i;
	}
	return mask;
}

static void the_widest_are_kept_and_of_equals_the_first(void **state)
{
	static const uint32_t d[] = { 0, 1, 1, 1, 1 };
	static const int64_t s[] = { 0, 2, 5, 2, 2 };
	struct prof_layout layout = made(d, s, 5);

	assert_int_equal(kept(&layout, 1, 5), 0x1f);
	assert_int_equal(kept(&layout, 1, 4), 0x0f);
	assert_int_equal(kept(&layout, 1, 3), 0x07);
	assert_int_equal(kept(&layout, 1, 2), 0x05);
	assert_int_equal(kept(&layout, 1, 1), 0x01);
	assert_int_equal(kept(&layout, 1, 0), 0x00);
	assert_int_equal(kept(&layout, 3, 5), 0x05);
	prof_layout_free(&layout);
}

static void a_hundred_thousand_levels_need_no_stack(void **state)
{
	enum { LEVELS = 100000 };
	uint32_t *d = prof_alloc_array(LEVELS, sizeof(*d));
	int64_t *s = prof_alloc_array(LEVELS, sizeof(*s));
	struct prof_layout layout = { 0 };

	for (uint32_t i = 0; i < LEVELS; i++) {
		d[i] = i;
		s[i] = 1;
	}
	layout = made(d, s, LEVELS);
	assert_int_equal(layout.total, LEVELS);
	assert_int_equal(layout.start[LEVELS - 1], LEVELS - 1);
	prof_layout_free(&layout);
	prof_free(d);
	prof_free(s);
}

static void every_failed_allocation_is_reported(void **state)
{
	struct prof_layout layout = { 0 };
	struct prof_error err = { 0 };
	int64_t n = 0;

	for (;; n++) {
		bool ok = false;

		prof_alloc_fail_after(n);
		ok = prof_layout_init(&layout, depths, selfs, NODES, &err);
		prof_alloc_fail_after(-1);
		if (ok) {
			break;
		}
		assert_int_equal(err.code, PROF_ERR_NOMEM);
	}
	assert_int_equal(n, 4);
	prof_layout_free(&layout);
}

TEST_MAIN(cmocka_unit_test(a_width_is_self_and_children),
	  cmocka_unit_test(the_self_part_is_at_the_left),
	  cmocka_unit_test(children_fit_into_their_parent),
	  cmocka_unit_test(negative_values_take_no_room_and_are_counted),
	  cmocka_unit_test(the_smallest_value_is_counted_exactly),
	  cmocka_unit_test(sums_beyond_64_bits_are_an_error),
	  cmocka_unit_test(places_are_exact_for_huge_totals),
	  cmocka_unit_test(the_widest_are_kept_and_of_equals_the_first),
	  cmocka_unit_test(a_hundred_thousand_levels_need_no_stack),
	  cmocka_unit_test(every_failed_allocation_is_reported))

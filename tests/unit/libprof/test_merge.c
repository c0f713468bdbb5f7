/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/model/merge.h"
#include "tests/unit/libprof/random_profile.h"

enum { MANY = 8 };

static bool same_texts(const struct prof_profile *a, const struct prof_profile *b)
{
	if (a->string_count != b->string_count) {
		return false;
	}
	for (uint32_t i = 0; i < a->string_count; i++) {
		if (!prof_text_equal(a->strings[i], b->strings[i])) {
			return false;
		}
	}
	return true;
}

static bool same_tables(const struct prof_profile *a, const struct prof_profile *b)
{
	if (a->mapping_count != b->mapping_count ||
	    a->function_count != b->function_count ||
	    a->location_count != b->location_count || a->line_count != b->line_count) {
		return false;
	}
	for (uint32_t i = 0; i < a->mapping_count; i++) {
		const struct prof_mapping *x = &a->mappings[i];
		const struct prof_mapping *y = &b->mappings[i];

		if (x->start != y->start || x->limit != y->limit ||
		    x->offset != y->offset || x->file != y->file ||
		    x->build_id != y->build_id || x->flags != y->flags) {
			return false;
		}
	}
	for (uint32_t i = 0; i < a->function_count; i++) {
		const struct prof_function *x = &a->functions[i];
		const struct prof_function *y = &b->functions[i];

		if (x->id != y->id || x->name != y->name || x->file != y->file ||
		    x->system_name != y->system_name ||
		    x->start_line != y->start_line) {
			return false;
		}
	}
	for (uint32_t i = 0; i < a->location_count; i++) {
		const struct prof_location *x = &a->locations[i];
		const struct prof_location *y = &b->locations[i];

		if (x->id != y->id || x->address != y->address ||
		    x->mapping != y->mapping || x->first_line != y->first_line ||
		    x->folded != y->folded) {
			return false;
		}
	}
	for (uint32_t i = 0; i < a->line_count; i++) {
		if (a->lines[i].function != b->lines[i].function ||
		    a->lines[i].line != b->lines[i].line ||
		    a->lines[i].column != b->lines[i].column) {
			return false;
		}
	}
	return true;
}

static bool same_samples(const struct prof_profile *a, const struct prof_profile *b)
{
	if (a->sample_count != b->sample_count || a->type_count != b->type_count) {
		return false;
	}
	for (uint32_t i = 0; i < a->sample_count; i++) {
		struct prof_frames x = prof_stack(a, a->sample_stack[i]);
		struct prof_frames y = prof_stack(b, b->sample_stack[i]);
		struct prof_labels k = prof_label_set(a, a->sample_set[i]);
		struct prof_labels l = prof_label_set(b, b->sample_set[i]);

		if (x.count != y.count || k.count != l.count ||
		    (x.count > 0 && memcmp(x.data, y.data, x.count * 4) != 0)) {
			return false;
		}
		for (size_t j = 0; j < k.count; j++) {
			if (k.data[j].key != l.data[j].key ||
			    k.data[j].text != l.data[j].text ||
			    k.data[j].number != l.data[j].number ||
			    k.data[j].unit != l.data[j].unit) {
				return false;
			}
		}
		for (uint32_t c = 0; c < a->type_count; c++) {
			if (a->values[c][i] != b->values[c][i]) {
				return false;
			}
		}
	}
	return true;
}

static bool same_header(const struct prof_profile *a, const struct prof_profile *b)
{
	const struct prof_header *x = &a->header;
	const struct prof_header *y = &b->header;

	return x->time_ns == y->time_ns && x->duration_ns == y->duration_ns &&
	       x->period == y->period && x->default_type == y->default_type &&
	       x->doc_url == y->doc_url && x->drop_frames == y->drop_frames &&
	       x->comment_count == y->comment_count &&
	       (x->comment_count == 0 ||
		memcmp(x->comments, y->comments, x->comment_count * 4) == 0);
}

static bool same(const struct prof_profile *a, const struct prof_profile *b)
{
	return same_texts(a, b) && same_tables(a, b) && same_samples(a, b) &&
	       same_header(a, b);
}

static struct prof_profile *make(uint64_t seed)
{
	struct prof_error err = { 0 };
	struct prof_profile *profile =
		random_profile(seed, false, PROF_BUILD_AS_IS, &err);

	assert_non_null(profile);
	assert_true(prof_profile_validate(profile, &err));
	return profile;
}

static struct prof_profile *merge(struct prof_profile **inputs, size_t count)
{
	struct prof_profile *out = NULL;
	struct prof_error err = { 0 };

	assert_true(prof_merge(inputs, count, PROF_BUILD_CANONICAL, &out, &err));
	assert_true(prof_profile_validate(out, &err));
	return out;
}

/* Merge by picking two of the pile at random until one is left. Frees the pile. */
static struct prof_profile *merge_tree(struct prof_profile **pile, size_t count,
				       struct random *random)
{
	while (count > 1) {
		uint32_t a = random_below(random, (uint32_t)count);
		uint32_t b = random_below(random, (uint32_t)count - 1);
		struct prof_profile *pair[2] = { NULL };

		b += b >= a;
		pair[0] = pile[a];
		pair[1] = pile[b];
		pile[a < b ? a : b] = merge(pair, 2);
		pile[a < b ? b : a] = pile[count - 1];
		count--;
		prof_profile_free(pair[0]);
		prof_profile_free(pair[1]);
	}
	return pile[0];
}

static void any_tree_of_merges_gives_the_same(void **state)
{
	for (uint64_t round = 0; round < 20; round++) {
		struct prof_profile *all[MANY];
		struct prof_profile *whole = NULL;

		for (uint64_t i = 0; i < MANY; i++) {
			all[i] = make(round * 100 + i);
		}
		whole = merge(all, MANY);
		for (uint64_t i = 0; i < MANY; i++) {
			prof_profile_free(all[i]);
		}
		for (uint64_t tree = 0; tree < 10; tree++) {
			struct random random = { tree * 31 + round };
			struct prof_profile *pile[MANY];
			struct prof_profile *one = NULL;

			for (uint64_t i = 0; i < MANY; i++) {
				pile[i] = make(round * 100 + i);
			}
			one = merge_tree(pile, MANY, &random);
			assert_true(same(whole, one));
			prof_profile_free(one);
		}
		prof_profile_free(whole);
	}
}

static void merging_one_twice_is_merging_it_once(void **state)
{
	struct prof_profile *one = make(3);
	struct prof_profile *canonical = merge(&one, 1);
	struct prof_profile *again = merge(&canonical, 1);

	assert_true(same(canonical, again));
	prof_profile_free(one);
	prof_profile_free(canonical);
	prof_profile_free(again);
}

static void an_empty_profile_is_neutral(void **state)
{
	struct prof_profile *one = make(4);
	struct prof_profile *nothing = merge(NULL, 0);
	struct prof_profile *both[3] = { nothing, one, nothing };
	struct prof_profile *alone = merge(&one, 1);
	struct prof_profile *joined = merge(both, 3);

	assert_true(prof_profile_empty(nothing));
	assert_true(same(alone, joined));
	prof_profile_free(one);
	prof_profile_free(nothing);
	prof_profile_free(alone);
	prof_profile_free(joined);
}

static void absorbing_is_merging(void **state)
{
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct prof_builder *a = prof_builder_new(PROF_BUILD_CANONICAL);
		struct prof_builder *b = prof_builder_new(PROF_BUILD_CANONICAL);
		struct prof_profile *inputs[2] = { make(seed), make(seed + 1) };
		struct prof_profile *whole = merge(inputs, 2);
		struct prof_profile *out = NULL;
		struct prof_error err = { 0 };

		assert_true(prof_profile_send(inputs[0], prof_builder_sink(a), &err));
		assert_true(prof_profile_send(inputs[1], prof_builder_sink(b), &err));
		assert_true(prof_builder_absorb(a, b, &err));
		assert_int_equal(prof_builder_inputs(a), 2);
		assert_true(prof_builder_finish(a, &out, &err));
		assert_true(same(whole, out));
		prof_profile_free(inputs[0]);
		prof_profile_free(inputs[1]);
		prof_profile_free(whole);
		prof_profile_free(out);
		prof_builder_free(a);
		prof_builder_free(b);
	}
}

/* One sample of one frameless stack with the value. */
static bool send_value(struct prof_builder *builder, int64_t value,
		       struct prof_error *err)
{
	struct prof_sink *sink = prof_builder_sink(builder);
	struct prof_text texts[2] = { { "", 0 }, { "cpu", 3 } };
	struct prof_value_type type = { 1, 0 };
	struct prof_header header = { 0 };
	uint32_t end = 0;
	struct prof_batch batch = { .count = 1, .ends = &end, .values = &value };

	return sink->begin(sink, err) && sink->strings(sink, texts, 2, err) &&
	       sink->types(sink, &type, 1, err) && sink->samples(sink, &batch, err) &&
	       sink->end(sink, &header, err);
}

static void a_sum_past_int64_is_an_error(void **state)
{
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_CANONICAL);
	struct prof_profile *out = NULL;
	struct prof_error err = { 0 };

	assert_true(send_value(builder, INT64_MAX, &err));
	assert_true(send_value(builder, 1, &err));
	assert_false(prof_builder_finish(builder, &out, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_string_equal(err.message, "a sum of 'cpu' values does not fit 64 bits");
	assert_null(out);
	prof_builder_free(builder);
}

static void a_sum_may_leave_int64_on_the_way(void **state)
{
	struct prof_builder *a = prof_builder_new(PROF_BUILD_CANONICAL);
	struct prof_builder *b = prof_builder_new(PROF_BUILD_CANONICAL);
	struct prof_profile *out = NULL;
	struct prof_error err = { 0 };

	assert_true(send_value(b, INT64_MAX, &err));
	assert_true(send_value(b, INT64_MAX, &err));
	assert_true(send_value(b, 7, &err));
	assert_true(send_value(a, -INT64_MAX, &err));
	assert_true(prof_builder_absorb(a, b, &err));
	assert_true(send_value(a, -INT64_MAX, &err));
	assert_true(prof_builder_finish(a, &out, &err));
	assert_int_equal(out->sample_count, 1);
	assert_int_equal(out->values[0][0], 7);
	prof_profile_free(out);
	prof_builder_free(a);
	prof_builder_free(b);
}

static void samples_that_cancel_vanish(void **state)
{
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_FIRST_USE);
	struct prof_profile *out = NULL;
	struct prof_error err = { 0 };

	assert_true(send_value(builder, 5, &err));
	assert_true(send_value(builder, -5, &err));
	assert_true(prof_builder_finish(builder, &out, &err));
	assert_int_equal(out->sample_count, 0);
	assert_int_equal(out->type_count, 1);
	prof_profile_free(out);
	prof_builder_free(builder);
}

static void a_second_profile_turns_keeping_into_merging(void **state)
{
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	struct prof_profile *out = NULL;
	struct prof_error err = { 0 };

	assert_true(send_value(builder, 5, &err));
	assert_true(send_value(builder, 6, &err));
	assert_true(prof_builder_finish(builder, &out, &err));
	assert_int_equal(out->sample_count, 1);
	assert_int_equal(out->values[0][0], 11);
	prof_profile_free(out);
	prof_builder_free(builder);
}

static void different_types_are_named_both(void **state)
{
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_CANONICAL);
	struct prof_error err = { 0 };

	assert_true(send_value(builder, 5, &err));
	assert_false(random_send(1, false, prof_builder_sink(builder), &err));
	assert_int_equal(err.code, PROF_ERR_MISMATCH);
	assert_string_equal(err.message, "sample types differ: (cpu/) and (/, /)");
	prof_builder_free(builder);
}

static void every_failed_allocation_is_an_error(void **state)
{
	bool done = false;

	for (int64_t n = 0; !done; n++) {
		struct prof_error err = { 0 };
		struct prof_profile *profile = NULL;

		prof_alloc_fail_after(n);
		profile = random_profile(9, true, PROF_BUILD_CANONICAL, &err);
		prof_alloc_fail_after(-1);
		done = profile != NULL;
		if (!done) {
			assert_int_equal(err.code, PROF_ERR_NOMEM);
		}
		prof_profile_free(profile);
	}
}

TEST_MAIN(cmocka_unit_test(any_tree_of_merges_gives_the_same),
	  cmocka_unit_test(merging_one_twice_is_merging_it_once),
	  cmocka_unit_test(an_empty_profile_is_neutral),
	  cmocka_unit_test(absorbing_is_merging),
	  cmocka_unit_test(a_sum_past_int64_is_an_error),
	  cmocka_unit_test(a_sum_may_leave_int64_on_the_way),
	  cmocka_unit_test(samples_that_cancel_vanish),
	  cmocka_unit_test(a_second_profile_turns_keeping_into_merging),
	  cmocka_unit_test(different_types_are_named_both),
	  cmocka_unit_test(every_failed_allocation_is_an_error))

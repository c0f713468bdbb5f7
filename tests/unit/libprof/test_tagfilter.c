/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/model/builder.h"
#include "libprof/model/tagfilter.h"

enum { LABELS = 6 };

struct label {
	const char *key;
	const char *text; /* NULL: a number */
	int64_t number;
	const char *unit;
};

/* A profile of one sample with these labels; keys come first in its strings. */
static struct prof_profile *make(const struct label *labels, uint32_t count)
{
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	struct prof_sink *sink = prof_builder_sink(builder);
	struct prof_text strings[1 + 3 * LABELS] = { { "", 0 } };
	struct prof_label records[LABELS] = { { 0 } };
	struct prof_value_type type = { 0, 0 };
	struct prof_header header = { 0 };
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };
	uint32_t end = 0;
	int64_t value = 1;
	struct prof_batch batch = {
		.count = 1,
		.ends = &end,
		.values = &value,
		.labels = records,
		.label_ends = &count,
	};

	for (uint32_t i = 0; i < count; i++) {
		strings[1 + 3 * i] = prof_text(labels[i].key);
		strings[2 + 3 * i] = prof_text(labels[i].text ? labels[i].text : "");
		strings[3 + 3 * i] = prof_text(labels[i].unit ? labels[i].unit : "");
		records[i].key = 1 + 3 * i;
		records[i].text = labels[i].text ? 2 + 3 * i : 0;
		records[i].number = labels[i].number;
		records[i].unit = labels[i].unit ? 3 + 3 * i : 0;
	}
	assert_true(sink->begin(sink, &err) &&
		    sink->strings(sink, strings, 1 + 3 * count, &err) &&
		    sink->types(sink, &type, 1, &err) &&
		    sink->samples(sink, &batch, &err) &&
		    sink->end(sink, &header, &err));
	assert_true(prof_builder_finish(builder, &profile, &err));
	prof_builder_free(builder);
	return profile;
}

/* The "regular expressions" of these tests: a text is in the name; "(" is refused. */
static char patterns[8][32];
static size_t pattern_count;

static bool contains(void *context, struct prof_text text)
{
	return memmem(text.data, text.len, context, strlen(context)) != NULL;
}

static bool compile(void *context, struct prof_text regex, struct prof_matcher *out,
		    struct prof_error *err)
{
	char *copy = patterns[pattern_count++ % 8];

	if (regex.len > 0 && memchr(regex.data, '(', regex.len)) {
		return prof_fail(err, PROF_ERR_SYNTAX, "bad expression");
	}
	snprintf(copy, sizeof(patterns[0]), "%.*s", (int)regex.len, regex.data);
	*out = (struct prof_matcher){ contains, copy };
	return true;
}

static const struct prof_compiler compiler = { compile, NULL };

static const struct label labels[LABELS] = {
	{ "route", "/orders", 0, NULL }, { "route", "/cart", 0, NULL },
	{ "method", "GET", 0, NULL },    { "bytes", NULL, 2048, "bytes" },
	{ "pid", NULL, 123, NULL },      { "wait", NULL, 1500, "microseconds" },
};

static bool matches(const char *text)
{
	struct prof_profile *profile = make(labels, LABELS);
	struct prof_tag_units units = { 0 };
	struct prof_tag_filter *filter = NULL;
	struct prof_error err = { 0 };
	bool result;

	assert_true(prof_tag_units_init(&units, profile, &err));
	assert_true(prof_tag_filter_new(prof_text(text), &compiler, &filter, &err));
	result = prof_tag_filter_match(filter, profile, &units,
				       prof_label_set(profile, profile->sample_set[0]));
	assert_false(prof_tag_filter_failed(filter));
	prof_tag_filter_free(filter);
	prof_tag_units_free(&units);
	prof_profile_free(profile);
	return result;
}

static bool is_range(const char *text)
{
	struct prof_tag_filter *filter = NULL;
	struct prof_error err = { 0 };
	bool result;

	assert_true(prof_tag_filter_new(prof_text(text), &compiler, &filter, &err));
	result = prof_tag_filter_is_range(filter);
	prof_tag_filter_free(filter);
	return result;
}

static void ranges_are_told_from_expressions(void **state)
{
	assert_true(is_range("100"));
	assert_true(is_range("bytes=4kb:"));
	assert_true(is_range(":2ms"));
	assert_true(is_range("1kb:5"));
	assert_true(is_range("-1:+1"));
	assert_false(is_range("1.5mb"));
	assert_false(is_range("a:b"));
	assert_false(is_range("1kb,2kb"));
	assert_false(is_range("5:1kb"));
	assert_false(is_range("1kb:5ms"));
	assert_false(is_range(":"));
	assert_false(is_range(""));
}

static void ranges_convert_units_and_include_their_ends(void **state)
{
	assert_true(matches("bytes=2kb"));
	assert_true(matches("bytes=2kb:"));
	assert_true(matches("bytes=:2048b"));
	assert_true(matches("bytes=1kb:3"));
	assert_false(matches("bytes=3kb:"));
	assert_false(matches("bytes=:1kb"));
	assert_true(matches("wait=1ms:2ms"));
	assert_false(matches("wait=2ms:"));
}

static void a_range_without_a_key_looks_at_all_numbers(void **state)
{
	assert_true(matches("2kb"));
	assert_true(matches("1ms:2ms"));
	assert_false(matches("200s:"));
	assert_false(matches("GET=1kb"));
}

static void bare_numbers_do_not_match_units(void **state)
{
	assert_false(matches("bytes=2048"));
	assert_true(matches("pid=100kb:"));
	assert_false(matches("route=1:"));
}

static void with_a_key_any_expression_will_do(void **state)
{
	assert_true(matches("route=cart,nothing"));
	assert_true(matches("route=nothing,orders"));
	assert_false(matches("route=nothing,never"));
	assert_false(matches("method=cart"));
}

static void without_a_key_each_expression_must_match(void **state)
{
	assert_true(matches("route:/cart,GET"));
	assert_false(matches("route:/cart,POST"));
	assert_true(matches("hod:GE"));
	assert_true(matches("=GET"));
}

static void expressions_see_no_numbers(void **state)
{
	assert_false(matches("pid"));
	assert_false(matches("pid=12x,3"));
}

static void the_unit_of_a_key_is_the_first_one_met(void **state)
{
	struct label mixed[] = { { "size", NULL, 1, "kb" },
				 { "size", NULL, 1, "bytes" },
				 { "alignment", NULL, 8, NULL },
				 { "other", NULL, 8, NULL } };
	struct prof_profile *profile = make(mixed, 4);
	struct prof_tag_units units = { 0 };
	struct prof_error err = { 0 };
	struct prof_labels all = prof_label_set(profile, profile->sample_set[0]);

	assert_true(prof_tag_units_init(&units, profile, &err));
	for (size_t i = 0; i < all.count; i++) {
		struct prof_text key = prof_string(profile, all.data[i].key);
		struct prof_text unit = prof_tag_unit(&units, profile, all.data[i].key);
		const char *want = "other";

		if (prof_text_equal(key, prof_text("size"))) {
			want = "kb";
		} else if (prof_text_equal(key, prof_text("alignment"))) {
			want = "bytes";
		}
		assert_true(prof_text_equal(unit, prof_text(want)));
	}
	prof_tag_units_free(&units);
	prof_profile_free(profile);
}

static void a_bad_expression_is_passed_on(void **state)
{
	struct prof_tag_filter *filter = NULL;
	struct prof_error err = { 0 };

	assert_false(
		prof_tag_filter_new(prof_text("k=a,b("), &compiler, &filter, &err));
	assert_null(filter);
	assert_string_equal(err.message, "bad expression");
}

static void every_failed_allocation_is_reported(void **state)
{
	struct prof_tag_filter *filter = NULL;
	struct prof_error err = { 0 };
	int64_t n = 0;

	for (bool ok = false; !ok; n++) {
		prof_alloc_fail_after(n);
		ok = prof_tag_filter_new(prof_text("a,b,c"), &compiler, &filter, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
	}
	assert_true(n > 1);
	prof_tag_filter_free(filter);
}

TEST_MAIN(cmocka_unit_test(ranges_are_told_from_expressions),
	  cmocka_unit_test(ranges_convert_units_and_include_their_ends),
	  cmocka_unit_test(a_range_without_a_key_looks_at_all_numbers),
	  cmocka_unit_test(bare_numbers_do_not_match_units),
	  cmocka_unit_test(with_a_key_any_expression_will_do),
	  cmocka_unit_test(without_a_key_each_expression_must_match),
	  cmocka_unit_test(expressions_see_no_numbers),
	  cmocka_unit_test(the_unit_of_a_key_is_the_first_one_met),
	  cmocka_unit_test(a_bad_expression_is_passed_on),
	  cmocka_unit_test(every_failed_allocation_is_reported))

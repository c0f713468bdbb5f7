/* SPDX-License-Identifier: MIT */
/*
 * Small inputs that ask for much: each must be refused or cost no more than its size
 * lets one expect. Tests of time would be tests of the machine; what is quadratic here
 * takes minutes, which nobody overlooks.
 */
#include <string.h>

#include "libprof/base/limits.h"
#include "tests/pipeline.h"
#include "tests/test.h"
#include "tests/unit/formats/proto.h"

enum { MANY = 100000 };

static struct prof_buf start(void)
{
	static const char *const texts[] = { "", "samples", "count", "main" };
	struct prof_buf out = { 0 };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		proto_string(&out, texts[i]);
	}
	proto_type(&out, 1, 2);
	return out;
}

/* Location 1, with `count` lines of function 1, which is main. */
static void add_inlined(struct prof_buf *out, uint64_t count)
{
	struct prof_buf location = { 0 };

	proto_function(out, 1, 3);
	proto_number(&location, 1, 1);
	for (uint64_t i = 0; i < count; i++) {
		proto_numbers(&location, 4, 1, UINT64_C(1));
	}
	proto_message(out, 4, &location);
}

/* A sample of `depth` times location 1. */
static void add_deep(struct prof_buf *out, uint64_t depth)
{
	struct prof_buf sample = { 0 };

	for (uint64_t i = 0; i < depth; i++) {
		proto_number(&sample, 1, 1);
	}
	proto_packed(&sample, 2, 1, UINT64_C(1));
	proto_message(out, 2, &sample);
}

static void expect_read(struct prof_buf *bytes, struct prof_profile **out)
{
	struct prof_text text = { bytes->data, bytes->len };
	struct prof_error err = { 0 };

	assert_false(bytes->failed);
	assert_true(pipeline_read(text, NULL, &prof_format_pprof, out, &err));
	prof_buf_free(bytes);
}

static void expect_not_folded(const struct prof_profile *profile, const char *message)
{
	struct prof_write_options options = { 0 };
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	assert_false(prof_format_folded.write(profile, &options, &out, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_string_equal(err.message, message);
	prof_buf_free(&out);
}

static void inlined_calls_count_as_frames_of_a_stack(void **state)
{
	struct prof_profile *profile = NULL;
	struct prof_buf bytes = start();

	add_inlined(&bytes, 1024);
	add_deep(&bytes, 1025);
	expect_read(&bytes, &profile);
	expect_not_folded(profile,
			  "inlined calls make more than 1048576 frames of one stack");
	prof_profile_free(profile);
}

/* A megabyte that would make 12 GB. */
static void text_is_measured_before_it_is_made(void **state)
{
	struct prof_profile *profile = NULL;
	struct prof_buf bytes = start();
	struct prof_buf name = { 0 };

	for (int i = 0; i < 1 << 20; i++) {
		prof_buf_addc(&name, 'x');
	}
	proto_message(&bytes, 6, &name);
	proto_function(&bytes, 1, 4);
	proto_location(&bytes, 1, 0, 1);
	for (uint64_t depth = 1; depth < 160; depth++) {
		add_deep(&bytes, depth);
	}
	expect_read(&bytes, &profile);
	expect_not_folded(profile, "as folded stacks this is more than 8 GiB of text");
	prof_profile_free(profile);
}

static void a_name_too_long_for_a_message_is_no_fault(void **state)
{
	struct prof_buf loss = { .max = 4096 };
	struct prof_write_options options = { .loss = &loss };
	struct prof_profile *profile = NULL;
	struct prof_buf bytes = start();
	struct prof_buf name = { 0 };
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	for (int i = 0; i < 1 << 16; i++) {
		prof_buf_adds(&name, "\n\033");
	}
	proto_type(&bytes, 4, 4);
	proto_message(&bytes, 6, &name);
	expect_read(&bytes, &profile);
	assert_true(prof_format_folded.write(profile, &options, &out, &err));
	assert_null(memchr(loss.data, '\033', loss.len));
	assert_true(loss.len < 512);
	prof_buf_free(&loss);
	prof_buf_free(&out);
	prof_profile_free(profile);
}

static void run_through(struct prof_buf *bytes)
{
	struct prof_text text = { bytes->data, bytes->len };
	struct pipeline run = { 0 };
	struct prof_error err = { 0 };

	assert_false(bytes->failed);
	assert_true(pipeline_run(text, NULL, &run, &err));
	pipeline_free(&run);
	prof_buf_free(bytes);
}

static void very_many_labels_of_one_sample(void **state)
{
	struct prof_buf bytes = start();
	struct prof_buf sample = { 0 };

	add_inlined(&bytes, 1);
	proto_packed(&sample, 1, 1, UINT64_C(1));
	proto_packed(&sample, 2, 1, UINT64_C(1));
	for (uint64_t i = 0; i < MANY; i++) {
		proto_numbers(&sample, 3, 3, UINT64_C(3), UINT64_C(0),
			      i * UINT64_C(2654435761) % MANY + 1);
	}
	proto_message(&bytes, 2, &sample);
	run_through(&bytes);
}

static void very_many_mappings_that_are_all_the_same(void **state)
{
	struct prof_buf bytes = start();

	proto_function(&bytes, 1, 3);
	for (uint64_t i = 1; i <= MANY; i++) {
		proto_numbers(&bytes, 3, 5, i, UINT64_C(0), UINT64_C(4096), UINT64_C(0),
			      UINT64_C(3));
		proto_location(&bytes, i, i, 1);
		proto_sample(&bytes, i, 1);
	}
	run_through(&bytes);
}

/*
 * What a hash with a constant for a secret would map to one value: the block that is
 * the constant makes a factor zero, and with it all that was hashed before.
 */
static void very_many_names_made_to_collide(void **state)
{
	static const uint64_t constants[] = { UINT64_C(0xa0761d6478bd642f),
					      UINT64_C(0xe7037ed1a0b428db) };
	struct prof_buf bytes = start();

	for (uint64_t i = 0; i < 2 * MANY; i++) {
		uint64_t words[5] = { i, i, constants[i % 2], 1, constants[i % 2] };

		proto_bytes(&bytes, 6, words, sizeof(words));
	}
	add_inlined(&bytes, 1);
	add_deep(&bytes, 1);
	run_through(&bytes);
}

TEST_MAIN(cmocka_unit_test(inlined_calls_count_as_frames_of_a_stack),
	  cmocka_unit_test(text_is_measured_before_it_is_made),
	  cmocka_unit_test(a_name_too_long_for_a_message_is_no_fault),
	  cmocka_unit_test(very_many_labels_of_one_sample),
	  cmocka_unit_test(very_many_mappings_that_are_all_the_same),
	  cmocka_unit_test(very_many_names_made_to_collide))

/* SPDX-License-Identifier: MIT */
#include "formats/zstd.h"

#include <string.h>

#include "libprof/base/alloc.h"
#include "tests/dribble.h"
#include "tests/slurp.h"
#include "tests/test.h"

static struct prof_buf make_text(size_t len)
{
	struct prof_buf text = { 0 };
	uint32_t random = 1;

	while (text.len < len) {
		random = random * 1664525 + 1013904223;
		prof_buf_addf(&text, "main;parse;f%u %u\n", random >> 24, random >> 28);
	}
	text.len = len;
	assert_false(text.failed);
	return text;
}

static struct prof_text view(const struct prof_buf *buf)
{
	return (struct prof_text){ buf->data, buf->len };
}

static struct prof_buf zip(struct prof_text text, int level)
{
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	assert_true(prof_zstd_write(text, level, &out, &err));
	return out;
}

static bool unzip(const struct prof_buf *data, size_t step, uint64_t max_input,
		  struct prof_buf *out, struct prof_error *err)
{
	struct dribble source = dribble(data->data, data->len, step);
	struct prof_limits limits = { .max_input = max_input };
	struct prof_window in = prof_window(&source.base);
	bool ok = slurp(prof_zstd_source(&in, &limits), out, err);

	prof_window_free(&in);
	prof_source_free(&source.base);
	return ok;
}

static void assert_unzips_to(const struct prof_buf *data, struct prof_text expected)
{
	static const size_t steps[] = { SIZE_MAX, 1, 1000 };

	for (size_t i = 0; i < 3; i++) {
		struct prof_buf out = { 0 };
		struct prof_error err = { 0 };

		assert_true(unzip(data, steps[i], 0, &out, &err));
		assert_int_equal(out.len, expected.len);
		if (out.len > 0) {
			assert_memory_equal(out.data, expected.data, out.len);
		}
		prof_buf_free(&out);
	}
}

static void assert_refused(const struct prof_buf *data, enum prof_code code,
			   const char *message)
{
	static const size_t steps[] = { SIZE_MAX, 1, 3 };

	for (size_t i = 0; i < 3; i++) {
		struct prof_buf out = { 0 };
		struct prof_error err = { 0 };

		assert_false(unzip(data, steps[i], 0, &out, &err));
		assert_int_equal(err.code, code);
		assert_string_equal(err.message, message);
		prof_buf_free(&out);
	}
}

static void what_is_written_is_read_back(void **state)
{
	static const size_t sizes[] = { 0, 1, 100, 262143, 262144, 262145, 3000000 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct prof_buf text = make_text(sizes[i]);
		struct prof_buf data = zip(view(&text), i % 2 ? 1 : 0);

		assert_unzips_to(&data, view(&text));
		prof_buf_free(&data);
		prof_buf_free(&text);
	}
}

static void writing_appends_and_is_the_same_every_time(void **state)
{
	struct prof_buf text = make_text(100000);
	struct prof_buf data = zip(view(&text), 0);
	struct prof_buf again = { 0 };
	struct prof_error err = { 0 };

	prof_buf_adds(&again, "before");
	assert_true(prof_zstd_write(view(&text), 3, &again, &err));
	assert_int_equal(again.len, data.len + 6);
	assert_memory_equal(again.data + 6, data.data, data.len);
	prof_buf_free(&again);
	prof_buf_free(&data);
	prof_buf_free(&text);
}

static void frames_follow_each_other_and_some_are_skipped(void **state)
{
	struct prof_buf data = { 0 };
	struct prof_buf frame = zip(prof_text("main 1\n"), 0);
	struct prof_buf empty = zip(prof_text(""), 0);

	prof_buf_add(&data, "\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
	prof_buf_add(&data, frame.data, frame.len);
	prof_buf_add(&data, empty.data, empty.len);
	prof_buf_add(&data, "\x5f\x2a\x4d\x18\0\0\0\0", 8);
	prof_buf_add(&data, frame.data, frame.len);
	assert_unzips_to(&data, prof_text("main 1\nmain 1\n"));
	prof_buf_free(&empty);
	prof_buf_free(&frame);
	prof_buf_free(&data);
}

static void every_cut_is_noticed(void **state)
{
	struct prof_buf text = make_text(300);
	struct prof_buf data = zip(view(&text), 0);
	size_t len = data.len;

	for (data.len = 4; data.len < len; data.len++) {
		assert_refused(&data, PROF_ERR_SYNTAX, "zstd data is cut short");
	}
	prof_buf_free(&data);
	prof_buf_free(&text);
}

static void a_changed_bit_is_noticed_or_harmless(void **state)
{
	struct prof_buf text = make_text(500);
	struct prof_buf data = zip(view(&text), 0);

	for (size_t bit = 32; bit < data.len * 8; bit++) {
		struct prof_buf out = { 0 };
		struct prof_error err = { 0 };

		data.data[bit / 8] ^= (char)(1 << bit % 8);
		if (unzip(&data, SIZE_MAX, 0, &out, &err)) {
			assert_int_equal(out.len, text.len);
			assert_memory_equal(out.data, text.data, out.len);
		}
		data.data[bit / 8] ^= (char)(1 << bit % 8);
		prof_buf_free(&out);
	}
	prof_buf_free(&data);
	prof_buf_free(&text);
}

static void the_checksum_is_checked(void **state)
{
	struct prof_buf data = zip(prof_text("main 1\n"), 0);

	data.data[data.len - 1] ^= 1;
	assert_refused(&data, PROF_ERR_SYNTAX, "zstd checksum does not match");
	prof_buf_free(&data);
}

static void other_bytes_behind_a_frame_are_refused(void **state)
{
	struct prof_buf data = zip(prof_text("main 1\n"), 0);

	prof_buf_adds(&data, "not zstd");
	assert_refused(&data, PROF_ERR_SYNTAX, "other bytes behind the zstd data");
	prof_buf_free(&data);
}

/* A frame header alone decides: window descriptor 0x90 is 2^28 bytes. */
static void a_window_that_is_too_large_is_refused(void **state)
{
	struct prof_buf data = { 0 };

	prof_buf_add(&data, "\x28\xb5\x2f\xfd\x00\x90\x01\0\0", 9);
	assert_refused(&data, PROF_ERR_LIMIT,
		       "zstd data with a window of more than 128 MiB");
	prof_buf_free(&data);
}

static void the_limit_is_exact_and_names_the_option(void **state)
{
	struct prof_buf text = make_text(1 << 20);
	struct prof_buf data = zip(view(&text), 0);
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	assert_true(unzip(&data, SIZE_MAX, 1 << 20, &out, &err));
	assert_false(unzip(&data, SIZE_MAX, (1 << 20) - 1, &out, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_string_equal(err.message,
			    "more than 1048575 bytes of decompressed data; "
			    "raise the limit with --max-input");
	prof_buf_free(&out);
	prof_buf_free(&data);
	prof_buf_free(&text);
}

static void what_expands_absurdly_is_refused(void **state)
{
	size_t len = (64 << 20) + (1 << 20);
	char *zeros = calloc(len, 1);
	struct prof_buf data = { 0 };
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	assert_non_null(zeros);
	data = zip((struct prof_text){ zeros, len }, 1);
	free(zeros);
	assert_false(unzip(&data, SIZE_MAX, 0, &out, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_non_null(
		strstr(err.message, "expands more than 250 times (67 MB from "));
	prof_buf_free(&out);
	prof_buf_free(&data);
}

static void any_allocation_may_fail(void **state)
{
	struct prof_buf data = zip(prof_text("main 1\n"), 0);
	struct prof_error err = { 0 };
	bool ok = false;

	for (int64_t n = 0; !ok; n++) {
		struct prof_buf out = { 0 };

		prof_alloc_fail_after(n);
		ok = unzip(&data, 3, 0, &out, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
		prof_buf_free(&out);
	}
	prof_buf_free(&data);
	prof_alloc_fail_after(0);
	assert_false(prof_zstd_write(prof_text("main 1\n"), 0, &data, &err));
	prof_alloc_fail_after(-1);
	assert_int_equal(err.code, PROF_ERR_NOMEM);
	prof_buf_free(&data);
}

TEST_MAIN(cmocka_unit_test(what_is_written_is_read_back),
	  cmocka_unit_test(writing_appends_and_is_the_same_every_time),
	  cmocka_unit_test(frames_follow_each_other_and_some_are_skipped),
	  cmocka_unit_test(every_cut_is_noticed),
	  cmocka_unit_test(a_changed_bit_is_noticed_or_harmless),
	  cmocka_unit_test(the_checksum_is_checked),
	  cmocka_unit_test(other_bytes_behind_a_frame_are_refused),
	  cmocka_unit_test(a_window_that_is_too_large_is_refused),
	  cmocka_unit_test(the_limit_is_exact_and_names_the_option),
	  cmocka_unit_test(what_expands_absurdly_is_refused),
	  cmocka_unit_test(any_allocation_may_fail))

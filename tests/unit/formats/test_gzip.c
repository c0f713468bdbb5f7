/* SPDX-License-Identifier: MIT */
#include "formats/gzip.h"

#include <string.h>
#include <zlib.h>

#include "libprof/base/alloc.h"
#include "tests/dribble.h"
#include "tests/slurp.h"
#include "tests/test.h"

enum { BODY = 10, TRAILER = 8 };

/* Text that compresses well but not absurdly. */
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

	assert_true(prof_gzip_write(text, level, &out, &err));
	return out;
}

static bool unzip_source(struct prof_source *source, const struct prof_limits *limits,
			 uint64_t *trailing, struct prof_buf *out,
			 struct prof_error *err)
{
	struct prof_window in = prof_window(source);
	bool ok = slurp(prof_gzip_source(&in, limits, trailing), out, err);

	prof_window_free(&in);
	return ok;
}

static bool unzip(const struct prof_buf *data, struct prof_buf *out,
		  struct prof_error *err)
{
	struct prof_source *source = prof_source_memory(data->data, data->len);
	bool ok = unzip_source(source, NULL, NULL, out, err);

	prof_source_free(source);
	return ok;
}

static void assert_unzips_to(const struct prof_buf *data, struct prof_text expected)
{
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	assert_true(unzip(data, &out, &err));
	assert_int_equal(out.len, expected.len);
	if (out.len > 0) {
		assert_memory_equal(out.data, expected.data, out.len);
	}
	prof_buf_free(&out);
}

static void assert_refused(const struct prof_buf *data, enum prof_code code,
			   const char *message, uint64_t offset)
{
	static const size_t steps[] = { SIZE_MAX, 1, 3 };

	for (size_t i = 0; i < 3; i++) {
		struct dribble in = dribble(data->data, data->len, steps[i]);
		struct prof_buf out = { 0 };
		struct prof_error err = { 0 };

		assert_false(unzip_source(&in.base, NULL, NULL, &out, &err));
		assert_int_equal(err.code, code);
		assert_string_equal(err.message, message);
		assert_true(err.located);
		assert_int_equal(err.offset, offset);
		prof_buf_free(&out);
		prof_source_free(&in.base);
	}
}

/* One small member with these flags and these bytes between header and data. */
static struct prof_buf member(uint8_t flags, const void *extra, size_t len)
{
	struct prof_buf plain = zip(prof_text("main 1\n"), 0);
	struct prof_buf out = { 0 };

	prof_buf_add(&out, plain.data, BODY);
	out.data[3] = (char)flags;
	prof_buf_add(&out, extra, len);
	prof_buf_add(&out, plain.data + BODY, plain.len - BODY);
	prof_buf_free(&plain);
	return out;
}

static void what_is_written_is_read_back(void **state)
{
	static const size_t sizes[] = { 0,      1,       100,     32768,
					262143, 262144,  262145,  524288,
					600000, 1 << 20, 3000000, (8 << 20) + 7 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct prof_buf text = make_text(sizes[i]);
		struct prof_buf data = zip(view(&text), i % 2 ? 1 : 0);

		assert_unzips_to(&data, view(&text));
		prof_buf_free(&data);
		prof_buf_free(&text);
	}
}

static void every_level_writes_one_member_without_clock_or_name(void **state)
{
	struct prof_buf text = make_text(700000);

	for (int level = 0; level <= 9; level++) {
		struct prof_buf data = zip(view(&text), level);

		assert_memory_equal(data.data, "\x1f\x8b\x08\0\0\0\0\0", 8);
		assert_true((uint8_t)data.data[9] == 255);
		assert_true(data.len < text.len / 4);
		assert_unzips_to(&data, view(&text));
		prof_buf_free(&data);
	}
	prof_buf_free(&text);
}

/* zlib as the judge: it wants exactly one member, with the sums of the whole. */
static void zlib_reads_what_several_threads_wrote(void **state)
{
	struct prof_buf text = make_text(5000000);
	struct prof_buf data = zip(view(&text), 0);
	unsigned char *out = malloc(text.len + 1);
	z_stream stream = { .next_in = (Bytef *)data.data,
			    .avail_in = (uInt)data.len,
			    .next_out = out,
			    .avail_out = (uInt)text.len + 1 };

	assert_non_null(out);
	assert_int_equal(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	assert_int_equal(stream.avail_in, 0);
	assert_int_equal(stream.avail_out, 1);
	assert_memory_equal(out, text.data, text.len);
	inflateEnd(&stream);
	free(out);
	prof_buf_free(&data);
	prof_buf_free(&text);
}

static void writing_appends_and_is_the_same_every_time(void **state)
{
	struct prof_buf text = make_text(2000000);
	struct prof_buf data = zip(view(&text), 0);
	struct prof_buf again = { 0 };
	struct prof_error err = { 0 };

	prof_buf_adds(&again, "before");
	assert_true(prof_gzip_write(view(&text), 0, &again, &err));
	assert_int_equal(again.len, data.len + 6);
	assert_memory_equal(again.data + 6, data.data, data.len);
	prof_buf_free(&again);
	prof_buf_free(&data);
	prof_buf_free(&text);
}

static void bytes_may_come_one_at_a_time(void **state)
{
	static const size_t steps[] = { 1, 2, 3, 5, 1000 };
	struct prof_buf text = make_text(300000);
	struct prof_buf data = zip(view(&text), 0);

	for (size_t i = 0; i < 5; i++) {
		for (int threaded = 0; threaded < 2; threaded++) {
			struct dribble source = dribble(data.data, data.len, steps[i]);
			struct prof_window in = prof_window(&source.base);
			struct prof_source *gzip = prof_gzip_source(&in, NULL, NULL);
			struct prof_buf out = { 0 };
			struct prof_error err = { 0 };

			gzip = threaded ? prof_source_ahead(gzip) : gzip;
			assert_true(slurp(gzip, &out, &err));
			assert_int_equal(out.len, text.len);
			assert_memory_equal(out.data, text.data, out.len);
			prof_buf_free(&out);
			prof_window_free(&in);
			prof_source_free(&source.base);
		}
	}
	prof_buf_free(&data);
	prof_buf_free(&text);
}

static void members_follow_each_other(void **state)
{
	struct prof_buf data = { 0 };
	struct prof_buf text = { 0 };

	for (int i = 0; i < 300; i++) {
		struct prof_buf part = zip(prof_text(i % 3 ? "main 1\n" : ""), 0);

		prof_buf_add(&data, part.data, part.len);
		prof_buf_adds(&text, i % 3 ? "main 1\n" : "");
		prof_buf_free(&part);
	}
	assert_unzips_to(&data, view(&text));
	prof_buf_free(&data);
	prof_buf_free(&text);
}

static void header_fields_are_skipped(void **state)
{
	struct prof_text plain = prof_text("main 1\n");
	struct prof_buf text = member(1, "", 0);
	struct prof_buf extra = member(4, "\x05\0abcde", 7);
	struct prof_buf name = member(8, "cpu.pb\0", 7);
	struct prof_buf comment = member(16, "\0", 1);
	struct prof_buf all = member(4 | 8 | 16, "\x02\0abcpu.pb\0\0", 12);
	struct prof_buf *const members[] = { &text, &extra, &name, &comment, &all };

	for (size_t i = 0; i < 5; i++) {
		assert_unzips_to(members[i], plain);
		prof_buf_free(members[i]);
	}
}

static void a_name_may_be_longer_than_a_chunk(void **state)
{
	struct prof_buf name = { 0 };
	struct prof_buf data = { 0 };

	for (int i = 0; i < 1000000; i++) {
		prof_buf_addc(&name, 'x');
	}
	prof_buf_addc(&name, '\0');
	data = member(8, name.data, name.len);
	assert_unzips_to(&data, prof_text("main 1\n"));
	prof_buf_free(&data);
	prof_buf_free(&name);
}

static void a_header_checksum_is_checked(void **state)
{
	struct prof_buf data = member(2 | 8, "cpu\0\0\0", 6);
	uint32_t sum = (uint32_t)crc32(0, (Bytef *)data.data, BODY + 4);

	data.data[BODY + 4] = (char)(sum & 0xff);
	data.data[BODY + 5] = (char)(sum >> 8 & 0xff);
	assert_unzips_to(&data, prof_text("main 1\n"));
	data.data[BODY + 5] ^= 1;
	assert_refused(&data, PROF_ERR_SYNTAX, "gzip header checksum does not match",
		       BODY + 4);
	prof_buf_free(&data);
}

static void what_the_header_may_not_say_is_refused(void **state)
{
	struct prof_buf data = member(0x20, "", 0);

	assert_refused(&data, PROF_ERR_SYNTAX, "gzip header with unknown flags", 0);
	data.data[3] = 0;
	data.data[2] = 7;
	assert_refused(&data, PROF_ERR_SYNTAX, "gzip header with an unknown method", 0);
	prof_buf_free(&data);
}

static void every_cut_is_noticed(void **state)
{
	struct prof_buf data = member(4 | 8 | 16, "\x02\0abcpu.pb\0\0", 12);
	size_t len = data.len;

	for (data.len = 2; data.len < len; data.len++) {
		assert_refused(&data, PROF_ERR_SYNTAX, "gzip data is cut short",
			       data.len);
	}
	prof_buf_free(&data);
}

static void a_changed_bit_is_noticed_or_harmless(void **state)
{
	struct prof_buf text = make_text(500);
	struct prof_buf data = zip(view(&text), 0);

	for (size_t bit = 16; bit < data.len * 8; bit++) {
		struct prof_buf out = { 0 };
		struct prof_error err = { 0 };

		data.data[bit / 8] ^= (char)(1 << bit % 8);
		if (unzip(&data, &out, &err)) {
			assert_true(bit < (data.len - TRAILER) * 8);
			assert_int_equal(out.len, text.len);
			assert_memory_equal(out.data, text.data, out.len);
		}
		data.data[bit / 8] ^= (char)(1 << bit % 8);
		prof_buf_free(&out);
	}
	prof_buf_free(&data);
	prof_buf_free(&text);
}

static void checksum_and_length_are_checked(void **state)
{
	struct prof_buf data = member(0, "", 0);

	data.data[data.len - TRAILER] ^= 1;
	assert_refused(&data, PROF_ERR_SYNTAX, "gzip checksum does not match",
		       data.len - TRAILER);
	data.data[data.len - TRAILER] ^= 1;
	data.data[data.len - 1] ^= 1;
	assert_refused(&data, PROF_ERR_SYNTAX, "gzip length does not match",
		       data.len - TRAILER);
	prof_buf_free(&data);
}

static void damage_is_placed_at_its_member(void **state)
{
	struct prof_buf data = member(0, "", 0);
	struct prof_buf second = member(0, "", 0);
	size_t first_len = data.len;

	second.data[BODY] = 7; /* the last block, of a type that does not exist */
	prof_buf_add(&data, second.data, second.len);
	assert_refused(&data, PROF_ERR_SYNTAX,
		       "the gzip data that starts here is damaged", first_len);
	prof_buf_free(&second);
	prof_buf_free(&data);
}

static uint64_t trailing_of(const struct prof_buf *data)
{
	uint64_t trailing = 99;

	for (size_t step = 1; step < 20; step += 6) {
		struct dribble in = dribble(data->data, data->len, step);
		struct prof_buf out = { 0 };
		struct prof_error err = { 0 };
		uint64_t now = 98;

		assert_true(unzip_source(&in.base, NULL, &now, &out, &err));
		assert_memory_equal(out.data, "main 1\n", out.len);
		assert_true(trailing == 99 || trailing == now);
		trailing = now;
		prof_buf_free(&out);
		prof_source_free(&in.base);
	}
	return trailing;
}

static void padding_is_ignored_and_other_bytes_are_counted(void **state)
{
	struct prof_buf data = member(0, "", 0);

	assert_int_equal(trailing_of(&data), 0);
	prof_buf_addc(&data, '\0');
	assert_int_equal(trailing_of(&data), 0);
	prof_buf_add(&data, "\0\0\0\0", 4);
	assert_int_equal(trailing_of(&data), 0);
	prof_buf_add(&data, "abc\0d", 5);
	assert_int_equal(trailing_of(&data), 5);
	prof_buf_free(&data);
}

static void half_a_magic_number_is_a_trailing_byte(void **state)
{
	struct prof_buf data = member(0, "", 0);

	prof_buf_addc(&data, '\x1f');
	assert_int_equal(trailing_of(&data), 1);
	prof_buf_free(&data);
}

static void a_second_header_must_be_good(void **state)
{
	struct prof_buf data = member(0, "", 0);
	size_t first_len = data.len;

	prof_buf_add(&data, "\x1f\x8b\x09\0\0\0\0\0\0\0", 10);
	assert_refused(&data, PROF_ERR_SYNTAX, "gzip header with an unknown method",
		       first_len);
	data.len -= 4;
	assert_refused(&data, PROF_ERR_SYNTAX, "gzip data is cut short", data.len);
	prof_buf_free(&data);
}

static bool unzip_within(const struct prof_buf *data, uint64_t max_input,
			 struct prof_error *err)
{
	struct prof_source *source = prof_source_memory(data->data, data->len);
	struct prof_limits limits = { .max_input = max_input };
	struct prof_buf out = { 0 };
	bool ok = unzip_source(source, &limits, NULL, &out, err);

	prof_buf_free(&out);
	prof_source_free(source);
	return ok;
}

static void the_limit_is_exact_and_names_the_option(void **state)
{
	struct prof_buf text = make_text(1 << 20);
	struct prof_buf data = zip(view(&text), 0);
	struct prof_error err = { 0 };

	assert_true(unzip_within(&data, 1 << 20, &err));
	assert_false(unzip_within(&data, (1 << 20) - 1024, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_string_equal(err.message,
			    "more than 1023 KiB of decompressed data; raise "
			    "the limit with --max-input");
	assert_false(unzip_within(&data, (1 << 20) - 1, &err));
	prof_buf_free(&data);
	prof_buf_free(&text);
}

static void what_expands_absurdly_is_refused_unless_allowed(void **state)
{
	size_t len = (64 << 20) + (1 << 20);
	char *zeros = calloc(len, 1);
	struct prof_buf data = { 0 };
	struct prof_error err = { 0 };

	assert_non_null(zeros);
	data = zip((struct prof_text){ zeros, len }, 6);
	free(zeros);
	assert_false(unzip_within(&data, 0, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_non_null(
		strstr(err.message, "expands more than 250 times (67 MB from "));
	assert_non_null(strstr(err.message, "--max-input=SIZE"));
	assert_true(unzip_within(&data, len, &err));
	prof_buf_free(&data);
}

static void empty_members_without_end_meet_the_limit(void **state)
{
	struct prof_buf empty = zip(prof_text(""), 0);
	struct prof_buf data = { 0 };
	struct prof_error err = { 0 };

	for (int i = 0; i < 100; i++) {
		prof_buf_add(&data, empty.data, empty.len);
	}
	assert_true(unzip_within(&data, data.len, &err));
	assert_false(unzip_within(&data, data.len - 1, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	prof_buf_free(&data);
	prof_buf_free(&empty);
}

static void a_broken_input_is_passed_on(void **state)
{
	struct prof_buf data = member(0, "", 0);
	struct dribble in = dribble(data.data, data.len - 4, 5);
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	in.broken = true;
	assert_false(unzip_source(&in.base, NULL, NULL, &out, &err));
	assert_string_equal(err.message, "cannot read: broken");
	prof_buf_free(&out);
	prof_source_free(&in.base);
	prof_buf_free(&data);
}

static void any_allocation_may_fail(void **state)
{
	struct prof_buf text = make_text(300000);
	struct prof_buf data = { 0 };
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };
	bool ok = false;

	for (int64_t n = 0; !ok; n++) {
		prof_alloc_fail_after(n);
		ok = prof_gzip_write(view(&text), 0, &data, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
		assert_true(ok || data.len == 0);
		data.failed = false;
	}
	ok = false;
	for (int64_t n = 0; !ok; n++) {
		struct dribble in = dribble(data.data, data.len, 1000);

		prof_buf_clear(&out);
		prof_alloc_fail_after(n);
		ok = unzip_source(&in.base, NULL, NULL, &out, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
		prof_source_free(&in.base);
	}
	assert_int_equal(out.len, text.len);
	prof_buf_free(&out);
	prof_buf_free(&data);
	prof_buf_free(&text);
}

static void the_library_is_named(void **state)
{
	const char *name = prof_gzip_library();

	assert_true(strncmp(name, "isa-l 2.", 8) == 0 ||
		    strncmp(name, "zlib 1.", 7) == 0);
}

TEST_MAIN(cmocka_unit_test(what_is_written_is_read_back),
	  cmocka_unit_test(every_level_writes_one_member_without_clock_or_name),
	  cmocka_unit_test(zlib_reads_what_several_threads_wrote),
	  cmocka_unit_test(writing_appends_and_is_the_same_every_time),
	  cmocka_unit_test(bytes_may_come_one_at_a_time),
	  cmocka_unit_test(members_follow_each_other),
	  cmocka_unit_test(header_fields_are_skipped),
	  cmocka_unit_test(a_name_may_be_longer_than_a_chunk),
	  cmocka_unit_test(a_header_checksum_is_checked),
	  cmocka_unit_test(what_the_header_may_not_say_is_refused),
	  cmocka_unit_test(every_cut_is_noticed),
	  cmocka_unit_test(a_changed_bit_is_noticed_or_harmless),
	  cmocka_unit_test(checksum_and_length_are_checked),
	  cmocka_unit_test(damage_is_placed_at_its_member),
	  cmocka_unit_test(padding_is_ignored_and_other_bytes_are_counted),
	  cmocka_unit_test(half_a_magic_number_is_a_trailing_byte),
	  cmocka_unit_test(a_second_header_must_be_good),
	  cmocka_unit_test(the_limit_is_exact_and_names_the_option),
	  cmocka_unit_test(what_expands_absurdly_is_refused_unless_allowed),
	  cmocka_unit_test(empty_members_without_end_meet_the_limit),
	  cmocka_unit_test(a_broken_input_is_passed_on),
	  cmocka_unit_test(any_allocation_may_fail),
	  cmocka_unit_test(the_library_is_named))

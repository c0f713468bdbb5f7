/* SPDX-License-Identifier: MIT */
/* Several profiles in one input: concatenated, and each behind its length. */
#include "formats/format.h"

#include <string.h>

#include "libprof/base/alloc.h"
#include "tests/slurp.h"
#include "tests/test.h"
#include "tests/unit/formats/proto.h"
#include "tests/unit/formats/record.h"

static struct prof_error err;

/* The lines of `text` that begin with "begin", "types", "sample", "end" and no others. */
static struct prof_buf outline(const char *text)
{
	struct prof_buf out = { 0 };

	while (*text != '\0') {
		const char *next = strchr(text, '\n') + 1;

		if (strchr("bte", *text) || strncmp(text, "sample", 6) == 0) {
			prof_buf_add(&out, text, (size_t)(next - text));
		}
		text = next;
	}
	prof_buf_addc(&out, '\0');
	return out;
}

static void expect(struct prof_buf *bytes, const struct prof_format *format,
		   const char *want)
{
	for (int early = 0; early < 2; early++) {
		for (size_t step = 0; step < 3; step++) {
			struct record record = record_new(early);
			struct prof_buf got = { 0 };

			if (!record_read(&record, format, bytes, step, &err)) {
				fail_msg("at byte %d: %s", (int)err.offset,
					 err.message);
			}
			got = outline(record_text(&record));
			assert_string_equal(got.data, want);
			prof_buf_free(&got);
			record_free(&record);
		}
	}
	prof_buf_free(bytes);
}

/* As google/pprof writes: fields in order. */
static void google(struct prof_buf *out, uint64_t value, uint64_t time, uint64_t period)
{
	proto_type(out, 1, 1);
	proto_sample(out, 1, value);
	proto_location(out, 1, 0, 0);
	proto_string(out, "");
	proto_string(out, "a");
	if (time != 0) {
		proto_number(out, 9, time);
	}
	if (period != 0) {
		proto_number(out, 12, period);
	}
	proto_number(out, 13, 1);
	proto_number(out, 14, 0);
}

/* As the Go runtime writes CPU profiles: the time first, the strings last. */
static void go_cpu(struct prof_buf *out, uint64_t value, uint64_t time, uint64_t period)
{
	proto_number(out, 9, time);
	proto_type(out, 1, 1);
	proto_number(out, 10, 5);
	proto_numbers(out, 11, 2, UINT64_C(1), UINT64_C(1));
	proto_number(out, 12, period);
	proto_location(out, 1, 0, 0);
	proto_sample(out, 1, value);
	proto_string(out, "");
	proto_string(out, "a");
}

/* As the Go runtime writes heap profiles: the period type first, the time late. */
static void go_heap(struct prof_buf *out, uint64_t value, uint64_t time,
		    uint64_t period)
{
	proto_numbers(out, 11, 2, UINT64_C(1), UINT64_C(1));
	proto_number(out, 12, period);
	proto_type(out, 1, 1);
	proto_location(out, 1, 0, 0);
	proto_sample(out, 1, value);
	proto_number(out, 9, time);
	proto_string(out, "");
	proto_string(out, "a");
}

#define GOOGLE(value, time, period)                                \
	"begin\ntypes 1/1\nsample 0 = " #value "\nend time " #time \
	" duration 0 period " #period                              \
	" of 0/0 default 0 url 0 drop 0 keep 0 comments 1\n"
#define GO_CPU(value, time, period)                                \
	"begin\ntypes 1/1\nsample 0 = " #value "\nend time " #time \
	" duration 5 period " #period                              \
	" of 1/1 default 0 url 0 drop 0 keep 0 comments\n"
#define GO_HEAP(value, time, period)                               \
	"begin\ntypes 1/1\nsample 0 = " #value "\nend time " #time \
	" duration 0 period " #period                              \
	" of 1/1 default 0 url 0 drop 0 keep 0 comments\n"

static void profiles_of_one_writer_are_told_apart(void **state)
{
	struct prof_buf bytes = { 0 };

	google(&bytes, 1, 100, 7);
	google(&bytes, 2, 200, 8);
	google(&bytes, 3, 0, 0);
	google(&bytes, 4, 0, 9);
	expect(&bytes, &prof_format_pprof,
	       GOOGLE(1, 100, 7) GOOGLE(2, 200, 8) GOOGLE(3, 0, 0) GOOGLE(4, 0, 9));
	go_cpu(&bytes, 1, 100, 7);
	go_cpu(&bytes, 2, 200, 8);
	go_cpu(&bytes, 3, 300, 9);
	expect(&bytes, &prof_format_pprof,
	       GO_CPU(1, 100, 7) GO_CPU(2, 200, 8) GO_CPU(3, 300, 9));
	go_heap(&bytes, 1, 100, 7);
	go_heap(&bytes, 2, 200, 8);
	go_heap(&bytes, 3, 300, 9);
	expect(&bytes, &prof_format_pprof,
	       GO_HEAP(1, 100, 7) GO_HEAP(2, 200, 8) GO_HEAP(3, 300, 9));
}

static void profiles_of_different_writers_are_told_apart(void **state)
{
	struct prof_buf bytes = { 0 };

	google(&bytes, 1, 100, 7);
	go_cpu(&bytes, 2, 200, 8);
	go_heap(&bytes, 3, 300, 9);
	google(&bytes, 4, 400, 0);
	go_heap(&bytes, 5, 500, 6);
	go_cpu(&bytes, 6, 600, 5);
	google(&bytes, 7, 0, 0);
	go_cpu(&bytes, 8, 800, 4);
	expect(&bytes, &prof_format_pprof,
	       GOOGLE(1, 100, 7) GO_CPU(2, 200, 8) GO_HEAP(3, 300, 9) GOOGLE(4, 400, 0)
		       GO_HEAP(5, 500, 6) GO_CPU(6, 600, 5) GOOGLE(7, 0, 0)
			       GO_CPU(8, 800, 4));
}

static void offsets_count_on_in_the_second_profile(void **state)
{
	struct prof_buf bytes = { 0 };
	struct record record = record_new(false);
	size_t first = 0;

	google(&bytes, 1, 100, 7);
	first = bytes.len;
	proto_type(&bytes, 1, 1);
	proto_sample(&bytes, 9, 1);
	proto_string(&bytes, "");
	proto_string(&bytes, "a");
	assert_false(record_read(&record, &prof_format_pprof, &bytes, 0, &err));
	assert_string_equal(err.message, "location 9 is not defined");
	assert_int_equal(err.offset, first + 6);
	record_free(&record);
	prof_buf_free(&bytes);
}

static void a_faulty_first_profile_ends_the_reading(void **state)
{
	struct prof_buf bytes = { 0 };
	struct record record = record_new(true);

	proto_type(&bytes, 1, 9);
	proto_string(&bytes, "");
	google(&bytes, 1, 100, 7);
	assert_false(record_read(&record, &prof_format_pprof, &bytes, 0, &err));
	assert_string_equal(err.message, "string 9 is not defined");
	assert_int_equal(err.offset, 0);
	record_free(&record);
	prof_buf_free(&bytes);
}

/* Behind its length. */
static void add_message(struct prof_buf *out, struct prof_buf *message)
{
	proto_varint(out, message->len);
	prof_buf_add(out, message->data, message->len);
	prof_buf_free(message);
}

static void a_stream_of_messages_is_read(void **state)
{
	struct prof_buf bytes = { 0 };
	struct prof_buf message = { 0 };

	google(&message, 1, 100, 7);
	add_message(&bytes, &message);
	go_cpu(&message, 2, 200, 8);
	add_message(&bytes, &message);
	go_heap(&message, 3, 300, 9);
	add_message(&bytes, &message);
	expect(&bytes, &prof_format_delimited,
	       GOOGLE(1, 100, 7) GO_CPU(2, 200, 8) GO_HEAP(3, 300, 9));
}

static void chunk_borders_change_nothing(void **state)
{
	struct prof_buf bytes = slurp_file("pprof/delimited.pb");
	struct record whole = record_new(true);

	assert_true(record_read(&whole, &prof_format_delimited, &bytes, 0, &err));
	for (size_t step = 1; step < 40; step++) {
		struct record pieces = record_new(true);

		assert_true(record_read(&pieces, &prof_format_delimited, &bytes, step,
					&err));
		assert_string_equal(record_text(&pieces), record_text(&whole));
		record_free(&pieces);
	}
	record_free(&whole);
	prof_buf_free(&bytes);
}

static void refused(const struct prof_buf *bytes, const char *message, uint64_t offset)
{
	for (size_t step = 0; step < 4; step++) {
		struct record record = record_new(true);

		assert_false(record_read(&record, &prof_format_delimited, bytes, step,
					 &err));
		assert_string_equal(err.message, message);
		assert_int_equal(err.offset, offset);
		record_free(&record);
	}
}

static void faults_of_the_stream_are_located(void **state)
{
	struct prof_buf bytes = { 0 };
	struct prof_buf message = { 0 };
	size_t first = 0;

	google(&message, 1, 100, 7);
	add_message(&bytes, &message);
	first = bytes.len;
	prof_buf_add(&bytes, "\x80\x80", 2);
	refused(&bytes, "the length of a message has no end", first);
	bytes.len = first;
	prof_buf_add(&bytes, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
	refused(&bytes, "the length of a message has more than 10 bytes", first);
	bytes.len = first;
	prof_buf_add(&bytes, "\0", 1);
	refused(&bytes, "the message is empty", first);
	bytes.len = first;
	prof_buf_add(&bytes, "\x05\x32\x00", 3);
	refused(&bytes, "the input ends 3 bytes before the message does", first + 3);
	bytes.len = first;
	prof_buf_add(&bytes, "\x04\x32\x00\x32\x05", 5);
	refused(&bytes, "the string of 5 bytes goes past the end of the input",
		first + 3);
	prof_buf_free(&bytes);
}

static void a_stream_is_told_from_a_profile(void **state)
{
	struct prof_buf bytes = slurp_file("pprof/delimited.pb");
	struct prof_head head = { (const uint8_t *)bytes.data, bytes.len, true };

	assert_int_equal(prof_format_delimited.bid(head), 26);
	assert_int_equal(prof_format_pprof.bid(head), 0);
	head.len = 100;
	head.whole = false;
	assert_true(prof_format_delimited.bid(head) > 0);
	assert_int_equal(prof_format_pprof.bid(head), 0);
	prof_buf_free(&bytes);
}

/* A message of ten bytes begins like a plain profile: 0a. */
static void a_message_of_ten_bytes_is_told_from_a_sample_type(void **state)
{
	struct prof_buf bytes = { 0 };
	struct prof_buf message = { 0 };
	struct prof_head head = { 0 };

	proto_string(&message, "");
	proto_string(&message, "ab");
	proto_number(&message, 9, 1000);
	proto_number(&message, 12, 1);
	message.len = 10;
	proto_varint(&bytes, 10);
	prof_buf_add(&bytes, message.data, 10);
	head = (struct prof_head){ (const uint8_t *)bytes.data, bytes.len, true };
	assert_true(prof_format_delimited.bid(head) > prof_format_pprof.bid(head));
	prof_buf_free(&message);
	prof_buf_free(&bytes);
}

static void running_out_of_memory_is_reported_wherever_it_happens(void **state)
{
	for (int early = 0; early < 2; early++) {
		struct prof_buf bytes = { 0 };
		bool done = false;

		google(&bytes, 1, 100, 7);
		google(&bytes, 2, 200, 8);
		for (int64_t n = 0; !done; n++) {
			struct record record = record_new(early);

			prof_alloc_fail_after(n);
			done = record_read(&record, &prof_format_pprof, &bytes, 1,
					   &err);
			prof_alloc_fail_after(-1);
			assert_true(done || err.code == PROF_ERR_NOMEM);
			record_free(&record);
		}
		prof_buf_free(&bytes);
	}
}

TEST_MAIN(cmocka_unit_test(profiles_of_one_writer_are_told_apart),
	  cmocka_unit_test(profiles_of_different_writers_are_told_apart),
	  cmocka_unit_test(offsets_count_on_in_the_second_profile),
	  cmocka_unit_test(a_faulty_first_profile_ends_the_reading),
	  cmocka_unit_test(a_stream_of_messages_is_read),
	  cmocka_unit_test(chunk_borders_change_nothing),
	  cmocka_unit_test(faults_of_the_stream_are_located),
	  cmocka_unit_test(a_stream_is_told_from_a_profile),
	  cmocka_unit_test(a_message_of_ten_bytes_is_told_from_a_sample_type),
	  cmocka_unit_test(running_out_of_memory_is_reported_wherever_it_happens))

/* SPDX-License-Identifier: MIT */
#include "formats/pprof.h"

#include <string.h>

#include "libprof/base/limits.h"
#include "tests/slurp.h"
#include "tests/test.h"
#include "tests/unit/formats/proto.h"
#include "tests/unit/formats/record.h"

static struct prof_error err;

/* Early sink or not, one byte at a time or all at once: the error is the same. */
static void refused(const struct prof_buf *bytes, enum prof_code code,
		    const char *message, uint64_t offset)
{
	for (int early = 0; early < 2; early++) {
		for (size_t step = 0; step < 2; step++) {
			struct record record = record_new(early);

			err = (struct prof_error){ 0 };
			assert_false(record_read(&record, &prof_format_pprof, bytes,
						 step, &err));
			assert_string_equal(err.message, message);
			assert_int_equal(err.code, code);
			assert_int_equal(err.located ? err.offset : 0, offset);
			assert_null(strstr(record_text(&record), "end"));
			record_free(&record);
		}
	}
}

static void refused_and_freed(struct prof_buf *bytes, const char *message,
			      uint64_t offset)
{
	refused(bytes, PROF_ERR_SYNTAX, message, offset);
	prof_buf_free(bytes);
}

static void faults_are_named_and_located(void **state)
{
	static const struct {
		const char *file;
		const char *message;
		uint64_t offset;
	} cases[] = {
		{ "empty.pb", "the input is empty", 0 },
		{ "cut.pb", "the input ends inside a field", 123 },
		{ "length-past-end.pb",
		  "the string of 1048576 bytes goes past the end of the input", 154 },
		{ "length-huge.pb",
		  "the string of 18446744073709551615 bytes goes past the end of the "
		  "input",
		  154 },
		{ "nested-length-past-end.pb",
		  "the sample has a field that goes past its end", 154 },
		{ "long-varint.pb", "the profile has a number of more than 10 bytes",
		  154 },
		{ "wrong-wire-type.pb", "the time has wire type 2", 154 },
		{ "sample-as-varint.pb", "the sample has wire type 0", 154 },
		{ "group.pb", "the profile has a wire type that proto3 does not have",
		  154 },
		{ "end-group.pb",
		  "the profile has a wire type that proto3 does not have", 154 },
		{ "wire-type-seven.pb",
		  "the profile has a wire type that proto3 does not have", 154 },
		{ "string-index.pb", "string 99 is not defined", 6 },
		{ "function-name-index.pb", "string 77 is not defined", 77 },
		{ "label-key-index.pb", "string 500 is not defined", 12 },
		{ "missing-location.pb", "location 77 is not defined", 12 },
		{ "missing-function.pb", "function 66 is not defined", 52 },
		{ "duplicate-location-id.pb", "location 1 is defined twice", 52 },
		{ "duplicate-function-id.pb", "function 1 is defined twice", 77 },
		{ "zero-location-id.pb", "the location has the id 0", 37 },
		{ "zero-function-id.pb", "the function has the id 0", 67 },
		{ "value-count.pb", "the sample has 1 value, the profile has 2 types",
		  12 },
		{ "no-sample-types.pb", "the profile has samples but no sample type",
		  0 },
		{ "no-string-table.pb", "the profile has no string table", 0 },
		{ "first-string-not-empty.pb", "string 0 is not empty", 87 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct prof_buf path = { 0 };
		struct prof_buf bytes = { 0 };

		prof_buf_addf(&path, "pprof/bad/%s", cases[i].file);
		prof_buf_addc(&path, '\0');
		bytes = slurp_file(path.data);
		refused_and_freed(&bytes, cases[i].message, cases[i].offset);
		prof_buf_free(&path);
	}
}

static void profile_of(struct prof_buf *bytes, struct prof_buf *sample)
{
	proto_type(bytes, 0, 0);
	proto_location(bytes, 1, 0, 0);
	proto_message(bytes, 2, sample);
	proto_string(bytes, "");
}

/* The sample of these bytes is at 8. */
static void sample_is_refused(const char *sample, size_t len, const char *message)
{
	struct prof_buf bytes = { 0 };
	struct prof_buf content = { 0 };

	prof_buf_add(&content, sample, len);
	profile_of(&bytes, &content);
	refused_and_freed(&bytes, message, 6);
}

static void faults_inside_samples_are_found(void **state)
{
	sample_is_refused("\x0a\x01\x80\x12\x01\x01", 6,
			  "the sample has a field that goes past its end");
	sample_is_refused("\x0a\x0b\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 13,
			  "the sample has a number of more than 10 bytes");
	sample_is_refused("\x0d\0\0\0\0", 5,
			  "the sample has a field of the wrong wire type");
	sample_is_refused("\x18\x01", 2,
			  "the sample has a field of the wrong wire type");
	sample_is_refused("\x1a\x02\x0a\x00", 4,
			  "the sample has a field of the wrong wire type");
	sample_is_refused("\x0b", 1,
			  "the sample has a wire type that proto3 does not have");
	sample_is_refused("\x12\x01\x01\x0a\x01\x00", 6, "location 0 is not defined");
	sample_is_refused("\x12\x01\x01\x08\x05", 5, "location 5 is not defined");
	sample_is_refused("\x0a\x01\x01\x12\x02\x01\x01", 7,
			  "the sample has 2 values, the profile has 1 type");
	sample_is_refused("", 0, "the sample has 0 values, the profile has 1 type");
	sample_is_refused(
		"\x12\x01\x01\x1a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 16,
		"string -1 is not defined");
}

static void references_to_later_tables_are_checked_too(void **state)
{
	struct prof_buf bytes = { 0 };

	proto_location(&bytes, 1, 0, 5);
	proto_location(&bytes, 2, 0, 6);
	proto_location(&bytes, 1, 0, 5);
	proto_function(&bytes, 5, 0);
	proto_function(&bytes, 6, 0);
	proto_string(&bytes, "");
	refused_and_freed(&bytes, "location 1 is defined twice", 20);

	proto_location(&bytes, 1, 0, 5);
	proto_location(&bytes, 2, 0, 6);
	proto_function(&bytes, 5, 0);
	proto_string(&bytes, "");
	refused_and_freed(&bytes, "function 6 is not defined", 10);

	proto_numbers(&bytes, 3, 1, UINT64_C(4));
	proto_numbers(&bytes, 3, 1, UINT64_C(4));
	proto_string(&bytes, "");
	refused_and_freed(&bytes, "mapping 4 is defined twice", 4);

	proto_numbers(&bytes, 3, 2, UINT64_C(0), UINT64_C(4));
	proto_string(&bytes, "");
	refused_and_freed(&bytes, "the mapping has the id 0", 0);

	proto_string(&bytes, "");
	proto_number(&bytes, 13, 0);
	proto_number(&bytes, 15, 1);
	refused_and_freed(&bytes, "string 1 is not defined", 4);

	proto_string(&bytes, "");
	proto_packed(&bytes, 13, 2, UINT64_C(0), UINT64_C(3));
	refused_and_freed(&bytes, "string 3 is not defined", 2);
}

static void a_line_without_function_is_refused(void **state)
{
	struct prof_buf bytes = { 0 };
	struct prof_buf location = { 0 };

	proto_number(&location, 1, 1);
	proto_numbers(&location, 4, 2, UINT64_C(0), UINT64_C(12));
	proto_message(&bytes, 4, &location);
	proto_string(&bytes, "");
	refused_and_freed(&bytes, "function 0 is not defined", 0);
}

/* 0 is no id even where 2^32, which it looks like when made 32 bits less 1, is one. */
static void the_id_0_is_not_taken_for_another(void **state)
{
	struct prof_buf bytes = { 0 };

	proto_type(&bytes, 0, 0);
	proto_location(&bytes, UINT64_C(1) << 32, 0, 0);
	proto_sample(&bytes, 0, 1);
	proto_string(&bytes, "");
	refused_and_freed(&bytes, "location 0 is not defined", 10);
}

static void a_type_behind_the_samples_does_not_help_them(void **state)
{
	struct prof_buf bytes = { 0 };
	struct record record = record_new(true);

	proto_type(&bytes, 0, 0);
	proto_location(&bytes, 1, 0, 0);
	proto_sample(&bytes, 1, 1);
	proto_type(&bytes, 0, 0);
	proto_string(&bytes, "");
	assert_false(record_read(&record, &prof_format_pprof, &bytes, 0, &err));
	assert_string_equal(err.message, "a sample type behind the samples");
	record_free(&record);
	record = record_new(false);
	assert_false(record_read(&record, &prof_format_pprof, &bytes, 0, &err));
	assert_string_equal(err.message,
			    "the sample has 1 value, the profile has 2 types");
	record_free(&record);
	prof_buf_free(&bytes);
}

static void more_types_than_the_limit_are_refused(void **state)
{
	struct prof_buf bytes = { 0 };

	for (uint32_t i = 0; i <= PROF_MAX_SAMPLE_TYPE; i++) {
		proto_type(&bytes, 0, 0);
	}
	proto_string(&bytes, "");
	refused(&bytes, PROF_ERR_LIMIT, "more than 256 sample types",
		2 * PROF_MAX_SAMPLE_TYPE);
	prof_buf_free(&bytes);
}

/* Two fields of half the limit, and one frame more. */
static void a_deeper_stack_than_the_limit_is_refused(void **state)
{
	struct prof_buf bytes = { 0 };
	struct prof_buf sample = { 0 };

	for (int half = 0; half < 2; half++) {
		struct prof_buf packed = { 0 };

		for (uint32_t i = 0; i < PROF_MAX_DEPTH / 2; i++) {
			prof_buf_addc(&packed, 1);
		}
		proto_message(&sample, 1, &packed);
	}
	proto_number(&sample, 1, 1);
	proto_number(&sample, 2, 1);
	profile_of(&bytes, &sample);
	for (int early = 0; early < 2; early++) {
		struct record record = record_new(early);

		assert_false(record_read(&record, &prof_format_pprof, &bytes, 0, &err));
		assert_string_equal(err.message,
				    "the stack has more than 1048576 frames");
		assert_int_equal(err.code, PROF_ERR_LIMIT);
		assert_int_equal(err.offset, 6);
		record_free(&record);
	}
	prof_buf_free(&bytes);
}

/* A string table of one string of PROF_MAX_STRING + 1 bytes, of which `len` are there. */
static void long_string(size_t len, enum prof_code code, const char *message)
{
	struct prof_buf bytes = { 0 };
	struct record record = record_new(true);

	proto_string(&bytes, "");
	proto_tag(&bytes, 6, PROF_WIRE_BYTES);
	proto_varint(&bytes, PROF_MAX_STRING + 1);
	assert_true(prof_buf_reserve(&bytes, len));
	memset(bytes.data + bytes.len, 'x', len);
	bytes.len += len;
	assert_false(record_read(&record, &prof_format_pprof, &bytes, 256 << 10, &err));
	assert_string_equal(err.message, message);
	assert_int_equal(err.code, code);
	assert_int_equal(err.offset, 2);
	record_free(&record);
	prof_buf_free(&bytes);
}

static void a_longer_string_than_the_limit_is_refused(void **state)
{
	long_string(PROF_MAX_STRING + 1, PROF_ERR_LIMIT,
		    "the string of 67108865 bytes is longer than 67108864");
	long_string(PROF_MAX_STRING - 100, PROF_ERR_SYNTAX,
		    "the string of 67108865 bytes goes past the end of the input");
}

/* Whatever byte is changed: no crash, and both kinds of sink agree. */
static void sinks_agree_about_damaged_profiles(void **state)
{
	struct prof_buf bytes = slurp_file("pprof/tiny.pb");

	for (size_t i = 0; i < bytes.len; i++) {
		for (int bit = 0; bit < 8; bit++) {
			struct record early = record_new(true);
			struct record late = record_new(false);
			bool done = false;

			bytes.data[i] ^= (char)(1 << bit);
			done = record_read(&early, &prof_format_pprof, &bytes, 0, &err);
			assert_int_equal(
				record_read(&late, &prof_format_pprof, &bytes, 7, &err),
				done);
			bytes.data[i] ^= (char)(1 << bit);
			record_free(&early);
			record_free(&late);
		}
	}
	prof_buf_free(&bytes);
}

TEST_MAIN(cmocka_unit_test(faults_are_named_and_located),
	  cmocka_unit_test(faults_inside_samples_are_found),
	  cmocka_unit_test(references_to_later_tables_are_checked_too),
	  cmocka_unit_test(a_line_without_function_is_refused),
	  cmocka_unit_test(the_id_0_is_not_taken_for_another),
	  cmocka_unit_test(a_type_behind_the_samples_does_not_help_them),
	  cmocka_unit_test(more_types_than_the_limit_are_refused),
	  cmocka_unit_test(a_deeper_stack_than_the_limit_is_refused),
	  cmocka_unit_test(a_longer_string_than_the_limit_is_refused),
	  cmocka_unit_test(sinks_agree_about_damaged_profiles))

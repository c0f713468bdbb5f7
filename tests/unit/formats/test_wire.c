/* SPDX-License-Identifier: MIT */
#include "formats/wire.h"

#include <string.h>

#include "tests/test.h"
#include "tests/unit/formats/proto.h"

static struct prof_wire wire_of(const void *data, size_t len)
{
	return (struct prof_wire){ data, (const uint8_t *)data + len };
}

static void varints_of_every_size_come_back(void **state)
{
	for (uint32_t bit = 0; bit < 64; bit++) {
		for (uint64_t off = 0; off < 3; off++) {
			uint64_t want = (UINT64_C(1) << bit) - 1 + off;
			uint8_t bytes[PROF_WIRE_MAX_VARINT];
			size_t len = (size_t)(prof_wire_put(bytes, want) - bytes);
			struct prof_wire wire = wire_of(bytes, len);
			uint64_t got = 0;

			assert_int_equal(prof_wire_size(want), len);
			assert_true(prof_wire_varint(&wire, &got));
			assert_true(got == want);
			assert_ptr_equal(wire.at, wire.end);
		}
	}
}

static void a_varint_may_be_longer_than_it_must(void **state)
{
	static const uint8_t bytes[] = { 0x81, 0x80, 0x80, 0x00 };
	struct prof_wire wire = wire_of(bytes, sizeof(bytes));
	uint64_t value = 0;

	assert_true(prof_wire_varint(&wire, &value));
	assert_int_equal(value, 1);
}

static void bits_beyond_64_are_dropped(void **state)
{
	static const uint8_t bytes[] = { 0xff, 0xff, 0xff, 0xff, 0xff,
					 0xff, 0xff, 0xff, 0xff, 0x7f };
	struct prof_wire wire = wire_of(bytes, sizeof(bytes));
	uint64_t value = 0;

	assert_true(prof_wire_varint(&wire, &value));
	assert_true(value == UINT64_MAX);
}

static void a_varint_of_eleven_bytes_is_a_fault(void **state)
{
	static const uint8_t bytes[] = { 0x48, 0xff, 0xff, 0xff, 0xff, 0xff,
					 0xff, 0xff, 0xff, 0xff, 0xff, 0x01 };
	struct prof_wire wire = wire_of(bytes, sizeof(bytes));
	struct prof_wire_field field = { 0 };

	assert_false(prof_wire_next(&wire, &field));
	assert_ptr_equal(wire.at, bytes);
	assert_int_equal(prof_wire_fault(wire), PROF_WIRE_LONG);
}

static void every_prefix_of_a_field_is_cut(void **state)
{
	struct prof_buf message = { 0 };
	struct prof_wire_field field = { 0 };

	proto_bytes(&message, 6000, "twenty bytes of text", 20);
	for (size_t len = 1; len < message.len; len++) {
		struct prof_wire wire = wire_of(message.data, len);

		assert_false(prof_wire_next(&wire, &field));
		assert_ptr_equal(wire.at, message.data);
		assert_int_equal(prof_wire_fault(wire), PROF_WIRE_CUT);
	}
	prof_buf_free(&message);
}

static void fields_of_all_wire_types_are_read(void **state)
{
	static const uint8_t bytes[] = { 0x08, 0x96, 0x01, 0x11, 1,    0,    0,
					 0,    0,    0,    0,    0x80, 0x1a, 2,
					 'h',  'i',  0x25, 0xff, 0,    0,    1 };
	struct prof_wire wire = wire_of(bytes, sizeof(bytes));
	struct prof_wire_field field = { 0 };

	assert_true(prof_wire_next(&wire, &field));
	assert_int_equal(field.number, 1);
	assert_int_equal(field.type, PROF_WIRE_VARINT);
	assert_int_equal(field.value, 150);
	assert_int_equal(field.len, 2);
	assert_true(prof_wire_next(&wire, &field));
	assert_int_equal(field.type, PROF_WIRE_FIXED64);
	assert_true(field.value == UINT64_C(0x8000000000000001));
	assert_true(prof_wire_next(&wire, &field));
	assert_int_equal(field.number, 3);
	assert_int_equal(field.type, PROF_WIRE_BYTES);
	assert_int_equal(field.value, 2);
	assert_memory_equal(field.bytes, "hi", 2);
	assert_true(prof_wire_next(&wire, &field));
	assert_int_equal(field.type, PROF_WIRE_FIXED32);
	assert_int_equal(field.value, 0x010000ff);
	assert_false(prof_wire_next(&wire, &field));
	assert_int_equal(prof_wire_fault(wire), PROF_WIRE_OK);
}

static void wire_types_out_of_use_are_faults(void **state)
{
	static const uint8_t types[] = { 3, 4, 6, 7 };
	struct prof_wire_field field = { 0 };

	for (size_t i = 0; i < sizeof(types); i++) {
		uint8_t bytes[] = { (uint8_t)(8 | types[i]), 0, 0, 0 };
		struct prof_wire wire = wire_of(bytes, sizeof(bytes));

		assert_false(prof_wire_next(&wire, &field));
		assert_int_equal(prof_wire_fault(wire), PROF_WIRE_BAD_TYPE);
	}
}

static void a_length_near_2_to_64_does_not_wrap(void **state)
{
	struct prof_buf message = { 0 };
	struct prof_wire wire = { 0 };
	struct prof_wire_field field = { 0 };

	proto_tag(&message, 6, PROF_WIRE_BYTES);
	proto_varint(&message, UINT64_MAX);
	prof_buf_adds(&message, "some text");
	wire = wire_of(message.data, message.len);
	assert_false(prof_wire_next(&wire, &field));
	assert_int_equal(prof_wire_fault(wire), PROF_WIRE_CUT);
	prof_buf_free(&message);
}

static void of_numbers_the_last_wins_and_others_are_skipped(void **state)
{
	struct prof_buf message = { 0 };
	uint64_t numbers[3] = { 0 };

	proto_number(&message, 2, 5);
	proto_number(&message, 4, 6);
	proto_number(&message, 0, 6);
	proto_bytes(&message, 9, "text", 4);
	proto_number(&message, 2, 7);
	assert_int_equal(
		prof_wire_numbers(wire_of(message.data, message.len), numbers, 3),
		PROF_WIRE_OK);
	assert_int_equal(numbers[0], 0);
	assert_int_equal(numbers[1], 7);
	assert_int_equal(numbers[2], 0);
	proto_bytes(&message, 3, "text", 4);
	assert_int_equal(
		prof_wire_numbers(wire_of(message.data, message.len), numbers, 3),
		PROF_WIRE_MISMATCH);
	prof_buf_free(&message);
}

TEST_MAIN(cmocka_unit_test(varints_of_every_size_come_back),
	  cmocka_unit_test(a_varint_may_be_longer_than_it_must),
	  cmocka_unit_test(bits_beyond_64_are_dropped),
	  cmocka_unit_test(a_varint_of_eleven_bytes_is_a_fault),
	  cmocka_unit_test(every_prefix_of_a_field_is_cut),
	  cmocka_unit_test(fields_of_all_wire_types_are_read),
	  cmocka_unit_test(wire_types_out_of_use_are_faults),
	  cmocka_unit_test(a_length_near_2_to_64_does_not_wrap),
	  cmocka_unit_test(of_numbers_the_last_wins_and_others_are_skipped))

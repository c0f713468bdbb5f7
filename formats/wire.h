/* SPDX-License-Identifier: MIT */
/*
 * wire.h - the wire format of protobuf: varints, tags and lengths.
 *
 *	struct prof_wire wire = { data, data + len };
 *	struct prof_wire_field field = { 0 };
 *
 *	while (prof_wire_next(&wire, &field)) {
 *		use field.number, field.type, field.value, field.bytes
 *	}
 *	if (wire.at != wire.end)
 *		prof_wire_fault(wire) says why it stopped there
 *
 * A message is fields, each a tag (number * 8 + wire type) and a value:
 *
 *	type 0	varint: 7 bits a byte, low ones first, the last byte below 0x80
 *	type 1	8 bytes, little endian
 *	type 2	a varint length and as many bytes: text, a message, packed numbers
 *	type 5	4 bytes, little endian
 *
 * Nothing is read behind `end`, nothing nests by itself, nothing allocates. A varint has
 * at most 10 bytes; what does not fit 64 bits of the tenth is dropped, as everywhere.
 * Wire types 3 and 4 (groups, gone from proto3), 6 and 7 are faults.
 *
 * Source: https://protobuf.dev/programming-guides/encoding/
 */
#ifndef PROF_FORMATS_WIRE_H
#define PROF_FORMATS_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum prof_wire_type {
	PROF_WIRE_VARINT = 0,
	PROF_WIRE_FIXED64 = 1,
	PROF_WIRE_BYTES = 2,
	PROF_WIRE_FIXED32 = 5,
};

enum prof_wire_fault {
	PROF_WIRE_OK = 0,
	PROF_WIRE_CUT,      /* a field goes past the end */
	PROF_WIRE_LONG,     /* a varint of more than 10 bytes */
	PROF_WIRE_BAD_TYPE, /* wire type 3, 4, 6 or 7 */
	PROF_WIRE_MISMATCH, /* a known field with another wire type */
};

enum { PROF_WIRE_MAX_VARINT = 10 };

struct prof_wire {
	const uint8_t *at;
	const uint8_t *end;
};

struct prof_wire_field {
	uint64_t number;      /* 0 and what no schema allows are read like any other */
	uint32_t type;        /* enum prof_wire_type */
	uint64_t value;       /* the number; for PROF_WIRE_BYTES their count */
	const uint8_t *bytes; /* of the value as they are; borrowed */
	size_t len;           /* of those bytes */
};

/* Read a varint of three bytes or more; prof_wire_varint() calls it. */
bool prof_wire_varint_long(struct prof_wire *wire, uint64_t *value);

/* Read a varint. False, and nothing moved, when it is cut or too long. */
static inline bool prof_wire_varint(struct prof_wire *wire, uint64_t *value)
{
	const uint8_t *at = wire->at;

	if (at < wire->end && at[0] < 0x80) {
		*value = at[0];
		wire->at = at + 1;
		return true;
	}
	if (wire->end - at >= 2 && at[1] < 0x80) {
		*value = (at[0] & 0x7fu) | (uint64_t)at[1] << 7;
		wire->at = at + 2;
		return true;
	}
	return prof_wire_varint_long(wire, value);
}

/*
 * Read the number behind the one-byte tag at `at`, which is there. False as above.
 */
static inline bool prof_wire_number(struct prof_wire *wire, uint64_t *value)
{
	struct prof_wire ahead = { wire->at + 1, wire->end };

	if (!prof_wire_varint(&ahead, value)) {
		return false;
	}
	wire->at = ahead.at;
	return true;
}

/* Read any field; prof_wire_next() calls it. */
bool prof_wire_next_any(struct prof_wire *wire, struct prof_wire_field *field);

/* Read a field. False at the end and at a fault; `at` stays before a faulty field. */
static inline bool prof_wire_next(struct prof_wire *wire, struct prof_wire_field *field)
{
	const uint8_t *at = wire->at;

	if (at == wire->end) {
		return false;
	}
	/* Nearly all there is: numbers up to 15, lengths up to 16383. */
	if (wire->end - at >= 3 && (at[0] & 0x87) == PROF_WIRE_BYTES &&
	    (at[1] < 0x80 || at[2] < 0x80)) {
		size_t two = at[1] >> 7;
		size_t len = (at[1] & 0x7fu) | (size_t)at[2] * two << 7;

		if (len + two + 2 <= (size_t)(wire->end - at)) {
			field->number = at[0] >> 3;
			field->type = PROF_WIRE_BYTES;
			field->value = len;
			field->bytes = at + 2 + two;
			field->len = len;
			wire->at = field->bytes + len;
			return true;
		}
	} else if (wire->end - at >= 2 && (at[0] & 0x87) == PROF_WIRE_VARINT) {
		struct prof_wire ahead = { at + 1, wire->end };

		if (prof_wire_varint(&ahead, &field->value)) {
			field->number = at[0] >> 3;
			field->type = PROF_WIRE_VARINT;
			field->bytes = at + 1;
			field->len = (size_t)(ahead.at - field->bytes);
			wire->at = ahead.at;
			return true;
		}
	}
	return prof_wire_next_any(wire, field);
}

/*
 * Read the tag, and the length of PROF_WIRE_BYTES, but not the value: `at` is behind
 * them, where field.len bytes are to follow; 0 means a varint or none. False as above.
 */
bool prof_wire_head(struct prof_wire *wire, struct prof_wire_field *field);

/* What is wrong with the field at `wire.at`. */
enum prof_wire_fault prof_wire_fault(struct prof_wire wire);

/* A fault in words that follow "the sample has ...". */
const char *prof_wire_fault_text(enum prof_wire_fault fault);

/*
 * Read a whole message of which fields 1 to `count` are varints into numbers[0] to
 * numbers[count - 1]. The last of several wins, other fields are skipped.
 */
enum prof_wire_fault prof_wire_numbers(struct prof_wire wire, uint64_t *numbers,
				       uint32_t count);

/* The bytes of a field: a message of its own, packed numbers or its one number. */
static inline struct prof_wire prof_wire_inside(const struct prof_wire_field *field)
{
	return (struct prof_wire){ field->bytes, field->bytes + field->len };
}

/* Bytes of `value` as a varint: 1 to 10. */
static inline size_t prof_wire_size(uint64_t value)
{
	return (size_t)(70 - __builtin_clzll(value | 1)) / 7;
}

/* Write `value` as a varint; the place behind it. */
static inline uint8_t *prof_wire_put(uint8_t *at, uint64_t value)
{
	while (value >= 0x80) {
		*at++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*at++ = (uint8_t)value;
	return at;
}

#endif

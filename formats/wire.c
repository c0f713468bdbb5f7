/* SPDX-License-Identifier: MIT */
#include "formats/wire.h"

static uint64_t little_endian(const uint8_t *bytes, size_t count)
{
	uint64_t value = 0;

	while (count > 0) {
		value = value << 8 | bytes[--count];
	}
	return value;
}

/* little_endian() of 8, as compilers know it: one load. */
static uint64_t load_8(const uint8_t *at)
{
	return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 |
	       (uint64_t)at[3] << 24 | (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 |
	       (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* The 7 low bits of each byte, joined: pairs, then pairs of pairs, then both halves. */
static uint64_t join_sevens(uint64_t word)
{
	word = (word & 0x007f007f007f007f) | (word & 0x7f007f007f007f00) >> 1;
	word = (word & 0x00003fff00003fff) | (word & 0x3fff00003fff0000) >> 2;
	return (word & 0x000000000fffffff) | (word & 0x0fffffff00000000) >> 4;
}

bool prof_wire_varint_long(struct prof_wire *wire, uint64_t *value)
{
	const uint8_t *at = wire->at;
	size_t left = (size_t)(wire->end - at);
	size_t most = left < PROF_WIRE_MAX_VARINT ? left : PROF_WIRE_MAX_VARINT;
	uint64_t word = left >= 8 ? load_8(at) : 0;
	uint64_t lasts = left >= 8 ? ~word & 0x8080808080808080 : 0;
	uint64_t sum = 0;

	/* All eight at once: addresses and values have four to six bytes. */
	if (lasts != 0) {
		*value = join_sevens(word & (lasts ^ (lasts - 1)));
		wire->at = at + __builtin_ctzll(lasts) / 8 + 1;
		return true;
	}
	for (size_t i = 0; i < most; i++) {
		sum |= (uint64_t)(at[i] & 0x7f) << (7 * i);
		if (at[i] < 0x80) {
			wire->at = at + i + 1;
			*value = sum;
			return true;
		}
	}
	return false;
}

bool prof_wire_head(struct prof_wire *wire, struct prof_wire_field *field)
{
	struct prof_wire ahead = *wire;
	uint64_t tag = 0;
	uint64_t len = 0;

	if (!prof_wire_varint(&ahead, &tag)) {
		return false;
	}
	switch (tag & 7) {
	case PROF_WIRE_VARINT:
		break;
	case PROF_WIRE_FIXED64:
		len = 8;
		break;
	case PROF_WIRE_BYTES:
		if (!prof_wire_varint(&ahead, &len)) {
			return false;
		}
		break;
	case PROF_WIRE_FIXED32:
		len = 4;
		break;
	default:
		return false;
	}
	field->number = tag >> 3;
	field->type = tag & 7;
	field->value = len;
	field->bytes = ahead.at;
	field->len = (size_t)len;
	*wire = ahead;
	return true;
}

bool prof_wire_next_any(struct prof_wire *wire, struct prof_wire_field *field)
{
	struct prof_wire ahead = *wire;

	if (!prof_wire_head(&ahead, field)) {
		return false;
	}
	if (field->type == PROF_WIRE_VARINT) {
		if (!prof_wire_varint(&ahead, &field->value)) {
			return false;
		}
		field->len = (size_t)(ahead.at - field->bytes);
		*wire = ahead;
		return true;
	}
	if (field->value > (size_t)(ahead.end - ahead.at)) {
		return false;
	}
	if (field->type != PROF_WIRE_BYTES) {
		field->value = little_endian(field->bytes, field->len);
	}
	wire->at = field->bytes + field->len;
	return true;
}

/* Why there is no varint: ten bytes, and the tenth says there is more. */
static enum prof_wire_fault varint_fault(struct prof_wire wire)
{
	return wire.end - wire.at < PROF_WIRE_MAX_VARINT ? PROF_WIRE_CUT
							 : PROF_WIRE_LONG;
}

enum prof_wire_fault prof_wire_fault(struct prof_wire wire)
{
	struct prof_wire_field field = { 0 };
	uint64_t tag = 0;

	if (wire.at == wire.end || prof_wire_next(&wire, &field)) {
		return PROF_WIRE_OK;
	}
	if (!prof_wire_varint(&wire, &tag)) {
		return varint_fault(wire);
	}
	switch (tag & 7) {
	case PROF_WIRE_VARINT:
		return varint_fault(wire);
	case PROF_WIRE_BYTES:
		return prof_wire_varint(&wire, &tag) ? PROF_WIRE_CUT
						     : varint_fault(wire);
	case PROF_WIRE_FIXED64:
	case PROF_WIRE_FIXED32:
		return PROF_WIRE_CUT;
	default:
		return PROF_WIRE_BAD_TYPE;
	}
}

const char *prof_wire_fault_text(enum prof_wire_fault fault)
{
	switch (fault) {
	case PROF_WIRE_CUT:
		return "a field that goes past its end";
	case PROF_WIRE_LONG:
		return "a number of more than 10 bytes";
	case PROF_WIRE_BAD_TYPE:
		return "a wire type that proto3 does not have";
	case PROF_WIRE_MISMATCH:
		return "a field of the wrong wire type";
	case PROF_WIRE_OK:
		break;
	}
	return "no fault";
}

enum prof_wire_fault prof_wire_numbers(struct prof_wire wire, uint64_t *numbers,
				       uint32_t count)
{
	struct prof_wire_field field = { 0 };

	while (wire.at < wire.end) {
		uint32_t tag = *wire.at;
		uint32_t index = tag / 8 - 1;

		if ((tag & 0x87) == PROF_WIRE_VARINT && index < count &&
		    prof_wire_number(&wire, &numbers[index])) {
			continue;
		}
		if (!prof_wire_next(&wire, &field)) {
			return prof_wire_fault(wire);
		}
		if (field.number - 1 >= count) {
			continue;
		}
		if (field.type != PROF_WIRE_VARINT) {
			return PROF_WIRE_MISMATCH;
		}
		numbers[field.number - 1] = field.value;
	}
	return PROF_WIRE_OK;
}

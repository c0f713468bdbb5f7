/* SPDX-License-Identifier: MIT */
#include "formats/pprof.h"

#include "formats/pprof_header.h"
#include "formats/wire.h"

/*
 * The format has no magic number. What speaks for it are records one after the other
 * that have the wire types of the schema and, inside, nothing but fields of the schema.
 */
enum {
	RECORD_BITS = 6, /* a record of the schema */
	MOST_BITS = 24,
	ENOUGH_BITS = 256 * RECORD_BITS, /* no need to look at the rest of the head */
	FAULTY_BITS = 8, /* a profile with a fault is still worth a message about it */
};

/* Which fields of a nested message are numbers or packed numbers, and which messages. */
struct shape {
	uint32_t numbers;
	uint32_t packed;
	uint32_t messages;
};

#define FIELDS(first, last) ((UINT32_C(2) << (last)) - (UINT32_C(1) << (first)))

static const struct shape shapes[PROF_PPROF_FIELDS] = {
	[PROF_PPROF_SAMPLE_TYPE] = { FIELDS(1, 2), 0, 0 },
	[PROF_PPROF_SAMPLE] = { FIELDS(1, 2), FIELDS(1, 2), FIELDS(3, 3) },
	[PROF_PPROF_MAPPING] = { FIELDS(1, 10), 0, 0 },
	[PROF_PPROF_LOCATION] = { FIELDS(1, 3) | FIELDS(5, 5), 0, FIELDS(4, 4) },
	[PROF_PPROF_FUNCTION] = { FIELDS(1, 5), 0, 0 },
	[PROF_PPROF_PERIOD_TYPE] = { FIELDS(1, 2), 0, 0 },
};

static bool has_shape(struct prof_wire wire, const struct shape *shape)
{
	struct prof_wire_field field = { 0 };

	while (prof_wire_next(&wire, &field)) {
		uint32_t bit = field.number < 32 ? UINT32_C(1) << field.number : 0;

		if ((field.type == PROF_WIRE_VARINT && (shape->numbers & bit) != 0) ||
		    (field.type == PROF_WIRE_BYTES &&
		     ((shape->packed | shape->messages) & bit) != 0)) {
			continue;
		}
		return false;
	}
	return wire.at == wire.end;
}

/* Text has no control characters but those of lines; a profile has them everywhere. */
static bool is_text(struct prof_head head)
{
	for (size_t i = 0; i < head.len; i++) {
		uint8_t c = head.data[i];

		if ((c < 0x20 && (c < '\t' || c > '\r') && c != 0x1b) || c == 0x7f) {
			return false;
		}
	}
	return true;
}

/* Is this a record of the schema, as far as it goes? */
static bool is_record(const struct prof_wire_field *field, bool first_string)
{
	uint64_t number = field->number;

	if (number == 0 || number >= PROF_PPROF_FIELDS ||
	    !prof_pprof_type_fits(number, field->type)) {
		return false;
	}
	if (number == PROF_PPROF_STRING) {
		return !first_string || field->len == 0;
	}
	return field->type != PROF_WIRE_BYTES || number == PROF_PPROF_COMMENT ||
	       has_shape(prof_wire_inside(field), &shapes[number]);
}

/* A record that the head cuts short may be one of the schema by what is seen of it. */
static bool is_cut_record(struct prof_wire wire, bool whole)
{
	struct prof_wire_field field = { 0 };

	return !whole && prof_wire_fault(wire) == PROF_WIRE_CUT &&
	       (!prof_wire_head(&wire, &field) ||
		(field.number > 0 && field.number < PROF_PPROF_FIELDS &&
		 prof_pprof_type_fits(field.number, field.type)));
}

static int bid(struct prof_head head)
{
	struct prof_wire wire = { head.data, head.data + head.len };
	struct prof_wire_field field = { 0 };
	bool strings = false;
	bool body = false;
	bool good = true;
	int bits = 0;

	if (head.len == 0 || is_text(head)) {
		return 0;
	}
	while (good && !(body && bits >= ENOUGH_BITS) &&
	       prof_wire_next(&wire, &field)) {
		if (field.number >= PROF_PPROF_FIELDS && body) {
			continue; /* a later schema's */
		}
		good = is_record(&field, !strings);
		strings |= field.number == PROF_PPROF_STRING;
		body |= good && field.number <= PROF_PPROF_STRING &&
			field.number != PROF_PPROF_MAPPING;
		bits += good ? RECORD_BITS : 0;
	}
	good = good && ((body && bits >= ENOUGH_BITS) || wire.at == wire.end ||
			is_cut_record(wire, head.whole));
	if (!body && (!good || head.whole || bits == 0)) {
		return 0;
	}
	bits = bits < MOST_BITS ? bits : MOST_BITS;
	return good || bits < FAULTY_BITS ? bits : FAULTY_BITS;
}

const struct prof_format prof_format_pprof = {
	.name = "pprof",
	.summary = "profile.proto of pprof, Go and many others",
	.extensions = "pb pprof prof",
	.detected = "records of the Profile message",
	.bid = bid,
	.read = prof_pprof_read,
	.write = prof_pprof_write,
};

/* SPDX-License-Identifier: MIT */
/*
 * proto.h - protobuf messages by hand, for tests, with faults where they are wanted.
 *
 *	struct prof_buf sample = { 0 };
 *	proto_packed(&sample, 1, 2, UINT64_C(2), UINT64_C(1));
 *	proto_message(&profile, 2, &sample);		and frees it
 */
#ifndef TESTS_PROTO_H
#define TESTS_PROTO_H

#include <stdarg.h>

#include "formats/wire.h"
#include "libprof/base/buf.h"
#include "tests/test.h"

static inline void proto_varint(struct prof_buf *out, uint64_t value)
{
	uint8_t bytes[PROF_WIRE_MAX_VARINT];

	prof_buf_add(out, bytes, (size_t)(prof_wire_put(bytes, value) - bytes));
}

static inline void proto_tag(struct prof_buf *out, uint32_t field, uint32_t type)
{
	proto_varint(out, (uint64_t)field << 3 | type);
}

static inline void proto_number(struct prof_buf *out, uint32_t field, uint64_t value)
{
	proto_tag(out, field, PROF_WIRE_VARINT);
	proto_varint(out, value);
}

static inline void proto_bytes(struct prof_buf *out, uint32_t field, const void *data,
			       size_t len)
{
	proto_tag(out, field, PROF_WIRE_BYTES);
	proto_varint(out, len);
	prof_buf_add(out, data, len);
}

static inline void proto_string(struct prof_buf *out, const char *text)
{
	proto_bytes(out, 6, text, strlen(text));
}

static inline void proto_message(struct prof_buf *out, uint32_t field,
				 struct prof_buf *message)
{
	assert_false(message->failed);
	proto_bytes(out, field, message->data, message->len);
	prof_buf_free(message);
}

/* The numbers are uint64_t. */
static inline void proto_packed(struct prof_buf *out, uint32_t field, int count, ...)
{
	struct prof_buf packed = { 0 };
	va_list args;

	va_start(args, count);
	for (int i = 0; i < count; i++) {
		proto_varint(&packed, va_arg(args, uint64_t));
	}
	va_end(args);
	proto_message(out, field, &packed);
}

/* A message of numbers, in fields 1 to `count`; zeros are left out. */
static inline void proto_numbers(struct prof_buf *out, uint32_t field, int count, ...)
{
	struct prof_buf message = { 0 };
	va_list args;

	va_start(args, count);
	for (int i = 1; i <= count; i++) {
		uint64_t value = va_arg(args, uint64_t);

		if (value != 0) {
			proto_number(&message, (uint32_t)i, value);
		}
	}
	va_end(args);
	proto_message(out, field, &message);
}

static inline void proto_type(struct prof_buf *out, uint64_t type, uint64_t unit)
{
	proto_numbers(out, 1, 2, type, unit);
}

static inline void proto_function(struct prof_buf *out, uint64_t id, uint64_t name)
{
	proto_numbers(out, 5, 2, id, name);
}

/* A location with one line, or none when `function` is 0. */
static inline void proto_location(struct prof_buf *out, uint64_t id, uint64_t mapping,
				  uint64_t function)
{
	struct prof_buf location = { 0 };

	proto_number(&location, 1, id);
	if (mapping != 0) {
		proto_number(&location, 2, mapping);
	}
	if (function != 0) {
		proto_numbers(&location, 4, 2, function, UINT64_C(7));
	}
	proto_message(out, 4, &location);
}

/* A sample of one frame and one value. */
static inline void proto_sample(struct prof_buf *out, uint64_t location, uint64_t value)
{
	struct prof_buf sample = { 0 };

	proto_packed(&sample, 1, 1, location);
	proto_packed(&sample, 2, 1, value);
	proto_message(out, 2, &sample);
}

#endif

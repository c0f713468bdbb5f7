/* SPDX-License-Identifier: MIT */
#include "formats/utf16.h"

#include "libprof/base/alloc.h"

enum {
	REPLACEMENT = 0xfffd,
	SEQUENCE_MAX = 4, /* bytes of one character in UTF-8 */
};

struct utf16 {
	struct prof_source base;
	struct prof_window *in;
	bool big_endian;
};

static uint32_t unit_at(const struct utf16 *utf16, size_t at)
{
	const uint8_t *bytes = utf16->in->data + at;

	return utf16->big_endian ? (uint32_t)bytes[0] << 8 | bytes[1]
				 : (uint32_t)bytes[1] << 8 | bytes[0];
}

static bool is_high(uint32_t unit)
{
	return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(uint32_t unit)
{
	return unit >= 0xdc00 && unit < 0xe000;
}

/* Take a character off the window, which has at least one unit, two after a high one. */
static uint32_t take_character(struct utf16 *utf16)
{
	uint32_t unit = unit_at(utf16, 0);
	uint32_t low = is_high(unit) && utf16->in->len >= 4 ? unit_at(utf16, 2) : 0;

	if (is_low(low)) {
		prof_window_skip(utf16->in, 4);
		return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
	}
	prof_window_skip(utf16->in, 2);
	return is_high(unit) || is_low(unit) ? REPLACEMENT : unit;
}

static size_t put_utf8(uint8_t *out, uint32_t code)
{
	size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const uint8_t leads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	for (size_t i = len - 1; i > 0; i--) {
		out[i] = (uint8_t)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	out[0] = (uint8_t)(leads[len] | code);
	return len;
}

static bool utf16_fill(struct prof_source *source, uint8_t *out, size_t cap,
		       size_t *len, struct prof_error *err)
{
	struct utf16 *utf16 = (struct utf16 *)source;
	struct prof_window *in = utf16->in;
	size_t at = 0;

	while (cap - at >= SEQUENCE_MAX) {
		if (in->len < 4 && !prof_window_need(in, 4, err)) {
			return false;
		}
		if (in->len == 1) {
			return prof_fail_at(err, PROF_ERR_SYNTAX, in->offset,
					    "UTF-16 text ends within a character");
		}
		if (in->len == 0) {
			break;
		}
		at += put_utf8(out + at, take_character(utf16));
	}
	*len = at;
	return true;
}

static void utf16_stop(struct prof_source *source)
{
	prof_source_stop(((struct utf16 *)source)->in->source);
}

static void utf16_free(struct prof_source *source)
{
	prof_free(source);
}

struct prof_source *prof_utf16_source(struct prof_window *in, bool big_endian)
{
	struct utf16 *utf16 = prof_alloc(sizeof(*utf16));

	if (!utf16) {
		return NULL;
	}
	*utf16 = (struct utf16){
		.base = { .next = prof_source_next_filled,
			  .fill = utf16_fill,
			  .stop = utf16_stop,
			  .free = utf16_free },
		.in = in,
		.big_endian = big_endian,
	};
	return &utf16->base;
}

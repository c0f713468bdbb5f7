/* SPDX-License-Identifier: MIT */
#include "libprof/base/text.h"

#include "libprof/base/buf.h"

struct range {
	uint32_t first;
	uint32_t last;
};

/* Sorted. What a viewer does not show as itself: see reference in text.h. */
static const struct range unsafe[] = {
	{ 0x0000, 0x001f }, { 0x007f, 0x009f },   { 0x061c, 0x061c },
	{ 0x200b, 0x200f }, { 0x2028, 0x202e },   { 0x2060, 0x206f },
	{ 0xfdd0, 0xfdef }, { 0xfeff, 0xfeff },   { 0xfff9, 0xfffb },
	{ 0xfffe, 0xffff }, { 0xe0000, 0xe007f },
};

/* Sorted. East Asian Width W and F, coarsely: Unicode 15, Annex 11. */
static const struct range wide[] = {
	{ 0x1100, 0x115f },   { 0x231a, 0x231b },   { 0x2329, 0x232a },
	{ 0x2e80, 0x303e },   { 0x3041, 0x33ff },   { 0x3400, 0x4dbf },
	{ 0x4e00, 0x9fff },   { 0xa000, 0xa4cf },   { 0xac00, 0xd7a3 },
	{ 0xf900, 0xfaff },   { 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },
	{ 0xffe0, 0xffe6 },   { 0x1f300, 0x1f64f }, { 0x1f680, 0x1f6ff },
	{ 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd },
};

/* Sorted. Combining marks that take no cell of their own. */
static const struct range combining[] = {
	{ 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd }, { 0x064b, 0x065f },
	{ 0x0e31, 0x0e31 }, { 0x0e34, 0x0e3a }, { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff },
	{ 0x20d0, 0x20ff }, { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f },
};

static bool in_ranges(const struct range *ranges, size_t count, uint32_t code)
{
	for (size_t i = 0; i < count && ranges[i].first <= code; i++) {
		if (code <= ranges[i].last) {
			return true;
		}
	}
	return false;
}

#define IN(ranges, code) in_ranges(ranges, sizeof(ranges) / sizeof((ranges)[0]), code)

int prof_text_compare(struct prof_text a, struct prof_text b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = n > 0 ? memcmp(a.data, b.data, n) : 0;

	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* Length that the first byte of a sequence promises, and its payload bits. */
static size_t sequence(unsigned char lead, uint32_t *bits)
{
	if (lead < 0x80) {
		*bits = lead;
		return 1;
	}
	if (lead >= 0xc2 && lead < 0xe0) {
		*bits = lead & 0x1fu;
		return 2;
	}
	if (lead >= 0xe0 && lead < 0xf0) {
		*bits = lead & 0x0fu;
		return 3;
	}
	if (lead >= 0xf0 && lead < 0xf5) {
		*bits = lead & 0x07u;
		return 4;
	}
	return 0;
}

size_t prof_text_decode(const char *data, size_t len, uint32_t *code)
{
	uint32_t value = 0;
	size_t n = sequence((unsigned char)data[0], &value);

	if (n == 0 || n > len) {
		return 0;
	}
	for (size_t i = 1; i < n; i++) {
		unsigned char c = (unsigned char)data[i];

		if ((c & 0xc0) != 0x80) {
			return 0;
		}
		value = value << 6 | (c & 0x3fu);
	}
	if ((n == 3 && value < 0x800) || (n == 4 && value < 0x10000) ||
	    (value >= 0xd800 && value < 0xe000) || value > 0x10ffff) {
		return 0;
	}
	*code = value;
	return n;
}

size_t prof_text_printable(const char *data, size_t len)
{
	uint32_t code = 0;
	size_t n = 0;

	if (data[0] >= 0x20 && data[0] < 0x7f) {
		return 1;
	}
	n = prof_text_decode(data, len, &code);
	return n > 0 && !IN(unsafe, code) && (code & 0xfffe) != 0xfffe ? n : 0;
}

/* A name of 60 MB may have nothing but escapes: printf would take seconds. */
static void add_hex(struct prof_buf *out, uint32_t number, unsigned digits,
		    const char *alphabet)
{
	while (digits-- > 0) {
		prof_buf_addc(out, alphabet[number >> 4 * digits & 15]);
	}
}

/* Show the unsafe byte or character at `data`; returns how many bytes it was. */
static size_t escape_one(struct prof_buf *out, const char *data, size_t len)
{
	uint32_t code = 0;
	size_t n = prof_text_decode(data, len, &code);

	if (n > 0 && code >= 0xa0) {
		prof_buf_adds(out, "<U+");
		add_hex(out, code,
			code > 0xfffff  ? 6
			: code > 0xffff ? 5
					: 4,
			"0123456789ABCDEF");
		prof_buf_addc(out, '>');
		return n;
	}
	switch (data[0]) {
	case '\n':
		prof_buf_adds(out, "\\n");
		return 1;
	case '\t':
		prof_buf_adds(out, "\\t");
		return 1;
	case '\r':
		prof_buf_adds(out, "\\r");
		return 1;
	default:
		prof_buf_adds(out, "\\x");
		add_hex(out, (unsigned char)data[0], 2, "0123456789abcdef");
		return 1;
	}
}

void prof_text_escape(struct prof_buf *out, struct prof_text text)
{
	size_t done = 0;
	size_t i = 0;

	while (i < text.len) {
		size_t n = prof_text_printable(text.data + i, text.len - i);

		if (n > 0) {
			i += n;
			continue;
		}
		prof_buf_add(out, text.data + done, i - done);
		i += escape_one(out, text.data + i, text.len - i);
		done = i;
	}
	if (i > done) {
		prof_buf_add(out, text.data + done, i - done);
	}
}

size_t prof_text_cells(struct prof_text text)
{
	size_t cells = 0;

	for (size_t i = 0; i < text.len;) {
		uint32_t code = 0;
		size_t n = prof_text_decode(text.data + i, text.len - i, &code);

		if (n > 1 && IN(combining, code)) {
			cells += 0;
		} else {
			cells += n > 1 && IN(wide, code) ? 2 : 1;
		}
		i += n > 0 ? n : 1;
	}
	return cells;
}

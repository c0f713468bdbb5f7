/* SPDX-License-Identifier: MIT */
/*
 * text.h - names: bytes with a length, from inputs nobody vouches for.
 *
 * A name is any bytes: it may hold NUL, invalid UTF-8, terminal controls and
 * characters that reorder a line. Profiles keep it as it is; whoever shows it goes
 * through prof_text_escape().
 */
#ifndef PROF_BASE_TEXT_H
#define PROF_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct prof_buf;

struct prof_text {
	const char *data; /* borrowed; not NUL-terminated; may be NULL when len is 0 */
	size_t len;
};

/* A text from a string literal or any other C string. */
static inline struct prof_text prof_text(const char *s)
{
	return (struct prof_text){ s, strlen(s) };
}

static inline bool prof_text_equal(struct prof_text a, struct prof_text b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* Bytewise order, a prefix first: negative, zero or positive. */
int prof_text_compare(struct prof_text a, struct prof_text b);

/*
 * Length of the UTF-8 sequence at `data` if it is well formed and safe to show: no
 * C0 or C1 control, DEL, bidirectional control, zero-width or non-character. 0 if
 * not. `len` is at least 1.
 */
size_t prof_text_printable(const char *data, size_t len);

/*
 * Length of the well-formed UTF-8 sequence at `data` and its code point, or 0 when
 * the bytes are not UTF-8 (overlong, surrogate, past U+10FFFF, cut short).
 */
size_t prof_text_decode(const char *data, size_t len, uint32_t *code);

/*
 * Append `text` so that it can be shown anywhere: control characters and bytes that
 * are not UTF-8 as \xNN (\n, \t, \r as such), other unsafe characters as <U+202E>.
 * Printable text is copied as it is; a backslash is not doubled.
 */
void prof_text_escape(struct prof_buf *out, struct prof_text text);

/* Terminal cells of printable UTF-8: 2 for wide East Asian, 0 for combining. */
size_t prof_text_cells(struct prof_text text);

#endif

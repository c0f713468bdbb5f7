/* SPDX-License-Identifier: MIT */
/*
 * legacy_text.h - taking apart the lines of pprof's old text formats.
 *
 * The formats are what regular expressions of google/pprof match, mostly not anchored.
 * A cursor walks a line as such an expression would:
 *
 *	struct prof_cursor at = prof_cursor(line);
 *
 *	ok = prof_take_digits(&at, &count) && prof_take(&at, ": ");
 *
 * What is taken moves the cursor, what fails leaves it alone.
 */
#ifndef PROF_FORMATS_LEGACY_TEXT_H
#define PROF_FORMATS_LEGACY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libprof/base/error.h"
#include "libprof/base/text.h"

struct prof_cursor {
	const char *at; /* NULL only with an empty text */
	const char *end;
};

struct prof_cursor prof_cursor(struct prof_text text);

/* What is left behind the cursor. */
struct prof_text prof_cursor_rest(const struct prof_cursor *cursor);

/* Exactly these bytes. */
bool prof_take(struct prof_cursor *cursor, const char *literal);

/* Any number of spaces, none too. */
void prof_take_blanks(struct prof_cursor *cursor);

/* Space, TAB, LF, FF, CR: as \s. False when there are none. */
bool prof_take_space(struct prof_cursor *cursor);

/* The longest run of bytes, at least one: decimal digits, hex digits, one of `set`. */
bool prof_take_digits(struct prof_cursor *cursor, struct prof_text *out);
bool prof_take_hex(struct prof_cursor *cursor, struct prof_text *out);
bool prof_take_set(struct prof_cursor *cursor, const char *set, struct prof_text *out);

/* The longest run without white space, at least one byte. */
bool prof_take_word(struct prof_cursor *cursor, struct prof_text *out);

/* Decimal digits with maybe a minus before them. */
bool prof_take_number(struct prof_cursor *cursor, struct prof_text *out);

/* The next `literal` in the text: the cursor stands behind it then. */
bool prof_find(struct prof_cursor *cursor, const char *literal);

bool prof_legacy_starts(struct prof_text text, const char *prefix);
bool prof_legacy_contains(struct prof_text text, const char *part);

/*
 * Cut the first line off `rest`, without its LF or CR LF; false when `rest` is empty.
 * The line is cut short where `rest` ends.
 */
bool prof_legacy_cut_line(struct prof_text *rest, struct prof_text *line);

/* The first line that is no comment, or an empty text. */
struct prof_text prof_legacy_first_line(struct prof_text text);

/* `text` without white space around it. */
struct prof_text prof_legacy_trim(struct prof_text text);

/* Blank, or a comment: the first byte that is no white space is '#'. */
bool prof_legacy_is_comment(struct prof_text line);

/* Decimal, -?digits. False when it does not fit. */
bool prof_legacy_int(struct prof_text text, int64_t *out) PROF_NODISCARD;

/* As Go reads a constant: also 0x1f, 0b1, 0o17, 017, and a plus before it. */
bool prof_legacy_int_any(struct prof_text text, int64_t *out) PROF_NODISCARD;

/* Hex digits only. False when there are none or it does not fit. */
bool prof_legacy_hex(struct prof_text text, uint64_t *out) PROF_NODISCARD;

#endif

/* SPDX-License-Identifier: MIT */
#include "formats/legacy_text.h"

#include <string.h>

struct prof_cursor prof_cursor(struct prof_text text)
{
	const char *data = text.data ? text.data : "";

	return (struct prof_cursor){ data, data + text.len };
}

struct prof_text prof_cursor_rest(const struct prof_cursor *cursor)
{
	return (struct prof_text){ cursor->at, (size_t)(cursor->end - cursor->at) };
}

bool prof_take(struct prof_cursor *cursor, const char *literal)
{
	if (!prof_legacy_starts(prof_cursor_rest(cursor), literal)) {
		return false;
	}
	cursor->at += strlen(literal);
	return true;
}

void prof_take_blanks(struct prof_cursor *cursor)
{
	while (cursor->at < cursor->end && *cursor->at == ' ') {
		cursor->at++;
	}
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int hex_value(char c)
{
	if (is_digit(c)) {
		return c - '0';
	}
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_hex(char c)
{
	return hex_value(c) >= 0;
}

static bool is_word(char c)
{
	return !is_space(c);
}

static bool take_run(struct prof_cursor *cursor, bool (*belongs)(char c),
		     struct prof_text *out)
{
	const char *start = cursor->at;

	while (cursor->at < cursor->end && belongs(*cursor->at)) {
		cursor->at++;
	}
	if (cursor->at == start) {
		return false;
	}
	*out = (struct prof_text){ start, (size_t)(cursor->at - start) };
	return true;
}

bool prof_take_space(struct prof_cursor *cursor)
{
	struct prof_text space;

	return take_run(cursor, is_space, &space);
}

bool prof_take_digits(struct prof_cursor *cursor, struct prof_text *out)
{
	return take_run(cursor, is_digit, out);
}

bool prof_take_hex(struct prof_cursor *cursor, struct prof_text *out)
{
	return take_run(cursor, is_hex, out);
}

bool prof_take_word(struct prof_cursor *cursor, struct prof_text *out)
{
	return take_run(cursor, is_word, out);
}

bool prof_take_set(struct prof_cursor *cursor, const char *set, struct prof_text *out)
{
	const char *start = cursor->at;

	while (cursor->at < cursor->end && *cursor->at && strchr(set, *cursor->at)) {
		cursor->at++;
	}
	if (cursor->at == start) {
		return false;
	}
	*out = (struct prof_text){ start, (size_t)(cursor->at - start) };
	return true;
}

bool prof_take_number(struct prof_cursor *cursor, struct prof_text *out)
{
	struct prof_cursor at = *cursor;
	struct prof_text digits;

	(void)prof_take(&at, "-");
	if (!prof_take_digits(&at, &digits)) {
		return false;
	}
	*out = (struct prof_text){ cursor->at, (size_t)(at.at - cursor->at) };
	*cursor = at;
	return true;
}

bool prof_find(struct prof_cursor *cursor, const char *literal)
{
	size_t len = strlen(literal);
	const char *found =
		memmem(cursor->at, (size_t)(cursor->end - cursor->at), literal, len);

	if (!found) {
		return false;
	}
	cursor->at = found + len;
	return true;
}

bool prof_legacy_starts(struct prof_text text, const char *prefix)
{
	size_t len = strlen(prefix);

	return text.len >= len && memcmp(text.data, prefix, len) == 0;
}

bool prof_legacy_contains(struct prof_text text, const char *part)
{
	return text.len > 0 && memmem(text.data, text.len, part, strlen(part)) != NULL;
}

bool prof_legacy_cut_line(struct prof_text *rest, struct prof_text *line)
{
	const char *end = rest->len > 0 ? memchr(rest->data, '\n', rest->len) : NULL;
	size_t len = end ? (size_t)(end - rest->data) : rest->len;

	if (rest->len == 0) {
		return false;
	}
	*line = (struct prof_text){ rest->data, len };
	line->len -= len > 0 && line->data[len - 1] == '\r';
	len += end != NULL;
	*rest = (struct prof_text){ rest->data + len, rest->len - len };
	return true;
}

struct prof_text prof_legacy_first_line(struct prof_text text)
{
	struct prof_text line;

	while (prof_legacy_cut_line(&text, &line)) {
		if (!prof_legacy_is_comment(line)) {
			return line;
		}
	}
	return (struct prof_text){ "", 0 };
}

struct prof_text prof_legacy_trim(struct prof_text text)
{
	while (text.len > 0 && (is_space(*text.data) || *text.data == '\v')) {
		text.data++;
		text.len--;
	}
	while (text.len > 0 &&
	       (is_space(text.data[text.len - 1]) || text.data[text.len - 1] == '\v')) {
		text.len--;
	}
	return text;
}

bool prof_legacy_is_comment(struct prof_text line)
{
	line = prof_legacy_trim(line);
	return line.len == 0 || *line.data == '#';
}

/* Digits of `base`, at least one, as a magnitude. */
static bool parse(struct prof_text text, unsigned base, uint64_t *out)
{
	uint64_t value = 0;

	for (size_t i = 0; i < text.len; i++) {
		int digit = hex_value(text.data[i]);

		if (digit < 0 || (unsigned)digit >= base ||
		    __builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)digit, &value)) {
			return false;
		}
	}
	*out = value;
	return text.len > 0;
}

static struct prof_text skip(struct prof_text text, size_t count)
{
	return (struct prof_text){ text.data + count, text.len - count };
}

static bool parse_signed(struct prof_text text, bool negative, unsigned base,
			 int64_t *out)
{
	uint64_t most = (uint64_t)INT64_MAX + negative;
	uint64_t value = 0;

	if (!parse(text, base, &value) || value > most) {
		return false;
	}
	*out = negative ? (int64_t)(UINT64_C(0) - value) : (int64_t)value;
	return true;
}

bool prof_legacy_int(struct prof_text text, int64_t *out)
{
	bool negative = prof_legacy_starts(text, "-");

	return parse_signed(skip(text, negative), negative, 10, out);
}

bool prof_legacy_int_any(struct prof_text text, int64_t *out)
{
	bool negative = prof_legacy_starts(text, "-");
	char kind = 0;

	text = skip(text, negative || prof_legacy_starts(text, "+"));
	if (text.len < 2 || *text.data != '0') {
		return parse_signed(text, negative, 10, out);
	}
	kind = (char)(text.data[1] | 0x20);
	if (kind == 'x' || kind == 'b' || kind == 'o') {
		return parse_signed(skip(text, 2), negative,
				    kind == 'x'   ? 16
				    : kind == 'b' ? 2
						  : 8,
				    out);
	}
	return parse_signed(skip(text, 1), negative, 8, out);
}

bool prof_legacy_hex(struct prof_text text, uint64_t *out)
{
	return parse(text, 16, out);
}

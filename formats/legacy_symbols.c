/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "formats/legacy.h"
#include "formats/legacy_text.h"

struct symbol {
	struct prof_text name;
	struct prof_text file;
	int64_t line;
};

/* The last part of a path, as the shell's basename: "/" of "/", "." of nothing. */
static struct prof_text base_name(struct prof_text path)
{
	size_t start = 0;

	if (path.len == 0) {
		return prof_text(".");
	}
	while (path.len > 1 && path.data[path.len - 1] == '/') {
		path.len--;
	}
	for (size_t i = 0; i + 1 < path.len; i++) {
		start = path.data[i] == '/' ? i + 1 : start;
	}
	return (struct prof_text){ path.data + start, path.len - start };
}

/* Where the last " (" of the first `len` bytes is; false without one. */
static bool find_parenthesis(struct prof_text text, size_t len, size_t *at)
{
	for (size_t i = len; i >= 2; i--) {
		struct prof_cursor before =
			prof_cursor((struct prof_text){ text.data + i - 2, 1 });

		if (text.data[i - 1] == '(' && prof_take_space(&before)) {
			*at = i - 2;
			return true;
		}
	}
	return false;
}

/* How many bytes of "...:LINE)" stand before the colon; false when that is no end. */
static bool find_line(struct prof_text text, size_t *len, struct prof_text *number)
{
	size_t start = text.len - 1;

	while (start > 0 && text.data[start - 1] >= '0' &&
	       text.data[start - 1] <= '9') {
		start--;
	}
	if (start == text.len - 1) {
		return false;
	}
	start -= start > 0 && text.data[start - 1] == '-';
	if (start == 0 || text.data[start - 1] != ':') {
		return false;
	}
	*number = (struct prof_text){ text.data + start, text.len - 1 - start };
	*len = start - 1;
	return true;
}

/* NAME (FILE:LINE) or NAME (PATH) */
static bool parse_place(struct prof_text text, struct symbol *out)
{
	struct prof_text number;
	size_t end = 0;
	size_t at = 0;

	if (text.len == 0 || text.data[text.len - 1] != ')') {
		return false;
	}
	if (find_line(text, &end, &number) && find_parenthesis(text, end, &at) &&
	    end > at + 2) {
		out->file = (struct prof_text){ text.data + at + 2, end - at - 2 };
		if (!prof_legacy_int(number, &out->line) || out->line < 0) {
			out->line = 0;
		}
	} else if (find_parenthesis(text, text.len - 1, &at)) {
		out->file = base_name(
			(struct prof_text){ text.data + at + 2, text.len - at - 3 });
	} else {
		return false;
	}
	out->name = (struct prof_text){ text.data, at };
	return true;
}

static struct symbol parse_symbol(struct prof_text text)
{
	struct symbol symbol = { .name = text };

	if (!parse_place(text, &symbol) &&
	    prof_legacy_contains(text, "generated stub/JIT")) {
		symbol.name = prof_text("STUB");
	}
	return symbol;
}

static bool read_line(struct prof_legacy *legacy, struct prof_text_lines *lines,
		      struct prof_text line, struct prof_error *err)
{
	struct prof_cursor at = prof_cursor(prof_legacy_trim(line));
	struct prof_text digits;
	struct symbol symbol;
	uint64_t address = 0;

	if (!prof_take(&at, "0x") || !prof_take_hex(&at, &digits) ||
	    !prof_take_space(&at)) {
		return true;
	}
	if (!prof_legacy_hex(digits, &address)) {
		return prof_text_lines_fail(lines, err, PROF_ERR_SYNTAX,
					    "a symbol's address has more than 64 bits");
	}
	symbol = parse_symbol(prof_cursor_rest(&at));
	return prof_legacy_symbol(legacy, address, symbol.name, symbol.file,
				  symbol.line, err);
}

bool prof_legacy_read_symbols(struct prof_legacy *legacy, struct prof_text_lines *lines,
			      struct prof_error *err)
{
	struct prof_text line;

	legacy->symbolized = true;
	while (true) {
		if (!prof_text_lines_next(lines, &line, err)) {
			return false;
		}
		if (!line.data) {
			return true;
		}
		if (!read_line(legacy, lines, line, err)) {
			return false;
		}
	}
}

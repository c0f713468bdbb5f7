/* SPDX-License-Identifier: MIT */
/*
 * text_lines.h - a text input, line by line.
 *
 *	struct prof_text_lines lines = prof_text_lines(window);
 *	struct prof_text line;
 *
 *	while (true) {
 *		if (!prof_text_lines_next(&lines, &line, err))
 *			return false;
 *		if (!line.data)
 *			break;
 *		if (!understand(line))
 *			return prof_text_lines_fail(&lines, err, PROF_ERR_SYNTAX, "...");
 *	}
 *
 * A line ends with LF or CR LF, which are no part of it; the last one may lack both.
 *
 * Owns:   nothing. Borrows the window; a line is valid until the next is asked for.
 * Errors: LIMIT for a line above PROF_MAX_STRING bytes; what the source says.
 */
#ifndef PROF_FORMATS_TEXT_LINES_H
#define PROF_FORMATS_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libprof/base/error.h"
#include "libprof/base/source.h"
#include "libprof/base/text.h"

struct prof_text_lines {
	struct prof_window *in; /* at the beginning of the last line */
	size_t taken;           /* bytes of the last line and its end */
	struct prof_text last;
	uint32_t number; /* of the last line, from 1 */
	bool again;      /* give the last line once more */
	bool offsets; /* behind binary data: errors are at an offset, not in a line */
};

/* The lines of `in` from where it stands. */
struct prof_text_lines prof_text_lines(struct prof_window *in);

/* The next line; `line->data` is NULL behind the last one. */
bool prof_text_lines_next(struct prof_text_lines *lines, struct prof_text *line,
			  struct prof_error *err) PROF_NODISCARD;

/* Let the next line be the last one again. Not behind the end. */
void prof_text_lines_again(struct prof_text_lines *lines);

/* Say in `err` where the last line is, unless it tells a place already. */
void prof_text_lines_locate(const struct prof_text_lines *lines,
			    struct prof_error *err);

/* prof_fail() in the last line. */
#define prof_text_lines_fail(lines, err, ...) \
	(prof_error_set(err, __VA_ARGS__), prof_text_lines_locate(lines, err), false)

#endif

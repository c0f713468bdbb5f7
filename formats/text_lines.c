/* SPDX-License-Identifier: MIT */
#include "formats/text_lines.h"

#include <string.h>

#include "libprof/base/limits.h"

struct prof_text_lines prof_text_lines(struct prof_window *in)
{
	return (struct prof_text_lines){ .in = in };
}

/* The length of the line at the window's beginning; `*ended` when no LF ends it. */
static bool measure(struct prof_text_lines *lines, size_t *len, bool *ended,
		    struct prof_error *err)
{
	struct prof_window *in = lines->in;
	size_t scanned = 0;

	while (true) {
		const uint8_t *end = in->len > scanned ? memchr(in->data + scanned,
								'\n', in->len - scanned)
						       : NULL;

		scanned = end ? (size_t)(end - in->data) : in->len;
		if (scanned > PROF_MAX_STRING) {
			return prof_text_lines_fail(lines, err, PROF_ERR_LIMIT,
						    "a line of more than %u MiB",
						    (unsigned)(PROF_MAX_STRING >> 20));
		}
		if (end || in->ended) {
			*len = scanned;
			*ended = !end;
			return true;
		}
		if (!prof_window_more(in, err)) {
			return false;
		}
	}
}

bool prof_text_lines_next(struct prof_text_lines *lines, struct prof_text *line,
			  struct prof_error *err)
{
	struct prof_window *in = lines->in;
	size_t len = 0;
	bool ended = false;

	if (!lines->again) {
		if (lines->taken > 0) {
			prof_window_skip(in, lines->taken);
		}
		lines->taken = 0;
		lines->number += lines->number < UINT32_MAX;
		if (!measure(lines, &len, &ended, err)) {
			return false;
		}
		lines->taken = len + !ended;
		lines->last = (struct prof_text){ (const char *)in->data, len };
		if (ended && len == 0) {
			lines->last.data = NULL;
		} else if (len > 0 && in->data[len - 1] == '\r') {
			lines->last.len--;
		}
	}
	lines->again = false;
	*line = lines->last;
	return true;
}

void prof_text_lines_again(struct prof_text_lines *lines)
{
	lines->again = true;
}

void prof_text_lines_locate(const struct prof_text_lines *lines, struct prof_error *err)
{
	if (err->line > 0 || err->located || err->code == PROF_ERR_NOMEM) {
		return;
	}
	if (lines->offsets) {
		err->located = true;
		err->offset = lines->in->offset;
	} else {
		err->line = lines->number;
	}
}

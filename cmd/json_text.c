/* SPDX-License-Identifier: MIT */
#include "cmd/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add_escape(struct prof_buf *out, uint32_t code)
{
	switch (code) {
	case '"':
		prof_buf_adds(out, "\\\"");
		break;
	case '\\':
		prof_buf_adds(out, "\\\\");
		break;
	case '\n':
		prof_buf_adds(out, "\\n");
		break;
	case '\t':
		prof_buf_adds(out, "\\t");
		break;
	case '\r':
		prof_buf_adds(out, "\\r");
		break;
	default:
		if (code > 0xffff) {
			prof_buf_addf(out, "\\u%04x",
				      (unsigned)(0xd800 + ((code - 0x10000) >> 10)));
			code = 0xdc00 + ((code - 0x10000) & 0x3ff);
		}
		prof_buf_addf(out, "\\u%04x", (unsigned)code);
	}
}

void json_add_string(struct prof_buf *out, struct prof_text text)
{
	size_t done = 0;
	size_t at = 0;

	prof_buf_addc(out, '"');
	while (at < text.len) {
		const char *c = text.data + at;
		uint32_t code = 0xfffd;
		size_t n = prof_text_printable(c, text.len - at);

		if (n > 0 && *c != '"' && *c != '\\') {
			at += n;
			continue;
		}
		prof_buf_add(out, text.data + done, at - done);
		n = prof_text_decode(c, text.len - at, &code);
		add_escape(out, code);
		at += n > 0 ? n : 1;
		done = at;
	}
	prof_buf_add(out, text.data ? text.data + done : "", at - done);
	prof_buf_addc(out, '"');
}

void json_add_number(struct prof_buf *out, double number)
{
	char text[40];

	if (!isfinite(number)) {
		prof_buf_adds(out, "null");
		return;
	}
	if (number == floor(number) && fabs(number) < 1e15) {
		prof_buf_add_int(out, (int64_t)number);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number) {
			break;
		}
	}
	prof_buf_adds(out, text);
}

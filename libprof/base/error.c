/* SPDX-License-Identifier: MIT */
#include "libprof/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "libprof/base/text.h"

/* A message may quote bytes of the input: none of them may drive a terminal. */
static void make_printable(char *message)
{
	size_t len = strlen(message);

	for (size_t i = 0; i < len;) {
		size_t n = prof_text_printable(message + i, len - i);

		if (n == 0) {
			message[i] = '?';
			n = 1;
		}
		i += n;
	}
}

PROF_PRINTF(3, 0)
PROF_PRINTF(3, 0)
static void set(struct prof_error *err, enum prof_code code, const char *fmt,
		va_list args)
{
	*err = (struct prof_error){ .code = code };
	vsnprintf(err->message, sizeof(err->message), fmt, args);
	make_printable(err->message);
}

void prof_error_set(struct prof_error *err, enum prof_code code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	set(err, code, fmt, args);
	va_end(args);
}

void prof_error_set_at(struct prof_error *err, enum prof_code code, uint64_t offset,
		       const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	set(err, code, fmt, args);
	va_end(args);
	err->located = true;
	err->offset = offset;
}

void prof_error_set_line(struct prof_error *err, enum prof_code code, uint32_t line,
			 const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	set(err, code, fmt, args);
	va_end(args);
	err->line = line;
}

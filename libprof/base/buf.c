/* SPDX-License-Identifier: MIT */
#include "libprof/base/buf.h"

#include <stdarg.h>
#include <stdio.h>

#include "libprof/base/alloc.h"

bool prof_buf_reserve(struct prof_buf *buf, size_t more)
{
	size_t need = 0;
	size_t cap = 0;
	char *data = NULL;

	if (buf->failed || __builtin_add_overflow(buf->len, more, &need) ||
	    (buf->max > 0 && need > buf->max)) {
		buf->failed = true;
		return false;
	}
	if (need <= buf->cap) {
		return true;
	}
	cap = prof_grow(buf->cap, need < 64 ? 64 : need);
	data = prof_realloc_array(buf->data, cap, 1);
	if (!data) {
		buf->failed = true;
		return false;
	}
	buf->data = data;
	buf->cap = cap;
	return true;
}

void prof_buf_addf(struct prof_buf *buf, const char *fmt, ...)
{
	va_list args;
	va_list again;
	int len = 0;

	va_start(args, fmt);
	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, args);
	if (len < 0) {
		buf->failed = true;
	} else if (prof_buf_reserve(buf, (size_t)len + 1)) {
		vsnprintf(buf->data + buf->len, (size_t)len + 1, fmt, again);
		buf->len += (size_t)len;
	}
	va_end(again);
	va_end(args);
}

void prof_buf_adds(struct prof_buf *buf, const char *text)
{
	prof_buf_add(buf, text, strlen(text));
}

void prof_buf_add_uint(struct prof_buf *buf, uint64_t value)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	prof_buf_add(buf, digits + at, sizeof(digits) - at);
}

void prof_buf_add_int(struct prof_buf *buf, int64_t value)
{
	uint64_t size = (uint64_t)value;

	if (value < 0) {
		prof_buf_addc(buf, '-');
		size = 0 - size;
	}
	prof_buf_add_uint(buf, size);
}

void prof_buf_clear(struct prof_buf *buf)
{
	buf->len = 0;
	buf->failed = false;
}

void prof_buf_free(struct prof_buf *buf)
{
	prof_free(buf->data);
	*buf = (struct prof_buf){ 0 };
}

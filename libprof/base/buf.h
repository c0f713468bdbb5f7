/* SPDX-License-Identifier: MIT */
/*
 * buf.h - bytes that grow.
 *
 *	struct prof_buf out = { 0 };
 *	prof_buf_addf(&out, "%s %d\n", name, count);
 *	if (out.failed) ...
 *	prof_buf_free(&out);
 *
 * Failure is sticky: once memory ran out or `max` was passed, `failed` stays true and
 * further bytes are dropped, so a writer checks once, at its end.
 *
 * Threads: a buffer belongs to one thread at a time.
 */
#ifndef PROF_BASE_BUF_H
#define PROF_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "libprof/base/error.h"

struct prof_buf {
	char *data; /* `len` bytes; not NUL-terminated */
	size_t len;
	size_t cap;
	size_t max; /* refuse to grow past this; 0 = no limit */
	bool failed;
};

/* Make room for `more` bytes behind `len`. False, and failed, when there is none. */
bool prof_buf_reserve(struct prof_buf *buf, size_t more);

void prof_buf_addf(struct prof_buf *buf, const char *fmt, ...) PROF_PRINTF(2, 3);

/* Append a NUL-terminated string. */
void prof_buf_adds(struct prof_buf *buf, const char *text);

/* Append `value` in decimal: what addf("%" PRId64) does, ten times faster. */
void prof_buf_add_int(struct prof_buf *buf, int64_t value);
void prof_buf_add_uint(struct prof_buf *buf, uint64_t value);

/* Forget the bytes, keep the memory and the `max`; `failed` becomes false. */
void prof_buf_clear(struct prof_buf *buf);

void prof_buf_free(struct prof_buf *buf);

static inline void prof_buf_add(struct prof_buf *buf, const void *data, size_t len)
{
	if (len <= buf->cap - buf->len || prof_buf_reserve(buf, len)) {
		if (len > 0) {
			memcpy(buf->data + buf->len, data, len);
		}
		buf->len += len;
	}
}

static inline void prof_buf_addc(struct prof_buf *buf, char c)
{
	prof_buf_add(buf, &c, 1);
}

#endif

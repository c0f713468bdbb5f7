/* SPDX-License-Identifier: MIT */
/*
 * unpack.h - what the fuzz targets of decompressors share.
 */
#ifndef TESTS_FUZZ_UNPACK_H
#define TESTS_FUZZ_UNPACK_H

#include <assert.h>
#include <string.h>

#include "libprof/base/buf.h"
#include "libprof/base/source.h"
#include "libprof/base/text.h"

enum { UNPACK_MAX = 1 << 20 };

/* The source under test, over compressed bytes. */
typedef struct prof_source *unpack_fn(struct prof_window *in);

/* Bytes one at a time, without headroom or padding. */
struct unpack_drip {
	struct prof_source base;
	uint8_t *data;
	size_t len;
};

static inline bool unpack_drip_next(struct prof_source *source,
				    struct prof_chunk *chunk, struct prof_error *err)
{
	struct unpack_drip *drip = (struct unpack_drip *)source;

	(void)err;
	*chunk = (struct prof_chunk){ .data = drip->data, .len = drip->len > 0 };
	drip->data += chunk->len;
	drip->len -= chunk->len;
	return true;
}

static inline bool unpack_all(struct prof_source *raw, unpack_fn *unpack,
			      struct prof_buf *out, struct prof_error *err)
{
	struct prof_window in = prof_window(raw);
	struct prof_source *source = unpack(&in);
	struct prof_chunk chunk = { .len = 1 };
	bool ok = true;

	assert(source);
	while (ok && chunk.len > 0) {
		ok = source->next(source, &chunk, err);
		if (ok) {
			prof_buf_add(out, chunk.data, chunk.len);
		}
	}
	prof_source_free(source);
	prof_window_free(&in);
	assert(!out->failed);
	return ok;
}

/* Whole and dripping: the same bytes, the same verdict. */
static inline bool unpack_twice(const uint8_t *data, size_t size, unpack_fn *unpack,
				struct prof_buf *whole)
{
	struct unpack_drip drip = {
		.base = { .next = unpack_drip_next },
		.data = (uint8_t *)(uintptr_t)data,
		.len = size,
	};
	struct prof_source *memory = prof_source_memory(data, size);
	struct prof_buf dripped = { 0 };
	struct prof_error first = { 0 };
	struct prof_error second = { 0 };
	size_t len = 0;
	bool ok = false;

	assert(memory);
	ok = unpack_all(memory, unpack, whole, &first);
	assert(unpack_all(&drip.base, unpack, &dripped, &second) == ok);
	/* Data may break a limit and be damaged right behind it. */
	assert(first.code == PROF_ERR_LIMIT || second.code == PROF_ERR_LIMIT ||
	       strcmp(first.message, second.message) == 0);
	/* What came before a fault may end earlier where the library looks ahead. */
	assert(!ok || whole->len == dripped.len);
	len = whole->len < dripped.len ? whole->len : dripped.len;
	assert(len == 0 || memcmp(whole->data, dripped.data, len) == 0);
	prof_source_free(memory);
	prof_buf_free(&dripped);
	return ok;
}

static inline void unpack_both_ways(const uint8_t *data, size_t size, unpack_fn *unpack)
{
	struct prof_buf out = { 0 };

	(void)unpack_twice(data, size, unpack, &out);
	prof_buf_free(&out);
}

static inline void unpack_expect(const uint8_t *data, size_t size,
				 struct prof_text expected, unpack_fn *unpack)
{
	struct prof_buf out = { 0 };

	assert(unpack_twice(data, size, unpack, &out));
	assert(out.len == expected.len);
	assert(out.len == 0 || memcmp(out.data, expected.data, out.len) == 0);
	prof_buf_free(&out);
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * slurp.h - everything a source or a file holds, for tests.
 */
#ifndef TESTS_SLURP_H
#define TESTS_SLURP_H

#include <stdio.h>
#include <stdlib.h>

#include "libprof/base/buf.h"
#include "libprof/base/source.h"
#include "tests/test.h"

/* Append all bytes of `source`, which is freed, to `out`. NULL is out of memory. */
static inline bool slurp(struct prof_source *source, struct prof_buf *out,
			 struct prof_error *err)
{
	struct prof_chunk chunk = { .len = 1 };
	bool ok = source || prof_fail_nomem(err);

	while (ok && chunk.len > 0) {
		ok = source->next(source, &chunk, err);
		if (ok) {
			prof_buf_add(out, chunk.data, chunk.len);
		}
	}
	if (ok && out->failed) {
		ok = prof_fail_nomem(err);
	}
	prof_source_free(source);
	return ok;
}

/* The bytes of testdata/`name`; the caller frees them. */
static inline struct prof_buf slurp_file(const char *name)
{
	const char *data = getenv("DATA");
	struct prof_buf path = { 0 };
	struct prof_buf out = { 0 };
	FILE *file = NULL;
	char piece[4096];
	size_t n = 0;

	prof_buf_addf(&path, "%s/%s", data ? data : "testdata", name);
	prof_buf_addc(&path, '\0');
	file = fopen(path.data, "rb");
	prof_buf_free(&path);
	assert_non_null(file);
	while ((n = fread(piece, 1, sizeof(piece), file)) > 0) {
		prof_buf_add(&out, piece, n);
	}
	fclose(file);
	assert_false(out.failed);
	return out;
}

#endif

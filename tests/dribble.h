/* SPDX-License-Identifier: MIT */
/*
 * dribble.h - a source that gives `step` bytes at a time and means it.
 *
 *	struct dribble in = dribble("main 1\n", 7, 1);
 *	struct prof_window window = prof_window(&in.base);
 *	...
 *	prof_source_free(&in.base);
 *
 * Every chunk is a block of its own without headroom or padding, freed as early as
 * source.h allows, so that the address sanitizer sees who looks longer or further. With
 * `broken` set it fails at the end instead of ending.
 */
#ifndef TESTS_DRIBBLE_H
#define TESTS_DRIBBLE_H

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "libprof/base/source.h"

struct dribble {
	struct prof_source base;
	const char *data;
	size_t len;
	size_t step;
	bool broken;
	uint8_t *blocks[2];
};

static inline bool dribble_next(struct prof_source *source, struct prof_chunk *chunk,
				struct prof_error *err)
{
	struct dribble *in = (struct dribble *)source;
	size_t n = in->len < in->step ? in->len : in->step;

	if (n == 0 && in->broken) {
		return prof_fail(err, PROF_ERR_IO, "cannot read: broken");
	}
	free(in->blocks[1]);
	in->blocks[1] = in->blocks[0];
	in->blocks[0] = malloc(n > 0 ? n : 1);
	assert(in->blocks[0]);
	if (n > 0) {
		memcpy(in->blocks[0], in->data, n);
	}
	in->data += n;
	in->len -= n;
	*chunk = (struct prof_chunk){ .data = in->blocks[0], .len = n };
	return true;
}

static inline void dribble_free(struct prof_source *source)
{
	struct dribble *in = (struct dribble *)source;

	free(in->blocks[0]);
	free(in->blocks[1]);
}

static inline struct dribble dribble(const void *data, size_t len, size_t step)
{
	return (struct dribble){
		.base = { .next = dribble_next, .free = dribble_free },
		.data = data,
		.len = len,
		.step = step,
	};
}

#endif

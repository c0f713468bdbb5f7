/* SPDX-License-Identifier: MIT */
/*
 * zlib_memory.h - zlib on the allocator of this tree.
 */
#ifndef PROF_FORMATS_ZLIB_MEMORY_H
#define PROF_FORMATS_ZLIB_MEMORY_H

#include <zlib.h>

#include "libprof/base/alloc.h"

static inline void *prof_zlib_alloc(void *nothing, uInt count, uInt size)
{
	(void)nothing;
	return prof_alloc_array(count, size);
}

static inline void prof_zlib_free(void *nothing, void *data)
{
	(void)nothing;
	prof_free(data);
}

/* A stream to hand to inflateInit2() or deflateInit2(). */
static inline z_stream prof_zlib_stream(void)
{
	return (z_stream){ .zalloc = prof_zlib_alloc, .zfree = prof_zlib_free };
}

#endif

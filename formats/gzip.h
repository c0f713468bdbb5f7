/* SPDX-License-Identifier: MIT */
/*
 * gzip.h - inflating and deflating: zlib, or ISA-L where the build found it.
 *
 * Reading takes every member one after the other, as gzip -d does, and checks CRC32
 * and length of each. Zero bytes after the last member are padding and ignored; other
 * bytes there are ignored too, but remembered: see `trailing`.
 *
 * Errors:  SYNTAX for what is not gzip, cut short or fails its check, with the offset
 *          in the compressed bytes; LIMIT for more output than allowed.
 * Source:  RFC 1952.
 */
#ifndef PROF_FORMATS_GZIP_H
#define PROF_FORMATS_GZIP_H

#include "libprof/base/buf.h"
#include "libprof/base/error.h"
#include "libprof/base/limits.h"
#include "libprof/base/source.h"
#include "libprof/base/text.h"

/*
 * The decompressed bytes of `in`, whose unread bytes start with 1f 8b. Borrows `in`,
 * which must outlive the source. `*trailing`, if not NULL, becomes the number of
 * bytes ignored after the last member once the end was read. NULL when out of memory.
 */
struct prof_source *prof_gzip_source(struct prof_window *in,
				     const struct prof_limits *limits,
				     uint64_t *trailing);

/*
 * Append `data` to `out` as one gzip member: no name, time 0, the same bytes for the
 * same zlib, however many threads there are. `level` 1 (fast) to 9 (small), 0 for 4.
 */
bool prof_gzip_write(struct prof_text data, int level, struct prof_buf *out,
		     struct prof_error *err) PROF_NODISCARD;

/* Which library inflates: "isa-l 2.30" or "zlib 1.2.13". */
const char *prof_gzip_library(void);

#endif

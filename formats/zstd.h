/* SPDX-License-Identifier: MIT */
/*
 * zstd.h - Zstandard in and out, through libzstd.
 *
 * Reading takes frames one after the other, skippable ones too, checksums checked,
 * windows up to 128 MiB. Errors as in gzip.h. Source: RFC 8878.
 */
#ifndef PROF_FORMATS_ZSTD_H
#define PROF_FORMATS_ZSTD_H

#include "libprof/base/buf.h"
#include "libprof/base/error.h"
#include "libprof/base/limits.h"
#include "libprof/base/source.h"
#include "libprof/base/text.h"

/* As prof_gzip_source(); the unread bytes start with 28 b5 2f fd or 5x 2a 4d 18. */
struct prof_source *prof_zstd_source(struct prof_window *in,
				     const struct prof_limits *limits);

/* Append `data` to `out` as one frame with its size and checksum; level 0 = 3. */
bool prof_zstd_write(struct prof_text data, int level, struct prof_buf *out,
		     struct prof_error *err) PROF_NODISCARD;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * open.h - from raw bytes to the format that reads them: decompress, then detect.
 *
 *	struct prof_stream *stream = NULL;
 *	prof_stream_open(source, &limits, &stream, err);
 *	prof_stream_read(stream, sink, err);
 *	prof_stream_free(stream);
 *
 * Compression is undone first, up to PROF_MAX_LAYERS deep, on a thread of its own when
 * the input is large. The format is found by content, never by name.
 *
 * Errors:  UNSUPPORTED names what the bytes are when no format claims them; SYNTAX and
 *          LIMIT from decompressors and readers.
 */
#ifndef PROF_FORMATS_OPEN_H
#define PROF_FORMATS_OPEN_H

#include "formats/format.h"
#include "libprof/base/limits.h"

struct prof_stream;

/*
 * Start reading `source`, which stays the caller's and must outlive the stream. With
 * `as` not NULL nothing is detected: that format reads.
 */
bool prof_stream_open(struct prof_source *source, const struct prof_limits *limits,
		      const struct prof_format *as, struct prof_stream **out,
		      struct prof_error *err) PROF_NODISCARD;

/* The format that will read, and the compression: "gzip", "zstd+gzip", "none". */
const struct prof_format *prof_stream_format(const struct prof_stream *stream);
const char *prof_stream_compression(const struct prof_stream *stream);

/* Deliver everything to `sink`. Once per stream. */
bool prof_stream_read(struct prof_stream *stream, struct prof_sink *sink,
		      struct prof_error *err) PROF_NODISCARD;

/* After reading: decompressed bytes, and bytes ignored behind the last gzip member. */
uint64_t prof_stream_bytes(const struct prof_stream *stream);
uint64_t prof_stream_trailing(const struct prof_stream *stream);

/* NULL is fine. */
void prof_stream_free(struct prof_stream *stream);

#endif

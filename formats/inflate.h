/* SPDX-License-Identifier: MIT */
/*
 * inflate.h - raw deflate data, by the library the build found.
 *
 * What is inside one gzip member between its header and its trailer: gzip.c does those.
 * Implemented by gzip_isal.c or gzip_zlib.c. Source: RFC 1951.
 */
#ifndef PROF_FORMATS_INFLATE_H
#define PROF_FORMATS_INFLATE_H

#include <stddef.h>
#include <stdint.h>

enum prof_inflate_result {
	PROF_INFLATE_MORE, /* needs more input, or more room for output */
	PROF_INFLATE_DONE, /* the data ended; all output was given */
	PROF_INFLATE_BAD,
	PROF_INFLATE_NOMEM,
};

struct prof_inflate_io {
	const uint8_t *in; /* advanced over what was taken */
	size_t in_len;
	uint8_t *out; /* advanced over what was made */
	size_t out_len;
};

enum { PROF_INFLATE_AHEAD = 8 }; /* bytes that may be taken past the end */

struct prof_inflate;

/* NULL when out of memory. */
struct prof_inflate *prof_inflate_new(void);
void prof_inflate_free(struct prof_inflate *engine);

/* Begin anew. */
void prof_inflate_reset(struct prof_inflate *engine);

enum prof_inflate_result prof_inflate_step(struct prof_inflate *engine,
					   struct prof_inflate_io *io);

/* CRC32 of the output so far. */
uint32_t prof_inflate_crc(const struct prof_inflate *engine);

/* After DONE: copy the bytes taken past the end to `bytes`; how many there are. */
size_t prof_inflate_ahead(const struct prof_inflate *engine,
			  uint8_t bytes[PROF_INFLATE_AHEAD]);

/* "isa-l 2.30.0" */
const char *prof_inflate_library(void);

#endif

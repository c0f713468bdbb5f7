/* SPDX-License-Identifier: MIT */
#include "formats/inflate.h"

#ifndef PROF_HAVE_ISAL

#	include <limits.h>
#	include <zlib.h>

#	include "formats/zlib_memory.h"
#	include "libprof/base/alloc.h"

struct prof_inflate {
	z_stream stream;
	uint32_t crc;
};

struct prof_inflate *prof_inflate_new(void)
{
	struct prof_inflate *engine = prof_alloc(sizeof(*engine));

	if (!engine) {
		return NULL;
	}
	*engine = (struct prof_inflate){ .stream = prof_zlib_stream() };
	if (inflateInit2(&engine->stream, -MAX_WBITS) != Z_OK) {
		prof_free(engine);
		return NULL;
	}
	return engine;
}

void prof_inflate_free(struct prof_inflate *engine)
{
	if (engine) {
		inflateEnd(&engine->stream);
		prof_free(engine);
	}
}

void prof_inflate_reset(struct prof_inflate *engine)
{
	inflateReset(&engine->stream);
	engine->crc = 0;
}

static uInt at_most_1g(size_t len)
{
	return len < UINT32_C(1) << 30 ? (uInt)len : UINT32_C(1) << 30;
}

enum prof_inflate_result prof_inflate_step(struct prof_inflate *engine,
					   struct prof_inflate_io *io)
{
	z_stream *stream = &engine->stream;
	uInt in_len = at_most_1g(io->in_len);
	uInt out_len = at_most_1g(io->out_len);
	uInt made = 0;
	int result = 0;

	/* The library only reads there. */
	stream->next_in = (Bytef *)(uintptr_t)io->in;
	stream->avail_in = in_len;
	stream->next_out = io->out;
	stream->avail_out = out_len;
	result = inflate(stream, Z_NO_FLUSH);
	made = out_len - stream->avail_out;
	engine->crc = (uint32_t)crc32(engine->crc, io->out, made);
	io->in += in_len - stream->avail_in;
	io->in_len -= in_len - stream->avail_in;
	io->out += made;
	io->out_len -= made;
	switch (result) {
	case Z_STREAM_END:
		return PROF_INFLATE_DONE;
	case Z_OK:
	case Z_BUF_ERROR:
		return PROF_INFLATE_MORE;
	case Z_MEM_ERROR:
		return PROF_INFLATE_NOMEM;
	default:
		return PROF_INFLATE_BAD;
	}
}

uint32_t prof_inflate_crc(const struct prof_inflate *engine)
{
	return engine->crc;
}

size_t prof_inflate_ahead(const struct prof_inflate *engine,
			  uint8_t bytes[PROF_INFLATE_AHEAD])
{
	(void)engine;
	(void)bytes;
	return 0;
}

const char *prof_inflate_library(void)
{
	return "zlib " ZLIB_VERSION;
}

#endif

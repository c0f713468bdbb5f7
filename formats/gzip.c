/* SPDX-License-Identifier: MIT */
/*
 * A gzip file is members, one behind the other (RFC 1952, section 2.3):
 *
 *	bytes   what
 *	2       1f 8b
 *	1       method: 8 = deflate
 *	1       flags: 02 header CRC, 04 extra field, 08 name, 10 comment
 *	6       time, level, system: of no interest
 *	2 + n   extra field: length, bytes		if flagged, each
 *	n + 1   name
 *	n + 1   comment
 *	2       low half of the CRC32 of the header so far
 *	...     deflate data
 *	4       CRC32 of what was deflated
 *	4       its length, modulo 2^32
 */
#include "formats/gzip.h"

#include <string.h>
#include <zlib.h>

#include "formats/budget.h"
#include "formats/inflate.h"
#include "libprof/base/alloc.h"

enum {
	HEADER_SIZE = 10,
	TRAILER_SIZE = 8,
	METHOD_DEFLATE = 8,
};

enum {
	FLAG_CRC = 1 << 1,
	FLAG_EXTRA = 1 << 2,
	FLAG_NAME = 1 << 3,
	FLAG_COMMENT = 1 << 4,
	FLAGS_RESERVED = 7 << 5,
};

enum place {
	AT_HEADER,
	AT_DATA,
	AT_TRAILER,
	AT_NEXT, /* behind a member: another one, padding, or the end */
	AT_END,
};

struct gzip {
	struct prof_source base;
	struct prof_window *in;
	struct prof_budget budget;
	struct prof_inflate *engine;
	uint64_t *trailing; /* may be NULL */
	uint64_t start;     /* of the first member in the offsets of `in` */
	uint64_t made;      /* bytes of all members */
	uint64_t member;    /* bytes of this one, which starts at ... */
	uint64_t member_offset;
	uint32_t header_crc;
	enum place place;
};

static bool bad(uint64_t offset, const char *what, struct prof_error *err)
{
	return prof_fail_at(err, PROF_ERR_SYNTAX, offset, "%s", what);
}

static bool cut_short(const struct gzip *gzip, struct prof_error *err)
{
	return prof_fail_at(err, PROF_ERR_SYNTAX, gzip->in->offset + gzip->in->len,
			    "gzip data is cut short");
}

static uint64_t taken(const struct gzip *gzip)
{
	return gzip->in->offset - gzip->start;
}

/* More input, which must be there: an endless header or padding ends at the limit. */
static bool more(struct gzip *gzip, struct prof_error *err)
{
	return prof_window_more(gzip->in, err) &&
	       prof_budget_check(&gzip->budget, gzip->made, taken(gzip) + gzip->in->len,
				 err);
}

static bool need(struct gzip *gzip, size_t len, struct prof_error *err)
{
	if (!prof_window_need(gzip->in, len, err)) {
		return false;
	}
	return gzip->in->len >= len || cut_short(gzip, err);
}

static void skip_header(struct gzip *gzip, size_t len)
{
	gzip->header_crc = (uint32_t)crc32(gzip->header_crc, gzip->in->data, (uInt)len);
	prof_window_skip(gzip->in, len);
}

static uint32_t little_endian(const uint8_t *bytes, size_t len)
{
	uint32_t number = 0;

	for (size_t i = 0; i < len; i++) {
		number |= (uint32_t)bytes[i] << 8 * i;
	}
	return number;
}

static bool skip_extra(struct gzip *gzip, struct prof_error *err)
{
	size_t len = 0;

	if (!need(gzip, 2, err)) {
		return false;
	}
	len = little_endian(gzip->in->data, 2);
	skip_header(gzip, 2);
	if (!need(gzip, len, err)) {
		return false;
	}
	skip_header(gzip, len);
	return true;
}

/* Skip to behind the next NUL. A name may be as long as it likes. */
static bool skip_name(struct gzip *gzip, struct prof_error *err)
{
	const uint8_t *end = NULL;

	while (true) {
		size_t len = gzip->in->len < 4096 ? gzip->in->len : 4096;

		end = len > 0 ? memchr(gzip->in->data, 0, len) : NULL;
		if (end) {
			skip_header(gzip, (size_t)(end - gzip->in->data) + 1);
			return true;
		}
		skip_header(gzip, len);
		if (len == 0 && gzip->in->ended) {
			return cut_short(gzip, err);
		}
		if (len == 0 && !more(gzip, err)) {
			return false;
		}
	}
}

static bool check_header_crc(struct gzip *gzip, struct prof_error *err)
{
	if (!need(gzip, 2, err)) {
		return false;
	}
	if (little_endian(gzip->in->data, 2) != (gzip->header_crc & 0xffff)) {
		return bad(gzip->in->offset, "gzip header checksum does not match",
			   err);
	}
	prof_window_skip(gzip->in, 2);
	return true;
}

static bool read_header(struct gzip *gzip, struct prof_error *err)
{
	uint8_t flags = 0;

	if (!need(gzip, HEADER_SIZE, err)) {
		return false;
	}
	if (gzip->in->data[0] != 0x1f || gzip->in->data[1] != 0x8b) {
		return bad(gzip->in->offset, "not gzip data", err);
	}
	if (gzip->in->data[2] != METHOD_DEFLATE) {
		return bad(gzip->in->offset, "gzip header with an unknown method", err);
	}
	gzip->member_offset = gzip->in->offset;
	flags = gzip->in->data[3];
	if (flags & FLAGS_RESERVED) {
		return bad(gzip->in->offset, "gzip header with unknown flags", err);
	}
	gzip->header_crc = 0;
	skip_header(gzip, HEADER_SIZE);
	if (((flags & FLAG_EXTRA) && !skip_extra(gzip, err)) ||
	    ((flags & FLAG_NAME) && !skip_name(gzip, err)) ||
	    ((flags & FLAG_COMMENT) && !skip_name(gzip, err)) ||
	    ((flags & FLAG_CRC) && !check_header_crc(gzip, err))) {
		return false;
	}
	prof_inflate_reset(gzip->engine);
	gzip->member = 0;
	gzip->place = AT_DATA;
	return true;
}

static bool read_data(struct gzip *gzip, struct prof_inflate_io *io,
		      struct prof_error *err)
{
	struct prof_window *in = gzip->in;
	size_t room = io->out_len;
	enum prof_inflate_result result = PROF_INFLATE_MORE;
	size_t used = 0;

	if (in->len == 0 && !more(gzip, err)) {
		return false;
	}
	io->in = in->data;
	io->in_len = in->len;
	result = prof_inflate_step(gzip->engine, io);
	used = in->len - io->in_len;
	prof_window_skip(in, used);
	gzip->member += room - io->out_len;
	gzip->made += room - io->out_len;
	switch (result) {
	case PROF_INFLATE_DONE:
		gzip->place = AT_TRAILER;
		return true;
	case PROF_INFLATE_MORE:
		if (used > 0 || room > io->out_len) {
			return true;
		}
		return in->ended ? cut_short(gzip, err) : more(gzip, err);
	case PROF_INFLATE_NOMEM:
		return prof_fail_nomem(err);
	case PROF_INFLATE_BAD:
		break;
	}
	/* How far the library came says nothing and depends on how the bytes came. */
	return bad(gzip->member_offset, "the gzip data that starts here is damaged",
		   err);
}

static bool check_trailer(struct gzip *gzip, struct prof_error *err)
{
	uint8_t trailer[TRAILER_SIZE + PROF_INFLATE_AHEAD];
	size_t len = prof_inflate_ahead(gzip->engine, trailer);
	size_t missing = len < TRAILER_SIZE ? TRAILER_SIZE - len : 0;
	uint64_t offset = gzip->in->offset - len;

	if (!need(gzip, missing, err)) {
		return false;
	}
	if (missing > 0) {
		memcpy(trailer + len, gzip->in->data, missing);
	}
	if (little_endian(trailer, 4) != prof_inflate_crc(gzip->engine)) {
		return bad(offset, "gzip checksum does not match", err);
	}
	if (little_endian(trailer + 4, 4) != (uint32_t)gzip->member) {
		return bad(offset, "gzip length does not match", err);
	}
	prof_window_skip(gzip->in, missing);
	gzip->place = AT_NEXT;
	return true;
}

/* Tapes are padded with zeros; anything else is worth a word. */
static bool read_trailing(struct gzip *gzip, struct prof_error *err)
{
	struct prof_window *in = gzip->in;
	uint64_t count = 0;

	while (true) {
		size_t zeros = 0;

		while (count == 0 && zeros < in->len && in->data[zeros] == 0) {
			zeros++;
		}
		count += in->len - zeros;
		prof_window_skip(in, in->len);
		if (in->ended) {
			break;
		}
		if (!more(gzip, err)) {
			return false;
		}
	}
	if (gzip->trailing) {
		*gzip->trailing = count;
	}
	gzip->place = AT_END;
	return true;
}

static bool read_next(struct gzip *gzip, struct prof_error *err)
{
	struct prof_window *in = gzip->in;

	if (!prof_window_need(in, 2, err) ||
	    !prof_budget_check(&gzip->budget, gzip->made, taken(gzip), err)) {
		return false;
	}
	if (in->len >= 2 && in->data[0] == 0x1f && in->data[1] == 0x8b) {
		gzip->place = AT_HEADER;
		return true;
	}
	return read_trailing(gzip, err);
}

static bool step(struct gzip *gzip, struct prof_inflate_io *io, struct prof_error *err)
{
	switch (gzip->place) {
	case AT_HEADER:
		return read_header(gzip, err);
	case AT_DATA:
		return read_data(gzip, io, err);
	case AT_TRAILER:
		return check_trailer(gzip, err);
	case AT_NEXT:
		return read_next(gzip, err);
	case AT_END:
		break;
	}
	return true;
}

/* Always fills all of `out` but at the end: chunks do not depend on how bytes came. */
static bool gzip_fill(struct prof_source *source, uint8_t *out, size_t cap, size_t *len,
		      struct prof_error *err)
{
	struct gzip *gzip = (struct gzip *)source;
	struct prof_inflate_io io = { .out = out, .out_len = cap };

	while (gzip->place != AT_END && io.out_len > 0) {
		if (!step(gzip, &io, err)) {
			return false;
		}
	}
	*len = cap - io.out_len;
	return prof_budget_check(&gzip->budget, gzip->made, taken(gzip), err);
}

static void gzip_stop(struct prof_source *source)
{
	prof_source_stop(((struct gzip *)source)->in->source);
}

static void gzip_free(struct prof_source *source)
{
	struct gzip *gzip = (struct gzip *)source;

	prof_inflate_free(gzip->engine);
	prof_free(gzip);
}

struct prof_source *prof_gzip_source(struct prof_window *in,
				     const struct prof_limits *limits,
				     uint64_t *trailing)
{
	struct gzip *gzip = prof_alloc(sizeof(*gzip));
	struct prof_inflate *engine = prof_inflate_new();

	if (!gzip || !engine) {
		prof_inflate_free(engine);
		prof_free(gzip);
		return NULL;
	}
	*gzip = (struct gzip){
		.base = { .next = prof_source_next_filled,
			  .fill = gzip_fill,
			  .stop = gzip_stop,
			  .free = gzip_free },
		.in = in,
		.budget = prof_budget(limits),
		.engine = engine,
		.trailing = trailing,
		.start = in->offset,
	};
	return &gzip->base;
}

const char *prof_gzip_library(void)
{
	return prof_inflate_library();
}

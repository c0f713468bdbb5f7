/* SPDX-License-Identifier: MIT */
/*
 * delimited.c - profiles one after the other, each behind its length.
 *
 *	length (varint)  Profile  length  Profile ...
 *
 * What Java's writeDelimitedTo and Go's protodelim write. A message is read by the pprof
 * reader through a source that ends where the message does, so nothing is copied and
 * each profile is delivered before the next is looked at.
 */
#include <inttypes.h>

#include "formats/format.h"
#include "formats/wire.h"
#include "libprof/base/alloc.h"

/* The next `left` bytes of a window as a source. */
struct part {
	struct prof_source base;
	struct prof_window *in;
	uint64_t left;
	size_t shown; /* bytes of the window that the last chunk was */
};

static bool cut_short(const struct prof_window *in, uint64_t left,
		      struct prof_error *err)
{
	return prof_fail_at(err, PROF_ERR_SYNTAX, in->offset,
			    "the input ends %" PRIu64 " bytes before the message does",
			    left);
}

static bool part_next(struct prof_source *source, struct prof_chunk *chunk,
		      struct prof_error *err)
{
	struct part *part = (struct part *)source;
	struct prof_window *in = part->in;
	size_t len = 0;

	prof_window_skip(in, part->shown);
	part->shown = 0;
	if (part->left == 0) {
		*chunk = (struct prof_chunk){ 0 };
		return true;
	}
	if (in->len == 0 && !prof_window_more(in, err)) {
		return false;
	}
	if (in->len == 0) {
		return cut_short(in, part->left, err);
	}
	len = part->left < in->len ? (size_t)part->left : in->len;
	/* Without headroom nobody writes to what a chunk shows. */
	*chunk = (struct prof_chunk){
		.data = (uint8_t *)(uintptr_t)in->data,
		.len = len,
		.padded = in->padded || in->len - len >= PROF_SOURCE_PAD,
	};
	part->shown = len;
	part->left -= len;
	return true;
}

static void part_free(struct prof_source *source)
{
	(void)source; /* lives on the stack */
}

static bool read_message(struct prof_window *in, uint64_t len, struct prof_sink *out,
			 struct prof_error *err)
{
	struct part part = {
		.base = { .next = part_next, .free = part_free, .size_hint = len },
		.in = in,
		.left = len,
	};
	struct prof_window window = prof_window(&part.base);
	bool done = false;

	window.offset = in->offset;
	done = prof_format_pprof.read(&window, out, err);
	prof_window_free(&window);
	if (done) {
		prof_window_skip(in, part.shown);
	}
	return done;
}

static bool read_length(struct prof_window *in, uint64_t *len, struct prof_error *err)
{
	struct prof_wire wire = { 0 };

	if (!prof_window_need(in, PROF_WIRE_MAX_VARINT, err)) {
		return false;
	}
	if (in->len == 0) {
		*len = 0;
		return true;
	}
	wire = (struct prof_wire){ in->data, in->data + in->len };
	if (!prof_wire_varint(&wire, len)) {
		return prof_fail_at(err, PROF_ERR_SYNTAX, in->offset,
				    "the length of a message has %s",
				    in->len < PROF_WIRE_MAX_VARINT
					    ? "no end"
					    : "more than 10 bytes");
	}
	if (*len == 0) {
		return prof_fail_at(err, PROF_ERR_SYNTAX, in->offset,
				    "the message is empty");
	}
	prof_window_skip(in, (size_t)(wire.at - in->data));
	return true;
}

static bool read_stream(struct prof_window *in, struct prof_sink *out,
			struct prof_error *err)
{
	uint64_t count = 0;
	uint64_t len = 0;

	while (true) {
		if (!read_length(in, &len, err)) {
			return false;
		}
		if (len == 0) {
			break;
		}
		if (!read_message(in, len, out, err)) {
			return false;
		}
		count++;
	}
	return count > 0 || prof_fail(err, PROF_ERR_SYNTAX, "the input is empty");
}

/*
 * A plain profile that begins 0a (a sample type) would be a message of 10 bytes that is
 * no profile. A stream has two bits more than its first message, for the length.
 */
static int bid(struct prof_head head)
{
	enum { LENGTH_BITS = 2, CUT_BITS = 5 };
	struct prof_wire wire = { head.data, head.data + head.len };
	uint64_t len = 0;
	size_t left = 0;
	int bits = 0;

	if (head.len == 0 || !prof_wire_varint(&wire, &len)) {
		return 0;
	}
	left = (size_t)(wire.end - wire.at);
	if (len == 0 || left == 0) {
		return 0;
	}
	bits = prof_format_pprof.bid((struct prof_head){
		wire.at, len < left ? (size_t)len : left, len <= left });
	if (bits == 0) {
		return 0;
	}
	return len > left && head.whole ? CUT_BITS : bits + LENGTH_BITS;
}

const struct prof_format prof_format_delimited = {
	.name = "delimited",
	.summary = "profile.proto messages, each behind its length",
	.extensions = "delimited",
	.detected = "a length, and a profile of that length",
	.bid = bid,
	.read = read_stream,
};

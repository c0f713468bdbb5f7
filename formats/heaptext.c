/* SPDX-License-Identifier: MIT */
/*
 * heaptext.c - heap profiles as text: of gperftools and tcmalloc, and of Go (debug=1).
 *
 *	heap profile:    802:  1675519 [ 12760: 19145910] @ heap_v2/524288
 *	   399:  1660887 [   900:  4366350] @ 0x562c022f0fc5 0x562c022f22fc ...
 *	# comment
 *	MAPPED_LIBRARIES:
 *	... memory map
 *
 * A line has the objects in use, their bytes, and in brackets all ever allocated. What
 * stands behind '@' in the first line says how they were found:
 *
 *	heap_v2/R heapz_v2/R   sampled, one in R bytes: counts are scaled up
 *	heap/R                 by Go, where R is twice that
 *	heapprofile            not sampled
 *	growth[z]              of the heap itself
 *	fragmentation[z]
 *
 * When the brackets of the first line repeat what is in use, or are zero, there are the
 * columns objects and space; else alloc_ and inuse_ of both. A label "bytes" has the
 * average size of an object. Go adds rows with symbols as comments; they are not used.
 */
#include "formats/format.h"
#include "formats/legacy.h"
#include "formats/legacy_text.h"

#define BLANKS_HEX " x0123456789abcdef"

enum { SHOWN = 60 }; /* bytes of the input in a message */

struct heap_header {
	struct prof_text kind; /* heap..., growth or fragmentation */
	struct prof_text rate; /* or empty */
	bool has_alloc;
};

/* COUNT: SIZE [COUNT: SIZE], the digits of each. */
struct quad {
	struct prof_text in_use[2];
	struct prof_text total[2];
};

static bool take_pair(struct prof_cursor *at, struct prof_text pair[2],
		      bool (*take)(struct prof_cursor *, struct prof_text *))
{
	if (!take(at, &pair[0]) || !prof_take(at, ":")) {
		return false;
	}
	prof_take_blanks(at);
	return take(at, &pair[1]);
}

static bool take_quad(struct prof_cursor *at, struct quad *out,
		      bool (*take)(struct prof_cursor *, struct prof_text *))
{
	if (!take_pair(at, out->in_use, take)) {
		return false;
	}
	prof_take_blanks(at);
	if (!prof_take(at, "[")) {
		return false;
	}
	prof_take_blanks(at);
	if (!take_pair(at, out->total, prof_take_digits)) {
		return false;
	}
	prof_take_blanks(at);
	return prof_take(at, "]");
}

static bool take_kind(struct prof_cursor *at, struct heap_header *out)
{
	const char *start = at->at;

	if (prof_take(at, "growth") || prof_take(at, "fragmentation")) {
		out->kind = (struct prof_text){ start, (size_t)(at->at - start) };
		out->rate.len = 0;
		return true;
	}
	if (!prof_take(at, "heap")) {
		return false;
	}
	(void)prof_take_set(at, "_abcdefghijklmnopqrstuvwxyz0123456789", &out->kind);
	out->kind = (struct prof_text){ start, (size_t)(at->at - start) };
	out->rate.len = 0;
	(void)prof_take(at, "/");
	(void)prof_take_digits(at, &out->rate);
	return true;
}

/* Whether allocations are told apart from what is in use: by text, as pprof does. */
static bool is_news(struct prof_text total, struct prof_text in_use)
{
	return !prof_text_equal(total, in_use) &&
	       !prof_text_equal(total, prof_text("0"));
}

static bool parse_header(struct prof_text line, struct heap_header *out)
{
	struct prof_cursor next = prof_cursor(line);

	while (prof_find(&next, "heap profile:")) {
		struct prof_cursor at = next;
		struct quad quad;

		prof_take_blanks(&at);
		if (!take_quad(&at, &quad, prof_take_digits)) {
			continue;
		}
		prof_take_blanks(&at);
		if (!prof_take(&at, "@")) {
			continue;
		}
		prof_take_blanks(&at);
		if (take_kind(&at, out)) {
			out->has_alloc = is_news(quad.total[0], quad.in_use[0]) ||
					 is_news(quad.total[1], quad.in_use[1]);
			return true;
		}
	}
	return false;
}

/* --- samples ----------------------------------------------------------------------- */

struct heap_reader {
	struct prof_legacy *legacy;
	struct prof_text_lines *lines;
	bool has_alloc;
	bool sampled;
	int64_t rate;
};

static bool is_kind(const struct heap_header *header, const char *kind)
{
	return prof_text_equal(header->kind, prof_text(kind));
}

static bool set_up(struct heap_reader *reader, const struct heap_header *header,
		   struct prof_error *err)
{
	reader->rate = 1;
	if (is_kind(header, "heap") || is_kind(header, "heap_v2") ||
	    is_kind(header, "heapz_v2")) {
		reader->sampled = true;
		reader->rate = 0;
		if (header->rate.len > 0 &&
		    !prof_legacy_int(header->rate, &reader->rate)) {
			return prof_text_lines_fail(
				reader->lines, err, PROF_ERR_LIMIT,
				"the sampling rate does not fit 64 bits");
		}
		reader->rate /= is_kind(header, "heap") ? 2 : 1;
	} else if (is_kind(header, "growth") || is_kind(header, "fragmentation")) {
		reader->has_alloc = false;
	} else if (!is_kind(header, "heapprofile")) {
		return prof_text_lines_fail(
			reader->lines, err, PROF_ERR_UNSUPPORTED,
			"heap profile of an unknown kind '%.*s'",
			(int)(header->kind.len < SHOWN ? header->kind.len : SHOWN),
			header->kind.data);
	}
	return true;
}

static void declare(const struct heap_reader *reader)
{
	struct prof_legacy *legacy = reader->legacy;
	struct prof_text count = prof_text("count");
	struct prof_text bytes = prof_text("bytes");

	if (reader->has_alloc) {
		prof_legacy_type(legacy, prof_text("alloc_objects"), count);
		prof_legacy_type(legacy, prof_text("alloc_space"), bytes);
		prof_legacy_type(legacy, prof_text("inuse_objects"), count);
		prof_legacy_type(legacy, prof_text("inuse_space"), bytes);
	} else {
		prof_legacy_type(legacy, prof_text("objects"), count);
		prof_legacy_type(legacy, prof_text("space"), bytes);
	}
	prof_legacy_period(legacy, "space", "bytes", reader->rate);
	legacy->has_blocks = true;
}

/* Numbers and addresses of a sample wherever it is in the line. */
static bool match_sample(struct prof_text line, struct quad *quad,
			 struct prof_text *addresses)
{
	struct prof_cursor at = prof_cursor(line);

	addresses->len = 0;
	while (at.at < at.end) {
		struct prof_cursor behind = at;
		struct prof_text skipped;

		if (take_quad(&behind, quad, prof_take_number) &&
		    prof_take(&behind, " @")) {
			(void)prof_take_set(&behind, BLANKS_HEX, addresses);
			return true;
		}
		/* a run of digits that is no beginning has none inside */
		if (!prof_take_number(&at, &skipped)) {
			at.at++;
		}
	}
	return false;
}

/* Read one pair of numbers; `*block` becomes the size of an object, if any. */
static bool parse_pair(const struct heap_reader *reader, const struct prof_text pair[2],
		       int64_t values[2], int64_t *block, struct prof_error *err)
{
	if (!prof_legacy_int(pair[0], &values[0]) ||
	    !prof_legacy_int(pair[1], &values[1]) ||
	    (values[1] == INT64_MIN && values[0] == -1)) {
		return prof_text_lines_fail(reader->lines, err, PROF_ERR_LIMIT,
					    "a number does not fit 64 bits");
	}
	if (values[0] == 0 && values[1] != 0) {
		return prof_text_lines_fail(reader->lines, err, PROF_ERR_SYNTAX,
					    "%lld bytes in no objects",
					    (long long)values[1]);
	}
	if (values[0] != 0) {
		*block = values[1] / values[0];
	}
	if (reader->sampled &&
	    !prof_legacy_unsample(&values[0], &values[1], reader->rate)) {
		return prof_text_lines_fail(
			reader->lines, err, PROF_ERR_LIMIT,
			"scaled up by the sampling rate %lld, a number "
			"does not fit 64 bits",
			(long long)reader->rate);
	}
	return true;
}

static bool read_sample(const struct heap_reader *reader, struct prof_text line,
			struct prof_error *err)
{
	struct prof_legacy *legacy = reader->legacy;
	struct prof_text addresses;
	int64_t values[4] = { 0 };
	int64_t block = 0;
	struct quad quad;

	if (!match_sample(line, &quad, &addresses)) {
		return prof_text_lines_fail(
			reader->lines, err, PROF_ERR_SYNTAX,
			"no heap sample 'N: BYTES [N: BYTES] @ ...'");
	}
	if (reader->has_alloc && !parse_pair(reader, quad.total, values, &block, err)) {
		return false;
	}
	if (!parse_pair(reader, quad.in_use, values + (reader->has_alloc ? 2 : 0),
			&block, err)) {
		return false;
	}
	if (!prof_legacy_frames(legacy, addresses, false, err) ||
	    !prof_legacy_sample(legacy, values, block, err)) {
		prof_text_lines_locate(reader->lines, err);
		return false;
	}
	return true;
}

static bool read_samples(const struct heap_reader *reader, struct prof_error *err)
{
	struct prof_text line;

	while (true) {
		if (!prof_text_lines_next(reader->lines, &line, err)) {
			return false;
		}
		if (!line.data || prof_memmap_is_heading(line)) {
			return true;
		}
		if (!prof_legacy_is_comment(line) && !read_sample(reader, line, err)) {
			return false;
		}
	}
}

static bool read_profile(struct heap_reader *reader, struct prof_error *err)
{
	struct heap_header header;
	struct prof_text line;

	if (!prof_text_lines_next(reader->lines, &line, err)) {
		return false;
	}
	if (!line.data || !parse_header(line, &header)) {
		return prof_text_lines_fail(reader->lines, err, PROF_ERR_SYNTAX,
					    "no header of a heap profile");
	}
	reader->has_alloc = header.has_alloc;
	if (!set_up(reader, &header, err)) {
		return false;
	}
	declare(reader);
	return read_samples(reader, err) &&
	       prof_legacy_finish(reader->legacy, reader->lines, err);
}

static bool heaptext_read(struct prof_window *in, struct prof_sink *out,
			  struct prof_error *err)
{
	struct prof_text_lines lines = prof_text_lines(in);
	struct prof_legacy legacy = { 0 };
	struct heap_reader reader = { .legacy = &legacy, .lines = &lines };
	bool ok = read_profile(&reader, err) && prof_legacy_send(&legacy, out, err);

	prof_legacy_free(&legacy);
	return ok;
}

static int heaptext_bid(struct prof_head head)
{
	struct prof_text rest = { (const char *)head.data, head.len };
	struct heap_header header;
	struct prof_text line;

	return prof_legacy_cut_line(&rest, &line) && parse_header(line, &header) ? 80
										 : 0;
}

const struct prof_format prof_format_heaptext = {
	.name = "heaptext",
	.summary = "heap profiles as text: gperftools, Go (debug=1)",
	.detected = "'heap profile: N: N [N: N] @' in the first line",
	.bid = heaptext_bid,
	.read = heaptext_read,
};

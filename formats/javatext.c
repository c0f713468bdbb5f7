/* SPDX-License-Identifier: MIT */
/*
 * javatext.c - heap and contention profiles of Java servers, from /heapz and
 * /contentionz.
 *
 *	--- heapz 1 ---				or --- contentionz 1 ---
 *	format = java
 *	resolution = bytes
 *	          7048     1 @ 0x00000003 0x00000004
 *	          4752     9 @ 0x0000002b 0x0000002c
 *
 *	 0x00000003 com.example.Function (Source.java:33)
 *	 0x00000004 com.example.stub (/usr/lib/libjvm.so)
 *
 * A sample is bytes and objects, or time waited, in the unit that the resolution says,
 * and times waited. Heap samples are one in 512 KiB and scaled up; contentions are
 * multiplied by the sampling period. Addresses are but names of the lines behind: they
 * are not kept.
 */
#include "formats/format.h"
#include "formats/legacy.h"
#include "formats/legacy_text.h"

#define SAMPLING_RATE INT64_C(524288)

enum { SHOWN = 60 }; /* bytes of the input in a message */

struct java_reader {
	struct prof_legacy *legacy;
	struct prof_text_lines *lines;
	bool heap;
};

static bool is_title(struct prof_text line, bool *heap)
{
	line = prof_legacy_trim(line);
	*heap = prof_text_equal(line, prof_text("--- heapz 1 ---"));
	return *heap || prof_text_equal(line, prof_text("--- contentionz 1 ---"));
}

/* --- attributes -------------------------------------------------------------------- */

/* "NAME = VALUE", where a value is letters, digits, underscores and blanks. */
static bool split_attribute(struct prof_text line, struct prof_text *name,
			    struct prof_text *value)
{
	struct prof_cursor at = prof_cursor(line);

	if (!prof_find(&at, "=")) {
		return false;
	}
	*name = prof_legacy_trim(
		(struct prof_text){ line.data, (size_t)(at.at - line.data) - 1 });
	(void)prof_take_space(&at);
	value->len = 0;
	(void)prof_take_set(&at,
			    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789_ ",
			    value);
	*value = prof_legacy_trim(*value);
	return true;
}

static void declare(const struct java_reader *reader, struct prof_text unit)
{
	struct prof_legacy *legacy = reader->legacy;

	legacy->type_count = 0;
	prof_legacy_type(legacy,
			 prof_text(reader->heap ? "inuse_objects" : "contentions"),
			 prof_text("count"));
	prof_legacy_type(legacy, prof_text(reader->heap ? "inuse_space" : "delay"),
			 unit);
}

static bool fail_attribute(const struct java_reader *reader, const char *what,
			   struct prof_text text, struct prof_error *err)
{
	return prof_text_lines_fail(reader->lines, err, PROF_ERR_SYNTAX, "%s '%.*s'",
				    what, (int)(text.len < SHOWN ? text.len : SHOWN),
				    text.data);
}

/* Those that only contention profiles have. */
static bool set_number(struct java_reader *reader, struct prof_text name,
		       struct prof_text value, struct prof_error *err)
{
	struct prof_header *header = &reader->legacy->header;
	bool period = prof_text_equal(name, prof_text("sampling period"));
	int64_t number = 0;

	if (reader->heap ||
	    (!period && !prof_text_equal(name, prof_text("ms since reset")))) {
		return fail_attribute(reader, "unknown attribute", name, err);
	}
	if (!prof_legacy_int_any(value, &number)) {
		return fail_attribute(reader, "bad number", value, err);
	}
	if (period) {
		prof_legacy_period(reader->legacy, "contentions", "count", number);
		return true;
	}
	if (__builtin_mul_overflow(number, 1000000, &header->duration_ns)) {
		return prof_text_lines_fail(reader->lines, err, PROF_ERR_LIMIT,
					    "the time does not fit 64 bits");
	}
	return true;
}

static bool set_attribute(struct java_reader *reader, struct prof_text name,
			  struct prof_text value, struct prof_error *err)
{
	if (prof_text_equal(name, prof_text("format"))) {
		return prof_text_equal(value, prof_text("java")) ||
		       fail_attribute(reader, "unknown format", value, err);
	}
	if (prof_text_equal(name, prof_text("resolution")) && value.len > 0) {
		declare(reader, value);
		return true;
	}
	return set_number(reader, name, value, err);
}

/* Up to the first line that is neither attribute nor blank, which comes again. */
static bool read_attributes(struct java_reader *reader, struct prof_error *err)
{
	struct prof_text name;
	struct prof_text value;
	struct prof_text line;

	while (true) {
		if (!prof_text_lines_next(reader->lines, &line, err)) {
			return false;
		}
		if (line.data && prof_legacy_trim(line).len == 0) {
			continue;
		}
		if (!line.data || !split_attribute(line, &name, &value)) {
			prof_text_lines_again(reader->lines);
			break;
		}
		if (!set_attribute(reader, name, value, err)) {
			return false;
		}
	}
	return reader->legacy->type_count > 0 ||
	       prof_text_lines_fail(reader->lines, err, PROF_ERR_SYNTAX,
				    "no attribute 'resolution' before the samples");
}

/* --- samples ----------------------------------------------------------------------- */

/* "SIZE COUNT @ ADDRESSES" wherever it is in the line. */
static bool match_sample(struct prof_text line, struct prof_text *size,
			 struct prof_text *count, struct prof_text *addresses)
{
	struct prof_cursor next = prof_cursor(prof_legacy_trim(line));

	while (next.at < next.end) {
		struct prof_cursor at = next;

		if (!prof_take_digits(&at, size)) {
			next.at++;
			continue;
		}
		next = at;
		if (!prof_take(&at, " ")) {
			continue;
		}
		prof_take_blanks(&at);
		if (!prof_take_digits(&at, count) || !prof_take(&at, " ")) {
			continue;
		}
		prof_take_blanks(&at);
		if (prof_take(&at, "@ ")) {
			addresses->len = 0;
			(void)prof_take_set(&at, " x0123456789abcdef", addresses);
			return true;
		}
	}
	return false;
}

/* Scale what was sampled up. */
static bool scale(const struct java_reader *reader, int64_t values[2])
{
	int64_t period = reader->legacy->header.period;

	if (reader->heap) {
		return prof_legacy_unsample(&values[0], &values[1], SAMPLING_RATE);
	}
	return period == 0 || (!__builtin_mul_overflow(values[0], period, &values[0]) &&
			       !__builtin_mul_overflow(values[1], period, &values[1]));
}

static bool add_sample(const struct java_reader *reader, struct prof_text size,
		       struct prof_text count, struct prof_text addresses,
		       struct prof_error *err)
{
	struct prof_legacy *legacy = reader->legacy;
	int64_t values[2] = { 0 };
	int64_t block = 0;
	bool fits =
		prof_legacy_int(count, &values[0]) && prof_legacy_int(size, &values[1]);

	if (fits && reader->heap && values[0] == 0) {
		return prof_text_lines_fail(reader->lines, err, PROF_ERR_SYNTAX,
					    "%lld bytes in no objects",
					    (long long)values[1]);
	}
	block = fits && reader->heap ? values[1] / values[0] : 0;
	if (!fits || !scale(reader, values)) {
		return prof_text_lines_fail(reader->lines, err, PROF_ERR_LIMIT,
					    "a number does not fit 64 bits");
	}
	if (!prof_legacy_frames_as_is(legacy, addresses, err) ||
	    !prof_legacy_sample(legacy, values, block, err)) {
		prof_text_lines_locate(reader->lines, err);
		return false;
	}
	return true;
}

/* Up to the first line that is neither sample nor blank, which comes again. */
static bool read_samples(const struct java_reader *reader, struct prof_error *err)
{
	struct prof_text size;
	struct prof_text count;
	struct prof_text addresses;
	struct prof_text line;

	while (true) {
		if (!prof_text_lines_next(reader->lines, &line, err)) {
			return false;
		}
		if (line.data && prof_legacy_trim(line).len == 0) {
			continue;
		}
		if (!line.data || !match_sample(line, &size, &count, &addresses)) {
			prof_text_lines_again(reader->lines);
			return true;
		}
		if (!add_sample(reader, size, count, addresses, err)) {
			return false;
		}
	}
}

static bool read_profile(struct java_reader *reader, struct prof_error *err)
{
	struct prof_legacy *legacy = reader->legacy;
	struct prof_text line;

	if (!prof_text_lines_next(reader->lines, &line, err)) {
		return false;
	}
	if (!line.data || !is_title(line, &reader->heap)) {
		return prof_text_lines_fail(reader->lines, err, PROF_ERR_SYNTAX,
					    "no title '--- heapz 1 ---'");
	}
	if (!read_attributes(reader, err)) {
		return false;
	}
	legacy->has_blocks = reader->heap;
	return read_samples(reader, err) &&
	       prof_legacy_read_symbols(legacy, reader->lines, err) &&
	       prof_legacy_finish(legacy, NULL, err);
}

static bool javatext_read(struct prof_window *in, struct prof_sink *out,
			  struct prof_error *err)
{
	struct prof_text_lines lines = prof_text_lines(in);
	struct prof_legacy legacy = { 0 };
	struct java_reader reader = { .legacy = &legacy, .lines = &lines };
	bool ok = read_profile(&reader, err) && prof_legacy_send(&legacy, out, err);

	prof_legacy_free(&legacy);
	return ok;
}

/* Less than contention.c for what could be either. */
static int javatext_bid(struct prof_head head)
{
	struct prof_text rest = { (const char *)head.data, head.len };
	struct prof_text line;
	bool heap = false;

	return prof_legacy_cut_line(&rest, &line) && is_title(line, &heap) ? 48 : 0;
}

const struct prof_format prof_format_javatext = {
	.name = "javatext",
	.summary = "heaps and waits for locks of Java servers",
	.detected = "'--- heapz 1 ---', or 'format = java' below",
	.bid = javatext_bid,
	.read = javatext_read,
};

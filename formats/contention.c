/* SPDX-License-Identifier: MIT */
/*
 * contention.c - where threads waited for locks: /contentionz of gperftools, mutex and
 * block profiles of Go (debug=1).
 *
 *	--- contentionz 1 ---			or --- mutex: or --- contention:
 *	cycles/second = 3201000000
 *	sampling period = 100
 *	ms since reset = 16502830
 *	discarded samples = 0
 *	  19490304       27 @ 0xbccc97 0xc61202 ...
 *	--- Memory map: ---
 *	...
 *
 * A sample is cycles waited, times waited, and the stack. Times are multiplied by the
 * sampling period, and so are cycles, which become nanoseconds, when it is known how many
 * make a second. Comments are skipped; Go puts symbols there.
 */
#include <string.h>

#include "formats/format.h"
#include "formats/legacy.h"
#include "formats/legacy_text.h"

struct contention_reader {
	struct prof_legacy *legacy;
	struct prof_text_lines *lines;
	int64_t cycles_per_second; /* 0 = unknown */
	int64_t period;
};

enum { SHOWN = 60 }; /* bytes of the input in a message */

static bool is_title(struct prof_text line)
{
	return prof_legacy_starts(line, "--- contentionz ") ||
	       prof_legacy_starts(line, "--- mutex:") ||
	       prof_legacy_starts(line, "--- contention:");
}

/* --- attributes -------------------------------------------------------------------- */

/* "NAME = VALUE"; false when the line has no '='. */
static bool split_attribute(struct prof_text line, struct prof_text *name,
			    struct prof_text *value)
{
	const char *equals = line.len > 0 ? memchr(line.data, '=', line.len) : NULL;
	size_t len = equals ? (size_t)(equals - line.data) : 0;

	if (!equals) {
		return false;
	}
	*name = prof_legacy_trim((struct prof_text){ line.data, len });
	*value = prof_legacy_trim((struct prof_text){ equals + 1, line.len - len - 1 });
	return true;
}

static bool is_java(struct prof_text name)
{
	return prof_text_equal(name, prof_text("format")) ||
	       prof_text_equal(name, prof_text("resolution"));
}

static bool set_attribute(struct contention_reader *reader, struct prof_text name,
			  struct prof_text value, struct prof_error *err)
{
	bool cycles = prof_text_equal(name, prof_text("cycles/second"));
	bool period = prof_text_equal(name, prof_text("sampling period"));
	bool age = prof_text_equal(name, prof_text("ms since reset"));
	struct prof_header *header = &reader->legacy->header;
	int64_t number = 0;

	if (prof_text_equal(name, prof_text("discarded samples"))) {
		return true;
	}
	if (!cycles && !period && !age) {
		return prof_text_lines_fail(
			reader->lines, err, PROF_ERR_SYNTAX, "unknown attribute '%.*s'",
			(int)(name.len < SHOWN ? name.len : SHOWN), name.data);
	}
	if (!prof_legacy_int_any(value, &number)) {
		return prof_text_lines_fail(
			reader->lines, err, PROF_ERR_SYNTAX, "bad number '%.*s'",
			(int)(value.len < SHOWN ? value.len : SHOWN), value.data);
	}
	if (age && __builtin_mul_overflow(number, 1000000, &header->duration_ns)) {
		return prof_text_lines_fail(reader->lines, err, PROF_ERR_LIMIT,
					    "the time does not fit 64 bits");
	}
	reader->cycles_per_second = cycles ? number : reader->cycles_per_second;
	reader->period = period ? number : reader->period;
	return true;
}

/* Up to the first line that is no attribute, which comes again. */
static bool read_attributes(struct contention_reader *reader, struct prof_error *err)
{
	struct prof_text name;
	struct prof_text value;
	struct prof_text line;

	while (true) {
		if (!prof_text_lines_next(reader->lines, &line, err)) {
			return false;
		}
		if (line.data && prof_legacy_is_comment(line)) {
			continue;
		}
		if (!line.data || !split_attribute(line, &name, &value)) {
			prof_text_lines_again(reader->lines);
			return true;
		}
		if (!set_attribute(reader, name, value, err)) {
			return false;
		}
	}
}

/* --- samples ----------------------------------------------------------------------- */

/* How many bytes of `text` before `end` are, at its end, decimal digits. */
static size_t digits_before(struct prof_text text, size_t end)
{
	size_t count = 0;

	while (count < end && text.data[end - count - 1] >= '0' &&
	       text.data[end - count - 1] <= '9') {
		count++;
	}
	return count;
}

/*
 * The two numbers before " @": with no blank between them the last digit is the second,
 * as a regular expression finds it.
 */
static bool match_numbers(struct prof_text line, size_t end, struct prof_text *cycles,
			  struct prof_text *count)
{
	size_t second = digits_before(line, end);
	size_t blanks = 0;
	size_t first = 0;

	while (end - second - blanks > 0 &&
	       line.data[end - second - blanks - 1] == ' ') {
		blanks++;
	}
	first = digits_before(line, end - second - blanks);
	if (first == 0 && second >= 2) {
		first = second - 1;
		second = 1;
		blanks = 0;
	}
	*count = (struct prof_text){ line.data + end - second, second };
	*cycles =
		(struct prof_text){ line.data + end - second - blanks - first, first };
	return first > 0 && second > 0;
}

static bool match_sample(struct prof_text line, struct prof_text *cycles,
			 struct prof_text *count, struct prof_text *addresses)
{
	struct prof_cursor at = prof_cursor(line);

	while (prof_find(&at, " @")) {
		size_t end = (size_t)(at.at - line.data) - 2;

		if (match_numbers(line, end, cycles, count)) {
			addresses->len = 0;
			(void)prof_take_set(&at, " x0123456789abcdef", addresses);
			return true;
		}
	}
	return false;
}

/* Scale what was sampled up; cycles become nanoseconds. */
static bool scale(const struct contention_reader *reader, int64_t *count,
		  int64_t *delay)
{
	double cycles_per_ns = (double)reader->cycles_per_second / 1e9;
	double period = (double)reader->period;

	if (reader->period <= 0) {
		return true;
	}
	if (reader->cycles_per_second > 0 &&
	    !prof_legacy_truncate((double)*delay * period / cycles_per_ns, delay)) {
		return false;
	}
	return !__builtin_mul_overflow(*count, reader->period, count);
}

static bool read_sample(const struct contention_reader *reader, struct prof_text line,
			struct prof_error *err)
{
	struct prof_legacy *legacy = reader->legacy;
	struct prof_text cycles;
	struct prof_text count;
	struct prof_text addresses;
	int64_t values[2] = { 0 };

	if (!match_sample(line, &cycles, &count, &addresses)) {
		return prof_text_lines_fail(reader->lines, err, PROF_ERR_SYNTAX,
					    "no sample 'CYCLES COUNT @ 0xADDRESS ...'");
	}
	if (!prof_legacy_int(count, &values[0]) ||
	    !prof_legacy_int(cycles, &values[1]) ||
	    !scale(reader, &values[0], &values[1])) {
		return prof_text_lines_fail(reader->lines, err, PROF_ERR_LIMIT,
					    "a number does not fit 64 bits");
	}
	if (!prof_legacy_frames(legacy, addresses, false, err) ||
	    !prof_legacy_sample(legacy, values, 0, err)) {
		prof_text_lines_locate(reader->lines, err);
		return false;
	}
	return true;
}

/* Read up to the end of the samples, and up to where the memory map begins. */
static bool read_samples(const struct contention_reader *reader, struct prof_error *err)
{
	struct prof_text line;

	while (true) {
		if (!prof_text_lines_next(reader->lines, &line, err)) {
			return false;
		}
		if (!line.data) {
			return true;
		}
		if (prof_legacy_starts(prof_legacy_trim(line), "---")) {
			prof_text_lines_again(reader->lines);
			return prof_memmap_skip_to(reader->lines, err);
		}
		if (!prof_legacy_is_comment(line) && !read_sample(reader, line, err)) {
			return false;
		}
	}
}

static bool read_profile(struct contention_reader *reader, struct prof_error *err)
{
	struct prof_legacy *legacy = reader->legacy;
	struct prof_text line;

	if (!prof_text_lines_next(reader->lines, &line, err)) {
		return false;
	}
	if (!line.data || !is_title(line)) {
		return prof_text_lines_fail(reader->lines, err, PROF_ERR_SYNTAX,
					    "no title '--- contentionz 1 ---'");
	}
	if (!read_attributes(reader, err)) {
		return false;
	}
	prof_legacy_type(legacy, prof_text("contentions"), prof_text("count"));
	prof_legacy_type(legacy, prof_text("delay"), prof_text("nanoseconds"));
	prof_legacy_period(legacy, "contentions", "count", reader->period);
	return read_samples(reader, err) &&
	       prof_legacy_finish(legacy, reader->lines, err);
}

static bool contention_read(struct prof_window *in, struct prof_sink *out,
			    struct prof_error *err)
{
	struct prof_text_lines lines = prof_text_lines(in);
	struct prof_legacy legacy = { 0 };
	struct contention_reader reader = { .legacy = &legacy,
					    .lines = &lines,
					    .period = 1 };
	bool ok = read_profile(&reader, err) && prof_legacy_send(&legacy, out, err);

	prof_legacy_free(&legacy);
	return ok;
}

/* Those of Java begin with the same line: their attributes tell. */
static int contention_bid(struct prof_head head)
{
	struct prof_text rest = { (const char *)head.data, head.len };
	struct prof_text name;
	struct prof_text value;
	struct prof_text line;

	if (!prof_legacy_cut_line(&rest, &line) || !is_title(line)) {
		return 0;
	}
	while (prof_legacy_cut_line(&rest, &line)) {
		if (prof_legacy_is_comment(line)) {
			continue;
		}
		if (!split_attribute(line, &name, &value)) {
			break;
		}
		if (is_java(name)) {
			return 0;
		}
	}
	return 56;
}

const struct prof_format prof_format_contention = {
	.name = "contention",
	.summary = "waits for locks: gperftools, Go (debug=1)",
	.detected = "'--- contentionz ', '--- mutex:'",
	.bid = contention_bid,
	.read = contention_read,
};

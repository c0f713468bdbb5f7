/* SPDX-License-Identifier: MIT */
/*
 * countprofile.c - profiles that count stacks, as Go writes them with debug=1:
 * goroutine, threadcreate and those a program makes itself.
 *
 *	goroutine profile: total 16
 *	5 @ 0x43a436 0x407bbb 0x4076f8 0x4f397f 0x4694e1
 *	# labels: {"route":"/items"}
 *	#	0x4f397e	main.main.func2+0x1e	/tmp/w/main.go:114
 *
 * The first word is the type of the one column. Blank lines and rows with '#' say
 * nothing here: as in google/pprof, addresses are what counts, and symbols come from the
 * program. A line that begins with "---" ends the samples; a memory map may follow.
 *
 * Go writes "7 @" for stacks it does not know; google/pprof refuses those.
 */
#include "formats/format.h"
#include "formats/legacy.h"
#include "formats/legacy_text.h"

/* "TYPE profile: total N" and nothing else. */
static bool parse_header(struct prof_text line, struct prof_text *type)
{
	struct prof_cursor at = prof_cursor(line);
	struct prof_text total;

	return prof_take_word(&at, type) && prof_take(&at, " profile: total ") &&
	       prof_take_digits(&at, &total) && at.at == at.end;
}

/* "COUNT @" and addresses, a blank before each, and nothing else. */
static bool match_sample(struct prof_text line, struct prof_text *count,
			 struct prof_text *addresses)
{
	struct prof_cursor at = prof_cursor(line);
	struct prof_text digits;

	if (!prof_take_digits(&at, count) || !prof_take(&at, " @")) {
		return false;
	}
	*addresses = prof_cursor_rest(&at);
	while (at.at < at.end) {
		if (!prof_take(&at, " 0x") ||
		    !prof_take_set(&at, "0123456789abcdef", &digits)) {
			return false;
		}
	}
	return true;
}

static bool read_sample(struct prof_legacy *legacy, struct prof_text_lines *lines,
			struct prof_text line, struct prof_error *err)
{
	struct prof_text addresses;
	struct prof_text count;
	int64_t value = 0;

	if (!match_sample(line, &count, &addresses)) {
		return prof_text_lines_fail(lines, err, PROF_ERR_SYNTAX,
					    "no sample 'COUNT @ 0xADDRESS ...'");
	}
	if (!prof_legacy_int(count, &value)) {
		return prof_text_lines_fail(lines, err, PROF_ERR_LIMIT,
					    "the count does not fit 64 bits");
	}
	if (!prof_legacy_frames(legacy, addresses, false, err) ||
	    !prof_legacy_sample(legacy, &value, 0, err)) {
		prof_text_lines_locate(lines, err);
		return false;
	}
	return true;
}

/* Read up to the end of the samples, and up to where the memory map begins. */
static bool read_samples(struct prof_legacy *legacy, struct prof_text_lines *lines,
			 struct prof_error *err)
{
	struct prof_text line;

	while (true) {
		if (!prof_text_lines_next(lines, &line, err)) {
			return false;
		}
		if (!line.data) {
			return true;
		}
		if (prof_legacy_starts(line, "---")) {
			prof_text_lines_again(lines);
			return prof_memmap_skip_to(lines, err);
		}
		if (!prof_legacy_is_comment(line) &&
		    !read_sample(legacy, lines, line, err)) {
			return false;
		}
	}
}

static bool read_header(struct prof_legacy *legacy, struct prof_text_lines *lines,
			struct prof_error *err)
{
	struct prof_text line;
	struct prof_text type;

	do {
		if (!prof_text_lines_next(lines, &line, err)) {
			return false;
		}
	} while (line.data && prof_legacy_is_comment(line));
	if (!line.data || !parse_header(line, &type)) {
		return prof_text_lines_fail(lines, err, PROF_ERR_SYNTAX,
					    "no header 'TYPE profile: total N'");
	}
	prof_legacy_type(legacy, type, prof_text("count"));
	legacy->header.period_type = legacy->types[0];
	legacy->header.period = 1;
	return true;
}

static bool countprofile_read(struct prof_window *in, struct prof_sink *out,
			      struct prof_error *err)
{
	struct prof_text_lines lines = prof_text_lines(in);
	struct prof_legacy legacy = { 0 };
	bool ok = read_header(&legacy, &lines, err) &&
		  read_samples(&legacy, &lines, err) &&
		  prof_legacy_finish(&legacy, &lines, err) &&
		  prof_legacy_send(&legacy, out, err);

	prof_legacy_free(&legacy);
	return ok;
}

static int countprofile_bid(struct prof_head head)
{
	struct prof_text text = { (const char *)head.data, head.len };
	struct prof_text type;

	return parse_header(prof_legacy_first_line(text), &type) ? 72 : 0;
}

const struct prof_format prof_format_countprofile = {
	.name = "countprofile",
	.summary = "goroutines and other counts of Go (debug=1)",
	.detected = "'NAME profile: total N' in the first line",
	.bid = countprofile_bid,
	.read = countprofile_read,
};

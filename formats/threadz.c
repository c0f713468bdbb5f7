/* SPDX-License-Identifier: MIT */
/*
 * threadz.c - the stacks of all threads of a server, from its page /threadz.
 *
 *	--- threadz 1 ---
 *
 *	--- Thread 7eff063d9940 (name: main/25376) stack: ---
 *	  PC:  0x00bc8f1c: helper(arg*)
 *	  0x0040be31: main
 *	--- Thread 7eff04e97700 (name: worker/25379) stack: ---
 *	  [same as previous thread]
 *	--- Memory map: ---
 *	...
 *
 * Every 0x... of a thread's lines is a frame, leaf first. The first line may be missing;
 * between it and the threads may stand anything that does not begin with '-'. The
 * threads end with a memory map or with "---- no stack trace for": a list that just
 * ends is cut short.
 */
#include "formats/format.h"
#include "formats/legacy.h"
#include "formats/legacy_text.h"

/* "--- threadz N ---" wherever it is in the line. */
static bool is_title(struct prof_text line)
{
	struct prof_cursor next = prof_cursor(line);

	while (prof_find(&next, "--- threadz ")) {
		struct prof_cursor at = next;
		struct prof_text number;

		if (prof_take_digits(&at, &number) && prof_take(&at, " ---")) {
			return true;
		}
	}
	return false;
}

/* "NAME/ID) stack: ---", where the name may be anything. */
static bool has_thread_end(struct prof_cursor rest)
{
	while (prof_find(&rest, "/")) {
		struct prof_cursor at = rest;
		struct prof_text number;

		if (prof_take_digits(&at, &number) && prof_take(&at, ") stack: ---")) {
			return true;
		}
	}
	return false;
}

/* "--- Thread HEX (name: NAME/ID) stack: ---" wherever it is in the line. */
static bool is_thread(struct prof_text line)
{
	struct prof_cursor next = prof_cursor(line);

	while (prof_find(&next, "--- Thread ")) {
		struct prof_cursor at = next;
		struct prof_text thread;

		if (prof_take_hex(&at, &thread) && prof_take(&at, " (name: ")) {
			/* what does not end here does not end behind a later one */
			return has_thread_end(at);
		}
	}
	return false;
}

struct threadz_reader {
	struct prof_legacy *legacy;
	struct prof_text_lines *lines;
};

static bool fail_cut(const struct threadz_reader *reader, struct prof_error *err)
{
	return prof_text_lines_fail(
		reader->lines, err, PROF_ERR_SYNTAX,
		"the list of threads is cut short: neither a memory map "
		"nor '---- no stack trace for' ends it");
}

/* A stack without frames is the one before once more, said or not. */
static bool close_stack(struct prof_legacy *legacy, bool same, struct prof_error *err)
{
	static const int64_t one = 1;

	if (!same && legacy->frame_count > legacy->open) {
		return prof_legacy_sample(legacy, &one, 0, err);
	}
	prof_legacy_reopen(legacy);
	if (legacy->sample_count > 0) {
		legacy->samples[legacy->sample_count - 1].values[0]++;
	}
	return true;
}

/* The lines of one thread. The one that ends them comes again. */
static bool read_stack(const struct threadz_reader *reader, struct prof_error *err)
{
	struct prof_legacy *legacy = reader->legacy;
	struct prof_text line;
	bool same = false;

	while (true) {
		if (!prof_text_lines_next(reader->lines, &line, err)) {
			return false;
		}
		if (!line.data) {
			return fail_cut(reader, err);
		}
		if (prof_legacy_starts(prof_legacy_trim(line), "---")) {
			prof_text_lines_again(reader->lines);
			return close_stack(legacy, same, err);
		}
		same = same || prof_legacy_contains(line, "same as previous thread");
		if (!same && !prof_legacy_frames(legacy, line, true, err)) {
			prof_text_lines_locate(reader->lines, err);
			return false;
		}
	}
}

/* Thread after thread, and up to where the memory map begins. */
static bool read_threads(const struct threadz_reader *reader, struct prof_error *err)
{
	struct prof_text line;

	while (true) {
		if (!prof_text_lines_next(reader->lines, &line, err)) {
			return false;
		}
		if (!line.data) {
			return fail_cut(reader, err);
		}
		if (prof_memmap_is_heading(line)) {
			return true;
		}
		if (prof_legacy_starts(prof_legacy_trim(line),
				       "---- no stack trace for")) {
			return prof_memmap_skip_to(reader->lines, err);
		}
		if (!is_thread(line)) {
			return prof_text_lines_fail(reader->lines, err, PROF_ERR_SYNTAX,
						    "no thread '--- Thread HEX (name: "
						    "NAME/ID) stack: ---'");
		}
		if (!read_stack(reader, err)) {
			return false;
		}
	}
}

/* The title, if there is one, and what stands before the first thread. */
static bool read_title(const struct threadz_reader *reader, struct prof_error *err)
{
	struct prof_text line;
	bool titled = false;

	while (true) {
		if (!prof_text_lines_next(reader->lines, &line, err)) {
			return false;
		}
		if (!line.data) {
			return fail_cut(reader, err);
		}
		if (titled ? prof_legacy_starts(line, "-") ||
				     prof_memmap_is_heading(line)
			   : !is_title(line) && is_thread(line)) {
			prof_text_lines_again(reader->lines);
			return true;
		}
		if (!titled && !is_title(line) && !prof_legacy_is_comment(line)) {
			return prof_text_lines_fail(reader->lines, err, PROF_ERR_SYNTAX,
						    "no title '--- threadz N ---'");
		}
		titled = titled || is_title(line);
	}
}

static bool read_profile(const struct threadz_reader *reader, struct prof_error *err)
{
	struct prof_legacy *legacy = reader->legacy;

	prof_legacy_type(legacy, prof_text("thread"), prof_text("count"));
	prof_legacy_period(legacy, "thread", "count", 1);
	if (!read_title(reader, err) || !read_threads(reader, err) ||
	    !prof_legacy_finish(legacy, reader->lines, err)) {
		return false;
	}
	prof_legacy_cut_leaf_twice(legacy);
	return true;
}

static bool threadz_read(struct prof_window *in, struct prof_sink *out,
			 struct prof_error *err)
{
	struct prof_text_lines lines = prof_text_lines(in);
	struct prof_legacy legacy = { 0 };
	struct threadz_reader reader = { &legacy, &lines };
	bool ok = read_profile(&reader, err) && prof_legacy_send(&legacy, out, err);

	prof_legacy_free(&legacy);
	return ok;
}

static int threadz_bid(struct prof_head head)
{
	struct prof_text text = { (const char *)head.data, head.len };
	struct prof_text line = prof_legacy_first_line(text);

	return is_title(line) || is_thread(line) ? 64 : 0;
}

const struct prof_format prof_format_threadz = {
	.name = "threadz",
	.summary = "stacks of all threads, from /threadz",
	.detected = "'--- threadz N ---' or '--- Thread ...'",
	.bid = threadz_bid,
	.read = threadz_read,
};

/* SPDX-License-Identifier: MIT */
/*
 * folded.c - folded stacks ("collapsed"): one stack per line, root first, and a
 *count.
 *
 *	main;parse;strtol 3
 *	main;write 3
 *
 * Written by Brendan Gregg's stackcollapse scripts and their many heirs:
 *inferno, bcc, async-profiler, py-spy, austin, rbspy, heaptrack, uftrace.
 *Nobody specified it; this is what the dialects have in common, and what they
 *add:
 *
 *	line        stack, blanks (space or TAB), count; LF or CR LF; blank
 *lines are none names       any bytes but ';', LF and NUL; blanks and digits
 *too, so only the last token of a line is the count empty       frames at
 *either end are dropped, others become [unknown] count
 *-?digits(.digits)?(e-?digits)?; fractions are kept exactly, up to six
 *	            decimals: with k of them the unit is "count/10^k" (1.5 is 15
 *count/10) # text      a comment; the first 64 are kept. Those of austin say
 *what the counts are ("mode: wall") and how long it ran ("duration: N") a;b 3 5
 *differential, when every line has two counts: before and after cpu/ns n/m  as
 *the first line: the types of that many counts in each line name_[k]    an
 *annotation: k kernel, j compiled, i inlined, w waker, 0 interpreted, 1
 *compiled by C1. The function is called `name`, its system name keeps the
 *whole, and kernel functions belong to the mapping [kernel]
 *
 * A line that is none of these is an error: a count lost is a wrong profile.
 */
#include "formats/folded.h"

#include <stdio.h>
#include <string.h>

#include "formats/folded_reader.h"
#include "libprof/base/alloc.h"
#include "libprof/base/limits.h"

enum { SHOWN_TOKEN = 60 }; /* bytes of a bad count in a message */

static bool fail_count(const struct prof_folded_reader *reader, enum prof_code code,
		       struct prof_text token, struct prof_error *err)
{
	int len = (int)(token.len < SHOWN_TOKEN ? token.len : SHOWN_TOKEN);

	if (code == PROF_ERR_LIMIT) {
		return prof_fail_line(err, PROF_ERR_LIMIT, reader->number,
				      "sample count '%.*s' does not fit 64 bits", len,
				      token.data);
	}
	return prof_fail_line(err, PROF_ERR_SYNTAX, reader->number,
			      "bad sample count '%.*s'", len, token.data);
}

/* Cut one count off the end of `*rest`. */
static bool take_count(const struct prof_folded_reader *reader, struct prof_text *rest,
		       struct prof_folded_count *count, struct prof_error *err)
{
	struct prof_text stack;
	struct prof_text token;
	enum prof_code code;

	if (!prof_folded_split(*rest, &stack, &token)) {
		/* "12" is a count without a stack, "main" a stack without a count */
		return prof_fail_line(err, PROF_ERR_SYNTAX, reader->number,
				      prof_folded_count_parse(*rest, count) == PROF_OK
					      ? "no stack before the sample count"
					      : "no sample count after the stack");
	}
	code = prof_folded_count_parse(token, count);
	if (code != PROF_OK) {
		return fail_count(reader, code, token, err);
	}
	if (stack.len == 0) {
		return prof_fail_line(err, PROF_ERR_SYNTAX, reader->number,
				      "no stack before the sample count");
	}
	*rest = stack;
	return true;
}

static bool read_declared(struct prof_folded_reader *reader, struct prof_text rest,
			  struct prof_error *err)
{
	struct prof_folded_count counts[PROF_MAX_SAMPLE_TYPE];

	for (uint32_t i = reader->column_count; i-- > 0;) {
		if (!take_count(reader, &rest, &counts[i], err)) {
			return false;
		}
	}
	return prof_folded_add_sample(reader, rest, counts, err);
}

static bool read_sample(struct prof_folded_reader *reader, struct prof_text line,
			struct prof_error *err)
{
	struct prof_folded_count count;

	reader->started = true;
	if (reader->columns == FOLDED_COLUMNS_DECLARED) {
		return read_declared(reader, line, err);
	}
	if (!take_count(reader, &line, &count, err)) {
		return false;
	}
	if (reader->columns == FOLDED_COLUMNS_ONE) {
		return prof_folded_add_sample(reader, line, &count, err);
	}
	return prof_folded_add_undecided(reader, line, count, err);
}

/* The next token of a header line: "type/unit", with one slash: no path, no
 * markup. */
static bool take_type(struct prof_text *rest, struct prof_text *token)
{
	const char *slash = NULL;
	size_t i = 0;

	while (i < rest->len && rest->data[i] != ' ' && rest->data[i] != '\t') {
		i++;
	}
	*token = (struct prof_text){ rest->data, i };
	while (i < rest->len && (rest->data[i] == ' ' || rest->data[i] == '\t')) {
		i++;
	}
	*rest = (struct prof_text){ rest->data + i, rest->len - i };
	slash = memchr(token->data, '/', token->len);
	return slash && slash > token->data &&
	       !memchr(slash + 1, '/',
		       (size_t)(token->data + token->len - slash - 1)) &&
	       !memchr(token->data, ';', token->len);
}

/* How many types the line declares; 0 when it is none of types. */
static uint32_t header_types(struct prof_text line)
{
	struct prof_text token;
	uint32_t count = 0;

	while (line.len > 0 && count < PROF_MAX_SAMPLE_TYPE) {
		if (!take_type(&line, &token)) {
			return 0;
		}
		count++;
	}
	return line.len > 0 ? 0 : count;
}

static bool read_header(struct prof_folded_reader *reader, struct prof_text line,
			uint32_t count, struct prof_error *err)
{
	reader->declared =
		prof_arena_array(&reader->texts, count, sizeof(*reader->declared));
	line.data = prof_arena_copy(&reader->texts, line.data, line.len);
	if (!reader->declared || !line.data) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < count; i++) {
		take_type(&line, &reader->declared[i]);
	}
	reader->columns = FOLDED_COLUMNS_DECLARED;
	reader->column_count = count;
	reader->started = true;
	return true;
}

static bool starts_with(struct prof_text text, const char *prefix)
{
	size_t len = strlen(prefix);

	return text.len >= len && memcmp(text.data, prefix, len) == 0;
}

/* austin says in comments what it measured: "# mode: wall", "# duration:
 * 3000000". */
static void read_austin(struct prof_folded_reader *reader, struct prof_text text)
{
	static const char *const modes[][3] = {
		{ "mode: wall", "wall", "microseconds" },
		{ "mode: cpu", "cpu", "microseconds" },
		{ "mode: memory", "memory", "bytes" },
	};
	struct prof_folded_count duration;
	struct prof_text number = text;

	reader->austin |= starts_with(text, "austin: ");
	if (!reader->austin) {
		return;
	}
	for (size_t i = 0; !reader->started && i < sizeof(modes) / sizeof(modes[0]);
	     i++) {
		if (prof_text_equal(text, prof_text(modes[i][0]))) {
			reader->austin_type = modes[i][1];
			reader->austin_unit = modes[i][2];
		}
	}
	number.data += sizeof("duration: ") - 1;
	number.len -= sizeof("duration: ") - 1;
	if (starts_with(text, "duration: ") &&
	    prof_folded_count_parse(number, &duration) == PROF_OK &&
	    duration.decimals == 0 &&
	    __builtin_mul_overflow(duration.value, 1000, &reader->duration_ns)) {
		reader->duration_ns = 0;
	}
}

static bool read_comment(struct prof_folded_reader *reader, struct prof_text text,
			 struct prof_error *err)
{
	while (text.len > 0 && (*text.data == '#' || *text.data == ' ')) {
		text.data++;
		text.len--;
	}
	if (text.len == 0) {
		return true;
	}
	read_austin(reader, text);
	if (reader->comment_count == FOLDED_COMMENTS) {
		reader->comments_left_out += reader->comments_left_out < UINT32_MAX;
		return true;
	}
	text.data = prof_arena_copy(&reader->texts, text.data, text.len);
	if (!text.data) {
		return prof_fail_nomem(err);
	}
	reader->comments[reader->comment_count++] = text;
	return true;
}

static bool fail_long(struct prof_error *err, uint32_t number)
{
	return prof_fail_line(err, PROF_ERR_LIMIT, number, "a line of more than %u MiB",
			      (unsigned)(PROF_MAX_STRING >> 20));
}

static bool read_line(struct prof_folded_reader *reader, struct prof_text line,
		      struct prof_error *err)
{
	uint32_t types;

	reader->number += reader->number < UINT32_MAX;
	if (line.len > PROF_MAX_STRING) {
		return fail_long(err, reader->number);
	}
	if (reader->number == 1 && starts_with(line, "\xef\xbb\xbf")) {
		line.data += 3;
		line.len -= 3;
	}
	line = prof_folded_trim(line);
	if (line.len == 0) {
		return true;
	}
	if (line.data[0] == '#') {
		return read_comment(reader, line, err);
	}
	if (!reader->started && (types = header_types(line)) > 0) {
		return read_header(reader, line, types, err);
	}
	return read_sample(reader, line, err);
}

static bool read_lines(struct prof_folded_reader *reader, struct prof_error *err)
{
	struct prof_window *in = reader->in;
	size_t scanned = 0;

	while (true) {
		const char *data = (const char *)in->data;
		const char *end = in->len > scanned ? memchr(data + scanned, '\n',
							     in->len - scanned)
						    : NULL;

		if (end) {
			size_t len = (size_t)(end - data);

			if (!read_line(reader, (struct prof_text){ data, len }, err)) {
				return false;
			}
			prof_window_skip(in, len + 1);
			scanned = 0;
			continue;
		}
		scanned = in->len;
		if (in->ended) {
			break;
		}
		if (scanned > PROF_MAX_STRING) {
			return fail_long(err, reader->number + 1);
		}
		reader->line.data = NULL; /* the bytes may move */
		if (!prof_window_more(in, err)) {
			return false;
		}
	}
	return in->len == 0 ||
	       read_line(reader, (struct prof_text){ (const char *)in->data, in->len },
			 err);
}

static bool send_comments(struct prof_folded_reader *reader, uint32_t *refs,
			  uint32_t *count, struct prof_error *err)
{
	char text[80];

	for (uint32_t i = 0; i < reader->comment_count; i++) {
		if (!prof_folded_send_string(reader, reader->comments[i],
					     &refs[(*count)++], err)) {
			return false;
		}
	}
	if (reader->comments_left_out > 0) {
		snprintf(text, sizeof(text), "%u more comments were left out",
			 reader->comments_left_out);
		if (!prof_folded_send_string(reader, prof_text(text), &refs[(*count)++],
					     err)) {
			return false;
		}
	}
	if (reader->rounded) {
		snprintf(text, sizeof(text), "counts are rounded to %d decimals",
			 FOLDED_DECIMALS);
		return prof_folded_send_string(reader, prof_text(text),
					       &refs[(*count)++], err);
	}
	return true;
}

/* After the last line: everything that an early sink did not get before. */
static bool finish(struct prof_folded_reader *reader, struct prof_error *err)
{
	uint32_t comments[FOLDED_COMMENTS + 2];
	struct prof_header header = {
		.duration_ns = reader->duration_ns,
		.comments = comments,
	};

	if (reader->columns == FOLDED_COLUMNS_UNKNOWN) {
		reader->column_count = 1;
	}
	return send_comments(reader, comments, &header.comment_count, err) &&
	       prof_folded_send_tables(reader, err) &&
	       prof_folded_send_blocks(reader, err) &&
	       reader->out->end(reader->out, &header, err);
}

static void reader_free(struct prof_folded_reader *reader)
{
	while (reader->first) {
		struct prof_folded_block *block = reader->first;

		reader->first = block->next;
		prof_folded_block_free(block);
	}
	prof_folded_frames_free(&reader->frames);
	prof_free(reader->line.ends);
	prof_free(reader->line.ids);
	prof_free(reader->line.hashes);
	prof_buf_free(&reader->tails);
	prof_free(reader->tail_ends);
	prof_arena_free(&reader->texts);
}

static bool folded_read(struct prof_window *in, struct prof_sink *out,
			struct prof_error *err)
{
	struct prof_folded_reader reader = { .in = in, .out = out, .string_count = 1 };
	struct prof_text empty = { "", 0 };
	bool ok = out->begin(out, err) && out->strings(out, &empty, 1, err) &&
		  read_lines(&reader, err);

	if (ok && reader.number == 0) {
		ok = prof_fail(err, PROF_ERR_SYNTAX, "no bytes, so no stacks");
	}
	ok = ok && finish(&reader, err);
	reader_free(&reader);
	return ok;
}

/* What a line says for this format: 0 nothing, 1 a lone frame, 2 a stack. */
static int judge_line(struct prof_text line)
{
	struct prof_folded_count count;
	struct prof_text stack;
	struct prof_text token;

	if (!prof_folded_split(line, &stack, &token) || stack.len == 0 ||
	    prof_folded_count_parse(token, &count) == PROF_ERR_SYNTAX) {
		return 0;
	}
	return memchr(stack.data, ';', stack.len) ? 2 : 1;
}

/* A key or the end comes next, unlike in PHP's "{main};f 12". */
static bool starts_json(struct prof_text text)
{
	size_t at = 1;

	if (text.data[0] != '{') {
		return false;
	}
	while (at < text.len && (text.data[at] == ' ' || text.data[at] == '\t' ||
				 text.data[at] == '\r' || text.data[at] == '\n')) {
		at++;
	}
	return at == text.len || text.data[at] == '"' || text.data[at] == '}';
}

/*
 * The first three lines that are no comments decide. Text that ends in numbers
 * is common, so only a stack of two frames is evidence; a lone frame, and a
 * first line that goes on behind `head`, win where nothing else bids.
 */
static int folded_bid(struct prof_head head)
{
	struct prof_text rest = { (const char *)head.data, head.len };
	int lines = 0;
	int types = 0;
	int stacks = 0;
	int lone = 0;

	if (head.len == 0 || memchr(head.data, '\0', head.len) || starts_json(rest)) {
		return 0;
	}
	if (starts_with(rest, "# austin: ")) {
		return 16;
	}
	while (rest.len > 0 && lines < 3) {
		const char *end = memchr(rest.data, '\n', rest.len);
		size_t len = end ? (size_t)(end - rest.data) : rest.len;
		struct prof_text line =
			prof_folded_trim((struct prof_text){ rest.data, len });
		int verdict;

		if (!end && !head.whole) {
			return lines == 0 && memchr(line.data, ';', line.len)
				       ? 1
				       : stacks * 2;
		}
		rest.data += len + (end != NULL);
		rest.len -= len + (end != NULL);
		if (line.len == 0 || line.data[0] == '#') {
			continue;
		}
		if (lines == 0 && types == 0 && header_types(line) > 0) {
			types = 2; /* worth something only with stacks behind it */
			continue;
		}
		verdict = judge_line(line);
		lines++;
		stacks += verdict == 2;
		lone += verdict == 1;
	}
	if (stacks > 0) {
		return stacks * 2 + types;
	}
	return lines > 0 && lone == lines ? 1 + types : 0;
}

const struct prof_format prof_format_folded = {
	.name = "folded",
	.summary = "folded stacks: one stack and its count per line",
	.extensions = "folded collapsed",
	.detected = "lines of frames joined by ';' that end in a number",
	.bid = folded_bid,
	.read = folded_read,
	.write = prof_folded_write,
};

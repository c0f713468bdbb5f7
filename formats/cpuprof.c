/* SPDX-License-Identifier: MIT */
/*
 * cpuprof.c - the CPU profile of gperftools (CPUPROFILE=file), of its Java relatives and
 * of Go before profile.proto.
 *
 * Words have 4 or 8 bytes and the byte order of the machine:
 *
 *	header   0  3  kind  period  0     kind 0: native, 1: Java; period in us
 *	record   count  depth  address*    leaf first; one per distinct stack and buffer
 *	trailer  0  1  0
 *
 * and behind them text up to the end: /proc/self/maps (native), or a line for every
 * address (Java). As 64-bit little endian words, 10 samples of two frames at 100 Hz:
 *
 *	00 00 00 00 00 00 00 00  03 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00
 *	10 27 00 00 00 00 00 00  00 00 00 00 00 00 00 00
 *	0a 00 00 00 00 00 00 00  02 00 00 00 00 00 00 00  34 12 40 00 00 00 00 00 ...
 *
 * Callers' addresses are those of the instruction behind the call: one is taken off. In
 * native profiles the frames of the signal handler, if the unwinder left them in, are
 * taken out. A file without trailer ends where its last record does; one that ends in a
 * record is damaged.
 *
 * https://gperftools.github.io/gperftools/cpuprofile-fileformat.html
 */
#include "formats/format.h"
#include "formats/legacy.h"
#include "libprof/base/limits.h"

enum { HEADER_WORDS = 5 };

struct words {
	struct prof_window *in;
	size_t size; /* of a word: 4 or 8 */
	bool big;    /* endian */
};

struct cpu_header {
	bool java;
	uint64_t period_us;
};

static uint64_t load(const uint8_t *data, size_t size, bool big)
{
	uint64_t word = 0;

	for (size_t i = 0; i < size; i++) {
		word = word << 8 | data[big ? i : size - 1 - i];
	}
	return word;
}

/* What the bytes of a header mean with words of `size`; false when they mean nothing. */
static bool parse_header(struct prof_head head, size_t size, bool big,
			 struct cpu_header *out)
{
	uint64_t words[HEADER_WORDS];

	if (head.len < size * HEADER_WORDS) {
		return false;
	}
	for (size_t i = 0; i < HEADER_WORDS; i++) {
		words[i] = load(head.data + i * size, size, big);
	}
	if (words[0] != 0 || words[1] != 3 || words[2] > 1 || words[3] == 0 ||
	    words[4] != 0) {
		return false;
	}
	*out = (struct cpu_header){ .java = words[2] == 1, .period_us = words[3] };
	return true;
}

static bool find_header(struct prof_head head, struct words *words,
			struct cpu_header *out)
{
	for (unsigned i = 0; i < 4; i++) {
		words->size = i < 2 ? 4 : 8;
		words->big = i % 2 == 1;
		if (parse_header(head, words->size, words->big, out)) {
			return true;
		}
	}
	return false;
}

/* The next word, which must be there: a record that began at `start` has it. */
static bool take_word(struct words *words, uint64_t start, uint64_t *word,
		      struct prof_error *err)
{
	struct prof_window *in = words->in;

	if (in->len < words->size && !prof_window_need(in, words->size, err)) {
		return false;
	}
	if (in->len < words->size) {
		return prof_fail_at(err, PROF_ERR_SYNTAX, start, "record is cut short");
	}
	*word = load(in->data, words->size, words->big);
	prof_window_skip(in, words->size);
	return true;
}

static bool read_stack(struct words *words, struct prof_legacy *legacy, bool java,
		       uint64_t start, uint64_t depth, struct prof_error *err)
{
	for (uint64_t i = 0; i < depth; i++) {
		uint64_t address = 0;

		if (!take_word(words, start, &address, err) ||
		    !prof_legacy_frame(legacy, address - (i > 0 && !java), err)) {
			return false;
		}
	}
	return true;
}

static bool add_sample(struct prof_legacy *legacy, uint64_t start, uint64_t count,
		       struct prof_error *err)
{
	int64_t values[2] = { (int64_t)count };

	if (__builtin_mul_overflow(values[0], legacy->header.period, &values[1])) {
		return prof_fail_at(err, PROF_ERR_LIMIT, start,
				    "the time of %lld samples does not fit 64 bits",
				    (long long)values[0]);
	}
	return prof_legacy_sample(legacy, values, 0, err);
}

/* Whether the open stack is the trailer's: one frame, address 0. */
static bool is_trailer(const struct prof_legacy *legacy, uint64_t count)
{
	size_t open = legacy->open;

	return count == 0 && legacy->frame_count - open == 1 &&
	       legacy->locations[legacy->frames[open]].address == 0;
}

/* One record; `*ended` when it was the trailer, or when there is none. */
static bool read_record(struct words *words, struct prof_legacy *legacy, bool java,
			bool *ended, struct prof_error *err)
{
	struct prof_window *in = words->in;
	uint64_t start = in->offset;
	uint64_t count = 0;
	uint64_t depth = 0;

	if (in->len == 0 && !prof_window_need(in, 1, err)) {
		return false;
	}
	*ended = in->len == 0;
	if (*ended) {
		return true;
	}
	if (!take_word(words, start, &count, err) ||
	    !take_word(words, start, &depth, err)) {
		return false;
	}
	if (depth > PROF_MAX_DEPTH) {
		return prof_fail_at(err, PROF_ERR_LIMIT, start,
				    "a stack of more than %u frames", PROF_MAX_DEPTH);
	}
	if (!read_stack(words, legacy, java, start, depth, err)) {
		return false;
	}
	*ended = is_trailer(legacy, count);
	if (*ended) {
		prof_legacy_reopen(legacy);
		return true;
	}
	return add_sample(legacy, start, count, err);
}

static bool read_header(struct words *words, struct prof_legacy *legacy, bool *java,
			struct prof_error *err)
{
	struct prof_window *in = words->in;
	struct cpu_header header;
	int64_t period_ns = 0;

	if (!prof_window_need(in, HEADER_WORDS * sizeof(uint64_t), err)) {
		return false;
	}
	if (!find_header((struct prof_head){ .data = in->data, .len = in->len }, words,
			 &header)) {
		return prof_fail_at(err, PROF_ERR_SYNTAX, 0,
				    "no header of a CPU profile");
	}
	if (__builtin_mul_overflow(header.period_us, 1000, &period_ns)) {
		return prof_fail_at(err, PROF_ERR_LIMIT, words->size * 3,
				    "the sampling period does not fit 64 bits");
	}
	prof_window_skip(in, words->size * HEADER_WORDS);
	*java = header.java;
	prof_legacy_type(legacy, prof_text("samples"), prof_text("count"));
	prof_legacy_type(legacy, prof_text("cpu"), prof_text("nanoseconds"));
	prof_legacy_period(legacy, "cpu", "nanoseconds", period_ns);
	return true;
}

static bool read_profile(struct prof_window *in, struct prof_legacy *legacy,
			 struct prof_error *err)
{
	struct words words = { .in = in };
	struct prof_text_lines lines;
	bool java = false;
	bool ended = false;

	if (!read_header(&words, legacy, &java, err)) {
		return false;
	}
	while (!ended) {
		if (!read_record(&words, legacy, java, &ended, err)) {
			return false;
		}
	}
	lines = prof_text_lines(in);
	lines.offsets = true;
	if (java) {
		return prof_legacy_read_symbols(legacy, &lines, err) &&
		       prof_legacy_finish(legacy, NULL, err);
	}
	prof_legacy_cut_handler(legacy);
	if (!prof_legacy_finish(legacy, &lines, err)) {
		return false;
	}
	prof_legacy_cut_leaf_twice(legacy);
	return true;
}

static bool cpuprof_read(struct prof_window *in, struct prof_sink *out,
			 struct prof_error *err)
{
	struct prof_legacy legacy = { 0 };
	bool ok = read_profile(in, &legacy, err) && prof_legacy_send(&legacy, out, err);

	prof_legacy_free(&legacy);
	return ok;
}

static int cpuprof_bid(struct prof_head head)
{
	struct cpu_header header;
	struct words words = { 0 };

	return find_header(head, &words, &header) ? 8 * 4 * (HEADER_WORDS - 1) : 0;
}

const struct prof_format prof_format_cpuprof = {
	.name = "cpuprof",
	.summary = "CPU profiles of gperftools, native and Java",
	.detected = "five words: 0, 3, 0 or 1, period, 0",
	.bid = cpuprof_bid,
	.read = cpuprof_read,
};

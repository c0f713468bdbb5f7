/* SPDX-License-Identifier: MIT */
/*
 * folded.h - what the reader and the writer of folded stacks share.
 *
 * The format and its dialects are described in folded.c.
 */
#ifndef PROF_FORMATS_FOLDED_H
#define PROF_FORMATS_FOLDED_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/format.h"
#include "libprof/base/buf.h"
#include "libprof/base/error.h"
#include "libprof/base/text.h"

enum {
	FOLDED_DECIMALS = 6, /* of a fractional count; further ones are rounded off */
};

/* The stack of a sample without frames, and a frame without a name. */
#define FOLDED_EMPTY   "[empty]"
#define FOLDED_UNKNOWN "[unknown]"

/* A count: value / 10^decimals, with as few decimals as it needs. */
struct prof_folded_count {
	int64_t value;
	uint32_t decimals; /* 0 to FOLDED_DECIMALS */
	bool rounded;      /* it had more decimals than that */
};

/*
 * Read `text` as -?digits(.digits?)?([eE][+-]?digits)?: PROF_OK, PROF_ERR_SYNTAX, or
 * PROF_ERR_LIMIT when it does not fit int64.
 */
enum prof_code prof_folded_count_parse(struct prof_text text,
				       struct prof_folded_count *out);

/* Append value / 10^decimals without superfluous zeros. */
void prof_folded_count_add(struct prof_buf *out, int64_t value, uint32_t decimals);

/* 10^decimals; at most FOLDED_DECIMALS. */
int64_t prof_folded_power(uint32_t decimals);

/*
 * The decimals that a unit of the reader stands for: "count/100" has 2. Zero for any
 * other unit; `*base`, if not NULL, becomes the unit without them: "count".
 */
uint32_t prof_folded_unit_decimals(struct prof_text unit, struct prof_text *base);

/*
 * Length of `name` without the annotation at its end: _[k] kernel, _[j] compiled,
 * _[i] inlined, _[w] waker, _[0] interpreted, _[1] compiled by C1.
 */
size_t prof_folded_plain_len(struct prof_text name);

/* Cut blanks and CR off the end. */
struct prof_text prof_folded_trim(struct prof_text text);

/*
 * Split "STACK BLANKS TOKEN" into both; false without a blank. `*stack` is trimmed
 * and may be empty.
 */
bool prof_folded_split(struct prof_text line, struct prof_text *stack,
		       struct prof_text *token);

/* The writer; see format.h. */
bool prof_folded_write(const struct prof_profile *profile,
		       const struct prof_write_options *options, struct prof_buf *out,
		       struct prof_error *err) PROF_NODISCARD;

#endif

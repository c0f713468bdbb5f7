/* SPDX-License-Identifier: MIT */
/*
 * pattern.h - regular expressions over names, by PCRE2.
 *
 *	struct pattern focus = { 0 };
 *
 *	if (!pattern_init(&focus, "^runtime\\.", &err))
 *		...
 *	if (pattern_match(&focus, name.data, name.len))
 *	...
 *	pattern_free(&focus);
 *
 * Matches anywhere in the name unless anchored; letters are told apart unless the
 * expression begins with (?i). The syntax is that of Go's RE2 as far as PCRE2 has it:
 * back-references, look-around, recursion, conditions, callouts and control verbs are
 * refused, so what works here works in pprof. A name may hold any bytes: those that
 * are not UTF-8 match nothing but do not disturb the rest of the name.
 *
 * Errors:  SYNTAX "bad regular expression 'foo(': missing closing parenthesis at
 *          offset 4"; LIMIT for one that is absurdly large.
 * Limits:  matching gives up, as no match, beyond PATTERN_MATCH_LIMIT steps or 16 MiB,
 *          sooner when that happens often; pattern_gave_up() says how often, so that
 *          it can be told.
 * Threads: a pattern belongs to one thread at a time.
 * Cost:    ask once per distinct name, not once per sample.
 */
#ifndef FGTOOL_PATTERN_H
#define FGTOOL_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libprof/base/error.h"

enum {
	PATTERN_MAX_LEN = 1 << 16,    /* bytes of an expression */
	PATTERN_MATCH_LIMIT = 200000, /* steps of one match */
};

struct pattern {
	struct pattern_code *code; /* NULL when not set */
};

/* Compile `regex`. */
bool pattern_init(struct pattern *pattern, const char *regex,
		  struct prof_error *err) PROF_NODISCARD;

/* The same for a text that stands for itself, as grep -F. */
bool pattern_init_fixed(struct pattern *pattern, const char *text,
			struct prof_error *err) PROF_NODISCARD;

bool pattern_is_set(const struct pattern *pattern);

/* Whether it matches somewhere in the `len` bytes at `data`. */
bool pattern_match(const struct pattern *pattern, const char *data, size_t len);

/* How many names were too hard to decide and counted as no match. */
uint64_t pattern_gave_up(const struct pattern *pattern);

void pattern_free(struct pattern *pattern);

/* "10.42, jit" for `fgtool version --features`. */
const char *pattern_version(char *out, size_t size);

#endif

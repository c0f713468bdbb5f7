/* SPDX-License-Identifier: MIT */
/*
 * suggest.h - the nearest of some words to one that is unknown.
 *
 *	struct suggest near = suggest_for(prof_text("foucs"));
 *
 *	for (...)
 *		suggest_add(&near, prof_text(options[i].name));
 *	suggest_say(&near, "--", &message);      "; did you mean '--focus'?"
 *
 * Distance: insertions, deletions, substitutions and swaps of neighbours (optimal
 * string alignment, the usual reading of Damerau-Levenshtein), letter case free. A
 * word is near within max(1, length / 3) of them, or when it begins with what was
 * typed. The nearest three are kept; ties go by bytes, so the order in which words
 * are added does not matter.
 *
 * Cost:   O(length x distance) per word, nothing allocated: fit for 100,000 names.
 * Limits: words above SUGGEST_MAX_LEN bytes are never near.
 */
#ifndef FGTOOL_SUGGEST_H
#define FGTOOL_SUGGEST_H

#include <stddef.h>

#include "libprof/base/buf.h"
#include "libprof/base/text.h"

enum {
	SUGGEST_MAX = 3,
	SUGGEST_MAX_LEN = 128,
};

struct suggestion {
	struct prof_text word;
	size_t distance;
};

struct suggest {
	struct prof_text typed;
	size_t count;
	struct suggestion best[SUGGEST_MAX]; /* nearest first */
};

/* Nothing found yet for `typed`, which is borrowed. */
struct suggest suggest_for(struct prof_text typed);

/* Keep `word` (borrowed) if it is near, and nearer than what is kept. */
void suggest_add(struct suggest *near, struct prof_text word);

/*
 * The same for the name of a function: near when the whole is, or its last part alone
 * (`handle` of `net/http.(*conn).handle`, `run` of `ns::run(int)`).
 */
void suggest_add_name(struct suggest *near, struct prof_text name);

/*
 * Append "; did you mean 'a', 'b' or 'c'?", each word after `prefix`, or nothing when
 * nothing is near.
 */
void suggest_say(const struct suggest *near, const char *prefix, struct prof_buf *out);

/* For a NULL-ended list of words: the sentence of suggest_say(), in `out` of `size`. */
void suggest_words(const char *typed, const char *prefix, const char *const *words,
		   char *out, size_t size);

#endif

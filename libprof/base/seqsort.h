/* SPDX-License-Identifier: MIT */
/*
 * seqsort.h - sort sequences of numbers as a dictionary sorts words.
 *
 * Stacks are sequences of ids. Once sorted, equal ones are neighbours, those with a
 * common beginning stand together, and a tree of them is one linear pass: cheaper by
 * far than a hash table of (parent, frame).
 *
 *	(1 2 3)  (1)  (1 2)  (0 9)    becomes    (0 9)  (1)  (1 2)  (1 2 3)
 *
 * Order:   the first difference decides; a prefix comes first; equal sequences stand
 *          by id. Nothing else has an influence, so the result is unique.
 * Errors:  NOMEM.
 * Threads: safe.
 * Cost:    O(total length + count log count) expected, whatever the input, two
 *          numbers per comparison; 24 bytes per sequence while it runs; sorted input
 *          is found out in one pass. Depth costs no stack.
 * Source:  multikey quicksort: Bentley and Sedgewick, "Fast Algorithms for Sorting and
 *          Searching Strings", 1997.
 */
#ifndef PROF_BASE_SEQSORT_H
#define PROF_BASE_SEQSORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libprof/base/error.h"

struct prof_seq {
	const uint32_t *data; /* borrowed; numbers below UINT32_MAX */
	uint32_t len;
	uint32_t id; /* the caller's, should be distinct: breaks ties */
};

/*
 * Sort `seqs`. `backwards` reads every sequence from its end to its beginning: that
 * sorts stacks kept leaf first by their roots.
 */
bool prof_seqsort(struct prof_seq *seqs, size_t count, bool backwards,
		  struct prof_error *err) PROF_NODISCARD;

/* How many numbers `a` and `b` have in common from where they are read. */
uint32_t prof_seq_common(const struct prof_seq *a, const struct prof_seq *b,
			 bool backwards);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * asm.h - what a range of addresses costs.
 *
 *	401126  push %rbp              hits at 401127 and 401129 belong to the
 *	401127  mov %rsp,%rbp          instruction from 401127 to 40112a
 *	40112a  call 401106
 *
 * A hit is a node of a graph by address, at its address in the file. Samples of calls
 * lie between instructions: whoever asks for a range gets all that is in there.
 *
 * Units:   undivided; the *_div sums divide them, as in graph.h.
 * Owns:    nothing: nodes are the graph's, texts the profile's.
 * Errors:  LIMIT when a sum does not fit int64.
 * Source:  the sums of google/pprof -disasm: a frame that is there twice counts twice.
 */
#ifndef PROF_REPORT_ASM_H
#define PROF_REPORT_ASM_H

#include <stddef.h>
#include <stdint.h>

#include "libprof/base/error.h"
#include "libprof/base/text.h"
#include "libprof/report/graph.h"

struct prof_asm_hit {
	uint64_t address; /* in the file */
	const struct prof_graph_node *node;
};

struct prof_asm_sum {
	int64_t flat;
	int64_t flat_div;
	int64_t cum;
	int64_t cum_div;
	struct prof_text function; /* of the first hit that has one */
	struct prof_text file;
	int64_t line;
};

/* By address, then as frames compare, so that sums name the same place every time. */
void prof_asm_sort(struct prof_asm_hit *hits, size_t count);

/* The first of the sorted hits at `address` or behind; `count` when there is none. */
size_t prof_asm_first(const struct prof_asm_hit *hits, size_t count, uint64_t address);

/* What the sorted hits in [start, end) come to. */
bool prof_asm_add(const struct prof_asm_hit *hits, size_t count, uint64_t start,
		  uint64_t end, struct prof_asm_sum *out,
		  struct prof_error *err) PROF_NODISCARD;

#endif

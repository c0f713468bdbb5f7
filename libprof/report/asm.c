/* SPDX-License-Identifier: MIT */
#include "libprof/report/asm.h"

#include <stdlib.h>

static int compare_hits(const void *a, const void *b)
{
	const struct prof_asm_hit *x = a;
	const struct prof_asm_hit *y = b;
	int order = 0;

	if (x->address != y->address) {
		return x->address < y->address ? -1 : 1;
	}
	order = prof_text_compare(x->node->info.name, y->node->info.name);
	if (order == 0) {
		order = prof_text_compare(x->node->info.file, y->node->info.file);
	}
	if (order == 0) {
		order = (x->node->info.line > y->node->info.line) -
			(x->node->info.line < y->node->info.line);
	}
	return order;
}

void prof_asm_sort(struct prof_asm_hit *hits, size_t count)
{
	if (count > 0) {
		qsort(hits, count, sizeof(*hits), compare_hits);
	}
}

size_t prof_asm_first(const struct prof_asm_hit *hits, size_t count, uint64_t address)
{
	size_t low = 0;
	size_t high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (hits[middle].address < address) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static bool add_node(struct prof_asm_sum *sum, const struct prof_graph_node *node)
{
	if (sum->function.len == 0) {
		sum->function = node->info.name;
	}
	if (sum->file.len == 0) {
		sum->file = node->info.file;
	}
	if (sum->line == 0) {
		sum->line = node->info.line;
	}
	return !__builtin_add_overflow(sum->flat, node->flat, &sum->flat) &&
	       !__builtin_add_overflow(sum->flat_div, node->flat_div, &sum->flat_div) &&
	       !__builtin_add_overflow(sum->cum, node->cum, &sum->cum) &&
	       !__builtin_add_overflow(sum->cum_div, node->cum_div, &sum->cum_div);
}

bool prof_asm_add(const struct prof_asm_hit *hits, size_t count, uint64_t start,
		  uint64_t end, struct prof_asm_sum *out, struct prof_error *err)
{
	struct prof_asm_sum sum = { 0 };

	for (size_t i = prof_asm_first(hits, count, start);
	     i < count && hits[i].address < end; i++) {
		if (!add_node(&sum, hits[i].node)) {
			return prof_fail(err, PROF_ERR_LIMIT,
					 "the sum of a function's addresses does not "
					 "fit 64 bits");
		}
	}
	*out = sum;
	return true;
}

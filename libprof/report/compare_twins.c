/* SPDX-License-Identifier: MIT */
/*
 * Rows of the same samples ask the same question; asked once, named by the outermost.
 *
 *	main -> run -> handler -> work         cum of main, run, handler, work and flat
 *	                                       of work: one test, the cum of main
 */
#include "libprof/base/alloc.h"
#include "libprof/report/compare_work.h"

static const double nearly_all = 0.95;

/* Where calls were sampled, scatter must not take twins apart. */
static const double nearly_all_sampled = 0.85;

static bool is_part(double part, double whole)
{
	return part >= nearly_all * whole;
}

/* Whether all samples of both rows, on both sides, are those of the call. */
static bool is_same_call(const struct prof_compare *compare,
			 const struct prof_comparison *out,
			 const struct prof_edge *edge)
{
	double least = compare->sampled_edges ? nearly_all_sampled : nearly_all;
	const struct prof_estimate *caller = &out->rows[edge->caller].cum;
	const struct prof_estimate *callee = &out->rows[edge->callee].cum;

	for (int i = 0; i < 2; i++) {
		if (edge->value[i] < least * (double)caller->value[i] ||
		    edge->value[i] < least * (double)callee->value[i]) {
			return false;
		}
	}
	return true;
}

static bool is_nested(const struct prof_estimate *inner,
		      const struct prof_estimate *outer)
{
	return is_part((double)inner->value[0], (double)outer->value[0]) &&
	       is_part((double)inner->value[1], (double)outer->value[1]) &&
	       is_part((double)outer->value[0], (double)inner->value[0]) &&
	       is_part((double)outer->value[1], (double)inner->value[1]);
}

static void set_twin(struct prof_estimate *e, uint32_t row, bool flat)
{
	e->has_twin = true;
	e->twin = row;
	e->twin_flat = flat;
}

/* The first row of a circle of callers: recursion has no outermost. */
static uint32_t first_of_circle(const uint32_t *callers, uint32_t row)
{
	uint32_t first = row;

	for (uint32_t at = callers[row]; at != row; at = callers[at]) {
		first = at < first ? at : first;
	}
	return first;
}

/*
 * The outermost caller that has the same samples. 5 % a step must not add up, so each
 * is compared with the beginning. A long way round is a circle.
 */
static uint32_t outermost(const struct prof_comparison *out, const uint32_t *callers,
			  uint32_t row)
{
	const struct prof_estimate *e = &out->rows[row].cum;
	uint32_t best = row;
	uint32_t steps = 0;

	for (uint32_t at = callers[row]; at != PROF_NONE; at = callers[at]) {
		if (!is_nested(e, &out->rows[at].cum)) {
			break;
		}
		if (steps++ > out->row_count) {
			return first_of_circle(callers, at);
		}
		best = at;
	}
	return best;
}

bool prof_compare_twins(const struct prof_compare *compare, struct prof_comparison *out,
			struct prof_error *err)
{
	uint32_t *callers = prof_alloc_array(out->row_count, sizeof(*callers));

	if (!callers) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < out->row_count; i++) {
		callers[i] = PROF_NONE;
	}
	for (uint32_t i = 0; i < compare->edge_count; i++) {
		const struct prof_edge *edge = &compare->edges[i];

		if (edge->caller != edge->callee && is_same_call(compare, out, edge)) {
			callers[edge->callee] = edge->caller;
		}
	}
	for (uint32_t i = 0; i < out->row_count; i++) {
		struct prof_compare_row *row = &out->rows[i];
		uint32_t outer = outermost(out, callers, i);

		if (outer != i) {
			set_twin(&row->cum, outer, false);
		}
		if (is_nested(&row->flat, &row->cum)) {
			if (outer != i) {
				set_twin(&row->flat, outer, false);
			} else {
				set_twin(&row->cum, i, true);
			}
		}
	}
	prof_free(callers);
	return true;
}

const struct prof_estimate *prof_compare_deciding(
	const struct prof_comparison *comparison, const struct prof_estimate *e)
{
	for (int i = 0; i < 3 && e->has_twin; i++) {
		const struct prof_compare_row *row = &comparison->rows[e->twin];

		e = e->twin_flat ? &row->flat : &row->cum;
	}
	return e;
}

/* SPDX-License-Identifier: MIT */
/*
 * Cost that moved. A row went up; if something in a domain around it went down, and
 * what the domain as a whole gained is surely less than half of what the row gained,
 * the row only got what others lost. The smallest such domain explains it.
 *
 * Source: the cost-shift filter of FBDetect (SOSP 2024), with an interval.
 */
#include <math.h>

#include "libprof/base/alloc.h"
#include "libprof/report/compare_work.h"
#include "libprof/report/stat.h"

struct domain {
	double size; /* of after */
	double net;
	double variance;
};

struct search {
	struct prof_judge *judge;
	struct prof_comparison *out;
	const struct prof_edge *edges;
	uint32_t edge_count;
	uint32_t row; /* that went up */
	double delta;
	struct prof_move best;
	double best_size; /* INFINITY: none yet */
	bool *shares_caller;
};

static double standard_error(const struct prof_comparison *out,
			     const struct prof_estimate *e)
{
	double t = prof_stat_t_quantile(1 - out->options.alpha / 2, e->df);

	return (e->delta_high - e->delta_low) / (2 * t);
}

static void add(const struct search *search, const struct prof_estimate *e,
		struct domain *domain)
{
	double error = standard_error(search->out, e);

	domain->size += e->measured;
	domain->net += e->delta;
	domain->variance += error * error;
}

static bool went(const struct search *search, const struct prof_estimate *e, bool up)
{
	return e->q < search->out->options.alpha && (up ? e->delta > 0 : e->delta < 0);
}

/* Whether `domain` explains the row, better than what did so far. */
static void consider(struct search *search, const struct domain *domain,
		     enum prof_move_kind kind, uint32_t other)
{
	static const double z90 = 1.6448536269514722;
	double reach = z90 * sqrt(domain->variance);

	if (domain->net + reach >= search->delta / 2 ||
	    domain->size >= search->best_size) {
		return;
	}
	search->best_size = domain->size;
	search->best = (struct prof_move){
		.kind = kind,
		.row = search->row,
		.other = other,
		.delta = search->delta,
		.net = domain->net,
		.net_low = domain->net - reach,
		.net_high = domain->net + reach,
	};
}

static const struct prof_compare_row *row_at(const struct search *search, uint32_t row)
{
	return &search->out->rows[row];
}

/* The row and its callee, with all that call the callee: it may be inlined in each. */
static void consider_callee(struct search *search, uint32_t callee)
{
	struct domain domain = { 0 };

	if (!went(search, &row_at(search, callee)->flat, false)) {
		return;
	}
	add(search, &row_at(search, callee)->flat, &domain);
	for (uint32_t i = 0; i < search->edge_count; i++) {
		if (search->edges[i].callee == callee &&
		    search->edges[i].caller != callee) {
			add(search, &row_at(search, search->edges[i].caller)->flat,
			    &domain);
		}
	}
	consider(search, &domain, PROF_MOVE_INLINED, callee);
}

static void consider_gone(struct search *search, uint32_t gone)
{
	struct domain domain = { 0 };

	add(search, &row_at(search, search->row)->flat, &domain);
	add(search, &row_at(search, gone)->flat, &domain);
	consider(search, &domain, PROF_MOVE_GONE, gone);
}

/* The cum of a caller, if it or another callee of it lost. */
static void consider_caller(struct search *search, uint32_t caller)
{
	const struct prof_compare_row *row = row_at(search, caller);
	bool lost = went(search, &row->flat, false);
	struct domain domain = { 0 };

	for (uint32_t i = 0; i < search->edge_count && !lost; i++) {
		const struct prof_edge *edge = &search->edges[i];

		lost = edge->caller == caller && edge->callee != search->row &&
		       (went(search, &row_at(search, edge->callee)->flat, false) ||
			went(search, &row_at(search, edge->callee)->cum, false));
	}
	if (lost) {
		add(search, &row->cum, &domain);
		consider(search, &domain, PROF_MOVE_CALLER, caller);
	}
}

static void consider_file(struct search *search)
{
	struct prof_text file = row_at(search, search->row)->file;
	struct domain domain = { 0 };
	uint32_t loser = PROF_NONE;

	for (uint32_t i = 0; i < search->out->row_count && file.len > 0; i++) {
		const struct prof_compare_row *row = row_at(search, i);

		if (!prof_text_equal(row->file, file)) {
			continue;
		}
		add(search, &row->flat, &domain);
		if (went(search, &row->flat, false) &&
		    (loser == PROF_NONE ||
		     row->flat.delta < row_at(search, loser)->flat.delta)) {
			loser = i;
		}
	}
	if (loser != PROF_NONE) {
		consider(search, &domain, PROF_MOVE_FILE, loser);
	}
}

/* Gone functions count when a caller of the row called them: elsewhere is chance. */
static void mark_callers(const struct search *search, uint32_t row, bool mark)
{
	for (uint32_t i = 0; i < search->edge_count; i++) {
		if (search->edges[i].callee == row) {
			search->shares_caller[search->edges[i].caller] = mark;
		}
	}
	search->shares_caller[row] = mark;
}

static void explain(struct search *search)
{
	mark_callers(search, search->row, true);
	for (uint32_t i = 0; i < search->edge_count; i++) {
		const struct prof_edge *edge = &search->edges[i];
		const struct prof_estimate *callee =
			&row_at(search, edge->callee)->flat;

		if (edge->caller == search->row) {
			consider_callee(search, edge->callee);
		}
		if (edge->callee == search->row) {
			consider_caller(search, edge->caller);
		}
		if (search->shares_caller[edge->caller] && callee->is_gone &&
		    went(search, callee, false)) {
			consider_gone(search, edge->callee);
		}
	}
	consider_file(search);
	mark_callers(search, search->row, false);
}

static bool is_candidate(const struct search *search, uint32_t row)
{
	const struct prof_compare_row *at = row_at(search, row);

	return went(search, &at->flat, true) && at->rename == PROF_NO_MOVE;
}

/* The first rises only: each costs some looks at every call. */
static bool find(struct search *search)
{
	enum { MOST_MOVES = 64 };
	struct prof_comparison *out = search->out;
	uint32_t looked = 0;

	out->moves = prof_arena_array(&out->arena, MOST_MOVES, sizeof(*out->moves));
	if (!out->moves) {
		return false;
	}
	for (uint32_t row = 0; row < out->row_count && looked < MOST_MOVES; row++) {
		if (!is_candidate(search, row)) {
			continue;
		}
		looked++;
		search->row = row;
		search->delta = out->rows[row].flat.delta;
		search->best_size = INFINITY;
		explain(search);
		if (search->best_size < INFINITY) {
			out->rows[row].move = out->move_count;
			out->moves[out->move_count++] = search->best;
		}
	}
	return true;
}

bool prof_compare_find_moves(struct prof_judge *judge, struct prof_error *err)
{
	struct search search = { .judge = judge,
				 .out = judge->out,
				 .edges = judge->compare->edges,
				 .edge_count = judge->compare->edge_count };
	bool ok = false;

	search.shares_caller =
		prof_alloc_array(judge->out->row_count, sizeof(*search.shares_caller));
	ok = search.shares_caller && find(&search);
	prof_free(search.shares_caller);
	return ok || prof_fail_nomem(err);
}

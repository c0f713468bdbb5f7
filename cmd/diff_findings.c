/* SPDX-License-Identifier: MIT */
/* Which lines of a comparison people see, in which order. */
#include <math.h>
#include <stdlib.h>

#include "cmd/diff.h"
#include "libprof/base/alloc.h"

/* What is sorted: a finding with the numbers that order it. */
struct candidate {
	struct diff_finding finding;
	double first;  /* ascending */
	double second; /* then this */
};

static bool is_real(const struct prof_estimate *e)
{
	return e->verdict == PROF_VERDICT_REAL;
}

/* The rank of what is most worth reading: real in its own code, then with callees. */
static int rank(const struct prof_estimate *e, bool cum)
{
	static const int ranks[] = {
		[PROF_VERDICT_REAL] = 0,     [PROF_VERDICT_SUSPECT] = 2,
		[PROF_VERDICT_UNKNOWN] = 4,  [PROF_VERDICT_SAME] = 6,
		[PROF_VERDICT_UNTESTED] = 8,
	};

	return ranks[e->verdict] + (cum ? 1 : 0);
}

static double log_ratio(const struct prof_estimate *e)
{
	if (e->is_new || e->is_gone || e->ratio <= 0 || !isfinite(e->ratio)) {
		return INFINITY;
	}
	return fabs(log(e->ratio));
}

static void set_order(struct candidate *c, enum diff_order order)
{
	const struct prof_estimate *e = c->finding.estimate;
	double size = -fabs(e->delta);

	switch (order) {
	case DIFF_ORDER_REAL:
		c->first = rank(e, c->finding.cum);
		c->second = size;
		break;
	case DIFF_ORDER_DELTA:
		c->first = size;
		c->second = c->finding.cum;
		break;
	case DIFF_ORDER_RATIO:
		c->first = -log_ratio(e);
		c->second = size;
		break;
	case DIFF_ORDER_Q:
		c->first = e->q;
		c->second = size;
		break;
	}
}

static int compare(const void *a, const void *b)
{
	const struct candidate *x = a;
	const struct candidate *y = b;

	if (x->first != y->first) {
		return x->first < y->first ? -1 : 1;
	}
	if (x->second != y->second) {
		return x->second < y->second ? -1 : 1;
	}
	if (x->finding.index != y->finding.index) {
		return x->finding.index < y->finding.index ? -1 : 1;
	}
	return (int)x->finding.cum - (int)y->finding.cum;
}

/* A change is counted once for each function: as its own, or as that of its callees. */
static void count_row(const struct prof_comparison *comparison,
		      const struct prof_compare_row *row, struct diff_counts *counts)
{
	bool flat = is_real(&row->flat) && !row->flat.has_twin;
	bool cum = is_real(&row->cum) && !row->cum.has_twin;

	if ((flat || cum) && diff_is_moved(comparison, row)) {
		counts->moved++;
	} else if ((flat || cum) && diff_is_renamed(comparison, row)) {
		return;
	} else if (flat) {
		counts->regressions += row->flat.delta > 0;
		counts->improvements += row->flat.delta <= 0;
	} else if (cum) {
		counts->callers_up += row->cum.delta > 0;
		counts->callers_down += row->cum.delta <= 0;
	}
}

static void count_estimate(const struct prof_estimate *e, struct diff_counts *counts)
{
	if (e->has_twin) {
		return;
	}
	counts->suspect += e->verdict == PROF_VERDICT_SUSPECT;
	counts->same += e->verdict == PROF_VERDICT_SAME;
	counts->unknown += e->verdict == PROF_VERDICT_UNKNOWN;
	counts->tested += e->verdict != PROF_VERDICT_UNTESTED;
}

static void count(const struct prof_comparison *comparison, struct diff_counts *counts)
{
	for (uint32_t i = 0; i < comparison->row_count; i++) {
		const struct prof_compare_row *row = &comparison->rows[i];

		count_row(comparison, row, counts);
		count_estimate(&row->flat, counts);
		count_estimate(&row->cum, counts);
	}
	counts->renamed = comparison->renamed_count;
	/* Something changed in nobody's own code for sure: then callers are the news. */
	if (counts->regressions == 0) {
		counts->regressions = counts->callers_up;
		counts->callers_up = 0;
	}
	if (counts->improvements == 0) {
		counts->improvements = counts->callers_down;
		counts->callers_down = 0;
	}
}

/* How many other rows stand behind an estimate: by row and kind. */
static uint32_t *count_twins(const struct prof_comparison *comparison)
{
	uint32_t *twins =
		prof_alloc_array((size_t)comparison->row_count * 2 + 1, sizeof(*twins));

	for (uint32_t i = 0; twins && i < comparison->row_count * 2; i++) {
		const struct prof_compare_row *row = &comparison->rows[i / 2];
		const struct prof_estimate *e = i % 2 ? &row->cum : &row->flat;

		if (e->has_twin && e->twin != i / 2) {
			twins[(size_t)e->twin * 2 + !e->twin_flat]++;
		}
	}
	return twins;
}

static bool is_shown(const struct diff_options *diff, const struct diff_finding *f,
		     bool all)
{
	enum prof_verdict verdict = f->estimate->verdict;

	if (f->estimate->has_twin || verdict == PROF_VERDICT_UNTESTED ||
	    (diff->cum && !f->cum)) {
		return false;
	}
	return all || verdict == PROF_VERDICT_REAL || verdict == PROF_VERDICT_SUSPECT;
}

static uint32_t collect(const struct prof_comparison *comparison,
			const struct diff_options *diff, bool all,
			const uint32_t *twins, struct candidate *out)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < comparison->row_count; i++) {
		const struct prof_compare_row *row = &comparison->rows[i];

		for (int cum = 0; cum < 2; cum++) {
			struct diff_finding finding = {
				.row = row,
				.estimate = cum ? &row->cum : &row->flat,
				.index = i,
				.cum = cum != 0,
				.twins = twins[(size_t)i * 2 + (size_t)cum],
			};

			if (is_shown(diff, &finding, all)) {
				out[found].finding = finding;
				set_order(&out[found++], (enum diff_order)diff->order);
			}
		}
	}
	qsort(out, found, sizeof(*out), compare);
	return found;
}

bool diff_findings_make(const struct prof_comparison *comparison,
			const struct diff_options *diff, bool all, uint32_t limit,
			struct diff_findings *out, struct prof_error *err)
{
	size_t most = (size_t)comparison->row_count * 2 + 1;
	struct candidate *candidates = prof_alloc_array(most, sizeof(*candidates));
	struct diff_finding *items = prof_alloc_array(most, sizeof(*items));
	uint32_t *twins = count_twins(comparison);
	uint32_t found = 0;

	if (!candidates || !items || !twins) {
		prof_free(candidates);
		prof_free(items);
		prof_free(twins);
		return prof_fail_nomem(err);
	}
	found = collect(comparison, diff, all, twins, candidates);
	*out = (struct diff_findings){ .items = items };
	count(comparison, &out->counts);
	out->count = found < limit ? found : limit;
	out->more = found - out->count;
	for (uint32_t i = 0; i < out->count; i++) {
		items[i] = candidates[i].finding;
	}
	prof_free(candidates);
	prof_free(twins);
	return true;
}

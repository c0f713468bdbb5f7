/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "libprof/base/alloc.h"
#include "libprof/report/compare_work.h"
#include "libprof/report/stat.h"

static const double power = 0.8;

static bool is_tested(const struct prof_estimate *e)
{
	return e->verdict != PROF_VERDICT_UNTESTED;
}

/* The error of delta, from its interval: it need not be symmetric. */
static double delta_error(const struct prof_comparison *comparison,
			  const struct prof_estimate *e, bool upward)
{
	double t = prof_stat_t_quantile(1 - comparison->options.alpha / 2, e->df);

	return (upward ? e->delta - e->delta_low : e->delta_high - e->delta) / t;
}

static double delta_threshold(const struct prof_comparison *comparison,
			      const struct prof_gate *gate)
{
	return gate->unit == PROF_GATE_POINTS
		       ? gate->threshold * comparison->total.measured
		       : gate->threshold;
}

/* By how many standard errors `e` is beyond `threshold`; signed. */
static double beyond(const struct prof_comparison *comparison,
		     const struct prof_gate *gate, double threshold,
		     const struct prof_estimate *e)
{
	double off = 0;
	double error = 0;

	if (gate->unit != PROF_GATE_RATIO) {
		off = e->delta - threshold;
		error = delta_error(comparison, e, !gate->below);
	} else if (threshold <= -1) {
		return gate->below ? -INFINITY : INFINITY;
	} else {
		double low = fmax(e->count[PROF_BEFORE], 0.5);
		double high = fmax(e->count[PROF_AFTER], 0.5);
		double log_ratio =
			e->is_new || e->is_gone ? log(high / low) : log(e->ratio);

		off = log_ratio - log1p(threshold);
		error = e->log_error;
	}
	off = gate->below ? -off : off;
	return error > 0 ? off / error : off > 0 ? INFINITY : -INFINITY;
}

/*
 * One-sided. Who asks for more than no change cannot have a better answer than the
 * test of no change, which knows more of small counts.
 */
static double one_sided(const struct prof_comparison *comparison,
			const struct prof_gate *gate, double threshold,
			const struct prof_estimate *e)
{
	double z = beyond(comparison, gate, threshold, e);
	double p = prof_stat_t_upper(z, e->df);
	bool strict = gate->below ? threshold <= 0 : threshold >= 0;
	bool same_way = gate->below ? e->delta < 0 : e->delta > 0;

	if (strict) {
		p = fmax(p, same_way ? e->p / 2 : 0.5);
	}
	return p;
}

static bool is_past(const struct prof_comparison *comparison,
		    const struct prof_gate *gate, const struct prof_estimate *e)
{
	double value = gate->unit == PROF_GATE_RATIO ? e->ratio - 1 : e->delta;
	double threshold = gate->unit == PROF_GATE_RATIO
				   ? gate->threshold
				   : delta_threshold(comparison, gate);

	return gate->below ? value < threshold : value > threshold;
}

/* Whether the interval of `e` ends before the threshold. */
static bool is_clear(const struct prof_comparison *comparison,
		     const struct prof_gate *gate, const struct prof_estimate *e)
{
	double threshold = delta_threshold(comparison, gate);

	if (gate->unit == PROF_GATE_RATIO) {
		return gate->below ? e->ratio_low - 1 >= threshold
				   : e->ratio_high - 1 <= threshold;
	}
	return gate->below ? e->delta_low >= threshold : e->delta_high <= threshold;
}

static enum prof_gate_outcome outcome_of(const struct prof_comparison *comparison,
					 const struct prof_gate *gate,
					 const struct prof_gate_test *test)
{
	bool past = is_past(comparison, gate, test->estimate);

	if (gate->mode == PROF_GATE_POINT) {
		return past ? PROF_GATE_FAILS : PROF_GATE_PASSES;
	}
	if (!is_tested(test->estimate)) {
		return PROF_GATE_INCONCLUSIVE;
	}
	if (past && test->q < comparison->options.alpha) {
		return PROF_GATE_FAILS;
	}
	return is_clear(comparison, gate, test->estimate) ? PROF_GATE_PASSES
							  : PROF_GATE_INCONCLUSIVE;
}

/* q of those that can be tested; the weight is that of the rows' own family. */
static bool adjust(const struct prof_comparison *comparison,
		   const struct prof_gate *gate, struct prof_gate_test *tests,
		   uint32_t count, struct prof_error *err)
{
	struct prof_test *family = prof_alloc_array(count, sizeof(*family));
	double threshold =
		gate->mode == PROF_GATE_LIKELY ? 0 : delta_threshold(comparison, gate);
	uint32_t used = 0;
	bool ok = false;

	if (!family) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct prof_estimate *e = tests[i].estimate;

		tests[i].p = 1;
		tests[i].q = 1;
		if (is_tested(e)) {
			tests[i].p = one_sided(comparison, gate, threshold, e);
			family[used++] = (struct prof_test){
				tests[i].p, sqrt(e->count[0] + e->count[1]), 1, i
			};
		}
	}
	ok = prof_adjust(family, used, err);
	for (uint32_t i = 0; ok && i < used; i++) {
		struct prof_gate_test *test = &tests[family[i].at];

		test->q = comparison->options.no_fdr ? test->p : family[i].q;
	}
	prof_free(family);
	return ok;
}

bool prof_compare_gate(const struct prof_comparison *comparison,
		       const struct prof_gate *gate, struct prof_gate_test *tests,
		       uint32_t count, enum prof_gate_outcome *outcome,
		       struct prof_error *err)
{
	enum prof_gate_outcome all = PROF_GATE_PASSES;
	uint32_t tested = 0;

	if (!adjust(comparison, gate, tests, count, err)) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		tests[i].outcome = outcome_of(comparison, gate, &tests[i]);
		tested += is_tested(tests[i].estimate);
		if (tests[i].outcome == PROF_GATE_FAILS) {
			all = PROF_GATE_FAILS;
		} else if (tests[i].outcome == PROF_GATE_INCONCLUSIVE &&
			   all == PROF_GATE_PASSES) {
			all = PROF_GATE_INCONCLUSIVE;
		}
	}
	if (all == PROF_GATE_PASSES && tested == 0) {
		all = PROF_GATE_INCONCLUSIVE;
	}
	*outcome = all;
	return true;
}

struct prof_compare_need prof_compare_need(const struct prof_comparison *comparison,
					   const struct prof_estimate *e, double change)
{
	double z = prof_stat_normal_quantile(1 - comparison->options.alpha / 2) +
		   prof_stat_normal_quantile(power);
	double want = log1p(change) / z;
	double runs = 0.5 * (comparison->sides[0].runs + comparison->sides[1].runs);
	double have = e->log_error * e->log_error;
	double sigma = comparison->noise.sigma;
	double fixed = 2 * sigma * sigma / runs;
	struct prof_compare_need need = { 0 };

	want *= want;
	need.runs = ceil(runs * have / want);
	if (need.runs > 1000) {
		need.runs = 0;
	}
	if (want > fixed) {
		need.samples = fmax(have - fixed, 0) / (want - fixed);
	}
	return need;
}

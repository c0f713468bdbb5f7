/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/report/compare_work.h"
#include "libprof/report/stat.h"

/* Run noise of a quiet machine: what one pair may suspect but not call real. */
static const double quiet_noise = 0.02;
static const double power = 0.8;
static const double small_count = 50; /* below this, counts are not like t */

/* estimates */

static void describe(const struct prof_judge *judge, struct prof_estimate *e)
{
	const struct prof_series *series = judge->series;
	double mean_work = judge->compare->mean_work;

	*e = (struct prof_estimate){ .p = 1, .p_quiet = 1, .q = 1, .ratio = 1 };
	for (int i = 0; i < 2; i++) {
		e->value[i] = series->value[i];
		e->count[i] = series->samples[i];
	}
	e->is_new = e->value[PROF_BEFORE] == 0 && e->value[PROF_AFTER] > 0;
	e->is_gone = e->value[PROF_BEFORE] > 0 && e->value[PROF_AFTER] == 0;
	e->expected = series->x[PROF_BEFORE] / series->e[PROF_BEFORE] * mean_work;
	e->measured = series->x[PROF_AFTER] / series->e[PROF_AFTER] * mean_work;
	e->delta = e->measured - e->expected;
	if (e->expected > 0) {
		e->ratio = e->measured / e->expected;
	} else if (e->measured > 0) {
		e->ratio = INFINITY;
	}
}

static struct prof_pair pair_of(const struct prof_judge *judge, double phi,
				double sigma)
{
	const struct prof_series *series = judge->series;
	double scale = judge->compare->scale_noise / 2;

	return (struct prof_pair){
		.xa = series->x[PROF_BEFORE],
		.xb = series->x[PROF_AFTER],
		.ea = series->e[PROF_BEFORE],
		.eb = series->e[PROF_AFTER],
		.phi = phi,
		.sigma = sqrt(sigma * sigma + scale),
	};
}

static void set_intervals(const struct prof_judge *judge, const struct prof_pair *pair,
			  struct prof_estimate *e)
{
	double confidence = 1 - judge->compare->options.alpha;
	double mean_work = judge->compare->mean_work;
	struct prof_interval ratio = prof_pair_ratio(pair, confidence);
	struct prof_interval delta = prof_pair_delta(pair, confidence, e->df);

	e->ratio_low = ratio.low;
	e->ratio_high = ratio.high;
	e->delta_low = delta.low * mean_work;
	e->delta_high = delta.high * mean_work;
}

static double least(double x)
{
	return fmax(x, 0.5);
}

static void estimate_pair(const struct prof_judge *judge, struct prof_estimate *e)
{
	double sigma = judge->compare->options.run_noise;
	struct prof_pair pair = pair_of(judge, judge->out->noise.phi, sigma);
	double fa = 0;
	double fb = 0;

	pair.shares = judge->shares;
	e->phi = pair.phi;
	e->df = INFINITY;
	e->p = prof_pair_test(&pair);
	set_intervals(judge, &pair, e);
	fa = prof_pair_spread(&pair, least(pair.xa),
			      pair.shares ? pair.xa / pair.ea : 0);
	fb = prof_pair_spread(&pair, least(pair.xb),
			      pair.shares ? pair.xb / pair.eb : 0);
	e->log_error = sqrt(fa / least(pair.xa) + fb / least(pair.xb));
	pair.sigma = pair_of(judge, 1, fmin(sigma, quiet_noise)).sigma;
	e->p_quiet = prof_pair_test(&pair);
}

/* A t interval for the ratio where both sides have samples. */
static void set_log_interval(const struct prof_judge *judge, double log_ratio,
			     struct prof_estimate *e)
{
	double tail = judge->compare->options.alpha / 2;
	double reach = prof_stat_t_quantile(1 - tail, e->df) * e->log_error;

	e->ratio = exp(log_ratio);
	e->ratio_low = exp(log_ratio - reach);
	e->ratio_high = exp(log_ratio + reach);
}

/* Dispersion, with what the uncertainty of the scale adds. */
static void set_dispersion(const struct prof_judge *judge, struct prof_estimate *e)
{
	const struct prof_series *series = judge->series;
	struct prof_fit fit =
		prof_series_fit(series, judge->shares, judge->compare->options.paired);
	double spread = 1 / least(series->x[0]) + 1 / least(series->x[1]);

	e->phi = prof_dispersion_of(&judge->dispersion, &fit, &e->df);
	e->phi += judge->compare->scale_noise / spread;
	e->log_error = sqrt(e->phi * spread);
}

static void estimate_runs(const struct prof_judge *judge, struct prof_estimate *e)
{
	const struct prof_series *series = judge->series;
	bool paired = judge->compare->options.paired;
	struct prof_pair pair = { 0 };
	double deviance = 0;
	double log_ratio = 0;
	double information = 0;

	set_dispersion(judge, e);
	pair = pair_of(judge, e->phi, 0);
	pair.sigma = 0;
	deviance = prof_series_deviance(series);
	if (paired) {
		deviance = prof_series_paired(series, &log_ratio, &information);
	}
	e->p = fmin(1, 2 * prof_stat_t_upper(fabs(deviance) / sqrt(e->phi), e->df));
	set_intervals(judge, &pair, e);
	if (pair.xa > 0 && pair.xb > 0) {
		if (paired) {
			e->log_error = sqrt(e->phi / information);
			e->expected = e->measured / exp(log_ratio);
			e->delta = e->measured - e->expected;
		} else {
			log_ratio = log(e->measured / e->expected);
		}
		set_log_interval(judge, log_ratio, e);
	}
	if (pair.xa + pair.xb < small_count) {
		pair.phi = fmax(e->phi, 1);
		e->p = fmax(e->p, prof_pair_test(&pair));
	}
	e->p_quiet = e->p;
}

static bool is_tested(const struct prof_estimate *e)
{
	return e->count[0] + e->count[1] >= PROF_TEST_SAMPLES;
}

/* How far the interval is from "no change". */
static double certified(const struct prof_estimate *e)
{
	if (e->ratio_low > 1) {
		return log(e->ratio_low);
	}
	return e->ratio_high < 1 ? log(e->ratio_high) : 0;
}

void prof_judge_estimate(struct prof_judge *judge, struct prof_estimate *e)
{
	const struct prof_series *series = judge->series;

	describe(judge, e);
	if (!(series->x[0] + series->x[1] > 0)) {
		e->ratio_high = INFINITY;
		e->df = INFINITY;
		return;
	}
	if (judge->many) {
		estimate_runs(judge, e);
	} else {
		estimate_pair(judge, e);
	}
	if (is_tested(e)) {
		e->certified = certified(e);
	} else {
		e->p = 1;
		e->p_quiet = 1;
	}
	e->q = e->p;
}

/* verdicts */

static double detectable(const struct prof_estimate *e, double tail)
{
	double reach = prof_stat_t_quantile(1 - tail / 2, e->df) +
		       prof_stat_t_quantile(power, e->df);

	return expm1(fmin(reach * e->log_error, 700));
}

void prof_judge_verdict(const struct prof_judge *judge, double weight,
			struct prof_estimate *e)
{
	const struct prof_compare_options *options = &judge->compare->options;
	double bound = 1 + options->equivalence;

	if (!is_tested(e)) {
		return;
	}
	e->detectable = detectable(e, options->alpha * fmin(weight, 1));
	e->detectable_alone = detectable(e, options->alpha);
	if (e->q < options->alpha) {
		e->verdict = PROF_VERDICT_REAL;
	} else if (e->p_quiet < options->alpha) {
		e->verdict = PROF_VERDICT_SUSPECT;
	} else if (e->ratio_low >= 1 / bound && e->ratio_high <= bound) {
		e->verdict = PROF_VERDICT_SAME;
	} else {
		e->verdict = PROF_VERDICT_UNKNOWN;
	}
}

/* multiplicity */

static int compare_tests(const void *left, const void *right)
{
	const struct prof_test *const *a = left;
	const struct prof_test *const *b = right;

	if ((*a)->q != (*b)->q) {
		return (*a)->q < (*b)->q ? -1 : 1;
	}
	return ((*a)->at > (*b)->at) - ((*a)->at < (*b)->at);
}

/* Genovese, Roeder and Wasserman (2006): step-up on p over relative weight. */
bool prof_adjust(struct prof_test *tests, uint32_t count, struct prof_error *err)
{
	struct prof_test **order = prof_alloc_array(count, sizeof(struct prof_test *));
	double sum = 0;
	double best = 1;

	if (!order) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < count; i++) {
		sum += tests[i].weight;
	}
	for (uint32_t i = 0; i < count; i++) {
		double weight = tests[i].weight * count / sum;

		tests[i].q = weight > 0 ? fmin(1, tests[i].p / weight) : 1;
		order[i] = &tests[i];
	}
	qsort(order, count, sizeof(struct prof_test *), compare_tests);
	for (uint32_t i = count; i-- > 0;) {
		best = fmin(best, order[i]->q * count / (i + 1));
		order[i]->q = best;
	}
	prof_free(order);
	return true;
}

/* all rows */

static struct prof_estimate *estimate_at(struct prof_comparison *out, uint32_t at)
{
	struct prof_compare_row *row = &out->rows[at / 2];

	return at % 2 == 0 ? &row->flat : &row->cum;
}

static void row_series(const struct prof_judge *judge, uint32_t at)
{
	prof_series_row(judge->compare, at / 2, at % 2 == 0 ? PROF_FLAT : PROF_CUM,
			judge->series);
}

static bool in_family(const struct prof_estimate *e)
{
	return !e->has_twin && is_tested(e);
}

/* What twins are found by, before anything is known of noise. */
static void describe_rows(const struct prof_judge *judge)
{
	prof_series_rewind(judge->compare);
	for (uint32_t at = 0; at / 2 < judge->out->row_count; at++) {
		row_series(judge, at);
		describe(judge, estimate_at(judge->out, at));
	}
}

/* Noise of one pair: the scatter of flat over all functions. */
static bool learn_pair(struct prof_judge *judge, struct prof_error *err)
{
	struct prof_comparison *out = judge->out;
	double *squares = prof_alloc_array(out->row_count, sizeof(*squares));
	uint32_t count = 0;

	if (!squares) {
		return prof_fail_nomem(err);
	}
	prof_series_rewind(judge->compare);
	for (uint32_t row = 0; row < out->row_count; row++) {
		prof_series_row(judge->compare, row, PROF_FLAT, judge->series);
		if (is_tested(&out->rows[row].flat)) {
			struct prof_pair pair = pair_of(judge, 1, 0);

			pair.shares = judge->shares;
			squares[count++] = prof_pair_square(&pair);
		}
	}
	out->noise.phi = prof_pair_phi(squares, count);
	out->noise.sigma = judge->compare->options.run_noise;
	out->notes |= PROF_NOTE_ONE_RUN;
	out->notes |= count < PROF_PAIR_TESTS ? PROF_NOTE_FEW_FUNCTIONS : 0;
	prof_free(squares);
	return true;
}

/*
 * A share near 1 has hardly any scatter, as what all stacks begin with: it says nothing
 * of the others.
 */
static bool teaches(const struct prof_judge *judge)
{
	const struct prof_series *series = judge->series;
	enum prof_normalize how = judge->compare->options.normalize;
	double rate = (series->x[0] + series->x[1]) / (series->e[0] + series->e[1]);

	return rate < 0.5 ||
	       (how != PROF_NORMALIZE_TOTAL && how != PROF_NORMALIZE_STABLE);
}

static bool learn_runs(struct prof_judge *judge, double full_df, struct prof_error *err)
{
	struct prof_comparison *out = judge->out;
	struct prof_fit *fits =
		prof_alloc_array((size_t)out->row_count * 2, sizeof(*fits));
	uint32_t count = 0;

	if (!fits) {
		return prof_fail_nomem(err);
	}
	prof_series_rewind(judge->compare);
	for (uint32_t at = 0; at / 2 < out->row_count; at++) {
		if (!in_family(estimate_at(out, at))) {
			continue;
		}
		row_series(judge, at);
		if (teaches(judge)) {
			fits[count++] = prof_series_fit(judge->series, judge->shares,
							judge->compare->options.paired);
		}
	}
	judge->dispersion = prof_dispersion_learn(fits, count, full_df);
	out->noise.phi = judge->dispersion.base * judge->dispersion.prior;
	out->noise.sigma = sqrt(judge->dispersion.slope * judge->dispersion.prior);
	out->noise.prior_df = judge->dispersion.prior_df;
	out->notes |= judge->dispersion.prior_df > 0 ? 0 : PROF_NOTE_FEW_FUNCTIONS;
	prof_free(fits);
	return true;
}

static bool learn(struct prof_judge *judge, struct prof_error *err)
{
	const struct prof_compare *compare = judge->compare;
	uint32_t own = compare->runs[PROF_BEFORE] + compare->runs[PROF_AFTER] - 2;
	uint32_t given = compare->runs[PROF_SAME_CODE];
	uint32_t df = own + (given > 1 ? given - 1 : 0);

	if (compare->options.paired) {
		df = compare->runs[PROF_BEFORE] - 1;
	}
	judge->many = df > 0;
	if (!judge->many) {
		judge->out->noise.source = PROF_NOISE_ASSUMED;
		return learn_pair(judge, err);
	}
	judge->out->noise.source = own > 0 ? PROF_NOISE_MEASURED : PROF_NOISE_GIVEN;
	return learn_runs(judge, df, err);
}

/* Estimate every row; those of the family go into `tests`. */
static uint32_t estimate_rows(struct prof_judge *judge, struct prof_test *tests)
{
	struct prof_comparison *out = judge->out;
	uint32_t count = 0;

	prof_series_rewind(judge->compare);
	for (uint32_t at = 0; at / 2 < out->row_count; at++) {
		struct prof_estimate *e = estimate_at(out, at);
		struct prof_estimate twin = *e;

		row_series(judge, at);
		prof_judge_estimate(judge, e);
		e->has_twin = twin.has_twin;
		e->twin = twin.twin;
		e->twin_flat = twin.twin_flat;
		if (in_family(e)) {
			double x = judge->series->x[0] + judge->series->x[1];

			tests[count++] = (struct prof_test){ e->p, sqrt(x), 1, at };
		} else if (!e->has_twin && at % 2 == 1) {
			out->untested++;
		}
	}
	return count;
}

static void follow_twins(struct prof_comparison *out)
{
	for (uint32_t at = 0; at / 2 < out->row_count; at++) {
		struct prof_estimate *e = estimate_at(out, at);
		const struct prof_estimate *by = prof_compare_deciding(out, e);

		if (by != e && is_tested(e)) {
			e->p = by->p;
			e->p_quiet = by->p_quiet;
			e->q = by->q;
			e->verdict = by->verdict;
			e->detectable = by->detectable;
			e->detectable_alone = by->detectable_alone;
		}
	}
}

static bool judge_family(struct prof_judge *judge, struct prof_error *err)
{
	struct prof_comparison *out = judge->out;
	struct prof_test *tests =
		prof_alloc_array((size_t)out->row_count * 2, sizeof(*tests));
	uint32_t count = 0;

	if (!tests) {
		return prof_fail_nomem(err);
	}
	out->untested = 0;
	count = estimate_rows(judge, tests);
	if (!prof_adjust(tests, count, err)) {
		prof_free(tests);
		return false;
	}
	out->test_count = count;
	out->family_weight = 0;
	for (uint32_t i = 0; i < count; i++) {
		out->family_weight += tests[i].weight;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct prof_estimate *e = estimate_at(out, tests[i].at);
		bool alone = judge->compare->options.no_fdr;

		e->q = alone ? e->p : tests[i].q;
		prof_judge_verdict(judge,
				   alone ? 1 : tests[i].weight / out->family_weight, e);
	}
	follow_twins(out);
	prof_free(tests);
	return true;
}

static void judge_alone(struct prof_judge *judge)
{
	struct prof_comparison *out = judge->out;
	enum prof_normalize how = judge->compare->options.normalize;

	for (uint32_t i = 0; i < out->group_count; i++) {
		prof_series_group(judge->compare, i, PROF_FLAT, judge->series);
		prof_judge_estimate(judge, &out->groups[i].flat);
		prof_judge_verdict(judge, 1, &out->groups[i].flat);
		prof_series_group(judge->compare, i, PROF_CUM, judge->series);
		prof_judge_estimate(judge, &out->groups[i].cum);
		prof_judge_verdict(judge, 1, &out->groups[i].cum);
	}
	prof_series_total(judge->compare, judge->series);
	prof_judge_estimate(judge, &out->total);
	if (how == PROF_NORMALIZE_TOTAL || how == PROF_NORMALIZE_STABLE) {
		out->total.p = 1;
		out->total.p_quiet = 1;
		out->total.q = 1;
		out->total.certified = 0;
	} else {
		prof_judge_verdict(judge, 1, &out->total);
	}
}

bool prof_compare_judge(struct prof_judge *judge, struct prof_error *err)
{
	describe_rows(judge);
	if (!prof_compare_twins(judge->compare, judge->out, err) ||
	    !learn(judge, err) || !judge_family(judge, err)) {
		return false;
	}
	judge_alone(judge);
	return true;
}

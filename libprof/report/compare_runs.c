/* SPDX-License-Identifier: MIT */
/*
 * Dispersions of many tests with few runs each.
 *
 * Every test has its own dispersion, Pearson's chi square over its degrees of freedom,
 * which of three runs a side is hardly known. So they are moderated: pulled towards
 * the trend phi(mu) = base + slope mu that all of them follow, as strongly as they
 * agree with it; but one far above it is believed, for it is noisy.
 *
 * Source: quasi-likelihood of edgeR (Lund et al. 2012); the prior is fitted as by
 *         limma's fitFDist (Smyth 2004), from the mean and variance of log dispersions.
 */
#include <math.h>
#include <stdlib.h>

#include "libprof/report/compare_work.h"
#include "libprof/report/stat.h"

/* More than this no prior may weigh, however well tests agree: the model is none. */
static const double most_prior_df = 30;
static const double outlier_tail = 0.05;
static const double least_base = 1e-3;
static const double least_phi = 1e-6;
static const double prior_mean = 5; /* counts per run below say little of it */

/* The total is 1 of 1 in every run: what is nearly all of it shows no dispersion. */
static const double most_share = 0.9;

/* one test */

/* Pairs of runs: the ratio at which the expected sum of after is what it was. */
static double paired_excess(const struct prof_series *series, double ratio,
			    double *information)
{
	uint32_t a = 0;
	uint32_t b = 0;
	double excess = 0;

	*information = 0;
	for (;; a++, b++) {
		double m = 0;
		double pi = 0;

		while (a < series->runs && series->inputs[a].side != PROF_BEFORE) {
			a++;
		}
		while (b < series->runs && series->inputs[b].side != PROF_AFTER) {
			b++;
		}
		if (a == series->runs || b == series->runs) {
			return excess;
		}
		m = series->count[a] + series->count[b];
		pi = ratio * series->exposure[b];
		pi /= pi + series->exposure[a];
		excess += series->count[b] - m * pi;
		*information += m * pi * (1 - pi);
	}
}

static double term(double x, double mean)
{
	return x > 0 ? 2 * x * log(x / mean) : 0;
}

/* Sum over pairs of Pearson's chi square and of the deviance at `ratio`. */
static double paired_misfit(const struct prof_series *series, double ratio,
			    double *deviance, double *df)
{
	uint32_t b = 0;
	double chi = 0;

	*deviance = 0;
	*df = -1;
	for (uint32_t a = 0; a < series->runs; a++) {
		double m = 0;
		double pi = 0;
		double off = 0;

		if (series->inputs[a].side != PROF_BEFORE) {
			continue;
		}
		while (series->inputs[b].side != PROF_AFTER) {
			b++;
		}
		m = series->count[a] + series->count[b];
		pi = ratio * series->exposure[b];
		pi /= pi + series->exposure[a];
		off = series->count[b] - m * pi;
		if (m > 0 && pi > 0 && pi < 1) {
			chi += off * off / (m * pi * (1 - pi));
			*deviance += term(series->count[b], m * pi) +
				     term(series->count[a], m * (1 - pi));
			++*df;
		}
		b++;
	}
	return chi;
}

double prof_series_paired(const struct prof_series *series, double *log_ratio,
			  double *information)
{
	double rate_a = fmax(series->x[0], 0.5) / series->e[0];
	double rate_b = fmax(series->x[1], 0.5) / series->e[1];
	double at = log(rate_b / rate_a);
	double free = 0;
	double bound = 0;
	double df = 0;

	for (int i = 0; i < 30 && series->x[0] > 0 && series->x[1] > 0; i++) {
		double step = paired_excess(series, exp(at), information);

		step /= fmax(*information, 1e-300);
		at += fmax(-1, fmin(1, step));
		if (fabs(step) < 1e-13) {
			break;
		}
	}
	(void)paired_excess(series, exp(at), information);
	(void)paired_misfit(series, exp(at), &free, &df);
	(void)paired_misfit(series, 1, &bound, &df);
	if (series->x[0] <= 0 || series->x[1] <= 0) {
		free = 0;
	}
	*log_ratio = at;
	return copysign(sqrt(fmax(0, bound - free)), at);
}

static void fit_pairs(const struct prof_series *series, struct prof_fit *fit)
{
	double log_ratio = 0;
	double information = 0;
	double deviance = 0;
	double chi = 0;

	(void)prof_series_paired(series, &log_ratio, &information);
	chi = paired_misfit(series, exp(log_ratio), &deviance, &fit->df);
	fit->df = series->x[0] > 0 && series->x[1] > 0 ? fit->df : 0;
	fit->phi = fit->df > 0 ? chi / fit->df : 0;
}

struct prof_fit prof_series_fit(const struct prof_series *series, bool shares,
				bool paired)
{
	struct prof_fit fit = { 0 };
	double pooled = (series->x[0] + series->x[1]) / (series->e[0] + series->e[1]);
	uint32_t runs[3] = { 0 };

	fit.mean = (series->x[0] + series->x[1] + series->x[2]) / series->runs;
	if (paired) {
		fit_pairs(series, &fit);
		return fit;
	}
	fit.share = shares ? fmin(pooled, 1 - 1e-9) : 0;
	for (uint32_t i = 0; i < series->runs; i++) {
		enum prof_side side = series->inputs[i].side;
		double mean = series->x[side] / series->e[side] * series->exposure[i];

		if (mean > 0) {
			double off = series->count[i] - mean;

			fit.phi += off * off / mean;
			runs[side]++;
		}
	}
	for (int side = 0; side < 3; side++) {
		fit.df += runs[side] > 0 ? runs[side] - 1 : 0;
	}
	fit.phi = fit.df > 0 ? fit.phi / fit.df / (1 - fit.share) : 0;
	return fit;
}

double prof_series_deviance(const struct prof_series *series)
{
	double xa = series->x[PROF_BEFORE];
	double xb = series->x[PROF_AFTER];
	double ea = series->e[PROF_BEFORE];
	double eb = series->e[PROF_AFTER];
	double rate = (xa + xb) / (ea + eb);
	double deviance = term(xa, rate * ea) + term(xb, rate * eb);

	return copysign(sqrt(fmax(0, deviance)), xb / eb - xa / ea);
}

/* many tests */

static double trend(const struct prof_dispersion *all, double mean)
{
	return all->base + all->slope * mean;
}

/* One step of least squares on phi against the mean, weighted by 1 / trend^2. */
static bool improve_trend(struct prof_dispersion *all, const struct prof_fit *fits,
			  uint32_t count)
{
	double s[3] = { 0 };
	double t[2] = { 0 };
	double base = 0;
	double slope = 0;
	double det = 0;
	bool done = false;

	for (uint32_t i = 0; i < count; i++) {
		double mean = fits[i].mean;
		double old = fmax(trend(all, mean), 1e-9);
		double weight = 1 / (old * old);

		s[0] += weight;
		s[1] += weight * mean;
		s[2] += weight * mean * mean;
		t[0] += weight * fits[i].phi;
		t[1] += weight * fits[i].phi * mean;
	}
	det = s[0] * s[2] - s[1] * s[1];
	base = t[0] / s[0];
	if (det > 1e-12 * s[0] * s[2]) {
		slope = (s[0] * t[1] - s[1] * t[0]) / det;
		base = slope < 0 ? base : (s[2] * t[0] - s[1] * t[1]) / det;
		slope = fmax(slope, 0);
	}
	if (base < least_base) {
		base = least_base;
		slope = s[2] > 0 ? fmax(0, (t[1] - base * s[1]) / s[2]) : 0;
	}
	done = fabs(base - all->base) + fabs(slope - all->slope) < 1e-10;
	all->base = base;
	all->slope = slope;
	return done;
}

static void fit_trend(struct prof_dispersion *all, const struct prof_fit *fits,
		      uint32_t count)
{
	double sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		sum += fits[i].phi;
	}
	all->base = fmax(sum / count, 1e-6);
	all->slope = 0;
	for (int i = 0; i < 30 && !improve_trend(all, fits, count); i++) {
	}
}

/* The scaled F distribution that dispersions over the trend seem to be drawn from. */
static void fit_prior(struct prof_dispersion *all, const struct prof_fit *fits,
		      uint32_t count)
{
	double half = all->full_df / 2;
	double offset = log(half) - prof_stat_digamma(half);
	double mean = 0;
	double squares = 0;
	double spread = 0;

	for (uint32_t i = 0; i < count; i++) {
		double ratio = fits[i].phi / trend(all, fits[i].mean);
		double e = log(fmax(ratio, 1e-8)) + offset;
		double step = e - mean;

		mean += step / (i + 1);
		squares += step * (e - mean);
	}
	spread = squares / (count - 1) - prof_stat_trigamma(half);
	all->prior_df = most_prior_df;
	all->prior = exp(mean);
	if (spread > 0) {
		double prior_df = 2 * prof_stat_trigamma_inverse(spread);

		all->prior =
			exp(mean + prof_stat_digamma(prior_df / 2) - log(prior_df / 2));
		all->prior_df = fmin(prior_df, most_prior_df);
	}
	all->limit =
		prof_stat_f_quantile(1 - outlier_tail, all->full_df, all->prior_df);
}

static int compare_means(const void *left, const void *right)
{
	const struct prof_fit *a = left;
	const struct prof_fit *b = right;

	if (a->mean != b->mean) {
		return a->mean > b->mean ? -1 : 1;
	}
	return (a->phi > b->phi) - (a->phi < b->phi);
}

struct prof_dispersion prof_dispersion_learn(struct prof_fit *fits, uint32_t count,
					     double full_df)
{
	struct prof_dispersion all = {
		.base = 1, .prior = 1, .limit = INFINITY, .full_df = full_df
	};
	uint32_t used = 0;
	uint32_t large = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (fits[i].df == full_df && fits[i].mean >= 1 &&
		    fits[i].share <= most_share) {
			fits[used++] = fits[i];
		}
	}
	if (used < PROF_TREND_TESTS || full_df <= 0) {
		return all;
	}
	qsort(fits, used, sizeof(*fits), compare_means);
	while (large < used && fits[large].mean >= prior_mean) {
		large++;
	}
	fit_trend(&all, fits, used);
	fit_prior(&all, fits, large > 1 ? large : used);
	return all;
}

double prof_dispersion_of(const struct prof_dispersion *all, const struct prof_fit *fit,
			  double *df)
{
	double expected = trend(all, fit->mean) * all->prior;
	double phi = 0;

	if (fit->df <= 0) {
		*df = fmax(all->prior_df, 1);
		return fmax(expected, 1) * (1 - fit->share);
	}
	*df = all->prior_df + fit->df;
	phi = (all->prior_df * expected + fit->df * fit->phi) / *df;
	if (all->prior_df > 0 && fit->df == all->full_df &&
	    fit->phi > expected * all->limit) {
		phi = fit->phi;
		*df = fit->df;
	}
	return fmax(phi, least_phi) * (1 - fit->share);
}

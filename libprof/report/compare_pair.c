/* SPDX-License-Identifier: MIT */
/*
 * Two counts x_a, x_b of exposures e_a, e_b whose variance is phi mu + sigma^2 mu^2.
 * A count divided by its variance over its mean, f, has nearly the distribution of a
 * Poisson count; given the sum of two of these the second is binomial.
 *
 * Source: mid-P: Lancaster (1961). Interval of a difference from those of its parts:
 *         Zou and Donner (2008), "MOVER".
 */
#include <math.h>
#include <stdlib.h>

#include "libprof/report/compare_work.h"
#include "libprof/report/stat.h"

/* From here on the binomial is normal to three digits of p, and faster. */
static const double normal_from = 2e5;

/* No share is so large that its count has no noise at all. */
static const double least_spread = 1e-9;

double prof_pair_spread(const struct prof_pair *pair, double mu, double share)
{
	double thinned = (1 - (share < 1 ? share : 1)) * pair->phi;

	return fmax(thinned, least_spread) + pair->sigma * pair->sigma * mu;
}

/* P(Y >= y) of the binomial of m and pi, for real y. */
static double at_least(double y, double m, double pi)
{
	if (y <= 0) {
		return 1;
	}
	return y > m ? 0 : prof_stat_beta(pi, y, m - y + 1);
}

double prof_pair_test(const struct prof_pair *pair)
{
	double rate = (pair->xa + pair->xb) / (pair->ea + pair->eb);
	double share = pair->shares ? fmin(rate, 1) : 0;
	double fa = prof_pair_spread(pair, rate * pair->ea, share);
	double fb = prof_pair_spread(pair, rate * pair->eb, share);
	double ya = pair->xa / fa;
	double yb = pair->xb / fb;
	double wa = pair->ea / fa;
	double wb = pair->eb / fb;
	double pi = wb / (wa + wb);
	double up = 0;

	if (!(rate > 0) || share >= 1 - 1e-12) {
		return 1;
	}
	if (ya + yb > normal_from) {
		double variance = rate / wa + rate / wb;
		double off = fabs(pair->xb / pair->eb - pair->xa / pair->ea);

		return 2 * prof_stat_normal_upper(off / sqrt(variance));
	}
	/* The smaller tail as such: 1 minus the other has no digits left. */
	if (yb > (ya + yb) * pi) {
		up = 0.5 * (at_least(yb, ya + yb, pi) + at_least(yb + 1, ya + yb, pi));
	} else {
		up = 0.5 * (at_least(ya, ya + yb, 1 - pi) +
			    at_least(ya + 1, ya + yb, 1 - pi));
	}
	return 2 * fmin(up, 1 - up);
}

double prof_pair_square(const struct prof_pair *pair)
{
	double rate = (pair->xa + pair->xb) / (pair->ea + pair->eb);
	double thinned = pair->shares ? 1 - rate : 1;
	double variance = rate * thinned * (1 / pair->ea + 1 / pair->eb);
	double off = pair->xb / pair->eb - pair->xa / pair->ea;

	return variance > 0 ? off * off / variance : 0;
}

static double own_spread(const struct prof_pair *pair, double x, double e)
{
	return prof_pair_spread(pair, x, pair->shares ? x / e : 0);
}

struct prof_interval prof_pair_ratio(const struct prof_pair *pair, double confidence)
{
	double fa = own_spread(pair, pair->xa, pair->ea);
	double fb = own_spread(pair, pair->xb, pair->eb);
	double ya = pair->xa / fa;
	double yb = pair->xb / fb;
	double scale = pair->ea / fa / (pair->eb / fb);
	double tail = (1 - confidence) / 2;
	struct prof_interval out = { 0, INFINITY };

	if (ya + yb > normal_from && fmin(ya, yb) > 50) {
		double z = prof_stat_normal_quantile(1 - tail);
		double ratio = yb / ya * scale;
		double reach = exp(z * sqrt(1 / ya + 1 / yb));

		return (struct prof_interval){ ratio / reach, ratio * reach };
	}
	if (pair->xb > 0) {
		out.low = scale * prof_stat_beta_odds(tail, yb + 0.5, ya + 0.5);
	}
	if (pair->xa > 0) {
		out.high = scale / prof_stat_beta_odds(tail, ya + 0.5, yb + 0.5);
	}
	return out;
}

/* The score interval of one rate. */
static struct prof_interval rate_interval(const struct prof_pair *pair, double x,
					  double e, double z)
{
	double f = own_spread(pair, x, e);
	double y = x / f;
	double middle = y + z * z / 2;
	double reach = z * sqrt(y + z * z / 4);

	return (struct prof_interval){ fmax(0, middle - reach) * f / e,
				       (middle + reach) * f / e };
}

struct prof_interval prof_pair_delta(const struct prof_pair *pair, double confidence,
				     double df)
{
	double z = prof_stat_t_quantile(0.5 + confidence / 2, df);
	double a = pair->xa / pair->ea;
	double b = pair->xb / pair->eb;
	struct prof_interval of_a = rate_interval(pair, pair->xa, pair->ea, z);
	struct prof_interval of_b = rate_interval(pair, pair->xb, pair->eb, z);

	return (struct prof_interval){ b - a - hypot(b - of_b.low, of_a.high - a),
				       b - a + hypot(of_b.high - b, a - of_a.low) };
}

static int compare_doubles(const void *left, const void *right)
{
	const double *a = left;
	const double *b = right;

	return (*a > *b) - (*a < *b);
}

/*
 * The mean of the lowest three quarters, over what it is for independent samples:
 * E[chi2_1 | below its 3rd quartile]. A quarter of the functions may have changed.
 */
double prof_pair_phi(double *squares, uint32_t count)
{
	static const double expected = 0.368524050983562345;
	uint32_t kept = (uint32_t)(0.75 * count);
	double sum = 0;

	if (count < PROF_PAIR_TESTS) {
		return 1;
	}
	qsort(squares, count, sizeof(*squares), compare_doubles);
	for (uint32_t i = 0; i < kept; i++) {
		sum += squares[i];
	}
	return fmax(1, sum / kept / expected);
}

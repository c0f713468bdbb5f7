/* SPDX-License-Identifier: MIT */
/*
 * Gamma and its relatives. Formulas: Abramowitz and Stegun 6.1.42 (Stirling's series),
 * 6.3.18, 6.4.12, 6.4.14 (asymptotic series of the derivatives).
 */
#include <math.h>

#include "libprof/report/stat.h"
#include "libprof/report/stat_gamma.h"

/* Above this the series give 16 digits; below, recurrences climb there. */
enum { LARGE = 10 };

double prof_stat_stirling(double x)
{
	double f = 1 / (x * x);
	double sum = -3617.0 / 122400;

	sum = 1.0 / 156 + f * sum;
	sum = -691.0 / 360360 + f * sum;
	sum = 1.0 / 1188 + f * sum;
	sum = -1.0 / 1680 + f * sum;
	sum = 1.0 / 1260 + f * sum;
	sum = -1.0 / 360 + f * sum;
	sum = 1.0 / 12 + f * sum;
	return sum / x;
}

static double log_gamma(double x)
{
	int sign = 0;

	return lgamma_r(x, &sign);
}

/* ln gamma(b) - ln gamma(a + b) for large b: each alone would swamp the difference. */
static double log_gamma_drop(double a, double b)
{
	return a - (b - 0.5) * log1p(a / b) - a * log(a + b) + prof_stat_stirling(b) -
	       prof_stat_stirling(a + b);
}

double prof_stat_log_beta(double a, double b)
{
	double small = a < b ? a : b;
	double large = a < b ? b : a;

	if (large < LARGE) {
		return log_gamma(small) + log_gamma(large) - log_gamma(small + large);
	}
	if (small < LARGE) {
		return log_gamma(small) + log_gamma_drop(small, large);
	}
	return 0.5 * log(2 * M_PI * (1 / small + 1 / large)) -
	       small * log1p(large / small) - large * log1p(small / large) +
	       prof_stat_stirling(small) + prof_stat_stirling(large) -
	       prof_stat_stirling(small + large);
}

double prof_stat_digamma(double x)
{
	double below = 0;
	double f = 0;
	double sum = -691.0 / 32760;

	while (x < LARGE) {
		below += 1 / x;
		x++;
	}
	f = 1 / (x * x);
	sum = 1.0 / 132 + f * sum;
	sum = -1.0 / 240 + f * sum;
	sum = 1.0 / 252 + f * sum;
	sum = -1.0 / 120 + f * sum;
	sum = 1.0 / 12 + f * sum;
	return log(x) - 0.5 / x - f * sum - below;
}

double prof_stat_trigamma(double x)
{
	double below = 0;
	double f = 0;
	double sum = -691.0 / 2730;

	while (x < LARGE) {
		below += 1 / (x * x);
		x++;
	}
	f = 1 / (x * x);
	sum = 5.0 / 66 + f * sum;
	sum = -1.0 / 30 + f * sum;
	sum = 1.0 / 42 + f * sum;
	sum = -1.0 / 30 + f * sum;
	sum = 1.0 / 6 + f * sum;
	return below + (1 + f * sum) / x + f / 2;
}

static double tetragamma(double x)
{
	double below = 0;
	double f = 0;
	double sum = -5.0 / 6;

	while (x < LARGE) {
		below += 2 / (x * x * x);
		x++;
	}
	f = 1 / (x * x);
	sum = 3.0 / 10 + f * sum;
	sum = -1.0 / 6 + f * sum;
	sum = 1.0 / 6 + f * sum;
	sum = -1.0 / 2 + f * sum;
	return -below - f * (1 + 1 / x - f * sum);
}

/* Newton on 1 / trigamma, which is convex and nearly straight: Smyth (2004), limma. */
double prof_stat_trigamma_inverse(double y)
{
	double x = 0.5 + 1 / y;

	if (y > 1e7) {
		return 1 / sqrt(y);
	}
	if (y < 1e-6) {
		return 1 / y;
	}
	for (int i = 0; i < 50; i++) {
		double value = prof_stat_trigamma(x);
		double step = value * (1 - value / y) / tetragamma(x);

		x += step;
		if (-step < 1e-14 * x) {
			break;
		}
	}
	return x;
}

/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "libprof/report/stat.h"

double prof_stat_normal_upper(double z)
{
	return 0.5 * erfc(z * M_SQRT1_2);
}

/* P(Z > z) z / density, for z of at least 5: Laplace's continued fraction. */
static double mills(double z)
{
	double value = z;

	for (int k = 60; k > 0; k--) {
		value = z + k / value;
	}
	return 1 / value;
}

/* A start: Abramowitz and Stegun 26.2.23, off by at most 4.5e-4. */
static double first_guess(double tail)
{
	double t = sqrt(-2 * log(tail));

	return t - (2.515517 + t * (0.802853 + t * 0.010328)) /
			   (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

/* Halley's steps on ln tail, whose derivatives are known from tail / density. */
static double quantile_of_tail(double tail)
{
	double z = first_guess(tail);

	for (int i = 0; i < 3; i++) {
		double ratio = z > 5 ? mills(z)
				     : prof_stat_normal_upper(z) * sqrt(2 * M_PI) *
					       exp(z * z / 2);
		double upper = z > 5 ? log(ratio) - z * z / 2 - 0.5 * log(2 * M_PI)
				     : log(prof_stat_normal_upper(z));
		double off = upper - log(tail);
		double slope = -1 / ratio;
		double bend = slope * (slope + z) * -1;

		z -= off / (slope - 0.5 * off * bend / slope);
	}
	return z;
}

double prof_stat_normal_quantile(double p)
{
	if (p <= 0) {
		return -INFINITY;
	}
	if (p >= 1) {
		return INFINITY;
	}
	if (p == 0.5) {
		return 0;
	}
	return p < 0.5 ? -quantile_of_tail(p) : quantile_of_tail(1 - p);
}

/* SPDX-License-Identifier: MIT */
/*
 * The incomplete beta function, and Student's t and F, which are its clothes.
 *
 *	I_x(a, b) = x^a (1-x)^b / (a B(a, b)) * continued fraction      (NIST 8.17.22)
 *
 * evaluated by the modified Lentz method on the side of the mean where it converges.
 * Everything works with odds, x / (1 - x): they keep the digits of both x and 1 - x.
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "libprof/report/stat.h"
#include "libprof/report/stat_gamma.h"

enum { STIRLING_FROM = 10 };

struct beta {
	double a;
	double b;
	double x;
	double y; /* 1 - x */
};

static struct beta at_odds(double odds, double a, double b)
{
	struct beta beta = { a, b, 1, 0 };

	if (odds < DBL_MAX) {
		beta.x = odds / (1 + odds);
		beta.y = 1 / (1 + odds);
	}
	return beta;
}

static struct beta mirror(struct beta beta)
{
	return (struct beta){ beta.b, beta.a, beta.y, beta.x };
}

/* ln(1 + u) - u without loss near 0. */
static double log1p_less(double u)
{
	double term = u;
	double sum = 0;

	if (fabs(u) > 0.1) {
		return log1p(u) - u;
	}
	for (int k = 2; k < 20; k++) {
		term *= -u;
		sum += term / k;
	}
	return sum;
}

/*
 * x^a y^b / B(a, b). For large a and b these are powers near 10^-10^5 whose product is
 * not small; taken around the mean a / (a + b) what is left is small from the start.
 */
static double prefactor(const struct beta *beta)
{
	double a = beta->a;
	double b = beta->b;
	double off = 0;
	double exponent = 0;

	off = beta->x * b - beta->y * a;
	if (a < STIRLING_FROM || b < STIRLING_FROM || fabs(off) > 0.5 * fmin(a, b)) {
		double ln_x = beta->x < 0.5 ? log(beta->x) : log1p(-beta->y);
		double ln_y = beta->y < 0.5 ? log(beta->y) : log1p(-beta->x);

		return exp(a * ln_x + b * ln_y - prof_stat_log_beta(a, b));
	}
	exponent = a * log1p_less(off / a) + b * log1p_less(-off / b) +
		   prof_stat_stirling(a + b) - prof_stat_stirling(a) -
		   prof_stat_stirling(b);
	return exp(exponent) * sqrt(a / (2 * M_PI) * (b / (a + b)));
}

static double away_from_zero(double v)
{
	return fabs(v) < DBL_MIN ? DBL_MIN : v;
}

static double continued_fraction(const struct beta *beta)
{
	double a = beta->a;
	double b = beta->b;
	double c = 1;
	double d = (a + 1) / away_from_zero(1 - b + (a + b) * beta->y);
	double value = d;
	int limit = 200 + (int)(8 * sqrt(fmin(fmax(a, b), 1e12)));

	for (int k = 1; k < limit; k++) {
		double m = k;
		double even = m * (b - m) * beta->x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * beta->x /
			     ((a + 2 * m) * (a + 2 * m + 1));
		double step = 0;

		d = 1 / away_from_zero(1 + even * d);
		c = away_from_zero(1 + even / c);
		value *= d * c;
		d = 1 / away_from_zero(1 + odd * d);
		c = away_from_zero(1 + odd / c);
		step = d * c;
		value *= step;
		if (fabs(step - 1) < 4 * DBL_EPSILON) {
			break;
		}
	}
	return value;
}

/* I_x(a, b), and its slope against ln odds if wanted. */
static double lower(struct beta beta, double *slope)
{
	double front = 0;

	if (beta.x <= 0 || beta.b <= 0) {
		return beta.b <= 0 && beta.x >= 1 ? 1 : 0;
	}
	if (beta.y <= 0 || beta.a <= 0) {
		return 1;
	}
	front = prefactor(&beta);
	if (slope) {
		*slope = front;
	}
	if (beta.x * (beta.a + beta.b + 2) < beta.a + 1) {
		return front * continued_fraction(&beta) / beta.a;
	}
	beta = mirror(beta);
	return 1 - front * continued_fraction(&beta) / beta.a;
}

/* 1 - lower(), but exact where that is small. */
static double upper(struct beta beta, double *slope)
{
	if (beta.b <= 0) {
		return beta.x >= 1 ? 0 : 1;
	}
	return lower(mirror(beta), slope);
}

static struct beta at(double x, double a, double b)
{
	double inside = x < 0 ? 0 : x > 1 ? 1 : x;

	return (struct beta){ a, b, inside, 1 - inside };
}

double prof_stat_beta(double x, double a, double b)
{
	return lower(at(x, a, b), NULL);
}

double prof_stat_beta_upper(double x, double a, double b)
{
	return upper(at(x, a, b), NULL);
}

/*
 * The odds at which the lower tail is p, p at most 1/2 or so: Newton on ln tail
 * against ln odds, where tails are nearly straight, kept in a bracket by bisection.
 */
static double odds_of_tail(double p, double a, double b)
{
	double low = -700;
	double high = 700;
	double u = log(a / b);

	for (int i = 0; i < 200; i++) {
		double slope = 0;
		double value = lower(at_odds(exp(u), a, b), &slope);
		double next = 0;

		if (value > p) {
			high = u;
		} else {
			low = u;
		}
		next = value > 0 && slope > 0 ? u - log(value / p) * value / slope
					      : low - 1;
		if (!(next > low && next < high)) {
			next = 0.5 * (low + high);
		}
		if (fabs(next - u) < 4e-16 * (1 + fabs(next))) {
			break;
		}
		u = next;
	}
	return exp(u);
}

double prof_stat_beta_odds(double p, double a, double b)
{
	if (p <= 0) {
		return 0;
	}
	if (p >= 1) {
		return INFINITY;
	}
	if (p <= 0.5) {
		return odds_of_tail(p, a, b);
	}
	return 1 / odds_of_tail(1 - p, b, a);
}

/* Beyond this, Student's t is normal to more than 12 digits of its tail. */
static bool is_normal(double df)
{
	return df > 1e12;
}

double prof_stat_t_upper(double t, double df)
{
	double tail = 0;

	if (is_normal(df)) {
		return prof_stat_normal_upper(t);
	}
	tail = 0.5 * lower(at_odds(df / (t * t), df / 2, 0.5), NULL);
	return t > 0 ? tail : 1 - tail;
}

double prof_stat_t_quantile(double p, double df)
{
	double tail = p < 0.5 ? p : 1 - p;
	double t = 0;

	if (is_normal(df)) {
		return prof_stat_normal_quantile(p);
	}
	if (tail >= 0.5) {
		return 0;
	}
	t = sqrt(df / prof_stat_beta_odds(2 * tail, df / 2, 0.5));
	return p < 0.5 ? -t : t;
}

double prof_stat_f_upper(double f, double df1, double df2)
{
	if (f <= 0) {
		return 1;
	}
	return upper(at_odds(df1 / df2 * f, df1 / 2, df2 / 2), NULL);
}

double prof_stat_f_quantile(double p, double df1, double df2)
{
	return df2 / df1 * prof_stat_beta_odds(p, df1 / 2, df2 / 2);
}

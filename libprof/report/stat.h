/* SPDX-License-Identifier: MIT */
/*
 * stat.h - the distributions that comparing needs, tails first.
 *
 * Relative error at most 1e-10 while the result is above 1e-200, for parameters from
 * 0.01 to 1e6; tails are computed as such, never as 1 minus something near 1.
 *
 * Threads: no state; safe.
 * Cost:    an incomplete beta takes about 0.3 us for parameters below 100 and grows
 *          with the root of the larger one; quantiles are some ten of these.
 */
#ifndef PROF_REPORT_STAT_H
#define PROF_REPORT_STAT_H

/* ln B(a, b), a and b above 0. Loses no digits when one is far larger. */
double prof_stat_log_beta(double a, double b);

/* First and second derivative of ln gamma(x), x above 0. */
double prof_stat_digamma(double x);
double prof_stat_trigamma(double x);

/* The x above 0 at which trigamma is y, y above 0. */
double prof_stat_trigamma_inverse(double y);

/*
 * I_x(a, b), the regularised incomplete beta, and 1 - I_x(a, b). x outside [0, 1] is
 * at its end; a = 0 is all mass at 0, b = 0 all at 1.
 */
double prof_stat_beta(double x, double a, double b);
double prof_stat_beta_upper(double x, double a, double b);

/* x / (1 - x) at which I_x(a, b) is p: 0 for p <= 0, INFINITY for p >= 1. */
double prof_stat_beta_odds(double p, double a, double b);

/* P(Z > z) of the normal distribution, and the z at which P(Z < z) is p. */
double prof_stat_normal_upper(double z);
double prof_stat_normal_quantile(double p);

/* P(T > t) of Student's t, and its quantile; df may be INFINITY. */
double prof_stat_t_upper(double t, double df);
double prof_stat_t_quantile(double p, double df);

/* P(F > f) of the variance ratio, and its quantile. */
double prof_stat_f_upper(double f, double df1, double df2);
double prof_stat_f_quantile(double p, double df1, double df2);

#endif

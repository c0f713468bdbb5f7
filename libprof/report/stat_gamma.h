/* SPDX-License-Identifier: MIT */
/* stat_gamma.h - what stat_beta.c needs of stat_gamma.c. Private to libprof/report. */
#ifndef PROF_REPORT_STAT_GAMMA_H
#define PROF_REPORT_STAT_GAMMA_H

/* ln gamma(x) - ln(sqrt(2 pi / x) (x / e)^x), for x of at least 10. */
double prof_stat_stirling(double x);

#endif

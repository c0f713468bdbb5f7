/* SPDX-License-Identifier: MIT */
/*
 * compare_work.h - what the files compare_*.c share. Private to libprof/report.
 *
 *	read     profile -> one input: amounts of every row         compare_read, _count
 *	series   one test: counts and exposures of all runs         compare_series
 *	pair     tests and intervals of two Poisson-like counts     compare_pair
 *	runs     dispersions over many tests                        compare_runs
 *	judge    series -> estimates, q, verdicts                   compare_judge, _twins
 *	explain  renames and moves                                  compare_renames, _moves
 *
 * Exposure e = work / weight, where weight is the value of one raw sample: then
 * count / exposure is value per work, whatever the sampling rate of the run.
 */
#ifndef PROF_REPORT_COMPARE_WORK_H
#define PROF_REPORT_COMPARE_WORK_H

#include "libprof/base/map.h"
#include "libprof/base/strings.h"
#include "libprof/report/compare.h"

/* So many samples a test needs, and so many tests an estimate of noise. */
enum { PROF_TEST_SAMPLES = 10, PROF_PAIR_TESTS = 20, PROF_TREND_TESTS = 10 };

struct prof_amount {
	int64_t value;
	double noise;   /* variance of value, were samples independent */
	double samples; /* raw */
};

struct prof_cell {
	uint32_t row;
	struct prof_amount flat;
	struct prof_amount cum;
};

struct prof_compare_input {
	enum prof_side side;
	struct prof_cell *cells; /* by row, ascending */
	uint32_t cell_count;
	struct prof_cell *groups;
	struct prof_amount total;
	enum prof_count_source source;
	double period; /* value of one raw sample; 0 when it varies */
	double given_work;
	int64_t duration_ns;
	uint32_t notes;
	double work; /* chosen by normalisation */
	uint32_t cursor;
};

/* Calls counted once per sample. */
struct prof_edge {
	uint32_t caller;
	uint32_t callee;
	double value[2];
	uint64_t stamp;
};

struct prof_compare_name {
	uint32_t file; /* string */
	bool asked;    /* which groups it is in */
	uint64_t groups;
};

struct prof_compare {
	struct prof_compare_options options;
	struct prof_strings names; /* row i is string i */
	struct prof_strings files;
	struct prof_compare_name *about; /* per row */
	size_t about_cap;
	uint32_t row_count;
	struct prof_strings type; /* what is compared: two strings */
	uint32_t type_name;
	uint32_t type_unit;
	bool typed;

	struct prof_compare_input *inputs;
	size_t input_cap;
	uint32_t input_count;
	uint32_t runs[3]; /* per side */

	struct prof_edge *edges;
	size_t edge_cap;
	uint32_t edge_count;
	struct prof_map edge_map;
	bool sampled_edges; /* from some stacks only */
	uint64_t stamp;
	struct prof_buf scratch;

	double scale_noise; /* variance of ln work after / before */
	double mean_work;   /* of a run of after */
};

/* counts */

/* How values of one profile become counts. */
struct prof_counting {
	enum prof_count_source source;
	double period; /* 0: it varies by sample */
	const int64_t *values;
	const int64_t *counts; /* COLUMN, and objects of HEAP */
	const int64_t *space;  /* HEAP */
	double rate;           /* HEAP */
	double scaled;         /* by a comment; 1 */
	uint32_t notes;
};

bool prof_counting_choose(const struct prof_profile *profile,
			  const struct prof_compare_run *run, struct prof_counting *out,
			  struct prof_error *err) PROF_NODISCARD;

/* What sample `i` amounts to. */
struct prof_amount prof_counting_amount(const struct prof_counting *counting,
					uint32_t i);

static inline void prof_amount_add(struct prof_amount *to,
				   const struct prof_amount *amount)
{
	to->value += amount->value;
	to->noise += amount->noise;
	to->samples += amount->samples;
}

/* Read `profile` into `input`, adding rows, edges and group members. */
bool prof_compare_read(struct prof_compare *compare, const struct prof_profile *profile,
		       const struct prof_counting *counting,
		       struct prof_compare_input *input,
		       struct prof_error *err) PROF_NODISCARD;

/* series */

struct prof_series {
	uint32_t runs; /* of all three sides, in order of the inputs */
	const struct prof_compare_input *inputs;
	double *count;    /* effective: value / weight */
	double *exposure; /* work / weight */
	int64_t value[2];
	double samples[2]; /* raw */
	double x[3];       /* sums of count, per side */
	double e[3];       /* sums of exposure */
};

enum prof_what { PROF_FLAT, PROF_CUM };

struct prof_series *prof_series_new(const struct prof_compare *compare);
void prof_series_free(struct prof_series *series);

/* Start over; then rows must be asked for in ascending order. */
void prof_series_rewind(struct prof_compare *compare);
void prof_series_row(struct prof_compare *compare, uint32_t row, enum prof_what what,
		     struct prof_series *series);
/* Two rows as one, first < second. */
void prof_series_rows(struct prof_compare *compare, uint32_t first, uint32_t second,
		      enum prof_what what, struct prof_series *series);
void prof_series_group(const struct prof_compare *compare, uint32_t group,
		       enum prof_what what, struct prof_series *series);
void prof_series_total(const struct prof_compare *compare, struct prof_series *series);

/* Choose the work of every input; see prof_compare_finish(). */
bool prof_compare_normalize(struct prof_compare *compare, struct prof_comparison *out,
			    struct prof_error *err) PROF_NODISCARD;

/* a pair of counts */

struct prof_pair {
	double xa;
	double xb;
	double ea;
	double eb;
	double phi;
	double sigma;
	bool shares; /* exposures are totals of which the counts are a part */
};

struct prof_interval {
	double low;
	double high;
};

/* Two-sided mid-P of equal rates. */
double prof_pair_test(const struct prof_pair *pair);

/* Of rate b / rate a, Jeffreys; of rate b - rate a, MOVER of score intervals. */
struct prof_interval prof_pair_ratio(const struct prof_pair *pair, double confidence);
struct prof_interval prof_pair_delta(const struct prof_pair *pair, double confidence,
				     double df);

/* Square of the standardised difference, phi 1 and sigma 0. */
double prof_pair_square(const struct prof_pair *pair);

/* Variance over mean of a count of mean `mu` and share `share`. */
double prof_pair_spread(const struct prof_pair *pair, double mu, double share);

/* phi of one pair from the squares of all its tests, which are sorted; below 1: 1. */
double prof_pair_phi(double *squares, uint32_t count);

/* several runs */

struct prof_fit {
	double phi; /* Pearson's, thinning taken out */
	double df;
	double mean;  /* count per run */
	double share; /* of TOTAL, otherwise 0 */
};

struct prof_dispersion {
	double base; /* phi(mu) = base + slope mu: bursts, and run noise squared */
	double slope;
	double prior_df; /* 0: none */
	double prior;    /* factor on phi(mu) */
	double limit;    /* of phi / phi(mu): above, a test is not moderated */
	double full_df;
};

struct prof_fit prof_series_fit(const struct prof_series *series, bool shares,
				bool paired);

/* Learn from `count` fits; reorders them. */
struct prof_dispersion prof_dispersion_learn(struct prof_fit *fits, uint32_t count,
					     double full_df);

/* The dispersion to use for a test, and its degrees of freedom. */
double prof_dispersion_of(const struct prof_dispersion *all, const struct prof_fit *fit,
			  double *df);

/*
 * Deviance of "equal rates", signed by the direction; by pairs of runs if `paired`,
 * when *log_ratio and *information about it are set too.
 */
double prof_series_deviance(const struct prof_series *series);
double prof_series_paired(const struct prof_series *series, double *log_ratio,
			  double *information);

/* judging */

/* What a comparison knows while it judges. */
struct prof_judge {
	struct prof_compare *compare;
	struct prof_comparison *out;
	struct prof_series *series;
	bool many;   /* several runs, not one pair */
	bool shares; /* PROF_NORMALIZE_TOTAL or _STABLE */
	struct prof_dispersion dispersion;
};

bool prof_compare_judge(struct prof_judge *judge,
			struct prof_error *err) PROF_NODISCARD;

/* Estimate what is in the series of `judge`; no q, no verdict. */
void prof_judge_estimate(struct prof_judge *judge, struct prof_estimate *e);

/* Verdict and detectable change, after q; the weight is its share of the family. */
void prof_judge_verdict(const struct prof_judge *judge, double weight,
			struct prof_estimate *e);

bool prof_compare_twins(const struct prof_compare *compare, struct prof_comparison *out,
			struct prof_error *err) PROF_NODISCARD;

/* Weighted Benjamini-Hochberg: p becomes q. */
struct prof_test {
	double p;
	double weight;
	double q;
	uint32_t at; /* the caller's */
};

bool prof_adjust(struct prof_test *tests, uint32_t count,
		 struct prof_error *err) PROF_NODISCARD;

/* explaining */

bool prof_compare_find_renames(struct prof_judge *judge,
			       struct prof_error *err) PROF_NODISCARD;
void prof_compare_join_rows(struct prof_compare *compare, uint32_t from, uint32_t to);
bool prof_compare_find_moves(struct prof_judge *judge,
			     struct prof_error *err) PROF_NODISCARD;

#endif

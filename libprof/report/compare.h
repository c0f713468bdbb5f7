/* SPDX-License-Identifier: MIT */
/*
 * compare.h - two sides of runs compared: what changed, and what is only noise.
 *
 *	options = prof_compare_defaults()
 *	prof_compare_new(&options)
 *	prof_compare_add(compare, PROF_BEFORE or PROF_AFTER, profile, &run) ...
 *	prof_compare_finish(compare, &comparison)
 *
 * A run is one recording of one execution; a side has one or many, and they are never
 * summed before the test, because only their scatter tells how noisy the machine is.
 * The profile is read while it is added and may be freed afterwards.
 *
 * Counts:  statistics need raw samples. They are, in this order: a column of samples
 *          beside the compared one; value / period, when values are multiples of it;
 *          heap rows made unbiased by rate, turned back; value / greatest common
 *          divisor; integers of unit count as they are; otherwise the effective
 *          number (sum v)^2 / sum v^2. A comment "fgtool: scaled F" divides by F.
 * Law:     Var(x) = phi mu + sigma^2 mu^2: bursts of samples and noise between runs.
 * 1 v 1:   phi from the scatter of all functions, sigma assumed (10 %); mid-P test of
 *          the conditional binomial with effective counts; Jeffreys interval.
 * n v m:   quasi-Poisson with dispersions moderated over all functions (empirical
 *          Bayes, as limma and edgeR-QL do); t test and interval.
 * Many:    flat and cum of every row with at least 10 samples are one family; weighted
 *          Benjamini-Hochberg, weight the root of the pooled count. Rows of the same
 *          samples (main -> run -> handler) are one test.
 *
 * Units:   values in the unit of the column. expected, measured, delta are per run of
 *          after: expected is what before leads one to expect of that much work.
 * Order:   rows by name, bytewise, so that equal inputs give equal results. Swapping
 *          the sides inverts ratios and keeps p.
 * Owns:    copies of all names.
 * Errors:  MISMATCH: types differ, a side is empty, negative values, no work given.
 *          LIMIT: a sum past int64, more than 2^32 rows.
 * Cost:    one pass over the stacks of a profile, about 15 ns per frame; 56 bytes per
 *          row and run; 10 to 50 us per test. Who calls whom is learned from every
 *          n-th stack when there are more than 262144.
 */
#ifndef PROF_REPORT_COMPARE_H
#define PROF_REPORT_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "libprof/base/arena.h"
#include "libprof/base/error.h"
#include "libprof/model/profile.h"
#include "libprof/report/key.h"
#include "libprof/report/top.h"

struct prof_compare;

enum { PROF_COMPARE_GROUPS = 64 };

enum prof_side {
	PROF_BEFORE,
	PROF_AFTER,
	PROF_SAME_CODE, /* runs that only show the noise; at least two, or none */
};

enum prof_normalize {
	PROF_NORMALIZE_NONE,     /* every run did the same work */
	PROF_NORMALIZE_TOTAL,    /* shares of the total */
	PROF_NORMALIZE_DURATION, /* per second of the recording */
	PROF_NORMALIZE_STABLE,   /* most functions did not change: their median ratio */
	PROF_NORMALIZE_WORK,     /* per unit of prof_compare_run.work */
	PROF_NORMALIZE_REFERENCE, /* per cum of group `reference` */
	PROF_NORMALIZE_FACTOR,    /* after did `factor` times the work of before */
};

struct prof_rename {
	struct prof_text from; /* in before, as folded */
	struct prof_text to;   /* in after */
};

struct prof_compare_options {
	struct prof_key_options key;
	enum prof_normalize normalize;
	double factor;
	bool paired;        /* run i of before goes with run i of after */
	double alpha;       /* .05: false findings allowed among the real ones */
	double equivalence; /* .05: an interval inside [1/1.05, 1.05] is "same" */
	double run_noise;   /* .10: sigma assumed of one pair */
	bool no_fdr;        /* q is p */

	bool keep_names;     /* no folding of names, see prof_compare_fold() */
	bool accept_renames; /* recognised renames are one row */
	const struct prof_rename *renames; /* borrowed until finish */
	uint32_t rename_count;

	/*
	 * Groups of rows that are rows themselves: what `cum(RE)` of a gate means. A
	 * sample is in the flat of a group when its leaf's name is, in its cum when
	 * any frame's is. Asked once per name and group. NULL when group_count is 0;
	 * at most PROF_COMPARE_GROUPS.
	 */
	uint32_t group_count;
	bool (*in_group)(void *context, uint32_t group, struct prof_text name);
	void *context;
	uint32_t reference;
};

/* By function, PROF_NORMALIZE_STABLE, and the numbers above. */
struct prof_compare_options prof_compare_defaults(void);

struct prof_compare_run {
	uint32_t column;
	uint32_t count_column; /* of raw samples; PROF_NONE: find one */
	double period;         /* value of one raw sample; 0: find out */
	double work;           /* done by this run; PROF_NORMALIZE_WORK only */
};

enum prof_count_source {
	PROF_COUNT_GIVEN,   /* by prof_compare_run */
	PROF_COUNT_COLUMN,  /* a column of samples */
	PROF_COUNT_PERIOD,  /* value / period */
	PROF_COUNT_HEAP,    /* heap rows, made biased again */
	PROF_COUNT_EXACT,   /* everything was recorded: no sampling noise */
	PROF_COUNT_DIVISOR, /* value / greatest common divisor: a guess */
	PROF_COUNT_VALUE,   /* integers that count */
	PROF_COUNT_KISH,    /* effective number: cautious */
};

enum prof_verdict {
	PROF_VERDICT_UNTESTED, /* fewer than 10 samples, or 0 by construction */
	PROF_VERDICT_REAL,     /* q < alpha */
	PROF_VERDICT_SUSPECT,  /* p_quiet < alpha: too little for so many questions */
	PROF_VERDICT_SAME,     /* the interval is inside the equivalence bounds */
	PROF_VERDICT_UNKNOWN, /* can't tell: `detectable` says from where on one could */
};

/* Flat or cum of something. No field is NAN; only `ratio*` may be INFINITY. */
struct prof_estimate {
	int64_t value[2]; /* sum over the runs of a side, as measured */
	double count[2];  /* raw samples behind it */
	double expected;  /* per run of after, had nothing changed */
	double measured;  /* per run of after */
	double ratio;     /* measured / expected; 1 for 0 of 0; INFINITY when new */
	double ratio_low; /* confidence interval, 1 - alpha */
	double ratio_high;
	double delta; /* measured - expected */
	double delta_low;
	double delta_high;
	double p;         /* two-sided, of "nothing changed"; 1 when untested */
	double p_quiet;   /* of one pair: p, were run noise at most 2 %; otherwise p */
	double q;         /* after multiplicity */
	double phi;       /* dispersion used */
	double df;        /* of its t distribution; INFINITY: normal */
	double log_error; /* standard error of ln ratio */
	double detectable; /* smallest ratio - 1 found real with 80 % power; 0: none is */
	double detectable_alone; /* the same as a named gate */
	double certified; /* ln ratio, less its error: 0 when that may be noise */
	enum prof_verdict verdict;
	bool is_new;    /* nothing before */
	bool is_gone;   /* nothing after */
	bool has_twin;  /* same samples as another row's, or as this row's flat: */
	uint32_t twin;  /* ... of this row; p, q and verdict are its */
	bool twin_flat; /* ... and its flat, not its cum */
};

#define PROF_NO_MOVE UINT32_MAX

struct prof_compare_row {
	struct prof_text name; /* folded, of after where it was renamed */
	struct prof_text file; /* of its function; empty when unknown */
	struct prof_estimate flat;
	struct prof_estimate cum;
	uint32_t move;   /* into moves, when this row only got or lost what moved */
	uint32_t rename; /* into renames, when it takes part in one */
};

/* Cost that went from somewhere to `row` within a domain that did not grow as much. */
enum prof_move_kind {
	PROF_MOVE_INLINED, /* within `row`, its callee `other` and nobody else */
	PROF_MOVE_GONE,    /* from a function that is gone */
	PROF_MOVE_CALLER,  /* within the cum of the caller `other` */
	PROF_MOVE_FILE,    /* within the file of `row` */
};

struct prof_move {
	enum prof_move_kind kind;
	uint32_t row;   /* went up */
	uint32_t other; /* gone row, callee, caller; the largest loser for a file */
	double delta;   /* of row */
	double net;     /* of the domain, with its 90 % interval */
	double net_low;
	double net_high;
};

struct prof_renamed {
	uint32_t gone;
	uint32_t came;
	double score;              /* of 1 */
	bool accepted;             /* both are one row, `came`; `gone` is untested */
	struct prof_estimate both; /* flat of gone before, of came after */
};

struct prof_compare_side {
	uint32_t runs;
	int64_t value; /* sum over all runs */
	double samples;
	int64_t duration_ns;           /* sum; 0 when a run does not say */
	double period;                 /* value of one raw sample; 0 when it varies */
	enum prof_count_source source; /* of the least trustworthy run */
	double work;                   /* sum of what runs were divided by */
};

enum prof_noise_source {
	PROF_NOISE_ASSUMED,  /* one pair: phi estimated if possible, sigma assumed */
	PROF_NOISE_MEASURED, /* from the runs themselves */
	PROF_NOISE_GIVEN,    /* from runs of PROF_SAME_CODE */
};

struct prof_noise {
	enum prof_noise_source source;
	double phi;      /* 1: independent samples */
	double sigma;    /* run-to-run, 0.02 is 2 % */
	double prior_df; /* of the moderated dispersion; 0: none */
};

enum prof_compare_note {
	PROF_NOTE_FEW_FUNCTIONS = 1 << 0, /* too few rows to estimate noise from */
	PROF_NOTE_ONE_RUN = 1 << 1,       /* a side has one run: run noise is assumed */
	PROF_NOTE_NO_MAJORITY = 1 << 2,   /* stable: over half of the samples changed */
	PROF_NOTE_SCALES_DIFFER = 1 << 3, /* stable, total and duration: over 5 % */
	PROF_NOTE_PERIODS_DIFFER = 1 << 4,
	PROF_NOTE_GUESSED_COUNTS = 1 << 5, /* PROF_COUNT_DIVISOR or _KISH */
	PROF_NOTE_NOT_MULTIPLES = 1 << 6,  /* of the period: merged or scaled inputs */
	PROF_NOTE_FEW_SAMPLES = 1 << 7,    /* a side has fewer than 1000 */
	PROF_NOTE_SCALED = 1 << 8,         /* a comment said so, and was believed */
};

/* How much more after is than before, seen in different ways; 0 when unknown. */
struct prof_scales {
	double used;     /* work of after / work of before, per run */
	double total;    /* ratio of mean values per run */
	double duration; /* ratio of mean durations */
	double stable;   /* ratio of most functions: what STABLE uses, if possible */
};

struct prof_comparison {
	struct prof_arena arena;
	struct prof_top_type type;
	struct prof_compare_options options; /* without pointers */
	struct prof_compare_side sides[2];
	struct prof_noise noise;
	struct prof_scales scales;
	uint32_t notes; /* enum prof_compare_note */

	struct prof_estimate total; /* untested when normalised by itself */
	struct prof_compare_row *rows;
	uint32_t row_count;
	struct prof_compare_row *groups; /* q is p; names are empty */
	uint32_t group_count;
	struct prof_move *moves;
	uint32_t move_count;
	struct prof_renamed *renames;
	uint32_t renamed_count;

	uint32_t test_count;  /* size of the family */
	double family_weight; /* sum of its weights */
	uint32_t untested;    /* rows with fewer than 10 samples */
};

/* NULL when out of memory. */
struct prof_compare *prof_compare_new(const struct prof_compare_options *options);

/* Add one run. A run that fails is not added. */
bool prof_compare_add(struct prof_compare *compare, enum prof_side side,
		      const struct prof_profile *profile,
		      const struct prof_compare_run *run,
		      struct prof_error *err) PROF_NODISCARD;

/* Compare; `compare` must be freed afterwards. */
bool prof_compare_finish(struct prof_compare *compare, struct prof_comparison **out,
			 struct prof_error *err) PROF_NODISCARD;

/* NULL is fine for both. */
void prof_compare_free(struct prof_compare *compare);
void prof_comparison_free(struct prof_comparison *comparison);

/*
 * Append `name` without what differs from build to build: hexadecimal addresses, Rust
 * hashes (::h0123456789abcdef), .llvm.N, .isra.N, .part.N, .constprop.N, .cold, lambda
 * and accessor numbers of the JVM. Equal to the input for all others.
 */
void prof_compare_fold(struct prof_buf *out, struct prof_text name);

/* The estimate that decides for `e` of a row: itself, or that of its twin. */
const struct prof_estimate *prof_compare_deciding(
	const struct prof_comparison *comparison, const struct prof_estimate *e);

/* What it would take to find a change of `change` (.05 is 5 %) real. */
struct prof_compare_need {
	double runs;    /* a side, as they are; 0: more than 1000 */
	double samples; /* times as many per run, same runs; 0: no number helps */
};

struct prof_compare_need prof_compare_need(const struct prof_comparison *comparison,
					   const struct prof_estimate *e,
					   double change);

/* gates */

enum prof_gate_mode {
	PROF_GATE_PROVEN, /* beyond the threshold, with false alarms below alpha */
	PROF_GATE_LIKELY, /* estimate beyond it, and a change proven */
	PROF_GATE_POINT,  /* estimate beyond it: naive */
};

enum prof_gate_unit {
	PROF_GATE_RATIO,  /* .03: 3 % more than expected */
	PROF_GATE_POINTS, /* .01: one percentage point of the measured total */
	PROF_GATE_VALUE,  /* in the unit of the column, per run of after */
};

struct prof_gate {
	enum prof_gate_mode mode;
	enum prof_gate_unit unit;
	double threshold;
	bool below; /* fails below the threshold instead of above */
};

enum prof_gate_outcome {
	PROF_GATE_PASSES, /* what it forbids is not there */
	PROF_GATE_FAILS,
	PROF_GATE_INCONCLUSIVE, /* nothing testable, or it might be there */
};

struct prof_gate_test {
	const struct prof_estimate *estimate; /* of a row, a group or the total */
	double p;                             /* one-sided, of "not beyond it" */
	double q;                             /* among the tests of this gate */
	enum prof_gate_outcome outcome;
};

/*
 * Fill in p, q and outcome of `tests`, which form a family of their own, and the
 * outcome of all. A gate passes when no test fails and the interval of none reaches
 * past the threshold; in between it is inconclusive. NOMEM only.
 */
bool prof_compare_gate(const struct prof_comparison *comparison,
		       const struct prof_gate *gate, struct prof_gate_test *tests,
		       uint32_t count, enum prof_gate_outcome *outcome,
		       struct prof_error *err) PROF_NODISCARD;

#endif

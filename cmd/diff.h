/* SPDX-License-Identifier: MIT */
/*
 * diff.h - what the parts of `fgtool diff` say to each other.
 *
 *	cmd_diff.c      options, and which of these it is:
 *	diff_sides.c    operands and options -> runs of each side
 *	diff_per.c      --per: the work that each run did
 *	diff_ahead.c    runs read by two threads
 *	diff_run.c      runs -> comparison (libprof/report/compare.h)
 *	diff_parts.c    the same by label
 *	diff_judge.c    gates of the comparison
 *	diff_findings.c what of it to show, in which order; counts
 *	diff_words.c    verdicts, notes and numbers in words
 *	diff_head.c     sentences about the whole: inputs, noise, gates, moves
 *	diff_table.c    findings as a table for people
 *	diff_text.c diff_md.c diff_json.c diff_csv.c
 *	diff_growth.c   --base alone: an exact difference, no statistics
 *	diff_save.c     the difference as a profile
 */
#ifndef FGTOOL_DIFF_H
#define FGTOOL_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/diff_gate.h"
#include "cmd/filter_options.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/report_options.h"
#include "cmd/save.h"
#include "cmd/table.h"
#include "libprof/base/arena.h"
#include "libprof/report/compare.h"

enum diff_format {
	DIFF_TEXT,
	DIFF_JSON,
	DIFF_CSV,
	DIFF_MD,
	DIFF_MARKDOWN, /* the same */
	DIFF_BY_NAME,  /* of the output; not an option's value */
};

enum diff_order {
	DIFF_ORDER_REAL, /* verdict, then size of the change */
	DIFF_ORDER_DELTA,
	DIFF_ORDER_RATIO,
	DIFF_ORDER_Q,
};

enum diff_exit {
	DIFF_GATE_FAILED = EXIT_NO,
	DIFF_NOT_COMPARABLE = 3,
	DIFF_INCONCLUSIVE = 4,
};

struct diff_options {
	struct option_list before;
	struct option_list after;
	struct option_list base;
	bool allow_negative;
	bool paired;

	const char *normalize;
	const char *per;
	const char *count_type;
	double period;
	const char *by_label;
	int fold_names; /* 0: fold; 1: keep */
	struct option_list renames;
	bool accept_renames;

	double run_noise;
	struct option_list noise_from;
	double alpha;
	double equiv;
	bool no_fdr;

	struct option_list gates;
	int gate_mode; /* enum prof_gate_mode */
	bool strict;
	int64_t min_runs;

	int format;    /* enum diff_format */
	int order;     /* enum diff_order */
	int64_t limit; /* -1: not given */
	bool all;
	bool cum;
	int color;
	int64_t width;

	struct report_options report;
	struct filter_options filter;
	struct input_options input;
	struct save_options save;
};

/* sides */

struct diff_run {
	const char *path;
	const char *base;    /* what it had already at its start; NULL: nothing */
	double work;         /* 0: not known */
	uint64_t samples;    /* records in the file */
	int64_t duration_ns; /* 0: not known */
	int64_t value;       /* total of the column */
};

struct diff_side {
	struct diff_run *runs;
	uint32_t count;
};

struct diff_sides {
	struct prof_arena memory;
	struct diff_side side[PROF_SAME_CODE + 1]; /* by enum prof_side */
	bool growth; /* --base alone: the runs are sums, and the bases are before */
	bool stdin_used;
};

/*
 * Who is on which side. `split` operands stand before `--`; -1: there is none. Ends
 * the process when the command line makes no sense.
 */
bool diff_sides_choose(const struct command *self, const struct diff_options *diff,
		       int argc, char **argv, int split, struct diff_sides *sides,
		       struct prof_error *err) PROF_NODISCARD;

void diff_sides_free(struct diff_sides *sides);

/*
 * Fill in the work of every run that --per gives on the command line:
 * "requests=120,130:125,128". False, with work 0, is an error; a name alone leaves it
 * to diff_work_of().
 */
bool diff_per_parse(const char *per, struct diff_sides *sides,
		    struct prof_error *err) PROF_NODISCARD;

/* The work a profile's comment "fgtool.work: requests=120" tells; 0: none. */
double diff_work_of(const struct prof_profile *profile, struct prof_text name);

/* The name in --per. */
struct prof_text diff_per_name(const char *per);

/* One run, filtered and without its base. The caller's. */
bool diff_run_load(const struct diff_options *diff, const struct diff_run *run,
		   struct prof_profile **out, struct prof_error *err) PROF_NODISCARD;

/* What is left of a run once it is read: its base goes, then what filters drop. */
bool diff_run_prepare(const struct diff_options *diff, const struct diff_run *run,
		      struct prof_profile **profile,
		      struct prof_error *err) PROF_NODISCARD;

/*
 * All runs as they are in their files, side by side in order: take each once. NULL when
 * out of memory.
 */
struct diff_ahead;

struct diff_ahead *diff_ahead_new(const struct input_options *input,
				  const struct diff_sides *sides);
bool diff_ahead_take(struct diff_ahead *ahead, struct prof_profile **out,
		     struct prof_error *err) PROF_NODISCARD;
void diff_ahead_free(struct diff_ahead *ahead);

/*
 * `after` and `factor` times the negative of `before`, merged: factor 1 is the plain
 * difference.
 */
bool diff_subtract(const struct prof_profile *before, struct prof_profile *after,
		   double factor, struct prof_profile **out,
		   struct prof_error *err) PROF_NODISCARD;

/* results */

/* A comparison of the samples with one value of a label. */
struct diff_part {
	struct prof_text key;
	struct prof_text value;
	struct prof_comparison *comparison; /* NULL: it could not be compared */
	struct prof_text why_not;
	bool asked; /* by --by-label, not only by a gate */
};

struct diff_gate_result {
	struct gate gate;
	uint32_t group;               /* of its pattern; PROF_NONE */
	struct prof_gate_test *tests; /* as many as count */
	uint32_t count;
	const struct prof_comparison *comparison; /* whole or a part's */
	enum prof_gate_outcome outcome;
	bool few_runs; /* inconclusive because of --min-runs */
};

struct diff_result {
	struct prof_arena memory;
	const struct diff_options *options;
	const struct diff_sides *sides;
	struct prof_key_options key;
	struct prof_comparison *whole;
	struct diff_part *parts; /* by key and value */
	uint32_t part_count;
	struct diff_gate_result *gates; /* in the order given */
	uint32_t gate_count;
};

/* Read the gates; the groups of those with a name, numbered in their order. */
bool diff_gates_parse(const struct diff_options *diff, struct diff_result *result,
		      struct prof_error *err) PROF_NODISCARD;

/* Compare all runs. `result->gates` are known. */
bool diff_run_all(const struct diff_options *diff, struct diff_sides *sides,
		  struct diff_result *result, struct prof_error *err) PROF_NODISCARD;

bool diff_gates_judge(const struct diff_options *diff, struct diff_result *result,
		      struct prof_error *err) PROF_NODISCARD;

/* The outcome of all gates: the worst of them; passes when there is none. */
enum prof_gate_outcome diff_outcome(const struct diff_result *result);

void diff_result_free(struct diff_result *result);

/* parts: the samples with one value of a label */

/* Profiles of all runs, while the parts are made of them. */
struct diff_kept {
	const struct prof_compare_options *options; /* of the whole */
	struct prof_text type;                      /* "cpu/nanoseconds" */
	struct prof_profile **profiles[PROF_SAME_CODE + 1];
};

/* Whether a label is asked for, by --by-label or by a gate. */
bool diff_parts_wanted(const struct diff_options *diff,
		       const struct diff_result *result);

/* Compare every part that is asked for; the whole is known. */
bool diff_parts_make(const struct diff_options *diff, const struct diff_sides *sides,
		     const struct diff_kept *kept, struct diff_result *result,
		     struct prof_error *err) PROF_NODISCARD;

/* findings */

struct diff_finding {
	const struct prof_compare_row *row;
	const struct prof_estimate *estimate;
	uint32_t index; /* of the row */
	bool cum;
	uint32_t twins; /* other rows that have the same samples */
};

struct diff_counts {
	uint32_t regressions; /* real, of their own */
	uint32_t improvements;
	uint32_t callers_up; /* real, in cum only */
	uint32_t callers_down;
	uint32_t moved; /* rows that only got or lost what moved */
	uint32_t renamed;
	uint32_t suspect;
	uint32_t same;
	uint32_t unknown;
	uint32_t tested;
};

struct diff_findings {
	struct diff_finding *items;
	uint32_t count; /* shown, at most the limit */
	uint32_t more;  /* that the limit leaves out */
	struct diff_counts counts;
};

/*
 * What to show of a comparison: what is real or suspect, or everything; at most
 * `limit` lines. Free `items` with prof_free().
 */
bool diff_findings_make(const struct prof_comparison *comparison,
			const struct diff_options *diff, bool all, uint32_t limit,
			struct diff_findings *out,
			struct prof_error *err) PROF_NODISCARD;

/* words */

/* Whether a row got what moved, or lost it and is gone or inlined because of that. */
bool diff_is_moved(const struct prof_comparison *comparison,
		   const struct prof_compare_row *row);

/*
 * Whether a row seems to be one half of a function that only changed its name, and that
 * is not really different as one function.
 */
bool diff_is_renamed(const struct prof_comparison *comparison,
		     const struct prof_compare_row *row);

/* "REAL", "moved", "can't tell" ... `row` is NULL for the total. */
const char *diff_verdict_word(const struct prof_comparison *comparison,
			      const struct prof_compare_row *row,
			      const struct prof_estimate *estimate);

/* The word that programs get: "real", "suspect", "same", "unknown", "untested". */
const char *diff_verdict_key(enum prof_verdict verdict);

/* "+4.0%", "-12%", "x3.1", "new", "gone". */
void diff_show_change(const struct prof_estimate *estimate, char *out, size_t size);
void diff_show_ratio(double ratio, char *out, size_t size);

/* "-0.3% .. +8.5%" */
void diff_show_interval(const struct prof_estimate *estimate, char *out, size_t size);

/* "0.0012", "<1e-6" */
void diff_show_p(double p, char *out, size_t size);

/* Append "1 regression, 0 improvements, 2 moved" and so on, without a line's end. */
void diff_add_verdict(const struct diff_result *result,
		      const struct diff_findings *findings, struct prof_buf *out);

/* A name within a sentence: safe to show, without its middle when it is long. */
void diff_add_name(struct prof_buf *out, struct prof_text name);

/* Lines that explain what was compared and how sure it is, each with its end. */
void diff_add_head(const struct diff_result *result, struct report_unit *unit,
		   struct prof_buf *out);
void diff_add_gates(const struct diff_result *result, struct prof_buf *out);
void diff_add_moves(const struct prof_comparison *comparison, struct report_unit *unit,
		    struct prof_buf *out);
void diff_add_renames(const struct prof_comparison *comparison, struct prof_buf *out);
void diff_add_sensitivity(const struct diff_result *result, struct prof_buf *out);
void diff_add_notes(const struct prof_comparison *comparison, struct prof_buf *out);

/* What a note says: NULL for a bit that is none. */
const char *diff_note_text(uint32_t bit);
const char *diff_note_key(uint32_t bit);

const char *diff_normalize_word(enum prof_normalize normalize);
const char *diff_outcome_word(enum prof_gate_outcome outcome);
const char *diff_outcome_key(enum prof_gate_outcome outcome); /* for programs */

/* pages */

/* The unit of all values of a comparison. */
bool diff_unit(const struct diff_result *result, struct report_unit *unit,
	       struct prof_error *err) PROF_NODISCARD;

/*
 * Append a table of findings; nothing when there is none. With `brief`, names are cut
 * as within sentences.
 */
bool diff_add_table(const struct prof_comparison *comparison,
		    const struct diff_findings *findings,
		    const struct table_style *style, struct report_unit *unit,
		    bool brief, struct prof_buf *out,
		    struct prof_error *err) PROF_NODISCARD;

/* Append a table of the parts: the total of each, and what is real or suspect. */
bool diff_add_parts(const struct diff_result *result, const struct table_style *style,
		    struct report_unit *unit, bool brief, struct prof_buf *out,
		    struct prof_error *err) PROF_NODISCARD;

/* "12 more", "--all shows them": what the findings leave out, lines with their end. */
void diff_add_rest(const struct diff_result *result,
		   const struct diff_findings *findings, struct prof_buf *out);

bool diff_print_text(const struct diff_result *result, const struct table_style *style,
		     struct prof_buf *out, struct prof_error *err) PROF_NODISCARD;
bool diff_print_md(const struct diff_result *result, struct prof_buf *out,
		   struct prof_error *err) PROF_NODISCARD;
bool diff_print_json(const struct diff_result *result, struct prof_buf *out,
		     struct prof_error *err) PROF_NODISCARD;
bool diff_print_csv(const struct diff_result *result, struct prof_buf *out,
		    struct prof_error *err) PROF_NODISCARD;

/* The growth since --base, as a table. */
bool diff_growth(const struct diff_options *diff, const struct diff_sides *sides,
		 enum diff_format format, struct prof_error *err) PROF_NODISCARD;

/* Whether the output is to be a profile: by --to, or by the name of the file. */
bool diff_wants_profile(const struct save_options *save);

/* The difference as a profile, to a file. */
bool diff_save(const struct diff_options *diff, struct diff_sides *sides,
	       struct prof_error *err) PROF_NODISCARD;

/* Put both sides in front of a reason why they do not fit. Always false. */
bool diff_not_comparable(const struct diff_sides *sides, struct prof_error *err);

#endif

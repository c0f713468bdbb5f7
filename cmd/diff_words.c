/* SPDX-License-Identifier: MIT */
/* Verdicts and numbers in words. */
#include <math.h>
#include <stdio.h>

#include "cmd/diff.h"

bool diff_is_renamed(const struct prof_comparison *comparison,
		     const struct prof_compare_row *row)
{
	uint32_t index = (uint32_t)(row - comparison->rows);

	for (uint32_t i = 0; i < comparison->renamed_count; i++) {
		const struct prof_renamed *rename = &comparison->renames[i];

		if (!rename->accepted && rename->both.verdict != PROF_VERDICT_REAL &&
		    (rename->gone == index || rename->came == index)) {
			return true;
		}
	}
	return false;
}

bool diff_is_moved(const struct prof_comparison *comparison,
		   const struct prof_compare_row *row)
{
	uint32_t index = (uint32_t)(row - comparison->rows);

	for (uint32_t i = 0; i < comparison->move_count; i++) {
		const struct prof_move *move = &comparison->moves[i];
		bool whole =
			move->kind == PROF_MOVE_INLINED || move->kind == PROF_MOVE_GONE;

		if (whole && move->other == index) {
			return true;
		}
	}
	return row->move != PROF_NO_MOVE;
}

const char *diff_verdict_word(const struct prof_comparison *comparison,
			      const struct prof_compare_row *row,
			      const struct prof_estimate *e)
{
	switch (e->verdict) {
	case PROF_VERDICT_REAL:
		if (row && diff_is_moved(comparison, row)) {
			return "moved";
		}
		return row && diff_is_renamed(comparison, row) ? "renamed?" : "REAL";
	case PROF_VERDICT_SUSPECT:
		return "suspect";
	case PROF_VERDICT_SAME:
		return "same";
	case PROF_VERDICT_UNKNOWN:
		return "can't tell";
	case PROF_VERDICT_UNTESTED:
		break;
	}
	return "untested";
}

const char *diff_verdict_key(enum prof_verdict verdict)
{
	static const char *const keys[] = {
		[PROF_VERDICT_UNTESTED] = "untested", [PROF_VERDICT_REAL] = "real",
		[PROF_VERDICT_SUSPECT] = "suspect",   [PROF_VERDICT_SAME] = "same",
		[PROF_VERDICT_UNKNOWN] = "unknown",
	};

	return keys[verdict];
}

const char *diff_normalize_word(enum prof_normalize normalize)
{
	static const char *const words[] = {
		[PROF_NORMALIZE_NONE] = "none",
		[PROF_NORMALIZE_TOTAL] = "total",
		[PROF_NORMALIZE_DURATION] = "duration",
		[PROF_NORMALIZE_STABLE] = "stable",
		[PROF_NORMALIZE_WORK] = "per",
		[PROF_NORMALIZE_REFERENCE] = "ref",
		[PROF_NORMALIZE_FACTOR] = "factor",
	};

	return words[normalize];
}

const char *diff_outcome_word(enum prof_gate_outcome outcome)
{
	static const char *const words[] = {
		[PROF_GATE_PASSES] = "passed",
		[PROF_GATE_FAILS] = "FAILED",
		[PROF_GATE_INCONCLUSIVE] = "inconclusive",
	};

	return words[outcome];
}

const char *diff_outcome_key(enum prof_gate_outcome outcome)
{
	static const char *const keys[] = {
		[PROF_GATE_PASSES] = "passed",
		[PROF_GATE_FAILS] = "failed",
		[PROF_GATE_INCONCLUSIVE] = "inconclusive",
	};

	return keys[outcome];
}

/* Two significant digits for what is small, none behind the point for what is not. */
static int digits_of(double percent)
{
	double size = fabs(percent);

	if (size >= 9.95) {
		return 0;
	}
	return size >= 0.095 || size == 0 ? 1 : 2;
}

void diff_show_ratio(double ratio, char *out, size_t size)
{
	double percent = (ratio - 1) * 100;

	if (!isfinite(ratio) || ratio >= 1e6) {
		snprintf(out, size, "any");
	} else if (ratio >= 10) {
		snprintf(out, size, "x%.*f", ratio < 99.5 ? 1 : 0, ratio);
	} else if (fabs(percent) < 0.005) {
		snprintf(out, size, "0%%");
	} else {
		snprintf(out, size, "%+.*f%%", digits_of(percent), percent);
	}
}

void diff_show_change(const struct prof_estimate *e, char *out, size_t size)
{
	if (e->is_new) {
		snprintf(out, size, "new");
	} else if (e->is_gone) {
		snprintf(out, size, "gone");
	} else {
		diff_show_ratio(e->ratio, out, size);
	}
}

void diff_show_interval(const struct prof_estimate *e, char *out, size_t size)
{
	char low[32];
	char high[32];

	if (e->is_new || e->is_gone) {
		snprintf(out, size, " ");
		return;
	}
	diff_show_ratio(e->ratio_low, low, sizeof(low));
	diff_show_ratio(e->ratio_high, high, sizeof(high));
	snprintf(out, size, "%s .. %s", low, high);
}

void diff_show_p(double p, char *out, size_t size)
{
	if (p < 1e-6) {
		snprintf(out, size, "<1e-6");
	} else if (p < 0.001) {
		snprintf(out, size, "%.0e", p);
	} else {
		snprintf(out, size, p < 0.0995 ? "%.3f" : "%.2f", p);
	}
}

static const struct note {
	uint32_t bit;
	const char *key;
	const char *text;
} notes[] = {
	{ PROF_NOTE_FEW_FUNCTIONS, "few-functions",
	  "too few functions to learn the noise of samples from: taken to be chance" },
	{ PROF_NOTE_ONE_RUN, "one-run",
	  "one run a side does not show how much runs differ: --run-noise is assumed" },
	{ PROF_NOTE_NO_MAJORITY, "no-stable-majority",
	  "more than half of the samples changed: say what runs did (--per, --normalize)" },
	{ PROF_NOTE_SCALES_DIFFER, "scales-differ",
	  "work, totals and durations disagree: say what runs did (--per, --normalize)" },
	{ PROF_NOTE_PERIODS_DIFFER, "periods-differ",
	  "the sides were sampled at different rates: each counts with its own" },
	{ PROF_NOTE_GUESSED_COUNTS, "guessed-counts",
	  "how many samples a value stands for was guessed (--count-type, --period)" },
	{ PROF_NOTE_NOT_MULTIPLES, "not-multiples",
	  "values are no multiples of the period: the inputs were merged or scaled" },
	{ PROF_NOTE_FEW_SAMPLES, "few-samples",
	  "fewer than 1000 samples on a side: only large changes can be found" },
	{ PROF_NOTE_SCALED, "scaled",
	  "a comment says that values were scaled: they were scaled back" },
};

static const struct note *find_note(uint32_t bit)
{
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++) {
		if (notes[i].bit == bit) {
			return &notes[i];
		}
	}
	return NULL;
}

const char *diff_note_text(uint32_t bit)
{
	const struct note *note = find_note(bit);

	return note ? note->text : NULL;
}

const char *diff_note_key(uint32_t bit)
{
	const struct note *note = find_note(bit);

	return note ? note->key : NULL;
}

static const char *plural(uint32_t count, const char *one, const char *many)
{
	return count == 1 ? one : many;
}

/* "1 regression (and 2 callers)" */
static void add_count(struct prof_buf *out, uint32_t count, const char *one,
		      const char *many, uint32_t callers)
{
	prof_buf_addf(out, "%u %s", count, plural(count, one, many));
	if (callers > 0) {
		prof_buf_addf(out, " (and %u %s)", callers,
			      plural(callers, "caller", "callers"));
	}
}

static void add_gate_counts(const struct diff_result *result, struct prof_buf *out)
{
	uint32_t failed = 0;
	uint32_t open = 0;

	for (uint32_t i = 0; i < result->gate_count; i++) {
		failed += result->gates[i].outcome == PROF_GATE_FAILS;
		open += result->gates[i].outcome == PROF_GATE_INCONCLUSIVE;
	}
	if (failed > 0) {
		prof_buf_addf(out, "FAILED %u of %u %s: ", failed, result->gate_count,
			      plural(result->gate_count, "gate", "gates"));
	} else if (open > 0) {
		prof_buf_addf(out, "inconclusive %u of %u %s: ", open,
			      result->gate_count,
			      plural(result->gate_count, "gate", "gates"));
	} else if (result->gate_count > 0) {
		prof_buf_addf(out, "passed %u %s: ", result->gate_count,
			      plural(result->gate_count, "gate", "gates"));
	}
}

void diff_add_verdict(const struct diff_result *result,
		      const struct diff_findings *findings, struct prof_buf *out)
{
	const struct diff_counts *counts = &findings->counts;
	const struct prof_compare_side *sides = result->whole->sides;

	add_gate_counts(result, out);
	add_count(out, counts->regressions, "regression", "regressions",
		  counts->callers_up);
	prof_buf_adds(out, ", ");
	add_count(out, counts->improvements, "improvement", "improvements",
		  counts->callers_down);
	if (counts->moved > 0) {
		prof_buf_addf(out, ", %u moved", counts->moved);
	}
	if (counts->renamed > 0) {
		prof_buf_addf(out, ", %u renamed", counts->renamed);
	}
	if (counts->suspect > 0) {
		prof_buf_addf(out, ", %u suspect", counts->suspect);
	}
	prof_buf_addf(
		out, " (%u v %u %s, FDR %g%%)", sides[0].runs, sides[1].runs,
		plural(sides[0].runs > sides[1].runs ? sides[0].runs : sides[1].runs,
		       "run", "runs"),
		result->whole->options.alpha * 100);
}

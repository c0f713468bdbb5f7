/* SPDX-License-Identifier: MIT */
/* Sentences about a comparison, a line each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/diff.h"
#include "libprof/base/alloc.h"
#include "libprof/model/unit.h"

enum {
	NAME_MAX_BYTES = 72, /* of a name within a sentence */
	NAME_FRONT = 28,
	GATE_LINES = 3, /* functions shown under a gate that failed */
	RENAMES_SHOWN = 8,
	MOVES_SHOWN = 8,
};

#define TYPICAL_SHARE 0.01 /* of a function that a typical one is chosen from */
#define WISH          0.05 /* the change that people ask to be able to find */

static bool continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

void diff_add_name(struct prof_buf *out, struct prof_text name)
{
	struct prof_buf safe = { 0 };
	size_t front = NAME_FRONT;
	size_t back = 0;

	prof_text_escape(&safe, name);
	if (safe.len <= NAME_MAX_BYTES) {
		prof_buf_add(out, safe.data ? safe.data : "", safe.len);
	} else {
		back = safe.len - (NAME_MAX_BYTES - NAME_FRONT - 3);
		while (front > 0 && continues(safe.data[front])) {
			front--;
		}
		while (back < safe.len && continues(safe.data[back])) {
			back++;
		}
		prof_buf_add(out, safe.data, front);
		prof_buf_adds(out, "...");
		prof_buf_add(out, safe.data + back, safe.len - back);
	}
	out->failed |= safe.failed;
	prof_buf_free(&safe);
}

static int64_t rounded(double value)
{
	return fabs(value) < 9e18 ? llround(value) : 0;
}

static const char *show(struct report_unit *unit, double value)
{
	return report_show(unit, rounded(value));
}

/* what was compared */

static void add_side(const struct diff_result *result, int which,
		     struct report_unit *unit, struct prof_buf *out)
{
	const struct prof_comparison *whole = result->whole;
	const struct prof_compare_side *side = &whole->sides[which];

	prof_buf_addf(out, "%-8s%u %s, %.0f samples, %s of ",
		      which ? "after" : "before", side->runs,
		      side->runs == 1 ? "run" : "runs", side->samples,
		      report_show(unit, side->value));
	diff_add_name(out, whole->type.type);
	if (side->duration_ns > 0) {
		prof_buf_adds(out, " in ");
		prof_unit_label(out, side->duration_ns, prof_text("ns"),
				prof_text("auto"));
	}
	prof_buf_adds(out, "\n");
}

/* How much more after is in other ways than the one used. */
static void add_other_scales(const struct prof_comparison *whole, struct prof_buf *out)
{
	const struct prof_scales *scales = &whole->scales;
	const struct {
		const char *name;
		double scale;
		enum prof_normalize used_by;
	} all[] = {
		{ "totals", scales->total, PROF_NORMALIZE_TOTAL },
		{ "durations", scales->duration, PROF_NORMALIZE_DURATION },
		{ "most functions", scales->stable, PROF_NORMALIZE_STABLE },
	};
	const char *between = " (";

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i].scale > 0 && all[i].used_by != whole->options.normalize) {
			prof_buf_addf(out, "%s%s x%.3g", between, all[i].name,
				      all[i].scale);
			between = ", ";
		}
	}
	prof_buf_adds(out, between[0] == ',' ? ")" : "");
}

static void add_work(const struct diff_result *result, struct prof_buf *out)
{
	const struct prof_comparison *whole = result->whole;
	const struct diff_options *diff = result->options;
	struct prof_text per = { 0 };

	prof_buf_adds(out, "work    ");
	switch (whole->options.normalize) {
	case PROF_NORMALIZE_NONE:
		prof_buf_adds(out, "every run did the same");
		break;
	case PROF_NORMALIZE_TOTAL:
		prof_buf_adds(out, "shares of the total");
		break;
	case PROF_NORMALIZE_DURATION:
		prof_buf_adds(out, "per second of recording");
		break;
	case PROF_NORMALIZE_STABLE:
		prof_buf_adds(out, whole->scales.stable > 0
					   ? "by what most functions did"
					   : "by totals, for want of functions");
		break;
	case PROF_NORMALIZE_WORK:
		per = diff_per_name(diff->per ? diff->per : "work");
		prof_buf_adds(out, "per ");
		diff_add_name(out, per);
		break;
	case PROF_NORMALIZE_REFERENCE:
	case PROF_NORMALIZE_FACTOR:
		prof_buf_adds(out, "by ");
		diff_add_name(out, prof_text(diff->normalize));
		break;
	}
	prof_buf_addf(out, ": x%.3g a run", whole->scales.used);
	add_other_scales(whole, out);
	prof_buf_adds(out, "\n");
}

static void add_noise(const struct prof_comparison *whole, struct prof_buf *out)
{
	const struct prof_noise *noise = &whole->noise;
	static const char *const sources[] = {
		[PROF_NOISE_ASSUMED] = "assumed",
		[PROF_NOISE_MEASURED] = "measured from the runs",
		[PROF_NOISE_GIVEN] = "measured from runs of the same code",
	};

	prof_buf_addf(out,
		      "noise   between runs %.2g%%, of samples %.2g x chance (%s)\n",
		      noise->sigma * 100, noise->phi, sources[noise->source]);
}

static void add_total(const struct prof_comparison *whole, struct report_unit *unit,
		      struct prof_buf *out)
{
	const struct prof_estimate *total = &whole->total;
	char change[32];
	char interval[80];

	if (total->verdict == PROF_VERDICT_UNTESTED) {
		return;
	}
	diff_show_change(total, change, sizeof(change));
	diff_show_interval(total, interval, sizeof(interval));
	prof_buf_addf(out, "total   %s -> ", show(unit, total->expected));
	prof_buf_addf(out, "%s a run  %s [%s]  %s\n", show(unit, total->measured),
		      change, interval, diff_verdict_word(whole, NULL, total));
}

void diff_add_head(const struct diff_result *result, struct report_unit *unit,
		   struct prof_buf *out)
{
	add_side(result, 0, unit, out);
	add_side(result, 1, unit, out);
	add_work(result, out);
	add_noise(result->whole, out);
	add_total(result->whole, unit, out);
}

/* gates */

/* Whose estimate a test is about, and by which name people know it. */
static void add_tested(const struct diff_gate_result *gate,
		       const struct prof_gate_test *test, struct prof_buf *out)
{
	const struct prof_comparison *comparison = gate->comparison;
	char change[32];
	char interval[80];
	char q[32];

	diff_show_change(test->estimate, change, sizeof(change));
	diff_show_interval(test->estimate, interval, sizeof(interval));
	diff_show_p(test->q, q, sizeof(q));
	if (test->estimate == &comparison->total) {
		prof_buf_adds(out, "total");
	} else if (gate->group != PROF_NONE) {
		diff_add_name(out, gate->gate.pattern);
	} else {
		for (uint32_t i = 0; i < comparison->row_count; i++) {
			const struct prof_compare_row *row = &comparison->rows[i];

			if (test->estimate == &row->flat ||
			    test->estimate == &row->cum) {
				diff_add_name(out, row->name);
			}
		}
	}
	prof_buf_addf(out, " %s [%s], q %s", change, interval, q);
}

static void add_failed(const struct diff_gate_result *gate, struct prof_buf *out)
{
	uint32_t shown = 0;
	uint32_t more = 0;

	for (uint32_t i = 0; i < gate->count; i++) {
		if (gate->tests[i].outcome != PROF_GATE_FAILS) {
			continue;
		}
		if (shown == GATE_LINES) {
			more++;
			continue;
		}
		shown++;
		prof_buf_adds(out, "        ");
		add_tested(gate, &gate->tests[i], out);
		prof_buf_adds(out, "\n");
	}
	if (more > 0) {
		prof_buf_addf(out, "        and %u more\n", more);
	}
}

static void add_open(const struct diff_result *result,
		     const struct diff_gate_result *gate, struct prof_buf *out)
{
	const char *why = "it might be beyond the threshold, it might not";

	if (gate->few_runs) {
		prof_buf_addf(out, ": fewer runs a side than the %lld of --min-runs",
			      (long long)result->options->min_runs);
		return;
	}
	if (!gate->comparison) {
		why = "no samples with this label on both sides";
	} else if (gate->count == 0) {
		why = "nothing that it is about could be tested";
	} else if (gate->count > 1) {
		why = "some functions might be beyond the threshold, they might not";
	}
	prof_buf_addf(out, ": %s", why);
}

void diff_add_gates(const struct diff_result *result, struct prof_buf *out)
{
	for (uint32_t i = 0; i < result->gate_count; i++) {
		const struct diff_gate_result *gate = &result->gates[i];

		prof_buf_addf(out, "gate    %s: ", diff_outcome_word(gate->outcome));
		diff_add_name(out, prof_text(gate->gate.text));
		if (gate->outcome == PROF_GATE_INCONCLUSIVE) {
			add_open(result, gate, out);
		}
		if (gate->count == 1 && gate->comparison) {
			prof_buf_adds(out, ": ");
			add_tested(gate, &gate->tests[0], out);
		}
		prof_buf_adds(out, "\n");
		if (gate->outcome == PROF_GATE_FAILS && gate->count > 1) {
			add_failed(gate, out);
		}
	}
}

/* what changed its place or its name */

static void add_domain(const struct prof_comparison *comparison,
		       const struct prof_move *move, struct prof_buf *out)
{
	const struct prof_compare_row *other = &comparison->rows[move->other];

	switch (move->kind) {
	case PROF_MOVE_INLINED:
		prof_buf_adds(out, " came from its callee ");
		diff_add_name(out, other->name);
		prof_buf_adds(out, ", perhaps inlined");
		break;
	case PROF_MOVE_GONE:
		prof_buf_adds(out, " came from ");
		diff_add_name(out, other->name);
		prof_buf_adds(out, ", which is gone");
		break;
	case PROF_MOVE_CALLER:
		prof_buf_adds(out, " moved within what ");
		diff_add_name(out, other->name);
		prof_buf_adds(out, " calls");
		break;
	case PROF_MOVE_FILE:
		prof_buf_adds(out, " moved within its file, mostly from ");
		diff_add_name(out, other->name);
		break;
	}
}

void diff_add_moves(const struct prof_comparison *comparison, struct report_unit *unit,
		    struct prof_buf *out)
{
	for (uint32_t i = 0; i < comparison->move_count; i++) {
		const struct prof_move *move = &comparison->moves[i];

		if (i == MOVES_SHOWN) {
			prof_buf_addf(out, "moved   and %u more\n",
				      comparison->move_count - i);
			return;
		}
		prof_buf_adds(out, "moved   ");
		diff_add_name(out, comparison->rows[move->row].name);
		prof_buf_addf(out, " %s",
			      report_show_signed(unit, rounded(move->delta)));
		add_domain(comparison, move, out);
		prof_buf_addf(out, "; together %s",
			      report_show_signed(unit, rounded(move->net)));
		prof_buf_addf(out, " [%s",
			      report_show_signed(unit, rounded(move->net_low)));
		prof_buf_addf(out, " .. %s]\n",
			      report_show_signed(unit, rounded(move->net_high)));
	}
}

void diff_add_renames(const struct prof_comparison *comparison, struct prof_buf *out)
{
	for (uint32_t i = 0; i < comparison->renamed_count; i++) {
		const struct prof_renamed *rename = &comparison->renames[i];
		char change[32];

		if (i == RENAMES_SHOWN) {
			prof_buf_addf(out, "renamed and %u more\n",
				      comparison->renamed_count - i);
			return;
		}
		prof_buf_addf(out, "renamed%s ", rename->accepted ? " " : "?");
		diff_add_name(out, comparison->rows[rename->gone].name);
		prof_buf_adds(out, " -> ");
		diff_add_name(out, comparison->rows[rename->came].name);
		if (rename->both.verdict != PROF_VERDICT_UNTESTED) {
			diff_show_change(&rename->both, change, sizeof(change));
			prof_buf_addf(out, ": as one function %s", change);
		}
		prof_buf_adds(out, rename->accepted ? "\n" : " (--accept-renames)\n");
	}
}

/* how small a change can be found */

static int compare_numbers(const void *a, const void *b)
{
	const double x = *(const double *)a;
	const double y = *(const double *)b;

	return (x > y) - (x < y);
}

static void add_percent(struct prof_buf *out, double fraction)
{
	double percent = fraction * 100;

	prof_buf_addf(out, percent < 9.95 ? "%.1f%%" : "%.0f%%", percent);
}

static bool can_be_found(const struct prof_estimate *e)
{
	return !e->has_twin && !e->is_new && !e->is_gone &&
	       e->verdict != PROF_VERDICT_UNTESTED && e->detectable > 0;
}

/* The change found in half of the functions of at least 1 %; 0: there are none. */
static double typical(const struct prof_comparison *comparison)
{
	double *found =
		prof_alloc_array((size_t)comparison->row_count + 1, sizeof(*found));
	uint32_t count = 0;
	double median = 0;

	for (uint32_t i = 0; found && i < comparison->row_count; i++) {
		const struct prof_estimate *e = &comparison->rows[i].flat;

		if (can_be_found(e) &&
		    e->expected >= TYPICAL_SHARE * comparison->total.expected) {
			found[count++] = e->detectable;
		}
	}
	if (count > 0) {
		qsort(found, count, sizeof(*found), compare_numbers);
		median = found[count / 2];
	}
	prof_free(found);
	return median;
}

static const struct prof_compare_row *hottest(const struct prof_comparison *comparison)
{
	const struct prof_compare_row *best = NULL;

	for (uint32_t i = 0; i < comparison->row_count; i++) {
		const struct prof_compare_row *row = &comparison->rows[i];

		if (can_be_found(&row->flat) &&
		    (!best || row->flat.expected > best->flat.expected)) {
			best = row;
		}
	}
	return best;
}

static void add_need(const struct prof_comparison *comparison,
		     const struct prof_compare_row *row, struct prof_buf *out)
{
	struct prof_compare_need need = prof_compare_need(comparison, &row->flat, WISH);

	prof_buf_addf(out, "        to find %.0f%% in ", WISH * 100);
	diff_add_name(out, row->name);
	if (need.runs > 0) {
		prof_buf_addf(out, ": %.0f runs a side as they are", need.runs);
	} else {
		prof_buf_adds(out, ": more than 1000 runs a side as they are");
	}
	if (need.samples > 0) {
		prof_buf_addf(out, ", or %.2g times the samples in each\n",
			      need.samples);
	} else {
		prof_buf_adds(out, "; more samples in each do not help\n");
	}
}

void diff_add_sensitivity(const struct diff_result *result, struct prof_buf *out)
{
	const struct prof_comparison *whole = result->whole;
	const struct prof_compare_row *hot = hottest(whole);
	double middle = typical(whole);

	if (!hot) {
		prof_buf_adds(out, "finds   no change of any size: there are too few "
				   "samples\n");
		return;
	}
	prof_buf_adds(out, "finds   changes from, 4 times of 5: ");
	if (can_be_found(&whole->total)) {
		prof_buf_adds(out, "total ");
		add_percent(out, whole->total.detectable);
		prof_buf_adds(out, ", ");
	}
	diff_add_name(out, hot->name);
	prof_buf_adds(out, " ");
	add_percent(out, hot->flat.detectable);
	if (middle > 0) {
		prof_buf_adds(out, ", half of the functions of 1% or more ");
		add_percent(out, middle);
	}
	prof_buf_adds(out, "\n");
	if (hot->flat.detectable > WISH) {
		add_need(whole, hot, out);
	}
}

void diff_add_notes(const struct prof_comparison *comparison, struct prof_buf *out)
{
	for (uint32_t bit = 1; diff_note_text(bit); bit <<= 1) {
		if (comparison->notes & bit) {
			prof_buf_addf(out, "note    %s\n", diff_note_text(bit));
		}
	}
}

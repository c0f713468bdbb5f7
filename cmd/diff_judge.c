/* SPDX-License-Identifier: MIT */
/* Gates: which estimates each of them asks about, and what the answer is. */
#include <math.h>
#include <string.h>

#include "cmd/diff.h"
#include "libprof/base/alloc.h"
#include "libprof/model/unit.h"

/* A unit's worth is asked for as many of them, since values are whole numbers. */
#define UNITS_ASKED INT64_C(1000000)

bool diff_gates_parse(const struct diff_options *diff, struct diff_result *result,
		      struct prof_error *err)
{
	const struct option_list *list = &diff->gates;

	result->gates =
		prof_arena_array(&result->memory, list->count, sizeof(*result->gates));
	if (!result->gates) {
		return prof_fail_nomem(err);
	}
	for (size_t i = 0; i < list->count; i++) {
		if (!gate_parse(list->items[i], &result->gates[i].gate, err)) {
			return false;
		}
		result->gates[i].group = PROF_NONE;
	}
	result->gate_count = (uint32_t)list->count;
	return true;
}

/* The total of what is compared by its own total says nothing. */
static bool check_total(const struct diff_gate_result *gate, struct prof_error *err)
{
	enum prof_normalize how = gate->comparison->options.normalize;

	if (gate->gate.metric != GATE_TOTAL ||
	    (how != PROF_NORMALIZE_TOTAL && how != PROF_NORMALIZE_STABLE)) {
		return true;
	}
	return prof_fail(
		err, PROF_ERR_UNSUPPORTED,
		"--gate '%s': totals are made equal by --normalize=%s; say what "
		"the runs did: --per=..., --normalize=none or "
		"--normalize=duration",
		gate->gate.text, diff_normalize_word(how));
}

static bool choose_comparison(struct diff_result *result, struct diff_gate_result *gate,
			      struct prof_error *err)
{
	gate->comparison = result->whole;
	if (gate->gate.label_key.len == 0) {
		return check_total(gate, err);
	}
	for (uint32_t i = 0; i < result->part_count; i++) {
		const struct diff_part *part = &result->parts[i];

		if (prof_text_equal(part->key, gate->gate.label_key) &&
		    prof_text_equal(part->value, gate->gate.label_value)) {
			gate->comparison = part->comparison;
		}
	}
	return true;
}

/* The threshold in what the engine compares. */
static bool convert(const struct diff_gate_result *gate, struct prof_gate *out,
		    struct prof_error *err)
{
	struct prof_text from = gate->gate.unit;
	struct prof_text to = gate->comparison->type.unit;

	out->threshold = gate->gate.threshold;
	out->below = gate->gate.less;
	switch (gate->gate.measure) {
	case GATE_PERCENT:
		out->unit = PROF_GATE_RATIO;
		return true;
	case GATE_POINTS:
		out->unit = PROF_GATE_POINTS;
		return true;
	case GATE_UNIT:
		break;
	}
	out->unit = PROF_GATE_VALUE;
	if (prof_text_equal(from, to)) {
		return true;
	}
	if (!prof_unit_convertible(from, to)) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "--gate '%s': values in %.*s cannot be told in %.*s",
				 gate->gate.text, (int)to.len, to.data, (int)from.len,
				 from.data);
	}
	out->threshold *=
		prof_unit_scale(UNITS_ASKED, from, to).value / (double)UNITS_ASKED;
	return true;
}

static double share_of(const struct prof_comparison *comparison,
		       const struct prof_estimate *e)
{
	const struct prof_estimate *total = &comparison->total;
	double before = total->expected > 0 ? e->expected / total->expected : 0;
	double after = total->measured > 0 ? e->measured / total->measured : 0;

	return before > after ? before : after;
}

/* Rows of the same samples are asked once; what only moved is not to blame. */
static bool is_asked(const struct diff_gate_result *gate,
		     const struct prof_compare_row *row, const struct prof_estimate *e)
{
	bool flat = gate->gate.metric == GATE_FLAT;

	if (e->verdict == PROF_VERDICT_UNTESTED ||
	    diff_is_moved(gate->comparison, row) ||
	    (e->has_twin && e->twin_flat == flat)) {
		return false;
	}
	if (gate->gate.metric == GATE_NEW &&
	    (!e->is_new || diff_is_renamed(gate->comparison, row))) {
		return false;
	}
	return share_of(gate->comparison, e) >= gate->gate.min_share;
}

static void collect_rows(struct diff_gate_result *gate)
{
	for (uint32_t i = 0; i < gate->comparison->row_count; i++) {
		const struct prof_compare_row *row = &gate->comparison->rows[i];
		const struct prof_estimate *e =
			gate->gate.metric == GATE_FLAT ? &row->flat : &row->cum;

		if (is_asked(gate, row, e)) {
			gate->tests[gate->count++].estimate = e;
		}
	}
}

static void collect_one(struct diff_gate_result *gate, const struct prof_estimate *e)
{
	if (e->verdict != PROF_VERDICT_UNTESTED &&
	    share_of(gate->comparison, e) >= gate->gate.min_share) {
		gate->tests[gate->count++].estimate = e;
	}
}

static bool collect(struct diff_result *result, struct diff_gate_result *gate,
		    struct prof_error *err)
{
	const struct prof_comparison *comparison = gate->comparison;
	const struct prof_compare_row *group = NULL;

	gate->tests =
		prof_arena_array(&result->memory, (size_t)comparison->row_count + 1,
				 sizeof(*gate->tests));
	if (!gate->tests) {
		return prof_fail_nomem(err);
	}
	if (gate->gate.metric == GATE_TOTAL) {
		collect_one(gate, &comparison->total);
	} else if (gate->group != PROF_NONE) {
		group = &comparison->groups[gate->group];
		collect_one(gate, gate->gate.metric == GATE_FLAT ? &group->flat
								 : &group->cum);
	} else {
		collect_rows(gate);
	}
	return true;
}

static bool judge(const struct diff_options *diff, struct diff_result *result,
		  struct diff_gate_result *gate, struct prof_error *err)
{
	const struct diff_side *sides = result->sides->side;
	struct prof_gate how = { .mode = (enum prof_gate_mode)diff->gate_mode };

	gate->outcome = PROF_GATE_INCONCLUSIVE;
	if (!choose_comparison(result, gate, err)) {
		return false;
	}
	if (!gate->comparison) {
		return true;
	}
	if (!convert(gate, &how, err) || !collect(result, gate, err)) {
		return false;
	}
	gate->few_runs = sides[PROF_BEFORE].count < diff->min_runs ||
			 sides[PROF_AFTER].count < diff->min_runs;
	if (gate->count > 0) {
		if (!prof_compare_gate(gate->comparison, &how, gate->tests, gate->count,
				       &gate->outcome, err)) {
			return false;
		}
	} else if (gate->gate.metric == GATE_NEW) {
		gate->outcome = PROF_GATE_PASSES;
	}
	if (gate->few_runs) {
		gate->outcome = PROF_GATE_INCONCLUSIVE;
	}
	return true;
}

bool diff_gates_judge(const struct diff_options *diff, struct diff_result *result,
		      struct prof_error *err)
{
	for (uint32_t i = 0; i < result->gate_count; i++) {
		if (!judge(diff, result, &result->gates[i], err)) {
			return false;
		}
	}
	return true;
}

enum prof_gate_outcome diff_outcome(const struct diff_result *result)
{
	enum prof_gate_outcome worst = PROF_GATE_PASSES;

	for (uint32_t i = 0; i < result->gate_count; i++) {
		enum prof_gate_outcome outcome = result->gates[i].outcome;

		if (outcome == PROF_GATE_FAILS) {
			return outcome;
		}
		if (outcome == PROF_GATE_INCONCLUSIVE) {
			worst = outcome;
		}
	}
	return worst;
}

void diff_result_free(struct diff_result *result)
{
	for (uint32_t i = 0; i < result->part_count; i++) {
		prof_comparison_free(result->parts[i].comparison);
	}
	prof_comparison_free(result->whole);
	prof_arena_free(&result->memory);
}

/* SPDX-License-Identifier: MIT */
/*
 * A comparison for programs. Every row is there, tested or not; values are in the unit
 * of the profile; what is not finite is null; keys keep their order.
 *
 *	{"schema": "fgtool-diff/1",
 *	 "verdict": {"regressions": 1, ...},
 *	 "gates": [{"text": "cum>+3%", "outcome": "passed", "tests": [...]}],
 *	 "type": "cpu", "unit": "nanoseconds",
 *	 "noise": {...}, "norm": {...}, "sides": [{...}, {...}],
 *	 "total": {estimate},
 *	 "functions": [{"key": "flat:parse", "name": "parse", "kind": "flat", ...}],
 *	 "moves": [...], "renames": [...], "labels": [...], "inputs": [...]}
 */
#include <math.h>

#include "cmd/diff.h"
#include "cmd/json_text.h"
#include "libprof/base/alloc.h"

/* Where the next member or element goes: after a comma unless it is the first. */
struct writer {
	struct prof_buf *out;
	bool first;
};

static void add_key(struct writer *w, const char *key)
{
	prof_buf_adds(w->out, w->first ? "" : ",");
	w->first = false;
	json_add_string(w->out, prof_text(key));
	prof_buf_addc(w->out, ':');
}

static void open_with(struct writer *w, const char *key, char bracket)
{
	if (key) {
		add_key(w, key);
	} else {
		prof_buf_adds(w->out, w->first ? "" : ",");
	}
	prof_buf_addc(w->out, bracket);
	w->first = true;
}

static void close_with(struct writer *w, char bracket)
{
	prof_buf_addc(w->out, bracket);
	w->first = false;
}

static void add_text(struct writer *w, const char *key, struct prof_text text)
{
	add_key(w, key);
	json_add_string(w->out, text);
}

static void add_word(struct writer *w, const char *key, const char *word)
{
	add_text(w, key, prof_text(word));
}

static void add_number(struct writer *w, const char *key, double number)
{
	add_key(w, key);
	json_add_number(w->out, number);
}

static void add_int(struct writer *w, const char *key, int64_t value)
{
	add_key(w, key);
	prof_buf_add_int(w->out, value);
}

static void add_bool(struct writer *w, const char *key, bool value)
{
	add_key(w, key);
	prof_buf_adds(w->out, value ? "true" : "false");
}

static void add_pair(struct writer *w, const char *key, double low, double high)
{
	add_key(w, key);
	prof_buf_addc(w->out, '[');
	json_add_number(w->out, low);
	prof_buf_addc(w->out, ',');
	json_add_number(w->out, high);
	prof_buf_addc(w->out, ']');
}

static void begin_line(struct writer *w)
{
	prof_buf_adds(w->out, w->first ? "\n    " : ",\n    ");
	w->first = true;
}

/* Members of an estimate, in the object that is open. */
static void add_estimate(struct writer *w, const struct prof_estimate *e)
{
	static const char *const sides[] = { "a", "b" };

	for (int i = 0; i < 2; i++) {
		open_with(w, sides[i], '{');
		add_number(w, "n", e->count[i]);
		add_int(w, "value", e->value[i]);
		close_with(w, '}');
	}
	add_number(w, "expected", e->expected);
	add_number(w, "measured", e->measured);
	add_number(w, "ratio", e->ratio);
	add_pair(w, "ratio_ci", e->ratio_low, e->ratio_high);
	add_number(w, "delta", e->delta);
	add_pair(w, "delta_ci", e->delta_low, e->delta_high);
	add_number(w, "p", e->p);
	add_number(w, "q", e->q);
	add_word(w, "verdict", diff_verdict_key(e->verdict));
	add_number(w, "mde", e->detectable > 0 ? e->detectable : NAN);
	add_number(w, "phi", e->phi);
}

static void add_row_notes(struct writer *w, const struct prof_comparison *comparison,
			  const struct prof_compare_row *row,
			  const struct prof_estimate *e)
{
	open_with(w, "notes", '[');
	if (e->is_new) {
		prof_buf_adds(w->out, "\"new\"");
		w->first = false;
	}
	if (e->is_gone) {
		prof_buf_adds(w->out, w->first ? "\"gone\"" : ",\"gone\"");
		w->first = false;
	}
	if (diff_is_moved(comparison, row)) {
		prof_buf_adds(w->out, w->first ? "\"moved\"" : ",\"moved\"");
		w->first = false;
	}
	close_with(w, ']');
	if (e->has_twin) {
		open_with(w, "same_samples_as", '{');
		add_text(w, "name", comparison->rows[e->twin].name);
		add_word(w, "kind", e->twin_flat ? "flat" : "cum");
		close_with(w, '}');
	}
}

static void add_function(struct writer *w, const struct prof_comparison *comparison,
			 const struct prof_compare_row *row, bool cum)
{
	const struct prof_estimate *e = cum ? &row->cum : &row->flat;
	struct prof_buf key = { 0 };

	if (e->value[0] == 0 && e->value[1] == 0) {
		return;
	}
	prof_buf_adds(&key, cum ? "cum:" : "flat:");
	prof_buf_add(&key, row->name.data ? row->name.data : "", row->name.len);
	w->out->failed |= key.failed;
	begin_line(w);
	prof_buf_addc(w->out, '{');
	add_text(w, "key", (struct prof_text){ key.data, key.len });
	add_text(w, "name", row->name);
	add_text(w, "file", row->file);
	add_word(w, "kind", cum ? "cum" : "flat");
	add_estimate(w, e);
	add_row_notes(w, comparison, row, e);
	close_with(w, '}');
	prof_buf_free(&key);
}

static void add_functions(struct writer *w, const struct prof_comparison *comparison)
{
	open_with(w, "functions", '[');
	for (uint32_t i = 0; i < comparison->row_count; i++) {
		add_function(w, comparison, &comparison->rows[i], false);
		add_function(w, comparison, &comparison->rows[i], true);
	}
	prof_buf_adds(w->out, w->first ? "" : "\n  ");
	close_with(w, ']');
}

static void add_moves(struct writer *w, const struct prof_comparison *comparison)
{
	static const char *const kinds[] = {
		[PROF_MOVE_INLINED] = "inlined",
		[PROF_MOVE_GONE] = "gone",
		[PROF_MOVE_CALLER] = "caller",
		[PROF_MOVE_FILE] = "file",
	};

	open_with(w, "moves", '[');
	for (uint32_t i = 0; i < comparison->move_count; i++) {
		const struct prof_move *move = &comparison->moves[i];

		begin_line(w);
		prof_buf_addc(w->out, '{');
		add_word(w, "kind", kinds[move->kind]);
		add_text(w, "name", comparison->rows[move->row].name);
		add_text(w, "other", comparison->rows[move->other].name);
		add_number(w, "delta", move->delta);
		add_number(w, "net", move->net);
		add_pair(w, "net_ci", move->net_low, move->net_high);
		close_with(w, '}');
	}
	close_with(w, ']');
	open_with(w, "renames", '[');
	for (uint32_t i = 0; i < comparison->renamed_count; i++) {
		const struct prof_renamed *rename = &comparison->renames[i];

		begin_line(w);
		prof_buf_addc(w->out, '{');
		add_text(w, "from", comparison->rows[rename->gone].name);
		add_text(w, "to", comparison->rows[rename->came].name);
		add_number(w, "score", rename->score);
		add_bool(w, "accepted", rename->accepted);
		add_estimate(w, &rename->both);
		close_with(w, '}');
	}
	close_with(w, ']');
}

static void add_noise(struct writer *w, const struct prof_comparison *comparison)
{
	static const char *const sources[] = {
		[PROF_NOISE_ASSUMED] = "assumed",
		[PROF_NOISE_MEASURED] = "measured",
		[PROF_NOISE_GIVEN] = "given",
	};
	const struct prof_noise *noise = &comparison->noise;
	const struct prof_scales *scales = &comparison->scales;

	open_with(w, "noise", '{');
	add_number(w, "phi", noise->phi);
	add_number(w, "sigma", noise->sigma);
	add_number(w, "d0", noise->prior_df);
	add_word(w, "source", sources[noise->source]);
	close_with(w, '}');
	prof_buf_adds(w->out, ",\n  ");
	w->first = true;
	open_with(w, "norm", '{');
	add_word(w, "mode", diff_normalize_word(comparison->options.normalize));
	add_number(w, "scale", scales->used);
	open_with(w, "alternatives", '{');
	add_number(w, "total", scales->total > 0 ? scales->total : NAN);
	add_number(w, "duration", scales->duration > 0 ? scales->duration : NAN);
	add_number(w, "stable", scales->stable > 0 ? scales->stable : NAN);
	close_with(w, '}');
	close_with(w, '}');
}

static void add_sides(struct writer *w, const struct prof_comparison *comparison)
{
	static const char *const sources[] = {
		[PROF_COUNT_GIVEN] = "given",   [PROF_COUNT_COLUMN] = "column",
		[PROF_COUNT_PERIOD] = "period", [PROF_COUNT_HEAP] = "heap",
		[PROF_COUNT_EXACT] = "exact",   [PROF_COUNT_DIVISOR] = "divisor",
		[PROF_COUNT_VALUE] = "value",   [PROF_COUNT_KISH] = "effective",
	};

	open_with(w, "sides", '[');
	for (int i = 0; i < 2; i++) {
		const struct prof_compare_side *side = &comparison->sides[i];

		open_with(w, NULL, '{');
		add_int(w, "runs", side->runs);
		add_int(w, "value", side->value);
		add_number(w, "samples", side->samples);
		add_int(w, "duration_ns", side->duration_ns);
		add_number(w, "period", side->period > 0 ? side->period : NAN);
		add_word(w, "counts", sources[side->source]);
		add_number(w, "work", side->work);
		close_with(w, '}');
	}
	close_with(w, ']');
}

static void add_notes(struct writer *w, const struct prof_comparison *comparison)
{
	open_with(w, "notes", '[');
	for (uint32_t bit = 1; diff_note_key(bit); bit <<= 1) {
		if (comparison->notes & bit) {
			prof_buf_adds(w->out, w->first ? "" : ",");
			json_add_string(w->out, prof_text(diff_note_key(bit)));
			w->first = false;
		}
	}
	close_with(w, ']');
}

static void next_line(struct writer *w)
{
	prof_buf_adds(w->out, ",\n  ");
	w->first = true;
}

/* What both the whole and a part have, members of the object that is open. */
static void add_comparison(struct writer *w, const struct prof_comparison *comparison)
{
	add_noise(w, comparison);
	next_line(w);
	add_sides(w, comparison);
	next_line(w);
	add_notes(w, comparison);
	next_line(w);
	open_with(w, "total", '{');
	add_estimate(w, &comparison->total);
	close_with(w, '}');
	next_line(w);
	add_functions(w, comparison);
	next_line(w);
	add_moves(w, comparison);
}

static void add_test(struct writer *w, const struct diff_gate_result *gate,
		     const struct prof_gate_test *test)
{
	const struct prof_comparison *comparison = gate->comparison;

	open_with(w, NULL, '{');
	for (uint32_t i = 0; i < comparison->row_count; i++) {
		const struct prof_compare_row *row = &comparison->rows[i];

		if (test->estimate == &row->flat || test->estimate == &row->cum) {
			add_text(w, "name", row->name);
		}
	}
	add_number(w, "ratio", test->estimate->ratio);
	add_pair(w, "ratio_ci", test->estimate->ratio_low, test->estimate->ratio_high);
	add_number(w, "delta", test->estimate->delta);
	add_number(w, "p", test->p);
	add_number(w, "q", test->q);
	add_word(w, "outcome", diff_outcome_key(test->outcome));
	close_with(w, '}');
}

/* Tests that passed are in the functions; here is what decided. */
static void add_gates(struct writer *w, const struct diff_result *result)
{
	open_with(w, "gates", '[');
	for (uint32_t i = 0; i < result->gate_count; i++) {
		const struct diff_gate_result *gate = &result->gates[i];

		begin_line(w);
		prof_buf_addc(w->out, '{');
		add_word(w, "text", gate->gate.text);
		add_word(w, "outcome", diff_outcome_key(gate->outcome));
		add_int(w, "tested", gate->count);
		open_with(w, "tests", '[');
		for (uint32_t t = 0; t < gate->count; t++) {
			if (gate->count == 1 ||
			    gate->tests[t].outcome != PROF_GATE_PASSES) {
				add_test(w, gate, &gate->tests[t]);
			}
		}
		close_with(w, ']');
		close_with(w, '}');
	}
	close_with(w, ']');
}

static void add_counts(struct writer *w, const struct diff_result *result,
		       const struct diff_counts *counts)
{
	open_with(w, "verdict", '{');
	add_int(w, "regressions", counts->regressions);
	add_int(w, "improvements", counts->improvements);
	add_int(w, "moved", counts->moved);
	add_int(w, "renamed", counts->renamed);
	add_int(w, "suspect", counts->suspect);
	add_int(w, "same", counts->same);
	add_int(w, "unknown", counts->unknown);
	add_int(w, "tested", counts->tested);
	add_word(w, "gates",
		 result->gate_count > 0 ? diff_outcome_key(diff_outcome(result))
					: "none");
	close_with(w, '}');
}

static void add_inputs(struct writer *w, const struct diff_sides *sides)
{
	static const char *const names[] = {
		[PROF_BEFORE] = "before",
		[PROF_AFTER] = "after",
		[PROF_SAME_CODE] = "noise",
	};

	open_with(w, "inputs", '[');
	for (int side = 0; side <= PROF_SAME_CODE; side++) {
		for (uint32_t i = 0; i < sides->side[side].count; i++) {
			const struct diff_run *run = &sides->side[side].runs[i];

			begin_line(w);
			prof_buf_addc(w->out, '{');
			add_word(w, "side", names[side]);
			add_word(w, "path", run->path);
			add_int(w, "value", run->value);
			add_int(w, "records", (int64_t)run->samples);
			add_int(w, "duration_ns", run->duration_ns);
			add_number(w, "work", run->work > 0 ? run->work : NAN);
			close_with(w, '}');
		}
	}
	close_with(w, ']');
}

static void add_labels(struct writer *w, const struct diff_result *result)
{
	open_with(w, "labels", '[');
	for (uint32_t i = 0; i < result->part_count; i++) {
		const struct diff_part *part = &result->parts[i];

		begin_line(w);
		prof_buf_addc(w->out, '{');
		add_text(w, "key", part->key);
		add_text(w, "value", part->value);
		if (part->comparison) {
			next_line(w);
			add_comparison(w, part->comparison);
		} else {
			add_text(w, "why_not", part->why_not);
		}
		close_with(w, '}');
	}
	close_with(w, ']');
}

bool diff_print_json(const struct diff_result *result, struct prof_buf *out,
		     struct prof_error *err)
{
	const struct prof_comparison *whole = result->whole;
	struct writer w = { .out = out, .first = true };
	struct diff_findings findings = { 0 };

	if (!diff_findings_make(whole, result->options, false, 0, &findings, err)) {
		return false;
	}
	prof_buf_adds(out, "{\n  ");
	add_word(&w, "schema", "fgtool-diff/1");
	next_line(&w);
	add_counts(&w, result, &findings.counts);
	next_line(&w);
	add_gates(&w, result);
	next_line(&w);
	add_text(&w, "type", whole->type.type);
	add_text(&w, "unit", whole->type.unit);
	add_number(&w, "alpha", whole->options.alpha);
	next_line(&w);
	add_comparison(&w, whole);
	next_line(&w);
	add_labels(&w, result);
	next_line(&w);
	add_inputs(&w, result->sides);
	prof_buf_adds(out, "\n}\n");
	prof_free(findings.items);
	return !out->failed || prof_fail_nomem(err);
}

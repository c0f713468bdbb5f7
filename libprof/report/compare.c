/* SPDX-License-Identifier: MIT */
#include "libprof/report/compare.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/report/compare_work.h"

struct prof_compare_options prof_compare_defaults(void)
{
	return (struct prof_compare_options){
		.key = { .by = PROF_BY_FUNCTION },
		.normalize = PROF_NORMALIZE_STABLE,
		.factor = 1,
		.alpha = 0.05,
		.equivalence = 0.05,
		.run_noise = 0.10,
	};
}

struct prof_compare *prof_compare_new(const struct prof_compare_options *options)
{
	struct prof_compare *compare = prof_alloc_array(1, sizeof(*compare));

	assert(options->group_count <= PROF_COMPARE_GROUPS);
	assert(options->normalize != PROF_NORMALIZE_REFERENCE ||
	       options->reference < options->group_count);
	assert(options->alpha > 0 && options->alpha < 1 && options->equivalence >= 0 &&
	       options->run_noise >= 0);
	if (compare) {
		compare->options = *options;
	}
	return compare;
}

static void free_input(struct prof_compare_input *input)
{
	prof_free(input->cells);
	prof_free(input->groups);
}

void prof_compare_free(struct prof_compare *compare)
{
	if (!compare) {
		return;
	}
	for (uint32_t i = 0; i < compare->input_count; i++) {
		free_input(&compare->inputs[i]);
	}
	prof_free(compare->inputs);
	prof_free(compare->about);
	prof_free(compare->edges);
	prof_map_free(&compare->edge_map);
	prof_strings_free(&compare->names);
	prof_strings_free(&compare->files);
	prof_strings_free(&compare->type);
	prof_buf_free(&compare->scratch);
	prof_free(compare);
}

void prof_comparison_free(struct prof_comparison *comparison)
{
	if (comparison) {
		struct prof_arena arena = comparison->arena;

		prof_arena_free(&arena);
	}
}

/* adding runs */

/* The first run says what is compared. Type and unit may be equal: two tables. */
static bool check_type(struct prof_compare *compare, const struct prof_profile *profile,
		       uint32_t column, struct prof_error *err)
{
	const struct prof_value_type *type = &profile->types[column];
	struct prof_text name = prof_string(profile, type->type);
	struct prof_text unit = prof_string(profile, type->unit);

	if (!compare->typed) {
		compare->type_name = prof_strings_add(&compare->type, name);
		compare->type_unit = prof_strings_add(&compare->type, unit);
		compare->typed = !compare->type.failed;
		return compare->typed || prof_fail_nomem(err);
	}
	if (!prof_text_equal(name,
			     prof_strings_get(&compare->type, compare->type_name)) ||
	    !prof_text_equal(unit,
			     prof_strings_get(&compare->type, compare->type_unit))) {
		struct prof_text have =
			prof_strings_get(&compare->type, compare->type_name);
		struct prof_text in =
			prof_strings_get(&compare->type, compare->type_unit);

		return prof_fail(err, PROF_ERR_MISMATCH,
				 "sample types differ: %.*s/%.*s and %.*s/%.*s",
				 (int)have.len, have.data, (int)in.len, in.data,
				 (int)name.len, name.data, (int)unit.len, unit.data);
	}
	return true;
}

bool prof_compare_add(struct prof_compare *compare, enum prof_side side,
		      const struct prof_profile *profile,
		      const struct prof_compare_run *run, struct prof_error *err)
{
	struct prof_compare_input input = { .side = side,
					    .given_work = run->work,
					    .duration_ns =
						    profile->header.duration_ns };
	struct prof_counting counting = { 0 };

	assert(profile->type_count == 0 || run->column < profile->type_count);
	if (profile->type_count == 0) {
		return prof_fail(err, PROF_ERR_MISMATCH,
				 "there is nothing to compare: no sample type");
	}
	if (!check_type(compare, profile, run->column, err) ||
	    !prof_counting_choose(profile, run, &counting, err)) {
		return false;
	}
	input.source = counting.source;
	input.period = counting.period;
	input.notes = counting.notes;
	if (!prof_reserve((void **)&compare->inputs, &compare->input_cap,
			  (size_t)compare->input_count + 1, sizeof(input))) {
		return prof_fail_nomem(err);
	}
	if (!prof_compare_read(compare, profile, &counting, &input, err)) {
		free_input(&input);
		return false;
	}
	compare->inputs[compare->input_count++] = input;
	compare->runs[side]++;
	return true;
}

/* rows by name */

struct order {
	struct prof_text name;
	uint32_t row;
};

static int compare_names(const void *left, const void *right)
{
	const struct order *a = left;
	const struct order *b = right;

	return prof_text_compare(a->name, b->name);
}

static int compare_edges(const void *left, const void *right)
{
	const struct prof_edge *a = left;
	const struct prof_edge *b = right;

	if (a->caller != b->caller) {
		return a->caller < b->caller ? -1 : 1;
	}
	return (a->callee > b->callee) - (a->callee < b->callee);
}

static int compare_cells(const void *left, const void *right)
{
	const struct prof_cell *a = left;
	const struct prof_cell *b = right;

	return (a->row > b->row) - (a->row < b->row);
}

static void sort_cells(struct prof_compare_input *input)
{
	if (input->cell_count > 1) {
		qsort(input->cells, input->cell_count, sizeof(*input->cells),
		      compare_cells);
	}
}

/* The rows that some run has, by name. */
static uint32_t used_rows(const struct prof_compare *compare, struct order *order)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < compare->input_count; i++) {
		const struct prof_compare_input *input = &compare->inputs[i];

		for (uint32_t k = 0; k < input->cell_count; k++) {
			order[input->cells[k].row].row = 1;
		}
	}
	for (uint32_t row = 0; row < compare->row_count; row++) {
		if (order[row].row == 1) {
			order[count++] =
				(struct order){ prof_strings_get(&compare->names, row),
						row };
		}
	}
	if (count > 1) {
		qsort(order, count, sizeof(*order), compare_names);
	}
	return count;
}

static void renumber(struct prof_compare *compare, const uint32_t *now)
{
	for (uint32_t i = 0; i < compare->input_count; i++) {
		struct prof_compare_input *input = &compare->inputs[i];

		for (uint32_t k = 0; k < input->cell_count; k++) {
			input->cells[k].row = now[input->cells[k].row];
		}
		sort_cells(input);
	}
	for (uint32_t i = 0; i < compare->edge_count; i++) {
		struct prof_edge *edge = &compare->edges[i];

		edge->caller = now[edge->caller];
		edge->callee = now[edge->callee];
	}
	if (compare->edge_count > 1) {
		qsort(compare->edges, compare->edge_count, sizeof(*compare->edges),
		      compare_edges);
	}
}

/* Number rows in the order of their names: nothing depends on that of the inputs. */
static bool order_rows(struct prof_compare *compare, struct prof_comparison *out,
		       struct prof_error *err)
{
	uint32_t total = compare->row_count;
	struct order *order = prof_alloc_array(total, sizeof(*order));
	uint32_t *now = prof_alloc_array(total, sizeof(*now));
	struct prof_compare_name *about = prof_alloc_array(total, sizeof(*about));
	uint32_t count = order && now && about ? used_rows(compare, order) : 0;
	struct prof_compare_row *rows =
		prof_arena_array(&out->arena, count, sizeof(*rows));
	bool ok = order && now && about && rows;

	for (uint32_t i = 0; ok && i < count; i++) {
		struct prof_text file = { 0 };
		struct prof_text name = order[i].name;

		about[i] = compare->about[order[i].row];
		file = prof_strings_get(&compare->files, about[i].file);
		now[order[i].row] = i;
		rows[i].name = (struct prof_text){
			prof_arena_copy(&out->arena, name.data, name.len), name.len
		};
		rows[i].file = (struct prof_text){
			prof_arena_copy(&out->arena, file.data, file.len), file.len
		};
		rows[i].move = PROF_NO_MOVE;
		rows[i].rename = PROF_NO_MOVE;
	}
	if (ok) {
		renumber(compare, now);
		prof_free(compare->about);
		compare->about = about;
		about = NULL;
		compare->row_count = count;
		out->rows = rows;
		out->row_count = count;
	}
	prof_free(order);
	prof_free(now);
	prof_free(about);
	return (ok && !out->arena.failed) || prof_fail_nomem(err);
}

/* Add the cells of row `from` to those of row `to`. */
void prof_compare_join_rows(struct prof_compare *compare, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < compare->input_count; i++) {
		struct prof_compare_input *input = &compare->inputs[i];
		struct prof_cell key = { .row = from };
		struct prof_cell *source = NULL;
		struct prof_cell *target = NULL;

		if (input->cell_count > 0) {
			source = bsearch(&key, input->cells, input->cell_count,
					 sizeof(key), compare_cells);
			key.row = to;
			target = bsearch(&key, input->cells, input->cell_count,
					 sizeof(key), compare_cells);
		}
		if (source && target) {
			prof_amount_add(&target->flat, &source->flat);
			prof_amount_add(&target->cum, &source->cum);
			*source = (struct prof_cell){ .row = from };
		} else if (source) {
			source->row = to;
			sort_cells(input);
		}
	}
	for (uint32_t i = 0; i < compare->edge_count; i++) {
		struct prof_edge *edge = &compare->edges[i];

		edge->caller = edge->caller == from ? to : edge->caller;
		edge->callee = edge->callee == from ? to : edge->callee;
	}
}

/* finishing */

static bool check_sides(const struct prof_compare *compare, struct prof_error *err)
{
	static const char *const names[] = { "before", "after" };
	int64_t sums[3] = { 0 };

	for (uint32_t i = 0; i < compare->input_count; i++) {
		const struct prof_compare_input *input = &compare->inputs[i];
		int64_t *sum = &sums[input->side];

		if (__builtin_add_overflow(*sum, input->total.value, sum)) {
			return prof_fail(err, PROF_ERR_LIMIT,
					 "the sum of all runs does not fit 64 bits");
		}
	}
	for (int side = 0; side < 2; side++) {
		if (compare->runs[side] == 0) {
			return prof_fail(err, PROF_ERR_MISMATCH,
					 "there is no run of %s", names[side]);
		}
		if (sums[side] == 0) {
			return prof_fail(err, PROF_ERR_MISMATCH,
					 "%s is empty: all its values are 0",
					 names[side]);
		}
	}
	if (compare->options.paired &&
	    (compare->runs[PROF_BEFORE] != compare->runs[PROF_AFTER] ||
	     compare->runs[PROF_BEFORE] < 2)) {
		return prof_fail(err, PROF_ERR_MISMATCH,
				 "pairs need as many runs before as after, at least 2: "
				 "%u and %u",
				 (unsigned)compare->runs[PROF_BEFORE],
				 (unsigned)compare->runs[PROF_AFTER]);
	}
	return true;
}

static void describe_side(const struct prof_compare *compare, enum prof_side at,
			  struct prof_compare_side *side)
{
	bool timed = true;
	bool first = true;

	for (uint32_t i = 0; i < compare->input_count; i++) {
		const struct prof_compare_input *input = &compare->inputs[i];

		if (input->side != at) {
			continue;
		}
		side->value += input->total.value;
		timed = timed && input->duration_ns > 0 &&
			!__builtin_add_overflow(side->duration_ns, input->duration_ns,
						&side->duration_ns);
		side->samples += input->total.samples;
		side->period =
			first || side->period == input->period ? input->period : 0;
		side->source =
			input->source > side->source ? input->source : side->source;
		side->work += input->work;
		first = false;
	}
	side->runs = compare->runs[at];
	side->duration_ns = timed ? side->duration_ns : 0;
}

static void describe_sides(const struct prof_compare *compare,
			   struct prof_comparison *out)
{
	enum { FEW_SAMPLES = 1000 };

	for (uint32_t i = 0; i < compare->input_count; i++) {
		out->notes |= compare->inputs[i].notes;
		if (compare->inputs[i].period != compare->inputs[0].period) {
			out->notes |= PROF_NOTE_PERIODS_DIFFER;
		}
	}
	for (int side = 0; side < 2; side++) {
		describe_side(compare, (enum prof_side)side, &out->sides[side]);
		if (out->sides[side].samples < FEW_SAMPLES) {
			out->notes |= PROF_NOTE_FEW_SAMPLES;
		}
	}
}

static bool copy_type(const struct prof_compare *compare, struct prof_comparison *out)
{
	struct prof_text type = prof_strings_get(&compare->type, compare->type_name);
	struct prof_text unit = prof_strings_get(&compare->type, compare->type_unit);

	out->type.type =
		(struct prof_text){ prof_arena_copy(&out->arena, type.data, type.len),
				    type.len };
	out->type.unit =
		(struct prof_text){ prof_arena_copy(&out->arena, unit.data, unit.len),
				    unit.len };
	out->group_count = compare->options.group_count;
	out->groups =
		prof_arena_array(&out->arena, out->group_count, sizeof(*out->groups));
	for (uint32_t i = 0; out->groups && i < out->group_count; i++) {
		out->groups[i].name = prof_text("");
		out->groups[i].file = prof_text("");
		out->groups[i].move = PROF_NO_MOVE;
		out->groups[i].rename = PROF_NO_MOVE;
	}
	out->options = compare->options;
	out->options.renames = NULL;
	out->options.rename_count = 0;
	out->options.in_group = NULL;
	out->options.context = NULL;
	out->options.key.label = (struct prof_text){ "", 0 };
	return !out->arena.failed;
}

static bool explain(struct prof_judge *judge, struct prof_error *err)
{
	struct prof_comparison *out = judge->out;

	if (!prof_compare_judge(judge, err) || !prof_compare_find_renames(judge, err)) {
		return false;
	}
	if (judge->compare->options.accept_renames && out->renamed_count > 0) {
		for (uint32_t i = 0; i < out->renamed_count; i++) {
			out->renames[i].accepted = true;
			prof_compare_join_rows(judge->compare, out->renames[i].gone,
					       out->renames[i].came);
		}
		if (!prof_compare_judge(judge, err)) {
			return false;
		}
	}
	return prof_compare_find_moves(judge, err);
}

static bool fill(struct prof_compare *compare, struct prof_comparison *out,
		 struct prof_error *err)
{
	struct prof_judge judge = { .compare = compare, .out = out };
	bool ok = false;

	if (!copy_type(compare, out)) {
		return prof_fail_nomem(err);
	}
	if (!order_rows(compare, out, err) ||
	    !prof_compare_normalize(compare, out, err)) {
		return false;
	}
	describe_sides(compare, out);
	judge.shares = compare->options.normalize == PROF_NORMALIZE_TOTAL ||
		       compare->options.normalize == PROF_NORMALIZE_STABLE;
	judge.series = prof_series_new(compare);
	ok = judge.series ? explain(&judge, err) : prof_fail_nomem(err);
	prof_series_free(judge.series);
	return ok;
}

bool prof_compare_finish(struct prof_compare *compare, struct prof_comparison **out,
			 struct prof_error *err)
{
	struct prof_arena arena = { 0 };
	struct prof_comparison *made = NULL;

	if (!check_sides(compare, err)) {
		return false;
	}
	made = prof_arena_array(&arena, 1, sizeof(*made));
	if (!made) {
		return prof_fail_nomem(err);
	}
	made->arena = arena;
	if (!fill(compare, made, err)) {
		prof_comparison_free(made);
		return false;
	}
	*out = made;
	return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * One pass over the stacks of a profile: samples with equal stacks are added up first,
 * then each stack is walked once for all of them.
 */
#include <assert.h>

#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"
#include "libprof/report/compare_work.h"

/* What every frame touches is in one line of the cache. */
struct slot {
	struct prof_amount cum;
	uint64_t stamp; /* the last stack that has the row */
};

/* Stacks come in an order in which callers repeat: most calls are found here. */
struct last_call {
	uint32_t caller;
	uint32_t edge_plus_1;
};

struct reading {
	struct prof_compare *compare;
	const struct prof_profile *profile;
	struct prof_compare_input *input;
	struct prof_error *err;
	bool by_label;
	struct prof_amount *units; /* per stack, or per label set */
	uint32_t unit_count;
	uint32_t *of_function; /* row + 1, by function; 0: not asked yet */
	uint32_t *entries;     /* per location, see entry_of() */
	uint32_t *rows;        /* count, then rows, innermost first */
	size_t row_len;
	size_t row_cap;
	struct slot *slots;       /* per row; they grow with the rows */
	struct prof_amount *flat; /* per row */
	struct last_call *last;   /* per row */
	size_t slot_cap;
	size_t flat_cap;
	size_t last_cap;
	uint32_t slot_count;
};

/* names to rows */

static bool same_name(const struct prof_rename *rename, struct prof_text name)
{
	return prof_text_equal(rename->from, name);
}

static struct prof_text renamed(const struct reading *reading, struct prof_text name)
{
	const struct prof_compare_options *options = &reading->compare->options;

	for (uint32_t i = 0;
	     i < options->rename_count && reading->input->side == PROF_BEFORE; i++) {
		if (same_name(&options->renames[i], name)) {
			return options->renames[i].to;
		}
	}
	return name;
}

static uint64_t groups_of(const struct prof_compare *compare, struct prof_text name)
{
	const struct prof_compare_options *options = &compare->options;
	uint64_t groups = 0;

	for (uint32_t i = 0; i < options->group_count; i++) {
		groups |= options->in_group(options->context, i, name)
				  ? UINT64_C(1) << i
				  : 0;
	}
	return groups;
}

/* The row of the name in the scratch buffer. */
static bool add_row(struct reading *reading, struct prof_text file, uint32_t *row)
{
	struct prof_compare *compare = reading->compare;
	struct prof_text name = { compare->scratch.data, compare->scratch.len };
	uint32_t id = 0;

	name = renamed(reading, name);
	id = prof_strings_add(&compare->names, name);
	if (compare->scratch.failed || compare->names.failed ||
	    !prof_reserve((void **)&compare->about, &compare->about_cap, (size_t)id + 1,
			  sizeof(*compare->about))) {
		return prof_fail_nomem(reading->err);
	}
	for (; compare->row_count <= id; compare->row_count++) {
		compare->about[compare->row_count] = (struct prof_compare_name){ 0 };
	}
	if (!compare->about[id].asked) {
		compare->about[id].groups = groups_of(compare, name);
		compare->about[id].asked = true;
	}
	if (compare->about[id].file == 0) {
		compare->about[id].file = prof_strings_add(&compare->files, file);
	}
	*row = id;
	return !compare->files.failed || prof_fail_nomem(reading->err);
}

static bool row_of_line(struct reading *reading, uint32_t location, uint32_t line,
			uint32_t *row)
{
	struct prof_compare *compare = reading->compare;
	struct prof_key_frame frame = prof_key_frame(reading->profile, location, line);
	uint32_t function = PROF_NONE;
	struct prof_buf key = { 0 };
	bool ok = false;

	if (line != PROF_NONE && compare->options.key.by == PROF_BY_FUNCTION &&
	    frame.name.len > 0) {
		function = reading->profile->lines[line].function;
		if (reading->of_function[function] > 0) {
			*row = reading->of_function[function] - 1;
			return true;
		}
	}
	prof_buf_clear(&compare->scratch);
	prof_key_add(&key, compare->options.key.by, &frame);
	if (compare->options.keep_names) {
		prof_buf_add(&compare->scratch, key.data, key.len);
	} else {
		prof_compare_fold(&compare->scratch,
				  (struct prof_text){ key.data, key.len });
	}
	ok = !key.failed || prof_fail_nomem(reading->err);
	prof_buf_free(&key);
	ok = ok && add_row(reading, frame.file, row);
	if (ok && function != PROF_NONE) {
		reading->of_function[function] = *row + 1;
	}
	return ok;
}

static bool too_many(struct prof_error *err)
{
	return prof_fail(err, PROF_ERR_LIMIT, "more than 2^31 frames");
}

/*
 * What a location's frames are: 0 when not asked yet, row * 2 + 1 for the usual single
 * frame, otherwise twice the place in `rows`.
 */
static bool entry_of(struct reading *reading, uint32_t location)
{
	const struct prof_profile *profile = reading->profile;
	uint32_t line = profile->locations[location].first_line;
	uint32_t end = profile->locations[location + 1].first_line;
	bool plain = end == line;
	uint32_t row = 0;

	if (!plain && reading->compare->options.key.by == PROF_BY_MODULE) {
		line = end - 1;
	}
	if (plain || end - line == 1) {
		if (!row_of_line(reading, location, plain ? PROF_NONE : line, &row)) {
			return false;
		}
		reading->entries[location] = row * 2 + 1;
		return row < 1U << 31 || too_many(reading->err);
	}
	if (reading->row_len + 1 + (end - line) >= 1U << 31) {
		return too_many(reading->err);
	}
	if (!prof_reserve((void **)&reading->rows, &reading->row_cap,
			  reading->row_len + 1 + (end - line),
			  sizeof(*reading->rows))) {
		return prof_fail_nomem(reading->err);
	}
	reading->entries[location] = (uint32_t)reading->row_len * 2;
	reading->rows[reading->row_len++] = end - line;
	for (; line < end; line++, reading->row_len++) {
		if (!row_of_line(reading, location, line,
				 &reading->rows[reading->row_len])) {
			return false;
		}
	}
	return true;
}

/* amounts */

static bool sum_units(struct reading *reading, const struct prof_counting *counting)
{
	const struct prof_profile *profile = reading->profile;
	const uint32_t *of =
		reading->by_label ? profile->sample_set : profile->sample_stack;

	reading->unit_count =
		reading->by_label ? profile->set_count : profile->stack_count;
	reading->units = prof_alloc_array(reading->unit_count, sizeof(*reading->units));
	if (!reading->units) {
		return prof_fail_nomem(reading->err);
	}
	for (uint32_t i = 0; i < profile->sample_count; i++) {
		if (counting->values[i] != 0) {
			struct prof_amount amount = prof_counting_amount(counting, i);

			prof_amount_add(&reading->units[of[i]], &amount);
			prof_amount_add(&reading->input->total, &amount);
		}
	}
	return true;
}

static bool make_room(struct reading *reading)
{
	uint32_t need = reading->compare->row_count;

	if (need <= reading->slot_count) {
		return true;
	}
	if (!prof_reserve((void **)&reading->slots, &reading->slot_cap, need,
			  sizeof(*reading->slots)) ||
	    !prof_reserve((void **)&reading->flat, &reading->flat_cap, need,
			  sizeof(*reading->flat)) ||
	    !prof_reserve((void **)&reading->last, &reading->last_cap, need,
			  sizeof(*reading->last))) {
		return prof_fail_nomem(reading->err);
	}
	for (; reading->slot_count < need; reading->slot_count++) {
		reading->slots[reading->slot_count] = (struct slot){ 0 };
		reading->flat[reading->slot_count] = (struct prof_amount){ 0 };
		reading->last[reading->slot_count] = (struct last_call){ 0 };
	}
	return true;
}

static bool find_edge(struct reading *reading, uint32_t caller, uint32_t callee,
		      uint32_t *out)
{
	struct prof_compare *compare = reading->compare;
	uint64_t key = (uint64_t)caller << 32 | callee;
	uint64_t hash = prof_hash_mix(key ^ PROF_HASH_A, PROF_HASH_B);
	struct prof_map_walk walk = prof_map_walk(&compare->edge_map, hash);
	uint32_t id = 0;

	while (prof_map_next(&walk, &id)) {
		const struct prof_edge *edge = &compare->edges[id];

		if (edge->caller == caller && edge->callee == callee) {
			*out = id;
			return true;
		}
	}
	id = compare->edge_count;
	if (!prof_reserve((void **)&compare->edges, &compare->edge_cap, (size_t)id + 1,
			  sizeof(*compare->edges)) ||
	    !prof_map_add(&compare->edge_map, hash, id)) {
		return prof_fail_nomem(reading->err);
	}
	compare->edges[id] = (struct prof_edge){ .caller = caller, .callee = callee };
	compare->edge_count++;
	*out = id;
	return true;
}

static bool add_edge(struct reading *reading, uint32_t caller, uint32_t callee,
		     double value)
{
	struct prof_compare *compare = reading->compare;
	struct last_call *last = &reading->last[callee];
	struct prof_edge *edge = NULL;

	if (last->edge_plus_1 == 0 || last->caller != caller) {
		uint32_t id = 0;

		if (!find_edge(reading, caller, callee, &id)) {
			return false;
		}
		*last = (struct last_call){ caller, id + 1 };
	}
	edge = &compare->edges[last->edge_plus_1 - 1];
	if (edge->stamp != compare->stamp && reading->input->side != PROF_SAME_CODE) {
		edge->value[reading->input->side] += value;
		edge->stamp = compare->stamp;
	}
	return true;
}

/* What one stack does to the groups that its frames belong to. */
static void add_groups(struct reading *reading, const struct prof_amount *amount,
		       uint64_t leaf, uint64_t any)
{
	for (uint32_t i = 0; i < reading->compare->options.group_count; i++) {
		struct prof_cell *cell = &reading->input->groups[i];

		if (leaf >> i & 1) {
			prof_amount_add(&cell->flat, amount);
		}
		if (any >> i & 1) {
			prof_amount_add(&cell->cum, amount);
		}
	}
}

struct step {
	const struct prof_amount *amount;
	uint32_t below;    /* the row of the frame before: its callee */
	uint32_t height;   /* frames so far */
	double edge_value; /* 0: this stack does not show calls */
	bool groups;       /* there are some */
	uint64_t leaf;
	uint64_t any;
};

/* Of very many stacks some show who calls whom; see EDGE_STACKS. */
enum { EDGE_STACKS = 1 << 18 };

static inline bool add_frame(struct reading *reading, struct step *step, uint32_t row)
{
	struct prof_compare *compare = reading->compare;
	struct slot *slot = &reading->slots[row];

	assert(row < reading->slot_count && reading->slots);
	if (slot->stamp != compare->stamp) {
		slot->stamp = compare->stamp;
		prof_amount_add(&slot->cum, step->amount);
	}
	if (step->height++ == 0) {
		prof_amount_add(&reading->flat[row], step->amount);
		step->leaf = step->groups ? compare->about[row].groups : 0;
	} else if (step->below != row &&
		   !add_edge(reading, row, step->below, (double)step->amount->value)) {
		return false;
	}
	step->any |= step->groups ? compare->about[row].groups : 0;
	step->below = row;
	return true;
}

static double edge_value(const struct reading *reading, uint32_t unit)
{
	uint32_t every = 1 + reading->unit_count / EDGE_STACKS;

	return unit % every == 0 ? (double)reading->units[unit].value * (double)every
				 : 0;
}

static bool add_entry(struct reading *reading, struct step *step, uint32_t entry)
{
	const uint32_t *rows = NULL;

	if (entry & 1) {
		return add_frame(reading, step, entry / 2);
	}
	assert(reading->rows);
	rows = reading->rows + entry / 2;
	for (uint32_t k = 1; k <= rows[0]; k++) {
		if (!add_frame(reading, step, rows[k])) {
			return false;
		}
	}
	return true;
}

static bool walk_stack(struct reading *reading, uint32_t unit)
{
	struct prof_frames frames = prof_stack(reading->profile, unit);
	struct step step = { .amount = &reading->units[unit],
			     .groups = reading->compare->options.group_count > 0,
			     .edge_value = edge_value(reading, unit) };

	for (size_t i = 0; i < frames.count; i++) {
		uint32_t location = frames.data[i];

		if (reading->entries[location] == 0 &&
		    (!entry_of(reading, location) || !make_room(reading))) {
			return false;
		}
		if (!add_entry(reading, &step, reading->entries[location])) {
			return false;
		}
	}
	add_groups(reading, step.amount, step.leaf, step.any);
	return true;
}

static bool walk_set(struct reading *reading, uint32_t unit)
{
	struct prof_compare *compare = reading->compare;
	struct step step = { .amount = &reading->units[unit],
			     .groups = compare->options.group_count > 0 };
	uint32_t row = 0;

	prof_buf_clear(&compare->scratch);
	prof_key_add_label(&compare->scratch, compare->options.key.label,
			   reading->profile->strings,
			   prof_label_set(reading->profile, unit));
	if (!add_row(reading, (struct prof_text){ "", 0 }, &row) ||
	    !make_room(reading) || !add_frame(reading, &step, row)) {
		return false;
	}
	add_groups(reading, step.amount, step.leaf, step.any);
	return true;
}

/* Keep the rows that have something, in the order of rows. */
static bool keep_cells(struct reading *reading)
{
	struct prof_compare_input *input = reading->input;
	uint32_t count = 0;

	for (uint32_t i = 0; i < reading->slot_count; i++) {
		count += reading->slots[i].cum.value != 0;
	}
	input->cells = prof_alloc_array(count, sizeof(*input->cells));
	if (!input->cells) {
		return prof_fail_nomem(reading->err);
	}
	for (uint32_t i = 0; i < reading->slot_count; i++) {
		if (reading->slots[i].cum.value != 0) {
			input->cells[input->cell_count++] =
				(struct prof_cell){ i, reading->flat[i],
						    reading->slots[i].cum };
		}
	}
	return true;
}

static bool walk(struct reading *reading)
{
	reading->compare->sampled_edges |= reading->unit_count >= EDGE_STACKS;
	for (uint32_t unit = 0; unit < reading->unit_count; unit++) {
		bool (*step)(struct reading *, uint32_t) =
			reading->by_label ? walk_set : walk_stack;

		if (reading->units[unit].value == 0) {
			continue;
		}
		reading->compare->stamp++;
		if (!step(reading, unit)) {
			return false;
		}
	}
	return keep_cells(reading);
}

bool prof_compare_read(struct prof_compare *compare, const struct prof_profile *profile,
		       const struct prof_counting *counting,
		       struct prof_compare_input *input, struct prof_error *err)
{
	struct reading reading = {
		.compare = compare,
		.profile = profile,
		.input = input,
		.err = err,
		.by_label = compare->options.key.by == PROF_BY_LABEL,
		.row_len = 1, /* entry 0 means not asked yet */
	};
	bool ok = false;

	input->groups =
		prof_alloc_array(compare->options.group_count, sizeof(*input->groups));
	reading.of_function =
		prof_alloc_array(profile->function_count, sizeof(*reading.of_function));
	reading.entries =
		prof_alloc_array(profile->location_count, sizeof(*reading.entries));
	if (!input->groups || !reading.of_function || !reading.entries) {
		prof_error_set(err, PROF_ERR_NOMEM, "out of memory");
	} else {
		ok = sum_units(&reading, counting) && walk(&reading);
	}
	prof_free(reading.units);
	prof_free(reading.of_function);
	prof_free(reading.entries);
	prof_free(reading.rows);
	prof_free(reading.slots);
	prof_free(reading.flat);
	prof_free(reading.last);
	return ok;
}

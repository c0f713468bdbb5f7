/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "libprof/base/alloc.h"
#include "libprof/report/compare_work.h"

struct prof_series *prof_series_new(const struct prof_compare *compare)
{
	struct prof_series *series = prof_alloc_array(1, sizeof(*series));

	if (!series) {
		return NULL;
	}
	series->inputs = compare->inputs;
	series->runs = compare->input_count;
	series->count = prof_alloc_array(series->runs, sizeof(*series->count));
	series->exposure = prof_alloc_array(series->runs, sizeof(*series->exposure));
	if (!series->count || !series->exposure) {
		prof_series_free(series);
		return NULL;
	}
	return series;
}

void prof_series_free(struct prof_series *series)
{
	if (series) {
		prof_free(series->count);
		prof_free(series->exposure);
		prof_free(series);
	}
}

static void start(struct prof_series *series)
{
	for (int i = 0; i < 2; i++) {
		series->value[i] = 0;
		series->samples[i] = 0;
	}
	for (uint32_t i = 0; i < series->runs; i++) {
		series->count[i] = 0;
		series->exposure[i] = 0;
	}
}

/* `exposure` holds the noise of each run until finish() knows the weight. */
static void put(struct prof_series *series, uint32_t run,
		const struct prof_amount *amount)
{
	enum prof_side side = series->inputs[run].side;

	series->count[run] += (double)amount->value;
	series->exposure[run] += amount->noise;
	if (side != PROF_SAME_CODE) {
		series->value[side] += amount->value;
		series->samples[side] += amount->samples;
	}
}

/* The value of one raw sample in a run that has none here: as in the others. */
static double weight_of(const struct prof_series *series, uint32_t run, double pooled)
{
	const struct prof_compare_input *input = &series->inputs[run];

	if (input->period > 0) {
		return input->period;
	}
	if (series->count[run] > 0) {
		return series->exposure[run] / series->count[run];
	}
	if (pooled > 0) {
		return pooled;
	}
	return input->total.value > 0 ? input->total.noise / (double)input->total.value
				      : 1;
}

static void finish(struct prof_series *series)
{
	double values = 0;
	double noise = 0;

	for (int i = 0; i < 3; i++) {
		series->x[i] = 0;
		series->e[i] = 0;
	}
	for (uint32_t i = 0; i < series->runs; i++) {
		values += series->count[i];
		noise += series->exposure[i];
	}
	for (uint32_t i = 0; i < series->runs; i++) {
		const struct prof_compare_input *input = &series->inputs[i];
		double weight = weight_of(series, i, values > 0 ? noise / values : 0);

		series->count[i] /= weight;
		series->exposure[i] = input->work / weight;
		series->x[input->side] += series->count[i];
		series->e[input->side] += series->exposure[i];
	}
}

void prof_series_rewind(struct prof_compare *compare)
{
	for (uint32_t i = 0; i < compare->input_count; i++) {
		compare->inputs[i].cursor = 0;
	}
}

static void put_row(struct prof_compare *compare, uint32_t row, enum prof_what what,
		    struct prof_series *series)
{
	for (uint32_t i = 0; i < compare->input_count; i++) {
		struct prof_compare_input *input = &compare->inputs[i];
		const struct prof_cell *cell = NULL;

		while (input->cursor < input->cell_count &&
		       input->cells[input->cursor].row < row) {
			input->cursor++;
		}
		if (input->cursor == input->cell_count) {
			continue;
		}
		cell = &input->cells[input->cursor];
		if (cell->row == row) {
			put(series, i, what == PROF_FLAT ? &cell->flat : &cell->cum);
		}
	}
}

void prof_series_row(struct prof_compare *compare, uint32_t row, enum prof_what what,
		     struct prof_series *series)
{
	start(series);
	put_row(compare, row, what, series);
	finish(series);
}

void prof_series_rows(struct prof_compare *compare, uint32_t first, uint32_t second,
		      enum prof_what what, struct prof_series *series)
{
	start(series);
	put_row(compare, first, what, series);
	put_row(compare, second, what, series);
	finish(series);
}

void prof_series_group(const struct prof_compare *compare, uint32_t group,
		       enum prof_what what, struct prof_series *series)
{
	start(series);
	for (uint32_t i = 0; i < compare->input_count; i++) {
		const struct prof_cell *cell = &compare->inputs[i].groups[group];

		put(series, i, what == PROF_FLAT ? &cell->flat : &cell->cum);
	}
	finish(series);
}

void prof_series_total(const struct prof_compare *compare, struct prof_series *series)
{
	start(series);
	for (uint32_t i = 0; i < compare->input_count; i++) {
		put(series, i, &compare->inputs[i].total);
	}
	finish(series);
}

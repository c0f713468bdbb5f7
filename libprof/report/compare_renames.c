/* SPDX-License-Identifier: MIT */
/*
 * Something gone and something new may be one thing under two names: when the names
 * are alike, the callers and callees are, and the cost is about the same.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/report/compare_work.h"

enum { MOST_CANDIDATES = 24, LETTERS = 37, NAME_BYTES = 512 };

static const double enough = 0.6;
static const double like_low = 0.8; /* of the cost, or its interval reaches there */
static const double like_high = 1.25;

struct candidate {
	uint32_t row;
	double size;
	uint32_t best; /* among the other side */
	double score;
};

struct search {
	struct prof_judge *judge;
	struct candidate gone[MOST_CANDIDATES];
	struct candidate came[MOST_CANDIDATES];
	uint32_t gone_count;
	uint32_t came_count;
	double *weights; /* per row: a vector being compared */
	uint16_t *grams;
};

/* Keep the largest. */
static void offer(struct candidate *list, uint32_t *count, uint32_t row, double size)
{
	uint32_t at = *count < MOST_CANDIDATES ? *count : MOST_CANDIDATES - 1;

	if (*count == MOST_CANDIDATES && list[at].size >= size) {
		return;
	}
	for (; at > 0 && list[at - 1].size < size; at--) {
		list[at] = list[at - 1];
	}
	list[at] = (struct candidate){ row, size, PROF_NONE, 0 };
	*count += *count < MOST_CANDIDATES;
}

static void collect(struct search *search)
{
	const struct prof_comparison *out = search->judge->out;

	for (uint32_t i = 0; i < out->row_count; i++) {
		const struct prof_estimate *e = &out->rows[i].cum;

		if (e->q >= out->options.alpha) {
			continue;
		}
		if (e->is_gone) {
			offer(search->gone, &search->gone_count, i, e->expected);
		} else if (e->is_new) {
			offer(search->came, &search->came_count, i, e->measured);
		}
	}
}

/* names */

static uint32_t letter(char c)
{
	unsigned char u = (unsigned char)c;

	if (isdigit(u)) {
		return (uint32_t)(u - '0') + 27;
	}
	return isalpha(u) ? (uint32_t)(tolower(u) - 'a') % 26 + 1 : 0;
}

/* Count every three letters in a row; `step` is 1 or -1. Gives how many there are. */
static uint32_t count_grams(struct search *search, struct prof_text name, int step,
			    uint32_t *shared)
{
	size_t len = name.len < NAME_BYTES ? name.len : NAME_BYTES;
	uint32_t gram = 0;
	uint32_t count = 0;

	for (size_t i = 0; i < len; i++) {
		gram = (gram * LETTERS + letter(name.data[i])) %
		       (LETTERS * LETTERS * LETTERS);
		if (i < 2) {
			continue;
		}
		count++;
		if (step > 0) {
			search->grams[gram]++;
		} else if (search->grams[gram] > 0) {
			search->grams[gram]--;
			++*shared;
		}
	}
	return count;
}

/* Dice's coefficient of the trigrams of both names. */
static double name_likeness(struct search *search, struct prof_text a,
			    struct prof_text b)
{
	uint32_t shared = 0;
	uint32_t ignored = 0;
	uint32_t count = count_grams(search, a, 1, &ignored);

	count += count_grams(search, b, -1, &shared);
	for (uint32_t i = 0; i < LETTERS * LETTERS * LETTERS; i++) {
		search->grams[i] = 0;
	}
	return count > 0 ? 2.0 * shared / count : 0;
}

/* neighbours */

/*
 * Cosine of the callers, or callees, of `gone` before and of `came` after; that they
 * call each other's new name is no difference.
 */
static double neighbour_likeness(struct search *search, uint32_t gone, uint32_t came,
				 bool callers)
{
	const struct prof_compare *compare = search->judge->compare;
	double product = 0;
	double squares[2] = { 0 };

	for (uint32_t pass = 0; pass < 3; pass++) {
		for (uint32_t i = 0; i < compare->edge_count; i++) {
			const struct prof_edge *edge = &compare->edges[i];
			uint32_t self = callers ? edge->callee : edge->caller;
			uint32_t other = callers ? edge->caller : edge->callee;

			if (self == gone && pass == 0) {
				search->weights[other] = edge->value[0];
				squares[0] += edge->value[0] * edge->value[0];
			} else if (self == came && pass == 1) {
				product += search->weights[other] * edge->value[1];
				squares[1] += edge->value[1] * edge->value[1];
			} else if (self == gone && pass == 2) {
				search->weights[other] = 0;
			}
		}
	}
	if (squares[0] == 0 && squares[1] == 0) {
		return callers ? 0 : 1;
	}
	return product > 0 ? product / sqrt(squares[0] * squares[1]) : 0;
}

/* The cost of both as if they were one. */
static void estimate_both(const struct search *search, uint32_t gone, uint32_t came,
			  enum prof_what what, struct prof_estimate *both)
{
	struct prof_judge judge = *search->judge;
	struct prof_series *series = judge.series;
	uint32_t first = gone < came ? gone : came;
	uint32_t second = gone < came ? came : gone;

	prof_series_rewind(judge.compare);
	prof_series_rows(judge.compare, first, second, what, series);
	prof_judge_estimate(&judge, both);
	prof_judge_verdict(&judge, 1, both);
}

static double score(struct search *search, uint32_t gone, uint32_t came)
{
	const struct prof_compare_row *rows = search->judge->out->rows;
	const struct prof_compare_row *a = &rows[gone];
	const struct prof_compare_row *b = &rows[came];
	double likeness = 0.4 * name_likeness(search, a->name, b->name);

	likeness += 0.3 * neighbour_likeness(search, gone, came, true);
	likeness += 0.3 * neighbour_likeness(search, gone, came, false);
	if (a->file.len > 0 && prof_text_equal(a->file, b->file)) {
		likeness += 0.1;
	}
	return fmin(likeness, 1);
}

static bool costs_alike(const struct search *search, uint32_t gone, uint32_t came)
{
	struct prof_estimate both = { 0 };

	estimate_both(search, gone, came, PROF_CUM, &both);
	return both.ratio_low <= like_high && both.ratio_high >= like_low;
}

static void match(struct search *search)
{
	for (uint32_t i = 0; i < search->gone_count; i++) {
		struct candidate *gone = &search->gone[i];

		for (uint32_t k = 0; k < search->came_count; k++) {
			struct candidate *came = &search->came[k];
			double likeness = 0;

			if (came->size > 4 * gone->size ||
			    gone->size > 4 * came->size) {
				continue;
			}
			likeness = score(search, gone->row, came->row);
			if (likeness >= enough && likeness > gone->score) {
				gone->score = likeness;
				gone->best = k;
			}
			if (likeness >= enough && likeness > came->score) {
				came->score = likeness;
				came->best = i;
			}
		}
	}
}

static void keep_mutual(struct search *search)
{
	struct prof_comparison *out = search->judge->out;

	for (uint32_t i = 0; i < search->gone_count; i++) {
		const struct candidate *gone = &search->gone[i];
		struct prof_renamed *renamed = &out->renames[out->renamed_count];
		uint32_t came = 0;

		if (gone->best == PROF_NONE || search->came[gone->best].best != i) {
			continue;
		}
		came = search->came[gone->best].row;
		if (!costs_alike(search, gone->row, came)) {
			continue;
		}
		*renamed = (struct prof_renamed){ .gone = gone->row,
						  .came = came,
						  .score = gone->score };
		estimate_both(search, gone->row, came, PROF_FLAT, &renamed->both);
		out->rows[gone->row].rename = out->renamed_count;
		out->rows[came].rename = out->renamed_count;
		out->renamed_count++;
	}
}

bool prof_compare_find_renames(struct prof_judge *judge, struct prof_error *err)
{
	struct prof_comparison *out = judge->out;
	struct search *search = prof_alloc_array(1, sizeof(*search));
	bool ok = search != NULL;

	if (ok) {
		search->judge = judge;
		collect(search);
		search->weights =
			prof_alloc_array(out->row_count, sizeof(*search->weights));
		search->grams = prof_alloc_array((size_t)LETTERS * LETTERS * LETTERS,
						 sizeof(*search->grams));
		out->renames = prof_arena_array(&out->arena, search->gone_count,
						sizeof(*out->renames));
		ok = search->weights && search->grams && out->renames;
	}
	if (ok) {
		match(search);
		keep_mutual(search);
	}
	if (search) {
		prof_free(search->weights);
		prof_free(search->grams);
	}
	prof_free(search);
	return ok || prof_fail_nomem(err);
}

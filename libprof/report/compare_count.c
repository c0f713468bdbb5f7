/* SPDX-License-Identifier: MIT */
/*
 * From values to raw samples. A sample of value v stands for n raw ones, each worth
 * w = v / n; the variance of v is then n w^2, were they independent.
 *
 * Heap:    a profiler that samples every `rate` bytes sees an object of S bytes with
 *          p = 1 - exp(-S / rate) and writes what it saw divided by p. m = written * p
 *          were seen; the variance of m / p is m / p * (1 - p) / p.
 * Source:  the un-biasing is that of Go's runtime/pprof and tcmalloc.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "libprof/report/compare_work.h"

enum {
	PERIOD_SHARE = 99,  /* percent of the values that must be multiples of it */
	DIVISOR_SAMPLES = 8 /* fewer have a common divisor by chance */
};

/* An exhaustive recording has no sampling noise; this much keeps arithmetic finite. */
static const double exact_noise = 1e-9;

static bool is_word(const struct prof_profile *profile, uint32_t id, const char *word)
{
	return prof_text_equal(prof_string(profile, id), prof_text(word));
}

static bool is_type(const struct prof_profile *profile, uint32_t column,
		    const char *const *words)
{
	for (; *words; words++) {
		if (is_word(profile, profile->types[column].type, *words)) {
			return true;
		}
	}
	return false;
}

static bool counts_samples(const struct prof_profile *profile, uint32_t column)
{
	static const char *const words[] = { "samples", "sample", "cpu_samples",
					     "contentions", NULL };

	return is_word(profile, profile->types[column].unit, "count") &&
	       is_type(profile, column, words);
}

static uint32_t find_counts(const struct prof_profile *profile, uint32_t given)
{
	if (given != PROF_NONE) {
		return given;
	}
	for (uint32_t i = 0; i < profile->type_count; i++) {
		if (counts_samples(profile, i)) {
			return i;
		}
	}
	return PROF_NONE;
}

/* The other column of a heap pair: alloc_space of alloc_objects. */
static uint32_t find_partner(const struct prof_profile *profile, const char *type)
{
	for (uint32_t i = 0; i < profile->type_count; i++) {
		if (is_word(profile, profile->types[i].type, type)) {
			return i;
		}
	}
	return PROF_NONE;
}

static bool choose_heap(const struct prof_profile *profile, uint32_t column,
			struct prof_counting *out)
{
	static const char *const pairs[][2] = { { "alloc_objects", "alloc_space" },
						{ "inuse_objects", "inuse_space" },
						{ "objects", "space" } };

	if (!is_word(profile, profile->header.period_type.type, "space")) {
		return false;
	}
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		uint32_t objects = find_partner(profile, pairs[i][0]);
		uint32_t space = find_partner(profile, pairs[i][1]);

		if (objects == PROF_NONE || space == PROF_NONE ||
		    (column != objects && column != space)) {
			continue;
		}
		out->counts = profile->values[objects];
		out->space = profile->values[space];
		out->rate = (double)profile->header.period;
		out->source = out->rate > 1 ? PROF_COUNT_HEAP : PROF_COUNT_EXACT;
		return true;
	}
	return false;
}

/* Whether nearly all values are multiples of `period`; some may not be. */
static bool are_multiples(const struct prof_profile *profile, const int64_t *values,
			  double period, bool *all)
{
	uint64_t good = 0;
	uint64_t count = 0;

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		double times = (double)values[i] / period;

		if (values[i] != 0) {
			good += fabs(times - nearbyint(times)) <= 1e-6 * times;
			count++;
		}
	}
	*all = good == count;
	return good * 100 >= count * PERIOD_SHARE;
}

static bool choose_period(const struct prof_profile *profile, uint32_t column,
			  struct prof_counting *out)
{
	const struct prof_value_type *type = &profile->types[column];
	const struct prof_value_type *of = &profile->header.period_type;
	double period = (double)profile->header.period * out->scaled;
	bool all = false;

	if (profile->header.period <= 0 || type->type != of->type ||
	    type->unit != of->unit) {
		return false;
	}
	if (!are_multiples(profile, out->values, period, &all)) {
		out->notes |= PROF_NOTE_NOT_MULTIPLES;
		return false;
	}
	out->notes |= all ? 0 : PROF_NOTE_NOT_MULTIPLES;
	out->source = PROF_COUNT_PERIOD;
	out->period = period;
	return true;
}

/* The value of one raw sample, when all samples agree on it; otherwise 0. */
static double common_value(const struct prof_profile *profile,
			   const struct prof_counting *counting)
{
	double first = 0;

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		double count = (double)counting->counts[i];
		double value = (double)counting->values[i];

		if (value == 0 && count == 0) {
			continue;
		}
		if (!(count > 0)) {
			return 0;
		}
		first = first > 0 ? first : value / count;
		if (fabs(value - first * count) > 1e-6 * value) {
			return 0;
		}
	}
	return first * counting->scaled;
}

static int64_t divisor(int64_t a, int64_t b)
{
	while (b != 0) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static void choose_guess(const struct prof_profile *profile, uint32_t column,
			 struct prof_counting *out)
{
	int64_t common = 0;
	uint32_t count = 0;

	for (uint32_t i = 0; i < profile->sample_count && common != 1; i++) {
		common = divisor(out->values[i], common);
		count += out->values[i] != 0;
	}
	if (common > 1 && count >= DIVISOR_SAMPLES) {
		out->source = PROF_COUNT_DIVISOR;
		out->period = (double)common;
		out->notes |= PROF_NOTE_GUESSED_COUNTS;
	} else if (is_word(profile, profile->types[column].unit, "count")) {
		out->source = PROF_COUNT_VALUE;
		out->period = out->scaled;
	} else {
		out->source = PROF_COUNT_KISH;
		out->notes |= PROF_NOTE_GUESSED_COUNTS;
	}
}

/* The product of all "fgtool: scaled F". */
static double find_scaled(const struct prof_profile *profile)
{
	static const char prefix[] = "fgtool: scaled ";
	double scaled = 1;

	for (uint32_t i = 0; i < profile->header.comment_count; i++) {
		struct prof_text text =
			prof_string(profile, profile->header.comments[i]);
		char number[32] = "";
		size_t len = text.len - (sizeof(prefix) - 1);
		double factor = 0;

		if (text.len < sizeof(prefix) || len >= sizeof(number) ||
		    memcmp(text.data, prefix, sizeof(prefix) - 1) != 0) {
			continue;
		}
		memcpy(number, text.data + sizeof(prefix) - 1, len);
		factor = strtod(number, NULL);
		scaled *= factor > 0 && isfinite(factor) ? factor : 1;
	}
	return scaled;
}

static bool check(const struct prof_profile *profile, uint32_t column,
		  struct prof_error *err)
{
	int64_t total = 0;
	const int64_t *values = profile->values[column];

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		if (values[i] < 0) {
			return prof_fail(err, PROF_ERR_MISMATCH,
					 "sample %" PRIu32 " has the negative value "
					 "%" PRId64 ": this is a difference already",
					 i, values[i]);
		}
	}
	return prof_column_total(profile, column, &total, err);
}

bool prof_counting_choose(const struct prof_profile *profile,
			  const struct prof_compare_run *run, struct prof_counting *out,
			  struct prof_error *err)
{
	uint32_t counts = find_counts(profile, run->count_column);
	struct prof_counting chosen = { .values = profile->values[run->column],
					.scaled = find_scaled(profile) };

	if (!check(profile, run->column, err)) {
		return false;
	}
	chosen.notes = chosen.scaled != 1 ? PROF_NOTE_SCALED : 0;
	if (run->period > 0) {
		chosen.source = PROF_COUNT_GIVEN;
		chosen.period = run->period;
	} else if (counts == run->column) {
		chosen.source = PROF_COUNT_COLUMN;
		chosen.period = chosen.scaled;
	} else if (counts != PROF_NONE) {
		chosen.source = PROF_COUNT_COLUMN;
		chosen.counts = profile->values[counts];
		chosen.period = common_value(profile, &chosen);
	} else if (!choose_heap(profile, run->column, &chosen) &&
		   !choose_period(profile, run->column, &chosen)) {
		choose_guess(profile, run->column, &chosen);
	}
	*out = chosen;
	return true;
}

static struct prof_amount heap_amount(const struct prof_counting *counting, uint32_t i)
{
	double objects = (double)counting->counts[i];
	double size = objects > 0 ? (double)counting->space[i] / objects : 0;
	double value = (double)counting->values[i];
	double seen = -expm1(-size / counting->rate);
	double unit = counting->values == counting->space ? size : 1;

	if (!(seen > 0)) {
		return (struct prof_amount){ counting->values[i], value * value, 1 };
	}
	return (struct prof_amount){ counting->values[i],
				     value * unit / seen * fmax(1 - seen, exact_noise),
				     objects * seen };
}

struct prof_amount prof_counting_amount(const struct prof_counting *counting,
					uint32_t i)
{
	double value = (double)counting->values[i];
	struct prof_amount amount = { counting->values[i], value * value, 1 };

	switch (counting->source) {
	case PROF_COUNT_HEAP:
		return heap_amount(counting, i);
	case PROF_COUNT_EXACT:
		amount.noise = value * exact_noise;
		amount.samples = (double)counting->counts[i];
		return amount;
	case PROF_COUNT_COLUMN:
		if (!(counting->period > 0) && counting->counts[i] > 0) {
			amount.samples = (double)counting->counts[i] / counting->scaled;
			amount.noise = value * value / amount.samples;
			return amount;
		}
		break;
	default:
		break;
	}
	if (counting->period > 0) {
		amount.samples = value / counting->period;
		amount.noise = value * counting->period;
	}
	return amount;
}

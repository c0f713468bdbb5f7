/* SPDX-License-Identifier: MIT */
/*
 * How much work each run did: what values are divided by before they are compared.
 *
 * Shares of the total make everything else look faster when one function gets slower.
 * "Stable" takes the ratio that most functions agree on instead: the median of the
 * ratios of their shares, weighted by how well each is known.
 */
#include <math.h>
#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/report/compare_work.h"

enum { STABLE_SAMPLES = 20, STABLE_ROWS = 5 };

/* Ratios further apart than this are not the same. */
static const double apart = 0.05;

struct ratio {
	double log_ratio;
	double weight;
	double samples;
};

static int compare_ratios(const void *left, const void *right)
{
	const struct ratio *a = left;
	const struct ratio *b = right;

	if (a->log_ratio != b->log_ratio) {
		return a->log_ratio < b->log_ratio ? -1 : 1;
	}
	return (a->weight > b->weight) - (a->weight < b->weight);
}

/* As the two middles of an even number of equal weights: halfway, for symmetry. */
static double weighted_median(const struct ratio *ratios, uint32_t count)
{
	double half = 0;
	double sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		half += ratios[i].weight / 2;
	}
	for (uint32_t i = 0; i < count; i++) {
		sum += ratios[i].weight;
		if (fabs(sum - half) <= 1e-12 * half && i + 1 < count) {
			return (ratios[i].log_ratio + ratios[i + 1].log_ratio) / 2;
		}
		if (sum >= half) {
			return ratios[i].log_ratio;
		}
	}
	return 0;
}

/* Whether the functions near the median hold less than half of the samples. */
static bool is_minority(const struct ratio *ratios, uint32_t count, double median)
{
	double inside = 0;
	double all = 0;

	for (uint32_t i = 0; i < count; i++) {
		double reach = apart + 3 / ratios[i].weight;

		all += ratios[i].samples;
		if (fabs(ratios[i].log_ratio - median) <= reach) {
			inside += ratios[i].samples;
		}
	}
	return inside < all / 2;
}

static uint32_t gather(struct prof_compare *compare, struct prof_series *series,
		       struct ratio *ratios)
{
	uint32_t count = 0;

	prof_series_rewind(compare);
	for (uint32_t row = 0; row < compare->row_count; row++) {
		double a = 0;
		double b = 0;

		prof_series_row(compare, row, PROF_FLAT, series);
		a = series->x[PROF_BEFORE];
		b = series->x[PROF_AFTER];
		if (a > 0 && b > 0 &&
		    series->samples[0] + series->samples[1] >= STABLE_SAMPLES) {
			ratios[count++] =
				(struct ratio){ log(b / series->e[PROF_AFTER] /
						    (a / series->e[PROF_BEFORE])),
						1 / sqrt(1 / a + 1 / b),
						series->samples[0] +
							series->samples[1] };
		}
	}
	qsort(ratios, count, sizeof(*ratios), compare_ratios);
	return count;
}

/*
 * Variance of the median of independent log ratios of weights w, pi / 2 / sum w^2, less
 * that of their mean, 1 / sum w^2: of shares the mean is known, since they add up to 1.
 */
static double median_noise(const struct ratio *ratios, uint32_t count)
{
	static const double excess = 0.570796326794896619; /* pi / 2 - 1 */
	double sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		sum += ratios[i].weight * ratios[i].weight;
	}
	return excess / sum;
}

/* Exposures are totals while this runs. The ratio of most shares, after to before. */
static bool find_stable(struct prof_compare *compare, double *scale, uint32_t *notes,
			struct prof_error *err)
{
	struct prof_series *series = prof_series_new(compare);
	struct ratio *ratios = prof_alloc_array(compare->row_count, sizeof(*ratios));
	uint32_t count = 0;
	bool ok = series && ratios;

	*scale = 0;
	*notes = 0;
	if (ok) {
		count = gather(compare, series, ratios);
	}
	if (count >= STABLE_ROWS) {
		double median = weighted_median(ratios, count);

		*scale = exp(median);
		compare->scale_noise = median_noise(ratios, count);
		*notes = is_minority(ratios, count, median) ? PROF_NOTE_NO_MAJORITY : 0;
	} else {
		*notes = PROF_NOTE_FEW_FUNCTIONS;
	}
	prof_series_free(series);
	prof_free(ratios);
	return ok || prof_fail_nomem(err);
}

static bool has_total(const struct prof_compare_input *input, struct prof_error *err)
{
	return input->total.value > 0 ||
	       prof_fail(err, PROF_ERR_MISMATCH,
			 "a run without samples has no total to compare shares of");
}

static bool choose_work(const struct prof_compare *compare,
			struct prof_compare_input *input, struct prof_error *err)
{
	const struct prof_compare_options *options = &compare->options;

	switch (options->normalize) {
	case PROF_NORMALIZE_TOTAL:
	case PROF_NORMALIZE_STABLE:
		input->work = (double)input->total.value;
		return has_total(input, err);
	case PROF_NORMALIZE_DURATION:
		input->work = (double)input->duration_ns / 1e9;
		return input->work > 0 || prof_fail(err, PROF_ERR_MISMATCH,
						    "a run does not say how long it "
						    "took");
	case PROF_NORMALIZE_WORK:
		input->work = input->given_work;
		return (input->work > 0 && isfinite(input->work)) ||
		       prof_fail(err, PROF_ERR_MISMATCH,
				 "the work of a run must be above 0");
	case PROF_NORMALIZE_REFERENCE:
		input->work = (double)input->groups[options->reference].cum.value;
		return input->work > 0 || prof_fail(err, PROF_ERR_MISMATCH,
						    "a run has no sample of the "
						    "reference");
	case PROF_NORMALIZE_FACTOR:
		input->work = input->side == PROF_AFTER ? options->factor : 1;
		return true;
	case PROF_NORMALIZE_NONE:
		break;
	}
	input->work = 1;
	return true;
}

/* After over before of the mean of something per run; 0 when unknown. */
static double mean_ratio(const struct prof_compare *compare,
			 double (*of)(const struct prof_compare_input *))
{
	double sums[3] = { 0 };

	for (uint32_t i = 0; i < compare->input_count; i++) {
		const struct prof_compare_input *input = &compare->inputs[i];
		double value = of(input);

		if (!(value > 0) && input->side != PROF_SAME_CODE) {
			return 0;
		}
		sums[input->side] += value / compare->runs[input->side];
	}
	return sums[PROF_AFTER] / sums[PROF_BEFORE];
}

static double work_of(const struct prof_compare_input *input)
{
	return input->work;
}

static double total_of(const struct prof_compare_input *input)
{
	return (double)input->total.value;
}

static double duration_of(const struct prof_compare_input *input)
{
	return (double)input->duration_ns;
}

static bool differ(double a, double b)
{
	return a > 0 && b > 0 && fabs(log(a / b)) > apart;
}

static void note_scales(const struct prof_compare *compare, struct prof_comparison *out)
{
	struct prof_scales *scales = &out->scales;

	scales->used = mean_ratio(compare, work_of);
	scales->total = mean_ratio(compare, total_of);
	scales->duration = mean_ratio(compare, duration_of);
	if (compare->options.normalize == PROF_NORMALIZE_STABLE &&
	    (differ(scales->used, scales->total) ||
	     differ(scales->used, scales->duration))) {
		out->notes |= PROF_NOTE_SCALES_DIFFER;
	}
}

/* Seen as shares, what most functions say; kept as the work if that is wanted. */
static bool apply_stable(struct prof_compare *compare, struct prof_comparison *out,
			 struct prof_error *err)
{
	double scale = 0;
	uint32_t notes = 0;

	for (uint32_t i = 0; i < compare->input_count; i++) {
		compare->inputs[i].work = (double)compare->inputs[i].total.value;
	}
	if (!find_stable(compare, &scale, &notes, err)) {
		return false;
	}
	if (scale > 0) {
		out->scales.stable = scale * mean_ratio(compare, total_of);
	}
	if (compare->options.normalize == PROF_NORMALIZE_STABLE) {
		out->notes |= notes;
	}
	for (uint32_t i = 0; i < compare->input_count; i++) {
		struct prof_compare_input *input = &compare->inputs[i];
		double half = scale > 0 ? sqrt(scale) : 1;

		/* Half on each side, so that swapping them changes no share. */
		input->work *= input->side == PROF_AFTER ? half : 1 / half;
	}
	return true;
}

/*
 * What is compared with was measured, too: the variance of the ratio it gives, of the
 * stable one as found.
 */
static double scale_noise(const struct prof_compare *compare)
{
	double samples[3] = { 0 };

	if (compare->options.normalize == PROF_NORMALIZE_STABLE) {
		return compare->scale_noise;
	}
	if (compare->options.normalize != PROF_NORMALIZE_REFERENCE) {
		return 0;
	}
	for (uint32_t i = 0; i < compare->input_count; i++) {
		const struct prof_compare_input *input = &compare->inputs[i];
		const struct prof_amount *amount =
			&input->groups[compare->options.reference].cum;

		samples[input->side] +=
			(double)amount->value * (double)amount->value / amount->noise;
	}
	return 1 / samples[PROF_BEFORE] + 1 / samples[PROF_AFTER];
}

bool prof_compare_normalize(struct prof_compare *compare, struct prof_comparison *out,
			    struct prof_error *err)
{
	double after = 0;

	if (!apply_stable(compare, out, err)) {
		return false;
	}
	for (uint32_t i = 0; i < compare->input_count; i++) {
		struct prof_compare_input *input = &compare->inputs[i];

		if (compare->options.normalize == PROF_NORMALIZE_STABLE
			    ? !has_total(input, err)
			    : !choose_work(compare, input, err)) {
			return false;
		}
		after += input->side == PROF_AFTER ? input->work : 0;
	}
	compare->mean_work = after / compare->runs[PROF_AFTER];
	compare->scale_noise = scale_noise(compare);
	note_scales(compare, out);
	return true;
}

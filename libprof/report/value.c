/* SPDX-License-Identifier: MIT */
#include "libprof/report/value.h"

#include "libprof/base/alloc.h"
#include "libprof/model/unit.h"

int64_t prof_value_divided(const struct prof_value_style *style, int64_t value)
{
	double product = (double)value * style->ratio;

	if (!(style->ratio > 0) || style->ratio == 1) {
		return value;
	}
	/* The bounds are exact doubles; beyond them a conversion is undefined. */
	if (!(product < 0x1p63)) {
		return INT64_MAX;
	}
	return product >= -0x1p63 ? (int64_t)product : INT64_MIN;
}

void prof_value_add(struct prof_buf *out, const struct prof_value_style *style,
		    int64_t value)
{
	prof_unit_label(out, prof_value_divided(style, value), style->unit,
			style->show);
}

void prof_value_add_percent(struct prof_buf *out, const struct prof_value_style *style,
			    int64_t value)
{
	prof_unit_percent(out, value, style->total);
}

/* Which label sets have pprof::base = "true"; NULL when none can. */
static bool find_base_sets(const struct prof_profile *profile, bool **out,
			   struct prof_error *err)
{
	bool any = false;
	bool *sets = prof_alloc_array(profile->set_count, sizeof(*sets));

	if (!sets) {
		return prof_fail_nomem(err);
	}
	for (uint32_t s = 0; s < profile->set_count; s++) {
		struct prof_labels labels = prof_label_set(profile, s);

		for (size_t k = 0; k < labels.count; k++) {
			const struct prof_label *label = &labels.data[k];

			if (label->text != 0 &&
			    prof_text_equal(prof_string(profile, label->key),
					    prof_text("pprof::base")) &&
			    prof_text_equal(prof_string(profile, label->text),
					    prof_text("true"))) {
				sets[s] = true;
				any = true;
			}
		}
	}
	if (!any) {
		prof_free(sets);
		sets = NULL;
	}
	*out = sets;
	return true;
}

struct total {
	int64_t sum;
	int64_t div;
};

/* False when the sum leaves int64. */
static bool add_sample(struct total *total, int64_t value, int64_t div)
{
	return !(value < 0 ? __builtin_sub_overflow(total->sum, value, &total->sum)
			   : __builtin_add_overflow(total->sum, value, &total->sum)) &&
	       !__builtin_add_overflow(total->div, div, &total->div);
}

bool prof_value_total(const struct prof_profile *profile, uint32_t column, bool mean,
		      int64_t *total, struct prof_error *err)
{
	const int64_t *values = profile->sample_count ? profile->values[column] : NULL;
	struct total all = { 0 };
	struct total base = { 0 };
	bool *base_sets = NULL;
	bool ok = true;

	if (!find_base_sets(profile, &base_sets, err)) {
		return false;
	}
	for (uint32_t i = 0; ok && i < profile->sample_count; i++) {
		int64_t div = mean ? profile->values[0][i] : 0;

		ok = add_sample(&all, values[i], div);
		if (ok && base_sets && base_sets[profile->sample_set[i]]) {
			ok = add_sample(&base, values[i], div);
		}
	}
	prof_free(base_sets);
	if (!ok) {
		return prof_fail(err, PROF_ERR_LIMIT,
				 "the sum of a column does not fit 64 bits");
	}
	if (base.sum > 0) {
		all = base;
	}
	*total = all.div != 0 ? all.sum / all.div : all.sum;
	return true;
}

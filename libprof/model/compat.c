/* SPDX-License-Identifier: MIT */
#include "libprof/model/compat.h"

#include <assert.h>

#include "libprof/base/alloc.h"
#include "libprof/base/limits.h"
#include "libprof/model/amend.h"
#include "libprof/model/merge.h"
#include "libprof/model/unit.h"

/* --- types ------------------------------------------------------------------------- */

static struct prof_text type_name(const struct prof_profile *profile, uint32_t column)
{
	return prof_string(profile, profile->types[column].type);
}

/* The first column of this type, or PROF_NONE. */
static uint32_t find_type(const struct prof_profile *profile, struct prof_text name)
{
	for (uint32_t c = 0; c < profile->type_count; c++) {
		if (prof_text_equal(type_name(profile, c), name)) {
			return c;
		}
	}
	return PROF_NONE;
}

static size_t count_type(struct prof_profile *const *inputs, size_t count,
			 struct prof_text name)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		for (uint32_t c = 0; c < inputs[i]->type_count; c++) {
			found += prof_text_equal(type_name(inputs[i], c), name);
		}
	}
	return found;
}

static uint32_t common_types(struct prof_profile *const *inputs, size_t count,
			     struct prof_text *names)
{
	uint32_t common = 0;

	for (uint32_t c = 0; c < inputs[0]->type_count; c++) {
		struct prof_text name = type_name(inputs[0], c);

		if (count_type(inputs, count, name) == count) {
			names[common++] = name;
		}
	}
	return common;
}

static bool choose_types(struct prof_profile *profile, const struct prof_text *names,
			 uint32_t count, struct prof_error *err)
{
	struct prof_text standard = prof_string(profile, profile->header.default_type);
	uint32_t columns[PROF_MAX_SAMPLE_TYPE];
	bool same = count == profile->type_count;
	bool standard_stays = false;

	for (uint32_t i = 0; i < count; i++) {
		columns[i] = find_type(profile, names[i]);
		if (columns[i] == PROF_NONE) {
			return prof_fail(err, PROF_ERR_MISMATCH,
					 "the profiles have no sample type in common");
		}
		same = same && columns[i] == i;
		standard_stays = standard_stays || prof_text_equal(names[i], standard);
	}
	if (same) {
		return true;
	}
	if (!standard_stays) {
		profile->header.default_type = profile->types[columns[0]].type;
	}
	return prof_amend_columns(profile, columns, count, err);
}

bool prof_compat_types(struct prof_profile *const *inputs, size_t count,
		       struct prof_error *err)
{
	struct prof_text names[PROF_MAX_SAMPLE_TYPE];
	uint32_t common = 0;

	assert(count > 0 && inputs[0]->type_count <= PROF_MAX_SAMPLE_TYPE);
	common = common_types(inputs, count, names);
	if (common == 0) {
		return prof_fail(err, PROF_ERR_MISMATCH,
				 "the profiles have no sample type in common");
	}
	for (size_t i = 0; i < count; i++) {
		if (!choose_types(inputs[i], names, common, err)) {
			return false;
		}
	}
	return true;
}

/* --- units ------------------------------------------------------------------------- */

/* A value type whose strings are read already. */
struct named_type {
	struct prof_text type;
	struct prof_text unit;
};

static struct named_type named(const struct prof_profile *profile,
			       struct prof_value_type type)
{
	return (struct named_type){ prof_string(profile, type.type),
				    prof_string(profile, type.unit) };
}

static struct prof_text without_s(struct prof_text text)
{
	bool plural = text.len > 0 && text.data[text.len - 1] == 's';

	return (struct prof_text){ text.data, text.len - plural };
}

static bool alike(const struct named_type *a, const struct named_type *b)
{
	return prof_text_equal(without_s(a->type), without_s(b->type)) &&
	       (prof_text_equal(a->unit, b->unit) ||
		prof_unit_convertible(a->unit, b->unit));
}

/* Make `known` the one of the two with the smaller unit. */
static bool join_type(struct named_type *known, const struct named_type *other,
		      struct prof_error *err)
{
	if (!alike(known, other)) {
		return prof_fail(err, PROF_ERR_MISMATCH,
				 "incompatible types: %.*s/%.*s and %.*s/%.*s",
				 (int)known->type.len, known->type.data,
				 (int)known->unit.len, known->unit.data,
				 (int)other->type.len, other->type.data,
				 (int)other->unit.len, other->unit.data);
	}
	if (prof_unit_scale(1, other->unit, known->unit).value < 1) {
		*known = *other;
	}
	return true;
}

static bool unify_period(struct prof_profile *const *inputs, size_t count,
			 struct prof_error *err)
{
	struct named_type unit = named(inputs[0], inputs[0]->header.period_type);

	for (size_t i = 1; i < count; i++) {
		struct named_type other =
			named(inputs[i], inputs[i]->header.period_type);

		if (!join_type(&unit, &other, err)) {
			return false;
		}
	}
	for (size_t i = 0; i < count; i++) {
		struct prof_header *header = &inputs[i]->header;
		struct prof_text from =
			prof_string(inputs[i], header->period_type.unit);

		if (!prof_text_equal(from, unit.unit)) {
			header->period = (int64_t)prof_unit_scale(header->period, from,
								  unit.unit)
						 .value;
		}
		if (!prof_amend_string(inputs[i], unit.unit, &header->period_type.unit,
				       err)) {
			return false;
		}
	}
	return true;
}

static bool unify_column(struct prof_profile *const *inputs, size_t count,
			 uint32_t column, struct named_type *out,
			 struct prof_error *err)
{
	*out = named(inputs[0], inputs[0]->types[column]);
	for (size_t i = 1; i < count; i++) {
		struct named_type other = named(inputs[i], inputs[i]->types[column]);

		if (!join_type(out, &other, err)) {
			return false;
		}
	}
	return true;
}

static bool convert(struct prof_profile *profile, const struct named_type *units,
		    struct prof_error *err)
{
	double ratios[PROF_MAX_SAMPLE_TYPE];

	for (uint32_t c = 0; c < profile->type_count; c++) {
		struct prof_text from = prof_string(profile, profile->types[c].unit);

		ratios[c] = prof_unit_scale(1, from, units[c].unit).value;
		if (!prof_amend_string(profile, units[c].unit, &profile->types[c].unit,
				       err)) {
			return false;
		}
	}
	return prof_amend_scale(profile, ratios, err);
}

bool prof_compat_units(struct prof_profile *const *inputs, size_t count,
		       struct prof_error *err)
{
	struct named_type units[PROF_MAX_SAMPLE_TYPE] = { 0 };

	if (count < 2) {
		return true;
	}
	if (!unify_period(inputs, count, err)) {
		return false;
	}
	for (uint32_t c = 0; c < inputs[0]->type_count; c++) {
		if (!unify_column(inputs, count, c, &units[c], err)) {
			return false;
		}
	}
	for (size_t i = 0; i < count; i++) {
		if (!convert(inputs[i], units, err)) {
			return false;
		}
	}
	return true;
}

/* --- totals ------------------------------------------------------------------------ */

bool prof_compat_normalize(struct prof_profile *profile,
			   const struct prof_profile *base, struct prof_error *err)
{
	double ratios[PROF_MAX_SAMPLE_TYPE];

	if (!prof_merge_compatible(profile, base, err)) {
		return false;
	}
	for (uint32_t c = 0; c < profile->type_count; c++) {
		int64_t sum = 0;
		int64_t wanted = 0;

		if (!prof_column_sum(profile, c, &sum, err) ||
		    !prof_column_sum(base, c, &wanted, err)) {
			return false;
		}
		ratios[c] = sum == 0 ? 0 : (double)wanted / (double)sum;
	}
	return prof_amend_scale(profile, ratios, err);
}

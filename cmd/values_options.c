/* SPDX-License-Identifier: MIT */
#include "cmd/values_options.h"

static const struct option options[] = {
	{ 0, "sample-type", "TYPE", "report this sample type, not the default one",
	  OPTION_TEXT(struct values_options, sample_type), .alias = "sample_index" },
	{ 0, "unit", "UNIT", "show values in this unit (minimum)",
	  OPTION_TEXT(struct values_options, unit) },
	{ 0 },
};

const struct option_group values_option_group = { "values", options };

static bool choose(const struct values_options *given, struct values *values,
		   struct prof_error *err)
{
	const struct prof_profile *profile = values->profile;

	if (profile->type_count == 0) {
		return prof_fail(err, PROF_ERR_MISMATCH,
				 "the profile has no sample types");
	}
	if (!input_column(profile, given->sample_type, &values->column, err) ||
	    !prof_column_total(profile, values->column, &values->header.total, err)) {
		return false;
	}
	values->header.time_ns = profile->header.time_ns;
	values->header.duration_ns = profile->header.duration_ns;
	return true;
}

/* The names of the type live in the profile, which filtering replaces. */
static void name_type(struct values *values)
{
	const struct prof_profile *profile = values->profile;
	const struct prof_value_type *type = &profile->types[values->column];

	values->header.type.type = prof_string(profile, type->type);
	values->header.type.unit = prof_string(profile, type->unit);
}

bool values_read(const struct values_options *given,
		 const struct filter_options *filter, const struct input_options *input,
		 int argc, char **argv, struct values *out, struct prof_error *err)
{
	struct values values = { 0 };

	if (!input_profile(input, argc, argv, &values.profile, err)) {
		return false;
	}
	if (!choose(given, &values, err) ||
	    !filter_profile(filter, &values.profile, err)) {
		values_free(&values);
		return false;
	}
	name_type(&values);
	*out = values;
	return true;
}

bool values_unit(const struct values_options *given, const struct values *values,
		 int64_t smallest, struct report_unit *unit, struct prof_error *err)
{
	const struct report_options wanted = { .unit = given->unit };

	return report_unit(&wanted, values->header.type.unit, smallest,
			   values->header.total, unit, err);
}

void values_free(struct values *values)
{
	prof_profile_free(values->profile);
	*values = (struct values){ 0 };
}

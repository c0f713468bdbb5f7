/* SPDX-License-Identifier: MIT */
/*
 * values_options.h - what reports that want a whole profile begin with.
 *
 *	struct foo_options { struct values_options values; ... };
 *	...	OPTION_INCLUDE(struct foo_options, values),
 *
 *	struct values values;
 *
 *	if (!values_read(&foo.values, &foo.filter, &foo.input, argc, argv, &values, &err))
 *		return complain(&err);
 *	...
 *	values_free(&values);
 *
 * The column is chosen and the total taken before the filters, so that shares stay
 * those of the whole profile.
 */
#ifndef FGTOOL_VALUES_OPTIONS_H
#define FGTOOL_VALUES_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/filter_options.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/report_options.h"
#include "libprof/base/error.h"
#include "libprof/model/profile.h"

struct values_options {
	const char *sample_type; /* --sample-type; NULL for the default */
	const char *unit;        /* --unit; NULL for minimum */
};

/* --sample-type, --unit */
extern const struct option_group values_option_group;

struct values {
	struct prof_profile *profile; /* filtered */
	uint32_t column;
	struct report_header header; /* with the total */
};

/* Fails with MISMATCH for a profile without sample types. */
bool values_read(const struct values_options *options,
		 const struct filter_options *filter, const struct input_options *input,
		 int argc, char **argv, struct values *out,
		 struct prof_error *err) PROF_NODISCARD;

/* report_unit() for these options. */
bool values_unit(const struct values_options *options, const struct values *values,
		 int64_t smallest, struct report_unit *unit,
		 struct prof_error *err) PROF_NODISCARD;

void values_free(struct values *values);

#endif

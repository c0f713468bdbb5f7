/* SPDX-License-Identifier: MIT */
/*
 * report_options.h - what all reports can be asked: --by, --sample-type, --unit.
 *
 *	struct foo_options { struct report_options report; ... };
 *	...	OPTION_INCLUDE(struct foo_options, report),
 *
 *	if (!report_key(&foo.report, &key, &err) ||
 *	    !report_column(&foo.report, result, &column, &err) ||
 *	    !report_unit(&foo.report, type.unit, smallest, total, &unit, &err))
 *		return complain(&err);
 *	report_value(&table, &unit, value);
 *
 * Owns:   a struct report_unit owns a scratch buffer: report_unit_free().
 * Errors: complete for complain().
 */
#ifndef FGTOOL_REPORT_OPTIONS_H
#define FGTOOL_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/filter_options.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/table.h"
#include "libprof/base/error.h"
#include "libprof/report/key.h"
#include "libprof/report/top.h"

struct report_options {
	const char *by;          /* --by; NULL for functions */
	const char *sample_type; /* --sample-type; NULL for the default */
	const char *unit;        /* --unit; NULL for minimum */
};

/* --by, --sample-type, --unit */
extern const struct option_group report_option_group;

/* What a row stands for. The label is borrowed from the options. */
bool report_key(const struct report_options *options, struct prof_key_options *key,
		struct prof_error *err) PROF_NODISCARD;

/*
 * The top of all inputs, read as a stream where that can be repeated if it must, and
 * through a profile otherwise: for filters and labels. Totals are of the unfiltered
 * profile, so that shares stay comparable.
 */
bool report_top(const struct input_options *input, const struct filter_options *filter,
		int count, char **paths, const struct prof_key_options *key,
		struct prof_top_result **out, struct prof_error *err) PROF_NODISCARD;

/*
 * That the profile has the label rows stand for; true for other granularities. Fails
 * with the keys it has and a suggestion.
 */
bool report_has_label(const struct prof_profile *profile,
		      const struct prof_key_options *key,
		      struct prof_error *err) PROF_NODISCARD;

/* The column to report, by the rules of input_column(). 0 when there is no type. */
bool report_column(const struct report_options *options,
		   const struct prof_top_result *result, uint32_t *column,
		   struct prof_error *err) PROF_NODISCARD;

/* "function" for one, "functions" for several, and so on. */
const char *report_noun(enum prof_by by, uint64_t count);

/* How values are shown. */
struct report_unit {
	struct prof_text from;
	struct prof_text to;
	struct prof_buf scratch;
};

/*
 * The unit for a report whose least value, other than 0, is `smallest`, and whose
 * values are parts of `total`.
 */
bool report_unit(const struct report_options *options, struct prof_text from,
		 int64_t smallest, int64_t total, struct report_unit *unit,
		 struct prof_error *err) PROF_NODISCARD;

void report_unit_free(struct report_unit *unit);

/* `value` in the unit, NUL-terminated, valid until the next call. */
const char *report_show(struct report_unit *unit, int64_t value);

/* The same with a sign in front of what is above 0. */
const char *report_show_signed(struct report_unit *unit, int64_t value);

/* Add a cell. */
void report_value(struct table *table, struct report_unit *unit, int64_t value);

/* |value / total|, with the sign of value; 0 when total is 0. */
double report_share(int64_t value, int64_t total);

/*
 * The lines that all reports begin with: type, unit, when, for how long, the total.
 * Times in UTC.
 */
struct report_header {
	struct prof_top_type type;
	int64_t time_ns;
	int64_t duration_ns;
	int64_t total;
};

void report_fields(struct table *table, const struct report_header *header,
		   struct report_unit *unit);

/* The smaller of two sizes of values, of which 0 counts as none. */
int64_t report_smaller(int64_t smallest, int64_t value);

#endif

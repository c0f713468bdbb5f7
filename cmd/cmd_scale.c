/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/save.h"
#include "libprof/base/limits.h"
#include "libprof/model/scale.h"
#include "libprof/model/unit.h"

struct scale_options {
	struct option_list factors;
	struct option_list totals;
	struct input_options input;
	struct save_options save;
};

static const struct option options[] = {
	{ 'f', "factor", "[TYPE=]F",
	  "multiply all columns, or one, by F: 0.1, -1, 1/3; may be repeated",
	  OPTION_LIST(struct scale_options, factors) },
	{ 0, "to-total", "[TYPE=]N[UNIT]",
	  "bring the total of every column, or of one, to N: 1000000, cpu=60s",
	  OPTION_LIST(struct scale_options, totals) },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct scale_options, input),
	OPTION_INCLUDE(struct scale_options, save),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool scale --factor 0.1 -o tenth.pb.gz go-cpu.pb.gz",
	  "a tenth of every value; what rounds to nothing is left out" },
	{ "fgtool scale --factor -1 -o - go-cpu.pb.gz | fgtool merge - "
	  "go-cpu-after.pb.gz -o change.pb.gz",
	  "the difference of two profiles, as a profile" },
	{ "fgtool scale --to-total cpu=60s -o minute.pb.gz go-cpu.pb.gz",
	  "what a minute of the same load would show" },
	{ "fgtool scale --factor alloc_space=1/1024 -o kb.pb.gz go-heap-1.pb.gz",
	  "one column only" },
	{ 0 },
};

/*
 * Split "TYPE=VALUE" into the columns it is about, [*begin, *end), and its value:
 * every column when there is no type.
 */
static bool split(const struct prof_profile *profile, const char *text, uint32_t *begin,
		  uint32_t *end, const char **value, struct prof_error *err)
{
	const char *equals = strrchr(text, '=');
	char name[256];

	*begin = 0;
	*end = profile->type_count;
	*value = equals ? equals + 1 : text;
	if (!equals) {
		return true;
	}
	if ((size_t)(equals - text) >= sizeof(name)) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "no sample type is so long");
	}
	memcpy(name, text, (size_t)(equals - text));
	name[equals - text] = '\0';
	if (!input_column(profile, name, begin, err)) {
		return false;
	}
	*end = *begin + 1;
	return true;
}

/* N in the unit of the column, converted from its own unit if it has one. */
static bool parse_total(const struct prof_profile *profile, uint32_t column,
			const char *text, int64_t *total, struct prof_error *err)
{
	struct prof_text have = prof_string(profile, profile->types[column].unit);
	struct prof_text unit;
	double scaled;

	if (prof_unit_parse(prof_text(text), total, &unit) != strlen(text)) {
		return prof_fail(
			err, PROF_ERR_SYNTAX,
			"--to-total: '%s' is no whole number with or without a "
			"unit",
			text);
	}
	if (unit.len == 0 || prof_text_equal(unit, have)) {
		return true;
	}
	if (!prof_unit_convertible(unit, have)) {
		return prof_fail(err, PROF_ERR_MISMATCH,
				 "--to-total: '%s' cannot be converted to %.*s", text,
				 (int)have.len, have.data);
	}
	scaled = prof_unit_scale(*total, unit, have).value;
	if (!(fabs(scaled) < 9.2e18)) {
		return prof_fail(err, PROF_ERR_LIMIT,
				 "--to-total: '%s' does not fit 64 bits", text);
	}
	*total = (int64_t)(scaled + (scaled < 0 ? -0.5 : 0.5));
	return true;
}

static bool apply_factor(const struct prof_profile *profile, const char *text,
			 struct prof_ratio *ratios, struct prof_error *err)
{
	struct prof_error why = { 0 };
	const char *value;
	uint32_t begin;
	uint32_t end;

	if (!split(profile, text, &begin, &end, &value, err)) {
		return false;
	}
	for (uint32_t c = begin; c < end; c++) {
		if (!prof_ratio_parse(prof_text(value), &ratios[c], &why)) {
			return prof_fail(err, why.code, "--factor: %s", why.message);
		}
	}
	return true;
}

static bool apply_total(const struct prof_profile *profile, const char *text,
			struct prof_ratio *ratios, struct prof_error *err)
{
	const char *value;
	uint32_t begin;
	uint32_t end;

	if (!split(profile, text, &begin, &end, &value, err)) {
		return false;
	}
	for (uint32_t c = begin; c < end; c++) {
		int64_t total;

		if (!parse_total(profile, c, value, &total, err) ||
		    !prof_ratio_to_total(profile, c, total, &ratios[c], err)) {
			return false;
		}
	}
	return true;
}

/* One ratio per column; later options overrule earlier ones, totals factors. */
static bool choose_ratios(const struct prof_profile *profile,
			  const struct scale_options *scale, struct prof_ratio *ratios,
			  struct prof_error *err)
{
	for (uint32_t c = 0; c < profile->type_count; c++) {
		ratios[c] = (struct prof_ratio){ 1, 1 };
	}
	for (size_t i = 0; i < scale->factors.count; i++) {
		if (!apply_factor(profile, scale->factors.items[i], ratios, err)) {
			return false;
		}
	}
	for (size_t i = 0; i < scale->totals.count; i++) {
		if (!apply_total(profile, scale->totals.items[i], ratios, err)) {
			return false;
		}
	}
	return true;
}

static int run_scale(const struct command *self, int argc, char **argv)
{
	struct prof_ratio ratios[PROF_MAX_SAMPLE_TYPE];
	struct scale_options scale = { 0 };
	struct prof_profile *profile = NULL;
	struct prof_profile *scaled = NULL;
	struct prof_error err = { 0 };
	uint32_t dropped = 0;
	bool ok;

	argc = options_parse(self, &scale, argc, argv);
	if (scale.factors.count == 0 && scale.totals.count == 0) {
		usage_error(self, "nothing to do: give --factor or --to-total");
	}
	ok = input_profile(&scale.input, argc, argv, &profile, &err) &&
	     choose_ratios(profile, &scale, ratios, &err) &&
	     prof_scale(profile, ratios, &scaled, &dropped, &err);
	if (ok && dropped > 0) {
		notice("%u of %u samples became zero and are left out", dropped,
		       profile->sample_count);
	}
	ok = ok && save_profile(&scale.save, scaled, prof_default_column(scaled), &err);
	prof_profile_free(scaled);
	prof_profile_free(profile);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_scale = {
	.name = "scale",
	.group = "profiles in, a profile out",
	.summary = "Multiply the values of a profile",
	.usage = "[PROFILE...]",
	.description =
		"Factors are exact: 0.1 is one tenth and 1/3 a third; each value is\n"
		"rounded once, half away from zero. Duration and period stay as they\n"
		"are. A value that does not fit 64 bits is an error.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_scale,
};

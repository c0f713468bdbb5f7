/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/filter_options.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/save.h"
#include "cmd/table.h"
#include "libprof/base/limits.h"

struct filter_command_options {
	const char *sample_types;
	bool drop_zero;
	bool quiet;
	struct filter_options filter;
	struct input_options input;
	struct save_options save;
};

static const struct option options[] = {
	{ 0, "sample-type", "TYPES",
	  "keep these columns, in this order: inuse_space,cpu",
	  OPTION_TEXT(struct filter_command_options, sample_types) },
	{ 0, "drop-zero", NULL, "drop samples that are zero in every column kept",
	  OPTION_FLAG(struct filter_command_options, drop_zero) },
	{ 'q', "quiet", NULL, "do not say on stderr what each filter removed",
	  OPTION_FLAG(struct filter_command_options, quiet) },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct filter_command_options, filter),
	OPTION_INCLUDE(struct filter_command_options, input),
	OPTION_INCLUDE(struct filter_command_options, save),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool filter --focus 'json' -o json.pb.gz go-cpu.pb.gz",
	  "only the samples in which something of json runs" },
	{ "fgtool filter --sample-type inuse_objects,inuse_space --drop-zero "
	  "-o inuse.pb.gz go-heap-1.pb.gz",
	  "what is in use of a heap profile, a fraction of its size" },
	{ "fgtool filter --tag-focus route=/order --tag-hide worker -o orders.pb.gz "
	  "go-cpu.pb.gz",
	  "the requests of one route, whichever worker served them" },
	{ "fgtool filter --hide '^runtime' -o - go-cpu.pb.gz | fgtool top",
	  "the time of the runtime given to its callers" },
	{ 0 },
};

/* The columns that --sample-type lists. */
static bool choose_columns(const struct prof_profile *profile, const char *list,
			   uint32_t *columns, uint32_t *count, struct prof_error *err)
{
	char name[256];

	*count = 0;
	while (list) {
		const char *comma = strchr(list, ',');
		size_t len = comma ? (size_t)(comma - list) : strlen(list);

		if (len >= sizeof(name) || *count == PROF_MAX_SAMPLE_TYPE) {
			return prof_fail(err, PROF_ERR_UNSUPPORTED,
					 "--sample-type: no list of sample types");
		}
		memcpy(name, list, len);
		name[len] = '\0';
		if (!input_column(profile, name, &columns[*count], err)) {
			return false;
		}
		for (uint32_t i = 0; i < *count; i++) {
			if (columns[i] == columns[*count]) {
				return prof_fail(err, PROF_ERR_UNSUPPORTED,
						 "--sample-type: '%s' is there twice",
						 name);
			}
		}
		++*count;
		list = comma ? comma + 1 : NULL;
	}
	return true;
}

static const char *plural(uint32_t count)
{
	return count == 1 ? "" : "s";
}

/* What a step matched, in its own terms. */
static void describe_match(const struct prof_filter_report *report, int step, char *out,
			   size_t size)
{
	const struct prof_filter_count *count = &report->steps[step];

	switch ((enum prof_filter_step)step) {
	case PROF_FILTER_TAG_FOCUS:
	case PROF_FILTER_TAG_IGNORE:
		snprintf(out, size, "%u sample%s", count->matched,
			 plural(count->matched));
		break;
	case PROF_FILTER_TAG_SHOW:
	case PROF_FILTER_TAG_HIDE:
		snprintf(out, size, "%u label key%s", count->matched,
			 plural(count->matched));
		break;
	default:
		snprintf(out, size, "%u function%s", count->functions,
			 plural(count->functions));
	}
}

static double share(int64_t part, int64_t total)
{
	return total > 0 ? (double)part / (double)total : 0;
}

/* Facts about the profile before filtering that the summary needs. */
struct before {
	uint32_t samples;
	uint32_t column;
	int64_t total;
	char type[64];
};

static void describe_before(const struct prof_profile *profile, struct before *before)
{
	struct prof_error ignored = { 0 };
	struct prof_text type = { "", 0 };

	before->samples = profile->sample_count;
	before->column = prof_default_column(profile);
	if (profile->type_count > 0) {
		type = prof_string(profile, profile->types[before->column].type);
		if (!prof_column_total(profile, before->column, &before->total,
				       &ignored)) {
			before->total = INT64_MAX;
		}
	}
	snprintf(before->type, sizeof(before->type), "%.*s", (int)type.len, type.data);
}

/* ", removes 3 of 7 samples, 12% of cpu"; empty when it removes none. */
static void describe_removal(const struct before *before,
			     const struct prof_filter_count *count, char *out,
			     size_t size)
{
	double part =
		before->total ? share(count->values[before->column], before->total) : 0;
	char percent[32];

	out[0] = '\0';
	if (count->samples > 0) {
		table_show_percent(part, percent, sizeof(percent));
		snprintf(out, size, " removes %u of %u samples, %s of %s",
			 count->samples, before->samples, percent, before->type);
	}
}

static void tell(const struct before *before, const struct prof_filter_report *report)
{
	for (int i = 0; i < PROF_FILTER_STEPS; i++) {
		const struct prof_filter_count *count = &report->steps[i];
		const char *option = filter_step_option((enum prof_filter_step)i);
		char match[64] = "";
		char removal[160];

		if (!count->used) {
			continue;
		}
		describe_removal(before, count, removal, sizeof(removal));
		if (count->matched > 0 && i != PROF_FILTER_ZERO) {
			describe_match(report, i, match, sizeof(match));
			notice("%s matches %s%s%s", option, match, *removal ? "," : "",
			       removal);
		} else if (*removal) {
			notice("%s%s", option, removal);
		}
	}
}

static int run_filter(const struct command *self, int argc, char **argv)
{
	struct filter_command_options filter = { 0 };
	uint32_t columns[PROF_MAX_SAMPLE_TYPE];
	struct prof_filter base = { .columns = columns };
	struct prof_filter_report report = { 0 };
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };
	struct before before = { 0 };
	bool ok;

	argc = options_parse(self, &filter, argc, argv);
	base.drop_zero = filter.drop_zero;
	ok = input_profile(&filter.input, argc, argv, &profile, &err) &&
	     choose_columns(profile, filter.sample_types, columns, &base.column_count,
			    &err);
	if (ok) {
		describe_before(profile, &before);
		ok = filter_profile_report(&filter.filter, &base, &profile, &report,
					   &err);
	}
	if (ok && !filter.quiet) {
		tell(&before, &report);
	}
	ok = ok &&
	     save_profile(&filter.save, profile, prof_default_column(profile), &err);
	prof_filter_report_free(&report);
	prof_profile_free(profile);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_filter = {
	.name = "filter",
	.group = "profiles in, a profile out",
	.summary = "Keep a part of a profile",
	.usage = "[PROFILE...]",
	.description =
		"The filters work in this order: focus, ignore, hide, show; show-from;\n"
		"tag-focus, tag-ignore; tag-show, tag-hide; prune-from; drop-zero. What\n"
		"the samples left do not use is not written. Regular expressions match\n"
		"anywhere in a name unless anchored.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_filter,
};

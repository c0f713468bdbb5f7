/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "cmd/command.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/save.h"
#include "libprof/base/alloc.h"
#include "libprof/model/columns.h"
#include "libprof/model/merge.h"

static const char *const orders[] = { "canonical", "pprof", NULL };

struct merge_options {
	int order;
	bool common_types;
	struct input_options input;
	struct save_options save;
};

static const struct option options[] = {
	{ 0, "order", "ORDER",
	  "canonical: same bytes for any order of inputs; pprof: first seen first",
	  OPTION_CHOICE(struct merge_options, order, orders) },
	{ 0, "common-types", NULL, "keep only the sample types that all inputs have",
	  OPTION_FLAG(struct merge_options, common_types) },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct merge_options, input),
	OPTION_INCLUDE(struct merge_options, save),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool merge -o all.pb.gz go-cpu.pb.gz go-cpu-after.pb.gz",
	  "one profile from two; any order of the inputs gives the same bytes" },
	{ "fgtool merge go-cpu.pb.gz go-cpu-after.pb.gz | fgtool top -n 5",
	  "the sum of two profiles, straight into a report" },
	{ "fgtool merge --common-types -o common.pb.gz go-heap-1.pb.gz go-allocs.pb.gz",
	  "inputs whose sample types differ: what they have in common" },
	{ 0 },
};

struct inputs {
	struct prof_profile **items;
	int count;
};

static void inputs_free(struct inputs *inputs)
{
	for (int i = 0; i < inputs->count; i++) {
		prof_profile_free(inputs->items[i]);
	}
	prof_free(inputs->items);
}

static bool read_all(const struct merge_options *merge, const struct input_paths *paths,
		     struct inputs *inputs, struct prof_error *err)
{
	inputs->items = prof_alloc_array((size_t)paths->count, sizeof(*inputs->items));
	if (!inputs->items) {
		return prof_fail_nomem(err);
	}
	for (int i = 0; i < paths->count; i++) {
		if (!input_one(&merge->input, paths->items[i], &inputs->items[i],
			       err)) {
			return false;
		}
		inputs->count++;
	}
	return true;
}

static bool cannot_merge(struct prof_error *err)
{
	struct prof_error plain = *err;

	if (plain.code != PROF_ERR_NOMEM) {
		prof_error_set(err, plain.code, "cannot merge: %s", plain.message);
	}
	return false;
}

/* Merge what all inputs have; they must be whole to know what that is. */
static bool merge_common(const struct merge_options *merge, int count, char **operands,
			 enum prof_build how, struct prof_profile **out,
			 struct prof_error *err)
{
	struct input_paths paths = { 0 };
	struct inputs inputs = { 0 };
	bool ok =
		input_paths(&merge->input, count, operands, &paths, err) &&
		read_all(merge, &paths, &inputs, err) &&
		(prof_merge_common(inputs.items, (size_t)inputs.count, how, out, err) ||
		 cannot_merge(err));

	inputs_free(&inputs);
	input_paths_free(&paths);
	return ok;
}

static int run_merge(const struct command *self, int argc, char **argv)
{
	struct merge_options merge = { 0 };
	struct prof_profile *profile = NULL;
	enum prof_build how = PROF_BUILD_CANONICAL;
	struct prof_error err = { 0 };
	bool ok = false;

	argc = options_parse(self, &merge, argc, argv);
	if (merge.order == 1) {
		how = PROF_BUILD_FIRST_USE;
	}
	ok = merge.common_types
		     ? merge_common(&merge, argc, argv, how, &profile, &err)
		     : input_merged(&merge.input, argc, argv, how, &profile, &err);
	ok = ok &&
	     save_profile(&merge.save, profile, prof_default_column(profile), &err);
	prof_profile_free(profile);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_merge = {
	.name = "merge",
	.group = "profiles in, a profile out",
	.summary = "Add profiles up to one",
	.usage = "[PROFILE...]",
	.description =
		"Samples with equal stacks and labels are added up. The result is a\n"
		"function of the set of inputs: any order and any grouping of partial\n"
		"merges gives the same bytes, so any engine can reduce an archive.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_merge,
};

/* SPDX-License-Identifier: MIT */
#include "cmd/command.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/save.h"

struct convert_options {
	const char *sample_type;
	struct input_options input;
	struct save_options save;
};

static const struct option options[] = {
	{ 0, "sample-type", "TYPE", "the values a format with one value gets",
	  OPTION_TEXT(struct convert_options, sample_type), .alias = "sample_index" },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct convert_options, input),
	OPTION_INCLUDE(struct convert_options, save),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool convert -o cpu.folded go-cpu.pb.gz",
	  "folded stacks, one per line, for other tools" },
	{ "fgtool convert --to folded go-heap-2.pb.gz --sample-type alloc_space",
	  "the bytes allocated, to standard output" },
	{ "fgtool convert -o stacks.pb.gz py-spy.folded",
	  "a pprof profile from folded stacks" },
	{ 0 },
};

static int run_convert(const struct command *self, int argc, char **argv)
{
	struct convert_options convert = { 0 };
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };
	uint32_t column = 0;
	bool ok = false;

	argc = options_parse(self, &convert, argc, argv);
	ok = input_profile(&convert.input, argc, argv, &profile, &err) &&
	     input_column(profile, convert.sample_type, &column, &err) &&
	     save_profile(&convert.save, profile, column, &err);
	prof_profile_free(profile);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_convert = {
	.name = "convert",
	.group = "profiles in, a profile out",
	.summary = "Write a profile in another format",
	.usage = "[PROFILE...]",
	.description =
		"The format is chosen by the name of the output, or by --to. What has\n"
		"no place in it is said on standard error.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_convert,
};

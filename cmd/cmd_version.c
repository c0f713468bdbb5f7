/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "cmd/command.h"
#include "cmd/option.h"
#include "cmd/pattern.h"
#include "formats/libraries.h"

struct version_options {
	bool features;
};

static const struct option options[] = {
	{ 0, "features", NULL, "list the libraries this program was built with",
	  OPTION_FLAG(struct version_options, features) },
	{ 0 },
};

static void print_features(void)
{
	struct prof_buf libraries = { 0 };
	char text[80];

	prof_libraries(&libraries);
	if (libraries.len > 0) {
		fwrite(libraries.data, 1, libraries.len, stdout);
	}
	prof_buf_free(&libraries);
	printf("pcre2: %s\n", pattern_version(text, sizeof(text)));
}

static int run_version(const struct command *self, int argc, char **argv)
{
	struct version_options version = { 0 };

	if (options_parse(self, &version, argc, argv) > 0) {
		usage_error(self, "takes no operand, not '%s'", argv[0]);
	}
	printf("fgtool %s\n", FGTOOL_VERSION);
	if (version.features) {
		print_features();
	}
	return EXIT_DONE;
}

static const struct example examples[] = {
	{ "fgtool version", "the version alone, for a report of a fault" },
	{ "fgtool version --features", "what the program was built with" },
	{ 0 },
};

const struct command cmd_version = {
	.name = "version",
	.group = "about fgtool",
	.summary = "Print the version and what is built in",
	.options = options,
	.examples = examples,
	.run = run_version,
};

/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "cmd/command.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "formats/format.h"
#include "libprof/base/sha256.h"

struct digest_options {
	bool each;
	struct input_options input;
};

static const struct option options[] = {
	{ 0, "each", NULL, "one line per input, with its name, as sha256sum prints",
	  OPTION_FLAG(struct digest_options, each) },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct digest_options, input),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool digest go-cpu.pb.gz go-cpu-after.pb.gz",
	  "of the merge of both; any order of the two gives the same" },
	{ "fgtool digest --each go-cpu.pb.gz pprof-proto-cpu.pb.gz",
	  "whether two files hold the same samples" },
	{ 0 },
};

static bool print_digest(const struct prof_profile *profile, const char *name,
			 struct prof_error *err)
{
	struct prof_write_options how = { .column = 0 };
	struct prof_buf bytes = { 0 };
	struct prof_buf line = { 0 };
	char digest[PROF_SHA256_HEX + 1];
	bool ok = prof_format_pprof.write(profile, &how, &bytes, err);

	if (ok) {
		prof_sha256_hex(bytes.data, bytes.len, digest);
		prof_buf_adds(&line, digest);
		if (name) {
			prof_buf_adds(&line, "  ");
			prof_text_escape(&line, prof_text(name));
		}
		prof_buf_addc(&line, '\n');
		ok = !line.failed || prof_fail_nomem(err);
	}
	if (ok) {
		fwrite(line.data, 1, line.len, stdout);
	}
	prof_buf_free(&line);
	prof_buf_free(&bytes);
	return ok;
}

static bool digest_of(const struct digest_options *digest, int count, char **paths,
		      const char *name, struct prof_error *err)
{
	struct prof_profile *profile = NULL;
	bool ok = input_merged(&digest->input, count, paths, PROF_BUILD_CANONICAL,
			       &profile, err) &&
		  print_digest(profile, name, err);

	prof_profile_free(profile);
	return ok;
}

static bool digest_each(struct digest_options *digest, int count, char **operands,
			struct prof_error *err)
{
	struct input_paths paths = { 0 };
	bool ok = input_paths(&digest->input, count, operands, &paths, err);

	digest->input.files_from = NULL;
	for (int i = 0; ok && i < paths.count; i++) {
		ok = digest_of(digest, 1, &paths.items[i], paths.items[i], err);
	}
	input_paths_free(&paths);
	return ok;
}

static int run_digest(const struct command *self, int argc, char **argv)
{
	struct digest_options digest = { 0 };
	struct prof_error err = { 0 };
	bool ok = false;

	argc = options_parse(self, &digest, argc, argv);
	ok = digest.each ? digest_each(&digest, argc, argv, &err)
			 : digest_of(&digest, argc, argv, NULL, &err);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_digest = {
	.name = "digest",
	.group = "look at a profile",
	.summary = "Print the hash of the canonical form",
	.usage = "[PROFILE...]",
	.description =
		"SHA-256 of the uncompressed profile.proto that 'fgtool merge' would\n"
		"write: the same for the same samples, whatever the compression, the\n"
		"order of tables and the grouping of earlier merges.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_digest,
};

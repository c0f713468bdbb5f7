/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/diff.h"
#include "cmd/output.h"
#include "cmd/terminal.h"

static const char *const formats[] = { "text", "json", "csv", "md", "markdown", NULL };
static const char *const orders[] = { "real", "delta", "ratio", "q", NULL };
static const char *const folds[] = { "default", "none", NULL };
static const char *const gate_modes[] = { "proven", "likely", "point", NULL };
static const char *const normalizations[] = { "stable", "none",    "total", "duration",
					      "ref:",   "factor:", NULL };

static const struct option options[] = {
	{ 0, "before", "PATTERN", "runs before: files, a folder or a pattern in quotes",
	  OPTION_LIST(struct diff_options, before), .alias = "diff_base" },
	{ 0, "after", "PATTERN", "runs after",
	  OPTION_LIST(struct diff_options, after) },
	{ 'b', "base", "FILE",
	  "an earlier state of the same process, to be taken away first",
	  OPTION_LIST(struct diff_options, base) },
	{ 0, "allow-negative", NULL, "leave out what is less than in its base",
	  OPTION_FLAG(struct diff_options, allow_negative) },
	{ 0, "paired", NULL, "run i before goes with run i after",
	  OPTION_FLAG(struct diff_options, paired) },
	{ 0, "normalize", "HOW",
	  "stable, none, total, duration, ref:RE or factor:F (stable)",
	  OPTION_TEXT(struct diff_options, normalize), .values = normalizations },
	{ 0, "per", "NAME[=B,..:A,..]", "the work that each run did: requests=90:95",
	  OPTION_TEXT(struct diff_options, per) },
	{ 0, "by-label", "KEY", "compare the samples of each value of a label as well",
	  OPTION_TEXT(struct diff_options, by_label) },
	{ 0, "count-type", "TYPE", "the sample type that counts samples",
	  OPTION_TEXT(struct diff_options, count_type) },
	{ 0, "period", "N", "the value of one sample",
	  OPTION_NUMBER(struct diff_options, period) },
	{ 0, "fold-names", "HOW", "none keeps what differs from build to build",
	  OPTION_CHOICE(struct diff_options, fold_names, folds) },
	{ 0, "rename", "OLD=NEW", "the function OLD before is NEW after",
	  OPTION_LIST(struct diff_options, renames) },
	{ 0, "accept-renames", NULL, "compare what looks renamed as one function",
	  OPTION_FLAG(struct diff_options, accept_renames) },
	{ 0, "run-noise", "PERCENT",
	  "how much runs differ, where one cannot tell (10%)",
	  OPTION_FRACTION(struct diff_options, run_noise) },
	{ 0, "noise-from", "PATTERN", "runs of one program that show the noise",
	  OPTION_LIST(struct diff_options, noise_from) },
	{ 0, "alpha", "A", "false findings among those called real (0.05)",
	  OPTION_FRACTION(struct diff_options, alpha) },
	{ 0, "equiv", "PERCENT", "what counts as the same (5%)",
	  OPTION_FRACTION(struct diff_options, equiv) },
	{ 0, "no-fdr", NULL, "judge each function as if it were the only one",
	  OPTION_FLAG(struct diff_options, no_fdr) },
	{ 0, "gate", "EXPR", "exit 1 if this holds: 'cum>+3% where share>=1%'",
	  OPTION_LIST(struct diff_options, gates) },
	{ 0, "gate-mode", "MODE", "a gate fails on what is proven, likely, or measured",
	  OPTION_CHOICE(struct diff_options, gate_mode, gate_modes) },
	{ 0, "strict", NULL, "exit 4 if a gate can neither pass nor fail",
	  OPTION_FLAG(struct diff_options, strict) },
	{ 0, "min-runs", "N", "no gate passes or fails with fewer runs a side (1)",
	  OPTION_INTEGER(struct diff_options, min_runs) },
	{ 'n', "limit", "N", "show at most N rows, 0 for all (12; Markdown: 20)",
	  OPTION_INTEGER(struct diff_options, limit), .alias = "nodecount" },
	{ 'a', "all", NULL, "show what is the same or cannot be told, too",
	  OPTION_FLAG(struct diff_options, all) },
	{ 'c', "cum", NULL, "show functions with what they call only",
	  OPTION_FLAG(struct diff_options, cum) },
	{ 0, "sort", "HOW", "sort rows by",
	  OPTION_CHOICE(struct diff_options, order, orders) },
	{ 0, "format", "FORMAT", "print as; the name of the output decides, too",
	  OPTION_CHOICE(struct diff_options, format, formats) },
	{ 0, "color", "WHEN", "color text",
	  OPTION_CHOICE(struct diff_options, color, color_choices) },
	{ 0, "width", "N", "cut names so that lines have N columns (the terminal's)",
	  OPTION_INTEGER(struct diff_options, width), .max = 100000 },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct diff_options, report),
	OPTION_INCLUDE(struct diff_options, filter),
	OPTION_INCLUDE(struct diff_options, input),
	OPTION_INCLUDE(struct diff_options, save),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool diff go-cpu.pb.gz go-cpu-after.pb.gz",
	  "what became slower or faster, and what is only noise" },
	{ "fgtool diff --gate 'cum(^crypto/)>+20%' go-cpu.pb.gz go-cpu-after.pb.gz",
	  "fail a build when a package is proven 20 % slower" },
	{ "fgtool diff --format=md go-cpu.pb.gz go-cpu-after.pb.gz",
	  "a comment for a pull request" },
	{ "fgtool diff -b go-heap-1.pb.gz go-heap-2.pb.gz --sample-type inuse_space",
	  "what holds more memory than before, in one process" },
	{ "fgtool diff -o change.pb.gz go-cpu.pb.gz go-cpu-after.pb.gz",
	  "the difference as a profile, for any other report" },
	{ 0 },
};

static bool ends_in(const char *path, const char *suffix)
{
	size_t len = strlen(path);
	size_t end = strlen(suffix);

	return len > end && strcmp(path + len - end, suffix) == 0;
}

static bool choose_format(const struct diff_options *diff, enum diff_format *format,
			  struct prof_error *err)
{
	static const struct {
		const char *suffix;
		enum diff_format format;
	} endings[] = {
		{ ".json", DIFF_JSON },
		{ ".csv", DIFF_CSV },
		{ ".md", DIFF_MD },
	};
	const char *path = diff->save.path ? diff->save.path : "";

	*format = (enum diff_format)diff->format;
	if (*format != DIFF_BY_NAME) {
		return true;
	}
	if (ends_in(path, ".svg") || ends_in(path, ".html")) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "cannot write '%s': diff draws no picture yet; write "
				 "the difference as a profile, -o x.pb.gz",
				 path);
	}
	*format = DIFF_TEXT;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		if (ends_in(path, endings[i].suffix)) {
			*format = endings[i].format;
		}
	}
	return true;
}

static bool print(const struct diff_result *result, enum diff_format format,
		  struct prof_error *err)
{
	const struct diff_options *diff = result->options;
	const char *path = diff->save.path;
	struct table_style style = {
		.format = TABLE_TEXT,
		.width = (size_t)diff->width,
		.color = path ? diff->color == COLOR_ALWAYS
			      : terminal_color(diff->color, STDOUT_FILENO),
	};
	struct prof_buf out = { 0 };
	bool ok = false;

	if (style.width == 0 && output_is_terminal(path)) {
		style.width = terminal_width(STDOUT_FILENO);
	}
	switch (format) {
	case DIFF_TEXT:
	case DIFF_BY_NAME:
		ok = diff_print_text(result, &style, &out, err);
		break;
	case DIFF_JSON:
		ok = diff_print_json(result, &out, err);
		break;
	case DIFF_CSV:
		ok = diff_print_csv(result, &out, err);
		break;
	case DIFF_MD:
	case DIFF_MARKDOWN:
		ok = diff_print_md(result, &out, err);
		break;
	}
	ok = ok && output_write(path, out.data, out.len, false, err);
	prof_buf_free(&out);
	return ok;
}

static bool compare(const struct diff_options *diff, struct diff_sides *sides,
		    enum diff_format format, int *status, struct prof_error *err)
{
	struct diff_result result = { .options = diff, .sides = sides };
	bool ok = diff_gates_parse(diff, &result, err) &&
		  diff_run_all(diff, sides, &result, err) &&
		  diff_gates_judge(diff, &result, err) && print(&result, format, err);

	if (ok && diff_outcome(&result) == PROF_GATE_FAILS) {
		*status = DIFF_GATE_FAILED;
	} else if (ok && diff->strict &&
		   diff_outcome(&result) == PROF_GATE_INCONCLUSIVE) {
		*status = DIFF_INCONCLUSIVE;
	}
	diff_result_free(&result);
	return ok;
}

/*
 * options_parse() forgets where `--` stood: what is in front of it is read first, then
 * what is behind it, where options may stand as well. Returns how many operands there
 * are, moved to argv[0..]; *split is how many of them stood in front, -1 without `--`.
 */
static int parse(const struct command *self, struct diff_options *diff, int argc,
		 char **argv, int *split)
{
	int at = 1;
	int after = 0;

	while (at < argc && strcmp(argv[at], "--") != 0) {
		at++;
	}
	if (at == argc) {
		*split = -1;
		return options_parse(self, diff, argc, argv);
	}
	argv[at] = NULL;
	*split = options_parse(self, diff, at, argv);
	argv[at] = argv[0];
	after = options_parse(self, diff, argc - at, argv + at);
	memmove(argv + *split, argv + at, ((size_t)after + 1) * sizeof(*argv));
	return *split + after;
}

static int run_diff(const struct command *self, int argc, char **argv)
{
	struct diff_options diff = {
		.limit = -1,
		.format = DIFF_BY_NAME,
		.alpha = 0.05,
		.equiv = 0.05,
		.run_noise = 0.10,
		.min_runs = 1,
	};
	struct diff_sides sides = { 0 };
	struct prof_error err = { 0 };
	enum diff_format format = DIFF_TEXT;
	int split = -1;
	int status = EXIT_DONE;
	bool ok = false;

	argc = parse(self, &diff, argc, argv, &split);
	ok = choose_format(&diff, &format, &err) &&
	     diff_sides_choose(self, &diff, argc, argv, split, &sides, &err);
	if (ok && diff_wants_profile(&diff.save)) {
		ok = diff_save(&diff, &sides, &err);
	} else if (ok && sides.growth) {
		ok = diff_growth(&diff, &sides, format, &err);
	} else if (ok) {
		ok = compare(&diff, &sides, format, &status, &err);
	}
	diff_sides_free(&sides);
	if (!ok) {
		complain(&err);
		return err.code == PROF_ERR_MISMATCH ? DIFF_NOT_COMPARABLE
						     : EXIT_TROUBLE;
	}
	return status;
}

const struct command cmd_diff = {
	.name = "diff",
	.group = "reports",
	.summary = "Print what changed between two profiles",
	.usage = "BEFORE... -- AFTER...",
	.description =
		"Each file is one run; the scatter of several runs a side tells how noisy\n"
		"they are. A change is REAL when noise does not explain it, suspect when\n"
		"it might, among so many; the same when it is surely small; otherwise one\n"
		"can't tell. With two files `--` is not needed. -o FILE.pb.gz writes the\n"
		"difference as a profile.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_diff,
};

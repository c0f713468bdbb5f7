/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/option.h"

enum { MAX_WORDS = 90 };

static const char *const shapes[] = { "round", "square", "oval", NULL };

struct shared_options {
	struct option_list focus;
	const char *output;
};

struct demo_options {
	bool reverse;
	bool quiet;
	int sort;
	int64_t limit;
	double scale;
	double trim;
	uint64_t memory;
	int64_t interval_ns;
	int shape;
	struct shared_options shared;
};

static const struct option shared_table[] = {
	{ 'f', "focus", "RE", "only samples that match",
	  OPTION_LIST(struct shared_options, focus) },
	{ 'o', "output", "FILE", "write to FILE",
	  OPTION_TEXT(struct shared_options, output), .alias = "out" },
	{ 0 },
};

static const struct option_group shared_option_group = { "filters", shared_table };

static const struct option table[] = {
	{ 'r', "reverse", NULL, "leaf first",
	  OPTION_FLAG(struct demo_options, reverse) },
	{ 'q', "quiet", NULL, "say less", OPTION_FLAG(struct demo_options, quiet) },
	{ 0, "cum", NULL, "sort by cum", OPTION_SET(struct demo_options, sort, 7) },
	{ 'n', "limit", "N", "show N rows (20)",
	  OPTION_INTEGER(struct demo_options, limit), .min = 1, .max = 100 },
	{ 's', "scale", "X", "multiply", OPTION_NUMBER(struct demo_options, scale) },
	{ 0, "trim", "SHARE", "drop less", OPTION_FRACTION(struct demo_options, trim) },
	{ 0, "memory", "SIZE", "use SIZE", OPTION_SIZE(struct demo_options, memory) },
	{ 0, "interval", "TIME", "every TIME",
	  OPTION_DURATION(struct demo_options, interval_ns) },
	{ 0, "shape", "SHAPE", "draw as",
	  OPTION_CHOICE(struct demo_options, shape, shapes) },
	{ 0, "secret", NULL, "", OPTION_FLAG(struct demo_options, quiet) },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct demo_options, shared),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool demo x", "do it" },
	{ 0 },
};

static const struct command demo = {
	.name = "demo",
	.summary = "Show how options are read",
	.usage = "[PROFILE...]",
	.description = "A text.\n",
	.options = table,
	.groups = groups,
	.examples = examples,
};

/* A command line, taken apart at its blanks, and what came of it. */
struct line {
	char text[1000];
	char *argv[MAX_WORDS];
	int argc;
	struct demo_options options;
	struct prof_error err;
	enum option_outcome outcome;
};

static void read_into(struct line *line, const char *text)
{
	char *rest = line->text;

	*line = (struct line){ .options.limit = 20 };
	snprintf(line->text, sizeof(line->text), "demo %s", text);
	for (char *word = strsep(&rest, " "); word; word = strsep(&rest, " ")) {
		line->argv[line->argc++] = word;
	}
	line->outcome = options_read(&demo, &line->options, &line->argc, line->argv,
				     &line->err);
}

/* For who looks at numbers and the outcome: texts would point into what is gone. */
static struct line read_line(const char *text)
{
	struct line line;

	read_into(&line, text);
	return line;
}

/* Whether `text` is refused with `message`. */
static void assert_wrong(const char *text, const char *message)
{
	struct line line = read_line(text);

	assert_int_equal(line.outcome, OPTIONS_WRONG);
	assert_string_equal(line.err.message, message);
}

static void a_value_may_be_written_in_every_way(void **state)
{
	const char *const ways[] = {
		"-n5", "-n 5", "--limit=5", "--limit 5", "-limit=5", "-limit 5",
	};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct line line = read_line(ways[i]);

		assert_int_equal(line.outcome, OPTIONS_READ);
		assert_int_equal(line.options.limit, 5);
		assert_int_equal(line.argc, 0);
	}
}

static void options_and_operands_mix(void **state)
{
	struct line line;
	const char *const want[] = { "a", "b", "-", "c", "-q", "--x" };

	read_into(&line, "a -r b --limit 7 - c --output=o -- -q --x");
	assert_int_equal(line.outcome, OPTIONS_READ);
	assert_int_equal(line.argc, 6);
	for (int i = 0; i < 6; i++) {
		assert_string_equal(line.argv[i], want[i]);
	}
	assert_null(line.argv[6]);
	assert_true(line.options.reverse);
	assert_false(line.options.quiet);
	assert_int_equal(line.options.limit, 7);
	assert_string_equal(line.options.shared.output, "o");
}

static void letters_combine(void **state)
{
	struct line line = read_line("-rqn9");

	assert_int_equal(line.outcome, OPTIONS_READ);
	assert_true(line.options.reverse);
	assert_true(line.options.quiet);
	assert_int_equal(line.options.limit, 9);
	assert_wrong("-rx", "unknown option '-x' in '-rx'");
}

static void a_long_name_wins_over_its_letters(void **state)
{
	struct line line;

	read_into(&line, "-quiet");
	assert_int_equal(line.outcome, OPTIONS_READ);
	assert_true(line.options.quiet);
	read_into(&line, "-out=x");
	assert_string_equal(line.options.shared.output, "x");
	read_into(&line, "-outx");
	assert_string_equal(line.options.shared.output, "utx");
}

static void flags_can_be_taken_back(void **state)
{
	assert_false(read_line("-r --no-reverse").options.reverse);
	assert_true(read_line("--no-reverse --reverse").options.reverse);
	assert_false(read_line("-r -reverse=false").options.reverse);
	assert_true(read_line("--reverse=true").options.reverse);
	assert_int_equal(read_line("--cum").options.sort, 7);
	assert_wrong("--no-limit", "unknown option '--no-limit'");
	assert_wrong("--cum=1", "--cum takes no value");
	assert_wrong("--reverse=maybe",
		     "--reverse takes no value but true or false, not 'maybe'");
}

static void repeated_options_are_collected(void **state)
{
	struct line line;

	read_into(&line, "--focus=a -f b -focus c -fd");
	assert_int_equal(line.options.shared.focus.count, 4);
	assert_string_equal(line.options.shared.focus.items[0], "a");
	assert_string_equal(line.options.shared.focus.items[3], "d");
}

static void a_list_has_an_end(void **state)
{
	char text[500] = "";

	for (int i = 0; i < OPTION_LIST_MAX; i++) {
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "-fx ");
	}
	assert_int_equal(read_line(text).outcome, OPTIONS_READ);
	snprintf(text + strlen(text), sizeof(text) - strlen(text), "-fx");
	assert_wrong(text, "--focus: at most 64 times");
}

static void numbers_have_bounds(void **state)
{
	assert_wrong("-n x", "--limit: 'x' is no whole number");
	assert_wrong("-n 5x", "--limit: '5x' is no whole number");
	assert_wrong("--limit=", "--limit: '' is no whole number");
	assert_wrong("-n 0", "--limit: at least 1, not '0'");
	assert_wrong("-n -3", "--limit: at least 1, not '-3'");
	assert_wrong("-n 101", "--limit: at most 100, not '101'");
	assert_wrong("-n 99999999999999999999",
		     "--limit: at most 100, not '99999999999999999999'");
	assert_wrong("-n -99999999999999999999",
		     "--limit: at least 1, not '-99999999999999999999'");
	assert_int_equal(read_line("-n100").options.limit, 100);
}

static void numbers_are_decimal(void **state)
{
	assert_true(read_line("-s -1.5").options.scale == -1.5);
	assert_true(read_line("-s 1e3").options.scale == 1000);
	assert_true(read_line("-s .5").options.scale == 0.5);
	assert_wrong("-s 0x10", "--scale: '0x10' is no number");
	assert_wrong("-s nan", "--scale: 'nan' is no number");
	assert_wrong("-s inf", "--scale: 'inf' is no number");
	assert_wrong("-s 1e999", "--scale: '1e999' is no number");
	assert_true(read_line("--trim 5%").options.trim == 0.05);
	assert_true(read_line("--trim 0.25").options.trim == 0.25);
	assert_wrong("--trim 5percent",
		     "--trim: '5percent' is no fraction such as 0.05 or 5%");
}

static void sizes_have_units(void **state)
{
	assert_int_equal(read_line("--memory 4096").options.memory, 4096);
	assert_int_equal(read_line("--memory 4k").options.memory, 4096);
	assert_int_equal(read_line("--memory 4KiB").options.memory, 4096);
	assert_int_equal(read_line("--memory 4kB").options.memory, 4000);
	assert_int_equal(read_line("--memory 512MiB").options.memory, 512u << 20);
	assert_int_equal(read_line("--memory 1.5G").options.memory, 3u << 29);
	assert_wrong("--memory 4X",
		     "--memory: '4X' is no size such as 512, 64K or 4GiB");
	assert_wrong("--memory -1",
		     "--memory: '-1' is no size such as 512, 64K or 4GiB");
	assert_wrong("--memory 99999999T", "--memory: size '99999999T' is too large");
}

static void durations_have_units(void **state)
{
	assert_int_equal(read_line("--interval 10ms").options.interval_ns, 10000000);
	assert_int_equal(read_line("--interval 1.5s").options.interval_ns, 1500000000);
	assert_int_equal(read_line("--interval 2").options.interval_ns, 2000000000);
	assert_int_equal(read_line("--interval 2m").options.interval_ns, 120000000000);
	assert_wrong("--interval soon",
		     "--interval: 'soon' is no duration such as 10ms, 1.5s or 2m");
	assert_wrong("--interval 1e9d", "--interval: duration '1e9d' is too long");
}

static void a_choice_is_one_of_its_words(void **state)
{
	assert_int_equal(read_line("").options.shape, 0);
	assert_int_equal(read_line("--shape=oval").options.shape, 2);
	assert_wrong("--shape=sqare",
		     "--shape: one of round, square, oval, not 'sqare'; "
		     "did you mean 'square'?");
	assert_wrong("--shape=xyz", "--shape: one of round, square, oval, not 'xyz'");
}

static void unknown_options_are_corrected(void **state)
{
	assert_wrong("--foucs=x", "unknown option '--foucs'; did you mean '--focus'?");
	assert_wrong("-limti=5", "unknown option '-limti'; did you mean '--limit'?");
	assert_wrong("-x", "unknown option '-x'");
	assert_wrong("--\033[31m", "unknown option '--?[31m'");
}

static void missing_values_are_named(void **state)
{
	assert_wrong("--limit", "--limit needs N");
	assert_wrong("-n", "-n needs N");
	assert_wrong("--output", "--output needs FILE");
}

static void names_are_matched_whole(void **state)
{
	assert_wrong("--lim=5", "unknown option '--lim'; did you mean '--limit'?");
}

static void help_is_given_even_to_a_wrong_line(void **state)
{
	assert_int_equal(read_line("-h").outcome, OPTIONS_HELP);
	assert_int_equal(read_line("--help").outcome, OPTIONS_TEXT);
	assert_int_equal(read_line("-help").outcome, OPTIONS_TEXT);
	assert_int_equal(read_line("a --bogus b -h").outcome, OPTIONS_HELP);
	assert_int_equal(read_line("--limit=x --help").outcome, OPTIONS_TEXT);
	assert_int_equal(read_line("--bogus -- -h").outcome, OPTIONS_WRONG);
	assert_int_equal(read_line("-f -h").outcome, OPTIONS_READ);
}

static char *help_of(const struct command *command, bool full)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	options_help(command, full, out);
	fclose(out);
	return text;
}

static void help_lists_the_table(void **state)
{
	char *text = help_of(&demo, false);

	assert_non_null(strstr(text, "usage: fgtool demo [OPTIONS] [PROFILE...]\n"));
	assert_non_null(strstr(text, "  -n, --limit=N        show N rows (20)\n"));
	assert_non_null(strstr(text, "\nfilters:\n  -f, --focus=RE "));
	assert_non_null(strstr(text, "draw as: round (default), square, oval\n"));
	assert_null(strstr(text, "secret"));
	assert_null(strstr(text, "fgtool demo x"));
	free(text);
	text = help_of(&demo, true);
	assert_non_null(strstr(text, "\nA text.\n"));
	assert_non_null(strstr(text, "  fgtool demo x\n      do it\n"));
	free(text);
}

static void long_help_is_wrapped(void **state)
{
	static const struct option wordy[] = {
		{ 0, "a-name-that-leaves-no-room", "WITH-ITS-ARGUMENT",
		  "words and words and words and words and words and words and words "
		  "and words and words",
		  OPTION_TEXT(struct shared_options, output) },
		{ 0 },
	};
	const struct command command = { .name = "x",
					 .summary = "X",
					 .options = wordy };
	char *text = help_of(&command, false);

	for (char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		assert_true(strcspn(line, "\n") <= 80);
	}
	free(text);
}

static void the_walk_sees_every_option_once(void **state)
{
	struct option_walk walk = { .command = &demo };
	size_t count = 0;

	while (option_next(&walk)) {
		count++;
	}
	assert_int_equal(count, 12);
	assert_string_equal(walk.title, "filters");
	assert_ptr_equal(option_find(&demo, "out", 3), &shared_table[1]);
	assert_null(option_find(&demo, "ou", 2));
}

static void a_command_may_have_no_options(void **state)
{
	const struct command bare = { .name = "bare" };
	char name[] = "bare";
	char *argv[] = { name, NULL };
	struct prof_error err = { 0 };
	int argc = 1;

	assert_int_equal(options_read(&bare, NULL, &argc, argv, &err), OPTIONS_READ);
	assert_int_equal(argc, 0);
	assert_null(argv[0]);
}

TEST_MAIN(cmocka_unit_test(a_value_may_be_written_in_every_way),
	  cmocka_unit_test(options_and_operands_mix), cmocka_unit_test(letters_combine),
	  cmocka_unit_test(a_long_name_wins_over_its_letters),
	  cmocka_unit_test(flags_can_be_taken_back),
	  cmocka_unit_test(repeated_options_are_collected),
	  cmocka_unit_test(a_list_has_an_end), cmocka_unit_test(numbers_have_bounds),
	  cmocka_unit_test(numbers_are_decimal), cmocka_unit_test(sizes_have_units),
	  cmocka_unit_test(durations_have_units),
	  cmocka_unit_test(a_choice_is_one_of_its_words),
	  cmocka_unit_test(unknown_options_are_corrected),
	  cmocka_unit_test(missing_values_are_named),
	  cmocka_unit_test(names_are_matched_whole),
	  cmocka_unit_test(help_is_given_even_to_a_wrong_line),
	  cmocka_unit_test(help_lists_the_table),
	  cmocka_unit_test(long_help_is_wrapped),
	  cmocka_unit_test(the_walk_sees_every_option_once),
	  cmocka_unit_test(a_command_may_have_no_options))

/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#include "cmd/complete.h"
#include "cmd/option.h"

static const char *const formats[] = { "text", "json", NULL };

struct demo_options {
	bool reverse;
	int format;
	const char *output;
	const char *root;
	const char *focus;
};

static const struct option table[] = {
	{ 'r', "reverse", NULL, "leaf first",
	  OPTION_FLAG(struct demo_options, reverse) },
	{ 0, "format", "FORMAT", "print as",
	  OPTION_CHOICE(struct demo_options, format, formats) },
	{ 'o', "output", "FILE", "write to FILE",
	  OPTION_TEXT(struct demo_options, output) },
	{ 0, "root", "DIR", "look in DIR", OPTION_TEXT(struct demo_options, root) },
	{ 0, "focus", "RE", "only these", OPTION_TEXT(struct demo_options, focus) },
	{ 0, "secret", NULL, "", OPTION_FLAG(struct demo_options, reverse) },
	{ 0 },
};

static const struct command demo = {
	.name = "demo",
	.summary = "Show",
	.usage = "[PROFILE...]",
	.options = table,
};

/* `line` is what stands behind "fgtool demo ", its last word unfinished. */
static void assert_completes(const char *line, const char *want)
{
	struct prof_buf out = { 0 };
	char *words[20] = { NULL };
	char text[200];
	char *rest = text;
	size_t count = 0;

	snprintf(text, sizeof(text), "demo %s", line);
	for (char *word = strsep(&rest, " "); word; word = strsep(&rest, " ")) {
		words[count++] = word;
	}
	complete_command(&demo, words, count, &out);
	prof_buf_addc(&out, '\0');
	assert_string_equal(out.data, want);
	prof_buf_free(&out);
}

static void options_are_listed(void **state)
{
	assert_completes("-", "--reverse\tleaf first\n--format=\tprint as\n"
			      "--output=\twrite to FILE\n--root=\tlook in DIR\n"
			      "--focus=\tonly these\n"
			      "--help\tshow this help; --help has examples too\n");
	assert_completes("x --fo", "--format=\tprint as\n--focus=\tonly these\n");
	assert_completes("--no-", "--no-reverse\tleaf first\n");
	assert_completes("--zzz", "");
}

static void values_are_listed(void **state)
{
	assert_completes("--format=", "--format=text\t\n--format=json\t\n");
	assert_completes("--format=j", "--format=json\t\n");
	assert_completes("-format=j", "-format=json\t\n");
	assert_completes("--format j", "json\t\n");
	assert_completes("-format ", "text\t\njson\t\n");
	assert_completes("--reverse=", "");
	assert_completes("--nothing=", "");
}

static void files_are_left_to_the_shell(void **state)
{
	assert_completes("", ":file\n");
	assert_completes("--output=x", ":file\n");
	assert_completes("-o ", ":file\n");
	assert_completes("--root ", ":dir\n");
	assert_completes("--reverse x", ":file\n");
	assert_completes("-- -", ":file\n");
}

static void a_pattern_is_anybodys_guess(void **state)
{
	assert_completes("--focus=x", "");
	assert_completes("--focus ", "");
}

static void a_value_is_no_option(void **state)
{
	assert_completes("--focus --format ", ":file\n");
	assert_completes("--focus -- --re", "--reverse\tleaf first\n");
}

TEST_MAIN(cmocka_unit_test(options_are_listed), cmocka_unit_test(values_are_listed),
	  cmocka_unit_test(files_are_left_to_the_shell),
	  cmocka_unit_test(a_pattern_is_anybodys_guess),
	  cmocka_unit_test(a_value_is_no_option))

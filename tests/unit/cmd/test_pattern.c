/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <string.h>

#include "cmd/pattern.h"

static bool matches(const char *regex, const char *name)
{
	struct pattern pattern = { 0 };
	struct prof_error err = { 0 };
	bool found = false;

	if (!pattern_init(&pattern, regex, &err)) {
		fail_msg("%s", err.message);
	}
	found = pattern_match(&pattern, name, strlen(name));
	pattern_free(&pattern);
	return found;
}

static void assert_bad(const char *regex, const char *message)
{
	struct pattern pattern = { 0 };
	struct prof_error err = { 0 };

	assert_false(pattern_init(&pattern, regex, &err));
	assert_false(pattern_is_set(&pattern));
	assert_string_equal(err.message, message);
}

static void it_matches_anywhere(void **state)
{
	assert_true(matches("main", "pkg.main.func1"));
	assert_false(matches("^main", "pkg.main"));
	assert_true(matches("main$", "pkg.main"));
	assert_true(matches("", ""));
	assert_true(matches("", "x"));
	assert_false(matches("x$", "x\n"));
}

static void case_counts_unless_told(void **state)
{
	assert_false(matches("MAIN", "main"));
	assert_true(matches("(?i)MAIN", "main"));
	assert_true(matches("(?i:M)ain", "main"));
}

static void syntax_of_re2_is_accepted(void **state)
{
	assert_true(matches("(?P<pkg>net/http)\\.", "net/http.Get"));
	assert_true(matches("\\(\\*conn\\)\\.s[[:lower:]]+$", "net.(*conn).serve"));
	assert_true(matches("[^]a]", "b"));
	assert_true(matches("[]a]", "]"));
	assert_true(matches("[(+*?\\]]+", "(?"));
	assert_true(matches("\\Q(?=x)++\\E$", "(?=x)++"));
	assert_true(matches("\\Q\\\\E", "\\"));
	assert_true(matches("a{2,3}?b", "aab"));
	assert_true(matches("a}+", "a}}"));
	assert_true(matches("x*?y+?z??", "yz"));
	assert_true(matches("\\bgc\\b", "a gc b"));
	assert_true(matches("\\p{Greek}", "\xce\xb1"));
	assert_true(matches("^.$", "\xc3\xa4"));
	assert_true(matches("(?s).(?-s)", "\n"));
}

static void what_re2_lacks_is_refused(void **state)
{
	assert_bad("(a)\\1", "bad regular expression '(a)\\1': back-references are not "
			     "supported at offset 3");
	assert_bad("(?P<x>a)(?P=x)", "bad regular expression '(?P<x>a)(?P=x)': "
				     "back-references are not supported at offset 8");
	assert_bad("a(?=b)", "bad regular expression 'a(?=b)': look-around is not "
			     "supported at offset 1");
	assert_bad("(?<!b)a", "bad regular expression '(?<!b)a': look-around is not "
			      "supported at offset 0");
	assert_bad("a++", "bad regular expression 'a++': possessive repetition is not "
			  "supported at offset 2");
	assert_bad("a{2}+", "bad regular expression 'a{2}+': possessive repetition is "
			    "not supported at offset 4");
	assert_bad("(*UCP)a", "bad regular expression '(*UCP)a': control verbs are not "
			      "supported at offset 0");
	assert_bad("(?R)", "bad regular expression '(?R)': this kind of group is not "
			   "supported at offset 0");
	assert_bad("(?>a)", "bad regular expression '(?>a)': this kind of group is not "
			    "supported at offset 0");
	assert_bad("\\Ka", "bad regular expression '\\Ka': look-around is not "
			   "supported at offset 0");
}

static void faults_are_located(void **state)
{
	assert_bad("foo(", "bad regular expression 'foo(': missing closing parenthesis "
			   "at offset 4");
	assert_bad("[a", "bad regular expression '[a': missing terminating ] for "
			 "character class at offset 2");
	assert_bad("*a", "bad regular expression '*a': quantifier does not follow a "
			 "repeatable item at offset 0");
	assert_bad("a\\", "bad regular expression 'a\\': \\ at end of pattern at "
			  "offset 2");
}

static void long_expressions_are_cut_in_messages(void **state)
{
	char regex[PATTERN_MAX_LEN + 2];
	struct pattern pattern = { 0 };
	struct prof_error err = { 0 };

	memset(regex, 'a', sizeof(regex));
	regex[300] = '(';
	regex[301] = '\0';
	assert_false(pattern_init(&pattern, regex, &err));
	assert_non_null(strstr(err.message, "aaa...': missing closing"));
	memset(regex, 'a', sizeof(regex) - 1);
	regex[sizeof(regex) - 1] = '\0';
	assert_false(pattern_init(&pattern, regex, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
}

static void names_may_hold_any_bytes(void **state)
{
	struct pattern pattern = { 0 };
	struct prof_error err = { 0 };
	const char name[] = "a\0\xff\xfe"
			    "main\xc3";

	assert_true(pattern_init(&pattern, "main", &err));
	assert_true(pattern_match(&pattern, name, sizeof(name) - 1));
	assert_false(pattern_match(&pattern, name, 4));
	assert_false(pattern_match(&pattern, NULL, 0));
	assert_int_equal(pattern_gave_up(&pattern), 0);
	pattern_free(&pattern);
}

static void a_fixed_text_means_itself(void **state)
{
	struct pattern pattern = { 0 };
	struct prof_error err = { 0 };

	assert_true(pattern_init_fixed(&pattern, "(*encodeState).marshal", &err));
	assert_true(pattern_match(&pattern, "json.(*encodeState).marshal", 27));
	assert_false(pattern_match(&pattern, "json.encodeState.marshal", 24));
	pattern_free(&pattern);
}

static void a_hard_match_is_given_up(void **state)
{
	struct pattern pattern = { 0 };
	struct prof_error err = { 0 };
	char name[60];

	memset(name, 'a', sizeof(name));
	assert_true(pattern_init(&pattern, "^(a|a?)+[bc]$", &err));
	for (int i = 0; i < 200; i++) {
		assert_false(pattern_match(&pattern, name, sizeof(name)));
	}
	assert_int_equal(pattern_gave_up(&pattern), 200);
	pattern_free(&pattern);
}

static void free_accepts_what_was_never_set(void **state)
{
	struct pattern pattern = { 0 };

	assert_false(pattern_is_set(&pattern));
	assert_int_equal(pattern_gave_up(&pattern), 0);
	pattern_free(&pattern);
}

TEST_MAIN(cmocka_unit_test(it_matches_anywhere),
	  cmocka_unit_test(case_counts_unless_told),
	  cmocka_unit_test(syntax_of_re2_is_accepted),
	  cmocka_unit_test(what_re2_lacks_is_refused),
	  cmocka_unit_test(faults_are_located),
	  cmocka_unit_test(long_expressions_are_cut_in_messages),
	  cmocka_unit_test(names_may_hold_any_bytes),
	  cmocka_unit_test(a_fixed_text_means_itself),
	  cmocka_unit_test(a_hard_match_is_given_up),
	  cmocka_unit_test(free_accepts_what_was_never_set))

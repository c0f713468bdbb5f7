/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <string.h>

#include "cmd/suggest.h"

static const char *const words[] = {
	"focus", "format",    "ignore",    "limit", "hide",
	"show",  "show-from", "tag-focus", NULL,
};

static void assert_hint(const char *typed, const char *hint)
{
	char said[200];

	suggest_words(typed, "--", words, said, sizeof(said));
	assert_string_equal(said, hint);
}

static void a_swap_is_one_step(void **state)
{
	assert_hint("foucs", "; did you mean '--focus'?");
}

static void short_words_allow_one_step(void **state)
{
	assert_hint("hid", "; did you mean '--hide'?");
	assert_hint("hxxe", "");
}

static void long_words_allow_a_third(void **state)
{
	assert_hint("tagfocus", "; did you mean '--tag-focus'?");
	assert_hint("tgafocus", "; did you mean '--tag-focus'?");
}

static void unfinished_words_come_last(void **state)
{
	assert_hint("sho", "; did you mean '--show' or '--show-from'?");
	assert_hint("fo", "; did you mean '--focus' or '--format'?");
	assert_hint("f", "");
}

static void nothing_is_near_nothing(void **state)
{
	assert_hint("", "");
	assert_hint("zzzzzz", "");
}

static void case_does_not_count(void **state)
{
	assert_hint("FOCUS", "; did you mean '--focus'?");
}

static void order_of_words_does_not_matter(void **state)
{
	static const char *const names[] = { "cat", "bat", "rat", "hat", "mat" };

	for (size_t first = 0; first < 5; first++) {
		struct suggest near = suggest_for(prof_text("xat"));
		struct prof_buf said = { 0 };

		for (size_t i = 0; i < 10; i++) {
			suggest_add(&near, prof_text(names[(first + i) % 5]));
		}
		suggest_say(&near, "", &said);
		prof_buf_addc(&said, '\0');
		assert_string_equal(said.data, "; did you mean 'bat', 'cat' or 'hat'?");
		prof_buf_free(&said);
	}
}

static void a_function_is_found_by_its_last_part(void **state)
{
	struct suggest near = suggest_for(prof_text("hadnle"));

	suggest_add_name(&near, prof_text("net/http.(*conn).handle"));
	suggest_add_name(&near, prof_text("ns::handler(int)"));
	suggest_add_name(&near, prof_text("main.main"));
	suggest_add_name(&near, (struct prof_text){ NULL, 0 });
	assert_int_equal(near.count, 2);
	assert_string_equal(near.best[0].word.data, "net/http.(*conn).handle");
	assert_string_equal(near.best[1].word.data, "ns::handler(int)");
}

static void long_names_are_left_alone(void **state)
{
	char name[400];
	struct suggest near = { 0 };

	memset(name, 'a', sizeof(name));
	near = suggest_for((struct prof_text){ name, sizeof(name) });
	suggest_add(&near, (struct prof_text){ name + 1, sizeof(name) - 1 });
	suggest_add_name(&near, (struct prof_text){ name, 300 });
	assert_int_equal(near.count, 0);
	near = suggest_for((struct prof_text){ name, SUGGEST_MAX_LEN });
	suggest_add(&near, (struct prof_text){ name, SUGGEST_MAX_LEN - 1 });
	assert_int_equal(near.count, 1);
}

static void names_are_made_visible(void **state)
{
	struct suggest near = suggest_for(prof_text("evil\033"));
	struct prof_buf said = { 0 };

	suggest_add(&near, prof_text("evil\033x"));
	suggest_say(&near, "", &said);
	prof_buf_addc(&said, '\0');
	assert_string_equal(said.data, "; did you mean 'evil\\x1bx'?");
	prof_buf_free(&said);
}

TEST_MAIN(cmocka_unit_test(a_swap_is_one_step),
	  cmocka_unit_test(short_words_allow_one_step),
	  cmocka_unit_test(long_words_allow_a_third),
	  cmocka_unit_test(unfinished_words_come_last),
	  cmocka_unit_test(nothing_is_near_nothing),
	  cmocka_unit_test(case_does_not_count),
	  cmocka_unit_test(order_of_words_does_not_matter),
	  cmocka_unit_test(a_function_is_found_by_its_last_part),
	  cmocka_unit_test(long_names_are_left_alone),
	  cmocka_unit_test(names_are_made_visible))

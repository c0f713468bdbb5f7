/* SPDX-License-Identifier: MIT */
#include "libprof/base/text.h"

#include "libprof/base/buf.h"
#include "tests/test.h"

#define TEXT(literal) ((struct prof_text){ literal, sizeof(literal) - 1 })

static void assert_escaped(struct prof_text text, const char *expected)
{
	struct prof_buf out = { 0 };

	prof_text_escape(&out, text);
	assert_false(out.failed);
	assert_int_equal(out.len, strlen(expected));
	assert_memory_equal(out.data, expected, out.len);
	prof_buf_free(&out);
}

static size_t decode(struct prof_text text, uint32_t *code)
{
	return prof_text_decode(text.data, text.len, code);
}

static void order_is_bytewise_and_a_prefix_comes_first(void **state)
{
	assert_true(prof_text_compare(TEXT("a"), TEXT("b")) < 0);
	assert_true(prof_text_compare(TEXT("b"), TEXT("a")) > 0);
	assert_true(prof_text_compare(TEXT("a"), TEXT("ab")) < 0);
	assert_true(prof_text_compare(TEXT("ab"), TEXT("a")) > 0);
	assert_int_equal(prof_text_compare(TEXT("ab"), TEXT("ab")), 0);
	assert_true(prof_text_compare(TEXT("\xff"), TEXT("a")) > 0);
	assert_true(prof_text_compare(TEXT("a\0b"), TEXT("a\0c")) < 0);
	assert_int_equal(prof_text_compare((struct prof_text){ NULL, 0 }, TEXT("")), 0);
}

static void equal_means_same_bytes_and_length(void **state)
{
	assert_true(prof_text_equal((struct prof_text){ NULL, 0 }, TEXT("")));
	assert_true(prof_text_equal(TEXT("a\0b"), TEXT("a\0b")));
	assert_false(prof_text_equal(TEXT("a\0b"), TEXT("a\0c")));
	assert_false(prof_text_equal(TEXT("a"), TEXT("ab")));
}

static void well_formed_utf8_is_decoded(void **state)
{
	uint32_t code = 0;

	assert_int_equal(decode(TEXT("A"), &code), 1);
	assert_int_equal(code, 'A');
	assert_int_equal(decode(TEXT("\xc3\xa4x"), &code), 2);
	assert_int_equal(code, 0xe4);
	assert_int_equal(decode(TEXT("\xe2\x82\xac"), &code), 3);
	assert_int_equal(code, 0x20ac);
	assert_int_equal(decode(TEXT("\xf0\x9f\x94\xa5"), &code), 4);
	assert_int_equal(code, 0x1f525);
	assert_int_equal(decode(TEXT("\xf4\x8f\xbf\xbf"), &code), 4);
	assert_int_equal(code, 0x10ffff);
}

static void what_is_not_utf8_is_refused(void **state)
{
	uint32_t code = 99;

	assert_int_equal(decode(TEXT("\x80"), &code), 0);
	assert_int_equal(decode(TEXT("\xff"), &code), 0);
	assert_int_equal(decode(TEXT("\xc0\x80"), &code), 0);         /* overlong */
	assert_int_equal(decode(TEXT("\xc1\xbf"), &code), 0);         /* overlong */
	assert_int_equal(decode(TEXT("\xe0\x80\x80"), &code), 0);     /* overlong */
	assert_int_equal(decode(TEXT("\xf0\x80\x80\x80"), &code), 0); /* overlong */
	assert_int_equal(decode(TEXT("\xed\xa0\x80"), &code), 0);     /* surrogate */
	assert_int_equal(decode(TEXT("\xf4\x90\x80\x80"), &code), 0); /* too large */
	assert_int_equal(decode(TEXT("\xe2\x82"), &code), 0);         /* cut short */
	assert_int_equal(decode(TEXT("\xc3("), &code), 0);
	assert_int_equal(code, 99);
}

static void printable_text_is_copied(void **state)
{
	assert_escaped(TEXT("std::vector<int>::push_back(\"\\\")"),
		       "std::vector<int>::push_back(\"\\\")");
	assert_escaped(TEXT("gr\xc3\xb6\xc3\x9f"
			    "e \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x94\xa5"),
		       "gr\xc3\xb6\xc3\x9f"
		       "e \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x94\xa5");
	assert_escaped(TEXT(""), "");
}

static void what_could_harm_is_shown_as_what_it_is(void **state)
{
	assert_escaped(TEXT("a\nb\tc\rd"), "a\\nb\\tc\\rd");
	assert_escaped(TEXT("\x1b[2J\x7f"), "\\x1b[2J\\x7f");
	assert_escaped(TEXT("a\0b"), "a\\x00b");
	assert_escaped(TEXT("\xc2\x9b"
			    "2J"),
		       "\\xc2\\x9b2J");
	assert_escaped(TEXT("\xff\xc3"), "\\xff\\xc3");
	assert_escaped(TEXT("x\xe2\x80\xaey"), "x<U+202E>y");
	assert_escaped(TEXT("x\xe2\x80\x8by"), "x<U+200B>y");
	assert_escaped(TEXT("\xef\xbb\xbfx"), "<U+FEFF>x");
	assert_escaped(TEXT("\xf0\x9f\xbf\xbe"), "<U+1FFFE>");
}

static void escaping_leaves_nothing_unsafe(void **state)
{
	for (unsigned first = 0; first < 256; first++) {
		for (unsigned second = 0; second < 256; second++) {
			char bytes[] = { (char)first, (char)second };
			struct prof_buf out = { 0 };

			prof_text_escape(&out, (struct prof_text){ bytes, 2 });
			for (size_t i = 0; i < out.len;) {
				size_t n =
					prof_text_printable(out.data + i, out.len - i);

				assert_true(n > 0);
				i += n;
			}
			prof_buf_free(&out);
		}
	}
}

static void cells_are_what_a_terminal_takes(void **state)
{
	assert_int_equal(prof_text_cells(TEXT("main")), 4);
	assert_int_equal(prof_text_cells(TEXT("gr\xc3\xb6\xc3\x9f"
					      "e")),
			 5);
	assert_int_equal(prof_text_cells(TEXT("\xe6\x97\xa5\xe6\x9c\xac")), 4);
	assert_int_equal(prof_text_cells(TEXT("e\xcc\x81")), 1);
	assert_int_equal(prof_text_cells(TEXT("\xf0\x9f\x94\xa5")), 2);
	assert_int_equal(prof_text_cells(TEXT("")), 0);
}

TEST_MAIN(cmocka_unit_test(order_is_bytewise_and_a_prefix_comes_first),
	  cmocka_unit_test(equal_means_same_bytes_and_length),
	  cmocka_unit_test(well_formed_utf8_is_decoded),
	  cmocka_unit_test(what_is_not_utf8_is_refused),
	  cmocka_unit_test(printable_text_is_copied),
	  cmocka_unit_test(what_could_harm_is_shown_as_what_it_is),
	  cmocka_unit_test(escaping_leaves_nothing_unsafe),
	  cmocka_unit_test(cells_are_what_a_terminal_takes))

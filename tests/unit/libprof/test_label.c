/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include "libprof/base/alloc.h"
#include "libprof/flame/label.h"

static void check(const char *name, size_t cells, const char *want)
{
	struct prof_buf out = { 0 };

	prof_label_fit(&out, prof_text(name), cells);
	prof_buf_addc(&out, '\0');
	assert_false(out.failed);
	assert_string_equal(out.data, want);
	prof_buf_free(&out);
}

static void a_name_that_fits_stays(void **state)
{
	check("main", 4, "main");
	check("std::vector<int>::push_back(int)", 32,
	      "std::vector<int>::push_back(int)");
	check("", 10, "");
}

static void parameters_go_first(void **state)
{
	check("Foo::bar(int, char) const", 24, "Foo::bar");
	check("operator()(int)", 12, "operator()");
	check("a::operator()", 12, "operator()");
	check("f<int>(g(h))", 11, "f<int>");
	check("callback (file.js:12)", 20, "callbac…(file.js:12)");
}

static void then_template_arguments(void **state)
{
	check("std::map<a, std::vector<b> >::find(int)", 20, "std::map<…>::find");
	check("Foo::operator<(Bar)", 14, "Foo::operator<");
	check("Foo::operator->()", 15, "Foo::operator->");
	check("f<a->b>::g", 9, "f<…>::g");
	check("<T as U>::method", 15, "method");
	check("Foo.<init>", 9, "<init>");
	check("broken<a<b<c::d", 8, "br…<c::d");
}

static void then_namespaces_and_packages_one_by_one(void **state)
{
	check("aa::bb::cc::dd", 13, "bb::cc::dd");
	check("aa::bb::cc::dd", 9, "cc::dd");
	check("aa::bb::cc::dd", 3, "dd");
	check("net/http.(*conn).serve", 21, "http.(*conn).serve");
	check("net/http.(*conn).serve", 15, "(*conn).serve");
	check("net/http.(*conn).serve", 6, "serve");
	check("(anonymous namespace)::run", 12, "run");
	check("[libc.so.6]", 8, "[l…so.6]");
}

static void endings_stay_with_their_names(void **state)
{
	check("ns::do_sock_write.isra.10", 22, "do_sock_write.isra.10");
	check("main.serve.func1", 15, "serve.func1");
	check("/usr/lib/libc.so.6", 12, "libc.so.6");
	check("src/main.go", 8, "main.go");
	check("foo...", 5, "f…...");
}

static void the_middle_goes_last(void **state)
{
	check("push_back", 6, "pu…ack");
	check("push_back", 2, "…k");
	check("push_back", 1, "");
	check("push_back", 0, "");
}

static void wide_characters_take_two_cells(void **state)
{
	check("日本語の関数", 12, "日本語の関数");
	check("日本語の関数", 9, "日…関数");
	check("日本語の関数", 2, "…");
}

static void a_mark_stays_with_its_letter(void **state)
{
	check("abce\xcc\x81xyz", 7, "abce\xcc\x81xyz");
	check("xabce\xcc\x81", 3, "…ce\xcc\x81");
}

/* A name of parts, arguments and marks, and the identifier at its end. */
static size_t random_name(uint32_t *seed, char *name, size_t size, size_t *last)
{
	static const char *const parts[] = {
		"foo",    "Bar", "::", ".",  "/",  "<int>",
		"<a::b>", "é",   "日", "_x", "42", "(*T)"
	};
	size_t len = 0;

	for (*seed = *seed * 1664525 + 1013904223; len + 40 < size && *seed >> 29 != 0;
	     *seed = *seed * 1664525 + 1013904223) {
		const char *part = parts[(*seed >> 12) % 12];

		memcpy(name + len, part, strlen(part));
		len += strlen(part);
	}
	memcpy(name + len, "::lastName(int)", 15);
	*last = 8;
	return len + 15;
}

static void labels_fit_and_keep_the_last_name(void **state)
{
	uint32_t seed = 7;

	for (int i = 0; i < 1000; i++) {
		char name[400];
		size_t last = 0;
		struct prof_text text = { name, 0 };
		size_t cells = 2 + seed % 60;
		struct prof_buf out = { 0 };

		text.len = random_name(&seed, name, sizeof(name), &last);
		prof_label_fit(&out, text, cells);
		assert_true(prof_text_cells((struct prof_text){ out.data, out.len }) <=
			    cells);
		for (size_t at = 0; at < out.len;) {
			size_t n = prof_text_printable(out.data + at, out.len - at);

			assert_true(n > 0);
			at += n;
		}
		if (cells >= last) {
			assert_non_null(memmem(out.data, out.len, "lastName", last));
		}
		prof_buf_free(&out);
	}
}

static void a_long_name_takes_linear_time(void **state)
{
	enum { LEN = 4 << 20 };
	char *name = prof_alloc(LEN);
	struct prof_buf out = { 0 };

	for (size_t i = 0; i < LEN; i++) {
		name[i] = "a.<("[i % 4];
	}
	prof_label_fit(&out, (struct prof_text){ name, LEN }, 20);
	assert_true(out.len <= 22);
	for (size_t i = 0; i < LEN; i++) {
		name[i] = "a."[i % 2];
	}
	prof_label_fit(&out, (struct prof_text){ name, LEN }, 20);
	prof_buf_free(&out);
	prof_free(name);
}

TEST_MAIN(cmocka_unit_test(a_name_that_fits_stays),
	  cmocka_unit_test(parameters_go_first),
	  cmocka_unit_test(then_template_arguments),
	  cmocka_unit_test(then_namespaces_and_packages_one_by_one),
	  cmocka_unit_test(endings_stay_with_their_names),
	  cmocka_unit_test(the_middle_goes_last),
	  cmocka_unit_test(wide_characters_take_two_cells),
	  cmocka_unit_test(a_mark_stays_with_its_letter),
	  cmocka_unit_test(labels_fit_and_keep_the_last_name),
	  cmocka_unit_test(a_long_name_takes_linear_time))

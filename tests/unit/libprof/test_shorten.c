/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include "libprof/report/shorten.h"

struct pair {
	const char *full;
	const char *brief;
};

static void check(const struct pair *pairs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct prof_buf out = { 0 };

		prof_buf_adds(&out, "|");
		prof_shorten(&out, prof_text(pairs[i].full));
		prof_buf_addc(&out, '\0');
		assert_false(out.failed);
		assert_string_equal(out.data + 1, pairs[i].brief);
		prof_buf_free(&out);
	}
}

static void go_names_lose_their_folders(void **state)
{
	static const struct pair pairs[] = {
		{ "syscall.Syscall", "syscall.Syscall" },
		{ "net/http.(*conn).serve", "http.(*conn).serve" },
		{ "github.com/blah-blah/foo_bar.(*FooBar).Foo",
		  "foo_bar.(*FooBar).Foo" },
		{ "github.com/Blah/foo.Foo[...]", "foo.Foo[...]" },
		{ "encoding/json.(*structEncoder).(encoding/json.encode)-fm",
		  "json.(*structEncoder).(encoding/json.encode)-fm" },
		{ "a/b.c/.hidden", "b.c/.hidden" },
		{ "foo/xyz", "foo/xyz" },
		{ "/x.y", "/x.y" },
		{ "a//b.c", "/b.c" },
		{ "a/b.", "a/b." },
	};

	check(pairs, sizeof(pairs) / sizeof(*pairs));
}

static void versions_of_modules_go(void **state)
{
	static const struct pair pairs[] = {
		{ "github.com/foo/bar/v4.(*Foo).Bar", "bar.(*Foo).Bar" },
		{ "github.com/foo/bar/v4/baz.Foo.Bar", "baz.Foo.Bar" },
		{ "github.com/foo/bar/v123.(*Foo).Bar", "bar.(*Foo).Bar" },
		{ "github.com/foobar/v0.(*Foo).Bar", "v0.(*Foo).Bar" },
		{ "github.com/foobar/v1.(*Foo).Bar", "v1.(*Foo).Bar" },
		{ "example.org/v2xyz.Foo", "v2xyz.Foo" },
		{ "github.com/foo/bar/v4/v4.(*Foo).Bar", "v4.(*Foo).Bar" },
	};

	check(pairs, sizeof(pairs) / sizeof(*pairs));
}

static void java_names_lose_package_and_arguments(void **state)
{
	static const struct pair pairs[] = {
		{ "java.util.concurrent.ThreadPoolExecutor$Worker.run",
		  "ThreadPoolExecutor$Worker.run" },
		{ "java.bar.foo.FooBar.run(java.lang.Runnable)", "FooBar.run" },
		{ "java.bar.foo.FooBar.run$0", "FooBar.run$0" },
		{ "a.b.Foo.<init>(int)", "Foo.<init>" },
		{ "a.b.Foo.<clinit>", "a.b.Foo.<clinit>" },
		{ "a.b.Foo.Bar", "a.b.Foo.Bar" },
	};

	check(pairs, sizeof(pairs) / sizeof(*pairs));
}

static void cpp_names_lose_name_spaces_and_what_follows(void **state)
{
	static const struct pair pairs[] = {
		{ "(anonymous namespace)::Bar::Foo", "Bar::Foo" },
		{ "(anonymous namespace)::foo", "foo" },
		{ "cpp::space::Class::method()::$_100::operator()", "Class::method" },
		{ "foo_bar::Foo::bar", "Foo::bar" },
		{ "cpp::space::Class::method<float, int>()",
		  "Class::method<float, int>" },
		{ "a::__B::~__B()", "__B::~__B" },
		{ "a::b::c", "a::b::c" },
		{ "a::Foo<int>::bar", "a::Foo<int>::bar" },
	};

	check(pairs, sizeof(pairs) / sizeof(*pairs));
}

static void other_names_stay(void **state)
{
	static const struct pair pairs[] = {
		{ "", "" },     { "root", "root" }, { "[kernel]", "[kernel]" },
		{ "::", "::" }, { "A::", "A::" },   { "1::B::c", "1::B::c" },
	};

	check(pairs, sizeof(pairs) / sizeof(*pairs));
}

TEST_MAIN(cmocka_unit_test(go_names_lose_their_folders),
	  cmocka_unit_test(versions_of_modules_go),
	  cmocka_unit_test(java_names_lose_package_and_arguments),
	  cmocka_unit_test(cpp_names_lose_name_spaces_and_what_follows),
	  cmocka_unit_test(other_names_stay))

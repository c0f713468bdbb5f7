/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <stdio.h>

#include "libprof/report/frameinfo.h"

static void check_clean(const char *path, const char *clean)
{
	struct prof_arena arena = { 0 };
	struct prof_text got = prof_path_clean(prof_text(path), &arena);

	assert_int_equal(got.len, strlen(clean));
	assert_memory_equal(got.data, clean, got.len);
	prof_arena_free(&arena);
}

static void paths_are_cleaned_word_by_word(void **state)
{
	check_clean("a/b.c", "a/b.c");
	check_clean("/a/b.c", "/a/b.c");
	check_clean("a//b/./c", "a/b/c");
	check_clean("a/b/../c", "a/c");
	check_clean("a/../../c", "../c");
	check_clean("../../c", "../../c");
	check_clean("/../c", "/c");
	check_clean("/a/../..", "/");
	check_clean("a/..", ".");
	check_clean("a/", "a");
	check_clean("/", "/");
	check_clean("", ".");
	check_clean("./...", "...");
}

static void check_base(const char *path, const char *base)
{
	struct prof_text got = prof_path_base(prof_text(path));

	assert_int_equal(got.len, strlen(base));
	assert_memory_equal(got.data, base, got.len);
}

static void the_base_is_the_last_element(void **state)
{
	check_base("/a/b", "b");
	check_base("b", "b");
	check_base("/a/b//", "b");
	check_base("//", "/");
	check_base("", ".");
}

static void check_trim(const char *path, const char *trim, const char *source,
		       const char *left)
{
	struct prof_path_trim how = { prof_text(trim), prof_text(source) };
	struct prof_text got = prof_path_trim(prof_text(path), &how);

	assert_int_equal(got.len, strlen(left));
	assert_memory_equal(got.data, left, got.len);
}

static void prefixes_are_stripped_from_files(void **state)
{
	check_trim("/home/me/src/a.c", "", "", "/home/me/src/a.c");
	check_trim("/home/me/src/a.c", "/home/me", "", "src/a.c");
	check_trim("/home/me/src/a.c", "/x:/home/me/", "", "src/a.c");
	check_trim("/home/merry/a.c", "/home/me", "", "/home/merry/a.c");
	check_trim("/proc/self/cwd/./a.c", "", "", "a.c");
	check_trim("/proc/self/cwd/a.c", "/x", "", "a.c");
	check_trim("/build/proj/a/proj/b.c", "", "/y:/tmp/proj", "a/proj/b.c");
	check_trim("/build/proj/b.c", "/build", "/tmp/proj", "proj/b.c");
}

static void check_name(struct prof_frame_info info, const char *name)
{
	struct prof_buf out = { 0 };

	prof_frame_info_add(&out, &info);
	prof_buf_addc(&out, '\0');
	assert_string_equal(out.data, name);
	prof_buf_free(&out);
}

static void a_name_is_made_of_what_is_known(void **state)
{
	struct prof_frame_info info = { 0 };

	check_name(info, "<unknown>");
	info.object = prof_text("/lib/libc.so");
	check_name(info, "[libc.so]");
	info.address = 0x1000;
	check_name(info, "0000000000001000 [libc.so]");
	info.name = prof_text("run");
	check_name(info, "0000000000001000 run");
	info.address = 0;
	info.file = prof_text("a/b.c");
	check_name(info, "run a/b.c");
	info.line = 12;
	check_name(info, "run a/b.c:12");
	info.column = 3;
	check_name(info, "run a/b.c:12:3");
	info.name.len = 0;
	info.file.len = 0;
	check_name(info, ":12:3");
}

TEST_MAIN(cmocka_unit_test(paths_are_cleaned_word_by_word),
	  cmocka_unit_test(the_base_is_the_last_element),
	  cmocka_unit_test(prefixes_are_stripped_from_files),
	  cmocka_unit_test(a_name_is_made_of_what_is_known))

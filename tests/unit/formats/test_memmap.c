/* SPDX-License-Identifier: MIT */
/* What google/pprof makes of memory maps was found by giving it these. */
#include "formats/memmap.h"

#include <inttypes.h>
#include <string.h>

#include "libprof/base/alloc.h"
#include "tests/dribble.h"
#include "tests/test.h"

static struct prof_strings strings;
static struct prof_memmap map;

static bool read_map(const char *text, struct prof_error *err)
{
	struct dribble in = dribble(text, strlen(text), 7);
	struct prof_window window = prof_window(&in.base);
	struct prof_text_lines lines = prof_text_lines(&window);
	bool ok = false;

	map.strings = &strings;
	ok = prof_memmap_read(&map, &lines, err) && prof_memmap_index(&map, err);
	prof_window_free(&window);
	prof_source_free(&in.base);
	return ok;
}

static void clear(void)
{
	prof_memmap_free(&map);
	prof_strings_free(&strings);
}

static void print(struct prof_buf *out)
{
	for (uint32_t i = 0; i < map.count; i++) {
		const struct prof_mapping *item = &map.items[i];
		struct prof_text file = prof_strings_get(&strings, item->file);
		struct prof_text id = prof_strings_get(&strings, item->build_id);

		prof_buf_addf(out, "%s%" PRIx64 "-%" PRIx64 "@%" PRIx64 " %.*s %.*s",
			      i > 0 ? "|" : "", item->start, item->limit, item->offset,
			      (int)file.len, file.data, (int)id.len, id.data);
	}
	prof_buf_addc(out, '\0');
}

static void assert_map(const char *text, const char *want)
{
	struct prof_error err = { 0 };
	struct prof_buf got = { 0 };

	assert_true(read_map(text, &err));
	print(&got);
	if (strcmp(got.data, want) != 0) {
		fail_msg("'%s' is '%s', not '%s'", text, got.data, want);
	}
	prof_buf_free(&got);
	clear();
}

/* The mapping of each address is wanted as a digit from 1; 'f' is the fake one. */
static void assert_found(const char *text, const uint64_t *addresses, const char *want)
{
	struct prof_error err = { 0 };
	uint32_t found = 0;

	assert_true(read_map(text, &err));
	for (size_t i = 0; want[i] != '\0'; i++) {
		assert_true(prof_memmap_find(&map, addresses[i], &found, &err));
		assert_int_equal(want[i] == 'f' ? map.fake : (uint32_t)(want[i] - '1'),
				 found);
	}
	clear();
}

static void lines_of_proc_maps_are_read(void **state)
{
	assert_map("00-100 r-xp 00000007 fe:01 123   /bin/a b  \n", "0-100@7 /bin/a ");
	assert_map("00-100 rwxp 00000000 00:00 0\n", "0-100@0  ");
	assert_map("  0x10-0x100 r-xp 00000000 00:00 1 /bin/a", "10-100@0 /bin/a ");
	assert_map("00-100 r-xp 00000000 00:00 1 /bin/a (deleted)\r\n",
		   "0-100@0 /bin/a ");
	assert_map("0-100 12fe:01 1 /bin/a\n", "0-100@0 /bin/a ");
}

static void lines_of_the_brief_form_are_read(void **state)
{
	assert_map("00-100: /bin/a (@7) abcdef\n", "0-100@7 /bin/a abcdef");
	assert_map("00 100 /bin/a\n", "0-100@0 /bin/a ");
	assert_map("00-100: r-xp /bin/a abcdef\n", "0-100@0 /bin/a abcdef");
	assert_map("00-100\n", "0-100@0  ");
	assert_map("00-100: /bin/a xyz\n", "0-100@0 /bin/a ");
	assert_map("0x000x100: /bin/a\n", "0-100@0 /bin/a ");
	assert_map("00100: /bin/a\n", "10-0@0 /bin/a ");
}

static void what_cannot_run_is_left_out(void **state)
{
	assert_map("00-100 rw-p 00000000 00:00 1 /bin/a\n", "");
	assert_map("00-100: r--p /bin/a\n", "");
	assert_map("00-100: relative/file\n", "");
}

static void other_lines_say_nothing(void **state)
{
	assert_map("", "");
	assert_map("\n# 00-100: /a\nzz 00-100: /a\n0-10000000000000000: /a\n", "");
	assert_map("00-100: /a (@10000000000000000)\n", "");
}

static void a_log_prefix_is_cut_off(void **state)
{
	assert_map("I0102 12:00:00 123 foo.cc:123] 00-100: /a\n", "0-100@0 /a ");
	assert_map("foo:1]00-100: /a\n", "");
	assert_map(":1] 00-100: /a\n", "");
	assert_map("[x] foo:1] 00-100: /a\n", "");
	assert_map("foo:x] 00-100: /a\n", "");
	assert_map("]\n", "");
}

static void variables_are_replaced_by_the_first_that_fits(void **state)
{
	assert_map("build = /x/y\n00-100: $build/a\n", "0-100@0 /x/y/a ");
	assert_map("b=/x\nbuild=/y\n00-100: $build/a\n", "0-100@0 /xuild/a ");
	assert_map("a=/y\na=/z\n00-100: $a\n", "0-100@0 /y ");
	assert_map("a=/y\nb=$a/z\n00-100: $b/$c\n", "0-100@0 /y/z/$c ");
	assert_map("b=$a/z\na=/y\n00-100: $b\n", "0-100@0 $a/z ");
	assert_map("=/c\n00-100: $\n", "0-100@0 /c ");
	assert_map("a=00-100: /x\n$a\n", "0-100@0 /x ");
}

static void variables_have_a_limit(void **state)
{
	struct prof_error err = { 0 };
	struct prof_buf text = { 0 };

	for (int i = 0; i <= PROF_MEMMAP_VARIABLES; i++) {
		prof_buf_addf(&text, "v%d=x\n", i);
	}
	prof_buf_addc(&text, '\0');
	assert_false(read_map(text.data, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_int_equal(err.line, PROF_MEMMAP_VARIABLES + 1);
	assert_string_equal(err.message, "more than 256 variables in the memory map");
	prof_buf_free(&text);
	clear();
}

static void variables_do_not_expand_without_end(void **state)
{
	struct prof_error err = { 0 };
	struct prof_buf text = { 0 };

	prof_buf_adds(&text, "a=xxxxxxxxxxxxxxxx\n");
	for (char c = 'b'; c <= 'z'; c++) {
		prof_buf_addf(&text, "%c=$%c$%c$%c$%c\n", c, c - 1, c - 1, c - 1,
			      c - 1);
	}
	prof_buf_addc(&text, '\0');
	assert_false(read_map(text.data, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_string_equal(err.message, "variables expand to more than 64 MiB");
	prof_buf_free(&text);
	clear();
}

static void adjacent_mappings_become_one(void **state)
{
	assert_map("00-100: /a\n100-200: /a\n200-300: /a\n", "0-300@0 /a ");
	assert_map("00-100: /a (@10)\n100-200: /a (@110)\n", "0-200@10 /a ");
	assert_map("00-100: /a (@10)\n100-200: /a (@120)\n",
		   "0-100@10 /a |100-200@120 /a ");
	assert_map("00-100: /a\n100-200:\n200-300: /b\n", "0-200@0 /a |200-300@0 /b ");
	assert_map("00-100:\n100-200: /a 12\n", "0-200@0 /a 12");
	assert_map("00-100: /a 12\n100-200: /a 13\n", "0-100@0 /a 12|100-200@0 /a 13");
	assert_map("100-200: /a\n00-100: /a\n", "100-200@0 /a |0-100@0 /a ");
}

static void the_program_comes_first(void **state)
{
	assert_map("00-100: /lib/a.so\n200-300: [vdso]\n400-500: /bin/c\n",
		   "400-500@0 /bin/c |200-300@0 [vdso] |0-100@0 /lib/a.so ");
	assert_map("00-100: /lib/a.so.1.2\n400-500: /bin/c\n",
		   "400-500@0 /bin/c |0-100@0 /lib/a.so.1.2 ");
	assert_map("00-100: /lib/a.so_1\n400-500: /bin/c\n",
		   "400-500@0 /bin/c |0-100@0 /lib/a.so_1 ");
	assert_map("00-100: /lib/a.so(deleted)\n400-500: /bin/c\n",
		   "400-500@0 /bin/c |0-100@0 /lib/a.so(deleted) ");
	assert_map("00-100: /lib/a.so.x\n400-500: /bin/c\n",
		   "0-100@0 /lib/a.so.x |400-500@0 /bin/c ");
	assert_map("00-100: [heap]\n200-300: [vdso]\n",
		   "0-100@0 [heap] |200-300@0 [vdso] ");
}

static void the_program_is_straightened(void **state)
{
	assert_map("00-100: /anon_hugepage\n100-200: /bin/a\n", "100-200@0 /bin/a ");
	assert_map("00-100: /anon_hugepage\n101-200: /bin/a\n",
		   "0-100@0 /anon_hugepage |101-200@0 /bin/a ");
	assert_map("401000-500000: /bin/a (@1000)\n", "400000-500000@0 /bin/a ");
	assert_map("401000-500000: /bin/a (@1001)\n", "401000-500000@1001 /bin/a ");
	assert_map("400000-401000: /anon_hugepage\n401000-500000: /bin/a (@1000)\n",
		   "400000-500000@0 /bin/a ");
}

static void an_address_belongs_to_the_first_mapping_around_it(void **state)
{
	static const uint64_t addresses[] = { 0x0,   0xff,   0x100,     0x17f,
					      0x180, 0x1000, UINT64_MAX };

	assert_found("0-1000: /b\n100-180: /c\n", addresses, "11111ff");
	assert_found("100-180: /c\n0-1000: /b\n", addresses, "22112ff");
	assert_found("0-0: /a\n500-100: /b\n", addresses, "fffffff");
	assert_found("", addresses, "fffffff");
}

static void a_mapping_grows_down_to_the_beginning_of_its_file(void **state)
{
	static const uint64_t down[] = { 0x20, 0x320, 0x10 };
	static const uint64_t up[] = { 0x320, 0x20 };
	static const uint64_t between[] = { 0x11f, 0x1a0, 0x250 };

	assert_found("200-300: /bin/a (@200)\n", down, "1f1");
	assert_found("200-300: /bin/a (@200)\n", up, "ff");
	assert_found("200-300: /b (@100)\n100-180: /c\n", between, "211");
	assert_found("200-300: /b (@500)\n", between, "ff1");
}

static void many_overlapping_mappings_are_found_fast(void **state)
{
	struct prof_error err = { 0 };
	struct prof_buf text = { 0 };
	uint32_t found = 0;

	for (unsigned i = 0; i < 50000; i++) {
		prof_buf_addf(&text, "%x-%x: /lib%u.so (@%x)\n", 0x1000000 + i * 16,
			      0x9000000 - i * 16, i, i * 8);
	}
	prof_buf_addc(&text, '\0');
	assert_true(read_map(text.data, &err));
	for (unsigned i = 0; i < 1000000; i++) {
		assert_true(prof_memmap_find(&map, 0x1000000 + i, &found, &err));
		assert_int_equal(found, 0);
	}
	prof_buf_free(&text);
	clear();
}

static void any_allocation_may_fail(void **state)
{
	static const char text[] = "v=/opt\n00-100: $v/a (@10) ab\n200-300: $v/b\n";

	for (int64_t n = 0;; n++) {
		struct prof_error err = { 0 };
		uint32_t found = 0;
		bool ok = false;

		prof_alloc_fail_after(n);
		ok = read_map(text, &err) &&
		     prof_memmap_find(&map, 0x50, &found, &err) &&
		     prof_memmap_find(&map, 0x500, &found, &err);
		prof_alloc_fail_after(-1);
		ok = ok && !strings.failed;
		clear();
		if (ok) {
			assert_int_equal(found, 2);
			return;
		}
		assert_true(err.code == PROF_ERR_NOMEM || err.code == PROF_OK);
	}
}

TEST_MAIN(cmocka_unit_test(lines_of_proc_maps_are_read),
	  cmocka_unit_test(lines_of_the_brief_form_are_read),
	  cmocka_unit_test(what_cannot_run_is_left_out),
	  cmocka_unit_test(other_lines_say_nothing),
	  cmocka_unit_test(a_log_prefix_is_cut_off),
	  cmocka_unit_test(variables_are_replaced_by_the_first_that_fits),
	  cmocka_unit_test(variables_have_a_limit),
	  cmocka_unit_test(variables_do_not_expand_without_end),
	  cmocka_unit_test(adjacent_mappings_become_one),
	  cmocka_unit_test(the_program_comes_first),
	  cmocka_unit_test(the_program_is_straightened),
	  cmocka_unit_test(an_address_belongs_to_the_first_mapping_around_it),
	  cmocka_unit_test(a_mapping_grows_down_to_the_beginning_of_its_file),
	  cmocka_unit_test(many_overlapping_mappings_are_found_fast),
	  cmocka_unit_test(any_allocation_may_fail))

/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/disasm.h"
#include "formats/elf.h"
#include "libprof/base/alloc.h"

static const char program[] = "testdata/elf/spin";

/* A build without elfutils or capstone has nothing to test. */
static void need_libraries(void)
{
	if (!prof_elf_library() || !prof_disasm_library()) {
		skip();
	}
}

static struct prof_elf *open_program(void)
{
	struct prof_error err = { 0 };
	struct prof_elf *elf = NULL;

	need_libraries();
	assert_true(prof_elf_open(program, &elf, &err));
	return elf;
}

static void a_symbol_holds_its_addresses(void **state)
{
	struct prof_elf *elf = open_program();
	const struct prof_elf_symbol *found = NULL;
	size_t count = 0;

	found = prof_elf_find(elf, 0x1f5, &count);
	assert_non_null(found);
	assert_int_equal(count, 2);
	assert_memory_equal(found[0].name.data, "twice", 5);
	assert_memory_equal(found[1].name.data, "two", 3);
	assert_int_equal(found->start, 0x1f0);
	assert_int_equal(found->end, 0x20c);
	assert_null(prof_elf_find(elf, 0x1b8, &count));
	assert_null(prof_elf_find(elf, 0x232, &count));
	assert_null(prof_elf_find(elf, UINT64_MAX, &count));
	prof_elf_free(elf);
}

static void an_address_of_a_process_is_one_of_the_file(void **state)
{
	const struct prof_elf_mapping mapping = { 0x7f0000001000, 0x7f0000002000, 0 };
	const struct prof_elf_mapping whole = { 0 };
	struct prof_elf *elf = open_program();
	uint64_t address = 99;

	assert_true(prof_elf_address(elf, &mapping, 0x7f0000001200, &address));
	assert_int_equal(address, 0x200);
	assert_true(prof_elf_address(elf, &mapping, 0x7f0000001240, &address));
	assert_int_equal(address, 0x1240);
	assert_false(prof_elf_address(elf, &mapping, 0x7f0000001fff, &address));
	assert_int_equal(address, 0x1240);
	assert_true(prof_elf_address(elf, &whole, 0x123, &address));
	assert_int_equal(address, 0x123);
	prof_elf_free(elf);
}

static void rows_name_the_inlined_function(void **state)
{
	struct prof_elf *elf = open_program();
	struct prof_error err = { 0 };
	const struct prof_elf_row *rows = NULL;
	size_t count = 0;
	size_t mixed = 0;

	assert_true(prof_elf_rows(elf, 0x1b9, 0x1f0, &rows, &count, &err));
	assert_true(count > 0);
	assert_int_equal(rows[0].address, 0x1b9);
	for (size_t i = 0; i < count; i++) {
		assert_true(i == 0 || rows[i].address >= rows[i - 1].address);
		mixed += rows[i].function.len == 3 &&
			 memcmp(rows[i].function.data, "mix", 3) == 0;
	}
	assert_true(mixed > 0);
	assert_true(prof_elf_rows(elf, 0x9000, 0x9010, &rows, &count, &err));
	assert_int_equal(count, 0);
	prof_elf_free(elf);
}

static void bytes_that_are_no_code_are_said(void **state)
{
	static const uint8_t bytes[] = { 0x90, 0x06, 0xc3, 0xeb };
	const struct prof_disasm_code code = {
		.machine = EM_X86_64,
		.address = 0x10,
		.bytes = bytes,
		.len = sizeof(bytes),
	};
	struct prof_disasm made = { 0 };
	struct prof_error err = { 0 };

	need_libraries();
	assert_true(prof_disasm_init(&made, &code, &err));
	assert_int_equal(made.count, 4);
	assert_string_equal(made.items[0].text.data, "nop");
	assert_string_equal(made.items[1].text.data, "(bad)");
	assert_int_equal(made.items[2].address, 0x12);
	assert_string_equal(made.items[3].text.data, "(bad)");
	prof_disasm_free(&made);
}

static void an_unknown_machine_is_refused(void **state)
{
	const struct prof_disasm_code code = { .machine = EM_VAX };
	struct prof_disasm made = { 0 };
	struct prof_error err = { 0 };

	assert_false(prof_disasm_init(&made, &code, &err));
	assert_int_equal(err.code, PROF_ERR_UNSUPPORTED);
}

static void memory_may_run_out(void **state)
{
	need_libraries();
	for (int64_t n = 0; n < 1000; n++) {
		struct prof_error err = { 0 };
		struct prof_elf *elf = NULL;
		bool ok = false;

		prof_alloc_fail_after(n);
		ok = prof_elf_open(program, &elf, &err);
		prof_alloc_fail_after(-1);
		prof_elf_free(elf);
		if (ok) {
			return;
		}
		assert_int_equal(err.code, PROF_ERR_NOMEM);
	}
	fail();
}

/* Look at all there is, as a report does. */
static void use(const char *path)
{
	const struct prof_elf_row *rows = NULL;
	struct prof_error err = { 0 };
	struct prof_elf *elf = NULL;
	size_t count = 0;

	if (!prof_elf_open(path, &elf, &err)) {
		return;
	}
	for (uint64_t at = 0x1b0; at < 0x240; at += 8) {
		const struct prof_elf_symbol *found = prof_elf_find(elf, at, &count);
		size_t len = 0;

		if (found) {
			prof_elf_code(elf, found->start, found->end, &len);
			assert_true(len <= 4152);
			(void)!prof_elf_rows(elf, found->start, found->end, &rows,
					     &count, &err);
		}
	}
	prof_elf_free(elf);
}

static void a_damaged_file_does_no_harm(void **state)
{
	char path[] = "/tmp/fgtool-test-XXXXXX";
	char bytes[8192];
	FILE *file = fopen(program, "rb");
	int fd = mkstemp(path);
	uint32_t random = 1;
	size_t len = 0;

	assert_non_null(file);
	assert_true(fd >= 0);
	len = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	for (int i = 0; i < 2000; i++) {
		char damaged[sizeof(bytes)];

		memcpy(damaged, bytes, len);
		for (int k = 0; k < 1 + i % 8; k++) {
			random = random * 1664525 + 1013904223;
			damaged[(random >> 8) % len] = (char)(random >> 24);
		}
		assert_int_equal(pwrite(fd, damaged, len, 0), (ssize_t)len);
		use(path);
	}
	close(fd);
	unlink(path);
}

TEST_MAIN(cmocka_unit_test(a_symbol_holds_its_addresses),
	  cmocka_unit_test(an_address_of_a_process_is_one_of_the_file),
	  cmocka_unit_test(rows_name_the_inlined_function),
	  cmocka_unit_test(bytes_that_are_no_code_are_said),
	  cmocka_unit_test(an_unknown_machine_is_refused),
	  cmocka_unit_test(memory_may_run_out),
	  cmocka_unit_test(a_damaged_file_does_no_harm))

/* SPDX-License-Identifier: MIT */
/*
 * elf.h - what a program says of itself: symbols, code, source lines.
 *
 *	mapping 7f00-7f09, offset 1000       address 7f05 of the process
 *	segment offset 1000, address 401000  is 401005 in the file: prof_elf_address()
 *	symbol  parse  401000-401010         holds it
 *	row     401004 parse.c:12 parse      is its line
 *
 * The file is read whole, once: it may change or shrink later, nothing is mapped. It is
 * trusted no more than a profile: symbols, segments and code outside its bytes do not
 * exist.
 *
 * Order:   symbols by start, then name; rows by address.
 * Owns:    everything reachable, texts too; dies whole in prof_elf_free().
 * Errors:  IO; SYNTAX for what is no ELF file; LIMIT above PROF_ELF_MAX bytes or
 *          symbols; UNSUPPORTED when elfutils is not in this build.
 * Source:  elfutils libelf and libdw; addresses as google/pprof translates them.
 */
#ifndef PROF_FORMATS_ELF_H
#define PROF_FORMATS_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libprof/base/error.h"
#include "libprof/base/text.h"

#define PROF_ELF_MAX         (UINT64_C(2) << 30) /* bytes of a file */
#define PROF_ELF_MAX_SYMBOLS (UINT64_C(1) << 25)

struct prof_elf;

/* Code from one symbol to the next one, or to the end of its section. */
struct prof_elf_symbol {
	uint64_t start;
	uint64_t end; /* behind; the same for all names of one start */
	struct prof_text name;
};

/* What follows `address`, up to the next row, is from here. */
struct prof_elf_row {
	uint64_t address;
	struct prof_text function; /* innermost, inlined or not; may be empty */
	struct prof_text file;     /* may be empty */
	int64_t line;              /* 0: not known */
};

/* Where a file lies in a process; all zero for addresses of the file itself. */
struct prof_elf_mapping {
	uint64_t start;
	uint64_t limit;
	uint64_t offset;
};

/* Read the program at `path`, which must be a regular file. */
bool prof_elf_open(const char *path, struct prof_elf **out,
		   struct prof_error *err) PROF_NODISCARD;

/* NULL is fine. */
void prof_elf_free(struct prof_elf *elf);

/* The build id in hexadecimal digits; empty when it has none. */
struct prof_text prof_elf_build_id(const struct prof_elf *elf);

/* What code this is, as ELF numbers machines (EM_X86_64). */
uint16_t prof_elf_machine(const struct prof_elf *elf);
bool prof_elf_big_endian(const struct prof_elf *elf);

/* Whether there are symbols of code at all: a stripped program may have none. */
bool prof_elf_has_symbols(const struct prof_elf *elf);

/* The first of the symbols of code that hold `address`, and how many there are; or NULL. */
const struct prof_elf_symbol *prof_elf_find(const struct prof_elf *elf,
					    uint64_t address, size_t *count);

/* The address in the file of `address` in the process. False: no segment has it. */
bool prof_elf_address(const struct prof_elf *elf,
		      const struct prof_elf_mapping *mapping, uint64_t address,
		      uint64_t *out) PROF_NODISCARD;

/* The bytes of code from `start`, at most up to `end`; NULL and 0 where there are none. */
const uint8_t *prof_elf_code(const struct prof_elf *elf, uint64_t start, uint64_t end,
			     size_t *len);

/* The rows of [start, end), the range of one symbol: none without debug information. */
bool prof_elf_rows(struct prof_elf *elf, uint64_t start, uint64_t end,
		   const struct prof_elf_row **rows, size_t *count,
		   struct prof_error *err) PROF_NODISCARD;

/* "elfutils 0.188" for `fgtool version --features`, or NULL when it is not built in. */
const char *prof_elf_library(void);

#endif

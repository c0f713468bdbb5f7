/* SPDX-License-Identifier: MIT */
/*
 * disasm.h - bytes of code as instructions that people read.
 *
 *	401126  push   %rbp
 *	401127  mov    %rsp,%rbp
 *	40112a  call   401106           target 401106
 *	40112f  (bad)                   no instruction
 *
 * Owns:    instructions and texts, until prof_disasm_free().
 * Errors:  UNSUPPORTED for a machine that is not known, and when capstone is not in
 *          this build.
 * Source:  capstone, laid out as objdump does.
 */
#ifndef PROF_FORMATS_DISASM_H
#define PROF_FORMATS_DISASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libprof/base/arena.h"
#include "libprof/base/error.h"
#include "libprof/base/text.h"

struct prof_disasm_code {
	uint16_t machine; /* as ELF numbers them */
	bool big_endian;
	bool intel; /* x86: Intel's syntax, not AT&T's */
	uint64_t address;
	const uint8_t *bytes;
	size_t len;
};

struct prof_instruction {
	uint64_t address;
	struct prof_text text;
	bool has_target; /* of a jump or call, the last thing in the text */
	uint64_t target;
};

struct prof_disasm {
	struct prof_arena arena;
	struct prof_instruction *items;
	size_t count;
};

/* Fill `out`, which must be freed. */
bool prof_disasm_init(struct prof_disasm *out, const struct prof_disasm_code *code,
		      struct prof_error *err) PROF_NODISCARD;

/* Zeroed is fine. */
void prof_disasm_free(struct prof_disasm *disasm);

/* "capstone 4.0.2" for `fgtool version --features`, or NULL when it is not built in. */
const char *prof_disasm_library(void);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * pprof_code.h - routines that samples point into, found in the programs themselves.
 *
 * The program of a mapping is looked for below the folders of PPROF_BINARY_PATH
 * (~/pprof/binaries if that is not set), then where the mapping says. One whose build
 * id is another than the mapping's is said and not used.
 *
 *	struct pprof_code code = { 0 };
 *
 *	if (!pprof_code_init(&code, job, &names, &err))
 *		...
 *	for each code.routines: pprof_routine_read()
 *	pprof_code_free(&code);
 *
 * Order:   routines by name, then address.
 * Errors:  MISMATCH "no matches found for regexp: R"; those of formats/elf.h.
 * Source:  the same programs, symbols and sums as google/pprof -disasm, but a symbol
 *          also matches by the name its samples have, so that unreadable ones do.
 */
#ifndef FGTOOL_PPROF_CODE_H
#define FGTOOL_PPROF_CODE_H

#include "cmd/pattern.h"
#include "cmd/pprof_reports.h"
#include "formats/disasm.h"
#include "formats/elf.h"
#include "libprof/model/aggregate.h"
#include "libprof/report/asm.h"
#include "libprof/report/graph.h"

struct pprof_program {
	struct prof_elf *elf; /* NULL: not at hand */
	struct prof_asm_hit *hits;
	size_t hit_count;
};

struct pprof_routine {
	const struct pprof_program *program;
	const struct prof_elf_symbol *symbols; /* all names at its start */
	size_t symbol_count;
	struct prof_text name;
	bool by_address; /* the other names are of interest as well */
	struct prof_asm_sum sum;
};

struct pprof_code {
	struct prof_aggregate grain;
	struct prof_graph *graph;
	struct pprof_program *programs; /* one per mapping */
	uint32_t program_count;
	struct pprof_routine *routines;
	size_t routine_count;
	size_t routine_cap;
};

struct pprof_code_options {
	const struct pattern *names; /* of functions */
	bool files;                  /* names of files match as well */
};

/* Find the routines; `code` is zeroed, and must be freed in any case. */
bool pprof_code_init(struct pprof_code *code, const struct pprof_job *job,
		     const struct pprof_code_options *options,
		     struct prof_error *err) PROF_NODISCARD;

/* Zeroed is fine. */
void pprof_code_free(struct pprof_code *code);

/* One instruction of a routine, with its costs and its place in the source. */
struct pprof_step {
	const struct prof_instruction *instruction;
	struct prof_asm_sum sum;
	struct prof_text function;
	struct prof_text file; /* as the program has it */
	int64_t line;
};

/* The instructions of a routine. */
struct pprof_steps {
	struct prof_disasm disasm;
	struct pprof_step *items;
	size_t count;
};

bool pprof_steps_init(struct pprof_steps *out, const struct pprof_routine *routine,
		      bool intel, struct prof_error *err) PROF_NODISCARD;

/* Zeroed is fine. */
void pprof_steps_free(struct pprof_steps *steps);

/* The text of an instruction, the name of what it jumps to behind. */
void pprof_step_add(struct prof_buf *out, const struct pprof_routine *routine,
		    const struct pprof_step *step);

/* Whether the regular expression is a number as Go writes them: an address. */
bool pprof_code_address(const char *regex, uint64_t *address);

#endif

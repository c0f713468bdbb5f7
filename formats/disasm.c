/* SPDX-License-Identifier: MIT */
#include "formats/disasm.h"

#include "libprof/base/alloc.h"

#ifdef PROF_HAVE_CAPSTONE

#	include <capstone/capstone.h>
#	include <elf.h>
#	include <inttypes.h>
#	include <stdlib.h>
#	include <string.h>

#	include "libprof/base/buf.h"

/* How capstone is asked for the code of a machine. */
struct dialect {
	uint16_t machine;
	cs_arch arch;
	cs_mode mode;
	size_t step; /* past bytes that are no instruction */
};

static const struct dialect dialects[] = {
	{ EM_X86_64, CS_ARCH_X86, CS_MODE_64, 1 },
	{ EM_386, CS_ARCH_X86, CS_MODE_32, 1 },
	{ EM_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM, 4 },
	{ EM_ARM, CS_ARCH_ARM, CS_MODE_ARM, 4 },
	{ EM_PPC64, CS_ARCH_PPC, CS_MODE_64, 4 },
};

static const struct dialect *find_dialect(uint16_t machine)
{
	for (size_t i = 0; i < sizeof(dialects) / sizeof(*dialects); i++) {
		if (dialects[i].machine == machine) {
			return &dialects[i];
		}
	}
	return NULL;
}

static bool open_engine(const struct prof_disasm_code *code,
			const struct dialect *dialect, csh *out, struct prof_error *err)
{
	/* the code of ARM is little endian whatever its data is */
	bool big = code->big_endian && dialect->arch == CS_ARCH_PPC;
	cs_mode mode = big ? dialect->mode | CS_MODE_BIG_ENDIAN : dialect->mode;
	csh engine = 0;
	cs_err error = cs_open(dialect->arch, mode, &engine);

	if (error == CS_ERR_OK) {
		cs_option(engine, CS_OPT_DETAIL, CS_OPT_ON);
		if (dialect->arch == CS_ARCH_X86 && !code->intel) {
			cs_option(engine, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
		}
		*out = engine;
		return true;
	}
	return prof_fail(err, PROF_ERR_UNSUPPORTED, "cannot disassemble: %s",
			 cs_strerror(error));
}

/* Where a jump or call goes: the last operand, if it is a plain number. */
static const char *find_target(csh engine, const cs_insn *found, uint64_t *target)
{
	const char *last = strrchr(found->op_str, ' ');
	const char *digits = NULL;
	char *end = NULL;

	last = last ? last + 1 : found->op_str;
	if (!cs_insn_group(engine, found, CS_GRP_JUMP) &&
	    !cs_insn_group(engine, found, CS_GRP_CALL)) {
		return NULL;
	}
	digits = last + strspn(last, "#$");
	if (*digits < '0' || *digits > '9') {
		return NULL;
	}
	*target = strtoull(digits, &end, 0);
	return *end == '\0' ? last : NULL;
}

static void add_text(struct prof_buf *text, const cs_insn *found, const char *target,
		     uint64_t address)
{
	if (found->op_str[0] == '\0') {
		prof_buf_adds(text, found->mnemonic);
		return;
	}
	prof_buf_addf(text, "%-6s ", found->mnemonic);
	for (const char *c = found->op_str; *c && c != target; c++) {
		prof_buf_addc(text, *c);
		c += c[0] == ',' && c[1] == ' ';
	}
	if (target) {
		prof_buf_addf(text, "%" PRIx64, address);
	}
}

static void keep(struct prof_disasm *made, struct prof_buf *text, uint64_t address)
{
	struct prof_instruction *item = &made->items[made->count++];

	item->address = address;
	item->text = (struct prof_text){
		prof_arena_copy(&made->arena, text->data, text->len),
		text->len,
	};
	made->arena.failed = made->arena.failed || text->failed;
}

static void disassemble(const struct prof_disasm_code *code, csh engine, size_t step,
			cs_insn *found, struct prof_disasm *made)
{
	struct prof_buf text = { .max = 4096 };
	const uint8_t *bytes = code->bytes;
	uint64_t address = code->address;
	size_t left = code->len;

	while (left > 0 && !made->arena.failed) {
		uint64_t at = address;

		prof_buf_clear(&text);
		if (cs_disasm_iter(engine, &bytes, &left, &address, found)) {
			struct prof_instruction *item = &made->items[made->count];
			const char *target = find_target(engine, found, &item->target);

			item->has_target = target;
			add_text(&text, found, target, item->target);
		} else {
			size_t bad = step < left ? step : left;

			bytes += bad;
			left -= bad;
			address += bad;
			prof_buf_adds(&text, "(bad)");
		}
		keep(made, &text, at);
	}
	prof_buf_free(&text);
}

bool prof_disasm_init(struct prof_disasm *out, const struct prof_disasm_code *code,
		      struct prof_error *err)
{
	const struct dialect *dialect = find_dialect(code->machine);
	struct prof_disasm made = { 0 };
	cs_insn *found = NULL;
	csh engine = 0;
	bool ok = false;

	if (!dialect) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "cannot disassemble: machine %u of ELF is not known",
				 code->machine);
	}
	if (!open_engine(code, dialect, &engine, err)) {
		return false;
	}
	/* no instruction is shorter than a byte */
	made.items = prof_arena_array(&made.arena, code->len + 1, sizeof(*made.items));
	found = made.items ? cs_malloc(engine) : NULL;
	if (found) {
		disassemble(code, engine, dialect->step, found, &made);
		cs_free(found, 1);
		ok = !made.arena.failed;
	}
	cs_close(&engine);
	if (!ok) {
		prof_disasm_free(&made);
		return prof_fail_nomem(err);
	}
	*out = made;
	return true;
}

#	define DIGITS(number) #        number
#	define TEXT(number)   DIGITS(number)

const char *prof_disasm_library(void)
{
	return "capstone " TEXT(CS_VERSION_MAJOR) "." TEXT(CS_VERSION_MINOR) "." TEXT(
		CS_VERSION_EXTRA);
}

#else

bool prof_disasm_init(struct prof_disasm *out, const struct prof_disasm_code *code,
		      struct prof_error *err)
{
	(void)out;
	(void)code;
	return prof_fail(err, PROF_ERR_UNSUPPORTED,
			 "a disassembler (capstone) is not in this build");
}

const char *prof_disasm_library(void)
{
	return NULL;
}

#endif

void prof_disasm_free(struct prof_disasm *disasm)
{
	prof_arena_free(&disasm->arena);
	*disasm = (struct prof_disasm){ 0 };
}

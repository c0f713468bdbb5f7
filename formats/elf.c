/* SPDX-License-Identifier: MIT */
#include "formats/elf.h"

#ifdef PROF_HAVE_LIBDW

#	include <dwarf.h>
#	include <elfutils/libdw.h>
#	include <elfutils/libdwelf.h>
#	include <elfutils/version.h>
#	include <errno.h>
#	include <fcntl.h>
#	include <gelf.h>
#	include <stdlib.h>
#	include <string.h>
#	include <sys/stat.h>
#	include <unistd.h>

#	include "libprof/base/alloc.h"
#	include "libprof/base/arena.h"
#	include "libprof/base/buf.h"

/* A part of the file that is loaded at an address. */
struct part {
	uint64_t address;
	uint64_t offset;
	uint64_t size;
	bool code;
};

struct prof_elf {
	struct prof_arena arena;
	char *bytes;
	size_t len;
	Elf *elf;
	Dwarf *dwarf; /* NULL: there is no debug information */
	GElf_Ehdr head;
	struct prof_text build_id;

	struct part *segments;
	size_t segment_count;
	struct part *sections; /* those with code */
	size_t section_count;
	struct prof_elf_symbol *symbols;
	size_t symbol_count;
	size_t symbol_cap;
};

/* --- reading ------------------------------------------------------------------------- */

static bool read_bytes(int fd, struct prof_elf *elf, struct prof_error *err)
{
	size_t at = 0;

	while (at < elf->len) {
		ssize_t got = pread(fd, elf->bytes + at, elf->len - at, (off_t)at);

		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got < 0) {
			return prof_fail(err, PROF_ERR_IO, "%s", strerror(errno));
		}
		if (got == 0) {
			elf->len = at;
		}
		at += (size_t)got;
	}
	return true;
}

static bool read_file(int fd, struct prof_elf *elf, struct prof_error *err)
{
	struct stat info;

	if (fstat(fd, &info) != 0) {
		return prof_fail(err, PROF_ERR_IO, "%s", strerror(errno));
	}
	if (!S_ISREG(info.st_mode)) {
		return prof_fail(err, PROF_ERR_IO, "not a regular file");
	}
	if ((uint64_t)info.st_size > PROF_ELF_MAX) {
		return prof_fail(err, PROF_ERR_LIMIT, "the file is larger than 2 GiB");
	}
	elf->len = (size_t)info.st_size;
	elf->bytes = prof_alloc(elf->len + 1);
	return elf->bytes ? read_bytes(fd, elf, err) : prof_fail_nomem(err);
}

/* Whether the bytes of a part are all in the file. */
static bool is_inside(const struct prof_elf *elf, const struct part *part)
{
	return part->offset <= elf->len && part->size <= elf->len - part->offset &&
	       part->size <= UINT64_MAX - part->address;
}

static bool read_segments(struct prof_elf *elf, struct prof_error *err)
{
	size_t count = 0;

	if (elf_getphdrnum(elf->elf, &count) != 0 || count > elf->len) {
		return prof_fail(err, PROF_ERR_SYNTAX, "bad program headers");
	}
	elf->segments = prof_arena_array(&elf->arena, count + 1, sizeof(struct part));
	for (size_t i = 0; !elf->arena.failed && i < count; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(elf->elf, (int)i, &header) ||
		    header.p_type != PT_LOAD) {
			continue;
		}
		elf->segments[elf->segment_count++] = (struct part){
			.address = header.p_vaddr,
			.offset = header.p_offset,
			.size = header.p_filesz,
			.code = header.p_flags & PF_X,
		};
	}
	return !elf->arena.failed || prof_fail_nomem(err);
}

static bool read_sections(struct prof_elf *elf, struct prof_error *err)
{
	size_t count = 0;
	Elf_Scn *section = NULL;

	if (elf_getshdrnum(elf->elf, &count) != 0 || count > elf->len) {
		return prof_fail(err, PROF_ERR_SYNTAX, "bad section headers");
	}
	elf->sections = prof_arena_array(&elf->arena, count + 1, sizeof(struct part));
	while (!elf->arena.failed && elf->section_count < count &&
	       (section = elf_nextscn(elf->elf, section))) {
		GElf_Shdr header;
		struct part part;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
		    !(header.sh_flags & SHF_EXECINSTR)) {
			continue;
		}
		part = (struct part){ header.sh_addr, header.sh_offset, header.sh_size,
				      true };
		if (is_inside(elf, &part)) {
			elf->sections[elf->section_count++] = part;
		}
	}
	return !elf->arena.failed || prof_fail_nomem(err);
}

/* --- symbols ------------------------------------------------------------------------- */

static const struct part *find_section(const struct prof_elf *elf, uint64_t address)
{
	for (size_t i = 0; i < elf->section_count; i++) {
		const struct part *part = &elf->sections[i];

		if (address >= part->address && address - part->address < part->size) {
			return part;
		}
	}
	return NULL;
}

/* Whether a symbol names code: no file or section, and no mark of the assembler. */
static bool is_code(const struct prof_elf *elf, const GElf_Sym *symbol,
		    const char *name)
{
	unsigned char type = GELF_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF && name && *name && *name != '$' &&
	       (type == STT_FUNC || type == STT_NOTYPE || type == STT_GNU_IFUNC) &&
	       find_section(elf, symbol->st_value);
}

static bool add_symbols(struct prof_elf *elf, Elf_Scn *section, const GElf_Shdr *header,
			struct prof_error *err)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t size = gelf_fsize(elf->elf, ELF_T_SYM, 1, EV_CURRENT);
	size_t count = data && size > 0 ? data->d_size / size : 0;

	if (count > PROF_ELF_MAX_SYMBOLS) {
		return prof_fail(err, PROF_ERR_LIMIT, "the file has too many symbols");
	}
	for (size_t i = 0; i < count; i++) {
		const char *name = NULL;
		GElf_Sym symbol;

		if (!gelf_getsym(data, (int)i, &symbol)) {
			continue;
		}
		name = elf_strptr(elf->elf, header->sh_link, symbol.st_name);
		if (!is_code(elf, &symbol, name)) {
			continue;
		}
		if (!prof_reserve((void **)&elf->symbols, &elf->symbol_cap,
				  elf->symbol_count + 1, sizeof(*elf->symbols))) {
			return prof_fail_nomem(err);
		}
		elf->symbols[elf->symbol_count++] = (struct prof_elf_symbol){
			.start = symbol.st_value,
			.name = prof_text(name),
		};
	}
	return true;
}

static bool read_symbols_of(struct prof_elf *elf, uint32_t type, struct prof_error *err)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf->elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_type == type &&
		    !add_symbols(elf, section, &header, err)) {
			return false;
		}
	}
	return true;
}

static int compare_symbols(const void *a, const void *b)
{
	const struct prof_elf_symbol *x = a;
	const struct prof_elf_symbol *y = b;

	if (x->start != y->start) {
		return x->start < y->start ? -1 : 1;
	}
	return prof_text_compare(x->name, y->name);
}

/* A symbol ends where the next one begins: sizes are often missing. */
static void end_symbols(struct prof_elf *elf)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = elf->symbol_count; i-- > 0;) {
		struct prof_elf_symbol *symbol = &elf->symbols[i];
		const struct part *part = find_section(elf, symbol->start);
		uint64_t end = part->address + part->size;

		symbol->end = next < end ? next : end;
		if (i > 0 && elf->symbols[i - 1].start != symbol->start) {
			next = symbol->start;
		}
	}
}

static bool read_symbols(struct prof_elf *elf, struct prof_error *err)
{
	if (!read_symbols_of(elf, SHT_SYMTAB, err) ||
	    (elf->symbol_count == 0 && !read_symbols_of(elf, SHT_DYNSYM, err))) {
		return false;
	}
	if (elf->symbol_count > 0) {
		qsort(elf->symbols, elf->symbol_count, sizeof(*elf->symbols),
		      compare_symbols);
	}
	end_symbols(elf);
	return true;
}

/* --- the file ------------------------------------------------------------------------ */

static void read_build_id(struct prof_elf *elf)
{
	const void *bits = NULL;
	ssize_t len = dwelf_elf_gnu_build_id(elf->elf, &bits);
	struct prof_buf text = { .max = 1024 };

	for (ssize_t i = 0; i < len; i++) {
		prof_buf_addf(&text, "%02x", ((const unsigned char *)bits)[i]);
	}
	if (!text.failed && text.len > 0) {
		elf->build_id.data = prof_arena_copy(&elf->arena, text.data, text.len);
		elf->build_id.len = elf->build_id.data ? text.len : 0;
	}
	prof_buf_free(&text);
}

static bool parse(struct prof_elf *elf, struct prof_error *err)
{
	elf_version(EV_CURRENT);
	elf->elf = elf_memory(elf->bytes, elf->len);
	if (!elf->elf || elf_kind(elf->elf) != ELF_K_ELF ||
	    !gelf_getehdr(elf->elf, &elf->head)) {
		return prof_fail(err, PROF_ERR_SYNTAX, "not an ELF file");
	}
	if (!read_segments(elf, err) || !read_sections(elf, err) ||
	    !read_symbols(elf, err)) {
		return false;
	}
	read_build_id(elf);
	elf->dwarf = dwarf_begin_elf(elf->elf, DWARF_C_READ, NULL);
	return !elf->arena.failed || prof_fail_nomem(err);
}

bool prof_elf_open(const char *path, struct prof_elf **out, struct prof_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct prof_elf *elf = NULL;
	bool ok = false;

	if (fd < 0) {
		return prof_fail(err, PROF_ERR_IO, "%s", strerror(errno));
	}
	elf = prof_alloc_array(1, sizeof(*elf));
	ok = elf ? read_file(fd, elf, err) : prof_fail_nomem(err);
	close(fd);
	if (!ok || !parse(elf, err)) {
		prof_elf_free(elf);
		return false;
	}
	*out = elf;
	return true;
}

void prof_elf_free(struct prof_elf *elf)
{
	if (elf) {
		dwarf_end(elf->dwarf);
		elf_end(elf->elf);
		prof_free(elf->symbols);
		prof_free(elf->bytes);
		prof_arena_free(&elf->arena);
		prof_free(elf);
	}
}

struct prof_text prof_elf_build_id(const struct prof_elf *elf)
{
	return elf->build_id;
}

uint16_t prof_elf_machine(const struct prof_elf *elf)
{
	return elf->head.e_machine;
}

bool prof_elf_big_endian(const struct prof_elf *elf)
{
	return elf->head.e_ident[EI_DATA] == ELFDATA2MSB;
}

/* --- looking up ---------------------------------------------------------------------- */

bool prof_elf_has_symbols(const struct prof_elf *elf)
{
	return elf->symbol_count > 0;
}

const struct prof_elf_symbol *prof_elf_find(const struct prof_elf *elf,
					    uint64_t address, size_t *count)
{
	const struct prof_elf_symbol *symbols = elf->symbols;
	size_t low = 0;
	size_t high = elf->symbol_count;
	size_t first = 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols[middle].start <= address) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	if (low == 0 || symbols[low - 1].end <= address) {
		return NULL;
	}
	first = low - 1;
	while (first > 0 && symbols[first - 1].start == symbols[first].start) {
		first--;
	}
	*count = low - first;
	return symbols + first;
}

static bool find_segment(const struct prof_elf *elf, uint64_t offset, bool code,
			 uint64_t *out)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct part *part = &elf->segments[i];

		if ((part->code || !code) && offset >= part->offset &&
		    offset - part->offset < part->size) {
			*out = offset - part->offset + part->address;
			return true;
		}
	}
	return false;
}

bool prof_elf_address(const struct prof_elf *elf,
		      const struct prof_elf_mapping *mapping, uint64_t address,
		      uint64_t *out)
{
	uint64_t offset = address - mapping->start + mapping->offset;
	bool whole = mapping->start == 0 && mapping->offset == 0 &&
		     (mapping->limit == 0 || mapping->limit >= UINT64_MAX - 1);

	/* Programs at a fixed address, and addresses that were translated before. */
	if (elf->head.e_type != ET_DYN || whole) {
		*out = address;
		return true;
	}
	return find_segment(elf, offset, true, out) ||
	       find_segment(elf, offset, false, out);
}

const uint8_t *prof_elf_code(const struct prof_elf *elf, uint64_t start, uint64_t end,
			     size_t *len)
{
	const struct part *part = find_section(elf, start);
	uint64_t skip = 0;
	uint64_t size = 0;

	if (!part || end <= start) {
		*len = 0;
		return NULL;
	}
	skip = start - part->address;
	size = part->size - skip;
	*len = (size_t)(size < end - start ? size : end - start);
	return (const uint8_t *)elf->bytes + part->offset + skip;
}

/* --- lines --------------------------------------------------------------------------- */

/* Whether an entry of the tree may have functions inside that it has no addresses of. */
static bool is_name_space(Dwarf_Die *entry)
{
	int tag = dwarf_tag(entry);

	return tag == DW_TAG_namespace || tag == DW_TAG_module;
}

/* Scopes still to be searched for the one that has an address. */
struct search {
	Dwarf_Die pending[64];
	size_t count;
	uint32_t steps; /* left: a damaged file may lead in circles */
};

/* The child that has the address; name spaces are left for later. */
static bool find_child(struct search *search, Dwarf_Die *parent, uint64_t address,
		       Dwarf_Die *child)
{
	size_t room = sizeof(search->pending) / sizeof(*search->pending);
	int result = dwarf_child(parent, child);

	while (result == 0 && search->steps > 0) {
		search->steps--;
		if (dwarf_haspc(child, address) > 0) {
			return true;
		}
		if (is_name_space(child) && search->count < room) {
			search->pending[search->count++] = *child;
		}
		result = dwarf_siblingof(child, child);
	}
	return false;
}

/*
 * The function at an address, the innermost of those inlined there. dwarf_getscopes()
 * gives up, and leaks, where one was inlined from another compilation unit.
 */
static struct prof_text find_function(Dwarf_Die *unit, uint64_t address)
{
	struct search search = { .pending = { *unit }, .count = 1, .steps = 1 << 24 };
	struct prof_text name = { 0 };

	while (search.count > 0) {
		Dwarf_Die parent = search.pending[--search.count];
		const char *text = NULL;
		Dwarf_Die child;

		if (!find_child(&search, &parent, address, &child)) {
			continue;
		}
		if (dwarf_tag(&child) == DW_TAG_subprogram ||
		    dwarf_tag(&child) == DW_TAG_inlined_subroutine) {
			text = dwarf_diename(&child);
		}
		name = text ? prof_text(text) : name;
		search.pending[0] = child;
		search.count = 1;
	}
	return name;
}

struct rows {
	struct prof_elf_row *items;
	size_t cap;
	size_t count;
};

static bool add_row(struct rows *rows, Dwarf_Die *unit, Dwarf_Line *line,
		    uint64_t address, struct prof_error *err)
{
	struct prof_elf_row *row = NULL;
	const char *file = dwarf_linesrc(line, NULL, NULL);
	int number = 0;

	if (!prof_reserve((void **)&rows->items, &rows->cap, rows->count + 1,
			  sizeof(*rows->items))) {
		return prof_fail_nomem(err);
	}
	if (dwarf_lineno(line, &number) != 0 || number < 0) {
		number = 0;
	}
	row = &rows->items[rows->count++];
	*row = (struct prof_elf_row){
		.address = address,
		.function = find_function(unit, address),
		.file = prof_text(file ? file : ""),
		.line = number,
	};
	return true;
}

static bool add_rows(struct rows *rows, Dwarf_Die *unit, uint64_t start, uint64_t end,
		     struct prof_error *err)
{
	Dwarf_Lines *lines = NULL;
	size_t count = 0;

	if (dwarf_getsrclines(unit, &lines, &count) != 0) {
		return true;
	}
	for (size_t i = 0; i + 1 < count; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		Dwarf_Line *next = dwarf_onesrcline(lines, i + 1);
		Dwarf_Addr from = 0;
		Dwarf_Addr to = 0;
		bool over = true;

		if (dwarf_lineaddr(line, &from) != 0 ||
		    dwarf_lineaddr(next, &to) != 0 ||
		    dwarf_lineendsequence(line, &over) != 0 || over || from >= to ||
		    to <= start || from >= end) {
			continue;
		}
		if (!add_row(rows, unit, line, from > start ? from : start, err)) {
			return false;
		}
	}
	return true;
}

/* The compilation unit that has an address. */
static bool find_unit(Dwarf *dwarf, uint64_t address, Dwarf_Die *out)
{
	Dwarf_Off at = 0;
	Dwarf_Off next = 0;
	size_t head = 0;

	while (dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL) == 0) {
		Dwarf_Die unit;

		if (dwarf_offdie(dwarf, at + head, &unit) &&
		    dwarf_haspc(&unit, address) > 0) {
			*out = unit;
			return true;
		}
		at = next;
	}
	return false;
}

bool prof_elf_rows(struct prof_elf *elf, uint64_t start, uint64_t end,
		   const struct prof_elf_row **out, size_t *count,
		   struct prof_error *err)
{
	struct rows rows = { 0 };
	Dwarf_Die unit;
	bool ok = true;

	if (elf->dwarf && find_unit(elf->dwarf, start, &unit)) {
		ok = add_rows(&rows, &unit, start, end, err);
	}
	if (!ok) {
		prof_free(rows.items);
		return false;
	}
	if (rows.items && !prof_arena_adopt(&elf->arena, rows.items)) {
		return prof_fail_nomem(err);
	}
	*out = rows.items;
	*count = rows.count;
	return true;
}

#	define DIGITS(number) #        number
#	define TEXT(number)   DIGITS(number)

const char *prof_elf_library(void)
{
	return "elfutils 0." TEXT(_ELFUTILS_VERSION);
}

#else

bool prof_elf_open(const char *path, struct prof_elf **out, struct prof_error *err)
{
	(void)path;
	(void)out;
	return prof_fail(err, PROF_ERR_UNSUPPORTED,
			 "reading programs (elfutils) is not in this build");
}

/* Nothing was ever opened: the rest is here to be linked, not to be called. */

void prof_elf_free(struct prof_elf *elf)
{
	(void)elf;
}

struct prof_text prof_elf_build_id(const struct prof_elf *elf)
{
	(void)elf;
	return prof_text("");
}

uint16_t prof_elf_machine(const struct prof_elf *elf)
{
	(void)elf;
	return 0;
}

bool prof_elf_big_endian(const struct prof_elf *elf)
{
	(void)elf;
	return false;
}

bool prof_elf_has_symbols(const struct prof_elf *elf)
{
	(void)elf;
	return false;
}

const struct prof_elf_symbol *prof_elf_find(const struct prof_elf *elf,
					    uint64_t address, size_t *count)
{
	(void)elf;
	(void)address;
	*count = 0;
	return NULL;
}

bool prof_elf_address(const struct prof_elf *elf,
		      const struct prof_elf_mapping *mapping, uint64_t address,
		      uint64_t *out)
{
	(void)elf;
	(void)mapping;
	(void)address;
	(void)out;
	return false;
}

const uint8_t *prof_elf_code(const struct prof_elf *elf, uint64_t start, uint64_t end,
			     size_t *len)
{
	(void)elf;
	(void)start;
	(void)end;
	*len = 0;
	return NULL;
}

bool prof_elf_rows(struct prof_elf *elf, uint64_t start, uint64_t end,
		   const struct prof_elf_row **rows, size_t *count,
		   struct prof_error *err)
{
	(void)elf;
	(void)start;
	(void)end;
	(void)rows;
	(void)count;
	return prof_fail(err, PROF_ERR_UNSUPPORTED,
			 "reading programs (elfutils) is not in this build");
}

const char *prof_elf_library(void)
{
	return NULL;
}

#endif

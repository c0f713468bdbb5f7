/* SPDX-License-Identifier: MIT */
#include "cmd/pprof_code.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libprof/base/alloc.h"

/* What is being looked for. */
struct search {
	const struct pprof_job *job;
	const struct pprof_code_options *options;
	bool has_address;
	uint64_t address;
};

bool pprof_code_address(const char *regex, uint64_t *address)
{
	const char *digits = regex;
	char *end = NULL;
	int base = 0;

	if (digits[0] == '0' && (digits[1] == 'o' || digits[1] == 'b')) {
		base = digits[1] == 'o' ? 8 : 2;
		digits += 2;
	}
	if (!isdigit((unsigned char)digits[0])) {
		return false;
	}
	errno = 0;
	*address = strtoull(digits, &end, base);
	return *end == '\0' && errno == 0;
}

/* --- programs ------------------------------------------------------------------------ */

/* Names below a folder under which a program may be kept. */
static void add_candidate(struct prof_buf *path, const char *folder, size_t folder_len,
			  int way, struct prof_text file, struct prof_text id)
{
	struct prof_text base = prof_path_base(file);

	prof_buf_clear(path);
	prof_buf_add(path, folder, folder_len);
	prof_buf_addc(path, '/');
	switch (way) {
	case 0:
		prof_buf_add(path, id.data, id.len);
		prof_buf_addc(path, '/');
		prof_buf_add(path, base.data, base.len);
		break;
	case 1:
		prof_buf_add(path, file.data, file.len);
		prof_buf_addc(path, '/');
		prof_buf_add(path, id.data, id.len);
		break;
	case 2:
		prof_buf_add(path, id.data, 2);
		prof_buf_addc(path, '/');
		prof_buf_add(path, id.data + 2, id.len - 2);
		prof_buf_adds(path, ".debug");
		break;
	case 3:
		prof_buf_add(path, base.data, base.len);
		break;
	default:
		prof_buf_add(path, file.data, file.len);
		prof_buf_adds(path, way == 5 ? ".debug" : "");
		break;
	}
	prof_buf_addc(path, '\0');
}

/* A program that is the one the mapping means, as far as both say which they are. */
static bool open_program(const char *path, struct prof_text id, struct prof_elf **out,
			 struct prof_error *err)
{
	struct prof_text found = { 0 };
	struct prof_elf *elf = NULL;

	if (!prof_elf_open(path, &elf, err)) {
		return false;
	}
	found = prof_elf_build_id(elf);
	if (id.len == 0 || found.len == 0 || prof_text_equal(id, found)) {
		*out = elf;
		return true;
	}
	prof_error_set(err, PROF_ERR_MISMATCH, "build id mismatch (%.*s, not %.*s)",
		       (int)found.len, found.data, (int)id.len, id.data);
	prof_elf_free(elf);
	return false;
}

static bool search_folder(const char *folder, size_t len, struct prof_text file,
			  struct prof_text id, struct prof_elf **out)
{
	struct prof_buf path = { .max = 1 << 16 };
	struct prof_error why = { 0 };
	bool found = false;

	for (int way = id.len > 2 ? 0 : 3; way <= 5 && !found; way++) {
		if (way == 4 && prof_text_equal(file, prof_path_base(file))) {
			continue; /* the same as the one before */
		}
		add_candidate(&path, folder, len, way, file, id);
		if (path.failed || access(path.data, R_OK) != 0) {
			continue;
		}
		found = open_program(path.data, id, out, &why);
		if (!found && why.code == PROF_ERR_MISMATCH) {
			notice("ignoring '%s': %s", path.data, why.message);
		}
	}
	prof_buf_free(&path);
	return found;
}

static bool search_folders(struct prof_text file, struct prof_text id,
			   struct prof_elf **out)
{
	const char *folders = getenv("PPROF_BINARY_PATH");
	const char *home = getenv("HOME");
	struct prof_buf own = { .max = 1 << 16 };
	bool found = false;

	if ((!folders || !*folders) && home && *home) {
		prof_buf_addf(&own, "%s/pprof/binaries", home);
		prof_buf_addc(&own, '\0');
		folders = own.failed ? NULL : own.data;
	}
	while (folders && *folders && !found) {
		size_t len = strcspn(folders, ":");

		found = len > 0 && search_folder(folders, len, file, id, out);
		folders += len + (folders[len] == ':');
	}
	prof_buf_free(&own);
	return found;
}

/* What is no file: "[vdso]", "//anon", devices. */
static bool is_a_file(struct prof_text file)
{
	struct prof_text base = prof_path_base(file);

	return file.len > 0 && base.data[0] != '[' &&
	       !memchr(file.data, '\0', file.len) &&
	       !(file.len > 1 && memcmp(file.data, "//", 2) == 0) &&
	       !(file.len > 5 && memcmp(file.data, "/dev/", 5) == 0);
}

static void find_program(const struct prof_profile *profile, uint32_t mapping,
			 struct pprof_program *program)
{
	struct prof_text file = prof_string(profile, profile->mappings[mapping].file);
	struct prof_text id = prof_string(profile, profile->mappings[mapping].build_id);
	struct prof_error why = { 0 };
	char *path = NULL;

	if (!is_a_file(file) || search_folders(file, id, &program->elf)) {
		return;
	}
	path = strndup(file.data, file.len);
	if (path && !open_program(path, id, &program->elf, &why)) {
		notice("cannot read '%s': %s", path, why.message);
	}
	if (program->elf && !prof_elf_has_symbols(program->elf)) {
		notice("'%s' has no symbols", path);
	}
	free(path);
}

/* --- hits ---------------------------------------------------------------------------- */

static bool is_in_mapping(const struct prof_profile *profile,
			  const struct prof_mapping *mapping,
			  const struct prof_frame_info *info)
{
	if (!prof_text_equal(info->object, prof_string(profile, mapping->file))) {
		return false;
	}
	return mapping->limit == 0 ||
	       (info->address >= mapping->start && info->address < mapping->limit);
}

static bool matches_node(const struct search *search,
			 const struct prof_graph_node *node)
{
	const struct pattern *names = search->options->names;

	return pattern_match(names, node->name.data, node->name.len) ||
	       (search->options->files &&
		pattern_match(names, node->info.file.data, node->info.file.len));
}

/* Whether a program is worth reading: samples match, or may once they have names. */
static bool is_wanted(const struct search *search, const struct pprof_code *code,
		      uint32_t index)
{
	const struct prof_profile *profile = search->job->view.profile;
	const struct prof_mapping *mapping = &profile->mappings[index];

	if (search->has_address && mapping->start <= search->address &&
	    (search->address <= mapping->limit || mapping->limit == 0)) {
		return true;
	}
	for (uint32_t i = 0; i < code->graph->node_count; i++) {
		const struct prof_graph_node *node = &code->graph->nodes[i];

		if (is_in_mapping(profile, mapping, &node->info) &&
		    (node->info.name.len == 0 || search->has_address ||
		     matches_node(search, node))) {
			return true;
		}
	}
	return false;
}

static bool find_hits(const struct prof_profile *profile, uint32_t index,
		      const struct prof_graph *graph, struct pprof_program *program,
		      struct prof_error *err)
{
	const struct prof_mapping *mapping = &profile->mappings[index];
	const struct prof_elf_mapping where = { mapping->start, mapping->limit,
						mapping->offset };

	program->hits =
		prof_alloc_array((size_t)graph->node_count + 1, sizeof(*program->hits));
	if (!program->hits) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < graph->node_count; i++) {
		const struct prof_graph_node *node = &graph->nodes[i];
		struct prof_asm_hit *hit = &program->hits[program->hit_count];

		if (is_in_mapping(profile, mapping, &node->info) &&
		    prof_elf_address(program->elf, &where, node->info.address,
				     &hit->address)) {
			hit->node = node;
			program->hit_count++;
		}
	}
	prof_asm_sort(program->hits, program->hit_count);
	return true;
}

/* --- routines ------------------------------------------------------------------------ */

/* Whether a routine is asked for, and the name that says so. */
static bool is_asked_for(const struct search *search, size_t first, size_t end,
			 struct pprof_routine *routine)
{
	const struct prof_elf_symbol *symbols = routine->symbols;

	routine->name = symbols[0].name;
	if (search->has_address && search->address >= symbols[0].start &&
	    search->address < symbols[0].end) {
		routine->by_address = true;
		return true;
	}
	for (size_t i = 0; i < routine->symbol_count; i++) {
		if (pattern_match(search->options->names, symbols[i].name.data,
				  symbols[i].name.len)) {
			routine->name = symbols[i].name;
			return true;
		}
	}
	for (size_t i = first; i < end; i++) {
		const struct prof_graph_node *node = routine->program->hits[i].node;

		if (node->info.name.len > 0 && matches_node(search, node)) {
			routine->name = node->info.name;
			return true;
		}
	}
	return false;
}

/* The routines of one program that have hits: those are in order of address. */
static bool find_routines(const struct search *search, struct pprof_code *code,
			  const struct pprof_program *program, struct prof_error *err)
{
	const struct prof_asm_hit *hits = program->hits;
	size_t at = 0;

	while (at < program->hit_count) {
		struct pprof_routine routine = { .program = program };
		size_t end = 0;

		routine.symbols = prof_elf_find(program->elf, hits[at].address,
						&routine.symbol_count);
		if (!routine.symbols) {
			at++;
			continue;
		}
		end = prof_asm_first(hits, program->hit_count, routine.symbols->end);
		if (is_asked_for(search, at, end, &routine)) {
			if (!prof_asm_add(hits, program->hit_count,
					  routine.symbols->start, routine.symbols->end,
					  &routine.sum, err)) {
				return false;
			}
			if (!prof_reserve((void **)&code->routines, &code->routine_cap,
					  code->routine_count + 1, sizeof(routine))) {
				return prof_fail_nomem(err);
			}
			code->routines[code->routine_count++] = routine;
		}
		at = end;
	}
	return true;
}

static int compare_routines(const void *a, const void *b)
{
	const struct pprof_routine *x = a;
	const struct pprof_routine *y = b;
	int order = prof_text_compare(x->name, y->name);

	if (order != 0) {
		return order;
	}
	if (x->symbols->start != y->symbols->start) {
		return x->symbols->start < y->symbols->start ? -1 : 1;
	}
	return (x->program > y->program) - (x->program < y->program);
}

static bool find_code(const struct search *search, struct pprof_code *code,
		      struct prof_error *err)
{
	const struct prof_profile *profile = search->job->view.profile;

	code->programs = prof_alloc_array((size_t)profile->mapping_count + 1,
					  sizeof(*code->programs));
	if (!code->programs) {
		return prof_fail_nomem(err);
	}
	code->program_count = profile->mapping_count;
	for (uint32_t i = 0; i < profile->mapping_count; i++) {
		struct pprof_program *program = &code->programs[i];

		if (!is_wanted(search, code, i)) {
			continue;
		}
		find_program(profile, i, program);
		if (program->elf &&
		    (!find_hits(profile, i, code->graph, program, err) ||
		     !find_routines(search, code, program, err))) {
			return false;
		}
	}
	if (code->routine_count > 0) {
		qsort(code->routines, code->routine_count, sizeof(*code->routines),
		      compare_routines);
	}
	return true;
}

bool pprof_code_init(struct pprof_code *code, const struct pprof_job *job,
		     const struct pprof_code_options *options, struct prof_error *err)
{
	const struct prof_aggregate_options grain = {
		.granularity = PROF_GRANULARITY_ADDRESSES,
		.no_inlines = true,
	};
	const struct prof_graph_options all = {
		.column = job->view.column,
		.mean = job->options->mean,
		.objects = true,
		.drop_negative = job->options->drop_negative,
		.order = PROF_GRAPH_BY_FLAT,
		.edges = PROF_GRAPH_NO_EDGES,
		.trim = { prof_text(job->options->trim_path),
			  prof_text(job->options->source_path) },
	};
	struct search search = { .job = job, .options = options };

	search.has_address = pprof_code_address(job->options->regex, &search.address);
	return prof_aggregate_init(&code->grain, job->view.profile, &grain, err) &&
	       prof_graph_build(&code->grain.view, &all, &code->graph, err) &&
	       find_code(&search, code, err);
}

void pprof_code_free(struct pprof_code *code)
{
	for (uint32_t i = 0; i < code->program_count; i++) {
		prof_elf_free(code->programs[i].elf);
		prof_free(code->programs[i].hits);
	}
	prof_free(code->programs);
	prof_free(code->routines);
	prof_graph_free(code->graph);
	prof_aggregate_free(&code->grain);
	*code = (struct pprof_code){ 0 };
}

/* --- instructions -------------------------------------------------------------------- */

/* Sums of the addresses up to the next instruction, and the place in the source. */
static bool fill_steps(struct pprof_steps *steps, const struct pprof_routine *routine,
		       const struct prof_elf_row *rows, size_t row_count,
		       struct prof_error *err)
{
	const struct pprof_program *program = routine->program;
	size_t row = 0;

	for (size_t i = 0; i < steps->disasm.count; i++) {
		struct pprof_step *step = &steps->items[i];
		uint64_t start = steps->disasm.items[i].address;
		uint64_t end = i + 1 < steps->disasm.count
				       ? steps->disasm.items[i + 1].address
				       : routine->symbols->end;

		step->instruction = &steps->disasm.items[i];
		while (row + 1 < row_count && rows[row + 1].address <= start) {
			row++;
		}
		if (!prof_asm_add(program->hits, program->hit_count, start, end,
				  &step->sum, err)) {
			return false;
		}
		if (row < row_count && rows[row].address <= start) {
			step->function = rows[row].function;
			step->file = rows[row].file;
			step->line = rows[row].line;
		}
		if (step->function.len == 0) {
			step->function =
				step->file.len > 0 ? routine->name : step->sum.function;
		}
		if (step->file.len == 0) {
			step->file = step->sum.file;
			step->line = step->line ? step->line : step->sum.line;
		}
	}
	steps->count = steps->disasm.count;
	return true;
}

bool pprof_steps_init(struct pprof_steps *out, const struct pprof_routine *routine,
		      bool intel, struct prof_error *err)
{
	struct prof_elf *elf = routine->program->elf;
	const struct prof_elf_symbol *symbol = routine->symbols;
	struct prof_disasm_code code = {
		.machine = prof_elf_machine(elf),
		.big_endian = prof_elf_big_endian(elf),
		.intel = intel,
		.address = symbol->start,
	};
	const struct prof_elf_row *rows = NULL;
	size_t row_count = 0;
	struct pprof_steps made = { 0 };
	bool ok = false;

	code.bytes = prof_elf_code(elf, symbol->start, symbol->end, &code.len);
	ok = prof_disasm_init(&made.disasm, &code, err) &&
	     prof_elf_rows(elf, symbol->start, symbol->end, &rows, &row_count, err);
	if (ok) {
		made.items =
			prof_alloc_array(made.disasm.count + 1, sizeof(*made.items));
		ok = made.items ? fill_steps(&made, routine, rows, row_count, err)
				: prof_fail_nomem(err);
	}
	if (!ok) {
		pprof_steps_free(&made);
		return false;
	}
	*out = made;
	return true;
}

void pprof_steps_free(struct pprof_steps *steps)
{
	prof_free(steps->items);
	prof_disasm_free(&steps->disasm);
	*steps = (struct pprof_steps){ 0 };
}

void pprof_step_add(struct prof_buf *out, const struct pprof_routine *routine,
		    const struct pprof_step *step)
{
	const struct prof_instruction *instruction = step->instruction;
	const struct prof_elf_symbol *symbol = NULL;
	size_t count = 0;

	prof_buf_add(out, instruction->text.data, instruction->text.len);
	if (!instruction->has_target) {
		return;
	}
	symbol = prof_elf_find(routine->program->elf, instruction->target, &count);
	if (symbol) {
		prof_buf_adds(out, " <");
		prof_buf_add(out, symbol->name.data, symbol->name.len);
		if (instruction->target != symbol->start) {
			prof_buf_addf(out, "+0x%" PRIx64,
				      instruction->target - symbol->start);
		}
		prof_buf_addc(out, '>');
	}
}

/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "cmd/pprof_code.h"

enum {
	WIDTH = 10,      /* of a column of values */
	SHORT_TEXT = 40, /* an instruction that leaves room for its place */
};

static void add_value(const struct pprof_job *job, int64_t value, struct prof_buf *out)
{
	size_t start = out->len;

	prof_value_add(out, &job->style, value);
	pprof_align_right(out, start, WIDTH);
}

static void add_mean_or_dot(const struct pprof_job *job, int64_t sum, int64_t div,
			    struct prof_buf *out)
{
	int64_t value = prof_graph_mean(sum, div);

	if (value != 0) {
		add_value(job, value, out);
	} else {
		prof_buf_addf(out, "%*s", WIDTH, ".");
	}
	prof_buf_addc(out, ' ');
}

static bool same_place(const struct pprof_step *a, const struct pprof_step *b)
{
	return a->line == b->line && prof_text_equal(a->function, b->function) &&
	       prof_text_equal(a->file, b->file);
}

/* "function file.c:12", as much of it as is known. */
static void add_place(struct prof_buf *out, const struct pprof_step *step)
{
	prof_buf_add(out, step->function.data, step->function.len);
	prof_buf_adds(out, step->function.len > 0 ? " " : "");
	if (step->file.len > 0) {
		struct prof_text base = prof_path_base(step->file);

		prof_buf_add(out, base.data, base.len);
		if (step->line != 0) {
			prof_buf_addf(out, ":%" PRId64, step->line);
		}
	}
}

static void add_step(const struct pprof_job *job, const struct pprof_routine *routine,
		     const struct pprof_step *step, bool moved, struct prof_buf *out)
{
	struct prof_buf text = { 0 };
	struct prof_buf place = { 0 };
	bool behind = false;

	pprof_step_add(&text, routine, step);
	if (moved) {
		add_place(&place, step);
	}
	behind = place.len > 0 && text.len < SHORT_TEXT;
	if (place.len > 0 && !behind) {
		prof_buf_addf(out, "%74s;", "");
		prof_buf_add(out, place.data, place.len);
		prof_buf_addc(out, '\n');
	}
	add_mean_or_dot(job, step->sum.flat, step->sum.flat_div, out);
	add_mean_or_dot(job, step->sum.cum, step->sum.cum_div, out);
	prof_buf_addf(out, "%10" PRIx64 ": ", step->instruction->address);
	prof_buf_add(out, text.data, text.len);
	if (behind) {
		prof_buf_addf(out, "%*s;", SHORT_TEXT - (int)text.len, "");
		prof_buf_add(out, place.data, place.len);
	}
	prof_buf_addc(out, '\n');
	out->failed = out->failed || text.failed || place.failed;
	prof_buf_free(&text);
	prof_buf_free(&place);
}

static void add_head(const struct pprof_job *job, const struct pprof_routine *routine,
		     struct prof_buf *out)
{
	size_t names = routine->by_address ? routine->symbol_count : 1;

	prof_buf_adds(out, "ROUTINE ======================== ");
	prof_buf_add(out, routine->name.data, routine->name.len);
	prof_buf_addc(out, '\n');
	for (size_t i = 1; i < names; i++) {
		prof_buf_adds(out, "    AKA ======================== ");
		prof_buf_add(out, routine->symbols[i].name.data,
			     routine->symbols[i].name.len);
		prof_buf_addc(out, '\n');
	}
	add_value(job, routine->sum.flat, out);
	prof_buf_addc(out, ' ');
	add_value(job, routine->sum.cum, out);
	prof_buf_adds(out, " (flat, cum) ");
	prof_value_add_percent(out, &job->style, routine->sum.cum);
	prof_buf_adds(out, " of Total\n");
}

static bool add_routine(const struct pprof_job *job,
			const struct pprof_routine *routine, struct prof_buf *out,
			struct prof_error *err)
{
	const struct pprof_step nowhere = { 0 };
	const struct pprof_step *before = &nowhere;
	struct pprof_steps steps = { 0 };
	bool ok = pprof_steps_init(&steps, routine, job->options->intel_syntax, err);

	if (ok) {
		add_head(job, routine, out);
	}
	for (size_t i = 0; ok && i < steps.count; i++) {
		const struct pprof_step *step = &steps.items[i];

		add_step(job, routine, step, !same_place(before, step), out);
		before = step;
		ok = pprof_drain(job, out, err);
	}
	pprof_steps_free(&steps);
	return ok;
}

static bool add_routines(const struct pprof_job *job, const struct pprof_code *code,
			 struct prof_buf *out, struct prof_error *err)
{
	uint64_t address = 0;

	if (code->routine_count == 0) {
		if (pprof_code_address(job->options->regex, &address)) {
			return prof_fail(err, PROF_ERR_MISMATCH,
					 "no matches found for address 0x%" PRIx64,
					 address);
		}
		return prof_fail(err, PROF_ERR_MISMATCH,
				 "no matches found for regexp: %s",
				 job->options->regex);
	}
	prof_buf_adds(out, "Total: ");
	prof_value_add(out, &job->style, job->style.total);
	prof_buf_addc(out, '\n');
	for (size_t i = 0; i < code->routine_count; i++) {
		if (!add_routine(job, &code->routines[i], out, err)) {
			return false;
		}
	}
	return !out->failed || prof_fail_nomem(err);
}

static bool check_build(struct prof_error *err)
{
	return (prof_elf_library() && prof_disasm_library()) ||
	       prof_fail(err, PROF_ERR_UNSUPPORTED,
			 "-disasm reads programs with elfutils and capstone, which are "
			 "not in this build");
}

bool pprof_disasm(const struct pprof_job *job, struct prof_buf *out,
		  struct prof_error *err)
{
	struct pattern names = { 0 };
	const struct pprof_code_options options = { .names = &names };
	struct pprof_code code = { 0 };
	bool ok = check_build(err) && pattern_init(&names, job->options->regex, err) &&
		  pprof_code_init(&code, job, &options, err) &&
		  add_routines(job, &code, out, err);

	pprof_code_free(&code);
	pattern_free(&names);
	return ok;
}

/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd/pprof_code.h"
#include "cmd/source_file.h"
#include "formats/render/markup.h"
#include "libprof/base/alloc.h"
#include "libprof/report/list.h"

enum {
	WIDTH = 10,         /* of a column of values */
	TAB = 8,            /* columns */
	MARGIN = 5,         /* lines around those with values */
	GAP = 20,           /* lines between ranges that are shown as one */
	ROUTINES_MAX = 25,  /* disassembled: those that cost most */
	LINES_MAX = 100000, /* of one file that is not at hand */
};

/* No script, and nothing from anywhere: the page shows text. */
static const char head_style[] =
	"body{font:14px sans-serif;margin:1em;color:#222;background:#fff}"
	"h1{font-size:1.3em}h2{font-size:1.1em;margin:1.5em 0 .2em}"
	"pre,.l,summary{font:13px/1.35 monospace;margin:0;white-space:pre}"
	".l,summary{min-height:1.35em}summary{cursor:pointer;list-style:none}"
	"summary::-webkit-details-marker{display:none}"
	"summary:hover,details[open]>summary{background:#e8eefc}"
	".hot{background:#fff4e5}.asm{color:#555;background:#f6f6f6}"
	".gap{color:#999}"
	"@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}"
	"summary:hover,details[open]>summary{background:#2a3550}"
	".hot{background:#3a2f1d}.asm{color:#aaa;background:#242424}}";

/* An instruction at a line of a source file. */
struct place {
	const struct pprof_routine *routine;
	const struct pprof_step *step;
	int64_t line;
};

struct page {
	const struct pprof_job *job;
	struct prof_markup xml;
	struct pprof_code code;
	struct pprof_steps steps[ROUTINES_MAX];
	size_t steps_count;
	struct place *places; /* by line, then address */
	size_t place_count;
};

/* What matched of one source file; lines and ranges in order. */
struct chapter {
	struct prof_text file;
	const struct prof_list_function *functions; /* a run of the sorted list */
	uint32_t function_count;
	struct prof_list_line *lines;
	uint32_t line_count;
	struct place *places; /* by line, then address */
	size_t place_count;
};

/* --- texts --------------------------------------------------------------------------- */

static void add_value_or_dot(const struct page *page, int64_t value,
			     struct prof_buf *out)
{
	size_t start = out->len;

	if (value != 0) {
		prof_value_add(out, &page->job->style, value);
		pprof_align_right(out, start, WIDTH);
	} else {
		prof_buf_addf(out, "%*s", WIDTH, ".");
	}
	prof_buf_addc(out, ' ');
}

/* A source line: tabs as blanks, what must not be shown as escapes. */
static void add_source(struct prof_buf *out, struct prof_text text)
{
	size_t column = 0;

	while (text.len > 0) {
		const char *tab = memchr(text.data, '\t', text.len);
		size_t len = tab ? (size_t)(tab - text.data) : text.len;
		struct prof_text part = { text.data, len };

		prof_text_escape(out, part);
		column += prof_text_cells(part);
		if (tab) {
			prof_buf_addf(out, "%*s", (int)(TAB - column % TAB), "");
			column += TAB - column % TAB;
			len++;
		}
		text = (struct prof_text){ text.data + len, text.len - len };
	}
}

static void element(struct page *page, const char *name, struct prof_text text)
{
	prof_markup_open(&page->xml, name);
	prof_text_escape(prof_markup_text(&page->xml), text);
	prof_markup_put(&page->xml);
	prof_markup_close_full(&page->xml);
	prof_markup_line(&page->xml);
}

/* --- lines --------------------------------------------------------------------------- */

static void add_instruction(struct page *page, const struct place *place)
{
	struct prof_buf *text = prof_markup_text(&page->xml);
	const struct pprof_step *step = place->step;
	struct prof_buf plain = { 0 };

	prof_buf_addf(text, "%8s", "");
	add_value_or_dot(page, prof_graph_mean(step->sum.flat, step->sum.flat_div),
			 text);
	add_value_or_dot(page, prof_graph_mean(step->sum.cum, step->sum.cum_div), text);
	prof_buf_addf(text, "%10" PRIx64 ": ", step->instruction->address);
	pprof_step_add(&plain, place->routine, step);
	prof_text_escape(text, (struct prof_text){ plain.data, plain.len });
	if (step->function.len > 0 &&
	    !prof_text_equal(step->function, place->routine->name)) {
		prof_buf_addf(text, "%*s; ", plain.len < 40 ? 40 - (int)plain.len : 0,
			      "");
		prof_text_escape(text, step->function);
	}
	prof_buf_addc(text, '\n');
	text->failed = text->failed || plain.failed;
	prof_buf_free(&plain);
	prof_markup_put(&page->xml);
}

static void put_line(struct page *page, const struct prof_list_line *line,
		     struct prof_text source, const char *element_name)
{
	struct prof_buf *text = NULL;

	prof_markup_open(&page->xml, element_name);
	if (line->flat != 0 || line->cum != 0) {
		prof_markup_attr(&page->xml, "class", "l hot");
	} else {
		prof_markup_attr(&page->xml, "class", "l");
	}
	text = prof_markup_text(&page->xml);
	prof_buf_addf(text, "%6" PRId64 "  ", line->line);
	add_value_or_dot(page, line->flat, text);
	add_value_or_dot(page, line->cum, text);
	add_source(text, source);
	prof_markup_put(&page->xml);
	prof_markup_close_full(&page->xml);
}

/* A line, and below it what it was compiled to, folded up. */
static void add_line(struct page *page, const struct chapter *chapter,
		     const struct prof_list_line *line, struct prof_text source,
		     size_t *at)
{
	size_t first = *at;

	while (*at < chapter->place_count && chapter->places[*at].line == line->line) {
		++*at;
	}
	if (first == *at) {
		put_line(page, line, source, "div");
		prof_markup_line(&page->xml);
		return;
	}
	prof_markup_open(&page->xml, "details");
	put_line(page, line, source, "summary");
	prof_markup_open(&page->xml, "pre");
	prof_markup_attr(&page->xml, "class", "asm");
	for (size_t i = first; i < *at; i++) {
		add_instruction(page, &chapter->places[i]);
	}
	prof_markup_close_full(&page->xml);
	prof_markup_close_full(&page->xml);
	prof_markup_line(&page->xml);
}

/* Lines from..to; false past the end of the file. */
static bool add_range(struct page *page, const struct chapter *chapter,
		      const struct source_file *file, int64_t from, int64_t to)
{
	uint32_t at = 0;
	size_t place = 0;

	for (int64_t n = from; n <= to; n++) {
		struct prof_list_line line = { .line = n };
		struct prof_text source = { 0 };

		while (at < chapter->line_count && chapter->lines[at].line < n) {
			at++;
		}
		while (place < chapter->place_count &&
		       chapter->places[place].line < n) {
			place++;
		}
		if (at < chapter->line_count && chapter->lines[at].line == n) {
			line = chapter->lines[at];
		}
		if (!source_file_line(file, n, &source)) {
			return false;
		}
		add_line(page, chapter, &line, source, &place);
	}
	return true;
}

/* Ranges of functions, those next to one another as one. */
static void add_ranges(struct page *page, const struct chapter *chapter,
		       const struct source_file *file)
{
	uint32_t i = 0;

	while (i < chapter->function_count) {
		int64_t first = chapter->functions[i].first;
		int64_t last = chapter->functions[i].last;

		for (i++; i < chapter->function_count; i++) {
			const struct prof_list_function *next = &chapter->functions[i];

			if (last < INT64_MAX - GAP && next->first > last + GAP) {
				break;
			}
			last = next->last > last ? next->last : last;
		}
		if (!add_range(page, chapter, file, first, last)) {
			return;
		}
		if (i < chapter->function_count) {
			prof_markup_open(&page->xml, "div");
			prof_markup_attr(&page->xml, "class", "l gap");
			prof_buf_adds(prof_markup_text(&page->xml), "   ...");
			prof_markup_put(&page->xml);
			prof_markup_close_full(&page->xml);
			prof_markup_line(&page->xml);
		}
	}
}

/* Without the source only the lines that cost something are worth a row. */
static void add_known(struct page *page, const struct chapter *chapter)
{
	size_t place = 0;

	for (uint32_t i = 0; i < chapter->line_count && i < LINES_MAX; i++) {
		while (place < chapter->place_count &&
		       chapter->places[place].line < chapter->lines[i].line) {
			place++;
		}
		add_line(page, chapter, &chapter->lines[i], prof_text("???"), &place);
	}
}

/* --- files --------------------------------------------------------------------------- */

/* A file as the profile names it, and as the program does: one may be the other's end. */
static bool same_file(struct prof_text a, struct prof_text b)
{
	const struct prof_text *longer = a.len > b.len ? &a : &b;
	const struct prof_text *other = a.len > b.len ? &b : &a;
	const char *end = longer->data + (longer->len - other->len);

	return other->len > 0 && memcmp(end, other->data, other->len) == 0 &&
	       (longer->len == other->len || end[-1] == '/' || other->data[0] == '/');
}

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a;
	const struct place *y = b;

	if (x->line != y->line) {
		return x->line < y->line ? -1 : 1;
	}
	return (x->step->instruction->address > y->step->instruction->address) -
	       (x->step->instruction->address < y->step->instruction->address);
}

/*
 * Instructions of lines of the file, and those with samples that were inlined into one.
 */
static bool find_places(const struct page *page, struct chapter *chapter,
			struct prof_error *err)
{
	chapter->places =
		prof_alloc_array(page->place_count + 1, sizeof(*chapter->places));
	if (!chapter->places) {
		return prof_fail_nomem(err);
	}
	for (size_t i = 0; i < page->place_count; i++) {
		struct place place = page->places[i];

		if (!same_file(chapter->file, place.step->file)) {
			place.line = place.step->sum.line;
			if (!same_file(chapter->file, place.step->sum.file)) {
				continue;
			}
		}
		chapter->places[chapter->place_count++] = place;
	}
	qsort(chapter->places, chapter->place_count, sizeof(*chapter->places),
	      compare_places);
	return true;
}

static int compare_lines(const void *a, const void *b)
{
	const struct prof_list_line *x = a;
	const struct prof_list_line *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

/* The lines of all functions of the file, each once. */
static bool join_lines(struct chapter *chapter, struct prof_error *err)
{
	size_t count = 0;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < chapter->function_count; i++) {
		count += chapter->functions[i].line_count;
	}
	chapter->lines = prof_alloc_array(count + 1, sizeof(*chapter->lines));
	if (!chapter->lines) {
		return prof_fail_nomem(err);
	}
	count = 0;
	for (uint32_t i = 0; i < chapter->function_count; i++) {
		const struct prof_list_function *function = &chapter->functions[i];

		memcpy(chapter->lines + count, function->lines,
		       function->line_count * sizeof(*function->lines));
		count += function->line_count;
	}
	qsort(chapter->lines, count, sizeof(*chapter->lines), compare_lines);
	for (size_t i = 0; i < count; i++) {
		const struct prof_list_line *line = &chapter->lines[i];
		struct prof_list_line *last = chapter->lines + kept - (kept > 0);

		if (kept == 0 || last->line != line->line) {
			chapter->lines[kept++] = *line;
		} else if (__builtin_add_overflow(last->flat, line->flat,
						  &last->flat) ||
			   __builtin_add_overflow(last->cum, line->cum, &last->cum)) {
			return prof_fail(err, PROF_ERR_LIMIT,
					 "the sum of a line does not fit 64 bits");
		}
	}
	chapter->line_count = kept;
	return true;
}

static void add_totals(struct page *page, const struct chapter *chapter)
{
	for (uint32_t i = 0; i < chapter->function_count; i++) {
		const struct prof_list_function *function = &chapter->functions[i];
		struct prof_buf *text = NULL;

		prof_markup_open(&page->xml, "pre");
		text = prof_markup_text(&page->xml);
		prof_buf_addf(text, "%8s", "");
		add_value_or_dot(page, function->flat, text);
		add_value_or_dot(page, function->cum, text);
		prof_buf_adds(text, "(flat, cum) ");
		prof_value_add_percent(text, &page->job->style, function->cum);
		prof_buf_adds(text, " of Total  ");
		prof_text_escape(text, function->name);
		prof_markup_put(&page->xml);
		prof_markup_close_full(&page->xml);
		prof_markup_line(&page->xml);
	}
}

static bool add_chapter(struct page *page, struct chapter *chapter,
			struct prof_error *err)
{
	const struct pprof_options *o = page->job->options;
	const struct source_roots roots = {
		.folders = o->source_path,
		.prefixes = o->trim_path,
	};
	struct source_file file = { 0 };
	struct prof_buf tried = { .max = 1 << 16 };
	bool ok = join_lines(chapter, err) && find_places(page, chapter, err);
	bool found = false;

	if (ok) {
		found = chapter->file.len > 0 &&
			source_file_find(&file, chapter->file, &roots, &tried);
		element(page, "h2",
			chapter->file.len > 0 ? chapter->file
					      : prof_text("no source file"));
		add_totals(page, chapter);
		if (found) {
			add_ranges(page, chapter, &file);
		} else {
			element(page, "p",
				prof_text("The source is not below the folders of "
					  "-source_path."));
			add_known(page, chapter);
		}
	}
	source_file_free(&file);
	prof_buf_free(&tried);
	prof_free(chapter->lines);
	prof_free(chapter->places);
	return ok;
}

/* --- what matches -------------------------------------------------------------------- */

static bool matches_all(void *context, struct prof_text text)
{
	(void)context;
	(void)text;
	return true;
}

static bool is_routine(const struct pprof_code *code, struct prof_text name)
{
	for (size_t i = 0; i < code->routine_count; i++) {
		const struct pprof_routine *routine = &code->routines[i];

		if (routine->by_address &&
		    (prof_text_equal(routine->name, name) ||
		     prof_text_equal(routine->sum.function, name))) {
			return true;
		}
	}
	return false;
}

/* Leave the functions that match in the list. */
static void choose(const struct page *page, const struct pattern *names,
		   struct prof_list *list)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < list->function_count; i++) {
		const struct prof_list_function *function = &list->functions[i];

		if (function->name.len == 0 && function->file.len == 0) {
			continue;
		}
		if (pattern_match(names, function->name.data, function->name.len) ||
		    pattern_match(names, function->file.data, function->file.len) ||
		    is_routine(&page->code, function->name)) {
			list->functions[kept++] = *function;
		}
	}
	list->function_count = kept;
}

static int compare_functions(const void *a, const void *b)
{
	const struct prof_list_function *x = a;
	const struct prof_list_function *y = b;
	int order = prof_text_compare(x->file, y->file);

	if (order == 0) {
		order = (x->first > y->first) - (x->first < y->first);
	}
	return order != 0 ? order : prof_text_compare(x->name, y->name);
}

static bool add_chapters(struct page *page, struct prof_list *list,
			 struct prof_error *err)
{
	uint32_t i = 0;

	qsort(list->functions, list->function_count, sizeof(*list->functions),
	      compare_functions);
	while (i < list->function_count) {
		struct chapter chapter = {
			.file = list->functions[i].file,
			.functions = &list->functions[i],
		};

		while (i < list->function_count &&
		       prof_text_equal(list->functions[i].file, chapter.file)) {
			chapter.function_count++;
			i++;
		}
		if (!add_chapter(page, &chapter, err)) {
			return false;
		}
	}
	return true;
}

/* --- code ---------------------------------------------------------------------------- */

static int compare_cost(const void *a, const void *b)
{
	const struct pprof_routine *x = a;
	const struct pprof_routine *y = b;

	if (x->sum.cum != y->sum.cum) {
		return x->sum.cum > y->sum.cum ? -1 : 1;
	}
	return prof_text_compare(x->name, y->name);
}

/* Instructions of the routines that cost most, as far as they can be had. */
static bool read_code(struct page *page, struct prof_error *err)
{
	struct pprof_code *code = &page->code;
	size_t count = 0;

	if (code->routine_count > 0) {
		qsort(code->routines, code->routine_count, sizeof(*code->routines),
		      compare_cost);
	}
	for (size_t i = 0; i < code->routine_count && i < ROUTINES_MAX; i++) {
		if (!pprof_steps_init(&page->steps[i], &code->routines[i],
				      page->job->options->intel_syntax, err)) {
			if (err->code == PROF_ERR_NOMEM) {
				return false;
			}
			notice("%s", err->message);
			break;
		}
		page->steps_count = i + 1;
		count += page->steps[i].count;
	}
	page->places = prof_alloc_array(count + 1, sizeof(*page->places));
	if (!page->places) {
		return prof_fail_nomem(err);
	}
	for (size_t i = 0; i < page->steps_count; i++) {
		for (size_t k = 0; k < page->steps[i].count; k++) {
			const struct pprof_step *step = &page->steps[i].items[k];
			struct place *place = &page->places[page->place_count++];

			*place = (struct place){ &code->routines[i], step, step->line };
		}
	}
	qsort(page->places, page->place_count, sizeof(*page->places), compare_places);
	return true;
}

/* --- lines that only the program knows ----------------------------------------------- */

static struct prof_list_function *function_of(struct prof_list *list, uint32_t first,
					      const struct place *place,
					      size_t line_max)
{
	struct prof_list_function *function = NULL;

	for (uint32_t i = first; i < list->function_count; i++) {
		if (prof_text_equal(list->functions[i].file, place->step->file)) {
			return &list->functions[i];
		}
	}
	function = &list->functions[list->function_count];
	*function = (struct prof_list_function){
		.name = place->routine->name,
		.file = place->step->file,
		.lines = prof_arena_array(&list->arena, line_max,
					  sizeof(*function->lines)),
	};
	list->function_count += function->lines != NULL;
	return function->lines ? function : NULL;
}

/* Sums of one routine fit: prof_asm_add() has made sure; lines come in order. */
static void add_place(struct prof_list_function *function, const struct place *place)
{
	const struct pprof_step *step = place->step;
	struct prof_list_line *line = function->lines + function->line_count;

	if (function->line_count > 0 && line[-1].line == step->line) {
		line--;
	} else {
		line->line = step->line;
		function->line_count++;
	}
	line->flat += step->sum.flat;
	line->cum += step->sum.cum;
	function->flat += step->sum.flat;
	function->cum += step->sum.cum;
	if (function->first == 0) {
		function->first = step->line > MARGIN ? step->line - MARGIN : 1;
	}
	function->last = step->line + MARGIN;
}

/*
 * A routine without a name in the profile has no lines there either: take those of its
 * instructions. Lines of several files make several functions of one name.
 */
static bool add_routine(const struct page *page, size_t index, struct prof_list *list)
{
	const struct pprof_routine *routine = &page->code.routines[index];
	uint32_t first = list->function_count;

	for (size_t i = 0; i < page->place_count; i++) {
		const struct place *place = &page->places[i];
		struct prof_list_function *function = NULL;

		if (place->routine != routine || place->step->line < 1 ||
		    (place->step->sum.flat == 0 && place->step->sum.cum == 0)) {
			continue;
		}
		function = function_of(list, first, place, page->steps[index].count);
		if (!function) {
			return false;
		}
		add_place(function, place);
	}
	return true;
}

static bool add_routines(const struct page *page, struct prof_list *list,
			 struct prof_error *err)
{
	struct prof_list_function *functions =
		prof_arena_array(&list->arena, list->function_count + page->place_count,
				 sizeof(*functions));

	if (list->function_count + page->place_count == 0) {
		return true;
	}
	if (!functions) {
		return prof_fail_nomem(err);
	}
	if (list->function_count > 0) {
		memcpy(functions, list->functions,
		       list->function_count * sizeof(*functions));
	}
	list->functions = functions;
	for (size_t i = 0; i < page->steps_count; i++) {
		if (page->code.routines[i].sum.function.len == 0 &&
		    !add_routine(page, i, list)) {
			return prof_fail_nomem(err);
		}
	}
	return true;
}

/* --- the page ------------------------------------------------------------------------ */

static void add_head(struct page *page)
{
	struct prof_markup *xml = &page->xml;

	prof_markup_open(xml, "html");
	prof_markup_open(xml, "head");
	prof_markup_open(xml, "meta");
	prof_markup_attr(xml, "charset", "utf-8");
	prof_markup_close(xml);
	prof_markup_open(xml, "meta");
	prof_markup_attr(xml, "http-equiv", "Content-Security-Policy");
	prof_markup_attr(xml, "content",
			 "default-src 'none'; style-src 'unsafe-inline'");
	prof_markup_close(xml);
	prof_markup_line(xml);
	element(page, "title", prof_text("source listing"));
	prof_markup_open(xml, "style");
	prof_buf_adds(prof_markup_text(xml), head_style);
	prof_markup_put_raw(xml);
	prof_markup_close_full(xml);
	prof_markup_close_full(xml);
	prof_markup_line(xml);
	prof_markup_open(xml, "body");
	prof_markup_line(xml);
}

static void add_labels(struct page *page)
{
	struct prof_markup *xml = &page->xml;
	struct prof_buf labels = { 0 };
	struct prof_buf *text = NULL;
	size_t at = 0;

	pprof_header_profile(&page->job->header, &page->job->style, &labels);
	pprof_header_filters(&page->job->header, &page->job->style, &labels);
	prof_markup_open(xml, "pre");
	text = prof_markup_text(xml);
	while (at < labels.len) {
		const char *line = labels.data + at;
		const char *end = memchr(line, '\n', labels.len - at);
		size_t len = end ? (size_t)(end - line) : labels.len - at;

		prof_text_escape(text, (struct prof_text){ line, len });
		prof_buf_addc(text, '\n');
		at += len + 1;
	}
	prof_buf_adds(text, "Total: ");
	prof_value_add(text, &page->job->style, page->job->style.total);
	prof_markup_put(xml);
	prof_markup_close_full(xml);
	prof_markup_line(xml);
	prof_buf_free(&labels);
}

static bool write_page(struct page *page, struct prof_list *list, struct prof_buf *out,
		       struct prof_error *err)
{
	bool ok = false;

	if (list->function_count == 0) {
		return prof_fail(err, PROF_ERR_MISMATCH,
				 "no matches found for regexp: %s",
				 page->job->options->regex);
	}
	prof_buf_adds(out, "<!DOCTYPE html>\n");
	if (!prof_markup_init(&page->xml, out, false, err)) {
		return false;
	}
	add_head(page);
	add_labels(page);
	ok = add_chapters(page, list, err);
	prof_markup_close_full(&page->xml);
	prof_markup_close_full(&page->xml);
	prof_markup_line(&page->xml);
	return prof_markup_finish(&page->xml) ? ok : ok && prof_fail_nomem(err);
}

bool pprof_weblist(const struct pprof_job *job, struct prof_buf *out,
		   struct prof_error *err)
{
	struct pattern names = { 0 };
	const struct pprof_code_options options = { .names = &names, .files = true };
	const struct prof_aggregate_options grain = {
		.granularity = PROF_GRANULARITY_LINES,
		.no_inlines = job->options->noinlines,
	};
	const struct prof_list_options all = {
		.column = job->view.column,
		.drop_negative = job->options->drop_negative,
		.names = { matches_all, NULL },
		.trim = { prof_text(job->options->trim_path),
			  prof_text(job->options->source_path) },
	};
	struct page page = { .job = job };
	struct prof_aggregate lines = { 0 };
	struct prof_list *list = NULL;
	bool ok = pattern_init(&names, job->options->regex, err) &&
		  pprof_code_init(&page.code, job, &options, err) &&
		  read_code(&page, err) &&
		  prof_aggregate_init(&lines, job->view.profile, &grain, err) &&
		  prof_list_build(&lines.view, &all, &list, err);

	if (ok) {
		choose(&page, &names, list);
		ok = add_routines(&page, list, err) &&
		     write_page(&page, list, out, err);
	}
	for (size_t i = 0; i < page.steps_count; i++) {
		pprof_steps_free(&page.steps[i]);
	}
	prof_free(page.places);
	pprof_code_free(&page.code);
	prof_list_free(list);
	prof_aggregate_free(&lines);
	pattern_free(&names);
	return ok;
}

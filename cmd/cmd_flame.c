/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cmd/command.h"
#include "cmd/filter_options.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/output.h"
#include "cmd/report_options.h"
#include "formats/render/svg.h"
#include "libprof/report/calltree.h"

static const char *const color_by_words[] = { "auto", "kind", "name", "package", NULL };

static const char *const granularities[] = { "function", "file",   "line", "address",
					     "module",   "label:", NULL };

struct flame_options {
	const char *title;
	const char *subtitle;
	const char *id;
	int64_t width;
	int64_t row;
	int64_t static_max;
	int color_by;
	int palette;
	bool reverse;
	bool icicle;
	bool bare;
	struct report_options report; /* all but the unit */
	struct filter_options filter;
	struct input_options input;
	struct output_options output;
};

static const struct option options[] = {
	{ 't', "title", "TEXT", "heading of the picture (type and unit of the values)",
	  OPTION_TEXT(struct flame_options, title) },
	{ 0, "subtitle", "TEXT", "a line under the heading",
	  OPTION_TEXT(struct flame_options, subtitle) },
	{ 'r', "reverse", NULL, "merge stacks from the leaf: who calls what is hot",
	  OPTION_FLAG(struct flame_options, reverse), .alias = "leaf-first" },
	{ 'i', "icicle", NULL, "root at the top",
	  OPTION_FLAG(struct flame_options, icicle), .alias = "inverted" },
	{ 0, "by", "WHAT",
	  "a box is a function, file, line, address, module or label:KEY (function)",
	  OPTION_TEXT(struct flame_options, report.by), .values = granularities },
	{ 0, "sample-type", "TYPE", "the values to draw (the profile's default)",
	  OPTION_TEXT(struct flame_options, report.sample_type),
	  .alias = "sample_index" },
	{ 0, "color-by", "WHAT",
	  "what colors tell; auto is the kind of code where it is known",
	  OPTION_CHOICE(struct flame_options, color_by, color_by_words) },
	{ 0, "colors", "PALETTE", "hues to choose from",
	  OPTION_CHOICE(struct flame_options, palette, prof_palette_names) },
	{ 0, "width", "PIXELS",
	  "of the static picture; a viewer fills its window (1200)",
	  OPTION_INTEGER(struct flame_options, width), .min = 200, .max = 20000 },
	{ 0, "height", "PIXELS", "of one row (16)",
	  OPTION_INTEGER(struct flame_options, row), .min = 10, .max = 64 },
	{ 0, "static-max", "N",
	  "at most N boxes without script; all are in the file (4000)",
	  OPTION_INTEGER(struct flame_options, static_max), .min = 1, .max = 1000000 },
	{ 0, "id-prefix", "NAME", "id of the picture, when several stand in one page",
	  OPTION_TEXT(struct flame_options, id) },
	{ 0, "bare", NULL, "boxes and labels only: no style, no script, no data",
	  OPTION_FLAG(struct flame_options, bare) },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct flame_options, filter),
	OPTION_INCLUDE(struct flame_options, input),
	OPTION_INCLUDE(struct flame_options, output),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool flame -o cpu.svg go-cpu.pb.gz", "a picture to open in a browser" },
	{ "cat go-cpu.pb.gz | fgtool flame > cpu.svg", "at the end of a pipe" },
	{ "fgtool flame --reverse -o hot.svg go-cpu.pb.gz",
	  "the hot functions at the bottom, their callers above" },
	{ "fgtool flame --sample-type inuse_space --colors mem -o heap.svg go-heap-1.pb.gz",
	  "what holds memory" },
	{ 0 },
};

/* An id is a name in CSS selectors and URLs, so it is kept to what needs no escape. */
static bool check_id(const char *id, struct prof_error *err)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char rest[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

	if (strspn(id, letters) > 0 && strspn(id, rest) == strlen(id) &&
	    strlen(id) <= PROF_SVG_MAX_ID) {
		return true;
	}
	return prof_fail(
		err, PROF_ERR_SYNTAX,
		"--id-prefix: '%s' is not a letter and up to %d letters, digits, "
		"'-' or '_'",
		id, PROF_SVG_MAX_ID - 1);
}

static struct prof_text text_or_empty(const char *text)
{
	return text ? prof_text(text) : (struct prof_text){ 0 };
}

static bool draw(const struct flame_options *flame, const struct prof_profile *profile,
		 uint32_t column, const struct prof_calltree *tree,
		 struct prof_buf *notes, struct prof_error *err)
{
	struct prof_svg_options svg = {
		.title = text_or_empty(flame->title),
		.subtitle = text_or_empty(flame->subtitle),
		.width = (uint32_t)flame->width,
		.row = (uint32_t)flame->row,
		.static_max = (uint32_t)flame->static_max,
		.id = flame->id,
		.color_by = (enum prof_svg_color)flame->color_by,
		.palette = (enum prof_palette)flame->palette,
		.icicle = flame->icicle,
		.leaf_first = flame->reverse,
		.bare = flame->bare,
	};
	struct prof_buf out = { 0 };
	bool ok = false;

	if (column < profile->type_count) {
		svg.type = prof_string(profile, profile->types[column].type);
		svg.unit = prof_string(profile, profile->types[column].unit);
	}
	ok = prof_svg_write(tree, &svg, &out, notes, err) &&
	     output_write(flame->output.path, out.data, out.len, false, err);
	prof_buf_free(&out);
	return ok;
}

/* Say each line of `notes` on stderr. */
static void say_notes(const struct prof_buf *notes)
{
	const char *line = notes->data;
	const char *end = notes->data + notes->len;

	while (line < end) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const char *stop = newline ? newline : end;

		notice("%.*s", (int)(stop - line), line);
		line = stop + 1;
	}
}

static int run_flame(const struct command *self, int argc, char **argv)
{
	struct flame_options flame = { 0 };
	struct prof_calltree_options shape = { 0 };
	struct prof_profile *profile = NULL;
	struct prof_calltree *tree = NULL;
	struct prof_buf notes = { 0 };
	struct prof_error err = { 0 };
	bool ok = false;

	argc = options_parse(self, &flame, argc, argv);
	if (flame.id && !check_id(flame.id, &err)) {
		usage_error(self, "%s", err.message);
	}
	if (output_is_terminal(flame.output.path)) {
		return trouble(
			"a picture is not for a terminal: use -o FILE or > FILE");
	}
	shape.leaf_first = flame.reverse;
	ok = report_key(&flame.report, &shape.key, &err) &&
	     input_profile(&flame.input, argc, argv, &profile, &err) &&
	     report_has_label(profile, &shape.key, &err) &&
	     filter_profile(&flame.filter, &profile, &err) &&
	     input_column(profile, flame.report.sample_type, &shape.column, &err) &&
	     prof_calltree_build(profile, &shape, &tree, &err) &&
	     draw(&flame, profile, shape.column, tree, &notes, &err);
	if (ok) {
		say_notes(&notes);
	}
	prof_buf_free(&notes);
	prof_calltree_free(tree);
	prof_profile_free(profile);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_flame = {
	.name = "flame",
	.group = "pictures",
	.summary = "Draw a flame graph",
	.usage = "[PROFILE...]",
	.description =
		"Writes one SVG file that needs nothing else: open it in any browser,\n"
		"mail it, put it into a page. A click zooms, / searches, ? tells the keys.\n"
		"The width of a box is its share of the values; all frames are in the\n"
		"file, and what is too narrow to see is drawn as one hatched box.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_flame,
};

/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/filter_options.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/output.h"
#include "cmd/report_options.h"
#include "cmd/terminal.h"
#include "formats/render/cairo.h"
#include "formats/render/html.h"
#include "formats/render/svg.h"
#include "formats/render/text.h"
#include "libprof/report/calltree.h"

static const char *const color_by_words[] = { "auto", "kind", "name", "package", NULL };

static const char *const granularities[] = { "function", "file",   "line", "address",
					     "module",   "label:", NULL };

enum target {
	TARGET_AUTO,
	TARGET_SVG,
	TARGET_HTML,
	TARGET_PNG,
	TARGET_PDF,
	TARGET_TEXT,
};

static const char *const target_words[] = { "auto", "svg",  "html", "png",
					    "pdf",  "text", NULL };

/* By enum target: what draws it, and how a name of such a file ends. */
static const struct {
	bool (*write)(const struct prof_calltree *, const struct prof_picture_options *,
		      struct prof_buf *, struct prof_buf *, struct prof_error *);
	const char *suffix;
	bool binary;
} targets[] = {
	[TARGET_SVG] = { prof_svg_write, ".svg", false },
	[TARGET_HTML] = { prof_html_write, ".html", false },
	[TARGET_PNG] = { prof_png_write, ".png", true },
	[TARGET_PDF] = { prof_pdf_write, ".pdf", true },
	[TARGET_TEXT] = { prof_flame_text_write, ".txt", false },
};

enum { TARGETS = sizeof(targets) / sizeof(targets[0]) };

struct flame_options {
	const char *title;
	const char *subtitle;
	const char *id;
	int64_t width;
	int64_t row;
	int64_t static_max;
	int64_t scale;
	int64_t columns;
	int color_by;
	int palette;
	int to;
	int color;
	bool reverse;
	bool icicle;
	bool bare;
	struct report_options report; /* all but the unit */
	struct filter_options filter;
	struct input_options input;
	struct output_options output;
};

static const struct option options[] = {
	{ 0, "to", "FORMAT",
	  "what to write (by the end of the output's name; text on a terminal, or svg)",
	  OPTION_CHOICE(struct flame_options, to, target_words) },
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
	{ 0, "scale", "N", "PNG: pixels per pixel (1)",
	  OPTION_INTEGER(struct flame_options, scale), .min = 1,
	  .max = PROF_PNG_MAX_SCALE },
	{ 0, "columns", "N", "text: of a line (those of the terminal, or 80)",
	  OPTION_INTEGER(struct flame_options, columns), .min = PROF_TEXT_MIN_COLUMNS,
	  .max = PROF_TEXT_MAX_COLUMNS },
	{ 0, "color", "WHEN", "text: with colors",
	  OPTION_CHOICE(struct flame_options, color, color_choices) },
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
	{ "fgtool flame -o cpu.html go-cpu.pb.gz",
	  "a page with a table of functions, for the largest profiles" },
	{ "fgtool flame --to text go-cpu.pb.gz", "a picture of characters" },
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
	    strlen(id) <= PROF_PICTURE_MAX_ID) {
		return true;
	}
	return prof_fail(
		err, PROF_ERR_SYNTAX,
		"--id-prefix: '%s' is not a letter and up to %d letters, digits, "
		"'-' or '_'",
		id, PROF_PICTURE_MAX_ID - 1);
}

static struct prof_text text_or_empty(const char *text)
{
	return text ? prof_text(text) : (struct prof_text){ 0 };
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text);

	return len >= strlen(end) && strcmp(text + len - strlen(end), end) == 0;
}

/* Whether a name promises a profile, which a picture is not. */
static bool names_profile(const char *path)
{
	static const char *const suffixes[] = { ".pb",     ".gz",        ".zst",
						".folded", ".collapsed", ".json" };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (ends_with(path, suffixes[i])) {
			return true;
		}
	}
	return false;
}

/* What is asked for, or what the output is: by its name, or where it goes. */
static enum target choose_target(const struct flame_options *flame)
{
	const char *path = flame->output.path;

	if (flame->to != TARGET_AUTO) {
		return (enum target)flame->to;
	}
	for (int i = 1; path && i < TARGETS; i++) {
		if (ends_with(path, targets[i].suffix)) {
			return (enum target)i;
		}
	}
	if (path && ends_with(path, ".htm")) {
		return TARGET_HTML;
	}
	return output_is_terminal(path) ? TARGET_TEXT : TARGET_SVG;
}

static struct prof_picture_options picture_options(const struct flame_options *flame)
{
	bool terminal = output_is_terminal(flame->output.path);
	struct prof_picture_options picture = {
		.title = text_or_empty(flame->title),
		.subtitle = text_or_empty(flame->subtitle),
		.width = (uint32_t)flame->width,
		.row = (uint32_t)flame->row,
		.static_max = (uint32_t)flame->static_max,
		.scale = (uint32_t)flame->scale,
		.columns = (uint32_t)flame->columns,
		.id = flame->id,
		.color_by = (enum prof_picture_color)flame->color_by,
		.palette = (enum prof_palette)flame->palette,
		.icicle = flame->icicle,
		.leaf_first = flame->reverse,
		.bare = flame->bare,
	};

	/* Colors are for a terminal, unless they are asked for. */
	picture.color = flame->color != COLOR_NEVER &&
			(terminal || flame->color == COLOR_ALWAYS) &&
			terminal_color(flame->color, STDOUT_FILENO);
	if (picture.columns == 0 && terminal) {
		size_t columns = terminal_width(STDOUT_FILENO);

		picture.columns =
			columns < PROF_TEXT_MIN_COLUMNS   ? PROF_TEXT_MIN_COLUMNS
			: columns > PROF_TEXT_MAX_COLUMNS ? PROF_TEXT_MAX_COLUMNS
							  : (uint32_t)columns;
	}
	return picture;
}

static bool draw(const struct flame_options *flame, const struct prof_profile *profile,
		 uint32_t column, const struct prof_calltree *tree,
		 struct prof_buf *notes, struct prof_error *err)
{
	struct prof_picture_options picture = picture_options(flame);
	enum target target = choose_target(flame);
	struct prof_buf out = { 0 };
	bool ok = false;

	if (column < profile->type_count) {
		picture.type = prof_string(profile, profile->types[column].type);
		picture.unit = prof_string(profile, profile->types[column].unit);
	}
	ok = targets[target].write(tree, &picture, &out, notes, err) &&
	     output_write(flame->output.path, out.data, out.len, targets[target].binary,
			  err);
	prof_buf_free(&out);
	return ok;
}

/* Say each line of `notes` on stderr. */
static void say_notes(const struct prof_buf *notes)
{
	const char *line = notes->data;
	const char *end = line ? line + notes->len : NULL;

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
	if (flame.to == TARGET_AUTO && flame.output.path &&
	    names_profile(flame.output.path)) {
		usage_error(self,
			    "'%s' is the name of a profile: 'fgtool convert' writes "
			    "those, and --to names a picture",
			    flame.output.path);
	}
	if (output_is_terminal(flame.output.path) &&
	    choose_target(&flame) != TARGET_TEXT) {
		return trouble(
			"a picture is not for a terminal: use -o FILE, > FILE or "
			"--to text");
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
		"Writes one file that needs nothing else, and is what its name says: .svg,\n"
		".html, .png, .pdf or .txt. Open SVG and HTML in any browser: a click\n"
		"zooms, / searches, ? tells the keys. HTML has a table of functions too.\n"
		"The width of a box is its share of the values; all frames are in the\n"
		"file, and what is too narrow to see is drawn as one hatched box.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_flame,
};

/* SPDX-License-Identifier: MIT */
#include "formats/render/svg.h"

#include <inttypes.h>
#include <stdio.h>

#include "formats/render/fg1.h"
#include "formats/render/quantity.h"
#include "formats/render/svg_parts.h"
#include "libprof/base/alloc.h"

static const unsigned char viewer_js[] = {
#include "formats/render/viewer.js.inc"
};

enum {
	GROUP_MAX = 16, /* pixels; narrow frames beyond these get another box */
};

static void put_hatch(struct svg *svg)
{
	struct prof_markup *xml = &svg->xml;
	char id[32];

	snprintf(id, sizeof(id), "%s-h", svg->id);
	prof_markup_open(xml, "pattern");
	prof_markup_attr(xml, "id", id);
	prof_markup_attr(xml, "width", "4");
	prof_markup_attr(xml, "height", "4");
	prof_markup_attr(xml, "patternUnits", "userSpaceOnUse");
	prof_markup_open(xml, "path");
	prof_markup_attr(xml, "class", "fg-hatch");
	prof_markup_attr(xml, "d", "M-1 1l2-2M0 4l4-4M3 5l2-2");
	prof_markup_close(xml);
	prof_markup_close(xml);
	prof_markup_line(xml);
}

static void put_root_attributes(struct svg *svg)
{
	struct prof_markup *xml = &svg->xml;
	const struct prof_svg_options *o = &svg->options;
	uint64_t height = svg->head + (uint64_t)svg->rows * o->row + PROF_SVG_FOOT;
	char text[80];

	prof_markup_attr(xml, "xmlns", "http://www.w3.org/2000/svg");
	prof_markup_number(xml, "width", o->width);
	prof_markup_number(xml, "height", height);
	snprintf(text, sizeof(text), "0 0 %" PRIu32 " %" PRIu64, o->width, height);
	prof_markup_attr(xml, "viewBox", text);
	prof_markup_attr(xml, "id", svg->id);
	prof_markup_attr(xml, "class", "fg");
	prof_markup_attr(xml, "role", "img");
	snprintf(text, sizeof(text), "%s-t %s-s", svg->id, svg->id);
	prof_markup_attr(xml, "aria-labelledby", text);
	prof_markup_attr(xml, "font-family", "monospace");
	prof_markup_number(xml, "font-size", svg->font);
	if (!o->bare) {
		prof_markup_attr(xml, "data-fg", "1");
		prof_markup_number(xml, "data-row", o->row);
		prof_markup_number(xml, "data-head", svg->head);
	}
	prof_markup_line(xml);
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/*
 * Append a line of script without the spaces that separate nothing: those next to
 * punctuation, outside single quotes.
 */
static void add_code(struct prof_buf *out, const char *line, size_t len)
{
	bool quoted = false;

	for (size_t i = 0; i < len; i++) {
		if (quoted && line[i] == '\\' && i + 1 < len) {
			prof_buf_addc(out, line[i++]);
		} else if (line[i] == '\'') {
			quoted = !quoted;
		}
		if (quoted || line[i] != ' ' ||
		    (i > 0 && is_word(line[i - 1]) && i + 1 < len &&
		     is_word(line[i + 1]))) {
			prof_buf_addc(out, line[i]);
		}
	}
}

/* Where the line at `at` of the script ends: the offset behind its newline. */
static size_t line_end(size_t at)
{
	while (at < sizeof(viewer_js) && viewer_js[at] != '\n') {
		at++;
	}
	return at < sizeof(viewer_js) ? at + 1 : at;
}

/* viewer.js without indentation and without comments that have lines of their own. */
static void add_script(struct prof_buf *out)
{
	const char *text = (const char *)viewer_js;
	bool comment = false;
	size_t next = 0;

	prof_buf_adds(out, "/* fgtool's viewer; MIT */\n");
	for (size_t at = 0; at < sizeof(viewer_js); at = next) {
		next = line_end(at);
		while (at < next &&
		       (text[at] == '\t' || (comment && text[at] == ' '))) {
			at++;
		}
		comment = comment ||
			  (next - at > 2 && text[at] == '/' && text[at + 1] == '*');
		if (!comment && next - at > 1) {
			add_code(out, text + at, next - at);
		}
		comment = comment && !memmem(text + at, next - at, "*/", 2);
	}
}

/* The data block and the script, which make a picture a viewer. */
static void put_viewer(struct svg *svg)
{
	struct prof_markup *xml = &svg->xml;
	char id[32];

	snprintf(id, sizeof(id), "%s-d", svg->id);
	prof_markup_open(xml, "metadata");
	prof_markup_attr(xml, "id", id);
	prof_markup_attr(xml, "data-format", "fg1");
	prof_markup_cdata(xml, svg->data.data, svg->data.len);
	prof_markup_close(xml);
	prof_markup_line(xml);
	add_script(prof_markup_text(xml));
	prof_markup_open(xml, "script");
	prof_markup_put_cdata(xml);
	prof_markup_close(xml);
	prof_markup_line(xml);
}

static void put_document(struct svg *svg)
{
	struct prof_markup *xml = &svg->xml;

	prof_markup_open(xml, "svg");
	put_root_attributes(svg);
	prof_svg_put_description(svg);
	if (!svg->options.bare) {
		prof_svg_put_style(svg);
		put_hatch(svg);
	}
	prof_markup_open(xml, "rect");
	prof_markup_attr(xml, "class", "fg-bg");
	prof_markup_attr(xml, "width", "100%");
	prof_markup_attr(xml, "height", "100%");
	prof_markup_attr(xml, "fill", "#fff");
	prof_markup_close(xml);
	prof_markup_line(xml);
	prof_svg_put_rows(svg);
	prof_svg_put_header(svg);
	if (!svg->options.bare) {
		put_viewer(svg);
	}
	prof_markup_close(xml);
}

static bool lay_out(struct svg *svg, struct prof_error *err)
{
	const struct prof_calltree *tree = svg->tree;
	struct prof_boxes_options pick = {
		.max = svg->options.static_max,
		.span = svg->options.width - 2 * PROF_SVG_PAD,
		.group_max = GROUP_MAX,
	};
	uint32_t *depths = prof_alloc_array(tree->node_count, sizeof(*depths));
	uint32_t *ends = prof_alloc_array(tree->node_count, sizeof(*ends));
	bool ok = false;

	if (!depths || !ends) {
		prof_error_set(err, PROF_ERR_NOMEM, "out of memory");
		goto out;
	}
	for (uint32_t i = 0; i < tree->node_count; i++) {
		depths[i] = tree->nodes[i].depth;
		ends[i] = tree->nodes[i].end;
	}
	ok = prof_layout_init(&svg->layout, depths, tree->self[0], tree->node_count,
			      err) &&
	     prof_boxes_init(&svg->boxes, &svg->layout, ends, &pick, err);
out:
	prof_free(depths);
	prof_free(ends);
	return ok;
}

static void add_notes(struct svg *svg)
{
	struct prof_buf *out = &svg->notes;
	const struct prof_layout *layout = &svg->layout;
	bool one = layout->negative_count == 1;

	if (layout->negative_count > 0) {
		prof_buf_addc(out, '-');
		prof_svg_add_value(out, svg, layout->negative);
		prof_buf_adds(out, " in ");
		prof_quantity_add_count(out, layout->negative_count);
		prof_buf_adds(out, one ? " frame is" : " frames are");
		prof_buf_adds(out, " negative and not drawn\n");
	}
}

/* What depends on the data: texts above the boxes, the id, the size of the header. */
static bool prepare(struct svg *svg)
{
	const struct prof_svg_options *o = &svg->options;
	struct prof_fg1 fg1 = {
		.tree = svg->tree,
		.layout = &svg->layout,
		.classes = svg->classes,
		.type = o->type,
		.unit = o->unit,
		.icicle = o->icicle,
		.leaf_first = o->leaf_first,
	};
	uint32_t lines = 1u + (o->subtitle.len > 0) + svg->by_kind;

	prof_text_escape(&svg->title, o->title);
	if (o->title.len == 0) {
		prof_text_escape(&svg->title, o->type);
		prof_buf_adds(&svg->title, " (");
		prof_text_escape(&svg->title, o->unit);
		prof_buf_adds(&svg->title, ")");
	}
	fg1.title = (struct prof_text){ svg->title.data, svg->title.len };
	add_notes(svg);
	for (size_t i = 0; i < svg->notes.len; i++) {
		lines += svg->notes.data[i] == '\n';
	}
	prof_fg1_write(&svg->data, &fg1);
	if (o->id) {
		snprintf(svg->id, sizeof(svg->id), "%s", o->id);
	} else if (!svg->data.failed) {
		struct prof_text data = { svg->data.data, svg->data.len };

		snprintf(svg->id, sizeof(svg->id), "fg%06" PRIx32,
			 prof_palette_hash(data) >> 8);
	}
	svg->font = o->row * 3 / 4;
	svg->head = PROF_SVG_TITLE_LINE + lines * PROF_SVG_HEAD_LINE + 12;
	svg->rows = svg->boxes.row_count > 0 ? svg->boxes.row_count : 1;
	return !svg->title.failed && !svg->notes.failed && !svg->data.failed;
}

static struct prof_svg_options with_defaults(const struct prof_svg_options *options)
{
	struct prof_svg_options full = *options;

	full.width = full.width > 0 ? full.width : PROF_SVG_WIDTH;
	full.row = full.row > 0 ? full.row : PROF_SVG_ROW;
	full.static_max = full.static_max > 0 ? full.static_max : PROF_SVG_STATIC_MAX;
	return full;
}

bool prof_svg_write(const struct prof_calltree *tree,
		    const struct prof_svg_options *options, struct prof_buf *out,
		    struct prof_buf *notes, struct prof_error *err)
{
	struct svg svg = { .tree = tree, .options = with_defaults(options) };
	bool ok = false;

	if (!lay_out(&svg, err)) {
		goto out;
	}
	if (!prof_svg_choose_colors(&svg) || !prepare(&svg)) {
		prof_error_set(err, PROF_ERR_NOMEM, "out of memory");
		goto out;
	}
	if (!prof_markup_init(&svg.xml, out, svg.options.bare, err)) {
		goto out;
	}
	put_document(&svg);
	if (!prof_markup_finish(&svg.xml)) {
		prof_error_set(err, PROF_ERR_NOMEM, "out of memory");
		goto out;
	}
	prof_buf_add(notes, svg.notes.data, svg.notes.len);
	if (svg.layout.total == 0 && svg.layout.negative_count == 0) {
		prof_buf_adds(notes, "no samples: the picture is empty\n");
	}
	ok = true;
out:
	prof_layout_free(&svg.layout);
	prof_boxes_free(&svg.boxes);
	prof_free(svg.classes);
	prof_buf_free(&svg.title);
	prof_buf_free(&svg.name);
	prof_buf_free(&svg.notes);
	prof_buf_free(&svg.data);
	return ok;
}

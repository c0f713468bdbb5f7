/* SPDX-License-Identifier: MIT */
#include "formats/render/svg.h"

#include <inttypes.h>
#include <stdio.h>

#include "formats/render/fg1.h"
#include "formats/render/script.h"
#include "formats/render/svg_parts.h"

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
	const struct prof_picture *picture = &svg->picture;
	const struct prof_picture_options *o = &picture->options;
	char text[80];

	prof_markup_attr(xml, "xmlns", "http://www.w3.org/2000/svg");
	prof_markup_number(xml, "width", o->width);
	prof_markup_number(xml, "height", picture->height);
	snprintf(text, sizeof(text), "0 0 %" PRIu32 " %" PRIu64, o->width,
		 picture->height);
	prof_markup_attr(xml, "viewBox", text);
	prof_markup_attr(xml, "id", svg->id);
	prof_markup_attr(xml, "class", "fg");
	prof_markup_attr(xml, "role", "img");
	snprintf(text, sizeof(text), "%s-t %s-s", svg->id, svg->id);
	prof_markup_attr(xml, "aria-labelledby", text);
	prof_markup_attr(xml, "font-family", "monospace");
	prof_markup_number(xml, "font-size", picture->font);
	if (!o->bare) {
		prof_markup_attr(xml, "data-fg", "1");
		prof_markup_number(xml, "data-row", o->row);
		prof_markup_number(xml, "data-head", picture->head);
	}
	prof_markup_line(xml);
}

static void add_fills(struct svg *svg, struct prof_buf *css, enum prof_theme theme)
{
	bool used[PROF_PALETTE_CLASSES];

	prof_picture_used(&svg->picture, used);
	for (uint32_t c = 0; c < PROF_PALETTE_CLASSES; c++) {
		struct prof_rgb rgb = prof_picture_fill(&svg->picture, theme, c);

		if (used[c]) {
			prof_buf_addf(css, "#%s .k%" PRIu32 "{fill:#%02x%02x%02x}\n",
				      svg->id, c, rgb.r, rgb.g, rgb.b);
		}
	}
}

/* The style sheet and the fills. */
static void put_style(struct svg *svg)
{
	struct prof_markup *xml = &svg->xml;
	struct prof_buf *css = prof_markup_text(xml);

	prof_buf_addc(css, '\n');
	prof_script_add_svg_style(css, svg->id);
	add_fills(svg, css, PROF_THEME_LIGHT);
	prof_buf_adds(css, "@media (prefers-color-scheme:dark){\n");
	add_fills(svg, css, PROF_THEME_DARK);
	prof_buf_adds(css, "}\n");
	prof_markup_open(xml, "style");
	prof_markup_put_cdata(xml);
	prof_markup_close(xml);
	prof_markup_line(xml);
}

void prof_svg_put_fill(struct svg *svg, uint32_t color_class)
{
	struct prof_markup *xml = &svg->xml;
	char text[16];

	if (svg->picture.options.bare) {
		struct prof_rgb rgb =
			prof_picture_fill(&svg->picture, PROF_THEME_LIGHT, color_class);

		snprintf(text, sizeof(text), "#%02x%02x%02x", rgb.r, rgb.g, rgb.b);
		prof_markup_attr(xml, "fill", text);
	} else {
		snprintf(text, sizeof(text), "k%" PRIu32, color_class);
		prof_markup_attr(xml, "class", text);
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
	prof_script_add_svg(prof_markup_text(xml));
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
	if (!svg->picture.options.bare) {
		put_style(svg);
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
	if (!svg->picture.options.bare) {
		put_viewer(svg);
	}
	prof_markup_close(xml);
}

/* The data block, and the id that is made from it. */
static bool write_data(struct svg *svg)
{
	const struct prof_picture *picture = &svg->picture;

	prof_fg1_write(&svg->data, picture);
	if (picture->options.id) {
		snprintf(svg->id, sizeof(svg->id), "%s", picture->options.id);
	} else if (!svg->data.failed) {
		struct prof_text data = { svg->data.data, svg->data.len };

		snprintf(svg->id, sizeof(svg->id), "fg%06" PRIx32,
			 prof_palette_hash(data) >> 8);
	}
	return !svg->data.failed;
}

bool prof_svg_write(const struct prof_calltree *tree,
		    const struct prof_picture_options *options, struct prof_buf *out,
		    struct prof_buf *notes, struct prof_error *err)
{
	struct svg svg = { 0 };
	bool ok = false;

	if (!prof_picture_init(&svg.picture, tree, options, err)) {
		return false;
	}
	if (!write_data(&svg)) {
		prof_error_set(err, PROF_ERR_NOMEM, "out of memory");
		goto out;
	}
	if (!prof_markup_init(&svg.xml, out, svg.picture.options.bare, err)) {
		goto out;
	}
	put_document(&svg);
	if (!prof_markup_finish(&svg.xml)) {
		prof_error_set(err, PROF_ERR_NOMEM, "out of memory");
		goto out;
	}
	prof_picture_add_notes(notes, &svg.picture);
	ok = true;
out:
	prof_picture_free(&svg.picture);
	prof_buf_free(&svg.data);
	return ok;
}

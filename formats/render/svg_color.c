/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>

#include "formats/render/svg_parts.h"
#include "libprof/base/alloc.h"

static const unsigned char viewer_css[] = {
#include "formats/render/viewer.css.inc"
};

struct tint {
	const char *text;
	enum prof_tint tint;
};

/* By enum prof_frame_kind. */
static const struct tint tints[] = {
	[PROF_FRAME_OTHER] = { "native", PROF_TINT_NATIVE },
	[PROF_FRAME_KERNEL] = { "kernel", PROF_TINT_KERNEL },
	[PROF_FRAME_JIT] = { "JIT", PROF_TINT_JIT },
	[PROF_FRAME_INLINED] = { "inlined", PROF_TINT_INLINED },
	[PROF_FRAME_INTERPRETED] = { "interpreted", PROF_TINT_INTERPRETED },
	[PROF_FRAME_UNKNOWN] = { "unknown", PROF_TINT_UNKNOWN },
};

static bool has_kinds(const struct prof_calltree *tree)
{
	for (uint32_t i = 0; i < tree->name_count; i++) {
		enum prof_frame_kind kind = tree->names[i].kind;

		if (kind == PROF_FRAME_KERNEL || kind == PROF_FRAME_JIT ||
		    kind == PROF_FRAME_INTERPRETED) {
			return true;
		}
	}
	return false;
}

static uint32_t class_of(const struct svg *svg, const struct prof_tree_name *name)
{
	struct prof_text package = prof_palette_package(name->text);

	if (svg->by_kind) {
		return prof_palette_tint_class(tints[name->kind].tint, name->text);
	}
	if (svg->options.color_by == PROF_SVG_COLOR_PACKAGE && package.len > 0) {
		return prof_palette_class(package);
	}
	return prof_palette_class(name->text);
}

bool prof_svg_choose_colors(struct svg *svg)
{
	const struct prof_calltree *tree = svg->tree;

	svg->by_kind =
		svg->options.color_by == PROF_SVG_COLOR_KIND ||
		(svg->options.color_by == PROF_SVG_COLOR_AUTO && has_kinds(tree));
	svg->classes = prof_alloc_array(tree->name_count, sizeof(*svg->classes));
	for (uint32_t i = 0; svg->classes && i < tree->name_count; i++) {
		svg->classes[i] = (uint8_t)class_of(svg, &tree->names[i]);
	}
	return svg->classes != NULL;
}

static struct prof_rgb fill_of(const struct svg *svg, enum prof_theme theme, uint32_t c)
{
	return prof_palette_fill(
		svg->by_kind ? PROF_PALETTE_TINTS : svg->options.palette, theme, c);
}

/* The class of a box, or its very colour where there is no style sheet to know it. */
void prof_svg_put_fill(struct svg *svg, uint32_t color_class)
{
	struct prof_markup *xml = &svg->xml;
	char text[16];

	if (svg->options.bare) {
		struct prof_rgb rgb = fill_of(svg, PROF_THEME_LIGHT, color_class);

		snprintf(text, sizeof(text), "#%02x%02x%02x", rgb.r, rgb.g, rgb.b);
		prof_markup_attr(xml, "fill", text);
	} else {
		snprintf(text, sizeof(text), "k%" PRIu32, color_class);
		prof_markup_attr(xml, "class", text);
	}
}

static void add_fills(struct svg *svg, struct prof_buf *css, enum prof_theme theme)
{
	bool used[PROF_PALETTE_CLASSES] = { false };

	for (uint32_t i = 0; i < svg->tree->name_count; i++) {
		used[svg->classes[i]] = true;
		/* The legend has one shade of each kind that occurs. */
		if (svg->by_kind) {
			used[prof_svg_kind_class(svg->tree->names[i].kind)] = true;
		}
	}
	for (uint32_t c = 0; c < PROF_PALETTE_CLASSES; c++) {
		struct prof_rgb rgb = fill_of(svg, theme, c);

		if (used[c]) {
			prof_buf_addf(css, "#%s .k%" PRIu32 "{fill:#%02x%02x%02x}\n",
				      svg->id, c, rgb.r, rgb.g, rgb.b);
		}
	}
}

/* viewer.css with each & made the selector of this file's root, and the fills. */
void prof_svg_put_style(struct svg *svg)
{
	struct prof_markup *xml = &svg->xml;
	struct prof_buf *css = prof_markup_text(xml);

	prof_buf_addc(css, '\n');
	for (size_t i = 0; i < sizeof(viewer_css); i++) {
		if (viewer_css[i] == '&') {
			prof_buf_addf(css, "#%s", svg->id);
		} else {
			prof_buf_addc(css, (char)viewer_css[i]);
		}
	}
	add_fills(svg, css, PROF_THEME_LIGHT);
	prof_buf_adds(css, "@media (prefers-color-scheme:dark){\n");
	add_fills(svg, css, PROF_THEME_DARK);
	prof_buf_adds(css, "}\n");
	prof_markup_open(xml, "style");
	prof_markup_put_cdata(xml);
	prof_markup_close(xml);
	prof_markup_line(xml);
}

uint32_t prof_svg_kind_class(enum prof_frame_kind kind)
{
	return (uint32_t)tints[kind].tint * PROF_PALETTE_SHADES;
}

const char *prof_svg_kind_word(enum prof_frame_kind kind)
{
	return tints[kind].text;
}

/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>

#include "formats/render/quantity.h"
#include "formats/render/svg_parts.h"
#include "libprof/base/alloc.h"

#define DOT " \xc2\xb7 "

enum {
	PATH_NAMES = 12, /* of the heaviest path, in the description */
	SWATCH = 11,     /* pixels */
};

void prof_svg_add_name(struct prof_buf *out, const struct svg *svg, uint32_t name)
{
	prof_text_escape(out, svg->tree->names[name].text);
}

void prof_svg_add_value(struct prof_buf *out, const struct svg *svg, uint64_t value)
{
	const struct prof_svg_options *o = &svg->options;

	prof_quantity_add(out, value, prof_quantity_ladder(o->unit),
			  prof_quantity_noun(o->type, o->unit));
}

static uint64_t self_of(const struct svg *svg, uint32_t node)
{
	int64_t self = svg->tree->self[0][node];

	return self > 0 ? (uint64_t)self : 0;
}

/* The child of `node` with the largest width, the first of equals; 0 if it is a leaf. */
static uint32_t heaviest_child(const struct svg *svg, uint32_t node)
{
	const struct prof_tree_node *nodes = svg->tree->nodes;
	uint64_t most = 0;
	uint32_t best = 0;

	for (uint32_t i = node + 1; i < nodes[node].end; i = nodes[i].end) {
		if (svg->layout.width[i] > most) {
			most = svg->layout.width[i];
			best = i;
		}
	}
	return best;
}

static void add_heaviest_path(struct prof_buf *out, const struct svg *svg)
{
	uint32_t node = 0;
	uint32_t child = heaviest_child(svg, 0);

	if (child == 0) {
		return;
	}
	prof_buf_adds(out, " Heaviest path: ");
	for (int names = 0; child != 0 && names < PATH_NAMES; names++) {
		if (names > 0 && svg->layout.width[child] < svg->layout.total / 10) {
			break;
		}
		prof_buf_adds(out, names > 0 ? "; " : "");
		node = child;
		prof_svg_add_name(out, svg, svg->tree->nodes[node].name);
		child = heaviest_child(svg, node);
	}
	prof_buf_adds(out, child != 0 ? "; \xe2\x80\xa6 (" : " (");
	prof_quantity_add_percent(out, svg->layout.width[node], svg->layout.total);
	prof_buf_adds(out, ").");
}

/* The name whose frames hold the largest part of their own values. */
static bool add_top_self(struct prof_buf *out, const struct svg *svg)
{
	const struct prof_calltree *tree = svg->tree;
	uint64_t *selfs = prof_alloc_array(tree->name_count, sizeof(*selfs));
	uint32_t best = 0;

	for (uint32_t i = 0; selfs && i < tree->node_count; i++) {
		uint32_t name = tree->nodes[i].name;

		selfs[name] += self_of(svg, i);
		if (selfs[name] > selfs[best] ||
		    (name < best && selfs[name] == selfs[best])) {
			best = name;
		}
	}
	if (selfs && selfs[best] > 0) {
		prof_buf_adds(out, " Top self: ");
		prof_svg_add_name(out, svg, best);
		prof_buf_adds(out, " (");
		prof_quantity_add_percent(out, selfs[best], svg->layout.total);
		prof_buf_adds(out, ").");
	}
	prof_free(selfs);
	return selfs != NULL;
}

void prof_svg_put_description(struct svg *svg)
{
	struct prof_markup *xml = &svg->xml;
	char id[32];

	prof_markup_open(xml, "title");
	snprintf(id, sizeof(id), "%s-t", svg->id);
	prof_markup_attr(xml, "id", id);
	prof_buf_adds(prof_markup_text(xml), "Flame graph: ");
	prof_buf_add(&xml->text, svg->title.data, svg->title.len);
	prof_buf_adds(&xml->text, ", ");
	prof_svg_add_value(&xml->text, svg, svg->layout.total);
	prof_markup_put(xml);
	prof_markup_close(xml);
	prof_markup_line(xml);

	prof_markup_open(xml, "desc");
	snprintf(id, sizeof(id), "%s-s", svg->id);
	prof_markup_attr(xml, "id", id);
	prof_buf_adds(prof_markup_text(xml), "Root ");
	prof_svg_add_name(&xml->text, svg, svg->tree->nodes[0].name);
	prof_buf_adds(&xml->text, ".");
	add_heaviest_path(&xml->text, svg);
	xml->failed |= !add_top_self(&xml->text, svg);
	prof_markup_put(xml);
	prof_markup_close(xml);
	prof_markup_line(xml);
}

/* Open a line of the header and write the text begun with prof_markup_text(). */
static void open_line(struct svg *svg, const char *class_name, uint32_t *line)
{
	struct prof_markup *xml = &svg->xml;

	prof_markup_open(xml, "text");
	prof_markup_number(xml, "x", PROF_SVG_PAD);
	prof_markup_number(xml, "y", *line);
	prof_markup_attr(xml, "class", class_name);
	prof_markup_put(xml);
	*line += PROF_SVG_HEAD_LINE;
}

static void close_line(struct svg *svg)
{
	prof_markup_close(&svg->xml);
	prof_markup_line(&svg->xml);
}

static void put_line(struct svg *svg, const char *class_name, uint32_t *line)
{
	open_line(svg, class_name, line);
	close_line(svg);
}

/* One swatch with its word; returns the width of both. */
static uint32_t put_swatch(struct svg *svg, enum prof_frame_kind kind, uint32_t x,
			   uint32_t line)
{
	struct prof_markup *xml = &svg->xml;
	const char *word = prof_svg_kind_word(kind);

	prof_markup_open(xml, "rect");
	prof_markup_number(xml, "x", x);
	prof_markup_number(xml, "y", line - SWATCH + 1);
	prof_markup_number(xml, "width", SWATCH);
	prof_markup_number(xml, "height", SWATCH);
	prof_svg_put_fill(svg, prof_svg_kind_class(kind));
	prof_markup_close(xml);
	prof_markup_open(xml, "text");
	prof_markup_number(xml, "x", x + SWATCH + 5);
	prof_markup_number(xml, "y", line);
	prof_markup_attr(xml, "class", "fg-sub");
	prof_buf_adds(prof_markup_text(xml), word);
	prof_markup_put(xml);
	prof_markup_close(xml);
	prof_markup_line(xml);
	return SWATCH + 25 + 7 * (uint32_t)strlen(word);
}

/* The kinds of code that occur. */
static void put_legend(struct svg *svg, uint32_t line)
{
	struct prof_markup *xml = &svg->xml;
	bool occurs[PROF_FRAME_UNKNOWN + 1] = { false };
	uint32_t x = PROF_SVG_PAD;

	for (uint32_t i = 1; i < svg->tree->name_count; i++) {
		occurs[svg->tree->names[i].kind] = true;
	}
	prof_markup_open(xml, "g");
	prof_markup_attr(xml, "class", "fg-legend");
	prof_markup_line(xml);
	for (uint32_t kind = 0; kind <= PROF_FRAME_UNKNOWN; kind++) {
		if (occurs[kind]) {
			x += put_swatch(svg, (enum prof_frame_kind)kind, x, line);
		}
	}
	prof_markup_close(xml);
	prof_markup_line(xml);
}

static void add_plural(struct prof_buf *out, uint64_t count, const char *noun)
{
	prof_quantity_add_count(out, count);
	prof_buf_addf(out, " %s%s", noun, count == 1 ? "" : "s");
}

static void add_totals(struct prof_buf *out, const struct svg *svg)
{
	if (svg->layout.total == 0) {
		prof_buf_adds(out, "no samples");
	} else {
		prof_svg_add_value(out, svg, svg->layout.total);
		prof_buf_adds(out, DOT);
		add_plural(out, svg->layout.shown, "frame");
		prof_buf_adds(out, DOT);
		add_plural(out, svg->layout.row_count, "level");
	}
	if (svg->options.leaf_first) {
		prof_buf_adds(out, DOT "leaf first");
	}
}

static void add_missing(struct prof_buf *out, const struct svg *svg)
{
	if (svg->boxes.frames < svg->layout.shown) {
		prof_buf_adds(out, DOT "the widest ");
		prof_quantity_add_count(out, svg->boxes.frames);
		prof_buf_adds(out, " are drawn, others share hatched boxes");
	}
}

static void put_totals(struct svg *svg, uint32_t *line)
{
	struct prof_markup *xml = &svg->xml;

	add_totals(prof_markup_text(xml), svg);
	if (svg->options.bare || svg->boxes.frames == svg->layout.shown) {
		add_missing(&xml->text, svg);
		put_line(svg, "fg-sub", line);
		return;
	}
	/* A viewer draws them all, and viewer.css hides this then. */
	open_line(svg, "fg-sub", line);
	add_missing(prof_markup_text(xml), svg);
	prof_markup_open(xml, "tspan");
	prof_markup_attr(xml, "class", "fg-static");
	prof_markup_put(xml);
	prof_markup_close(xml);
	close_line(svg);
}

static void put_notes(struct svg *svg, uint32_t *line)
{
	const char *note = svg->notes.data;
	const char *end = note + svg->notes.len;

	while (note && note < end) {
		const char *newline = memchr(note, '\n', (size_t)(end - note));

		prof_buf_add(prof_markup_text(&svg->xml), note,
			     (size_t)(newline - note));
		put_line(svg, "fg-note", line);
		note = newline + 1;
	}
}

void prof_svg_put_header(struct svg *svg)
{
	struct prof_markup *xml = &svg->xml;
	uint32_t line = PROF_SVG_TITLE_LINE;

	prof_markup_open(xml, "g");
	prof_markup_attr(xml, "class", "fg-head");
	prof_markup_line(xml);
	prof_markup_open(xml, "rect");
	prof_markup_attr(xml, "class", "fg-bar");
	prof_markup_attr(xml, "width", "100%");
	prof_markup_number(xml, "height", svg->head - 4);
	prof_markup_attr(xml, "fill", "#fff");
	prof_markup_close(xml);
	prof_markup_line(xml);
	prof_buf_add(prof_markup_text(xml), svg->title.data, svg->title.len);
	put_line(svg, "fg-title", &line);
	if (svg->options.subtitle.len > 0) {
		prof_text_escape(prof_markup_text(xml), svg->options.subtitle);
		put_line(svg, "fg-sub", &line);
	}
	put_totals(svg, &line);
	put_notes(svg, &line);
	if (svg->by_kind) {
		put_legend(svg, line);
	}
	prof_markup_close(xml);
	prof_markup_line(xml);
}

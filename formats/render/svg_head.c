/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "formats/render/svg_parts.h"

void prof_svg_put_description(struct svg *svg)
{
	struct prof_markup *xml = &svg->xml;
	char id[32];

	prof_markup_open(xml, "title");
	snprintf(id, sizeof(id), "%s-t", svg->id);
	prof_markup_attr(xml, "id", id);
	prof_buf_adds(prof_markup_text(xml), "Flame graph: ");
	prof_buf_add(&xml->text, svg->picture.title.data, svg->picture.title.len);
	prof_buf_adds(&xml->text, ", ");
	prof_picture_add_value(&xml->text, &svg->picture, svg->picture.layout.total);
	prof_markup_put(xml);
	prof_markup_close(xml);
	prof_markup_line(xml);

	prof_markup_open(xml, "desc");
	snprintf(id, sizeof(id), "%s-s", svg->id);
	prof_markup_attr(xml, "id", id);
	xml->failed |=
		!prof_picture_add_description(prof_markup_text(xml), &svg->picture);
	prof_markup_put(xml);
	prof_markup_close(xml);
	prof_markup_line(xml);
}

/* Open a line of the header and write the text begun with prof_markup_text(). */
static void open_line(struct svg *svg, const char *class_name, uint32_t *line)
{
	struct prof_markup *xml = &svg->xml;

	prof_markup_open(xml, "text");
	prof_markup_number(xml, "x", PROF_PICTURE_PAD);
	prof_markup_number(xml, "y", *line);
	prof_markup_attr(xml, "class", class_name);
	prof_markup_put(xml);
	*line += PROF_PICTURE_HEAD_LINE;
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
	const char *word = prof_picture_kind_word(kind);

	prof_markup_open(xml, "rect");
	prof_markup_number(xml, "x", x);
	prof_markup_number(xml, "y", line - PROF_PICTURE_SWATCH + 1);
	prof_markup_number(xml, "width", PROF_PICTURE_SWATCH);
	prof_markup_number(xml, "height", PROF_PICTURE_SWATCH);
	prof_svg_put_fill(svg, prof_picture_kind_class(kind));
	prof_markup_close(xml);
	prof_markup_open(xml, "text");
	prof_markup_number(xml, "x", x + PROF_PICTURE_SWATCH + 5);
	prof_markup_number(xml, "y", line);
	prof_markup_attr(xml, "class", "fg-sub");
	prof_buf_adds(prof_markup_text(xml), word);
	prof_markup_put(xml);
	prof_markup_close(xml);
	prof_markup_line(xml);
	return PROF_PICTURE_SWATCH + 25 + 7 * (uint32_t)strlen(word);
}

/* The kinds of code that occur. */
static void put_legend(struct svg *svg, uint32_t line)
{
	struct prof_markup *xml = &svg->xml;
	bool occurs[PROF_PICTURE_KINDS];
	uint32_t x = PROF_PICTURE_PAD;

	prof_picture_kinds(&svg->picture, occurs);
	prof_markup_open(xml, "g");
	prof_markup_attr(xml, "class", "fg-legend");
	prof_markup_line(xml);
	for (uint32_t kind = 0; kind < PROF_PICTURE_KINDS; kind++) {
		if (occurs[kind]) {
			x += put_swatch(svg, (enum prof_frame_kind)kind, x, line);
		}
	}
	prof_markup_close(xml);
	prof_markup_line(xml);
}

static void put_totals(struct svg *svg, uint32_t *line)
{
	const struct prof_picture *picture = &svg->picture;
	struct prof_markup *xml = &svg->xml;

	prof_picture_add_totals(prof_markup_text(xml), picture);
	if (picture->options.bare || picture->boxes.frames == picture->layout.shown) {
		prof_picture_add_missing(&xml->text, picture);
		put_line(svg, "fg-sub", line);
		return;
	}
	/* A viewer draws them all, and viewer.css hides this then. */
	open_line(svg, "fg-sub", line);
	prof_picture_add_missing(prof_markup_text(xml), picture);
	prof_markup_open(xml, "tspan");
	prof_markup_attr(xml, "class", "fg-static");
	prof_markup_put(xml);
	prof_markup_close(xml);
	close_line(svg);
}

static void put_notes(struct svg *svg, uint32_t *line)
{
	const char *note = svg->picture.notes.data;
	const char *end = note ? note + svg->picture.notes.len : NULL;

	while (note < end) {
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
	uint32_t line = PROF_PICTURE_TITLE_LINE;

	prof_markup_open(xml, "g");
	prof_markup_attr(xml, "class", "fg-head");
	prof_markup_line(xml);
	prof_markup_open(xml, "rect");
	prof_markup_attr(xml, "class", "fg-bar");
	prof_markup_attr(xml, "width", "100%");
	prof_markup_number(xml, "height", svg->picture.head - 4);
	prof_markup_attr(xml, "fill", "#fff");
	prof_markup_close(xml);
	prof_markup_line(xml);
	prof_buf_add(prof_markup_text(xml), svg->picture.title.data,
		     svg->picture.title.len);
	put_line(svg, "fg-title", &line);
	if (svg->picture.options.subtitle.len > 0) {
		prof_text_escape(prof_markup_text(xml), svg->picture.options.subtitle);
		put_line(svg, "fg-sub", &line);
	}
	put_totals(svg, &line);
	put_notes(svg, &line);
	if (svg->picture.by_kind) {
		put_legend(svg, line);
	}
	prof_markup_close(xml);
	prof_markup_line(xml);
}

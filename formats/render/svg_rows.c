/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>

#include "formats/render/svg_parts.h"

/* Append `tenths` of a pixel: 12 or 12.5. */
static void add_tenths(struct prof_buf *out, uint64_t tenths)
{
	prof_buf_add_uint(out, tenths / 10);
	if (tenths % 10 > 0) {
		prof_buf_addc(out, '.');
		prof_buf_add_uint(out, tenths % 10);
	}
}

static void put_path(struct svg *svg, struct prof_picture_edges edges)
{
	struct prof_markup *xml = &svg->xml;
	struct prof_buf *out = prof_markup_text(xml);
	uint64_t width = prof_picture_filled(edges);

	prof_buf_addc(out, 'M');
	add_tenths(out, edges.left);
	prof_buf_adds(out, " 0h");
	add_tenths(out, width);
	prof_buf_addf(out, "v%" PRIu32 "h-", svg->picture.options.row - 1);
	add_tenths(out, width);
	prof_buf_addc(out, 'z');
	prof_markup_put_attr(xml, "d");
}

static void put_label(struct svg *svg, const struct prof_box *box, uint64_t left)
{
	struct prof_markup *xml = &svg->xml;
	struct prof_buf label = { 0 };

	prof_picture_add_label(&label, &svg->picture, box);
	xml->failed |= label.failed;
	if (label.len > 0 && !xml->failed) {
		prof_markup_open(xml, "text");
		add_tenths(prof_markup_text(xml), left + 10 * PROF_PICTURE_LABEL_PAD);
		prof_markup_put_attr(xml, "x");
		prof_markup_number(xml, "y", svg->picture.options.row * 3 / 4);
		prof_buf_add(prof_markup_text(xml), label.data, label.len);
		prof_markup_put(xml);
		prof_markup_close(xml);
		prof_markup_line(xml);
	}
	prof_buf_free(&label);
}

static void put_box(struct svg *svg, const struct prof_box *box)
{
	struct prof_markup *xml = &svg->xml;
	const struct prof_picture *picture = &svg->picture;
	struct prof_picture_edges edges = prof_picture_edges(picture, box);

	prof_markup_open(xml, "path");
	put_path(svg, edges);
	if (box->hidden > 0) {
		prof_markup_attr(xml, "class", "fg-sm");
		if (picture->options.bare) {
			prof_markup_attr(xml, "fill", "#ccc");
		}
	} else {
		prof_svg_put_fill(
			svg, picture->classes[picture->tree->nodes[box->node].name]);
	}
	prof_markup_open(xml, "title");
	prof_picture_add_tooltip(prof_markup_text(xml), picture, box);
	prof_markup_put(xml);
	prof_markup_close(xml);
	prof_markup_close(xml);
	prof_markup_line(xml);
	put_label(svg, box, edges.left);
}

void prof_svg_put_rows(struct svg *svg)
{
	struct prof_markup *xml = &svg->xml;
	const struct prof_boxes *boxes = &svg->picture.boxes;
	char place[40];

	prof_markup_open(xml, "g");
	prof_markup_attr(xml, "class", "fg-rows");
	prof_markup_line(xml);
	for (uint32_t i = 0; i < boxes->count && !xml->failed;) {
		uint32_t row = boxes->data[i].row;

		prof_markup_open(xml, "g");
		snprintf(place, sizeof(place), "translate(0,%" PRIu64 ")",
			 prof_picture_top(&svg->picture, row));
		prof_markup_attr(xml, "transform", place);
		prof_markup_line(xml);
		while (i < boxes->count && boxes->data[i].row == row) {
			put_box(svg, &boxes->data[i++]);
		}
		prof_markup_close(xml);
		prof_markup_line(xml);
	}
	prof_markup_close(xml);
	prof_markup_line(xml);
}

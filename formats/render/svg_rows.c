/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>

#include "formats/render/quantity.h"
#include "formats/render/svg_parts.h"
#include "libprof/flame/label.h"

enum {
	LABEL_PAD = 3,   /* before and after a label */
	LABEL_CHARS = 3, /* no label where fewer would fit */
};

/* "name (1,234 samples, 12.34%)"; the same text as in viewer.js. */
static void put_tooltip(struct svg *svg, const struct prof_box *box,
			struct prof_text name)
{
	struct prof_markup *xml = &svg->xml;
	struct prof_buf *out = prof_markup_text(xml);

	if (box->hidden > 0) {
		prof_quantity_add_count(out, box->hidden);
		prof_buf_adds(out, box->hidden == 1 ? " frame" : " frames");
	} else {
		prof_buf_add(out, name.data, name.len);
	}
	prof_buf_adds(out, " (");
	prof_svg_add_value(out, svg, box->width);
	prof_buf_adds(out, ", ");
	if (box->node == 0) {
		prof_buf_adds(out, "100%");
	} else {
		prof_quantity_add_percent(out, box->width, svg->layout.total);
	}
	prof_buf_adds(out, ")");
	prof_markup_open(xml, "title");
	prof_markup_put(xml);
	prof_markup_close(xml);
}

/* Append `tenths` of a pixel: 12 or 12.5. */
static void add_tenths(struct prof_buf *out, uint64_t tenths)
{
	prof_buf_add_uint(out, tenths / 10);
	if (tenths % 10 > 0) {
		prof_buf_addc(out, '.');
		prof_buf_add_uint(out, tenths % 10);
	}
}

/* The box from `left` to `right`, in tenths; wide ones leave a gap at their right. */
static void put_path(struct svg *svg, uint64_t left, uint64_t right)
{
	struct prof_markup *xml = &svg->xml;
	struct prof_buf *out = prof_markup_text(xml);
	uint64_t width = right - left;

	width -= width >= 30 ? 5 : 0;
	prof_buf_addc(out, 'M');
	add_tenths(out, left);
	prof_buf_adds(out, " 0h");
	add_tenths(out, width);
	prof_buf_addf(out, "v%" PRIu32 "h-", svg->options.row - 1);
	add_tenths(out, width);
	prof_buf_addc(out, 'z');
	prof_markup_put_attr(xml, "d");
}

static void put_label(struct svg *svg, struct prof_text name, uint64_t left,
		      uint64_t right)
{
	struct prof_markup *xml = &svg->xml;
	uint64_t room = right - left;
	uint64_t cells =
		room > 20 * LABEL_PAD ? (room - 20 * LABEL_PAD) / (6 * svg->font) : 0;

	if (cells < LABEL_CHARS) {
		return;
	}
	prof_markup_open(xml, "text");
	add_tenths(prof_markup_text(xml), left + 10 * LABEL_PAD);
	prof_markup_put_attr(xml, "x");
	prof_markup_number(xml, "y", svg->options.row * 3 / 4);
	prof_label_fit(prof_markup_text(xml), name, (size_t)cells);
	prof_markup_put(xml);
	prof_markup_close(xml);
	prof_markup_line(xml);
}

static void put_box(struct svg *svg, const struct prof_box *box)
{
	struct prof_markup *xml = &svg->xml;
	uint64_t span = (uint64_t)(svg->options.width - 2 * PROF_SVG_PAD) * 10;
	uint64_t left =
		prof_layout_place(&svg->layout, box->start, span) + 10 * PROF_SVG_PAD;
	uint64_t right =
		prof_layout_place(&svg->layout, box->start + box->width, span) +
		10 * PROF_SVG_PAD;
	uint32_t id = svg->tree->nodes[box->node].name;
	struct prof_text name = { 0 };

	prof_buf_clear(&svg->name);
	prof_svg_add_name(&svg->name, svg, id);
	xml->failed |= svg->name.failed;
	name = (struct prof_text){ svg->name.data, svg->name.len };
	prof_markup_open(xml, "path");
	put_path(svg, left, right);
	if (box->hidden > 0) {
		prof_markup_attr(xml, "class", "fg-sm");
		if (svg->options.bare) {
			prof_markup_attr(xml, "fill", "#ccc");
		}
	} else {
		prof_svg_put_fill(svg, svg->classes[id]);
	}
	put_tooltip(svg, box, name);
	prof_markup_close(xml);
	prof_markup_line(xml);
	if (box->hidden == 0) {
		put_label(svg, name, left, right);
	}
}

void prof_svg_put_rows(struct svg *svg)
{
	struct prof_markup *xml = &svg->xml;
	const struct prof_boxes *boxes = &svg->boxes;
	char place[40];

	prof_markup_open(xml, "g");
	prof_markup_attr(xml, "class", "fg-rows");
	prof_markup_line(xml);
	for (uint32_t i = 0; i < boxes->count && !xml->failed;) {
		uint32_t row = boxes->data[i].row;
		uint32_t from_top = svg->options.icicle ? row : svg->rows - 1 - row;

		prof_markup_open(xml, "g");
		snprintf(place, sizeof(place), "translate(0,%" PRIu64 ")",
			 svg->head + (uint64_t)from_top * svg->options.row);
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

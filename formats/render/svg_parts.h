/* SPDX-License-Identifier: MIT */
/*
 * svg_parts.h - what the files that make one SVG share; nobody else's business.
 *
 *	svg.c        the document, from root to script
 *	svg_color.c  classes and the style sheet
 *	svg_head.c   description, title, totals, notes, legend
 *	svg_rows.c   the static layer
 */
#ifndef PROF_RENDER_SVG_PARTS_H
#define PROF_RENDER_SVG_PARTS_H

#include "formats/render/boxes.h"
#include "formats/render/markup.h"
#include "formats/render/svg.h"
#include "libprof/flame/layout.h"

enum {
	PROF_SVG_PAD = 10,        /* at the left and right of the boxes */
	PROF_SVG_TITLE_LINE = 26, /* baseline of the title */
	PROF_SVG_HEAD_LINE = 18,  /* height of each further line of the header */
	PROF_SVG_FOOT = 26,       /* the line of details, under the boxes */
};

struct svg {
	const struct prof_calltree *tree;
	struct prof_svg_options options; /* defaults filled in */
	struct prof_layout layout;
	struct prof_boxes boxes;
	uint8_t *classes; /* of each name */
	bool by_kind;

	struct prof_buf title; /* printable */
	struct prof_buf name;  /* of the box being drawn, printable */
	struct prof_buf notes; /* lines, each with its end */
	struct prof_buf data;  /* the fg1 block */
	char id[PROF_SVG_MAX_ID + 1];

	uint32_t font; /* pixels */
	uint32_t head; /* height of the header */
	uint32_t rows;

	struct prof_markup xml;
};

/* Fill in `classes` and `by_kind`; false when out of memory. */
bool prof_svg_choose_colors(struct svg *svg) PROF_NODISCARD;

/* The class of a box, or its very colour where there is no style sheet to know it. */
void prof_svg_put_fill(struct svg *svg, uint32_t color_class);

/* The class that stands for a kind in the legend, and the word for it. */
uint32_t prof_svg_kind_class(enum prof_frame_kind kind);
const char *prof_svg_kind_word(enum prof_frame_kind kind);

void prof_svg_put_style(struct svg *svg);
void prof_svg_put_description(struct svg *svg);
void prof_svg_put_header(struct svg *svg);
void prof_svg_put_rows(struct svg *svg);

/* Append a value with its unit. */
void prof_svg_add_value(struct prof_buf *out, const struct svg *svg, uint64_t value);

/* Append a name of the tree, printable. */
void prof_svg_add_name(struct prof_buf *out, const struct svg *svg, uint32_t name);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * svg_parts.h - what the files that make one SVG share; nobody else's business.
 *
 *	svg.c        the document, from root to script
 *	svg_head.c   description, title, totals, notes, legend
 *	svg_rows.c   the static layer
 */
#ifndef PROF_RENDER_SVG_PARTS_H
#define PROF_RENDER_SVG_PARTS_H

#include "formats/render/markup.h"
#include "formats/render/svg.h"

struct svg {
	struct prof_picture picture;
	struct prof_buf data; /* the fg1 block */
	char id[PROF_PICTURE_MAX_ID + 1];
	struct prof_markup xml;
};

/* The class of a box, or its very colour where there is no style sheet to know it. */
void prof_svg_put_fill(struct svg *svg, uint32_t color_class);

void prof_svg_put_description(struct svg *svg);
void prof_svg_put_header(struct svg *svg);
void prof_svg_put_rows(struct svg *svg);

#endif

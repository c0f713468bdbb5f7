/* SPDX-License-Identifier: MIT */
/*
 * picture.h - what all pictures of a call tree have in common: which boxes stand
 * where, in which color, under which words.
 *
 *	title                            baseline PROF_PICTURE_TITLE_LINE
 *	subtitle, totals, notes, legend  a line each, `head` pixels in all
 *	rows                             `rows` times options.row pixels
 *	                                 PROF_PICTURE_FOOT pixels free
 *
 * svg.h, html.h, cairo.h and text.h draw it. Everything is in integers: pixels in
 * tenths come in with prof_picture_edges(), cells with its like in text.c.
 *
 *	if (!prof_picture_init(&picture, tree, &options, &err))
 *	...
 *	prof_picture_free(&picture);
 *
 * Owns:   its arrays and texts. Borrows the tree and the options' texts.
 * Errors: NOMEM; LIMIT as layout.h has it.
 */
#ifndef PROF_RENDER_PICTURE_H
#define PROF_RENDER_PICTURE_H

#include "formats/render/boxes.h"
#include "libprof/base/buf.h"
#include "libprof/flame/layout.h"
#include "libprof/flame/palette.h"
#include "libprof/report/calltree.h"

enum prof_picture_color {
	PROF_PICTURE_COLOR_AUTO, /* by kind if kernel, jitted, interpreted is known */
	PROF_PICTURE_COLOR_KIND,
	PROF_PICTURE_COLOR_NAME,
	PROF_PICTURE_COLOR_PACKAGE,
};

enum {
	PROF_PICTURE_WIDTH = 1200, /* defaults */
	PROF_PICTURE_ROW = 16,
	PROF_PICTURE_STATIC_MAX = 4000,

	PROF_PICTURE_PAD = 10,        /* at the left and right of the boxes */
	PROF_PICTURE_TITLE_LINE = 26, /* baseline of the title */
	PROF_PICTURE_HEAD_LINE = 18,  /* height of each further line of the header */
	PROF_PICTURE_FOOT = 26,       /* free under the boxes; a viewer's details */
	PROF_PICTURE_LABEL_PAD = 3,   /* before and after a label */
	PROF_PICTURE_SWATCH = 11,     /* of the legend */

	PROF_PICTURE_KINDS = PROF_FRAME_UNKNOWN + 1,
	PROF_PICTURE_MAX_ID = 20, /* bytes of an id */
};

struct prof_picture_options {
	struct prof_text type; /* of the values: "cpu", "nanoseconds" */
	struct prof_text unit;
	struct prof_text title;    /* empty: "cpu (nanoseconds)" */
	struct prof_text subtitle; /* empty: none */
	uint32_t width;            /* pixels; 0 in these three is the default above */
	uint32_t row;              /* height of a row, pixels */
	uint32_t static_max;       /* boxes that are drawn without a viewer */
	enum prof_picture_color color_by;
	enum prof_palette palette; /* of hues, for all but kinds */
	bool icicle;               /* root at the top */
	bool leaf_first;           /* how the tree was built */

	const char *id;   /* SVG: of the root element; NULL: a hash of the data */
	bool bare;        /* SVG: indented; no style, data and script */
	uint32_t scale;   /* PNG: pixels per pixel; 0 is 1 */
	uint32_t columns; /* text: cells of a line; 0 is 80 */
	bool color;       /* text: with colors of a terminal */
};

struct prof_picture {
	const struct prof_calltree *tree;
	struct prof_picture_options options; /* defaults filled in */
	struct prof_layout layout;
	struct prof_boxes boxes;
	uint8_t *classes; /* of each name */
	bool by_kind;

	struct prof_buf title; /* printable */
	struct prof_buf notes; /* lines, each with its end: what is not drawn */

	uint32_t font;   /* pixels */
	uint32_t head;   /* height of the header, pixels */
	uint32_t rows;   /* at least 1 */
	uint64_t height; /* of it all, pixels */
};

/* Lay out side 0 of `tree`. On failure there is nothing to free. */
bool prof_picture_init(struct prof_picture *picture, const struct prof_calltree *tree,
		       const struct prof_picture_options *options,
		       struct prof_error *err) PROF_NODISCARD;

/* Zeroed is fine. */
void prof_picture_free(struct prof_picture *picture);

/* Left and right edge of a box, in tenths of a pixel. */
struct prof_picture_edges {
	uint64_t left;
	uint64_t right;
};

struct prof_picture_edges prof_picture_edges(const struct prof_picture *picture,
					     const struct prof_box *box);

/* The tenths between them that are filled: wide boxes leave a gap at their right. */
uint64_t prof_picture_filled(struct prof_picture_edges edges);

/* Pixels from the top of the picture to the top of a row. */
uint64_t prof_picture_top(const struct prof_picture *picture, uint32_t row);

/*
 * Append the label of a box, starting PROF_PICTURE_LABEL_PAD behind its left edge:
 * nothing for a box of hidden frames, or where fewer than three characters fit.
 */
void prof_picture_add_label(struct prof_buf *out, const struct prof_picture *picture,
			    const struct prof_box *box);

/* Append a value with its unit. */
void prof_picture_add_value(struct prof_buf *out, const struct prof_picture *picture,
			    uint64_t value);

/* Append a name of the tree, printable. */
void prof_picture_add_name(struct prof_buf *out, const struct prof_picture *picture,
			   uint32_t name);

/* "name (1,234 samples, 12.34%)" or "37 frames (...)"; viewers say the same. */
void prof_picture_add_tooltip(struct prof_buf *out, const struct prof_picture *picture,
			      const struct prof_box *box);

/* "1.23 s · 12 frames · 3 levels" */
void prof_picture_add_totals(struct prof_buf *out, const struct prof_picture *picture);

/* " · the widest 40 are drawn, ..." when not all frames are boxes of their own. */
void prof_picture_add_missing(struct prof_buf *out, const struct prof_picture *picture);

/* "Root all. Heaviest path: ... Top self: ..."; false when out of memory. */
bool prof_picture_add_description(struct prof_buf *out,
				  const struct prof_picture *picture) PROF_NODISCARD;

/* Append what whoever asked for the picture must know, a line each. */
void prof_picture_add_notes(struct prof_buf *out, const struct prof_picture *picture);

/* Sum of the frames' own values; 0 for what is negative. */
uint64_t prof_picture_self(const struct prof_picture *picture, uint32_t node);

/* What a function has, in all of its frames. */
struct prof_picture_function {
	uint64_t self;
	uint64_t total; /* of its outermost frames */
	uint32_t name;
};

/*
 * Every function of some width, the largest own value first, in an array for
 * prof_free(); NULL when out of memory.
 */
struct prof_picture_function *prof_picture_functions(const struct prof_picture *picture,
						     uint32_t *count);

/* The fill of a class in this picture's palette. */
struct prof_rgb prof_picture_fill(const struct prof_picture *picture,
				  enum prof_theme theme, uint32_t color_class);

/* The classes that occur, those of the legend included. */
void prof_picture_used(const struct prof_picture *picture,
		       bool used[PROF_PALETTE_CLASSES]);

/* The kinds that occur, for the legend; all false unless colors tell kinds. */
void prof_picture_kinds(const struct prof_picture *picture,
			bool occurs[PROF_PICTURE_KINDS]);

/* The class that stands for a kind in the legend, and the word for it. */
uint32_t prof_picture_kind_class(enum prof_frame_kind kind);
const char *prof_picture_kind_word(enum prof_frame_kind kind);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * svg.h - a call tree as a flame graph in one SVG file.
 *
 *	title, desc            for those who do not see it
 *	style                  every rule begins with the file's id
 *	header                 title, totals, legend, what is not drawn
 *	static layer           the widest frames, with tooltips: all there is without
 *	                       script, in an <img>, in print
 *	data block             every frame, see fg1.h
 *	script                 viewer.js: draws any part of the data, finds, tells
 *
 * The file needs nothing but itself: no network, no DOCTYPE, no external reference.
 * Names are data in all of it: text is written by one function, which escapes, and
 * what may not be in XML or would disturb the reader is shown as \x1b or <U+202E>.
 * Same tree and options, same bytes.
 */
#ifndef PROF_RENDER_SVG_H
#define PROF_RENDER_SVG_H

#include "libprof/base/buf.h"
#include "libprof/base/error.h"
#include "libprof/flame/palette.h"
#include "libprof/report/calltree.h"

enum prof_svg_color {
	PROF_SVG_COLOR_AUTO, /* by kind if kernel, jitted or interpreted code is known */
	PROF_SVG_COLOR_KIND,
	PROF_SVG_COLOR_NAME,
	PROF_SVG_COLOR_PACKAGE,
};

enum {
	PROF_SVG_WIDTH = 1200,
	PROF_SVG_ROW = 16,
	PROF_SVG_STATIC_MAX = 4000,
	PROF_SVG_MAX_ID = 20, /* bytes of an id */
};

struct prof_svg_options {
	struct prof_text type; /* of the values: "cpu", "nanoseconds" */
	struct prof_text unit;
	struct prof_text title;    /* empty: "cpu (nanoseconds)" */
	struct prof_text subtitle; /* empty: none */
	uint32_t width;            /* pixels; 0 in these three is the default above */
	uint32_t row;              /* height of a row, pixels */
	uint32_t static_max;       /* boxes in the static layer */
	const char *id;            /* of the root element; NULL: a hash of the data */
	enum prof_svg_color color_by;
	enum prof_palette palette; /* of hues, for all but kinds */
	bool icicle;               /* root at the top */
	bool leaf_first;           /* how the tree was built */
	bool bare;                 /* indented; no style, data and script */
};

/*
 * Append the picture of `tree` (side 0) to `out`. What it cannot show is said in it,
 * and appended to `notes`, a line each.
 */
bool prof_svg_write(const struct prof_calltree *tree,
		    const struct prof_svg_options *options, struct prof_buf *out,
		    struct prof_buf *notes, struct prof_error *err) PROF_NODISCARD;

#endif

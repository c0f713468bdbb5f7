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
 *	script                 the viewer: draws any part of the data, finds, tells
 *
 * The file needs nothing but itself: no network, no DOCTYPE, no external reference.
 * Names are data in all of it: text is written by one function, which escapes, and
 * what may not be in XML or would disturb the reader is shown as \x1b or <U+202E>.
 * Same tree and options, same bytes.
 */
#ifndef PROF_RENDER_SVG_H
#define PROF_RENDER_SVG_H

#include "formats/render/picture.h"

/*
 * Append the picture of `tree` (side 0) to `out`. What it cannot show is said in it,
 * and appended to `notes`, a line each.
 */
bool prof_svg_write(const struct prof_calltree *tree,
		    const struct prof_picture_options *options, struct prof_buf *out,
		    struct prof_buf *notes, struct prof_error *err) PROF_NODISCARD;

#endif

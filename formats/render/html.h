/* SPDX-License-Identifier: MIT */
/*
 * html.h - a call tree as a flame graph in one HTML page, for the largest profiles.
 *
 *	header                 title, totals, legend, notes; a toolbar
 *	nav                    the path to what is in view
 *	graph                  a picture of the widest frames, for who has no script and
 *	                       for print; with script a canvas over all of them
 *	table                  functions by their own value, the first 200
 *	data block             every frame, see fg1.h
 *	script                 viewer_core.js and viewer_html.js
 *
 * The page loads nothing, and says so in a content security policy that lets nothing
 * run but this very script and style. (The picture is no <noscript>: that is not shown
 * where a policy of the server, and not the browser, keeps scripts from running.)
 * Names are data in all of it, as in svg.h. Same tree and options, same bytes.
 */
#ifndef PROF_RENDER_HTML_H
#define PROF_RENDER_HTML_H

#include "formats/render/picture.h"

enum {
	PROF_HTML_STATIC_MAX = 300,  /* boxes of the picture without script */
	PROF_HTML_TABLE_ROWS = 200,  /* of the table without script */
	PROF_HTML_TABLE_CELLS = 160, /* of a name in the table */
};

/*
 * Append the page of `tree` (side 0) to `out`; notes as prof_svg_write() has them. Of
 * the options `id`, `bare` and `static_max` have no meaning here.
 */
bool prof_html_write(const struct prof_calltree *tree,
		     const struct prof_picture_options *options, struct prof_buf *out,
		     struct prof_buf *notes, struct prof_error *err) PROF_NODISCARD;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * script.h - the viewers' programs and their style sheets, as they go into a file.
 *
 * A viewer is viewer_core.js and the part that draws, in one function. Comments and
 * indentation stay behind, and so do spaces next to punctuation outside single quotes:
 * the sources keep to single quotes, and write \x20 in regular expressions.
 */
#ifndef PROF_RENDER_SCRIPT_H
#define PROF_RENDER_SCRIPT_H

#include "formats/render/picture.h"
#include "libprof/base/buf.h"

enum {
	PROF_SCRIPT_DIGEST = 44 /* of prof_script_digest() */
};

/* Append the viewer of an SVG: viewer_core.js and viewer.js. */
void prof_script_add_svg(struct prof_buf *out);

/* Append the viewer of an HTML page: viewer_core.js and viewer_html.js. */
void prof_script_add_html(struct prof_buf *out);

/* Append viewer.css with each & made the selector of the root element: #id. */
void prof_script_add_svg_style(struct prof_buf *out, const char *id);

/* Append viewer_html.css. */
void prof_script_add_html_style(struct prof_buf *out);

/* The SHA-256 of `len` bytes in base64, as a content security policy wants it. */
void prof_script_digest(const void *data, size_t len, char out[PROF_SCRIPT_DIGEST + 1]);

#endif

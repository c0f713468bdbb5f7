/* SPDX-License-Identifier: MIT */
/*
 * cairo.h - a call tree as a flame graph in a PNG image or on a PDF page.
 *
 * Both show what an SVG shows without script, in the light theme. A PNG has `scale`
 * pixels for each pixel of the picture. A PDF is one page of a point per pixel, smaller
 * where it would be higher than viewers take (14,400 points); its labels are text, and
 * its outline leads to the frames with most value of their own.
 *
 * Fonts are those of this machine, DejaVu if it has them. But for them: same tree and
 * options, same bytes.
 *
 * Errors: LIMIT for an image of more pixels than an image can have; NOMEM.
 */
#ifndef PROF_RENDER_CAIRO_H
#define PROF_RENDER_CAIRO_H

#include "formats/render/picture.h"

enum {
	PROF_PNG_MAX_SCALE = 8,
	PROF_PNG_MAX_SIDE = 32767,     /* of a cairo image */
	PROF_PNG_MAX_PIXELS = 1 << 27, /* 512 MiB while it is drawn */
	PROF_PDF_MAX_SIDE = 14400,
	PROF_PDF_OUTLINE = 20, /* frames in the outline */
};

/* Append the image; notes as prof_svg_write() has them. */
bool prof_png_write(const struct prof_calltree *tree,
		    const struct prof_picture_options *options, struct prof_buf *out,
		    struct prof_buf *notes, struct prof_error *err) PROF_NODISCARD;

/* Append the page; notes as prof_svg_write() has them. */
bool prof_pdf_write(const struct prof_calltree *tree,
		    const struct prof_picture_options *options, struct prof_buf *out,
		    struct prof_buf *notes, struct prof_error *err) PROF_NODISCARD;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * text.h - a call tree as a flame graph of characters, for terminals and mail.
 *
 *	cpu (samples)
 *	8 samples · 4 frames · 3 levels
 *
 *	        ┃parse──────────────┃write─────────
 *	┃main──────────────────────────────────────
 *	┃all───────────────────────────────────────
 *
 * A box begins with its left edge and ends where the next one or a blank is. Frames
 * narrower than a cell share boxes, "▒▒▒"; the last lines name what could not be: the
 * frames with most value of their own. With colors, boxes are filled instead.
 */
#ifndef PROF_RENDER_TEXT_H
#define PROF_RENDER_TEXT_H

#include "formats/render/picture.h"

enum {
	PROF_TEXT_COLUMNS = 80, /* default */
	PROF_TEXT_MIN_COLUMNS = 20,
	PROF_TEXT_MAX_COLUMNS = 1000,
};

/*
 * Append the lines; notes as prof_svg_write() has them. Of the options the sizes in
 * pixels and what is of other formats have no meaning here.
 */
bool prof_flame_text_write(const struct prof_calltree *tree,
			   const struct prof_picture_options *options,
			   struct prof_buf *out, struct prof_buf *notes,
			   struct prof_error *err) PROF_NODISCARD;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * fg1.h - the data block of a flame graph: every frame, in text.
 *
 *	fg1
 *	type=cpu                     key=value, in this order; texts escaped as names
 *	...
 *	names 3
 *	 all                         first character: 32 + bytes shared with the name
 *	 main                        before it (90 at most, ASCII only); then the rest
 *	$.init                       = main.init
 *	kinds
 *	...                          a character per name: . other, k kernel, j jit,
 *	colors                       i inlined, 0 interpreted, ? unknown
 *	0A3                          a character per name: 48 + class of its fill
 *	frames 3
 *	000104202                    preorder: name, up, self / scale
 *
 * `up` is the depth of the frame before, plus one, less its own. Numbers have five
 * bits a digit, least first, digits 0-9A-Za-z-_ = 0..63; 32 means that more follow.
 *
 * Escapes in texts: \\ a backslash; \n \t \r; \xNN a byte that is no UTF-8 or a
 * control character, the > of ]]>, the / and ! of </ and <!; \u{202E} any other
 * character that may not be shown. A name is shown with the first, \x3e, \x2f and \x21
 * undone and the last as <U+202E>.
 *
 * Frames of no width (see layout.h) are not in the block; `negative` says what is
 * missing.
 */
#ifndef PROF_RENDER_FG1_H
#define PROF_RENDER_FG1_H

#include "formats/render/picture.h"

/* Append the block of a picture. */
void prof_fg1_write(struct prof_buf *out, const struct prof_picture *picture);

#endif

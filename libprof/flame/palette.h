/* SPDX-License-Identifier: MIT */
/*
 * palette.h - colours of boxes, as arithmetic.
 *
 * A picture has at most PROF_PALETTE_CLASSES fills. A box gets the class its name
 * hashes to, so that a function has one colour in every picture; or, where the kinds
 * of code are known, one of four shades of its kind's tint.
 *
 * Every fill has a contrast of at least 4.5 with the one label colour of its theme
 * (WCAG 2.1, 1.4.3). The tints are those of Okabe and Ito, which the colour-blind can
 * tell apart.
 */
#ifndef PROF_FLAME_PALETTE_H
#define PROF_FLAME_PALETTE_H

#include <stdint.h>

#include "libprof/base/text.h"

enum {
	PROF_PALETTE_CLASSES = 32,
	PROF_PALETTE_SHADES = 4, /* of one tint */
};

enum prof_palette {
	PROF_PALETTE_DEFAULT, /* all hues */
	PROF_PALETTE_HOT,
	PROF_PALETTE_MEM, /* greens */
	PROF_PALETTE_IO,  /* blues */
	PROF_PALETTE_RED, /* one hue each, from here on */
	PROF_PALETTE_ORANGE,
	PROF_PALETTE_YELLOW,
	PROF_PALETTE_GREEN,
	PROF_PALETTE_AQUA,
	PROF_PALETTE_BLUE,
	PROF_PALETTE_PURPLE,
	PROF_PALETTE_JAVA, /* from here on: see palette_names.h */
	PROF_PALETTE_JS,
	PROF_PALETTE_PERL,
	PROF_PALETTE_PYTHON,
	PROF_PALETTE_RUST,
	PROF_PALETTE_WAKEUP,
	PROF_PALETTE_CHAIN,
	PROF_PALETTE_TINTS,
};

/* The words for all but the tints, in the order of the enum; ended by NULL. */
extern const char *const prof_palette_names[];

enum prof_tint {
	PROF_TINT_NATIVE,
	PROF_TINT_KERNEL,
	PROF_TINT_JIT,
	PROF_TINT_INLINED,
	PROF_TINT_INTERPRETED,
	PROF_TINT_UNKNOWN,
	PROF_TINT_COUNT,
};

enum prof_theme {
	PROF_THEME_LIGHT,
	PROF_THEME_DARK,
};

struct prof_rgb {
	uint8_t r;
	uint8_t g;
	uint8_t b;
};

/* FNV-1a of the bytes: the same everywhere and for ever, unlike prof_hash(). */
uint32_t prof_palette_hash(struct prof_text text);

/* The class of a name in a palette of hues. */
uint32_t prof_palette_class(struct prof_text name);

/* The class of a name of some kind in the palette of tints. */
uint32_t prof_palette_tint_class(enum prof_tint tint, struct prof_text name);

/* The package, namespace or folder of a name, "" if it has none: a.b.c -> a.b */
struct prof_text prof_palette_package(struct prof_text name);

/* The fill of a class. */
struct prof_rgb prof_palette_fill(enum prof_palette palette, enum prof_theme theme,
				  uint32_t color_class);

/* The colour of labels on every fill of a theme. */
struct prof_rgb prof_palette_label(enum prof_theme theme);

#endif

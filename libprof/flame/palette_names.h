/* SPDX-License-Identifier: MIT */
/*
 * palette_names.h - palettes in which a name says its hue.
 *
 *	java     green Java, yellow C++, aqua inlined, orange kernel, red the rest
 *	js       green JavaScript, aqua compiled or built in, yellow C++, orange kernel
 *	perl     green Perl, yellow C++, orange kernel, red the rest
 *	python   red Python, yellow its library, aqua packages
 *	rust     orange the library, aqua crates, yellow the rest
 *	wakeup   aqua
 *	chain    aqua who wakes, blue who waits
 *
 * Hues are chosen as flamegraph.pl does (java, js, perl, wakeup, chain) and inferno
 * (python, rust); the colors are ours, so that labels can be read on them. The
 * separators "-" and "--" are grey.
 */
#ifndef PROF_FLAME_PALETTE_NAMES_H
#define PROF_FLAME_PALETTE_NAMES_H

#include <stdbool.h>

#include "libprof/flame/palette.h"

/* A hue of these palettes; each has PROF_PALETTE_SHADES classes. */
enum prof_hue {
	PROF_HUE_RED,
	PROF_HUE_ORANGE,
	PROF_HUE_YELLOW,
	PROF_HUE_GREEN,
	PROF_HUE_AQUA,
	PROF_HUE_BLUE,
	PROF_HUE_PURPLE,
	PROF_HUE_GREY,
	PROF_HUE_COUNT,
};

/* Whether `palette` is one of these. */
bool prof_palette_reads_names(enum prof_palette palette);

/*
 * The hue of `name`. `annotation` is the letter its producer annotated it with, as in
 * "_[k]", or 0: k kernel, i inlined, j compiled at run time.
 */
enum prof_hue prof_palette_hue(enum prof_palette palette, struct prof_text name,
			       char annotation);

/* The class of `name` in `palette`, a shade of its hue. */
uint32_t prof_palette_name_class(enum prof_palette palette, struct prof_text name,
				 char annotation);

#endif

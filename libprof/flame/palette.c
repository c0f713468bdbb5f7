/* SPDX-License-Identifier: MIT */
#include "libprof/flame/palette.h"

#include <stdbool.h>
#include <stddef.h>

#include "libprof/flame/palette_names.h"

const char *const prof_palette_names[] = {
	"default", "hot",  "mem",    "io",     "red",  "orange", "yellow",
	"green",   "aqua", "blue",   "purple", "java", "js",     "perl",
	"python",  "rust", "wakeup", "chain",  NULL,
};

enum {
	HUES = 16 /* each in two lightnesses */
};

struct scheme {
	double hues[HUES]; /* degrees */
	double light[2];   /* luminances, in the light and in the dark theme */
	double dark[2];
	double vivid[2]; /* chroma in the light and in the dark theme, 0 to 1 */
};

/* Hues stand as far apart as they look, not as their angles are. */
static const struct scheme schemes[] = {
	[PROF_PALETTE_DEFAULT] = {
		{ 4, 17, 28, 38, 47, 58, 80, 110, 148, 170, 188, 203, 220, 248, 280, 325 },
		{ 0.54, 0.66 }, { 0.08, 0.115 }, { 0.36, 0.3 },
	},
	[PROF_PALETTE_HOT] = {
		{ 2, 6, 10, 14, 18, 21, 24, 27, 30, 33, 36, 40, 43, 46, 49, 52 },
		{ 0.46, 0.58 }, { 0.085, 0.115 }, { 0.78, 0.55 },
	},
	[PROF_PALETTE_MEM] = {
		{ 84, 90, 96, 102, 108, 114, 120, 126, 132, 138, 143, 148, 152, 156, 160,
		  164 },
		{ 0.54, 0.66 }, { 0.08, 0.115 }, { 0.45, 0.3 },
	},
	[PROF_PALETTE_IO] = {
		{ 184, 188, 192, 196, 199, 202, 205, 208, 211, 214, 217, 220, 223, 226,
		  230, 234 },
		{ 0.48, 0.6 }, { 0.08, 0.115 }, { 0.45, 0.4 },
	},
};

/* Of the palettes of one hue: the first of HUES hues, and how far apart they are. */
static const struct band {
	double first;
	double step;
	double light[2]; /* as in struct scheme */
	double dark[2];
	double vivid[2];
} bands[] = {
	[PROF_HUE_RED] = { 345, 1.6, { 0.42, 0.54 }, { 0.075, 0.11 }, { 0.55, 0.45 } },
	[PROF_HUE_ORANGE] = { 22,
			      0.9,
			      { 0.46, 0.58 },
			      { 0.085, 0.12 },
			      { 0.78, 0.55 } },
	[PROF_HUE_YELLOW] = { 46,
			      0.9,
			      { 0.62, 0.72 },
			      { 0.095, 0.13 },
			      { 0.62, 0.42 } },
	[PROF_HUE_GREEN] = { 92, 3, { 0.54, 0.66 }, { 0.08, 0.115 }, { 0.45, 0.3 } },
	[PROF_HUE_AQUA] = { 166, 1.6, { 0.54, 0.66 }, { 0.08, 0.115 }, { 0.4, 0.32 } },
	[PROF_HUE_BLUE] = { 206, 1.8, { 0.46, 0.58 }, { 0.075, 0.11 }, { 0.5, 0.45 } },
	[PROF_HUE_PURPLE] = { 268,
			      2.4,
			      { 0.46, 0.58 },
			      { 0.075, 0.11 },
			      { 0.45, 0.4 } },
	[PROF_HUE_GREY] = { 0, 0, { 0.57, 0.62 }, { 0.09, 0.11 }, { 0, 0 } },
};

/* The palette of one hue is its band. */
static const enum prof_hue hues[] = {
	[PROF_PALETTE_RED] = PROF_HUE_RED,
	[PROF_PALETTE_ORANGE] = PROF_HUE_ORANGE,
	[PROF_PALETTE_YELLOW] = PROF_HUE_YELLOW,
	[PROF_PALETTE_GREEN] = PROF_HUE_GREEN,
	[PROF_PALETTE_AQUA] = PROF_HUE_AQUA,
	[PROF_PALETTE_BLUE] = PROF_HUE_BLUE,
	[PROF_PALETTE_PURPLE] = PROF_HUE_PURPLE,
};

/*
 * After Okabe and Ito's eight, with lightnesses that keep any two of them apart for
 * every kind of eye: a CIEDE2000 of 10, which a test of the browser's colors holds.
 */
static const struct tint {
	double hue;
	double light;
	double dark;
	double vivid[2];
} tints[PROF_TINT_COUNT] = {
	[PROF_TINT_NATIVE] = { 24, 0.34, 0.062, { 0.69, 0.47 } },
	[PROF_TINT_KERNEL] = { 46, 0.62, 0.148, { 1, 0.64 } },
	[PROF_TINT_JIT] = { 152, 0.36, 0.068, { 0.41, 0.25 } },
	[PROF_TINT_INLINED] = { 212, 0.575, 0.096, { 0.42, 0.6 } },
	[PROF_TINT_INTERPRETED] = { 110, 0.8, 0.147, { 0.14, 0.15 } },
	[PROF_TINT_UNKNOWN] = { 0, 0.53, 0.121, { 0, 0 } },
};

uint32_t prof_palette_hash(struct prof_text text)
{
	uint32_t hash = UINT32_C(2166136261);

	for (size_t i = 0; i < text.len; i++) {
		hash = (hash ^ (unsigned char)text.data[i]) * UINT32_C(16777619);
	}
	return hash;
}

/* The low bits of FNV-1a follow the last byte: fold the high ones in. */
static uint32_t spread(struct prof_text text)
{
	uint32_t hash = prof_palette_hash(text);

	hash ^= hash >> 15;
	return hash * UINT32_C(0x2c1b3c6d) >> 20;
}

uint32_t prof_palette_class(struct prof_text name)
{
	return spread(name) % PROF_PALETTE_CLASSES;
}

uint32_t prof_palette_tint_class(enum prof_tint tint, struct prof_text name)
{
	return (uint32_t)tint * PROF_PALETTE_SHADES +
	       spread(name) % PROF_PALETTE_SHADES;
}

struct prof_text prof_palette_package(struct prof_text name)
{
	size_t end = 0;
	size_t i = 0;

	/* Parameters and arguments have packages of their own, which say nothing here. */
	for (; i < name.len && (i == 0 || (name.data[i] != '(' && name.data[i] != '<'));
	     i++) {
		if (name.data[i] == '.' || name.data[i] == '/') {
			end = i;
		} else if (name.data[i] == ':' && i + 1 < name.len &&
			   name.data[i + 1] == ':') {
			end = i++;
		}
	}
	return (struct prof_text){ name.data, end };
}

/* The value of one channel of a colour given as hue, chroma and lightness. */
static double channel(double hue, double chroma, double lightness, double turn)
{
	double room = lightness < 0.5 ? lightness : 1 - lightness;
	double reach = chroma / 2 < room ? chroma / 2 : room;
	double k = turn + hue / 30;
	double bend = 0;

	k = k >= 24 ? k - 24 : k >= 12 ? k - 12 : k;
	bend = k - 3 < 9 - k ? k - 3 : 9 - k;
	bend = bend > 1 ? 1 : bend < -1 ? -1 : bend;
	return lightness - reach * bend;
}

/* Linear light of an sRGB channel: a cubic, so that no libm has a say in colours. */
static double linear(double c)
{
	return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

/* The colour of this hue and chroma that is as bright as `luminance`. */
static struct prof_rgb shade(double hue, double chroma, double luminance)
{
	double low = 0;
	double high = 1;
	double rgb[3] = { 0 };

	for (int step = 0; step < 24; step++) {
		double middle = (low + high) / 2;

		rgb[0] = channel(hue, chroma, middle, 0);
		rgb[1] = channel(hue, chroma, middle, 8);
		rgb[2] = channel(hue, chroma, middle, 4);
		if (0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) +
			    0.0722 * linear(rgb[2]) <
		    luminance) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return (struct prof_rgb){ (uint8_t)(rgb[0] * 255 + 0.5),
				  (uint8_t)(rgb[1] * 255 + 0.5),
				  (uint8_t)(rgb[2] * 255 + 0.5) };
}

static struct prof_rgb band_fill(const struct band *band, bool dark, uint32_t hue,
				 uint32_t level)
{
	return shade(band->first + band->step * hue, band->vivid[dark],
		     dark ? band->dark[level] : band->light[level]);
}

static struct prof_rgb tint_fill(bool dark, uint32_t color_class)
{
	const struct tint *tint =
		&tints[color_class / PROF_PALETTE_SHADES % PROF_TINT_COUNT];
	double step = color_class % PROF_PALETTE_SHADES;

	return shade(tint->hue, tint->vivid[dark],
		     dark ? tint->dark * (1 - 0.08 * step)
			  : tint->light + 0.025 * step);
}

struct prof_rgb prof_palette_fill(enum prof_palette palette, enum prof_theme theme,
				  uint32_t color_class)
{
	const struct scheme *scheme = NULL;
	uint32_t level = color_class / HUES % 2;
	bool dark = theme == PROF_THEME_DARK;

	if (palette == PROF_PALETTE_TINTS) {
		return tint_fill(dark, color_class);
	}
	if (prof_palette_reads_names(palette)) {
		uint32_t hue = color_class / PROF_PALETTE_SHADES % PROF_HUE_COUNT;
		uint32_t step = color_class % PROF_PALETTE_SHADES;

		return band_fill(&bands[hue], dark, step / 2 * (HUES - 1), step % 2);
	}
	if (palette >= PROF_PALETTE_RED) {
		return band_fill(&bands[hues[palette]], dark, color_class % HUES,
				 level);
	}
	scheme = &schemes[palette];
	return shade(scheme->hues[color_class % HUES], scheme->vivid[dark],
		     dark ? scheme->dark[level] : scheme->light[level]);
}

struct prof_rgb prof_palette_label(enum prof_theme theme)
{
	return theme == PROF_THEME_DARK ? (struct prof_rgb){ 0xf4, 0xf4, 0xf2 }
					: (struct prof_rgb){ 0x14, 0x14, 0x16 };
}

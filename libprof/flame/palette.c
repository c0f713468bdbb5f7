/* SPDX-License-Identifier: MIT */
#include "libprof/flame/palette.h"

#include <stdbool.h>
#include <stddef.h>

const char *const prof_palette_names[] = { "default", "hot", "mem", "io", NULL };

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

/* After Okabe and Ito's eight; the dark theme keeps hue and order. */
static const struct tint {
	double hue;
	double light;
	double dark;
	double vivid[2];
} tints[PROF_TINT_COUNT] = {
	[PROF_TINT_NATIVE] = { 20, 0.45, 0.095, { 0.58, 0.42 } },
	[PROF_TINT_KERNEL] = { 41, 0.47, 0.12, { 0.86, 0.5 } },
	[PROF_TINT_JIT] = { 158, 0.46, 0.085, { 0.46, 0.32 } },
	[PROF_TINT_INLINED] = { 201, 0.54, 0.085, { 0.46, 0.42 } },
	[PROF_TINT_INTERPRETED] = { 145, 0.7, 0.13, { 0.17, 0.16 } },
	[PROF_TINT_UNKNOWN] = { 0, 0.57, 0.09, { 0.0, 0.0 } },
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

struct prof_rgb prof_palette_fill(enum prof_palette palette, enum prof_theme theme,
				  uint32_t color_class)
{
	const struct scheme *scheme = NULL;
	const struct tint *tint = NULL;
	uint32_t level = color_class / HUES % 2;

	bool dark = theme == PROF_THEME_DARK;

	if (palette == PROF_PALETTE_TINTS) {
		double step = color_class % PROF_PALETTE_SHADES;

		tint = &tints[color_class / PROF_PALETTE_SHADES % PROF_TINT_COUNT];
		return shade(tint->hue, tint->vivid[dark],
			     dark ? tint->dark * (1 - 0.08 * step)
				  : tint->light + 0.025 * step);
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

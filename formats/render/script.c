/* SPDX-License-Identifier: MIT */
#include "formats/render/script.h"

#include "libprof/base/sha256.h"

/* clang-format off */
static const unsigned char core_js[] = {
#include "formats/render/viewer_core.js.inc"
};
static const unsigned char svg_js[] = {
#include "formats/render/viewer.js.inc"
};
static const unsigned char html_js[] = {
#include "formats/render/viewer_html.js.inc"
};
static const unsigned char svg_css[] = {
#include "formats/render/viewer.css.inc"
};
static const unsigned char html_css[] = {
#include "formats/render/viewer_html.css.inc"
};
/* clang-format on */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/*
 * Append a line of script without the spaces that separate nothing: those next to
 * punctuation, outside single quotes.
 */
static void add_code(struct prof_buf *out, const char *line, size_t len)
{
	bool quoted = false;

	for (size_t i = 0; i < len; i++) {
		if (quoted && line[i] == '\\' && i + 1 < len) {
			prof_buf_addc(out, line[i++]);
		} else if (line[i] == '\'') {
			quoted = !quoted;
		}
		if (quoted || line[i] != ' ' ||
		    (i > 0 && is_word(line[i - 1]) && i + 1 < len &&
		     is_word(line[i + 1]))) {
			prof_buf_addc(out, line[i]);
		}
	}
}

/* Where the line at `at` ends: the offset behind its newline. */
static size_t line_end(const char *text, size_t len, size_t at)
{
	while (at < len && text[at] != '\n') {
		at++;
	}
	return at < len ? at + 1 : at;
}

/* A script without indentation and without comments that have lines of their own. */
static void add_script(struct prof_buf *out, const unsigned char *bytes, size_t len)
{
	const char *text = (const char *)bytes;
	bool comment = false;
	size_t next = 0;

	for (size_t at = 0; at < len; at = next) {
		next = line_end(text, len, at);
		while (at < next &&
		       (text[at] == '\t' || (comment && text[at] == ' '))) {
			at++;
		}
		comment = comment ||
			  (next - at > 2 && text[at] == '/' && text[at + 1] == '*');
		if (!comment && next - at > 1) {
			add_code(out, text + at, next - at);
		}
		comment = comment && !memmem(text + at, next - at, "*/", 2);
	}
}

static void open_script(struct prof_buf *out)
{
	prof_buf_adds(out, "/* fgtool's viewer; MIT */\n(()=>{\n'use strict';\n");
	add_script(out, core_js, sizeof(core_js));
}

void prof_script_add_svg(struct prof_buf *out)
{
	open_script(out);
	add_script(out, svg_js, sizeof(svg_js));
	prof_buf_adds(out, "})();\n");
}

void prof_script_add_html(struct prof_buf *out)
{
	open_script(out);
	add_script(out, html_js, sizeof(html_js));
	prof_buf_adds(out, "})();\n");
}

void prof_script_add_svg_style(struct prof_buf *out, const char *id)
{
	for (size_t i = 0; i < sizeof(svg_css); i++) {
		if (svg_css[i] == '&') {
			prof_buf_addf(out, "#%s", id);
		} else {
			prof_buf_addc(out, (char)svg_css[i]);
		}
	}
}

void prof_script_add_html_style(struct prof_buf *out)
{
	prof_buf_add(out, html_css, sizeof(html_css));
}

static unsigned nibble(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

void prof_script_digest(const void *data, size_t len, char out[PROF_SCRIPT_DIGEST + 1])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvw"
				     "xyz0123456789+/";
	char hex[PROF_SHA256_HEX + 3] = { 0 };
	char *at = out;

	prof_sha256_hex(data, len, hex);
	/* 32 bytes are ten groups of three and one of two, whose third byte counts as 0. */
	hex[PROF_SHA256_HEX] = hex[PROF_SHA256_HEX + 1] = '0';
	for (size_t i = 0; i < PROF_SHA256_HEX; i += 6) {
		unsigned bits = 0;

		for (size_t k = 0; k < 6; k++) {
			bits = bits << 4 | nibble(hex[i + k]);
		}
		*at++ = digits[bits >> 18];
		*at++ = digits[bits >> 12 & 63];
		*at++ = digits[bits >> 6 & 63];
		*at++ = digits[bits & 63];
	}
	at[-1] = '=';
	*at = '\0';
}

/* SPDX-License-Identifier: MIT */
#include "formats/render/html.h"

#include <inttypes.h>
#include <stdio.h>

#include "formats/render/fg1.h"
#include "formats/render/markup.h"
#include "formats/render/quantity.h"
#include "formats/render/script.h"
#include "libprof/base/alloc.h"
#include "libprof/flame/label.h"

struct html {
	struct prof_picture picture;
	struct prof_buf style;
	struct prof_buf script;
	struct prof_markup xml;
};

static void put_text(struct html *html, const char *element, const char *text)
{
	prof_markup_open(&html->xml, element);
	prof_buf_adds(prof_markup_text(&html->xml), text);
	prof_markup_put(&html->xml);
	prof_markup_close_full(&html->xml);
}

/* --- head --- */

static void add_fills(const struct prof_picture *picture, struct prof_buf *css,
		      enum prof_theme theme)
{
	bool used[PROF_PALETTE_CLASSES];

	prof_picture_used(picture, used);
	for (uint32_t c = 0; c < PROF_PALETTE_CLASSES; c++) {
		struct prof_rgb rgb = prof_picture_fill(picture, theme, c);

		if (used[c]) {
			prof_buf_addf(css, "--k%" PRIu32 ":#%02x%02x%02x;", c, rgb.r,
				      rgb.g, rgb.b);
		}
	}
}

/* The variables of the dark theme: asked for by the system, or by the button. */
static void add_dark(const struct prof_picture *picture, struct prof_buf *css)
{
	prof_buf_adds(css,
		      "--bg:#17191d;--fg:#f4f4f2;--soft:#a4abb5;--line:#3a3f47;"
		      "--field:#24272d;--warn:#ffb27a;--focus:#8ab4f8;--label:#f4f4f2;"
		      "--hit:#6f27a6;--hitline:#d9a3ff;--hitsm:#b65cf0;--hatch:#7d838c;"
		      "--track:#2b2f36;--thumb:#7d838c;");
	add_fills(picture, css, PROF_THEME_DARK);
}

static void write_style(struct html *html)
{
	struct prof_buf *css = &html->style;
	bool used[PROF_PALETTE_CLASSES];

	prof_buf_addc(css, '\n');
	prof_script_add_html_style(css);
	prof_buf_adds(css, "html{");
	add_fills(&html->picture, css, PROF_THEME_LIGHT);
	prof_buf_adds(css, "}\n@media screen and (prefers-color-scheme:dark){"
			   "html:not([data-theme=light]){");
	add_dark(&html->picture, css);
	prof_buf_adds(css, "}}\nhtml[data-theme=light]{color-scheme:light}\n"
			   "@media screen{html[data-theme=dark]{color-scheme:dark;");
	add_dark(&html->picture, css);
	prof_buf_adds(css, "}}\n");
	prof_picture_used(&html->picture, used);
	for (uint32_t c = 0; c < PROF_PALETTE_CLASSES; c++) {
		if (used[c]) {
			prof_buf_addf(css, ".k%" PRIu32 "{fill:var(--k%" PRIu32 ")}\n",
				      c, c);
		}
	}
}

static void put_meta(struct html *html, const char *key, const char *name,
		     const char *content)
{
	struct prof_markup *xml = &html->xml;

	prof_markup_open(xml, "meta");
	prof_markup_attr(xml, key, name);
	if (content) {
		prof_markup_attr(xml, "content", content);
	}
	prof_markup_close(xml);
	prof_markup_line(xml);
}

static void put_policy(struct html *html)
{
	char style[PROF_SCRIPT_DIGEST + 1];
	char script[PROF_SCRIPT_DIGEST + 1];
	char policy[300];

	prof_script_digest(html->style.data, html->style.len, style);
	prof_script_digest(html->script.data, html->script.len, script);
	snprintf(policy, sizeof(policy),
		 "default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; "
		 "img-src data:; base-uri 'none'; form-action 'none'",
		 style, script);
	put_meta(html, "http-equiv", "Content-Security-Policy", policy);
}

static void put_raw(struct html *html, const char *element, const struct prof_buf *text)
{
	struct prof_markup *xml = &html->xml;

	prof_markup_open(xml, element);
	prof_buf_add(prof_markup_text(xml), text->data, text->len);
	prof_markup_put_raw(xml);
	prof_markup_close_full(xml);
	prof_markup_line(xml);
}

static void put_head(struct html *html)
{
	struct prof_markup *xml = &html->xml;
	const struct prof_picture *picture = &html->picture;

	prof_markup_open(xml, "head");
	put_meta(html, "charset", "utf-8", NULL);
	put_policy(html);
	put_meta(html, "name", "viewport", "width=device-width,initial-scale=1");
	prof_markup_open(xml, "title");
	prof_buf_adds(prof_markup_text(xml), "Flame graph: ");
	prof_buf_add(&xml->text, picture->title.data, picture->title.len);
	prof_buf_adds(&xml->text, ", ");
	prof_picture_add_value(&xml->text, picture, picture->layout.total);
	prof_markup_put(xml);
	prof_markup_close_full(xml);
	prof_markup_line(xml);
	/* Or a browser would ask a server for one. */
	prof_markup_open(xml, "link");
	prof_markup_attr(xml, "rel", "icon");
	prof_markup_attr(xml, "href", "data:,");
	prof_markup_close(xml);
	prof_markup_line(xml);
	put_raw(html, "style", &html->style);
	prof_markup_close_full(xml);
	prof_markup_line(xml);
}

/* --- header --- */

static void put_legend(struct html *html)
{
	struct prof_markup *xml = &html->xml;
	bool occurs[PROF_PICTURE_KINDS];
	char class_name[16];

	prof_markup_open(xml, "p");
	prof_markup_attr(xml, "class", "legend");
	prof_picture_kinds(&html->picture, occurs);
	for (uint32_t kind = 0; kind < PROF_PICTURE_KINDS; kind++) {
		enum prof_frame_kind what = (enum prof_frame_kind)kind;

		if (!occurs[kind]) {
			continue;
		}
		prof_markup_open(xml, "span");
		prof_markup_open(xml, "svg");
		prof_markup_attr(xml, "viewBox", "0 0 1 1");
		prof_markup_attr(xml, "aria-hidden", "true");
		prof_markup_open(xml, "path");
		snprintf(class_name, sizeof(class_name), "k%" PRIu32,
			 prof_picture_kind_class(what));
		prof_markup_attr(xml, "class", class_name);
		prof_markup_attr(xml, "d", "M0 0h1v1H0z");
		prof_markup_close_full(xml);
		prof_markup_close_full(xml);
		prof_buf_adds(prof_markup_text(xml), prof_picture_kind_word(what));
		prof_markup_put(xml);
		prof_markup_close_full(xml);
	}
	prof_markup_close_full(xml);
}

static void put_paragraph(struct html *html, const char *class_name)
{
	struct prof_markup *xml = &html->xml;

	prof_markup_open(xml, "p");
	if (class_name) {
		prof_markup_attr(xml, "class", class_name);
	}
	prof_markup_put(xml);
	prof_markup_close_full(xml);
}

static void put_titles(struct html *html)
{
	struct prof_markup *xml = &html->xml;
	const struct prof_picture *picture = &html->picture;
	const char *note = picture->notes.data;
	const char *end = note + picture->notes.len;

	prof_markup_open(xml, "div");
	prof_markup_attr(xml, "class", "head");
	prof_markup_open(xml, "h1");
	prof_buf_add(prof_markup_text(xml), picture->title.data, picture->title.len);
	prof_markup_put(xml);
	prof_markup_close_full(xml);
	if (picture->options.subtitle.len > 0) {
		prof_text_escape(prof_markup_text(xml), picture->options.subtitle);
		put_paragraph(html, NULL);
	}
	prof_picture_add_totals(prof_markup_text(xml), picture);
	put_paragraph(html, NULL);
	while (note && note < end) {
		const char *newline = memchr(note, '\n', (size_t)(end - note));

		prof_buf_add(prof_markup_text(xml), note, (size_t)(newline - note));
		put_paragraph(html, "note");
		note = newline + 1;
	}
	if (picture->by_kind) {
		put_legend(html);
	}
	prof_markup_close_full(xml);
	prof_markup_line(xml);
}

static const struct button {
	const char *deed;
	const char *text;
	const char *title;
} buttons[] = {
	{ "undo", "Undo", "undo the last zoom (u)" },
	{ "reset", "Reset", "back to the beginning (0)" },
	{ "flip", "Flip", "root at the top or at the bottom (i)" },
	{ "table", "Table", "functions and their values (t)" },
	{ "theme", "Theme", "as the system has it, light, dark (d)" },
	{ "help", "Keys", "what keys do (?)" },
};

static void put_tools(struct html *html)
{
	struct prof_markup *xml = &html->xml;

	prof_markup_open(xml, "div");
	prof_markup_attr(xml, "class", "tools");
	prof_markup_attr(xml, "role", "toolbar");
	prof_markup_attr(xml, "aria-label", "View");
	prof_markup_open(xml, "input");
	prof_markup_attr(xml, "type", "search");
	prof_markup_attr(xml, "placeholder", "Search: name or /expression/");
	prof_markup_attr(xml, "aria-label", "Search");
	prof_markup_attr(xml, "spellcheck", "false");
	prof_markup_close(xml);
	for (size_t i = 0; i < sizeof(buttons) / sizeof(buttons[0]); i++) {
		prof_markup_open(xml, "button");
		prof_markup_attr(xml, "type", "button");
		prof_markup_attr(xml, "data-do", buttons[i].deed);
		prof_markup_attr(xml, "title", buttons[i].title);
		prof_buf_adds(prof_markup_text(xml), buttons[i].text);
		prof_markup_put(xml);
		prof_markup_close_full(xml);
	}
	prof_markup_open(xml, "div");
	prof_markup_attr(xml, "class", "match");
	prof_markup_attr(xml, "role", "status");
	prof_markup_close_full(xml);
	prof_markup_close_full(xml);
	prof_markup_line(xml);
}

/* --- the picture without script --- */

static void add_tenths(struct prof_buf *out, uint64_t tenths)
{
	prof_buf_add_uint(out, tenths / 10);
	if (tenths % 10 > 0) {
		prof_buf_addc(out, '.');
		prof_buf_add_uint(out, tenths % 10);
	}
}

static uint64_t top_of(const struct prof_picture *picture, const struct prof_box *box)
{
	return prof_picture_top(picture, box->row) - picture->head;
}

/* Every box of one class: a single path. Hidden frames have a class of their own. */
static void put_boxes(struct html *html, uint32_t color_class)
{
	const struct prof_picture *picture = &html->picture;
	struct prof_markup *xml = &html->xml;
	struct prof_buf *out = prof_markup_text(xml);
	char class_name[16] = "sm";

	for (uint32_t i = 0; i < picture->boxes.count; i++) {
		const struct prof_box *box = &picture->boxes.data[i];
		struct prof_picture_edges edges = prof_picture_edges(picture, box);
		uint32_t name = picture->tree->nodes[box->node].name;
		uint32_t its =
			box->hidden > 0 ? PROF_PALETTE_CLASSES : picture->classes[name];

		if (its != color_class) {
			continue;
		}
		prof_buf_addc(out, 'M');
		add_tenths(out, edges.left);
		prof_buf_addf(out, " %" PRIu64 "h", top_of(picture, box));
		add_tenths(out, prof_picture_filled(edges));
		prof_buf_addf(out, "v%" PRIu32 "H", picture->options.row - 1);
		add_tenths(out, edges.left);
		prof_buf_addc(out, 'z');
	}
	if (out->len == 0) {
		return;
	}
	prof_markup_open(xml, "path");
	if (color_class < PROF_PALETTE_CLASSES) {
		snprintf(class_name, sizeof(class_name), "k%" PRIu32, color_class);
	}
	prof_markup_put_attr(xml, "d");
	prof_markup_attr(xml, "class", class_name);
	prof_markup_close(xml);
	prof_markup_line(xml);
}

static void put_labels(struct html *html)
{
	const struct prof_picture *picture = &html->picture;
	struct prof_markup *xml = &html->xml;
	struct prof_buf label = { 0 };

	for (uint32_t i = 0; i < picture->boxes.count && !xml->failed; i++) {
		const struct prof_box *box = &picture->boxes.data[i];
		struct prof_picture_edges edges = prof_picture_edges(picture, box);

		prof_buf_clear(&label);
		prof_picture_add_label(&label, picture, box);
		xml->failed |= label.failed;
		if (label.len == 0) {
			continue;
		}
		prof_markup_open(xml, "text");
		add_tenths(prof_markup_text(xml),
			   edges.left + 10 * PROF_PICTURE_LABEL_PAD);
		prof_markup_put_attr(xml, "x");
		prof_markup_number(xml, "y",
				   top_of(picture, box) + picture->options.row * 3 / 4);
		prof_buf_add(prof_markup_text(xml), label.data, label.len);
		prof_markup_put(xml);
		prof_markup_close(xml);
		prof_markup_line(xml);
	}
	prof_buf_free(&label);
}

static void put_paper(struct html *html)
{
	const struct prof_picture *picture = &html->picture;
	struct prof_markup *xml = &html->xml;
	char text[80];

	prof_markup_open(xml, "svg");
	prof_markup_attr(xml, "class", "paper");
	snprintf(text, sizeof(text), "0 0 %" PRIu32 " %" PRIu64, picture->options.width,
		 (uint64_t)picture->rows * picture->options.row);
	prof_markup_attr(xml, "viewBox", text);
	prof_markup_attr(xml, "role", "img");
	prof_markup_number(xml, "font-size", picture->font);
	xml->failed |= !prof_picture_add_description(prof_markup_text(xml), picture);
	prof_markup_put_attr(xml, "aria-label");
	prof_markup_line(xml);
	for (uint32_t c = 0; c <= PROF_PALETTE_CLASSES; c++) {
		put_boxes(html, c);
	}
	put_labels(html);
	prof_markup_close_full(xml);
}

/* --- the table --- */

static void put_value(struct html *html, uint64_t value)
{
	struct prof_markup *xml = &html->xml;
	const struct prof_picture *picture = &html->picture;

	prof_markup_open(xml, "td");
	if (prof_quantity_ladder(picture->options.unit)) {
		prof_picture_add_value(prof_markup_text(xml), picture, value);
	} else {
		prof_quantity_add_count(prof_markup_text(xml), value);
	}
	prof_buf_adds(&xml->text, " (");
	prof_quantity_add_percent(&xml->text, value, picture->layout.total);
	prof_buf_addc(&xml->text, ')');
	prof_markup_put(xml);
	prof_markup_close_full(xml);
}

static void put_heading(struct html *html, const char *by, const char *text)
{
	struct prof_markup *xml = &html->xml;

	prof_markup_open(xml, "th");
	prof_markup_attr(xml, "scope", "col");
	prof_markup_attr(xml, "data-by", by);
	prof_markup_open(xml, "button");
	prof_markup_attr(xml, "type", "button");
	prof_buf_adds(prof_markup_text(xml), text);
	prof_markup_put(xml);
	prof_markup_close_full(xml);
	prof_markup_close_full(xml);
}

/* A name as long as can be read. */
static void put_name(struct html *html, uint32_t name)
{
	struct prof_markup *xml = &html->xml;
	struct prof_buf whole = { 0 };

	prof_picture_add_name(&whole, &html->picture, name);
	xml->failed |= whole.failed;
	prof_label_fit(prof_markup_text(xml),
		       (struct prof_text){ whole.data, whole.len },
		       PROF_HTML_TABLE_CELLS);
	prof_markup_put(xml);
	prof_buf_free(&whole);
}

static void put_rows(struct html *html, const struct prof_picture_function *rows,
		     uint32_t count)
{
	struct prof_markup *xml = &html->xml;

	for (uint32_t i = 0; rows && i < count; i++) {
		prof_markup_open(xml, "tr");
		prof_markup_open(xml, "td");
		put_name(html, rows[i].name);
		prof_markup_close_full(xml);
		put_value(html, rows[i].self);
		put_value(html, rows[i].total);
		prof_markup_close_full(xml);
		prof_markup_line(xml);
	}
}

static void put_table(struct html *html)
{
	struct prof_markup *xml = &html->xml;
	uint32_t count = 0;
	struct prof_picture_function *rows =
		prof_picture_functions(&html->picture, &count);
	uint32_t shown = count < PROF_HTML_TABLE_ROWS ? count : PROF_HTML_TABLE_ROWS;

	xml->failed |= !rows;
	prof_markup_open(xml, "section");
	prof_markup_attr(xml, "class", "list");
	prof_markup_attr(xml, "aria-label", "Functions");
	prof_markup_open(xml, "table");
	prof_markup_open(xml, "caption");
	prof_quantity_add_count(prof_markup_text(xml), shown);
	if (shown < count) {
		prof_buf_adds(&xml->text, " of ");
		prof_quantity_add_count(&xml->text, count);
	}
	prof_buf_adds(&xml->text, count == 1 ? " function" : " functions");
	prof_markup_put(xml);
	prof_markup_close_full(xml);
	prof_markup_open(xml, "thead");
	prof_markup_open(xml, "tr");
	put_heading(html, "name", "Function");
	put_heading(html, "self", "Self");
	put_heading(html, "total", "Total");
	prof_markup_close_full(xml);
	prof_markup_close_full(xml);
	prof_markup_open(xml, "tbody");
	put_rows(html, rows, shown);
	prof_markup_close_full(xml);
	prof_markup_close_full(xml);
	prof_markup_open(xml, "button");
	prof_markup_attr(xml, "type", "button");
	prof_markup_attr(xml, "class", "more");
	prof_buf_adds(prof_markup_text(xml), "More");
	prof_markup_put(xml);
	prof_markup_close_full(xml);
	prof_markup_close_full(xml);
	prof_free(rows);
}

/* --- the page --- */

static void put_empty(struct html *html, const char *element, const char *key,
		      const char *value)
{
	prof_markup_open(&html->xml, element);
	prof_markup_attr(&html->xml, key, value);
	prof_markup_close_full(&html->xml);
	prof_markup_line(&html->xml);
}

static void put_dialog(struct html *html)
{
	struct prof_markup *xml = &html->xml;

	prof_markup_open(xml, "dialog");
	prof_markup_attr(xml, "aria-label", "Keys");
	put_text(html, "h2", "Keys");
	put_text(html, "dl", "");
	prof_markup_open(xml, "button");
	prof_markup_attr(xml, "type", "button");
	prof_markup_attr(xml, "data-do", "help");
	prof_buf_adds(prof_markup_text(xml), "Close");
	prof_markup_put(xml);
	prof_markup_close_full(xml);
	prof_markup_close_full(xml);
	prof_markup_line(xml);
}

static void put_data(struct html *html)
{
	struct prof_markup *xml = &html->xml;

	prof_markup_open(xml, "script");
	prof_markup_attr(xml, "type", "text/x-fg1");
	prof_fg1_write(prof_markup_text(xml), &html->picture);
	prof_markup_put_raw(xml);
	prof_markup_close_full(xml);
	prof_markup_line(xml);
}

static void put_body(struct html *html)
{
	struct prof_markup *xml = &html->xml;

	prof_markup_open(xml, "body");
	prof_markup_number(xml, "data-row", html->picture.options.row);
	prof_markup_line(xml);
	prof_markup_open(xml, "header");
	put_titles(html);
	put_tools(html);
	prof_markup_close_full(xml);
	prof_markup_open(xml, "nav");
	prof_markup_attr(xml, "aria-label", "Path to what is in view");
	put_text(html, "ol", "");
	prof_markup_close_full(xml);
	put_empty(html, "canvas", "class", "strip");
	prof_markup_open(xml, "main");
	prof_markup_open(xml, "div");
	prof_markup_attr(xml, "class", "graph");
	put_paper(html);
	prof_markup_close_full(xml);
	put_table(html);
	prof_markup_close_full(xml);
	prof_markup_line(xml);
	put_empty(html, "div", "class", "details");
	put_empty(html, "div", "class", "tip");
	prof_markup_open(xml, "div");
	prof_markup_attr(xml, "class", "status");
	prof_markup_attr(xml, "role", "status");
	prof_markup_close_full(xml);
	put_dialog(html);
	put_data(html);
	put_raw(html, "script", &html->script);
	prof_markup_close_full(xml);
}

static bool write_page(struct html *html, struct prof_buf *out, struct prof_error *err)
{
	write_style(html);
	prof_buf_addc(&html->script, '\n');
	prof_script_add_html(&html->script);
	if (html->style.failed || html->script.failed) {
		return prof_fail_nomem(err);
	}
	prof_buf_adds(out, "<!doctype html>\n");
	if (!prof_markup_init(&html->xml, out, false, err)) {
		return false;
	}
	prof_markup_open(&html->xml, "html");
	prof_markup_attr(&html->xml, "lang", "en");
	put_head(html);
	put_body(html);
	prof_markup_close_full(&html->xml);
	return prof_markup_finish(&html->xml) || prof_fail_nomem(err);
}

bool prof_html_write(const struct prof_calltree *tree,
		     const struct prof_picture_options *options, struct prof_buf *out,
		     struct prof_buf *notes, struct prof_error *err)
{
	struct prof_picture_options own = *options;
	struct html html = { 0 };
	bool ok = false;

	own.static_max = PROF_HTML_STATIC_MAX;
	if (!prof_picture_init(&html.picture, tree, &own, err)) {
		return false;
	}
	ok = write_page(&html, out, err);
	if (ok) {
		prof_picture_add_notes(notes, &html.picture);
	}
	prof_picture_free(&html.picture);
	prof_buf_free(&html.style);
	prof_buf_free(&html.script);
	return ok;
}

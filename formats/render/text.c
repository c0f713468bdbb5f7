/* SPDX-License-Identifier: MIT */
#include "formats/render/text.h"

#include <inttypes.h>

#include "formats/render/quantity.h"
#include "libprof/base/alloc.h"
#include "libprof/flame/label.h"

#define EDGE   "\xe2\x94\x83" /* ┃ */
#define LINE   "\xe2\x94\x80" /* ─ */
#define NARROW "\xe2\x96\x92" /* ▒ */
#define THIN   "\xe2\x96\x8f" /* ▏ */

enum {
	FUNCTIONS = 10,   /* in the table below */
	LABEL_CHARS = 3,  /* no label where fewer would fit */
	SHARE_CELLS = 20, /* of the two columns of shares */
};

struct page {
	struct prof_picture picture;
	struct prof_buf name;
	struct prof_buf label;
	struct prof_buf *out;
	uint32_t columns;
};

static void repeat(struct prof_buf *out, const char *text, uint64_t times)
{
	for (uint64_t i = 0; i < times && !out->failed; i++) {
		prof_buf_adds(out, text);
	}
}

/* Append `text` in at most `cells` cells; returns how many it took. */
static size_t add_fitted(struct page *page, struct prof_text text, size_t cells)
{
	struct prof_buf *label = &page->label;

	prof_buf_clear(label);
	prof_label_fit(label, text, cells);
	page->out->failed |= label->failed;
	prof_buf_add(page->out, label->data, label->len);
	return prof_text_cells((struct prof_text){ label->data, label->len });
}

static struct prof_text name_of(struct page *page, uint32_t name)
{
	prof_buf_clear(&page->name);
	prof_picture_add_name(&page->name, &page->picture, name);
	page->out->failed |= page->name.failed;
	return (struct prof_text){ page->name.data, page->name.len };
}

/* The nearest of the 216 colors that nearly every terminal has. */
static uint32_t terminal_color(struct prof_rgb rgb)
{
	const uint8_t channels[] = { rgb.r, rgb.g, rgb.b };
	uint32_t color = 0;

	for (int i = 0; i < 3; i++) {
		uint32_t c = channels[i];

		/* The steps are 0, 95, 135, 175, 215 and 255. */
		color = color * 6 + (c < 48 ? 0 : c < 115 ? 1 : (c - 35) / 40);
	}
	return 16 + color;
}

static void begin_color(struct page *page, uint32_t color_class)
{
	struct prof_rgb rgb =
		prof_picture_fill(&page->picture, PROF_THEME_LIGHT, color_class);

	prof_buf_addf(page->out, "\x1b[38;5;16;48;5;%" PRIu32 "m", terminal_color(rgb));
}

static void end_color(struct page *page)
{
	prof_buf_adds(page->out, "\x1b[0m");
}

/* A box of `cells` cells: its edge, its label, the rest of it. */
static void add_box(struct page *page, const struct prof_box *box, uint64_t cells)
{
	const struct prof_picture *picture = &page->picture;
	uint32_t name = picture->tree->nodes[box->node].name;
	bool color = picture->options.color;
	size_t used = 0;

	if (box->hidden > 0) {
		repeat(page->out, NARROW, cells);
		return;
	}
	if (color) {
		begin_color(page, picture->classes[name]);
	}
	prof_buf_adds(page->out, color ? THIN : EDGE);
	if (cells > LABEL_CHARS) {
		used = add_fitted(page, name_of(page, name), (size_t)cells - 1);
	}
	repeat(page->out, color ? " " : LINE, cells - 1 - used);
	if (color) {
		end_color(page);
	}
}

/* One row; returns the index of the first box behind it. */
static uint32_t add_row(struct page *page, uint32_t first)
{
	const struct prof_boxes *boxes = &page->picture.boxes;
	uint32_t row = boxes->data[first].row;
	uint64_t at = 0;
	uint32_t i = first;

	for (; i < boxes->count && boxes->data[i].row == row; i++) {
		const struct prof_box *box = &boxes->data[i];
		uint64_t left = prof_layout_place(&page->picture.layout, box->start,
						  page->columns);
		uint64_t right = prof_layout_place(
			&page->picture.layout, box->start + box->width, page->columns);

		repeat(page->out, " ", left - at);
		add_box(page, box, right - left);
		at = right;
	}
	prof_buf_addc(page->out, '\n');
	return i;
}

/* Boxes stand by row, the root's first: from the last row up for a flame. */
static void add_rows(struct page *page)
{
	const struct prof_boxes *boxes = &page->picture.boxes;
	uint32_t end = boxes->count;

	if (page->picture.options.icicle) {
		for (uint32_t i = 0; i < end && !page->out->failed;) {
			i = add_row(page, i);
		}
		return;
	}
	while (end > 0 && !page->out->failed) {
		uint32_t first = end - 1;

		while (first > 0 &&
		       boxes->data[first - 1].row == boxes->data[first].row) {
			first--;
		}
		add_row(page, first);
		end = first;
	}
}

static void add_legend(struct page *page)
{
	bool occurs[PROF_PICTURE_KINDS];

	prof_picture_kinds(&page->picture, occurs);
	for (uint32_t kind = 0; kind < PROF_PICTURE_KINDS; kind++) {
		enum prof_frame_kind what = (enum prof_frame_kind)kind;

		if (occurs[kind]) {
			begin_color(page, prof_picture_kind_class(what));
			prof_buf_addf(page->out, " %s ", prof_picture_kind_word(what));
			end_color(page);
			prof_buf_addc(page->out, ' ');
		}
	}
	prof_buf_addc(page->out, '\n');
}

static void add_header(struct page *page)
{
	const struct prof_picture *picture = &page->picture;

	prof_buf_add(page->out, picture->title.data, picture->title.len);
	prof_buf_addc(page->out, '\n');
	if (picture->options.subtitle.len > 0) {
		prof_text_escape(page->out, picture->options.subtitle);
		prof_buf_addc(page->out, '\n');
	}
	prof_picture_add_totals(page->out, picture);
	if (picture->boxes.frames < picture->layout.shown) {
		prof_buf_adds(page->out, " \xc2\xb7 ");
		prof_quantity_add_count(page->out,
					picture->layout.shown - picture->boxes.frames);
		prof_buf_adds(page->out, " narrower than a column");
	}
	prof_buf_addc(page->out, '\n');
	prof_buf_add(page->out, picture->notes.data, picture->notes.len);
	if (picture->by_kind && picture->options.color) {
		add_legend(page);
	}
	prof_buf_addc(page->out, '\n');
}

static void add_share(struct page *page, uint64_t value)
{
	struct prof_buf *label = &page->label;

	prof_buf_clear(label);
	prof_quantity_add_percent(label, value, page->picture.layout.total);
	repeat(page->out, " ", label->len < 9 ? 9 - label->len : 0);
	prof_buf_add(page->out, label->data, label->len);
	page->out->failed |= label->failed;
}

/* What the boxes are too narrow to tell. */
static void add_functions(struct page *page)
{
	uint32_t count = 0;
	struct prof_picture_function *functions =
		prof_picture_functions(&page->picture, &count);

	page->out->failed |= !functions;
	prof_buf_adds(page->out, "\n     self    total  function\n");
	for (uint32_t i = 0; functions && i < count && i < FUNCTIONS; i++) {
		if (functions[i].self == 0) {
			break;
		}
		add_share(page, functions[i].self);
		add_share(page, functions[i].total);
		prof_buf_adds(page->out, "  ");
		add_fitted(page, name_of(page, functions[i].name),
			   page->columns > 2 * SHARE_CELLS ? page->columns - SHARE_CELLS
							   : SHARE_CELLS);
		prof_buf_addc(page->out, '\n');
	}
	prof_free(functions);
}

bool prof_flame_text_write(const struct prof_calltree *tree,
			   const struct prof_picture_options *options,
			   struct prof_buf *out, struct prof_buf *notes,
			   struct prof_error *err)
{
	struct page page = { .out = out, .columns = options->columns };
	struct prof_picture_options own = *options;

	page.columns = page.columns > 0 ? page.columns : PROF_TEXT_COLUMNS;
	own.width = page.columns + 2 * PROF_PICTURE_PAD;
	own.static_max = UINT32_MAX;
	if (!prof_picture_init(&page.picture, tree, &own, err)) {
		return false;
	}
	add_header(&page);
	add_rows(&page);
	if (page.picture.layout.total > 0) {
		add_functions(&page);
	}
	prof_picture_add_notes(notes, &page.picture);
	prof_picture_free(&page.picture);
	prof_buf_free(&page.name);
	prof_buf_free(&page.label);
	return !out->failed || prof_fail_nomem(err);
}

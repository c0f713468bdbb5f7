/* SPDX-License-Identifier: MIT */
#include "formats/render/cairo.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <inttypes.h>
#include <stdio.h>

#include "formats/render/quantity.h"

struct canvas {
	const struct prof_picture *picture;
	cairo_t *cairo;
	struct prof_buf text;
};

/* The light theme of viewer.css. */
static const struct prof_rgb ink = { 0x14, 0x14, 0x16 };
static const struct prof_rgb soft = { 0x5b, 0x60, 0x68 };
static const struct prof_rgb warning = { 0xa3, 0x3c, 0x00 };
static const struct prof_rgb hatch = { 0x8a, 0x90, 0x98 };
static const struct prof_rgb border = { 0x9a, 0xa0, 0xa8 };

static void use_color(struct canvas *canvas, struct prof_rgb rgb)
{
	cairo_set_source_rgb(canvas->cairo, rgb.r / 255.0, rgb.g / 255.0,
			     rgb.b / 255.0);
}

static void use_font(struct canvas *canvas, const char *family, bool bold, double size)
{
	cairo_select_font_face(canvas->cairo, family, CAIRO_FONT_SLANT_NORMAL,
			       bold ? CAIRO_FONT_WEIGHT_BOLD
				    : CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(canvas->cairo, size);
}

/* An empty buffer for the text of the next put_text(). */
static struct prof_buf *new_text(struct canvas *canvas)
{
	canvas->text.len = 0;
	return &canvas->text;
}

static const char *c_string(struct canvas *canvas)
{
	prof_buf_addc(&canvas->text, '\0');
	return canvas->text.failed ? "" : canvas->text.data;
}

static void put_text(struct canvas *canvas, double x, double y)
{
	cairo_move_to(canvas->cairo, x, y);
	cairo_show_text(canvas->cairo, c_string(canvas));
}

/* The next line of the header. */
static void put_line(struct canvas *canvas, double *y)
{
	put_text(canvas, PROF_PICTURE_PAD, *y);
	*y += PROF_PICTURE_HEAD_LINE;
}

static void draw_legend(struct canvas *canvas, double y)
{
	bool occurs[PROF_PICTURE_KINDS];
	double x = PROF_PICTURE_PAD;

	prof_picture_kinds(canvas->picture, occurs);
	for (uint32_t kind = 0; kind < PROF_PICTURE_KINDS; kind++) {
		enum prof_frame_kind what = (enum prof_frame_kind)kind;
		const char *word = prof_picture_kind_word(what);

		if (!occurs[kind]) {
			continue;
		}
		use_color(canvas, prof_picture_fill(canvas->picture, PROF_THEME_LIGHT,
						    prof_picture_kind_class(what)));
		cairo_rectangle(canvas->cairo, x, y - PROF_PICTURE_SWATCH + 1,
				PROF_PICTURE_SWATCH, PROF_PICTURE_SWATCH);
		cairo_fill(canvas->cairo);
		use_color(canvas, soft);
		prof_buf_adds(new_text(canvas), word);
		put_text(canvas, x + PROF_PICTURE_SWATCH + 5, y);
		x += PROF_PICTURE_SWATCH + 25 + 7 * (double)strlen(word);
	}
}

static void draw_notes(struct canvas *canvas, double *y)
{
	const char *note = canvas->picture->notes.data;
	const char *end = note + canvas->picture->notes.len;

	use_color(canvas, warning);
	while (note && note < end) {
		const char *newline = memchr(note, '\n', (size_t)(end - note));

		prof_buf_add(new_text(canvas), note, (size_t)(newline - note));
		put_line(canvas, y);
		note = newline + 1;
	}
}

static void draw_header(struct canvas *canvas)
{
	const struct prof_picture *picture = canvas->picture;
	double y = PROF_PICTURE_TITLE_LINE;

	use_font(canvas, "DejaVu Sans", true, 17);
	use_color(canvas, ink);
	prof_buf_add(new_text(canvas), picture->title.data, picture->title.len);
	put_line(canvas, &y);
	use_font(canvas, "DejaVu Sans", false, 12);
	use_color(canvas, soft);
	if (picture->options.subtitle.len > 0) {
		prof_text_escape(new_text(canvas), picture->options.subtitle);
		put_line(canvas, &y);
	}
	prof_picture_add_totals(new_text(canvas), picture);
	prof_picture_add_missing(&canvas->text, picture);
	put_line(canvas, &y);
	draw_notes(canvas, &y);
	draw_legend(canvas, y);
}

/* Diagonals a pixel wide, four apart, in the box that is the current path. */
static void draw_hatch(struct canvas *canvas, double x, double y, double width)
{
	cairo_t *cairo = canvas->cairo;
	double height = canvas->picture->options.row - 1;
	int first = (int)(x / 4);
	int last = (int)((x + width + height) / 4);

	cairo_save(cairo);
	cairo_clip_preserve(cairo);
	cairo_new_path(cairo);
	for (int i = first; i <= last; i++) {
		cairo_move_to(cairo, 4.0 * i + 1, y - 1);
		cairo_line_to(cairo, 4.0 * i - height - 1, y + height + 1);
	}
	use_color(canvas, hatch);
	cairo_set_line_width(cairo, 1);
	cairo_stroke(cairo);
	cairo_restore(cairo);
	cairo_rectangle(cairo, x, y, width, height);
	use_color(canvas, border);
	cairo_set_line_width(cairo, 0.5);
	cairo_stroke(cairo);
}

static void draw_box(struct canvas *canvas, const struct prof_box *box)
{
	const struct prof_picture *picture = canvas->picture;
	struct prof_picture_edges edges = prof_picture_edges(picture, box);
	double x = (double)edges.left / 10;
	double y = (double)prof_picture_top(picture, box->row);
	double width = (double)prof_picture_filled(edges) / 10;
	uint32_t name = picture->tree->nodes[box->node].name;

	cairo_rectangle(canvas->cairo, x, y, width, picture->options.row - 1);
	if (box->hidden > 0) {
		draw_hatch(canvas, x, y, width);
		return;
	}
	use_color(canvas,
		  prof_picture_fill(picture, PROF_THEME_LIGHT, picture->classes[name]));
	cairo_fill(canvas->cairo);
	prof_picture_add_label(new_text(canvas), picture, box);
	if (canvas->text.len > 0) {
		use_color(canvas, prof_palette_label(PROF_THEME_LIGHT));
		put_text(canvas, x + PROF_PICTURE_LABEL_PAD, y + picture->font);
	}
}

/* Draw it all; false when out of memory. */
static bool draw(struct canvas *canvas)
{
	const struct prof_boxes *boxes = &canvas->picture->boxes;
	cairo_font_options_t *fonts = cairo_font_options_create();

	/* What would fit letters to pixels would make their widths depend on scale. */
	cairo_font_options_set_hint_style(fonts, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(fonts, CAIRO_HINT_METRICS_OFF);
	cairo_font_options_set_antialias(fonts, CAIRO_ANTIALIAS_GRAY);
	cairo_set_font_options(canvas->cairo, fonts);
	cairo_font_options_destroy(fonts);

	cairo_set_source_rgb(canvas->cairo, 1, 1, 1);
	cairo_paint(canvas->cairo);
	draw_header(canvas);
	use_font(canvas, "DejaVu Sans Mono", false, canvas->picture->font);
	for (uint32_t i = 0; i < boxes->count; i++) {
		draw_box(canvas, &boxes->data[i]);
	}
	return cairo_status(canvas->cairo) == CAIRO_STATUS_SUCCESS &&
	       !canvas->text.failed;
}

static cairo_status_t take_bytes(void *context, const unsigned char *data, unsigned len)
{
	struct prof_buf *out = context;

	prof_buf_add(out, data, len);
	return CAIRO_STATUS_SUCCESS; /* cairo's PDF writer crashes after anything else */
}

static bool draw_png(const struct prof_picture *picture, struct prof_buf *out,
		     struct prof_error *err)
{
	uint32_t scale = picture->options.scale > 0 ? picture->options.scale : 1;
	uint64_t width = (uint64_t)picture->options.width * scale;
	uint64_t height = picture->height * scale;
	struct canvas canvas = { .picture = picture };
	cairo_surface_t *surface = NULL;
	bool ok = false;

	if (width > PROF_PNG_MAX_SIDE || height > PROF_PNG_MAX_SIDE ||
	    width * height > PROF_PNG_MAX_PIXELS) {
		return prof_fail(err, PROF_ERR_LIMIT,
				 "an image of %" PRIu64 " x %" PRIu64 " pixels is too "
				 "large: SVG, HTML and PDF have no such limit",
				 width, height);
	}
	surface =
		cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
	canvas.cairo = cairo_create(surface);
	cairo_scale(canvas.cairo, scale, scale);
	ok = draw(&canvas) && cairo_surface_write_to_png_stream(
				      surface, take_bytes, out) == CAIRO_STATUS_SUCCESS;
	cairo_destroy(canvas.cairo);
	cairo_surface_destroy(surface);
	prof_buf_free(&canvas.text);
	return (ok && !out->failed) || prof_fail_nomem(err);
}

/* The boxes with most value of their own, the largest first; returns how many. */
static uint32_t find_hottest(const struct prof_picture *picture,
			     const struct prof_box *hottest[PROF_PDF_OUTLINE])
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < picture->boxes.count; i++) {
		const struct prof_box *box = &picture->boxes.data[i];
		uint64_t self = prof_picture_self(picture, box->node);
		uint32_t at = count;

		if (box->hidden > 0 || self == 0) {
			continue;
		}
		while (at > 0 &&
		       prof_picture_self(picture, hottest[at - 1]->node) < self) {
			at--;
		}
		if (at == PROF_PDF_OUTLINE) {
			continue;
		}
		count += count < PROF_PDF_OUTLINE;
		for (uint32_t k = count - 1; k > at; k--) {
			hottest[k] = hottest[k - 1];
		}
		hottest[at] = box;
	}
	return count;
}

/* Links from the outline to the hottest frames, on a page drawn `shrink` times smaller. */
static void add_outline(struct canvas *canvas, cairo_surface_t *surface, double shrink)
{
	const struct prof_picture *picture = canvas->picture;
	const struct prof_box *hottest[PROF_PDF_OUTLINE] = { 0 };
	uint32_t count = find_hottest(picture, hottest);

	for (uint32_t i = 0; i < count; i++) {
		const struct prof_box *box = hottest[i];
		struct prof_picture_edges edges = prof_picture_edges(picture, box);
		uint64_t self = prof_picture_self(picture, box->node);
		char place[80];

		prof_picture_add_name(new_text(canvas), picture,
				      picture->tree->nodes[box->node].name);
		prof_buf_adds(&canvas->text, " (self ");
		prof_quantity_add_percent(&canvas->text, self, picture->layout.total);
		prof_buf_adds(&canvas->text, ", total ");
		prof_quantity_add_percent(&canvas->text, box->width,
					  picture->layout.total);
		prof_buf_adds(&canvas->text, ")");
		snprintf(place, sizeof(place), "page=1 pos=[%" PRIu64 " %" PRIu64 "]",
			 (uint64_t)((double)edges.left / 10 * shrink),
			 (uint64_t)((double)prof_picture_top(picture, box->row) *
				    shrink));
		cairo_pdf_surface_add_outline(surface, CAIRO_PDF_OUTLINE_ROOT,
					      c_string(canvas), place, 0);
	}
}

static void add_metadata(struct canvas *canvas, cairo_surface_t *surface)
{
	prof_buf_adds(new_text(canvas), "Flame graph: ");
	prof_buf_add(&canvas->text, canvas->picture->title.data,
		     canvas->picture->title.len);
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE,
				       c_string(canvas));
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "fgtool");
	/* The same profile gives the same bytes: without a date of ours, cairo's clock. */
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
				       "1970-01-01T00:00:00Z");
}

static bool draw_pdf(const struct prof_picture *picture, struct prof_buf *out,
		     struct prof_error *err)
{
	struct canvas canvas = { .picture = picture };
	double width = picture->options.width;
	double height = (double)picture->height;
	double longest = width > height ? width : height;
	double shrink = longest > PROF_PDF_MAX_SIDE ? PROF_PDF_MAX_SIDE / longest : 1;
	cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
		take_bytes, out, width * shrink, height * shrink);
	bool ok = false;

	canvas.cairo = cairo_create(surface);
	cairo_scale(canvas.cairo, shrink, shrink);
	add_metadata(&canvas, surface);
	ok = draw(&canvas);
	add_outline(&canvas, surface, shrink);
	cairo_show_page(canvas.cairo);
	ok = ok && !canvas.text.failed &&
	     cairo_status(canvas.cairo) == CAIRO_STATUS_SUCCESS;
	cairo_destroy(canvas.cairo);
	cairo_surface_finish(surface);
	ok = ok && cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS;
	cairo_surface_destroy(surface);
	prof_buf_free(&canvas.text);
	return (ok && !out->failed) || prof_fail_nomem(err);
}

bool prof_png_write(const struct prof_calltree *tree,
		    const struct prof_picture_options *options, struct prof_buf *out,
		    struct prof_buf *notes, struct prof_error *err)
{
	struct prof_picture picture = { 0 };
	bool ok = prof_picture_init(&picture, tree, options, err) &&
		  draw_png(&picture, out, err);

	if (ok) {
		prof_picture_add_notes(notes, &picture);
	}
	prof_picture_free(&picture);
	return ok;
}

bool prof_pdf_write(const struct prof_calltree *tree,
		    const struct prof_picture_options *options, struct prof_buf *out,
		    struct prof_buf *notes, struct prof_error *err)
{
	struct prof_picture picture = { 0 };
	bool ok = prof_picture_init(&picture, tree, options, err) &&
		  draw_pdf(&picture, out, err);

	if (ok) {
		prof_picture_add_notes(notes, &picture);
	}
	prof_picture_free(&picture);
	return ok;
}

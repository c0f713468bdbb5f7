/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <cairo.h>

#include "formats/render/cairo.h"
#include "libprof/base/alloc.h"
#include "tests/unit/formats/shape.h"

static struct prof_buf draw_png(const struct prof_picture_options *options)
{
	struct prof_calltree tree = tree_of(plain, 4);
	struct prof_buf notes = { 0 };
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	assert_true(prof_png_write(&tree, options, &out, &notes, &err));
	prof_buf_free(&notes);
	prof_arena_free(&tree.arena);
	return out;
}

static struct prof_buf draw_pdf(void)
{
	struct prof_calltree tree = tree_of(plain, 4);
	struct prof_buf notes = { 0 };
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	assert_true(prof_pdf_write(&tree, &samples, &out, &notes, &err));
	prof_buf_free(&notes);
	prof_arena_free(&tree.arena);
	return out;
}

struct bytes {
	const struct prof_buf *buf;
	size_t at;
};

static cairo_status_t give_bytes(void *context, unsigned char *data, unsigned len)
{
	struct bytes *bytes = context;

	if (len > bytes->buf->len - bytes->at) {
		return CAIRO_STATUS_READ_ERROR;
	}
	memcpy(data, bytes->buf->data + bytes->at, len);
	bytes->at += len;
	return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *decode(const struct prof_buf *png)
{
	struct bytes bytes = { .buf = png };
	cairo_surface_t *image =
		cairo_image_surface_create_from_png_stream(give_bytes, &bytes);

	assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
	return image;
}

static uint32_t pixel(cairo_surface_t *image, uint64_t x, uint64_t y)
{
	const unsigned char *data = cairo_image_surface_get_data(image);
	size_t stride = (size_t)cairo_image_surface_get_stride(image);
	uint32_t value = 0;

	memcpy(&value, data + y * stride + 4 * x, sizeof(value));
	return value & 0xffffff;
}

/* The middle of every box, at its upper edge where no label is, has the box's fill. */
static void check_fills(uint32_t scale)
{
	struct prof_picture_options options = samples;
	struct prof_calltree tree = tree_of(plain, 4);
	struct prof_picture picture = { 0 };
	struct prof_error err = { 0 };
	struct prof_buf png = { 0 };
	cairo_surface_t *image = NULL;

	options.scale = scale;
	png = draw_png(&options);
	image = decode(&png);
	assert_true(prof_picture_init(&picture, &tree, &options, &err));
	assert_int_equal(cairo_image_surface_get_width(image), 1200 * scale);
	assert_int_equal(cairo_image_surface_get_height(image), picture.height * scale);
	for (uint32_t i = 0; i < picture.boxes.count; i++) {
		const struct prof_box *box = &picture.boxes.data[i];
		struct prof_picture_edges edges = prof_picture_edges(&picture, box);
		struct prof_rgb rgb = prof_picture_fill(&picture, PROF_THEME_LIGHT,
							picture.classes[box->node]);

		assert_int_equal(
			pixel(image, (edges.left + edges.right) / 20 * scale,
			      (prof_picture_top(&picture, box->row) + 1) * scale),
			rgb.r << 16 | rgb.g << 8 | rgb.b);
	}
	cairo_surface_destroy(image);
	prof_picture_free(&picture);
	prof_buf_free(&png);
	prof_arena_free(&tree.arena);
}

static void boxes_of_an_image_stand_where_those_of_an_svg_do(void **state)
{
	check_fills(1);
	check_fills(3);
}

static void a_page_is_pdf_with_an_outline_and_no_clock(void **state)
{
	struct prof_buf one = draw_pdf();
	struct prof_buf two = draw_pdf();

	assert_memory_equal(one.data, "%PDF-1.", 7);
	assert_non_null(memmem(one.data, one.len, "/Outlines", 9));
	/* "parse (" in UTF-16. */
	assert_non_null(
		memmem(one.data, one.len, "<FEFF00700061007200730065002000280", 33));
	assert_non_null(memmem(one.data, one.len, "/CreationDate (19700101", 23));
	assert_int_equal(one.len, two.len);
	assert_memory_equal(one.data, two.data, one.len);
	prof_buf_free(&one);
	prof_buf_free(&two);
}

static void an_image_too_large_is_refused_with_its_size(void **state)
{
	struct prof_picture_options options = samples;
	struct prof_calltree tree = tree_of(plain, 4);
	struct prof_buf notes = { 0 };
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	options.width = 20000;
	options.scale = 2;
	assert_false(prof_png_write(&tree, &options, &out, &notes, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_string_equal(err.message,
			    "an image of 40000 x 260 pixels is too large: SVG, HTML "
			    "and PDF have no such limit");
	assert_int_equal(out.len, 0);
	prof_buf_free(&out);
	prof_arena_free(&tree.arena);
}

typedef bool writer(const struct prof_calltree *, const struct prof_picture_options *,
		    struct prof_buf *, struct prof_buf *, struct prof_error *);

static void fail_each_allocation(writer *write)
{
	struct prof_calltree tree = tree_of(plain, 4);
	struct prof_error err = { 0 };
	bool ok = false;

	for (int64_t n = 0; !ok; n++) {
		struct prof_buf out = { 0 };
		struct prof_buf notes = { 0 };

		prof_alloc_fail_after(n);
		ok = write(&tree, &samples, &out, &notes, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
		prof_buf_free(&out);
		prof_buf_free(&notes);
	}
	prof_arena_free(&tree.arena);
}

static void every_failed_allocation_is_reported(void **state)
{
	fail_each_allocation(prof_png_write);
	fail_each_allocation(prof_pdf_write);
}

TEST_MAIN(cmocka_unit_test(boxes_of_an_image_stand_where_those_of_an_svg_do),
	  cmocka_unit_test(a_page_is_pdf_with_an_outline_and_no_clock),
	  cmocka_unit_test(an_image_too_large_is_refused_with_its_size),
	  cmocka_unit_test(every_failed_allocation_is_reported))

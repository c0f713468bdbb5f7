/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <libxml/xmlreader.h>

#include "formats/render/boxes.h"
#include "formats/render/fg1.h"
#include "formats/render/quantity.h"
#include "formats/render/svg.h"
#include "libprof/base/alloc.h"
#include "tests/unit/formats/shape.h"

/* The picture of `shapes` as a C string; *notes (may be NULL) is what it says. */
static struct prof_buf draw(const struct shape *shapes, uint32_t count,
			    const struct prof_picture_options *options,
			    struct prof_buf *notes)
{
	struct prof_calltree tree = tree_of(shapes, count);
	struct prof_buf unheard = { 0 };
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	assert_true(
		prof_svg_write(&tree, options, &out, notes ? notes : &unheard, &err));
	prof_buf_addc(&out, '\0');
	prof_buf_free(&unheard);
	prof_arena_free(&tree.arena);
	return out;
}

/* How many elements an XML parser finds; fails the test when it is not XML. */
static int elements(const struct prof_buf *svg)
{
	xmlTextReaderPtr reader = xmlReaderForMemory(svg->data, (int)svg->len - 1, NULL,
						     NULL, XML_PARSE_NONET);
	int count = 0;
	int more = 0;

	assert_non_null(reader);
	while ((more = xmlTextReaderRead(reader)) == 1) {
		count += xmlTextReaderNodeType(reader) == XML_READER_TYPE_ELEMENT;
	}
	assert_int_equal(more, 0);
	xmlFreeTextReader(reader);
	return count;
}

static void assert_has(const struct prof_buf *svg, const char *text)
{
	if (!strstr(svg->data, text)) {
		fail_msg("not in the picture: %s", text);
	}
}

static void assert_lacks(const struct prof_buf *svg, const char *text)
{
	if (strstr(svg->data, text)) {
		fail_msg("in the picture: %s", text);
	}
}

static void boxes_have_places_and_tooltips(void **state)
{
	struct prof_picture_options bare = samples;
	struct prof_buf svg = { 0 };

	bare.bare = true;
	svg = draw(plain, 4, &bare, NULL);
	assert_has(&svg, "<title>all (8 samples, 100%)</title>");
	assert_has(&svg, "<title>parse (4 samples, 50.00%)</title>");
	assert_has(&svg, "M157.5 0h589.5v15h-589.5z");
	assert_has(&svg, "Heaviest path: main; parse (50.00%).");
	assert_lacks(&svg, "<script");
	assert_lacks(&svg, "<style");
	elements(&svg);
	prof_buf_free(&svg);
}

static void the_file_needs_nothing_but_itself(void **state)
{
	struct prof_buf svg = draw(plain, 4, &samples, NULL);

	assert_lacks(&svg, "<!DOCTYPE");
	assert_lacks(&svg, "onload");
	assert_lacks(&svg, "xlink");
	assert_lacks(&svg, "href");
	assert_lacks(&svg, "@import");
	assert_lacks(&svg, "innerHTML");
	assert_lacks(&svg, "outerHTML");
	assert_lacks(&svg, "insertAdjacentHTML");
	assert_lacks(&svg, "document.write");
	assert_lacks(&svg, "eval(");
	assert_lacks(&svg, "new Function");
	elements(&svg);
	prof_buf_free(&svg);
}

static void script_and_style_keep_their_budget(void **state)
{
	struct prof_buf svg = draw(plain, 4, &samples, NULL);
	const char *style = strstr(svg.data, "<style>");
	const char *script = strstr(svg.data, "<script>");

	assert_true(strstr(style, "</style>") - style +
			    (strstr(script, "</script>") - script) <=
		    28 << 10);
	prof_buf_free(&svg);
}

static void hostile_names_change_no_element(void **state)
{
	struct shape bad[HOSTILE + 1] = { { 0, "all", 0 } };
	struct shape good[HOSTILE + 1] = { { 0, "all", 0 } };
	struct prof_picture_options options = samples;
	struct prof_buf svg = { 0 };
	int count = 0;

	for (uint32_t i = 0; i < HOSTILE; i++) {
		bad[i + 1] = (struct shape){ i + 1, hostile[i], 1 };
		good[i + 1] = (struct shape){ i + 1, "a", 1 };
	}
	bad[HOSTILE].name = good[HOSTILE].name = "z";
	options.title = options.subtitle = prof_text("t");
	svg = draw(good, HOSTILE + 1, &options, NULL);
	count = elements(&svg);
	prof_buf_free(&svg);

	for (int i = 0; i < HOSTILE - 1; i++) {
		options.title = options.subtitle = prof_text(hostile[i]);
		options.type = options.unit = prof_text(hostile[i]);
		svg = draw(bad, HOSTILE + 1, &options, NULL);
		assert_int_equal(elements(&svg), count);
		assert_lacks(&svg, "\xe2\x80\xae");
		assert_lacks(&svg, "\x1b");
		assert_has(&svg, "&lt;U+202E&gt; reversed &lt;U+2066&gt; isolated");
		prof_buf_free(&svg);
	}
}

static void same_input_same_bytes(void **state)
{
	struct prof_buf one = draw(plain, 4, &samples, NULL);
	struct prof_buf two = draw(plain, 4, &samples, NULL);

	assert_int_equal(one.len, two.len);
	assert_memory_equal(one.data, two.data, one.len);
	prof_buf_free(&one);
	prof_buf_free(&two);
}

static void negative_values_are_said(void **state)
{
	static const struct shape shapes[] = {
		{ 0, "all", 0 },
		{ 1, "grown", 5 },
		{ 1, "shrunk", -1234 },
	};
	struct prof_buf notes = { 0 };
	struct prof_buf svg = draw(shapes, 3, &samples, &notes);
	const char *want = "-1,234 samples in 1 frame is negative and not drawn\n";

	assert_int_equal(notes.len, strlen(want));
	assert_memory_equal(notes.data, want, notes.len);
	assert_has(&svg, "-1,234 samples in 1 frame is negative and not drawn</text>");
	assert_has(&svg, "<title>grown (5 samples, 100.00%)</title>");
	assert_lacks(&svg, "<title>shrunk");
	prof_buf_free(&notes);
	prof_buf_free(&svg);
}

static void an_empty_profile_is_a_picture_too(void **state)
{
	static const struct shape nothing[] = { { 0, "all", 0 } };
	struct prof_buf notes = { 0 };
	struct prof_buf svg = draw(nothing, 1, &samples, &notes);

	assert_has(&svg, ">no samples</text>");
	assert_true(notes.len > 0);
	elements(&svg);
	prof_buf_free(&notes);
	prof_buf_free(&svg);
}

static void what_is_too_narrow_shares_a_box(void **state)
{
	enum { SIBLINGS = 10000 };
	uint32_t *depths = prof_alloc_array(SIBLINGS + 1, sizeof(*depths));
	int64_t *selfs = prof_alloc_array(SIBLINGS + 1, sizeof(*selfs));
	uint32_t *ends = prof_alloc_array(SIBLINGS + 1, sizeof(*ends));
	struct prof_boxes_options options = { .max = 4000,
					      .span = 1000,
					      .group_max = 16 };
	struct prof_layout layout = { 0 };
	struct prof_boxes boxes = { 0 };
	struct prof_error err = { 0 };
	uint32_t hidden = 0;

	ends[0] = SIBLINGS + 1;
	for (uint32_t i = 1; i <= SIBLINGS; i++) {
		depths[i] = 1;
		selfs[i] = 1;
		ends[i] = i + 1;
	}
	assert_true(prof_layout_init(&layout, depths, selfs, SIBLINGS + 1, &err));
	assert_true(prof_boxes_init(&boxes, &layout, ends, &options, &err));
	assert_in_range(boxes.count, 2, 1001);
	for (uint32_t i = 1; i < boxes.count; i++) {
		hidden += boxes.data[i].hidden;
		assert_int_equal(boxes.data[i].row, 1);
		assert_int_equal(boxes.data[i].width, boxes.data[i].hidden);
		assert_true(boxes.data[i].start ==
			    (i > 1 ? boxes.data[i - 1].start + boxes.data[i - 1].width
				   : 0));
	}
	assert_int_equal(hidden, SIBLINGS);
	prof_boxes_free(&boxes);
	prof_layout_free(&layout);
	prof_free(depths);
	prof_free(selfs);
	prof_free(ends);
}

static void the_static_layer_has_a_limit_and_the_data_has_all(void **state)
{
	struct prof_picture_options options = samples;
	struct prof_buf svg = { 0 };

	options.static_max = 2;
	svg = draw(plain, 4, &options, NULL);
	assert_has(&svg, "the widest 2 are drawn");
	assert_lacks(&svg, "<title>parse");
	assert_has(&svg, "\nframes 4\n");
	prof_buf_free(&svg);
}

static void the_data_block_is_what_its_header_says(void **state)
{
	static const struct shape shapes[] = {
		{ 0, "all", 0 },
		{ 1, "main", 0 },
		{ 2, "main.a>b", 20 },
		{ 2, "main.]]>\n", 330 },
		{ 1, "\xe2\x80\xae\\", 40 },
	};
	static const uint8_t classes[] = { 0, 17, 31, 1, 2 };
	struct prof_calltree tree = tree_of(shapes, 5);
	struct prof_picture_options options = {
		.type = prof_text("cpu"),
		.unit = prof_text("bytes"),
		.title = prof_text("t"),
	};
	struct prof_picture picture = { 0 };
	struct prof_error err = { 0 };
	struct prof_buf out = { 0 };

	tree.names[1].kind = PROF_FRAME_KERNEL;
	options.color_by = PROF_PICTURE_COLOR_NAME;
	assert_true(prof_picture_init(&picture, &tree, &options, &err));
	memcpy(picture.classes, classes, sizeof(classes));
	prof_fg1_write(&out, &picture);
	prof_buf_addc(&out, '\0');
	assert_string_equal(
		out.data,
		"fg1\ntype=cpu\nunit=bytes\nnoun=bytes\n"
		"sizes=B 1,KiB 1024,MiB 1048576,GiB 1073741824,TiB 1099511627776,"
		"PiB 1125899906842624\n"
		"scale=10\ntotal=39\nnegative=0\nnegatives=0\norder=name\nroot=bottom\n"
		"first=root\ntitle=t\n"
		"names 5\n all\n main\n$.a>b\n%]]\\x3e\\n\n \\u{202E}\\\\\n"
		"kinds\n.k...\ncolors\n0AO12\n"
		"frames 5\n000100202"
		"31X1"
		"424\n");
	prof_buf_free(&out);
	prof_picture_free(&picture);
	prof_arena_free(&tree.arena);
}

static void check_quantity(uint64_t value, const char *unit, const char *want)
{
	struct prof_buf out = { 0 };

	prof_quantity_add(&out, value, prof_quantity_ladder(prof_text(unit)),
			  prof_text(unit));
	prof_buf_addc(&out, '\0');
	assert_string_equal(out.data, want);
	prof_buf_free(&out);
}

static void quantities_have_three_digits(void **state)
{
	check_quantity(0, "nanoseconds", "0 ns");
	check_quantity(999, "nanoseconds", "999 ns");
	check_quantity(1000, "nanoseconds", "1.00 µs");
	check_quantity(12345678, "nanoseconds", "12.3 ms");
	check_quantity(UINT64_MAX, "nanoseconds", "5,124,096 h");
	check_quantity(1536, "bytes", "1.50 KiB");
	check_quantity(1234567, "samples", "1,234,567 samples");
}

static void check_percent(uint64_t value, uint64_t total, const char *want)
{
	struct prof_buf out = { 0 };

	prof_quantity_add_percent(&out, value, total);
	prof_buf_addc(&out, '\0');
	assert_string_equal(out.data, want);
	prof_buf_free(&out);
}

static void percentages_are_never_a_false_zero(void **state)
{
	check_percent(0, 3, "0.00%");
	check_percent(1, 3, "33.33%");
	check_percent(2, 3, "66.67%");
	check_percent(3, 3, "100.00%");
	check_percent(1, 100000, "0.0010%");
	check_percent(1, 1000000000, "0.00000010%");
	check_percent(UINT64_MAX / 3, UINT64_MAX, "33.33%");
}

static void every_failed_allocation_is_reported(void **state)
{
	struct prof_calltree tree = tree_of(plain, 4);
	struct prof_error err = { 0 };
	bool ok = false;

	for (int64_t n = 0; !ok; n++) {
		struct prof_buf out = { 0 };
		struct prof_buf notes = { 0 };

		prof_alloc_fail_after(n);
		ok = prof_svg_write(&tree, &samples, &out, &notes, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
		prof_buf_free(&out);
		prof_buf_free(&notes);
	}
	prof_arena_free(&tree.arena);
}

TEST_MAIN(cmocka_unit_test(boxes_have_places_and_tooltips),
	  cmocka_unit_test(the_file_needs_nothing_but_itself),
	  cmocka_unit_test(script_and_style_keep_their_budget),
	  cmocka_unit_test(hostile_names_change_no_element),
	  cmocka_unit_test(same_input_same_bytes),
	  cmocka_unit_test(negative_values_are_said),
	  cmocka_unit_test(an_empty_profile_is_a_picture_too),
	  cmocka_unit_test(what_is_too_narrow_shares_a_box),
	  cmocka_unit_test(the_static_layer_has_a_limit_and_the_data_has_all),
	  cmocka_unit_test(the_data_block_is_what_its_header_says),
	  cmocka_unit_test(quantities_have_three_digits),
	  cmocka_unit_test(percentages_are_never_a_false_zero),
	  cmocka_unit_test(every_failed_allocation_is_reported))

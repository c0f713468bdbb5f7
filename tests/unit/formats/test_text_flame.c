/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include "formats/render/text.h"
#include "libprof/base/alloc.h"
#include "tests/unit/formats/shape.h"

static struct prof_buf draw(const struct shape *shapes, uint32_t count,
			    const struct prof_picture_options *options)
{
	struct prof_calltree tree = tree_of(shapes, count);
	struct prof_buf notes = { 0 };
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	assert_true(prof_flame_text_write(&tree, options, &out, &notes, &err));
	prof_buf_addc(&out, '\0');
	prof_buf_free(&notes);
	prof_arena_free(&tree.arena);
	return out;
}

static void boxes_are_as_wide_as_their_share(void **state)
{
	struct prof_picture_options options = samples;
	struct prof_buf text = { 0 };

	options.columns = 24;
	text = draw(plain, 4, &options);
	assert_string_equal(text.data, "samples (count)\n"
				       "8 samples · 4 frames · 3 levels\n"
				       "\n"
				       "   ┃parse──────┃write───\n"
				       "┃main───────────────────\n"
				       "┃all────────────────────\n"
				       "\n"
				       "     self    total  function\n"
				       "   50.00%   50.00%  parse\n"
				       "   37.50%   37.50%  write\n"
				       "   12.50%  100.00%  main\n");
	prof_buf_free(&text);
}

static void no_line_is_wider_than_the_columns(void **state)
{
	for (uint32_t columns = PROF_TEXT_MIN_COLUMNS; columns < 60; columns++) {
		struct prof_picture_options options = samples;
		struct prof_buf text = { 0 };
		const char *line = NULL;

		options.columns = columns;
		text = draw(plain, 4, &options);
		line = strstr(text.data, "\n\n") + 2;
		for (int row = 0; row < 3; row++) {
			const char *end = strchr(line, '\n');

			assert_int_equal(prof_text_cells((struct prof_text){
						 line, (size_t)(end - line) }),
					 columns);
			line = end + 1;
		}
		prof_buf_free(&text);
	}
}

static void narrow_frames_share_a_box_and_are_counted(void **state)
{
	struct shape shapes[42] = { { 0, "all", 9000 } };
	struct prof_picture_options options = samples;
	struct prof_buf text = { 0 };

	for (uint32_t i = 1; i < 42; i++) {
		shapes[i] = (struct shape){ 1, "f", 100 };
	}
	options.columns = 40;
	text = draw(shapes, 42, &options);
	assert_non_null(strstr(text.data, "41 narrower than a column\n"));
	assert_non_null(strstr(text.data, "▒▒▒▒▒\n"));
	prof_buf_free(&text);
}

static void colors_are_those_of_a_terminal(void **state)
{
	struct prof_picture_options options = samples;
	struct prof_buf text = { 0 };

	options.columns = 24;
	text = draw(plain, 4, &options);
	assert_null(strchr(text.data, '\x1b'));
	prof_buf_free(&text);
	options.color = true;
	text = draw(plain, 4, &options);
	assert_non_null(strstr(text.data, "\x1b[38;5;16;48;5;"));
	assert_non_null(strstr(text.data, "m▏main                   \x1b[0m\n"));
	prof_buf_free(&text);
}

static void hostile_names_reach_no_terminal(void **state)
{
	for (int i = 0; i < HOSTILE; i++) {
		struct shape shapes[] = { { 0, "all", 0 }, { 1, hostile[i], 1 } };
		struct prof_picture_options options = samples;
		struct prof_buf text = { 0 };

		options.columns = 200;
		options.title = options.subtitle = options.unit = prof_text(hostile[i]);
		text = draw(shapes, 2, &options);
		for (size_t at = 0; at + 1 < text.len;) {
			size_t n = text.data[at] == '\n'
					   ? 1
					   : prof_text_printable(text.data + at,
								 text.len - at);

			assert_true(n > 0);
			at += n;
		}
		prof_buf_free(&text);
	}
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
		ok = prof_flame_text_write(&tree, &samples, &out, &notes, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
		prof_buf_free(&out);
		prof_buf_free(&notes);
	}
	prof_arena_free(&tree.arena);
}

TEST_MAIN(cmocka_unit_test(boxes_are_as_wide_as_their_share),
	  cmocka_unit_test(no_line_is_wider_than_the_columns),
	  cmocka_unit_test(narrow_frames_share_a_box_and_are_counted),
	  cmocka_unit_test(colors_are_those_of_a_terminal),
	  cmocka_unit_test(hostile_names_reach_no_terminal),
	  cmocka_unit_test(every_failed_allocation_is_reported))

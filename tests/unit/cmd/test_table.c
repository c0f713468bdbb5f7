/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/table.h"
#include "cmd/terminal.h"
#include "libprof/base/alloc.h"

static const struct table_column columns[] = {
	{ "flat", "flat", TABLE_VALUE, "nanoseconds" },
	{ "flat_percent", "flat%", TABLE_PERCENT, NULL },
	{ "name", "name", TABLE_NAME, NULL },
	{ 0 },
};

static void add_row(struct table *table, int64_t value, const char *shown,
		    double fraction, const char *name)
{
	table_value(table, value, shown);
	table_percent(table, fraction);
	table_name(table, prof_text(name));
}

static struct table demo(void)
{
	struct table table = { .schema = "fgtool-demo/1", .columns = columns };

	table_field_text(&table, "sample_type", "Type", prof_text("cpu"));
	table_field_value(&table, "total", NULL, 4800, NULL);
	table_note(&table, "Showing %d rows", 2);
	add_row(&table, 1200, "1.20us", 0.25, "main.main");
	add_row(&table, 36, NULL, 0.0075, "std::vector<int, a|b>");
	table_foot(&table, "(other, %d functions)", 3);
	return table;
}

static char *render(const struct table *table, struct table_style style)
{
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	if (!table_render(table, &style, &out, &err)) {
		fail_msg("%s", err.message);
	}
	prof_buf_addc(&out, '\0');
	return out.data;
}

static struct table_style as(enum table_format format)
{
	return (struct table_style){ .format = format };
}

static void assert_printed(const struct table *table, struct table_style style,
			   const char *want)
{
	char *got = render(table, style);

	assert_string_equal(got, want);
	prof_free(got);
}

static void text_is_aligned(void **state)
{
	struct table table = demo();

	assert_int_equal(table_rows(&table), 2);
	assert_printed(&table, as(TABLE_TEXT),
		       "Type: cpu\n"
		       "Showing 2 rows\n"
		       "  flat   flat%  name\n"
		       "1.20us  25.00%  main.main\n"
		       "    36   0.75%  std::vector<int, a|b>\n"
		       "(other, 3 functions)\n");
	table_free(&table);
}

static void json_has_raw_numbers(void **state)
{
	struct table table = demo();

	assert_printed(
		&table, as(TABLE_JSON),
		"{\n"
		"  \"schema\": \"fgtool-demo/1\",\n"
		"  \"sample_type\": \"cpu\",\n"
		"  \"total\": 4800,\n"
		"  \"units\": {\"flat\": \"nanoseconds\"},\n"
		"  \"rows\": [\n"
		"    {\"flat\":1200,\"flat_percent\":25,\"name\":\"main.main\"},\n"
		"    {\"flat\":36,\"flat_percent\":0.75,"
		"\"name\":\"std::vector<int, a|b>\"}\n"
		"  ]\n"
		"}\n");
	table_free(&table);
}

static void csv_is_quoted(void **state)
{
	struct table table = demo();

	add_row(&table, -5, NULL, 0, "say \"hi\"");
	assert_printed(&table, as(TABLE_CSV),
		       "flat,flat_percent,name\n"
		       "1200,25,main.main\n"
		       "36,0.75,\"std::vector<int, a|b>\"\n"
		       "-5,0,\"say \"\"hi\"\"\"\n");
	table_free(&table);
}

static void csv_starts_no_formula(void **state)
{
	static const char *const names[] = { "=1+1",          "+x",  "-x",
					     "@sum",          "\tx", "\rx",
					     "\xef\xbc\x9dx", "a=b" };
	struct table table = { .schema = "x/1", .columns = columns };

	for (size_t i = 0; i < 8; i++) {
		add_row(&table, 1, NULL, 0, names[i]);
	}
	assert_printed(
		&table, as(TABLE_CSV),
		"flat,flat_percent,name\n1,0,'=1+1\n1,0,'+x\n1,0,'-x\n1,0,'@sum\n"
		"1,0,'\\tx\n1,0,'\\rx\n1,0,'\xef\xbc\x9dx\n1,0,a=b\n");
	table_free(&table);
}

static void markdown_keeps_names_as_code(void **state)
{
	struct table table = demo();

	add_row(&table, 1, NULL, 1, "a`b``c");
	assert_printed(&table, as(TABLE_MD),
		       "- Type: `cpu`\n"
		       "- Showing 2 rows\n"
		       "\n"
		       "| flat | flat% | name |\n"
		       "| ---: | ---: | --- |\n"
		       "| 1.20us | 25.00% | `main.main` |\n"
		       "| 36 | 0.75% | `std::vector<int, a\\|b>` |\n"
		       "| 1 | 100.00% | ``` a`b``c ``` |\n"
		       "\n"
		       "- (other, 3 functions)\n");
	table_free(&table);
}

static void hostile_names_are_made_visible(void **state)
{
	static const char name[] = "a\033]0;x\a\xff\n\xe2\x80\xae|<b>";
	static const enum table_format formats[] = { TABLE_TEXT, TABLE_JSON, TABLE_CSV,
						     TABLE_MD };
	struct table table = { .schema = "x/1", .columns = columns };
	char *got = NULL;

	table_note(&table, "focus %s", name);
	add_row(&table, 1, name, 0, name);
	for (size_t i = 0; i < 4; i++) {
		got = render(&table, as(formats[i]));
		assert_null(strpbrk(got, "\033\a\xff"));
		assert_null(strstr(got, "\xe2\x80\xae"));
		prof_free(got);
	}
	got = render(&table, as(TABLE_JSON));
	assert_non_null(strstr(got, "\"a\\u001b]0;x\\u0007\\ufffd\\n\\u202e|<b>\""));
	prof_free(got);
	table_free(&table);
}

static void json_escapes_beyond_the_plane(void **state)
{
	struct table table = { .schema = "x/1" };
	char *got = NULL;

	table_field_text(&table, "tag", NULL,
			 prof_text("\xf3\xa0\x81\x81 \xf0\x9f\x98\x80"
				   "\\\""));
	got = render(&table, as(TABLE_JSON));
	assert_string_equal(
		got, "{\n  \"schema\": \"x/1\",\n"
		     "  \"tag\": \"\\udb40\\udc41 \xf0\x9f\x98\x80\\\\\\\"\"\n}\n");
	prof_free(got);
	table_free(&table);
}

static void names_are_cut_in_the_middle_to_fit(void **state)
{
	struct table table = { .schema = "x/1", .columns = columns };

	add_row(&table, 1, NULL, 0, "abcdefghijklmnopqrstuvwxyz");
	add_row(&table, 1, NULL, 0,
		"\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5"
		"\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5"
		"\xe6\x97\xa5");
	add_row(&table, 1, NULL, 0, "short");
	assert_printed(
		&table, (struct table_style){ .width = 28 },
		"flat  flat%  name\n"
		"   1     0%  abcd...stuvwxyz\n"
		"   1     0%  \xe6\x97\xa5\xe6\x97\xa5...\xe6\x97\xa5\xe6\x97\xa5"
		"\xe6\x97\xa5\xe6\x97\xa5\n"
		"   1     0%  short\n");
	assert_printed(
		&table, (struct table_style){ .width = 5 },
		"flat  flat%  name\n"
		"   1     0%  abc...uvwxyz\n"
		"   1     0%  \xe6\x97\xa5...\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5\n"
		"   1     0%  short\n");
	table_free(&table);
}

static void color_is_only_in_text(void **state)
{
	static const enum table_format formats[] = { TABLE_JSON, TABLE_CSV, TABLE_MD };
	struct table table = { .schema = "x/1", .columns = columns };

	table_value(&table, 1, NULL);
	table_tone(&table, TABLE_BAD);
	table_percent(&table, 0.5);
	table_name(&table, prof_text("main"));
	assert_printed(&table, (struct table_style){ .color = true },
		       "\033[1mflat\033[0m   \033[1mflat%\033[0m  \033[1mname\033[0m\n"
		       "   \033[31m1\033[0m  50.00%  main\n");
	for (size_t i = 0; i < 3; i++) {
		char *got = render(&table, (struct table_style){ formats[i], 0, true });

		assert_null(strchr(got, '\033'));
		prof_free(got);
	}
	table_free(&table);
}

static void cells_may_be_missing_or_no_number(void **state)
{
	static const struct table_column mixed[] = {
		{ "a", "a", TABLE_VALUE, NULL },
		{ "b", "b", TABLE_NUMBER, NULL },
		{ "hidden", NULL, TABLE_VALUE, NULL },
		{ "c", "c", TABLE_WORD, NULL },
		{ 0 },
	};
	struct table table = { .schema = "x/1", .columns = mixed };

	table_missing(&table);
	table_number(&table, (double)NAN, NULL);
	table_value(&table, INT64_MIN, NULL);
	table_missing(&table);
	table_value(&table, 1, NULL);
	table_number(&table, 1.0 / 3, "0.33");
	table_value(&table, 2, NULL);
	table_word(&table, "REAL");
	assert_printed(&table, as(TABLE_TEXT), "a     b  c\n    nan\n1  0.33  REAL\n");
	assert_printed(&table, as(TABLE_CSV),
		       "a,b,hidden,c\n,,-9223372036854775808,\n"
		       "1,0.3333333333333333,2,REAL\n");
	assert_printed(
		&table, as(TABLE_JSON),
		"{\n  \"schema\": \"x/1\",\n  \"rows\": [\n    {\"a\":null,\"b\":null,"
		"\"hidden\":-9223372036854775808,\"c\":null},\n    {\"a\":1,"
		"\"b\":0.3333333333333333,\"hidden\":2,\"c\":\"REAL\"}\n  ]\n}\n");
	table_free(&table);
}

static void shown_names_do_not_change_data(void **state)
{
	struct table table = { .schema = "x/1", .columns = columns };
	char *got = NULL;

	table_value(&table, 1, NULL);
	table_percent(&table, 0);
	table_name_as(&table, prof_text("main"), prof_text("  main (inline)"));
	assert_printed(&table, as(TABLE_TEXT),
		       "flat  flat%  name\n   1     0%    main (inline)\n");
	got = render(&table, as(TABLE_JSON));
	assert_non_null(strstr(got, "\"name\":\"main\""));
	prof_free(got);
	table_free(&table);
}

static void an_empty_table_has_its_heading(void **state)
{
	struct table table = { .schema = "x/1", .columns = columns };

	assert_printed(&table, as(TABLE_TEXT), "flat  flat%  name\n");
	assert_printed(&table, as(TABLE_CSV), "flat,flat_percent,name\n");
	assert_printed(
		&table, as(TABLE_JSON),
		"{\n  \"schema\": \"x/1\",\n"
		"  \"units\": {\"flat\": \"nanoseconds\"},\n  \"rows\": []\n}\n");
	table_free(&table);
}

static void fields_alone_are_one_row_of_csv(void **state)
{
	struct table table = { .schema = "x/1" };

	table_field_text(&table, "format", "Format", prof_text("pprof"));
	table_field_value(&table, "samples", "Samples", 12, NULL);
	table_field_number(&table, "rate", "Rate", 0.5, NULL);
	assert_printed(&table, as(TABLE_CSV), "format,samples,rate\npprof,12,0.5\n");
	assert_printed(&table, as(TABLE_TEXT),
		       "Format: pprof\nSamples: 12\nRate: 0.5\n");
	table_free(&table);
}

static void percentages_keep_what_matters(void **state)
{
	static const struct {
		double ratio;
		const char *text;
	} cases[] = {
		{ 0, "0%" },           { 1, "100.00%" },       { 0.12345, "12.35%" },
		{ 0.00012, "0.012%" }, { -0.5, "-50.00%" },    { 1e-9, "1e-07%" },
		{ 12.5, "1250.00%" },  { 1e7, "1000000000%" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[40];

		table_show_percent(cases[i].ratio, text, sizeof(text));
		assert_string_equal(text, cases[i].text);
	}
}

static void out_of_memory_is_reported(void **state)
{
	const struct table_style csv = as(TABLE_CSV);
	bool done = false;

	for (int64_t n = 0; !done; n++) {
		struct prof_buf out = { 0 };
		struct prof_error err = { 0 };
		struct table table;

		prof_alloc_fail_after(n);
		table = demo();
		done = table_render(&table, &csv, &out, &err);
		prof_alloc_fail_after(-1);
		assert_true(done || err.code == PROF_ERR_NOMEM);
		prof_buf_free(&out);
		table_free(&table);
	}
}

static void the_choice_of_color_has_an_order(void **state)
{
	static const struct {
		struct color_facts facts;
		bool color;
	} cases[] = {
		{ { COLOR_AUTO, NULL, NULL, "xterm", true }, true },
		{ { COLOR_AUTO, NULL, NULL, "xterm", false }, false },
		{ { COLOR_AUTO, "", NULL, "xterm", true }, true },
		{ { COLOR_AUTO, "1", NULL, "xterm", true }, false },
		{ { COLOR_AUTO, "1", "1", "xterm", true }, false },
		{ { COLOR_AUTO, NULL, "1", "xterm", false }, true },
		{ { COLOR_AUTO, NULL, "0", "xterm", false }, false },
		{ { COLOR_AUTO, NULL, NULL, "dumb", true }, false },
		{ { COLOR_AUTO, NULL, NULL, NULL, true }, false },
		{ { COLOR_AUTO, NULL, "1", "dumb", false }, true },
		{ { COLOR_ALWAYS, "1", NULL, "dumb", false }, true },
		{ { COLOR_NEVER, NULL, "1", "xterm", true }, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(color_wanted(&cases[i].facts), cases[i].color);
	}
}

static void columns_gives_the_width(void **state)
{
	setenv("COLUMNS", "132", 1);
	assert_int_equal(terminal_width(-1), 132);
	setenv("COLUMNS", "many", 1);
	assert_int_equal(terminal_width(-1), 80);
	setenv("COLUMNS", "0", 1);
	assert_int_equal(terminal_width(-1), 80);
	unsetenv("COLUMNS");
}

TEST_MAIN(cmocka_unit_test(text_is_aligned), cmocka_unit_test(json_has_raw_numbers),
	  cmocka_unit_test(csv_is_quoted), cmocka_unit_test(csv_starts_no_formula),
	  cmocka_unit_test(markdown_keeps_names_as_code),
	  cmocka_unit_test(hostile_names_are_made_visible),
	  cmocka_unit_test(json_escapes_beyond_the_plane),
	  cmocka_unit_test(names_are_cut_in_the_middle_to_fit),
	  cmocka_unit_test(color_is_only_in_text),
	  cmocka_unit_test(cells_may_be_missing_or_no_number),
	  cmocka_unit_test(shown_names_do_not_change_data),
	  cmocka_unit_test(an_empty_table_has_its_heading),
	  cmocka_unit_test(fields_alone_are_one_row_of_csv),
	  cmocka_unit_test(percentages_keep_what_matters),
	  cmocka_unit_test(out_of_memory_is_reported),
	  cmocka_unit_test(the_choice_of_color_has_an_order),
	  cmocka_unit_test(columns_gives_the_width))

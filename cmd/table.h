/* SPDX-License-Identifier: MIT */
/*
 * table.h - rows of a report, printed as text, JSON, CSV or Markdown.
 *
 *	static const struct table_column columns[] = {
 *		{ "flat", "flat", TABLE_VALUE, "nanoseconds" },
 *		{ "flat_percent", "flat%", TABLE_PERCENT, NULL },
 *		{ "name", "name", TABLE_NAME, NULL },
 *		{ 0 },
 *	};
 *	struct table table = { .schema = "fgtool-top/1", .columns = columns };
 *
 *	table_field_text(&table, "sample_type", "Type", prof_text("cpu"));
 *	table_field_value(&table, "total", NULL, total, NULL);
 *	for each row:
 *		table_value(&table, row->flat, "1.20s");
 *		table_percent(&table, 0.25);
 *		table_name(&table, row->name);
 *	if (!table_print(&table, &top.table, top.output.path, &err))
 *		...
 *	table_free(&table);
 *
 * gives
 *
 *	Type: cpu                          {
 *	 flat  flat%  name                   "schema": "fgtool-top/1",
 *	1.20s 25.00%  main                   "sample_type": "cpu",
 *	                                     "total": 4800,
 *	                                     "rows": [
 *	                                       {"flat":1200,"flat_percent":25,"name":"main"}
 *
 * Text: numbers to the right, words to the left, the last column not filled up. On a
 *       terminal the heading is bold and the last column is cut in its middle to the
 *       width; in a pipe nothing is cut or coloured.
 * JSON: fields in the order given, then the rows, one per line; raw integers; doubles
 *       as the shortest text that reads back the same, nan and infinity as null; bytes
 *       that are not UTF-8 become U+FFFD; notes are left out.
 * CSV:  the keys, then the rows; RFC 4180 quoting, lines end in \n; a text that a
 *       spreadsheet would take for a formula (= + - @ and such first) gets a leading '.
 *       Fields and notes are left out; without columns the fields are the only row.
 * MD:   GitHub's tables; names as code.
 *
 * Names are shown through prof_text_escape() in all but JSON, which escapes as JSON
 * does. Numbers and order depend on no locale and no clock.
 *
 * Owns:   the cells and the texts given as `shown`. Borrows names, keys and headings.
 * Errors: sticky; table_render() and table_print() report NOMEM.
 */
#ifndef FGTOOL_TABLE_H
#define FGTOOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/option.h"
#include "libprof/base/buf.h"
#include "libprof/base/error.h"
#include "libprof/base/text.h"

enum table_format {
	TABLE_TEXT,
	TABLE_JSON,
	TABLE_CSV,
	TABLE_MD,
};

/* The words of --format, in the order of enum table_format. */
extern const char *const table_formats[];

struct table_options {
	int format;    /* enum table_format */
	int color;     /* enum color_choice */
	int64_t width; /* columns; 0: the terminal's, none in a pipe */
};

/* --format, --color, --width */
extern const struct option_group table_option_group;

enum table_kind {
	TABLE_NAME,    /* from the input: function, file, label */
	TABLE_WORD,    /* ours: a verdict, a kind */
	TABLE_VALUE,   /* int64 */
	TABLE_PERCENT, /* double, a fraction: 0.25 is shown as 25.00%, stored as 25 */
	TABLE_NUMBER,  /* double */
};

/* How a cell looks on a terminal, besides what it says. */
enum table_tone {
	TABLE_PLAIN,
	TABLE_GOOD,
	TABLE_BAD,
	TABLE_DIM,
	TABLE_STRONG,
};

struct table_column {
	const char *key; /* name in JSON and CSV; NULL ends the list */
	const char
		*heading; /* in text and Markdown; NULL leaves the column out there */
	enum table_kind kind;
	const char *unit; /* of a value, for "units" in JSON; NULL for none */
};

struct table_cell {
	enum table_kind kind;
	enum table_tone tone;
	bool missing; /* empty; null in JSON */
	union {
		int64_t value;
		double number;
		struct prof_text text;
	} raw;
	size_t shown; /* offset in table.shown */
	size_t shown_len;
};

struct table_field {
	const char *key;
	const char *heading; /* NULL: not in text and Markdown */
	struct table_cell cell;
};

struct table {
	const char *schema; /* "fgtool-top/1" */
	const struct table_column *columns;

	struct table_field *fields;
	size_t field_count;
	size_t field_cap;
	struct table_cell *cells; /* row by row */
	size_t cell_count;
	size_t cell_cap;
	struct prof_buf shown; /* what cells look like */
	struct prof_buf head;  /* lines above the table */
	struct prof_buf foot;  /* lines below */
	size_t column_count;   /* of `columns`, once there is a cell */
	bool failed;
};

/*
 * The next cell of the row; the first one after a full row begins another. The kind
 * must be that of its column. `shown` is what text and Markdown say; NULL shows the number.
 */
void table_name(struct table *table, struct prof_text name);
void table_word(struct table *table, const char *word);
void table_value(struct table *table, int64_t value, const char *shown);
void table_percent(struct table *table, double fraction);
void table_number(struct table *table, double number, const char *shown);

/* A name that is shown in another way, indented or marked; JSON and CSV get `name`. */
void table_name_as(struct table *table, struct prof_text name, struct prof_text shown);

/* A cell with nothing in it, of whatever kind. */
void table_missing(struct table *table);

/* Give the cell just added a tone. */
void table_tone(struct table *table, enum table_tone tone);

/*
 * What holds for the whole table: `"key": raw` in JSON, a line `Heading: shown` above
 * the table in text and Markdown unless `heading` is NULL.
 */
void table_field_text(struct table *table, const char *key, const char *heading,
		      struct prof_text text);
void table_field_value(struct table *table, const char *key, const char *heading,
		       int64_t value, const char *shown);
void table_field_number(struct table *table, const char *key, const char *heading,
			double number, const char *shown);

/* A line above, or below, the table, in text and Markdown only. */
void table_note(struct table *table, const char *fmt, ...) PROF_PRINTF(2, 3);
void table_foot(struct table *table, const char *fmt, ...) PROF_PRINTF(2, 3);

/* Rows so far. */
size_t table_rows(const struct table *table);

struct table_style {
	enum table_format format;
	size_t width; /* cut the last column to this; 0 never */
	bool color;
};

/* Append the table to `out`. */
bool table_render(const struct table *table, const struct table_style *style,
		  struct prof_buf *out, struct prof_error *err) PROF_NODISCARD;

/* Print it to `path` (NULL is standard output) as the options and the target want. */
bool table_print(const struct table *table, const struct table_options *options,
		 const char *path, struct prof_error *err) PROF_NODISCARD;

void table_free(struct table *table);

/* `ratio` as a percentage with significant digits: 0%, 0.012%, 12.34%, 100%. */
void table_show_percent(double ratio, char *out, size_t size);

#endif

/* SPDX-License-Identifier: MIT */
/* How a table comes about; table_render.c says what it looks like. */
#include "cmd/table.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "cmd/output.h"
#include "cmd/terminal.h"
#include "libprof/base/alloc.h"

const char *const table_formats[] = { "text", "json", "csv", "md", NULL };

static const struct option options[] = {
	{ 0, "format", "FORMAT", "print as",
	  OPTION_CHOICE(struct table_options, format, table_formats) },
	{ 0, "color", "WHEN", "color text",
	  OPTION_CHOICE(struct table_options, color, color_choices) },
	{ 0, "width", "N", "cut names so that lines have N columns (the terminal's)",
	  OPTION_INTEGER(struct table_options, width), .max = 100000 },
	{ 0 },
};

const struct option_group table_option_group = {
	.title = "output",
	.options = options,
};

static void count_columns(struct table *table)
{
	while (table->columns[table->column_count].key) {
		table->column_count++;
	}
}

/* Keep what a cell looks like. */
static void show(struct table *table, struct table_cell *cell, struct prof_text text)
{
	cell->shown = table->shown.len;
	prof_text_escape(&table->shown, text);
	cell->shown_len = table->shown.len - cell->shown;
}

static void show_integer(struct table *table, struct table_cell *cell, int64_t value)
{
	cell->shown = table->shown.len;
	prof_buf_add_int(&table->shown, value);
	cell->shown_len = table->shown.len - cell->shown;
}

static void show_value(struct table *table, struct table_cell *cell, const char *shown)
{
	if (shown) {
		show(table, cell, prof_text(shown));
	} else {
		show_integer(table, cell, cell->raw.value);
	}
}

static void show_number(struct table *table, struct table_cell *cell, const char *shown)
{
	char text[40];

	snprintf(text, sizeof(text), "%.6g", cell->raw.number);
	show(table, cell, prof_text(shown ? shown : text));
}

static void add_cell(struct table *table, struct table_cell cell)
{
	if (table->failed) {
		return;
	}
	if (table->column_count == 0) {
		count_columns(table);
	}
	assert(cell.missing ||
	       cell.kind ==
		       table->columns[table->cell_count % table->column_count].kind);
	if (!prof_reserve((void **)&table->cells, &table->cell_cap,
			  table->cell_count + 1, sizeof(*table->cells))) {
		table->failed = true;
		return;
	}
	table->cells[table->cell_count++] = cell;
}

void table_name(struct table *table, struct prof_text name)
{
	add_cell(table, (struct table_cell){ .kind = TABLE_NAME, .raw.text = name });
}

void table_name_as(struct table *table, struct prof_text name, struct prof_text shown)
{
	struct table_cell cell = { .kind = TABLE_NAME, .raw.text = name };

	show(table, &cell, shown);
	add_cell(table, cell);
}

void table_word(struct table *table, const char *word)
{
	add_cell(table, (struct table_cell){ .kind = TABLE_WORD,
					     .raw.text = prof_text(word) });
}

void table_value(struct table *table, int64_t value, const char *shown)
{
	struct table_cell cell = { .kind = TABLE_VALUE, .raw.value = value };

	show_value(table, &cell, shown);
	add_cell(table, cell);
}

void table_percent(struct table *table, double fraction)
{
	struct table_cell cell = { .kind = TABLE_PERCENT,
				   .raw.number = fraction * 100 };
	char text[40];

	table_show_percent(fraction, text, sizeof(text));
	show(table, &cell, prof_text(text));
	add_cell(table, cell);
}

void table_number(struct table *table, double number, const char *shown)
{
	struct table_cell cell = { .kind = TABLE_NUMBER, .raw.number = number };

	show_number(table, &cell, shown);
	add_cell(table, cell);
}

void table_missing(struct table *table)
{
	add_cell(table, (struct table_cell){ .missing = true });
}

void table_tone(struct table *table, enum table_tone tone)
{
	if (table->cell_count > 0) {
		table->cells[table->cell_count - 1].tone = tone;
	}
}

static void add_field(struct table *table, const char *key, const char *heading,
		      struct table_cell cell)
{
	if (!prof_reserve((void **)&table->fields, &table->field_cap,
			  table->field_count + 1, sizeof(*table->fields))) {
		table->failed = true;
		return;
	}
	table->fields[table->field_count++] =
		(struct table_field){ key, heading, cell };
}

void table_field_text(struct table *table, const char *key, const char *heading,
		      struct prof_text text)
{
	add_field(table, key, heading,
		  (struct table_cell){ .kind = TABLE_NAME, .raw.text = text });
}

void table_field_value(struct table *table, const char *key, const char *heading,
		       int64_t value, const char *shown)
{
	struct table_cell cell = { .kind = TABLE_VALUE, .raw.value = value };

	show_value(table, &cell, shown);
	add_field(table, key, heading, cell);
}

void table_field_number(struct table *table, const char *key, const char *heading,
			double number, const char *shown)
{
	struct table_cell cell = { .kind = TABLE_NUMBER, .raw.number = number };

	show_number(table, &cell, shown);
	add_field(table, key, heading, cell);
}

/* One line to `lines`: whatever it says, nothing in it can start another. */
PROF_PRINTF(2, 0)
static void add_line(struct prof_buf *lines, const char *fmt, va_list args)
{
	char text[1000];

	vsnprintf(text, sizeof(text), fmt, args);
	prof_text_escape(lines, prof_text(text));
	prof_buf_addc(lines, '\n');
}

void table_note(struct table *table, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_line(&table->head, fmt, args);
	va_end(args);
}

void table_foot(struct table *table, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_line(&table->foot, fmt, args);
	va_end(args);
}

size_t table_rows(const struct table *table)
{
	return table->column_count > 0 ? table->cell_count / table->column_count : 0;
}

bool table_print(const struct table *table, const struct table_options *options_given,
		 const char *path, struct prof_error *err)
{
	bool terminal = output_is_terminal(path);
	struct table_style style = {
		.format = (enum table_format)options_given->format,
		.width = (size_t)options_given->width,
		.color = options_given->color == COLOR_ALWAYS,
	};
	struct prof_buf text = { 0 };
	bool printed = false;

	if (terminal && style.width == 0) {
		style.width = terminal_width(STDOUT_FILENO);
	}
	if (!path) {
		style.color = terminal_color(options_given->color, STDOUT_FILENO);
	}
	printed = table_render(table, &style, &text, err) &&
		  output_write(path, text.data, text.len, false, err);
	prof_buf_free(&text);
	return printed;
}

void table_free(struct table *table)
{
	prof_free(table->fields);
	prof_free(table->cells);
	prof_buf_free(&table->shown);
	prof_buf_free(&table->head);
	prof_buf_free(&table->foot);
	*table = (struct table){ .schema = table->schema, .columns = table->columns };
}

void table_show_percent(double ratio, char *out, size_t size)
{
	double percent = ratio * 100;
	double whole = fabs(percent);

	if (percent == 0) {
		snprintf(out, size, "0%%");
	} else if (whole < 1) {
		snprintf(out, size, "%.2g%%", percent);
	} else if (whole < 1e6) {
		/* What "%.2f" prints, several times faster. */
		long long cents = llround(whole * 100);

		snprintf(out, size, "%s%lld.%02lld%%", percent < 0 ? "-" : "",
			 cents / 100, cents % 100);
	} else {
		snprintf(out, size, "%.0f%%", percent);
	}
}

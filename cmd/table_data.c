/* SPDX-License-Identifier: MIT */
/* A table for programs: JSON and CSV. */
#include <math.h>
#include <string.h>

#include "cmd/json_text.h"
#include "cmd/table_page.h"

static void add_json_cell(struct prof_buf *out, const struct table_cell *cell)
{
	if (cell->missing) {
		prof_buf_adds(out, "null");
		return;
	}
	switch (cell->kind) {
	case TABLE_NAME:
	case TABLE_WORD:
		json_add_string(out, cell->raw.text);
		break;
	case TABLE_VALUE:
		prof_buf_add_int(out, cell->raw.value);
		break;
	case TABLE_PERCENT:
	case TABLE_NUMBER:
		json_add_number(out, cell->raw.number);
		break;
	}
}

static void add_key(struct prof_buf *out, const char *key)
{
	json_add_string(out, prof_text(key));
	prof_buf_addc(out, ':');
}

/* "units": { "flat": "nanoseconds" }, when a column has one. */
static void add_units(struct page *page)
{
	const struct table *table = page->table;
	bool any = false;

	for (size_t c = 0; c < page->columns; c++) {
		const struct table_column *column = &table->columns[c];

		if (column->unit) {
			prof_buf_adds(page->out, any ? ", " : ",\n  \"units\": {");
			add_key(page->out, column->key);
			prof_buf_addc(page->out, ' ');
			json_add_string(page->out, prof_text(column->unit));
			any = true;
		}
	}
	if (any) {
		prof_buf_addc(page->out, '}');
	}
}

static void add_rows_json(struct page *page)
{
	const struct table *table = page->table;
	size_t rows = table_rows(table);

	prof_buf_adds(page->out, ",\n  \"rows\": [");
	for (size_t r = 0; r < rows; r++) {
		const struct table_cell *cells = page_row(page, r);

		prof_buf_adds(page->out, r > 0 ? ",\n    {" : "\n    {");
		for (size_t c = 0; c < page->columns; c++) {
			if (c > 0) {
				prof_buf_addc(page->out, ',');
			}
			add_key(page->out, table->columns[c].key);
			add_json_cell(page->out, &cells[c]);
		}
		prof_buf_addc(page->out, '}');
	}
	prof_buf_adds(page->out, rows > 0 ? "\n  ]" : "]");
}

void page_add_json(struct page *page)
{
	const struct table *table = page->table;

	prof_buf_adds(page->out, "{\n  \"schema\": ");
	json_add_string(page->out, prof_text(table->schema));
	for (size_t i = 0; i < table->field_count; i++) {
		prof_buf_adds(page->out, ",\n  ");
		add_key(page->out, table->fields[i].key);
		prof_buf_addc(page->out, ' ');
		add_json_cell(page->out, &table->fields[i].cell);
	}
	if (table->columns) {
		add_units(page);
		add_rows_json(page);
	}
	prof_buf_adds(page->out, "\n}\n");
}

/* Whether a spreadsheet would compute what begins so: = + - @, also at full width. */
static bool is_formula(struct prof_text text)
{
	static const char *const starts[] = {
		"=",
		"+",
		"-",
		"@",
		"\xef\xbc\x9d",
		"\xef\xbc\x8b",
		"\xef\xbc\x8d",
		"\xef\xbc\xa0",
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		size_t len = strlen(starts[i]);

		if (text.len >= len && memcmp(text.data, starts[i], len) == 0) {
			return true;
		}
	}
	return text.len > 0 && (text.data[0] == '\t' || text.data[0] == '\r');
}

static void add_csv_text(struct page *page, struct prof_text raw)
{
	struct prof_text text = { 0 };
	struct prof_buf *out = page->out;
	bool formula = is_formula(raw);
	bool quoted = false;

	prof_buf_clear(&page->scratch);
	prof_text_escape(&page->scratch, raw);
	text = (struct prof_text){ page->scratch.data, page->scratch.len };
	out->failed |= page->scratch.failed;
	quoted =
		text.len > 0 &&
		(memchr(text.data, ',', text.len) || memchr(text.data, '"', text.len) ||
		 text.data[0] == ' ' || text.data[text.len - 1] == ' ');
	if (quoted) {
		prof_buf_addc(out, '"');
	}
	if (formula) {
		prof_buf_addc(out, '\'');
	}
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '"') {
			prof_buf_addc(out, '"');
		}
		prof_buf_addc(out, text.data[i]);
	}
	if (quoted) {
		prof_buf_addc(out, '"');
	}
}

static void add_csv_cell(struct page *page, const struct table_cell *cell)
{
	if (cell->missing) {
		return;
	}
	if (table_is_text(cell->kind)) {
		add_csv_text(page, cell->raw.text);
	} else if (cell->kind == TABLE_VALUE || isfinite(cell->raw.number)) {
		add_json_cell(page->out, cell);
	}
}

/* A table that is all fields: they are its columns, and it has one row. */
static void add_fields_csv(struct page *page)
{
	const struct table *table = page->table;

	for (size_t i = 0; i < table->field_count; i++) {
		prof_buf_addf(page->out, "%s%s", i > 0 ? "," : "",
			      table->fields[i].key);
	}
	prof_buf_addc(page->out, '\n');
	for (size_t i = 0; i < table->field_count; i++) {
		prof_buf_adds(page->out, i > 0 ? "," : "");
		add_csv_cell(page, &table->fields[i].cell);
	}
	prof_buf_addc(page->out, '\n');
}

void page_add_csv(struct page *page)
{
	const struct table *table = page->table;
	size_t rows = table_rows(table);

	if (!table->columns) {
		add_fields_csv(page);
		return;
	}
	for (size_t c = 0; table->columns[c].key; c++) {
		prof_buf_addf(page->out, "%s%s", c > 0 ? "," : "",
			      table->columns[c].key);
	}
	prof_buf_addc(page->out, '\n');
	for (size_t r = 0; r < rows; r++) {
		const struct table_cell *cells = page_row(page, r);

		for (size_t c = 0; c < page->columns; c++) {
			if (c > 0) {
				prof_buf_addc(page->out, ',');
			}
			add_csv_cell(page, &cells[c]);
		}
		prof_buf_addc(page->out, '\n');
	}
}

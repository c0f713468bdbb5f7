/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cmd/table_page.h"

/* `text` so that it is read as itself: no markup, no HTML, no mention. */
static void add_md_plain(struct prof_buf *out, struct prof_text text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];

		if (strchr("\\`*_[]<>|~#@&", c) && c) {
			prof_buf_addf(out, "&#%d;", c);
		} else {
			prof_buf_addc(out, c);
		}
	}
}

/* `text` as code: between more backticks than it has in a row itself. */
static void add_md_code(struct prof_buf *out, struct prof_text text)
{
	size_t longest = 0;
	size_t row = 0;
	bool ticks = false;

	if (text.len == 0) {
		return;
	}
	for (size_t i = 0; i < text.len; i++) {
		row = text.data[i] == '`' ? row + 1 : 0;
		longest = row > longest ? row : longest;
	}
	ticks = longest > 0;
	for (size_t i = 0; i <= longest; i++) {
		prof_buf_addc(out, '`');
	}
	prof_buf_adds(out, ticks ? " " : "");
	for (size_t i = 0; i < text.len; i++) {
		/* The one character that ends a cell even within code. */
		if (text.data[i] == '|') {
			prof_buf_addc(out, '\\');
		}
		prof_buf_addc(out, text.data[i]);
	}
	prof_buf_adds(out, ticks ? " " : "");
	for (size_t i = 0; i <= longest; i++) {
		prof_buf_addc(out, '`');
	}
}

static void add_md_cell(struct page *page, const struct table_cell *cell)
{
	struct prof_text text = page_look(page, cell);

	if (cell->kind == TABLE_NAME && !cell->missing) {
		add_md_code(page->out, text);
	} else {
		add_md_plain(page->out, text);
	}
}

/* Lines of notes, each a paragraph line of its own. */
static void add_md_lines(struct prof_buf *out, const struct prof_buf *lines)
{
	size_t start = 0;

	for (size_t i = 0; i < lines->len; i++) {
		if (lines->data[i] == '\n') {
			prof_buf_adds(out, "- ");
			add_md_plain(out, (struct prof_text){ lines->data + start,
							      i - start });
			prof_buf_addc(out, '\n');
			start = i + 1;
		}
	}
}

static void add_md_heading(struct page *page)
{
	const struct table_column *columns = page->table->columns;

	prof_buf_addc(page->out, '|');
	for (size_t c = 0; c < page->columns; c++) {
		if (columns[c].heading) {
			prof_buf_addc(page->out, ' ');
			add_md_plain(page->out, prof_text(columns[c].heading));
			prof_buf_adds(page->out, " |");
		}
	}
	prof_buf_adds(page->out, "\n|");
	for (size_t c = 0; c < page->columns; c++) {
		if (columns[c].heading) {
			prof_buf_adds(page->out, table_is_text(columns[c].kind)
							 ? " --- |"
							 : " ---: |");
		}
	}
	prof_buf_addc(page->out, '\n');
}

static void add_md_rows(struct page *page)
{
	size_t rows = table_rows(page->table);

	for (size_t r = 0; r < rows; r++) {
		const struct table_cell *cells = page_row(page, r);

		prof_buf_addc(page->out, '|');
		for (size_t c = 0; c < page->columns; c++) {
			if (page->table->columns[c].heading) {
				prof_buf_addc(page->out, ' ');
				add_md_cell(page, &cells[c]);
				prof_buf_adds(page->out, " |");
			}
		}
		prof_buf_addc(page->out, '\n');
	}
}

void page_add_md(struct page *page)
{
	const struct table *table = page->table;
	size_t start = page->out->len;

	for (size_t i = 0; i < table->field_count; i++) {
		const struct table_field *field = &table->fields[i];

		if (field->heading) {
			prof_buf_addf(page->out, "- %s: ", field->heading);
			add_md_cell(page, &field->cell);
			prof_buf_addc(page->out, '\n');
		}
	}
	add_md_lines(page->out, &table->head);
	if (page->columns > 0) {
		prof_buf_adds(page->out, page->out->len > start ? "\n" : "");
		add_md_heading(page);
		add_md_rows(page);
	}
	if (table->foot.len > 0) {
		prof_buf_addc(page->out, '\n');
		add_md_lines(page->out, &table->foot);
	}
}

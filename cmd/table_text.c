/* SPDX-License-Identifier: MIT */
#include "cmd/table_page.h"

enum {
	NAME_MIN = 12, /* columns that a name keeps, however narrow the terminal */
};

static void add_text(struct prof_buf *out, struct prof_text text)
{
	prof_buf_add(out, text.data, text.len);
}

static void add_blanks(struct prof_buf *out, size_t count)
{
	static const char blanks[] = "                                ";

	while (count > 0) {
		size_t n = count < sizeof(blanks) - 1 ? count : sizeof(blanks) - 1;

		prof_buf_add(out, blanks, n);
		count -= n;
	}
}

static const char *const tones[] = {
	[TABLE_PLAIN] = NULL,    [TABLE_GOOD] = "\033[32m",  [TABLE_BAD] = "\033[31m",
	[TABLE_DIM] = "\033[2m", [TABLE_STRONG] = "\033[1m",
};

static void add_toned(struct page *page, struct prof_text text, enum table_tone tone)
{
	bool toned = page->style->color && tones[tone] && text.len > 0;

	if (toned) {
		prof_buf_adds(page->out, tones[tone]);
	}
	add_text(page->out, text);
	if (toned) {
		prof_buf_adds(page->out, "\033[0m");
	}
}

/* Bytes of `text` that fill at most `cells` columns. */
static size_t fit_front(struct prof_text text, size_t cells)
{
	size_t used = 0;
	size_t at = 0;

	while (at < text.len) {
		size_t n = prof_text_printable(text.data + at, text.len - at);
		struct prof_text one = { text.data + at, n > 0 ? n : 1 };

		used += prof_text_cells(one);
		if (used > cells) {
			break;
		}
		at += one.len;
	}
	return at;
}

/* Where the longest tail of `text` begins that fills at most `cells` columns. */
static size_t fit_back(struct prof_text text, size_t cells)
{
	size_t at = text.len;

	while (at > 0) {
		size_t start = at - 1;

		while (start > 0 && ((unsigned char)text.data[start] & 0xc0) == 0x80) {
			start--;
		}
		if (prof_text_cells((struct prof_text){ text.data + start,
							text.len - start }) > cells) {
			break;
		}
		at = start;
	}
	return at;
}

/* The last column: whole, or without its middle where the terminal ends. */
static void add_last(struct page *page, struct prof_text text, enum table_tone tone)
{
	size_t room = page->style->width;
	size_t front = 0;
	size_t back = 0;
	struct prof_buf cut = { 0 };

	for (size_t i = 0; i < page->last; i++) {
		size_t width =
			page->table->columns[i].heading ? page->widths[i] + 2 : 0;

		room = room > width + NAME_MIN ? room - width : NAME_MIN;
	}
	if (page->style->width == 0 || prof_text_cells(text) <= room) {
		add_toned(page, text, tone);
		return;
	}
	/* A bit more of the end: that is where names differ. */
	front = fit_front(text, (room - 3) * 2 / 5);
	back = fit_back(text, room - 3 - (room - 3) * 2 / 5);
	prof_buf_add(&cut, text.data, front);
	prof_buf_adds(&cut, "...");
	prof_buf_add(&cut, text.data + back, text.len - back);
	page->out->failed |= cut.failed;
	add_toned(page, (struct prof_text){ cut.data, cut.len }, tone);
	prof_buf_free(&cut);
}

static void add_column(struct page *page, size_t column, struct prof_text text,
		       enum table_tone tone)
{
	bool left = table_is_text(page->table->columns[column].kind);
	size_t cells = 0;
	size_t fill = 0;

	if (column == page->last && left) {
		add_last(page, text, tone);
		return;
	}
	cells = prof_text_cells(text);
	fill = page->widths[column] > cells ? page->widths[column] - cells : 0;
	if (!left) {
		add_blanks(page->out, fill);
	}
	add_toned(page, text, tone);
	if (left) {
		add_blanks(page->out, fill);
	}
	if (column != page->last) {
		add_blanks(page->out, 2);
	}
}

static void trim_line(struct prof_buf *out)
{
	while (out->len > 0 && out->data[out->len - 1] == ' ') {
		out->len--;
	}
	prof_buf_addc(out, '\n');
}

static void measure(struct page *page)
{
	const struct table *table = page->table;
	size_t rows = table_rows(table);

	for (size_t c = 0; c < page->columns; c++) {
		if (!table->columns[c].heading) {
			continue;
		}
		page->last = c;
		page->widths[c] = prof_text_cells(prof_text(table->columns[c].heading));
	}
	for (size_t r = 0; r < rows; r++) {
		const struct table_cell *cells = page_row(page, r);

		for (size_t c = 0; c < page->columns; c++) {
			size_t width = 0;

			if (!table->columns[c].heading ||
			    (c == page->last &&
			     table_is_text(table->columns[c].kind))) {
				continue;
			}
			width = prof_text_cells(page_look(page, &cells[c]));
			if (width > page->widths[c]) {
				page->widths[c] = width;
			}
		}
	}
}

static void add_rows_text(struct page *page)
{
	const struct table *table = page->table;
	size_t rows = table_rows(table);

	for (size_t c = 0; c < page->columns; c++) {
		if (table->columns[c].heading) {
			add_column(page, c, prof_text(table->columns[c].heading),
				   TABLE_STRONG);
		}
	}
	trim_line(page->out);
	for (size_t r = 0; r < rows; r++) {
		const struct table_cell *cells = page_row(page, r);

		for (size_t c = 0; c < page->columns; c++) {
			if (table->columns[c].heading) {
				add_column(page, c, page_look(page, &cells[c]),
					   cells[c].tone);
			}
		}
		trim_line(page->out);
	}
}

void page_add_text(struct page *page)
{
	const struct table *table = page->table;

	for (size_t i = 0; i < table->field_count; i++) {
		const struct table_field *field = &table->fields[i];

		if (field->heading) {
			prof_buf_addf(page->out, "%s: ", field->heading);
			add_text(page->out, page_look(page, &field->cell));
			prof_buf_addc(page->out, '\n');
		}
	}
	prof_buf_add(page->out, table->head.data, table->head.len);
	if (page->columns > 0) {
		measure(page);
		add_rows_text(page);
	}
	prof_buf_add(page->out, table->foot.data, table->foot.len);
}

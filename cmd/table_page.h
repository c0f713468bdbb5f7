/* SPDX-License-Identifier: MIT */
/*
 * table_page.h - a table on its way out: between table.c and the forms it takes.
 */
#ifndef FGTOOL_TABLE_PAGE_H
#define FGTOOL_TABLE_PAGE_H

#include "cmd/table.h"

struct page {
	const struct table *table;
	const struct table_style *style;
	struct prof_buf *out;
	struct prof_buf scratch; /* one cell */
	size_t columns;          /* of the table */
	size_t *widths;          /* of the columns, in text */
	size_t last;             /* column with a heading that no other follows */
};

/* The cells of a row. */
static inline const struct table_cell *page_row(const struct page *page, size_t row)
{
	return page->table->cells + row * page->columns;
}

static inline bool table_is_text(enum table_kind kind)
{
	return kind == TABLE_NAME || kind == TABLE_WORD;
}

/* What people see in the cell, safe to print. Borrowed until the next call. */
struct prof_text page_look(struct page *page, const struct table_cell *cell);

/* Append the whole table to page->out. */
void page_add_text(struct page *page);
void page_add_md(struct page *page);
void page_add_json(struct page *page);
void page_add_csv(struct page *page);

#endif

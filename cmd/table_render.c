/* SPDX-License-Identifier: MIT */
#include <assert.h>

#include "cmd/table_page.h"
#include "libprof/base/alloc.h"

struct prof_text page_look(struct page *page, const struct table_cell *cell)
{
	if (cell->missing) {
		return (struct prof_text){ "", 0 };
	}
	if (cell->shown_len > 0) {
		return (struct prof_text){ page->table->shown.data + cell->shown,
					   cell->shown_len };
	}
	if (!table_is_text(cell->kind) || cell->raw.text.len == 0) {
		return (struct prof_text){ "", 0 };
	}
	prof_buf_clear(&page->scratch);
	prof_text_escape(&page->scratch, cell->raw.text);
	page->out->failed |= page->scratch.failed;
	return (struct prof_text){ page->scratch.data, page->scratch.len };
}

static size_t count_columns(const struct table *table)
{
	size_t count = 0;

	while (table->columns && table->columns[count].key) {
		count++;
	}
	return count;
}

static void add_page(struct page *page)
{
	switch (page->style->format) {
	case TABLE_TEXT:
		page_add_text(page);
		break;
	case TABLE_JSON:
		page_add_json(page);
		break;
	case TABLE_CSV:
		page_add_csv(page);
		break;
	case TABLE_MD:
		page_add_md(page);
		break;
	}
}

bool table_render(const struct table *table, const struct table_style *style,
		  struct prof_buf *out, struct prof_error *err)
{
	struct page page = {
		.table = table,
		.style = style,
		.out = out,
		.columns = count_columns(table),
	};
	bool failed = table->failed || table->shown.failed || table->head.failed ||
		      table->foot.failed;

	assert(failed || page.columns == 0 || table->cell_count % page.columns == 0);
	page.widths = prof_alloc_array(page.columns + 1, sizeof(*page.widths));
	if (page.widths && !failed) {
		add_page(&page);
	}
	failed = failed || !page.widths || out->failed;
	prof_free(page.widths);
	prof_buf_free(&page.scratch);
	return failed ? prof_fail_nomem(err) : true;
}

/* SPDX-License-Identifier: MIT */
/* A comparison for spreadsheets: a line for each flat and cum, tested or not. */
#include <math.h>

#include "cmd/diff.h"

static const struct table_column columns[] = {
	{ "part", "part", TABLE_NAME, NULL },
	{ "name", "name", TABLE_NAME, NULL },
	{ "kind", "kind", TABLE_WORD, NULL },
	{ "verdict", "verdict", TABLE_WORD, NULL },
	{ "value_before", "value_before", TABLE_VALUE, NULL },
	{ "value_after", "value_after", TABLE_VALUE, NULL },
	{ "samples_before", "samples_before", TABLE_NUMBER, NULL },
	{ "samples_after", "samples_after", TABLE_NUMBER, NULL },
	{ "expected", "expected", TABLE_NUMBER, NULL },
	{ "measured", "measured", TABLE_NUMBER, NULL },
	{ "ratio", "ratio", TABLE_NUMBER, NULL },
	{ "ratio_low", "ratio_low", TABLE_NUMBER, NULL },
	{ "ratio_high", "ratio_high", TABLE_NUMBER, NULL },
	{ "delta", "delta", TABLE_NUMBER, NULL },
	{ "delta_low", "delta_low", TABLE_NUMBER, NULL },
	{ "delta_high", "delta_high", TABLE_NUMBER, NULL },
	{ "p", "p", TABLE_NUMBER, NULL },
	{ "q", "q", TABLE_NUMBER, NULL },
	{ "detectable", "detectable", TABLE_NUMBER, NULL },
	{ "file", "file", TABLE_NAME, NULL },
	{ 0 },
};

struct line {
	struct prof_text part;
	struct prof_text name;
	struct prof_text file;
	const char *kind;
	const struct prof_estimate *estimate;
};

static void add_line(struct table *table, const struct line *line)
{
	const struct prof_estimate *e = line->estimate;
	const double numbers[] = {
		e->count[0],
		e->count[1],
		e->expected,
		e->measured,
		e->ratio,
		e->ratio_low,
		e->ratio_high,
		e->delta,
		e->delta_low,
		e->delta_high,
		e->p,
		e->q,
		e->detectable > 0 ? e->detectable : NAN,
	};

	if (e->value[0] == 0 && e->value[1] == 0) {
		return;
	}
	table_name(table, line->part);
	table_name(table, line->name);
	table_word(table, line->kind);
	table_word(table, diff_verdict_key(e->verdict));
	table_value(table, e->value[0], NULL);
	table_value(table, e->value[1], NULL);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		table_number(table, numbers[i], NULL);
	}
	table_name(table, line->file);
}

static void add_lines(struct table *table, struct prof_text part,
		      const struct prof_comparison *comparison)
{
	const struct prof_text none = { 0 };

	add_line(table,
		 &(struct line){ part, none, none, "total", &comparison->total });
	for (uint32_t i = 0; i < comparison->row_count; i++) {
		const struct prof_compare_row *row = &comparison->rows[i];

		add_line(table, &(struct line){ part, row->name, row->file, "flat",
						&row->flat });
		add_line(table, &(struct line){ part, row->name, row->file, "cum",
						&row->cum });
	}
}

bool diff_print_csv(const struct diff_result *result, struct prof_buf *out,
		    struct prof_error *err)
{
	const struct table_style style = { .format = TABLE_CSV };
	struct table table = { .schema = "fgtool-diff/1", .columns = columns };
	bool ok = true;

	add_lines(&table, (struct prof_text){ 0 }, result->whole);
	for (uint32_t i = 0; i < result->part_count; i++) {
		if (result->parts[i].comparison) {
			add_lines(&table, result->parts[i].value,
				  result->parts[i].comparison);
		}
	}
	ok = table_render(&table, &style, out, err);
	table_free(&table);
	return ok;
}

/* SPDX-License-Identifier: MIT */
/* Findings as tables for people. */
#include <math.h>
#include <stdio.h>

#include "cmd/diff.h"
#include "libprof/base/alloc.h"

enum { PART_ROWS = 3 /* functions shown of a part */ };

static const struct table_column columns[] = {
	{ "verdict", "verdict", TABLE_WORD, NULL },
	{ "kind", "kind", TABLE_WORD, NULL },
	{ "expected", "expected", TABLE_VALUE, NULL },
	{ "after", "after", TABLE_VALUE, NULL },
	{ "ratio", "change", TABLE_NUMBER, NULL },
	{ "interval", "interval", TABLE_NUMBER, NULL },
	{ "q", "q", TABLE_NUMBER, NULL },
	{ "name", "name", TABLE_NAME, NULL },
	{ 0 },
};

static const struct table_column part_columns[] = {
	{ "part", "label", TABLE_NAME, NULL },
	{ "verdict", "verdict", TABLE_WORD, NULL },
	{ "kind", "kind", TABLE_WORD, NULL },
	{ "expected", "expected", TABLE_VALUE, NULL },
	{ "after", "after", TABLE_VALUE, NULL },
	{ "ratio", "change", TABLE_NUMBER, NULL },
	{ "interval", "interval", TABLE_NUMBER, NULL },
	{ "q", "q", TABLE_NUMBER, NULL },
	{ "name", "name", TABLE_NAME, NULL },
	{ 0 },
};

static void add_value(struct table *table, struct report_unit *unit, double value)
{
	report_value(table, unit, fabs(value) < 9e18 ? llround(value) : 0);
}

static enum table_tone tone_of(const struct prof_comparison *comparison,
			       const struct prof_compare_row *row,
			       const struct prof_estimate *e)
{
	if (e->verdict == PROF_VERDICT_SUSPECT ||
	    (row && e->verdict == PROF_VERDICT_REAL &&
	     (diff_is_moved(comparison, row) || diff_is_renamed(comparison, row)))) {
		return TABLE_STRONG;
	}
	if (e->verdict != PROF_VERDICT_REAL) {
		return TABLE_DIM;
	}
	return e->delta > 0 ? TABLE_BAD : TABLE_GOOD;
}

static void add_numbers(struct table *table, const struct prof_comparison *comparison,
			const struct prof_compare_row *row,
			const struct prof_estimate *e, const char *kind,
			struct report_unit *unit)
{
	char shown[80];

	table_word(table, diff_verdict_word(comparison, row, e));
	table_tone(table, tone_of(comparison, row, e));
	table_word(table, kind);
	add_value(table, unit, e->expected);
	add_value(table, unit, e->measured);
	diff_show_change(e, shown, sizeof(shown));
	table_number(table, e->ratio, shown);
	diff_show_interval(e, shown, sizeof(shown));
	table_number(table, e->ratio_low, shown);
	diff_show_p(e->q, shown, sizeof(shown));
	table_number(table, e->q, shown);
}

/* The name, and how many others it stands for. */
static void add_name(struct table *table, const struct diff_finding *finding,
		     bool brief)
{
	struct prof_buf shown = { 0 };

	if (brief) {
		diff_add_name(&shown, finding->row->name);
	} else {
		prof_text_escape(&shown, finding->row->name);
	}
	if (finding->twins > 0) {
		prof_buf_addf(&shown, " (and %u with the same samples)",
			      finding->twins);
	}
	table->failed |= shown.failed;
	table_name_as(table, finding->row->name,
		      (struct prof_text){ shown.data, shown.len });
	prof_buf_free(&shown);
}

bool diff_add_table(const struct prof_comparison *comparison,
		    const struct diff_findings *findings,
		    const struct table_style *style, struct report_unit *unit,
		    bool brief, struct prof_buf *out, struct prof_error *err)
{
	struct table table = { .columns = columns };
	bool ok = true;

	for (uint32_t i = 0; i < findings->count; i++) {
		const struct diff_finding *finding = &findings->items[i];

		add_numbers(&table, comparison, finding->row, finding->estimate,
			    finding->cum ? "cum" : "flat", unit);
		add_name(&table, finding, brief);
	}
	if (findings->count > 0) {
		ok = table_render(&table, style, out, err);
	}
	table_free(&table);
	return ok;
}

static void add_part_name(struct table *table, const struct diff_part *part, bool brief)
{
	struct prof_buf shown = { 0 };

	if (!brief) {
		table_name(table, part->value);
		return;
	}
	diff_add_name(&shown, part->value);
	table->failed |= shown.failed;
	table_name_as(table, part->value, (struct prof_text){ shown.data, shown.len });
	prof_buf_free(&shown);
}

static bool add_part(struct table *table, const struct diff_result *result,
		     const struct diff_part *part, struct report_unit *unit, bool brief,
		     struct prof_error *err)
{
	struct diff_findings findings = { 0 };

	if (!part->comparison) {
		add_part_name(table, part, brief);
		table_word(table, "untested");
		table_word(table, "total");
		for (int i = 0; i < 5; i++) {
			table_missing(table);
		}
		table_name(table, part->why_not);
		return true;
	}
	if (!diff_findings_make(part->comparison, result->options, false, PART_ROWS,
				&findings, err)) {
		return false;
	}
	add_part_name(table, part, brief);
	add_numbers(table, part->comparison, NULL, &part->comparison->total, "total",
		    unit);
	table_name(table, (struct prof_text){ 0 });
	for (uint32_t i = 0; i < findings.count; i++) {
		const struct diff_finding *finding = &findings.items[i];

		add_part_name(table, part, brief);
		add_numbers(table, part->comparison, finding->row, finding->estimate,
			    finding->cum ? "cum" : "flat", unit);
		add_name(table, finding, brief);
	}
	prof_free(findings.items);
	return true;
}

bool diff_add_parts(const struct diff_result *result, const struct table_style *style,
		    struct report_unit *unit, bool brief, struct prof_buf *out,
		    struct prof_error *err)
{
	struct table table = { .columns = part_columns };
	bool ok = true;

	for (uint32_t i = 0; i < result->part_count && ok; i++) {
		if (result->parts[i].asked) {
			ok = add_part(&table, result, &result->parts[i], unit, brief,
				      err);
		}
	}
	if (ok && table_rows(&table) > 0) {
		prof_buf_addc(out, '\n');
		ok = table_render(&table, style, out, err);
	}
	table_free(&table);
	return ok;
}

void diff_add_rest(const struct diff_result *result,
		   const struct diff_findings *findings, struct prof_buf *out)
{
	const struct diff_counts *counts = &findings->counts;

	if (findings->more > 0) {
		prof_buf_addf(out, "and %u more (--limit=0 shows all)\n",
			      findings->more);
	}
	prof_buf_addf(out, "tests   %u: %u the same, %u can't tell; %u %s too rare\n",
		      counts->tested, counts->same, counts->unknown,
		      result->whole->untested,
		      report_noun(result->key.by, result->whole->untested));
}

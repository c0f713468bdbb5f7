/* SPDX-License-Identifier: MIT */
/* A comparison on one screen: the verdict first, then why. */
#include <math.h>

#include "cmd/diff.h"
#include "libprof/base/alloc.h"

enum { ROWS = 12 /* shown, unless people say otherwise */ };

static int64_t rounded(double value)
{
	return fabs(value) < 9e18 ? llround(value) : 0;
}

bool diff_unit(const struct diff_result *result, struct report_unit *unit,
	       struct prof_error *err)
{
	const struct prof_comparison *whole = result->whole;
	int64_t before = whole->sides[0].value;
	int64_t after = whole->sides[1].value;
	int64_t total = rounded(whole->total.measured);
	int64_t least = 0;

	for (uint32_t i = 0; i < whole->row_count; i++) {
		const struct prof_estimate *e = &whole->rows[i].flat;

		if (e->verdict == PROF_VERDICT_REAL ||
		    e->verdict == PROF_VERDICT_SUSPECT) {
			least = report_smaller(least, rounded(e->expected));
			least = report_smaller(least, rounded(e->measured));
		}
	}
	/* A rare function is no reason to show all the others in nanoseconds. */
	if (least < total / 2) {
		least = total / 2;
	}
	return report_unit(&result->options->report, whole->type.unit, least,
			   after > before ? after : before, unit, err);
}

static uint32_t limit_of(const struct diff_options *diff)
{
	if (diff->limit < 0) {
		return diff->all ? UINT32_MAX : ROWS;
	}
	return diff->limit == 0 || diff->limit > UINT32_MAX ? UINT32_MAX
							    : (uint32_t)diff->limit;
}

static void add_strong(const struct table_style *style, const struct prof_buf *text,
		       struct prof_buf *out)
{
	prof_buf_adds(out, style->color ? "\033[1m" : "");
	prof_buf_add(out, text->data ? text->data : "", text->len);
	prof_buf_adds(out, style->color ? "\033[0m\n" : "\n");
	out->failed |= text->failed;
}

static bool add_page(const struct diff_result *result, const struct table_style *style,
		     const struct diff_findings *findings, struct report_unit *unit,
		     struct prof_buf *out, struct prof_error *err)
{
	struct prof_buf verdict = { 0 };

	diff_add_verdict(result, findings, &verdict);
	add_strong(style, &verdict, out);
	prof_buf_free(&verdict);
	diff_add_gates(result, out);
	diff_add_head(result, unit, out);
	prof_buf_adds(out, findings->count > 0 ? "\n" : "");
	if (!diff_add_table(result->whole, findings, style, unit, false, out, err)) {
		return false;
	}
	prof_buf_adds(out, findings->count > 0 ? "\n" : "");
	diff_add_moves(result->whole, unit, out);
	diff_add_renames(result->whole, out);
	diff_add_rest(result, findings, out);
	diff_add_sensitivity(result, out);
	diff_add_notes(result->whole, out);
	return diff_add_parts(result, style, unit, false, out, err);
}

bool diff_print_text(const struct diff_result *result, const struct table_style *style,
		     struct prof_buf *out, struct prof_error *err)
{
	const struct diff_options *diff = result->options;
	struct diff_findings findings = { 0 };
	struct report_unit unit = { 0 };
	bool ok = diff_unit(result, &unit, err) &&
		  diff_findings_make(result->whole, diff, diff->all, limit_of(diff),
				     &findings, err) &&
		  add_page(result, style, &findings, &unit, out, err);

	prof_free(findings.items);
	report_unit_free(&unit);
	return ok && (!out->failed || prof_fail_nomem(err));
}

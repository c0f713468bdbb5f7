/* SPDX-License-Identifier: MIT */
/*
 * A comparison as a comment to a pull request: the verdict in the first line, a marker
 * by which a bot finds the comment that it wrote before, a table, and the rest folded
 * away. Services refuse comments beyond 65536 characters, so what is folded away ends
 * before that.
 */
#include "cmd/diff.h"
#include "libprof/base/alloc.h"

enum {
	ROWS = 20,
	PAGE_MAX = 60000, /* bytes, hence at most as many characters */
	END_BYTES = 200,  /* of what closes the page */
};

/* Letters and digits of the sample type: the marker is a comment of HTML. */
static void add_marker(const struct diff_result *result, struct prof_buf *out)
{
	struct prof_text type = result->whole->type.type;

	prof_buf_adds(out, "<!-- fgtool-diff:");
	for (size_t i = 0; i < type.len && i < 64; i++) {
		char c = type.data[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			     (c >= '0' && c <= '9');

		prof_buf_addc(out, plain ? c : '_');
	}
	prof_buf_adds(out, " -->\n");
}

/* Within a fence, which no line of ours can close: each begins with a word of ours. */
static void add_fenced(const struct prof_buf *lines, struct prof_buf *out)
{
	if (lines->len > 0) {
		prof_buf_adds(out, "\n```text\n");
		prof_buf_add(out, lines->data, lines->len);
		prof_buf_adds(out, "```\n");
	}
	out->failed |= lines->failed;
}

/* As many whole lines as fit. */
static void cut(struct prof_buf *lines, size_t room)
{
	if (lines->len <= room) {
		return;
	}
	lines->len = room;
	while (lines->len > 0 && lines->data[lines->len - 1] != '\n') {
		lines->len--;
	}
	prof_buf_adds(lines, "(cut: fgtool diff --format=text has all of it)\n");
}

static size_t room_in(const struct prof_buf *out)
{
	return out->len + END_BYTES < PAGE_MAX ? PAGE_MAX - END_BYTES - out->len : 0;
}

static void add_details(const struct diff_result *result,
			const struct diff_findings *findings, struct report_unit *unit,
			struct prof_buf *out)
{
	struct prof_buf lines = { 0 };

	diff_add_head(result, unit, &lines);
	diff_add_rest(result, findings, &lines);
	diff_add_sensitivity(result, &lines);
	diff_add_notes(result->whole, &lines);
	cut(&lines, room_in(out));
	prof_buf_adds(out, "\n<details><summary>what was compared, and how sure this "
			   "is</summary>\n");
	add_fenced(&lines, out);
	prof_buf_adds(out, "\n</details>\n");
	prof_buf_free(&lines);
}

static void add_news(const struct diff_result *result, struct report_unit *unit,
		     struct prof_buf *out)
{
	struct prof_buf lines = { 0 };

	diff_add_gates(result, &lines);
	diff_add_moves(result->whole, unit, &lines);
	diff_add_renames(result->whole, &lines);
	cut(&lines, room_in(out) / 2);
	add_fenced(&lines, out);
	prof_buf_free(&lines);
}

/* A table that does not fit is left out: a cut one is none. */
static bool add_parts(const struct diff_result *result, const struct table_style *style,
		      struct report_unit *unit, struct prof_buf *out,
		      struct prof_error *err)
{
	struct prof_buf parts = { 0 };
	bool ok = diff_add_parts(result, style, unit, true, &parts, err);

	if (ok && parts.len > 0 && parts.len <= room_in(out) / 2) {
		prof_buf_add(out, parts.data, parts.len);
	} else if (ok && parts.len > 0) {
		prof_buf_adds(out, "\nThe table by label is too long for a comment.\n");
	}
	prof_buf_free(&parts);
	return ok;
}

static bool add_page(const struct diff_result *result,
		     const struct diff_findings *findings, struct report_unit *unit,
		     struct prof_buf *out, struct prof_error *err)
{
	const struct table_style style = { .format = TABLE_MD };

	prof_buf_adds(out, "**fgtool: ");
	diff_add_verdict(result, findings, out);
	prof_buf_adds(out, "**\n");
	add_marker(result, out);
	add_news(result, unit, out);
	prof_buf_adds(out, findings->count > 0 ? "\n" : "");
	if (!diff_add_table(result->whole, findings, &style, unit, true, out, err) ||
	    !add_parts(result, &style, unit, out, err)) {
		return false;
	}
	add_details(result, findings, unit, out);
	return true;
}

bool diff_print_md(const struct diff_result *result, struct prof_buf *out,
		   struct prof_error *err)
{
	const struct diff_options *diff = result->options;
	struct diff_findings findings = { 0 };
	struct report_unit unit = { 0 };
	uint32_t limit = diff->limit > 0 && diff->limit < ROWS ? (uint32_t)diff->limit
							       : (uint32_t)ROWS;
	bool ok = diff_unit(result, &unit, err) &&
		  diff_findings_make(result->whole, diff, diff->all, limit, &findings,
				     err) &&
		  add_page(result, &findings, &unit, out, err);

	prof_free(findings.items);
	report_unit_free(&unit);
	return ok && (!out->failed || prof_fail_nomem(err));
}

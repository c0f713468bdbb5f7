/* SPDX-License-Identifier: MIT */
#include "cmd/pprof_header.h"

#include <time.h>

#include "libprof/model/unit.h"
#include "libprof/report/frameinfo.h"

enum {
	SECOND = 1000000000,
	FILTER_MAX = 80, /* bytes of "name=value" that are shown */
};

static void add_text(struct prof_buf *out, struct prof_text text)
{
	prof_buf_add(out, text.data, text.len);
}

void pprof_align_right(struct prof_buf *out, size_t start, size_t width)
{
	size_t count = 0;
	size_t len = 0;
	size_t pad = 0;

	if (out->failed) {
		return;
	}
	len = out->len - start;
	for (size_t i = start; i < out->len; i++) {
		count += ((unsigned char)out->data[i] & 0xc0) != 0x80;
	}
	pad = count < width ? width - count : 0;
	if (pad > 0 && prof_buf_reserve(out, pad)) {
		memmove(out->data + start + pad, out->data + start, len);
		memset(out->data + start, ' ', pad);
		out->len += pad;
	}
}

void pprof_header_type(const struct pprof_header *header, struct prof_buf *out)
{
	const struct prof_profile *profile = header->profile;

	prof_buf_adds(out, header->options->mean ? "mean_" : "");
	add_text(out, prof_string(profile, profile->types[header->column].type));
}

static void add_binary(const struct prof_profile *profile, struct prof_buf *out)
{
	const struct prof_mapping *main = profile->mappings;

	if (profile->mapping_count == 0) {
		return;
	}
	if (main->file != 0) {
		prof_buf_adds(out, "File: ");
		add_text(out, prof_path_base(prof_string(profile, main->file)));
		prof_buf_addc(out, '\n');
	}
	if (main->build_id != 0) {
		prof_buf_adds(out, "Build ID: ");
		add_text(out, prof_string(profile, main->build_id));
		prof_buf_addc(out, '\n');
	}
}

static void add_comments(const struct prof_profile *profile, struct prof_buf *out)
{
	for (uint32_t i = 0; i < profile->header.comment_count; i++) {
		struct prof_text comment =
			prof_string(profile, profile->header.comments[i]);

		if (comment.len == 0 || comment.data[0] != '#') {
			add_text(out, comment);
			prof_buf_addc(out, '\n');
		}
	}
}

static void add_time(int64_t time_ns, struct prof_buf *out)
{
	time_t seconds = (time_t)(time_ns / SECOND - (time_ns % SECOND < 0));
	struct tm local = { 0 };
	char text[80];

	if (time_ns != 0 && localtime_r(&seconds, &local) &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %Z", &local) > 0) {
		prof_buf_adds(out, "Time: ");
		prof_buf_adds(out, text);
		prof_buf_addc(out, '\n');
	}
}

/* How much of the duration the total is, when both are times. */
static void add_share(const struct prof_value_style *style, int64_t duration_ns,
		      struct prof_buf *out)
{
	struct prof_scaled total =
		prof_unit_scale(style->total, style->unit, prof_text("nanoseconds"));

	if (prof_text_equal(total.unit, prof_text("ns")) && total.value != 0) {
		prof_buf_addc(out, '(');
		prof_unit_percent(out, (int64_t)total.value, duration_ns);
		prof_buf_addc(out, ')');
	}
}

static void add_duration(const struct prof_header *header,
			 const struct prof_value_style *style, struct prof_buf *out)
{
	if (header->duration_ns == 0) {
		return;
	}
	prof_buf_adds(out, "Duration: ");
	prof_unit_label(out, header->duration_ns, prof_text("nanoseconds"),
			prof_text("auto"));
	prof_buf_adds(out, ", Total samples = ");
	prof_value_add(out, style, style->total);
	prof_buf_addc(out, ' ');
	add_share(style, header->duration_ns, out);
	prof_buf_addc(out, '\n');
}

void pprof_header_profile(const void *context, const struct prof_value_style *style,
			  struct prof_buf *out)
{
	const struct pprof_header *header = context;
	const struct prof_profile *profile = header->profile;

	add_binary(profile, out);
	add_comments(profile, out);
	prof_buf_adds(out, "Type: ");
	pprof_header_type(header, out);
	prof_buf_addc(out, '\n');
	if (profile->header.doc_url != 0) {
		prof_buf_adds(out, "Doc: ");
		add_text(out, prof_string(profile, profile->header.doc_url));
		prof_buf_addc(out, '\n');
	}
	add_time(profile->header.time_ns, out);
	add_duration(&profile->header, style, out);
}

static void add_filter(struct prof_buf *out, size_t start, const char *name,
		       const char *value)
{
	size_t len = value ? strlen(value) : 0;
	size_t most = FILTER_MAX - strlen(name) - 1;
	bool cut = len > most;

	if (len == 0) {
		return;
	}
	if (out->len == start) {
		prof_buf_adds(out, "Active filters:\n");
	}
	prof_buf_addf(out, "   %s=", name);
	prof_buf_add(out, value, cut ? most : len);
	prof_buf_adds(out, cut ? "\xe2\x80\xa6\n" : "\n");
}

void pprof_header_filters(const void *context, const struct prof_value_style *style,
			  struct prof_buf *out)
{
	const struct pprof_header *header = context;
	const struct filter_options *filter = &header->options->filter;
	size_t start = out->len;

	(void)style;
	add_filter(out, start, "focus", filter->focus);
	add_filter(out, start, "ignore", filter->ignore);
	add_filter(out, start, "hide", filter->hide);
	add_filter(out, start, "show", filter->show);
	add_filter(out, start, "show_from", filter->show_from);
	add_filter(out, start, "tagfocus", filter->tag_focus);
	add_filter(out, start, "tagignore", filter->tag_ignore);
	add_filter(out, start, "tagshow", filter->tag_show);
	add_filter(out, start, "taghide", filter->tag_hide);
}

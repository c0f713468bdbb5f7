/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "cmd/pprof_reports.h"
#include "libprof/base/alloc.h"

enum {
	SECOND = 1000000000,
	DURATION_MAX = 4, /* characters of a duration that are shown */
};

static void add_string(struct prof_buf *out, const struct prof_profile *profile,
		       uint32_t id)
{
	struct prof_text text = prof_string(profile, id);

	prof_buf_add(out, text.data, text.len);
}

/* --- head ---------------------------------------------------------------------------- */

/* "2017-02-17 17:15:31.5 +0000 UTC": the fraction without its last zeros. */
static void add_time(struct prof_buf *out, int64_t time_ns)
{
	int64_t part = time_ns % SECOND + (time_ns % SECOND < 0 ? SECOND : 0);
	time_t seconds = (time_t)((time_ns - part) / SECOND);
	struct tm local = { 0 };
	char text[80];

	if (time_ns == 0 || !localtime_r(&seconds, &local) ||
	    strftime(text, sizeof(text), "Time: %Y-%m-%d %H:%M:%S", &local) == 0) {
		return;
	}
	prof_buf_adds(out, text);
	if (part != 0) {
		int digits = 9;

		while (part % 10 == 0) {
			part /= 10;
			digits--;
		}
		prof_buf_addf(out, ".%0*" PRId64, digits, part);
	}
	if (strftime(text, sizeof(text), " %z %Z\n", &local) > 0) {
		prof_buf_adds(out, text);
	}
}

/* A fraction of `unit`, as short as it can be: "1.5s". */
static void print_part(char *out, size_t size, uint64_t ns, uint64_t unit,
		       const char *name)
{
	uint64_t rest = ns % unit;
	int digits = 0;

	for (uint64_t scale = unit; scale > 1; scale /= 10) {
		digits++;
	}
	while (rest != 0 && rest % 10 == 0) {
		rest /= 10;
		digits--;
	}
	if (rest == 0) {
		snprintf(out, size, "%" PRIu64 "%s", ns / unit, name);
	} else {
		snprintf(out, size, "%" PRIu64 ".%0*" PRIu64 "%s", ns / unit, digits,
			 rest, name);
	}
}

/* "1h2m3.5s", "100ms", "1.5µs", cut to four characters. */
static void add_duration(struct prof_buf *out, int64_t duration_ns)
{
	uint64_t ns =
		duration_ns < 0 ? 0 - (uint64_t)duration_ns : (uint64_t)duration_ns;
	uint64_t minutes = ns / SECOND / 60;
	char part[64];
	char text[128];
	size_t end = 0;
	int count = 0;

	if (duration_ns == 0) {
		return;
	}
	if (ns >= SECOND) {
		print_part(part, sizeof(part), ns % ((uint64_t)60 * SECOND), SECOND,
			   "s");
	} else if (ns >= 1000000) {
		print_part(part, sizeof(part), ns, 1000000, "ms");
	} else if (ns >= 1000) {
		print_part(part, sizeof(part), ns, 1000, "\xc2\xb5s");
	} else {
		print_part(part, sizeof(part), ns, 1, "ns");
	}
	if (minutes >= 60) {
		snprintf(text, sizeof(text), "%s%" PRIu64 "h%" PRIu64 "m%s",
			 duration_ns < 0 ? "-" : "", minutes / 60, minutes % 60, part);
	} else if (minutes > 0) {
		snprintf(text, sizeof(text), "%s%" PRIu64 "m%s",
			 duration_ns < 0 ? "-" : "", minutes, part);
	} else {
		snprintf(text, sizeof(text), "%s%s", duration_ns < 0 ? "-" : "", part);
	}
	while (text[end] && (count < DURATION_MAX || (text[end] & 0xc0) == 0x80)) {
		count += (text[end] & 0xc0) != 0x80;
		end++;
	}
	prof_buf_adds(out, "Duration: ");
	prof_buf_add(out, text, end);
	prof_buf_addc(out, '\n');
}

static void add_types(struct prof_buf *out, const struct prof_profile *profile)
{
	prof_buf_adds(out, "Samples:\n");
	for (uint32_t c = 0; c < profile->type_count; c++) {
		const struct prof_value_type *type = &profile->types[c];

		prof_buf_adds(out, c > 0 ? " " : "");
		add_string(out, profile, type->type);
		prof_buf_addc(out, '/');
		add_string(out, profile, type->unit);
		if (type->type != 0 && type->type == profile->header.default_type) {
			prof_buf_adds(out, "[dflt]");
		}
	}
	prof_buf_addc(out, '\n');
}

static void add_head(struct prof_buf *out, const struct prof_profile *profile)
{
	const struct prof_header *header = &profile->header;

	for (uint32_t i = 0; i < header->comment_count; i++) {
		prof_buf_adds(out, "Comment: ");
		add_string(out, profile, header->comments[i]);
		prof_buf_addc(out, '\n');
	}
	if (header->doc_url != 0) {
		prof_buf_adds(out, "Doc: ");
		add_string(out, profile, header->doc_url);
		prof_buf_addc(out, '\n');
	}
	prof_buf_adds(out, "PeriodType: ");
	add_string(out, profile, header->period_type.type);
	prof_buf_addc(out, ' ');
	add_string(out, profile, header->period_type.unit);
	prof_buf_addf(out, "\nPeriod: %" PRId64 "\n", header->period);
	add_time(out, header->time_ns);
	add_duration(out, header->duration_ns);
	add_types(out, profile);
}

/* --- samples ------------------------------------------------------------------------- */

/* Where the labels of one key begin in a buffer. */
struct piece {
	size_t start;
	size_t len;
};

struct dumping {
	const struct prof_profile *profile;
	struct prof_buf *out;
	struct prof_buf text;
	struct piece *pieces;
	size_t cap;
	bool failed;
};

static bool has_units(struct prof_labels labels, uint32_t key)
{
	for (size_t i = 0; i < labels.count; i++) {
		if (labels.data[i].key == key && labels.data[i].unit != 0) {
			return true;
		}
	}
	return false;
}

static void add_label(struct dumping *dumping, const struct prof_label *label,
		      bool units)
{
	if (label->text != 0) {
		add_string(&dumping->text, dumping->profile, label->text);
		return;
	}
	prof_buf_add_int(&dumping->text, label->number);
	if (units) {
		prof_buf_addc(&dumping->text, ' ');
		add_string(&dumping->text, dumping->profile, label->unit);
	}
}

/* "key:[value value]" for each key. */
static size_t format_labels(struct dumping *dumping, struct prof_labels labels,
			    bool numbers)
{
	size_t count = 0;
	uint32_t key = PROF_NONE;

	prof_buf_clear(&dumping->text);
	for (size_t i = 0; i < labels.count; i++) {
		const struct prof_label *label = &labels.data[i];
		bool units = numbers && has_units(labels, label->key);

		if ((label->text == 0) != numbers) {
			continue;
		}
		if (label->key == key) {
			dumping->text.len--; /* the bracket */
			prof_buf_addc(&dumping->text, ' ');
		} else {
			if (!prof_reserve((void **)&dumping->pieces, &dumping->cap,
					  count + 1, sizeof(*dumping->pieces))) {
				dumping->failed = true;
				return 0;
			}
			dumping->pieces[count++].start = dumping->text.len;
			add_string(&dumping->text, dumping->profile, label->key);
			prof_buf_adds(&dumping->text, ":[");
		}
		add_label(dumping, label, units);
		prof_buf_addc(&dumping->text, ']');
		dumping->pieces[count - 1].len =
			dumping->text.len - dumping->pieces[count - 1].start;
		key = label->key;
	}
	dumping->failed = dumping->failed || dumping->text.failed;
	return dumping->failed ? 0 : count;
}

static int compare_pieces(const void *a, const void *b, void *context)
{
	const struct prof_buf *text = context;
	const struct piece *x = a;
	const struct piece *y = b;

	return prof_text_compare((struct prof_text){ text->data + x->start, x->len },
				 (struct prof_text){ text->data + y->start, y->len });
}

static void add_labels(struct dumping *dumping, struct prof_labels labels, bool numbers)
{
	size_t count = format_labels(dumping, labels, numbers);

	if (count == 0) {
		return;
	}
	qsort_r(dumping->pieces, count, sizeof(*dumping->pieces), compare_pieces,
		&dumping->text);
	prof_buf_adds(dumping->out, "                ");
	for (size_t i = 0; i < count; i++) {
		prof_buf_adds(dumping->out, i > 0 ? " " : "");
		prof_buf_add(dumping->out,
			     dumping->text.data + dumping->pieces[i].start,
			     dumping->pieces[i].len);
	}
	prof_buf_addc(dumping->out, '\n');
}

static void add_sample(struct dumping *dumping, uint32_t sample)
{
	const struct prof_profile *profile = dumping->profile;
	struct prof_frames frames = prof_stack(profile, profile->sample_stack[sample]);
	struct prof_labels labels =
		prof_label_set(profile, profile->sample_set[sample]);

	for (uint32_t c = 0; c < profile->type_count; c++) {
		prof_buf_addf(dumping->out, " %10" PRId64, profile->values[c][sample]);
	}
	prof_buf_adds(dumping->out, ": ");
	for (size_t i = 0; i < frames.count; i++) {
		prof_buf_add_uint(dumping->out, profile->locations[frames.data[i]].id);
		prof_buf_addc(dumping->out, ' ');
	}
	prof_buf_addc(dumping->out, '\n');
	add_labels(dumping, labels, false);
	add_labels(dumping, labels, true);
}

/* --- locations and mappings ---------------------------------------------------------- */

static void add_line(struct prof_buf *out, const struct prof_profile *profile,
		     const struct prof_line *line)
{
	const struct prof_function *function = &profile->functions[line->function];

	add_string(out, profile, function->name);
	prof_buf_addc(out, ' ');
	add_string(out, profile, function->file);
	prof_buf_addf(out, ":%" PRId64 ":%" PRId64 " s=%" PRId64, line->line,
		      line->column, function->start_line);
	if (function->name != function->system_name) {
		prof_buf_addc(out, '(');
		add_string(out, profile, function->system_name);
		prof_buf_addc(out, ')');
	}
	prof_buf_addc(out, '\n');
}

static void add_location(struct prof_buf *out, const struct prof_profile *profile,
			 uint32_t index)
{
	const struct prof_location *location = &profile->locations[index];
	struct prof_lines lines = prof_location_lines(profile, index);

	prof_buf_addf(out, "%6" PRIu64 ": 0x%" PRIx64 " ", location->id,
		      location->address);
	if (location->mapping != PROF_NONE) {
		prof_buf_addf(out, "M=%" PRIu64 " ",
			      profile->mappings[location->mapping].id);
	}
	prof_buf_adds(out, location->folded ? "[F] " : "");
	for (size_t i = 0; i < lines.count; i++) {
		prof_buf_adds(out, i > 0 ? "             " : "");
		add_line(out, profile, &lines.data[i]);
	}
	prof_buf_adds(out, lines.count == 0 ? "\n" : "");
}

static void add_mapping(struct prof_buf *out, const struct prof_profile *profile,
			const struct prof_mapping *mapping)
{
	prof_buf_addf(out, "%" PRIu64 ": 0x%" PRIx64 "/0x%" PRIx64 "/0x%" PRIx64 " ",
		      mapping->id, mapping->start, mapping->limit, mapping->offset);
	add_string(out, profile, mapping->file);
	prof_buf_addc(out, ' ');
	add_string(out, profile, mapping->build_id);
	prof_buf_addc(out, ' ');
	prof_buf_adds(out, mapping->flags & PROF_HAS_FUNCTIONS ? "[FN]" : "");
	prof_buf_adds(out, mapping->flags & PROF_HAS_FILENAMES ? "[FL]" : "");
	prof_buf_adds(out, mapping->flags & PROF_HAS_LINES ? "[LN]" : "");
	prof_buf_adds(out, mapping->flags & PROF_HAS_INLINES ? "[IN]" : "");
	prof_buf_addc(out, '\n');
}

bool pprof_raw(const struct pprof_job *job, struct prof_buf *out,
	       struct prof_error *err)
{
	struct prof_aggregate coarse = { 0 };
	struct dumping dumping = { .out = out };
	bool ok = true;

	if (!prof_aggregate_init(&coarse, job->view.profile, &job->granularity, err)) {
		return false;
	}
	dumping.profile = &coarse.view;
	add_head(out, dumping.profile);
	for (uint32_t i = 0; ok && i < coarse.view.sample_count; i++) {
		add_sample(&dumping, i);
		ok = pprof_drain(job, out, err);
	}
	prof_buf_adds(out, "Locations\n");
	for (uint32_t i = 0; i < coarse.view.location_count; i++) {
		add_location(out, dumping.profile, i);
	}
	prof_buf_adds(out, "Mappings\n");
	for (uint32_t i = 0; i < coarse.view.mapping_count; i++) {
		add_mapping(out, dumping.profile, &coarse.view.mappings[i]);
	}
	prof_buf_free(&dumping.text);
	prof_free(dumping.pieces);
	prof_aggregate_free(&coarse);
	if (ok && (dumping.failed || out->failed)) {
		ok = prof_fail_nomem(err);
	}
	return ok;
}

void pprof_comments(const struct pprof_job *job, struct prof_buf *out)
{
	const struct prof_profile *profile = job->view.profile;

	for (uint32_t i = 0; i < profile->header.comment_count; i++) {
		add_string(out, profile, profile->header.comments[i]);
		prof_buf_addc(out, '\n');
	}
}

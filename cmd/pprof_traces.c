/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "cmd/pprof_reports.h"
#include "libprof/base/alloc.h"
#include "libprof/model/unit.h"
#include "libprof/report/frameinfo.h"
#include "libprof/report/graph.h"

enum { WIDTH = 10 }; /* of the values' column */

static const char separator[] =
	"-----------+-------------------------------------------------------\n";

/* A line of text in a buffer. */
struct span {
	size_t start;
	size_t len;
};

struct tracing {
	const struct pprof_job *job;
	const struct prof_profile *profile; /* aggregated */
	struct prof_buf *out;
	struct prof_buf lines; /* labels of a sample, before sorting */
	struct span *spans;
	size_t span_cap;
	struct prof_buf frames; /* every line of every location, printed */
	size_t *frame_at;       /* where each begins: by line, one more per location */
	bool failed;
};

/* --- labels -------------------------------------------------------------------------- */

static void add_label_value(struct tracing *tracing, const struct prof_label *label)
{
	const struct pprof_view *view = &tracing->job->view;
	const struct prof_profile *profile = tracing->profile;

	if (label->text != 0) {
		struct prof_text text = prof_string(profile, label->text);

		prof_buf_add(&tracing->lines, text.data, text.len);
	} else {
		prof_unit_label(&tracing->lines, label->number,
				prof_tag_unit(&view->units, profile, label->key),
				prof_text("auto"));
	}
}

/* One line per key, "key:  value value", behind each other. */
static size_t format_labels(struct tracing *tracing, struct prof_labels labels,
			    bool numbers)
{
	const struct prof_label *last = NULL;
	size_t count = 0;

	prof_buf_clear(&tracing->lines);
	for (size_t i = 0; i < labels.count; i++) {
		const struct prof_label *label = &labels.data[i];

		if ((label->text == 0) != numbers) {
			continue;
		}
		if (last && last->key == label->key) {
			prof_buf_addc(&tracing->lines, ' ');
		} else {
			struct prof_text key =
				prof_string(tracing->profile, label->key);
			size_t start = tracing->lines.len;

			if (!prof_reserve((void **)&tracing->spans, &tracing->span_cap,
					  count + 1, sizeof(*tracing->spans))) {
				tracing->failed = true;
				return 0;
			}
			tracing->spans[count++].start = start;
			prof_buf_add(&tracing->lines, key.data, key.len);
			pprof_align_right(&tracing->lines, start, WIDTH);
			prof_buf_adds(&tracing->lines, ":  ");
		}
		add_label_value(tracing, label);
		last = label;
	}
	for (size_t i = 0; i < count; i++) {
		size_t end = i + 1 < count ? tracing->spans[i + 1].start
					   : tracing->lines.len;

		tracing->spans[i].len = end - tracing->spans[i].start;
	}
	tracing->failed = tracing->failed || tracing->lines.failed;
	return count;
}

static int compare_spans(const void *a, const void *b, void *context)
{
	const struct prof_buf *lines = context;
	const struct span *x = a;
	const struct span *y = b;

	return prof_text_compare((struct prof_text){ lines->data + x->start, x->len },
				 (struct prof_text){ lines->data + y->start, y->len });
}

static void add_labels(struct tracing *tracing, struct prof_labels labels, bool numbers)
{
	size_t count = format_labels(tracing, labels, numbers);

	if (count > 1) {
		qsort_r(tracing->spans, count, sizeof(*tracing->spans), compare_spans,
			&tracing->lines);
	}
	for (size_t i = 0; i < count; i++) {
		prof_buf_add(tracing->out,
			     tracing->lines.data + tracing->spans[i].start,
			     tracing->spans[i].len);
		prof_buf_addc(tracing->out, '\n');
	}
}

/* --- frames -------------------------------------------------------------------------- */

static uint32_t frame_count(const struct prof_profile *profile, uint32_t location)
{
	size_t lines = prof_location_lines(profile, location).count;

	return lines > 0 ? (uint32_t)lines : 1;
}

/* Print every line of every location once: names are long, and stacks share them. */
static bool print_frames(struct tracing *tracing)
{
	const struct prof_profile *profile = tracing->profile;
	size_t count = (size_t)profile->line_count + profile->location_count + 1;
	struct prof_arena arena = { 0 };

	tracing->frame_at = prof_alloc_array(count, sizeof(*tracing->frame_at));
	for (uint32_t i = 0; tracing->frame_at && i < profile->location_count; i++) {
		size_t first = (size_t)profile->locations[i].first_line + i;
		uint32_t lines = frame_count(profile, i);

		for (uint32_t k = 0; k < lines; k++) {
			/* pprof trims file names in graphs only. */
			struct prof_frame_info info =
				prof_frame_info(profile, i, k, NULL, false, &arena);

			tracing->frame_at[first + k] = tracing->frames.len;
			prof_frame_info_add(&tracing->frames, &info);
			prof_buf_adds(&tracing->frames,
				      k + 1 < lines ? " (inline)\n" : "\n");
			tracing->frame_at[first + k + 1] = tracing->frames.len;
		}
	}
	tracing->failed = !tracing->frame_at || arena.failed || tracing->frames.failed;
	prof_arena_free(&arena);
	return !tracing->failed;
}

static void add_frames(struct tracing *tracing, struct prof_frames frames,
		       int64_t value)
{
	static const char blank[] = "             "; /* WIDTH and 3 */
	const struct prof_profile *profile = tracing->profile;
	struct prof_buf *out = tracing->out;
	size_t start = out->len;
	bool first = true;

	prof_value_add(out, &tracing->job->style, value);
	pprof_align_right(out, start, WIDTH);
	prof_buf_adds(out, "   ");
	for (size_t i = 0; i < frames.count; i++) {
		uint32_t location = frames.data[i];
		size_t at = (size_t)profile->locations[location].first_line + location;
		uint32_t lines = frame_count(profile, location);

		for (uint32_t k = 0; k < lines; k++) {
			const size_t *ends = tracing->frame_at + at + k;

			prof_buf_add(out, blank, first ? 0 : sizeof(blank) - 1);
			prof_buf_add(out, tracing->frames.data + ends[0],
				     ends[1] - ends[0]);
			first = false;
		}
	}
}

/* --- samples ------------------------------------------------------------------------- */

static void add_sample(struct tracing *tracing, uint32_t sample)
{
	const struct prof_profile *profile = tracing->profile;
	struct prof_frames frames = prof_stack(profile, profile->sample_stack[sample]);
	struct prof_labels labels =
		prof_label_set(profile, profile->sample_set[sample]);
	int64_t value = profile->values[tracing->job->view.column][sample];

	if (frames.count == 0) {
		return;
	}
	if (tracing->job->options->mean) {
		value = prof_graph_mean(value, profile->values[0][sample]);
	}
	prof_buf_adds(tracing->out, separator);
	add_labels(tracing, labels, false);
	add_labels(tracing, labels, true);
	add_frames(tracing, frames, value);
}

bool pprof_traces(const struct pprof_job *job, struct prof_buf *out,
		  struct prof_error *err)
{
	struct prof_aggregate coarse = { 0 };
	struct tracing tracing = {
		.job = job,
		.out = out,
	};
	bool ok = true;

	if (!prof_aggregate_init(&coarse, job->view.profile, &job->granularity, err)) {
		return false;
	}
	tracing.profile = &coarse.view;
	pprof_header_profile(&job->header, &job->style, out);
	if (!print_frames(&tracing)) {
		ok = prof_fail_nomem(err);
	}
	for (uint32_t i = 0; ok && i < coarse.view.sample_count; i++) {
		add_sample(&tracing, i);
		ok = pprof_drain(job, out, err);
	}
	prof_buf_adds(out, separator);
	prof_aggregate_free(&coarse);
	prof_buf_free(&tracing.lines);
	prof_buf_free(&tracing.frames);
	prof_free(tracing.spans);
	prof_free(tracing.frame_at);
	if (ok && (tracing.failed || out->failed)) {
		ok = prof_fail_nomem(err);
	}
	return ok;
}

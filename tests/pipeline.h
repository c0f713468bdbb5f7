/* SPDX-License-Identifier: MIT */
/*
 * pipeline.h - bytes all the way to bytes, for tests that want everything to happen:
 *
 *	bytes -> open -> builder -> validate -+-> merge -> filter -> scale -> write, each format
 *	                                      +-> top, call tree -> svg
 *
 * Stops at the first failure, as a command does, and frees what there is.
 */
#ifndef TESTS_PIPELINE_H
#define TESTS_PIPELINE_H

#include "formats/format.h"
#include "formats/gzip.h"
#include "formats/open.h"
#include "formats/render/svg.h"
#include "libprof/base/alloc.h"
#include "libprof/model/builder.h"
#include "libprof/model/filter.h"
#include "libprof/model/merge.h"
#include "libprof/model/scale.h"
#include "libprof/report/calltree.h"
#include "libprof/report/top.h"

/* What a run leaves behind, for who wants to look at it. */
struct pipeline {
	struct prof_profile *profile; /* as read */
	struct prof_buf written;      /* the profile as pprof */
	struct prof_buf packed;       /* ... what became of it, compressed */
	struct prof_buf folded;
	struct prof_buf svg;
};

static inline void pipeline_free(struct pipeline *run)
{
	prof_profile_free(run->profile);
	prof_buf_free(&run->written);
	prof_buf_free(&run->packed);
	prof_buf_free(&run->folded);
	prof_buf_free(&run->svg);
	*run = (struct pipeline){ 0 };
}

static inline bool pipeline_build(struct prof_source *source,
				  const struct prof_limits *limits,
				  const struct prof_format *as,
				  struct prof_builder *builder,
				  struct prof_profile **out, struct prof_error *err)
{
	struct prof_stream *stream = NULL;
	bool ok = prof_stream_open(source, limits, as, &stream, err) &&
		  prof_stream_read(stream, prof_builder_sink(builder), err) &&
		  prof_builder_finish(builder, out, err);

	prof_stream_free(stream);
	return ok;
}

/* Any bytes as a profile that is valid; `as` NULL detects the format. */
static inline bool pipeline_read(struct prof_text bytes,
				 const struct prof_limits *limits,
				 const struct prof_format *as,
				 struct prof_profile **out, struct prof_error *err)
{
	struct prof_source *source = prof_source_memory(bytes.data, bytes.len);
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	bool ok = source && builder;

	ok = ok ? pipeline_build(source, limits, as, builder, out, err)
		: prof_fail_nomem(err);
	prof_builder_free(builder);
	prof_source_free(source);
	return ok && prof_profile_validate(*out, err);
}

/* Every second name, and what goes with it. */
static inline bool pipeline_match(void *context, struct prof_text text)
{
	(void)context;
	return text.len % 2 == 1;
}

static inline bool pipeline_filter(const struct prof_profile *profile,
				   struct prof_profile **out, struct prof_error *err)
{
	struct prof_filter filter = {
		.focus = { pipeline_match, NULL },
		.hide = { pipeline_match, NULL },
		.tag_hide = { pipeline_match, NULL },
	};
	struct prof_filter_report report = { 0 };
	bool ok = prof_filter(profile, &filter, out, &report, err);

	prof_filter_report_free(&report);
	return ok;
}

static inline bool pipeline_scale(const struct prof_profile *profile,
				  struct prof_profile **out, struct prof_error *err)
{
	struct prof_ratio *ratios =
		prof_alloc_array((size_t)profile->type_count + 1, sizeof(*ratios));
	uint32_t dropped = 0;
	bool ok = false;

	if (!ratios) {
		return prof_fail_nomem(err);
	}
	for (uint32_t c = 0; c < profile->type_count; c++) {
		ratios[c] = (struct prof_ratio){ 1, 2 };
	}
	ok = prof_scale(profile, ratios, out, &dropped, err);
	prof_free(ratios);
	return ok;
}

/* The profile with itself, filtered, half of it, written and compressed. */
static inline bool pipeline_transform(struct pipeline *run, struct prof_error *err)
{
	struct prof_profile *twice[2] = { run->profile, run->profile };
	struct prof_profile *merged = NULL;
	struct prof_profile *filtered = NULL;
	struct prof_profile *scaled = NULL;
	struct prof_buf plain = { 0 };
	bool ok = prof_merge(twice, 2, PROF_BUILD_CANONICAL, &merged, err) &&
		  pipeline_filter(merged, &filtered, err) &&
		  pipeline_scale(filtered, &scaled, err) &&
		  prof_profile_validate(scaled, err) &&
		  prof_format_pprof.write(scaled, NULL, &plain, err) &&
		  prof_gzip_write((struct prof_text){ plain.data, plain.len }, 1,
				  &run->packed, err);

	prof_buf_free(&plain);
	prof_profile_free(scaled);
	prof_profile_free(filtered);
	prof_profile_free(merged);
	return ok;
}

static inline bool pipeline_top(const struct prof_profile *profile,
				struct prof_error *err)
{
	static const struct prof_key_options by_line = { .by = PROF_BY_LINE };
	struct prof_top_result *top = NULL;

	if (!prof_top_of(profile, &by_line, &top, err)) {
		return false;
	}
	for (uint32_t c = 0; c < top->type_count; c++) {
		prof_top_sort(top, c, c % 2 == 1);
	}
	prof_top_result_free(top);
	return true;
}

static inline bool pipeline_draw(struct pipeline *run, struct prof_error *err)
{
	struct prof_calltree_options shape = {
		.column = prof_default_column(run->profile),
	};
	struct prof_picture_options options = { 0 };
	struct prof_calltree *tree = NULL;
	struct prof_buf notes = { 0 };
	bool ok = prof_calltree_build(run->profile, &shape, &tree, err) &&
		  prof_svg_write(tree, &options, &run->svg, &notes, err);

	prof_buf_free(&notes);
	prof_calltree_free(tree);
	return ok;
}

/* True: all came to pass. False: *err says why not. pipeline_free() in any case. */
static inline bool pipeline_run(struct prof_text bytes,
				const struct prof_limits *limits, struct pipeline *run,
				struct prof_error *err)
{
	struct prof_write_options folded = { 0 };

	if (!pipeline_read(bytes, limits, NULL, &run->profile, err) ||
	    !prof_format_pprof.write(run->profile, NULL, &run->written, err)) {
		return false;
	}
	if (run->profile->type_count == 0) {
		return true;
	}
	folded.column = prof_default_column(run->profile);
	return pipeline_transform(run, err) && pipeline_top(run->profile, err) &&
	       prof_format_folded.write(run->profile, &folded, &run->folded, err) &&
	       pipeline_draw(run, err);
}

#endif

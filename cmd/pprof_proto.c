/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "cmd/pprof_reports.h"
#include "formats/gzip.h"
#include "formats/pprof.h"
#include "libprof/base/alloc.h"
#include "libprof/base/strings.h"
#include "libprof/model/builder.h"
#include "libprof/model/unit.h"
#include "libprof/report/graph.h"

static bool write_profile(const struct prof_profile *profile, struct prof_buf *out,
			  struct prof_error *err)
{
	const struct prof_write_options plain = { 0 };
	struct prof_buf bytes = { 0 };
	bool ok = prof_pprof_write(profile, &plain, &bytes, err) &&
		  prof_gzip_write((struct prof_text){ bytes.data, bytes.len }, 0, out,
				  err);

	prof_buf_free(&bytes);
	return ok;
}

/* --- the filtered profile ------------------------------------------------------------ */

/* Every value of every column divided, in memory of `arena`. */
static bool divide(struct prof_profile *view, const struct prof_value_style *style,
		   struct prof_arena *arena, struct prof_error *err)
{
	int64_t **columns = prof_arena_array(arena, view->type_count, sizeof(*columns));

	for (uint32_t c = 0; columns && c < view->type_count; c++) {
		columns[c] = prof_arena_array(arena, view->sample_count,
					      sizeof(*columns[c]));
		for (uint32_t i = 0; columns[c] && i < view->sample_count; i++) {
			columns[c][i] = prof_value_divided(style, view->values[c][i]);
		}
	}
	if (arena->failed) {
		return prof_fail_nomem(err);
	}
	view->values = columns;
	return true;
}

bool pprof_proto(const struct pprof_job *job, struct prof_buf *out,
		 struct prof_error *err)
{
	struct prof_aggregate coarse = { 0 };
	struct prof_arena arena = { 0 };
	struct prof_profile view;
	bool ok = false;

	if (!prof_aggregate_init(&coarse, job->view.profile, &job->granularity, err)) {
		return false;
	}
	view = coarse.view;
	ok = (view.sample_count == 0 || divide(&view, &job->style, &arena, err)) &&
	     write_profile(&view, out, err);
	prof_arena_free(&arena);
	prof_aggregate_free(&coarse);
	return ok;
}

/* --- the top rows -------------------------------------------------------------------- */

/* Rows being sent to a builder as the samples of a profile. */
struct rows {
	const struct prof_graph *graph;
	const struct prof_profile *profile; /* that they come from */
	struct prof_sink *sink;
	struct prof_value_style style; /* shown in one unit */
	struct prof_strings strings;
	struct prof_value_type types[2];
	struct prof_header header;
	struct prof_function *functions;
	uint32_t *function_of; /* by row */
	uint32_t function_count;
};

/* Not divided: pprof has it so in this report alone. */
static int64_t scaled(const struct rows *rows, int64_t value)
{
	struct prof_scaled at =
		prof_unit_scale(value, rows->style.unit, rows->style.show);

	return at.converted ? (int64_t)at.value : value;
}

static uint32_t string_in(struct rows *rows, uint32_t id)
{
	return prof_strings_add(&rows->strings, prof_string(rows->profile, id));
}

static void name_header(struct rows *rows)
{
	const struct prof_header *from = &rows->profile->header;

	prof_strings_add(&rows->strings, prof_text(""));
	rows->types[0].type = prof_strings_add(&rows->strings, prof_text("cum"));
	rows->types[0].unit = prof_strings_add(&rows->strings, rows->style.show);
	rows->types[1].type = prof_strings_add(&rows->strings, prof_text("flat"));
	rows->types[1].unit = rows->types[0].unit;
	rows->header = (struct prof_header){
		.time_ns = from->time_ns,
		.duration_ns = from->duration_ns,
		.period_type.type = string_in(rows, from->period_type.type),
		.period_type.unit = string_in(rows, from->period_type.unit),
		.period = from->period,
	};
}

static bool same_function(const struct prof_function *a, const struct prof_function *b)
{
	return a->name == b->name && a->file == b->file &&
	       a->start_line == b->start_line;
}

/* Rows of one function, by different addresses or lines, share it. */
static bool name_functions(struct rows *rows)
{
	struct prof_map map = { 0 };
	bool ok = true;

	for (uint32_t i = 0; ok && i < rows->graph->node_count; i++) {
		const struct prof_frame_info *info = &rows->graph->nodes[i].info;
		struct prof_function function = {
			.id = (uint64_t)rows->function_count + 1,
			.name = prof_strings_add(&rows->strings, info->name),
			.file = prof_strings_add(&rows->strings, info->file),
			.start_line = info->start_line,
		};
		uint64_t hash = (uint64_t)function.name << 32 | function.file;
		struct prof_map_walk walk = prof_map_walk(&map, hash ^ hash >> 29);
		uint32_t id = 0;
		bool found = false;

		while (!found && prof_map_next(&walk, &id)) {
			found = same_function(&rows->functions[id], &function);
		}
		if (!found) {
			id = rows->function_count++;
			rows->functions[id] = function;
			ok = prof_map_add(&map, hash ^ hash >> 29, id);
		}
		rows->function_of[i] = id;
	}
	prof_map_free(&map);
	return ok && !rows->strings.failed;
}

static bool send_row(struct rows *rows, uint32_t row, struct prof_error *err)
{
	const struct prof_graph_node *node = &rows->graph->nodes[row];
	int64_t values[] = {
		scaled(rows, prof_graph_cum(node)),
		scaled(rows, prof_graph_flat(node)),
	};
	uint32_t end = 1;
	struct prof_batch batch = {
		.count = 1,
		.frames = &row,
		.ends = &end,
		.values = values,
	};

	return rows->sink->samples(rows->sink, &batch, err);
}

static bool send_location(struct rows *rows, uint32_t row, struct prof_error *err)
{
	const struct prof_frame_info *info = &rows->graph->nodes[row].info;
	struct prof_line line = {
		.function = rows->function_of[row],
		.line = info->line,
		.column = info->column,
	};
	struct prof_sink_location location = {
		.id = (uint64_t)row + 1,
		.address = info->address,
		.mapping = PROF_NONE,
		.lines = &line,
		.line_count = 1,
	};

	return rows->sink->location(rows->sink, &location, err);
}

static bool send_rows(struct rows *rows, struct prof_error *err)
{
	struct prof_sink *sink = rows->sink;
	uint32_t count = rows->graph->node_count;

	if (!sink->begin(sink, err) ||
	    !sink->strings(sink, rows->strings.items, rows->strings.count, err)) {
		return false;
	}
	for (uint32_t i = 0; i < rows->function_count; i++) {
		if (!sink->function(sink, &rows->functions[i], err)) {
			return false;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!send_location(rows, i, err)) {
			return false;
		}
	}
	if (!sink->types(sink, rows->types, 2, err)) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!send_row(rows, i, err)) {
			return false;
		}
	}
	return sink->end(sink, &rows->header, err);
}

static bool build_rows(struct rows *rows, struct prof_profile **out,
		       struct prof_error *err)
{
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	size_t count = (size_t)rows->graph->node_count + 1;
	bool ok = true;

	rows->functions = prof_alloc_array(count, sizeof(*rows->functions));
	rows->function_of = prof_alloc_array(count, sizeof(*rows->function_of));
	name_header(rows);
	if (!builder || !rows->functions || !rows->function_of ||
	    !name_functions(rows)) {
		ok = prof_fail_nomem(err);
	} else {
		rows->sink = prof_builder_sink(builder);
		ok = send_rows(rows, err) && prof_builder_finish(builder, out, err);
	}
	prof_builder_free(builder);
	prof_strings_free(&rows->strings);
	prof_free(rows->functions);
	prof_free(rows->function_of);
	return ok;
}

bool pprof_topproto(const struct pprof_job *job, struct prof_buf *out,
		    struct prof_error *err)
{
	const struct pprof_options *options = job->options;
	const struct prof_graph_options wanted = {
		.column = job->view.column,
		.mean = options->mean,
		.drop_negative = options->drop_negative,
		.by_cum = options->cum,
		.order = options->cum ? PROF_GRAPH_BY_CUM : PROF_GRAPH_BY_FLAT,
		.edges = PROF_GRAPH_NO_EDGES,
		.node_limit = options->nodecount,
		.node_fraction = options->nodefraction,
		.edge_fraction = options->edgefraction,
		.trim = { prof_text(options->trim_path),
			  prof_text(options->source_path) },
	};
	struct prof_aggregate coarse = { 0 };
	struct prof_graph *graph = NULL;
	struct prof_profile *top = NULL;
	bool ok = prof_aggregate_init(&coarse, job->view.profile, &job->granularity,
				      err) &&
		  prof_graph_build(&coarse.view, &wanted, &graph, err);

	if (ok) {
		struct rows rows = {
			.graph = graph,
			.profile = job->view.profile,
			.style = job->style,
		};

		if (graph->node_count > 0 &&
		    prof_text_equal(rows.style.show, prof_text("minimum"))) {
			rows.style.show = prof_graph_unit(graph, &job->style, true);
		}
		ok = build_rows(&rows, &top, err) && write_profile(top, out, err);
	}
	prof_profile_free(top);
	prof_graph_free(graph);
	prof_aggregate_free(&coarse);
	return ok;
}

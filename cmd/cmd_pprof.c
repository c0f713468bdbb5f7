/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/output.h"
#include "cmd/pattern.h"
#include "cmd/pprof_load.h"
#include "cmd/pprof_options.h"
#include "cmd/pprof_reports.h"
#include "cmd/pprof_text.h"
#include "libprof/report/frameinfo.h"

enum { PAGE_MAX = 1 << 20 /* bytes of a report that are held */ };

static const struct example examples[] = {
	{ "fgtool pprof -top go-cpu.pb.gz", "where time is spent, as pprof shows it" },
	{ "fgtool pprof -tree -focus=json go-cpu.pb.gz",
	  "callers and callees of what matches" },
	{ "fgtool pprof -top -diff_base=go-cpu.pb.gz go-cpu-after.pb.gz",
	  "what changed, in percent of what was" },
	{ "fgtool pprof -dot go-cpu.pb.gz >cpu.dot", "the call graph for Graphviz" },
	{ 0 },
};

static bool matches(void *context, struct prof_text text)
{
	return pattern_match(context, text.data, text.len);
}

/* --- reports from a graph ------------------------------------------------------------ */

static enum pprof_graph_kind graph_kind(enum pprof_report report)
{
	switch (report) {
	case PPROF_REPORT_TREE:
		return PPROF_TREE;
	case PPROF_REPORT_PEEK:
		return PPROF_PEEK;
	case PPROF_REPORT_DOT:
		return PPROF_DOT;
	case PPROF_REPORT_CALLGRIND:
		return PPROF_CALLGRIND;
	default:
		return PPROF_TOP;
	}
}

static struct prof_text main_name(const struct prof_profile *profile)
{
	struct prof_text none = { 0 };

	if (profile->mapping_count == 0 || profile->mappings[0].file == 0) {
		return none;
	}
	return prof_path_base(prof_string(profile, profile->mappings[0].file));
}

/* Only what a browser can open becomes a link. */
static struct prof_text doc_url(const struct prof_profile *profile)
{
	struct prof_text url = prof_string(profile, profile->header.doc_url);
	struct prof_text none = { 0 };
	bool web = (url.len > 7 && memcmp(url.data, "http://", 7) == 0) ||
		   (url.len > 8 && memcmp(url.data, "https://", 8) == 0);

	return web ? url : none;
}

/* The unit of the label "bytes", as it was before filtering; empty without the label. */
static struct prof_text bytes_unit(const struct pprof_view *view)
{
	const struct prof_profile *profile = view->profile;

	for (uint32_t i = 0; i < profile->string_count; i++) {
		if (prof_text_equal(prof_string(profile, i), prof_text("bytes"))) {
			return prof_tag_unit(&view->units, profile, i);
		}
	}
	return (struct prof_text){ 0 };
}

static bool run_graph(const struct pprof_job *job, struct prof_matcher symbols,
		      struct prof_buf *out, struct prof_error *err)
{
	const struct pprof_options *o = job->options;
	const struct prof_profile *profile = job->view.profile;
	const struct pprof_labels labels = { pprof_header_profile, &job->header };
	const struct pprof_labels none = { 0 };
	struct prof_buf type = { 0 };
	struct pprof_graph_report report = {
		.kind = graph_kind(o->report),
		.profile = profile,
		.granularity = job->granularity,
		.graph = {
			.column = job->view.column,
			.mean = o->mean,
			.call_tree = o->call_tree,
			.drop_negative = o->drop_negative,
			.by_cum = o->cum,
			.node_limit = o->nodecount,
			.node_fraction = o->nodefraction,
			.edge_fraction = o->edgefraction,
			.trim = { prof_text(o->trim_path), prof_text(o->source_path) },
			.bytes_unit = bytes_unit(&job->view),
		},
		.style = job->style,
		.labels = o->compact_labels && o->report != PPROF_REPORT_DOT ? none
									     : labels,
		.filters = { pprof_header_filters, &job->header },
		.title = main_name(profile),
		.url = doc_url(profile),
		.symbols = symbols,
		.regex = prof_text(o->regex ? o->regex : ""),
	};
	bool ok = false;

	pprof_header_type(&job->header, &type);
	report.type = (struct prof_text){ type.data, type.len };
	ok = type.failed ? prof_fail_nomem(err) : pprof_graph_report(&report, out, err);
	prof_buf_free(&type);
	return ok;
}

static bool run_peek(const struct pprof_job *job, struct prof_buf *out,
		     struct prof_error *err)
{
	struct pattern symbols = { 0 };
	bool ok = false;

	if (!pattern_init(&symbols, job->options->regex, err)) {
		return false;
	}
	ok = run_graph(job, (struct prof_matcher){ matches, &symbols }, out, err);
	pattern_free(&symbols);
	return ok;
}

/* --- all reports --------------------------------------------------------------------- */

static bool print_report(const struct pprof_job *job, struct prof_buf *out,
			 struct prof_error *err)
{
	const struct prof_matcher all = { 0 };

	switch (job->options->report) {
	case PPROF_REPORT_TOP:
	case PPROF_REPORT_TREE:
	case PPROF_REPORT_DOT:
	case PPROF_REPORT_CALLGRIND:
		return run_graph(job, all, out, err);
	case PPROF_REPORT_PEEK:
		return run_peek(job, out, err);
	case PPROF_REPORT_TRACES:
		return pprof_traces(job, out, err);
	case PPROF_REPORT_TAGS:
		return pprof_tags(job, out, err);
	case PPROF_REPORT_RAW:
		return pprof_raw(job, out, err);
	case PPROF_REPORT_LIST:
		return pprof_list(job, out, err);
	case PPROF_REPORT_DISASM:
		return pprof_disasm(job, out, err);
	case PPROF_REPORT_WEBLIST:
		return pprof_weblist(job, out, err);
	case PPROF_REPORT_PROTO:
		return pprof_proto(job, out, err);
	case PPROF_REPORT_TOPPROTO:
		return pprof_topproto(job, out, err);
	default:
		pprof_comments(job, out);
		return true;
	}
}

static bool job_init(struct pprof_job *job, const struct pprof_options *options,
		     int count, char **operands, struct prof_error *err)
{
	struct prof_profile *profile = NULL;
	const struct prof_value_type *type = NULL;

	if (!pprof_load(options, count, operands, &profile, err) ||
	    !pprof_view_init(&job->view, options, profile, err)) {
		return false;
	}
	profile = job->view.profile;
	type = &profile->types[job->view.column];
	job->options = options;
	job->style = (struct prof_value_style){
		.unit = prof_string(profile, type->unit),
		.show = prof_text(options->unit),
		.ratio = 1 / options->divide_by,
		.total = job->view.total,
	};
	job->header = (struct pprof_header){ profile, options, job->view.column };
	job->granularity = (struct prof_aggregate_options){
		.granularity = options->granularity,
		.no_inlines = options->noinlines,
		.columns = options->showcolumns,
	};
	return true;
}

/* Reports that start another program, or look into one, in pprof. */
static bool check_report(const struct pprof_options *options, struct prof_error *err)
{
	if (options->http) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "-http: there is no server; 'fgtool flame' writes a "
				 "page that needs none");
	}
	if (options->report == PPROF_REPORT_NONE) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "name a report, like -top: there is no interactive "
				 "mode");
	}
	if (options->report == PPROF_REPORT_OTHER) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "-%s needs another program; there are "
				 "-dot, -callgrind and -list",
				 options->report_name);
	}
	return true;
}

bool pprof_drain(const struct pprof_job *job, struct prof_buf *out,
		 struct prof_error *err)
{
	if (out->failed) {
		return prof_fail_nomem(err);
	}
	if (out->len < PAGE_MAX) {
		return true;
	}
	if (!output_add(job->stream, out->data, out->len, err)) {
		return false;
	}
	prof_buf_clear(out);
	return true;
}

static bool write_report(struct pprof_job *job, struct prof_error *err)
{
	enum pprof_report report = job->options->report;
	bool binary = report == PPROF_REPORT_PROTO || report == PPROF_REPORT_TOPPROTO;
	const char *path = job->options->output;
	struct prof_buf page = { 0 };
	struct output out;
	bool ok = false;

	path = path && *path ? path : NULL;
	if (!output_open(&out, path, binary, err)) {
		return false;
	}
	job->stream = &out;
	ok = print_report(job, &page, err) && (!page.failed || prof_fail_nomem(err)) &&
	     output_add(&out, page.data, page.len, err);
	if (ok && path) {
		fprintf(stderr, "Generating report in %s\n", path);
	}
	ok = ok && output_commit(&out, err);
	output_free(&out);
	job->stream = NULL;
	prof_buf_free(&page);
	return ok;
}

static int run_pprof(const struct command *self, int argc, char **argv)
{
	struct pprof_options options = pprof_options_default;
	struct pprof_job job = { 0 };
	struct prof_error err = { 0 };
	enum option_outcome outcome =
		pprof_options_read(self, &options, &argc, argv, &err);
	bool ok = false;

	switch (outcome) {
	case OPTIONS_HELP:
	case OPTIONS_TEXT:
		options_help(self, outcome == OPTIONS_TEXT, stdout);
		return EXIT_DONE;
	case OPTIONS_WRONG:
		usage_error(self, "%s", err.message);
	default:
		break;
	}
	ok = check_report(&options, &err) &&
	     job_init(&job, &options, argc, argv, &err) && write_report(&job, &err);
	pprof_view_free(&job.view);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_pprof = {
	.name = "pprof",
	.group = "reports",
	.summary = "Take a command line of google/pprof, verbatim",
	.usage = "[BINARY] PROFILE...",
	.description =
		"Prints the same bytes as pprof does, so that scripts can stay as they\n"
		"are: alias pprof='fgtool pprof'. One report is asked for, and all flags\n"
		"stand before the first operand.",
	.options = pprof_option_table,
	.examples = examples,
	.run = run_pprof,
};

/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <limits.h>
#include <unistd.h>

#include "cmd/pattern.h"
#include "cmd/pprof_reports.h"
#include "cmd/source_file.h"
#include "libprof/report/list.h"

enum { WIDTH = 10 }; /* of a column of values */

static bool matches(void *context, struct prof_text text)
{
	return pattern_match(context, text.data, text.len);
}

static void add_value(const struct pprof_job *job, int64_t value, struct prof_buf *out)
{
	size_t start = out->len;

	prof_value_add(out, &job->style, value);
	pprof_align_right(out, start, WIDTH);
}

static void add_value_or_dot(const struct pprof_job *job, int64_t value,
			     struct prof_buf *out)
{
	if (value != 0) {
		add_value(job, value, out);
	} else {
		prof_buf_addf(out, "%*s", WIDTH, ".");
	}
	prof_buf_addc(out, ' ');
}

static void add_source(const struct pprof_job *job,
		       const struct prof_list_function *function,
		       const struct source_file *file, struct prof_buf *out)
{
	struct prof_text text;
	uint32_t at = 0;

	for (int64_t n = function->first;
	     n <= function->last && source_file_line(file, n, &text); n++) {
		struct prof_list_line line = { .line = n };

		while (at < function->line_count && function->lines[at].line < n) {
			at++;
		}
		if (at < function->line_count && function->lines[at].line == n) {
			line = function->lines[at];
		}
		add_value_or_dot(job, line.flat, out);
		add_value_or_dot(job, line.cum, out);
		prof_buf_addf(out, "%6" PRId64 ":", n);
		prof_buf_add(out, text.data, text.len);
		prof_buf_addc(out, '\n');
	}
}

static void add_function(const struct pprof_job *job,
			 const struct prof_list_function *function, const char *folders,
			 struct prof_buf *out)
{
	struct source_file file = { 0 };
	struct prof_error why = { 0 };

	if (function->file.len == 0) {
		prof_buf_adds(out, "No source information for ");
		prof_buf_add(out, function->name.data, function->name.len);
		prof_buf_addc(out, '\n');
		return;
	}
	prof_buf_adds(out, "ROUTINE ======================== ");
	prof_buf_add(out, function->name.data, function->name.len);
	prof_buf_adds(out, " in ");
	prof_buf_add(out, function->file.data, function->file.len);
	prof_buf_addc(out, '\n');
	add_value(job, function->flat, out);
	prof_buf_addc(out, ' ');
	add_value(job, function->cum, out);
	prof_buf_adds(out, " (flat, cum) ");
	prof_value_add_percent(out, &job->style, function->cum);
	prof_buf_adds(out, " of Total\n");
	if (source_file_open(&file, function->file, folders, &why)) {
		add_source(job, function, &file, out);
	} else {
		prof_buf_adds(out, " Error: ");
		prof_buf_adds(out, why.message);
		prof_buf_addc(out, '\n');
	}
	source_file_free(&file);
}

static bool add_list(const struct pprof_job *job, const struct prof_list *list,
		     struct prof_buf *out, struct prof_error *err)
{
	const char *folders = job->options->source_path;
	char here[PATH_MAX] = "";

	if (list->function_count == 0) {
		return prof_fail(err, PROF_ERR_MISMATCH,
				 "no matches found for regexp: %s",
				 job->options->regex);
	}
	if (!*folders) {
		folders = getcwd(here, sizeof(here)) ? here : ".";
	}
	prof_buf_adds(out, "Total: ");
	prof_value_add(out, &job->style, job->style.total);
	prof_buf_addc(out, '\n');
	for (uint32_t i = 0; i < list->function_count; i++) {
		add_function(job, &list->functions[i], folders, out);
	}
	return true;
}

bool pprof_list(const struct pprof_job *job, struct prof_buf *out,
		struct prof_error *err)
{
	struct pattern names = { 0 };
	const struct prof_list_options options = {
		.column = job->view.column,
		.drop_negative = job->options->drop_negative,
		.names = { matches, &names },
		.trim = { prof_text(job->options->trim_path),
			  prof_text(job->options->source_path) },
	};
	struct prof_aggregate coarse = { 0 };
	struct prof_list *list = NULL;
	bool ok = pattern_init(&names, job->options->regex, err) &&
		  prof_aggregate_init(&coarse, job->view.profile, &job->granularity,
				      err) &&
		  prof_list_build(&coarse.view, &options, &list, err) &&
		  add_list(job, list, out, err);

	prof_list_free(list);
	prof_aggregate_free(&coarse);
	pattern_free(&names);
	return ok && (!out->failed || prof_fail_nomem(err));
}

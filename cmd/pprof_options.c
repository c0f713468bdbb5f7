/* SPDX-License-Identifier: MIT */
#include "cmd/pprof_options.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/suggest.h"
#include "libprof/base/buf.h"

#define FLAG(word, text)                                                        \
	{                                                                       \
		0, #word, NULL, (text), OPTION_FLAG(struct pprof_options, word) \
	}
#define TEXT(word, what, text)                                                    \
	{                                                                         \
		0, #word, (what), (text), OPTION_TEXT(struct pprof_options, word) \
	}
#define FILTER(word, field, text)                                       \
	{                                                               \
		0, (word), "RE", (text),                                \
			OPTION_TEXT(struct pprof_options, filter.field) \
	}

const struct option pprof_option_table[] = {
	FLAG(top, "report: flat and cum of every function"),
	FLAG(text, "the same as -top"),
	FLAG(tree, "report: each function with its callers and callees"),
	TEXT(peek, "RE", "report: the same for functions that match"),
	FLAG(traces, "report: every sample with its stack"),
	FLAG(tags, "report: how values spread over labels"),
	FLAG(comments, "report: the comments in the profile"),
	FLAG(raw, "report: all that the profile holds"),
	TEXT(list, "RE", "report: source lines of functions that match"),
	TEXT(disasm, "RE", "report: instructions of functions that match"),
	TEXT(weblist, "RE", "report: source and instructions of what matches, as HTML"),
	FLAG(dot, "report: the call graph for Graphviz"),
	FLAG(callgrind, "report: the call graph for KCachegrind"),
	FLAG(proto, "report: the filtered profile, compressed"),
	FLAG(topproto, "report: -top as a profile, compressed"),
	TEXT(output, "FILE", "write the report to FILE"),
	FLAG(flat, "sort by what functions cost themselves (default)"),
	FLAG(cum, "sort by what functions and their callees cost"),
	TEXT(sample_index, "TYPE", "which values: a sample type, or its number"),
	TEXT(unit, "UNIT", "show values in UNIT: minimum (default), auto, ms, MB"),
	{ 0, "divide_by", "N", "divide what is shown by N (1)",
	  OPTION_NUMBER(struct pprof_options, divide_by) },
	FLAG(mean, "show values divided by the first column"),
	FLAG(compact_labels, "leave out what the profile says of itself"),
	FLAG(relative_percentages, "percentages of what filters leave"),
	FLAG(drop_negative, "leave out nodes with negative values"),
	FLAG(call_tree, "dot, callgrind: one node per path, not per function"),
	FLAG(functions, "a row per function (default)"),
	FLAG(filefunctions, "a row per function and file"),
	FLAG(files, "a row per source file"),
	FLAG(lines, "a row per source line"),
	FLAG(addresses, "a row per address"),
	FLAG(noinlines, "count inlined functions to their callers"),
	FLAG(showcolumns, "lines: tell columns apart"),
	FLAG(trim, "leave out what is small, as the next three say (true)"),
	{ 0, "nodecount", "N", "at most N nodes; 0 for all",
	  OPTION_INTEGER(struct pprof_options, nodecount), .min = INT64_MIN },
	{ 0, "nodefraction", "F", "leave out nodes below this part of all (0.005)",
	  OPTION_NUMBER(struct pprof_options, nodefraction) },
	{ 0, "edgefraction", "F", "leave out edges below this part of all (0.001)",
	  OPTION_NUMBER(struct pprof_options, edgefraction) },
	FILTER("focus", focus, "keep samples with a frame that matches"),
	FILTER("ignore", ignore, "drop samples with a frame that matches"),
	FILTER("hide", hide, "cut frames that match"),
	FILTER("show", show, "cut frames that do not match"),
	FILTER("show_from", show_from, "cut callers of the outermost match"),
	FILTER("prune_from", prune_from, "cut what the innermost match calls"),
	FILTER("tagfocus", tag_focus, "keep samples with a label: [KEY=]RE or a range"),
	FILTER("tagignore", tag_ignore, "drop samples with a label"),
	FILTER("tagshow", tag_show, "keep only labels whose key matches"),
	FILTER("taghide", tag_hide, "drop labels whose key matches"),
	TEXT(tagroot, "KEY,...", "frames from labels, above the root"),
	TEXT(tagleaf, "KEY,...", "frames from labels, below the leaf"),
	TEXT(base, "FILE", "subtract this profile"),
	TEXT(diff_base, "FILE", "the same, with percentages of this profile"),
	FLAG(normalize, "scale to the total of the base first"),
	FLAG(all_frames, "keep frames that the profile wants dropped"),
	TEXT(add_comment, "TEXT", "add a comment to the profile"),
	TEXT(source_path, "DIRS", "where sources are, separated by ':'"),
	TEXT(trim_path, "DIRS", "what to strip from source names"),
	FLAG(intel_syntax, "disasm, weblist: the syntax of Intel, not AT&T"),
	TEXT(symbolize, "HOW", "none: leave names as they are; no other way is known"),
	TEXT(buildid, "ID", "build id of the main binary, if it has none"),
	FLAG(inuse_space, "the same as -sample_index=inuse_space"),
	FLAG(inuse_objects, "the same as -sample_index=inuse_objects"),
	FLAG(alloc_space, "the same as -sample_index=alloc_space"),
	FLAG(alloc_objects, "the same as -sample_index=alloc_objects"),
	FLAG(total_delay, "the same as -sample_index=delay"),
	FLAG(contentions, "the same as -sample_index=contentions"),
	FLAG(mean_delay, "the same as -sample_index=delay -mean"),
	/* known, so that what is wrong with them can be said */
	FLAG(svg, ""),
	FLAG(png, ""),
	FLAG(gif, ""),
	FLAG(pdf, ""),
	FLAG(ps, ""),
	FLAG(web, ""),
	FLAG(gv, ""),
	FLAG(evince, ""),
	FLAG(eog, ""),
	FLAG(kcachegrind, ""),
	FLAG(no_browser, ""),
	TEXT(http, "HOST:PORT", ""),
	TEXT(tools, "PATHS", ""),
	TEXT(tls_cert, "FILE", ""),
	TEXT(tls_key, "FILE", ""),
	TEXT(tls_ca, "FILE", ""),
	{ 0, "seconds", "N", "", OPTION_INTEGER(struct pprof_options, seconds),
	  .min = INT64_MIN },
	{ 0, "timeout", "N", "", OPTION_INTEGER(struct pprof_options, timeout),
	  .min = INT64_MIN },
	{ 0 },
};

const struct pprof_options pprof_options_default = {
	.unit = "minimum",
	.sample_index = "",
	.source_path = "",
	.trim_path = "",
	.divide_by = 1,
	.trim = true,
	.nodecount = -1,
	.nodefraction = 0.005,
	.edgefraction = 0.001,
	.granularity = PROF_GRANULARITY_FUNCTIONS,
};

/* --- reading ------------------------------------------------------------------------- */

static bool read_flag(const char *name, const char *text, bool *flag,
		      struct prof_error *err)
{
	static const char *const yes[] = { "1", "t", "T", "true", "TRUE", "True" };
	static const char *const no[] = { "0", "f", "F", "false", "FALSE", "False" };

	for (size_t i = 0; i < sizeof(yes) / sizeof(*yes); i++) {
		if (strcmp(text, yes[i]) == 0 || strcmp(text, no[i]) == 0) {
			*flag = strcmp(text, yes[i]) == 0;
			return true;
		}
	}
	return prof_fail(err, PROF_ERR_SYNTAX,
			 "-%s is true or false, not '%s'; a value follows with '='",
			 name, text);
}

static bool unknown(const struct command *self, const char *name, size_t len,
		    struct prof_error *err)
{
	struct suggest near = suggest_for((struct prof_text){ name, len });
	struct option_walk walk = { .command = self };
	struct prof_buf hint = { 0 };

	while (option_next(&walk)) {
		suggest_add(&near, prof_text(walk.option->name));
	}
	suggest_say(&near, "-", &hint);
	prof_error_set(err, PROF_ERR_SYNTAX, "unknown flag '-%.*s'%.*s", (int)len, name,
		       (int)hint.len, hint.data ? hint.data : "");
	prof_buf_free(&hint);
	return false;
}

/* Store one flag; `next` is the argument behind it, *used whether it was the value. */
static bool read_one(const struct command *self, struct pprof_options *options,
		     const char *word, const char *next, bool *used,
		     struct prof_error *err)
{
	const char *equals = strchr(word, '=');
	size_t len = equals ? (size_t)(equals - word) : strlen(word);
	const struct option *option = option_find(self, word, len);
	const char *value = equals ? equals + 1 : next;
	char *field = NULL;

	*used = false;
	if (!option) {
		return unknown(self, word, len, err);
	}
	field = (char *)options + option->offset;
	if (option->kind == OPTION_KIND_FLAG) {
		bool on = true;

		if (equals && !read_flag(option->name, value, &on, err)) {
			return false;
		}
		memcpy(field, &on, sizeof(on));
		return true;
	}
	if (!value) {
		return prof_fail(err, PROF_ERR_SYNTAX, "-%s needs a value",
				 option->name);
	}
	*used = !equals;
	return option_store(option, field, value, err);
}

/* --- what it comes to ---------------------------------------------------------------- */

struct choice {
	const char *name;
	bool chosen;
	int value;
	const char *regex;
};

static bool is_given(const char *text)
{
	return text && *text;
}

static bool choose_report(struct pprof_options *o, struct prof_error *err)
{
	const struct choice choices[] = {
		{ "top", o->top, PPROF_REPORT_TOP, NULL },
		{ "text", o->text, PPROF_REPORT_TOP, NULL },
		{ "tree", o->tree, PPROF_REPORT_TREE, NULL },
		{ "peek", is_given(o->peek), PPROF_REPORT_PEEK, o->peek },
		{ "traces", o->traces, PPROF_REPORT_TRACES, NULL },
		{ "tags", o->tags, PPROF_REPORT_TAGS, NULL },
		{ "comments", o->comments, PPROF_REPORT_COMMENTS, NULL },
		{ "raw", o->raw, PPROF_REPORT_RAW, NULL },
		{ "list", is_given(o->list), PPROF_REPORT_LIST, o->list },
		{ "dot", o->dot, PPROF_REPORT_DOT, NULL },
		{ "callgrind", o->callgrind, PPROF_REPORT_CALLGRIND, NULL },
		{ "proto", o->proto, PPROF_REPORT_PROTO, NULL },
		{ "topproto", o->topproto, PPROF_REPORT_TOPPROTO, NULL },
		{ "svg", o->svg, PPROF_REPORT_OTHER, NULL },
		{ "png", o->png, PPROF_REPORT_OTHER, NULL },
		{ "gif", o->gif, PPROF_REPORT_OTHER, NULL },
		{ "pdf", o->pdf, PPROF_REPORT_OTHER, NULL },
		{ "ps", o->ps, PPROF_REPORT_OTHER, NULL },
		{ "web", o->web, PPROF_REPORT_OTHER, NULL },
		{ "gv", o->gv, PPROF_REPORT_OTHER, NULL },
		{ "evince", o->evince, PPROF_REPORT_OTHER, NULL },
		{ "eog", o->eog, PPROF_REPORT_OTHER, NULL },
		{ "kcachegrind", o->kcachegrind, PPROF_REPORT_OTHER, NULL },
		{ "disasm", is_given(o->disasm), PPROF_REPORT_DISASM, o->disasm },
		{ "weblist", is_given(o->weblist), PPROF_REPORT_WEBLIST, o->weblist },
	};

	for (size_t i = 0; i < sizeof(choices) / sizeof(*choices); i++) {
		if (!choices[i].chosen) {
			continue;
		}
		if (o->report != PPROF_REPORT_NONE) {
			return prof_fail(err, PROF_ERR_SYNTAX,
					 "must set at most one output format, not both "
					 "-%s and -%s",
					 o->report_name, choices[i].name);
		}
		o->report = (enum pprof_report)choices[i].value;
		o->report_name = choices[i].name;
		o->regex = choices[i].regex;
	}
	return true;
}

static bool choose_granularity(struct pprof_options *o, struct prof_error *err)
{
	const struct choice choices[] = {
		{ "functions", o->functions, PROF_GRANULARITY_FUNCTIONS, NULL },
		{ "filefunctions", o->filefunctions, PROF_GRANULARITY_FILEFUNCTIONS,
		  NULL },
		{ "files", o->files, PROF_GRANULARITY_FILES, NULL },
		{ "lines", o->lines, PROF_GRANULARITY_LINES, NULL },
		{ "addresses", o->addresses, PROF_GRANULARITY_ADDRESSES, NULL },
	};
	const char *chosen = NULL;

	for (size_t i = 0; i < sizeof(choices) / sizeof(*choices); i++) {
		if (!choices[i].chosen) {
			continue;
		}
		if (chosen) {
			return prof_fail(err, PROF_ERR_SYNTAX,
					 "conflicting options set: -%s and -%s", chosen,
					 choices[i].name);
		}
		chosen = choices[i].name;
		o->granularity = (enum prof_granularity)choices[i].value;
	}
	return !(o->flat && o->cum) ||
	       prof_fail(err, PROF_ERR_SYNTAX,
			 "conflicting options set: -flat and -cum");
}

/* The older words name a sample type, the first of them wins. */
static void choose_values(struct pprof_options *o)
{
	const struct choice choices[] = {
		{ "total_delay", o->total_delay, 0, "delay" },
		{ "mean_delay", o->mean_delay, 1, "delay" },
		{ "contentions", o->contentions, 0, "contentions" },
		{ "inuse_space", o->inuse_space, 0, "inuse_space" },
		{ "inuse_objects", o->inuse_objects, 0, "inuse_objects" },
		{ "alloc_space", o->alloc_space, 0, "alloc_space" },
		{ "alloc_objects", o->alloc_objects, 0, "alloc_objects" },
	};

	for (size_t i = 0; i < sizeof(choices) / sizeof(*choices); i++) {
		if (!choices[i].chosen) {
			continue;
		}
		if (is_given(o->sample_index)) {
			notice("multiple value selections, ignoring -%s",
			       choices[i].name);
			continue;
		}
		o->sample_index = choices[i].regex;
		o->mean = o->mean || choices[i].value == 1;
	}
}

/* Reports that want to see everything, at the grain they are made for. */
static void apply_report(struct pprof_options *o)
{
	switch (o->report) {
	case PPROF_REPORT_PROTO:
	case PPROF_REPORT_RAW:
	case PPROF_REPORT_CALLGRIND:
		o->granularity = PROF_GRANULARITY_ADDRESSES;
		o->trim = false;
		break;
	case PPROF_REPORT_LIST:
		o->granularity = PROF_GRANULARITY_LINES;
		o->trim = false;
		break;
	case PPROF_REPORT_DISASM:
		o->granularity = PROF_GRANULARITY_ADDRESSES;
		o->noinlines = true;
		o->trim = false;
		break;
	case PPROF_REPORT_WEBLIST:
		o->granularity = PROF_GRANULARITY_ADDRESSES;
		o->trim = false;
		break;
	case PPROF_REPORT_PEEK:
		o->trim = false;
		break;
	default:
		break;
	}
	if (!o->trim) {
		o->nodecount = 0;
		o->nodefraction = 0;
		o->edgefraction = 0;
	} else if (o->nodecount == -1) {
		bool flat_list = o->report == PPROF_REPORT_TOP ||
				 o->report == PPROF_REPORT_TOPPROTO;

		o->nodecount = flat_list ? 0 : 80;
	}
}

static bool resolve(struct pprof_options *o, struct prof_error *err)
{
	if (!choose_report(o, err) || !choose_granularity(o, err)) {
		return false;
	}
	if (is_given(o->base) && is_given(o->diff_base)) {
		return prof_fail(err, PROF_ERR_SYNTAX,
				 "-base and -diff_base flags cannot both be specified");
	}
	if (o->normalize && !is_given(o->base) && !is_given(o->diff_base)) {
		return prof_fail(err, PROF_ERR_SYNTAX,
				 "must have base profile to normalize by");
	}
	if (!(o->divide_by < 0 || o->divide_by > 0)) {
		return prof_fail(err, PROF_ERR_SYNTAX, "zero divisor specified");
	}
	choose_values(o);
	apply_report(o);
	return true;
}

enum option_outcome pprof_options_read(const struct command *self,
				       struct pprof_options *options, int *argc,
				       char **argv, struct prof_error *err)
{
	int at = 1;
	int count = 0;

	while (at < *argc && argv[at][0] == '-' && argv[at][1] != '\0') {
		const char *word = argv[at] + 1 + (argv[at][1] == '-');
		bool used = false;

		at++;
		if (strcmp(argv[at - 1], "--") == 0) {
			break;
		}
		if (strcmp(word, "h") == 0 || strcmp(word, "help") == 0) {
			return strcmp(argv[at - 1], "--help") == 0 ? OPTIONS_TEXT
								   : OPTIONS_HELP;
		}
		if (!read_one(self, options, word, at < *argc ? argv[at] : NULL, &used,
			      err)) {
			return OPTIONS_WRONG;
		}
		at += used;
	}
	while (at < *argc) {
		argv[count++] = argv[at++];
	}
	argv[count] = NULL;
	*argc = count;
	return resolve(options, err) ? OPTIONS_READ : OPTIONS_WRONG;
}

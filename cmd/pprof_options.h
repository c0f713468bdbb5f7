/* SPDX-License-Identifier: MIT */
/*
 * pprof_options.h - the command line of google/pprof.
 *
 *	pprof FORMAT [OPTION...] [BINARY] SOURCE...
 *
 * Its rules are not those of our other commands: -name and --name mean the same, a
 * boolean takes a value only behind '=', and what follows the first operand is an
 * operand too. At most one report may be asked for; -base and -diff_base exclude one another.
 *
 * The table is a plain one all the same, so that --help and completion know it.
 */
#ifndef FGTOOL_PPROF_OPTIONS_H
#define FGTOOL_PPROF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/command.h"
#include "cmd/filter_options.h"
#include "cmd/option.h"
#include "libprof/base/error.h"
#include "libprof/model/aggregate.h"

enum pprof_report {
	PPROF_REPORT_NONE,
	PPROF_REPORT_TOP,
	PPROF_REPORT_TREE,
	PPROF_REPORT_PEEK,
	PPROF_REPORT_TRACES,
	PPROF_REPORT_TAGS,
	PPROF_REPORT_COMMENTS,
	PPROF_REPORT_RAW,
	PPROF_REPORT_LIST,
	PPROF_REPORT_DISASM,
	PPROF_REPORT_WEBLIST,
	PPROF_REPORT_DOT,
	PPROF_REPORT_CALLGRIND,
	PPROF_REPORT_PROTO,
	PPROF_REPORT_TOPPROTO,
	PPROF_REPORT_OTHER, /* one that needs another program */
};

struct pprof_options {
	/* one per report */
	bool top;
	bool text;
	bool tree;
	bool traces;
	bool tags;
	bool comments;
	bool raw;
	bool dot;
	bool callgrind;
	bool proto;
	bool topproto;
	bool svg;
	bool png;
	bool gif;
	bool pdf;
	bool ps;
	bool web;
	bool gv;
	bool evince;
	bool eog;
	bool kcachegrind;
	const char *peek;
	const char *list;
	const char *disasm;
	const char *weblist;

	/* what is shown, and how */
	const char *output;
	const char *unit;
	const char *sample_index;
	const char *source_path;
	const char *trim_path;
	double divide_by;
	bool mean;
	bool compact_labels;
	bool relative_percentages;
	bool drop_negative;
	bool call_tree;
	bool intel_syntax;
	bool flat;
	bool cum;

	bool functions;
	bool filefunctions;
	bool files;
	bool lines;
	bool addresses;
	bool noinlines;
	bool showcolumns;

	bool trim;
	int64_t nodecount;
	double nodefraction;
	double edgefraction;

	struct filter_options filter; /* focus ... tag_hide */
	const char *tagroot;
	const char *tagleaf;

	/* what is read */
	const char *base;
	const char *diff_base;
	bool normalize;
	bool all_frames;
	const char *add_comment;
	const char *symbolize;
	const char *buildid;
	const char *tools;
	const char *http;
	bool no_browser;
	const char *tls_cert;
	const char *tls_key;
	const char *tls_ca;
	int64_t seconds;
	int64_t timeout;

	/* older words for sample_index and mean */
	bool inuse_space;
	bool inuse_objects;
	bool alloc_space;
	bool alloc_objects;
	bool total_delay;
	bool contentions;
	bool mean_delay;

	/* what the above come to */
	enum pprof_report report;
	const char *report_name; /* "top" */
	const char *regex;       /* of peek, list, disasm, weblist */
	enum prof_granularity granularity;
};

extern const struct option pprof_option_table[];

/* The defaults of pprof. */
extern const struct pprof_options pprof_options_default;

/*
 * Read argv[1..] into `options`, move the operands to argv[0..], end them with NULL
 * and count them in *argc. OPTIONS_WRONG: *err says why.
 */
enum option_outcome pprof_options_read(const struct command *self,
				       struct pprof_options *options, int *argc,
				       char **argv, struct prof_error *err);

#endif

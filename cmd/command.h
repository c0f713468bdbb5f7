/* SPDX-License-Identifier: MIT */
/*
 * command.h - what a subcommand declares.
 *
 * To add `fgtool foo`: write cmd/cmd_foo.c defining `const struct command cmd_foo` at
 * its end, declare it below and list it in commands.c, add cmd/man/fgtool-foo.1 and
 * tests/cli/foo/.
 *
 *	struct foo_options {
 *		int64_t limit;
 *		bool reverse;
 *		struct output_options output;
 *	};
 *
 *	static const struct option options[] = {
 *		{ 'n', "limit", "N", "show at most N rows (20)",
 *		  OPTION_INTEGER(struct foo_options, limit) },
 *		{ 'r', "reverse", NULL, "merge stacks from the leaf",
 *		  OPTION_FLAG(struct foo_options, reverse) },
 *		{ 0 },
 *	};
 *
 *	static const struct option_include groups[] = {
 *		OPTION_INCLUDE(struct foo_options, output),
 *		{ 0 },
 *	};
 *
 *	static int run_foo(const struct command *self, int argc, char **argv)
 *	{
 *		struct foo_options foo = { .limit = 20 };
 *
 *		argc = options_parse(self, &foo, argc, argv);
 *		...
 *		return EXIT_SUCCESS;
 *	}
 *
 *	const struct command cmd_foo = {
 *		.name = "foo",
 *		.group = "reports",
 *		.summary = "Print the foo of a profile",
 *		.usage = "[PROFILE...]",
 *		.options = options,
 *		.groups = groups,
 *		.examples = examples,
 *		.run = run_foo,
 *	};
 *
 * The tables can be reached without running the command: --help, completion and the
 * test of the man pages read them.
 */
#ifndef FGTOOL_COMMAND_H
#define FGTOOL_COMMAND_H

#include "libprof/base/error.h"

struct option;
struct option_include;

/* One line that can be pasted, and what it is good for. */
struct example {
	const char *line; /* "fgtool top -n 10 cpu.pb.gz"; NULL ends the list */
	const char *what; /* "the ten functions with most time of their own" */
};

struct command {
	const char *name;        /* what the user types */
	const char *group;       /* heading in `fgtool help`; NULL hides the command */
	const char *summary;     /* one line, capital, no full stop, <= 60 columns */
	const char *usage;       /* operands only: "[PROFILE...]"; may be NULL */
	const char *description; /* for --help: lines of <= 80 columns, or NULL */

	const struct option *options;        /* its own; ended by { 0 }, or NULL */
	const struct option_include *groups; /* shared ones; ended by { 0 }, or NULL */
	const struct example *examples;      /* 3 to 6, ended by { 0 }, or NULL */

	/* argv[0] is the command's name. Returns the exit status. */
	int (*run)(const struct command *self, int argc, char **argv);
};

/* Exit status of every command; `fgtool help exit-codes` is the longer text. */
enum exit_status {
	EXIT_DONE = 0,
	EXIT_NO = 1,      /* the answer is no: a gate failed, a check found faults */
	EXIT_TROUBLE = 2, /* wrong usage, unreadable input, failed output */
};

extern const struct command *const commands[]; /* in help order, ended by NULL */

extern const struct command cmd_check;
extern const struct command cmd_complete;
extern const struct command cmd_completion;
extern const struct command cmd_convert;
extern const struct command cmd_diff;
extern const struct command cmd_digest;
extern const struct command cmd_filter;
extern const struct command cmd_flame;
extern const struct command cmd_formats;
extern const struct command cmd_help;
extern const struct command cmd_info;
extern const struct command cmd_list;
extern const struct command cmd_merge;
extern const struct command cmd_peek;
extern const struct command cmd_pprof;
extern const struct command cmd_scale;
extern const struct command cmd_tags;
extern const struct command cmd_top;
extern const struct command cmd_traces;
extern const struct command cmd_tree;
extern const struct command cmd_version;

/* The command of this name, or NULL. */
const struct command *command_find(const char *name);

/*
 * Say `fgtool: MESSAGE` on stderr and return EXIT_TROUBLE, so that a command ends with
 * `return complain(&err);`. Control characters in the message are made visible.
 */
int complain(const struct prof_error *err);

/* The same with a text of its own: `return trouble("cannot merge %s", name);`. */
int trouble(const char *fmt, ...) PROF_PRINTF(1, 2);

/* Say `fgtool: MESSAGE` on stderr and go on: a hint, a loss, a warning. */
void notice(const char *fmt, ...) PROF_PRINTF(1, 2);

#endif

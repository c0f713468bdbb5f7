/* SPDX-License-Identifier: MIT */
/*
 * option.h - options are a table; parsing, --help and completion read the same one.
 *
 * A command keeps its options in a struct of its own. Each row of its table says where
 * in that struct the value goes, and the macro that names the field refuses a field of
 * another type at compile time:
 *
 *	{ 'n', "limit", "N", "show at most N rows (20)",
 *	  OPTION_INTEGER(struct top_options, limit) },
 *
 *	macro              field                 what the user may write
 *	OPTION_FLAG        bool                  --name, --no-name, --name=true|false
 *	OPTION_SET         int                   --name; stores the constant given
 *	OPTION_INTEGER     int64_t               5, 1000000; bounds: .min (0), .max (none)
 *	OPTION_NUMBER      double                0.5, -1, 1e3
 *	OPTION_FRACTION    double                0.05 or 5%, both give 0.05
 *	OPTION_SIZE        uint64_t, bytes       4096, 4k, 4KiB (1024), 4kB (1000), 1.5G
 *	OPTION_DURATION    int64_t, ns           10ms, 1.5s, 2m; a bare number is seconds
 *	OPTION_TEXT        const char *          anything; borrowed from argv
 *	OPTION_LIST        struct option_list    anything, as often as wanted
 *	OPTION_CHOICE      int                   one word of .values; stores its index
 *
 * The field keeps what the command put there when the option is not given. values[0]
 * of a choice is its default, so a zeroed struct is right.
 *
 * Options that many commands share form a group, with a struct of its own which the
 * commands embed under the group's name (input.h, output.h, table.h have one each):
 *
 *	struct output_options { const char *path; };
 *	extern const struct option_group output_option_group;
 *
 *	struct top_options { struct output_options output; ... };
 *	static const struct option_include groups[] = {
 *		OPTION_INCLUDE(struct top_options, output),
 *		{ 0 },
 *	};
 *
 * Command line: -n5, -n 5, --limit=5, --limit 5, and pprof's -limit=5, -limit 5 mean
 * the same; letters of flags combine (-rn5); options and operands stand in any order;
 * `--` ends the options; `-` is an operand. Names are matched whole, never by prefix.
 * A single dash before a known long name is that name, even if its letters exist too.
 */
#ifndef FGTOOL_OPTION_H
#define FGTOOL_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cmd/command.h"

enum {
	OPTION_LIST_MAX = 64 /* times that one repeatable option may be given */
};

struct option_list {
	size_t count;
	const char *items[OPTION_LIST_MAX]; /* borrowed from argv, in order */
};

enum option_kind {
	OPTION_KIND_FLAG,
	OPTION_KIND_SET,
	OPTION_KIND_INTEGER,
	OPTION_KIND_NUMBER,
	OPTION_KIND_FRACTION,
	OPTION_KIND_SIZE,
	OPTION_KIND_DURATION,
	OPTION_KIND_TEXT,
	OPTION_KIND_LIST,
	OPTION_KIND_CHOICE,
};

struct option {
	char letter;          /* 'n', or 0 for none */
	const char *name;     /* "limit"; NULL ends the table */
	const char *argument; /* "N"; NULL for a flag. "FILE", "DIR" complete so */
	const char *help;     /* lower case, no full stop; "" hides the option */

	enum option_kind kind; /* from here on: filled by the macros below */
	size_t offset;
	int constant;
	const char *const
		*values; /* of a choice, or proposals for a text; NULL-ended */

	const char *alias; /* pprof's name for it: "tagfocus"; not shown in help */
	int64_t min;       /* of an integer */
	int64_t max;       /* of an integer; 0 is no limit */
};

#define OPTION_FIELD(type, field, want) \
	_Generic(&((type *)0)->field, want * : offsetof(type, field))

#define OPTION_FLAG(type, field) \
	.kind = OPTION_KIND_FLAG, .offset = OPTION_FIELD(type, field, bool)
#define OPTION_SET(type, field, value)                                     \
	.kind = OPTION_KIND_SET, .offset = OPTION_FIELD(type, field, int), \
	.constant = (value)
#define OPTION_INTEGER(type, field) \
	.kind = OPTION_KIND_INTEGER, .offset = OPTION_FIELD(type, field, int64_t)
#define OPTION_NUMBER(type, field) \
	.kind = OPTION_KIND_NUMBER, .offset = OPTION_FIELD(type, field, double)
#define OPTION_FRACTION(type, field) \
	.kind = OPTION_KIND_FRACTION, .offset = OPTION_FIELD(type, field, double)
#define OPTION_SIZE(type, field) \
	.kind = OPTION_KIND_SIZE, .offset = OPTION_FIELD(type, field, uint64_t)
#define OPTION_DURATION(type, field) \
	.kind = OPTION_KIND_DURATION, .offset = OPTION_FIELD(type, field, int64_t)
#define OPTION_TEXT(type, field) \
	.kind = OPTION_KIND_TEXT, .offset = OPTION_FIELD(type, field, const char *)
#define OPTION_LIST(type, field)  \
	.kind = OPTION_KIND_LIST, \
	.offset = OPTION_FIELD(type, field, struct option_list)
#define OPTION_CHOICE(type, field, words)                                     \
	.kind = OPTION_KIND_CHOICE, .offset = OPTION_FIELD(type, field, int), \
	.values = (words)

/* Options under one heading of --help. Neighbours of the same title share it. */
struct option_group {
	const char *title;            /* "filters" */
	const struct option *options; /* ended by { 0 } */
};

/* That a command takes a group, and where its struct embeds the group's. */
struct option_include {
	const struct option_group *group; /* NULL ends the list */
	size_t offset;
};

/* Needs a field `name` of type `struct name_options` and `name_option_group`. */
#define OPTION_INCLUDE(type, name)                                         \
	{                                                                  \
		.group = &name##_option_group,                             \
		.offset = OPTION_FIELD(type, name, struct name##_options), \
	}

/*
 * Store the options of argv[1..] in `target`, the command's options struct (NULL when
 * it has none), move the operands to argv[0..], end them with NULL and return how many
 * there are. Exits with EXIT_DONE after -h or --help, with EXIT_TROUBLE and two lines
 * on stderr when it does not understand: this, usage_error() and main() end the
 * process.
 */
int options_parse(const struct command *self, void *target, int argc, char **argv);

/* Say on stderr how `self` is used wrongly, and where its help is; EXIT_TROUBLE. */
_Noreturn void usage_error(const struct command *self, const char *fmt, ...)
	PROF_PRINTF(2, 3);

enum option_outcome {
	OPTIONS_READ,  /* *argc operands are in argv[0..] */
	OPTIONS_HELP,  /* -h was asked for */
	OPTIONS_TEXT,  /* --help was asked for */
	OPTIONS_WRONG, /* *err says why; target may hold some of the options */
};

/* options_parse() without an end: for tests, and for who must not exit. */
enum option_outcome options_read(const struct command *self, void *target, int *argc,
				 char **argv, struct prof_error *err);

/*
 * Print the help of `self`: one line per option, and with `full` also its description
 * and its examples.
 */
void options_help(const struct command *self, bool full, FILE *out);

/* The option called `name` (its alias counts), or NULL. */
const struct option *option_find(const struct command *self, const char *name,
				 size_t len);

/*
 * Every option of `self` in the order of its help, with where its value goes:
 *
 *	struct option_walk walk = { .command = self };
 *
 *	while (option_next(&walk))
 *		... walk.option, walk.title, walk.base + walk.option->offset ...
 */
struct option_walk {
	const struct command *command;
	const struct option *option;
	const char *title; /* of the group; NULL for the command's own */
	size_t base;       /* of the group's struct in the command's */
	size_t group;      /* 0 for the command's own, then 1 + index of the group */
};

bool option_next(struct option_walk *walk);

/* The row of -h, --help, which no table lists and every command has. */
extern const struct option option_help;

/*
 * Read `text` as a value of `option` into `field`, which has the type of its kind.
 * Fails with "--limit: 'x' is no whole number".
 */
bool option_store(const struct option *option, void *field, const char *text,
		  struct prof_error *err) PROF_NODISCARD;

/* Values of an option as text, for those who read them from elsewhere too. */
bool option_parse_size(const char *text, uint64_t *bytes,
		       struct prof_error *err) PROF_NODISCARD;
bool option_parse_duration(const char *text, int64_t *ns,
			   struct prof_error *err) PROF_NODISCARD;
bool option_parse_number(const char *text, double *number,
			 struct prof_error *err) PROF_NODISCARD;

#endif

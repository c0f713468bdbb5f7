/* SPDX-License-Identifier: MIT */
/*
 * terminal.h - what standard output is, and what may be sent to it.
 */
#ifndef FGTOOL_TERMINAL_H
#define FGTOOL_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum color_choice {
	COLOR_AUTO,
	COLOR_ALWAYS,
	COLOR_NEVER,
};

/* The words of --color, in the order of enum color_choice. */
extern const char *const color_choices[];

/* What the decision about colour depends on; texts are NULL when not set. */
struct color_facts {
	int choice;                 /* enum color_choice, from --color */
	const char *no_color;       /* $NO_COLOR */
	const char *clicolor_force; /* $CLICOLOR_FORCE */
	const char *term;           /* $TERM */
	bool terminal;              /* the output is one */
};

bool terminal_is(int fd);

/* Columns of the terminal `fd`: $COLUMNS, else what the kernel says, else 80. */
size_t terminal_width(int fd);

/* Whether output to `fd` is coloured: color_wanted() with the facts of here and now. */
bool terminal_color(int choice, int fd);

/*
 * --color always or never; else NO_COLOR non-empty: no; CLICOLOR_FORCE set and not
 * "0": yes; TERM unset, empty or dumb: no; else whether the output is a terminal.
 */
bool color_wanted(const struct color_facts *facts);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * help.h - what fgtool says about itself as a whole.
 */
#ifndef FGTOOL_HELP_H
#define FGTOOL_HELP_H

#include <stdio.h>

/* A text that `fgtool help NAME` prints. */
struct help_topic {
	const char *name;
	const char *summary; /* one line, lower case */
	const char *text;    /* lines of at most 80 columns */
};

extern const struct help_topic help_topics[]; /* ended by { 0 } */

/* What it is, its commands by name, three examples: at most 24 lines. */
void help_short(FILE *out);

/* Every command with its summary, every topic. */
void help_long(FILE *out);

#endif

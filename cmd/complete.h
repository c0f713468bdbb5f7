/* SPDX-License-Identifier: MIT */
/*
 * complete.h - the words that may stand at the end of a command line.
 */
#ifndef FGTOOL_COMPLETE_H
#define FGTOOL_COMPLETE_H

#include <stddef.h>

#include "cmd/command.h"
#include "libprof/base/buf.h"

/* The shells that `fgtool completion` knows; NULL-ended. */
extern const char *const completion_shells[];

/*
 * Append a line for every word that may replace words[count - 1], which is what was
 * typed of it so far; the others stand before it, behind "fgtool":
 *
 *	--format=json TAB
 *	--limit= TAB show at most N rows (20)      goes on: no blank behind it
 *	:file                                      the name of a file
 *	:dir                                       the name of a directory
 */
void complete_words(char *const *words, size_t count, struct prof_buf *out);

/* The same when words[0] is the name of `command`; `count` is at least 2. */
void complete_command(const struct command *command, char *const *words, size_t count,
		      struct prof_buf *out);

#endif

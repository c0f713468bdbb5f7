/* SPDX-License-Identifier: MIT */
/*
 * output.h - results, to standard output or to a file that is whole or not there.
 *
 *	if (!output_write(foo.output.path, svg.data, svg.len, false, &err))
 *		return complain(&err);
 *
 * or, for what is made piece by piece:
 *
 *	struct output out;
 *
 *	if (!output_open(&out, path, true, &err))
 *		...
 *	while (...)
 *		if (!output_add(&out, data, len, &err))
 *			goto out;
 *	ok = output_commit(&out, &err);
 *	out:
 *	output_free(&out);
 *
 * A file is written under no name (O_TMPFILE), or where that is not to be had under a
 * name nobody has (".fgtool-" and a number), in the folder of its target; it gets its
 * name only once every byte is on the disk. Until then, and after any failure, what was
 * there before stays as it was. Its mode is kept if it existed, otherwise 0666 & ~umask. A
 * symbolic link is followed, so that the file it points to is replaced and the link
 * stays. What is no regular file (/dev/stdout, a FIFO) is written directly.
 *
 * Path:   NULL and "-" are standard output.
 * Binary: refused when the target is a terminal.
 * Errors: IO "cannot write 'x.svg': No space left on device"; UNSUPPORTED for binary
 *         data to a terminal; NOMEM.
 */
#ifndef FGTOOL_OUTPUT_H
#define FGTOOL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/option.h"
#include "libprof/base/buf.h"
#include "libprof/base/error.h"

struct output_options {
	const char *path; /* -o, --output; NULL for standard output */
};

extern const struct option_group output_option_group;

struct output {
	const char *path;     /* as the user wrote it, borrowed; NULL is stdout */
	int fd;               /* -1 when closed */
	int folder;           /* of the target, -1 when written directly */
	char *name;           /* of the target in `folder` */
	char *temporary;      /* name of the unfinished file; NULL when it has none */
	struct prof_buf held; /* bytes not written yet */
};

/* Begin to write `path`. On failure there is nothing to free. */
bool output_open(struct output *out, const char *path, bool binary,
		 struct prof_error *err) PROF_NODISCARD;

bool output_add(struct output *out, const void *data, size_t len,
		struct prof_error *err) PROF_NODISCARD;

/* Write what is held, make it last, give it its name. The output is closed then. */
bool output_commit(struct output *out, struct prof_error *err) PROF_NODISCARD;

/* Let go: what was not committed is gone. After output_commit() it does nothing. */
void output_free(struct output *out);

/* All of it at once. */
bool output_write(const char *path, const void *data, size_t len, bool binary,
		  struct prof_error *err) PROF_NODISCARD;

/* Whether output to `path` goes to a terminal: for who chooses a format by it. */
bool output_is_terminal(const char *path);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * source_file.h - source code that a profile names, line by line.
 *
 * A name that is absolute is that file. Another is looked for in each of the folders,
 * and in every folder above it. Only regular files are read: what a profile names may
 * be anything.
 *
 * Errors: IO, with the reason as pprof words it: "could not find file x.c on path /src".
 */
#ifndef FGTOOL_SOURCE_FILE_H
#define FGTOOL_SOURCE_FILE_H

#include <stdint.h>

#include "libprof/base/buf.h"
#include "libprof/base/error.h"
#include "libprof/base/text.h"

enum { SOURCE_FILE_MAX = 64 << 20 }; /* bytes */

struct source_file {
	struct prof_buf text;
	size_t *ends; /* of lines, behind the newline */
	int64_t line_count;
};

/* Find and read `name`; `folders` are separated by ':'. */
bool source_file_open(struct source_file *file, struct prof_text name,
		      const char *folders, struct prof_error *err) PROF_NODISCARD;

/* Where to look for the sources of a profile that nobody vouches for. */
struct source_roots {
	const char *folders;  /* separated by ':'; NULL or "": the current one */
	const char *prefixes; /* to strip from names, separated by ':'; may be NULL */
	const char *const *maps; /* "FROM=TO": names that begin with FROM are in TO */
	size_t map_count;
};

/*
 * Find and read `name` below one of the roots, whatever it says: as it is, and without
 * more and more of its first folders. Names that lead out of the root, by ".." or a
 * symbolic link, are not followed. `tried` gets the candidates, separated by ", ".
 */
bool source_file_find(struct source_file *file, struct prof_text name,
		      const struct source_roots *roots, struct prof_buf *tried);

/* Line `number`, from 1, without its end. False past the last one. */
bool source_file_line(const struct source_file *file, int64_t number,
		      struct prof_text *line);

/* Zeroed is fine. */
void source_file_free(struct source_file *file);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * frameinfo.h - what a frame is called in the reports that pprof has.
 *
 *	0000000000001000 main.run src/run.go:12:3      address, function, file:line:col
 *	main.run src/run.go                            no line
 *	[libc.so.6]                                    no function, no file: the object
 *	<unknown>
 *
 * Owns:    nothing: texts are borrowed from the profile and, where a file name had to
 *          be cleaned, from the arena that prof_frame_info() got.
 * Source:  names as google/pprof prints them.
 */
#ifndef PROF_REPORT_FRAMEINFO_H
#define PROF_REPORT_FRAMEINFO_H

#include <stdint.h>

#include "libprof/base/arena.h"
#include "libprof/base/buf.h"
#include "libprof/model/profile.h"

/* How file names are shortened. Empty texts do nothing. */
struct prof_path_trim {
	struct prof_text trim_path;   /* prefixes to strip, separated by ':' */
	struct prof_text source_path; /* folders, separated by ':' */
};

struct prof_frame_info {
	uint64_t address;
	struct prof_text name;        /* of the function; empty when there is none */
	struct prof_text system_name; /* takes no part in comparisons */
	struct prof_text file;        /* trimmed, cleaned */
	struct prof_text object;      /* file of the mapping */
	int64_t start_line;
	int64_t line;
	int64_t column;
};

/*
 * Line `line` of `location`, counted from the innermost; 0 for a location without
 * lines. File names are cleaned, and trimmed unless `trim` is NULL. Object and start line are left empty unless `objects` is set or the function
 * has no name: so that they do not tell apart what has the same name.
 */
struct prof_frame_info prof_frame_info(const struct prof_profile *profile,
				       uint32_t location, uint32_t line,
				       const struct prof_path_trim *trim, bool objects,
				       struct prof_arena *arena);

/* Append the frame's name as above. */
void prof_frame_info_add(struct prof_buf *out, const struct prof_frame_info *info);

/*
 * The end of `file` that is left once prefixes are stripped: without a trim path what
 * follows the first "/NAME/", NAME being the last element of a source folder; then the
 * first prefix that fits of the trim path, "/proc/self/cwd/./" and "/proc/self/cwd/".
 */
struct prof_text prof_path_trim(struct prof_text file,
				const struct prof_path_trim *trim);

/*
 * `path` without "//", "/./", "x/.." and a "/" at its end; "." when nothing is left.
 * It is `path` itself, or lives in `arena`.
 */
struct prof_text prof_path_clean(struct prof_text path, struct prof_arena *arena);

/* What follows the last '/', trailing ones left aside; "." for an empty path. */
struct prof_text prof_path_base(struct prof_text path);

#endif

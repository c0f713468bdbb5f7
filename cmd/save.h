/* SPDX-License-Identifier: MIT */
/*
 * save.h - a profile to a file: format and compression by the name, or by options.
 *
 *	struct foo_options { struct save_options save; ... };
 *	...	OPTION_INCLUDE(struct foo_options, save),
 *
 *	if (!save_profile(&foo.save, profile, column, &err))
 *		return complain(&err);
 *
 *	out.pb.gz  out.pb  out.pb.zst      profile.proto; gzip is the default of pprof
 *	out.folded  out.folded.gz          folded stacks of one column
 *	(standard output)                  profile.proto, gzip
 *
 * What has no place in the format is said on stderr, a line each.
 *
 * Errors: those of output.h; UNSUPPORTED for a name no format writes, with those that
 *         do; a file named like its own input is fine: it is replaced when whole.
 */
#ifndef FGTOOL_SAVE_H
#define FGTOOL_SAVE_H

#include <stdbool.h>

#include "cmd/option.h"
#include "libprof/base/error.h"
#include "libprof/model/profile.h"

struct save_options {
	const char *path;   /* -o; NULL or "-" for standard output */
	const char *format; /* --to; NULL: by the name of the file, else pprof */
	int compress;       /* --compress: auto, none, gzip, zstd */
	int64_t level;      /* --level; 0 for the default */
};

/* -o, --to, --compress, --level */
extern const struct option_group save_option_group;

/* Write `profile`; `column` is what formats with one value write. */
bool save_profile(const struct save_options *options,
		  const struct prof_profile *profile, uint32_t column,
		  struct prof_error *err) PROF_NODISCARD;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * input.h - FILE... from the command line to one profile, or into a sink.
 *
 *	struct foo_options { struct input_options input; ... };
 *	static const struct option_include groups[] = {
 *		OPTION_INCLUDE(struct foo_options, input), ...
 *
 *	argc = options_parse(self, &foo, argc, argv);
 *	if (!input_profile(&foo.input, argc, argv, &profile, &err))
 *		return complain(&err);
 *
 * No FILE, or "-", is standard input; at a terminal that is an error which says what
 * the command reads. The format is found by content. One input is kept as it is;
 * several are merged, canonically, by two threads.
 *
 * Errors: complete for complain(): they begin with the file, and the line or the byte
 *         in the decompressed data. Two inputs that do not fit are both named.
 */
#ifndef FGTOOL_INPUT_H
#define FGTOOL_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/option.h"
#include "libprof/base/error.h"
#include "libprof/model/builder.h"
#include "libprof/model/profile.h"

struct input_options {
	uint64_t max_input;     /* --max-input; 0 for the default */
	const char *format;     /* --from; NULL detects */
	const char *files_from; /* --files-from: names of inputs, a line each */
};

/* --max-input, --from, --files-from */
extern const struct option_group input_option_group;

/* The profile of all `count` files; `paths` as options_parse() left them. */
bool input_profile(const struct input_options *options, int count, char **paths,
		   struct prof_profile **out, struct prof_error *err) PROF_NODISCARD;

/* The same, but merged as `how` says even if there is only one input. */
bool input_merged(const struct input_options *options, int count, char **paths,
		  enum prof_build how, struct prof_profile **out,
		  struct prof_error *err) PROF_NODISCARD;

/* One file, as it is. */
bool input_one(const struct input_options *options, const char *path,
	       struct prof_profile **out, struct prof_error *err) PROF_NODISCARD;

/*
 * Whether all inputs are regular files, so that reading them a second time is
 * possible: what a streaming sink that may say PROF_ERR_AGAIN needs.
 */
bool input_can_repeat(const struct input_options *options, int count, char **paths);

/* Read all files into `sink`, one after the other. PROF_ERR_AGAIN passes through. */
bool input_stream(const struct input_options *options, int count, char **paths,
		  struct prof_sink *sink, struct prof_error *err) PROF_NODISCARD;

/*
 * What reading one file told beside the records; for `info`. Filled by
 * input_described().
 */
struct input_description {
	const char *format;   /* "pprof" */
	char compression[32]; /* "gzip", "none" */
	uint64_t file_bytes;  /* 0 when unknown: a pipe */
	uint64_t bytes;       /* decompressed */
	size_t profiles;      /* in the file; more than one was merged */
};

/* input_one() that also describes. */
bool input_described(const struct input_options *options, const char *path,
		     struct prof_profile **out, struct input_description *description,
		     struct prof_error *err) PROF_NODISCARD;

/*
 * The operands with those of --files-from behind them; ["-"] when there are none.
 * Fails when that means a terminal. Free with input_paths_free().
 */
struct input_paths {
	char **items;
	int count;
	void *memory; /* of the list file */
};

bool input_paths(const struct input_options *options, int count, char **operands,
		 struct input_paths *out, struct prof_error *err) PROF_NODISCARD;
void input_paths_free(struct input_paths *paths);

/* How messages call an input: its name, or "standard input". */
const char *input_name(const char *path);

/*
 * Put the input's name, and the line or the byte, in front of the reason: for errors
 * that reports have with the profile of one input.
 */
void input_blame(struct prof_error *err, const char *path);

/*
 * The column --sample-type names, or the profile's default when it is NULL. Fails
 * with the list of types and a suggestion.
 */
bool input_column(const struct prof_profile *profile, const char *name,
		  uint32_t *column, struct prof_error *err) PROF_NODISCARD;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * input_file.h - what input.c is made of: opening files, lists of them, two threads.
 */
#ifndef FGTOOL_INPUT_FILE_H
#define FGTOOL_INPUT_FILE_H

#include "cmd/input.h"

/*
 * A descriptor for `path`, "-" for standard input, or -1. Regular files and pipes
 * only. *size is the size of a regular file, 0 for a pipe.
 */
int input_file_open(const char *path, uint64_t *size, struct prof_error *err);

/* Whether all of them are regular files. */
bool input_regular(int count, char **paths);

/* Closes all but standard input. */
void input_file_close(int fd);

/* Read one file into `sink`; the error is located but for AGAIN and MISMATCH. */
bool input_read_into(const struct input_options *options, const char *path,
		     struct prof_sink *sink, struct prof_error *err) PROF_NODISCARD;

/* The canonical merge of all paths by two threads, which take files in turn. */
bool input_merge_threads(const struct input_options *options,
			 const struct input_paths *paths, struct prof_profile **out,
			 struct prof_error *err) PROF_NODISCARD;

#endif

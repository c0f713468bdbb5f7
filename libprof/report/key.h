/* SPDX-License-Identifier: MIT */
/*
 * key.h - what a row of a report, or a box of a picture, stands for.
 *
 * A frame of a stack is one line of one location: a location with inlined calls gives
 * several frames. Under a granularity, frames with the same key are the same:
 *
 *	function   the function's name                     encoding/json.Marshal
 *	file       the function's source file              /src/json.go
 *	line       name, file and line                     json.Marshal /src/json.go:161
 *	address    address, name, file and line            00000000004f2a10 json.Marshal ...
 *	module     base name of the mapping's file         libc.so.6
 *	label      value of one label: the whole stack is one frame
 *
 * A location without lines is "[module]" by function, file or line, with its address
 * in front by address; "<unknown>" when it has no module either. An empty name is
 * "<unknown>" or "[module]" as well, unless a file or line stands in for it.
 *
 * By label, several values of one key are one frame, "a,b"; numbers are followed by
 * their unit, "512 bytes"; a sample without the label is "(no KEY)".
 *
 * Two frames are the same exactly when their keys, as text, are equal.
 *
 * Source: google/pprof's printable names, but for [kernel.kallsyms], which pprof puts
 *         into brackets twice.
 */
#ifndef PROF_REPORT_KEY_H
#define PROF_REPORT_KEY_H

#include "libprof/base/buf.h"
#include "libprof/base/error.h"
#include "libprof/base/text.h"
#include "libprof/model/profile.h"

enum prof_by {
	PROF_BY_FUNCTION,
	PROF_BY_FILE,
	PROF_BY_LINE,
	PROF_BY_ADDRESS,
	PROF_BY_MODULE,
	PROF_BY_LABEL,
};

struct prof_key_options {
	enum prof_by by;
	struct prof_text label; /* the key of the label; PROF_BY_LABEL only */
};

/* What a key is made of. */
struct prof_key_frame {
	uint64_t address;
	struct prof_text name;    /* of the function; empty when there is none */
	struct prof_text file;    /* of the function */
	struct prof_text mapping; /* file of the mapping */
	int64_t line;
};

/* The file name of a mapping without its folders; empty when it has no name. */
struct prof_text prof_key_module(struct prof_text mapping);

/* Append the key of `frame` as text. Not for PROF_BY_LABEL. */
void prof_key_add(struct prof_buf *out, enum prof_by by,
		  const struct prof_key_frame *frame);

/* The frame of line `line` (PROF_NONE: it has none) of `location` of `profile`. */
struct prof_key_frame prof_key_frame(const struct prof_profile *profile,
				     uint32_t location, uint32_t line);

/*
 * Append what a sample with `labels` is called by the label `key`. `strings` has the
 * texts of the labels' refs.
 */
void prof_key_add_label(struct prof_buf *out, struct prof_text key,
			const struct prof_text *strings, struct prof_labels labels);

#endif

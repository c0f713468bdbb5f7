/* SPDX-License-Identifier: MIT */
/*
 * format.h - what a profile format declares, and the table of all of them.
 *
 * A reader is a pure function from bytes to records and a writer from a profile to
 * bytes. Neither opens files, prints or decompresses: compression is undone before
 * detection (open.h), and cmd/ does the input and output. To add a format: write
 * formats/NAME.c defining `const struct prof_format prof_format_NAME`, list it in
 * formats.c, add testdata/NAME/ and tests/fuzz/fuzz_NAME.c.
 */
#ifndef PROF_FORMATS_FORMAT_H
#define PROF_FORMATS_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "libprof/base/buf.h"
#include "libprof/base/error.h"
#include "libprof/base/source.h"
#include "libprof/model/profile.h"
#include "libprof/model/sink.h"

struct prof_head {
	const uint8_t *data; /* the first bytes of the decompressed input, borrowed */
	size_t len;
	bool whole; /* there are no more bytes than these */
};

struct prof_write_options {
	uint32_t column;       /* the column formats with one value write */
	bool line_numbers;     /* folded: name:line instead of name */
	struct prof_buf *loss; /* what has no place in the format, a line each */
};

struct prof_format {
	const char *name;    /* what --to takes: "folded" */
	const char *summary; /* one line for `fgtool formats` */
	const char
		*extensions;  /* space separated, picks a writer: "folded collapsed" */
	const char *detected; /* by what, for `fgtool formats` */

	/*
	 * How many bits of `head` speak for this format: 0 when it cannot be, 32 for a
	 * four-byte magic. The highest bid reads.
	 */
	int (*bid)(struct prof_head head);

	/* NULL when the format is write-only, respectively read-only. */
	bool (*read)(struct prof_window *in, struct prof_sink *out,
		     struct prof_error *err);
	bool (*write)(const struct prof_profile *profile,
		      const struct prof_write_options *options, struct prof_buf *out,
		      struct prof_error *err);
};

extern const struct prof_format prof_format_pprof;     /* profile.proto */
extern const struct prof_format prof_format_delimited; /* a stream of those */
extern const struct prof_format prof_format_folded;
extern const struct prof_format prof_format_cpuprof; /* pprof's old ones: */
extern const struct prof_format prof_format_heaptext;
extern const struct prof_format prof_format_countprofile;
extern const struct prof_format prof_format_threadz;
extern const struct prof_format prof_format_contention;
extern const struct prof_format prof_format_javatext;

extern const struct prof_format *const prof_formats[]; /* NULL-terminated */

/* The format that bids highest for `head`, or NULL. */
const struct prof_format *prof_format_detect(struct prof_head head);

/* The format called `name`, or NULL. */
const struct prof_format *prof_format_named(const char *name);

/* The format with a writer for the file name `path`, or NULL. */
const struct prof_format *prof_format_for_path(const char *path);

/*
 * What an input is that no format claims, and what to do about it: "an ELF
 * executable, not a profile", "an HTML page ...". Never NULL.
 */
const char *prof_format_diagnose(struct prof_head head);

#endif

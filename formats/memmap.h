/* SPDX-License-Identifier: MIT */
/*
 * memmap.h - the memory map behind a legacy profile, and what stands at an address.
 *
 *	7f5e53f37000-7f5e53f3e000 r-xp 00000000 00:00 1607   /lib/librt-2.15.so
 *	00400000-00fcb000: /home/x/server (@1000) 5a3b77
 *	build=/home/x                               $build in later lines is /home/x
 *
 * The first form is that of /proc/PID/maps; of the second nearly everything may be
 * missing: START[-]END[:] [PERMISSIONS] [FILE] [(@OFFSET)] [BUILD ID]. Numbers are hex.
 * A log prefix ("... file.cc:123] ") is cut off. What is not executable is left out, and
 * a line that is none of these is no error: maps come with headings and comments.
 *
 *	struct prof_memmap map = { .strings = &strings };
 *	prof_memmap_read(&map, &lines, err) && prof_memmap_index(&map, err)
 *	prof_memmap_find(&map, address, &mapping, err)
 *	prof_memmap_free(&map);
 *
 * Errors:  LIMIT for more variables than a real map has, or when they expand to more.
 * Cost:    finding is O(log mappings), whatever overlaps.
 * Source:  same results as google/pprof, in the same order.
 */
#ifndef PROF_FORMATS_MEMMAP_H
#define PROF_FORMATS_MEMMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/text_lines.h"
#include "libprof/base/buf.h"
#include "libprof/base/error.h"
#include "libprof/base/strings.h"
#include "libprof/model/sink.h"

enum {
	PROF_MEMMAP_VARIABLES = 256,      /* most names a map may define */
	PROF_MEMMAP_EXPANSION = 64 << 20, /* most bytes they may expand to, in all */
};

struct prof_memmap_variable {
	uint32_t name; /* of texts: "$build" */
	uint32_t value;
};

/*
 * Of half-open ranges that begin and end at `bounds`, the lowest id that covers an
 * address: a segment tree whose leaves are the gaps between bounds.
 */
struct prof_memmap_cover {
	uint32_t *lowest; /* 2 * bounds; PROF_NONE where nothing was added */
};

struct prof_memmap {
	struct prof_strings *strings; /* borrowed: names of files, build ids */
	struct prof_mapping *items;
	uint32_t count;
	size_t cap;
	uint32_t fake; /* the mapping of addresses nothing else covers, or PROF_NONE */

	struct prof_memmap_variable variables[PROF_MEMMAP_VARIABLES];
	uint32_t variable_count;
	struct prof_strings texts; /* of variables */
	struct prof_buf expanded;  /* the last line that had a variable */
	size_t expansion;          /* bytes written to it so far */

	uint64_t *bounds;
	uint32_t bound_count;
	struct prof_memmap_cover cover;  /* by the mappings themselves */
	struct prof_memmap_cover before; /* by their files' beginnings, unmapped */
};

/* Whether the memory map begins behind this line. */
bool prof_memmap_is_heading(struct prof_text line);

/* Read lines up to one that is a heading, or to the end. */
bool prof_memmap_skip_to(struct prof_text_lines *lines,
			 struct prof_error *err) PROF_NODISCARD;

/*
 * Read all further lines; then join what is adjacent, move the main program to the
 * front, drop the huge page copy before it, and undo the shift of its text segment.
 */
bool prof_memmap_read(struct prof_memmap *map, struct prof_text_lines *lines,
		      struct prof_error *err) PROF_NODISCARD;

/* Prepare for finding. Once, even without any line read. */
bool prof_memmap_index(struct prof_memmap *map, struct prof_error *err) PROF_NODISCARD;

/*
 * The mapping of `address`: the first that contains it; else the first whose file,
 * mapped from its beginning, would, which then is so; else a fake one of everything,
 * made when first needed.
 */
bool prof_memmap_find(struct prof_memmap *map, uint64_t address, uint32_t *mapping,
		      struct prof_error *err) PROF_NODISCARD;

void prof_memmap_free(struct prof_memmap *map);

#endif

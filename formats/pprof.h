/* SPDX-License-Identifier: MIT */
/*
 * pprof.h - profile.proto, the format of pprof: read as a stream, written in one pass.
 *
 *	Profile    1 sample_type*  2 sample*  3 mapping*  4 location*  5 function*
 *	           6 string*  7 drop_frames  8 keep_frames  9 time  10 duration
 *	           11 period_type  12 period  13 comment*  14 default_type  15 doc_url
 *	ValueType  1 type  2 unit
 *	Sample     1 location id*  2 value*  3 label*
 *	Label      1 key  2 text  3 number  4 unit
 *	Mapping    1 id  2 start  3 limit  4 offset  5 file  6 build id  7-10 has...
 *	Location   1 id  2 mapping id  3 address  4 line*  5 folded
 *	Line       1 function id  2 line  3 column
 *	Function   1 id  2 name  3 system name  4 file  5 start line
 *
 * pprof.proto says it in full. The first frame of a sample is the leaf, the first line of
 * a location the innermost inlined function. Strings are indices into field 6, whose
 * first must be empty.
 *
 * Reading takes fields in any order, packed and unpacked numbers, and skips unknown
 * fields; of singular fields the last wins. Every rule is checked: one value per sample
 * type, every location and function defined and once only, ids not 0, strings in the
 * table, lengths inside what holds them. As in pprof, an unknown mapping is no mapping
 * and a label without text, number and unit is dropped. Profiles one behind the other are
 * read as such (pprof_header.h). A string table alone is an empty profile.
 *
 * Writing is a function of the profile: fields in order, numbers packed, varints minimal,
 * zeros left out, tables, ids and strings as they are. Strings are bytes here as there:
 * what is not UTF-8 stays so, though the protobuf libraries of some languages refuse it.
 *
 * Errors:  SYNTAX and LIMIT with the offset of the record in the decompressed bytes.
 * Cost:    reading into an early sink: memory of the ids, if they do not count up from
 *          1; samples that come before their locations are kept as they are, about one
 *          byte per byte, and decoded by two threads at the end if the sink can fork.
 * Source:  https://github.com/google/pprof/blob/main/proto/profile.proto
 */
#ifndef PROF_FORMATS_PPROF_H
#define PROF_FORMATS_PPROF_H

#include "formats/format.h"

bool prof_pprof_read(struct prof_window *in, struct prof_sink *out,
		     struct prof_error *err) PROF_NODISCARD;

bool prof_pprof_write(const struct prof_profile *profile,
		      const struct prof_write_options *options, struct prof_buf *out,
		      struct prof_error *err) PROF_NODISCARD;

#endif

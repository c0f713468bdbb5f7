/* SPDX-License-Identifier: MIT */
/*
 * pprof_header.h - what a profile says of itself, and where the next profile begins.
 *
 * Two profiles one behind the other (`cat a.pb.gz b.pb.gz`) are one protobuf message as
 * far as protobuf knows. They are told apart so: once the string table has begun and a
 * record of fields 2 to 6 has followed the first sample types, resp. the time,
 *
 *	a further run of sample types (field 1), or a further time (field 9)
 *
 * is of the next profile. Header fields may have come before that sign already:
 *
 *	google/pprof	1 2 3 4 5 6 9 10 11 12 14 | 1 2 ...
 *	Go, CPU		9 1 10 11 12 2 4 5 3 6 | 9 1 10 ...
 *	Go, heap	11 12 1 14 2 4 5 9 3 6 | 11 12 1 ...
 *
 * so those that came since the last record of fields 2 to 6 are tentative. The next
 * profile begins at the first of them that the profile has already, or, failing that, at
 * the first with a lower number than the one before it, or else at the sign itself.
 */
#ifndef PROF_FORMATS_PPROF_HEADER_H
#define PROF_FORMATS_PPROF_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/pprof_queue.h"
#include "formats/pprof_samples.h"
#include "libprof/base/error.h"
#include "libprof/model/sink.h"

enum prof_pprof_field {
	PROF_PPROF_SAMPLE_TYPE = 1,
	PROF_PPROF_SAMPLE,
	PROF_PPROF_MAPPING,
	PROF_PPROF_LOCATION,
	PROF_PPROF_FUNCTION,
	PROF_PPROF_STRING,
	PROF_PPROF_DROP_FRAMES,
	PROF_PPROF_KEEP_FRAMES,
	PROF_PPROF_TIME,
	PROF_PPROF_DURATION,
	PROF_PPROF_PERIOD_TYPE,
	PROF_PPROF_PERIOD,
	PROF_PPROF_COMMENT,
	PROF_PPROF_DEFAULT_TYPE,
	PROF_PPROF_DOC_URL,
	PROF_PPROF_FIELDS,
};

enum { PROF_PPROF_TENTATIVE = 16 };

/* A field 7 to 15; comments stand in the header's list from `comments` on. */
struct prof_pprof_entry {
	uint32_t number;
	size_t comments; /* how many there were before */
	uint64_t value;  /* also the type of the period type ... */
	uint64_t unit;   /* ... and its unit */
	uint64_t offset;
};

struct prof_pprof_header {
	struct prof_pprof_entry settled[PROF_PPROF_FIELDS]; /* by number; 0 = absent */
	struct prof_pprof_entry tentative[PROF_PPROF_TENTATIVE];
	size_t tentative_count;
	uint32_t *comments; /* string indices; what cannot be one is refused at once */
	size_t comment_count;
	size_t comment_cap;
};

/* What a known field is called in messages. */
const char *prof_pprof_field_name(uint64_t number);

/* Is this a wire type that the known field has? */
bool prof_pprof_type_fits(uint64_t number, uint32_t type);

/* Take a record of fields 7 to 15. */
bool prof_pprof_header_take(struct prof_pprof_header *header,
			    const struct prof_pprof_record *record,
			    struct prof_error *err) PROF_NODISCARD;

/* Has the profile this field, tentative or not? */
bool prof_pprof_header_has(const struct prof_pprof_header *header, uint32_t number);

/* What is tentative is of this profile after all. */
void prof_pprof_header_settle(struct prof_pprof_header *header);

/*
 * The next profile has begun: move what is of it to `*next`, a zeroed header, and settle
 * the rest.
 */
bool prof_pprof_header_split(struct prof_pprof_header *header,
			     struct prof_pprof_header *next,
			     struct prof_error *err) PROF_NODISCARD;

/*
 * The header of a profile with `string_count` strings; comments are borrowed. SYNTAX for
 * a string that is not there.
 */
bool prof_pprof_header_get(struct prof_pprof_header *header, uint32_t string_count,
			   struct prof_header *out,
			   struct prof_error *err) PROF_NODISCARD;

void prof_pprof_header_free(struct prof_pprof_header *header);

/* The type and unit of a ValueType record; `what` names it in the error. */
bool prof_pprof_type(const struct prof_pprof_record *record, const char *what,
		     uint64_t numbers[2], struct prof_error *err) PROF_NODISCARD;

#endif

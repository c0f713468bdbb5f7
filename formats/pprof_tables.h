/* SPDX-License-Identifier: MIT */
/*
 * pprof_tables.h - mappings, functions and locations on their way to the sink.
 *
 * Records are delivered as they come. A location whose functions are not all there yet
 * holds up itself and the locations behind it, which wait as raw bytes; it goes out with
 * the last of its functions. A mapping has its ref from the first mention, in a location
 * or by its own record; one that is only mentioned never comes.
 */
#ifndef PROF_FORMATS_PPROF_TABLES_H
#define PROF_FORMATS_PPROF_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/pprof_ids.h"
#include "formats/pprof_queue.h"
#include "formats/pprof_samples.h"
#include "libprof/base/error.h"
#include "libprof/model/sink.h"

struct prof_pprof_location {
	uint64_t offset;
	uint64_t id;
	uint64_t mapping_id;
	uint64_t address;
	bool folded;
	struct prof_line *lines;
	size_t line_cap;
	uint64_t *function_ids; /* of the lines */
	size_t function_cap;
	size_t line_count;
	size_t resolved; /* lines whose function is known */
};

struct prof_pprof_tables {
	struct prof_sink *sink; /* borrowed */
	bool final;             /* no more functions and mappings will come */
	uint32_t string_count;  /* when final */
	struct prof_pprof_reach reach;

	struct prof_pprof_ids mappings;
	uint8_t *mapping_came; /* by ref: 1 when its record was there */
	size_t mapping_cap;
	struct prof_pprof_ids functions;
	struct prof_pprof_ids locations; /* delivered ones only */

	struct prof_pprof_location location; /* the one at work, or held up */
	bool held;
	struct prof_pprof_queue late; /* those behind it */
	struct prof_pprof_run run;    /* taken from `late` */
};

bool prof_pprof_take_mapping(struct prof_pprof_tables *tables,
			     const struct prof_pprof_record *record,
			     struct prof_error *err) PROF_NODISCARD;
bool prof_pprof_take_function(struct prof_pprof_tables *tables,
			      const struct prof_pprof_record *record,
			      struct prof_error *err) PROF_NODISCARD;
bool prof_pprof_take_location(struct prof_pprof_tables *tables,
			      const struct prof_pprof_record *record,
			      struct prof_error *err) PROF_NODISCARD;

/* All is there: `final` from now on. A location still held up is an error. */
bool prof_pprof_tables_finish(struct prof_pprof_tables *tables, uint32_t string_count,
			      struct prof_error *err) PROF_NODISCARD;

void prof_pprof_tables_free(struct prof_pprof_tables *tables);

#endif

/* SPDX-License-Identifier: MIT */
#include "formats/pprof_tables.h"

#include <inttypes.h>

#include "formats/pprof_cold.h"
#include "formats/pprof_header.h"
#include "libprof/base/alloc.h"
#include "libprof/base/limits.h"

enum { MAPPING_FIELDS = 10 };
enum {
	FUNCTION_ID,
	FUNCTION_NAME,
	FUNCTION_SYSTEM_NAME,
	FUNCTION_FILE,
	FUNCTION_START,
	FUNCTION_FIELDS
};
enum { LINE_FUNCTION, LINE_LINE, LINE_COLUMN, LINE_FIELDS };
enum {
	LOCATION_ID = 1,
	LOCATION_MAPPING,
	LOCATION_ADDRESS,
	LOCATION_LINE,
	LOCATION_FOLDED
};

static bool string_at(struct prof_pprof_tables *tables, uint64_t index, uint64_t offset,
		      struct prof_error *err)
{
	return prof_pprof_string(index, tables->string_count, offset, &tables->reach,
				 err);
}

static bool faulty(const char *what, enum prof_wire_fault fault, uint64_t offset,
		   struct prof_error *err)
{
	return prof_fail_at(err, PROF_ERR_SYNTAX, offset, "the %s has %s", what,
			    prof_wire_fault_text(fault));
}

/* An id must not be 0 and not be there. */
static bool new_id(const struct prof_pprof_ids *ids, uint64_t id,
		   const struct prof_pprof_record *record, struct prof_error *err)
{
	const char *what = prof_pprof_field_name(record->field.number);

	if (id == 0) {
		return prof_fail_at(err, PROF_ERR_SYNTAX, record->offset,
				    "the %s has the id 0", what);
	}
	if (prof_pprof_ids_find(ids, id) != PROF_NONE) {
		return prof_fail_at(err, PROF_ERR_SYNTAX, record->offset,
				    "%s %" PRIu64 " is defined twice", what, id);
	}
	return true;
}

/* Mappings */

/* The ref of a mapping, new or known; PROF_NONE without memory. */
static uint32_t mention(struct prof_pprof_tables *tables, uint64_t id)
{
	uint32_t ref = prof_pprof_ids_find(&tables->mappings, id);

	if (ref != PROF_NONE) {
		return ref;
	}
	ref = tables->mappings.count;
	if (!prof_reserve((void **)&tables->mapping_came, &tables->mapping_cap,
			  (size_t)ref + 1, 1) ||
	    !prof_pprof_ids_add(&tables->mappings, id)) {
		return PROF_NONE;
	}
	tables->mapping_came[ref] = 0;
	return ref;
}

/* protobuf-c says only that it cannot: look again to say why. */
static bool not_a_mapping(const struct prof_pprof_record *record,
			  struct prof_error *err)
{
	uint64_t numbers[MAPPING_FIELDS] = { 0 };
	enum prof_wire_fault fault = prof_wire_numbers(prof_wire_inside(&record->field),
						       numbers, MAPPING_FIELDS);

	return fault == PROF_WIRE_OK ? prof_fail_nomem(err)
				     : faulty("mapping", fault, record->offset, err);
}

bool prof_pprof_take_mapping(struct prof_pprof_tables *tables,
			     const struct prof_pprof_record *record,
			     struct prof_error *err)
{
	struct prof_wire wire = prof_wire_inside(&record->field);
	struct prof_mapping mapping = { 0 };
	uint64_t file = 0;
	uint64_t build_id = 0;
	uint32_t ref = PROF_NONE;

	if (!prof_pprof_unpack_mapping(wire.at, (size_t)(wire.end - wire.at), &mapping,
				       &file, &build_id)) {
		return not_a_mapping(record, err);
	}
	ref = prof_pprof_ids_find(&tables->mappings, mapping.id);
	if ((ref == PROF_NONE || tables->mapping_came[ref] != 0) &&
	    !new_id(&tables->mappings, mapping.id, record, err)) {
		return false;
	}
	if (!string_at(tables, file, record->offset, err) ||
	    !string_at(tables, build_id, record->offset, err)) {
		return false;
	}
	ref = mention(tables, mapping.id);
	if (ref == PROF_NONE) {
		return prof_fail_nomem(err);
	}
	tables->mapping_came[ref] = 1;
	mapping.file = (uint32_t)file;
	mapping.build_id = (uint32_t)build_id;
	mapping.ref = ref;
	return tables->sink->mapping(tables->sink, &mapping, err);
}

/* Locations */

static bool more_lines(struct prof_pprof_location *location, struct prof_error *err)
{
	size_t need = location->line_count + 1;

	return (prof_reserve((void **)&location->lines, &location->line_cap, need,
			     sizeof(*location->lines)) &&
		prof_reserve((void **)&location->function_ids, &location->function_cap,
			     need, sizeof(*location->function_ids))) ||
	       prof_fail_nomem(err);
}

static bool add_line(struct prof_pprof_location *location, struct prof_wire wire,
		     struct prof_error *err)
{
	uint64_t numbers[LINE_FIELDS] = { 0 };
	enum prof_wire_fault fault = prof_wire_numbers(wire, numbers, LINE_FIELDS);
	size_t count = location->line_count;

	if (fault != PROF_WIRE_OK) {
		return faulty("line of the location", fault, location->offset, err);
	}
	if (count == PROF_MAX_DEPTH) {
		return prof_fail_at(err, PROF_ERR_LIMIT, location->offset,
				    "the location has more than %" PRIu32 " lines",
				    PROF_MAX_DEPTH);
	}
	if ((count >= location->line_cap || count >= location->function_cap) &&
	    !more_lines(location, err)) {
		return false;
	}
	location->function_ids[count] = numbers[LINE_FUNCTION];
	location->lines[count].line = (int64_t)numbers[LINE_LINE];
	location->lines[count].column = (int64_t)numbers[LINE_COLUMN];
	location->line_count++;
	return true;
}

static bool location_field(struct prof_pprof_location *location,
			   const struct prof_wire_field *field, struct prof_error *err)
{
	if (field->number == 0 || field->number > LOCATION_FOLDED) {
		return true;
	}
	if (field->type !=
	    (field->number == LOCATION_LINE ? PROF_WIRE_BYTES : PROF_WIRE_VARINT)) {
		return faulty("location", PROF_WIRE_MISMATCH, location->offset, err);
	}
	switch (field->number) {
	case LOCATION_ID:
		location->id = field->value;
		return true;
	case LOCATION_MAPPING:
		location->mapping_id = field->value;
		return true;
	case LOCATION_ADDRESS:
		location->address = field->value;
		return true;
	case LOCATION_LINE:
		return add_line(location, prof_wire_inside(field), err);
	default:
		location->folded = field->value != 0;
		return true;
	}
}

/* The fields of nearly all locations, by their tag. False: look at it the long way. */
static inline bool quick_field(struct prof_pprof_location *location,
			       struct prof_wire *wire)
{
	switch (*wire->at) {
	case LOCATION_ID * 8:
		return prof_wire_number(wire, &location->id);
	case LOCATION_MAPPING * 8:
		return prof_wire_number(wire, &location->mapping_id);
	case LOCATION_ADDRESS * 8:
		return prof_wire_number(wire, &location->address);
	default:
		return false;
	}
}

static bool parse_location(struct prof_pprof_location *location,
			   const struct prof_pprof_record *record,
			   struct prof_error *err)
{
	struct prof_wire wire = prof_wire_inside(&record->field);
	struct prof_wire_field field = { 0 };

	location->offset = record->offset;
	location->id = 0;
	location->mapping_id = 0;
	location->address = 0;
	location->folded = false;
	location->line_count = 0;
	location->resolved = 0;
	while (wire.at < wire.end) {
		if (quick_field(location, &wire)) {
			continue;
		}
		if (!prof_wire_next(&wire, &field)) {
			return faulty("location", prof_wire_fault(wire), record->offset,
				      err);
		}
		if (!location_field(location, &field, err)) {
			return false;
		}
	}
	return true;
}

/* Its mapping's ref, for which unknown ones are mentioned while they may still come. */
static bool find_mapping(struct prof_pprof_tables *tables, uint32_t *ref,
			 struct prof_error *err)
{
	uint64_t id = tables->location.mapping_id;

	*ref = PROF_NONE;
	if (id == 0) {
		return true;
	}
	if (tables->final) {
		*ref = prof_pprof_ids_find(&tables->mappings, id);
		return true;
	}
	*ref = mention(tables, id);
	return *ref != PROF_NONE || prof_fail_nomem(err);
}

static bool deliver_location(struct prof_pprof_tables *tables, struct prof_error *err)
{
	const struct prof_pprof_location *location = &tables->location;
	struct prof_sink_location out = {
		.id = location->id,
		.address = location->address,
		.folded = location->folded,
		.lines = location->lines,
		.line_count = (uint32_t)location->line_count,
	};

	if (!find_mapping(tables, &out.mapping, err)) {
		return false;
	}
	if (!prof_pprof_ids_add(&tables->locations, location->id)) {
		return prof_fail_nomem(err);
	}
	return tables->sink->location(tables->sink, &out, err);
}

/* Deliver the location if its functions are there; otherwise it is held up. */
static bool advance(struct prof_pprof_tables *tables, struct prof_error *err)
{
	struct prof_pprof_location *location = &tables->location;

	for (; location->resolved < location->line_count; location->resolved++) {
		uint64_t id = location->function_ids[location->resolved];
		uint32_t ref = prof_pprof_ids_find(&tables->functions, id);

		if (ref == PROF_NONE && !tables->final && id != 0) {
			tables->held = true;
			return true;
		}
		if (ref == PROF_NONE) {
			return prof_fail_at(err, PROF_ERR_SYNTAX, location->offset,
					    "function %" PRIu64 " is not defined", id);
		}
		location->lines[location->resolved].function = ref;
	}
	tables->held = false;
	return deliver_location(tables, err);
}

static bool start_location(struct prof_pprof_tables *tables,
			   const struct prof_pprof_record *record,
			   struct prof_error *err)
{
	return parse_location(&tables->location, record, err) &&
	       new_id(&tables->locations, tables->location.id, record, err) &&
	       advance(tables, err);
}

bool prof_pprof_take_location(struct prof_pprof_tables *tables,
			      const struct prof_pprof_record *record,
			      struct prof_error *err)
{
	if (tables->held) {
		return prof_pprof_queue_add(&tables->late, record) ||
		       prof_fail_nomem(err);
	}
	return start_location(tables, record, err);
}

/* Deliver the location held up and those behind it, as far as possible. */
static bool resume(struct prof_pprof_tables *tables, struct prof_error *err)
{
	struct prof_pprof_record record = { 0 };

	if (!advance(tables, err)) {
		return false;
	}
	while (!tables->held) {
		if (prof_pprof_run_next(&tables->run, &record)) {
			if (!start_location(tables, &record, err)) {
				return false;
			}
		} else if (!prof_pprof_queue_take(&tables->late, &tables->run)) {
			tables->run = (struct prof_pprof_run){ 0 };
			return true;
		}
	}
	return true;
}

bool prof_pprof_tables_finish(struct prof_pprof_tables *tables, uint32_t string_count,
			      struct prof_error *err)
{
	tables->string_count = string_count;
	tables->final = true;
	return !tables->held || resume(tables, err);
}

/* Functions */

bool prof_pprof_take_function(struct prof_pprof_tables *tables,
			      const struct prof_pprof_record *record,
			      struct prof_error *err)
{
	const struct prof_pprof_location *location = &tables->location;
	uint64_t numbers[FUNCTION_FIELDS] = { 0 };
	enum prof_wire_fault fault = prof_wire_numbers(prof_wire_inside(&record->field),
						       numbers, FUNCTION_FIELDS);
	struct prof_function function = { 0 };

	if (fault != PROF_WIRE_OK) {
		return faulty("function", fault, record->offset, err);
	}
	if (!new_id(&tables->functions, numbers[FUNCTION_ID], record, err) ||
	    !string_at(tables, numbers[FUNCTION_NAME], record->offset, err) ||
	    !string_at(tables, numbers[FUNCTION_SYSTEM_NAME], record->offset, err) ||
	    !string_at(tables, numbers[FUNCTION_FILE], record->offset, err)) {
		return false;
	}
	if (!prof_pprof_ids_add(&tables->functions, numbers[FUNCTION_ID])) {
		return prof_fail_nomem(err);
	}
	function = (struct prof_function){
		.id = numbers[FUNCTION_ID],
		.name = (uint32_t)numbers[FUNCTION_NAME],
		.system_name = (uint32_t)numbers[FUNCTION_SYSTEM_NAME],
		.file = (uint32_t)numbers[FUNCTION_FILE],
		.start_line = (int64_t)numbers[FUNCTION_START],
	};
	if (!tables->sink->function(tables->sink, &function, err)) {
		return false;
	}
	return !tables->held ||
	       location->function_ids[location->resolved] != function.id ||
	       resume(tables, err);
}

void prof_pprof_tables_free(struct prof_pprof_tables *tables)
{
	prof_pprof_ids_free(&tables->mappings);
	prof_free(tables->mapping_came);
	prof_pprof_ids_free(&tables->functions);
	prof_pprof_ids_free(&tables->locations);
	prof_free(tables->location.lines);
	prof_free(tables->location.function_ids);
	prof_pprof_queue_free(&tables->late);
	*tables = (struct prof_pprof_tables){ 0 };
}

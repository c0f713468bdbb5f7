/* SPDX-License-Identifier: MIT */
#include "formats/pprof_header.h"

#include <string.h>

#include "formats/pprof_cold.h"
#include "libprof/base/alloc.h"

const char *prof_pprof_field_name(uint64_t number)
{
	static const char *const names[PROF_PPROF_FIELDS] = {
		[PROF_PPROF_SAMPLE_TYPE] = "sample type",
		[PROF_PPROF_SAMPLE] = "sample",
		[PROF_PPROF_MAPPING] = "mapping",
		[PROF_PPROF_LOCATION] = "location",
		[PROF_PPROF_FUNCTION] = "function",
		[PROF_PPROF_STRING] = "string",
		[PROF_PPROF_DROP_FRAMES] = "drop_frames",
		[PROF_PPROF_KEEP_FRAMES] = "keep_frames",
		[PROF_PPROF_TIME] = "time",
		[PROF_PPROF_DURATION] = "duration",
		[PROF_PPROF_PERIOD_TYPE] = "period type",
		[PROF_PPROF_PERIOD] = "period",
		[PROF_PPROF_COMMENT] = "comment",
		[PROF_PPROF_DEFAULT_TYPE] = "default sample type",
		[PROF_PPROF_DOC_URL] = "documentation URL",
	};

	return number > 0 && number < PROF_PPROF_FIELDS ? names[number] : "field";
}

bool prof_pprof_type_fits(uint64_t number, uint32_t type)
{
	if (number == PROF_PPROF_COMMENT) {
		return type == PROF_WIRE_VARINT || type == PROF_WIRE_BYTES;
	}
	if (number <= PROF_PPROF_STRING || number == PROF_PPROF_PERIOD_TYPE) {
		return type == PROF_WIRE_BYTES;
	}
	return type == PROF_WIRE_VARINT;
}

static bool add_comment(struct prof_pprof_header *header, uint64_t index,
			uint64_t offset, struct prof_error *err)
{
	struct prof_pprof_reach reach = { 0 };

	if (!prof_pprof_string(index, 0, offset, &reach, err)) {
		return false;
	}
	if (header->comment_count == UINT32_MAX) {
		return prof_fail_at(err, PROF_ERR_LIMIT, offset, "too many comments");
	}
	if (!prof_reserve((void **)&header->comments, &header->comment_cap,
			  header->comment_count + 1, sizeof(*header->comments))) {
		return prof_fail_nomem(err);
	}
	header->comments[header->comment_count++] = (uint32_t)index;
	return true;
}

static bool add_comments(struct prof_pprof_header *header,
			 const struct prof_pprof_record *record, struct prof_error *err)
{
	struct prof_wire packed = prof_wire_inside(&record->field);
	uint64_t index = 0;

	while (prof_wire_varint(&packed, &index)) {
		if (!add_comment(header, index, record->offset, err)) {
			return false;
		}
	}
	return packed.at == packed.end ||
	       prof_fail_at(err, PROF_ERR_SYNTAX, record->offset, "the comment has %s",
			    prof_wire_fault_text(prof_wire_fault(packed)));
}

bool prof_pprof_type(const struct prof_pprof_record *record, const char *what,
		     uint64_t numbers[2], struct prof_error *err)
{
	struct prof_wire wire = prof_wire_inside(&record->field);
	enum prof_wire_fault fault = PROF_WIRE_OK;

	if (prof_pprof_unpack_type(wire.at, (size_t)(wire.end - wire.at), &numbers[0],
				   &numbers[1])) {
		return true;
	}
	/* protobuf-c says only that it cannot: look again to say why. */
	fault = prof_wire_numbers(wire, numbers, 2);
	if (fault == PROF_WIRE_OK) {
		return prof_fail_nomem(err);
	}
	return prof_fail_at(err, PROF_ERR_SYNTAX, record->offset, "the %s has %s", what,
			    prof_wire_fault_text(fault));
}

static bool period_type(const struct prof_pprof_record *record,
			struct prof_pprof_entry *entry, struct prof_error *err)
{
	uint64_t numbers[2] = { 0 };

	if (!prof_pprof_type(record, "period type", numbers, err)) {
		return false;
	}
	entry->value = numbers[0];
	entry->unit = numbers[1];
	return true;
}

bool prof_pprof_header_take(struct prof_pprof_header *header,
			    const struct prof_pprof_record *record,
			    struct prof_error *err)
{
	size_t last = header->tentative_count;
	struct prof_pprof_entry entry = {
		.number = (uint32_t)record->field.number,
		.comments = header->comment_count,
		.value = record->field.value,
		.offset = record->offset,
	};

	if (entry.number == PROF_PPROF_PERIOD_TYPE &&
	    !period_type(record, &entry, err)) {
		return false;
	}
	if (entry.number == PROF_PPROF_COMMENT) {
		if (!add_comments(header, record, err)) {
			return false;
		}
		if (last > 0 &&
		    header->tentative[last - 1].number == PROF_PPROF_COMMENT) {
			return true;
		}
	}
	if (last == PROF_PPROF_TENTATIVE) {
		prof_pprof_header_settle(header); /* so many are no head of a profile */
	}
	header->tentative[header->tentative_count++] = entry;
	return true;
}

bool prof_pprof_header_has(const struct prof_pprof_header *header, uint32_t number)
{
	bool found = header->settled[number].number != 0;

	for (size_t i = 0; i < header->tentative_count; i++) {
		found |= header->tentative[i].number == number;
	}
	return found;
}

static void settle(struct prof_pprof_header *header, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct prof_pprof_entry *entry = &header->tentative[i];

		if (entry->number != PROF_PPROF_COMMENT ||
		    header->settled[entry->number].number == 0) {
			header->settled[entry->number] = *entry;
		}
	}
	header->tentative_count = 0;
}

void prof_pprof_header_settle(struct prof_pprof_header *header)
{
	settle(header, header->tentative_count);
}

/* The first tentative entry that is of the next profile; the rule stands on top. */
static size_t find_border(const struct prof_pprof_header *header)
{
	size_t count = header->tentative_count;
	size_t lower = count;
	uint32_t seen = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t number = header->tentative[i].number;

		if (number != PROF_PPROF_COMMENT &&
		    (header->settled[number].number != 0 ||
		     (seen >> number & 1) != 0)) {
			return i;
		}
		if (i > 0 && lower == count &&
		    number < header->tentative[i - 1].number) {
			lower = i;
		}
		seen |= UINT32_C(1) << number;
	}
	return lower;
}

bool prof_pprof_header_split(struct prof_pprof_header *header,
			     struct prof_pprof_header *next, struct prof_error *err)
{
	size_t border = find_border(header);
	size_t count = header->tentative_count;
	size_t kept = header->comment_count;

	for (size_t i = border; i < count; i++) {
		struct prof_pprof_entry entry = header->tentative[i];

		if (i == border) {
			kept = entry.comments;
		}
		entry.comments -= kept;
		next->tentative[next->tentative_count++] = entry;
	}
	settle(header, border);
	if (kept < header->comment_count) {
		next->comment_count = header->comment_count - kept;
		if (!prof_reserve((void **)&next->comments, &next->comment_cap,
				  next->comment_count, sizeof(*next->comments))) {
			return prof_fail_nomem(err);
		}
		memcpy(next->comments, header->comments + kept,
		       next->comment_count * sizeof(*next->comments));
		header->comment_count = kept;
	}
	return true;
}

static bool check_strings(const struct prof_pprof_header *header, uint32_t count,
			  struct prof_error *err)
{
	static const uint8_t strings[] = {
		PROF_PPROF_DROP_FRAMES, PROF_PPROF_KEEP_FRAMES, PROF_PPROF_PERIOD_TYPE,
		PROF_PPROF_DEFAULT_TYPE, PROF_PPROF_DOC_URL
	};
	struct prof_pprof_reach reach = { 0 };

	for (size_t i = 0; i < sizeof(strings); i++) {
		const struct prof_pprof_entry *entry = &header->settled[strings[i]];

		if (!prof_pprof_string(entry->value, count, entry->offset, &reach,
				       err) ||
		    !prof_pprof_string(entry->unit, count, entry->offset, &reach,
				       err)) {
			return false;
		}
	}
	for (size_t i = 0; i < header->comment_count; i++) {
		if (!prof_pprof_string(header->comments[i], count,
				       header->settled[PROF_PPROF_COMMENT].offset,
				       &reach, err)) {
			return false;
		}
	}
	return true;
}

bool prof_pprof_header_get(struct prof_pprof_header *header, uint32_t string_count,
			   struct prof_header *out, struct prof_error *err)
{
	const struct prof_pprof_entry *settled = header->settled;

	prof_pprof_header_settle(header);
	if (!check_strings(header, string_count, err)) {
		return false;
	}
	*out = (struct prof_header){
		.time_ns = (int64_t)settled[PROF_PPROF_TIME].value,
		.duration_ns = (int64_t)settled[PROF_PPROF_DURATION].value,
		.period_type = { (uint32_t)settled[PROF_PPROF_PERIOD_TYPE].value,
				 (uint32_t)settled[PROF_PPROF_PERIOD_TYPE].unit },
		.period = (int64_t)settled[PROF_PPROF_PERIOD].value,
		.default_type = (uint32_t)settled[PROF_PPROF_DEFAULT_TYPE].value,
		.doc_url = (uint32_t)settled[PROF_PPROF_DOC_URL].value,
		.drop_frames = (uint32_t)settled[PROF_PPROF_DROP_FRAMES].value,
		.keep_frames = (uint32_t)settled[PROF_PPROF_KEEP_FRAMES].value,
		.comments = header->comments,
		.comment_count = (uint32_t)header->comment_count,
	};
	return true;
}

void prof_pprof_header_free(struct prof_pprof_header *header)
{
	prof_free(header->comments);
	*header = (struct prof_pprof_header){ 0 };
}

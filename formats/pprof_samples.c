/* SPDX-License-Identifier: MIT */
#include "formats/pprof_samples.h"

#include <inttypes.h>

#include "libprof/base/alloc.h"
#include "libprof/base/limits.h"

enum { LOCATION_ID = 1, VALUE = 2, LABEL = 3 };
enum { LABEL_KEY, LABEL_STR, LABEL_NUM, LABEL_UNIT, LABEL_FIELDS };

/* A sample on its way into the batch, whose counts move only when it is complete. */
struct sample {
	struct prof_pprof_decoder *decoder;
	const struct prof_pprof_record *record;
	size_t frames; /* where the next goes */
	size_t labels;
	uint64_t values; /* how many; only those with a column are stored */
	bool missing;    /* a location is not known (yet) */
};

bool prof_pprof_string(uint64_t index, uint32_t count, uint64_t offset,
		       struct prof_pprof_reach *reach, struct prof_error *err)
{
	if (index >= PROF_NONE || (count > 0 && index >= count)) {
		return prof_fail_at(err, PROF_ERR_SYNTAX, offset,
				    "string %" PRId64 " is not defined",
				    (int64_t)index);
	}
	if (index > reach->index) {
		*reach = (struct prof_pprof_reach){ index, offset };
	}
	return true;
}

bool prof_pprof_check_reach(const struct prof_pprof_reach *reach, uint32_t count,
			    struct prof_error *err)
{
	uint64_t index = reach->index;

	return index < count ||
	       prof_fail_at(err, PROF_ERR_SYNTAX, reach->offset,
			    "string %" PRIu64 " is not defined", index);
}

static bool fault(const struct sample *sample, enum prof_wire_fault fault,
		  struct prof_error *err)
{
	return prof_fail_at(err, PROF_ERR_SYNTAX, sample->record->offset,
			    "the sample has %s", prof_wire_fault_text(fault));
}

/* Frames */

static bool too_deep(const struct sample *sample, struct prof_error *err)
{
	return prof_fail_at(err, PROF_ERR_LIMIT, sample->record->offset,
			    "the stack has more than %" PRIu32 " frames",
			    PROF_MAX_DEPTH);
}

/* How many varints end in the bytes. */
static size_t count_varints(struct prof_wire ids)
{
	size_t count = 0;

	for (const uint8_t *at = ids.at; at < ids.end; at++) {
		count += *at < 0x80;
	}
	return count;
}

/* Make room for `ids`, more than there is, or find that they are too many. */
static bool more_frames(struct sample *sample, struct prof_wire ids,
			struct prof_error *err)
{
	struct prof_pprof_decoder *decoder = sample->decoder;
	size_t depth = sample->frames - decoder->frame_count;
	size_t more = (size_t)(ids.end - ids.at);

	if (depth + more > PROF_MAX_DEPTH) {
		more = count_varints(ids);
		if (depth + more > PROF_MAX_DEPTH) {
			return too_deep(sample, err);
		}
	}
	return prof_reserve((void **)&decoder->frames, &decoder->frame_cap,
			    sample->frames + more + PROF_PPROF_OVERRUN,
			    sizeof(*decoder->frames)) ||
	       prof_fail_nomem(err);
}

/* Room for one frame a byte. */
static inline bool frame_room(struct sample *sample, struct prof_wire ids,
			      struct prof_error *err)
{
	const struct prof_pprof_decoder *decoder = sample->decoder;
	size_t more = (size_t)(ids.end - ids.at);

	return (sample->frames - decoder->frame_count + more <= PROF_MAX_DEPTH &&
		sample->frames + more + PROF_PPROF_OVERRUN <= decoder->frame_cap) ||
	       more_frames(sample, ids, err);
}

/* Refs that a kernel wrote are ids less 1: look them up, unless they are refs already. */
static bool look_up(const struct prof_pprof_ids *ids, uint32_t *refs, size_t count)
{
	uint32_t none = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t at = refs[i];
		uint32_t ref = at < ids->direct_len ? ids->direct[at] : PROF_NONE;

		if (ref == PROF_NONE) {
			ref = prof_pprof_ids_search(ids, (uint64_t)at + 1);
		}
		refs[i] = ref;
		none |= ref == PROF_NONE;
	}
	return none == 0;
}

static bool take_ids(struct sample *sample, struct prof_wire ids,
		     struct prof_error *err)
{
	struct prof_pprof_decoder *decoder = sample->decoder;
	const struct prof_pprof_ids *locations = decoder->locations;
	uint32_t limit = locations->crooked ? UINT32_MAX : locations->count;

	if (!frame_room(sample, ids, err)) {
		return false;
	}
	while (ids.at < ids.end) {
		uint32_t *first = decoder->frames + sample->frames;
		struct prof_pprof_refs refs = { first, limit, false };
		uint64_t id = 0;

		ids.at = decoder->kernel(ids.at, ids.end, &refs);
		sample->frames += (size_t)(refs.out - first);
		sample->missing |= refs.beyond;
		if (locations->crooked) {
			sample->missing |=
				!look_up(locations, first, (size_t)(refs.out - first));
		}
		if (ids.at == ids.end) {
			break;
		}
		if (!prof_wire_varint(&ids, &id)) {
			return fault(sample, prof_wire_fault(ids), err);
		}
		*refs.out = prof_pprof_ids_find(locations, id);
		sample->missing |= *refs.out == PROF_NONE;
		sample->frames++;
	}
	return true;
}

/* Values and labels */

static bool take_values(struct sample *sample, struct prof_wire values,
			struct prof_error *err)
{
	const struct prof_pprof_decoder *decoder = sample->decoder;
	uint32_t columns = decoder->type_count;
	int64_t *row = decoder->rows->values + (size_t)decoder->sample_count * columns;
	uint64_t count = sample->values;
	uint64_t value = 0;

	for (; values.at < values.end; count++) {
		if (!prof_wire_varint(&values, &value)) {
			return fault(sample, prof_wire_fault(values), err);
		}
		if (count < columns) {
			row[count] = (int64_t)value;
		}
	}
	sample->values = count;
	return true;
}

/* Text, or a number unless it is 0 without a unit, which the format cannot tell. */
static bool take_label(struct sample *sample, struct prof_wire label,
		       struct prof_error *err)
{
	struct prof_pprof_decoder *decoder = sample->decoder;
	uint64_t numbers[LABEL_FIELDS] = { 0 };
	enum prof_wire_fault wrong = prof_wire_numbers(label, numbers, LABEL_FIELDS);
	uint32_t count = decoder->string_count;
	uint64_t offset = sample->record->offset;

	if (wrong != PROF_WIRE_OK) {
		return fault(sample, wrong, err);
	}
	if (!prof_pprof_string(numbers[LABEL_KEY], count, offset, &decoder->reach,
			       err) ||
	    !prof_pprof_string(numbers[LABEL_STR], count, offset, &decoder->reach,
			       err) ||
	    !prof_pprof_string(numbers[LABEL_UNIT], count, offset, &decoder->reach,
			       err)) {
		return false;
	}
	if (numbers[LABEL_STR] == 0 && numbers[LABEL_NUM] == 0 &&
	    numbers[LABEL_UNIT] == 0) {
		return true;
	}
	if (!prof_reserve((void **)&decoder->labels, &decoder->label_cap,
			  sample->labels + 1, sizeof(*decoder->labels))) {
		return prof_fail_nomem(err);
	}
	decoder->labels[sample->labels] = (struct prof_label){
		.key = (uint32_t)numbers[LABEL_KEY],
		.text = (uint32_t)numbers[LABEL_STR],
	};
	if (numbers[LABEL_STR] == 0) {
		decoder->labels[sample->labels].number = (int64_t)numbers[LABEL_NUM];
		decoder->labels[sample->labels].unit = (uint32_t)numbers[LABEL_UNIT];
	}
	sample->labels++;
	return true;
}

/* Samples */

/* What the loop below does not know by its first byte. */
static bool take_field(struct sample *sample, const struct prof_wire_field *field,
		       struct prof_error *err)
{
	struct prof_wire inside = prof_wire_inside(field);

	if (field->number == 0 || field->number > LABEL) {
		return true;
	}
	if (field->type != PROF_WIRE_BYTES &&
	    (field->number == LABEL || field->type != PROF_WIRE_VARINT)) {
		return fault(sample, PROF_WIRE_MISMATCH, err);
	}
	if (field->number == LABEL) {
		return sample->decoder->sink->no_labels ||
		       take_label(sample, inside, err);
	}
	return field->number == VALUE ? take_values(sample, inside, err)
				      : take_ids(sample, inside, err);
}

static bool take_fields(struct sample *sample, struct prof_error *err)
{
	struct prof_wire wire = prof_wire_inside(&sample->record->field);
	struct prof_wire_field field = { 0 };

	while (prof_wire_next(&wire, &field)) {
		if (!take_field(sample, &field, err)) {
			return false;
		}
	}
	return wire.at == wire.end || fault(sample, prof_wire_fault(wire), err);
}

/* The one thing worth a second look at a sample: which location it misses. */
static bool missing_location(const struct sample *sample, struct prof_error *err)
{
	const struct prof_pprof_ids *locations = sample->decoder->locations;
	struct prof_wire wire = prof_wire_inside(&sample->record->field);
	struct prof_wire_field field = { 0 };
	uint64_t id = 0;
	bool found = false;

	while (!found && prof_wire_next(&wire, &field)) {
		struct prof_wire ids = prof_wire_inside(&field);

		if (field.number != LOCATION_ID) {
			continue;
		}
		while (!found && prof_wire_varint(&ids, &id)) {
			found = prof_pprof_ids_find(locations, id) == PROF_NONE;
		}
	}
	return prof_fail_at(err, PROF_ERR_SYNTAX, sample->record->offset,
			    "location %" PRIu64 " is not defined", id);
}

static bool wrong_values(const struct sample *sample, struct prof_error *err)
{
	uint32_t types = sample->decoder->type_count;

	if (types == 0) {
		return prof_fail_at(err, PROF_ERR_SYNTAX, sample->record->offset,
				    "the profile has samples but no sample type");
	}
	return prof_fail_at(err, PROF_ERR_SYNTAX, sample->record->offset,
			    "the sample has %" PRIu64 " value%s, the profile has "
			    "%" PRIu32 " type%s",
			    sample->values, sample->values == 1 ? "" : "s", types,
			    types == 1 ? "" : "s");
}

enum prof_pprof_verdict prof_pprof_decode(struct prof_pprof_decoder *decoder,
					  const struct prof_pprof_record *record,
					  struct prof_error *err)
{
	struct sample sample = { .decoder = decoder,
				 .record = record,
				 .frames = decoder->frame_count,
				 .labels = decoder->label_count };

	if (!decoder->rows) {
		decoder->rows = prof_alloc(sizeof(*decoder->rows));
		if (!decoder->rows) {
			prof_error_set(err, PROF_ERR_NOMEM, "out of memory");
			return PROF_PPROF_BROKEN;
		}
	}
	if (!take_fields(&sample, err)) {
		return PROF_PPROF_BROKEN;
	}
	if (sample.values != decoder->type_count || decoder->type_count == 0) {
		return !decoder->final || wrong_values(&sample, err)
			       ? PROF_PPROF_WAITS
			       : PROF_PPROF_BROKEN;
	}
	if (sample.missing) {
		return !decoder->final || missing_location(&sample, err)
			       ? PROF_PPROF_WAITS
			       : PROF_PPROF_BROKEN;
	}
	decoder->frame_count = sample.frames;
	decoder->label_count = sample.labels;
	decoder->rows->ends[decoder->sample_count] = (uint32_t)sample.frames;
	decoder->rows->label_ends[decoder->sample_count] = (uint32_t)sample.labels;
	decoder->sample_count++;
	decoder->taken++;
	return PROF_PPROF_TAKEN;
}

bool prof_pprof_flush(struct prof_pprof_decoder *decoder, struct prof_error *err)
{
	const struct prof_pprof_rows *rows = decoder->rows;
	struct prof_batch batch = { .count = decoder->sample_count,
				    .frames = decoder->frames,
				    .labels = decoder->labels };

	if (batch.count == 0) {
		return true;
	}
	batch.ends = rows->ends;
	batch.values = rows->values;
	batch.label_ends = decoder->label_count > 0 ? rows->label_ends : NULL;
	decoder->sample_count = 0;
	decoder->frame_count = 0;
	decoder->label_count = 0;
	return decoder->sink->samples(decoder->sink, &batch, err);
}

bool prof_pprof_decode_queue(struct prof_pprof_decoder *decoder,
			     struct prof_pprof_queue *queue, struct prof_error *err)
{
	struct prof_pprof_run run = { 0 };
	struct prof_pprof_record record = { 0 };

	while (prof_pprof_queue_take(queue, &run)) {
		while (prof_pprof_run_next(&run, &record)) {
			if (prof_pprof_decode(decoder, &record, err) !=
				    PROF_PPROF_TAKEN ||
			    (prof_pprof_full(decoder) &&
			     !prof_pprof_flush(decoder, err))) {
				return false;
			}
		}
	}
	return prof_pprof_flush(decoder, err);
}

void prof_pprof_decoder_free(struct prof_pprof_decoder *decoder)
{
	prof_free(decoder->rows);
	prof_free(decoder->frames);
	prof_free(decoder->labels);
	*decoder = (struct prof_pprof_decoder){ 0 };
}

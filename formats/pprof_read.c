/* SPDX-License-Identifier: MIT */
/*
 * Reading in one pass. For an early sink records go out as they come, in the memory of
 * what must be known of them; samples wait as raw bytes only when they use locations
 * that have not come. For other sinks everything but the strings waits, and goes out in
 * the order of sink.h when the profile has ended.
 */
#include "formats/pprof.h"

#include <inttypes.h>
#include <pthread.h>

#include "formats/pprof_header.h"
#include "formats/pprof_queue.h"
#include "formats/pprof_samples.h"
#include "formats/pprof_tables.h"
#include "formats/wire.h"
#include "libprof/base/limits.h"

enum {
	TEXT_BATCH = 512,
	FORK_FROM = 4 << 20, /* waiting bytes that are worth a second thread */
};

/* One profile of the input. */
struct profile {
	struct prof_pprof_header header;
	struct prof_value_type types[PROF_MAX_SAMPLE_TYPE];
	uint32_t type_count;
	bool types_sent;
	bool types_passed; /* a record of fields 2 to 6 came behind the sample types */
	uint32_t string_count;
	struct prof_pprof_reach reach; /* of the types */
	struct prof_pprof_tables tables;
	struct prof_pprof_decoder decoder;
	bool waiting; /* one sample had to wait, so the later ones do too */

	struct prof_pprof_queue samples;
	struct prof_pprof_queue mappings; /* these three for sinks that are not early */
	struct prof_pprof_queue functions;
	struct prof_pprof_queue locations;
};

struct reader {
	struct prof_window *in;
	struct prof_sink *sink;
	struct profile profile;
	bool begun;
	struct prof_text texts[TEXT_BATCH]; /* in the window, not delivered yet */
	uint32_t text_count;
};

static void free_profile(struct profile *profile)
{
	prof_pprof_header_free(&profile->header);
	prof_pprof_tables_free(&profile->tables);
	prof_pprof_decoder_free(&profile->decoder);
	prof_pprof_queue_free(&profile->samples);
	prof_pprof_queue_free(&profile->mappings);
	prof_pprof_queue_free(&profile->functions);
	prof_pprof_queue_free(&profile->locations);
}

static bool begin(struct reader *reader, struct prof_error *err)
{
	struct profile *profile = &reader->profile;

	*profile = (struct profile){
		.tables = { .sink = reader->sink },
		.decoder = { .sink = reader->sink,
			     .locations = &profile->tables.locations,
			     .kernel = prof_pprof_best_kernel() },
	};
	reader->begun = true;
	return reader->sink->begin(reader->sink, err);
}

/* Strings and types */

static bool flush_strings(struct reader *reader, struct prof_error *err)
{
	uint32_t count = reader->text_count;

	reader->text_count = 0;
	return count == 0 ||
	       reader->sink->strings(reader->sink, reader->texts, count, err);
}

static bool take_string(struct reader *reader, const struct prof_pprof_record *record,
			struct prof_error *err)
{
	struct profile *profile = &reader->profile;
	struct prof_text text = { (const char *)record->field.bytes,
				  record->field.len };

	if (profile->string_count == 0 && text.len > 0) {
		return prof_fail_at(err, PROF_ERR_SYNTAX, record->offset,
				    "string 0 is not empty");
	}
	if (profile->string_count == PROF_NONE - 1) {
		return prof_fail_at(err, PROF_ERR_LIMIT, record->offset,
				    "too many strings");
	}
	profile->string_count++;
	reader->texts[reader->text_count++] = text;
	return reader->text_count < TEXT_BATCH || flush_strings(reader, err);
}

static bool take_type(struct profile *profile, const struct prof_pprof_record *record,
		      struct prof_error *err)
{
	uint64_t numbers[2] = { 0 };

	if (!prof_pprof_type(record, "sample type", numbers, err)) {
		return false;
	}
	if (profile->type_count == PROF_MAX_SAMPLE_TYPE) {
		return prof_fail_at(err, PROF_ERR_LIMIT, record->offset,
				    "more than %" PRIu32 " sample types",
				    PROF_MAX_SAMPLE_TYPE);
	}
	/* An early sink has samples by now, with one value too few. */
	if (profile->decoder.taken > 0) {
		return prof_fail_at(err, PROF_ERR_AGAIN, record->offset,
				    "a sample type behind the samples");
	}
	if (!prof_pprof_string(numbers[0], 0, record->offset, &profile->reach, err) ||
	    !prof_pprof_string(numbers[1], 0, record->offset, &profile->reach, err)) {
		return false;
	}
	profile->types[profile->type_count++] =
		(struct prof_value_type){ (uint32_t)numbers[0], (uint32_t)numbers[1] };
	profile->decoder.type_count = profile->type_count;
	return true;
}

static bool send_types(struct reader *reader, struct prof_error *err)
{
	struct profile *profile = &reader->profile;

	if (profile->types_sent) {
		return true;
	}
	profile->types_sent = true;
	return reader->sink->types(reader->sink, profile->types, profile->type_count,
				   err);
}

/* Samples */

static bool flush_samples(struct reader *reader, struct prof_error *err)
{
	return (reader->profile.decoder.sample_count == 0 || send_types(reader, err)) &&
	       prof_pprof_flush(&reader->profile.decoder, err);
}

static bool take_sample(struct reader *reader, const struct prof_pprof_record *record,
			struct prof_error *err)
{
	struct profile *profile = &reader->profile;

	if (reader->sink->early && !profile->waiting) {
		switch (prof_pprof_decode(&profile->decoder, record, err)) {
		case PROF_PPROF_TAKEN:
			return !prof_pprof_full(&profile->decoder) ||
			       flush_samples(reader, err);
		case PROF_PPROF_BROKEN:
			return false;
		case PROF_PPROF_WAITS:
			profile->waiting = true;
		}
	}
	return prof_pprof_queue_add(&profile->samples, record) || prof_fail_nomem(err);
}

/* Half of the waiting samples, for a thread of its own. */
struct half {
	struct prof_pprof_decoder decoder;
	struct prof_pprof_queue queue;
	bool done;
	struct prof_error err;
};

static void *decode_half(void *data)
{
	struct half *half = data;

	half->done = prof_pprof_decode_queue(&half->decoder, &half->queue, &half->err);
	return NULL;
}

/* Both halves at once, into `sink` and its fork, which is joined whatever happens. */
static bool decode_both(struct profile *profile, struct prof_sink *fork,
			struct prof_error *err)
{
	struct prof_pprof_decoder *decoder = &profile->decoder;
	struct prof_error join_err = { 0 };
	struct half half = { .decoder = { .sink = fork,
					  .locations = decoder->locations,
					  .kernel = decoder->kernel,
					  .type_count = decoder->type_count,
					  .final = true,
					  .string_count = decoder->string_count } };
	pthread_t thread;
	bool threaded = false;
	bool done = false;

	prof_pprof_queue_split(&profile->samples, &half.queue);
	threaded = pthread_create(&thread, NULL, decode_half, &half) == 0;
	done = prof_pprof_decode_queue(decoder, &profile->samples, err);
	if (threaded) {
		pthread_join(thread, NULL);
	} else if (done) {
		decode_half(&half);
	}
	if (done && !half.done) {
		*err = half.err;
		done = false;
	}
	prof_pprof_decoder_free(&half.decoder);
	prof_pprof_queue_free(&half.queue);
	if (!decoder->sink->join(decoder->sink, fork, done ? err : &join_err)) {
		return false;
	}
	return done;
}

static bool decode_waiting(struct reader *reader, struct prof_error *err)
{
	struct profile *profile = &reader->profile;
	struct prof_sink *fork = NULL;

	if (!flush_samples(reader, err) || !send_types(reader, err)) {
		return false;
	}
	profile->decoder.final = true;
	profile->decoder.string_count = profile->string_count;
	if (profile->samples.bytes >= FORK_FROM && reader->sink->fork) {
		fork = reader->sink->fork(reader->sink);
	}
	return fork ? decode_both(profile, fork, err)
		    : prof_pprof_decode_queue(&profile->decoder, &profile->samples,
					      err);
}

/* The end of a profile */

typedef bool take_record_fn(struct prof_pprof_tables *tables,
			    const struct prof_pprof_record *record,
			    struct prof_error *err);

static bool take_queue(struct profile *profile, struct prof_pprof_queue *queue,
		       take_record_fn *take, struct prof_error *err)
{
	struct prof_pprof_run run = { 0 };
	struct prof_pprof_record record = { 0 };

	while (prof_pprof_queue_take(queue, &run)) {
		while (prof_pprof_run_next(&run, &record)) {
			if (!take(&profile->tables, &record, err)) {
				return false;
			}
		}
	}
	return true;
}

static bool finish_tables(struct profile *profile, struct prof_error *err)
{
	uint32_t count = profile->string_count;

	return prof_pprof_check_reach(&profile->reach, count, err) &&
	       prof_pprof_check_reach(&profile->tables.reach, count, err) &&
	       prof_pprof_tables_finish(&profile->tables, count, err) &&
	       take_queue(profile, &profile->mappings, prof_pprof_take_mapping, err) &&
	       take_queue(profile, &profile->functions, prof_pprof_take_function,
			  err) &&
	       take_queue(profile, &profile->locations, prof_pprof_take_location, err);
}

static bool finish(struct reader *reader, struct prof_error *err)
{
	struct profile *profile = &reader->profile;
	struct prof_header header = { 0 };

	if (!flush_strings(reader, err)) {
		return false;
	}
	if (profile->string_count == 0) {
		return prof_fail(err, PROF_ERR_SYNTAX,
				 "the profile has no string table");
	}
	return finish_tables(profile, err) && decode_waiting(reader, err) &&
	       prof_pprof_check_reach(&profile->decoder.reach, profile->string_count,
				      err) &&
	       prof_pprof_header_get(&profile->header, profile->string_count, &header,
				     err) &&
	       reader->sink->end(reader->sink, &header, err);
}

/* The next profile has begun, with what the header holds that is of it already. */
static bool restart(struct reader *reader, struct prof_error *err)
{
	struct prof_pprof_header next = { 0 };

	if (!prof_pprof_header_split(&reader->profile.header, &next, err) ||
	    !finish(reader, err)) {
		prof_pprof_header_free(&next);
		return false;
	}
	free_profile(&reader->profile);
	if (!begin(reader, err)) {
		prof_pprof_header_free(&next);
		return false;
	}
	reader->profile.header = next;
	return true;
}

/* Records */

/* Is this record of the next profile? The rule stands in pprof_header.h. */
static bool is_sign(const struct profile *profile, uint64_t number)
{
	if (profile->string_count == 0) {
		return false;
	}
	return number == PROF_PPROF_SAMPLE_TYPE
		       ? profile->types_passed
		       : number == PROF_PPROF_TIME &&
				 prof_pprof_header_has(&profile->header,
						       PROF_PPROF_TIME);
}

/* A record that an early sink gets now and any other at the end. */
static bool take_or_keep(struct reader *reader, const struct prof_pprof_record *record,
			 struct prof_error *err)
{
	struct profile *profile = &reader->profile;
	struct prof_pprof_queue *queue = &profile->functions;
	take_record_fn *take = prof_pprof_take_function;

	if (record->field.number == PROF_PPROF_MAPPING) {
		queue = &profile->mappings;
		take = prof_pprof_take_mapping;
	} else if (record->field.number == PROF_PPROF_LOCATION) {
		queue = &profile->locations;
		take = prof_pprof_take_location;
	}
	if (reader->sink->early) {
		return take(&profile->tables, record, err);
	}
	return prof_pprof_queue_add(queue, record) || prof_fail_nomem(err);
}

static bool take_head_record(struct reader *reader,
			     const struct prof_pprof_record *record,
			     struct prof_error *err)
{
	struct profile *profile = &reader->profile;

	if (is_sign(profile, record->field.number) && !restart(reader, err)) {
		return false;
	}
	return record->field.number == PROF_PPROF_SAMPLE_TYPE
		       ? take_type(profile, record, err)
		       : prof_pprof_header_take(&profile->header, record, err);
}

static bool take_record(struct reader *reader, const struct prof_pprof_record *record,
			struct prof_error *err)
{
	struct profile *profile = &reader->profile;
	uint64_t number = record->field.number;

	if (number == 0 || number >= PROF_PPROF_FIELDS) {
		return true;
	}
	if ((record->field.type != PROF_WIRE_BYTES || number > PROF_PPROF_STRING) &&
	    !prof_pprof_type_fits(number, record->field.type)) {
		return prof_fail_at(err, PROF_ERR_SYNTAX, record->offset,
				    "the %s has wire type %" PRIu32,
				    prof_pprof_field_name(number), record->field.type);
	}
	if (number == PROF_PPROF_SAMPLE_TYPE || number > PROF_PPROF_STRING) {
		return take_head_record(reader, record, err);
	}
	if (profile->header.tentative_count > 0) {
		prof_pprof_header_settle(&profile->header);
	}
	profile->types_passed = profile->type_count > 0;
	switch (number) {
	case PROF_PPROF_SAMPLE:
		return take_sample(reader, record, err);
	case PROF_PPROF_STRING:
		return take_string(reader, record, err);
	default:
		return take_or_keep(reader, record, err);
	}
}

/* Before the first byte there is no place for it. */
static struct prof_wire window_bytes(const struct prof_window *in)
{
	return in->len > 0 ? (struct prof_wire){ in->data, in->data + in->len }
			   : (struct prof_wire){ NULL, NULL };
}

/* Take the whole records of the window. What is left of it is cut, or nothing. */
static bool take_window(struct reader *reader, struct prof_error *err)
{
	struct prof_window *in = reader->in;
	struct prof_wire bytes = window_bytes(in);
	struct prof_pprof_run run = {
		.wire = bytes,
		.start = bytes.at,
		.offset = in->offset,
	};
	struct prof_pprof_record record = { 0 };
	enum prof_wire_fault fault = PROF_WIRE_OK;

	while (prof_pprof_run_next(&run, &record)) {
		if (!take_record(reader, &record, err)) {
			return false;
		}
	}
	fault = prof_wire_fault(run.wire);
	if (run.wire.at > run.start) {
		prof_window_skip(in, (size_t)(run.wire.at - run.start));
	}
	if (fault != PROF_WIRE_OK && fault != PROF_WIRE_CUT) {
		return prof_fail_at(err, PROF_ERR_SYNTAX, in->offset,
				    "the profile has %s", prof_wire_fault_text(fault));
	}
	return flush_strings(reader, err); /* the window moves */
}

static bool cut(const struct prof_wire_field *field, uint64_t offset,
		struct prof_error *err)
{
	return prof_fail_at(err, PROF_ERR_SYNTAX, offset,
			    "the %s of %" PRIu64
			    " bytes goes past the end of the input",
			    prof_pprof_field_name(field->number), field->value);
}

/* A record too large to hold: see whether it is there at all, to say what is wrong. */
static bool oversize(struct prof_window *in, const struct prof_wire_field *field,
		     struct prof_error *err)
{
	uint64_t offset = in->offset;
	uint64_t left = field->value;

	prof_window_skip(in, (size_t)(field->bytes - in->data));
	while (left > 0) {
		size_t step = left < in->len ? (size_t)left : in->len;

		prof_window_skip(in, step);
		left -= step;
		if (left > 0 && in->len == 0 && in->ended) {
			return cut(field, offset, err);
		}
		if (left > 0 && !prof_window_more(in, err)) {
			return false;
		}
	}
	return prof_fail_at(err, PROF_ERR_LIMIT, offset,
			    "the %s of %" PRIu64 " bytes is longer than %" PRIu64,
			    prof_pprof_field_name(field->number), field->value,
			    PROF_MAX_STRING);
}

/* Complete the record that the window begins with, if the input has the rest. */
static bool fill_window(struct reader *reader, struct prof_error *err)
{
	struct prof_window *in = reader->in;
	struct prof_wire wire = window_bytes(in);
	struct prof_wire_field field = { 0 };
	size_t need = in->len + 1;

	/* Asking for more would copy what is there, so it is not done for nothing. */
	if (prof_wire_next(&wire, &field)) {
		return true;
	}
	if (prof_wire_head(&wire, &field) && field.len > 0) {
		if (field.value > PROF_MAX_STRING) {
			return oversize(in, &field, err);
		}
		need = (size_t)(wire.at - in->data) + field.len;
	}
	return prof_window_need(in, need, err);
}

static bool read_all(struct reader *reader, struct prof_error *err)
{
	struct prof_window *in = reader->in;
	struct prof_wire wire = { 0 };
	struct prof_wire_field field = { 0 };

	do {
		if (!fill_window(reader, err)) {
			return false;
		}
		if (in->len > 0 && !reader->begun && !begin(reader, err)) {
			return false;
		}
		if (!take_window(reader, err)) {
			return false;
		}
	} while (!in->ended);
	wire = window_bytes(in);
	if (in->len > 0) {
		return prof_wire_head(&wire, &field) && field.type == PROF_WIRE_BYTES
			       ? cut(&field, in->offset, err)
			       : prof_fail_at(err, PROF_ERR_SYNTAX, in->offset,
					      "the input ends inside a field");
	}
	return reader->begun ? finish(reader, err)
			     : prof_fail(err, PROF_ERR_SYNTAX, "the input is empty");
}

bool prof_pprof_read(struct prof_window *in, struct prof_sink *out,
		     struct prof_error *err)
{
	struct reader reader = { .in = in, .sink = out };
	bool done = read_all(&reader, err);

	free_profile(&reader.profile);
	return done;
}

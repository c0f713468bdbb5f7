/* SPDX-License-Identifier: MIT */
/*
 * record.h - a sink that writes down what it gets, a line for every record.
 *
 *	struct record record = record_new(early);
 *	read(&window, &record.sink, &err);
 *	record_text(&record)
 *	record_free(&record);
 *
 *	begin
 *	string 0 ''
 *	sample 1 0 = 3 30 {key 5 text 6} {key 5 number -1 unit 2}
 *
 * Batches leave no trace: the text is the same however samples are cut into them.
 */
#ifndef TESTS_RECORD_H
#define TESTS_RECORD_H

#include <inttypes.h>

#include "formats/format.h"
#include "libprof/base/buf.h"
#include "libprof/model/sink.h"
#include "tests/dribble.h"
#include "tests/test.h"

struct record {
	struct prof_sink sink;
	struct prof_buf out;
	uint32_t strings;
	uint32_t types;
};

static inline bool record_check(struct record *record, struct prof_error *err)
{
	return !record->out.failed || prof_fail_nomem(err);
}

static inline bool record_begin(struct prof_sink *sink, struct prof_error *err)
{
	struct record *record = (struct record *)sink;

	record->strings = 0;
	record->types = 0;
	prof_buf_adds(&record->out, "begin\n");
	return record_check(record, err);
}

static inline bool record_strings(struct prof_sink *sink, const struct prof_text *texts,
				  uint32_t count, struct prof_error *err)
{
	struct record *record = (struct record *)sink;

	for (uint32_t i = 0; i < count; i++) {
		prof_buf_addf(&record->out, "string %" PRIu32 " '", record->strings++);
		prof_text_escape(&record->out, texts[i]);
		prof_buf_adds(&record->out, "'\n");
	}
	return record_check(record, err);
}

static inline bool record_mapping(struct prof_sink *sink,
				  const struct prof_mapping *mapping,
				  struct prof_error *err)
{
	struct record *record = (struct record *)sink;

	prof_buf_addf(&record->out,
		      "mapping %" PRIu32 " id %" PRIu64 " %" PRIx64 "-%" PRIx64
		      " offset %" PRIx64 " file %" PRIu32 " build %" PRIu32
		      " flags %" PRIu32 "\n",
		      mapping->ref, mapping->id, mapping->start, mapping->limit,
		      mapping->offset, mapping->file, mapping->build_id,
		      mapping->flags);
	return record_check(record, err);
}

static inline bool record_function(struct prof_sink *sink,
				   const struct prof_function *function,
				   struct prof_error *err)
{
	struct record *record = (struct record *)sink;

	prof_buf_addf(&record->out,
		      "function id %" PRIu64 " name %" PRIu32 " system %" PRIu32
		      " file %" PRIu32 " start %" PRId64 "\n",
		      function->id, function->name, function->system_name,
		      function->file, function->start_line);
	return record_check(record, err);
}

static inline bool record_location(struct prof_sink *sink,
				   const struct prof_sink_location *location,
				   struct prof_error *err)
{
	struct record *record = (struct record *)sink;

	prof_buf_addf(&record->out, "location id %" PRIu64 " at %" PRIx64, location->id,
		      location->address);
	if (location->mapping != PROF_NONE) {
		prof_buf_addf(&record->out, " mapping %" PRIu32, location->mapping);
	}
	for (uint32_t i = 0; i < location->line_count; i++) {
		const struct prof_line *line = &location->lines[i];

		prof_buf_addf(&record->out, " (%" PRIu32 " %" PRId64 " %" PRId64 ")",
			      line->function, line->line, line->column);
	}
	prof_buf_adds(&record->out, location->folded ? " folded\n" : "\n");
	return record_check(record, err);
}

static inline bool record_types(struct prof_sink *sink,
				const struct prof_value_type *types, uint32_t count,
				struct prof_error *err)
{
	struct record *record = (struct record *)sink;

	record->types = count;
	prof_buf_adds(&record->out, "types");
	for (uint32_t i = 0; i < count; i++) {
		prof_buf_addf(&record->out, " %" PRIu32 "/%" PRIu32, types[i].type,
			      types[i].unit);
	}
	prof_buf_adds(&record->out, "\n");
	return record_check(record, err);
}

static inline void record_label(struct prof_buf *out, const struct prof_label *label)
{
	prof_buf_addf(out, " {key %" PRIu32, label->key);
	if (label->text != 0) {
		prof_buf_addf(out, " text %" PRIu32 "}", label->text);
	} else {
		prof_buf_addf(out, " number %" PRId64 " unit %" PRIu32 "}",
			      label->number, label->unit);
	}
}

static inline bool record_samples(struct prof_sink *sink,
				  const struct prof_batch *batch,
				  struct prof_error *err)
{
	struct record *record = (struct record *)sink;
	uint32_t frame = 0;
	uint32_t label = 0;

	for (uint32_t i = 0; i < batch->count; i++) {
		prof_buf_adds(&record->out, "sample");
		for (; frame < batch->ends[i]; frame++) {
			prof_buf_addf(&record->out, " %" PRIu32, batch->frames[frame]);
		}
		prof_buf_adds(&record->out, " =");
		for (uint32_t c = 0; c < record->types; c++) {
			prof_buf_addf(&record->out, " %" PRId64,
				      batch->values[(size_t)i * record->types + c]);
		}
		for (; batch->label_ends && label < batch->label_ends[i]; label++) {
			record_label(&record->out, &batch->labels[label]);
		}
		prof_buf_adds(&record->out, "\n");
	}
	return record_check(record, err);
}

static inline bool record_end(struct prof_sink *sink, const struct prof_header *header,
			      struct prof_error *err)
{
	struct record *record = (struct record *)sink;

	prof_buf_addf(&record->out,
		      "end time %" PRId64 " duration %" PRId64 " period %" PRId64
		      " of %" PRIu32 "/%" PRIu32 " default %" PRIu32 " url %" PRIu32
		      " drop %" PRIu32 " keep %" PRIu32 " comments",
		      header->time_ns, header->duration_ns, header->period,
		      header->period_type.type, header->period_type.unit,
		      header->default_type, header->doc_url, header->drop_frames,
		      header->keep_frames);
	for (uint32_t i = 0; i < header->comment_count; i++) {
		prof_buf_addf(&record->out, " %" PRIu32, header->comments[i]);
	}
	prof_buf_adds(&record->out, "\n");
	return record_check(record, err);
}

static inline struct record record_new(bool early)
{
	return (struct record){ .sink = { .early = early,
					  .begin = record_begin,
					  .strings = record_strings,
					  .mapping = record_mapping,
					  .function = record_function,
					  .location = record_location,
					  .types = record_types,
					  .samples = record_samples,
					  .end = record_end } };
}

/* All lines, NUL-terminated. */
static inline const char *record_text(struct record *record)
{
	assert_true(prof_buf_reserve(&record->out, 1));
	record->out.data[record->out.len] = '\0';
	return record->out.data;
}

static inline void record_free(struct record *record)
{
	prof_buf_free(&record->out);
}

/* Read `bytes`, `step` at a time, or all at once from memory when that is 0. */
static inline bool record_read(struct record *record, const struct prof_format *format,
			       const struct prof_buf *bytes, size_t step,
			       struct prof_error *err)
{
	struct dribble in = dribble(bytes->data ? bytes->data : "", bytes->len, step);
	struct prof_source *source =
		step > 0 ? &in.base : prof_source_memory(bytes->data, bytes->len);
	struct prof_window window = prof_window(source);
	bool done = source ? format->read(&window, &record->sink, err)
			   : prof_fail_nomem(err);

	prof_window_free(&window);
	prof_source_free(source);
	return done;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Writing in one pass: the size of every message is known before its first byte, so it
 * goes straight to its place. Location ids are encoded once per location, not per frame.
 */
#include <endian.h>
#include <inttypes.h>
#include <string.h>

#include "formats/pprof.h"
#include "formats/pprof_cold.h"
#include "formats/pprof_header.h"
#include "formats/wire.h"
#include "libprof/base/alloc.h"

enum {
	HEAD_SIZE = 1 + PROF_WIRE_MAX_VARINT, /* tag and length */
	CODE_BYTES = 7,
	CODE_SIZE_AT = 8 * CODE_BYTES,
	MAX_NUMBERS = 10,
};

/* Fields 1 to count of a message that holds nothing but numbers; zeros are left out. */
struct numbers {
	uint64_t values[MAX_NUMBERS];
	uint32_t count;
};

struct writer {
	const struct prof_profile *profile;
	struct prof_buf *out;

	/*
	 * Location ids as varints: up to seven bytes, the first lowest, and how many
	 * there are in the highest. Longer ids have only their size here.
	 */
	uint64_t *codes;
};

/* `more` bytes behind what is written so far; NULL when there is no room. */
static uint8_t *room(struct prof_buf *out, size_t more)
{
	return prof_buf_reserve(out, more) ? (uint8_t *)out->data + out->len : NULL;
}

static void wrote(struct prof_buf *out, const uint8_t *end)
{
	out->len = (size_t)(end - (const uint8_t *)out->data);
}

static uint8_t *put_tag(uint8_t *at, uint32_t field, enum prof_wire_type type)
{
	*at++ = (uint8_t)(field << 3 | type);
	return at;
}

static uint8_t *put_head(uint8_t *at, uint32_t field, size_t len)
{
	return prof_wire_put(put_tag(at, field, PROF_WIRE_BYTES), len);
}

/* Bytes of a field of `len` bytes with its head. */
static size_t framed(size_t len)
{
	return 1 + prof_wire_size(len) + len;
}

static size_t numbers_size(const struct numbers *numbers)
{
	size_t size = 0;

	for (uint32_t i = 0; i < numbers->count; i++) {
		if (numbers->values[i] != 0) {
			size += 1 + prof_wire_size(numbers->values[i]);
		}
	}
	return size;
}

static uint8_t *put_numbers(uint8_t *at, const struct numbers *numbers)
{
	for (uint32_t i = 0; i < numbers->count; i++) {
		if (numbers->values[i] != 0) {
			at = put_tag(at, i + 1, PROF_WIRE_VARINT);
			at = prof_wire_put(at, numbers->values[i]);
		}
	}
	return at;
}

static void write_numbers(struct prof_buf *out, uint32_t field,
			  const struct numbers *numbers)
{
	size_t size = numbers_size(numbers);
	uint8_t *at = room(out, HEAD_SIZE + size);

	if (at) {
		wrote(out, put_numbers(put_head(at, field, size), numbers));
	}
}

/* Samples */

static bool make_codes(struct writer *writer)
{
	const struct prof_profile *profile = writer->profile;

	writer->codes =
		prof_alloc_array(profile->location_count, sizeof(*writer->codes));
	if (!writer->codes) {
		return false;
	}
	for (uint32_t i = 0; i < profile->location_count; i++) {
		uint8_t bytes[16] = { 0 };
		uint64_t size = prof_wire_size(profile->locations[i].id);
		uint64_t code = 0;

		if (size <= CODE_BYTES) {
			prof_wire_put(bytes, profile->locations[i].id);
			memcpy(&code, bytes, sizeof(code));
		}
		writer->codes[i] = le64toh(code) | size << CODE_SIZE_AT;
	}
	return true;
}

static size_t stack_size(const struct writer *writer, struct prof_frames frames)
{
	size_t size = 0;

	for (size_t i = 0; i < frames.count; i++) {
		size += writer->codes[frames.data[i]] >> CODE_SIZE_AT;
	}
	return size;
}

/* Writes up to 8 bytes behind the last, which the caller has room for. */
static uint8_t *put_stack(const struct writer *writer, struct prof_frames frames,
			  uint8_t *at)
{
	for (size_t i = 0; i < frames.count; i++) {
		uint64_t code = writer->codes[frames.data[i]];
		uint64_t bytes = htole64(code);
		uint64_t size = code >> CODE_SIZE_AT;

		if (size > CODE_BYTES) {
			prof_wire_put(at,
				      writer->profile->locations[frames.data[i]].id);
		} else {
			memcpy(at, &bytes, sizeof(bytes));
		}
		at += size;
	}
	return at;
}

static struct numbers label_numbers(const struct prof_label *label)
{
	if (label->text != 0) {
		return (struct numbers){ { label->key, label->text }, 2 };
	}
	return (struct numbers){
		{ label->key, 0, (uint64_t)label->number, label->unit }, 4
	};
}

static size_t labels_size(struct prof_labels labels)
{
	size_t size = 0;

	for (size_t i = 0; i < labels.count; i++) {
		struct numbers numbers = label_numbers(&labels.data[i]);

		size += framed(numbers_size(&numbers));
	}
	return size;
}

static uint8_t *put_labels(uint8_t *at, struct prof_labels labels)
{
	for (size_t i = 0; i < labels.count; i++) {
		struct numbers numbers = label_numbers(&labels.data[i]);

		at = put_head(at, 3, numbers_size(&numbers));
		at = put_numbers(at, &numbers);
	}
	return at;
}

static size_t values_size(const struct prof_profile *profile, uint32_t sample)
{
	size_t size = 0;

	for (uint32_t i = 0; i < profile->type_count; i++) {
		size += prof_wire_size((uint64_t)profile->values[i][sample]);
	}
	return size;
}

static void write_sample(const struct writer *writer, uint32_t sample)
{
	const struct prof_profile *profile = writer->profile;
	struct prof_frames frames = prof_stack(profile, profile->sample_stack[sample]);
	struct prof_labels labels =
		prof_label_set(profile, profile->sample_set[sample]);
	size_t stack = stack_size(writer, frames);
	size_t values = values_size(profile, sample);
	size_t size = (stack > 0 ? framed(stack) : 0) +
		      (values > 0 ? framed(values) : 0) + labels_size(labels);
	uint8_t *at = room(writer->out, HEAD_SIZE + size + sizeof(uint64_t));

	if (!at) {
		return;
	}
	at = put_head(at, PROF_PPROF_SAMPLE, size);
	if (stack > 0) {
		at = put_stack(writer, frames, put_head(at, 1, stack));
	}
	if (values > 0) {
		at = put_head(at, 2, values);
		for (uint32_t i = 0; i < profile->type_count; i++) {
			at = prof_wire_put(at, (uint64_t)profile->values[i][sample]);
		}
	}
	wrote(writer->out, put_labels(at, labels));
}

/* Tables */

static struct numbers line_numbers(const struct prof_profile *profile,
				   const struct prof_line *line)
{
	return (struct numbers){ { profile->functions[line->function].id,
				   (uint64_t)line->line, (uint64_t)line->column },
				 3 };
}

static void write_location(const struct writer *writer, uint32_t index)
{
	const struct prof_profile *profile = writer->profile;
	const struct prof_location *location = &profile->locations[index];
	struct prof_lines lines = prof_location_lines(profile, index);
	uint64_t mapping = location->mapping != PROF_NONE
				   ? profile->mappings[location->mapping].id
				   : 0;
	struct numbers numbers = { { location->id, mapping, location->address }, 3 };
	size_t size = numbers_size(&numbers) + (location->folded ? 2 : 0);
	uint8_t *at = NULL;

	for (size_t i = 0; i < lines.count; i++) {
		struct numbers line = line_numbers(profile, &lines.data[i]);

		size += framed(numbers_size(&line));
	}
	at = room(writer->out, HEAD_SIZE + size);
	if (!at) {
		return;
	}
	at = put_numbers(put_head(at, PROF_PPROF_LOCATION, size), &numbers);
	for (size_t i = 0; i < lines.count; i++) {
		struct numbers line = line_numbers(profile, &lines.data[i]);

		at = put_numbers(put_head(at, 4, numbers_size(&line)), &line);
	}
	if (location->folded) {
		at = prof_wire_put(put_tag(at, 5, PROF_WIRE_VARINT), 1);
	}
	wrote(writer->out, at);
}

static void write_function(struct prof_buf *out, const struct prof_function *function)
{
	struct numbers numbers = { { function->id, function->name,
				     function->system_name, function->file,
				     (uint64_t)function->start_line },
				   5 };

	write_numbers(out, PROF_PPROF_FUNCTION, &numbers);
}

static void write_string(struct prof_buf *out, struct prof_text text)
{
	uint8_t *at = room(out, HEAD_SIZE + text.len);

	if (at) {
		wrote(out, put_head(at, PROF_PPROF_STRING, text.len));
		prof_buf_add(out, text.data, text.len);
	}
}

static void write_tables(const struct writer *writer)
{
	const struct prof_profile *profile = writer->profile;
	struct prof_buf *out = writer->out;

	prof_pprof_pack_mappings(profile, out);
	for (uint32_t i = 0; i < profile->location_count; i++) {
		write_location(writer, i);
	}
	for (uint32_t i = 0; i < profile->function_count; i++) {
		write_function(out, &profile->functions[i]);
	}
	for (uint32_t i = 0; i < profile->string_count; i++) {
		write_string(out, profile->strings[i]);
	}
}

/* A number 0 without a unit is what a label without a value looks like. */
static void tell_loss(const struct prof_profile *profile, struct prof_buf *loss)
{
	uint32_t count =
		profile->set_count > 0 ? profile->set_ends[profile->set_count] : 0;
	uint64_t lost = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct prof_label *label = &profile->labels[i];

		lost += label->text == 0 && label->number == 0 && label->unit == 0;
	}
	if (lost > 0) {
		prof_buf_addf(loss,
			      "%" PRIu64
			      " label%s of value 0 without a unit %s no place "
			      "in pprof\n",
			      lost, lost == 1 ? "" : "s", lost == 1 ? "has" : "have");
	}
}

bool prof_pprof_write(const struct prof_profile *profile,
		      const struct prof_write_options *options, struct prof_buf *out,
		      struct prof_error *err)
{
	struct writer writer = { .profile = profile, .out = out };

	if (options && options->loss) {
		tell_loss(profile, options->loss);
	}
	if (!make_codes(&writer)) {
		return prof_fail_nomem(err);
	}
	prof_pprof_pack_types(profile, out);
	for (uint32_t i = 0; i < profile->sample_count && !out->failed; i++) {
		write_sample(&writer, i);
	}
	write_tables(&writer);
	prof_pprof_pack_header(profile, out);
	prof_free(writer.codes);
	return !out->failed || prof_fail_nomem(err);
}

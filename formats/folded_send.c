/* SPDX-License-Identifier: MIT */
#include "formats/folded_reader.h"

#include <string.h>

/*
 * Ref of the mapping [kernel]. It is not the first, which stands for the main binary:
 * that one is not known and has no name.
 */
enum { KERNEL = 1 };

bool prof_folded_send_string(struct prof_folded_reader *reader, struct prof_text text,
			     uint32_t *ref, struct prof_error *err)
{
	struct prof_sink *out = reader->out;

	if (text.len == 0) {
		*ref = 0;
		return true;
	}
	*ref = reader->string_count++;
	return out->strings(out, &text, 1, err);
}

/*
 * The strings of the frames from `from` on: per frame its text, and for an annotated
 * one its plain name behind it.
 */
static bool send_names(struct prof_folded_reader *reader, uint32_t from,
		       struct prof_error *err)
{
	struct prof_text texts[256];
	uint32_t count = 0;

	for (uint32_t i = from; i < reader->frames.count; i++) {
		struct prof_text text = reader->frames.items[i];
		size_t plain = prof_folded_plain_len(text);

		texts[count++] = text;
		if (plain < text.len) {
			texts[count++] = (struct prof_text){ text.data, plain };
		}
		if (count >= 255 || i + 1 == reader->frames.count) {
			if (!reader->out->strings(reader->out, texts, count, err)) {
				return false;
			}
			reader->string_count += count;
			count = 0;
		}
	}
	return true;
}

static bool is_kernel(struct prof_text text)
{
	return prof_folded_plain_len(text) < text.len && text.data[text.len - 2] == 'k';
}

/* Whether a kernel frame has arrived since frame `from`. */
static bool meets_kernel(const struct prof_folded_reader *reader, uint32_t from)
{
	for (uint32_t i = from; i < reader->frames.count; i++) {
		if (is_kernel(reader->frames.items[i])) {
			return true;
		}
	}
	return false;
}

static bool send_functions(struct prof_folded_reader *reader, uint32_t from,
			   uint32_t string, struct prof_error *err)
{
	for (uint32_t i = from; i < reader->frames.count; i++) {
		struct prof_text text = reader->frames.items[i];
		struct prof_function function = { .id = i + UINT64_C(1) };

		function.name = string++;
		if (prof_folded_plain_len(text) < text.len) {
			function.system_name = function.name;
			function.name = string++;
		}
		if (!reader->out->function(reader->out, &function, err)) {
			return false;
		}
	}
	return true;
}

static bool send_locations(struct prof_folded_reader *reader, uint32_t from,
			   struct prof_error *err)
{
	for (uint32_t i = from; i < reader->frames.count; i++) {
		struct prof_line line = { .function = i };
		struct prof_sink_location location = {
			.id = i + UINT64_C(1),
			.mapping =
				is_kernel(reader->frames.items[i]) ? KERNEL : PROF_NONE,
			.lines = &line,
			.line_count = 1,
		};

		if (!reader->out->location(reader->out, &location, err)) {
			return false;
		}
	}
	return true;
}

/* Type and unit of a column, without decimals. */
static void column_type(const struct prof_folded_reader *reader, uint32_t column,
			struct prof_text *type, struct prof_text *unit)
{
	const char *slash;

	if (reader->columns == FOLDED_COLUMNS_DECLARED) {
		*type = reader->declared[column];
		slash = memchr(type->data, '/', type->len);
		*unit = (struct prof_text){
			slash + 1, type->len - (size_t)(slash - type->data) - 1
		};
		type->len = (size_t)(slash - type->data);
	} else if (reader->columns == FOLDED_COLUMNS_DIFFERENTIAL) {
		*type = prof_text(column == 0 ? "before" : "after");
		*unit = prof_text("count");
	} else {
		*type = prof_text(reader->austin_type ? reader->austin_type
						      : "samples");
		*unit = prof_text(reader->austin_type ? reader->austin_unit : "count");
	}
}

/* The strings of a type, whose unit tells the decimals. */
static bool send_type_strings(struct prof_folded_reader *reader, uint32_t column,
			      struct prof_value_type *out, struct prof_error *err)
{
	struct prof_buf scaled = { 0 };
	struct prof_text type;
	struct prof_text unit;
	bool ok;

	column_type(reader, column, &type, &unit);
	prof_buf_add(&scaled, unit.data, unit.len);
	if (reader->decimals > 0) {
		prof_buf_addc(&scaled, '/');
		prof_buf_add_int(&scaled, prof_folded_power(reader->decimals));
	}
	unit = (struct prof_text){ scaled.data, scaled.len };
	ok = scaled.failed
		     ? prof_fail_nomem(err)
		     : prof_folded_send_string(reader, type, &out->type, err) &&
			       prof_folded_send_string(reader, unit, &out->unit, err);
	prof_buf_free(&scaled);
	return ok;
}

bool prof_folded_send_tables(struct prof_folded_reader *reader, struct prof_error *err)
{
	struct prof_mapping kernel = { .id = KERNEL + 1,
				       .flags = PROF_HAS_FUNCTIONS,
				       .ref = KERNEL };
	struct prof_mapping program = { .id = 1 };
	struct prof_value_type types[PROF_MAX_SAMPLE_TYPE];
	struct prof_sink *out = reader->out;
	uint32_t from = reader->frames_sent;
	uint32_t string = reader->string_count;
	bool map = !reader->kernel_sent && meets_kernel(reader, from);

	if (!send_names(reader, from, err) ||
	    (map && !prof_folded_send_string(reader, prof_text("[kernel]"),
					     &kernel.file, err))) {
		return false;
	}
	for (uint32_t i = 0; !reader->typed && i < reader->column_count; i++) {
		if (!send_type_strings(reader, i, &types[i], err)) {
			return false;
		}
	}
	reader->frames_sent = reader->frames.count;
	reader->kernel_sent |= map;
	if ((map && !out->mapping(out, &program, err)) ||
	    (map && !out->mapping(out, &kernel, err)) ||
	    !send_functions(reader, from, string, err) ||
	    !send_locations(reader, from, err)) {
		return false;
	}
	if (!reader->typed && !out->types(out, types, reader->column_count, err)) {
		return false;
	}
	reader->typed = true;
	return true;
}

bool prof_folded_send_blocks(struct prof_folded_reader *reader, struct prof_error *err)
{
	while (reader->first) {
		struct prof_folded_block *block = reader->first;
		struct prof_batch batch = {
			.count = block->count,
			.frames = block->frames,
			.ends = block->ends,
			.values = block->values,
		};

		if (!prof_folded_block_rescale(block, reader->column_count,
					       reader->decimals, err)) {
			return false;
		}
		if (batch.count > 0 &&
		    !reader->out->samples(reader->out, &batch, err)) {
			return false;
		}
		reader->first = block->next;
		prof_folded_block_free(block);
	}
	reader->last = NULL;
	return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * folded_write.c - a profile as folded stacks: one column, one line per stack.
 *
 *	frames    function names; for a location without any, [file of its mapping] or
 *	          0xaddress; inlined functions are frames of their own
 *	names     ';' becomes ':', line breaks and NUL become a blank, blanks at the end go;
 *	          annotations come back from the system name: f and f_[j] gives f_[j]
 *	guards    ";#name" and "name 12; 5" (empty frames, which readers drop) keep a root
 *	          that looks like a comment and a leaf that ends like a count what they
 *	          are, and the first line of a file from looking compressed
 *	no stack  is the stack [empty]
 *	lines     sorted bytewise by stack, equal stacks added up, zeros left out
 */
#include "formats/folded.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/base/limits.h"
#include "libprof/base/strings.h"

enum { LOSS_NAME = 60 }; /* bytes of a name that messages show */

/* One line to be: its frames as names, root first, and what they add up to. */
struct row {
	const uint32_t *names;
	uint32_t count;
	int64_t value;
};

struct writer {
	const struct prof_profile *profile;
	const struct prof_write_options *options;
	struct prof_strings names; /* frames as they are written */
	uint32_t *location_names;  /* innermost first; those of location i end at ... */
	uint32_t *location_ends;   /* ... [i + 1] */
	uint64_t *location_bytes;  /* of these names, each with what separates it */
	int64_t *sums;             /* by stack */
	bool *used;                /* stacks that some sample has */
	uint32_t *frames;          /* of all rows */
	struct row *rows;
	uint32_t row_count;
};

/* Another name of `location`, at *count in the list of all. */
static bool add_name(struct writer *writer, struct prof_buf *name, uint32_t location,
		     uint32_t *count)
{
	for (size_t i = 0; i < name->len; i++) {
		char *c = &name->data[i];

		if (*c == ';') {
			*c = ':';
		} else if (*c == '\n' || *c == '\r' || *c == '\0') {
			*c = ' ';
		}
	}
	while (name->len > 0 && (name->data[name->len - 1] == ' ' ||
				 name->data[name->len - 1] == '\t')) {
		name->len--;
	}
	if (name->len == 0) {
		prof_buf_adds(name, FOLDED_UNKNOWN);
	}
	writer->location_bytes[location] += name->len + 1;
	writer->location_names[(*count)++] = prof_strings_add(
		&writer->names, (struct prof_text){ name->data, name->len });
	return !name->failed && !writer->names.failed;
}

/* The name of a function with its annotation, if its system name has one. */
static struct prof_text function_name(const struct prof_profile *profile,
				      uint32_t function)
{
	const struct prof_function *at = &profile->functions[function];
	struct prof_text name = prof_string(profile, at->name);
	struct prof_text system = prof_string(profile, at->system_name);

	if (name.len > 0 && prof_folded_plain_len(system) == name.len &&
	    system.len > name.len && memcmp(name.data, system.data, name.len) == 0) {
		return system;
	}
	return name.len > 0 ? name : system;
}

/* What stands for a location without functions. */
static void add_address(const struct prof_profile *profile, uint32_t location,
			struct prof_buf *name)
{
	const struct prof_location *at = &profile->locations[location];
	struct prof_text file = { "", 0 };
	const char *slash;

	if (at->mapping != PROF_NONE) {
		file = prof_string(profile, profile->mappings[at->mapping].file);
	}
	slash = file.len > 0 ? memrchr(file.data, '/', file.len) : NULL;
	if (slash) {
		file.len -= (size_t)(slash + 1 - file.data);
		file.data = slash + 1;
	}
	if (file.len == 0) {
		prof_buf_addf(name, "0x%llx", (unsigned long long)at->address);
	} else if (file.data[0] == '[') {
		prof_buf_add(name, file.data, file.len);
	} else {
		prof_buf_addf(name, "[%.*s]", (int)file.len, file.data);
	}
}

/* Name the frames of every location. */
static bool name_locations(struct writer *writer)
{
	const struct prof_profile *profile = writer->profile;
	struct prof_buf name = { 0 };
	uint32_t count = 0;
	bool ok = true;

	for (uint32_t i = 0; ok && i < profile->location_count; i++) {
		struct prof_lines lines = prof_location_lines(profile, i);

		prof_buf_clear(&name);
		if (lines.count == 0) {
			add_address(profile, i, &name);
			ok = add_name(writer, &name, i, &count);
		}
		for (size_t k = 0; ok && k < lines.count; k++) {
			struct prof_text text =
				function_name(profile, lines.data[k].function);

			prof_buf_clear(&name);
			prof_buf_add(&name, text.data, text.len);
			if (writer->options->line_numbers && lines.data[k].line > 0) {
				prof_buf_addc(&name, ':');
				prof_buf_add_int(&name, lines.data[k].line);
			}
			ok = add_name(writer, &name, i, &count);
		}
		writer->location_ends[i + 1] = count;
	}
	prof_buf_free(&name);
	return ok;
}

static bool fail_sum(const struct writer *writer, struct prof_error *err)
{
	const struct prof_profile *profile = writer->profile;
	struct prof_text type =
		prof_string(profile, profile->types[writer->options->column].type);

	return prof_fail(err, PROF_ERR_LIMIT,
			 "the values of '%.*s' for one stack do not fit 64 bits",
			 (int)(type.len < 60 ? type.len : 60), type.data);
}

static bool sum_stacks(struct writer *writer, struct prof_error *err)
{
	const struct prof_profile *profile = writer->profile;
	const int64_t *values = profile->values[writer->options->column];

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		uint32_t stack = profile->sample_stack[i];

		writer->used[stack] = true;
		if (__builtin_add_overflow(writer->sums[stack], values[i],
					   &writer->sums[stack])) {
			return fail_sum(writer, err);
		}
	}
	return true;
}

/*
 * Frames that the stacks to be written have. A small profile may stand for very much
 * text: many stacks with one frame, which has many inlined calls with long names.
 */
static bool count_frames(const struct writer *writer, uint64_t *out,
			 struct prof_error *err)
{
	const struct prof_profile *profile = writer->profile;
	uint64_t total = 0;
	uint64_t bytes = 0;

	for (uint32_t s = 0; s < profile->stack_count && bytes <= PROF_MAX_INPUT; s++) {
		struct prof_frames frames = prof_stack(profile, s);
		uint64_t depth = 0;

		if (!writer->used[s] || writer->sums[s] == 0) {
			continue;
		}
		for (size_t i = 0; i < frames.count; i++) {
			const uint32_t *ends = &writer->location_ends[frames.data[i]];

			depth += ends[1] - ends[0];
			bytes += writer->location_bytes[frames.data[i]];
		}
		if (depth > PROF_MAX_DEPTH) {
			return prof_fail(err, PROF_ERR_LIMIT,
					 "inlined calls make more than %d frames of "
					 "one stack",
					 (int)PROF_MAX_DEPTH);
		}
		total += depth > 0 ? depth : 1;
	}
	if (bytes > PROF_MAX_INPUT) {
		return prof_fail(err, PROF_ERR_LIMIT,
				 "as folded stacks this is more than %d GiB of text",
				 (int)(PROF_MAX_INPUT >> 30));
	}
	*out = total;
	return true;
}

/* Write down the names of a stack, root first; where they end. */
static uint32_t *expand_stack(const struct writer *writer, uint32_t stack,
			      uint32_t *out, uint32_t empty)
{
	struct prof_frames frames = prof_stack(writer->profile, stack);

	if (frames.count == 0) {
		*out++ = empty;
	}
	for (size_t i = frames.count; i-- > 0;) {
		const uint32_t *ends = &writer->location_ends[frames.data[i]];

		for (uint32_t k = ends[1]; k-- > ends[0];) {
			*out++ = writer->location_names[k];
		}
	}
	return out;
}

static bool make_rows(struct writer *writer, struct prof_error *err)
{
	uint32_t empty = prof_strings_add(&writer->names, prof_text(FOLDED_EMPTY));
	uint32_t stack_count = writer->profile->stack_count;
	uint64_t frame_count = 0;
	uint32_t *out;

	if (!count_frames(writer, &frame_count, err)) {
		return false;
	}
	writer->frames = prof_alloc_array((size_t)frame_count + 1, sizeof(*out));
	writer->rows = prof_alloc_array((size_t)stack_count + 1, sizeof(*writer->rows));
	if (!writer->frames || !writer->rows || writer->names.failed) {
		return prof_fail_nomem(err);
	}
	out = writer->frames;
	for (uint32_t s = 0; s < stack_count; s++) {
		struct row *row = &writer->rows[writer->row_count];

		if (!writer->used[s] || writer->sums[s] == 0) {
			continue;
		}
		row->names = out;
		row->value = writer->sums[s];
		out = expand_stack(writer, s, out, empty);
		row->count = (uint32_t)(out - row->names);
		writer->row_count++;
	}
	return true;
}

/* Whether the name would be taken for a stack and a count. */
static bool ends_like_count(struct prof_text name)
{
	struct prof_folded_count count;
	struct prof_text stack;
	struct prof_text token;

	return prof_folded_split(name, &stack, &token) &&
	       prof_folded_count_parse(token, &count) != PROF_ERR_SYNTAX;
}

/* Whether the first frame of a line would be taken for a comment or a byte order mark. */
static bool starts_unlike_name(struct prof_text name)
{
	return name.data[0] == '#' ||
	       (name.len >= 3 && memcmp(name.data, "\xef\xbb\xbf", 3) == 0);
}

/* Whether a file that starts with the name would be taken for compressed or UTF-16. */
static bool starts_unlike_text(struct prof_text name)
{
	static const char magics[][5] = { "\x1f\x8b", "\x28\xb5\x2f\xfd", "\xfd\x37zX",
					  "BZh",      "\x04\x22\x4d\x18", "PK\x03\x04",
					  "\xfe\xff", "\xff\xfe" };

	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		size_t len = strlen(magics[i]);

		if (name.len >= len && memcmp(name.data, magics[i], len) == 0) {
			return true;
		}
	}
	return name.len >= 4 && memcmp(name.data + 1, "*M\x18", 3) == 0;
}

/* The byte of a line at `at` in a frame, or right behind it. */
static unsigned char byte_at(struct prof_text name, size_t at, bool leaf)
{
	if (at < name.len) {
		return (unsigned char)name.data[at];
	}
	return leaf && !ends_like_count(name) ? ' ' : ';';
}

/* Bytewise order of two different frames with what follows them in their lines. */
static int compare_frames(struct prof_text a, bool leaf_a, struct prof_text b,
			  bool leaf_b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	int order = memcmp(a.data, b.data, len);
	unsigned char next_a;
	unsigned char next_b;

	if (order != 0) {
		return order;
	}
	next_a = byte_at(a, len, leaf_a);
	next_b = byte_at(b, len, leaf_b);
	if (next_a != next_b) {
		return next_a < next_b ? -1 : 1;
	}
	return a.len < b.len ? -1 : 1;
}

static int compare_rows(const void *left, const void *right, void *context)
{
	const struct writer *writer = context;
	const struct row *a = left;
	const struct row *b = right;
	uint32_t count = a->count < b->count ? a->count : b->count;

	for (uint32_t i = 0; i < count; i++) {
		struct prof_text name_a = prof_strings_get(&writer->names, a->names[i]);
		struct prof_text name_b = prof_strings_get(&writer->names, b->names[i]);

		if (a->names[i] == b->names[i]) {
			continue;
		}
		if (i == 0 &&
		    starts_unlike_name(name_a) != starts_unlike_name(name_b)) {
			name_a = starts_unlike_name(name_a) ? prof_text(";") : name_a;
			name_b = starts_unlike_name(name_b) ? prof_text(";") : name_b;
		}
		return compare_frames(name_a, i + 1 == a->count, name_b,
				      i + 1 == b->count);
	}
	return (a->count > b->count) - (a->count < b->count);
}

/* Add rows of equal names up. They are sorted, so equal ones are neighbours. */
static bool merge_rows(struct writer *writer, struct prof_error *err)
{
	struct row *rows = writer->rows;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < writer->row_count; i++) {
		if (kept == 0 || compare_rows(&rows[kept - 1], &rows[i], writer) != 0) {
			rows[kept++] = rows[i];
		} else if (__builtin_add_overflow(rows[kept - 1].value, rows[i].value,
						  &rows[kept - 1].value)) {
			return fail_sum(writer, err);
		}
	}
	writer->row_count = kept;
	return true;
}

static void write_rows(const struct writer *writer, struct prof_buf *out)
{
	const struct prof_profile *profile = writer->profile;
	uint32_t unit = profile->types[writer->options->column].unit;
	uint32_t decimals = prof_folded_unit_decimals(prof_string(profile, unit), NULL);
	size_t start = out->len;

	for (uint32_t i = 0; i < writer->row_count; i++) {
		const struct row *row = &writer->rows[i];
		struct prof_text name = prof_strings_get(&writer->names, row->names[0]);

		if (row->value == 0) {
			continue;
		}
		if (starts_unlike_name(name) ||
		    (out->len == start && starts_unlike_text(name))) {
			prof_buf_addc(out, ';');
		}
		for (uint32_t k = 0; k < row->count; k++) {
			name = prof_strings_get(&writer->names, row->names[k]);
			if (k > 0) {
				prof_buf_addc(out, ';');
			}
			prof_buf_add(out, name.data, name.len);
		}
		if (ends_like_count(name)) {
			prof_buf_addc(out, ';');
		}
		prof_buf_addc(out, ' ');
		prof_folded_count_add(out, row->value, decimals);
		prof_buf_addc(out, '\n');
	}
}

/* --- what is lost --------------------------------------------------------------------- */

static void lose(const struct prof_write_options *options, uint64_t count,
		 const char *one, const char *many)
{
	if (count > 0) {
		prof_buf_addf(options->loss, "%llu %s no place in folded\n",
			      (unsigned long long)count, count == 1 ? one : many);
	}
}

/* A name in a message: a line, and no longer than one. */
static void add_short(struct prof_buf *loss, struct prof_text name)
{
	size_t len = name.len;

	if (len > LOSS_NAME) {
		for (len = LOSS_NAME; len > 0 && (name.data[len] & 0xc0) == 0x80;) {
			len--;
		}
	}
	prof_text_escape(loss, (struct prof_text){ name.data, len });
	prof_buf_adds(loss, len < name.len ? "..." : "");
}

static void lose_columns(const struct prof_profile *profile,
			 const struct prof_write_options *options)
{
	const char *separator = " (";

	if (profile->type_count < 2) {
		return;
	}
	prof_buf_addf(options->loss, "%u more sample type%s", profile->type_count - 1,
		      profile->type_count == 2 ? "" : "s");
	for (uint32_t i = 0; i < profile->type_count; i++) {
		struct prof_text type = prof_string(profile, profile->types[i].type);

		if (i != options->column) {
			prof_buf_adds(options->loss, separator);
			add_short(options->loss, type);
			separator = ", ";
		}
	}
	prof_buf_addf(options->loss, ") %s no place in folded\n",
		      profile->type_count == 2 ? "has" : "have");
}

static void lose_type(const struct prof_profile *profile,
		      const struct prof_write_options *options)
{
	const struct prof_value_type *at = &profile->types[options->column];
	struct prof_text type = prof_string(profile, at->type);
	struct prof_text unit = prof_string(profile, at->unit);
	struct prof_text base;

	prof_folded_unit_decimals(unit, &base);
	if (!prof_text_equal(type, prof_text("samples")) ||
	    !prof_text_equal(base, prof_text("count"))) {
		prof_buf_adds(options->loss, "the sample type ");
		add_short(options->loss, type);
		prof_buf_addc(options->loss, '/');
		add_short(options->loss, unit);
		prof_buf_adds(options->loss, " has no place in folded\n");
	}
}

static void describe_loss(const struct prof_profile *profile,
			  const struct prof_write_options *options)
{
	uint64_t labels = 0;
	uint64_t addresses = 0;
	uint64_t lines = 0;
	uint64_t files = 0;

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		labels += prof_label_set(profile, profile->sample_set[i]).count;
	}
	for (uint32_t i = 0; i < profile->location_count; i++) {
		addresses += profile->locations[i].address != 0 &&
			     prof_location_lines(profile, i).count > 0;
	}
	for (uint32_t i = 0; i < profile->line_count && !options->line_numbers; i++) {
		lines += profile->lines[i].line != 0;
	}
	for (uint32_t i = 0; i < profile->function_count; i++) {
		files += profile->functions[i].file != 0;
	}
	lose_type(profile, options);
	lose_columns(profile, options);
	lose(options, labels, "label has", "labels have");
	lose(options, addresses, "address has", "addresses have");
	lose(options, files, "file name has", "file names have");
	lose(options, lines, "line number has", "line numbers have");
	lose(options, profile->header.comment_count, "comment has", "comments have");
	if (profile->header.time_ns != 0 || profile->header.duration_ns != 0) {
		prof_buf_adds(options->loss, "time and duration have no place in "
					     "folded\n");
	}
}

/* --- the writer ------------------------------------------------------------------------- */

static bool writer_init(struct writer *writer)
{
	const struct prof_profile *profile = writer->profile;
	size_t names = (size_t)profile->line_count + profile->location_count;

	writer->location_names = prof_alloc_array(names + 1, sizeof(uint32_t));
	writer->location_ends =
		prof_alloc_array((size_t)profile->location_count + 1, sizeof(uint32_t));
	writer->location_bytes =
		prof_alloc_array((size_t)profile->location_count + 1, sizeof(uint64_t));
	writer->sums =
		prof_alloc_array((size_t)profile->stack_count + 1, sizeof(int64_t));
	writer->used = prof_alloc_array((size_t)profile->stack_count + 1, sizeof(bool));
	return writer->location_names && writer->location_ends &&
	       writer->location_bytes && writer->sums && writer->used;
}

static void writer_free(struct writer *writer)
{
	prof_strings_free(&writer->names);
	prof_free(writer->location_names);
	prof_free(writer->location_ends);
	prof_free(writer->location_bytes);
	prof_free(writer->sums);
	prof_free(writer->used);
	prof_free(writer->frames);
	prof_free(writer->rows);
}

static bool write_column(struct writer *writer, struct prof_buf *out,
			 struct prof_error *err)
{
	if (!writer_init(writer) || !name_locations(writer)) {
		return prof_fail_nomem(err);
	}
	if (!sum_stacks(writer, err) || !make_rows(writer, err)) {
		return false;
	}
	if (writer->row_count > 1) {
		qsort_r(writer->rows, writer->row_count, sizeof(*writer->rows),
			compare_rows, writer);
	}
	if (!merge_rows(writer, err)) {
		return false;
	}
	write_rows(writer, out);
	if (writer->options->loss) {
		describe_loss(writer->profile, writer->options);
	}
	return true;
}

bool prof_folded_write(const struct prof_profile *profile,
		       const struct prof_write_options *options, struct prof_buf *out,
		       struct prof_error *err)
{
	struct writer writer = { .profile = profile, .options = options };
	bool ok = true;

	if (profile->type_count > 0) {
		assert(options->column < profile->type_count);
		ok = write_column(&writer, out, err);
		writer_free(&writer);
	}
	if (ok && (out->failed || (options->loss && options->loss->failed))) {
		return prof_fail_nomem(err);
	}
	return ok;
}

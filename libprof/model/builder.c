/* SPDX-License-Identifier: MIT */
#include "libprof/model/builder.h"

#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/base/buf.h"
#include "libprof/base/hash.h"
#include "libprof/base/limits.h"
#include "libprof/model/rows.h"
#include "libprof/model/tables.h"

enum { PREFETCH = 32 }; /* rows whose cache misses overlap */

struct prof_builder {
	struct prof_sink sink; /* first: the sink is the builder */
	struct prof_tables tables;
	struct prof_rows rows;
	size_t inputs; /* profiles ended */

	struct prof_value_type *types; /* NULL until a profile with types came */
	uint32_t type_count;
	bool input_typed;  /* the current input has types */
	bool period_known; /* an input with types has ended */

	struct prof_header header; /* comments below */
	uint32_t *comments;
	size_t comment_cap;
	uint32_t comment_count;
	struct prof_map comment_map;

	uint32_t *frames; /* of the batch, as indices */
	size_t frame_cap;
	uint32_t *ends;
	size_t end_cap;
	uint32_t *picked; /* which samples of the batch are not all zero */
	size_t picked_cap;
	uint32_t *stacks; /* stack ids of the picked */
	size_t stacks_cap;
	struct prof_label *labels; /* of one sample */
	size_t label_cap;
};

static struct prof_builder *of(struct prof_sink *sink)
{
	return (struct prof_builder *)sink;
}

static bool merging(const struct prof_builder *b)
{
	return b->tables.how != PROF_BUILD_AS_IS;
}

static bool check(const struct prof_builder *b, struct prof_error *err)
{
	if (b->tables.failed || b->tables.strings.failed || b->tables.stacks.failed ||
	    b->tables.sets.failed) {
		return prof_fail_nomem(err);
	}
	return true;
}

/* A second profile arrived where one was to stay as it is: start over, merging. */
static bool turn_to_merging(struct prof_builder *b, struct prof_error *err)
{
	struct prof_profile *first = NULL;
	bool ok = false;

	if (!prof_builder_finish(b, &first, err)) {
		return false;
	}
	b->tables.how = PROF_BUILD_FIRST_USE;
	ok = prof_profile_send(first, &b->sink, err);
	prof_profile_free(first);
	return ok;
}

static bool begin(struct prof_sink *sink, struct prof_error *err)
{
	struct prof_builder *b = of(sink);

	if (b->inputs == 1 && !merging(b) && !turn_to_merging(b, err)) {
		return false;
	}
	prof_tables_next_input(&b->tables);
	b->input_typed = false;
	return true;
}

static bool add_strings(struct prof_sink *sink, const struct prof_text *texts,
			uint32_t count, struct prof_error *err)
{
	struct prof_builder *b = of(sink);

	prof_tables_add_strings(&b->tables, texts, count);
	return check(b, err);
}

static bool add_mapping(struct prof_sink *sink, const struct prof_mapping *mapping,
			struct prof_error *err)
{
	struct prof_builder *b = of(sink);

	prof_tables_add_mapping(&b->tables, mapping);
	return check(b, err);
}

static bool add_function(struct prof_sink *sink, const struct prof_function *function,
			 struct prof_error *err)
{
	struct prof_builder *b = of(sink);

	prof_tables_add_function(&b->tables, function);
	return check(b, err);
}

static bool add_location(struct prof_sink *sink,
			 const struct prof_sink_location *location,
			 struct prof_error *err)
{
	struct prof_builder *b = of(sink);

	prof_tables_add_location(&b->tables, location);
	return check(b, err);
}

static void list_types(const struct prof_builder *b, struct prof_buf *out,
		       const struct prof_value_type *types, uint32_t count)
{
	for (uint32_t i = 0; i < count && !out->failed; i++) {
		struct prof_text type = b->tables.strings.items[types[i].type];
		struct prof_text unit = b->tables.strings.items[types[i].unit];

		prof_buf_adds(out, i > 0 ? ", " : "");
		prof_buf_add(out, type.data, type.len);
		prof_buf_addc(out, '/');
		prof_buf_add(out, unit.data, unit.len);
	}
}

static bool types_differ(const struct prof_builder *b,
			 const struct prof_value_type *types, uint32_t count,
			 struct prof_error *err)
{
	struct prof_buf known = { .max = 4096 };
	struct prof_buf other = { .max = 4096 };

	list_types(b, &known, b->types, b->type_count);
	list_types(b, &other, types, count);
	prof_error_set(err, PROF_ERR_MISMATCH, "sample types differ: (%.*s) and (%.*s)",
		       (int)known.len, known.data, (int)other.len, other.data);
	prof_buf_free(&known);
	prof_buf_free(&other);
	return false;
}

/* The types as indices of our strings; the caller frees them. NULL: out of memory. */
static struct prof_value_type *own_types(const struct prof_builder *b,
					 const struct prof_value_type *types,
					 uint32_t count)
{
	struct prof_value_type *own = prof_alloc_array(count, sizeof(*own));

	for (uint32_t i = 0; own && i < count; i++) {
		own[i].type = prof_tables_string(&b->tables, types[i].type);
		own[i].unit = prof_tables_string(&b->tables, types[i].unit);
	}
	return own;
}

static bool add_types(struct prof_sink *sink, const struct prof_value_type *types,
		      uint32_t count, struct prof_error *err)
{
	struct prof_builder *b = of(sink);
	struct prof_value_type *own = NULL;
	bool same = true;

	if (count == 0) {
		return true;
	}
	own = own_types(b, types, count);
	if (!own) {
		return prof_fail_nomem(err);
	}
	b->input_typed = true;
	if (!b->types) {
		b->types = own;
		b->type_count = count;
		return prof_rows_columns(&b->rows, count) || prof_fail_nomem(err);
	}
	same = count == b->type_count;
	for (uint32_t i = 0; same && i < count; i++) {
		same = own[i].type == b->types[i].type &&
		       own[i].unit == b->types[i].unit;
	}
	if (!same) {
		types_differ(b, own, count, err);
	}
	prof_free(own);
	return same;
}

static bool reserve_batch(struct prof_builder *b, const struct prof_batch *batch)
{
	uint32_t all = batch->count > 0 ? batch->ends[batch->count - 1] : 0;

	return prof_reserve((void **)&b->frames, &b->frame_cap, (size_t)all + 1,
			    sizeof(*b->frames)) &&
	       prof_reserve((void **)&b->ends, &b->end_cap, batch->count,
			    sizeof(*b->ends)) &&
	       prof_reserve((void **)&b->picked, &b->picked_cap, batch->count,
			    sizeof(*b->picked)) &&
	       prof_reserve((void **)&b->stacks, &b->stacks_cap, batch->count,
			    sizeof(*b->stacks));
}

static bool is_zero(const int64_t *values, uint32_t count)
{
	for (uint32_t c = 0; c < count; c++) {
		if (values[c] != 0) {
			return false;
		}
	}
	return true;
}

/* Choose the samples to keep and turn their frames into indices, run by run. */
static bool pick(struct prof_builder *b, const struct prof_batch *batch,
		 uint32_t *picked_count)
{
	uint32_t count = 0;
	uint32_t used = 0;  /* frames taken */
	uint32_t run = 0;   /* where the run of samples to keep began */
	uint32_t first = 0; /* where the sample's frames begin */

	if (!reserve_batch(b, batch)) {
		return false;
	}
	for (uint32_t i = 0; i < batch->count; first = batch->ends[i++]) {
		const int64_t *values = batch->values + (size_t)i * b->type_count;

		if (merging(b) && is_zero(values, b->type_count)) {
			prof_tables_locations(&b->tables, batch->frames, run, first,
					      b->frames + used);
			used += first - run;
			run = batch->ends[i];
		} else {
			b->picked[count] = i;
			b->ends[count++] = used + batch->ends[i] - run;
		}
	}
	prof_tables_locations(&b->tables, batch->frames, run, first, b->frames + used);
	*picked_count = count;
	return true;
}

static uint32_t label_set(struct prof_builder *b, const struct prof_batch *batch,
			  uint32_t sample)
{
	uint32_t first = sample > 0 ? batch->label_ends[sample - 1] : 0;
	uint32_t count = batch->label_ends[sample] - first;
	uint32_t kept = 0;

	if (count == 0) {
		return 0;
	}
	if (!prof_reserve((void **)&b->labels, &b->label_cap, count,
			  sizeof(*b->labels))) {
		b->tables.failed = true;
		return 0;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct prof_label label = batch->labels[first + i];
		bool text = label.text != 0;

		label.key = prof_tables_string(&b->tables, label.key);
		label.text = prof_tables_string(&b->tables, label.text);
		label.unit = prof_tables_string(&b->tables, label.unit);
		if (!text || label.text != 0) {
			b->labels[kept++] = label;
		}
	}
	prof_labels_sort(b->labels, kept, b->tables.strings.items);
	return prof_sets_add(&b->tables.sets, b->labels, kept);
}

/* One picked sample becomes a row, or adds to one. */
static bool add_sample(struct prof_builder *b, const struct prof_batch *batch,
		       uint32_t pick)
{
	uint32_t sample = b->picked[pick];
	const int64_t *values = batch->values + (size_t)sample * b->type_count;
	uint32_t set = batch->label_ends ? label_set(b, batch, sample) : 0;

	return merging(b) ? prof_rows_sum(&b->rows, b->stacks[pick], set, values)
			  : prof_rows_append(&b->rows, b->stacks[pick], set, values);
}

static bool add_samples(struct prof_sink *sink, const struct prof_batch *batch,
			struct prof_error *err)
{
	struct prof_builder *b = of(sink);
	uint32_t count = 0;

	if (!pick(b, batch, &count) || !check(b, err)) {
		return prof_fail_nomem(err);
	}
	prof_stacks_add(&b->tables.stacks, b->frames, b->ends, count, b->stacks);
	for (uint32_t i = 0; i < count && !b->tables.stacks.failed; i++) {
		if (merging(b) && i % PREFETCH == 0) {
			uint32_t left = count - i;

			prof_rows_prefetch(&b->rows, b->stacks + i,
					   left < PREFETCH ? left : PREFETCH);
		}
		if (!add_sample(b, batch, i)) {
			return prof_fail_nomem(err);
		}
	}
	return check(b, err);
}

static bool smaller(const struct prof_builder *b, uint32_t a, uint32_t than)
{
	const struct prof_text *strings = b->tables.strings.items;

	return a != 0 &&
	       (than == 0 || prof_text_compare(strings[a], strings[than]) < 0);
}

/* Which of two names a merged header has: see merge.h. */
static void join_name(const struct prof_builder *b, uint32_t *known, uint32_t ref,
		      bool first_only)
{
	uint32_t name = prof_tables_string(&b->tables, ref);

	if (b->tables.how == PROF_BUILD_CANONICAL) {
		if (smaller(b, name, *known)) {
			*known = name;
		}
	} else if (b->inputs == 0 || (!first_only && *known == 0)) {
		*known = name;
	}
}

static bool has_comment(const struct prof_builder *b, uint32_t comment)
{
	struct prof_map_walk walk = prof_map_walk(
		&b->comment_map, prof_hash_mix(comment ^ PROF_HASH_A, PROF_HASH_B));
	uint32_t id = 0;

	while (prof_map_next(&walk, &id)) {
		if (b->comments[id] == comment) {
			return true;
		}
	}
	return false;
}

static bool join_comments(struct prof_builder *b, const struct prof_header *header)
{
	for (uint32_t i = 0; i < header->comment_count; i++) {
		uint32_t comment = prof_tables_string(&b->tables, header->comments[i]);

		if (merging(b) && has_comment(b, comment)) {
			continue;
		}
		if (b->comment_count >= UINT32_MAX - 1 ||
		    !prof_reserve((void **)&b->comments, &b->comment_cap,
				  (size_t)b->comment_count + 1, sizeof(*b->comments)) ||
		    !prof_map_add(&b->comment_map,
				  prof_hash_mix(comment ^ PROF_HASH_A, PROF_HASH_B),
				  b->comment_count)) {
			return false;
		}
		b->comments[b->comment_count++] = comment;
	}
	return true;
}

/* pprof's rule without canonical order: a later zero makes the next one win. */
static void join_time(struct prof_builder *b, int64_t time_ns)
{
	int64_t *known = &b->header.time_ns;
	bool usable = time_ns != 0 || b->tables.how != PROF_BUILD_CANONICAL;

	if (usable && (*known == 0 || time_ns < *known)) {
		*known = time_ns;
	}
}

static bool join_numbers(struct prof_builder *b, const struct prof_header *header,
			 struct prof_error *err)
{
	if (!merging(b)) {
		b->header.time_ns = header->time_ns;
		b->header.duration_ns = header->duration_ns;
		b->header.period = header->period;
		return true;
	}
	join_time(b, header->time_ns);
	if (__builtin_add_overflow(b->header.duration_ns, header->duration_ns,
				   &b->header.duration_ns)) {
		return prof_fail(err, PROF_ERR_LIMIT,
				 "the sum of the durations does not fit 64 bits");
	}
	if (header->period > b->header.period) {
		b->header.period = header->period;
	}
	return true;
}

static bool period_differs(const struct prof_builder *b,
			   const struct prof_value_type *other, struct prof_error *err)
{
	const struct prof_text *strings = b->tables.strings.items;
	const struct prof_value_type *known = &b->header.period_type;

	return prof_fail(err, PROF_ERR_MISMATCH,
			 "period types differ: (%.*s/%.*s) and (%.*s/%.*s)",
			 (int)strings[known->type].len, strings[known->type].data,
			 (int)strings[known->unit].len, strings[known->unit].data,
			 (int)strings[other->type].len, strings[other->type].data,
			 (int)strings[other->unit].len, strings[other->unit].data);
}

/* The period type is part of the group key; a profile without types fits any. */
static bool join_period_type(struct prof_builder *b, const struct prof_header *header,
			     struct prof_error *err)
{
	struct prof_value_type own = {
		prof_tables_string(&b->tables, header->period_type.type),
		prof_tables_string(&b->tables, header->period_type.unit),
	};
	struct prof_value_type *known = &b->header.period_type;

	if (!b->input_typed && merging(b)) {
		return true;
	}
	if (!b->period_known || !merging(b)) {
		*known = own;
		b->period_known = true;
		return true;
	}
	if (own.type == known->type && own.unit == known->unit) {
		return true;
	}
	return period_differs(b, &own, err);
}

static bool end(struct prof_sink *sink, const struct prof_header *header,
		struct prof_error *err)
{
	struct prof_builder *b = of(sink);

	prof_tables_main_mapping(&b->tables);
	join_name(b, &b->header.default_type, header->default_type, false);
	join_name(b, &b->header.doc_url, header->doc_url, false);
	join_name(b, &b->header.drop_frames, header->drop_frames, true);
	join_name(b, &b->header.keep_frames, header->keep_frames, true);
	if (!join_period_type(b, header, err) || !join_numbers(b, header, err)) {
		return false;
	}
	if (!join_comments(b, header)) {
		return prof_fail_nomem(err);
	}
	b->inputs++;
	return check(b, err);
}

struct prof_builder *prof_builder_new(enum prof_build how)
{
	struct prof_builder *b = prof_alloc_array(1, sizeof(*b));

	if (!b) {
		return NULL;
	}
	b->tables.how = how;
	b->sink = (struct prof_sink){
		.begin = begin,
		.strings = add_strings,
		.mapping = add_mapping,
		.function = add_function,
		.location = add_location,
		.types = add_types,
		.samples = add_samples,
		.end = end,
	};
	return b;
}

struct prof_sink *prof_builder_sink(struct prof_builder *builder)
{
	return &builder->sink;
}

bool prof_builder_typed(const struct prof_builder *builder)
{
	return builder->types != NULL;
}

size_t prof_builder_inputs(const struct prof_builder *builder)
{
	return builder->inputs;
}

/* Everything but the samples' carries: 2^62 is the largest power of two to send. */
static void yield_header(struct prof_builder *b, struct prof_profile *profile)
{
	profile->header = b->header;
	profile->header.comments = b->comments;
	profile->header.comment_count = b->comment_count;
	prof_arena_adopt(&profile->arena, b->comments);
	b->comments = NULL;
	profile->types = b->types;
	profile->type_count = b->type_count;
	prof_arena_adopt(&profile->arena, b->types);
	b->types = NULL;
}

static void yield_rows(struct prof_builder *b, struct prof_profile *profile)
{
	struct prof_rows *rows = &b->rows;

	profile->sample_count = rows->count;
	profile->sample_stack = rows->stacks;
	profile->sample_set = rows->sets;
	profile->values = rows->values;
	prof_arena_adopt(&profile->arena, rows->stacks);
	prof_arena_adopt(&profile->arena, rows->sets);
	for (uint32_t c = 0; c < rows->type_count; c++) {
		prof_arena_adopt(&profile->arena, rows->values[c]);
	}
	prof_arena_adopt(&profile->arena, rows->values);
	rows->stacks = NULL;
	rows->sets = NULL;
	rows->values = NULL;
	rows->type_count = 0;
}

/* Leave the builder as new, whatever happened. */
static void reset(struct prof_builder *b)
{
	struct prof_builder fresh = { .sink = b->sink };

	fresh.tables.how = b->tables.how;
	prof_tables_free(&b->tables);
	prof_rows_free(&b->rows);
	prof_free(b->types);
	prof_free(b->comments);
	prof_map_free(&b->comment_map);
	prof_free(b->frames);
	prof_free(b->ends);
	prof_free(b->picked);
	prof_free(b->stacks);
	prof_free(b->labels);
	*b = fresh;
}

/* Move what arrived into a profile as it is, and empty the builder. */
static bool yield(struct prof_builder *b, struct prof_profile **out,
		  struct prof_error *err)
{
	struct prof_profile *profile = prof_alloc_array(1, sizeof(*profile));
	bool ok = false;

	if (profile) {
		prof_tables_yield(&b->tables, profile);
		yield_header(b, profile);
		yield_rows(b, profile);
		ok = !b->tables.failed && !profile->arena.failed;
	}
	reset(b);
	if (!ok) {
		prof_profile_free(profile);
		return prof_fail_nomem(err);
	}
	*out = profile;
	return true;
}

static bool sums_fit(struct prof_builder *b, struct prof_error *err)
{
	struct prof_text type = { 0 };

	prof_rows_settle(&b->rows);
	if (b->rows.carry_count == 0) {
		return true;
	}
	type = b->tables.strings.items[b->types[b->rows.carries[0].column].type];
	return prof_fail(err, PROF_ERR_LIMIT,
			 "a sum of '%.*s' values does not fit 64 bits", (int)type.len,
			 type.data);
}

/* Merge the one profile again: that drops what only vanished samples used. */
static bool compact(struct prof_builder *b, const struct prof_profile *profile,
		    struct prof_profile **out, struct prof_error *err)
{
	return prof_profile_send(profile, &b->sink, err) && yield(b, out, err);
}

bool prof_builder_finish(struct prof_builder *builder, struct prof_profile **out,
			 struct prof_error *err)
{
	enum prof_build how = builder->tables.how;
	bool again = how == PROF_BUILD_FIRST_USE && prof_rows_have_zero(&builder->rows);
	struct prof_profile *raw = NULL;
	bool ok = false;

	if (builder->inputs == 0 && how == PROF_BUILD_AS_IS) {
		return prof_fail(err, PROF_ERR_SYNTAX, "no profile in the input");
	}
	if (!sums_fit(builder, err) || !yield(builder, &raw, err)) {
		return false;
	}
	if (how == PROF_BUILD_AS_IS || (how == PROF_BUILD_FIRST_USE && !again)) {
		*out = raw;
		return true;
	}
	ok = again ? compact(builder, raw, out, err) : prof_canonical(raw, out, err);
	prof_profile_free(raw);
	return ok;
}

/* Add `value` to one cell once more, through the sink: `raw` was just sent to it. */
static bool send_cell(struct prof_builder *into, const struct prof_profile *raw,
		      const struct prof_carry *cell, int64_t value,
		      struct prof_error *err)
{
	struct prof_frames frames = prof_stack(raw, raw->sample_stack[cell->row]);
	struct prof_labels labels = prof_label_set(raw, raw->sample_set[cell->row]);
	int64_t values[PROF_MAX_SAMPLE_TYPE] = { 0 };
	uint32_t end = (uint32_t)frames.count;
	uint32_t label_end = (uint32_t)labels.count;

	values[cell->column] = value;
	return into->sink.samples(&into->sink,
				  &(struct prof_batch){ .count = 1,
							.frames = frames.data,
							.ends = &end,
							.values = values,
							.labels = labels.data,
							.label_ends = &label_end },
				  err);
}

/*
 * A cell that does not fit went over as its stored value: what is missing, 2^64 times
 * the carry, follows as samples of 2^62, and the carry arises anew.
 */
static bool send_carries(struct prof_builder *into, const struct prof_profile *raw,
			 const struct prof_carry *carries, size_t count,
			 struct prof_error *err)
{
	for (size_t i = 0; i < count; i++) {
		bool below = carries[i].count < 0;
		int64_t quarter = below ? -(INT64_C(1) << 62) : INT64_C(1) << 62;
		int64_t times = 4 * (int64_t)abs(carries[i].count);

		for (int64_t n = 0; n < times; n++) {
			if (!send_cell(into, raw, &carries[i], quarter, err)) {
				return false;
			}
		}
	}
	return true;
}

bool prof_builder_absorb(struct prof_builder *into, struct prof_builder *from,
			 struct prof_error *err)
{
	size_t inputs = from->inputs;
	struct prof_carry *carries = NULL;
	size_t carry_count = 0;
	struct prof_profile *raw = NULL;
	bool ok = false;

	if (inputs == 0) {
		return true;
	}
	prof_rows_settle(&from->rows);
	carries = from->rows.carries;
	carry_count = from->rows.carry_count;
	from->rows.carries = NULL;
	ok = yield(from, &raw, err) && prof_profile_send(raw, &into->sink, err) &&
	     send_carries(into, raw, carries, carry_count, err);
	into->inputs += ok ? inputs - 1 : 0;
	prof_profile_free(raw);
	prof_free(carries);
	return ok;
}

void prof_builder_free(struct prof_builder *builder)
{
	if (builder) {
		reset(builder);
		prof_free(builder);
	}
}

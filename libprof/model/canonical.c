/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/base/seqsort.h"
#include "libprof/model/tables.h"

/*
 * Every table gets an order by content: `order` lists old indices in new order, `rank`
 * gives the new index of an old one, PROF_NONE for what no sample uses. Content is
 * compared through ranks of what it refers to, so each table follows those it needs:
 * strings, mappings, functions, locations, stacks and label sets, samples.
 */
struct ordering {
	uint32_t *order;
	uint32_t *rank;
	uint32_t count; /* entries in use */
};

struct work {
	const struct prof_profile *raw;
	struct prof_profile *out;
	struct ordering strings;
	struct ordering mappings;
	struct ordering functions;
	struct ordering locations;
	struct ordering stacks;
	struct ordering sets;
	struct ordering samples;
};

static bool ordering_init(struct ordering *ordering, uint32_t count)
{
	ordering->order = prof_alloc_array(count, sizeof(*ordering->order));
	ordering->rank = prof_alloc_array(count, sizeof(*ordering->rank));
	if (!ordering->order || !ordering->rank) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		ordering->rank[i] = PROF_NONE;
	}
	return true;
}

static void ordering_free(struct ordering *ordering)
{
	prof_free(ordering->order);
	prof_free(ordering->rank);
}

/* Until the table is ranked, `rank` says only: 0, in use. */
static void use(struct ordering *ordering, uint32_t index)
{
	if (ordering->rank[index] == PROF_NONE) {
		ordering->rank[index] = 0;
		ordering->order[ordering->count++] = index;
	}
}

typedef int (*compare_fn)(const void *left, const void *right, void *context);

static void rank(struct ordering *ordering, compare_fn compare, struct work *work)
{
	qsort_r(ordering->order, ordering->count, sizeof(*ordering->order), compare,
		work);
	for (uint32_t i = 0; i < ordering->count; i++) {
		ordering->rank[ordering->order[i]] = i;
	}
}

static int order_of(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int order_of_signed(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int string_order(const void *left, const void *right, void *context)
{
	const struct prof_text *strings = ((const struct work *)context)->raw->strings;

	return prof_text_compare(strings[*(const uint32_t *)left],
				 strings[*(const uint32_t *)right]);
}

/* The main mapping, which is the raw profile's first, before all others. */
static int mapping_order(const void *left, const void *right, void *context)
{
	const struct prof_profile *raw = ((const struct work *)context)->raw;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;

	if (a == b) {
		return 0;
	}
	if (a == 0 || b == 0) {
		return a == 0 ? -1 : 1;
	}
	return prof_mapping_order(raw->strings, &raw->mappings[a], &raw->mappings[b]);
}

static int function_order(const void *left, const void *right, void *context)
{
	const struct work *work = context;
	const uint32_t *strings = work->strings.rank;
	const struct prof_function *a = &work->raw->functions[*(const uint32_t *)left];
	const struct prof_function *b = &work->raw->functions[*(const uint32_t *)right];
	int order = order_of(strings[a->name], strings[b->name]);

	order = order != 0 ? order : order_of(strings[a->file], strings[b->file]);
	order = order != 0 ? order : order_of_signed(a->start_line, b->start_line);
	return order != 0 ? order
			  : order_of(strings[a->system_name], strings[b->system_name]);
}

static int lines_order(const struct work *work, uint32_t left, uint32_t right)
{
	struct prof_lines a = prof_location_lines(work->raw, left);
	struct prof_lines b = prof_location_lines(work->raw, right);
	const uint32_t *functions = work->functions.rank;
	int order = order_of(a.count, b.count);

	for (size_t i = 0; order == 0 && i < a.count; i++) {
		order = order_of(functions[a.data[i].function],
				 functions[b.data[i].function]);
		order = order != 0 ? order
				   : order_of_signed(a.data[i].line, b.data[i].line);
		order = order != 0
				? order
				: order_of_signed(a.data[i].column, b.data[i].column);
	}
	return order;
}

static uint32_t mapping_rank(const struct work *work, uint32_t mapping)
{
	return mapping == PROF_NONE ? 0 : work->mappings.rank[mapping] + 1;
}

static int location_order(const void *left, const void *right, void *context)
{
	const struct work *work = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	const struct prof_location *at = &work->raw->locations[a];
	const struct prof_location *bt = &work->raw->locations[b];
	int order = order_of(mapping_rank(work, at->mapping),
			     mapping_rank(work, bt->mapping));

	order = order != 0 ? order : order_of(at->address, bt->address);
	order = order != 0 ? order : lines_order(work, a, b);
	return order != 0 ? order : order_of(at->folded, bt->folded);
}

static int set_order(const void *left, const void *right, void *context)
{
	const struct work *work = context;
	struct prof_labels a = prof_label_set(work->raw, *(const uint32_t *)left);
	struct prof_labels b = prof_label_set(work->raw, *(const uint32_t *)right);
	const uint32_t *strings = work->strings.rank;
	int order = 0;

	for (size_t i = 0; order == 0 && i < a.count && i < b.count; i++) {
		const struct prof_label *x = &a.data[i];
		const struct prof_label *y = &b.data[i];

		order = order_of(strings[x->key], strings[y->key]);
		order = order != 0 ? order
				   : order_of(strings[x->text], strings[y->text]);
		order = order != 0 ? order : order_of_signed(x->number, y->number);
		order = order != 0 ? order
				   : order_of(strings[x->unit], strings[y->unit]);
	}
	return order != 0 ? order : order_of(a.count, b.count);
}

static int sample_order(const void *left, const void *right, void *context)
{
	const struct work *work = context;
	const uint32_t *sets = work->raw->sample_set;

	return order_of(work->sets.rank[sets[*(const uint32_t *)left]],
			work->sets.rank[sets[*(const uint32_t *)right]]);
}

static bool zero(const struct prof_profile *raw, uint32_t sample)
{
	for (uint32_t c = 0; c < raw->type_count; c++) {
		if (raw->values[c][sample] != 0) {
			return false;
		}
	}
	return true;
}

static void mark_header(struct work *work)
{
	const struct prof_header *header = &work->raw->header;
	struct ordering *strings = &work->strings;

	use(strings, 0);
	for (uint32_t c = 0; c < work->raw->type_count; c++) {
		use(strings, work->raw->types[c].type);
		use(strings, work->raw->types[c].unit);
	}
	for (uint32_t i = 0; i < header->comment_count; i++) {
		use(strings, header->comments[i]);
	}
	use(strings, header->period_type.type);
	use(strings, header->period_type.unit);
	use(strings, header->default_type);
	use(strings, header->doc_url);
	use(strings, header->drop_frames);
	use(strings, header->keep_frames);
}

/* What samples that are not zero use; stacks mark their locations once. */
static void mark_samples(struct work *work)
{
	const struct prof_profile *raw = work->raw;

	use(&work->sets, 0);
	for (uint32_t i = 0; i < raw->sample_count; i++) {
		if (!zero(raw, i)) {
			use(&work->samples, i);
			use(&work->stacks, raw->sample_stack[i]);
			use(&work->sets, raw->sample_set[i]);
		}
	}
	for (uint32_t i = 0; i < work->stacks.count; i++) {
		struct prof_frames frames = prof_stack(raw, work->stacks.order[i]);

		for (size_t f = 0; f < frames.count; f++) {
			use(&work->locations, frames.data[f]);
		}
	}
	for (uint32_t i = 0; i < work->sets.count; i++) {
		struct prof_labels labels = prof_label_set(raw, work->sets.order[i]);

		for (size_t l = 0; l < labels.count; l++) {
			use(&work->strings, labels.data[l].key);
			use(&work->strings, labels.data[l].text);
			use(&work->strings, labels.data[l].unit);
		}
	}
}

static void mark_tables(struct work *work)
{
	const struct prof_profile *raw = work->raw;

	if (raw->mapping_count > 0) {
		use(&work->mappings, 0);
	}
	for (uint32_t i = 0; i < work->locations.count; i++) {
		uint32_t location = work->locations.order[i];
		struct prof_lines lines = prof_location_lines(raw, location);

		if (raw->locations[location].mapping != PROF_NONE) {
			use(&work->mappings, raw->locations[location].mapping);
		}
		for (size_t l = 0; l < lines.count; l++) {
			use(&work->functions, lines.data[l].function);
		}
	}
	for (uint32_t i = 0; i < work->mappings.count; i++) {
		use(&work->strings, raw->mappings[work->mappings.order[i]].file);
		use(&work->strings, raw->mappings[work->mappings.order[i]].build_id);
	}
	for (uint32_t i = 0; i < work->functions.count; i++) {
		const struct prof_function *function =
			&raw->functions[work->functions.order[i]];

		use(&work->strings, function->name);
		use(&work->strings, function->system_name);
		use(&work->strings, function->file);
	}
}

/* Stacks as sequences of location ranks, root first. Fills the new stack table. */
static bool rank_stacks(struct work *work, struct prof_error *err)
{
	const struct prof_profile *raw = work->raw;
	uint32_t count = work->stacks.count;
	uint64_t total = raw->stack_ends[raw->stack_count];
	struct prof_seq *seqs = prof_alloc_array(count, sizeof(*seqs));
	uint32_t *frames = prof_alloc_array((size_t)total, sizeof(*frames));
	bool ok = seqs && frames;

	for (uint64_t i = 0; ok && i < total; i++) {
		frames[i] = work->locations.rank[raw->frames[i]];
	}
	for (uint32_t i = 0; ok && i < count; i++) {
		uint32_t stack = work->stacks.order[i];
		uint64_t first = raw->stack_ends[stack];

		seqs[i] = (struct prof_seq){
			frames + first, (uint32_t)(raw->stack_ends[stack + 1] - first),
			stack
		};
	}
	ok = ok ? prof_seqsort(seqs, count, true, err) : prof_fail_nomem(err);
	for (uint32_t i = 0; ok && i < count; i++) {
		work->stacks.order[i] = seqs[i].id;
		work->stacks.rank[seqs[i].id] = i;
	}
	prof_free(seqs);
	prof_free(frames);
	return ok;
}

/*
 * Samples by the rank of their stack, counted into place: there are as many stacks as
 * samples, or nearly. Those of one stack by their labels.
 */
static bool rank_samples(struct work *work)
{
	const uint32_t *stacks = work->raw->sample_stack;
	struct ordering *samples = &work->samples;
	uint32_t *ends =
		prof_alloc_array((size_t)work->stacks.count + 1, sizeof(*ends));
	uint32_t *sorted = prof_alloc_array(samples->count, sizeof(*sorted));
	bool ok = ends && sorted;
	uint32_t first = 0;

	for (uint32_t i = 0; ok && i < samples->count; i++) {
		ends[work->stacks.rank[stacks[samples->order[i]]] + 1]++;
	}
	for (uint32_t i = 0; ok && i < work->stacks.count; i++) {
		ends[i + 1] += ends[i];
	}
	for (uint32_t i = 0; ok && i < samples->count; i++) {
		uint32_t sample = samples->order[i];

		sorted[ends[work->stacks.rank[stacks[sample]]]++] = sample;
	}
	for (uint32_t i = 0; ok && i < work->stacks.count; first = ends[i++]) {
		if (ends[i] - first > 1) {
			qsort_r(sorted + first, ends[i] - first, sizeof(*sorted),
				sample_order, work);
		}
	}
	if (ok && samples->count > 0) {
		memcpy(samples->order, sorted, samples->count * sizeof(*sorted));
	}
	prof_free(ends);
	prof_free(sorted);
	return ok;
}

static void *table(struct work *work, size_t count, size_t size)
{
	return prof_arena_array(&work->out->arena, count, size);
}

static void emit_strings(struct work *work)
{
	struct prof_profile *out = work->out;
	uint32_t count = work->strings.count;

	out->strings = table(work, count, sizeof(*out->strings));
	for (uint32_t i = 0; i < count && !out->arena.failed; i++) {
		struct prof_text text = work->raw->strings[work->strings.order[i]];

		out->strings[i].data =
			prof_arena_copy(&out->arena, text.data, text.len);
		out->strings[i].len = text.len;
	}
	out->string_count = count;
}

static void emit_mappings(struct work *work)
{
	struct prof_profile *out = work->out;
	uint32_t count = work->mappings.count;

	out->mappings = table(work, count, sizeof(*out->mappings));
	for (uint32_t i = 0; i < count && !out->arena.failed; i++) {
		struct prof_mapping mapping =
			work->raw->mappings[work->mappings.order[i]];

		mapping.id = i + UINT64_C(1);
		mapping.file = work->strings.rank[mapping.file];
		mapping.build_id = work->strings.rank[mapping.build_id];
		out->mappings[i] = mapping;
	}
	out->mapping_count = count;
}

static void emit_functions(struct work *work)
{
	struct prof_profile *out = work->out;
	uint32_t count = work->functions.count;

	out->functions = table(work, count, sizeof(*out->functions));
	for (uint32_t i = 0; i < count && !out->arena.failed; i++) {
		struct prof_function function =
			work->raw->functions[work->functions.order[i]];

		function.id = i + UINT64_C(1);
		function.name = work->strings.rank[function.name];
		function.system_name = work->strings.rank[function.system_name];
		function.file = work->strings.rank[function.file];
		out->functions[i] = function;
	}
	out->function_count = count;
}

static uint32_t emit_lines(struct work *work, uint32_t location, uint32_t at)
{
	struct prof_lines lines = prof_location_lines(work->raw, location);

	for (size_t i = 0; i < lines.count; i++) {
		struct prof_line line = lines.data[i];

		line.function = work->functions.rank[line.function];
		work->out->lines[at++] = line;
	}
	return at;
}

static void emit_locations(struct work *work)
{
	struct prof_profile *out = work->out;
	uint32_t count = work->locations.count;
	uint32_t lines = 0;

	out->locations = table(work, (size_t)count + 1, sizeof(*out->locations));
	out->lines = table(work, work->raw->line_count, sizeof(*out->lines));
	if (out->arena.failed) {
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t old = work->locations.order[i];
		struct prof_location location = work->raw->locations[old];

		location.id = i + UINT64_C(1);
		location.first_line = lines;
		if (location.mapping != PROF_NONE) {
			location.mapping = work->mappings.rank[location.mapping];
		}
		out->locations[i] = location;
		lines = emit_lines(work, old, lines);
	}
	out->locations[count] =
		(struct prof_location){ .mapping = PROF_NONE, .first_line = lines };
	out->location_count = count;
	out->line_count = lines;
}

static void emit_stacks(struct work *work)
{
	struct prof_profile *out = work->out;
	uint32_t count = work->stacks.count;
	uint64_t at = 0;

	out->stack_ends = table(work, (size_t)count + 1, sizeof(*out->stack_ends));
	out->frames = table(work, (size_t)work->raw->stack_ends[work->raw->stack_count],
			    sizeof(*out->frames));
	for (uint32_t i = 0; i < count && !out->arena.failed; i++) {
		struct prof_frames frames =
			prof_stack(work->raw, work->stacks.order[i]);

		for (size_t f = 0; f < frames.count; f++) {
			out->frames[at++] = work->locations.rank[frames.data[f]];
		}
		out->stack_ends[i + 1] = at;
	}
	out->stack_count = count;
}

static void emit_sets(struct work *work)
{
	struct prof_profile *out = work->out;
	uint32_t count = work->sets.count;
	uint32_t at = 0;

	out->set_ends = table(work, (size_t)count + 1, sizeof(*out->set_ends));
	out->labels = table(work, work->raw->set_ends[work->raw->set_count],
			    sizeof(*out->labels));
	for (uint32_t i = 0; i < count && !out->arena.failed; i++) {
		struct prof_labels labels =
			prof_label_set(work->raw, work->sets.order[i]);

		for (size_t l = 0; l < labels.count; l++) {
			struct prof_label label = labels.data[l];

			label.key = work->strings.rank[label.key];
			label.text = work->strings.rank[label.text];
			label.unit = work->strings.rank[label.unit];
			out->labels[at++] = label;
		}
		out->set_ends[i + 1] = at;
	}
	out->set_count = count;
}

static void emit_samples(struct work *work)
{
	const struct prof_profile *raw = work->raw;
	struct prof_profile *out = work->out;
	uint32_t count = work->samples.count;

	out->sample_stack = table(work, count, sizeof(*out->sample_stack));
	out->sample_set = table(work, count, sizeof(*out->sample_set));
	out->values = table(work, raw->type_count, sizeof(*out->values));
	for (uint32_t c = 0; c < raw->type_count && !out->arena.failed; c++) {
		out->values[c] = table(work, count, sizeof(**out->values));
	}
	for (uint32_t i = 0; i < count && !out->arena.failed; i++) {
		uint32_t old = work->samples.order[i];

		out->sample_stack[i] = work->stacks.rank[raw->sample_stack[old]];
		out->sample_set[i] = work->sets.rank[raw->sample_set[old]];
		for (uint32_t c = 0; c < raw->type_count; c++) {
			out->values[c][i] = raw->values[c][old];
		}
	}
	out->sample_count = count;
}

/* Comments are a set: bytewise order, which is the order of their ranks. */
static int comment_order(const void *left, const void *right)
{
	return order_of(*(const uint32_t *)left, *(const uint32_t *)right);
}

static void emit_header(struct work *work)
{
	const struct prof_profile *raw = work->raw;
	const uint32_t *strings = work->strings.rank;
	struct prof_profile *out = work->out;
	uint32_t count = raw->header.comment_count;
	uint32_t *comments = table(work, count, sizeof(*comments));

	out->types = table(work, raw->type_count, sizeof(*out->types));
	if (out->arena.failed) {
		return;
	}
	for (uint32_t c = 0; c < raw->type_count; c++) {
		out->types[c].type = strings[raw->types[c].type];
		out->types[c].unit = strings[raw->types[c].unit];
	}
	out->type_count = raw->type_count;
	for (uint32_t i = 0; i < count; i++) {
		comments[i] = strings[raw->header.comments[i]];
	}
	qsort(comments, count, sizeof(*comments), comment_order);
	out->header = raw->header;
	out->header.comments = comments;
	out->header.period_type.type = strings[raw->header.period_type.type];
	out->header.period_type.unit = strings[raw->header.period_type.unit];
	out->header.default_type = strings[raw->header.default_type];
	out->header.doc_url = strings[raw->header.doc_url];
	out->header.drop_frames = strings[raw->header.drop_frames];
	out->header.keep_frames = strings[raw->header.keep_frames];
}

static bool orderings_init(struct work *work)
{
	const struct prof_profile *raw = work->raw;

	return ordering_init(&work->strings, raw->string_count) &&
	       ordering_init(&work->mappings, raw->mapping_count) &&
	       ordering_init(&work->functions, raw->function_count) &&
	       ordering_init(&work->locations, raw->location_count) &&
	       ordering_init(&work->stacks, raw->stack_count) &&
	       ordering_init(&work->sets, raw->set_count) &&
	       ordering_init(&work->samples, raw->sample_count);
}

static void work_free(struct work *work)
{
	ordering_free(&work->strings);
	ordering_free(&work->mappings);
	ordering_free(&work->functions);
	ordering_free(&work->locations);
	ordering_free(&work->stacks);
	ordering_free(&work->sets);
	ordering_free(&work->samples);
}

static bool emit(struct work *work, struct prof_error *err)
{
	emit_strings(work);
	emit_mappings(work);
	emit_functions(work);
	emit_locations(work);
	emit_stacks(work);
	emit_sets(work);
	emit_samples(work);
	emit_header(work);
	return !work->out->arena.failed || prof_fail_nomem(err);
}

static bool order_all(struct work *work, struct prof_error *err)
{
	mark_header(work);
	mark_samples(work);
	mark_tables(work);
	rank(&work->strings, string_order, work);
	rank(&work->mappings, mapping_order, work);
	rank(&work->functions, function_order, work);
	rank(&work->locations, location_order, work);
	rank(&work->sets, set_order, work);
	return rank_stacks(work, err) && (rank_samples(work) || prof_fail_nomem(err));
}

bool prof_canonical(const struct prof_profile *raw, struct prof_profile **out,
		    struct prof_error *err)
{
	struct work work = { .raw = raw };
	bool ok = false;

	work.out = prof_alloc_array(1, sizeof(*work.out));
	if (!work.out || !orderings_init(&work)) {
		ok = prof_fail_nomem(err);
		goto out;
	}
	ok = order_all(&work, err) && emit(&work, err);
out:
	work_free(&work);
	if (ok) {
		*out = work.out;
	} else {
		prof_profile_free(work.out);
	}
	return ok;
}

/* SPDX-License-Identifier: MIT */
#include "libprof/model/copy.h"

#include "libprof/base/alloc.h"
#include "libprof/model/builder.h"

enum { BATCH = 1024 }; /* samples sent at once */

struct copier {
	const struct prof_profile *view;
	const bool *keep;
	bool all; /* what no sample uses comes along */
	struct prof_sink *sink;

	/* By index in the view: PROF_NONE when not used, then the ref in the copy. */
	uint32_t *strings;
	uint32_t *mappings;
	uint32_t *functions;
	uint32_t *locations;
	bool *stacks;
	bool *sets;

	/* One batch. */
	uint32_t *frames;
	size_t frame_cap;
	uint32_t *ends;
	int64_t *values;
	struct prof_label *labels;
	size_t label_cap;
	uint32_t *label_ends;
};

static bool keeps(const struct copier *copier, uint32_t sample)
{
	return !copier->keep || copier->keep[sample];
}

/* --- what is used ------------------------------------------------------------------- */

static void mark_samples(struct copier *copier)
{
	const struct prof_profile *view = copier->view;

	for (uint32_t i = 0; i < view->sample_count; i++) {
		if (keeps(copier, i)) {
			copier->stacks[view->sample_stack[i]] = true;
			copier->sets[view->sample_set[i]] = true;
		}
	}
	for (uint32_t s = 0; s < view->stack_count; s++) {
		struct prof_frames frames = prof_stack(view, s);

		for (size_t k = 0; copier->stacks[s] && k < frames.count; k++) {
			copier->locations[frames.data[k]] = 0;
		}
	}
	for (uint32_t s = 0; s < view->set_count; s++) {
		struct prof_labels labels = prof_label_set(view, s);

		for (size_t k = 0; copier->sets[s] && k < labels.count; k++) {
			copier->strings[labels.data[k].key] = 0;
			copier->strings[labels.data[k].text] = 0;
			copier->strings[labels.data[k].unit] = 0;
		}
	}
}

static void mark_locations(struct copier *copier)
{
	const struct prof_profile *view = copier->view;

	if (view->mapping_count > 0) {
		copier->mappings[0] = 0;
	}
	for (uint32_t i = 0; i < view->location_count; i++) {
		struct prof_lines lines = prof_location_lines(view, i);

		if (copier->locations[i] == PROF_NONE) {
			continue;
		}
		if (view->locations[i].mapping != PROF_NONE) {
			copier->mappings[view->locations[i].mapping] = 0;
		}
		for (size_t k = 0; k < lines.count; k++) {
			copier->functions[lines.data[k].function] = 0;
		}
	}
}

static void mark_names(struct copier *copier)
{
	const struct prof_profile *view = copier->view;

	for (uint32_t i = 0; i < view->function_count; i++) {
		if (copier->functions[i] != PROF_NONE) {
			copier->strings[view->functions[i].name] = 0;
			copier->strings[view->functions[i].system_name] = 0;
			copier->strings[view->functions[i].file] = 0;
		}
	}
	for (uint32_t i = 0; i < view->mapping_count; i++) {
		if (copier->mappings[i] != PROF_NONE) {
			copier->strings[view->mappings[i].file] = 0;
			copier->strings[view->mappings[i].build_id] = 0;
		}
	}
}

static void mark_header(struct copier *copier)
{
	const struct prof_header *header = &copier->view->header;

	for (uint32_t i = 0; i < copier->view->type_count; i++) {
		copier->strings[copier->view->types[i].type] = 0;
		copier->strings[copier->view->types[i].unit] = 0;
	}
	copier->strings[0] = 0;
	copier->strings[header->period_type.type] = 0;
	copier->strings[header->period_type.unit] = 0;
	copier->strings[header->default_type] = 0;
	copier->strings[header->doc_url] = 0;
	copier->strings[header->drop_frames] = 0;
	copier->strings[header->keep_frames] = 0;
	for (uint32_t i = 0; i < header->comment_count; i++) {
		copier->strings[header->comments[i]] = 0;
	}
}

/* Give what is marked refs that count up from 0. */
static uint32_t number(uint32_t *refs, uint32_t count)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (refs[i] != PROF_NONE) {
			refs[i] = next++;
		}
	}
	return next;
}

/* --- sending ------------------------------------------------------------------------ */

static bool send_strings(const struct copier *copier, uint32_t count,
			 struct prof_error *err)
{
	const struct prof_profile *view = copier->view;
	struct prof_text *texts = prof_alloc_array((size_t)count, sizeof(*texts));
	bool ok;

	if (!texts) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < view->string_count; i++) {
		if (copier->strings[i] != PROF_NONE) {
			texts[copier->strings[i]] = view->strings[i];
		}
	}
	ok = copier->sink->strings(copier->sink, texts, count, err);
	prof_free(texts);
	return ok;
}

static bool send_mappings(const struct copier *copier, struct prof_error *err)
{
	for (uint32_t i = 0; i < copier->view->mapping_count; i++) {
		struct prof_mapping mapping = copier->view->mappings[i];

		if (copier->mappings[i] == PROF_NONE) {
			continue;
		}
		mapping.file = copier->strings[mapping.file];
		mapping.build_id = copier->strings[mapping.build_id];
		mapping.ref = copier->mappings[i];
		if (!copier->sink->mapping(copier->sink, &mapping, err)) {
			return false;
		}
	}
	return true;
}

static bool send_functions(const struct copier *copier, struct prof_error *err)
{
	for (uint32_t i = 0; i < copier->view->function_count; i++) {
		struct prof_function function = copier->view->functions[i];

		if (copier->functions[i] == PROF_NONE) {
			continue;
		}
		function.name = copier->strings[function.name];
		function.system_name = copier->strings[function.system_name];
		function.file = copier->strings[function.file];
		if (!copier->sink->function(copier->sink, &function, err)) {
			return false;
		}
	}
	return true;
}

static bool send_locations(const struct copier *copier, struct prof_error *err)
{
	const struct prof_profile *view = copier->view;
	struct prof_line *lines = NULL;
	size_t cap = 0;
	bool ok = true;

	for (uint32_t i = 0; ok && i < view->location_count; i++) {
		const struct prof_location *at = &view->locations[i];
		struct prof_lines old = prof_location_lines(view, i);
		struct prof_sink_location location = {
			.id = at->id,
			.address = at->address,
			.mapping = at->mapping == PROF_NONE
					   ? PROF_NONE
					   : copier->mappings[at->mapping],
			.folded = at->folded,
			.line_count = (uint32_t)old.count,
		};

		if (copier->locations[i] == PROF_NONE) {
			continue;
		}
		if (!prof_reserve((void **)&lines, &cap, old.count + 1,
				  sizeof(*lines))) {
			ok = prof_fail_nomem(err);
			break;
		}
		for (size_t k = 0; k < old.count; k++) {
			lines[k] = old.data[k];
			lines[k].function = copier->functions[lines[k].function];
		}
		location.lines = lines;
		ok = copier->sink->location(copier->sink, &location, err);
	}
	prof_free(lines);
	return ok;
}

static bool send_types(const struct copier *copier, struct prof_error *err)
{
	const struct prof_profile *view = copier->view;
	struct prof_value_type *types =
		prof_alloc_array((size_t)view->type_count + 1, sizeof(*types));
	bool ok;

	if (!types) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < view->type_count; i++) {
		types[i].type = copier->strings[view->types[i].type];
		types[i].unit = copier->strings[view->types[i].unit];
	}
	ok = copier->sink->types(copier->sink, types, view->type_count, err);
	prof_free(types);
	return ok;
}

/* Append sample `i` of the view to `batch`, whose arrays are the copier's. */
static bool add_sample(struct copier *copier, struct prof_batch *batch, uint32_t i)
{
	const struct prof_profile *view = copier->view;
	struct prof_frames frames = prof_stack(view, view->sample_stack[i]);
	struct prof_labels labels = prof_label_set(view, view->sample_set[i]);
	uint32_t at = batch->count;
	size_t frame = at ? copier->ends[at - 1] : 0;
	size_t label = at ? copier->label_ends[at - 1] : 0;

	if (!prof_reserve((void **)&copier->frames, &copier->frame_cap,
			  frame + frames.count + 1, sizeof(*copier->frames)) ||
	    !prof_reserve((void **)&copier->labels, &copier->label_cap,
			  label + labels.count + 1, sizeof(*copier->labels))) {
		return false;
	}
	for (size_t k = 0; k < frames.count; k++) {
		copier->frames[frame++] = copier->locations[frames.data[k]];
	}
	for (size_t k = 0; k < labels.count; k++) {
		struct prof_label copy = labels.data[k];

		copy.key = copier->strings[copy.key];
		copy.text = copier->strings[copy.text];
		copy.unit = copier->strings[copy.unit];
		copier->labels[label++] = copy;
	}
	for (uint32_t c = 0; c < view->type_count; c++) {
		copier->values[(size_t)at * view->type_count + c] = view->values[c][i];
	}
	copier->ends[at] = (uint32_t)frame;
	copier->label_ends[at] = (uint32_t)label;
	batch->count++;
	return true;
}

static bool send_batch(const struct copier *copier, struct prof_batch *batch,
		       struct prof_error *err)
{
	batch->frames = copier->frames;
	batch->ends = copier->ends;
	batch->values = copier->values;
	batch->labels = copier->labels;
	batch->label_ends = copier->label_ends;
	if (batch->count > 0 && !copier->sink->samples(copier->sink, batch, err)) {
		return false;
	}
	batch->count = 0;
	return true;
}

static bool send_samples(struct copier *copier, struct prof_error *err)
{
	struct prof_batch batch = { 0 };

	for (uint32_t i = 0; i < copier->view->sample_count; i++) {
		if (!keeps(copier, i)) {
			continue;
		}
		if (!add_sample(copier, &batch, i)) {
			return prof_fail_nomem(err);
		}
		/* a batch of deep stacks is sent early: its ends are 32 bits */
		if ((batch.count == BATCH ||
		     copier->ends[batch.count - 1] > UINT32_MAX / 2) &&
		    !send_batch(copier, &batch, err)) {
			return false;
		}
	}
	return send_batch(copier, &batch, err);
}

static bool send_end(const struct copier *copier, struct prof_error *err)
{
	struct prof_header header = copier->view->header;
	uint32_t *comments =
		prof_alloc_array((size_t)header.comment_count + 1, sizeof(*comments));
	bool ok;

	if (!comments) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < header.comment_count; i++) {
		comments[i] = copier->strings[header.comments[i]];
	}
	header.comments = comments;
	header.period_type.type = copier->strings[header.period_type.type];
	header.period_type.unit = copier->strings[header.period_type.unit];
	header.default_type = copier->strings[header.default_type];
	header.doc_url = copier->strings[header.doc_url];
	header.drop_frames = copier->strings[header.drop_frames];
	header.keep_frames = copier->strings[header.keep_frames];
	ok = copier->sink->end(copier->sink, &header, err);
	prof_free(comments);
	return ok;
}

/* --- the copy ------------------------------------------------------------------------- */

static uint32_t *new_refs(const struct copier *copier, uint32_t count)
{
	uint32_t *refs = prof_alloc_array((size_t)count + 1, sizeof(*refs));

	for (uint32_t i = 0; refs && i < count; i++) {
		refs[i] = copier->all ? 0 : PROF_NONE;
	}
	return refs;
}

static bool copier_init(struct copier *copier)
{
	const struct prof_profile *view = copier->view;
	size_t types = (size_t)view->type_count + 1;

	copier->strings = new_refs(copier, view->string_count);
	copier->mappings = new_refs(copier, view->mapping_count);
	copier->functions = new_refs(copier, view->function_count);
	copier->locations = new_refs(copier, view->location_count);
	copier->stacks = prof_alloc_array((size_t)view->stack_count + 1, sizeof(bool));
	copier->sets = prof_alloc_array((size_t)view->set_count + 1, sizeof(bool));
	copier->ends = prof_alloc_array(BATCH, sizeof(uint32_t));
	copier->label_ends = prof_alloc_array(BATCH, sizeof(uint32_t));
	copier->values = prof_alloc_array(BATCH, types * sizeof(int64_t));
	return copier->strings && copier->mappings && copier->functions &&
	       copier->locations && copier->stacks && copier->sets && copier->ends &&
	       copier->label_ends && copier->values;
}

static void copier_free(struct copier *copier)
{
	prof_free(copier->strings);
	prof_free(copier->mappings);
	prof_free(copier->functions);
	prof_free(copier->locations);
	prof_free(copier->stacks);
	prof_free(copier->sets);
	prof_free(copier->frames);
	prof_free(copier->ends);
	prof_free(copier->values);
	prof_free(copier->labels);
	prof_free(copier->label_ends);
}

static bool send_all(struct copier *copier, struct prof_error *err)
{
	const struct prof_profile *view = copier->view;
	uint32_t string_count;

	if (!copier_init(copier)) {
		return prof_fail_nomem(err);
	}
	mark_samples(copier);
	mark_locations(copier);
	mark_names(copier);
	mark_header(copier);
	string_count = number(copier->strings, view->string_count);
	number(copier->mappings, view->mapping_count);
	number(copier->functions, view->function_count);
	number(copier->locations, view->location_count);
	return copier->sink->begin(copier->sink, err) &&
	       send_strings(copier, string_count, err) && send_mappings(copier, err) &&
	       send_functions(copier, err) && send_locations(copier, err) &&
	       send_types(copier, err) && send_samples(copier, err) &&
	       send_end(copier, err);
}

static bool copy(struct copier *copier, struct prof_profile **out,
		 struct prof_error *err)
{
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	bool ok;

	if (!builder) {
		return prof_fail_nomem(err);
	}
	copier->sink = prof_builder_sink(builder);
	ok = send_all(copier, err) && prof_builder_finish(builder, out, err);
	copier_free(copier);
	prof_builder_free(builder);
	return ok;
}

bool prof_profile_copy(const struct prof_profile *view, const bool *keep,
		       struct prof_profile **out, struct prof_error *err)
{
	struct copier copier = { .view = view, .keep = keep };

	return copy(&copier, out, err);
}

bool prof_profile_copy_all(const struct prof_profile *view, const bool *keep,
			   struct prof_profile **out, struct prof_error *err)
{
	struct copier copier = { .view = view, .keep = keep, .all = true };

	return copy(&copier, out, err);
}

/* SPDX-License-Identifier: MIT */
#include "libprof/report/top.h"

#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/base/strings.h"
#include "libprof/report/keyring.h"
#include "libprof/report/tally.h"
#include "libprof/report/top_rows.h"

struct function {
	uint32_t name;
	uint32_t file;
	uint32_t node; /* of all its frames; PROF_NONE: not known, or they differ */
};

/* What one input has said so far. */
struct input {
	struct prof_keyring ring;
	struct prof_tally tally;

	struct function *functions;
	size_t function_cap;
	uint32_t function_count;

	uint32_t *alone; /* per node: 1 + the first location with only this frame */
	size_t alone_cap;
	uint32_t alone_count;
	uint32_t *nodes; /* of one location */
	size_t node_cap;

	struct prof_value_type *types;
	size_t type_cap;
	bool typed;
};

struct prof_top {
	struct prof_sink sink;
	struct prof_key_options options; /* label is a copy */
	char *label;
	struct input input;
	struct prof_top_rows rows; /* of the inputs that have ended */
};

/* A second thread's share: samples only. */
struct top_fork {
	struct prof_sink sink;
	struct prof_tally tally;
};

static struct prof_top *of(struct prof_sink *sink)
{
	return (struct prof_top *)sink;
}

/* records of one input */

static void input_clear(struct input *input)
{
	prof_keyring_clear(&input->ring);
	prof_tally_clear(&input->tally);
	input->function_count = 0;
	input->alone_count = 0;
	input->typed = false;
}

static void input_free(struct input *input)
{
	prof_keyring_free(&input->ring);
	prof_tally_free(&input->tally);
	prof_free(input->functions);
	prof_free(input->alone);
	prof_free(input->nodes);
	prof_free(input->types);
}

static bool begin(struct prof_sink *sink, struct prof_error *err)
{
	(void)err;
	input_clear(&of(sink)->input);
	return true;
}

static bool add_strings(struct prof_sink *sink, const struct prof_text *texts,
			uint32_t count, struct prof_error *err)
{
	return prof_keyring_strings(&of(sink)->input.ring, texts, count, err);
}

static bool add_mapping(struct prof_sink *sink, const struct prof_mapping *mapping,
			struct prof_error *err)
{
	return prof_keyring_mapping(&of(sink)->input.ring, mapping, err);
}

static bool add_function(struct prof_sink *sink, const struct prof_function *function,
			 struct prof_error *err)
{
	struct input *input = &of(sink)->input;

	if (!prof_reserve((void **)&input->functions, &input->function_cap,
			  (size_t)input->function_count + 1,
			  sizeof(*input->functions))) {
		return prof_fail_nomem(err);
	}
	input->functions[input->function_count++] =
		(struct function){ function->name, function->file, PROF_NONE };
	return true;
}

static bool add_node(struct input *input, uint32_t node, size_t *count,
		     struct prof_error *err)
{
	/* Inlined recursion counts once: what repeats nearby need not be looked at. */
	for (size_t i = *count > 16 ? *count - 16 : 0; i < *count; i++) {
		if (input->nodes[i] == node) {
			return true;
		}
	}
	if (!prof_reserve((void **)&input->nodes, &input->node_cap, *count + 1,
			  sizeof(*input->nodes))) {
		return prof_fail_nomem(err);
	}
	input->nodes[(*count)++] = node;
	return true;
}

/* A location with one frame looks like every other that has only this one. */
static bool add_alone(struct input *input, uint32_t node, struct prof_error *err)
{
	struct prof_tally *tally = &input->tally;

	if (!prof_reserve((void **)&input->alone, &input->alone_cap, (size_t)node + 1,
			  sizeof(*input->alone))) {
		return prof_fail_nomem(err);
	}
	while (input->alone_count <= node) {
		input->alone[input->alone_count++] = 0;
	}
	if (input->alone[node] != 0) {
		return prof_tally_same(tally, input->alone[node] - 1, err);
	}
	if (!prof_tally_location(tally, &node, 1, err)) {
		return false;
	}
	input->alone[node] = (uint32_t)tally->location_count;
	return true;
}

static bool line_node(struct input *input, const struct prof_line *line,
		      struct prof_ref_frame *frame, uint32_t *node,
		      struct prof_error *err)
{
	struct function *function = &input->functions[line->function];

	if (function->node != PROF_NONE) {
		*node = function->node;
		return true;
	}
	frame->name = function->name;
	frame->file = function->file;
	frame->line = line->line;
	if (!prof_keyring_node(&input->ring, frame, node, err)) {
		return false;
	}
	if (prof_keyring_by_function(&input->ring, frame)) {
		function->node = *node;
	}
	return true;
}

static bool add_location(struct prof_sink *sink,
			 const struct prof_sink_location *location,
			 struct prof_error *err)
{
	struct input *input = &of(sink)->input;
	struct prof_ref_frame frame = { .address = location->address,
					.mapping = location->mapping };
	uint32_t node = 0;
	size_t count = 0;

	if (input->tally.location_count >= UINT32_MAX - 1) {
		return prof_fail(err, PROF_ERR_LIMIT, "more than %u locations",
				 UINT32_MAX - 1);
	}
	if (location->line_count == 0 &&
	    (!prof_keyring_node(&input->ring, &frame, &node, err) ||
	     !add_node(input, node, &count, err))) {
		return false;
	}
	for (uint32_t i = 0; i < location->line_count; i++) {
		if (!line_node(input, &location->lines[i], &frame, &node, err) ||
		    !add_node(input, node, &count, err)) {
			return false;
		}
	}
	return count == 1
		       ? add_alone(input, input->nodes[0], err)
		       : prof_tally_location(&input->tally, input->nodes, count, err);
}

static bool add_types(struct prof_sink *sink, const struct prof_value_type *types,
		      uint32_t count, struct prof_error *err)
{
	struct input *input = &of(sink)->input;

	if (input->typed || input->tally.sample_count > 0) {
		return prof_fail(err, PROF_ERR_AGAIN, "sample types come late");
	}
	if (count > PROF_MAX_SAMPLE_TYPE) {
		return prof_fail(err, PROF_ERR_LIMIT, "more than %u sample types",
				 PROF_MAX_SAMPLE_TYPE);
	}
	if (!prof_reserve((void **)&input->types, &input->type_cap, count,
			  sizeof(*input->types))) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < count; i++) {
		input->types[i] = types[i];
		if (!prof_keyring_want(&input->ring, types[i].type, err) ||
		    !prof_keyring_want(&input->ring, types[i].unit, err)) {
			return false;
		}
	}
	input->tally.columns = count;
	input->typed = true;
	return true;
}

static bool add_labelled(struct prof_top *top, const struct prof_batch *batch,
			 struct prof_error *err)
{
	struct prof_tally *tally = &top->input.tally;
	struct prof_keyring *ring = &top->input.ring;
	uint32_t start = 0;

	for (uint32_t i = 0; i < batch->count; i++) {
		uint32_t end = batch->label_ends ? batch->label_ends[i] : 0;
		struct prof_labels labels = { NULL, end - start };
		uint32_t node = 0;

		if (labels.count > 0) {
			labels.data = batch->labels + start;
		}
		start = end;
		if (!prof_keyring_label(ring, top->options.label, labels, &node, err)) {
			return false;
		}
		tally->node_count = prof_keyring_nodes(ring);
		if (!prof_tally_add(tally, node,
				    batch->values + (size_t)i * tally->columns, err)) {
			return false;
		}
	}
	return true;
}

static bool add_samples(struct prof_sink *sink, const struct prof_batch *batch,
			struct prof_error *err)
{
	struct prof_top *top = of(sink);

	if (!top->input.typed) {
		return prof_fail(err, PROF_ERR_AGAIN, "sample types come late");
	}
	if (top->options.by == PROF_BY_LABEL) {
		return add_labelled(top, batch, err);
	}
	top->input.tally.node_count = prof_keyring_nodes(&top->input.ring);
	return prof_tally_samples(&top->input.tally, batch, err);
}

/* two threads */

static bool fork_samples(struct prof_sink *sink, const struct prof_batch *batch,
			 struct prof_error *err)
{
	return prof_tally_samples(&((struct top_fork *)sink)->tally, batch, err);
}

static struct prof_sink *fork_sink(struct prof_sink *sink)
{
	struct input *input = &of(sink)->input;
	struct top_fork *fork =
		input->typed ? prof_alloc_array(1, sizeof(*fork)) : NULL;

	if (!fork) {
		return NULL;
	}
	input->tally.node_count = prof_keyring_nodes(&input->ring);
	fork->sink = (struct prof_sink){ .early = true,
					 .no_labels = true,
					 .samples = fork_samples };
	fork->tally = prof_tally_fork(&input->tally);
	return &fork->sink;
}

static bool join_sink(struct prof_sink *sink, struct prof_sink *child,
		      struct prof_error *err)
{
	struct top_fork *fork = (struct top_fork *)child;
	bool ok = prof_tally_join(&of(sink)->input.tally, &fork->tally, err);

	prof_tally_free(&fork->tally);
	prof_free(fork);
	return ok;
}

static bool end(struct prof_sink *sink, const struct prof_header *header,
		struct prof_error *err)
{
	struct prof_top *top = of(sink);
	const struct prof_top_input input = {
		.ring = &top->input.ring,
		.tally = &top->input.tally,
		.types = top->input.types,
		.header = header,
	};

	return prof_top_rows_join(&top->rows, &input, err);
}

/* the engine */

struct prof_top *prof_top_new(const struct prof_key_options *options)
{
	struct prof_top *top = prof_alloc_array(1, sizeof(*top));
	bool label = options->by == PROF_BY_LABEL;
	size_t len = label ? options->label.len : 0;

	if (!top) {
		return NULL;
	}
	top->label = prof_alloc(len);
	if (!top->label) {
		prof_free(top);
		return NULL;
	}
	if (len > 0) {
		memcpy(top->label, options->label.data, len);
	}
	top->options.by = options->by;
	top->options.label = (struct prof_text){ top->label, len };
	top->input.ring.by = options->by;
	top->sink = (struct prof_sink){
		.early = !label,
		.no_labels = !label,
		.begin = begin,
		.strings = add_strings,
		.mapping = add_mapping,
		.function = add_function,
		.location = add_location,
		.types = add_types,
		.samples = add_samples,
		.end = end,
		.fork = label ? NULL : fork_sink,
		.join = label ? NULL : join_sink,
	};
	return top;
}

struct prof_sink *prof_top_sink(struct prof_top *top)
{
	return &top->sink;
}

void prof_top_free(struct prof_top *top)
{
	if (!top) {
		return;
	}
	input_free(&top->input);
	prof_free(top->label);
	prof_top_rows_free(&top->rows);
	prof_free(top);
}

bool prof_top_finish(struct prof_top *top, struct prof_top_result **out,
		     struct prof_error *err)
{
	return prof_top_rows_result(&top->rows, out, err);
}

bool prof_top_of(const struct prof_profile *profile,
		 const struct prof_key_options *options, struct prof_top_result **out,
		 struct prof_error *err)
{
	struct prof_top *top = prof_top_new(options);
	bool ok = false;

	if (!top) {
		return prof_fail_nomem(err);
	}
	ok = prof_profile_send(profile, &top->sink, err) &&
	     prof_top_finish(top, out, err);
	prof_top_free(top);
	return ok;
}

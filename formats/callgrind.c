/* SPDX-License-Identifier: MIT */
#include "formats/callgrind.h"

#include <inttypes.h>
#include <stdio.h>

#include "libprof/base/alloc.h"
#include "libprof/base/strings.h"
#include "libprof/model/unit.h"

/*
 * Functions with one file and name are told apart by their place among them: by start
 * line, object and, in a call tree, the caller.
 */
struct rank {
	uint32_t group;
	uint32_t place; /* from 1 */
};

struct writer {
	const struct prof_graph *graph;
	const struct prof_callgrind_options *options;
	struct prof_buf *out;
	struct prof_strings objects; /* numbered from 1 as they come */
	struct prof_strings files;
	struct prof_strings functions;
	struct rank *ranks; /* per node shown */
	uint32_t *sizes;    /* per group: functions */
	struct prof_buf scratch;
};

/* "(1) name" the first time, then "(1)"; nothing for no name. */
static void add_name(struct writer *writer, struct prof_strings *names,
		     struct prof_text name)
{
	uint32_t known = names->count;
	uint32_t id;

	if (name.len == 0) {
		return;
	}
	id = prof_strings_add(names, name);
	prof_buf_addf(writer->out, "(%u)", id);
	if (known == 0 || id >= known) {
		prof_buf_addc(writer->out, ' ');
		prof_buf_add(writer->out, name.data, name.len);
	}
}

static void add_line(struct writer *writer, const char *what,
		     struct prof_strings *names, struct prof_text name)
{
	prof_buf_adds(writer->out, what);
	add_name(writer, names, name);
	prof_buf_addc(writer->out, '\n');
}

/* An address, relative to that of the node before where that is shorter. */
static void add_address(struct prof_buf *out, const struct prof_graph_node *before,
			uint64_t address)
{
	char absolute[24];
	char relative[24];

	snprintf(absolute, sizeof(absolute), "0x%" PRIx64, address);
	if (!before) {
		prof_buf_adds(out, absolute);
		return;
	}
	if (before->info.address == address) {
		prof_buf_addc(out, '*');
		return;
	}
	snprintf(relative, sizeof(relative), "%+" PRId64,
		 (int64_t)(address - before->info.address));
	prof_buf_adds(out, strlen(relative) < strlen(absolute) ? relative : absolute);
}

static int64_t scaled(const struct writer *writer, int64_t value)
{
	const struct prof_value_style *style = &writer->options->style;
	struct prof_scaled amount = prof_unit_scale(value, style->unit, style->show);

	if (!amount.converted) {
		return value;
	}
	if (!(amount.value < 0x1p63)) {
		return INT64_MAX;
	}
	return amount.value >= -0x1p63 ? (int64_t)amount.value : INT64_MIN;
}

/* The name of a callee: "name [1/2]" when several functions have it. */
static struct prof_text callee_name(struct writer *writer, uint32_t node)
{
	struct prof_text name = writer->graph->nodes[node].info.name;
	const struct rank *rank;

	if (node >= writer->graph->node_count) {
		return (struct prof_text){ 0 };
	}
	rank = &writer->ranks[node];
	if (writer->sizes[rank->group] < 2) {
		return name;
	}
	prof_buf_clear(&writer->scratch);
	prof_buf_add(&writer->scratch, name.data, name.len);
	prof_buf_addf(&writer->scratch, " [%u/%u]", rank->place,
		      writer->sizes[rank->group]);
	return (struct prof_text){ writer->scratch.data, writer->scratch.len };
}

static void add_call(struct writer *writer, const struct prof_graph_edge *edge,
		     const struct prof_graph_node *before)
{
	const struct prof_frame_info *callee = &writer->graph->nodes[edge->to].info;

	add_line(writer, "cfl=", &writer->files, callee->file);
	add_line(writer, "cfn=", &writer->functions, callee_name(writer, edge->to));
	prof_buf_adds(writer->out, "calls=0 ");
	add_address(writer->out, before, callee->address);
	prof_buf_addf(writer->out, " %" PRId64 "\n* * %" PRId64 "\n", callee->line,
		      scaled(writer, edge->weight));
}

static void add_node(struct writer *writer, const struct prof_graph_node *node,
		     const struct prof_graph_node *before)
{
	const struct prof_graph *graph = writer->graph;
	const struct prof_frame_info *info = &node->info;

	if (!before || !prof_text_equal(before->info.object, info->object) ||
	    !prof_text_equal(before->info.file, info->file) ||
	    !prof_text_equal(before->info.name, info->name)) {
		prof_buf_addc(writer->out, '\n');
		add_line(writer, "ob=", &writer->objects, info->object);
		add_line(writer, "fl=", &writer->files, info->file);
		add_line(writer, "fn=", &writer->functions, info->name);
	}
	add_address(writer->out, before, info->address);
	prof_buf_addf(writer->out, " %" PRId64 " %" PRId64 "\n", info->line,
		      scaled(writer, prof_graph_flat(node)));
	for (uint32_t i = 0; i < node->out_count; i++) {
		add_call(writer, &graph->edges[graph->out_edges[node->first_out + i]],
			 before);
	}
}

static void add_text(struct prof_buf *out, struct prof_text text)
{
	prof_buf_add(out, text.data, text.len);
}

static uint32_t key_id(struct prof_strings *keys, const struct prof_buf *key)
{
	return prof_strings_add(keys, (struct prof_text){ key->data, key->len });
}

/* Append what tells apart functions of one file and name. */
static void add_distinction(const struct prof_graph *graph,
			    const struct prof_graph_node *node, struct prof_buf *key)
{
	const struct prof_frame_info *info = &node->info;
	bool whole = info->address == 0 && info->line == 0; /* its own function */
	uint32_t caller = UINT32_MAX;

	if (graph->call_tree && node->in_count > 0) {
		caller = graph->edges[graph->in_edges[node->first_in]].from;
	}
	prof_buf_addf(key, ":%" PRId64 ":%" PRId64 ":%u:", info->start_line,
		      whole ? info->column : 0, caller);
	add_text(key, info->object);
}

/* Group the nodes shown by file and name, and number the functions of each group. */
static bool rank_nodes(struct writer *writer)
{
	const struct prof_graph *graph = writer->graph;
	size_t count = (size_t)graph->node_count + 1;
	struct prof_strings groups = { 0 };
	struct prof_strings functions = { 0 };
	uint32_t *places = prof_alloc_array(count + 1, sizeof(*places));
	struct prof_buf key = { 0 };
	bool ok;

	writer->ranks = prof_alloc_array(count, sizeof(*writer->ranks));
	writer->sizes = prof_alloc_array(count + 1, sizeof(*writer->sizes));
	ok = places && writer->ranks && writer->sizes;
	for (uint32_t i = 0; ok && i < graph->node_count; i++) {
		const struct prof_graph_node *node = &graph->nodes[i];
		uint32_t function;
		uint32_t group;

		prof_buf_clear(&key);
		prof_buf_addf(&key, "%zu:", node->info.file.len);
		add_text(&key, node->info.file);
		add_text(&key, node->info.name);
		group = key_id(&groups, &key);
		add_distinction(graph, node, &key);
		function = key_id(&functions, &key);
		ok = !groups.failed && !functions.failed && !key.failed;
		if (ok && places[function] == 0) {
			places[function] = ++writer->sizes[group];
		}
		writer->ranks[i] = (struct rank){ group, ok ? places[function] : 0 };
	}
	prof_buf_free(&key);
	prof_free(places);
	prof_strings_free(&functions);
	prof_strings_free(&groups);
	return ok;
}

static void add_events(struct writer *writer)
{
	const struct prof_value_style *style = &writer->options->style;

	prof_buf_adds(writer->out, "positions: instr line\nevents: ");
	prof_buf_add(writer->out, writer->options->type.data,
		     writer->options->type.len);
	prof_buf_addc(writer->out, '(');
	prof_buf_add(writer->out, style->show.data, style->show.len);
	prof_buf_adds(writer->out, ")\n");
}

bool prof_callgrind_write(const struct prof_graph *graph,
			  const struct prof_callgrind_options *options,
			  struct prof_buf *out, struct prof_error *err)
{
	struct writer writer = { .graph = graph, .options = options, .out = out };
	const struct prof_graph_node *before = NULL;
	bool ok = rank_nodes(&writer);

	add_events(&writer);
	for (uint32_t i = 0; ok && i < graph->node_count; i++) {
		add_node(&writer, &graph->nodes[i], before);
		before = &graph->nodes[i];
	}
	ok = ok && !out->failed && !writer.scratch.failed && !writer.objects.failed &&
	     !writer.files.failed && !writer.functions.failed;
	prof_strings_free(&writer.objects);
	prof_strings_free(&writer.files);
	prof_strings_free(&writer.functions);
	prof_buf_free(&writer.scratch);
	prof_free(writer.ranks);
	prof_free(writer.sizes);
	return ok || prof_fail_nomem(err);
}

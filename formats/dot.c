/* SPDX-License-Identifier: MIT */
#include "formats/dot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "libprof/base/alloc.h"
#include "libprof/model/unit.h"
#include "libprof/report/shorten.h"

enum { MAX_TAGS = 4, FONT_BASE = 8, FONT_GROWTH = 16 };

struct writer {
	const struct prof_graph *graph;
	const struct prof_dot_options *options;
	struct prof_buf *out;
	struct prof_buf value;   /* of the node, tag or edge at hand */
	struct prof_buf scratch; /* of a name at hand */
	int64_t max_flat;
};

/* --- texts -------------------------------------------------------------------------- */

static struct prof_text held(const struct prof_buf *buf)
{
	return (struct prof_text){ buf->data, buf->len };
}

static void add_text(struct prof_buf *out, struct prof_text text)
{
	prof_buf_add(out, text.data, text.len);
}

/* Append `text` for use between quotes; newlines become left-justified ones. */
static void add_escaped(struct prof_buf *out, struct prof_text text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];

		if (c == '\n') {
			prof_buf_adds(out, "\\l");
			continue;
		}
		if (c == '\\' || c == '"') {
			prof_buf_addc(out, '\\');
		}
		prof_buf_addc(out, c);
	}
}

/*
 * Append `text` as it is, which is what pprof does here, but for what would end the
 * quotes: a quote, or a backslash before one.
 */
static void add_contained(struct prof_buf *out, struct prof_text text)
{
	bool open = false; /* an odd number of backslashes came last */

	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];

		if (c == '"') {
			prof_buf_adds(out, open ? "\\\\" : "\\");
		}
		prof_buf_addc(out, c);
		open = c == '\\' && !open;
	}
	if (open) {
		prof_buf_addc(out, '\\');
	}
}

/* Hold `value` as text in writer->value. */
static struct prof_text value_text(struct writer *writer, int64_t value)
{
	prof_buf_clear(&writer->value);
	prof_value_add(&writer->value, &writer->options->style, value);
	return held(&writer->value);
}

static void add_value(struct writer *writer, int64_t value)
{
	prof_value_add(writer->out, &writer->options->style, value);
}

/* "10 (10.00%)" */
static void add_value_and_percent(struct writer *writer, int64_t value)
{
	size_t start = 0;

	add_value(writer, value);
	prof_buf_clear(&writer->scratch);
	prof_value_add_percent(&writer->scratch, &writer->options->style, value);
	while (start < writer->scratch.len && writer->scratch.data[start] == ' ') {
		start++;
	}
	prof_buf_adds(writer->out, " (");
	prof_buf_add(writer->out, writer->scratch.data + start,
		     writer->scratch.len - start);
	prof_buf_addc(writer->out, ')');
}

/* --- colours ------------------------------------------------------------------------ */

static unsigned channel(double share)
{
	/* What is not a number, as 0 of 0 is, counts as 0. */
	return share >= 0 ? (unsigned)(share * 255) & 0xff : 0;
}

/* Red for a large share of the total, green for a negative one, grey for little. */
static void add_color(struct writer *writer, int64_t value, bool background)
{
	double total = fabs((double)writer->options->style.total);
	double score = (double)value / total;
	double saturation = background ? 0.1 : 1.0;
	double brightness = background ? 0.93 : 0.7;
	double red = brightness;
	double green;

	if (score < -1) {
		score = -1;
	} else if (score > 1) {
		score = 1;
	}
	if (fabs(score) < 0.2) {
		saturation *= fabs(score) / 0.2;
	}
	if (score > 0) {
		score = pow(score, 0.3);
	} else if (score < 0) {
		score = -pow(-score, 0.3);
	}
	if (score < 0) {
		green = brightness;
		red = brightness * (1 + saturation * score);
	} else {
		green = brightness * (1 - saturation * score);
	}
	prof_buf_addf(writer->out, "\"#%02x%02x%02x\"", channel(red), channel(green),
		      channel(brightness * (1 - saturation)));
}

/* --- legend ------------------------------------------------------------------------- */

static void add_legend(struct writer *writer)
{
	const struct prof_dot_options *options = writer->options;
	struct prof_text legend = options->legend;
	struct prof_text first = legend;
	const char *newline = legend.len ? memchr(legend.data, '\n', legend.len) : NULL;

	if (legend.len == 0) {
		return;
	}
	first.len = newline ? (size_t)(newline - legend.data) : legend.len;
	prof_buf_adds(writer->out, "subgraph cluster_L { \"");
	add_escaped(writer->out, first);
	prof_buf_adds(writer->out, "\" [shape=box fontsize=16 label=\"");
	add_escaped(writer->out, legend);
	prof_buf_addc(writer->out, '"');
	if (options->url.len > 0) {
		prof_buf_adds(writer->out, " URL=\"");
		add_contained(writer->out, options->url);
		prof_buf_adds(writer->out, "\" target=\"_blank\"");
	}
	if (options->title.len > 0) {
		prof_buf_adds(writer->out, " tooltip=\"");
		add_contained(writer->out, options->title);
		prof_buf_addc(writer->out, '"');
	}
	prof_buf_adds(writer->out, "] }\n");
}

static void add_head(struct writer *writer)
{
	struct prof_text title = writer->options->title;

	prof_buf_adds(writer->out, "digraph \"");
	add_contained(writer->out, title.len > 0 ? title : prof_text("unnamed"));
	prof_buf_adds(writer->out, "\" {\n"
				   "node [style=filled fillcolor=\"#f8f8f8\"]\n");
	add_legend(writer);
}

/* --- nodes -------------------------------------------------------------------------- */

/* Append a function's name in short lines: broken at "::" and at every '.'. */
static void add_function(struct writer *writer, struct prof_text name)
{
	struct prof_buf *out = writer->out;
	struct prof_text text;

	prof_buf_clear(&writer->scratch);
	prof_shorten(&writer->scratch, name);
	text = held(&writer->scratch);
	for (size_t i = 0; i < text.len; i++) {
		const char *at = text.data + i;
		size_t left = text.len - i;

		if (left >= 2 && memcmp(at, "::", 2) == 0) {
			prof_buf_adds(out, "\\n");
			i += 1;
		} else if (left >= 5 && memcmp(at, "[...]", 5) == 0) {
			prof_buf_adds(out, "[\xe2\x80\xa6]");
			i += 4;
		} else if (*at == '.') {
			prof_buf_adds(out, "\\n");
		} else {
			add_escaped(out, (struct prof_text){ at, 1 });
		}
	}
}

/* The parts of a node's name, each on a line of its own. */
static void add_display_name(struct writer *writer, const struct prof_frame_info *info)
{
	struct prof_frame_info place = *info;

	if (info->address != 0) {
		prof_buf_addf(writer->out, "%016" PRIx64 "\\n", info->address);
	}
	if (info->name.len > 0) {
		add_function(writer, info->name);
		prof_buf_adds(writer->out, "\\n");
	}
	if (info->name.len > 0 && info->line == 0 && info->file.len == 0) {
		return;
	}
	place.address = 0;
	place.name = (struct prof_text){ 0 };
	if (place.file.len > 0) {
		place.file = prof_path_base(place.file);
	}
	prof_buf_clear(&writer->scratch);
	prof_frame_info_add(&writer->scratch, &place);
	add_contained(writer->out, held(&writer->scratch));
	prof_buf_adds(writer->out, "\\n");
}

static void add_node_values(struct writer *writer, int64_t flat, int64_t cum)
{
	if (flat == 0) {
		prof_buf_addc(writer->out, '0');
	} else {
		add_value_and_percent(writer, flat);
	}
	if (cum != flat) {
		prof_buf_adds(writer->out, flat != 0 ? "\\nof " : " of ");
		add_value_and_percent(writer, cum);
	}
}

static int font_size(const struct writer *writer, int64_t flat)
{
	double part = fabs((double)flat) / (double)writer->max_flat;

	return flat == 0 ? FONT_BASE : FONT_BASE + (int)ceil(FONT_GROWTH * sqrt(part));
}

static void add_node(struct writer *writer, const struct prof_graph_node *node,
		     uint32_t id)
{
	int64_t flat = prof_graph_flat(node);
	int64_t cum = prof_graph_cum(node);

	prof_buf_addf(writer->out, "N%u [label=\"", id);
	add_display_name(writer, &node->info);
	add_node_values(writer, flat, cum);
	prof_buf_addf(writer->out, "\" id=\"node%u\" fontsize=%d shape=box tooltip=\"",
		      id, font_size(writer, flat));
	add_escaped(writer->out, node->name);
	prof_buf_adds(writer->out, " (");
	add_value(writer, cum);
	prof_buf_adds(writer->out, ")\" color=");
	add_color(writer, cum, false);
	prof_buf_adds(writer->out, " fillcolor=");
	add_color(writer, cum, true);
	prof_buf_adds(writer->out, "]\n");
}

/* --- tags --------------------------------------------------------------------------- */

/* A number, or a range of numbers, that is shown as one box. */
struct range {
	const struct prof_graph_tag *seed;
	int64_t least;
	int64_t most;
	int64_t flat;
	int64_t flat_div;
	int64_t cum;
	int64_t cum_div;
	uint32_t count;
};

static struct range range_of(const struct prof_graph_tag *tag)
{
	return (struct range){
		.seed = tag,
		.least = tag->number,
		.most = tag->number,
		.flat = tag->flat,
		.flat_div = tag->flat_div,
		.cum = tag->cum,
		.cum_div = tag->cum_div,
		.count = 1,
	};
}

static void extend(struct range *range, const struct prof_graph_tag *tag)
{
	range->least = tag->number < range->least ? tag->number : range->least;
	range->most = tag->number > range->most ? tag->number : range->most;
	range->flat += tag->flat;
	range->flat_div += tag->flat_div;
	range->cum += tag->cum;
	range->cum_div += tag->cum_div;
	range->count++;
}

/* The range whose seed is nearest, the first of several. */
static struct range *nearest(struct range *ranges, int64_t number)
{
	struct range *best = &ranges[0];

	for (int i = 1; i < MAX_TAGS; i++) {
		double old = fabs((double)best->seed->number - (double)number);
		double new = fabs((double)ranges[i].seed->number - (double)number);

		best = new < old ? &ranges[i] : best;
	}
	return best;
}

static void add_range_name(struct writer *writer, const struct range *range)
{
	struct prof_text unit = writer->graph->bytes_unit;
	struct prof_text automatic = prof_text("auto");

	prof_unit_label(writer->out, range->least, unit, automatic);
	if (range->count > 1) {
		prof_buf_adds(writer->out, "..");
		prof_unit_label(writer->out, range->most, unit, automatic);
	}
}

/* A box of its own, hanging on the box `source`. */
struct nodelet {
	const char *source; /* "N1", or "N1_0" for a number under a label */
	const char *prefix; /* "" or "N" */
	uint32_t place;
	int64_t value;
	bool dotted;
};

static void begin_nodelet(struct writer *writer, const struct nodelet *nodelet)
{
	prof_buf_addf(writer->out, "%s%s_%u [label = \"", nodelet->prefix,
		      nodelet->source, nodelet->place);
}

static void end_nodelet(struct writer *writer, const struct nodelet *nodelet)
{
	struct prof_text value = value_text(writer, nodelet->value);
	struct prof_buf *out = writer->out;

	prof_buf_addf(out, "\" id=\"%s%s_%u\" fontsize=8 shape=box3d tooltip=\"",
		      nodelet->prefix, nodelet->source, nodelet->place);
	add_text(out, value);
	prof_buf_addf(out, "\"]\n%s -> %s%s_%u [label=\" ", nodelet->source,
		      nodelet->prefix, nodelet->source, nodelet->place);
	add_text(out, value);
	prof_buf_adds(out, "\" weight=100 tooltip=\"");
	add_text(out, value);
	prof_buf_adds(out, "\" labeltooltip=\"");
	add_text(out, value);
	prof_buf_adds(out, nodelet->dotted ? "\" style=\"dotted\"]\n" : "\"]\n");
}

/* Begin the box of a number; false when there is nothing to show. */
static bool begin_number(struct writer *writer, struct nodelet *nodelet,
			 const struct range *range, bool flat_only)
{
	int64_t flat = prof_graph_mean(range->flat, range->flat_div);
	int64_t cum = prof_graph_mean(range->cum, range->cum_div);
	bool show_flat = flat_only || flat == cum;

	nodelet->value = show_flat ? flat : cum;
	nodelet->dotted = !show_flat;
	if (nodelet->value == 0) {
		return false;
	}
	begin_nodelet(writer, nodelet);
	return true;
}

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Whether `a` comes before `b`: heavier, or else the first name. */
static bool range_before(struct writer *writer, const struct range *a,
			 const struct range *b, bool flat_only)
{
	struct prof_buf *out = writer->out;
	size_t start = out->len;
	size_t middle;
	int order;

	if (!flat_only && a->cum != b->cum) {
		return magnitude(a->cum) > magnitude(b->cum);
	}
	if (a->flat != b->flat) {
		return magnitude(a->flat) > magnitude(b->flat);
	}
	add_range_name(writer, a);
	middle = out->len;
	add_range_name(writer, b);
	if (out->failed) {
		return false;
	}
	order = prof_text_compare(
		(struct prof_text){ out->data + start, middle - start },
		(struct prof_text){ out->data + middle, out->len - middle });
	out->len = start;
	return order < 0;
}

/* Means are what is shown and sorted by: divide, and forget what was divided by. */
static void settle(struct range *range)
{
	range->flat = prof_graph_mean(range->flat, range->flat_div);
	range->cum = prof_graph_mean(range->cum, range->cum_div);
	range->flat_div = 0;
	range->cum_div = 0;
}

/* More numbers than boxes: the heaviest attract those near them. */
static void add_ranges(struct writer *writer, struct nodelet *nodelet,
		       const struct prof_graph_tag *tags, uint32_t count,
		       bool flat_only)
{
	struct range ranges[MAX_TAGS];

	for (uint32_t i = 0; i < MAX_TAGS; i++) {
		ranges[i] = range_of(&tags[i]);
	}
	for (uint32_t i = MAX_TAGS; i < count; i++) {
		extend(nearest(ranges, tags[i].number), &tags[i]);
	}
	for (uint32_t i = 0; i < MAX_TAGS; i++) {
		settle(&ranges[i]);
		for (uint32_t k = i; k > 0 && range_before(writer, &ranges[k],
							   &ranges[k - 1], flat_only);
		     k--) {
			struct range swapped = ranges[k];

			ranges[k] = ranges[k - 1];
			ranges[k - 1] = swapped;
		}
	}
	for (uint32_t i = 0; i < MAX_TAGS; i++) {
		nodelet->place = i;
		if (begin_number(writer, nodelet, &ranges[i], flat_only)) {
			add_range_name(writer, &ranges[i]);
			end_nodelet(writer, nodelet);
		}
	}
}

/* The boxes of numbers that hang on `source`. */
static void add_numbers(struct writer *writer, const char *source, uint32_t first,
			uint32_t count, bool flat_only)
{
	const struct prof_graph_tag *tags = writer->graph->tags + first;
	struct nodelet nodelet = { .source = source, .prefix = "N" };

	if (count > MAX_TAGS) {
		add_ranges(writer, &nodelet, tags, count, flat_only);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct range range = range_of(&tags[i]);

		nodelet.place = i;
		if (begin_number(writer, &nodelet, &range, flat_only)) {
			add_contained(writer->out, tags[i].name);
			end_nodelet(writer, &nodelet);
		}
	}
}

/*
 * The boxes that hang on a node; false when there are none. The leaves of the graph
 * show cumulative values: those of what was dropped below them as well.
 */
static bool add_nodelets(struct writer *writer, const struct prof_graph_node *node,
			 uint32_t id)
{
	const struct prof_graph *graph = writer->graph;
	bool flat_only = node->out_count > 0;
	size_t before = writer->out->len;
	char source[32];

	for (uint32_t i = 0; i < node->tag_count && i < MAX_TAGS; i++) {
		const struct prof_graph_tag *tag = &graph->tags[node->first_tag + i];
		struct nodelet nodelet = { .source = source, .prefix = "", .place = i };

		nodelet.value = flat_only ? prof_graph_mean(tag->flat, tag->flat_div)
					  : prof_graph_mean(tag->cum, tag->cum_div);
		if (nodelet.value == 0) {
			continue;
		}
		snprintf(source, sizeof(source), "N%u", id);
		begin_nodelet(writer, &nodelet);
		add_contained(writer->out, tag->name);
		end_nodelet(writer, &nodelet);
		snprintf(source, sizeof(source), "N%u_%u", id, i);
		add_numbers(writer, source, tag->first_number, tag->number_count,
			    flat_only);
	}
	snprintf(source, sizeof(source), "N%u", id);
	add_numbers(writer, source, node->first_number, node->number_count, flat_only);
	return writer->out->len > before;
}

/* --- edges -------------------------------------------------------------------------- */

__extension__ typedef __int128 wide;

/* 1 + |value * steps / total|, at most 1 + steps. */
static int thickness(int64_t value, int64_t total, int steps)
{
	wide part = (wide)value * steps / total;

	part = part < 0 ? -part : part;
	return 1 + (part < steps ? (int)part : steps);
}

static void add_edge_weights(struct writer *writer, int64_t weight)
{
	int64_t total = writer->options->style.total;
	int heavy;
	int pen;

	if (total == 0) {
		return;
	}
	heavy = thickness(weight, total, 100);
	pen = thickness(weight, total, 5);
	if (heavy > 1) {
		prof_buf_addf(writer->out, " weight=%d", heavy);
	}
	if (pen > 1) {
		prof_buf_addf(writer->out, " penwidth=%d", pen);
	}
	prof_buf_adds(writer->out, " color=");
	add_color(writer, weight, false);
}

static void add_edge_tooltip(struct writer *writer, const char *attribute,
			     const struct prof_graph_edge *edge)
{
	const struct prof_graph_node *nodes = writer->graph->nodes;

	prof_buf_addf(writer->out, " %s=\"", attribute);
	add_escaped(writer->out, nodes[edge->from].name);
	prof_buf_adds(writer->out, edge->residual ? " ... " : " -> ");
	add_escaped(writer->out, nodes[edge->to].name);
	prof_buf_adds(writer->out, " (");
	add_text(writer->out, held(&writer->value));
	prof_buf_adds(writer->out, ")\"");
}

static void add_edge(struct writer *writer, const struct prof_graph_edge *edge,
		     bool has_nodelets)
{
	int64_t weight = prof_graph_mean(edge->weight, edge->weight_div);
	uint32_t to = edge->to < writer->graph->node_count ? edge->to + 1 : 0;

	prof_buf_addf(writer->out, "N%u -> N%u [label=\" ", edge->from + 1, to);
	add_text(writer->out, value_text(writer, weight));
	prof_buf_adds(writer->out, edge->inlined ? "\\n (inline)\"" : "\"");
	add_edge_weights(writer, weight);
	add_edge_tooltip(writer, "tooltip", edge);
	add_edge_tooltip(writer, "labeltooltip", edge);
	prof_buf_adds(writer->out, edge->residual ? " style=\"dotted\"" : "");
	prof_buf_adds(writer->out, has_nodelets ? " minlen=2]\n" : "]\n");
}

/* --- all ---------------------------------------------------------------------------- */

static void add_nodes(struct writer *writer, bool *has_nodelets)
{
	const struct prof_graph *graph = writer->graph;

	for (uint32_t i = 0; i < graph->node_count; i++) {
		int64_t flat = prof_graph_flat(&graph->nodes[i]);

		flat = flat < 0 ? -flat : flat;
		writer->max_flat = flat > writer->max_flat ? flat : writer->max_flat;
	}
	for (uint32_t i = 0; i < graph->node_count; i++) {
		add_node(writer, &graph->nodes[i], i + 1);
		has_nodelets[i] = add_nodelets(writer, &graph->nodes[i], i + 1);
	}
}

bool prof_dot_write(const struct prof_graph *graph,
		    const struct prof_dot_options *options, struct prof_buf *out,
		    struct prof_error *err)
{
	struct writer writer = { .graph = graph, .options = options, .out = out };
	bool *has_nodelets =
		prof_alloc_array((size_t)graph->node_count + 1, sizeof(*has_nodelets));
	bool failed;

	if (!has_nodelets) {
		return prof_fail_nomem(err);
	}
	add_head(&writer);
	add_nodes(&writer, has_nodelets);
	for (uint32_t i = 0; i < graph->edge_count; i++) {
		if (graph->edges[i].from < graph->node_count) {
			add_edge(&writer, &graph->edges[i],
				 has_nodelets[graph->edges[i].from]);
		}
	}
	prof_buf_adds(out, "}\n");
	failed = out->failed || writer.value.failed || writer.scratch.failed;
	prof_buf_free(&writer.value);
	prof_buf_free(&writer.scratch);
	prof_free(has_nodelets);
	return !failed || prof_fail_nomem(err);
}

/* SPDX-License-Identifier: MIT */
#include "cmd/pprof_text.h"

#include "formats/callgrind.h"
#include "formats/dot.h"
#include "libprof/model/unit.h"

/* --- pieces ------------------------------------------------------------------------- */

static void add_text(struct prof_buf *out, struct prof_text text)
{
	prof_buf_add(out, text.data, text.len);
}

/* Append what `out` holds from `start` on, right-aligned in `width` characters. */
static void align_right(struct prof_buf *out, size_t start, size_t width)
{
	size_t count = 0;
	size_t len;
	size_t pad;

	if (out->failed) {
		return;
	}
	len = out->len - start;
	for (size_t i = start; i < out->len; i++) {
		count += ((unsigned char)out->data[i] & 0xc0) != 0x80;
	}
	pad = count < width ? width - count : 0;
	if (pad > 0 && prof_buf_reserve(out, pad)) {
		memmove(out->data + start + pad, out->data + start, len);
		memset(out->data + start, ' ', pad);
		out->len += pad;
	}
}

static void add_value(struct prof_buf *out, const struct prof_value_style *style,
		      int64_t value, size_t width)
{
	size_t start = out->len;

	prof_value_add(out, style, value);
	align_right(out, start, width);
}

/* A percentage in running text: without its padding. */
static void add_trimmed_percent(struct prof_buf *out,
				const struct prof_value_style *style, int64_t value)
{
	struct prof_buf percent = { 0 };
	size_t start = 0;

	prof_value_add_percent(&percent, style, value);
	while (start < percent.len && percent.data[start] == ' ') {
		start++;
	}
	prof_buf_add(out, percent.data + start, percent.len - start);
	out->failed |= percent.failed;
	prof_buf_free(&percent);
}

static const char *plural(uint32_t count)
{
	return count == 1 ? "" : "s";
}

/* |fraction of the total|, truncated. */
static int64_t cutoff_shown(const struct prof_value_style *style, double fraction)
{
	double part = (double)style->total * fraction;

	part = part < 0 ? -part : part;
	return part < 0x1p63 ? (int64_t)part : INT64_MAX;
}

static void add_dropped(struct prof_buf *out, const struct pprof_graph_report *report,
			const struct prof_graph *graph,
			const struct prof_value_style *style)
{
	if (graph->dropped_nodes > 0) {
		prof_buf_addf(out, "Dropped %u node%s (cum <= ", graph->dropped_nodes,
			      plural(graph->dropped_nodes));
		prof_value_add(out, style,
			       cutoff_shown(style, report->graph.node_fraction));
		prof_buf_adds(out, ")\n");
	}
	if (graph->dropped_edges > 0 && report->kind == PPROF_DOT) {
		prof_buf_addf(out, "Dropped %u edge%s (freq <= ", graph->dropped_edges,
			      plural(graph->dropped_edges));
		prof_value_add(out, style,
			       cutoff_shown(style, report->graph.edge_fraction));
		prof_buf_adds(out, ")\n");
	}
	if (graph->node_count > 0 && graph->node_count < graph->found_count) {
		prof_buf_addf(out, "Showing top %u nodes out of %u\n",
			      graph->node_count, graph->found_count);
	}
}

void pprof_text_showing(struct prof_buf *out, const struct pprof_graph_report *report,
			const struct prof_graph *graph,
			const struct prof_value_style *style)
{
	int64_t flat = 0;

	for (uint32_t i = 0; i < graph->node_count; i++) {
		flat += prof_graph_flat(&graph->nodes[i]);
	}
	prof_buf_adds(out, "Showing nodes accounting for ");
	prof_value_add(out, style, flat);
	prof_buf_adds(out, ", ");
	add_trimmed_percent(out, style, flat);
	prof_buf_adds(out, " of ");
	prof_value_add(out, style, style->total);
	prof_buf_adds(out, " total\n");
	if (style->total != 0) {
		add_dropped(out, report, graph, style);
	}
}

static void add_labels(struct prof_buf *out, const struct pprof_graph_report *report,
		       const struct prof_graph *graph,
		       const struct prof_value_style *style)
{
	if (report->labels.add) {
		report->labels.add(report->labels.context, style, out);
	}
	if (report->filters.add) {
		report->filters.add(report->filters.context, style, out);
	}
	pprof_text_showing(out, report, graph, style);
}

/* Value, share, share of the sum so far, value, share: the columns of a node. */
static void add_node(struct prof_buf *out, const struct prof_value_style *style,
		     const struct prof_graph_node *node, int64_t *sum)
{
	int64_t flat = prof_graph_flat(node);
	int64_t cum = prof_graph_cum(node);

	*sum += flat;
	add_value(out, style, flat, 10);
	prof_buf_addc(out, ' ');
	prof_value_add_percent(out, style, flat);
	prof_buf_addc(out, ' ');
	prof_value_add_percent(out, style, *sum);
	prof_buf_addc(out, ' ');
	add_value(out, style, cum, 10);
	prof_buf_addc(out, ' ');
	prof_value_add_percent(out, style, cum);
}

/* --- top ---------------------------------------------------------------------------- */

static void add_top(struct prof_buf *out, const struct prof_graph *graph,
		    const struct prof_value_style *style)
{
	int64_t sum = 0;

	prof_buf_addf(out, "%10s %5s%% %5s%% %10s %5s%%\n", "flat", "flat", "sum",
		      "cum", "cum");
	for (uint32_t i = 0; i < graph->node_count; i++) {
		const struct prof_graph_node *node = &graph->nodes[i];
		uint32_t inlined = prof_graph_inlined(graph, node);

		add_node(out, style, node, &sum);
		prof_buf_adds(out, "  ");
		add_text(out, node->name);
		if (inlined > 0) {
			prof_buf_adds(out, inlined == node->in_count
						   ? " (inline)"
						   : " (partial-inline)");
		}
		prof_buf_addc(out, '\n');
	}
}

/* --- tree and peek ------------------------------------------------------------------ */

static const char tree_line[] =
	"----------------------------------------------------------+-------------\n";
static const char tree_legend[] =
	"      flat  flat%   sum%        cum   cum%   calls calls% + context \t \t \n";

/* One caller or callee: the weight is a share of the node's cum. */
static void add_neighbour(struct prof_buf *out, const struct prof_value_style *style,
			  const struct prof_graph_edge *edge, int64_t cum,
			  struct prof_text name)
{
	add_value(out, style, edge->weight, 50);
	prof_buf_addc(out, ' ');
	prof_unit_percent(out, edge->weight, cum);
	prof_buf_adds(out, " |   ");
	add_text(out, name);
	prof_buf_adds(out, edge->inlined ? " (inline)\n" : "\n");
}

static void add_tree_node(struct prof_buf *out, const struct prof_graph *graph,
			  const struct prof_value_style *style,
			  const struct prof_graph_node *node, int64_t *sum)
{
	const uint32_t *in = graph->in_edges + node->first_in;
	const uint32_t *to = graph->out_edges + node->first_out;
	int64_t cum = prof_graph_cum(node);

	prof_buf_adds(out, tree_line);
	for (uint32_t i = 0; i < node->in_count; i++) {
		const struct prof_graph_edge *edge = &graph->edges[in[i]];

		add_neighbour(out, style, edge, cum, graph->nodes[edge->from].name);
	}
	add_node(out, style, node, sum);
	prof_buf_adds(out, "                | ");
	add_text(out, node->name);
	prof_buf_addc(out, '\n');
	for (uint32_t i = 0; i < node->out_count; i++) {
		const struct prof_graph_edge *edge = &graph->edges[to[i]];

		add_neighbour(out, style, edge, cum, graph->nodes[edge->to].name);
	}
}

static bool add_tree(struct prof_buf *out, const struct pprof_graph_report *report,
		     const struct prof_graph *graph,
		     const struct prof_value_style *style, struct prof_error *err)
{
	const struct prof_matcher *symbols = &report->symbols;
	uint32_t shown = 0;
	int64_t sum = 0;

	prof_buf_adds(out, tree_line);
	prof_buf_adds(out, tree_legend);
	for (uint32_t i = 0; i < graph->node_count; i++) {
		const struct prof_graph_node *node = &graph->nodes[i];

		if (!symbols->match || symbols->match(symbols->context, node->name)) {
			add_tree_node(out, graph, style, node, &sum);
			shown++;
		}
	}
	if (graph->node_count > 0) {
		prof_buf_adds(out, tree_line);
	}
	if (symbols->match && shown == 0) {
		return prof_fail(
			err, PROF_ERR_MISMATCH, "no matches found for regexp: %.*s",
			(int)(report->regex.len < 200 ? report->regex.len : 200),
			report->regex.data);
	}
	return true;
}

/* --- dot and callgrind -------------------------------------------------------------- */

static bool add_dot(struct prof_buf *out, const struct pprof_graph_report *report,
		    const struct prof_graph *graph,
		    const struct prof_value_style *style, struct prof_error *err)
{
	struct prof_buf legend = { 0 };
	struct prof_dot_options options = {
		.title = report->title,
		.url = report->url,
		.style = *style,
	};
	bool ok;

	add_labels(&legend, report, graph, style);
	prof_buf_adds(&legend,
		      "\nSee https://git.io/JfYMW for how to read the graph\n");
	options.legend = (struct prof_text){ legend.data, legend.len };
	ok = !legend.failed || prof_fail_nomem(err);
	ok = ok && prof_dot_write(graph, &options, out, err);
	prof_buf_free(&legend);
	return ok;
}

static bool add_callgrind(struct prof_buf *out, const struct pprof_graph_report *report,
			  const struct prof_graph *graph,
			  const struct prof_value_style *style, struct prof_error *err)
{
	struct prof_callgrind_options options = {
		.type = report->type,
		.style = *style,
	};

	return prof_callgrind_write(graph, &options, out, err);
}

/* --- all of them -------------------------------------------------------------------- */

/* What a kind of report asks of its graph. */
static struct prof_graph_options graph_options(const struct pprof_graph_report *report)
{
	struct prof_graph_options options = report->graph;
	bool picture = report->kind == PPROF_DOT;
	bool callgrind = report->kind == PPROF_CALLGRIND;

	options.order = picture                ? PROF_GRAPH_BY_ENTROPY
			: report->graph.by_cum ? PROF_GRAPH_BY_CUM
					       : PROF_GRAPH_BY_FLAT;
	options.edges = report->kind == PPROF_TOP ? PROF_GRAPH_INLINED_EDGES
						  : PROF_GRAPH_ALL_EDGES;
	options.objects = callgrind;
	options.picture = picture;
	options.tags = picture;
	options.bytes_show = report->style.show;
	options.call_tree &= picture || callgrind;
	if (callgrind || report->kind == PPROF_PEEK) {
		options.node_limit = 0;
		options.node_fraction = 0;
		options.edge_fraction = 0;
	}
	return options;
}

static bool print(struct prof_buf *out, const struct pprof_graph_report *report,
		  const struct prof_graph *graph, struct prof_error *err)
{
	struct prof_value_style style = report->style;
	bool callgrind = report->kind == PPROF_CALLGRIND;
	bool ok = true;

	/* pprof chooses no unit for nothing */
	if (graph->node_count > 0 &&
	    prof_text_equal(style.show, prof_text("minimum"))) {
		style.show = prof_graph_unit(graph, &style, !callgrind);
	}
	switch (report->kind) {
	case PPROF_TOP:
		add_labels(out, report, graph, &style);
		add_top(out, graph, &style);
		break;
	case PPROF_TREE:
	case PPROF_PEEK:
		add_labels(out, report, graph, &style);
		ok = add_tree(out, report, graph, &style, err);
		break;
	case PPROF_DOT:
		ok = add_dot(out, report, graph, &style, err);
		break;
	case PPROF_CALLGRIND:
		ok = add_callgrind(out, report, graph, &style, err);
		break;
	}
	return ok && (!out->failed || prof_fail_nomem(err));
}

bool pprof_graph_report(const struct pprof_graph_report *report, struct prof_buf *out,
			struct prof_error *err)
{
	struct prof_graph_options options = graph_options(report);
	struct prof_aggregate_options granularity = report->granularity;
	struct prof_aggregate aggregate = { 0 };
	struct prof_graph *graph = NULL;
	bool ok;

	if (report->kind == PPROF_CALLGRIND) {
		granularity.granularity = PROF_GRANULARITY_ADDRESSES;
	}
	ok = prof_aggregate_init(&aggregate, report->profile, &granularity, err) &&
	     prof_graph_build(&aggregate.view, &options, &graph, err) &&
	     print(out, report, graph, err);
	prof_graph_free(graph);
	prof_aggregate_free(&aggregate);
	return ok;
}

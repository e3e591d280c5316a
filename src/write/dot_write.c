/*
 * A call graph in Graphviz's language, for `dot -Tsvg`: a node for each function, with its self and
 * total cost, and an edge for each pair of caller and callee.  Functions below half a percent are
 * left out, as in gprof2dot, to keep the graph readable; the graph's title has their sum.
 */
#include "base/alloc.h"
#include "fold/sums.h"
#include "profile/spelling.h"
#include "write/writer.h"

#include <stdlib.h>

enum { NODE_SHARE = 200, EDGE_SHARE = 1000 }; /* smaller shares of the total are left out */

struct edge {
	uint32_t from, to;
	weight_sum weight;
};

struct dot {
	struct output *out;
	struct tree t;
	weight_sum *self, *total; /* by label; recursion counts once */
	struct intern edges;	  /* from and to: in the order of `edge` */
	struct edge *edge;
	size_t cap_edge;
	uint32_t *node_seen, *edge_seen; /* by label, by edge: 1 + the last line with it */
	size_t cap_edge_seen;
	weight_sum all;
	int scale;
	struct strbuf text;
};

static void add_edge(struct dot *w, uint32_t from, uint32_t to, weight_sum weight, uint32_t line)
{
	uint32_t key[] = { from, to }, known = w->edges.nr, at;

	at = intern(&w->edges, (struct span){ .at = (const char *)key, .size = sizeof(key) });
	if (at == known) {
		GROW(w->edge, (size_t)at, w->cap_edge);
		GROW(w->edge_seen, (size_t)at, w->cap_edge_seen);
		w->edge[at] = (struct edge){ .from = from, .to = to };
		w->edge_seen[at] = 0;
	}
	if (w->edge_seen[at] == line)
		return;
	w->edge_seen[at] = line;
	w->edge[at].weight += weight;
}

/* A stack counts once for each function and each call in it, also if there is recursion. */
static void add_lines(struct dot *w)
{
	for (uint32_t i = 0; i < w->t.nr_line; i++) {
		const struct tree_line line = tree_line(&w->t, i);
		uint32_t callee = UINT32_MAX;

		w->all += line.sum[0];
		for (uint32_t n = line.node; n; n = tree_parent(&w->t, n)) {
			uint32_t label = tree_label(&w->t, n);

			if (callee == UINT32_MAX)
				w->self[label] += line.sum[0];
			else
				add_edge(w, label, callee, line.sum[0], i + 1);
			if (w->node_seen[label] != i + 1)
				w->total[label] += line.sum[0];
			w->node_seen[label] = i + 1;
			callee = label;
		}
	}
}

static bool is_shown(const struct dot *w, weight_sum weight, int share)
{
	return weight > 0 && weight * share >= w->all;
}

static double percent(const struct dot *w, weight_sum part)
{
	return w->all ? (double)part * 100 / (double)w->all : 0;
}

/* Escapes the characters that end or structure a string of the DOT language. */
static void add_quoted(struct strbuf *text, struct span s)
{
	for (size_t i = 0; i < s.size; i++) {
		if (is_one_of(s.at[i], "\"\\"))
			strbuf_addch(text, '\\');
		strbuf_addch(text, (unsigned char)s.at[i] < ' ' ? ' ' : s.at[i]);
	}
}

static void flush_text(struct dot *w)
{
	output_add(w->out, strbuf_peek(&w->text));
	strbuf_reset(&w->text);
}

/* The node's color goes from white to red with its total cost. */
static void write_node(struct dot *w, uint32_t label)
{
	strbuf_addf(&w->text, "\tn%u [label=\"", label);
	add_quoted(&w->text, labels_peek(&w->t.labels, label));
	strbuf_addf(&w->text, "\\ntotal %.1f %%\\nself %.1f %%\", fillcolor=\"0.04 %.3f 1.0\"];\n",
		    percent(w, w->total[label]), percent(w, w->self[label]),
		    percent(w, w->total[label]) / 100);
	flush_text(w);
}

static void write_edge(struct dot *w, const struct edge *edge)
{
	strbuf_addf(&w->text, "\tn%u -> n%u [label=\"%.1f %%\", penwidth=%.2f];\n", edge->from,
		    edge->to, percent(w, edge->weight), 0.5 + percent(w, edge->weight) / 25);
	flush_text(w);
}

static void write_graph(struct dot *w, struct span event)
{
	size_t nr_label = w->t.labels.nr, left_out = 0;

	strbuf_add(&w->text, SPAN("digraph \""));
	add_quoted(&w->text, event);
	strbuf_add(&w->text,
		   SPAN("\" {\n\tnode [shape=box, style=filled, fontname=\"sans-serif\"];\n"
			"\tedge [fontname=\"sans-serif\"];\n"));
	flush_text(w);
	for (uint32_t i = 0; i < nr_label; i++)
		if (is_shown(w, w->total[i], NODE_SHARE))
			write_node(w, i);
		else if (w->total[i])
			left_out++;
	for (size_t i = 0; i < w->edges.nr; i++)
		if (is_shown(w, w->edge[i].weight, EDGE_SHARE) &&
		    is_shown(w, w->total[w->edge[i].from], NODE_SHARE) &&
		    is_shown(w, w->total[w->edge[i].to], NODE_SHARE))
			write_edge(w, &w->edge[i]);
	strbuf_add(&w->text, SPAN("\tlabel=\""));
	add_quoted(&w->text, event);
	strbuf_add(&w->text, SPAN(", total "));
	sum_add_digits(&w->text, w->all, w->scale);
	if (left_out)
		strbuf_addf(&w->text, "\\nfunctions below %.1f %%, not shown: %zu",
			    100.0 / NODE_SHARE, left_out);
	strbuf_add(&w->text, SPAN("\";\n}\n"));
	flush_text(w);
}

int dot_writer(struct output *out, const struct write_what *what, struct error *e)
{
	struct tree_opts o = { .spelling =
				       (what->spelling & ~(unsigned)(SPELL_AROUND | SPELL_THREAD |
								     SPELL_PID | SPELL_TID)) |
				       SPELL_UTF8,
			       .samples = what->samples,
			       .nr_column = 1,
			       .in = { what->in[0] } };
	uint32_t event = write_first_event(what, what->in[0]);
	struct dot w = { .out = out };

	(void)e;
	tree_build(&w.t, what->p, &o);
	w.scale = w.t.scale;
	w.self = xcalloc(w.t.labels.nr, sizeof(*w.self));
	w.total = xcalloc(w.t.labels.nr, sizeof(*w.total));
	w.node_seen = xcalloc(w.t.labels.nr, sizeof(*w.node_seen));
	add_lines(&w);
	write_graph(&w, profile_peek(what->p, what->p->event[event].name));
	tree_release(&w.t);
	intern_release(&w.edges);
	free(w.self);
	free(w.total);
	free(w.node_seen);
	free(w.edge);
	free(w.edge_seen);
	strbuf_release(&w.text);
	return 0;
}

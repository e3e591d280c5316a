/*
 * V8's .cpuprofile, for Chrome's DevTools, Visual Studio Code and others: a tree of calls, and
 * samples that are nodes of it.
 *
 * In this format, the weight of a sample is the time until the next one.  So the samples are
 * written one after the other, thread by thread, each as long as its weight.  A weight that is not
 * a time counts as µs.
 */
#include "base/alloc.h"
#include "base/intern.h"
#include "fold/frame_labels.h"
#include "profile/spelling.h"
#include "write/json_out.h"
#include "write/writer.h"

#include <stdlib.h>

enum { NO_NODE = 0 };

/* Node IDs start at 1, which is the root. */
struct node {
	uint32_t label;
	uint32_t child, sibling; /* its last child, and its previous sibling */
	uint64_t hits;
};

struct cpuprofile {
	struct json_out json;
	const struct profile *p;
	struct labels labels;
	struct label_path path;
	struct intern known; /* (parent, label), in the order of the nodes after the root */
	struct node *node;   /* [0] is unused */
	size_t nr, cap;
};

static uint32_t add_node(struct cpuprofile *w, uint32_t parent, uint32_t label)
{
	uint32_t id = (uint32_t)w->nr;

	GROW(w->node, w->nr, w->cap);
	w->node[w->nr++] = (struct node){ .label = label, .sibling = w->node[parent].child };
	w->node[parent].child = id;
	return id;
}

static uint32_t node_of(struct cpuprofile *w, thread_id thread, stack_id stack)
{
	uint32_t node = 1;

	labels_path(&w->labels, w->p, thread, stack, &w->path);
	for (size_t i = 0; i < w->path.nr; i++) {
		uint32_t key[] = { node, w->path.label[i] }, known = w->known.nr, at;

		at = intern(&w->known,
			    (struct span){ .at = (const char *)key, .size = sizeof(key) });
		node = at == known ? add_node(w, node, w->path.label[i]) : at + 2;
	}
	return node;
}

/* In thousandths of µs. */
static int64_t length_of(const struct cpuprofile *w, uint32_t event, int64_t weight)
{
	int64_t length = write_whole(w->p, event, weight);

	if (span_is(write_unit(w->p, event), "nanoseconds"))
		return length;
	return __builtin_mul_overflow(length, 1000, &length) ? INT64_MAX : length;
}

static void put_name(struct cpuprofile *w, uint32_t i)
{
	if (i == 1)
		json_out_text(&w->json, "\"(root)\"");
	else
		json_out_string(&w->json, labels_peek(&w->labels, w->node[i].label));
}

static void write_nodes(struct cpuprofile *w)
{
	json_out_text(&w->json, "{\"nodes\":[");
	for (uint32_t i = 1; i < w->nr; i++) {
		json_out_text(&w->json, i > 1 ? ",\n{\"id\":" : "\n{\"id\":");
		json_out_number(&w->json, i);
		json_out_text(&w->json, ",\"callFrame\":{\"functionName\":");
		put_name(w, i);
		json_out_text(&w->json, ",\"scriptId\":\"0\",\"url\":\"\",\"lineNumber\":-1,"
					"\"columnNumber\":-1},\"hitCount\":");
		json_out_number(&w->json, w->node[i].hits);
		json_out_text(&w->json, ",\"children\":[");
		for (uint32_t k = w->node[i].child; k != NO_NODE; k = w->node[k].sibling) {
			json_out_number(&w->json, k);
			json_out_text(&w->json, w->node[k].sibling != NO_NODE ? "," : "");
		}
		json_out_text(&w->json, "]}");
	}
}

/* Rounds the running sum instead of each sample, so that rounding errors do not add up. */
static void write_times(struct cpuprofile *w, const struct write_order *o, size_t nr)
{
	int64_t total = 0, last = 0;
	bool measured = o->nr_run > 0;

	for (size_t i = 0; i < o->nr_run; i++)
		measured &= w->p->event[o->run[i].event].source == SOURCE_MEASURED;
	json_out_text(&w->json, "],\n\"timeDeltas\":[");
	for (size_t i = 0; i < o->nr_run; i++)
		for (size_t k = o->run[i].begin; k < o->run[i].end; k++) {
			struct write_sample s = write_sample_at(w->p, o->run[i].table, o->row[k]);

			json_out_text(&w->json, i || k ? "," : "");
			json_out_signed(&w->json, total / 1000 - last);
			last = total / 1000;
			write_add(&total, length_of(w, o->run[i].event, s.weight));
		}
	json_out_text(&w->json, nr ? "," : "");
	json_out_signed(&w->json, total / 1000 - last);
	json_out_text(&w->json, "],\n\"startTime\":0,\"endTime\":");
	json_out_signed(&w->json, total / 1000);
	/* For wick's reader: other programs take all profiles for sampled. */
	if (measured)
		json_out_text(&w->json, ",\"source\":\"measured\"");
	json_out_text(&w->json, "}\n");
}

int cpuprofile_writer(struct output *out, const struct write_what *what, struct error *e)
{
	struct cpuprofile w = { .json = { .out = out }, .p = what->p };
	struct write_order order;
	uint32_t *node;
	size_t nr = 0;

	(void)e;
	/* The threads are one after the other: each thread is the root of its functions. */
	labels_init(&w.labels, w.p,
		    (what->spelling & ~(unsigned)SPELL_AROUND) | SPELL_UTF8 |
			    (w.p->nr_thread > 2 ? SPELL_THREAD : 0));
	w.nr = 1;
	w.cap = 64;
	w.node = xcalloc(w.cap, sizeof(*w.node));
	add_node(&w, NO_NODE, 0);
	write_order_make(&order, what, what->in[0], true);
	node = xcalloc(order.nr_run ? order.run[order.nr_run - 1].end + 1 : 1, sizeof(*node));
	for (size_t i = 0; i < order.nr_run; i++)
		for (size_t k = order.run[i].begin; k < order.run[i].end; k++) {
			struct write_sample s =
				write_sample_at(w.p, order.run[i].table, order.row[k]);

			node[nr] = node_of(&w, order.run[i].thread, s.stack);
			w.node[node[nr++]].hits += s.nr;
		}
	write_nodes(&w);
	json_out_text(&w.json, "],\n\"samples\":[");
	for (size_t i = 0; i < nr; i++) {
		json_out_number(&w.json, node[i]);
		json_out_text(&w.json, ",");
	}
	/* A sample of the root marks the end of the last one: some readers ignore endTime. */
	json_out_text(&w.json, "1");
	write_times(&w, &order, nr);
	write_order_release(&order);
	free(node);
	free(w.node);
	free(w.path.label);
	intern_release(&w.known);
	labels_release(&w.labels);
	strbuf_release(&w.json.text);
	return 0;
}

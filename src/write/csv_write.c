/*
 * Comma-separated values (RFC 4180) for spreadsheets and scripts: a line for each sample where its time
 * is known, else for each stack.
 */
#include "base/alloc.h"
#include "fold/sums.h"
#include "profile/spelling.h"
#include "write/writer.h"

#include <inttypes.h>
#include <stdlib.h>

struct csv_out {
	struct output *out;
	const struct profile *p;
	struct labels labels;
	struct label_path path;
	struct strbuf line, cell;
};

/* A field, in quotes if it contains a comma, a quote or a line break. */
static void add_field(struct csv_out *w, struct span s)
{
	bool quoted = false;

	if (w->line.size)
		strbuf_addch(&w->line, ',');
	for (size_t i = 0; i < s.size && !quoted; i++)
		quoted = is_one_of(s.at[i], ",\"\r\n");
	if (!quoted) {
		strbuf_add(&w->line, s);
		return;
	}
	strbuf_addch(&w->line, '"');
	for (size_t i = 0; i < s.size; i++) {
		if (s.at[i] == '"')
			strbuf_addch(&w->line, '"');
		strbuf_addch(&w->line, s.at[i]);
	}
	strbuf_addch(&w->line, '"');
}

static void add_cell(struct csv_out *w)
{
	add_field(w, strbuf_peek(&w->cell));
	strbuf_reset(&w->cell);
}

static void add_text(struct csv_out *w, struct span s)
{
	spelling_utf8(&w->cell, s);
	add_cell(w);
}

static void add_number(struct csv_out *w, uint64_t number, bool known)
{
	if (known)
		strbuf_addf(&w->cell, "%" PRIu64, number);
	add_cell(w);
}

static void add_labels(struct csv_out *w, label_id labels)
{
	const struct label_set *set = &w->p->labels[labels.i];

	for (size_t i = 0; i < set->nr; i++) {
		strbuf_add(&w->cell, i ? SPAN(";") : SPAN(""));
		spelling_utf8(&w->cell, profile_peek(w->p, set->label[i].key));
		strbuf_addch(&w->cell, '=');
		spelling_utf8(&w->cell, profile_peek(w->p, set->label[i].value));
	}
	add_cell(w);
}

static void add_stack(struct csv_out *w, stack_id stack)
{
	/* No thread in the stack: threads have their own columns. */
	labels_path(&w->labels, w->p, (thread_id){ 0 }, stack, &w->path);
	for (size_t i = 0; i < w->path.nr; i++) {
		strbuf_add(&w->cell, i ? SPAN(";") : SPAN(""));
		strbuf_add(&w->cell, labels_peek(&w->labels, w->path.label[i]));
	}
	add_cell(w);
}

static void write_row(struct csv_out *w, const struct write_run *r, uint32_t row)
{
	const struct thread *t = &w->p->thread[r->thread.i];
	const struct event *event = &w->p->event[r->event];
	struct write_sample s = write_sample_at(w->p, r->table, row);

	strbuf_reset(&w->line);
	add_text(w, profile_peek(w->p, event->name));
	add_text(w, profile_peek(w->p, event->unit));
	sum_add_digits(&w->cell, s.weight, event->scale);
	add_cell(w);
	add_number(w, s.nr, true);
	add_number(w, s.time, r->table != WRITE_COUNTS);
	add_number(w, s.end, r->table == WRITE_INTERVALS && s.end != INTERVAL_OPEN);
	add_text(w, profile_peek(w->p, t->comm));
	add_number(w, t->pid, r->thread.i && t->pid != THREAD_UNKNOWN);
	add_number(w, t->tid, r->thread.i && t->tid != THREAD_UNKNOWN);
	add_labels(w, s.labels);
	add_text(w, event->source == SOURCE_MEASURED ? SPAN("measured") : SPAN("sampled"));
	add_stack(w, s.stack);
	strbuf_addch(&w->line, '\n');
	output_add(w->out, strbuf_peek(&w->line));
}

int csv_writer(struct output *out, const struct write_what *what, struct error *e)
{
	struct csv_out w = { .out = out, .p = what->p };
	bool *in = write_events(what);
	struct write_order order;

	(void)e;
	labels_init(&w.labels, w.p,
		    (what->spelling & ~(unsigned)(SPELL_THREAD | SPELL_PID | SPELL_TID)) |
			    SPELL_UTF8);
	write_order_make(&order, what, in, true);
	output_add(out,
		   SPAN("event,unit,weight,samples,time,end,thread,pid,tid,labels,source,stack\n"));
	for (size_t i = 0; i < order.nr_run; i++)
		for (size_t k = order.run[i].begin; k < order.run[i].end; k++)
			write_row(&w, &order.run[i], order.row[k]);
	write_order_release(&order);
	free(in);
	free(w.path.label);
	labels_release(&w.labels);
	strbuf_release(&w.line);
	strbuf_release(&w.cell);
	return 0;
}

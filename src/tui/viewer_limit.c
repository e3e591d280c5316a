/* Filters from the selection: by its function, thread or module, or by the kernel. */
#include "base/alloc.h"
#include "fold/modules.h"
#include "profile/spelling.h"
#include "tui/panes.h"

#include <stdlib.h>

/* By stack: does it contain the function? */
static bool *find_stacks(const struct model *m, uint32_t label)
{
	const struct profile *p = m->o.p;
	const struct labels *l = model_labels(m);
	bool *in = xcalloc(p->nr_stack, sizeof(*in));

	for (size_t i = 1; i < p->nr_stack; i++) {
		uint32_t frame = p->stack[i].frame.i;

		in[i] = in[p->stack[i].caller.i];
		for (uint32_t k = l->first[frame]; k < l->first[frame + 1] && !in[i]; k++)
			in[i] = l->of_frame[k] == label;
	}
	return in;
}

/* Do the stacks of a thread begin with this label? */
static bool begins_with(const struct labels *l, uint32_t thread, uint32_t label)
{
	uint32_t root = l->of_thread[thread];

	for (uint32_t k = l->first_of_root[root]; k < l->first_of_root[root + 1]; k++)
		if (l->of_root[k] == label)
			return true;
	return false;
}

/*
 * The thread with the largest part of a function's weight, or of the total; 0: no thread is known.
 */
static uint32_t find_thread(const struct model *m, uint32_t label)
{
	const struct profile *p = m->o.p;
	weight_sum *sum = xcalloc(p->nr_thread, sizeof(*sum));
	bool *in = find_stacks(m, label);
	uint32_t most = 0;

	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];

		if (label == LAYOUT_ALL || in[c->stack.i] ||
		    begins_with(model_labels(m), c->thread.i, label))
			sum[c->thread.i] += model_count(m, c);
	}
	for (uint32_t i = 1; i < p->nr_thread; i++)
		if (sum[i] > (most ? sum[most] : 0))
			most = i;
	free(sum);
	free(in);
	return most;
}

void viewer_limit_to_thread(struct viewer *v, uint32_t thread)
{
	struct strbuf key = { 0 };

	spelling_thread(&key, v->m->o.p, (thread_id){ thread },
			SPELL_THREAD | SPELL_PID | SPELL_TID);
	if (key.size)
		viewer_narrow(v, NARROW_THREAD, strbuf_peek(&key), NULL);
	else
		viewer_say(v, SPAN("the input has no threads"));
	strbuf_release(&key);
}

static void limit_to_module(struct viewer *v)
{
	const struct profile *p = v->m->o.p;
	uint32_t frame = v->function < LAYOUT_MORE ? v->m->frame[v->function] : 0;
	struct span name = frame ? modules_name(p, &p->frame[frame - 1]) : SPAN("");

	if (name.size)
		viewer_narrow(v, NARROW_MODULE, name, NULL);
	else
		viewer_say(v,
			   frame ? SPAN("its module is unknown") : SPAN("select a function first"));
}

/* The thread that is selected in the list of threads, or else the function's main one. */
static uint32_t chosen_thread(const struct viewer *v)
{
	size_t row = v->thread_list.selected;

	if (v->pane == PANE_THREADS && v->has_threads && row < v->threads.nr)
		return v->threads.row[row].thread;
	return find_thread(v->m, v->function);
}

void viewer_limit(struct viewer *v, enum narrow_kind kind)
{
	if (viewer_widen_kind(v, kind))
		return;
	switch (kind) {
	case NARROW_THREAD:
		viewer_limit_to_thread(v, chosen_thread(v));
		break;
	case NARROW_MODULE:
		limit_to_module(v);
		break;
	case NARROW_FOCUS:
	case NARROW_HIDE:
		if (v->function < LAYOUT_MORE)
			viewer_narrow(v, kind, labels_peek(v->theme.labels, v->function), NULL);
		break;
	case NARROW_KERNEL:
	case NARROW_RECURSION:
		viewer_narrow(v, kind, SPAN(""), NULL);
		break;
	case NARROW_TIME:
		break;
	}
}

#include "fold/wakers.h"

#include "base/alloc.h"
#include "base/strbuf.h"

/* The link to the waker of an interval, or NULL. */
static const struct link *find_waker(const struct profile *p, const struct interval *v)
{
	for (link_id l = v->link; l.i; l = p->link[l.i].next)
		if (p->link[l.i].kind == LINK_WAKER)
			return &p->link[l.i];
	return NULL;
}

/* "[woken by server]"; an interrupt has no thread. */
static frame_id waker_frame(struct profile *p, const struct link *waker)
{
	struct strbuf text = { 0 };
	struct line line = { 0 };
	struct frame f = { .kind = FRAME_LABEL, .line = &line, .nr_line = 1 };
	struct span comm = profile_peek(p, p->thread[waker->thread.i].comm);

	if (waker->thread.i)
		strbuf_addf(&text, "[woken by %.*s]", (int)comm.size, comm.at);
	else
		strbuf_add(&text, SPAN("[woken by interrupt]"));
	line.function = profile_string(p, strbuf_peek(&text));
	strbuf_release(&text);
	return profile_frame(p, &f);
}

/* Is it the entry of an interrupt?  The frames below it were interrupted, and are not part of the waker. */
static bool is_entry(const struct profile *p, const struct frame *f)
{
	static const char *const names[] = { "asm_sysvec_", "asm_common_interrupt", "asm_exc_nmi",
					     "el1h_64_irq", "el0t_64_irq" };
	struct span name = f->nr_line ? profile_peek(p, f->line[0].function) : SPAN("");

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (f->kind == FRAME_KERNEL && span_starts(name, names[i]))
			return true;
	return false;
}

static stack_id push_waker(struct profile *p, stack_id blocked, const struct link *waker)
{
	stack_id stack = profile_push(p, blocked, waker_frame(p, waker));

	for (stack_id s = waker->stack; s.i; s = p->stack[s.i].caller) {
		struct frame f = p->frame[p->stack[s.i].frame.i];

		f.flags |= FRAME_WAKER;
		stack = profile_push(p, stack, profile_frame(p, &f));
		if (!waker->thread.i && is_entry(p, &f))
			break;
	}
	return stack;
}

size_t wakers_apply(struct profile *p, uint32_t event)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_interval; i++) {
		struct interval *v = &p->interval[i];
		const struct link *waker = v->event == event ? find_waker(p, v) : NULL;

		if (!waker)
			continue;
		v->stack = push_waker(p, v->stack, waker);
		nr++;
	}
	if (nr)
		profile_recount_event(p, event);
	return nr;
}

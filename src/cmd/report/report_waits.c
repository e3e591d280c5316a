#include "cmd/report/report_waits.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "fold/modules.h"
#include "fold/sums.h"
#include "profile/spelling.h"

#include <stdlib.h>

/* Libraries whose functions wait on behalf of their callers. */
static bool is_wrapper(struct span module)
{
	static const char *const names[] = {
		"libc.", "libc-",      "libpthread", "ld-linux",   "ld-musl",
		"ld-2.", "libstdc++.", "libc++.",    "linux-vdso", "[vdso]",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (span_starts(module, names[i]))
			return true;
	return false;
}

/* The stack of the program's function that waits; 0: there is no user code. */
static stack_id find_place(const struct profile *p, stack_id at)
{
	stack_id innermost = { 0 };

	for (; at.i; at = p->stack[at.i].caller) {
		const struct frame *f = &p->frame[p->stack[at.i].frame.i];

		if (f->kind == FRAME_KERNEL || f->kind == FRAME_LABEL || f->flags & FRAME_WAKER)
			continue;
		if (!innermost.i)
			innermost = at;
		if (!is_wrapper(modules_name(p, f)))
			return at;
	}
	return innermost;
}

static void add_cells(const struct report *r, const struct count *c, str_id reason,
		      struct strbuf *out)
{
	const struct profile *p = r->p;
	stack_id place = find_place(p, c->stack);
	frame_id frame = p->stack[place.i].frame;

	strbuf_add(out, profile_peek(p, reason));
	strbuf_addch(out, '\0');
	if (place.i)
		spelling_frame(out, p, frame, 0, r->c->spelling & ~(unsigned)SPELL_AROUND);
	strbuf_addch(out, '\0');
	if (place.i)
		strbuf_add(out, modules_name(p, &p->frame[frame.i]));
	strbuf_addch(out, '\0');
	strbuf_add(out, profile_peek(p, sum_label(p, c->labels, "lock")));
	strbuf_addch(out, '\0');
}

static int by_sum(const void *a, const void *b, void *cells)
{
	const struct report_wait *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	return span_compare(intern_peek(cells, x->cells), intern_peek(cells, y->cells));
}

void report_waits_find(struct report_waits *w, const struct report *r)
{
	const struct profile *p = r->p;
	struct strbuf text = { 0 };

	*w = (struct report_waits){ 0 };
	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];
		str_id reason = sum_label(p, c->labels, "reason");
		weight_sum sum = r->c->samples ? (weight_sum)c->nr
					       : tree_weight(p, c->event, c->weight, r->scale);
		uint32_t cells;

		if (!r->in[c->event] || !reason.i)
			continue;
		strbuf_reset(&text);
		add_cells(r, c, reason, &text);
		cells = intern(&w->cells, strbuf_peek(&text));
		if (cells == w->nr) {
			GROW(w->row, w->nr, w->cap);
			w->row[w->nr++] = (struct report_wait){ .cells = cells };
		}
		w->row[cells].sum += sum;
		w->all += sum;
	}
	if (w->nr)
		qsort_r(w->row, w->nr, sizeof(*w->row), by_sum, &w->cells);
	strbuf_release(&text);
}

void report_waits_release(struct report_waits *w)
{
	intern_release(&w->cells);
	free(w->row);
	*w = (struct report_waits){ 0 };
}

struct span report_wait_cell(const struct report_waits *w, const struct report_wait *row,
			     enum wait_cell cell)
{
	struct span text = intern_peek(&w->cells, row->cells);

	for (int i = 0; i < (int)cell; i++)
		text = span_from(text, span_find(text, '\0') + 1);
	return span_upto(text, span_find(text, '\0'));
}

#include "fold/labels.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "profile/spelling.h"

#include <assert.h>
#include <stdlib.h>

static uint32_t label_of(struct labels *l, struct strbuf *text)
{
	uint32_t label = intern(&l->names, strbuf_peek(text));

	strbuf_reset(text);
	return label;
}

static void spell_frames(struct labels *l, const struct profile *p, unsigned spelling,
			 struct strbuf *text)
{
	size_t cap = 0;
	bool *taken;

	l->first = xcalloc(p->nr_frame + 1, sizeof(*l->first));
	for (uint32_t f = 0; f < p->nr_frame; f++) {
		size_t nr = p->frame[f].nr_line ? p->frame[f].nr_line : 1;

		l->first[f] = (uint32_t)l->nr_of_frame;
		for (size_t line = nr; line-- > 0;) {
			spelling_frame(text, p, (frame_id){ f }, line, spelling);
			GROW(l->of_frame, l->nr_of_frame, cap);
			l->of_frame[l->nr_of_frame++] = label_of(l, text);
		}
	}
	assert(l->of_frame); /* of the unknown frame, at least */
	l->first[p->nr_frame] = (uint32_t)l->nr_of_frame;
	taken = xcalloc(l->names.nr, sizeof(*taken));
	l->distinct = l->nr_of_frame == p->nr_frame;
	for (size_t i = 0; i < l->nr_of_frame && l->distinct; i++) {
		l->distinct = !taken[l->of_frame[i]];
		taken[l->of_frame[i]] = true;
	}
	free(taken);
}

/* A root may be several names with semicolons between them: `PID=12;TID=34`. */
static void spell_roots(struct labels *l, const struct intern *roots, bool apart,
			struct strbuf *text)
{
	size_t nr = 0, cap = 0;

	l->first_of_root = xcalloc(roots->nr + 1, sizeof(*l->first_of_root));
	for (uint32_t r = 0; r < roots->nr; r++) {
		struct span rest = intern_peek(roots, r);

		while (rest.size) {
			size_t n = span_find(rest, ';');

			strbuf_add(text, span_upto(rest, n));
			if (apart)
				strbuf_addch(text, '\0');
			GROW(l->of_root, nr, cap);
			l->of_root[nr++] = label_of(l, text);
			rest = span_from(rest, n + 1);
		}
		l->first_of_root[r + 1] = (uint32_t)nr;
	}
}

static void spell_threads(struct labels *l, const struct profile *p, unsigned spelling,
			  struct strbuf *text)
{
	struct intern roots = { 0 };

	intern(&roots, SPAN(""));
	l->of_thread = xcalloc(p->nr_thread, sizeof(*l->of_thread));
	for (uint32_t i = 0; i < p->nr_thread; i++) {
		spelling_thread(text, p, (thread_id){ i }, spelling);
		l->of_thread[i] = intern(&roots, strbuf_peek(text));
		strbuf_reset(text);
	}
	l->first_apart = spelling & SPELL_APART ? l->names.nr : UINT32_MAX;
	spell_roots(l, &roots, spelling & SPELL_APART, text);
	intern_release(&roots);
}

void labels_init(struct labels *l, const struct profile *p, unsigned spelling)
{
	struct strbuf text = { 0 };

	*l = (struct labels){ 0 };
	spell_frames(l, p, spelling, &text);
	spell_threads(l, p, spelling, &text);
	strbuf_release(&text);
}

void labels_release(struct labels *l)
{
	intern_release(&l->names);
	free(l->of_frame);
	free(l->first);
	free(l->of_root);
	free(l->first_of_root);
	free(l->of_thread);
	*l = (struct labels){ 0 };
}

static void push(struct label_path *path, uint32_t label)
{
	GROW(path->label, path->nr, path->cap);
	path->label[path->nr++] = label;
}

void labels_path(const struct labels *l, const struct profile *p, thread_id thread, stack_id stack,
		 struct label_path *path)
{
	uint32_t root = l->of_thread[thread.i];
	size_t begin;

	path->nr = 0;
	for (uint32_t k = l->first_of_root[root]; k < l->first_of_root[root + 1]; k++)
		push(path, l->of_root[k]);
	begin = path->nr;
	for (; stack.i; stack = p->stack[stack.i].caller) {
		uint32_t f = p->stack[stack.i].frame.i;

		for (uint32_t k = l->first[f + 1]; k-- > l->first[f];)
			push(path, l->of_frame[k]);
	}
	/* Collected from the leaf: turned around. */
	for (size_t i = begin, k = path->nr; i + 1 < k; i++) {
		uint32_t swap = path->label[i];

		path->label[i] = path->label[--k];
		path->label[k] = swap;
	}
}

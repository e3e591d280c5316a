#include "fold/roots.h"

#include "base/alloc.h"
#include "base/legible.h"
#include "base/strbuf.h"
#include "fold/changes.h"
#include "fold/frame_labels.h"

#include <stdlib.h>

/*
 * A root is numbered by its label, so that the thread `sh` of a recording and the frame `sh` of
 * text are the same; those of several labels (PID=12;TID=34) follow.
 */
struct root {
	bool is_thread;
	thread_id thread; /* one that has this root */
	double size[2];	  /* by side */
	size_t first;	  /* the first count that has it: by position */
};

struct finder {
	struct profile *p;
	struct labels labels;
	struct root *root; /* by number */
	size_t nr_root;
	frame_id *outermost; /* by stack */
	double size[2];	     /* by side */
};

/* The index of the root of a count; nr_root: it has none. */
static size_t root_of(const struct finder *f, const struct count *c, bool *is_thread)
{
	const struct labels *l = &f->labels;
	uint32_t r = l->of_thread[c->thread.i], nr = l->first_of_root[r + 1] - l->first_of_root[r];

	*is_thread = nr > 0;
	if (nr == 1)
		return l->of_root[l->first_of_root[r]];
	if (nr)
		return l->nr + r;
	return c->stack.i ? l->of_frame[l->first[f->outermost[c->stack.i].i]] : f->nr_root;
}

static void find_outermost(struct finder *f)
{
	const struct profile *p = f->p;

	f->outermost = xcalloc(p->nr_stack, sizeof(*f->outermost));
	for (size_t i = 1; i < p->nr_stack; i++)
		f->outermost[i] = p->stack[i].caller.i ? f->outermost[p->stack[i].caller.i]
						       : p->stack[i].frame;
}

static void finder_init(struct finder *f, struct profile *p, unsigned spelling)
{
	*f = (struct finder){ .p = p };
	labels_init(&f->labels, p, spelling);
	find_outermost(f);
	f->nr_root = f->labels.nr + p->nr_thread + 1;
	f->root = xcalloc(f->nr_root, sizeof(*f->root));
	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];
		bool is_thread;
		size_t n = root_of(f, c, &is_thread);
		struct root *root = &f->root[n];

		if (n == f->nr_root || c->event > EVENT_AFTER)
			continue;
		if (root->size[0] + root->size[1] <= 0)
			root->first = i;
		if (is_thread) {
			root->is_thread = true;
			root->thread = c->thread;
		}
		root->size[c->event] += (double)c->nr;
		f->size[c->event] += (double)c->nr;
	}
}

static void finder_release(struct finder *f)
{
	labels_release(&f->labels);
	free(f->outermost);
	free(f->root);
}

/* Roots of one side that the other does not have. */
struct left {
	struct root **at;
	size_t nr, cap;
	bool is_text; /* one of them may be a function */
};

static int by_position(const void *a, const void *b)
{
	const struct root *x = *(struct root *const *)a, *y = *(struct root *const *)b;

	return x->first < y->first ? -1 : x->first > y->first;
}

static int by_size(const void *a, const void *b)
{
	const struct root *x = *(struct root *const *)a, *y = *(struct root *const *)b;
	double dx = x->size[0] + x->size[1], dy = y->size[0] + y->size[1];

	return dx != dy ? (dx > dy ? -1 : 1) : by_position(a, b);
}

static void find_left(const struct finder *f, size_t side, struct left *left)
{
	for (size_t i = 0; i < f->nr_root; i++) {
		struct root *root = &f->root[i];

		if (!root_is_left(root->size[side], root->size[!side], f->size[side]))
			continue;
		GROW(left->at, left->nr, left->cap);
		left->at[left->nr++] = root;
		left->is_text |= !root->is_thread;
	}
}

static void spell(const struct finder *f, const struct root *root, struct strbuf *out)
{
	const struct labels *l = &f->labels;
	size_t n = (size_t)(root - f->root);

	if (n < l->nr) {
		strbuf_add(out, labels_peek(l, (uint32_t)n));
		return;
	}
	for (uint32_t r = (uint32_t)(n - l->nr), k = l->first_of_root[r];
	     k < l->first_of_root[r + 1]; k++) {
		if (out->size)
			strbuf_addch(out, ';');
		strbuf_add(out, labels_peek(l, l->of_root[k]));
	}
}

/* The name as messages show it. */
static char *legible_name(struct span text)
{
	struct strbuf name = { 0 };

	legible_add(&name, text);
	strbuf_addch(&name, '\0');
	return name.at;
}

void root_matches_add(struct root_matches *matches, struct span before, struct span after)
{
	GROW(matches->at, matches->nr, matches->cap);
	matches->at[matches->nr++] =
		(struct root_match){ .before = legible_name(before), .after = legible_name(after) };
}

static void add_match(const struct finder *f, const struct root *before, const struct root *after,
		      struct root_matches *matches)
{
	struct strbuf name[2] = { { 0 }, { 0 } };

	spell(f, before, &name[0]);
	spell(f, after, &name[1]);
	root_matches_add(matches, strbuf_peek(&name[0]), strbuf_peek(&name[1]));
	strbuf_release(&name[0]);
	strbuf_release(&name[1]);
}

/* The replacements of threads and outermost frames. */
struct renames {
	thread_id *thread;
	frame_id *frame;
	bool any_frame;
};

/* The thread, or the frame, that has the name of a root. */
static thread_id thread_named(const struct finder *f, const struct root *root)
{
	struct strbuf text = { 0 };
	thread_id thread = root->thread;

	if (root->is_thread)
		return thread;
	spell(f, root, &text);
	thread = profile_thread(
		f->p, &(struct thread){ .pid = THREAD_UNKNOWN,
					.tid = THREAD_UNKNOWN,
					.comm = profile_string(f->p, strbuf_peek(&text)) });
	strbuf_release(&text);
	return thread;
}

static frame_id frame_named(const struct finder *f, const struct root *root)
{
	struct strbuf text = { 0 };
	struct line line = { 0 };
	frame_id frame;

	spell(f, root, &text);
	line.function = profile_string(f->p, strbuf_peek(&text));
	frame = profile_frame(f->p, &(struct frame){ .line = &line, .nr_line = 1 });
	strbuf_release(&text);
	return frame;
}

/* Gives all counts with one root the name of another. */
static void rename_root(const struct finder *f, const struct root *from, const struct root *to,
			struct renames *as)
{
	bool is_thread;

	for (size_t i = 0; i < f->p->nr_count; i++) {
		const struct count *c = &f->p->count[i];

		if (root_of(f, c, &is_thread) != (size_t)(from - f->root))
			continue;
		if (is_thread) {
			as->thread[c->thread.i] = thread_named(f, to);
		} else {
			as->frame[f->outermost[c->stack.i].i] = frame_named(f, to);
			as->any_frame = true;
		}
	}
}

/* The new number of each stack, now that outermost frames have other names. */
static stack_id *restack(struct profile *p, const frame_id *frame)
{
	size_t nr;
	struct stack *old = profile_take_stacks(p, &nr);
	stack_id *as = xcalloc(nr, sizeof(*as));

	for (size_t i = 1; i < nr; i++)
		as[i] = profile_push(p, as[old[i].caller.i],
				     old[i].caller.i ? old[i].frame : frame[old[i].frame.i]);
	free(old);
	return as;
}

static void match(const struct finder *f, struct root *const *before, struct root *const *after,
		  size_t nr, struct root_matches *matches)
{
	struct profile *p = f->p;
	size_t nr_thread = p->nr_thread, nr_frame = p->nr_frame;
	struct renames as = { .thread = xcalloc(nr_thread, sizeof(*as.thread)),
			      .frame = xcalloc(nr_frame, sizeof(*as.frame)) };
	struct recount how = { .as = as.thread };
	stack_id *stack = NULL;

	for (uint32_t i = 0; i < nr_thread; i++)
		as.thread[i].i = i;
	for (uint32_t i = 0; i < nr_frame; i++)
		as.frame[i].i = i;
	for (size_t i = 0; i < nr; i++) {
		rename_root(f, before[i], after[i], &as);
		add_match(f, before[i], after[i], matches);
	}
	if (as.any_frame)
		how.stack = stack = restack(p, as.frame);
	profile_recount(p, &how);
	free(stack);
	free(as.thread);
	free(as.frame);
}

void roots_match(struct profile *p, unsigned spelling, struct root_matches *matches)
{
	struct left before = { 0 }, after = { 0 };
	struct finder f;
	size_t nr;

	finder_init(&f, p, spelling);
	find_left(&f, EVENT_BEFORE, &before);
	find_left(&f, EVENT_AFTER, &after);
	nr = before.nr < after.nr ? before.nr : after.nr;
	/* Outermost frames may be functions that were removed or added. */
	if ((before.is_text || after.is_text) && (before.nr != 1 || after.nr != 1))
		nr = 0;
	if (nr) {
		/* If equally many are left on both sides, they are matched in the order in which they started. */
		int (*order)(const void *, const void *) =
			before.nr == after.nr ? by_position : by_size;

		qsort(before.at, before.nr, sizeof(struct root *), order);
		qsort(after.at, after.nr, sizeof(struct root *), order);
		match(&f, before.at, after.at, nr, matches);
	}
	free(before.at);
	free(after.at);
	finder_release(&f);
}

void root_matches_release(struct root_matches *matches)
{
	for (size_t i = 0; i < matches->nr; i++) {
		free(matches->at[i].before);
		free(matches->at[i].after);
	}
	free(matches->at);
	*matches = (struct root_matches){ 0 };
}

#include "fold/frame_labels.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "profile/spelling.h"

#include <assert.h>
#include <stdlib.h>

static uint32_t add_label(struct labels *l, const struct interned *text)
{
	GROW(l->text, l->nr, l->cap);
	l->text[l->nr] = text;
	return l->nr++;
}

/* The label of a string of the profile, which is neither copied nor looked up. */
static uint32_t label_of_string(struct labels *l, uint32_t string)
{
	if (!l->of_string[string])
		l->of_string[string] = 1 + add_label(l, l->strings->by[string]);
	return l->of_string[string] - 1;
}

/* The label of a spelling that is not a string of the profile. */
static uint32_t label_of_own(struct labels *l, struct span s)
{
	uint32_t nr = l->own.nr, number = intern(&l->own, s);

	if (number == nr) {
		GROW(l->of_own, nr, l->cap_own);
		l->of_own[number] = add_label(l, l->own.by[number]);
	}
	return l->of_own[number];
}

/* The label of a text, which is emptied. */
static uint32_t label_of(struct labels *l, struct strbuf *text)
{
	struct span s = strbuf_peek(text);
	uint32_t string = intern_find(l->strings, s, intern_hash(s));

	strbuf_reset(text);
	return string == INTERN_NONE ? label_of_own(l, s) : label_of_string(l, string);
}

/* The label of a line of a frame, which is mostly a name that the profile already has. */
static uint32_t label_of_line(struct labels *l, const struct profile *p, frame_id f, size_t line,
			      unsigned spelling, struct strbuf *text)
{
	const struct frame *frame = &p->frame[f.i];
	str_id name = { frame->nr_line ? frame->line[line].function.i : 0 };

	if (!spelling_is_function(p, f, line, spelling)) {
		spelling_frame(text, p, f, line, spelling);
		if (!span_eq(strbuf_peek(text), profile_peek(p, name)))
			return label_of(l, text);
		strbuf_reset(text);
	}
	return label_of_string(l, name.i);
}

uint32_t labels_find(const struct labels *l, struct span text)
{
	uint64_t hash = intern_hash(text);
	uint32_t string = intern_find(l->strings, text, hash), own;

	if (string < l->nr_string && l->of_string[string])
		return l->of_string[string] - 1;
	own = intern_find(&l->own, text, hash);
	return own == INTERN_NONE ? INTERN_NONE : l->of_own[own];
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
			GROW(l->of_frame, l->nr_of_frame, cap);
			l->of_frame[l->nr_of_frame++] =
				label_of_line(l, p, (frame_id){ f }, line, spelling, text);
		}
	}
	assert(l->of_frame); /* of the unknown frame, at least */
	l->first[p->nr_frame] = (uint32_t)l->nr_of_frame;
	taken = xcalloc(l->nr, sizeof(*taken));
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

/* "pool-*" for "pool-12" */
static void add_pattern(struct strbuf *out, struct span root)
{
	for (size_t i = 0; i < root.size; i++)
		if (!is_digit(root.at[i]))
			strbuf_addch(out, root.at[i]);
		else if (!i || !is_digit(root.at[i - 1]))
			strbuf_addch(out, '*');
}

/*
 * Threads whose names differ only in their numbers share one root if there are more than GROUP_MOST, because none
 * of them would be wide enough for its name.  The same rule as in web/words.js.
 */
static void group_roots(struct labels *l, const struct profile *p, struct intern *roots,
			struct strbuf *text)
{
	enum { GROUP_MOST = 8 };
	struct intern patterns = { 0 };
	uint32_t *pattern_of = xcalloc(roots->nr, sizeof(*pattern_of)); /* by root */
	size_t *nr = xcalloc(roots->nr, sizeof(*nr)),
	       most = 0; /* by pattern: its roots with samples */
	bool *seen = xcalloc(roots->nr, sizeof(*seen));

	for (uint32_t r = 0; r < roots->nr; r++) {
		add_pattern(text, intern_peek(roots, r));
		pattern_of[r] = intern(&patterns, strbuf_peek(text));
		strbuf_reset(text);
	}
	for (size_t i = 0; i < p->nr_count; i++) {
		uint32_t root = l->of_thread[p->count[i].thread.i];

		if (seen[root])
			continue;
		seen[root] = true;
		if (++nr[pattern_of[root]] > most)
			most = nr[pattern_of[root]];
	}
	for (size_t i = 0; i < p->nr_thread && most > GROUP_MOST; i++) {
		uint32_t pattern = pattern_of[l->of_thread[i]];

		if (nr[pattern] > 1)
			l->of_thread[i] = intern(roots, intern_peek(&patterns, pattern));
	}
	intern_release(&patterns);
	free(pattern_of);
	free(nr);
	free(seen);
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
	/* With PIDs or TIDs in the roots, threads stay separate. */
	if (spelling & SPELL_GROUP && !(spelling & (SPELL_PID | SPELL_TID)))
		group_roots(l, p, &roots, text);
	l->first_apart = spelling & SPELL_APART ? l->nr : UINT32_MAX;
	spell_roots(l, &roots, spelling & SPELL_APART, text);
	intern_release(&roots);
}

void labels_init(struct labels *l, const struct profile *p, unsigned spelling)
{
	struct strbuf text = { 0 };

	*l = (struct labels){ .strings = &p->strings };
	l->nr_string = p->strings.nr;
	l->of_string = xcalloc(l->nr_string, sizeof(*l->of_string));
	spell_frames(l, p, spelling, &text);
	spell_threads(l, p, spelling, &text);
	strbuf_release(&text);
}

void labels_release(struct labels *l)
{
	free(l->text);
	intern_release(&l->own);
	free(l->of_own);
	free(l->of_string);
	free(l->of_frame);
	free(l->first);
	free(l->of_root);
	free(l->first_of_root);
	free(l->of_thread);
	*l = (struct labels){ 0 };
}

/* Tests the names of one spelling: all labels of a profile have the same places in of_frame. */
static int add_fitting(bool *fitting, const struct profile *p, unsigned spelling, label_test *test,
		       const void *arg, struct error *e)
{
	struct labels l;
	bool *fits;
	int ret = 0;

	labels_init(&l, p, spelling);
	fits = xcalloc(l.nr, sizeof(*fits));
	for (uint32_t i = 0; i < l.nr && !ret; i++)
		ret = test(arg, labels_peek(&l, i), &fits[i], e);
	for (size_t k = 0; k < l.nr_of_frame; k++)
		fitting[k] |= fits[l.of_frame[k]];
	free(fits);
	labels_release(&l);
	return ret;
}

bool *labels_fitting(const struct labels *l, const struct profile *p, unsigned spelling,
		     label_test *test, const void *arg, struct error *e)
{
	unsigned whole = spelling & ~(unsigned)SPELL_THREAD;
	unsigned unmarked = whole & ~(unsigned)SPELL_MARKS;
	unsigned alone = unmarked & ~(unsigned)SPELL_AROUND;
	bool *fitting = xcalloc(l->nr_of_frame, sizeof(*fitting));
	int ret = add_fitting(fitting, p, whole, test, arg, e);

	if (!ret && unmarked != whole)
		ret = add_fitting(fitting, p, unmarked, test, arg, e);
	if (!ret && alone != unmarked)
		ret = add_fitting(fitting, p, alone, test, arg, e);
	if (!ret)
		return fitting;
	free(fitting);
	return NULL;
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
	/* The labels were collected from the leaf: reverses them. */
	for (size_t i = begin, k = path->nr; i + 1 < k; i++) {
		uint32_t swap = path->label[i];

		path->label[i] = path->label[--k];
		path->label[k] = swap;
	}
}

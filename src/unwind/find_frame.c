/*
 * The frame pointer of a function whose row needs it, where only the stack pointer is known: of a
 * blocked thread, the kernel tells no other register.
 *
 * Mostly the code tells: from the start of the function on, each instruction up to here moves the
 * stack pointer by a known distance, and one sets the frame pointer from it.  Not so behind
 * alloca().  Then any word of the stack may be where the frame pointer points to, if a step by it
 * leads to an address behind a call, and from there to the root.
 *
 * There is more than one such word.  The frames of the callers are further up: by theirs, the walk
 * would leave frames out.  Below, and in between, may be what earlier calls left there.  But the
 * walk by these goes wrong somewhere: where it comes to a frame that still lives, the call that is
 * there now is another one.  So of the walks where each call may have called what is below it, the
 * one that begins lowest is believed, if it goes through all others.
 */
#include "unwind/unwind.h"

enum {
	FRAMES_MAX = 1024,
	TRIALS_MAX = 64,	/* walks to the root for one frame */
	SEARCH_MAX = 16 * 1024, /* bytes of the stack in which a frame may end */
};

/* A function in a file; no cfi: nothing is known about it. */
struct function {
	struct cfi *cfi;
	uint64_t start; /* a place; 0: not known */
};

/* May the call in front of a return address have called a function? */
enum likely {
	CALLED_BY_IT, /* no: the function has called another one there, which has returned since */
	CALLS_OTHER,  /* no, unless by a tail call of another function */
	MAY_CALL_IT,  /* through a pointer, or a stub of the PLT */
	CALLS_IT,
	UNBROKEN, /* added if no other call of the walk is CALLS_OTHER */
};

/* Where a word of the stack leads. */
struct lead {
	uint64_t frame;
	unsigned likely;
	uint64_t sp[FRAMES_MAX]; /* of the frames, upwards to the root */
	size_t nr;
	bool repeats; /* the function is among them again */
};

struct search {
	struct unwind_walk *w;
	struct unwind_frame f;
	bool is_leaf;
	struct unwind_map map; /* of the frame, with rows */
	struct function function;
	uint64_t from;	     /* the frame pointer is no smaller */
	struct lead lead[2]; /* the best so far, and the one that is tried */
};

/* One step from the frame with that frame pointer; false where it leads to no caller. */
static bool try_step(struct unwind_walk *w, const struct search *s, uint64_t frame)
{
	struct cfi *cfi;
	const struct cfi_rule *rule = unwind_frame_rule(w->u, &s->f, &cfi);

	unwind_set(&w->r, w->u->arch->frame, frame);
	return unwind_step(w, cfi, rule, s->is_leaf) && unwind_is_called(w, s->map.cfi, 0);
}

/* Is that the CFA by the row, too? */
static bool is_cfa(const struct cfi_rule *rule, const struct code_frame *c, unsigned frame)
{
	return (rule->cfa != CFA_PLAIN && rule->cfa != CFA_REGISTER) || rule->base != frame ||
	       c->frame + rule->offset == c->cfa;
}

static bool find_by_code(struct search *s, uint64_t *frame)
{
	struct unwind_walk *w = s->w, trial = *w;
	struct code_frame c;
	struct cfi *cfi;

	if (!w->u->arch->reads_code ||
	    !cfi_frame_by_code(s->map.cfi, s->f.pc - s->map.begin + s->map.offset,
			       s->f.is_return ? REACHED_BY_RETURN : REACHED_OTHERWISE, &c) ||
	    !is_cfa(unwind_frame_rule(w->u, &s->f, &cfi), &c, w->u->arch->frame))
		return false;
	*frame = w->r.value[w->u->arch->stack] + (uint64_t)c.frame;
	if (c.is_bound)
		s->from = *frame;
	return !c.is_bound && try_step(&trial, s, *frame);
}

/* The function that the return address is in. */
static struct function function_of(struct unwinder *u, uint64_t pc)
{
	const struct unwind_map *map = pc ? unwind_map(u, pc - 1) : NULL;

	if (!map || !map->cfi)
		return (struct function){ 0 };
	return (struct function){ map->cfi,
				  cfi_function_start(map->cfi, pc - 1 - map->begin + map->offset) };
}

static bool is_same(struct function a, struct function b)
{
	return a.cfi == b.cfi && a.start && a.start == b.start;
}

static enum likely likely_call(struct unwinder *u, uint64_t pc, struct function callee)
{
	const struct unwind_map *map = unwind_map(u, pc - 1);
	uint64_t called = map && map->cfi ? cfi_called(map->cfi, pc - map->begin + map->offset) : 0;

	if (!called || cfi_is_stub(map->cfi, called) || !callee.start)
		return MAY_CALL_IT;
	if (is_same((struct function){ map->cfi, called }, callee))
		return CALLS_IT;
	return is_same(function_of(u, pc), callee) ? CALLED_BY_IT : CALLS_OTHER;
}

static bool has_no_caller(struct unwinder *u, const struct unwind_frame *f)
{
	struct cfi *cfi;
	uint8_t cfa = unwind_frame_rule(u, f, &cfi)->cfa;

	return cfa == CFA_ROOT || cfa == CFA_EDGE;
}

/* Does the walk get to a root?  Only a row proves one, not a word that is 0. */
static bool reaches_root(const struct search *s, struct unwind_walk *w, struct lead *l)
{
	struct unwind_frame f = { .pc = w->r.value[PC_REGISTER], .is_return = true };
	enum unwind_end end = UNWIND_TOO_DEEP;
	bool broken = false, goes_on;

	l->nr = 0;
	l->repeats = false;
	do {
		struct function callee = function_of(w->u, f.pc);

		l->repeats |= is_same(callee, s->function);
		l->sp[l->nr++] = w->r.value[w->u->arch->stack];
		goes_on = l->nr < FRAMES_MAX && unwind_next(w, &f, &end);
		broken |= goes_on && f.is_return && likely_call(w->u, f.pc, callee) < MAY_CALL_IT;
	} while (goes_on);
	l->likely += broken ? 0 : UNBROKEN;
	return end == UNWIND_ROOT && f.pc && has_no_caller(w->u, &f);
}

static bool leads_through(const struct lead *l, uint64_t sp)
{
	size_t i = 0;

	while (i < l->nr && l->sp[i] != sp)
		i++;
	return i < l->nr;
}

/*
 * Which of two is the better one, above 0: a.  The root is at the end of the stack: what comes to one
 * before that, of an earlier call, is none.
 */
static int compare(const struct lead *a, const struct lead *b)
{
	uint64_t root = a->sp[a->nr - 1], other = b->nr ? b->sp[b->nr - 1] : 0;

	if (root != other)
		return root > other ? 1 : -1;
	return a->likely > b->likely ? 1 : a->likely < b->likely ? -1 : 0;
}

static bool find_on_stack(struct search *s, uint64_t *frame)
{
	struct lead *best = &s->lead[0], *next = &s->lead[1];
	const struct unwind_walk *w = s->w;
	uint64_t below = s->from - w->stack->begin, size;
	unsigned nr_trial = 0;

	if (below > w->stack->bytes.size)
		return false;
	size = w->stack->bytes.size - below;
	if (size > SEARCH_MAX)
		size = SEARCH_MAX;
	for (uint64_t at = s->from; at - s->from < size; at += w->u->arch->word) {
		struct unwind_walk trial = *w;
		int order;

		trial.trial = true;
		if (!try_step(&trial, s, at) ||
		    leads_through(best, trial.r.value[w->u->arch->stack]))
			continue;
		next->frame = at;
		next->likely = likely_call(w->u, trial.r.value[PC_REGISTER], s->function);
		if (next->likely == CALLED_BY_IT)
			continue;
		if (++nr_trial > TRIALS_MAX)
			return false;
		if (!reaches_root(s, &trial, next) ||
		    (next->repeats && next->likely < UNBROKEN + MAY_CALL_IT))
			continue;
		order = compare(next, best);
		if (order < 0)
			continue;
		if (!order || next->repeats)
			return false;
		*best = *next;
	}
	*frame = best->frame;
	return best->nr;
}

bool unwind_find_frame(struct unwind_walk *w, const struct unwind_frame *f, bool is_leaf)
{
	uint64_t pc = f->pc - f->is_return, frame;
	const struct unwind_map *map = unwind_map(w->u, pc);
	struct search s = { .w = w, .f = *f, .is_leaf = is_leaf };

	if (!map || !map->cfi || !unwind_known(&w->r, w->u->arch->stack) || !w->stack->bytes.size)
		return false;
	s.map = *map; /* the walks below replace the unwinder's */
	s.function = function_of(w->u, pc + 1);
	s.from = w->r.value[w->u->arch->stack];
	if (!find_by_code(&s, &frame) && (w->trial || !find_on_stack(&s, &frame)))
		return false;
	unwind_set(&w->r, w->u->arch->frame, frame);
	return true;
}

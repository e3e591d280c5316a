/*
 * Finds the frame pointer of a function whose unwind row needs it, if only the stack pointer is
 * known: for a blocked thread, the kernel provides no other register.
 *
 * Usually the code is enough: from the start of the function to the current instruction, each
 * instruction moves the stack pointer by a known distance, and one sets the frame pointer from it.
 * After alloca(), the distance is unknown.  Then each word of the stack is a candidate for what the
 * frame pointer points to, if a step by it leads to a return address, and unwinding from there
 * reaches the root.
 *
 * Several words may qualify.  Frame pointers of callers are further up the stack: unwinding by
 * these would skip frames.  Further down, and in between, may be leftovers of earlier calls.  But
 * unwinding by a leftover fails a check somewhere: when it reaches a live frame, the call there has
 * another target.  So among the candidates for which each call may have called the frame below it,
 * the lowest one on the stack wins, if unwinding from it passes through all others.
 */
#include "unwind/unwind.h"

enum {
	FRAMES_MAX = 1024,
	TRIALS_MAX = 64,	/* candidates unwound to the root, for one frame */
	SEARCH_MAX = 16 * 1024, /* bytes of the stack that are searched */
};

/* A function in a file.  cfi is NULL: unknown. */
struct function {
	struct cfi *cfi;
	uint64_t start; /* a place; 0: unknown */
};

/* May the call instruction before a return address have called a given function? */
enum likely {
	CALLED_BY_IT, /* no: the function made that call itself, and it has returned since */
	CALLS_OTHER,  /* no, unless its target made a tail call */
	MAY_CALL_IT,  /* an indirect call, or one of a PLT stub */
	CALLS_IT,
	UNBROKEN, /* added if all further calls up to the root may have called their callees */
};

/* A candidate: a word of the stack, and the result of unwinding by it. */
struct lead {
	uint64_t frame;
	unsigned likely;
	uint64_t sp[FRAMES_MAX]; /* stack pointers of the frames, up to the root */
	size_t nr;
	bool repeats; /* the function itself is among the frames again */
};

struct search {
	struct unwind_walk *w;
	struct unwind_frame f;
	bool is_leaf;
	struct unwind_map map; /* of the frame whose pointer is searched for */
	struct function function;
	uint64_t from;	     /* a lower bound of the frame pointer */
	struct lead lead[2]; /* the best so far, and the one being tried */
};

/* One step with that frame pointer; false if it does not lead to a caller. */
static bool try_step(struct unwind_walk *w, const struct search *s, uint64_t frame)
{
	struct cfi *cfi;
	const struct cfi_rule *rule = unwind_frame_rule(w->u, &s->f, &cfi);

	unwind_set(&w->r, w->u->arch->frame, frame);
	return unwind_step(w, cfi, rule, s->is_leaf) && unwind_is_called(w, s->map.cfi, 0);
}

/* Does the row give the same CFA as the code? */
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

/* The function that a return address returns to. */
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

/* Does unwinding reach a root?  Only a row proves one, not a return address of 0. */
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
 * Positive if a is better than b.  The one whose root is further up the stack is: what looks like a
 * root below that is a leftover of an earlier call.
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
	s.map = *map; /* a copy: the trials below replace the cached mappings */
	s.function = function_of(w->u, pc + 1);
	s.from = w->r.value[w->u->arch->stack];
	if (!find_by_code(&s, &frame) && (w->trial || !find_on_stack(&s, &frame)))
		return false;
	unwind_set(&w->r, w->u->arch->frame, frame);
	return true;
}

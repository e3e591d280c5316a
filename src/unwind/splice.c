/*
 * Continues with the kernel's call chain where the stack copy ends.  The kernel followed frame
 * pointers through the stack itself, but without knowing which functions have them.  So its next
 * return address is used only if the row of the frame says that the frame pointer points to the
 * caller's saved one, with the return address right after it: that is where the kernel read it.
 *
 * In the same way, the chain leads from a function that has switched stacks (cfi_edge) to its
 * caller's stack, of which there is no copy; and back to the copy, if a function further up had
 * switched stacks before: when C calls Go, Go's runtime works on the system stack, below the frames
 * of C.
 */
#include "unwind/unwind.h"

/* Returned by a step that found the caller. */
#define STEPPED UNWIND_TOO_DEEP

/*
 * Finds the index in the chain of the return address that the current frame pointer leads to, by
 * following frame pointers from the leaf through the copy, as the kernel did.  Each must lead to
 * the next address of the chain.
 */
static bool find_link(struct unwind_walk *w, size_t *link)
{
	const struct unwind_arch *arch = w->u->arch;
	const struct unwind_stack *s = w->stack;
	uint64_t frame = w->start->value[arch->frame], address;

	if (!unwind_known(w->start, arch->frame) || !unwind_known(&w->r, arch->frame))
		return false;
	for (*link = 0; *link < s->nr_chain; (*link)++) {
		if (frame == w->r.value[arch->frame])
			return true;
		if (!unwind_load(w, frame + arch->word, &address) ||
		    (address ^ s->chain[*link]) & arch->address_bits ||
		    !unwind_load(w, frame, &frame))
			return false;
	}
	return false;
}

static const struct cfi_saved *find_saved(const struct cfi_rule *rule, unsigned reg)
{
	for (unsigned i = 0; i < rule->nr_saved; i++)
		if (rule->saved[i].reg == reg)
			return &rule->saved[i];
	return NULL;
}

/* Does the frame pointer point to the caller's saved one, with the return address after it? */
static bool has_frame_pointer(const struct unwind_arch *arch, const struct cfi *cfi,
			      const struct cfi_rule *rule)
{
	const struct cfi_saved *address = find_saved(rule, cfi->return_register);
	const struct cfi_saved *caller = find_saved(rule, arch->frame);

	return rule->cfa == CFA_PLAIN && rule->base == arch->frame && address &&
	       address->value == arch->word - rule->offset && caller &&
	       caller->value == -rule->offset;
}

/* The unwind row of a frame, and the table that it is in. */
struct row {
	struct cfi *cfi;
	const struct cfi_rule *rule;
	bool linked; /* see cfi_is_linked() */
};

static struct row row_of(struct unwind_walk *w, const struct unwind_frame *f)
{
	const struct unwind_map *map = unwind_map(w->u, f->pc - f->is_return);
	struct row row = { 0 };

	row.rule = unwind_frame_rule(w->u, f, &row.cfi);
	row.linked = map && map->cfi &&
		     cfi_is_linked(map->cfi, f->pc - f->is_return - map->begin + map->offset);
	return row;
}

/*
 * Is the frame pointer still the one of the frame's caller?  Then the kernel skipped that caller:
 * the next address of the chain is in the caller's caller.
 */
static bool has_callers_pointer(const struct unwind_arch *arch, const struct row *row)
{
	return (row->rule->cfa == CFA_EDGE && !(row->rule->base & EDGE_HAS_FRAME)) ||
	       (row->linked && row->rule->cfa == CFA_PLAIN && row->rule->base == arch->stack &&
		row->rule->offset == arch->word);
}

/*
 * The frame that the kernel skipped, which f called: the target of the call before f->pc is its
 * function.  If that calls `callee` exactly once, the frame's pc is after that call; otherwise, the
 * function's first byte stands for it.  False if it does not call `callee`.
 */
static bool find_passed(struct unwind_walk *w, const struct unwind_frame *f, uint64_t callee,
			struct unwind_frame *passed)
{
	const struct unwind_map *map = unwind_map(w->u, f->pc - 1);
	uint64_t start, behind;
	unsigned nr = 1;

	passed->pc = 0;
	start = map && map->cfi ? cfi_called(map->cfi, f->pc - map->begin + map->offset) : 0;
	if (!start || start - map->offset >= map->end - map->begin)
		return false;
	if (callee)
		nr = cfi_calls(map->cfi, start, callee, &behind);
	*passed = (struct unwind_frame){
		.pc = map->begin + (callee && nr == 1 ? behind : start + 1) - map->offset,
		.is_return = true,
	};
	return nr;
}

/* Is there a call before the address, or does a goroutine return to it at its end? */
static bool may_return_to(struct unwind_walk *w, uint64_t pc)
{
	const struct unwind_map *map = unwind_map(w->u, pc - 1);

	return map && (!map->cfi || cfi_is_returned_to(map->cfi, pc - map->begin + map->offset, 0));
}

/* The frames found so far, in an array of max. */
struct found {
	struct unwind_frame *frame;
	size_t nr, max;
};

/*
 * Adds the next frame of the chain, and before it the one that the kernel skipped, if any.
 * STEPPED, or how unwinding ends.
 */
static enum unwind_end take_next(struct unwind_walk *w, const struct row *row, uint64_t pc,
				 enum unwind_end end, struct found *to)
{
	bool is_edge = row->rule->cfa == CFA_EDGE;
	struct unwind_frame f = { .pc = pc & w->u->arch->address_bits, .is_return = true }, passed;
	uint64_t callee = is_edge ? (uint32_t)row->rule->offset : 0;
	bool found;

	if (!f.pc)
		return UNWIND_ROOT;
	if (!may_return_to(w, f.pc))
		return end;
	if (has_callers_pointer(w->u->arch, row)) {
		found = find_passed(w, &f, callee, &passed);
		/*
		 * Another thread may have changed that stack: then the function there does not call
		 * this one.
		 */
		if (is_edge && unwind_edge(row->rule) == EDGE_CALLER_RUNS && !found)
			return end;
		if (passed.pc)
			to->frame[to->nr++] = passed;
	}
	if (to->nr == to->max)
		return UNWIND_TOO_DEEP;
	to->frame[to->nr++] = f;
	return STEPPED;
}

static bool is_top(const struct cfi_rule *rule)
{
	return rule->cfa == CFA_ROOT || (rule->cfa == CFA_EDGE && unwind_edge(rule) == EDGE_TOP);
}

/* Is the next address of the chain in the frame's caller, or in the caller's caller? */
static bool leads_on(const struct unwind_arch *arch, const struct row *row)
{
	return row->linked || row->rule->cfa == CFA_EDGE ||
	       (row->cfi && has_frame_pointer(arch, row->cfi, row->rule));
}

/* A function that has given its caller's stack to other threads counts as a root. */
static enum unwind_end end_at(const struct cfi_rule *rule, enum unwind_end end)
{
	return rule->cfa == CFA_EDGE && unwind_edge(rule) == EDGE_CALLER_RUNS ? UNWIND_ROOT : end;
}

/*
 * Can the frame pointer at the edge of a stack be of the caller's stack?  Not if it points to
 * frames that were unwound already.
 */
static bool leads_away(const struct unwind_walk *w)
{
	const struct unwind_arch *arch = w->u->arch;
	uint64_t from = w->start->value[arch->stack];

	return w->r.value[arch->frame] - from >= w->r.value[arch->stack] - from;
}

/*
 * Is the last frame of the chain also in the copy, where unwinding left it?  A function that
 * switches stacks has a frame on either stack.  In the copy, its return address must be the next
 * address of the chain.  The edge may have pushed a word, as mcall does.  Sets *sp to the stack
 * pointer of that frame.
 */
static bool is_in_copy(struct unwind_walk *w, const struct row *row, uint64_t next, uint64_t *sp)
{
	const struct unwind_arch *arch = w->u->arch;
	const struct cfi_saved *saved =
		row->cfi ? find_saved(row->rule, row->cfi->return_register) : NULL;
	uint64_t from = w->r.value[arch->stack], address;

	if (!saved || row->rule->cfa != CFA_PLAIN || row->rule->base != arch->stack)
		return false;
	for (*sp = from; *sp <= from + arch->word; *sp += arch->word)
		if (unwind_load(w, *sp + (uint64_t)(int64_t)(row->rule->offset + saved->value),
				&address) &&
		    address == next)
			return true;
	return false;
}

/* Continues in the copy, from the last frame, with that stack pointer. */
static enum unwind_end walk_on(struct unwind_walk *w, uint64_t sp, struct found *to)
{
	struct unwind_frame f = to->frame[to->nr - 1];
	enum unwind_end end = UNWIND_TOO_DEEP;

	w->r.known = 0;
	unwind_set(&w->r, w->u->arch->stack, sp);
	w->missed = w->linked = false;
	while (to->nr < to->max && unwind_next(w, &f, &end))
		to->frame[to->nr++] = f;
	return end;
}

static enum unwind_end splice(struct unwind_walk *w, enum unwind_end end, struct found *to)
{
	const struct unwind_arch *arch = w->u->arch;
	enum unwind_end now = STEPPED;
	size_t link, in_copy = 0, nr = to->nr;
	uint64_t sp = 0;
	struct cfi *cfi;

	if (!to->nr)
		return end;
	if (end == UNWIND_EDGE && unwind_known(&w->r, arch->frame) && !w->r.value[arch->frame])
		return unwind_frame_rule(w->u, &to->frame[to->nr - 1], &cfi)->base & EDGE_GOROUTINE
			       ? UNWIND_EDGE
			       : UNWIND_ROOT;
	if (!find_link(w, &link) || (end == UNWIND_EDGE && !leads_away(w)))
		link = w->stack->nr_chain;
	while (now == STEPPED && to->nr < to->max) {
		struct row row = row_of(w, &to->frame[to->nr - 1]);

		if (is_top(row.rule))
			return UNWIND_ROOT;
		if (end == UNWIND_EDGE && !in_copy && to->nr > nr && link < w->stack->nr_chain &&
		    is_in_copy(w, &row, w->stack->chain[link], &sp))
			in_copy = to->nr;
		now = link < w->stack->nr_chain && leads_on(arch, &row)
			      ? take_next(w, &row, w->stack->chain[link++], end, to)
			      : end;
		if (now != end)
			continue;
		if (!in_copy)
			return end_at(row.rule, end);
		to->nr = in_copy;
		return walk_on(w, sp, to);
	}
	return now == STEPPED ? UNWIND_TOO_DEEP : now;
}

enum unwind_end unwind_splice(struct unwind_walk *w, enum unwind_end end,
			      struct unwind_frame *frame, size_t max, size_t *nr)
{
	struct found to = { .frame = frame, .nr = *nr, .max = max };

	end = splice(w, end, &to);
	*nr = to.nr;
	return end;
}

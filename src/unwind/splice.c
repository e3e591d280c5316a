/*
 * Goes on by the kernel's call chain where the copy of the stack ends.  The kernel followed frame
 * pointers through the stack itself, but without knowing which functions have them.  So the next of
 * its return addresses counts only if the row of the frame says that it has a frame pointer, with
 * the return address right behind what that points to: where the kernel looked.
 */
#include "unwind/unwind.h"

/*
 * Finds which return address of the chain the walk's frame pointer leads to, by following frame
 * pointers from the leaf through the copy, as the kernel did.  Each must lead to the address that
 * the chain has.
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

/* Does the frame pointer point to the caller's one, with the return address behind it? */
static bool has_frame_pointer(const struct unwind_arch *arch, const struct cfi *cfi,
			      const struct cfi_rule *rule)
{
	const struct cfi_saved *address = find_saved(rule, cfi->return_register);
	const struct cfi_saved *caller = find_saved(rule, arch->frame);

	return rule->cfa == CFA_PLAIN && rule->base == arch->frame && address &&
	       address->value == arch->word - rule->offset && caller &&
	       caller->value == -rule->offset;
}

enum unwind_end unwind_splice(struct unwind_walk *w, enum unwind_end end,
			      struct unwind_frame *frame, size_t max, size_t *nr)
{
	const struct unwind_arch *arch = w->u->arch;
	const struct cfi_rule *rule;
	struct cfi *cfi;
	size_t link;

	if (!*nr || !find_link(w, &link))
		return end;
	while (*nr < max) {
		struct unwind_frame f = { .is_return = true };

		rule = unwind_frame_rule(w->u, &frame[*nr - 1], &cfi);
		if (rule->cfa == CFA_ROOT)
			return UNWIND_ROOT;
		if (!cfi || !has_frame_pointer(arch, cfi, rule) || link == w->stack->nr_chain)
			return end;
		f.pc = w->stack->chain[link++] & arch->address_bits;
		if (!f.pc)
			return UNWIND_ROOT;
		if (!unwind_map(w->u, f.pc - 1))
			return end;
		frame[(*nr)++] = f;
	}
	return UNWIND_TOO_DEEP;
}

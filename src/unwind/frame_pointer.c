/*
 * One step by the frame pointer, where there is no row: in code of JIT compilers, assembly, 32-bit
 * programs.  Nothing says that a function has one, so it is believed only if what it points to is
 * possible: a frame further up the stack, and a return address in a mapping of code.
 */
#include "unwind/unwind.h"

/* The next two take return addresses: what counts is the call in front. */
static bool is_code(struct unwind_walk *w, uint64_t address)
{
	return address && unwind_map(w->u, address - 1);
}

static bool has_row(struct unwind_walk *w, uint64_t address)
{
	struct cfi *cfi;

	return address && unwind_rule(w->u, address - 1, &cfi)->cfa != CFA_NONE;
}

static bool has_rows(const struct unwind_map *map)
{
	return map && map->cfi && cfi_has_rows(map->cfi);
}

/* A return address without its signature (AArch64). */
static uint64_t plain(const struct unwind_walk *w, uint64_t address)
{
	return address & w->u->arch->address_bits;
}

/*
 * A PLT stub, or a short function of assembly, does not touch the stack: the return address is
 * where the call left it.  If it is not the leaf but has called somebody, as _init does, it has
 * pushed one word before, to align the stack.
 */
static bool step_stub(struct unwind_walk *w, bool is_leaf)
{
	const struct unwind_arch *arch = w->u->arch;
	uint64_t address, sp = w->r.value[arch->stack] + (is_leaf ? 0 : arch->word);

	if (arch->link != NO_LINK) {
		if (!is_leaf)
			return false;
		address = plain(w, w->r.value[arch->link]);
		if (!unwind_known(&w->r, arch->link) || !has_row(w, address))
			return false;
	} else {
		if (!unwind_load(w, sp, &address) || !has_row(w, address))
			return false;
		unwind_set(&w->r, arch->stack, sp + arch->word);
	}
	unwind_set(&w->r, PC_REGISTER, address);
	return true;
}

/*
 * By convention a frame pointer of 0, or a return address of 0, marks the first function of a
 * thread.  But it is no root where the register may hold any number:
 *
 * - in the leaf, which may use it for something else, as Java's compiler does;
 * - in assembly, in a file whose compiled functions have rows and need no frame pointers;
 * - in generated code that the walk did not come to by a frame pointer.
 */
static enum unwind_guess no_caller(bool may_be_anything)
{
	return may_be_anything ? GUESS_FAILED : GUESS_ROOT;
}

static enum unwind_guess step_frame(struct unwind_walk *w, bool is_leaf,
				    const struct unwind_map *map)
{
	const struct unwind_arch *arch = w->u->arch;
	uint64_t frame = w->r.value[arch->frame], caller, address;
	bool compiled = has_rows(map), generated = arch->reads_code && (!map || !map->cfi);

	if (!unwind_known(&w->r, arch->frame))
		return GUESS_FAILED;
	if (!frame)
		return no_caller(is_leaf || (generated && !w->linked));
	if (frame < w->r.value[arch->stack] || frame % arch->word ||
	    !unwind_load(w, frame, &caller) || !unwind_load(w, frame + arch->word, &address))
		return GUESS_FAILED;
	address = plain(w, address);
	if (!address)
		return no_caller(compiled);
	/* A caller with a row needs no frame pointer, so what is saved of its own may be any number. */
	if (!has_row(w, address) && ((caller && caller <= frame) || !is_code(w, address)))
		return GUESS_FAILED;
	unwind_set(&w->r, arch->stack, frame + UINT64_C(2) * arch->word);
	/*
	 * On AArch64 the pair that the frame pointer points to may lie anywhere in the frame, so the
	 * stack pointer is only a lower bound: good to tell up from down, but not for a CFA.
	 */
	if (!arch->frame_ends)
		w->r.known &= ~(UINT64_C(1) << arch->stack);
	unwind_set(&w->r, arch->frame, caller);
	unwind_set(&w->r, PC_REGISTER, address);
	w->linked = true;
	return GUESS_STEPPED;
}

enum unwind_guess unwind_guess(struct unwind_walk *w, bool is_leaf)
{
	const struct unwind_map *map = unwind_map(w->u, w->r.value[PC_REGISTER]);
	bool compiled = has_rows(map), missed = w->missed, linked = w->linked;
	enum unwind_guess guess;

	if (is_leaf && compiled && step_stub(w, is_leaf))
		return GUESS_STEPPED;
	guess = step_frame(w, is_leaf, map);
	if (guess != GUESS_STEPPED && !is_leaf && compiled && step_stub(w, is_leaf)) {
		guess = GUESS_STEPPED;
		w->linked = false;
	}
	/*
	 * The register may hold any number.  That it points behind the copy does not mean that the
	 * copy is too short, unless the last step was by a frame pointer, too.
	 */
	if (guess != GUESS_FAILED || !linked)
		w->missed = missed;
	return guess;
}

/*
 * One step by the frame pointer, if there is no unwind row: in JIT-compiled code, assembly, 32-bit
 * programs.  Functions need not have frame pointers, so one is accepted only if it is plausible: it
 * points to a frame further up the stack, and to a return address in a mapping of code.
 */
#include "unwind/unwind.h"

/* The next two functions take return addresses: they look up the call before the address. */
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
 * PLT stubs and short assembly functions do not touch the stack: the return address is where the
 * call left it.  If the function is not the leaf but has made a call, as _init does, it has pushed
 * one word before that, to align the stack.
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
 * By convention, a frame pointer of 0 or a return address of 0 marks the root.  But not where the
 * frame pointer register may hold any value:
 *
 * - in the leaf, which may use it for something else, as Java's compiler does;
 * - in assembly, in a file whose compiled functions have rows and need no frame pointers;
 * - in JIT-compiled code that was not reached by a frame pointer.
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
	/* A caller with a row needs no frame pointer, so its saved one may be any value. */
	if (!has_row(w, address) && ((caller && caller <= frame) || !is_code(w, address)))
		return GUESS_FAILED;
	unwind_set(&w->r, arch->stack, frame + UINT64_C(2) * arch->word);
	/*
	 * On AArch64, the pair that the frame pointer points to may be anywhere in the frame, so
	 * the stack pointer is only a lower bound: enough to check that a frame is further up, but
	 * not to compute a CFA.
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
	 * The register may hold any value.  If it points beyond the end of the copy, the copy is
	 * too short only if the last step was by a frame pointer, too.
	 */
	if (guess != GUESS_FAILED || !linked)
		w->missed = missed;
	return guess;
}

/*
 * Where there is no row: code that a JIT compiler made, assembly, 32-bit
 * programs.  Frame pointers are only a custom, so what they say is believed
 * when it fits: the frame is further up the stack, and the return address is
 * in something that can be run.
 */
#include "unwind/unwind.h"

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

static uint64_t plain(const struct unwind_walk *w, uint64_t address)
{
	return address & w->u->arch->address_bits;
}

/*
 * A stub or a function of assembly that was just called has not touched the
 * stack: the return address is where the call left it.  One that has called
 * somebody, as _init does, has put a word on it before.
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
 * The first function of a thread has the frame pointer cleared, or a return address of 0.  But who was
 * interrupted may use the register for what it likes, as Java's compiler does: its 0 is any number.  So may
 * assembly in a file where the compiler's functions have rows, and generated code that called one which
 * has rows: only where frame pointers lead to it, it has them.
 */
static enum unwind_guess no_caller(bool may_be_anything)
{
	return may_be_anything ? GUESS_FAILED : GUESS_ROOT;
}

static enum unwind_guess step_frame(struct unwind_walk *w, bool is_leaf, bool framed,
				    const struct unwind_map *map)
{
	const struct unwind_arch *arch = w->u->arch;
	uint64_t frame = w->r.value[arch->frame], caller, address;
	bool compiled = has_rows(map), generated = arch->reads_code && (!map || !map->cfi);
	bool leads_to_rows;

	if (!unwind_known(&w->r, arch->frame))
		return GUESS_FAILED;
	if (!frame)
		return no_caller(is_leaf || (generated && !framed));
	if (frame < w->r.value[arch->stack] || frame % arch->word ||
	    !unwind_load(w, frame, &caller) || !unwind_load(w, frame + arch->word, &address))
		return GUESS_FAILED;
	address = plain(w, address);
	if (!address)
		return no_caller(compiled);
	/* A caller that does without may have anything in it, but that has rows. */
	leads_to_rows = has_row(w, address);
	if (!leads_to_rows && ((caller && caller <= frame) || !is_code(w, address)))
		return GUESS_FAILED;
	w->framed = !leads_to_rows;
	unwind_set(&w->r, arch->stack, frame + UINT64_C(2) * arch->word);
	/* Else it is somewhere above: good enough to tell up from down, but not to reckon with. */
	if (!arch->frame_ends)
		w->r.known &= ~(UINT64_C(1) << arch->stack);
	unwind_set(&w->r, arch->frame, caller);
	unwind_set(&w->r, PC_REGISTER, address);
	return GUESS_STEPPED;
}

enum unwind_guess unwind_guess(struct unwind_walk *w, bool is_leaf)
{
	const struct unwind_map *map = unwind_map(w->u, w->r.value[PC_REGISTER]);
	bool compiled = has_rows(map), missed = w->missed, framed = w->framed;
	enum unwind_guess guess;

	w->framed = false;
	if (is_leaf && compiled && step_stub(w, is_leaf))
		return GUESS_STEPPED;
	guess = step_frame(w, is_leaf, framed, map);
	if (guess != GUESS_STEPPED && !is_leaf && compiled && step_stub(w, is_leaf))
		guess = GUESS_STEPPED;
	/* What was looked at may be anything: that it points behind the copy says nothing, unless it is part of a chain. */
	if (guess != GUESS_FAILED || !framed)
		w->missed = missed;
	return guess;
}

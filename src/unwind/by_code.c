/*
 * One step if there is no unwind row, but a file with the code: image/cfi/cfi_code.c derives a rule
 * from the instructions, or several to try.  A rule is accepted if it leads to a return address,
 * that is one after a call instruction; if both the call's target and the start of this function
 * are known, they must be the same.
 */
#include "unwind/unwind.h"

bool unwind_is_called(struct unwind_walk *w, const struct cfi *from, uint64_t start)
{
	const struct unwind_map *map;
	uint64_t pc = w->r.value[PC_REGISTER];

	if (!pc)
		return false;
	map = unwind_map(w->u, pc - 1);
	if (!map || !map->cfi)
		return map;
	/* A call into another file goes through a PLT stub: its target is not the callee. */
	return cfi_is_returned_to(map->cfi, pc - map->begin + map->offset,
				  map->cfi == from ? start : 0);
}

bool unwind_by_code(struct unwind_walk *w, const struct unwind_frame *f, bool is_leaf,
		    bool *is_signal)
{
	const struct unwind_map *map = unwind_map(w->u, f->pc);
	struct unwind_registers before = w->r;
	uint64_t place, start;
	struct cfi *cfi;

	if (!map || !map->cfi || !w->u->arch->reads_code)
		return false;
	cfi = map->cfi;
	place = f->pc - map->begin + map->offset;
	for (unsigned i = 0; i < CFI_TRIES; i++) {
		const struct cfi_rule *rule =
			cfi_rule_at(cfi, cfi_find_by_code(cfi, place, i, &start));

		*is_signal = rule->is_signal;
		if (rule->cfa == CFA_NONE)
			continue;
		if (unwind_step(w, cfi, rule, is_leaf) &&
		    (*is_signal || unwind_is_called(w, cfi, start)))
			return true;
		w->r = before;
		if (w->missed)
			break;
	}
	*is_signal = false;
	return false;
}

/*
 * One step where there is no row, but a file with the code: image/cfi_code.c reads the instructions
 * and makes a rule of them, or several to be tried.  A rule is believed if it leads to an address
 * behind a call, and, if both are known, a call of this very function.
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
	/* A call into another file goes through a stub (PLT): its target says nothing. */
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

/*
 * Names with what they stand in: DWARF has the linker's name of most functions, but not
 * of those that only one file knows (lambdas, and templates over them).
 */
#ifndef WICK_IMAGE_SCOPES_H
#define WICK_IMAGE_SCOPES_H

#include "base/arena.h"
#include "image/unit_view.h"

/* Functions, types and namespaces of one unit, in the order of its entries. */
struct scopes {
	struct scope {
		const unsigned char *entry;
		uint32_t outer; /* what it stands in; SCOPE_NONE: nothing */
	} * scope;
	size_t nr, cap;
	bool known;
};

#define SCOPE_NONE UINT32_MAX

/*
 * What a function of the unit is called from outside: std::sort<…>, main::<lambda()>::operator().
 * The name alone when the entry is not the unit's; it lives in the arena, or is libdw's.
 */
const char *scopes_name(struct scopes *s, const struct unit_view *unit, const Dwarf_Die *function,
			const char *name, struct arena *names);
void scopes_release(struct scopes *s);

#endif

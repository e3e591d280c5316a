/*
 * Qualified names of functions.  DWARF has linkage names of most functions, but not of those with
 * internal linkage, such as lambdas and templates over them: their names are built from the
 * enclosing namespaces, types and functions.
 */
#ifndef WICK_IMAGE_DWARF_SCOPES_H
#define WICK_IMAGE_DWARF_SCOPES_H

#include "base/arena.h"
#include "image/dwarf/unit_view.h"

/* Functions, types and namespaces of one unit, in the order of its entries. */
struct scopes {
	struct scope {
		const unsigned char *entry;
		uint32_t outer; /* the index of the enclosing one; SCOPE_NONE: the unit */
	} * scope;
	size_t nr, cap;
	bool known; /* false: the unit was not walked yet */
};

#define SCOPE_NONE UINT32_MAX

/*
 * The name with its scopes: std::sort<…>, main::<lambda()>::operator().  Only `name` itself if the
 * entry is not in the unit.  Lives in the arena, or is `name`.
 */
const char *scopes_name(struct scopes *s, const struct unit_view *unit, const Dwarf_Die *function,
			const char *name, struct arena *names);
void scopes_release(struct scopes *s);

#endif

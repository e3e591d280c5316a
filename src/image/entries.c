#include "image/entries.h"

#include "base/alloc.h"

#include <dwarf.h>
#include <stdint.h>
#include <stdlib.h>

struct walk {
	const unsigned char *end; /* of the unit */
	/*
	 * Where the list of those inside an entry ends, if we have been there: libdw would
	 * read them all again.
	 */
	const unsigned char *after;
	size_t damage;
	Dwarf_Die entry[ENTRY_LEVELS_MAX];
};

/* The next entry beside this one; false when it is the last. */
static bool step(struct walk *w, Dwarf_Die *entry)
{
	const unsigned char *here = entry->addr, *at = w->after;
	Dwarf_Die next = { .addr = (void *)(uintptr_t)at, .cu = entry->cu };
	int ret = at && at < w->end && !*at;

	if (!at) {
		ret = dwarf_siblingof(entry, &next);
		at = next.addr;
	}
	w->after = NULL;
	/* Only forward, or there is no end to it. */
	if (ret < 0 || (at && (at <= here || at >= w->end))) {
		w->damage++;
		return false;
	}
	if (ret && at && !*at)
		w->after = at + 1;
	*entry = next;
	return !ret;
}

/* Entries must not lead out of their unit. */
static const unsigned char *unit_end(Dwarf_Die *unit)
{
	Dwarf_Off offset = dwarf_dieoffset(unit), begin = offset - dwarf_cuoffset(unit), next;
	size_t header_size;

	if (dwarf_next_unit(dwarf_cu_getdwarf(unit->cu), begin, &next, &header_size, NULL, NULL,
			    NULL, NULL, NULL, NULL) ||
	    next < offset)
		return unit->addr;
	return (const unsigned char *)unit->addr + (next - offset);
}

static void walk(struct walk *w, entry_visitor *visit, void *arg)
{
	size_t level = 0;

	for (;;) {
		Dwarf_Die *entry = &w->entry[level];

		if (visit(arg, entry, level) && level + 1 < ENTRY_LEVELS_MAX &&
		    !dwarf_child(entry, entry + 1)) {
			level++;
			continue;
		}
		while (!step(w, &w->entry[level]))
			if (!level--)
				return;
	}
}

size_t entries_walk(Dwarf_Die *unit, entry_visitor *visit, void *arg)
{
	struct walk *w = xcalloc(1, sizeof(*w));
	size_t damage;

	w->end = unit_end(unit);
	if (!dwarf_child(unit, &w->entry[0]))
		walk(w, visit, arg);
	damage = w->damage;
	free(w);
	return damage;
}

const char *entry_string(Dwarf_Die *entry, unsigned attribute)
{
	Dwarf_Attribute a;

	return dwarf_formstring(dwarf_attr(entry, attribute, &a));
}

bool entry_origin(Dwarf_Die *entry)
{
	Dwarf_Attribute a;

	return (dwarf_attr(entry, DW_AT_abstract_origin, &a) ||
		dwarf_attr(entry, DW_AT_specification, &a)) &&
	       dwarf_formref_die(&a, entry);
}

#include "image/dwarf/units.h"

#include "base/alloc.h"

#include <dwarf.h>
#include <stdlib.h>

enum { UNITS_MAX = 4 * 1024 * 1024 };

/* A unit, while all units are collected. */
struct found {
	Dwarf_Off offset;
	bool has_ranges;
};

struct search {
	struct units *u;
	Dwarf *dwarf;
	const struct code_range *code;
	struct ranges ranges;
	struct found *found; /* by number */
	size_t nr, cap;
};

/* Adds the ranges in a unit's root entry; false when it has none. */
static bool add_ranges(struct search *s, Dwarf_Die *unit, uint32_t number)
{
	Dwarf_Addr base, begin, end;
	size_t before = s->ranges.nr;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &begin, &end)) > 0 && s->ranges.nr < RANGES_MAX)
		ranges_add(&s->ranges, s->code, begin, end, (struct range){ .what = number });
	s->u->damage += at < 0;
	return s->ranges.nr > before;
}

static int by_offset(const void *key, const void *found)
{
	Dwarf_Off a = *(const Dwarf_Off *)key, b = ((const struct found *)found)->offset;

	return a < b ? -1 : a > b;
}

/* Old compilers write the ranges of a unit only to .debug_aranges. */
static void add_listed_ranges(struct search *s)
{
	Dwarf_Aranges *list = NULL;
	size_t nr = 0;

	if (dwarf_getaranges(s->dwarf, &list, &nr))
		return;
	for (size_t i = 0; i < nr; i++) {
		Dwarf_Arange *range = dwarf_onearange(list, i);
		const struct found *f;
		Dwarf_Addr begin;
		Dwarf_Word size;
		Dwarf_Off off;

		if (dwarf_getarangeinfo(range, &begin, &size, &off))
			continue;
		f = bsearch(&off, s->found, s->u->nr, sizeof(*f), by_offset);
		if (f && !f->has_ranges)
			ranges_add(&s->ranges, s->code, begin, begin + size,
				   (struct range){ .what = (uint32_t)(f - s->found) });
	}
}

/* True when some unit has no ranges of its own. */
static bool find_all(struct search *s)
{
	struct units *u = s->u;
	Dwarf_CU *cu = NULL;
	bool listed = false;
	Dwarf_Die die;
	uint8_t type;
	int ret = 0;

	while (u->nr < UNITS_MAX &&
	       !(ret = dwarf_get_units(s->dwarf, cu, &cu, NULL, &type, &die, NULL))) {
		struct found f = { .offset = dwarf_dieoffset(&die) };

		if ((type != DW_UT_compile && type != DW_UT_skeleton) ||
		    dwarf_tag(&die) == DW_TAG_partial_unit)
			continue;
		f.has_ranges = add_ranges(s, &die, (uint32_t)u->nr);
		listed |= !f.has_ranges;
		GROW(s->found, s->nr, s->cap);
		GROW(u->cu, u->nr, u->cap);
		s->found[s->nr++] = f;
		u->cu[u->nr++] = cu;
	}
	u->damage += ret < 0;
	return listed;
}

void units_init(struct units *u, Dwarf *dwarf, const struct code_range *code)
{
	struct search s = { .u = u, .dwarf = dwarf, .code = code };

	*u = (struct units){ 0 };
	if (find_all(&s))
		add_listed_ranges(&s);
	flat_ranges_init(&u->pieces, s.ranges.range, s.ranges.nr);
	free(s.ranges.range);
	free(s.found);
}

void units_release(struct units *u)
{
	flat_ranges_release(&u->pieces);
	free(u->cu);
	*u = (struct units){ 0 };
}

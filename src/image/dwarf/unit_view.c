#include "image/dwarf/unit_view.h"

#include <dwarf.h>

static uint64_t number_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;
	Dwarf_Word value;

	return dwarf_formudata(dwarf_attr(die, attribute, &a), &value) ? 0 : value;
}

static bool is_address_size(uint8_t size)
{
	return size == 2 || size == 4 || size == 8;
}

/* The unit's header; false when it is malformed, or the root entry is not in the unit. */
static bool parse_header(struct unit_view *v, const struct debug_bytes *own, uint64_t *abbrevs)
{
	struct span info = own->section[DEBUG_INFO];
	const unsigned char *section = (const unsigned char *)info.at;
	struct dwarf_format *f = &v->format;
	struct bytes b, unit;

	if (!info.size || v->begin < section || v->begin >= section + info.size)
		return false;
	b = bytes_over(span_from(info, (size_t)(v->begin - section)));
	f->order = own->order;
	unit = dwarf_sized(&b, f);
	v->end = unit.end;
	f->version = (uint8_t)dwarf_number(&unit, 2, f->order);
	if (f->version >= 5) {
		bytes_u8(&unit); /* the kind of unit */
		f->address_size = bytes_u8(&unit);
	}
	*abbrevs = dwarf_number(&unit, f->offset_size, f->order);
	if (f->version < 5)
		f->address_size = bytes_u8(&unit);
	return !unit.failed && is_address_size(f->address_size) && v->root >= unit.at &&
	       v->root < v->end;
}

static struct span section_from(const struct debug_bytes *d, enum debug_section section,
				uint64_t offset)
{
	struct span all = d->section[section];

	return offset < all.size ? span_from(all, (size_t)offset) : SPAN("");
}

static uint64_t address_base(Dwarf_Die *head)
{
	uint64_t base = number_of(head, DW_AT_addr_base);

	return base ? base : number_of(head, DW_AT_GNU_addr_base);
}

/* A split unit has no DW_AT_rnglists_base: its base is the end of the header of .debug_rnglists. */
static uint64_t first_lists(const struct debug_bytes *own)
{
	struct dwarf_format f = { .order = own->order };
	struct bytes b = bytes_over(own->section[DEBUG_RNGLISTS]);
	const unsigned char *begin = b.at;
	struct bytes lists = dwarf_sized(&b, &f);

	(void)bytes_take(&lists, 2 + 1 + 1 + 4);
	return lists.failed ? 0 : (uint64_t)(lists.at - begin);
}

bool unit_view_init(struct unit_view *v, Dwarf_Die *root, const struct debug_bytes *own,
		    Dwarf_Die *head, const struct debug_bytes *program, struct abbrev_cache *cache)
{
	bool is_split = root->addr != head->addr;
	Dwarf_Addr base;
	uint64_t abbrevs;

	*v = (struct unit_view){ .root = root->addr, .cache = cache };
	v->begin = v->root - dwarf_cuoffset(root);
	if (!parse_header(v, own, &abbrevs))
		return false;
	v->abbrevs = section_from(own, DEBUG_ABBREV, abbrevs);
	v->addresses = section_from(program, DEBUG_ADDR, address_base(head));
	v->base = dwarf_lowpc(head, &base) ? 0 : base;
	if (v->format.version < 5) {
		v->ranges = section_from(program, DEBUG_RANGES,
					 is_split ? number_of(head, DW_AT_GNU_ranges_base) : 0);
	} else {
		v->ranges = own->section[DEBUG_RNGLISTS];
		v->lists = is_split ? 0 : number_of(head, DW_AT_rnglists_base);
		if (!v->lists)
			v->lists = first_lists(own);
	}
	return true;
}

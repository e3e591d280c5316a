#include "image/dwarf/entry_ranges.h"

#include <dwarf.h>

static uint64_t address_at(struct bytes *b, const struct unit_view *v)
{
	return dwarf_number(b, v->format.address_size, v->format.order);
}

/* DW_FORM_addrx: an index into .debug_addr. */
static uint64_t address_of_number(const struct unit_view *v, uint64_t number, bool *failed)
{
	uint8_t size = v->format.address_size;
	struct bytes b;

	if (number >= v->addresses.size / size) {
		*failed = true;
		return 0;
	}
	b = bytes_over(span_from(v->addresses, (size_t)number * size));
	return address_at(&b, v);
}

static bool is_number_of_address(uint16_t form)
{
	return form == DW_FORM_addrx || form == DW_FORM_GNU_addr_index ||
	       (form >= DW_FORM_addrx1 && form <= DW_FORM_addrx4);
}

static uint64_t address_of(const struct unit_view *v, const struct entry_value *value, bool *failed)
{
	return is_number_of_address(value->form) ? address_of_number(v, value->value, failed)
						 : value->value;
}

/* .debug_ranges, up to DWARF 4: pairs relative to a base, which (-1, base) changes. */
static bool visit_pairs(const struct unit_view *v, struct bytes b, range_sink *sink, void *arg)
{
	uint64_t escape = UINT64_MAX >> (64 - 8 * v->format.address_size), base = v->base;

	for (;;) {
		uint64_t begin = address_at(&b, v), end = address_at(&b, v);

		if (b.failed || (!begin && !end))
			return !b.failed;
		if (begin == escape)
			base = end;
		else if (!sink(arg, base + begin, base + end))
			return true;
	}
}

/* .debug_rnglists, DWARF 5. */
static bool visit_list(const struct unit_view *v, struct bytes b, range_sink *sink, void *arg)
{
	uint64_t base = v->base;
	bool failed = false;

	while (!b.failed && !failed) {
		uint64_t begin = 0, end = 0;

		switch (bytes_u8(&b)) {
		case DW_RLE_end_of_list:
			return !b.failed;
		case DW_RLE_base_addressx:
			base = address_of_number(v, bytes_varint(&b), &failed);
			continue;
		case DW_RLE_base_address:
			base = address_at(&b, v);
			continue;
		case DW_RLE_startx_endx:
			begin = address_of_number(v, bytes_varint(&b), &failed);
			end = address_of_number(v, bytes_varint(&b), &failed);
			break;
		case DW_RLE_startx_length:
			begin = address_of_number(v, bytes_varint(&b), &failed);
			end = begin + bytes_varint(&b);
			break;
		case DW_RLE_offset_pair:
			begin = base + bytes_varint(&b);
			end = base + bytes_varint(&b);
			break;
		case DW_RLE_start_end:
			begin = address_at(&b, v);
			end = address_at(&b, v);
			break;
		case DW_RLE_start_length:
			begin = address_at(&b, v);
			end = begin + bytes_varint(&b);
			break;
		default:
			return false;
		}
		if (!b.failed && !failed && !sink(arg, begin, end))
			return true;
	}
	return false;
}

/* The offset of a list in its section; UINT64_MAX: malformed. */
static uint64_t list_offset(const struct unit_view *v, const struct entry_value *value)
{
	struct bytes table;

	if (value->form != DW_FORM_rnglistx)
		return value->value;
	if (v->lists > v->ranges.size)
		return UINT64_MAX;
	table = bytes_over(span_from(v->ranges, (size_t)v->lists));
	if (value->value >= bytes_left(&table) / v->format.offset_size)
		return UINT64_MAX;
	(void)bytes_take(&table, value->value * v->format.offset_size);
	return v->lists + dwarf_number(&table, v->format.offset_size, v->format.order);
}

bool entry_ranges(const struct unit_view *v, const struct entry *e, range_sink *sink, void *arg)
{
	const struct entry_value *low = &e->slot[SLOT_LOW], *high = &e->slot[SLOT_HIGH];
	const struct entry_value *ranges = &e->slot[SLOT_RANGES];
	bool failed = false;
	uint64_t offset;

	if (low->form && high->form) {
		uint64_t begin = address_of(v, low, &failed), end = high->value;

		/* high_pc is an address, or the distance from low_pc. */
		if (is_number_of_address(high->form))
			end = address_of(v, high, &failed);
		else if (high->form != DW_FORM_addr)
			end += begin;
		if (!failed)
			(void)sink(arg, begin, end);
		return !failed;
	}
	if (!ranges->form)
		return true;
	offset = list_offset(v, ranges);
	if (offset >= v->ranges.size)
		return false;
	return (v->format.version < 5 ? visit_pairs : visit_list)(
		v, bytes_over(span_from(v->ranges, (size_t)offset)), sink, arg);
}

#include "image/dwarf/abbrevs.h"

#include "base/alloc.h"

#include <dwarf.h>
#include <stdlib.h>

enum {
	ABBREVS_MAX = 1024 * 1024,     /* limit of rows of a table */
	STEPS_MAX = 1024,	       /* … of attributes of a row */
	BYTES_MAX = 1024 * 1024 * 1024 /* … of bytes of all tables: see abbrev_cache_get() */
};

enum abbrev_shape abbrev_shape(uint64_t form, const struct dwarf_format *format, uint32_t *size)
{
	*size = 0;
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return SHAPE_FIXED;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		*size = 1;
		return SHAPE_FIXED;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		*size = 2;
		return SHAPE_FIXED;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		*size = 3;
		return SHAPE_FIXED;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4:
		*size = 4;
		return SHAPE_FIXED;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		*size = 8;
		return SHAPE_FIXED;
	case DW_FORM_data16:
		*size = 16;
		return SHAPE_FIXED;
	case DW_FORM_addr:
		*size = format->address_size;
		return SHAPE_FIXED;
	case DW_FORM_sec_offset:
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		*size = format->offset_size;
		return SHAPE_FIXED;
	case DW_FORM_ref_addr:
		*size = format->version == 2 ? format->address_size : format->offset_size;
		return SHAPE_FIXED;
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		return SHAPE_NUMBER;
	case DW_FORM_string:
		return SHAPE_TEXT;
	case DW_FORM_block1:
		*size = 1;
		return SHAPE_BLOCK;
	case DW_FORM_block2:
		*size = 2;
		return SHAPE_BLOCK;
	case DW_FORM_block4:
		*size = 4;
		return SHAPE_BLOCK;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		return SHAPE_BLOCK;
	case DW_FORM_indirect:
		return SHAPE_INDIRECT;
	default:
		return SHAPE_UNKNOWN;
	}
}

void abbrev_skip(struct bytes *b, enum abbrev_shape shape, uint32_t size, enum byte_order order)
{
	switch (shape) {
	case SHAPE_FIXED:
		(void)bytes_take(b, size);
		break;
	case SHAPE_NUMBER:
		/* LEB128 of any length: some writers pad it. */
		while (bytes_u8(b) & 0x80)
			;
		break;
	case SHAPE_TEXT:
		(void)dwarf_text(b);
		break;
	case SHAPE_BLOCK:
		(void)bytes_take(b, size ? dwarf_number(b, size, order) : bytes_varint(b));
		break;
	case SHAPE_INDIRECT:
	case SHAPE_UNKNOWN:
		(void)bytes_fail(b);
		break;
	}
}

static enum entry_slot slot_of(uint64_t attribute, const struct abbrev *a)
{
	bool has_code = a->tag == DW_TAG_subprogram || a->tag == DW_TAG_inlined_subroutine;

	switch (attribute) {
	case DW_AT_sibling:
		return a->has_children ? SLOT_SIBLING : SLOT_NONE;
	case DW_AT_low_pc:
		return has_code ? SLOT_LOW : SLOT_NONE;
	case DW_AT_high_pc:
		return has_code ? SLOT_HIGH : SLOT_NONE;
	case DW_AT_ranges:
		return has_code ? SLOT_RANGES : SLOT_NONE;
	default:
		return SLOT_NONE;
	}
}

static void add_step(struct abbrevs *t, struct abbrev *a, struct abbrev_step s)
{
	struct abbrev_step *last = a->nr ? &t->step[t->nr_step - 1] : NULL;

	a->has_slots |= s.slot != SLOT_NONE;
	if (last && last->slot == SLOT_NONE && s.slot == SLOT_NONE && last->shape == SHAPE_FIXED &&
	    s.shape == SHAPE_FIXED) {
		last->size += s.size;
		return;
	}
	GROW(t->step, t->nr_step, t->cap_step);
	t->step[t->nr_step++] = s;
	a->nr++;
}

/* The attributes of a row; false when they are malformed. */
static bool parse_steps(struct abbrevs *t, struct abbrev *a, struct bytes *b,
			const struct dwarf_format *format)
{
	for (int i = 0; i < STEPS_MAX && !b->failed; i++) {
		uint64_t attribute = bytes_varint(b), form = bytes_varint(b);
		struct abbrev_step s = { .slot = (uint8_t)slot_of(attribute, a),
					 .form = (uint16_t)form };

		if (!attribute && !form)
			return !b->failed;
		s.shape = (uint8_t)abbrev_shape(form, format, &s.size);
		if (form == DW_FORM_implicit_const)
			s.constant = (uint64_t)dwarf_signed(b);
		add_step(t, a, s);
	}
	return false;
}

static int by_code(const void *a, const void *b)
{
	uint64_t x = ((const struct abbrev *)a)->code, y = ((const struct abbrev *)b)->code;

	return x < y ? -1 : x > y;
}

size_t abbrevs_parse(struct abbrevs *t, struct span bytes, const struct dwarf_format *format)
{
	struct bytes b = bytes_over(bytes);
	bool sorted = true;
	uint64_t code;

	*t = (struct abbrevs){ 0 };
	while ((code = bytes_varint(&b))) {
		struct abbrev a = { .code = code, .first = (uint32_t)t->nr_step };
		uint64_t tag = bytes_varint(&b);

		a.tag = tag <= UINT16_MAX ? (uint16_t)tag : 0;
		a.has_children = bytes_u8(&b) != 0;
		if (t->nr == ABBREVS_MAX || !parse_steps(t, &a, &b, format))
			break;
		sorted &= !t->nr || t->row[t->nr - 1].code < code;
		GROW(t->row, t->nr, t->cap);
		t->row[t->nr++] = a;
	}
	if (!sorted)
		qsort(t->row, t->nr, sizeof(*t->row), by_code);
	return (size_t)(b.at - (const unsigned char *)bytes.at);
}

void abbrevs_release(struct abbrevs *t)
{
	free(t->row);
	free(t->step);
	*t = (struct abbrevs){ 0 };
}

const struct abbrev *abbrevs_search(const struct abbrevs *t, uint64_t code)
{
	struct abbrev key = { .code = code };

	return t->nr ? bsearch(&key, t->row, t->nr, sizeof(*t->row), by_code) : NULL;
}

const struct abbrevs *abbrev_cache_get(struct abbrev_cache *c, struct span bytes,
				       const struct dwarf_format *format)
{
	if (c->bytes.at == bytes.at && c->format.version == format->version &&
	    c->format.address_size == format->address_size &&
	    c->format.offset_size == format->offset_size)
		return &c->table;
	abbrevs_release(&c->table);
	c->bytes = bytes;
	c->format = *format;
	if (c->nr_read < BYTES_MAX)
		c->nr_read += abbrevs_parse(&c->table, bytes, format);
	return &c->table;
}

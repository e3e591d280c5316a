/*
 * The entries of .eh_frame and .debug_frame: an FDE describes the code of one function, a CIE holds
 * what many FDEs have in common.
 */
#include "base/alloc.h"
#include "image/cfi/cfi_build.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>

/* Encodings of addresses (DW_EH_PE_): the low bits are the format, the high ones the base. */
enum {
	PE_ABSOLUTE = 0x00,
	PE_ULEB128 = 0x01,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SLEB128 = 0x09,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_FORMAT = 0x0f,
	PE_HERE = 0x10,
	PE_BASE = 0x70,
	PE_ALIGNED = 0x50,
	PE_OMIT = 0xff,
};

static bool take_number(struct fields *f, uint8_t format, uint64_t *v)
{
	switch (format) {
	case PE_ABSOLUTE:
	case PE_UDATA8:
	case PE_SDATA8:
		*v = fields_u64(f);
		return true;
	case PE_UDATA2:
		*v = fields_u16(f);
		return true;
	case PE_UDATA4:
		*v = fields_u32(f);
		return true;
	case PE_SDATA2:
		*v = (uint64_t)(int16_t)fields_u16(f);
		return true;
	case PE_SDATA4:
		*v = (uint64_t)(int32_t)fields_u32(f);
		return true;
	case PE_ULEB128:
		*v = fields_uleb(f);
		return true;
	case PE_SLEB128:
		*v = (uint64_t)fields_sleb(f);
		return true;
	default:
		return false;
	}
}

static uint64_t offset_of(const struct fields *f, const struct cfi_section *s)
{
	return (uint64_t)(f->at - s->bytes.at);
}

bool cfi_address(struct fields *f, uint8_t encoding, const struct cfi_section *s, uint64_t *address)
{
	uint64_t here = s->address + offset_of(f, s);

	*address = 0;
	if ((encoding & PE_BASE) == PE_ALIGNED) {
		fields_take(f, -here & 7);
		*address = fields_u64(f);
		return encoding == PE_ALIGNED;
	}
	if (!take_number(f, encoding & PE_FORMAT, address))
		return false;
	if ((encoding & PE_BASE) == PE_HERE)
		*address += here;
	return (encoding & ~PE_FORMAT) == PE_HERE || !(encoding & ~PE_FORMAT);
}

/* Keeps the first error only: the others are often the same. */
static void complain(struct cfi_builder *b, uint64_t offset, const char *why)
{
	if (!b->cfi->why[0])
		snprintf(b->cfi->why, sizeof(b->cfi->why), "%s: entry at 0x%llx: %s",
			 b->section->format == CFI_EH_FRAME ? ".eh_frame" : ".debug_frame",
			 (unsigned long long)offset, why);
}

/* A CIE or an FDE. */
struct entry {
	uint64_t offset;	/* in the section */
	uint64_t id, id_offset; /* marks a CIE, or says where the CIE of an FDE is */
	bool wide;		/* DWARF64 */
	struct fields body;	/* what follows the id */
};

/* False if its length is invalid: then the next one cannot be found. */
static bool next_entry(struct cfi_builder *b, struct fields *f, struct entry *x)
{
	uint64_t size;

	*x = (struct entry){ .offset = offset_of(f, b->section) };
	size = fields_u32(f);
	x->wide = size == UINT32_MAX;
	if (x->wide)
		size = fields_u64(f);
	x->id_offset = offset_of(f, b->section);
	x->body = fields_over(fields_take(f, size), f->order);
	if (f->failed) {
		b->cfi->nr_bad++;
		complain(b, x->offset, "length exceeds the section");
		return false;
	}
	if (!size)
		return true;
	/* In .eh_frame, the id has 4 bytes even in DWARF64. */
	x->id = x->wide && b->section->format == CFI_DEBUG_FRAME ? fields_u64(&x->body)
								 : fields_u32(&x->body);
	return true;
}

static bool is_cie(const struct cfi_builder *b, const struct entry *x)
{
	if (b->section->format == CFI_EH_FRAME)
		return !x->id;
	return x->id == (x->wide ? UINT64_MAX : UINT32_MAX);
}

/* Each letter of the augmentation string announces a field of its data. */
static const char *augment(struct cfi_builder *b, struct cfi_cie *c, struct span letters,
			   struct fields data)
{
	uint64_t ignored;

	for (size_t i = 0; i < letters.size; i++)
		switch (letters.at[i]) {
		case 'R':
			c->encoding = fields_u8(&data);
			break;
		case 'L': /* the encoding of pointers to data for exceptions (LSDA) */
			fields_u8(&data);
			break;
		case 'P': { /* the address of a personality routine; 0x80: it is indirect */
			uint8_t encoding = fields_u8(&data);

			if (encoding != PE_OMIT &&
			    !cfi_address(&data, encoding & 0x7f, b->section, &ignored))
				return "unknown encoding of the personality routine";
			break;
		}
		case 'S':
			c->is_signal = true;
			break;
		case 'B': /* AArch64: return addresses are signed with the B key */
		case 'G': /* … and the stack's memory is tagged */
			break;
		default:
			/* An unknown letter: skips the rest of the data, whose size is known. */
			return NULL;
		}
	return data.failed ? "truncated augmentation" : NULL;
}

static const char *parse_cie(struct cfi_builder *b, struct cfi_cie *c, struct fields f)
{
	uint8_t version = fields_u8(&f);
	struct span letters = { .at = f.at };
	const char *wrong;
	uint64_t reg;

	while (fields_u8(&f))
		letters.size++;
	if (version != 1 && version != 3 && version != 4)
		return "unknown version";
	/* The sizes of an address (8) and of a segment selector (0). */
	if (version == 4 && fields_u16(&f) != 8)
		return "addresses are not 64-bit";
	/* gcc 2: a pointer follows. */
	if (span_is(letters, "eh")) {
		fields_u64(&f);
		letters.size = 0;
	}
	c->code_align = fields_uleb(&f);
	c->data_align = fields_sleb(&f);
	reg = version == 1 ? fields_u8(&f) : fields_uleb(&f);
	if (f.failed)
		return "truncated entry";
	if (reg != b->machine->return_register)
		return "unknown return address register";
	c->return_register = (uint8_t)reg;
	if (letters.size) {
		if (letters.at[0] != 'z')
			return "unknown augmentation";
		c->has_size = true;
		reg = fields_uleb(&f);
		wrong = augment(b, c, span_from(letters, 1),
				fields_over(fields_take(&f, reg), f.order));
		if (wrong)
			return wrong;
	}
	return f.failed ? "truncated entry" : cfi_run(b, c, f, &c->initial, NULL);
}

enum {
	/* Size of the cache of CIEs, by offset in the section: few CIEs are shared by many FDEs. */
	CIES_KEPT = 64,
	/*
	 * Limits of the bytes parsed as CIEs and as FDEs, as multiples of the section's size: in
	 * malicious input, each FDE may refer to another long CIE, and an index may list the same
	 * FDE many times.
	 */
	CIES_TIMES = 16,
	RANGES_TIMES = 2,
};

/* Never NULL: is_sound is false if the CIE is missing or malformed.  Valid until the next call. */
static const struct cfi_cie *find_cie(struct cfi_builder *b, uint64_t offset)
{
	struct cfi_cie *c = &b->kept[offset / 4 % CIES_KEPT];
	struct fields f = fields_over(b->section->bytes, ORDER_LITTLE);
	struct entry x;
	const char *wrong;

	if (c->code_align && c->offset == offset)
		return c;
	*c = (struct cfi_cie){ .offset = offset, .code_align = 1 };
	fields_take(&f, offset);
	if (!f.failed && next_entry(b, &f, &x) && is_cie(b, &x)) {
		size_t size = fields_left(&x.body);

		wrong = size <= b->cies_left ? parse_cie(b, c, x.body) : "too many entries";
		b->cies_left -= size <= b->cies_left ? size : 0;
		/* 0 marks an empty slot of the cache; a CIE whose code_align is 0 is malformed. */
		c->is_sound = !wrong && c->code_align;
		c->code_align = c->code_align ? c->code_align : 1;
		if (wrong)
			complain(b, offset, wrong);
	}
	return c;
}

bool cfi_find_code(const struct cfi_builder *b, uint64_t address, uint64_t size,
		   struct cfi_range *range)
{
	for (size_t i = 0; i < b->nr_code; i++) {
		const struct cfi_code *c = &b->code[i];
		uint64_t inside = address - c->address, place = c->offset + inside;

		if (inside >= c->size || c->size > UINT32_MAX || c->offset > UINT32_MAX - c->size)
			continue;
		if (size > c->size - inside)
			size = c->size - inside;
		range->begin = (uint32_t)place;
		range->end = (uint32_t)(place + size);
		return true;
	}
	return false;
}

static const char *parse_fde(struct cfi_builder *b, const struct cfi_cie *c, struct fields f)
{
	struct cfi_range range = { .first_row = (uint32_t)b->nr_row };
	struct cfi_state s = c->initial;
	uint64_t address, size;
	const char *wrong;

	if (!cfi_address(&f, c->encoding, b->section, &address) ||
	    !take_number(&f, c->encoding & PE_FORMAT, &size))
		return "unknown address encoding";
	if (c->has_size)
		fields_take(&f, fields_uleb(&f));
	if (f.failed)
		return "truncated entry";
	/* The FDEs of functions that the linker dropped have address 0, or no size. */
	if (!address || !size || !cfi_find_code(b, address, size, &range))
		return NULL;
	b->range_address = address;
	wrong = cfi_run(b, c, f, &s, &range);
	if (wrong) {
		b->nr_row = range.first_row;
		return wrong;
	}
	GROW(b->range, b->nr_range, b->cap_range);
	b->range[b->nr_range++] = range;
	return NULL;
}

static const char *read_entry(struct cfi_builder *b, const struct entry *x)
{
	uint64_t cie = b->section->format == CFI_EH_FRAME ? x->id_offset - x->id : x->id;
	const struct cfi_cie *c = find_cie(b, cie);
	size_t size = fields_left(&x->body);

	if (!c->is_sound)
		return "its CIE is missing or invalid";
	if (size > b->ranges_left)
		return "overlapping entries";
	b->ranges_left -= size;
	return parse_fde(b, c, x->body);
}

static void add_entry(struct cfi_builder *b, const struct entry *x)
{
	const char *wrong = read_entry(b, x);

	b->cfi->nr_read++;
	if (!wrong)
		return;
	b->cfi->nr_bad++;
	complain(b, x->offset, wrong);
}

/* An empty entry ends the part of one object file; those of others may follow. */
static bool is_fde(const struct cfi_builder *b, const struct entry *x)
{
	return x->body.end > b->section->bytes.at + x->id_offset && !is_cie(b, x);
}

void cfi_begin_section(struct cfi_builder *b, const struct cfi_section *s)
{
	if (!b->kept)
		b->kept = xcalloc(CIES_KEPT, sizeof(*b->kept));
	for (size_t i = 0; i < CIES_KEPT; i++)
		b->kept[i].code_align = 0;
	b->section = s;
	b->cies_left = s->bytes.size * CIES_TIMES;
	b->ranges_left = s->bytes.size * RANGES_TIMES;
}

void cfi_add_section(struct cfi_builder *b, const struct cfi_section *s)
{
	struct fields f = fields_over(s->bytes, ORDER_LITTLE);
	struct entry x;

	cfi_begin_section(b, s);
	while (fields_left(&f) >= sizeof(uint32_t) && next_entry(b, &f, &x))
		if (is_fde(b, &x))
			add_entry(b, &x);
	b->section = NULL;
}

void cfi_add_range(struct cfi_builder *b, uint64_t offset)
{
	struct fields f = fields_over(b->section->bytes, ORDER_LITTLE);
	struct entry x;

	fields_take(&f, offset);
	if (!f.failed && next_entry(b, &f, &x) && is_fde(b, &x))
		add_entry(b, &x);
}

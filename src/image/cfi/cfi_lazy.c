/*
 * Unwind rows on demand.  For exceptions, linkers write .eh_frame_hdr: a sorted table with the
 * start of each function and the address of its FDE.  A lookup searches that, and parses one FDE.
 */
#include "base/alloc.h"
#include "image/cfi/cfi_build.h"

#include <stdlib.h>

struct cfi_lazy {
	struct cfi_builder b; /* b.cfi is the table that owns this */
	struct cfi_section section;
	struct cfi_code *code;
	char *bytes;	   /* a copy of the section, followed by one of the index */
	const char *entry; /* the index */
	uint64_t base;	   /* the virtual address of .eh_frame_hdr: entries are relative to it */
	uint32_t *made;	   /* by entry: the number of its range + 1; 0: not parsed yet */
	size_t nr;
};

enum {
	INDEX_VERSION = 1,
	INDEX_HEAD = 12,
	INDEX_ENTRY = 8,
	/* The encodings (DW_EH_PE_) that all linkers use. */
	FROM_HERE = 0x1b,  /* 4 bytes, signed, relative to their own address */
	FROM_INDEX = 0x3b, /* … relative to the beginning of the index */
	PLAIN_U32 = 0x03,
};

static uint64_t difference(const char *at)
{
	return (uint64_t)(int32_t)load_u32(at, ORDER_LITTLE);
}

bool cfi_indexed(const struct cfi_section *index, uint64_t *address)
{
	const char *head = index->bytes.at;

	if (index->bytes.size < INDEX_HEAD || head[0] != INDEX_VERSION || head[1] != FROM_HERE ||
	    head[2] != PLAIN_U32 || head[3] != FROM_INDEX)
		return false;
	*address = index->address + 4 + difference(head + 4);
	return true;
}

/* The number of entries of the index; 0 if it is not an index of that section. */
static size_t index_size(const struct cfi_section *index, const struct cfi_section *s)
{
	uint64_t address;
	size_t nr;

	if (!cfi_indexed(index, &address) || address != s->address)
		return 0;
	nr = load_u32(index->bytes.at + 8, ORDER_LITTLE);
	return nr <= (index->bytes.size - INDEX_HEAD) / INDEX_ENTRY ? nr : 0;
}

bool cfi_add_lazy(struct cfi_builder *b, const struct cfi_section *s,
		  const struct cfi_section *index)
{
	size_t nr = index_size(index, s), size = s->bytes.size;
	struct cfi_lazy *l;

	if (!nr || b->cfi->lazy)
		return false;
	l = xcalloc(1, sizeof(*l));
	/* A copy, as the file may change while we use it. */
	l->bytes = xmalloc(size + nr * INDEX_ENTRY);
	memcpy(l->bytes, s->bytes.at, size);
	memcpy(l->bytes + size, index->bytes.at + INDEX_HEAD, nr * INDEX_ENTRY);
	l->code = xmemdup(b->code, b->nr_code * sizeof(*l->code));
	l->section = *s;
	l->section.bytes.at = l->bytes;
	l->entry = l->bytes + size;
	l->base = index->address;
	l->nr = nr;
	l->made = xcalloc(nr, sizeof(*l->made));
	l->b = (struct cfi_builder){
		.machine = b->machine, .code = l->code, .nr_code = b->nr_code, .cfi = b->cfi
	};
	cfi_begin_section(&l->b, &l->section);
	b->cfi->lazy = l;
	return true;
}

void cfi_lazy_free(struct cfi_lazy *l)
{
	if (!l)
		return;
	/* The caller frees that table. */
	l->b.cfi = NULL;
	cfi_builder_release(&l->b);
	free(l->code);
	free(l->bytes);
	free(l->made);
	free(l);
}

static bool find_address(const struct cfi_lazy *l, uint64_t place, uint64_t *address)
{
	for (size_t i = 0; i < l->b.nr_code; i++) {
		const struct cfi_code *c = &l->code[i];

		*address = place - c->offset + c->address;
		if (place - c->offset < c->size)
			return true;
	}
	return false;
}

static uint64_t begin_of(const struct cfi_lazy *l, size_t entry)
{
	return l->base + difference(l->entry + entry * INDEX_ENTRY);
}

/* The last entry that begins at the address or before it. */
static bool find_entry(const struct cfi_lazy *l, uint64_t address, size_t *entry)
{
	size_t low = 0, high = l->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (begin_of(l, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	*entry = low - 1;
	return low;
}

uint64_t cfi_lazy_next(const struct cfi_lazy *l, uint64_t place)
{
	uint64_t address;
	size_t entry;

	if (!find_address(l, place, &address))
		return UINT64_MAX;
	entry = find_entry(l, address, &entry) ? entry + 1 : 0;
	return entry < l->nr ? place + begin_of(l, entry) - address : UINT64_MAX;
}

bool cfi_lazy_start(const struct cfi_lazy *l, uint64_t place, uint64_t *start)
{
	uint64_t address;
	size_t entry;

	if (!find_address(l, place, &address) || !find_entry(l, address, &entry))
		return false;
	*start = place - (address - begin_of(l, entry));
	return true;
}

/* A malformed FDE becomes a range without rows, so that it is not parsed again. */
static void make_rows(struct cfi_lazy *l, size_t entry)
{
	struct cfi_builder *b = &l->b;
	uint64_t address = l->base + difference(l->entry + entry * INDEX_ENTRY + 4);
	size_t nr = b->nr_range;

	cfi_add_range(b, address - l->section.address);
	if (b->nr_range == nr) {
		GROW(b->range, b->nr_range, b->cap_range);
		b->range[b->nr_range++] = (struct cfi_range){ 0 };
	}
	l->made[entry] = (uint32_t)b->nr_range;
}

uint32_t cfi_lazy_find(struct cfi_lazy *l, uint64_t place)
{
	const struct cfi_range *range;
	uint64_t address;
	size_t entry;

	if (!find_address(l, place, &address) || !find_entry(l, address, &entry))
		return 0;
	if (!l->made[entry])
		make_rows(l, entry);
	range = &l->b.range[l->made[entry] - 1];
	if (place < range->begin || place >= range->end || !range->nr_row)
		return 0;
	return cfi_row_find(l->b.row + range->first_row, range->nr_row, place);
}

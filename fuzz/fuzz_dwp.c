/*
 * Packages of split DWARF of any bytes: every id that could be in the index is asked for, and
 * what is found is walked and named.
 */
#include "fuzz.h"

#include "base/alloc.h"
#include "image/dwarf/dwp.h"
#include "image/dwarf/entry_ranges.h"

#include <dwarf.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	elf_version(EV_CURRENT);
	return 0;
}

struct walk {
	const struct unit_view *v;
	Dwarf_CU *cu;
	size_t nr_range;
};

static bool add_range(void *arg, uint64_t begin, uint64_t end)
{
	struct walk *w = arg;

	(void)begin;
	(void)end;
	return w->nr_range++ < 100000;
}

static bool visit(void *arg, const struct entry *entry, size_t level)
{
	struct walk *w = arg;
	Dwarf_Die die = { .addr = (void *)(uintptr_t)entry->at, .cu = w->cu };

	if (level >= ENTRY_LEVELS_MAX || entry->at < w->v->begin || entry->at >= w->v->end)
		abort();
	(void)entry_ranges(w->v, entry, add_range, w);
	(void)entry_string(&die, DW_AT_name);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *bytes = xmemdup(data, size ? size : 1);
	Elf *elf = elf_memory(bytes, size);
	struct abbrev_cache cache = { 0 };
	struct dwp *d = elf ? dwp_new(elf) : NULL;

	for (size_t at = 0; d && at + sizeof(uint64_t) <= size; at += sizeof(uint32_t)) {
		struct debug_bytes pieces;
		struct unit_view v;
		Dwarf_Die root;

		if (!dwp_unit(d, load_u64((const char *)data + at, ORDER_HOST), &root, &pieces) ||
		    !unit_view_init(&v, &root, &pieces, &root, &pieces, &cache))
			continue;
		(void)entries_walk(&v, visit, &(struct walk){ .v = &v, .cu = root.cu });
	}
	abbrevs_release(&cache.table);
	dwp_free(d);
	elf_end(elf);
	free(bytes);
	return 0;
}

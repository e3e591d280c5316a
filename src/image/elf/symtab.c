#include "image/elf/symtab.h"

#include "base/alloc.h"
#include "base/first_above.h"

#include <stdlib.h>

void symtab_release(struct symtab *t)
{
	free(t->symbol);
	free(t->reach);
	arena_release(&t->names);
	*t = (struct symtab){ 0 };
}

void symtab_add(struct symtab *t, const struct symbol *s)
{
	if (t->nr == SYMBOLS_MAX)
		return;
	GROW(t->symbol, t->nr, t->cap);
	t->symbol[t->nr] = *s;
	t->symbol[t->nr].number = (uint32_t)t->nr;
	t->nr++;
}

void symtab_add_copy(struct symtab *t, const struct symbol *s, struct span name)
{
	struct symbol copy = *s;
	char *bytes = arena_take(&t->names, name.size + 1);

	if (name.size)
		memcpy(bytes, name.at, name.size);
	bytes[name.size] = '\0';
	copy.name = bytes;
	symtab_add(t, &copy);
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

size_t symbol_underscores(const char *name)
{
	/*
	 * Names with this prefix are the public ones of the vDSO: without it, they look like the C
	 * library's.
	 */
	return strncmp(name, "__vdso_", strlen("__vdso_")) ? strspn(name, "_") : 0;
}

static bool is_sized(const struct symbol *s)
{
	return s->end > s->begin && !s->at_most;
}

/*
 * Of two symbols at one address, the better comes first: sized, of the default version, global;
 * then fewer leading underscores, strong, longer.
 */
static int by_worth(const struct symbol *a, const struct symbol *b)
{
	bool sized_a = is_sized(a), sized_b = is_sized(b);
	int order;

	if (sized_a != sized_b)
		return sized_a ? -1 : 1;
	if (a->old != b->old)
		return a->old ? 1 : -1;
	if (a->global != b->global)
		return a->global ? -1 : 1;
	order = compare(symbol_underscores(a->name), symbol_underscores(b->name));
	if (!order && a->weak != b->weak)
		return a->weak ? 1 : -1;
	if (!order)
		order = compare(strlen(b->name), strlen(a->name));
	return order ? order : strcmp(a->name, b->name);
}

static int by_begin_and_number(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->begin == y->begin ? compare(x->number, y->number) : compare(x->begin, y->begin);
}

static int by_begin_and_worth(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->begin == y->begin ? by_worth(x, y) : compare(x->begin, y->begin);
}

/* Symbols at one address stay in the order in which they were added.  Most lists are sorted. */
static void sort_as_they_came(struct symbol *s, size_t nr)
{
	bool sorted = true;

	for (size_t i = 1; i < nr && sorted; i++)
		sorted = s[i - 1].begin <= s[i].begin;
	if (!sorted)
		qsort(s, nr, sizeof(*s), by_begin_and_number);
}

/* A symbol without a size inside a function is only a label. */
static bool is_label(const struct symbol *s, uint64_t reach)
{
	return !is_sized(s) && s->begin < reach;
}

static void keep_one_each(struct symtab *t, enum equal_symbols equal)
{
	uint64_t reach = 0;
	size_t nr = 0;

	for (size_t i = 0; i < t->nr; i++) {
		const struct symbol *s = &t->symbol[i];

		if (is_label(s, reach))
			continue;
		if (is_sized(s) && s->end > reach)
			reach = s->end;
		if (!nr || t->symbol[nr - 1].begin != s->begin)
			t->symbol[nr++] = *s;
		else if (equal == EQUAL_LAST)
			t->symbol[nr - 1] = *s;
	}
	t->nr = nr;
}

/* Bytes of the last symbol if its size is unknown: a page. */
enum { UNKNOWN_SIZE = 4096 };

static uint64_t likely_end(const struct symbol *s, const struct symbol *next)
{
	uint64_t end = next ? next->begin : s->begin + UNKNOWN_SIZE;

	if (end < s->begin)
		end = UINT64_MAX;
	return s->at_most && s->end < end ? s->end : end;
}

static void give_sizes(struct symtab *t)
{
	uint64_t reach = 0;

	t->reach = xcalloc(t->nr, sizeof(*t->reach));
	for (size_t i = 0; i < t->nr; i++) {
		struct symbol *s = &t->symbol[i];

		if (!is_sized(s))
			s->end = likely_end(s, i + 1 < t->nr ? s + 1 : NULL);
		if (s->end > reach)
			reach = s->end;
		t->reach[i] = reach;
	}
}

void symtab_finish(struct symtab *t, enum equal_symbols equal)
{
	if (!t->nr)
		return;
	if (equal == EQUAL_LAST)
		sort_as_they_came(t->symbol, t->nr);
	else
		qsort(t->symbol, t->nr, sizeof(*t->symbol), by_begin_and_worth);
	keep_one_each(t, equal);
	give_sizes(t);
}

const struct symbol *symtab_find(const struct symtab *t, uint64_t address)
{
	size_t low = FIRST_ABOVE(t->symbol, t->nr, begin, address);

	/*
	 * If a symbol ends before the address, an outer one may contain it; 64 limits the search in
	 * malicious tables.
	 */
	for (int tries = 64; low > 0 && t->reach[low - 1] > address && tries; low--, tries--)
		if (t->symbol[low - 1].end > address)
			return &t->symbol[low - 1];
	return NULL;
}

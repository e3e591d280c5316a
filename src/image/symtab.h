/* Names by address: what the symbol tables of a file come to. */
#ifndef WICK_IMAGE_SYMTAB_H
#define WICK_IMAGE_SYMTAB_H

#include "base/arena.h"
#include "base/span.h"

struct symbol {
	uint64_t begin, end;
	const char *name;
	bool weak, global;
	bool old;     /* a name that is kept for programs linked long ago */
	bool at_most; /* its size is not known: it ends at `end`, or where the next one begins */
};

struct symtab {
	struct symbol *symbol;
	uint64_t *reach; /* how far all symbols up to here reach: some have others inside */
	size_t nr, cap;
	struct arena names; /* of those that nobody else keeps */
};

enum {
	/* Ten times what the largest programs have. */
	SYMBOLS_MAX = 16 * 1024 * 1024,
};

void symtab_release(struct symtab *t);

/* Adds one whose name stays where it is. */
void symtab_add(struct symtab *t, const struct symbol *s);

/* The same with a name that is copied. */
void symtab_add_copy(struct symtab *t, const struct symbol *s, struct span name);

/*
 * Makes it fit for lookups: sorted, one name an address, and what has no size reaches to
 * the next symbol, or to the end of its section.  Of equals the one that says most stays.
 */
enum equal_symbols { EQUAL_BEST, EQUAL_LAST };
void symtab_finish(struct symtab *t, enum equal_symbols equal);

/* The innermost symbol that has the address, or NULL. */
const struct symbol *symtab_find(const struct symtab *t, uint64_t address);

#endif

/* Functions by address, from the symbol tables of a file. */
#ifndef WICK_IMAGE_ELF_SYMTAB_H
#define WICK_IMAGE_ELF_SYMTAB_H

#include "base/arena.h"
#include "base/span.h"

struct symbol {
	uint64_t begin, end;
	const char *name;
	bool weak;
	bool global;  /* visible to other files, weak or not */
	bool old;     /* not the default version of its name: for compatibility with old programs */
	bool at_most; /* its size is unknown: it ends at the next symbol, or at `end` */
	uint32_t number; /* set by symtab_add(): how many were added before */
};

struct symtab {
	struct symbol *symbol;
	uint64_t *reach; /* by symbol: the largest end so far, as symbols may be nested */
	size_t nr, cap;
	struct arena names; /* of symtab_add_copy() */
};

enum {
	/* Limit: ten times what the largest programs have. */
	SYMBOLS_MAX = 16 * 1024 * 1024,
};

void symtab_release(struct symtab *t);

/* Adds a symbol whose name outlives the table.  end == begin: its size is unknown. */
void symtab_add(struct symtab *t, const struct symbol *s);

/* The same, with a copy of the name. */
void symtab_add_copy(struct symtab *t, const struct symbol *s, struct span name);

/*
 * To be called before lookups: sorts the symbols, keeps one for each address, and lets those
 * without a size end at the next symbol.  Of several at one address, the best name stays
 * (EQUAL_BEST), or the one added last (EQUAL_LAST).
 */
enum equal_symbols { EQUAL_BEST, EQUAL_LAST };
void symtab_finish(struct symtab *t, enum equal_symbols equal);

/* The number of leading underscores, which mark internal names. */
size_t symbol_underscores(const char *name);

/* The innermost symbol that contains the address, or NULL. */
const struct symbol *symtab_find(const struct symtab *t, uint64_t address);

#endif

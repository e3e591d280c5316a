/*
 * Symbols that samply writes beside a profile (--unstable-presymbolicate): PROFILE.syms.json has, for
 * each library, the functions of the sampled addresses.
 *
 *	"string_table": ["UNKNOWN", "main", …],
 *	"data": [{"debug_name": "a.out", "code_id": "6326…", "symbol_table": [{"rva": 16, "symbol": 1}],
 *		"known_addresses": [[20, 0], [24, 0]]}]
 *
 * The inlined calls of a symbol are those of its first address only, so they are ignored.
 */
#ifndef WICK_READ_FIREFOX_FIREFOX_SYMBOLS_H
#define WICK_READ_FIREFOX_FIREFOX_SYMBOLS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/span.h"

#include <stddef.h>
#include <stdint.h>

/* Zeroed, there are none. */
struct firefox_symbols {
	struct intern keys; /* "code id" and address → name */
	uint32_t *name;	    /* by key: of string */
	struct span *string;
	size_t nr_name, cap_name, nr_string, cap_string;
	struct arena arena;
};

/* Reads the symbols of this profile; also returns 0 if there are none. */
int firefox_symbols_read(struct firefox_symbols *s, const char *profile, struct error *e);
void firefox_symbols_release(struct firefox_symbols *s);

/* The function at an address of the library with that code id; empty: unknown. */
struct span firefox_symbols_find(const struct firefox_symbols *s, struct span code_id,
				 uint64_t address);

#endif

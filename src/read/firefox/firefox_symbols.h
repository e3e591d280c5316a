/*
 * Names that samply keeps beside a profile (--unstable-presymbolicate): PROFILE.syms.json has, for
 * each library, the functions around the addresses of its samples.
 *
 *	"string_table": ["UNKNOWN", "main", …],
 *	"data": [{"debug_name": "a.out", "code_id": "6326…", "symbol_table": [{"rva": 16, "symbol": 1}],
 *		"known_addresses": [[20, 0], [24, 0]]}]
 *
 * A symbol's inlined calls are those of its first address only, so they are left out.
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

/* Reads the file that belongs to this profile; 0 if there is none, too. */
int firefox_symbols_read(struct firefox_symbols *s, const char *profile, struct error *e);
void firefox_symbols_release(struct firefox_symbols *s);

/* The function at an address of the library with that code id; empty: it is not known. */
struct span firefox_symbols_find(const struct firefox_symbols *s, struct span code_id,
				 uint64_t address);

#endif

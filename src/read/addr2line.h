/*
 * addr2line(1) and nm(1) as helpers: which calls the compiler inlined at an
 * address.  One addr2line a file, kept running and asked through a socket.
 */
#ifndef WICK_READ_ADDR2LINE_H
#define WICK_READ_ADDR2LINE_H

#include "base/span.h"
#include "base/strbuf.h"
#include "profile/profile.h"

struct addr2line;

struct addr2line *addr2line_new(void);
void addr2line_free(struct addr2line *a);

enum { ADDR2LINE_MAX = 256 };

/*
 * The functions at an address of a file, innermost first; their names are
 * interned in p.  Where addr2line does not know the address, the place that
 * the symbol ("main+0x12") has in the file is tried.  Returns how many, up to
 * ADDR2LINE_MAX; 0 when nobody knows, and files or programs that cannot be
 * used are noted once.
 */
size_t addr2line_find(struct addr2line *a, struct span file, uint64_t address, struct span symbol,
		      struct profile *p, struct line *line);

#endif

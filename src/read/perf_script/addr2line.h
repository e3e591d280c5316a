/*
 * addr2line(1) and nm(1) as child processes, to find the calls that the compiler inlined at an address.
 * One addr2line runs for each file, and is queried through a socket.
 */
#ifndef WICK_READ_PERF_SCRIPT_ADDR2LINE_H
#define WICK_READ_PERF_SCRIPT_ADDR2LINE_H

#include "base/span.h"
#include "base/strbuf.h"
#include "profile/profile.h"

struct addr2line;

struct addr2line *addr2line_new(void);
void addr2line_free(struct addr2line *a);

enum { ADDR2LINE_MAX = 256 };

/*
 * The functions at an address of a file, innermost first, into `line`, which has room for
 * ADDR2LINE_MAX; their names are interned in p.  If addr2line does not know the address, it is
 * queried again with the address that nm gives for the symbol ("main+0x12").  Returns their number, 0
 * if none is known.  A file without debug info, or a missing program, is noted in p once.
 */
size_t addr2line_find(struct addr2line *a, struct span file, uint64_t address, struct span symbol,
		      struct profile *p, struct line *line);

#endif

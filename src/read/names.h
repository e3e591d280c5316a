/* Making names readable: what the text readers share. */
#ifndef WICK_READ_NAMES_H
#define WICK_READ_NAMES_H

#include "base/strbuf.h"
#include "read/read.h"

/* The name without a "+0x12" at its end. */
struct span name_without_offset(struct span name);

/*
 * Finishes a Rust symbol that was demangled half way (`_$LT$…$GT$::f::h0123456789abcdef`):
 * decodes its escapes and drops its hash.  Returns *out, or the name itself if it is no such
 * symbol.
 */
struct span name_rust(struct span name, struct strbuf *out);

/* A function's name without its parameters, and with ; replaced.  Returns *out. */
struct span name_tidy(struct span name, enum tidy tidy, struct strbuf *out);

/*
 * A name changed only so far that it is one name in a line of folded text: ; and ends
 * of lines are replaced, and the characters of leave_out (NULL: none) dropped.  Returns *out.
 */
struct span name_plain(struct span name, const char *leave_out, struct strbuf *out);

/* `Lorg/foo/Bar` → `org/foo/Bar` */
struct span name_java(struct span name);

#endif

/* Makes names readable: shared by the text readers. */
#ifndef WICK_READ_TEXT_NAMES_H
#define WICK_READ_TEXT_NAMES_H

#include "base/strbuf.h"
#include "read/read.h"

/* The name without a "+0x12" at its end. */
struct span name_without_offset(struct span name);

/*
 * Finishes a partly demangled Rust symbol (`_$LT$…$GT$::f::h0123456789abcdef`): decodes its escapes
 * and drops its hash.  Returns *out, or the name itself if it is not such a symbol.
 */
struct span name_rust(struct span name, struct strbuf *out);

/*
 * A function's name without its parameters, and with ; replaced.  Returns *out, or a part of the name
 * itself if nothing had to be replaced.
 */
struct span name_tidy(struct span name, enum tidy tidy, struct strbuf *out);

/*
 * A name changed only as far as needed to be one name in a line of folded stacks: ; and line ends
 * are replaced, and the characters of leave_out (NULL: none) dropped.  Returns *out.
 */
struct span name_plain(struct span name, const char *leave_out, struct strbuf *out);

/* `Lorg/foo/Bar` → `org/foo/Bar` */
struct span name_java(struct span name);

#endif

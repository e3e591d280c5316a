/* Making names readable: what the text readers share. */
#ifndef WICK_READ_NAMES_H
#define WICK_READ_NAMES_H

#include "base/strbuf.h"
#include "read/read.h"

/* Without a "+0x12" at its end. */
struct span name_without_offset(struct span name);

/*
 * A Rust symbol that a demangler left half way (`_$LT$…$GT$::f::h0123456789abcdef`)
 * made whole: into *out, or the name as it is when it is none.
 */
struct span name_rust(struct span name, struct strbuf *out);

/* A function's name without its parameters and with ; replaced: in *out. */
struct span name_tidy(struct span name, enum tidy tidy, struct strbuf *out);

/*
 * A name that is not to be understood, only to be one name in a line of folded
 * text, and without these characters (NULL: with all of them): in *out.
 */
struct span name_plain(struct span name, const char *leave_out, struct strbuf *out);

/* `Lorg/foo/Bar` → `org/foo/Bar` */
struct span name_java(struct span name);

#endif

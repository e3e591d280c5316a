/*
 * Names are untrusted bytes.  Escape sequences, bidirectional controls and invisible characters
 * could control the terminal, or make a name look like another: they are shown as escapes.
 * web/legible.js has the same.
 */
#ifndef WICK_BASE_LEGIBLE_H
#define WICK_BASE_LEGIBLE_H

#include "base/span.h"
#include "base/strbuf.h"

/* The size of the first character of s, which is valid UTF-8, if it must be escaped; else 0. */
size_t legible_hidden(struct span s);

/* Appends any bytes; hidden characters become escapes such as \x1b or \u202e. */
void legible_add(struct strbuf *out, struct span s);

/* The replacement of a character in ASCII: `~` for `…`, `#` for a block, `?` for most. */
struct span legible_ascii(struct span character);

/* Appends text with all characters replaced by ASCII. */
void legible_add_ascii(struct strbuf *out, struct span text);

#endif

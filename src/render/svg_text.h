/* Writes text into XML: whatever the bytes are, they are never read as markup. */
#ifndef WICK_RENDER_SVG_TEXT_H
#define WICK_RENDER_SVG_TEXT_H

#include "base/output.h"
#include "base/span.h"

/* Escapes the characters that mean something in XML, and replaces those that XML does not allow. */
void svg_text(struct output *out, struct span s);

/* The same in ASCII: a browser parses and keeps such a page with half the work. */
void svg_text_ascii(struct output *out, struct span s);

/* About how many bytes they write; not more, where the text is valid and legible. */
size_t svg_text_size(struct span s);

/* The same inside of a comment, where two dashes would end it. */
void svg_comment(struct output *out, struct span s);

/* Formatted markup of less than 512 bytes; nothing in it is escaped. */
void svg_printf(struct output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

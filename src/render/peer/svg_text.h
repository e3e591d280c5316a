/* Writes text into XML so that no bytes can be taken for markup. */
#ifndef WICK_RENDER_PEER_SVG_TEXT_H
#define WICK_RENDER_PEER_SVG_TEXT_H

#include "base/fixed.h"
#include "base/output.h"
#include "base/span.h"

/* Escapes the characters with a meaning in XML, and replaces those that XML does not allow. */
void svg_text(struct output *out, struct span s);

/* The same in ASCII: browsers parse and store an ASCII page with half the work. */
void svg_text_ascii(struct output *out, struct span s);

/* About how many bytes these two write; not more, if the text is valid and printable. */
size_t svg_text_size(struct span s);

/* The same inside of a comment, where two dashes would end it. */
void svg_comment(struct output *out, struct span s);

/* A number with that many decimals, after some markup. */
static inline void svg_number(struct output *out, struct span markup, double n, int digits)
{
	output_add(out, markup);
	out->used += fixed_text(output_room(out, FIXED_SIZE), n, digits);
}

/* Formatted markup of less than 512 bytes; nothing in it is escaped. */
void svg_printf(struct output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

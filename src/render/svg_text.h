/* Text inside markup: whatever the bytes are, they stay text. */
#ifndef WICK_RENDER_SVG_TEXT_H
#define WICK_RENDER_SVG_TEXT_H

#include "base/output.h"
#include "base/span.h"

/* Characters that mean something in XML are escaped, those that may not be in it are replaced. */
void svg_text(struct output *out, struct span s);

/* The same in ASCII alone: a browser keeps and reads a page of one-byte characters with half the work. */
void svg_text_ascii(struct output *out, struct span s);

/* At least as many bytes as either is then. */
size_t svg_text_size(struct span s);

/* Inside a comment, where two dashes would end it. */
void svg_comment(struct output *out, struct span s);

void svg_printf(struct output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

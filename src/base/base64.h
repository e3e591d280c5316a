/* Base64: bytes as text that SVG and HTML can carry. */
#ifndef WICK_BASE_BASE64_H
#define WICK_BASE_BASE64_H

#include "base/output.h"
#include "base/span.h"
#include "base/strbuf.h"

/* The standard alphabet, padded, in one line. */
void base64_write(struct output *out, struct span bytes);
void base64_add(struct strbuf *out, struct span bytes);

/* Appends the decoded bytes; blanks in the text are ignored.  -1: not base64. */
int base64_parse(struct strbuf *out, struct span text);

#endif

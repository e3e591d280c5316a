/* The section of the notes. */
#ifndef WICK_PACK_NOTE_ROWS_H
#define WICK_PACK_NOTE_ROWS_H

#include "base/bytes.h"
#include "base/error.h"
#include "profile/notes.h"

void note_rows_write(const struct notes *n, struct strbuf *out);
int note_rows_read(struct notes *notes, struct bytes *b, struct error *e);

#endif

/*
 * The sections that only the page reads: the displayed names of frames and threads (words), so that
 * the page need not implement spellings, and the colors that a palette assigned to them.
 */
#ifndef WICK_PACK_WORD_ROWS_H
#define WICK_PACK_WORD_ROWS_H

#include "pack/order.h"
#include "pack/pack_write.h"
#include "pack/section.h"

void word_rows_write(const struct profile *p, const struct orders *o, const struct pack_view *view,
		     struct strbuf *out);

/* One color for each word, in the same order; view->color must be set. */
void word_rows_write_colors(const struct profile *p, const struct orders *o,
			    const struct pack_view *view, struct section *section);

#endif

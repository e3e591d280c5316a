/*
 * The sections that only a page needs: the words under which frames and threads are shown,
 * so that it need not know how they are spelled, and the colors that a palette gave them.
 */
#ifndef WICK_PACK_WORD_ROWS_H
#define WICK_PACK_WORD_ROWS_H

#include "pack/order.h"
#include "pack/pack_write.h"

void word_rows_write(const struct profile *p, const struct orders *o, const struct pack_view *view,
		     struct strbuf *out);

/* In the same order; the view must have colors. */
void word_rows_write_colors(const struct profile *p, const struct orders *o,
			    const struct pack_view *view, struct strbuf *out);

#endif

/* The section of the series. */
#ifndef WICK_PACK_SERIES_ROWS_H
#define WICK_PACK_SERIES_ROWS_H

#include "base/bytes.h"
#include "base/error.h"
#include "pack/order.h"

void series_rows_write(const struct profile *p, const struct orders *o, struct strbuf *out);
int series_rows_read(struct profile *p, struct bytes *b, struct error *e);

#endif

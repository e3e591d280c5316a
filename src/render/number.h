/* Formatted numbers: `1,234 samples`, `1.25 s`, `12.3 %`.  web/format.js writes the same. */
#ifndef WICK_RENDER_NUMBER_H
#define WICK_RENDER_NUMBER_H

#include "base/span.h"
#include "base/strbuf.h"

/* A count with all digits; a measure (ns, us, ms, bytes) with about three, in a fitting unit. */
void number_add_count(struct strbuf *out, double count, struct span unit);

/* Is this a unit of measurements? */
bool number_is_measured(struct span unit);

/* A share from 0 to 1, as a percentage; a value above 0 is never shown as `0 %`. */
void number_add_share(struct strbuf *out, double share);

/* The difference of two shares in percentage points: `+2.1`, and `+2.1 pt`. */
void number_add_points(struct strbuf *out, double change);
void number_add_change(struct strbuf *out, double change);

#endif

/* Numbers as people read them, as web/format.js writes them too: `1 234 samples`, `1.25 s`, `12.3 %`. */
#ifndef WICK_RENDER_NUMBER_H
#define WICK_RENDER_NUMBER_H

#include "base/span.h"
#include "base/strbuf.h"

/* Of what is counted, every digit; of what is measured (ns, us, ms, bytes), three and the unit that fits. */
void number_add_count(struct strbuf *out, double count, struct span unit);

/* Is it written with a unit that fits, or with the one it has? */
bool number_is_measured(struct span unit);

/* A share from 0 to 1; what is there is never 0 %. */
void number_add_share(struct strbuf *out, double share);

/* The difference of two shares, with its sign: `+2.1`, and `+2.1 pt`. */
void number_add_points(struct strbuf *out, double change);
void number_add_change(struct strbuf *out, double change);

#endif

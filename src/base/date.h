/* Points in time as people read them, in the time of this place. */
#ifndef WICK_BASE_DATE_H
#define WICK_BASE_DATE_H

#include "base/strbuf.h"

#include <time.h>

/* "2026-11-15 15:04:05 +0100"; nothing for what is no year of ours. */
void date_add(struct strbuf *out, time_t when);

#endif

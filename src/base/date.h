/* Dates in local time. */
#ifndef WICK_BASE_DATE_H
#define WICK_BASE_DATE_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <time.h>

/* Appends "2026-11-15 15:04:05 +0100"; nothing if the year is out of range. */
void date_add(struct strbuf *out, time_t when);

/* Reads what date_add() wrote; text after it is ignored. */
bool date_parse(struct span s, time_t *when);

#endif

/* Which code belongs to an entry of DWARF. */
#ifndef WICK_IMAGE_ENTRY_RANGES_H
#define WICK_IMAGE_ENTRY_RANGES_H

#include "image/entries.h"

/* False: that was enough. */
typedef bool range_sink(void *arg, uint64_t begin, uint64_t end);

/* Gives all of its ranges to the sink; false when they make no sense. */
bool entry_ranges(const struct unit_view *v, const struct entry *e, range_sink *sink, void *arg);

#endif

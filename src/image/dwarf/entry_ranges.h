/* The address ranges of a debugging entry. */
#ifndef WICK_IMAGE_DWARF_ENTRY_RANGES_H
#define WICK_IMAGE_DWARF_ENTRY_RANGES_H

#include "image/dwarf/entries.h"

/* Returns false to stop. */
typedef bool range_sink(void *arg, uint64_t begin, uint64_t end);

/* Passes all ranges of the entry (low_pc and high_pc, or ranges) to the sink; false: malformed. */
bool entry_ranges(const struct unit_view *v, const struct entry *e, range_sink *sink, void *arg);

#endif

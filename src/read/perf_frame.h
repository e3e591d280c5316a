/* The stack lines of `perf script`: `  7f1234 main+0x12 (/usr/bin/a)`. */
#ifndef WICK_READ_PERF_FRAME_H
#define WICK_READ_PERF_FRAME_H

#include "base/span.h"
#include "profile/profile.h"

#include <stdbool.h>
#include <stdint.h>

struct perf_frame {
	uint64_t address;
	struct span symbol; /* with its offset */
	struct span dso;    /* without its parentheses; empty: not told */
};

/* False when the line does not begin with an address. */
bool perf_frame_parse(struct span line, struct perf_frame *f);

/*
 * Cuts " (dso)" off the end.  The parentheses are matched from the end, since
 * a path may hold blanks and parentheses of its own: (/opt/My App (x86)/a b.so).
 */
bool perf_frame_cut_dso(struct span *s, struct span *dso);

enum frame_kind perf_frame_kind(struct span dso);

#endif

/*
 * tracefs, where the kernel describes its tracepoints and accepts probes.
 *
 * On many machines it is not mounted.  A user who may mount it needs no mount: a file system that
 * is attached nowhere can be read through its descriptor, and disappears when that is closed.
 */
#ifndef WICK_RECORD_PERF_EVENTS_TRACEFS_H
#define WICK_RECORD_PERF_EVENTS_TRACEFS_H

#include "base/error.h"

/*
 * A descriptor of its root directory, for openat() and the like; the caller closes it.  -1 if it is
 * not readable, with an error and a hint.
 */
int tracefs_open(struct error *e);

#endif

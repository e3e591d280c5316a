/*
 * Debug files from servers that keep them by build-id, through elfutils' client.
 * That library is loaded when it is needed, for it brings a whole web client along.
 */
#ifndef WICK_SYMBOL_DEBUGINFOD_H
#define WICK_SYMBOL_DEBUGINFOD_H

#include "base/span.h"

#include <stdbool.h>
#include <stdint.h>

struct fetcher;

/* Called now and then while a file comes in; size 0: not known yet. */
typedef void fetch_watcher(void *arg, struct span file, uint64_t position, uint64_t size);

/* NULL when the library is not installed.  It finds the servers by itself ($DEBUGINFOD_URLS). */
struct fetcher *fetcher_new(fetch_watcher *watcher, void *arg);
void fetcher_free(struct fetcher *f);

/*
 * Brings the debug file of a build-id (in hex) here and tells its path, which is yours to
 * free; NULL when no server has it.  Threads take turns.
 */
char *fetcher_fetch(void *fetcher, const char *build_id, struct span file);

/* Whether it was asked and nobody answered: then nobody is asked again. */
bool fetcher_is_silent(const struct fetcher *f);

#endif

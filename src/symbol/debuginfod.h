/*
 * Downloads debug files by build ID from debuginfod servers, with the client library of elfutils.
 * It is loaded only when needed, as it depends on libcurl and much else.
 */
#ifndef WICK_SYMBOL_DEBUGINFOD_H
#define WICK_SYMBOL_DEBUGINFOD_H

#include "base/span.h"

#include <stdbool.h>
#include <stdint.h>

struct fetcher;

/* Called repeatedly during a download; size 0: unknown yet. */
typedef void fetch_watcher(void *arg, struct span file, uint64_t position, uint64_t size);

/* NULL when the library is not installed.  Servers are those of $DEBUGINFOD_URLS. */
struct fetcher *fetcher_new(fetch_watcher *watcher, void *arg);
void fetcher_free(struct fetcher *f);

/*
 * Downloads the debug file with a build ID (in hex), or finds it in the library's cache, and
 * returns its path, which the caller frees; NULL if no server has it.  `file` is for the watcher.
 * Any thread may call it; one download runs at a time.
 */
char *fetcher_fetch(void *fetcher, const char *build_id, struct span file);

/* Did a request fail without an answer?  Then no further requests are made. */
bool fetcher_is_silent(const struct fetcher *f);

#endif

/* Packages and debuginfod servers of the distribution, read from its files; no program is run. */
#ifndef WICK_SYMBOL_PACKAGES_H
#define WICK_SYMBOL_PACKAGES_H

#include "base/strbuf.h"

enum { PACKAGE_FILES_MAX = 8 };

/*
 * The Debian packages that installed these files, from dpkg's lists below root ("": /).  Appends to
 * package[i]; nothing if no package has path[i].
 */
void packages_find(const char *root, const struct span *path, size_t nr, struct strbuf *package);

/* Appends the URL of the distribution's debuginfod server; false if none is known. */
bool packages_server(const char *root, struct strbuf *url);

/*
 * Appends the line of apt's sources that adds the archive of debug packages (*-dbgsym); nothing if
 * they have it, or none is known.
 */
void packages_debug_archive(const char *root, struct strbuf *line);

#endif

/* Packages and debuginfod servers of the distribution, read from its files; nothing is run. */
#ifndef WICK_SYMBOL_PACKAGES_H
#define WICK_SYMBOL_PACKAGES_H

#include "base/strbuf.h"

enum { PACKAGE_FILES_MAX = 8 };

/*
 * The Debian packages that installed these files, from dpkg's lists below root ("": /).  Appends to
 * package[i]; nothing if no package has path[i].
 */
void packages_find(const char *root, const struct span *path, size_t nr, struct strbuf *package);

/* Appends the URL of the distribution's debuginfod server; false when none is known. */
bool packages_server(const char *root, struct strbuf *url);

#endif

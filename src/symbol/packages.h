/* What the distribution knows of its files: read from where it keeps that, nobody is asked. */
#ifndef WICK_SYMBOL_PACKAGES_H
#define WICK_SYMBOL_PACKAGES_H

#include "base/strbuf.h"

enum { PACKAGE_FILES_MAX = 8 };

/*
 * The packages of Debian's kind that these files came in, below that root ("": ours);
 * a name stays empty where no package has the file.
 */
void packages_find(const char *root, const struct span *path, size_t nr, struct strbuf *package);

/* The server that has the distribution's debug files; false when none is known. */
bool packages_server(const char *root, struct strbuf *url);

#endif

/* The file of a program on a command line. */
#ifndef WICK_RECORD_LAUNCH_EXECUTABLE_H
#define WICK_RECORD_LAUNCH_EXECUTABLE_H

#include "base/strbuf.h"

/* Searches PATH like a shell; false, and the name unchanged, if there is no readable file. */
bool executable_find(struct strbuf *path, const char *name);

#endif

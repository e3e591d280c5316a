/* The file of a program on a command line. */
#ifndef WICK_RECORD_LAUNCH_EXECUTABLE_H
#define WICK_RECORD_LAUNCH_EXECUTABLE_H

#include "base/strbuf.h"

/* As a shell finds it; false, and the name unchanged, if there is no readable one. */
bool executable_find(struct strbuf *path, const char *name);

#endif

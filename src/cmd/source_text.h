/* The text of a file that debug info speaks of, by lines. */
#ifndef WICK_CMD_SOURCE_TEXT_H
#define WICK_CMD_SOURCE_TEXT_H

#include "base/span.h"

#include <time.h>

enum { SOURCE_TEXT_MAX = 64 * 1024 * 1024 }; /* larger files are not looked at */

struct source_text {
	char *bytes;
	struct span *line; /* line[0] is the first */
	size_t nr, cap;
	time_t changed;
};

/*
 * Reads the file of that path, or what is called so below a folder, which may lack any of the
 * path's first parts (NULL: none).  False when there is none.
 */
bool source_text_open(struct source_text *s, struct span path, const char *folder);
void source_text_release(struct source_text *s);

/* A line by its number, which begins with 1; empty when there is none. */
struct span source_text_line(const struct source_text *s, uint32_t number);

#endif

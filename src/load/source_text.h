/* A source file that debug info refers to, by lines. */
#ifndef WICK_LOAD_SOURCE_TEXT_H
#define WICK_LOAD_SOURCE_TEXT_H

#include "base/span.h"

#include <time.h>

enum { SOURCE_TEXT_MAX = 64 * 1024 * 1024 }; /* larger files are not read */

struct source_text {
	char *bytes;
	struct span *line; /* line[0] is line 1; they point into bytes */
	size_t nr, cap;
	time_t changed; /* when the file was last changed */
};

/*
 * Reads the file.  With a folder, reads the longest suffix of the path that exists below it instead: for
 * sources that have moved.  False: there is none.
 */
bool source_text_open(struct source_text *s, struct span path, const char *folder);
void source_text_release(struct source_text *s);

/* A line by its number, from 1; empty if there is none. */
struct span source_text_line(const struct source_text *s, uint32_t number);

#endif

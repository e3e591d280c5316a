/* Files that wick writes, told by how their names end: one table for all commands. */
#ifndef WICK_CMD_FORMATS_H
#define WICK_CMD_FORMATS_H

#include <stdbool.h>

enum format {
	FORMAT_SVG,
	FORMAT_HTML,
	FORMAT_WICK,
	FORMAT_FOLDED,
	FORMAT_DATA, /* perf.data */
};

/* False when nothing, or nothing known, is behind the last dot. */
bool format_find(const char *path, enum format *format);

#endif

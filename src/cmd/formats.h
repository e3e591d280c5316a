/* The formats that wick writes, by the endings of file names: one table for all commands. */
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

/* False if the name has no ending, or an unknown one. */
bool format_find(const char *path, enum format *format);

#endif

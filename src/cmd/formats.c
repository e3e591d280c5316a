#include "cmd/formats.h"

#include "base/alloc.h"

#include <string.h>

static const struct {
	const char *ending;
	enum format format;
} endings[] = {
	{ ".svg", FORMAT_SVG },	      { ".html", FORMAT_HTML },	 { ".wick", FORMAT_WICK },
	{ ".folded", FORMAT_FOLDED }, { ".txt", FORMAT_FOLDED }, { ".data", FORMAT_DATA },
};

bool format_find(const char *path, enum format *format)
{
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < ARRAY_SIZE(endings); i++)
		if (!strcmp(dot, endings[i].ending)) {
			*format = endings[i].format;
			return true;
		}
	return false;
}

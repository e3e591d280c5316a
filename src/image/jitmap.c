/*
 * The list that JIT compilers write for perf, a function a line:
 *
 *     7f12a0 3c js::f(int) [opt]
 */
#include "base/strbuf.h"
#include "image/kinds.h"

#include <stdlib.h>

enum { JITMAP_MAX = 1024 * 1024 * 1024 };

enum image_state jitmap_image(struct image *m, struct span path)
{
	struct strbuf name = { 0 };
	struct span all;
	size_t size;
	char *bytes;

	strbuf_add(&name, path);
	bytes = read_whole(name.at, JITMAP_MAX, &size);
	strbuf_release(&name);
	if (!bytes)
		return IMAGE_NO_JIT_MAP;
	all = (struct span){ bytes, size };
	while (all.size) {
		struct span line = span_line(&all);
		struct span begin = span_word(&line), length = span_word(&line);
		struct symbol s = { 0 };
		uint64_t n;

		line = span_trim(line);
		if (!span_hex(begin, &s.begin) || !span_hex(length, &n) || !line.size)
			continue;
		s.end = n <= UINT64_MAX - s.begin ? s.begin + n : UINT64_MAX;
		symtab_add_copy(&m->symbols, &s, line);
	}
	free(bytes);
	/* Memory is used again: who wrote last is there now. */
	symtab_finish(&m->symbols, EQUAL_LAST);
	return IMAGE_OPEN;
}

/*
 * /tmp/perf-PID.map, which JIT compilers write for perf: a line with address, size and name for
 * each function.
 *
 *     7f12a0 3c js::f(int) [opt]
 *     0x00007f12e0 0x000000000000003c int Fib.fib(int)        Java
 */
#include "base/strbuf.h"
#include "base/whole_file.h"
#include "image/image_internal.h"

#include <stdlib.h>

enum { JITMAP_MAX = 1024 * 1024 * 1024 };

/* The PID in the name of a map; 0: none. */
static uint32_t pid_of(struct span path)
{
	struct span rest = span_from(path, span_rfind(path, '-') + 1);
	uint64_t pid;

	return span_u64(span_digits(rest), &pid) && pid <= INT32_MAX ? (uint32_t)pid : 0;
}

/* A process in a container writes the map there, with its PID in the container. */
static char *read_list(struct span path, const struct image_opts *o, size_t *size)
{
	char *kept = o->kept ? o->kept(o->kept_arg, path, SPAN("")) : NULL;
	char *bytes = kept ? whole_file(kept, JITMAP_MAX, size) : NULL;
	uint32_t pid = pid_of(path), own_pid;
	struct strbuf name = { 0 };

	free(kept);
	if (bytes)
		return bytes;
	if (pid && root_is_apart(pid, &own_pid)) {
		strbuf_addf(&name, "/tmp/perf-%u.map", own_pid);
		bytes = whole_file_of(root_open(pid, strbuf_peek(&name)), JITMAP_MAX, size);
		strbuf_reset(&name);
	}
	strbuf_add(&name, path);
	if (!bytes)
		bytes = whole_file(name.at, JITMAP_MAX, size);
	strbuf_release(&name);
	return bytes;
}

static bool parse_number(struct span s, uint64_t *value)
{
	return span_hex(span_starts(s, "0x") ? span_from(s, strlen("0x")) : s, value);
}

enum image_state jitmap_image(struct image *m, struct span path, const struct image_opts *o)
{
	struct span all;
	size_t size;
	char *bytes = read_list(path, o, &size);

	if (!bytes)
		return IMAGE_NO_JIT_MAP;
	all = (struct span){ bytes, size };
	while (all.size) {
		struct span line = span_line(&all);
		struct span begin = span_word(&line), length = span_word(&line);
		struct symbol s = { 0 };
		uint64_t n;

		line = span_trim(line);
		if (!parse_number(begin, &s.begin) || !parse_number(length, &n) || !line.size)
			continue;
		s.end = n <= UINT64_MAX - s.begin ? s.begin + n : UINT64_MAX;
		symtab_add_copy(&m->symbols, &s, line);
	}
	free(bytes);
	/* JIT compilers reuse memory: the last function at an address is there now. */
	symtab_finish(&m->symbols, EQUAL_LAST);
	return IMAGE_OPEN;
}

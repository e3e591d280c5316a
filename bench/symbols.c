/*
 * Names and lines for many addresses, spelled as `addr2line -a -i -f` does: what it
 * costs, and whether it is right.
 *
 * usage: symbols FILE [DISTANCE]    addresses, in hex, come on standard input; the
 *                                   DISTANCE is from a place in the file to its address
 */
#include "image/image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_lines(struct image *m, uint64_t offset)
{
	struct source_line line[INLINED_MAX];
	size_t nr = image_lines(m, offset, line);

	if (!nr)
		puts("??\n??:0");
	for (size_t i = 0; i < nr; i++)
		printf("%s\n%s:%" PRIu32 "\n", line[i].function ? line[i].function : "??",
		       line[i].file ? line[i].file : "??", line[i].line);
}

int main(int argc, char **argv)
{
	static const char *const dirs[] = { "/usr/lib/debug", NULL };
	struct image_opts o = { .lines = true, .debug_dir = dirs };
	uint64_t distance = argc > 2 ? strtoull(argv[2], NULL, 16) : 0, address;
	enum image_state state;
	struct image *m;

	if (argc < 2) {
		fputs("usage: symbols FILE [DISTANCE]\n", stderr);
		return 2;
	}
	m = image_open(span_of(argv[1]), SPAN(""), &o, &state);
	if (!m) {
		fprintf(stderr, "symbols: %s: cannot be read\n", argv[1]);
		return 1;
	}
	while (scanf("%" SCNx64, &address) == 1) {
		printf("0x%016" PRIx64 "\n", address);
		print_lines(m, address - distance);
	}
	if (image_damage(m))
		fprintf(stderr, "symbols: %zu pieces of DWARF make no sense\n", image_damage(m));
	image_close(m);
	return 0;
}

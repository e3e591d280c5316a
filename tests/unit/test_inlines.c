/* Inlined calls and lines of the source: this program's own. */
#include "image/image.h"

#include "tap.h"

#include <stdio.h>
#include <stdlib.h>

/* Where the call returns to, so that the place before it is in what this was inlined into. */
__attribute__((noinline)) static uintptr_t here(void)
{
	return (uintptr_t)__builtin_return_address(0);
}

static inline __attribute__((always_inline)) uintptr_t inner(unsigned *line)
{
	uintptr_t place = here();

	*line = __LINE__ - 2;
	return place;
}

static inline __attribute__((always_inline)) uintptr_t middle(unsigned line[2])
{
	uintptr_t place = inner(&line[0]);

	line[1] = __LINE__ - 2;
	return place + (line[0] == 0);
}

__attribute__((noinline)) static uintptr_t outer(unsigned line[3])
{
	uintptr_t place = middle(line);

	line[2] = __LINE__ - 2;
	return place;
}

/* The place in the file of an address in this process. */
static uint64_t offset_of(uintptr_t address)
{
	FILE *f = fopen("/proc/self/maps", "re");
	uint64_t begin, end, offset, found = 0;
	char line[4096];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &begin, &end, &offset) ==
			    3 &&
		    begin <= address && address < end)
			found = address - begin + offset;
	if (f)
		fclose(f);
	return found;
}

static struct image *open_self(const struct image_opts *o)
{
	enum image_state state;

	return image_open(SPAN("/proc/self/exe"), SPAN(""), o, &state);
}

static bool ends_with(const char *s, const char *end)
{
	return s && strlen(s) >= strlen(end) && !strcmp(s + strlen(s) - strlen(end), end);
}

static void test_chain(void)
{
	static const char *const names[] = { "inner", "middle", "outer" };
	struct source_line line[INLINED_MAX];
	unsigned number[3] = { 0 };
	uint64_t offset = offset_of(outer(number)) - 1;
	struct image *m = open_self(&(struct image_opts){ .lines = true });

	if (!ok(m && image_lines(m, offset, line) == 3, "a call in a call in a function")) {
		image_close(m);
		return;
	}
	for (size_t i = 0; i < 3; i++) {
		is_str(line[i].function, names[i], names[i]);
		is_int(line[i].line, number[i], "… and the line of its call");
		ok(ends_with(line[i].file, "/tests/unit/test_inlines.c"), "… in this file");
	}
	is_int(image_trouble(m).damaged, 0, "everything made sense");
	ok(!image_lines(m, UINT64_MAX, line) && !image_lines(m, 0, line),
	   "where no code is, there is no name");
	image_close(m);
}

static void test_not_wanted(void)
{
	struct source_line line[INLINED_MAX];
	unsigned number[3] = { 0 };
	uint64_t offset = offset_of(outer(number)) - 1;
	struct image *m = open_self(&(struct image_opts){ .lines = false });

	if (ok(m && image_lines(m, offset, line) == 1, "a symbol, when that is all we want")) {
		is_str(line[0].function, "outer", "it is the function's");
		ok(!line[0].file && !line[0].line, "a symbol has no line");
	}
	image_close(m);
}

int main(void)
{
	test_chain();
	test_not_wanted();
	return done();
}

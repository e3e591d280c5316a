#include "image/dwarf/section_store.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdlib.h>

static bool takes(struct section_store *s, const char *build_id, size_t section, size_t size)
{
	char *bytes = section_store_take(s, span_of(build_id), section, size);
	bool found = bytes != NULL;

	free(bytes);
	return found;
}

int main(void)
{
	struct section_store *s = section_store_new();
	char *bytes = xstrdup("abc"), *taken;

	ok(!takes(s, "12", 1, 3), "an empty store has nothing");
	section_store_add(s, SPAN("12"), 1, bytes, 3);
	ok(!takes(s, "13", 1, 3), "a section of another file is not found");
	ok(!takes(s, "12", 2, 3), "another section of the file is not found");
	ok(!takes(s, "12", 1, 4), "a section of another size is not found");
	taken = section_store_take(s, SPAN("12"), 1, 3);
	ok(taken == bytes, "a section is taken as it was added");
	ok(!takes(s, "12", 1, 3), "a section is taken once");
	section_store_add(s, SPAN("12"), 1, taken, 3);
	section_store_add(s, SPAN("12"), 1, xstrdup("def"), 3);
	taken = section_store_take(s, SPAN("12"), 1, 3);
	ok(taken == bytes && !takes(s, "12", 1, 3), "the first of two equal sections is kept");
	free(taken);
	section_store_add(s, SPAN("12"), 1, xmalloc(1), SIZE_MAX / 2);
	ok(!takes(s, "12", 1, SIZE_MAX / 2), "a section that is too large is not kept");
	section_store_add(s, SPAN("12"), 3, xstrdup("left"), 4);
	section_store_close(s);
	section_store_add(s, SPAN("12"), 1, xstrdup("abc"), 3);
	ok(!takes(s, "12", 1, 3), "a closed store adds no sections");
	ok(takes(s, "12", 3, 4), "a closed store keeps the sections that it had");
	section_store_free(s);
	section_store_free(NULL);
	return done();
}

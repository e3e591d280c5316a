/* Inlined calls and lines of the source: this program's own. */
#include "image/dwarf/section_store.h"
#include "image/image.h"
#include "image/image_internal.h"

#include "tap.h"

#include <gelf.h>
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

	if (!ok(m && image_lines(m, offset, line) == 3,
		"image_lines returns a function and two calls inlined into it")) {
		image_close(m);
		return;
	}
	for (size_t i = 0; i < 3; i++) {
		is_str(line[i].function, names[i], names[i]);
		is_int(line[i].line, number[i], "an inlined call has its line number");
		ok(ends_with(line[i].file, "/tests/unit/test_inlines.c"),
		   "an inlined call has its source file");
	}
	is_int(image_trouble(m).damaged, 0,
	       "image_lines finds no damaged debug information in this program");
	ok(!image_lines(m, UINT64_MAX, line) && !image_lines(m, 0, line),
	   "image_lines returns nothing for an offset without code");
	image_close(m);
}

static void test_not_wanted(void)
{
	struct source_line line[INLINED_MAX];
	unsigned number[3] = { 0 };
	uint64_t offset = offset_of(outer(number)) - 1;
	struct image *m = open_self(&(struct image_opts){ .lines = false });

	if (ok(m && image_lines(m, offset, line) == 1,
	       "image_lines without lines returns the symbol alone")) {
		is_str(line[0].function, "outer",
		       "the symbol of inlined code is the function that it is inlined into");
		ok(!line[0].file && !line[0].line, "a symbol has no line");
	}
	image_close(m);
}

/* Takes the compressed sections of this program out of a store; returns how many there were. */
static size_t take_sections(struct section_store *store)
{
	struct elf_file f;
	char hex[BUILD_ID_HEX_MAX];
	Elf_Scn *section = NULL;
	size_t nr = 0;

	if (!elf_open("/proc/self/exe", &f))
		return 0;
	while ((section = elf_nextscn(f.elf, section))) {
		GElf_Chdr packed;
		char *bytes;

		if (!gelf_getchdr(section, &packed))
			continue;
		bytes = section_store_take(store, elf_build_id(f.elf, hex), elf_ndxscn(section),
					   (size_t)packed.ch_size);
		nr += bytes != NULL;
		free(bytes);
	}
	elf_close(&f);
	return nr;
}

static void test_store(void)
{
	struct section_store *store = section_store_new();
	struct image_opts o = { .lines = true, .store = store };
	struct source_line line[INLINED_MAX];
	unsigned number[3] = { 0 };
	uint64_t offset = offset_of(outer(number)) - 1;
	struct image *m;

	image_close(open_self(&o));
	m = open_self(&o);
	ok(m && image_lines(m, offset, line) == 3, "a second image takes sections from the store");
	is_int(take_sections(store), 0, "the store has no sections while an image uses them");
	image_close(m);
	ok(take_sections(store) > 2, "closing an image leaves its sections in the store");
	section_store_close(store);
	image_close(open_self(&o));
	is_int(take_sections(store), 0, "closing an image leaves no sections in a closed store");
	section_store_free(store);
}

int main(void)
{
	test_chain();
	test_store();
	test_not_wanted();
	return done();
}

/* The table of functions that Go's runtime has, in the versions there are. */
#include "image/image_internal.h"

#include "perf_bytes.h"
#include "tap.h"

#include <stdlib.h>

enum { TEXT = 0x401000 };

/* Two functions of 16 and 32 bytes; in the first version all addresses are whole words. */
static void put_table(struct perf_bytes *p, uint32_t magic, size_t word, uint64_t text)
{
	bool old = magic == 0xfffffffb, relative = magic == 0xfffffff0 || magic == 0xfffffff1;
	size_t field = relative ? 4 : word, header = 8 + (old ? 1 : relative ? 8 : 7) * word;
	size_t row = 2 * field, functions = old ? 0 : header;
	size_t first = header - functions + 2 * row + field,
	       names = functions + first + 2 * (field + 4);

	put_u32(p, magic);
	put_u16(p, 0);
	put(p, 1, 1);
	put(p, word, 1);
	put(p, 2, word);
	if (!old)
		put(p, 0, word);
	if (relative)
		put(p, text, word);
	if (!old) {
		put(p, names, word);
		put(p, 0, word);
		put(p, 0, word);
		put(p, 0, word);
		put(p, functions, word);
	}
	for (size_t i = 0; i < 2; i++) {
		put(p, (relative ? 0 : TEXT) + i * 16, field);
		put(p, first + i * (field + 4), field);
	}
	put(p, (relative ? 0 : TEXT) + 48, field);
	for (size_t i = 0; i < 2; i++) {
		put(p, 0, field);
		put_u32(p, (uint32_t)((old ? names : 0) + i * 10));
	}
	strbuf_add(&p->b, (struct span){ "main.main\0main.(*T).f", 22 });
}

/* A go_function. */
static void add(void *arg, const struct symbol *s, struct span name)
{
	symtab_add_copy(arg, s, name);
}

static const char *name_at(const struct symtab *t, uint64_t address)
{
	const struct symbol *s = symtab_find(t, address);

	return s ? s->name : "none";
}

static void test_version(uint32_t magic, size_t word, enum byte_order order, uint64_t text,
			 const char *what)
{
	struct perf_bytes p = { .order = order };
	struct symtab t = { 0 };

	put_table(&p, magic, word, text);
	gopclntab_parse(strbuf_peek(&p.b), order, TEXT, add, &t);
	symtab_finish(&t, EQUAL_BEST);
	is_int(t.nr, 2, what);
	is_str(name_at(&t, TEXT), "main.main", "gopclntab_parse names the first function");
	is_str(name_at(&t, TEXT + 16), "main.(*T).f", "gopclntab_parse names the second function");
	is_str(name_at(&t, TEXT + 48), "none",
	       "no function is behind the end of the last one in a Go table");
	symtab_release(&t);
	/* Wherever it ends, nothing behind it is looked at. */
	for (size_t size = 0; size < p.b.size; size++) {
		char *cut = memcpy(malloc(size + !size), p.b.at, size);
		struct symtab some = { 0 };

		gopclntab_parse((struct span){ cut, size }, order, TEXT, add, &some);
		if (some.nr > 2)
			ok(false,
			   "gopclntab_parse finds no more functions in a truncated table than in a whole one");
		symtab_release(&some);
		free(cut);
	}
	strbuf_release(&p.b);
}

int main(void)
{
	test_version(0xfffffffb, 8, ORDER_LITTLE, 0, "gopclntab_parse reads the table of Go 1.2");
	test_version(0xfffffffb, 4, ORDER_BIG, 0,
		     "gopclntab_parse reads a 32-bit big-endian table of Go 1.2");
	test_version(0xfffffffa, 8, ORDER_LITTLE, 0, "gopclntab_parse reads the table of Go 1.16");
	test_version(0xfffffff0, 8, ORDER_LITTLE, TEXT,
		     "gopclntab_parse reads the table of Go 1.18");
	test_version(0xfffffff1, 8, ORDER_LITTLE, TEXT,
		     "gopclntab_parse reads the table of Go 1.20");
	test_version(0xfffffff1, 8, ORDER_BIG, 0,
		     "gopclntab_parse reads a big-endian table of Go 1.20 without a text address");
	return done();
}

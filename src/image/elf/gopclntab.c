/*
 * The functions of a Go program from .gopclntab, which Go's runtime needs for stack traces:
 * stripped programs have it, too.  After a header, a row for each function has its address and the
 * offset of a struct, which begins with the address again and the offset of the function's name.
 */
#include "base/fields.h"
#include "image/image_internal.h"

#include <gelf.h>

/* The magic number, by the version of Go that introduced it. */
enum {
	GO_1_2 = 0xfffffffb,
	GO_1_16 = 0xfffffffa,
	GO_1_18 = 0xfffffff0,
	GO_1_20 = 0xfffffff1,
};

struct table {
	struct span bytes;
	enum byte_order order;
	size_t word;	       /* bytes of an address */
	size_t entry_size;     /* bytes of a field of a row, and of an address in a struct */
	uint64_t nr;	       /* of functions */
	uint64_t text;	       /* addresses are relative to this */
	struct span functions; /* structs, by offset; since Go 1.16, it begins with the rows */
	struct span names;
};

static uint64_t take_word(struct fields *f, size_t size)
{
	return size == 8 ? fields_u64(f) : fields_u32(f);
}

/* The table from an offset on; empty if the offset is outside. */
static struct span piece(const struct table *t, uint64_t offset)
{
	return offset < t->bytes.size ? span_from(t->bytes, (size_t)offset) : SPAN("");
}

static void parse_1_2(struct table *t, struct fields *f)
{
	t->nr = take_word(f, t->word);
	t->entry_size = t->word;
	/* All offsets are relative to the header, and rows follow it. */
	t->names = t->bytes;
	t->functions = t->bytes;
}

static void parse_1_16(struct table *t, struct fields *f)
{
	t->nr = take_word(f, t->word);
	take_word(f, t->word); /* files */
	t->names = piece(t, take_word(f, t->word));
	for (int skipped = 0; skipped < 3; skipped++)
		take_word(f, t->word);
	t->functions = piece(t, take_word(f, t->word));
	t->entry_size = t->word;
}

static void parse_1_18(struct table *t, struct fields *f, uint64_t text)
{
	t->nr = take_word(f, t->word);
	take_word(f, t->word); /* files */
	t->text = take_word(f, t->word);
	/* In a position-independent program, the field is 0 until relocation. */
	if (!t->text)
		t->text = text;
	t->names = piece(t, take_word(f, t->word));
	for (int skipped = 0; skipped < 3; skipped++)
		take_word(f, t->word);
	t->functions = piece(t, take_word(f, t->word));
	t->entry_size = 4;
}

/* From the first row on; empty when the header is malformed. */
static struct span parse_header(struct table *t, uint64_t text)
{
	struct fields f = fields_over(t->bytes, t->order);
	uint32_t magic = fields_u32(&f);
	uint16_t zero = fields_u16(&f);

	fields_u8(&f); /* minimum instruction size */
	t->word = fields_u8(&f);
	if (f.failed || zero || (t->word != 4 && t->word != 8))
		return SPAN("");
	if (magic == GO_1_2)
		parse_1_2(t, &f);
	else if (magic == GO_1_16)
		parse_1_16(t, &f);
	else if (magic == GO_1_18 || magic == GO_1_20)
		parse_1_18(t, &f, text);
	else
		return SPAN("");
	if (f.failed)
		return SPAN("");
	return magic == GO_1_2 ? (struct span){ f.at, fields_left(&f) } : t->functions;
}

/* The name in the struct at that offset. */
static struct span find_name(const struct table *t, uint64_t function)
{
	struct fields f = fields_over(
		function < t->functions.size ? span_from(t->functions, (size_t)function) : SPAN(""),
		t->order);
	struct span name;
	uint32_t at;

	take_word(&f, t->entry_size);
	at = fields_u32(&f);
	if (f.failed || at >= t->names.size)
		return SPAN("");
	name = span_from(t->names, at);
	at = (uint32_t)span_find(span_upto(name, GO_NAME_MAX), '\0');
	return at < name.size && at < GO_NAME_MAX ? span_upto(name, at) : SPAN("");
}

void gopclntab_parse(struct span bytes, enum byte_order order, uint64_t text, go_function *visit,
		     void *arg)
{
	struct table t = { .bytes = bytes, .order = order };
	struct fields rows = fields_over(parse_header(&t, text), order);
	uint64_t begin = t.text + take_word(&rows, t.entry_size);

	for (uint64_t i = 0; i < t.nr && i < SYMBOLS_MAX; i++) {
		uint64_t function = take_word(&rows, t.entry_size);
		struct symbol s = { .begin = begin };
		struct span name;

		/* A function ends where the next one begins. */
		begin = t.text + take_word(&rows, t.entry_size);
		s.end = begin;
		if (rows.failed)
			break;
		name = find_name(&t, function);
		if (name.size && s.end > s.begin)
			visit(arg, &s, name);
	}
}

static bool is_table(const char *name)
{
	return !strcmp(name, ".gopclntab") || !strcmp(name, ".data.rel.ro.gopclntab");
}

Elf_Scn *go_table(Elf *elf, uint64_t *text)
{
	Elf_Scn *section = NULL, *table = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr h;
		const char *name =
			gelf_getshdr(section, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;

		if (text && name && !strcmp(name, ".text"))
			*text = h.sh_addr;
		if (name && is_table(name) && h.sh_type != SHT_NOBITS)
			table = section;
	}
	return table;
}

void go_functions(Elf *elf, go_function *visit, void *arg)
{
	uint64_t text = 0;
	Elf_Scn *table = go_table(elf, &text);
	const Elf_Data *data = table ? elf_rawdata(table, NULL) : NULL;
	GElf_Ehdr header;

	if (data && data->d_buf && gelf_getehdr(elf, &header))
		gopclntab_parse((struct span){ data->d_buf, data->d_size },
				header.e_ident[EI_DATA] == ELFDATA2MSB ? ORDER_BIG : ORDER_LITTLE,
				text, visit, arg);
}

/* A go_function. */
static void add_symbol(void *arg, const struct symbol *s, struct span name)
{
	symtab_add_copy(arg, s, name);
}

void go_symbols(struct image *m, Elf *elf)
{
	go_functions(elf, add_symbol, &m->symbols);
}

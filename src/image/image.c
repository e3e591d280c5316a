#include "image/image.h"

#include "base/alloc.h"
#include "image/dwarf/inlines.h"
#include "image/image_internal.h"
#include "image/jit/jitdump.h"

#include <stdlib.h>

static bool is_jitmap(struct span path)
{
	return span_starts(path, "/tmp/perf-") && span_ends(path, ".map");
}

bool image_is_list(struct span path)
{
	uint32_t pid;

	return is_jitmap(path) || jitdump_is_path(path, &pid);
}

static enum image_state load(struct image *m, struct span path, struct span build_id,
			     const struct image_opts *o)
{
	uint32_t pid;

	if (span_is(path, "[kernel.kallsyms]"))
		return kernel_image(m, build_id, o);
	if (span_is(path, "[vdso]"))
		return vdso_image(m, build_id, o);
	if (is_jitmap(path))
		return jitmap_image(m, path, o);
	if (jitdump_is_path(path, &pid))
		return jitdump_image(m, path, o);
	if (module_name(path).size)
		return module_image(m, path, build_id, o);
	if (!path.size || path.at[0] != '/')
		return IMAGE_MISSING;
	return elf_image(m, path, build_id, o);
}

struct image *image_open(struct span path, struct span build_id, const struct image_opts *o,
			 enum image_state *state)
{
	struct image *m = xcalloc(1, sizeof(*m));

	*state = load(m, path, build_id, o);
	if (*state == IMAGE_OPEN)
		return m;
	image_close(m);
	return NULL;
}

void image_close(struct image *m)
{
	if (!m)
		return;
	inlines_free(m->inlines);
	jit_lines_free(m->jit_lines);
	symtab_release(&m->symbols);
	for (size_t i = 0; i < m->nr_file; i++)
		elf_close(&m->file[i]);
	free(m->segment);
	free(m);
}

bool image_address(const struct image *m, uint64_t offset, uint64_t *address)
{
	*address = offset;
	if (!m->nr_segment)
		return true;
	for (size_t i = 0; i < m->nr_segment; i++) {
		const struct segment *s = &m->segment[i];

		if (offset - s->offset < s->size) {
			*address = offset - s->offset + s->address;
			return true;
		}
	}
	return false;
}

const struct symbol *image_symbol(const struct image *m, uint64_t offset)
{
	uint64_t address;

	return image_address(m, offset, &address) ? symtab_find(&m->symbols, address) : NULL;
}

static bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/*
 * Uses the symbol for functions without debug info.  If DWARF has only the plain name, a mangled
 * symbol is better: it has the scope and the template's arguments.
 */
static void complete(struct source_line *outermost, const struct symbol *s)
{
	if (s && (!outermost->function || is_mangled(s->name)))
		outermost->function = s->name;
}

/*
 * Inlined functions have no symbols, but glibc's internal names are the public ones with a prefix.
 */
static const char *without_prefix(const char *name)
{
	static const char prefix[] = "__GI_";

	return name && !strncmp(name, prefix, strlen(prefix)) && name[strlen(prefix)]
		       ? name + strlen(prefix)
		       : name;
}

/*
 * Replaces glibc's internal name of a function (__GI___libc_read, __libc_start_main_impl) by the
 * public one.  Both have the same address, unless the function was split: then its second part has
 * no public name.
 */
static void make_public(struct source_line *outermost, const struct symbol *s)
{
	const char *own = outermost->function;

	if (s && s->global && own[0] == '_' && !is_mangled(own) &&
	    (symbol_underscores(s->name) < symbol_underscores(own) ||
	     !strncmp(own, s->name, strlen(s->name))))
		outermost->function = s->name;
}

/* JIT-compiled code: one function, no inlined calls. */
static size_t find_generated(const struct image *m, uint64_t place, struct source_line *line)
{
	const struct symbol *s = symtab_find(&m->symbols, place);

	if (!s)
		return 0;
	*line = (struct source_line){ .function = s->name };
	jit_lines_find(m->jit_lines, place, s->begin, line);
	return 1;
}

size_t image_lines(struct image *m, uint64_t offset, struct source_line line[static INLINED_MAX])
{
	const struct symbol *s;
	uint64_t address;
	size_t nr = 0;

	if (!image_address(m, offset, &address))
		return 0;
	if (m->jit_lines)
		return find_generated(m, address, line);
	if (m->inlines)
		nr = inlines_find(m->inlines, address, line, INLINED_MAX);
	if (!nr)
		line[nr++] = (struct source_line){ 0 };
	s = symtab_find(&m->symbols, address);
	if (!line[nr - 1].function || line[nr - 1].plain)
		complete(&line[nr - 1], s);
	else
		make_public(&line[nr - 1], s);
	for (size_t i = 0; i < nr; i++)
		line[i].function = without_prefix(line[i].function);
	/* A line without a function is padding between two functions. */
	return line[nr - 1].function ? nr : 0;
}

bool image_has_lines(const struct image *m)
{
	return m->inlines || !m->nr_segment;
}

bool image_has_symbols(const struct image *m)
{
	/* Except minidebug info (.gnu_debugdata), which has only some symbols: its fd is -1. */
	for (size_t i = 0; i < m->nr_file; i++)
		if (m->file[i].fd >= 0 && elf_has(m->file[i].elf, ELF_SYMTAB))
			return true;
	return false;
}

bool image_is_go(const struct image *m)
{
	return m->nr_file && go_table(m->file[0].elf, NULL);
}

struct image_trouble image_trouble(const struct image *m)
{
	return m->inlines ? inlines_trouble(m->inlines) : (struct image_trouble){ 0 };
}

/* The kernel as an image, from its ELF file, vmlinux: also for recordings of other machines. */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "image/dwarf/inlines.h"
#include "image/image_internal.h"

/* Paths of vmlinux: the release replaces %, or is appended. */
static const char *const places[] = {
	"/usr/lib/debug/boot/vmlinux-",
	"/usr/lib/debug/lib/modules/%/vmlinux",
	"/lib/modules/%/build/vmlinux",
	"/lib/modules/%/vmlinux",
	"/boot/vmlinux-",
};

static bool open_by_release(struct span build_id, const struct image_opts *o, struct elf_file *f)
{
	struct strbuf path = { 0 };
	bool found = false;

	for (size_t i = 0; i < ARRAY_SIZE(places) && o->kernel_release.size && !found; i++) {
		struct span place = span_of(places[i]);
		size_t release = span_find(place, '%');

		strbuf_reset(&path);
		strbuf_add(&path, span_of(o->symfs ? o->symfs : ""));
		strbuf_add(&path, span_upto(place, release));
		strbuf_add(&path, o->kernel_release);
		strbuf_add(&path, span_from(place, release + 1));
		if (!elf_open(path.at, f))
			continue;
		found = elf_is_build(f->elf, build_id);
		if (!found)
			elf_close(f);
	}
	strbuf_release(&path);
	return found;
}

static bool open_vmlinux(struct span build_id, const struct image_opts *o, struct elf_file *f)
{
	struct debug_search s = { .path = SPAN("vmlinux"), .build_id = build_id, .o = o };

	return open_by_release(build_id, o, f) || debug_file_open(&s, f);
}

/* Where the kernel's code begins. */
static bool find_text(const struct image *m, uint64_t *text)
{
	for (size_t i = 0; i < m->symbols.nr; i++)
		if (!strcmp(m->symbols.symbol[i].name, "_text")) {
			*text = m->symbols.symbol[i].begin;
			return true;
		}
	return false;
}

bool vmlinux_image(struct image *m, struct span build_id, const struct image_opts *o)
{
	struct segment whole = { .size = UINT64_MAX };
	struct elf_file f;

	/* Without a build ID, nothing proves that it is the same kernel. */
	if (!build_id.size || !open_vmlinux(build_id, o, &f))
		return false;
	elf_symbols(m, f.elf);
	if (!find_text(m, &whole.address)) {
		symtab_release(&m->symbols);
		elf_close(&f);
		return false;
	}
	m->file[m->nr_file++] = f;
	/* One segment, from _text on: places are distances from it, independent of KASLR. */
	m->segment = xmemdup(&whole, sizeof(whole));
	m->nr_segment = 1;
	if (o->lines && elf_has(f.elf, ELF_DWARF))
		m->inlines = inlines_new(&m->file[0], &m->file[0], NULL);
	symtab_finish(&m->symbols, EQUAL_BEST);
	return true;
}

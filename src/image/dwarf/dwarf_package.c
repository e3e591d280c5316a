#include "image/dwarf/dwarf_package.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <stdio.h>
#include <unistd.h>

/* The package of both PROGRAM and PROGRAM.debug is PROGRAM.dwp. */
static bool open_beside(struct package *p, const struct elf_file *beside)
{
	char link[32], path[4096];
	struct strbuf name = { 0 };
	ssize_t size = -1;
	struct span base;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", beside->fd);
	if (beside->fd >= 0)
		size = readlink(link, path, sizeof(path));
	if (size <= 0 || (size_t)size == sizeof(path))
		return false;
	base = (struct span){ .at = path, .size = (size_t)size };
	if (span_ends(base, ".debug"))
		base.size -= strlen(".debug");
	strbuf_addf(&name, "%.*s.dwp", (int)base.size, base.at);
	if (elf_open(name.at, &p->file)) {
		p->dwp = dwp_new(p->file.elf);
		if (!p->dwp)
			elf_close(&p->file);
	}
	strbuf_release(&name);
	return p->dwp;
}

bool package_unit(struct package *p, uint64_t id, Dwarf_Die *root, struct debug_bytes *pieces)
{
	for (size_t i = 0; i < ARRAY_SIZE(p->beside) && !p->tried && !p->dwp; i++)
		(void)open_beside(p, p->beside[i]);
	p->tried = true;
	return p->dwp && dwp_unit(p->dwp, id, root, pieces);
}

void package_release(struct package *p)
{
	if (!p->dwp)
		return;
	dwp_free(p->dwp);
	elf_close(&p->file);
}

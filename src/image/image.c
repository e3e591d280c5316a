#include "image/image.h"

#include "base/alloc.h"
#include "image/kinds.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static bool is_jitmap(struct span path)
{
	return span_starts(path, "/tmp/perf-") && span_ends(path, ".map");
}

static enum image_state load(struct image *m, struct span path, struct span build_id,
			     const struct image_opts *o)
{
	if (span_is(path, "[kernel.kallsyms]"))
		return kallsyms_image(m, build_id, o);
	if (span_is(path, "[vdso]"))
		return vdso_image(m, build_id, o);
	if (is_jitmap(path))
		return jitmap_image(m, path);
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
	symtab_release(&m->symbols);
	for (size_t i = 0; i < m->nr_file; i++) {
		elf_end(m->file[i].elf);
		if (m->file[i].fd >= 0)
			close(m->file[i].fd);
		free(m->file[i].bytes);
	}
	free(m->segment);
	free(m);
}

const struct symbol *image_symbol(const struct image *m, uint64_t offset)
{
	if (!m->nr_segment)
		return symtab_find(&m->symbols, offset);
	for (size_t i = 0; i < m->nr_segment; i++) {
		const struct segment *s = &m->segment[i];

		if (offset - s->offset < s->size)
			return symtab_find(&m->symbols, offset - s->offset + s->address);
	}
	return NULL;
}

char *read_whole(const char *path, size_t max, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t cap = 64 * 1024;
	char *bytes;
	ssize_t n;

	*size = 0;
	if (fd < 0)
		return NULL;
	bytes = xmalloc(cap);
	while ((n = read(fd, bytes + *size, cap - *size)) > 0) {
		*size += (size_t)n;
		if (*size == max)
			break;
		if (*size == cap) {
			cap = cap * 2 < max ? cap * 2 : max;
			bytes = xreallocarray(bytes, cap, 1);
		}
	}
	close(fd);
	return bytes;
}

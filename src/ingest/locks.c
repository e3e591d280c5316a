#include "ingest/locks.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <inttypes.h>
#include <stdlib.h>

void locks_release(struct locks *l)
{
	intern_release(&l->known);
	free(l->name);
	*l = (struct locks){ 0 };
}

/* The nearest mapping of a file's code below the address: a file's variables come after its code. */
static const struct map *find_below(const struct maps *m, uint64_t address)
{
	const struct map *found = NULL;

	for (size_t i = 0; i < m->nr && m->map[i].begin <= address; i++)
		if (m->map[i].kind == FRAME_USER && m->map[i].module.i)
			found = &m->map[i];
	return found;
}

/* "queue_lock (app)", "pool+40 (libpool.so)"; false: the address is not in the memory of a file. */
static bool spell_variable(struct strbuf *out, const struct profile *p, const struct map *map,
			   uint64_t address, const struct image_opts *image)
{
	const struct module *module = &p->module[map->module.i];
	struct image_spot spot = { .place = map->offset,
				   .distance = (int64_t)(address - map->begin) };
	struct span path = profile_peek(p, module->path);
	struct image_variable v;

	if (!image_variable(path, profile_peek(p, module->build_id), image, &spot, &v))
		return false;
	path = span_base(path);
	if (!*v.name) {
		strbuf_addf(out, "0x%" PRIx64, address);
	} else if (image->demangle) {
		image->demangle(out, v.name);
	} else {
		strbuf_add(out, span_of(v.name));
	}
	if (*v.name && v.offset)
		strbuf_addf(out, "+%" PRIu64, v.offset);
	strbuf_addf(out, " (%.*s)", (int)path.size, path.at);
	return true;
}

static str_id spell(struct profile *p, const struct process *process, uint64_t address,
		    const struct image_opts *image)
{
	const struct map *map = image ? find_below(process->maps, address) : NULL;
	struct strbuf text = { 0 };
	str_id name;

	if (!map || !spell_variable(&text, p, map, address, image))
		strbuf_addf(&text, "0x%" PRIx64 " (pid %u)", address, process->pid);
	name = profile_string(p, strbuf_peek(&text));
	strbuf_release(&text);
	return name;
}

str_id locks_name(struct locks *l, struct profile *p, const struct process *process,
		  uint64_t address, const struct image_opts *image)
{
	const uint64_t key[] = { (uint64_t)process->program.i << 32 | process->pid, address };
	struct span bytes = { (const char *)key, sizeof(key) };
	uint32_t number;

	if (l->nr == LOCKS_MAX && intern_find(&l->known, bytes, intern_hash(bytes)) == INTERN_NONE)
		return profile_string(p, SPAN(LOCKS_OTHER));
	number = intern(&l->known, bytes);
	if (number == l->nr) {
		GROW(l->name, l->nr, l->cap);
		l->name[l->nr++] = spell(p, process, address, image);
	}
	return l->name[number];
}

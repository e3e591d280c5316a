#include "ingest/maps.h"

#include "base/alloc.h"
#include "base/first_above.h"

#include <stdlib.h>

struct maps *maps_new(void)
{
	struct maps *m = xcalloc(1, sizeof(*m));

	m->users = 1;
	return m;
}

struct maps *maps_share(struct maps *m)
{
	m->users++;
	return m;
}

void maps_free(struct maps *m)
{
	if (!m || --m->users)
		return;
	free(m->map);
	free(m);
}

static void make_own(struct maps **m)
{
	struct maps *own;

	if ((*m)->users == 1)
		return;
	own = maps_new();
	own->nr = own->cap = (*m)->nr;
	own->map = xmemdup((*m)->map, own->nr * sizeof(*own->map));
	maps_free(*m);
	*m = own;
}

/* The index of the first mapping that ends after the address. */
static size_t first_behind(const struct maps *m, uint64_t address)
{
	return FIRST_ABOVE(m->map, m->nr, end, address);
}

/* Replaces the mappings from `from` up to but not including `to` by nr mappings. */
static void replace(struct maps *m, size_t from, size_t to, const struct map *map, size_t nr)
{
	while (m->nr + nr > m->cap) {
		m->cap = m->cap ? m->cap * 2 : 16;
		m->map = xreallocarray(m->map, m->cap, sizeof(*m->map));
	}
	memmove(m->map + from + nr, m->map + to, (m->nr - to) * sizeof(*m->map));
	memcpy(m->map + from, map, nr * sizeof(*map));
	m->nr = m->nr - (to - from) + nr;
}

void maps_add(struct maps **maps, const struct map *map)
{
	/* The rest of the first mapping that it overlaps, the new mapping itself, the rest of the last one. */
	struct map piece[3];
	size_t from, to, nr = 0;
	struct maps *m;

	if (map->begin >= map->end)
		return;
	make_own(maps);
	m = *maps;
	if (m->nr >= MAPS_MAX) {
		m->cut = true;
		return;
	}
	from = first_behind(m, map->begin);
	for (to = from; to < m->nr && m->map[to].begin < map->end; to++)
		;
	if (from < to && m->map[from].begin < map->begin) {
		piece[nr] = m->map[from];
		piece[nr++].end = map->begin;
	}
	piece[nr++] = *map;
	if (from < to && m->map[to - 1].end > map->end) {
		piece[nr] = m->map[to - 1];
		piece[nr].offset += map->end - piece[nr].begin;
		piece[nr++].begin = map->end;
	}
	replace(m, from, to, piece, nr);
}

const struct map *maps_find(const struct maps *m, uint64_t address)
{
	size_t i = first_behind(m, address);

	return i < m->nr && m->map[i].begin <= address ? &m->map[i] : NULL;
}

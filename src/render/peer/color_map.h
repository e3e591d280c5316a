/*
 * Colors that names keep from picture to picture (flamegraph.pl's --cp): a file of
 * `name->rgb(r,g,b)` lines.
 */
#ifndef WICK_RENDER_PEER_COLOR_MAP_H
#define WICK_RENDER_PEER_COLOR_MAP_H

#include "base/error.h"
#include "base/intern.h"
#include "render/peer/palette.h"

struct color_map {
	struct intern names;
	struct rgb *color; /* by number of the name */
	size_t cap;
	size_t nr_bad; /* lines of the file that could not be read, and were skipped */
};

/* A file that does not exist counts as an empty one. */
int color_map_read(struct color_map *m, const char *path, struct error *e);
int color_map_write(const struct color_map *m, const char *path, struct error *e);
void color_map_release(struct color_map *m);

/* The color of a name; if the map has none, a new one is picked and stored. */
struct rgb color_map_pick(struct color_map *m, struct colors *colors, struct span name);

/* The same, but a new color is not stored. */
struct rgb color_map_find(const struct color_map *m, struct colors *colors, struct span name);

#endif

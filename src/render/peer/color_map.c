#include "render/peer/color_map.h"

#include "base/alloc.h"
#include "base/output.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void put(struct color_map *m, struct span name, struct rgb color)
{
	uint32_t known = m->names.nr, i = intern(&m->names, name);

	if (i == known)
		GROW(m->color, (size_t)i, m->cap);
	m->color[i] = color;
}

/* "12,34,56)" */
static bool parse_channels(struct span s, struct rgb *color)
{
	uint8_t channel[3];

	for (int i = 0; i < 3; i++) {
		size_t n = span_find(s, i < 2 ? ',' : ')');
		uint64_t value;

		if (n == s.size || !span_u64(span_trim(span_upto(s, n)), &value) || value > 255)
			return false;
		channel[i] = (uint8_t)value;
		s = span_from(s, n + 1);
	}
	*color = (struct rgb){ channel[0], channel[1], channel[2] };
	return !s.size;
}

static bool read_line(struct color_map *m, struct span line)
{
	/* The last one, as a name may contain an arrow: `operator->`. */
	size_t arrow = span_rfind_text(line, "->rgb(");
	struct rgb color;

	if (arrow == line.size || !parse_channels(span_from(line, arrow + 6), &color))
		return false;
	put(m, span_upto(line, arrow), color);
	return true;
}

int color_map_read(struct color_map *m, const char *path, struct error *e)
{
	struct stream *stream;
	struct source *source;
	struct span line;
	struct text t;
	int ret = 0;

	*m = (struct color_map){ 0 };
	if (access(path, F_OK))
		return 0;
	stream = stream_open(path, e);
	source = stream ? source_new(stream, e) : NULL;
	if (!source)
		return -1;
	text_init(&t, source);
	while (text_line(&t, &line))
		if (line.size && !read_line(m, line))
			m->nr_bad++;
	if (t.failed) {
		*e = t.error;
		ret = -1;
	}
	text_release(&t);
	source_free(source);
	return ret;
}

static int by_name(const void *a, const void *b, void *arg)
{
	const struct intern *names = arg;

	return span_compare(intern_peek(names, *(const uint32_t *)a),
			    intern_peek(names, *(const uint32_t *)b));
}

int color_map_write(const struct color_map *m, const char *path, struct error *e)
{
	uint32_t *order = xcalloc(m->names.nr, sizeof(*order));
	struct output out;

	if (output_open_whole(&out, path, e)) {
		free(order);
		return -1;
	}
	for (uint32_t i = 0; i < m->names.nr; i++)
		order[i] = i;
	qsort_r(order, m->names.nr, sizeof(*order), by_name, (void *)(uintptr_t)&m->names);
	for (uint32_t i = 0; i < m->names.nr; i++) {
		struct rgb c = m->color[order[i]];
		char value[32];

		snprintf(value, sizeof(value), "->rgb(%u,%u,%u)\n", c.r, c.g, c.b);
		output_add(&out, intern_peek(&m->names, order[i]));
		output_add(&out, span_of(value));
	}
	free(order);
	return output_close(&out, e);
}

void color_map_release(struct color_map *m)
{
	intern_release(&m->names);
	free(m->color);
	*m = (struct color_map){ 0 };
}

struct rgb color_map_pick(struct color_map *m, struct colors *colors, struct span name)
{
	uint32_t i = intern_find(&m->names, name, intern_hash(name));

	if (i == INTERN_NONE) {
		put(m, name, colors_pick(colors, name));
		i = m->names.nr - 1;
	}
	return m->color[i];
}

struct rgb color_map_find(const struct color_map *m, struct colors *colors, struct span name)
{
	uint32_t i = intern_find(&m->names, name, intern_hash(name));

	return i == INTERN_NONE ? colors_pick(colors, name) : m->color[i];
}

#include "write/sink.h"

#include "render/draw.h"

#include <string.h>

int svg_writer(struct output *out, const struct write_what *what, struct error *e)
{
	(void)e;
	drawing_svg(what->drawing, out);
	return 0;
}

int html_writer(struct output *out, const struct write_what *what, struct error *e)
{
	(void)e;
	drawing_page(what->drawing, out);
	return 0;
}

int wick_writer(struct output *out, const struct write_what *what, struct error *e)
{
	(void)e;
	drawing_pack(what->drawing, out);
	return 0;
}

int sink_write(const struct sink *to, const struct write_what *what, struct error *e)
{
	struct output out;

	if (output_open_whole(&out, to->path, e))
		return -1;
	if (format_writer(to->format)->write(&out, what, e)) {
		output_drop(&out);
		return -1;
	}
	return output_close(&out, e);
}

int sink_draw(const struct sink *to, const struct draw_opts *o, const struct write_what *what,
	      const struct chosen *c, struct error *e)
{
	struct draw_opts own = *o;
	struct write_what with = *what;
	int ret = -1;

	if (!format_is_picture(to->format))
		return sink_write(to, what, e);
	own.packs = true;
	with.drawing = drawing_new(&own, e);
	if (with.drawing && !drawing_make(with.drawing, what->p, c, e))
		ret = drawing_peek(with.drawing)->empty
			      ? error_set(e, ERROR_INPUT, "no stacks to draw")
			      : sink_write(to, &with, e);
	drawing_free(with.drawing);
	return ret;
}

struct write_what sink_what(const struct profile *p, const struct chosen *c, const char *event)
{
	return (struct write_what){ .p = p,
				    .nr_column = c->nr_column,
				    .in = { c->in[0], c->in[1] },
				    .all = !event,
				    .samples = c->samples,
				    .spelling = c->spelling };
}

bool sinks_keep_events(const struct sink *to, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!format_shows_all(to[i].format))
			return false;
	return true;
}

bool sinks_lose_events(const struct sink *to, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!(format_writer(to[i].format)->holds & HOLDS_EVENTS) &&
		    to[i].format != FORMAT_FOLDED)
			return true;
	return false;
}

bool sinks_draw(const struct sink *to, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (format_is_picture(to[i].format))
			return true;
	return false;
}

int sinks_check_paths(const char *const *path, size_t nr, struct error *e)
{
	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(path[i], path[k]))
				return error_set(e, ERROR_USAGE, "%s is given twice", path[i]);
	return 0;
}

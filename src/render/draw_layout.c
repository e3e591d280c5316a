/* Places the boxes of a picture: merged (flame graph), or in the order of time (flame chart). */
#include "render/drawing.h"

#include <math.h>
#include <stdlib.h>

/* The stack of a tick as folded text. */
static void spell_path(struct strbuf *out, const struct labels *labels, const struct profile *p,
		       const struct tick *t)
{
	struct label_path path = { 0 };

	labels_path(labels, p, t->thread, t->stack, &path);
	strbuf_reset(out);
	for (size_t i = 0; i < path.nr; i++) {
		if (i)
			strbuf_addch(out, ';');
		strbuf_add(out, labels_peek(labels, path.label[i]));
	}
	free(path.label);
}

static int check_sorted(const struct profile *p, const struct labels *labels, struct error *e)
{
	struct strbuf path = { 0 }, last = { 0 }, swap;
	int ret = 0;

	for (size_t i = 0; i < p->nr_tick && !ret; i++) {
		spell_path(&path, labels, p, &p->tick[i]);
		if (span_compare(strbuf_peek(&last), strbuf_peek(&path)) > 0)
			ret = error_set(e, ERROR_INPUT, "unsorted input lines detected");
		swap = last;
		last = path;
		path = swap;
	}
	strbuf_release(&path);
	strbuf_release(&last);
	return ret;
}

/* The narrowest box that is drawn, as a share of the width. */
static double least_share(const struct drawing *d)
{
	double percent = d->o->min_percent / 100;
	double pixels = drawing_is_own(d) ? picture_share_of_pixels(&d->picture, d->o->min_pixels)
					  : svg_share_of_pixels(&d->svg, d->o->min_pixels);

	return pixels > percent ? pixels : percent;
}

/* The factor that scales the weights of before to the time of after; 0: no scaling. */
static double flame_factor(const struct draw_opts *o)
{
	double size[2] = { 0 };

	if (!o->run_size)
		return 0;
	for (size_t i = 0; i < o->nr_run[0] + o->nr_run[1]; i++)
		size[i >= o->nr_run[0]] += o->run_size[i];
	return size[1] / size[0];
}

/* The total that is shown: after's with `either`, as the width then exceeds that of both sides. */
static weight_sum total_shown(const struct drawing *d)
{
	const struct tree *t = &d->tree;
	weight_sum sum = 0;

	if (!d->o->either)
		return d->layout.total;
	for (size_t i = 0; i < t->nr_line; i++)
		sum += tree_line(t, i).sum[t->nr_column - 1];
	return sum;
}

int drawing_lay_out(struct drawing *d, struct error *e)
{
	const struct draw_opts *o = d->o;
	const struct chosen *c = d->c;
	struct layout_least least = { .share = least_share(d),
				      .whole = o->svg.total,
				      .more = drawing_is_own(d),
				      .either = o->either };
	struct tree_opts to = { .spelling =
					drawing_is_own(d) ? drawing_own_spelling(d) : c->spelling,
				.samples = c->samples,
				.nr_column = c->nr_column,
				.in = { c->in[0], c->in[1] },
				.factor = flame_factor(o),
				.reverse = o->reverse,
				.base = o->base,
				.nr_base = o->nr_base };

	tree_build(&d->tree, d->p, &to);
	if (o->sorted_input && check_sorted(d->p, &d->tree.labels, e))
		return -1;
	if (o->chart)
		layout_chart(&d->layout, d->p, &d->tree.labels, &to, o->direction, least);
	else
		layout_tree(&d->layout, &d->tree, o->order, least);
	d->drawn.empty = d->layout.total <= 0;
	d->drawn.total = (double)total_shown(d) * pow(10, d->layout.scale);
	d->drawn.nr_stack = d->tree.nr_line;
	return 0;
}

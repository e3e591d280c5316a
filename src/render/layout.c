#include "render/layout.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

static void keep_box(struct layout *l, const struct box *b)
{
	if (b->depth > l->depth)
		l->depth = b->depth;
	GROW(l->box, l->nr, l->cap);
	l->box[l->nr++] = *b;
}

/* Keeps what was left out below a box, if it is worth a box by now. */
static void keep_more(struct layout *l, struct box *caller)
{
	struct box more = { .label = LAYOUT_MORE,
			    .depth = caller->depth + 1,
			    .begin = caller->more_begin,
			    .end = caller->more_end };

	if (more.end > more.begin && more.end - more.begin >= l->narrowest)
		keep_box(l, &more);
	caller->more_begin = caller->more_end = 0;
}

static void leave_out(struct layout *l, struct box *caller, const struct box *b)
{
	l->nr_narrow++;
	if (!l->keep_more)
		return;
	if (caller->more_end != b->begin) {
		keep_more(l, caller);
		caller->more_begin = b->begin;
	}
	caller->more_end = b->end;
}

static void close_boxes(struct layout *l, size_t depth)
{
	for (size_t i = depth; i < l->nr_open; i++) {
		struct box *b = &l->open[i];

		b->end = l->total;
		for (size_t k = 0; k < TREE_COLUMNS; k++)
			b->sum[k] = l->sum[k] - b->sum[k];
		/* Everything is never too narrow. */
		if (i > 0 && (b->end - b->begin < l->narrowest || b->end == b->begin))
			leave_out(l, &l->open[i - 1], b);
		else
			keep_box(l, b);
	}
	/* What is below the innermost is told last: a caller may only now know it all. */
	for (size_t i = depth; l->keep_more && i < l->nr_open; i++)
		keep_more(l, &l->open[i]);
	if (l->nr_open > depth)
		l->nr_open = depth;
}

static void open_box(struct layout *l, uint32_t label)
{
	GROW(l->open, l->nr_open, l->cap_open);
	l->open[l->nr_open] = (struct box){
		.label = label,
		.depth = (uint32_t)l->nr_open,
		.begin = l->total,
		.sum = { l->sum[0], l->sum[1] },
	};
	l->nr_open++;
}

/* What a line adds to the width of the picture. */
static weight_sum width_of(const struct tree_line *line, size_t nr_column, bool either)
{
	weight_sum width = line->sum[nr_column - 1];

	if (either && line->sum[0] > width)
		width = line->sum[0];
	return width > 0 ? width : 0;
}

/* The next line: labels from the root, of which the first `shared` go on. */
static void add_line(struct layout *l, const struct tree_way *way, const struct tree_line *line,
		     size_t nr_column)
{
	close_boxes(l, way->shared + 1);
	for (size_t i = way->shared; i < way->nr; i++) {
		open_box(l, way->label[i]);
		/* What changed is told of the frame that a line ends in; the others opened with it are 0. */
		if (nr_column == 2)
			l->open[l->nr_open - 1].has_delta = true;
	}
	if (nr_column == 2 && way->nr) {
		weight_sum delta = line->sum[1] - line->sum[0];
		weight_sum size = delta < 0 ? -delta : delta;

		l->open[way->nr].delta += delta;
		if (size > l->max_delta)
			l->max_delta = size;
	}
	for (size_t k = 0; k < nr_column; k++)
		l->sum[k] += line->sum[k];
	l->open[way->nr].self += width_of(line, nr_column, l->either);
	l->total += width_of(line, nr_column, l->either);
}

static weight_sum narrowest(weight_sum total, int scale, struct layout_least least)
{
	double whole = fmax((double)total, least.whole * pow(10, -scale));
	double width = ceil(whole * least.share);

	/* Nothing is wider than everything. */
	if (width > (double)total)
		return total + 1;
	return width > 0 ? (weight_sum)width : 0;
}

static void begin(struct layout *l, weight_sum total, int scale, size_t nr_column,
		  struct layout_least least)
{
	*l = (struct layout){ .scale = scale,
			      .narrowest = narrowest(total, scale, least),
			      .either = least.either,
			      .keep_more = least.more };
	l->max_delta = 1;
	for (int s = scale; s < 0; s++)
		l->max_delta *= 10;
	open_box(l, LAYOUT_ALL);
	l->open[0].has_delta = nr_column == 2;
}

static void finish(struct layout *l)
{
	close_boxes(l, 0);
	free(l->open);
	l->open = NULL;
}

struct tree_layout {
	struct layout *l;
	const struct tree *tree;
};

static void visit(void *arg, const struct tree_way *way, const struct tree_line *line)
{
	const struct tree_layout *a = arg;
	uint32_t node = line->node;

	add_line(a->l, way, line, a->tree->nr_column);
	/* The boxes that the line opened are the nodes up from where it ends. */
	for (size_t i = way->nr; i > way->shared; i--) {
		a->l->open[i].node = node;
		node = tree_parent(a->tree, node);
	}
}

void layout_tree(struct layout *l, const struct tree *t, enum tree_order order,
		 struct layout_least least)
{
	struct tree_layout arg = { .l = l, .tree = t };
	weight_sum total = 0;

	for (size_t i = 0; i < t->nr_line; i++)
		total += width_of(&t->line[i], t->nr_column, least.either);
	begin(l, total, t->scale, t->nr_column, least);
	tree_walk(t, order, visit, &arg);
	finish(l);
}

/* Adds a tick to the columns that its event counts in. */
static bool add_tick(const struct profile *p, const struct tick *t, const struct tree_opts *o,
		     int scale, struct tree_line *line)
{
	bool shown = false;

	for (size_t k = 0; k < o->nr_column; k++)
		if (o->in[k][t->event]) {
			line->sum[k] += o->samples ? 1 : tree_weight(p, t->event, t->weight, scale);
			shown = true;
		}
	return shown;
}

/* The lines of a chart, one after the other. */
struct chart {
	const struct profile *p;
	const struct tree_opts *o;
	enum chart_direction direction;
	int scale;
	size_t at; /* ticks used up */
};

static const struct tick *peek_tick(const struct chart *c)
{
	if (c->at == c->p->nr_tick)
		return NULL;
	return &c->p->tick[c->direction == CHART_FORWARD ? c->at : c->p->nr_tick - 1 - c->at];
}

/* The next line that is shown; before and after of one place are one line. */
static const struct tick *next_line(struct chart *c, struct tree_line *line)
{
	const struct tick *t, *pair;

	*line = (struct tree_line){ 0 };
	while ((t = peek_tick(c)) != NULL) {
		c->at++;
		if (!add_tick(c->p, t, c->o, c->scale, line))
			continue;
		pair = c->o->nr_column == 2 ? peek_tick(c) : NULL;
		if (pair && pair->event != t->event && pair->stack.i == t->stack.i &&
		    pair->time == t->time) {
			add_tick(c->p, pair, c->o, c->scale, line);
			c->at++;
		}
		break;
	}
	return t;
}

static size_t common(const struct label_path *a, const struct label_path *b)
{
	size_t n = 0;

	while (n < a->nr && n < b->nr && a->label[n] == b->label[n])
		n++;
	return n;
}

void layout_chart(struct layout *l, const struct profile *p, const struct labels *labels,
		  const struct tree_opts *o, enum chart_direction direction,
		  struct layout_least least)
{
	struct chart c = { .p = p, .o = o, .direction = direction };
	struct label_path path = { 0 }, last = { 0 }, swap;
	const struct tick *t;
	struct tree_line line;
	weight_sum total = 0;

	c.scale = tree_opts_scale(p, o);
	while (next_line(&c, &line))
		total += width_of(&line, o->nr_column, least.either);
	begin(l, total, c.scale, o->nr_column, least);
	for (c.at = 0; (t = next_line(&c, &line)) != NULL;) {
		struct tree_way way;

		labels_path(labels, p, t->thread, t->stack, &path);
		way = (struct tree_way){ .label = path.label, .nr = path.nr };
		way.shared = common(&path, &last);
		add_line(l, &way, &line, o->nr_column);
		swap = last;
		last = path;
		path = swap;
	}
	finish(l);
	free(path.label);
	free(last.label);
}

void layout_release(struct layout *l)
{
	free(l->box);
	*l = (struct layout){ 0 };
}

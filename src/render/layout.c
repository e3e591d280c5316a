#include "render/layout.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "render/box.h"

#include <math.h>
#include <stdlib.h>

/* The width below which a box is dropped. */
static weight_sum narrowest(weight_sum total, int scale, struct layout_least least)
{
	double whole = fmax((double)total, least.whole * pow(10, -scale));
	double width = ceil(whole * least.share);

	/* Drops all boxes: if the whole is given, the limit may exceed the total. */
	if (width > (double)total)
		return total + 1;
	return width > 0 ? (weight_sum)width : 0;
}

void boxes_begin(struct layout *l, weight_sum total, int scale, struct layout_least least)
{
	*l = (struct layout){ .scale = scale,
			      .narrowest = narrowest(total, scale, least),
			      .more = least.more };
	l->max_delta = 1;
	for (int s = scale; s < 0; s++)
		l->max_delta *= 10;
}

void boxes_add(struct layout *l, const struct box *b)
{
	if (b->depth > l->depth)
		l->depth = b->depth;
	GROW(l->box, l->nr, l->cap);
	l->box[l->nr++] = *b;
}

void boxes_add_more(struct layout *l, uint32_t depth, weight_sum begin, weight_sum end)
{
	struct box b = { .label = LAYOUT_MORE, .depth = depth, .begin = begin, .end = end };

	if (l->more && !boxes_too_narrow(l, end - begin))
		boxes_add(l, &b);
}

weight_sum boxes_width(const struct tree_line *line, size_t nr_column, bool either)
{
	weight_sum width = line->sum[nr_column - 1];

	if (either && line->sum[0] > width)
		width = line->sum[0];
	return width > 0 ? width : 0;
}

/*
 * Charts.  A line keeps the boxes open that it shares with the line before, and opens new ones for
 * the rest of its path.  In an open box, sum[] is the layout's sum[] where the box begins.
 */

struct open_boxes {
	struct layout *l;
	struct box *box; /* by depth */
	size_t nr, cap;
	size_t nr_column;
	bool either;
};

static void close_boxes(struct open_boxes *o, size_t depth)
{
	struct layout *l = o->l;

	for (size_t i = depth; i < o->nr; i++) {
		struct box *b = &o->box[i];

		b->end = l->total;
		for (size_t k = 0; k < TREE_COLUMNS; k++)
			b->sum[k] = l->sum[k] - b->sum[k];
		/* The box of the whole is always kept. */
		if (!i || !boxes_too_narrow(l, b->end - b->begin))
			boxes_add(l, b);
	}
	if (o->nr > depth)
		o->nr = depth;
}

static void open_box(struct open_boxes *o, uint32_t label)
{
	const struct layout *l = o->l;

	GROW(o->box, o->nr, o->cap);
	o->box[o->nr] = (struct box){
		.label = label,
		.depth = (uint32_t)o->nr,
		.begin = l->total,
		.sum = { l->sum[0], l->sum[1] },
		.has_delta = o->nr_column == 2,
	};
	o->nr++;
}

/* Adds the next line. */
static void add_line(struct open_boxes *o, const struct tree_path *path,
		     const struct tree_line *line)
{
	weight_sum width = boxes_width(line, o->nr_column, o->either);
	struct layout *l = o->l;

	close_boxes(o, path->shared + 1);
	for (size_t i = path->shared; i < path->nr; i++)
		open_box(o, path->label[i]);
	/* The delta is one of self weights, so it belongs to the leaf frame only. */
	if (o->nr_column == 2 && path->nr) {
		weight_sum delta = line->sum[1] - line->sum[0];
		weight_sum size = delta < 0 ? -delta : delta;

		o->box[path->nr].delta += delta;
		if (size > l->max_delta)
			l->max_delta = size;
	}
	for (size_t k = 0; k < o->nr_column; k++)
		l->sum[k] += line->sum[k];
	o->box[path->nr].self += width;
	l->total += width;
}

/* Adds a tick to the columns of its event; false: none has it. */
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
	uint64_t *key; /* ticks sorted by thread; NULL: as they are in the profile */
	size_t nr, at; /* number of ticks, and the next one */
};

static bool is_shown(const struct tree_opts *o, uint32_t event)
{
	return o->in[0][event] || (o->nr_column == 2 && o->in[1][event]);
}

/*
 * Threads run at the same time, so each gets a part of the chart, in the order of their first
 * samples.  Samples without times stay in the order of the input.
 */
static void sort_by_thread(struct chart *c)
{
	const struct profile *p = c->p;
	uint32_t *turn, nr_turn = 0; /* by thread: its place in the chart, from 1 */

	c->nr = p->nr_tick;
	if (!p->timed || c->direction != CHART_FORWARD)
		return;
	turn = xcalloc(p->nr_thread, sizeof(*turn));
	c->key = xcalloc(p->nr_tick, sizeof(*c->key));
	c->nr = 0;
	for (size_t i = 0; i < p->nr_tick; i++) {
		uint32_t thread = p->tick[i].thread.i;

		if (!is_shown(c->o, p->tick[i].event))
			continue;
		if (!turn[thread])
			turn[thread] = ++nr_turn;
		c->key[c->nr++] = sort_key(turn[thread], i);
	}
	sort_keys(c->key, c->nr);
	free(turn);
}

static const struct tick *peek_tick(const struct chart *c)
{
	if (c->at == c->nr)
		return NULL;
	if (c->key)
		return &c->p->tick[sort_what(c->key[c->at])];
	return &c->p->tick[c->direction == CHART_FORWARD ? c->at : c->nr - 1 - c->at];
}

/* The next line; a tick of before and one of after with the same stack and time are one line. */
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

static void reverse(struct label_path *path)
{
	for (size_t i = 0; i < path->nr / 2; i++) {
		uint32_t label = path->label[i];

		path->label[i] = path->label[path->nr - 1 - i];
		path->label[path->nr - 1 - i] = label;
	}
}

void layout_chart(struct layout *l, const struct profile *p, const struct labels *labels,
		  const struct tree_opts *o, enum chart_direction direction,
		  struct layout_least least)
{
	struct chart c = { .p = p, .o = o, .direction = direction };
	struct open_boxes open = { .l = l, .nr_column = o->nr_column, .either = least.either };
	struct label_path path = { 0 }, last = { 0 }, swap;
	const struct tick *t, *before = NULL;
	struct tree_line line;
	weight_sum total = 0;

	c.scale = tree_opts_scale(p, o);
	sort_by_thread(&c);
	while (next_line(&c, &line))
		total += boxes_width(&line, o->nr_column, least.either);
	boxes_begin(l, total, c.scale, least);
	open_box(&open, LAYOUT_ALL);
	for (c.at = 0; (t = next_line(&c, &line)) != NULL;) {
		struct tree_path from_root;

		labels_path(labels, p, t->thread, t->stack, &path);
		if (o->reverse)
			reverse(&path);
		from_root = (struct tree_path){ .label = path.label, .nr = path.nr };
		/* Two threads with the same name get two boxes. */
		if (before && (!c.key || before->thread.i == t->thread.i))
			from_root.shared = common(&path, &last);
		add_line(&open, &from_root, &line);
		before = t;
		swap = last;
		last = path;
		path = swap;
	}
	close_boxes(&open, 0);
	free(c.key);
	free(open.box);
	free(path.label);
	free(last.label);
}

void layout_release(struct layout *l)
{
	free(l->box);
	*l = (struct layout){ 0 };
}

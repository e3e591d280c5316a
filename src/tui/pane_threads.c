/* Threads, each with its share and when it ran; above, all of them over time. */
#include "base/alloc.h"
#include "tui/panes.h"

#include <stdlib.h>

enum { SHARE = 0, NAME = 10, NAME_WIDTH = 24, IDS = 35, IDS_WIDTH = 16, TIME = 52, HEAD_ROWS = 2 };

static struct threads *get_threads(struct viewer *v)
{
	if (!v->has_threads) {
		threads_init(&v->threads, v->m, v->base->o.p);
		v->has_threads = true;
		list_set(&v->thread_list, v->threads.nr);
	}
	return &v->threads;
}

/* Cells of the time, of which there are never more than slices. */
static int cells(const struct area *a)
{
	int width = a->width - TIME - 1;

	return width < 0 ? 0 : width > THREAD_SLICES ? THREAD_SLICES : width;
}

/* Samples a slice: not every cell has as many slices. */
static double samples_in(const uint32_t *slice, int cell, int nr_cell)
{
	int from = cell * THREAD_SLICES / nr_cell, to = (cell + 1) * THREAD_SLICES / nr_cell;
	double sum = 0;

	for (int i = from; i < to; i++)
		sum += slice[i];
	return sum / (to - from);
}

static struct time_span range_of(const struct threads *t, int from, int to, int nr_cell)
{
	double all = (double)(t->end - t->begin) + 1;
	uint64_t begin = t->begin - t->zero;

	if (from > to) {
		int swap = from;

		from = to;
		to = swap;
	}
	return (struct time_span){ .begin = begin + (uint64_t)(all * from / nr_cell),
				   .end = begin + (uint64_t)(all * (to + 1) / nr_cell) };
}

static void move(struct viewer *v, enum move m)
{
	int nr = cells(&v->area);

	get_threads(v);
	if (m == MOVE_LEFT && v->time_at > 0)
		v->time_at--;
	if (m == MOVE_RIGHT && v->time_at + 1 < nr)
		v->time_at++;
	list_step(&v->thread_list, m, v->area.height - HEAD_ROWS);
}

/* The range that is marked, or else the thread. */
static enum viewer_ask open(struct viewer *v)
{
	struct threads *t = get_threads(v);
	struct time_span span;

	if (v->time_mark >= 0 && t->all) {
		span = range_of(t, v->time_mark, v->time_at, cells(&v->area));
		v->time_mark = -1;
		viewer_narrow(v, NARROW_TIME, SPAN(""), &span);
		return ASK_NOTHING;
	}
	if (v->thread_list.selected < t->nr)
		viewer_limit_to_thread(v, t->row[v->thread_list.selected].thread);
	return ASK_NOTHING;
}

static bool back(struct viewer *v)
{
	bool marked = v->time_mark >= 0;

	v->time_mark = -1;
	return marked;
}

static bool click(struct viewer *v, int x, int y)
{
	size_t row = v->thread_list.top + (size_t)(y - v->area.y - HEAD_ROWS);

	if (x >= TIME && x < TIME + cells(&v->area))
		v->time_at = x - TIME;
	if (y < v->area.y + HEAD_ROWS || row >= get_threads(v)->nr)
		return false;
	v->thread_list.selected = row;
	return true;
}

static void scroll(struct viewer *v, int rows)
{
	get_threads(v);
	list_move(&v->thread_list, rows);
}

/* Eight heights in a cell. */
static void put_height(struct screen *s, int x, int y, double share, struct ink ink)
{
	static const char *const heights[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const plain[] = { " ", ".", ".", ":", ":", "-", "=", "+", "#" };
	int n = share <= 0 ? 0 : 1 + (int)(share * 7.999);

	n = n > 8 ? 8 : n;
	screen_put(s, x, y, 1, span_of(s->can.utf8 ? heights[n] : plain[n]), ink);
}

static struct ink time_ink(const struct viewer *v)
{
	struct ink ink = INK_PLAIN;

	if (v->look.depth != TINT_NONE)
		ink.fg = tint_of_hex(color_hex(color_by_kind(COLOR_USER, SPAN("")), COLOR_LIGHT));
	return ink;
}

static void draw_time(const uint32_t *slice, int nr_cell, int x, int y, struct screen *s,
		      struct ink ink)
{
	double most = 0, *rate = xcalloc((size_t)nr_cell, sizeof(*rate));

	for (int i = 0; i < nr_cell; i++) {
		rate[i] = samples_in(slice, i, nr_cell);
		most = rate[i] > most ? rate[i] : most;
	}
	for (int i = 0; i < nr_cell; i++)
		put_height(s, x + i, y, most > 0 ? rate[i] / most : 0, ink);
	free(rate);
}

static bool is_marked(const struct viewer *v, int cell)
{
	int mark = v->time_mark < 0 ? v->time_at : v->time_mark;

	return cell >= (mark < v->time_at ? mark : v->time_at) &&
	       cell <= (mark < v->time_at ? v->time_at : mark);
}

static void draw_head(const struct viewer *v, const struct threads *t, const struct area *a,
		      struct screen *s)
{
	struct ink ink = { INK_DEFAULT, INK_DEFAULT, INK_BOLD };
	struct ink marked = { INK_DEFAULT, INK_DEFAULT, INK_REVERSE };
	struct strbuf text = { 0 };
	int nr = cells(a);

	if (t->all && nr > 0) {
		struct time_span at =
			range_of(t, v->time_at, v->time_mark < 0 ? v->time_at : v->time_mark, nr);

		draw_time(t->all, nr, a->x + TIME, a->y, s, time_ink(v));
		for (int i = 0; i < nr; i++)
			if (is_marked(v, i))
				screen_fill(s, a->x + TIME + i, a->y, 1, marked);
		strbuf_addf(&text, "%.3g to %.3g s", (double)at.begin / 1e9, (double)at.end / 1e9);
		screen_put(s, a->x + NAME, a->y, TIME - NAME - 1, strbuf_peek(&text), INK_PLAIN);
		strbuf_release(&text);
	}
	ink.style |= INK_UNDERLINE;
	screen_fill(s, a->x, a->y + 1, a->width, ink);
	screen_put(s, a->x + SHARE + 3, a->y + 1, 5, SPAN("share"), ink);
	screen_put(s, a->x + NAME, a->y + 1, NAME_WIDTH, SPAN("thread"), ink);
	screen_put(s, a->x + IDS, a->y + 1, IDS_WIDTH, SPAN("process/thread"), ink);
	screen_put(s, a->x + TIME, a->y + 1, a->width - TIME,
		   t->all ? SPAN("over time") : SPAN("(no times are known)"), ink);
}

static void draw_row(const struct viewer *v, const struct thread_row *r, const struct area *a,
		     int y, struct screen *s, struct ink ink)
{
	const struct profile *p = v->m->o.p;
	const struct thread *t = &p->thread[r->thread];
	struct span name = profile_peek(p, t->comm);
	struct strbuf ids = { 0 };

	screen_fill(s, a->x, y, a->width, ink);
	put_share(s, a->x + SHARE, y, r->sum, model_total(v->m), ink);
	screen_put(s, a->x + NAME, y, NAME_WIDTH, name.size ? name : SPAN("(no name)"), ink);
	if (t->pid != THREAD_UNKNOWN)
		strbuf_addf(&ids, "%u", t->pid);
	if (t->tid != THREAD_UNKNOWN)
		strbuf_addf(&ids, "%s%u", ids.size ? "/" : "", t->tid);
	screen_put(s, a->x + IDS, y, IDS_WIDTH, strbuf_peek(&ids), ink);
	if (r->slice && cells(a) > 0)
		draw_time(r->slice, cells(a), a->x + TIME, y, s, time_ink(v));
	strbuf_release(&ids);
}

static void draw(struct viewer *v, const struct area *a, struct screen *s)
{
	const struct threads *t = get_threads(v);
	struct list *l = &v->thread_list;

	list_show(l, a->height - HEAD_ROWS);
	if (v->time_at >= cells(a))
		v->time_at = cells(a) > 0 ? cells(a) - 1 : 0;
	draw_head(v, t, a, s);
	for (int i = 0; i + HEAD_ROWS < a->height && l->top + (size_t)i < t->nr; i++) {
		struct ink ink = INK_PLAIN;

		if (l->top + (size_t)i == l->selected)
			ink.style = INK_REVERSE;
		draw_row(v, &t->row[l->top + (size_t)i], a, a->y + HEAD_ROWS + i, s, ink);
	}
}

const struct pane_ops pane_threads = {
	.name = "Threads",
	.hints = "↑↓ threads ←→ time · v mark · Enter only that · Backspace all again",
	.move = move,
	.open = open,
	.back = back,
	.click = click,
	.scroll = scroll,
	.draw = draw,
};

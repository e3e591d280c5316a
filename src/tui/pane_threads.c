/* Threads, each with its share and when it ran; above, all of them over time. */
#include "base/alloc.h"
#include "tui/panes.h"

#include <stdlib.h>

enum { SHARE = 0, NAME = 10, NAME_WIDTH = 24, IDS = 35, IDS_WIDTH = 16, TIME = 52 };

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

static struct list *list(struct viewer *v)
{
	get_threads(v);
	return &v->thread_list;
}

static void move(struct viewer *v, enum move m)
{
	int nr = cells(&v->area);

	if (m == MOVE_LEFT && v->time_at > 0)
		v->time_at--;
	if (m == MOVE_RIGHT && v->time_at + 1 < nr)
		v->time_at++;
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

/* Where it is in the time; the row is the list's. */
static bool click(struct viewer *v, int x, int y)
{
	(void)y;
	if (x >= TIME && x < TIME + cells(&v->area))
		v->time_at = x - TIME;
	return false;
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

static struct ink time_ink(const struct viewer *v, struct ink row)
{
	return mark_ink(&v->look, color_by_kind(COLOR_USER, SPAN("")), row);
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

/* All threads over time, and what of that is marked. */
static void draw_all(const struct viewer *v, const struct threads *t, const struct area *a,
		     struct screen *s)
{
	struct ink marked = { INK_DEFAULT, INK_DEFAULT, INK_REVERSE };
	struct strbuf text = { 0 };
	int nr = cells(a);
	struct time_span at =
		range_of(t, v->time_at, v->time_mark < 0 ? v->time_at : v->time_mark, nr);

	draw_time(t->all, nr, a->x + TIME, a->y, s, time_ink(v, INK_PLAIN));
	for (int i = 0; i < nr; i++)
		if (is_marked(v, i))
			screen_fill(s, a->x + TIME + i, a->y, 1, marked);
	strbuf_addf(&text, "%.3g to %.3g s", (double)at.begin / 1e9, (double)at.end / 1e9);
	screen_put(s, a->x + NAME, a->y, TIME - NAME - 1, strbuf_peek(&text), INK_PLAIN);
	strbuf_release(&text);
}

static void draw_head(struct viewer *v, const struct area *a, struct screen *s)
{
	const struct threads *t = &v->threads;
	int y = a->y + 1;

	if (v->time_at >= cells(a))
		v->time_at = cells(a) > 0 ? cells(a) - 1 : 0;
	if (t->all && cells(a) > 0)
		draw_all(v, t, a, s);
	put_head(s, a, y);
	screen_put(s, a->x + SHARE + 3, y, 5, SPAN("share"), INK_HEAD);
	screen_put(s, a->x + NAME, y, NAME_WIDTH, SPAN("thread"), INK_HEAD);
	screen_put(s, a->x + IDS, y, IDS_WIDTH, SPAN("process/thread"), INK_HEAD);
	screen_put(s, a->x + TIME, y, a->width - TIME,
		   t->all ? SPAN("over time") : SPAN("(no times are known)"), INK_HEAD);
}

static void draw_row(struct viewer *v, size_t row, const struct area *a, struct ink ink,
		     struct screen *s)
{
	const struct thread_row *r = &v->threads.row[row];
	const struct profile *p = v->m->o.p;
	const struct thread *t = &p->thread[r->thread];
	struct span name = profile_peek(p, t->comm);
	struct strbuf ids = { 0 };

	put_share(s, a->x + SHARE, a->y, r->sum, model_total(v->m), ink);
	screen_put(s, a->x + NAME, a->y, NAME_WIDTH, name.size ? name : SPAN("(no name)"), ink);
	if (t->pid != THREAD_UNKNOWN)
		strbuf_addf(&ids, "%u", t->pid);
	if (t->tid != THREAD_UNKNOWN)
		strbuf_addf(&ids, "%s%u", ids.size ? "/" : "", t->tid);
	screen_put(s, a->x + IDS, a->y, IDS_WIDTH, strbuf_peek(&ids), ink);
	if (r->slice && cells(a) > 0)
		draw_time(r->slice, cells(a), a->x + TIME, a->y, s, time_ink(v, ink));
	strbuf_release(&ids);
}

static const struct rows_ops rows = {
	.list = list,
	.head = 2,
	.draw_head = draw_head,
	.draw_row = draw_row,
};

const struct pane_ops pane_threads = {
	.name = "Threads",
	.hints = "↑↓ threads · ←→ time · v mark · Enter only that · Backspace all again",
	.rows = &rows,
	.move = move,
	.open = open,
	.back = back,
	.click = click,
};

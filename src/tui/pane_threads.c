/* The list of threads, each with its share and a strip of when it ran; above, a strip of all. */
#include "tui/panes.h"
#include "tui/strip.h"

enum {
	SHARE = 0,
	NAME = 10,
	IDS_WIDTH = 15,
	TALL = 4,  /* rows of the strip of all threads, in a pane with ROOM */
	ROOM = 14, /* rows; in a smaller pane, the strip has one row */
	WIDE = 100,
};

/* Thread names have up to 15 characters on Linux, and more on other systems. */
static int name_width(const struct area *a)
{
	return a->width < WIDE ? 15 : 24;
}

static int ids_at(const struct area *a)
{
	return NAME + name_width(a) + 1;
}

/* The area of the strip of all threads; the strips of single threads have the same x and width. */
static struct area time_area(const struct area *a)
{
	int x = ids_at(a) + IDS_WIDTH + 1, width = a->width - x - 1;

	/* A column of dots needs at least one slice. */
	if (width > THREAD_SLICES / STRIP_COLUMNS)
		width = THREAD_SLICES / STRIP_COLUMNS;
	return (struct area){ .x = a->x + x,
			      .y = a->y,
			      .width = width < 0 ? 0 : width,
			      .height = a->height < ROOM ? 1 : TALL };
}

static struct threads *get_threads(struct viewer *v)
{
	if (!v->has_threads) {
		threads_init(&v->threads, v->m, v->base->o.p);
		v->has_threads = true;
		list_set(&v->thread_list, v->threads.nr);
	}
	return &v->threads;
}

/* The time of the cells from `from` to `to`, in either order: ns since the first sample. */
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
	int nr = time_area(&v->area).width;

	if (m == MOVE_LEFT && v->time_at > 0)
		v->time_at--;
	if (m == MOVE_RIGHT && v->time_at + 1 < nr)
		v->time_at++;
}

/* Filters by the marked range, or if none is marked, by the selected thread. */
static enum viewer_ask open(struct viewer *v)
{
	struct threads *t = get_threads(v);
	struct time_span span;

	if (v->time_mark >= 0 && t->all) {
		span = range_of(t, v->time_mark, v->time_at, time_area(&v->area).width);
		v->time_mark = -1;
		v->time_at = 0;
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

static int cell_at(const struct area *time, int x)
{
	int cell = x - time->x;

	return cell < 0 ? 0 : cell >= time->width ? time->width - 1 : cell;
}

static bool is_in(const struct area *a, int x, int y)
{
	return x >= a->x && x < a->x + a->width && y >= a->y && y < a->y + a->height;
}

/* A click on the strip of all threads begins a range; a click elsewhere is the list's. */
static bool click(struct viewer *v, int x, int y)
{
	struct area time = time_area(&v->area);

	if (!is_in(&time, x, y))
		return false;
	v->time_at = v->time_mark = cell_at(&time, x);
	return true;
}

/* The range ends where the button is released. */
static void drag(struct viewer *v, int x, int y)
{
	struct area time = time_area(&v->area);

	(void)y;
	if (is_in(&time, v->click_x, v->click_y))
		v->time_at = cell_at(&time, x);
}

static struct ink time_ink(const struct viewer *v, struct ink row)
{
	return mark_ink(&v->theme, color_by_kind(COLOR_USER, SPAN("")), row);
}

static bool is_marked(const struct viewer *v, int cell)
{
	int mark = v->time_mark < 0 ? v->time_at : v->time_mark;

	return cell >= (mark < v->time_at ? mark : v->time_at) &&
	       cell <= (mark < v->time_at ? v->time_at : mark);
}

/* The strip of all threads, with the marked range, and that range in words. */
static void draw_all(const struct viewer *v, const struct threads *t, const struct area *a,
		     struct screen *s)
{
	struct ink marked = { INK_DEFAULT, INK_DEFAULT, INK_REVERSE };
	struct strip strip = { .slice = t->all, .nr = THREAD_SLICES };
	struct area time = time_area(a);
	double most = strip_most(&strip, time.width);
	struct time_span at =
		range_of(t, v->time_at, v->time_mark < 0 ? v->time_at : v->time_mark, time.width);
	struct strbuf text = { 0 };

	for (int i = 0; i < time.width; i++)
		strip_put(&strip, i, &time, most, time_ink(v, is_marked(v, i) ? marked : INK_PLAIN),
			  s);
	narrow_add_time(&text, &at);
	screen_put(s, a->x + NAME, a->y, time.x - NAME - 1, strbuf_peek(&text), INK_PLAIN);
	strbuf_release(&text);
}

/* After a resize there may be fewer cells. */
static void keep_within(struct viewer *v, int nr_cell)
{
	int last = nr_cell > 0 ? nr_cell - 1 : 0;

	v->time_at = v->time_at > last ? last : v->time_at;
	v->time_mark = v->time_mark > last ? last : v->time_mark;
}

/*
 * The weight that reaches the top of a thread's strip: the same for all, so that they can be
 * compared.
 */
static double most_of(const struct threads *t, int nr_cell)
{
	double most = 0;

	for (size_t i = 0; i < t->nr && t->row[i].slice; i++) {
		struct strip strip = { .slice = t->row[i].slice, .nr = THREAD_SLICES };
		double here = strip_most(&strip, nr_cell);

		most = here > most ? here : most;
	}
	return most;
}

static void draw_head(struct viewer *v, const struct area *a, struct screen *s)
{
	struct threads *t = &v->threads;
	struct area time = time_area(a);
	int y = a->y + time.height;

	keep_within(v, time.width);
	t->most = most_of(t, time.width);
	if (t->all && time.width > 0)
		draw_all(v, t, a, s);
	put_head(s, a, y);
	screen_put(s, a->x + SHARE + 3, y, 5, SPAN("share"), INK_HEAD);
	screen_put(s, a->x + NAME, y, name_width(a), SPAN("thread"), INK_HEAD);
	screen_put(s, a->x + ids_at(a), y, IDS_WIDTH, SPAN("process/thread"), INK_HEAD);
	screen_put(s, time.x, y, a->width - time.x,
		   t->all ? SPAN("over time") : SPAN("(no timestamps)"), INK_HEAD);
}

static void draw_row(struct viewer *v, size_t row, const struct area *a, struct ink ink,
		     struct screen *s)
{
	const struct thread_row *r = &v->threads.row[row];
	const struct profile *p = v->m->o.p;
	const struct thread *t = &p->thread[r->thread];
	struct span name = profile_peek(p, t->comm);
	struct strip strip = { .slice = r->slice, .nr = THREAD_SLICES };
	struct area time = time_area(a);
	struct strbuf ids = { 0 };

	put_share(s, a->x + SHARE, a->y, r->sum, model_total(v->m), ink);
	screen_put(s, a->x + NAME, a->y, name_width(a), name.size ? name : SPAN("(unnamed)"), ink);
	if (t->pid != THREAD_UNKNOWN)
		strbuf_addf(&ids, "%u", t->pid);
	if (t->tid != THREAD_UNKNOWN)
		strbuf_addf(&ids, "%s%u", ids.size ? "/" : "", t->tid);
	screen_put(s, a->x + ids_at(a), a->y, IDS_WIDTH, strbuf_peek(&ids), ink);
	for (int i = 0; r->slice && i < time.width; i++)
		strip_put(&strip, i, &time, v->threads.most, time_ink(v, ink), s);
	strbuf_release(&ids);
}

static int head(const struct area *a)
{
	return time_area(a).height + 1;
}

static const struct rows_ops rows = {
	.list = list,
	.head = head,
	.draw_head = draw_head,
	.draw_row = draw_row,
};

const struct pane_ops pane_threads = {
	.name = "Threads",
	.hints = "↑↓ threads · ←→ time · v mark · Enter filter · Backspace clear",
	.rows = &rows,
	.move = move,
	.open = open,
	.back = back,
	.click = click,
	.drag = drag,
};

/* When threads ran: the dots that show it, and how a part of the time is chosen. */
#include "tui/strip.h"
#include "tui/viewer.h"

#include "span_tap.h"
#include "stacks.h"

#include <locale.h>

enum { SECOND = 1000000000 };

/* What some cells of a row show. */
static const char *cells(const struct screen *s, int x, int y, int width)
{
	static struct strbuf text;

	strbuf_reset(&text);
	for (int i = 0; i < width; i++) {
		const struct cell *c = &s->cell[y * s->width + x + i];

		strbuf_add(&text, (struct span){ c->text, c->size });
	}
	return text.at;
}

/* Two columns a cell; heights are roots of what there was. */
static void check_dots(bool utf8, const char *const *want)
{
	static const double slice[] = { 0, 0, 0, 1, 1, 4, 16, 9, 0.0001, -1 };
	struct strip strip = { .slice = slice, .nr = sizeof(slice) / sizeof(*slice) };
	struct area a = { .x = 1, .y = 0, .width = 5, .height = 2 };
	struct screen s;

	screen_init(&s, (struct screen_can){ TINT_NONE, utf8 });
	screen_resize(&s, 8, 2);
	screen_clear(&s);
	is_int((intmax_t)strip_most(&strip, a.width), 16,
	       "strip_most() finds the largest column of a strip");
	for (int i = 0; i < a.width; i++)
		strip_put(&strip, i, &a, 16, INK_PLAIN, &s);
	is_str(cells(&s, 0, 0, 7), want[0],
	       "strip_put() draws the tops of high columns in the upper row");
	is_str(cells(&s, 0, 1, 7), want[1], "strip_put() draws low columns in the lower row");
	screen_release(&s);
}

static void check_means(void)
{
	static const double slice[] = { 2, 4, 10, 20, 30 };
	struct strip strip = { .slice = slice, .nr = sizeof(slice) / sizeof(*slice) };

	is_int((intmax_t)strip_most(&strip, 1), 20,
	       "strip_most() takes the mean of three slices in a column");
	is_int((intmax_t)strip_most(&strip, 2), 25,
	       "strip_most() takes the mean where only some columns have two slices");
}

static void add_sample(struct profile *p, uint32_t tid, uint64_t time, int64_t weight)
{
	struct thread t = { .pid = 7, .tid = tid, .comm = profile_string(p, SPAN("app")) };
	struct tick k = { .time = time, .weight = weight };

	k.thread = profile_thread(p, &t);
	k.stack = stack_of(p, "main");
	profile_add(p, &k);
}

static void press(struct viewer *v, enum key_kind kind, uint32_t ch)
{
	viewer_key(v, &(struct key){ .kind = kind, .ch = ch });
}

static void mouse(struct viewer *v, enum key_mouse what, int x, int y)
{
	viewer_key(v, &(struct key){ .kind = KEY_MOUSE, .mouse = what, .x = x, .y = y });
}

/* At the left of the time of all threads: which part of it is marked. */
static const char *marked(struct viewer *v, struct screen *s)
{
	viewer_draw(v, s);
	return cells(s, 10, 1, 14);
}

static void check_rows(struct viewer *v, struct screen *s)
{
	press(v, KEY_CHAR, '5');
	is_str(marked(v, s), "0.00 to 0.27 s",
	       "'5' opens the threads pane with its first cell marked");
	is_str(cells(s, 42, 3, 4), "⡇   ",
	       "a sample of a quarter of the largest fills the lowest row of the strip");
	is_str(cells(s, 42, 1, 4), "    ",
	       "a sample of a quarter of the largest leaves the top row of the strip empty");
	is_str(cells(s, 76, 1, 3), "  ⢸", "the largest sample reaches the top row of the strip");
	is_str(cells(s, 76, 6, 3), "  ⢸",
	       "the largest sample fills the height of its thread's row");
	is_str(cells(s, 42, 7, 4), "⡄   ",
	       "a sample of a quarter of the largest fills half the height of its thread's row");
	screen_resize(s, 80, 12);
	viewer_draw(v, s);
	is_str(cells(s, 10, 2, 6), "thread",
	       "in a low window the strip of all threads has one row");
	screen_resize(s, 80, 24);
}

static void check_range(struct viewer *v, struct screen *s)
{
	press(v, KEY_CHAR, 'v');
	for (int i = 0; i < 4; i++)
		press(v, KEY_RIGHT, 0);
	is_str(marked(v, s), "0.0 to 1.4 s  ", "'v' and Right mark a range from the first cell on");
	press(v, KEY_ENTER, 0);
	is_int((intmax_t)model_total(v->m), 4, "Enter narrows the view to the marked range");
	press(v, KEY_CHAR, 'u');
	is_int((intmax_t)model_total(v->m), 32, "'u' widens a view that a marked range narrowed");
}

static void check_within(struct viewer *v, struct screen *s)
{
	for (int i = 0; i < 40; i++)
		press(v, KEY_RIGHT, 0);
	press(v, KEY_CHAR, 'v');
	for (int i = 0; i < 20; i++)
		press(v, KEY_LEFT, 0);
	press(v, KEY_ENTER, 0);
	is_str(marked(v, s), "5.00 to 5.14 s",
	       "in a narrowed view, times are those of the whole recording");
	press(v, KEY_CHAR, 'v');
	press(v, KEY_ENTER, 0);
	is_int((intmax_t)v->narrow.step[1].span.begin, 5 * (intmax_t)SECOND,
	       "a range marked in a narrowed view begins at its time in the whole recording");
	press(v, KEY_CHAR, 'u');
	press(v, KEY_CHAR, 'u');
}

static void check_drag(struct viewer *v, struct screen *s)
{
	mouse(v, MOUSE_PRESS, 78, 2);
	is_str(marked(v, s), "9.73 to 10.00 ", "a mouse press marks the cell under it");
	mouse(v, MOUSE_RELEASE, 70, 9);
	is_str(marked(v, s), "7.6 to 10.0 s ",
	       "a mouse release marks the range from the press to it");
	press(v, KEY_ENTER, 0);
	is_int((intmax_t)model_total(v->m), 16, "Enter narrows the view to the dragged range");
	press(v, KEY_CHAR, 'u');
	mouse(v, MOUSE_PRESS, 42, 1);
	mouse(v, MOUSE_RELEASE, 42, 1);
	mouse(v, MOUSE_PRESS, 42, 1);
	is_int((intmax_t)model_total(v->m), 4, "a second click narrows the view to its cell");
	press(v, KEY_CHAR, 'u');
	mouse(v, MOUSE_PRESS, 60, 7);
	is_int((intmax_t)v->thread_list.selected, 1,
	       "a click on a thread's row selects the thread");
	mouse(v, MOUSE_RELEASE, 70, 7);
	press(v, KEY_ENTER, 0);
	is_int((intmax_t)model_total(v->m), 4,
	       "Enter narrows the view to the thread that was clicked");
	press(v, KEY_CHAR, 'u');
}

static void check_pane(void)
{
	static const bool in[] = { true };
	static const char *const events[] = { "samples", NULL };
	struct model_opts o = { .nr_column = 1, .in = { in }, .unit = SPAN("samples") };
	struct profile p;
	struct model m;
	struct theme theme;
	struct viewer v;
	struct screen s;

	init_profile(&p, events);
	profile_keep_ticks(&p, 10);
	p.timed = true;
	add_sample(&p, 8, 5 * (uint64_t)SECOND, 4);
	add_sample(&p, 7, 10 * (uint64_t)SECOND, 12);
	add_sample(&p, 7, 15 * (uint64_t)SECOND - 1, 16);
	o.p = &p;
	model_init(&m, &o);
	theme_init(&theme, TINT_NONE, COLOR_DARK);
	viewer_init(&v, &m, &theme, SPAN("test"));
	screen_init(&s, (struct screen_can){ TINT_NONE, true });
	screen_resize(&s, 80, 24);
	viewer_draw(&v, &s);
	check_rows(&v, &s);
	check_range(&v, &s);
	check_within(&v, &s);
	check_drag(&v, &s);
	screen_release(&s);
	viewer_release(&v);
	model_release(&m);
	profile_release(&p);
}

/* A range of time has the part of a wait that lies in it, and the rest of the pane agrees. */
static void check_waits_in_range(struct model *m)
{
	struct time_span first = { .begin = 0, .end = 5 * (uint64_t)SECOND };
	struct theme theme;
	struct viewer v;
	struct screen s;

	theme_init(&theme, TINT_NONE, COLOR_DARK);
	viewer_init(&v, m, &theme, SPAN("test"));
	screen_init(&s, (struct screen_can){ TINT_NONE, true });
	screen_resize(&s, 80, 24);
	viewer_narrow(&v, NARROW_TIME, SPAN(""), &first);
	is_int((intmax_t)model_total(v.m), 480,
	       "a range of time has the part of a wait that lies in it");
	press(&v, KEY_CHAR, '5');
	viewer_draw(&v, &s);
	is_str(cells(&s, 76, 3, 3), "⣿⣿⣿", "a wait lasts until the end of the range");
	screen_release(&s);
	viewer_release(&v);
}

/* A wait of ten seconds, and one of the last five of them; and the same as allocations. */
static void check_waits(void)
{
	static const bool in[] = { true };
	static const char *const events[] = { "off-cpu", NULL };
	struct model_opts o = { .nr_column = 1, .in = { in }, .unit = SPAN("ns") };
	struct interval v = {
		.begin = SECOND, .end = 11 * (uint64_t)SECOND, .weight = 960, .nr = 1
	};
	struct profile p;
	struct model m;
	struct threads t;

	init_profile(&p, events);
	profile_keep_intervals(&p, 10);
	p.event[0].extent = EXTENT_SHARE;
	v.stack = stack_of(&p, "main");
	profile_add_interval(&p, &v);
	v.begin = 6 * (uint64_t)SECOND;
	profile_add_interval(&p, &v);
	o.p = &p;
	model_init(&m, &o);
	threads_init(&t, &m, &p);
	is_int((intmax_t)(t.end - t.begin), 10 * (intmax_t)SECOND - 1,
	       "a wait lasts until its end");
	is_int((intmax_t)(t.all[0] + 0.5), 1, "a wait counts in the first of its slices");
	is_int((intmax_t)(t.all[THREAD_SLICES / 2] + 0.5), 3, "two waits add up where both are");
	is_int((intmax_t)(t.row[0].slice[THREAD_SLICES - 1] + 0.5), 3,
	       "waits count in the last slice of their thread");
	threads_release(&t);
	check_waits_in_range(&m);
	p.event[0].extent = EXTENT_WHOLE;
	threads_init(&t, &m, &p);
	is_int((intmax_t)(t.all[0] + 0.5), 960, "an allocation counts when it is made");
	threads_release(&t);
	model_release(&m);
	profile_release(&p);
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	check_dots(true, (const char *const[]){ "    ⣧  ", "  ⢠⣼⣿⡀ " });
	check_dots(false, (const char *const[]){ "    #  ", "  :##. " });
	check_means();
	check_pane();
	check_waits();
	return done();
}

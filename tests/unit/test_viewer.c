/* What keys do to what is looked at: no terminal is needed for that. */
#include "tui/viewer.h"

#include "span_tap.h"
#include "stacks.h"

#include <locale.h>

static const char *const events[] = { "samples", NULL };
static const bool in[] = { true };

static void make(struct profile *p, struct model *m)
{
	struct model_opts o = { .p = p, .nr_column = 1, .in = { in }, .unit = SPAN("samples") };

	init_profile(p, events);
	add_stack(p, 0, "main;read;parse", 30);
	add_stack(p, 0, "main;read", 10);
	add_stack(p, 0, "main;write;format;parse", 20);
	add_stack(p, 0, "main;write;flush", 40);
	model_init(m, &o);
}

static enum viewer_ask press(struct viewer *v, enum key_kind kind, uint32_t ch)
{
	struct key k = { .kind = kind, .ch = ch };

	return viewer_key(v, &k);
}

static enum viewer_ask type(struct viewer *v, const char *keys)
{
	enum viewer_ask ask = ASK_NOTHING;

	for (; *keys; keys++)
		ask = *keys == '\n' ? press(v, KEY_ENTER, 0)
				    : press(v, KEY_CHAR, (unsigned char)*keys);
	return ask;
}

static struct span selected(const struct viewer *v)
{
	return theme_name(&v->theme, v->function);
}

static void check_walk(struct viewer *v)
{
	is_span(selected(v), "all", "a new viewer selects the root");
	type(v, "j");
	is_span(selected(v), "main", "'j' selects the callee");
	type(v, "j");
	is_span(selected(v), "write", "'j' selects the widest of several callees");
	type(v, "h");
	is_span(selected(v), "read", "'h' selects the box to the left");
	type(v, "l");
	is_span(selected(v), "write", "'l' selects the box to the right");
	type(v, "l");
	is_span(selected(v), "write", "'l' at the rightmost box keeps it selected");
	type(v, "k");
	is_span(selected(v), "main", "'k' selects the caller");
	press(v, KEY_END, 0);
	is_span(selected(v), "flush", "End selects the leaf of the widest path");
	type(v, "g");
	is_span(selected(v), "all", "'g' selects the root");
}

static void check_zoom(struct viewer *v)
{
	type(v, "jjh\n");
	is_span(theme_name(&v->theme, graph_box(v->flame.g, v->flame.zoom)->label), "read",
		"Enter zooms into the selected box");
	type(v, "l");
	is_span(selected(v), "read", "'l' does not leave the box that is zoomed into");
	press(v, KEY_ESCAPE, 0);
	is_int(v->flame.zoom, graph_root(v->flame.g), "Esc zooms out");
	type(v, "l");
	is_span(selected(v), "write", "'l' selects the box to the right after Esc has zoomed out");
	type(v, "\nj\n0");
	is_int(v->flame.zoom, graph_root(v->flame.g), "'0' zooms out of two boxes at once");
	type(v, "g");
}

static void check_search(struct viewer *v)
{
	type(v, "/par");
	is_int(v->prompt, PROMPT_SEARCH, "'/' opens the search prompt");
	is_int((intmax_t)v->found, 50,
	       "the weight of all hits is known while the pattern is typed");
	type(v, "se\n");
	is_span(selected(v), "parse", "Enter in the search prompt selects a hit");
	is_int(v->flame.selected,
	       graph_find(v->flame.g, graph_box(v->flame.g, v->flame.selected)->depth, 10),
	       "Enter in the search prompt selects the hit closest to the root");
	type(v, "n");
	is_int(graph_box(v->flame.g, v->flame.selected)->depth, 4, "'n' selects the next hit");
	type(v, "n");
	is_int(graph_box(v->flame.g, v->flame.selected)->depth, 3,
	       "'n' wraps around from the last hit to the first");
	type(v, "N");
	is_int(graph_box(v->flame.g, v->flame.selected)->depth, 4,
	       "'N' wraps around from the first hit to the last");
	type(v, "/(");
	ok(v->message.size > 0, "an invalid pattern sets a message while it is typed");
	type(v, "\n");
	ok(v->message.size > 0 && v->prompt == PROMPT_NONE,
	   "an invalid pattern sets a message when Enter closes the prompt");
	type(v, "/(");
	press(v, KEY_BACKSPACE, 0);
	press(v, KEY_ESCAPE, 0);
	ok(!v->hit, "Esc in the search prompt leaves no hits");
	type(v, "/write|parse\n");
	is_int((intmax_t)v->found, 90, "a hit within another hit counts once");
	press(v, KEY_ESCAPE, 0);
	type(v, "g/nothing\n");
	is_int((intmax_t)v->found, 0, "a pattern without a match has hits of no weight");
	press(v, KEY_ESCAPE, 0);
	type(v, "jj#");
	is_int((intmax_t)v->found, 60, "'#' searches for the name of the selected function");
	press(v, KEY_ESCAPE, 0);
	type(v, "g");
}

static void check_panes(struct viewer *v)
{
	type(v, "2");
	is_int(v->pane, PANE_TABLE, "'2' shows the table");
	is_span(selected(v), "parse",
		"the table selects the function of its selected row if the root was selected");
	type(v, "jj");
	press(v, KEY_HOME, 0);
	is_span(selected(v), "parse",
		"Home in the table selects the function with the largest self");
	type(v, "j");
	is_span(selected(v), "flush",
		"'j' in the table selects the function with the next largest self");
	press(v, KEY_RIGHT, 0);
	is_span(selected(v), "flush", "Right in the table keeps the function selected");
	is_int((intmax_t)v->table.selected, 3,
	       "Right sorts the table by total, and the selected row moves");
	press(v, KEY_LEFT, 0);
	is_int((intmax_t)v->table.selected, 1,
	       "Left sorts the table by self, and the selected row moves back");
	press(v, KEY_TAB, 0);
	is_int(v->pane, PANE_SANDWICH, "Tab shows the next pane");
	is_int((intmax_t)v->sandwich.label, v->function,
	       "the sandwich shows the function that was selected in the table");
	type(v, "k");
	is_span(selected(v), "write", "'k' in the sandwich selects a caller");
	type(v, "\n");
	is_int(v->sandwich.label, v->function,
	       "Enter in the sandwich moves the selected function to the middle");
	type(v, "jh");
	is_span(selected(v), "flush", "'j' in the sandwich selects a callee, and 'h' the heaviest");
	press(v, KEY_BACKTAB, 0);
	is_int(v->pane, PANE_TABLE, "Shift-Tab shows the previous pane");
	type(v, "\n");
	is_int(v->pane, PANE_FLAME, "Enter in the table shows the flame graph");
	is_span(selected(v), "flush", "Enter in the table selects its function in the flame graph");
	type(v, "0g");
	press(v, KEY_FUNCTION, 5);
	is_int(v->pane, PANE_THREADS, "F5 shows the fifth pane");
	type(v, "1");
}

static void check_reverse(struct viewer *v)
{
	type(v, "r");
	is_int(v->direction, MODEL_REVERSE, "'r' reverses the flame graph");
	type(v, "gj");
	is_span(selected(v), "parse",
		"'j' at the root of the reversed graph selects the heaviest leaf");
	type(v, "j");
	is_span(selected(v), "read",
		"'j' at a leaf of the reversed graph selects its heaviest caller");
	type(v, "r");
	is_int(v->direction, MODEL_FORWARD,
	       "'r' in the reversed graph shows the forward one again");
	type(v, "gij");
	is_span(selected(v), "all", "'j' at the root of a flipped graph does not select a callee");
	type(v, "kig");
}

static void check_part(struct viewer *v)
{
	type(v, "jjhf");
	is_int((intmax_t)model_total(v->m), 40,
	       "'f' keeps only the stacks with the selected function");
	is_span(selected(v), "read", "'f' leaves its function selected");
	ok(viewer_part(v) != NULL, "'f' makes a filtered profile");
	press(v, KEY_BACKSPACE, 0);
	is_int((intmax_t)model_total(v->m), 100, "Backspace removes the filter of 'f'");
	is_span(selected(v), "read", "Backspace leaves the function of the filter selected");
	type(v, "x");
	is_int((intmax_t)model_total(v->m), 100,
	       "'x' hides the selected function without a change of the total");
	is_span(selected(v), "main", "'x' selects the caller of the function that it hides");
	type(v, "u");
	ok(!viewer_part(v), "'u' removes the filter of 'x'");
	type(v, "0g");
}

/* A sample of a thread, whose last frame is in a module, or in the kernel. */
static void add_sample(struct profile *p, uint32_t tid, const char *callers, const char *module,
		       enum frame_kind kind, int64_t weight)
{
	struct thread t = { .pid = 7, .tid = tid, .comm = profile_string(p, SPAN("app")) };
	struct line line = { .function = profile_string(p, SPAN("leaf")) };
	struct frame leaf = { .kind = kind, .line = &line, .nr_line = 1 };
	struct tick sample = { .weight = weight };

	leaf.module = profile_module(p, span_of(module), SPAN(""));
	sample.thread = profile_thread(p, &t);
	sample.stack = profile_push(p, stack_of(p, callers), profile_frame(p, &leaf));
	profile_add(p, &sample);
}

static void check_limits(const struct theme *theme)
{
	struct model_opts o = { .nr_column = 1, .in = { in }, .unit = SPAN("samples") };
	struct profile p;
	struct model m;
	struct viewer v;

	init_profile(&p, events);
	add_sample(&p, 7, "main;left", "/lib/libc.so", FRAME_USER, 10);
	add_sample(&p, 7, "main", "/bin/app", FRAME_USER, 5);
	add_sample(&p, 8, "main;right", "/bin/app", FRAME_USER, 20);
	add_sample(&p, 8, "main;right", "", FRAME_KERNEL, 40);
	o.p = &p;
	model_init(&m, &o);
	viewer_init(&v, &m, theme, SPAN("test"));
	type(&v, "d");
	ok(v.message.size && !viewer_part(&v),
	   "'d' at the root shows a message and adds no filter");
	type(&v, "/left\nt");
	is_int((intmax_t)model_total(v.m), 15,
	       "'t' keeps only the thread with most of the selected function");
	is_str(v.narrow.step[0].text.at, "app-7/7", "'t' filters by thread, not by process");
	type(&v, "jd");
	is_int((intmax_t)model_total(v.m), 10,
	       "'d' keeps only samples whose leaf is in the module of the selected function");
	type(&v, "t");
	is_int((intmax_t)model_total(v.m), 10,
	       "a second 't' leaves the samples of the module filter");
	is_int((intmax_t)v.narrow.nr, 1,
	       "a second 't' removes the thread filter but not the module filter");
	type(&v, "d");
	ok(!viewer_part(&v), "a second 'd' removes the module filter");
	type(&v, "K");
	is_int((intmax_t)model_total(v.m), 40,
	       "'K' keeps only samples whose leaf is in the kernel");
	type(&v, "K");
	ok(!viewer_part(&v), "a second 'K' removes the kernel filter");
	viewer_release(&v);
	model_release(&m);
	profile_release(&p);
}

static void check_sort(struct viewer *v)
{
	type(v, "gjjh");
	is_span(selected(v), "read", "boxes sorted by name may have a lighter one first");
	type(v, "s");
	is_span(selected(v), "read", "'s' in the flame graph keeps the selected box");
	type(v, "h");
	is_span(selected(v), "write",
		"'s' in the flame graph sorts boxes by width: the heavier one is on the left");
	type(v, "s2s");
	is_int(v->table_order, MODEL_BY_TOTAL, "'s' in the table sorts it by total");
	type(v, "sS");
	is_int(v->pane, PANE_SANDWICH, "'S' shows the sandwich");
	type(v, "10g");
}

/* What a row of the screen shows. */
static const char *row_of(const struct screen *s, int y)
{
	static struct strbuf text;

	strbuf_reset(&text);
	for (int x = 0; x < s->width; x++) {
		const struct cell *c = &s->cell[y * s->width + x];

		strbuf_add(&text, (struct span){ c->text, c->size });
	}
	return text.at;
}

static bool shows(const struct screen *s, const char *text)
{
	for (int y = 0; y < s->height; y++)
		if (strstr(row_of(s, y), text))
			return true;
	return false;
}

/* What is said below is whole, or not there. */
static void check_hints(struct viewer *v, struct screen *s)
{
	static const int widths[] = { 20, 45, 80 };

	for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
		screen_resize(s, widths[i], 24);
		viewer_draw(v, s);
		ok(strstr(row_of(s, 23), "q quit · ? help"),
		   "the last row shows how to quit and to get help at any width");
		ok(!strstr(row_of(s, 23), "move") == (widths[i] < 45) &&
			   !strstr(row_of(s, 23), "Enter z") ==
				   !strstr(row_of(s, 23), "Enter zoom"),
		   "the last row shows as many whole hints as fit");
	}
}

/* A name that does not fit in three cells is no name there; one that does is. */
static void check_bad_pattern(struct viewer *v, struct screen *s)
{
	screen_resize(s, 80, 24);
	type(v, "/pa(");
	viewer_draw(v, s);
	like(row_of(s, 23), "/pa\\(  .*parenthesis",
	     "an invalid pattern is reported while it is typed");
	press(v, KEY_BACKSPACE, 0);
	viewer_draw(v, s);
	ok(!strstr(row_of(s, 23), "parenthesis"),
	   "a valid pattern is not reported while it is typed");
	press(v, KEY_ESCAPE, 0);
}

static void check_labels(struct viewer *v, struct screen *s)
{
	struct model_opts o = v->m->o;
	struct profile p;
	struct model m;
	struct viewer w;

	init_profile(&p, events);
	add_stack(&p, 0, "longer", 4);
	add_stack(&p, 0, "run", 4);
	add_stack(&p, 0, "wider", 72);
	o.p = &p;
	model_init(&m, &o);
	screen_resize(s, 80, 24);
	viewer_init(&w, &m, &v->theme, SPAN("test"));
	viewer_draw(&w, s);
	ok(shows(s, "run"), "a short name is shown where it fits");
	ok(!shows(s, "l…"), "a long name is not shown where only its first letter fits");
	viewer_release(&w);
	model_release(&m);
	profile_release(&p);
}

/* The heaviest row has the longest bar, and names are not over it. */
static void check_table(struct viewer *v, struct screen *s)
{
	struct key k = { .kind = KEY_MOUSE, .mouse = MOUSE_PRESS, .x = 40, .y = 3 };

	type(v, "2");
	viewer_draw(v, s);
	ok(strstr(row_of(s, 2), "50.0") && strstr(row_of(s, 2), "% ████████████  parse"),
	   "the heaviest row of the table has a full bar");
	ok(strstr(row_of(s, 3), "% █████████▋    flush"),
	   "a lighter row of the table has a bar in proportion to the heaviest");
	viewer_key(v, &k);
	is_span(selected(v), "flush", "a click in the table selects a row");
	k.y = 20;
	viewer_key(v, &k);
	is_span(selected(v), "flush", "a click below the rows of the table selects nothing else");
	k.mouse = MOUSE_WHEEL_DOWN;
	viewer_key(v, &k);
	is_span(selected(v), "write", "the mouse wheel in the table selects the next row");
	type(v, "10g");
}

static void check_help(struct viewer *v, struct screen *s)
{
	type(v, "?");
	viewer_draw(v, s);
	ok(shows(s, "Enter: instructions "),
	   "the help in a window of 80 columns shows whole lines");
	type(v, "j");
	ok(!v->help, "'j' closes a help that fits the window");
	screen_resize(s, 60, 10);
	type(v, "?");
	viewer_draw(v, s);
	ok(!shows(s, "quit;") && shows(s, "more"),
	   "the help in a small window shows 'more' instead of its last lines");
	press(v, KEY_END, 0);
	viewer_draw(v, s);
	ok(shows(s, "quit;") && !shows(s, "more"),
	   "End scrolls the help in a small window to its last line");
	type(v, "k");
	viewer_draw(v, s);
	ok(v->help && !shows(s, "quit;"), "'k' scrolls the help in a small window up again");
	type(v, "q");
	ok(!v->help, "a key that does not scroll closes the help in a small window");
	screen_resize(s, 80, 24);
}

static void check_no_color(void)
{
	struct model_opts o = { .nr_column = 1, .in = { in }, .unit = SPAN("samples") };
	struct profile p;
	struct model m;
	struct screen s;
	struct theme theme;
	struct viewer v;

	init_profile(&p, events);
	add_stack(&p, 0, "main;aaaa;bbbb", 10);
	add_stack(&p, 0, "main;cccc", 10);
	o.p = &p;
	model_init(&m, &o);
	theme_init(&theme, TINT_NONE, COLOR_DARK);
	screen_init(&s, (struct screen_can){ TINT_NONE, true });
	screen_resize(&s, 40, 10);
	viewer_init(&v, &m, &theme, SPAN("test"));
	viewer_draw(&v, &s);
	is_str(row_of(&s, 4), "▏bbbb               ▏                   ",
	       "a box without colors has a line where it ends");
	viewer_release(&v);
	screen_release(&s);
	model_release(&m);
	profile_release(&p);
}

static void check_asking(struct viewer *v)
{
	is_int(type(v, "w\n"), ASK_WRITE, "'w' and Enter request to write a file");
	is_str(v->said.at, "flamegraph.svg", "'w' proposes flamegraph.svg as the name of the file");
	type(v, "w");
	press(v, KEY_ESCAPE, 0);
	is_int(v->prompt, PROMPT_NONE, "Esc closes the prompt of 'w'");
	type(v, "jj");
	is_int(type(v, "y"), ASK_COPY, "'y' requests to copy");
	is_str(v->said.at, "write", "'y' copies the name of the selected function");
	is_int(type(v, "Y"), ASK_COPY, "'Y' requests to copy");
	is_str(v->said.at, "main\nwrite\n", "'Y' copies the stack of the selected box");
	is_int(type(v, "q"), ASK_QUIT, "'q' requests to quit");
	is_int(type(v, "z"), ASK_NOTHING, "'z' has no effect without a live recording");
	v->live = true;
	is_int(type(v, "z"), ASK_FREEZE, "'z' requests to freeze a live recording");
	ok(v->frozen, "'z' freezes a live recording");
	is_int(type(v, "z"), ASK_FREEZE, "a second 'z' requests to resume a live recording");
	ok(!v->frozen, "a second 'z' resumes a live recording");
	is_int(type(v, "R"), ASK_RESET, "'R' requests to reset a live recording");
	press(v, KEY_PASTE, 0);
	is_int(type(v, "q"), ASK_NOTHING, "a pasted 'q' is not a command");
	press(v, KEY_PASTE_END, 0);
	type(v, "?");
	ok(v->help, "'?' shows the help");
	is_int(type(v, "q"), ASK_NOTHING, "'q' does not quit while the help is shown");
	ok(!v->help, "'q' closes the help");
	type(v, "g");
}

static void check_mouse(struct viewer *v, struct screen *s)
{
	struct key k = { .kind = KEY_MOUSE, .mouse = MOUSE_PRESS, .x = 5, .y = 3 };

	viewer_draw(v, s);
	viewer_key(v, &k);
	is_span(selected(v), "read", "a click in the flame graph selects a box");
	is_int(v->flame.zoom, graph_root(v->flame.g), "a first click on a box does not zoom");
	viewer_key(v, &k);
	is_span(theme_name(&v->theme, graph_box(v->flame.g, v->flame.zoom)->label), "read",
		"a second click on a box zooms into it");
	k.x = v->tab[1] + 1;
	k.y = 0;
	viewer_key(v, &k);
	is_int(v->pane, PANE_TABLE, "a click on the name of a pane shows the pane");
	type(v, "10g");
}

/* The recording went on. */
static void check_update(struct viewer *v, struct screen *s)
{
	struct model_opts o = v->m->o;
	struct profile p;
	struct model m;

	type(v, "jjh\n");
	init_profile(&p, events);
	add_stack(&p, 0, "idle", 500);
	add_stack(&p, 0, "main;read;parse", 60);
	o.p = &p;
	model_init(&m, &o);
	viewer_update(v, &m);
	is_span(selected(v), "read", "an update with other samples keeps the selection");
	is_span(theme_name(&v->theme, graph_box(v->flame.g, v->flame.zoom)->label), "read",
		"an update with other samples keeps the zoom");
	for (int i = 0; i < NR_PANES; i++) {
		press(v, KEY_FUNCTION, (uint32_t)i + 1);
		viewer_draw(v, s);
	}
	viewer_release(v);
	model_release(&m);
	profile_release(&p);
}

int main(void)
{
	struct profile p;
	struct model m;
	struct screen s;
	struct viewer v;
	struct theme theme;

	setlocale(LC_CTYPE, "C.UTF-8");
	make(&p, &m);
	theme_init(&theme, TINT_TRUE, COLOR_DARK);
	screen_init(&s, (struct screen_can){ TINT_TRUE, true });
	screen_resize(&s, 80, 24);
	viewer_init(&v, &m, &theme, SPAN("test"));
	viewer_draw(&v, &s);
	check_walk(&v);
	check_zoom(&v);
	check_search(&v);
	check_panes(&v);
	check_reverse(&v);
	check_part(&v);
	check_sort(&v);
	check_limits(&theme);
	check_asking(&v);
	check_help(&v, &s);
	check_hints(&v, &s);
	check_bad_pattern(&v, &s);
	check_labels(&v, &s);
	check_table(&v, &s);
	check_mouse(&v, &s);
	check_no_color();
	for (int height = 1; height < 12; height++) {
		char what[64];
		int nr_blank = 0;

		screen_resize(&s, height * 2, height);
		viewer_draw(&v, &s);
		for (int y = 0; y < height; y++)
			nr_blank += !row_of(&s, y)[strspn(row_of(&s, y), " ")];
		snprintf(what, sizeof(what), "a screen of %d rows shows something", height);
		ok(nr_blank < height, what);
	}
	check_update(&v, &s);
	screen_release(&s);
	model_release(&m);
	profile_release(&p);
	return done();
}

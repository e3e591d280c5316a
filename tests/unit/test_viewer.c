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
	is_span(selected(v), "all", "one begins at everything");
	type(v, "j");
	is_span(selected(v), "main", "down is to what is called");
	type(v, "j");
	is_span(selected(v), "write", "to the widest of them");
	type(v, "h");
	is_span(selected(v), "read", "left is what is beside it");
	type(v, "l");
	is_span(selected(v), "write", "and right");
	type(v, "l");
	is_span(selected(v), "write", "there is an end");
	type(v, "k");
	is_span(selected(v), "main", "up is to the caller");
	press(v, KEY_END, 0);
	is_span(selected(v), "flush", "down the widest way to the end");
	type(v, "g");
	is_span(selected(v), "all", "and back");
}

static void check_zoom(struct viewer *v)
{
	type(v, "jjh\n");
	is_span(theme_name(&v->theme, graph_box(v->flame.g, v->flame.zoom)->label), "read",
		"Enter zooms in");
	type(v, "l");
	is_span(selected(v), "read", "beside what is zoomed to is nothing");
	press(v, KEY_ESCAPE, 0);
	is_int(v->flame.zoom, graph_root(v->flame.g), "Esc goes back");
	type(v, "l");
	is_span(selected(v), "write", "and there is more to see");
	type(v, "\nj\n0");
	is_int(v->flame.zoom, graph_root(v->flame.g), "0 goes all the way back");
	type(v, "g");
}

static void check_search(struct viewer *v)
{
	type(v, "/par");
	is_int(v->prompt, PROMPT_SEARCH, "what is typed is a pattern");
	is_int((intmax_t)v->found, 50, "what it finds shows while it is typed");
	type(v, "se\n");
	is_span(selected(v), "parse", "Enter goes to the first");
	is_int(v->flame.selected,
	       graph_find(v->flame.g, graph_box(v->flame.g, v->flame.selected)->depth, 10),
	       "by rows");
	type(v, "n");
	is_int(graph_box(v->flame.g, v->flame.selected)->depth, 4, "n to the next");
	type(v, "n");
	is_int(graph_box(v->flame.g, v->flame.selected)->depth, 3,
	       "and from the last to the first");
	type(v, "N");
	is_int(graph_box(v->flame.g, v->flame.selected)->depth, 4, "N to the one before");
	type(v, "/(");
	ok(v->message.size > 0, "what is no pattern is told");
	type(v, "\n");
	ok(v->message.size > 0 && v->prompt == PROMPT_NONE, "also when the line is free for it");
	type(v, "/(");
	press(v, KEY_BACKSPACE, 0);
	press(v, KEY_ESCAPE, 0);
	ok(!v->hit, "Esc ends it");
	type(v, "/write|parse\n");
	is_int((intmax_t)v->found, 90, "what is within another hit counts once");
	press(v, KEY_ESCAPE, 0);
	type(v, "g/nothing\n");
	is_int((intmax_t)v->found, 0, "what is not there is not found");
	press(v, KEY_ESCAPE, 0);
	type(v, "jj#");
	is_int((intmax_t)v->found, 60, "# looks for this name");
	press(v, KEY_ESCAPE, 0);
	type(v, "g");
}

static void check_panes(struct viewer *v)
{
	type(v, "2");
	is_int(v->pane, PANE_TABLE, "a number is a pane");
	is_span(selected(v), "parse", "where the row that is seen as selected is");
	type(v, "jj");
	press(v, KEY_HOME, 0);
	is_span(selected(v), "parse", "the heaviest function is the first");
	type(v, "j");
	is_span(selected(v), "flush", "then the next");
	press(v, KEY_RIGHT, 0);
	is_span(selected(v), "flush", "which stays selected when they are sorted by total");
	is_int((intmax_t)v->table.selected, 3, "where it is elsewhere");
	press(v, KEY_LEFT, 0);
	is_int((intmax_t)v->table.selected, 1, "and back");
	press(v, KEY_TAB, 0);
	is_int(v->pane, PANE_SANDWICH, "Tab is the next pane");
	is_int((intmax_t)v->sandwich.label, v->function, "with the same function in it");
	type(v, "k");
	is_span(selected(v), "write", "up is to its caller");
	type(v, "\n");
	is_int(v->sandwich.label, v->function, "which Enter puts into the middle");
	type(v, "jh");
	is_span(selected(v), "flush", "down is what it calls, the heaviest first");
	press(v, KEY_BACKTAB, 0);
	is_int(v->pane, PANE_TABLE, "Shift-Tab is the one before");
	type(v, "\n");
	is_int(v->pane, PANE_FLAME, "Enter shows it in the flame graph");
	is_span(selected(v), "flush", "where it is selected");
	type(v, "0g");
	press(v, KEY_FUNCTION, 5);
	is_int(v->pane, PANE_THREADS, "F5 is the fifth pane");
	type(v, "1");
}

static void check_reverse(struct viewer *v)
{
	type(v, "r");
	is_int(v->direction, MODEL_REVERSE, "r looks from the leaves");
	type(v, "gj");
	is_span(selected(v), "parse", "the heaviest leaf is the first");
	type(v, "j");
	is_span(selected(v), "read", "and who calls it most");
	type(v, "r");
	is_int(v->direction, MODEL_FORWARD, "and back");
	type(v, "gij");
	is_span(selected(v), "all", "upside down, down is to the caller");
	type(v, "kig");
}

static void check_part(struct viewer *v)
{
	type(v, "jjhf");
	is_int((intmax_t)model_total(v->m), 40, "f: only what has this function");
	is_span(selected(v), "read", "which stays selected");
	ok(viewer_part(v) != NULL, "it is a part");
	press(v, KEY_BACKSPACE, 0);
	is_int((intmax_t)model_total(v->m), 100, "Backspace is all again");
	is_span(selected(v), "read", "at the same place");
	type(v, "x");
	is_int((intmax_t)model_total(v->m), 100, "x: what a function costs is its caller's");
	is_span(selected(v), "main", "who is gone is not selected: its caller is");
	type(v, "u");
	ok(!viewer_part(v), "u takes it back");
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
	ok(v.message.size && !viewer_part(&v), "everything is in no module");
	type(&v, "/left\nt");
	is_int((intmax_t)model_total(v.m), 15, "t: only the thread that took most of it");
	is_str(v.narrow.step[0].text.at, "app-7/7", "and not all of its process");
	type(&v, "jd");
	is_int((intmax_t)model_total(v.m), 10, "d: only what ended in its module");
	type(&v, "t");
	is_int((intmax_t)model_total(v.m), 10, "t again: all threads");
	is_int((intmax_t)v.narrow.nr, 1, "and the module stays");
	type(&v, "d");
	ok(!viewer_part(&v), "d again: all modules");
	type(&v, "K");
	is_int((intmax_t)model_total(v.m), 40, "K: only what ended in the kernel");
	type(&v, "K");
	ok(!viewer_part(&v), "and all again");
	viewer_release(&v);
	model_release(&m);
	profile_release(&p);
}

static void check_sort(struct viewer *v)
{
	type(v, "gjjh");
	is_span(selected(v), "read", "by name, what is lighter may be the first");
	type(v, "s");
	is_span(selected(v), "read", "s: sorted otherwise, the same is selected");
	type(v, "h");
	is_span(selected(v), "write", "where the heavier one is before it");
	type(v, "s2s");
	is_int(v->table_order, MODEL_BY_TOTAL, "in the table, it sorts that");
	type(v, "sS");
	is_int(v->pane, PANE_SANDWICH, "S is the sandwich");
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
		ok(strstr(row_of(s, 23), "q quit · ? help"), "hints");
		ok(!strstr(row_of(s, 23), "move") == (widths[i] < 45) &&
			   !strstr(row_of(s, 23), "Enter z") ==
				   !strstr(row_of(s, 23), "Enter zoom"),
		   "as many as there is room for");
	}
}

/* A name that does not fit in three cells is no name there; one that does is. */
static void check_bad_pattern(struct viewer *v, struct screen *s)
{
	screen_resize(s, 80, 24);
	type(v, "/pa(");
	viewer_draw(v, s);
	like(row_of(s, 23), "/pa\\(  .*parenthesis", "a bad pattern is reported while it is typed");
	press(v, KEY_BACKSPACE, 0);
	viewer_draw(v, s);
	ok(!strstr(row_of(s, 23), "parenthesis"), "a good one is not");
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
	ok(!shows(s, "l…"), "what would be left of a long one is not");
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
	   "the heaviest row has a whole bar");
	ok(strstr(row_of(s, 3), "% █████████▋    flush"), "and others as much of it as they took");
	viewer_key(v, &k);
	is_span(selected(v), "flush", "a click selects a row");
	k.y = 20;
	viewer_key(v, &k);
	is_span(selected(v), "flush", "and none where there is none");
	k.mouse = MOUSE_WHEEL_DOWN;
	viewer_key(v, &k);
	is_span(selected(v), "write", "the wheel goes through them");
	type(v, "10g");
}

static void check_help(struct viewer *v, struct screen *s)
{
	type(v, "?");
	viewer_draw(v, s);
	ok(shows(s, "Enter: instructions "), "the box has room for its lines");
	type(v, "j");
	ok(!v->help, "and is no list to walk through");
	screen_resize(s, 60, 10);
	type(v, "?");
	viewer_draw(v, s);
	ok(!shows(s, "quit;") && shows(s, "more"), "a small one has not");
	press(v, KEY_END, 0);
	viewer_draw(v, s);
	ok(shows(s, "quit;") && !shows(s, "more"), "but can be walked through");
	type(v, "k");
	viewer_draw(v, s);
	ok(v->help && !shows(s, "quit;"), "and back");
	type(v, "q");
	ok(!v->help, "till another key");
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
	       "without colors, what ends has a line there");
	viewer_release(&v);
	screen_release(&s);
	model_release(&m);
	profile_release(&p);
}

static void check_asking(struct viewer *v)
{
	is_int(type(v, "w\n"), ASK_WRITE, "w writes");
	is_str(v->said.at, "flamegraph.svg", "to a file that has a name");
	type(v, "w");
	press(v, KEY_ESCAPE, 0);
	is_int(v->prompt, PROMPT_NONE, "or not");
	type(v, "jj");
	is_int(type(v, "y"), ASK_COPY, "y copies");
	is_str(v->said.at, "write", "the name");
	is_int(type(v, "Y"), ASK_COPY, "Y copies");
	is_str(v->said.at, "main\nwrite\n", "the stack");
	is_int(type(v, "q"), ASK_QUIT, "q ends it");
	is_int(type(v, "z"), ASK_NOTHING, "what is no recording cannot be frozen");
	v->live = true;
	is_int(type(v, "z"), ASK_FREEZE, "what lasts can");
	ok(v->frozen, "and is");
	is_int(type(v, "z"), ASK_FREEZE, "again, and");
	ok(!v->frozen, "it goes on");
	is_int(type(v, "R"), ASK_RESET, "or begins anew");
	press(v, KEY_PASTE, 0);
	is_int(type(v, "q"), ASK_NOTHING, "what is pasted is no command");
	press(v, KEY_PASTE_END, 0);
	type(v, "?");
	ok(v->help, "? helps");
	is_int(type(v, "q"), ASK_NOTHING, "the next key takes that away, and does no more");
	ok(!v->help, "and it is gone");
	type(v, "g");
}

static void check_mouse(struct viewer *v, struct screen *s)
{
	struct key k = { .kind = KEY_MOUSE, .mouse = MOUSE_PRESS, .x = 5, .y = 3 };

	viewer_draw(v, s);
	viewer_key(v, &k);
	is_span(selected(v), "read", "a click selects");
	is_int(v->flame.zoom, graph_root(v->flame.g), "and does not zoom");
	viewer_key(v, &k);
	is_span(theme_name(&v->theme, graph_box(v->flame.g, v->flame.zoom)->label), "read",
		"a second one does");
	k.x = v->tab[1] + 1;
	k.y = 0;
	viewer_key(v, &k);
	is_int(v->pane, PANE_TABLE, "a click on its name shows a pane");
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
	is_span(selected(v), "read", "what was selected still is");
	is_span(theme_name(&v->theme, graph_box(v->flame.g, v->flame.zoom)->label), "read",
		"and what was zoomed to");
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

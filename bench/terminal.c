/*
 * What a frame of the terminal view costs: a call tree is drawn again and again, all of
 * it and zoomed, with and without a search, and everything is sent each time.
 *
 *     build/bench_terminal FILE.folded [COLUMNS [ROWS]]
 *
 * Prints a line a view: the least and the middle time of the processor, in ms, and bytes that
 * the terminal is sent.
 */
#include "base/alloc.h"
#include "cmd/view/terminal_view.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FRAMES = 101 };

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void measure(const char *what, struct viewer *v, struct screen *s)
{
	struct strbuf out = { 0 };
	double ms[FRAMES];

	for (size_t i = 0; i < FRAMES; i++) {
		double begin = cpu_ms();

		strbuf_reset(&out);
		screen_forget(s);
		viewer_draw(v, s);
		screen_send(s, &out);
		ms[i] = cpu_ms() - begin;
	}
	qsort(ms, FRAMES, sizeof(*ms), by_value);
	printf("%-24s %6.2f %6.2f %8zu\n", what, ms[0], ms[FRAMES / 2], out.size);
	strbuf_release(&out);
}

static void type(struct viewer *v, const char *keys)
{
	for (; *keys; keys++) {
		struct key k = { .kind = *keys == '\n' ? KEY_ENTER : KEY_CHAR,
				 .ch = *keys == '\n' ? 0 : (uint32_t)*keys };

		viewer_key(v, &k);
	}
}

static void measure_all(struct model *m, int width, int height)
{
	struct screen s;
	struct viewer v;
	struct theme theme;

	theme_init(&theme, TINT_TRUE, COLOR_DARK);
	screen_init(&s, (struct screen_can){ TINT_TRUE, true });
	screen_resize(&s, width, height);
	viewer_init(&v, m, &theme, SPAN("bench"));
	printf("%zu boxes, %d x %d cells: ms least, middle; bytes\n", v.flame.g->layout.nr, width,
	       height);
	measure("flame", &v, &s);
	type(&v, "/std\n");
	measure("flame, searching", &v, &s);
	type(&v, "gjjjj\n");
	measure("flame, zoomed", &v, &s);
	type(&v, "r");
	measure("reverse", &v, &s);
	type(&v, "2");
	measure("table", &v, &s);
	type(&v, "3");
	measure("sandwich", &v, &s);
	type(&v, "5");
	measure("threads", &v, &s);
	viewer_release(&v);
	screen_release(&s);
}

int main(int argc, char **argv)
{
	struct load_opts o = { .nr_file = 1, .read = { .threads = 1 } };
	struct choose_opts choose = { 0 };
	const char *file = argc > 1 ? argv[1] : "-";
	struct load_result r;
	struct model_opts mo;
	struct error e = ERROR_INIT;
	struct chosen c;
	struct model m;

	setlocale(LC_CTYPE, "C.UTF-8");
	o.file = &file;
	if (load(&o, &r, &e) || choose_events(&choose, &r.p, &r.hints, &c, &e)) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	mo = model_chosen(&r.p, &c);
	model_init(&m, &mo);
	measure_all(&m, argc > 2 ? atoi(argv[2]) : 200, argc > 3 ? atoi(argv[3]) : 60);
	model_release(&m);
	chosen_release(&c);
	load_release(&r);
	return 0;
}

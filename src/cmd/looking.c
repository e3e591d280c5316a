#include "cmd/looking.h"

#include "cmd/flame.h"
#include "cmd/outputs.h"
#include "profile/spelling.h"

#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

/* What the environment says */

static bool is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
	}
	return false;
}

/* "15;0": the last number is the background's; 7 and what is past 8 are light. */
static bool is_light(void)
{
	const char *value = getenv("COLORFGBG"), *last = value ? strrchr(value, ';') : NULL;
	uint64_t color;

	return last && span_u64(span_of(last + 1), &color) && (color == 7 || color > 8);
}

static enum tint_depth depth_of(const struct looking_opts *o)
{
	static const enum tint_depth depths[] = { [COLORS_TRUE] = TINT_TRUE,
						  [COLORS_256] = TINT_256,
						  [COLORS_16] = TINT_16,
						  [COLORS_NONE] = TINT_NONE };

	if (o->colors != COLORS_AUTO)
		return depths[o->colors];
	return tint_depth_find(getenv("COLORTERM"), getenv("TERM"), getenv("NO_COLOR"));
}

int looking_check(struct error *e)
{
	const char *term = getenv("TERM");

	if (!isatty(STDOUT_FILENO))
		error_set(e, ERROR_USAGE, "standard output is no terminal to look at it in");
	else if (!term || !*term || !strcmp(term, "dumb"))
		error_set(e, ERROR_USAGE, "this terminal cannot be drawn on (TERM is '%s')",
			  term ? term : "");
	else
		return 0;
	return error_hint(e, "wick record -d 10 -o FILE.wick, and wick report prints that as text");
}

/* The view */

struct model_opts looking_model(const struct profile *p, const struct chosen *c)
{
	return (struct model_opts){
		.p = p,
		/* Colors show the kinds of functions: no marks in names. */
		.spelling = (c->spelling & ~(unsigned)SPELL_MARKS) | SPELL_APART,
		.samples = c->samples,
		.nr_column = c->nr_column,
		.in = { c->in[0], c->in[1] },
		.unit = c->samples ? SPAN("samples") : chosen_unit(p, c),
	};
}

void looking_init(struct looking *l, struct model *m, struct looking_opts *o, struct span title)
{
	struct screen_can can = { .depth = depth_of(o), .utf8 = !o->ascii && is_utf8() };
	bool light = o->ground == GROUND_LIGHT || (o->ground == GROUND_AUTO && is_light());
	struct look look;

	*l = (struct looking){ .other = -1, .ms = -1 };
	l->ask_ground = o->ground == GROUND_AUTO && !getenv("COLORFGBG") && can.depth == TINT_TRUE;
	/* wcwidth() needs a locale. */
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		setlocale(LC_CTYPE, "");
	look_init(&look, can.depth, light ? COLOR_LIGHT : COLOR_DARK);
	screen_init(&l->screen, can);
	viewer_init(&l->view, m, &look, title);
	l->view.listing.write = looking_source;
	l->view.listing.arg = o;
}

static void draw(struct looking *l)
{
	viewer_draw(&l->view, &l->screen);
	strbuf_reset(&l->out);
	screen_send(&l->screen, &l->out);
	terminal_write(&l->terminal, strbuf_peek(&l->out));
}

static void resize(struct looking *l)
{
	int width, height;

	terminal_size(&l->terminal, &width, &height);
	screen_resize(&l->screen, width, height);
}

static void write_picture(struct looking *l)
{
	struct error e = ERROR_INIT;
	struct strbuf text = { 0 };

	if (l->write(l->arg, l->view.said.at, &e))
		strbuf_add(&text, span_of(e.text));
	else
		strbuf_addf(&text, "wrote %s", l->view.said.at);
	viewer_say(&l->view, strbuf_peek(&text));
	strbuf_release(&text);
}

static void copy(struct looking *l)
{
	strbuf_reset(&l->out);
	terminal_copy(&l->out, strbuf_peek(&l->view.said));
	terminal_write(&l->terminal, strbuf_peek(&l->out));
	viewer_say(&l->view, SPAN("copied"));
}

/* Does what the viewer asks for; false: quit. */
static bool answer(struct looking *l, enum viewer_ask ask)
{
	if (ask != ASK_NOTHING && l->answer && l->answer(l->arg, ask))
		return true;
	switch (ask) {
	case ASK_NOTHING:
	case ASK_FREEZE:
	case ASK_RESET:
	case ASK_FADE:
		break;
	case ASK_QUIT:
		return false;
	case ASK_SUSPEND:
		terminal_suspend(&l->terminal);
		resize(l);
		break;
	case ASK_WRITE:
		write_picture(l);
		break;
	case ASK_COPY:
		copy(l);
		break;
	}
	return true;
}

static bool step(struct looking *l)
{
	enum viewer_ask ask = ASK_NOTHING;
	struct key k;

	switch (terminal_wait(&l->terminal, l->ms, l->other, &k)) {
	case TERMINAL_KEY:
		ask = viewer_key(&l->view, &k);
		break;
	case TERMINAL_RESIZED:
		resize(l);
		break;
	case TERMINAL_TOLD:
	case TERMINAL_TIMEOUT:
		if (l->told)
			ask = l->told(l->arg);
		break;
	case TERMINAL_END:
		return false;
	}
	return answer(l, ask);
}

int looking_run(struct looking *l, struct error *e)
{
	int ret = terminal_open(&l->terminal, e);

	if (!ret) {
		if (l->ask_ground)
			terminal_ask_ground(&l->terminal);
		resize(l);
		do
			draw(l);
		while (step(l));
	}
	terminal_close(&l->terminal);
	return ret;
}

void looking_release(struct looking *l)
{
	viewer_release(&l->view);
	screen_release(&l->screen);
	strbuf_release(&l->out);
}

/* Writing */

int looking_write(struct profile *p, unsigned spelling, const struct chosen *c, const char *path,
		  struct error *e)
{
	struct flame_result r = { .in = { .p = *p, .spelling = spelling } };
	struct flame_opts o = { .svg = SVG_OPTS_DEFAULT, .shade = SHADE_NAME, .min_pixels = 1 };
	struct flame_output to = { 0 };
	struct output_file file = { 0 };
	int ret;

	o.svg.count_name = NULL;
	o.svg.root_on_top = true;
	o.output = &to;
	o.nr_output = 1;
	if (!flame_format_find(path, &to.format))
		return error_set(e, ERROR_USAGE, "%s: it must end in .svg, .html or .wick", path);
	if (output_file_open(&file, path, (uid_t)-1, (gid_t)-1, e))
		return -1;
	to.path = output_file_write(&file);
	ret = flame_draw(&o, &r, c, e);
	*p = r.in.p;
	free(r.unit);
	ret = ret ? output_file_failed(&file, e) : output_file_finish(&file, e);
	output_file_close(&file);
	return ret;
}

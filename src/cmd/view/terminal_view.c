#include "cmd/view/terminal_view.h"

#include "profile/spelling.h"
#include "render/draw.h"
#include "write/output_file.h"
#include "write/sink.h"

#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

/* The environment */

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

/* In COLORFGBG, "15;0", the last number is the background; 7 and numbers above 8 are light. */
static bool is_light(void)
{
	const char *value = getenv("COLORFGBG"), *last = value ? strrchr(value, ';') : NULL;
	uint64_t color;

	return last && span_u64(span_of(last + 1), &color) && (color == 7 || color > 8);
}

static enum tint_depth depth_of(const struct terminal_view_opts *o)
{
	static const enum tint_depth depths[] = { [COLORS_TRUE] = TINT_TRUE,
						  [COLORS_256] = TINT_256,
						  [COLORS_16] = TINT_16,
						  [COLORS_NONE] = TINT_NONE };

	if (o->colors != COLORS_AUTO)
		return depths[o->colors];
	return tint_depth_find(getenv("COLORTERM"), getenv("TERM"), getenv("NO_COLOR"));
}

int terminal_view_check(struct error *e)
{
	const char *term = getenv("TERM");

	if (!isatty(STDOUT_FILENO))
		error_set(e, ERROR_USAGE, "standard output is not a terminal");
	else if (!term || !*term || !strcmp(term, "dumb"))
		error_set(e, ERROR_USAGE, "unsupported terminal (TERM is '%s')", term ? term : "");
	else
		return 0;
	return error_hint(e,
			  "for text: wick record -d 10 -o FILE.wick, then wick report FILE.wick");
}

/* The view */

void terminal_view_init(struct terminal_view *l, struct model *m, struct terminal_view_opts *o,
			struct span title)
{
	struct screen_can can = { .depth = depth_of(o), .utf8 = !o->ascii && is_utf8() };
	bool light = o->ground == GROUND_LIGHT || (o->ground == GROUND_AUTO && is_light());
	struct theme theme;

	*l = (struct terminal_view){ .other = -1, .ms = -1 };
	l->ask_ground = o->ground == GROUND_AUTO && !getenv("COLORFGBG") && can.depth == TINT_TRUE;
	/* wcwidth() needs a UTF-8 locale. */
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		setlocale(LC_CTYPE, "");
	theme_init(&theme, can.depth, light ? COLOR_LIGHT : COLOR_DARK);
	screen_init(&l->screen, can);
	viewer_init(&l->view, m, &theme, title);
	l->view.listing.write = terminal_view_source;
	l->view.listing.arg = o;
}

static void draw(struct terminal_view *l)
{
	viewer_draw(&l->view, &l->screen);
	strbuf_reset(&l->out);
	screen_send(&l->screen, &l->out);
	terminal_write(&l->terminal, strbuf_peek(&l->out));
}

static void resize(struct terminal_view *l)
{
	int width, height;

	terminal_size(&l->terminal, &width, &height);
	screen_resize(&l->screen, width, height);
}

static void write_picture(struct terminal_view *l)
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

static void copy(struct terminal_view *l)
{
	strbuf_reset(&l->out);
	terminal_copy(&l->out, strbuf_peek(&l->view.said));
	terminal_write(&l->terminal, strbuf_peek(&l->out));
	viewer_say(&l->view, SPAN("copied"));
}

/* Handles a request of the viewer; false: quit. */
static bool answer(struct terminal_view *l, enum viewer_ask ask)
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

static bool step(struct terminal_view *l)
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
		if (l->refresh)
			ask = l->refresh(l->arg);
		break;
	case TERMINAL_END:
		return false;
	}
	return answer(l, ask);
}

int terminal_view_run(struct terminal_view *l, struct error *e)
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

void terminal_view_release(struct terminal_view *l)
{
	viewer_release(&l->view);
	screen_release(&l->screen);
	strbuf_release(&l->out);
}

/* Writing */

int terminal_view_write(const struct profile *p, const struct chosen *c, const char *path,
			struct error *e)
{
	const struct draw_opts o = DRAW_OPTS_DEFAULT;
	const struct write_what what = sink_what(p, c, NULL);
	struct output_file file = { 0 };
	struct sink to = { 0 };
	int ret;

	if (!format_find(path, &to.format) || format_is_copied(to.format))
		return error_set(e, ERROR_USAGE,
				 "%s: expected the extension .svg, .html, .wick or .folded", path);
	if (output_file_open(&file, path, (uid_t)-1, (gid_t)-1, e))
		return -1;
	to.path = output_file_write(&file);
	ret = sink_draw(&to, &o, &what, c, e);
	ret = ret ? output_file_failed(&file, e) : output_file_finish(&file, e);
	output_file_close(&file);
	return ret;
}

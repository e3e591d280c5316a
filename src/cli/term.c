#include "cli/term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_DEFAULT = 80, WIDTH_LEAST = 40 };

/* As defined by https://no-color.org: set, and not empty. */
static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

static bool is_dumb(void)
{
	const char *kind = getenv("TERM");

	return !kind || !*kind || !strcmp(kind, "dumb");
}

static size_t width_of_terminal(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return WIDTH_DEFAULT;
	return size.ws_col < WIDTH_LEAST ? WIDTH_LEAST : size.ws_col;
}

struct term term_find(enum term_color color)
{
	bool is_terminal = isatty(STDOUT_FILENO);
	struct term t = { .width = is_terminal ? width_of_terminal() : 0 };

	switch (color) {
	case COLOR_AUTO:
		t.color = is_terminal && !is_dumb() && !is_set("NO_COLOR");
		break;
	case COLOR_ALWAYS:
		t.color = true;
		break;
	case COLOR_NEVER:
		break;
	}
	return t;
}

enum term_style term_style_of(double share)
{
	return share >= 0.05 ? STYLE_HOT : share >= 0.005 ? STYLE_WARM : STYLE_PLAIN;
}

void term_add(struct strbuf *out, const struct term *t, enum term_style style, struct span text)
{
	static const char *const codes[NR_STYLES] = {
		[STYLE_BOLD] = "1", [STYLE_DIM] = "2", [STYLE_HOT] = "31", [STYLE_WARM] = "33"
	};

	if (!t->color || !codes[style] || !text.size) {
		strbuf_add(out, text);
		return;
	}
	strbuf_addf(out, "\033[%sm", codes[style]);
	strbuf_add(out, text);
	strbuf_add(out, SPAN("\033[0m"));
}

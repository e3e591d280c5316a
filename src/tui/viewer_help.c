/* The help: a box with all keys on top of everything else. */
#include "base/alloc.h"
#include "tui/panes.h"

static const char *const lines[] = {
	"arrows, h j k l   move",
	"g G, Home End     go to the zoomed frame, the widest leaf",
	"PgUp PgDn, wheel  scroll",
	"Enter, 2nd click  zoom in, open",
	"Esc, Backspace    back; 0 reset zoom",
	"/ Ctrl-F          search (regex); n N next, previous",
	"#                 search for this function",
	"Tab, 1-5, F1-F5   switch panes",
	"i                 flip: root at the bottom",
	"r                 reverse: start at the leaves",
	"f x               keep only, or hide, this function",
	"c                 collapse recursion; u undo",
	"d t K             keep only its module, thread, the kernel",
	"s                 sort by name or width; by self or total",
	"S a               sandwich, source; Enter: instructions",
	"v, drag           in Threads: mark a time range, Enter filter",
	"w                 write .svg, .html, .wick or .folded",
	"y Y               copy the name, the stack",
	"z R D             wick top: freeze, restart, decay",
	"q, Ctrl-C         quit; Ctrl-Z suspend",
};

/* The widest line with two blanks on both sides. */
static int box_width(void)
{
	size_t width = 0;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (strlen(lines[i]) > width)
			width = strlen(lines[i]);
	return (int)width + 4;
}

void viewer_draw_help(struct viewer *v, struct screen *s)
{
	struct ink ink = { INK_DEFAULT, INK_DEFAULT, INK_REVERSE };
	int nr = (int)ARRAY_SIZE(lines), height = nr + 2 < s->height ? nr + 2 : s->height - 1;
	int width = box_width() < s->width ? box_width() : s->width;
	int x = (s->width - width) / 2, y = (s->height - height) / 2;

	v->help_rows = height - 2;
	if (v->help_top > nr - v->help_rows)
		v->help_top = nr - v->help_rows;
	for (int i = 0; i < height; i++)
		screen_fill(s, x, y + i, width, ink);
	for (int i = 0; i < v->help_rows; i++)
		screen_put(s, x + 2, y + 1 + i, width - 4, span_of(lines[v->help_top + i]), ink);
	if (v->help_top + v->help_rows < nr)
		screen_put(s, x + 2, y + height - 1, width - 4, SPAN("↓ more"), ink);
}

bool viewer_scroll_help(struct viewer *v, enum move m)
{
	int nr = (int)ARRAY_SIZE(lines), by = v->help_rows > 1 ? v->help_rows - 1 : 1;
	const int to[] = {
		[MOVE_UP] = v->help_top - 1,
		[MOVE_DOWN] = v->help_top + 1,
		[MOVE_LEFT] = v->help_top,
		[MOVE_RIGHT] = v->help_top,
		[MOVE_PAGE_UP] = v->help_top - by,
		[MOVE_PAGE_DOWN] = v->help_top + by,
		[MOVE_HOME] = 0,
		[MOVE_END] = nr,
	};

	if (v->help_rows >= nr)
		return false;
	/* Drawing moves it back if it is past the end. */
	v->help_top = to[m] > 0 ? to[m] : 0;
	return true;
}

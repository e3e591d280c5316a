/* The escape sequences that turn one frame into the next. */
#include "tui/screen.h"

/* The state of the terminal. */
struct pen {
	struct strbuf *out;
	const struct screen *s;
	int x, y;	 /* its cursor; x < 0: unknown */
	struct cell ink; /* a cell that was sent with the current colors and style */
	bool inked;	 /* … if any was */
};

/* Faster than printf(): a frame has tens of thousands of numbers. */
static void add_number(struct strbuf *out, unsigned n)
{
	char digits[12];
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + n % 10);
	while (n /= 10);
	strbuf_add(out, (struct span){ .at = digits + at, .size = sizeof(digits) - at });
}

static void add_code(struct strbuf *out, unsigned n)
{
	strbuf_addch(out, ';');
	add_number(out, n);
}

/* base: the SGR code of the first color, 30 for the foreground, 40 for the background. */
static void set_color(struct pen *p, uint32_t color, unsigned base)
{
	enum tint_depth depth = p->s->can.depth;
	unsigned n;

	if (color == INK_DEFAULT || depth == TINT_NONE) {
		add_code(p->out, base + 9);
		return;
	}
	switch (depth) {
	case TINT_NONE:
		break;
	case TINT_16:
		n = tint_16(color);
		add_code(p->out, n < 8 ? base + n : base + 60 + n - 8);
		break;
	case TINT_256:
		add_code(p->out, base + 8);
		add_code(p->out, 5);
		add_code(p->out, tint_256(color));
		break;
	case TINT_TRUE:
		add_code(p->out, base + 8);
		add_code(p->out, 2);
		for (int shift = 16; shift >= 0; shift -= 8)
			add_code(p->out, color >> shift & 255);
		break;
	}
}

static void set_ink(struct pen *p, const struct cell *c)
{
	static const struct {
		unsigned style;
		unsigned code;
	} styles[] = { { INK_BOLD, 1 }, { INK_DIM, 2 }, { INK_UNDERLINE, 4 }, { INK_REVERSE, 7 } };

	if (p->inked && p->ink.fg == c->fg && p->ink.bg == c->bg && p->ink.style == c->style)
		return;
	strbuf_add(p->out, SPAN("\033[0"));
	for (size_t i = 0; i < sizeof(styles) / sizeof(*styles); i++)
		if (c->style & styles[i].style)
			add_code(p->out, styles[i].code);
	if (c->fg != INK_DEFAULT)
		set_color(p, c->fg, 30);
	if (c->bg != INK_DEFAULT)
		set_color(p, c->bg, 40);
	strbuf_addch(p->out, 'm');
	p->ink = *c;
	p->inked = true;
}

static void move_to(struct strbuf *out, int x, int y)
{
	strbuf_add(out, SPAN("\033["));
	add_number(out, (unsigned)y + 1);
	add_code(out, (unsigned)x + 1);
	strbuf_addch(out, 'H');
}

static void send_cell(struct pen *p, int x, int y, const struct cell *c)
{
	if (p->x != x || p->y != y)
		move_to(p->out, x, y);
	set_ink(p, c);
	strbuf_add(p->out, (struct span){ .at = c->text, .size = c->size });
	p->x = x + 1;
	p->y = y;
	/*
	 * Terminals disagree on the width of some characters: sets the cursor position for the next
	 * cell.
	 */
	if ((unsigned char)c->text[0] >= 0x80)
		p->x = -1;
}

/* Is the width certain?  Block characters take one cell on all terminals. */
static bool is_sure(const struct cell *c)
{
	return c->size == 3 && !memcmp(c->text, "\xe2\x96", 2);
}

static void send_row(struct pen *p, int y)
{
	const struct screen *s = p->s;
	size_t row = (size_t)y * (size_t)s->width;

	for (int x = 0; x < s->width; x++) {
		const struct cell *c = &s->cell[row + (size_t)x], *old = &s->shown[row + (size_t)x];
		bool same = !s->all && !memcmp(c, old, sizeof(*c));

		/* The right half of a wide character is sent with the left one. */
		if (!c->size)
			continue;
		if (same && x + 1 < s->width && !c[1].size)
			same = !memcmp(c + 1, old + 1, sizeof(*c));
		if (same)
			continue;
		send_cell(p, x, y, c);
		if (is_sure(c))
			p->x = x + 1;
	}
}

void screen_send(struct screen *s, struct strbuf *out)
{
	struct pen p = { .out = out, .s = s, .x = -1 };
	size_t nr = (size_t)s->width * (size_t)s->height;

	/*
	 * Mode 2026, synchronized output: the frame appears at once.  Terminals without it ignore
	 * this.
	 */
	strbuf_add(out, SPAN("\033[?2026h\033[?25l"));
	if (s->all)
		strbuf_add(out, SPAN("\033[0m\033[2J"));
	for (int y = 0; y < s->height; y++)
		send_row(&p, y);
	strbuf_add(out, SPAN("\033[0m"));
	if (s->cursor_x >= 0) {
		move_to(out, s->cursor_x, s->cursor_y);
		strbuf_add(out, SPAN("\033[?25h"));
	}
	strbuf_add(out, SPAN("\033[?2026l"));
	memcpy(s->shown, s->cell, nr * sizeof(*s->cell));
	s->all = false;
}

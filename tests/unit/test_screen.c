/* Cells, and the bytes that make a terminal show them. */
#include "tui/screen.h"

#include "span_tap.h"

#include <locale.h>

static const struct screen_can all = { TINT_TRUE, true };

static const char *text_at(const struct screen *s, int x)
{
	static char text[GLYPH_SIZE + 1];
	const struct cell *c = &s->cell[x];

	memcpy(text, c->text, c->size);
	text[c->size] = '\0';
	return text;
}

/* What is sent for this frame, without what frames every frame. */
static struct span sent(struct screen *s, struct strbuf *out)
{
	struct span head = SPAN("\033[?2026h\033[?25l"), tail = SPAN("\033[0m\033[?2026l"), got;

	strbuf_reset(out);
	screen_send(s, out);
	got = strbuf_peek(out);
	ok(span_starts(got, head.at) && span_ends(got, tail.at),
	   "a frame is sent as one synchronized update with a hidden cursor");
	return span_upto(span_from(got, head.size), got.size - head.size - tail.size);
}

static void check_diff(void)
{
	struct strbuf out = { 0 };
	struct screen s;

	screen_init(&s, all);
	screen_resize(&s, 8, 2);
	screen_put(&s, 0, 0, 8, SPAN("main"), INK_PLAIN);
	ok(span_contains(sent(&s, &out), "main"), "the first frame is sent completely");
	screen_clear(&s);
	screen_put(&s, 0, 0, 8, SPAN("main"), INK_PLAIN);
	is_span(sent(&s, &out), "", "a frame equal to the one before sends no cells");
	screen_clear(&s);
	screen_put(&s, 0, 0, 8, SPAN("mall"), INK_PLAIN);
	is_span(sent(&s, &out), "\033[1;3H\033[0mll", "a frame sends only the cells that differ");
	screen_clear(&s);
	screen_put(&s, 0, 0, 8, SPAN("mall"), INK_PLAIN);
	screen_put(&s, 7, 1, 1, SPAN("x"), (struct ink){ 0xff8000, INK_DEFAULT, INK_BOLD });
	is_span(sent(&s, &out), "\033[2;8H\033[0;1;38;2;255;128;0mx",
		"a cell is sent with its color and style");
	screen_forget(&s);
	ok(span_contains(sent(&s, &out), "mall"),
	   "after screen_forget(), all cells are sent again");
	screen_release(&s);
	strbuf_release(&out);
}

static void check_hostile(void)
{
	static const char *const names[] = { "\033[31mred",
					     "a\x9b"
					     "31mb",
					     "\xc2\x9b"
					     "2J",
					     "\x07\x08\x0d\x0a\x7f",
					     "\033]52;c;aGFjaw==\a",
					     "\xff\xfe",
					     "\xed\xa0\x80" };
	struct strbuf out = { 0 };
	struct screen s;

	screen_init(&s, (struct screen_can){ TINT_NONE, true });
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		bool clean = true;

		screen_resize(&s, 20, 1);
		screen_put(&s, 0, 0, 20, span_of(names[i]), INK_PLAIN);
		for (int x = 0; x < s.width; x++)
			for (int k = 0; k < s.cell[x].size; k++)
				clean &= (unsigned char)s.cell[x].text[k] >= 0x20 &&
					 s.cell[x].text[k] != 0x7f;
		ok(clean, "a name shows no control characters");
	}
	screen_resize(&s, 4, 1);
	screen_put(&s, 0, 0, 4,
		   SPAN("\xe2\x80\xae"
			"ab"),
		   INK_PLAIN);
	is_str(text_at(&s, 0), "\xef\xbf\xbd",
	       "a character that changes the direction of writing is replaced");
	is_str(text_at(&s, 1), "a", "the text after a replaced character is drawn");
	screen_release(&s);
	strbuf_release(&out);
}

static void check_widths(void)
{
	struct screen s;

	screen_init(&s, all);
	screen_resize(&s, 6, 1);
	is_int(screen_put(&s, 0, 0, 6, SPAN("漢a"), INK_PLAIN), 3,
	       "a wide character takes two cells");
	is_int(s.cell[1].size, 0, "the right half of a wide character is an empty cell");
	is_str(text_at(&s, 2), "a", "a character after a wide one is behind both its cells");
	is_int(screen_put(&s, 0, 0, 6, SPAN("e\xcc\x81x"), INK_PLAIN), 2,
	       "a combining mark takes no cell");
	is_str(text_at(&s, 0), "e\xcc\x81", "a combining mark is in the cell of its letter");
	screen_put(&s, 0, 0, 6, SPAN("漢"), INK_PLAIN);
	screen_put(&s, 1, 0, 1, SPAN("x"), INK_PLAIN);
	is_str(text_at(&s, 0), " ",
	       "a wide character becomes a blank if its right half is overwritten");
	is_int(screen_put(&s, 5, 0, 1, SPAN("漢"), INK_PLAIN), 1,
	       "a wide character takes the only cell that is left");
	is_str(text_at(&s, 5), " ",
	       "a wide character in the only cell that is left is drawn as a blank");
	is_int((intmax_t)glyph_width(SPAN("a漢e\xcc\x81")), 4,
	       "glyph_width() adds up wide, narrow and combining characters");
	screen_put(&s, -1, 0, 3, SPAN("abc"), INK_PLAIN);
	screen_put(&s, 4, 5, 3, SPAN("abc"), INK_PLAIN);
	is_str(text_at(&s, 0), "b", "text outside of the screen is not drawn");
	screen_release(&s);
}

static void check_plain(void)
{
	struct strbuf out = { 0 };
	struct screen s;

	screen_init(&s, (struct screen_can){ TINT_NONE, false });
	screen_resize(&s, 8, 1);
	screen_put(&s, 0, 0, 8, SPAN("a…é"), (struct ink){ 0xff0000, 0x00ff00, INK_REVERSE });
	screen_block(&s, 4, 0, 3, INK_PLAIN);
	is_str(text_at(&s, 1), "~", "on an ASCII terminal, an ellipsis is drawn as ~");
	is_str(text_at(&s, 2), "?",
	       "on an ASCII terminal, a character without a likeness is drawn as ?");
	is_str(text_at(&s, 4), "|", "on an ASCII terminal, a block is drawn as a line");
	screen_send(&s, &out);
	ok(span_find_text(strbuf_peek(&out), "38;") == out.size,
	   "a terminal without colors is sent none");
	ok(span_find_text(strbuf_peek(&out), ";7") < out.size,
	   "a terminal without colors is sent the other styles");
	screen_release(&s);
	strbuf_release(&out);
}

static void check_tints(void)
{
	is_int(tint_depth_find("truecolor", "xterm", NULL), TINT_TRUE,
	       "COLORTERM=truecolor selects 24-bit colors");
	is_int(tint_depth_find("truecolor", "xterm", "1"), TINT_NONE,
	       "NO_COLOR overrides COLORTERM");
	is_int(tint_depth_find("truecolor", "xterm", ""), TINT_TRUE,
	       "an empty NO_COLOR is ignored");
	is_int(tint_depth_find(NULL, "xterm-256color", NULL), TINT_256,
	       "a TERM with 256color selects 256 colors");
	is_int(tint_depth_find(NULL, "linux", NULL), TINT_16, "TERM=linux selects 16 colors");
	is_int(tint_depth_find(NULL, "vt100", NULL), TINT_NONE, "TERM=vt100 selects no colors");
	is_int(tint_depth_find(NULL, NULL, NULL), TINT_NONE,
	       "no variable at all selects no colors");
	is_int(tint_256(0xff0000), 196, "tint_256() finds red in the color cube");
	is_int(tint_256(0x808080), 244, "tint_256() finds a gray in the gray ramp");
	is_int(tint_16(0xeab07d), 3, "tint_16() maps orange to yellow");
	is_int(tint_16(0xa1bfef), 4, "tint_16() maps light blue to blue");
	is_int(tint_16(0xd4d6d8), 7, "tint_16() maps light gray to white");
	is_int(tint_mix(0xffffff, 0x000000, 0.5), 0x808080,
	       "tint_mix() with 0.5 is halfway between two colors");
	is_int(tint_of_hex("eab07d"), 0xeab07d, "tint_of_hex() parses six digits");
}

int main(void)
{
	if (!ok(setlocale(LC_CTYPE, "C.UTF-8") != NULL, "the C.UTF-8 locale is installed"))
		return done();
	check_diff();
	check_hostile();
	check_widths();
	check_plain();
	check_tints();
	return done();
}

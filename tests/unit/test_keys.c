/* What a terminal sends, and what it means. */
#include "tui/keys.h"

#include "span_tap.h"

static struct key parse(const char *bytes, size_t want, const char *what)
{
	struct key k;

	is_int((intmax_t)key_parse(span_of(bytes), KEY_REST_MAY_COME, &k), (intmax_t)want, what);
	return k;
}

static void is_key(const char *bytes, enum key_kind kind, uint32_t ch, unsigned mods,
		   const char *what)
{
	struct key k = parse(bytes, strlen(bytes), what);

	is_int(k.kind, kind, "its kind");
	is_int(k.ch, ch, "its character");
	is_int(k.mods, mods, "its modifiers");
}

static void check_keys(void)
{
	is_key("a", KEY_CHAR, 'a', 0, "a letter");
	is_key("\xc3\xa9", KEY_CHAR, 0xe9, 0, "a letter of two bytes");
	is_key("\xf0\x9f\x94\xa5", KEY_CHAR, 0x1f525, 0, "a character of four");
	is_key("\x03", KEY_CHAR, 'c', KEY_CTRL, "Ctrl-C");
	is_key("\x1a", KEY_CHAR, 'z', KEY_CTRL, "Ctrl-Z");
	is_key("\r", KEY_ENTER, 0, 0, "Enter");
	is_key("\t", KEY_TAB, 0, 0, "Tab");
	is_key("\x7f", KEY_BACKSPACE, 0, 0, "Backspace");
	is_key("\b", KEY_BACKSPACE, 0, 0, "the other Backspace");
	is_key("\033[A", KEY_UP, 0, 0, "up");
	is_key("\033OB", KEY_DOWN, 0, 0, "down, as applications get it");
	is_key("\033[1;5C", KEY_RIGHT, 0, KEY_CTRL, "Ctrl and right");
	is_key("\033[1;2D", KEY_LEFT, 0, KEY_SHIFT, "Shift and left");
	is_key("\033[Z", KEY_BACKTAB, 0, 0, "Shift-Tab");
	is_key("\033[5~", KEY_PAGE_UP, 0, 0, "page up");
	is_key("\033[6~", KEY_PAGE_DOWN, 0, 0, "page down");
	is_key("\033OP", KEY_FUNCTION, 1, 0, "F1");
	is_key("\033[15~", KEY_FUNCTION, 5, 0, "F5");
	is_key("\033x", KEY_CHAR, 'x', KEY_ALT, "Alt and a letter");
	is_key("\033[200~", KEY_PASTE, 0, 0, "pasted text begins");
	is_key("\033[201~", KEY_PASTE_END, 0, 0, "and ends");
}

static void check_mouse(void)
{
	struct key k = parse("\033[<0;12;3M", 10, "a click");

	is_int(k.kind, KEY_MOUSE, "is the mouse's");
	is_int(k.mouse, MOUSE_PRESS, "a button is pressed");
	is_int(k.x, 11, "in that column");
	is_int(k.y, 2, "of that row");
	is_int(parse("\033[<0;12;3m", 10, "the end of a click").mouse, MOUSE_RELEASE,
	       "the button is let go");
	is_int(parse("\033[<64;1;1M", 10, "the wheel").mouse, MOUSE_WHEEL_UP, "turns up");
	is_int(parse("\033[<65;1;1M", 10, "the wheel").mouse, MOUSE_WHEEL_DOWN, "turns down");
	is_int(parse("\033[<2;1;1M", 9, "another button").mouse, MOUSE_OTHER, "is not ours");
	is_int(parse("\033[<32;1;1M", 10, "a movement").mouse, MOUSE_OTHER, "is no click");
	is_int(parse("\033[<0;0;5M", 9, "a column that is none").kind, KEY_NOTHING, "is nothing");
	is_int(parse("\033[<0;99999999999999;1M", 22, "a huge one").x, 99998, "is bounded");
}

static void check_cut(void)
{
	struct key k;

	parse("\033", 0, "an escape may be the beginning of more");
	parse("\033[", 0, "so may these");
	parse("\033[1;", 0, "and these");
	parse("\xe2\x96", 0, "and the beginning of a character");
	is_int((intmax_t)key_parse(SPAN("\033"), KEY_REST_IS_NONE, &k), 1, "when nothing follows");
	is_int(k.kind, KEY_ESCAPE, "it is the key");
	is_int((intmax_t)key_parse(SPAN("\033["), KEY_REST_IS_NONE, &k), 2, "ESC [ alone");
	is_int(k.kind, KEY_CHAR, "is a letter");
	is_int(k.mods, KEY_ALT, "with Alt");
	is_int((intmax_t)key_parse(SPAN("\xe2\x96"), KEY_REST_IS_NONE, &k), 1, "half a character");
	is_int(k.kind, KEY_NOTHING, "is nothing");
	is_int(parse("\033\033[A", 1, "two escapes").kind, KEY_ESCAPE, "are one, and then another");
	is_int(parse("\033[1\003", 3, "a sequence that breaks off").kind, KEY_NOTHING,
	       "is nothing, and what broke it is left");
}

static void check_others(void)
{
	is_int(parse("\033]11;rgb:0/0/0\033\\x", 16, "an answer of the terminal").kind, KEY_NOTHING,
	       "is no key");
	is_int(parse("\033]11;rgb:1c1c/1C1C/1c1c\ax", 24, "its background").kind, KEY_GROUND,
	       "is told");
	is_int(parse("\033]11;rgb:1c1c/1C1C/1c1c\ax", 24, "a dark one").ch, 0, "is dark");
	is_int(parse("\033]11;rgb:ffff/ffff/eeee\033\\", 25, "a light one").ch, 1, "is light");
	is_int(parse("\033]11;rgb:fg/00/00\a", 18, "what is no color").kind, KEY_NOTHING,
	       "is nothing");
	is_int(parse("\033]52;c;aGk=\ax", 12, "that ends in a bell").kind, KEY_NOTHING,
	       "is none either");
	parse("\033]11;rgb:", 0, "one that is not all there is waited for");
	is_int(parse("\033[?1;2c", 7, "what the terminal is").kind, KEY_NOTHING, "is no key");
	is_int(parse("\xff"
		     "a",
		     1, "a byte that begins nothing")
		       .kind,
	       KEY_NOTHING, "is nothing");
	is_int(parse("\xc0\xaf", 1, "a letter that is too long").kind, KEY_NOTHING, "is nothing");
}

int main(void)
{
	check_keys();
	check_mouse();
	check_cut();
	check_others();
	return done();
}

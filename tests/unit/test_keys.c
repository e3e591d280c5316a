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

	is_int(k.kind, kind, "key_parse returns the kind of a key");
	is_int(k.ch, ch, "key_parse returns the character of a key");
	is_int(k.mods, mods, "key_parse returns the modifiers of a key");
}

static void check_keys(void)
{
	is_key("a", KEY_CHAR, 'a', 0, "key_parse takes the byte of a letter");
	is_key("\xc3\xa9", KEY_CHAR, 0xe9, 0, "key_parse takes both bytes of a two-byte letter");
	is_key("\xf0\x9f\x94\xa5", KEY_CHAR, 0x1f525, 0,
	       "key_parse takes all bytes of a four-byte character");
	is_key("\x03", KEY_CHAR, 'c', KEY_CTRL, "key_parse takes the byte of Ctrl-C");
	is_key("\x1a", KEY_CHAR, 'z', KEY_CTRL, "key_parse takes the byte of Ctrl-Z");
	is_key("\r", KEY_ENTER, 0, 0, "key_parse takes the byte of Enter");
	is_key("\t", KEY_TAB, 0, 0, "key_parse takes the byte of Tab");
	is_key("\x7f", KEY_BACKSPACE, 0, 0, "key_parse takes the byte of Backspace (DEL)");
	is_key("\b", KEY_BACKSPACE, 0, 0, "key_parse takes the byte of Backspace (BS)");
	is_key("\033[A", KEY_UP, 0, 0, "key_parse takes all bytes of the up arrow");
	is_key("\033OB", KEY_DOWN, 0, 0,
	       "key_parse takes all bytes of the down arrow in application mode");
	is_key("\033[1;5C", KEY_RIGHT, 0, KEY_CTRL, "key_parse takes all bytes of Ctrl-Right");
	is_key("\033[1;2D", KEY_LEFT, 0, KEY_SHIFT, "key_parse takes all bytes of Shift-Left");
	is_key("\033[Z", KEY_BACKTAB, 0, 0, "key_parse takes all bytes of Shift-Tab");
	is_key("\033[5~", KEY_PAGE_UP, 0, 0, "key_parse takes all bytes of Page Up");
	is_key("\033[6~", KEY_PAGE_DOWN, 0, 0, "key_parse takes all bytes of Page Down");
	is_key("\033OP", KEY_FUNCTION, 1, 0, "key_parse takes all bytes of F1");
	is_key("\033[15~", KEY_FUNCTION, 5, 0, "key_parse takes all bytes of F5");
	is_key("\033x", KEY_CHAR, 'x', KEY_ALT, "key_parse takes both bytes of Alt with a letter");
	is_key("\033[200~", KEY_PASTE, 0, 0,
	       "key_parse takes all bytes of the mark before pasted text");
	is_key("\033[201~", KEY_PASTE_END, 0, 0,
	       "key_parse takes all bytes of the mark after pasted text");
}

static void check_mouse(void)
{
	struct key k = parse("\033[<0;12;3M", 10, "key_parse takes all bytes of a click");

	is_int(k.kind, KEY_MOUSE, "a click is a mouse event");
	is_int(k.mouse, MOUSE_PRESS, "a click presses a button");
	is_int(k.x, 11, "a click has its column, counted from 0");
	is_int(k.y, 2, "a click has its row, counted from 0");
	is_int(parse("\033[<0;12;3m", 10, "key_parse takes all bytes of the end of a click").mouse,
	       MOUSE_RELEASE, "the end of a click releases the button");
	is_int(parse("\033[<64;1;1M", 10, "key_parse takes all bytes of the wheel turned up").mouse,
	       MOUSE_WHEEL_UP, "button 64 is the wheel turned up");
	is_int(parse("\033[<65;1;1M", 10, "key_parse takes all bytes of the wheel turned down")
		       .mouse,
	       MOUSE_WHEEL_DOWN, "button 65 is the wheel turned down");
	is_int(parse("\033[<2;1;1M", 9, "key_parse takes all bytes of a click of the right button")
		       .mouse,
	       MOUSE_OTHER, "a click of the right button is MOUSE_OTHER");
	is_int(parse("\033[<32;1;1M", 10, "key_parse takes all bytes of a mouse movement").mouse,
	       MOUSE_OTHER, "a mouse movement with the button held is MOUSE_OTHER");
	is_int(parse("\033[<0;0;5M", 9, "key_parse takes all bytes of a click in column 0").kind,
	       KEY_NOTHING, "a click in the invalid column 0 is ignored");
	is_int(parse("\033[<0;99999999999999;1M", 22,
		     "key_parse takes all bytes of a click in a huge column")
		       .x,
	       99998, "the column of a click is limited");
}

static void check_cut(void)
{
	struct key k;

	parse("\033", 0, "key_parse waits for more bytes after an escape");
	parse("\033[", 0, "key_parse waits for more bytes after ESC [");
	parse("\033[1;", 0, "key_parse waits for the rest of a control sequence");
	parse("\xe2\x96", 0, "key_parse waits for the rest of a UTF-8 character");
	is_int((intmax_t)key_parse(SPAN("\033"), KEY_REST_IS_NONE, &k), 1,
	       "key_parse takes an escape that nothing follows");
	is_int(k.kind, KEY_ESCAPE, "an escape that nothing follows is the Escape key");
	is_int((intmax_t)key_parse(SPAN("\033["), KEY_REST_IS_NONE, &k), 2,
	       "key_parse takes both bytes of ESC [ that nothing follows");
	is_int(k.kind, KEY_CHAR, "ESC [ that nothing follows is a character");
	is_int(k.mods, KEY_ALT, "ESC [ that nothing follows has the modifier Alt");
	is_int((intmax_t)key_parse(SPAN("\xe2\x96"), KEY_REST_IS_NONE, &k), 1,
	       "key_parse takes one byte of a truncated UTF-8 character");
	is_int(k.kind, KEY_NOTHING, "a byte of a truncated UTF-8 character is ignored");
	is_int(parse("\033\033[A", 1, "key_parse takes one of two escapes in a row").kind,
	       KEY_ESCAPE, "the first of two escapes in a row is the Escape key");
	is_int(parse("\033[1\003", 3,
		     "key_parse leaves the control character that breaks a sequence")
		       .kind,
	       KEY_NOTHING, "a sequence broken by a control character is ignored");
}

static void check_others(void)
{
	is_int(parse("\033]11;rgb:0/0/0\033\\x", 16,
		     "key_parse takes all bytes of a color reply that ends in ESC \\")
		       .kind,
	       KEY_NOTHING, "a color reply with one digit per part is ignored");
	is_int(parse("\033]11;rgb:1c1c/1C1C/1c1c\ax", 24,
		     "key_parse takes all bytes of a color reply that ends in BEL")
		       .kind,
	       KEY_GROUND, "a reply with the background color is KEY_GROUND");
	is_int(parse("\033]11;rgb:1c1c/1C1C/1c1c\ax", 24,
		     "key_parse takes all bytes of a reply with a dark background")
		       .ch,
	       0, "a dark background color is reported as dark");
	is_int(parse("\033]11;rgb:ffff/ffff/eeee\033\\", 25,
		     "key_parse takes all bytes of a reply with a light background")
		       .ch,
	       1, "a light background color is reported as light");
	is_int(parse("\033]11;rgb:fg/00/00\a", 18,
		     "key_parse takes all bytes of a reply with an invalid color")
		       .kind,
	       KEY_NOTHING, "a reply with an invalid color is ignored");
	is_int(parse("\033]52;c;aGk=\ax", 12, "key_parse takes all bytes of a clipboard reply")
		       .kind,
	       KEY_NOTHING, "a clipboard reply is ignored");
	parse("\033]11;rgb:", 0, "key_parse waits for the rest of a reply");
	is_int(parse("\033[?1;2c", 7, "key_parse takes all bytes of a reply with device attributes")
		       .kind,
	       KEY_NOTHING, "a reply with device attributes is ignored");
	is_int(parse("\xff"
		     "a",
		     1, "key_parse takes one byte that begins no UTF-8 character")
		       .kind,
	       KEY_NOTHING, "a byte that begins no UTF-8 character is ignored");
	is_int(parse("\xc0\xaf", 1, "key_parse takes one byte of an overlong UTF-8 sequence").kind,
	       KEY_NOTHING, "a byte of an overlong UTF-8 sequence is ignored");
}

int main(void)
{
	check_keys();
	check_mouse();
	check_cut();
	check_others();
	return done();
}

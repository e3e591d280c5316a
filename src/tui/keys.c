#include "tui/keys.h"

#include "base/alloc.h"
#include "tui/glyph.h"

enum {
	ESC = 0x1b,
	SEQUENCE_MAX = 64,     /* bytes; no key is longer */
	ANSWER_MAX = 1024,     /* bytes; no reply of a terminal is longer */
	PARAMETER_MAX = 99999, /* larger numbers are taken as this one */
};

/* Keys by the final byte of their escape sequence. */
static const struct final {
	char final;
	enum key_kind kind;
	uint32_t ch;
} finals[] = {
	{ 'A', KEY_UP, 0 },	  { 'B', KEY_DOWN, 0 },	    { 'C', KEY_RIGHT, 0 },
	{ 'D', KEY_LEFT, 0 },	  { 'H', KEY_HOME, 0 },	    { 'F', KEY_END, 0 },
	{ 'Z', KEY_BACKTAB, 0 },  { 'M', KEY_ENTER, 0 },    { 'P', KEY_FUNCTION, 1 },
	{ 'Q', KEY_FUNCTION, 2 }, { 'R', KEY_FUNCTION, 3 }, { 'S', KEY_FUNCTION, 4 },
};

/* Keys by the number before the final ~. */
static const struct numbered {
	unsigned number;
	enum key_kind kind;
	uint32_t ch;
} numbers[] = {
	{ 1, KEY_HOME, 0 },	  { 3, KEY_DELETE, 0 },	    { 4, KEY_END, 0 },
	{ 5, KEY_PAGE_UP, 0 },	  { 6, KEY_PAGE_DOWN, 0 },  { 7, KEY_HOME, 0 },
	{ 8, KEY_END, 0 },	  { 11, KEY_FUNCTION, 1 },  { 12, KEY_FUNCTION, 2 },
	{ 13, KEY_FUNCTION, 3 },  { 14, KEY_FUNCTION, 4 },  { 15, KEY_FUNCTION, 5 },
	{ 17, KEY_FUNCTION, 6 },  { 18, KEY_FUNCTION, 7 },  { 19, KEY_FUNCTION, 8 },
	{ 20, KEY_FUNCTION, 9 },  { 21, KEY_FUNCTION, 10 }, { 23, KEY_FUNCTION, 11 },
	{ 24, KEY_FUNCTION, 12 }, { 200, KEY_PASTE, 0 },    { 201, KEY_PASTE_END, 0 },
};

/* A control sequence: ESC [, maybe a mark, numbers with semicolons between, and a final byte. */
struct sequence {
	char mark; /* '<', '?', … or 0 */
	unsigned number[3];
	size_t nr; /* numbers, at least one */
	char final;
};

static void parse_parameters(struct span s, struct sequence *q)
{
	size_t i = 0;

	if (s.size && s.at[0] >= '<' && s.at[0] <= '?')
		q->mark = s.at[i++];
	q->nr = 1;
	for (; i < s.size; i++) {
		unsigned *number = &q->number[q->nr - 1];

		if (s.at[i] >= '0' && s.at[i] <= '9') {
			*number = *number * 10 + (unsigned)(s.at[i] - '0');
			if (*number > PARAMETER_MAX)
				*number = PARAMETER_MAX;
		} else if (s.at[i] == ';' && q->nr < ARRAY_SIZE(q->number)) {
			q->nr++;
		} else {
			/* No key has more numbers. */
			break;
		}
	}
}

/* The first number is a set of bits: xterm's button code. */
static void set_mouse(struct key *k, const struct sequence *q)
{
	unsigned button = q->number[0];

	k->kind = KEY_MOUSE;
	k->mouse = MOUSE_OTHER;
	if (button & 64)
		k->mouse = (button & 3) == 0   ? MOUSE_WHEEL_UP
			   : (button & 3) == 1 ? MOUSE_WHEEL_DOWN
					       : MOUSE_OTHER;
	else if ((button & 3) == 0 && !(button & 32))
		k->mouse = q->final == 'M' ? MOUSE_PRESS : MOUSE_RELEASE;
	k->mods = (button & 4 ? KEY_SHIFT : 0) | (button & 8 ? KEY_ALT : 0) |
		  (button & 16 ? KEY_CTRL : 0);
	k->x = (int)q->number[1] - 1;
	k->y = (int)q->number[2] - 1;
	if (k->x < 0 || k->y < 0)
		k->kind = KEY_NOTHING;
}

static void set_sequence(struct key *k, const struct sequence *q)
{
	unsigned mods = q->nr > 1 && q->number[1] ? q->number[1] - 1 : 0;

	if (q->mark == '<' && q->nr == 3 && (q->final == 'M' || q->final == 'm')) {
		set_mouse(k, q);
		return;
	}
	if (q->mark)
		return;
	k->mods = mods & (KEY_SHIFT | KEY_ALT | KEY_CTRL);
	for (size_t i = 0; q->final == '~' && i < ARRAY_SIZE(numbers); i++)
		if (numbers[i].number == q->number[0]) {
			k->kind = numbers[i].kind;
			k->ch = numbers[i].ch;
		}
	for (size_t i = 0; i < ARRAY_SIZE(finals); i++)
		if (finals[i].final == q->final) {
			k->kind = finals[i].kind;
			k->ch = finals[i].ch;
		}
}

/* ESC [ or ESC O, parameters, and a letter. */
static size_t parse_sequence(struct span bytes, enum key_rest rest, struct key *k)
{
	struct sequence q = { 0 };
	size_t i = 2;

	while (i < bytes.size && i < SEQUENCE_MAX && bytes.at[i] >= 0x20 && bytes.at[i] < 0x40)
		i++;
	if (i == bytes.size && i < SEQUENCE_MAX && rest == KEY_REST_MAY_COME)
		return 0;
	/* An invalid byte ends the sequence, and is parsed as the next key. */
	if (i >= bytes.size || bytes.at[i] < 0x40 || bytes.at[i] > 0x7e)
		return i;
	q.final = bytes.at[i];
	parse_parameters(span_between(bytes.at + 2, bytes.at + i), &q);
	set_sequence(k, &q);
	return i + 1;
}

/* The first two digits of each part of "rgb:ffff/ffff/ffff"; false: not a color. */
static bool parse_color(struct span text, unsigned part[3])
{
	if (!span_starts(text, "rgb:"))
		return false;
	text = span_from(text, 4);
	for (int i = 0; i < 3; i++) {
		struct span digits = span_upto(text, span_find(text, '/'));

		if (digits.size < 2)
			return false;
		part[i] = 0;
		for (size_t k = 0; k < 2; k++) {
			const char *hex = "0123456789abcdef", *at;

			at = digits.at[k] ? strchr(hex, digits.at[k] | 0x20) : NULL;
			if (!at)
				return false;
			part[i] = part[i] * 16 + (unsigned)(at - hex);
		}
		text = span_from(text, digits.size + 1);
	}
	return true;
}

/* The reply to OSC 11, the background color: is it lighter than middle gray? */
static void set_answer(struct key *k, struct span answer)
{
	enum { HALF = 128 };
	unsigned part[3];

	if (!span_starts(answer, "11;") || !parse_color(span_from(answer, 3), part))
		return;
	k->kind = KEY_GROUND;
	k->ch = (part[0] * 2 + part[1] * 5 + part[2]) / 8 >= HALF;
}

/* OSC, DCS, APC and PM strings, which end with BEL or ESC \: a terminal's replies. */
static size_t parse_answer(struct span bytes, enum key_rest rest, struct key *k)
{
	for (size_t i = 2; i < bytes.size && i < ANSWER_MAX; i++) {
		bool bell = bytes.at[i] == '\a';

		if (!bell && (bytes.at[i] != ESC || i + 1 == bytes.size))
			continue;
		if (!bell && bytes.at[i + 1] != '\\')
			return i;
		set_answer(k, span_between(bytes.at + 2, bytes.at + i));
		return bell ? i + 1 : i + 2;
	}
	if (bytes.size < ANSWER_MAX && rest == KEY_REST_MAY_COME)
		return 0;
	return bytes.size < ANSWER_MAX ? bytes.size : ANSWER_MAX;
}

static size_t parse_char(struct span bytes, enum key_rest rest, struct key *k)
{
	unsigned char c = (unsigned char)bytes.at[0];
	size_t size;

	k->kind = KEY_CHAR;
	if (c == '\r' || c == '\n') {
		k->kind = KEY_ENTER;
	} else if (c == '\t') {
		k->kind = KEY_TAB;
	} else if (c == 0x7f || c == '\b') {
		k->kind = KEY_BACKSPACE;
	} else if (c < 0x20) {
		k->ch = c | 0x60;
		k->mods |= KEY_CTRL;
	} else {
		size = glyph_decode(bytes, &k->ch);
		if (size)
			return size;
		if (rest == KEY_REST_MAY_COME && glyph_is_cut(bytes))
			return 0;
		k->kind = KEY_NOTHING;
	}
	return 1;
}

static size_t parse_escape(struct span bytes, enum key_rest rest, struct key *k)
{
	size_t size;

	if (bytes.size == 1 && rest == KEY_REST_MAY_COME)
		return 0;
	if (bytes.size == 1 || bytes.at[1] == ESC) {
		k->kind = KEY_ESCAPE;
		return 1;
	}
	switch (bytes.at[1]) {
	case '[':
	case 'O':
		/* If nothing follows, it is Alt and the letter. */
		if (bytes.size == 2 && rest == KEY_REST_IS_NONE)
			break;
		return parse_sequence(bytes, rest, k);
	case ']':
	case 'P':
	case '_':
	case '^':
		if (bytes.size == 2 && rest == KEY_REST_IS_NONE)
			break;
		return parse_answer(bytes, rest, k);
	default:
		break;
	}
	k->mods = KEY_ALT;
	size = parse_char(span_from(bytes, 1), rest, k);
	return size ? size + 1 : 0;
}

size_t key_parse(struct span bytes, enum key_rest rest, struct key *k)
{
	*k = (struct key){ .kind = KEY_NOTHING };
	return bytes.at[0] == ESC ? parse_escape(bytes, rest, k) : parse_char(bytes, rest, k);
}

#include "base/xml.h"

#include "base/alloc.h"

#include <stdlib.h>

void xml_init(struct xml *x, struct text *text)
{
	*x = (struct xml){ .text = text };
	if (!text->line)
		text->line = 1;
}

void xml_release(struct xml *x)
{
	strbuf_release(&x->raw);
	strbuf_release(&x->decoded);
	strbuf_release(&x->plain);
	free(x->attribute);
	*x = (struct xml){ 0 };
}

/* Bytes */

/* The rest of the chunk, or the next one; empty at the end of the input. */
static struct span look(struct xml *x)
{
	struct text *t = x->text;

	if (t->at == t->end && !text_refill(t))
		return SPAN("");
	return span_between(t->at, t->end);
}

static void keep(struct xml *x, struct span s, struct strbuf *into)
{
	if (!into)
		return;
	if (s.size > XML_PIECE_MAX - into->size) {
		x->cut = true;
		s = span_upto(s, XML_PIECE_MAX - into->size);
	}
	strbuf_add(into, s);
}

/* Consumes bytes of look(), and appends them to *into up to XML_PIECE_MAX. */
static void take(struct xml *x, struct span s, struct strbuf *into)
{
	const char *end = s.at + s.size;

	if (!s.size)
		return;
	x->text->at = end;
	x->last = end[-1];
	for (const char *p = s.at; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
		x->text->line++;
	keep(x, s, into);
}

/* Takes the next byte if it is c. */
static bool take_byte(struct xml *x, char c, struct strbuf *into)
{
	struct span s = look(x);

	if (!s.size || s.at[0] != c)
		return false;
	take(x, span_upto(s, 1), into);
	return true;
}

/* Takes these bytes, as far as they match; false if not all do. */
static bool take_word(struct xml *x, const char *word)
{
	while (*word && take_byte(x, *word, NULL))
		word++;
	return !*word;
}

/* Takes everything before the next c; false if there is none. */
static bool take_before(struct xml *x, char c, struct strbuf *into)
{
	for (;;) {
		struct span s = look(x);
		size_t n = span_find(s, c);

		if (!s.size)
			return false;
		take(x, span_upto(s, n), into);
		if (n < s.size)
			return true;
	}
}

/* Takes everything up to `-->`, `]]>` or `?>` (that many marks and a >), which is not stored. */
static bool take_past(struct xml *x, char mark, size_t marks, struct strbuf *into)
{
	while (take_before(x, mark, into)) {
		size_t run = 0;
		bool is_end;

		while (take_byte(x, mark, NULL))
			run++;
		is_end = run >= marks && take_byte(x, '>', NULL);
		for (size_t i = is_end ? marks : 0; i < run; i++)
			keep(x, (struct span){ .at = &mark, .size = 1 }, into);
		if (is_end)
			return true;
	}
	return false;
}

/* Takes a tag up to its >; false if the input ends before. */
static bool take_tag(struct xml *x)
{
	strbuf_reset(&x->raw);
	for (;;) {
		struct span s = look(x);
		size_t n = 0;
		char c;

		while (n < s.size && s.at[n] != '>' && s.at[n] != '"' && s.at[n] != '\'')
			n++;
		take(x, span_upto(s, n), &x->raw);
		x->tag = strbuf_peek(&x->raw);
		if (!s.size)
			return false;
		if (n == s.size)
			continue;
		c = s.at[n];
		if (c == '>')
			return true;
		if (!take_byte(x, c, &x->raw) || !take_before(x, c, &x->raw) ||
		    !take_byte(x, c, &x->raw))
			return false;
	}
}

/* Entities */

static void add_utf8(struct strbuf *out, uint32_t c)
{
	/* Not characters: 0, surrogates, above U+10FFFF. */
	if (!c || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
		c = 0xfffd;
	if (c < 0x80) {
		strbuf_addch(out, (char)c);
		return;
	}
	if (c < 0x800) {
		strbuf_addch(out, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			strbuf_addch(out, (char)(0xe0 | c >> 12));
		} else {
			strbuf_addch(out, (char)(0xf0 | c >> 18));
			strbuf_addch(out, (char)(0x80 | (c >> 12 & 0x3f)));
		}
		strbuf_addch(out, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	strbuf_addch(out, (char)(0x80 | (c & 0x3f)));
}

static const struct {
	const char *name, *text;
} entities[] = {
	{ "amp;", "&" }, { "lt;", "<" }, { "gt;", ">" }, { "quot;", "\"" }, { "apos;", "'" },
};

/* Parses `#65;` or `#x41;`; returns its size, 0: not a character reference. */
static size_t parse_number(struct span s, uint32_t *c)
{
	bool hex = span_starts(s, "#x");
	struct span digits = span_upto(span_from(s, hex ? 2 : 1), 16);
	size_t n = span_find(digits, ';');
	uint64_t value;

	if (n == digits.size)
		return 0;
	digits.size = n;
	if (!(hex ? span_hex(digits, &value) : span_u64(digits, &value)))
		return 0;
	*c = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
	return (hex ? 2 : 1) + n + 1;
}

/* Appends the character of the entity after an &; returns the entity's size. */
static size_t decode_entity(struct span s, struct strbuf *out)
{
	uint32_t c;
	size_t n;

	for (size_t i = 0; i < ARRAY_SIZE(entities); i++)
		if (span_starts(s, entities[i].name)) {
			strbuf_addch(out, entities[i].text[0]);
			return strlen(entities[i].name);
		}
	n = span_starts(s, "#") ? parse_number(s, &c) : 0;
	if (n)
		add_utf8(out, c);
	else
		strbuf_addch(out, '&');
	return n;
}

/* Appends s with its entities resolved, which is never longer than s. */
static void decode(struct span s, struct strbuf *out)
{
	while (s.size) {
		size_t plain = span_find(s, '&');

		strbuf_add(out, span_upto(s, plain));
		s = span_from(s, plain);
		if (s.size) {
			s = span_from(s, 1);
			s = span_from(s, decode_entity(s, out));
		}
	}
}

/* Pieces */

/* Skips a comment, a declaration, …, after <! or <?; a CDATA section is text. */
static bool take_declaration(struct xml *x)
{
	if (x->last == '?')
		return take_past(x, '?', 1, NULL);
	if (take_word(x, "--"))
		return take_past(x, '-', 2, NULL);
	if (take_word(x, "[CDATA["))
		return take_past(x, ']', 2, &x->plain);
	return take_tag(x) && take_byte(x, '>', NULL);
}

/* Takes the text up to the next <, and that; false at the end of the input. */
static bool take_text(struct xml *x)
{
	bool more;

	if (take_byte(x, '<', NULL))
		return true;
	strbuf_reset(&x->raw);
	more = take_before(x, '<', &x->raw);
	strbuf_reset(&x->decoded);
	decode(strbuf_peek(&x->raw), &x->decoded);
	keep(x, strbuf_peek(&x->decoded), &x->plain);
	return more && take_byte(x, '<', NULL);
}

static enum xml_piece close_element(struct xml *x)
{
	x->closes = false;
	if (x->depth)
		x->depth--;
	return XML_CLOSE;
}

static size_t name_size(struct span s)
{
	size_t n = 0;

	while (n < s.size && !is_blank(s.at[n]) && s.at[n] != '/')
		n++;
	return n;
}

/* The piece for the complete tag in x->tag. */
static enum xml_piece read_tag(struct xml *x)
{
	bool is_end = span_starts(x->tag, "/");

	x->name = span_from(x->tag, is_end);
	x->name = span_upto(x->name, name_size(x->name));
	if (is_end)
		return close_element(x);
	x->has_attributes = false;
	x->depth++;
	return XML_OPEN;
}

/* The size of a tag up to its >, which is not in quotes; s.size: it does not end in s. */
static size_t tag_size(struct span s)
{
	for (size_t n = 0; n < s.size; n++) {
		char c = s.at[n];

		if (c == '>')
			return n;
		if (c == '"' || c == '\'')
			n += span_find(span_from(s, n + 1), c) + 1;
	}
	return s.size;
}

/* The fast path: pieces that are complete in this chunk and need no decoding. */
static enum xml_piece read_near(struct xml *x)
{
	struct span s = span_between(x->text->at, x->text->end);
	size_t n = x->in_markup ? 0 : span_find(s, '<');

	if (!x->in_markup && n + 1 >= s.size)
		return XML_END;
	if (n) {
		x->content = span_upto(s, n);
		if (s.at[n + 1] == '!' || s.at[n + 1] == '?' || span_find(x->content, '&') < n)
			return XML_END;
		take(x, span_upto(s, n + 1), NULL);
		x->in_markup = true;
		return XML_TEXT;
	}
	x->tag = span_from(s, !x->in_markup);
	if (!x->tag.size || x->tag.at[0] == '!' || x->tag.at[0] == '?')
		return XML_END;
	n = tag_size(x->tag);
	if (n == x->tag.size)
		return XML_END;
	x->tag.size = n;
	x->closes = n && x->tag.at[n - 1] == '/';
	take(x, span_between(s.at, x->tag.at + n + 1), NULL);
	x->in_markup = false;
	return read_tag(x);
}

/* The slow path, for any piece. */
static enum xml_piece read_far(struct xml *x)
{
	strbuf_reset(&x->plain);
	for (;;) {
		if (!x->in_markup)
			x->in_markup = take_text(x);
		/* A comment inside a text does not split it. */
		if (x->in_markup && (take_byte(x, '!', NULL) || take_byte(x, '?', NULL))) {
			x->in_markup = false;
			x->broken = !take_declaration(x);
			continue;
		}
		x->content = strbuf_peek(&x->plain);
		if (x->content.size)
			return XML_TEXT;
		if (!x->in_markup)
			return XML_END;
		x->in_markup = false;
		x->broken = !take_tag(x);
		if (x->broken)
			return XML_END;
		x->closes = x->last == '/';
		take_byte(x, '>', NULL);
		return read_tag(x);
	}
}

enum xml_piece xml_next(struct xml *x)
{
	enum xml_piece piece;

	if (x->closes)
		return close_element(x);
	x->cut = false;
	piece = read_near(x);
	return piece == XML_END ? read_far(x) : piece;
}

/* Attributes */

static size_t skip_blanks(struct span s, size_t at)
{
	while (at < s.size && is_blank(s.at[at]))
		at++;
	return at;
}

/* The value after a =, with its entities resolved; returns the offset of its end. */
static size_t parse_value(struct xml *x, size_t at, struct span *value)
{
	struct span tag = x->tag;
	bool quoted = at < tag.size && (tag.at[at] == '"' || tag.at[at] == '\'');
	size_t end = at, begin = x->decoded.size;

	if (quoted) {
		at++;
		end = at + span_find(span_from(tag, at), tag.at[at - 1]);
	} else {
		while (end < tag.size && !is_blank(tag.at[end]))
			end++;
	}
	*value = span_between(tag.at + at, tag.at + end);
	if (span_find(*value, '&') < value->size) {
		decode(*value, &x->decoded);
		*value = span_from(strbuf_peek(&x->decoded), begin);
	}
	return end + quoted;
}

static void parse_attributes(struct xml *x)
{
	struct span tag = x->tag;
	size_t at = x->name.size;

	x->has_attributes = true;
	x->nr_attribute = 0;
	/* Reserved in advance: values point into it, so it must not move. */
	strbuf_reset(&x->decoded);
	strbuf_reserve(&x->decoded, tag.size);
	while (x->nr_attribute < XML_ATTRIBUTES_MAX) {
		struct xml_attribute a = { .value = SPAN("") };
		size_t begin = skip_blanks(tag, at);

		if (begin >= tag.size)
			return;
		for (at = begin + 1; at < tag.size && !is_blank(tag.at[at]) && tag.at[at] != '=';)
			at++;
		a.name = span_between(tag.at + begin, tag.at + at);
		begin = skip_blanks(tag, at);
		if (begin < tag.size && tag.at[begin] == '=')
			at = parse_value(x, skip_blanks(tag, begin + 1), &a.value);
		GROW(x->attribute, x->nr_attribute, x->cap_attribute);
		x->attribute[x->nr_attribute++] = a;
	}
}

bool xml_attribute(struct xml *x, const char *name, struct span *value)
{
	if (!x->has_attributes)
		parse_attributes(x);
	for (size_t i = 0; i < x->nr_attribute; i++)
		if (span_is(x->attribute[i].name, name)) {
			*value = x->attribute[i].value;
			return true;
		}
	return false;
}

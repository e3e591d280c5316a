#include "base/legible.h"

#include "base/alloc.h"
#include "base/utf8.h"

static bool is_hidden(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {
		{ 0, 0x1f },	    { 0x7f, 0x9f },	{ 0x61c, 0x61c },
		{ 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x2069 },
		{ 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0xfffe, 0xffff },
	};

	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++)
		if (code >= hidden[i].first && code <= hidden[i].last)
			return true;
	return false;
}

size_t legible_hidden(struct span s)
{
	unsigned char first = (unsigned char)s.at[0];
	size_t size;

	/* Most characters; continuation bytes, too. */
	if ((first >= ' ' && first < 0x7f) || (first >= 0x80 && first < 0xc0))
		return 0;
	return is_hidden(utf8_code(s, &size)) ? size : 0;
}

void legible_add(struct strbuf *out, struct span s)
{
	while (s.size) {
		bool whole;
		size_t n = utf8_whole(s, &whole), size;

		if (!whole) {
			strbuf_add(out, SPAN("\xef\xbf\xbd"));
		} else if (legible_hidden(s)) {
			uint32_t code = utf8_code(s, &size);

			strbuf_addf(out, code > 0xff ? "\\u%04x" : "\\x%02x", code);
		} else {
			strbuf_add(out, span_upto(s, n));
		}
		s = span_from(s, n);
	}
}

struct span legible_ascii(struct span character)
{
	static const struct {
		const char *from, *to;
	} plain[] = { { "…", "~" }, { "·", "-" },	 { "│", "|" },		 { "─", "-" },
		      { "├", "|" }, { "└", "`" },	 { "▏", "|" },		 { "▎", "|" },
		      { "▍", "|" }, { "▌", "|" },	 { "▋", "|" },		 { "▊", "|" },
		      { "▉", "|" }, { "█", "#" },	 { "▸", ">" },		 { "↑", "^" },
		      { "↓", "v" }, { "←", "<" },	 { "→", ">" },		 { "▲", "^" },
		      { "▼", "v" }, { "×", "x" },	 { "−", "-" },		 { "±", "+-" },
		      { "µ", "u" }, { "\xc2\xa0", " " }, { "\xe2\x80\xaf", " " } };

	if (character.size == 1 && (unsigned char)character.at[0] < 0x80)
		return character;
	for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
		if (span_is(character, plain[i].from))
			return span_of(plain[i].to);
	return SPAN("?");
}

void legible_add_ascii(struct strbuf *out, struct span text)
{
	while (text.size) {
		bool whole;
		size_t n = utf8_ascii(text);

		strbuf_add(out, span_upto(text, n));
		text = span_from(text, n);
		if (!text.size)
			break;
		n = utf8_whole(text, &whole);
		strbuf_add(out, legible_ascii(span_upto(text, n)));
		text = span_from(text, n);
	}
}

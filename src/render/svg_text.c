#include "render/svg_text.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "profile/spelling.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* What stands for a character that means something in XML; NULL: it means nothing. */
static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&apos;";
	default:
		return NULL;
	}
}

/* The character that valid UTF-8 begins with, and its bytes. */
static unsigned code_at(struct span s, size_t *size)
{
	const unsigned char *u = (const unsigned char *)s.at;
	unsigned code = u[0];

	*size = u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : u[0] >= 0xc0 ? 2 : 1;
	if (*size > 1)
		code &= 0xffU >> (*size + 1);
	for (size_t i = 1; i < *size; i++)
		code = code << 6 | (u[i] & 0x3f);
	return code;
}

/*
 * Bytes of a character that is not to be shown: XML cannot write most control
 * characters, and those that turn the direction of writing, or show nothing,
 * would make a name look like another.  0: it is fine.  The same as web/legible.js.
 */
static size_t hidden_size(struct span s)
{
	static const struct {
		unsigned first, last;
	} hidden[] = {
		{ 0, 0x1f },	    { 0x7f, 0x9f },	{ 0x61c, 0x61c },
		{ 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x2069 },
		{ 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0xfffe, 0xffff },
	};
	unsigned char first = (unsigned char)s.at[0];
	size_t size;
	unsigned code;

	/* Most characters, and the further bytes of the others. */
	if (first == '\t' || first == '\n' || (first >= ' ' && first < 0x7f) ||
	    (first >= 0x80 && first < 0xc0))
		return 0;
	code = code_at(s, &size);
	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++)
		if (code >= hidden[i].first && code <= hidden[i].last)
			return size;
	return 0;
}

/* A character of valid UTF-8 as a reference; returns its bytes. */
static size_t write_reference(struct output *out, struct span s)
{
	size_t size;

	svg_printf(out, "&#%u;", code_at(s, &size));
	return size;
}

static void write_ascii(struct output *out, struct span s)
{
	while (s.size) {
		size_t n = 0;

		while (n < s.size && !((unsigned char)s.at[n] & 0x80))
			n++;
		output_add(out, span_upto(s, n));
		s = span_from(s, n);
		if (s.size)
			s = span_from(s, write_reference(out, s));
	}
}

static void escape(struct output *out, struct span s, void (*write)(struct output *, struct span))
{
	size_t from = 0;

	for (size_t i = 0; i < s.size;) {
		const char *e = entity(s.at[i]);
		size_t hidden = hidden_size(span_from(s, i));

		if (!e && !hidden) {
			i++;
			continue;
		}
		write(out, span_between(s.at + from, s.at + i));
		write(out, e ? span_of(e) : SPAN("\xef\xbf\xbd"));
		i += hidden ? hidden : 1;
		from = i;
	}
	write(out, span_from(s, from));
}

size_t svg_text_size(struct span s)
{
	size_t size = 0;

	for (size_t i = 0; i < s.size; i++) {
		const char *e = entity(s.at[i]);

		/* A byte that is no text becomes three, a character's a fourth of its reference. */
		size += e								? strlen(e)
			: (unsigned char)s.at[i] < ' ' || (unsigned char)s.at[i] > 0x7e ? 4
											: 1;
	}
	return size;
}

static bool is_plain(struct span s)
{
	for (size_t i = 0; i < s.size; i++)
		if ((unsigned char)s.at[i] >= 0x80)
			return false;
	return true;
}

static void write_valid(struct output *out, struct span s,
			void (*write)(struct output *, struct span))
{
	struct strbuf valid = { 0 };

	spelling_utf8(&valid, s);
	escape(out, strbuf_peek(&valid), write);
	strbuf_release(&valid);
}

void svg_text(struct output *out, struct span s)
{
	if (is_plain(s))
		escape(out, s, output_add);
	else
		write_valid(out, s, output_add);
}

void svg_text_ascii(struct output *out, struct span s)
{
	if (is_plain(s))
		escape(out, s, output_add);
	else
		write_valid(out, s, write_ascii);
}

void svg_comment(struct output *out, struct span s)
{
	while (s.size) {
		size_t n = span_find(s, '-');

		svg_text(out, span_upto(s, n));
		if (n == s.size)
			return;
		s = span_from(s, n + 1);
		/* Nor may the last one touch the end of the comment. */
		output_add(out, !s.size || s.at[0] == '-' ? SPAN("- ") : SPAN("-"));
	}
}

void svg_printf(struct output *out, const char *format, ...)
{
	char buf[512];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(buf, sizeof(buf), format, ap);
	va_end(ap);
	if (n > 0)
		output_add(out, (struct span){ .at = buf,
					       .size = (size_t)n < sizeof(buf) ? (size_t)n
									       : sizeof(buf) - 1 });
}

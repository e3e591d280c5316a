#include "render/peer/svg_text.h"

#include "base/alloc.h"
#include "base/legible.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The entity for a character that has a meaning in XML; NULL: it has none. */
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

/* Writes the first character of s, which is valid UTF-8, as a reference; returns its size. */
static size_t write_reference(struct output *out, struct span s)
{
	size_t size;

	svg_number(out, SPAN("&#"), utf8_code(s, &size), 0);
	output_char(out, ';');
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

/* Bytes that begin a character which may need an entity, a reference or a replacement. */
static const bool is_special[256] = {
	[0 ... '\t' - 1] = true,
	['\n' + 1 ... 0x1f] = true,
	['&'] = true,
	['<'] = true,
	['>'] = true,
	['"'] = true,
	['\''] = true,
	[0x7f ... 0xff] = true,
};

/* The number of bytes that can be written as they are. */
static size_t plain_size(struct span s)
{
	size_t n = 0;

	while (n < s.size && !is_special[(unsigned char)s.at[n]])
		n++;
	return n;
}

static void escape(struct output *out, struct span s, void (*write)(struct output *, struct span))
{
	size_t from = 0, i = 0;

	while ((i += plain_size(span_from(s, i))) < s.size) {
		const char *e = entity(s.at[i]);
		bool whole;
		size_t size = utf8_whole(span_from(s, i), &whole);

		if (e || !whole || legible_hidden(span_from(s, i))) {
			write(out, span_between(s.at + from, s.at + i));
			write(out, e ? span_of(e) : SPAN("\xef\xbf\xbd"));
			from = i + size;
		}
		i += size;
	}
	write(out, span_from(s, from));
}

size_t svg_text_size(struct span s)
{
	size_t size = 0;

	for (size_t i = 0; i < s.size; i++) {
		const char *e = entity(s.at[i]);

		/* A reference (&#1234;) takes at most 4 bytes for each byte of the character. */
		size += e								? strlen(e)
			: (unsigned char)s.at[i] < ' ' || (unsigned char)s.at[i] > 0x7e ? 4
											: 1;
	}
	return size;
}

void svg_text(struct output *out, struct span s)
{
	escape(out, s, output_add);
}

void svg_text_ascii(struct output *out, struct span s)
{
	escape(out, s, write_ascii);
}

void svg_comment(struct output *out, struct span s)
{
	while (s.size) {
		size_t n = span_find(s, '-');

		svg_text(out, span_upto(s, n));
		if (n == s.size)
			return;
		s = span_from(s, n + 1);
		/* A dash must not be followed by another one, nor by the end of the comment. */
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

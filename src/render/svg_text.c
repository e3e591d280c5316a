#include "render/svg_text.h"

#include "base/alloc.h"
#include "base/legible.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "profile/spelling.h"

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

/* The size of a character that must not be shown; 0: it may be, as tabs and newlines are in XML. */
static size_t hidden_size(struct span s)
{
	return s.at[0] == '\t' || s.at[0] == '\n' ? 0 : legible_hidden(s);
}

/* Writes the first character of s, which is valid UTF-8, as a reference; returns its size. */
static size_t write_reference(struct output *out, struct span s)
{
	size_t size;

	svg_printf(out, "&#%u;", utf8_code(s, &size));
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

		/* A reference (&#1234;) takes at most 4 bytes for each byte of the character. */
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

#include "render/svg_text.h"

#include "base/strbuf.h"
#include "profile/spelling.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void escape(struct output *out, struct span s)
{
	for (size_t i = 0; i < s.size; i++) {
		char c = s.at[i];

		switch (c) {
		case '&':
			output_add(out, SPAN("&amp;"));
			break;
		case '<':
			output_add(out, SPAN("&lt;"));
			break;
		case '>':
			output_add(out, SPAN("&gt;"));
			break;
		case '"':
			output_add(out, SPAN("&quot;"));
			break;
		case '\'':
			output_add(out, SPAN("&apos;"));
			break;
		default:
			/* XML has no way to write the other control characters. */
			if ((unsigned char)c < ' ' && c != '\t' && c != '\n')
				output_add(out, SPAN("\xef\xbf\xbd"));
			else
				output_char(out, c);
		}
	}
}

static bool is_plain(struct span s)
{
	for (size_t i = 0; i < s.size; i++)
		if ((unsigned char)s.at[i] >= 0x80)
			return false;
	return true;
}

/* U+FFFE and U+FFFF are no characters, and XML does not have them either. */
static void replace_noncharacters(struct strbuf *b)
{
	for (size_t i = 0; i + 2 < b->size; i++)
		if (!memcmp(b->at + i, "\xef\xbf", 2) && (unsigned char)b->at[i + 2] >= 0xbe)
			b->at[i + 2] = (char)0xbd;
}

void svg_text(struct output *out, struct span s)
{
	struct strbuf valid = { 0 };

	if (is_plain(s)) {
		escape(out, s);
		return;
	}
	spelling_utf8(&valid, s);
	replace_noncharacters(&valid);
	escape(out, strbuf_peek(&valid));
	strbuf_release(&valid);
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

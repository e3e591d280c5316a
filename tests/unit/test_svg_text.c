/* Whatever the bytes are, they stay text, and the XML stays XML. */
#include "render/peer/svg_text.h"

#include "base/strbuf.h"
#include "span_tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef void writer(struct output *out, struct span s);

static char path[] = "/tmp/wick-svg-text.XXXXXX";

static void check(writer *write, struct span in, const char *want, const char *what)
{
	struct error e = ERROR_INIT;
	struct output out;
	char got[4096];
	size_t n = 0;
	FILE *f;

	if (output_open(&out, path, &e)) {
		ok(false, e.text);
		return;
	}
	write(&out, in);
	if (output_close(&out, &e)) {
		ok(false, e.text);
		return;
	}
	f = fopen(path, "r");
	if (f) {
		n = fread(got, 1, sizeof(got), f);
		fclose(f);
	}
	is_span(((struct span){ .at = got, .size = n }), want, what);
}

static void test_text(void)
{
	check(svg_text, SPAN(""), "", "svg_text() keeps an empty text");
	check(svg_text, SPAN("operator<<(a, b)"), "operator&lt;&lt;(a, b)", "svg_text() escapes <");
	check(svg_text, SPAN("</title><script>alert('1')</script>"),
	      "&lt;/title&gt;&lt;script&gt;alert(&apos;1&apos;)&lt;/script&gt;",
	      "svg_text() escapes elements");
	check(svg_text, SPAN("]]>"), "]]&gt;", "svg_text() escapes the end of a CDATA section");
	check(svg_text, SPAN("&#x0;&lt;"), "&amp;#x0;&amp;lt;", "svg_text() escapes references");
	check(svg_text, SPAN("\" onclick=\"x"), "&quot; onclick=&quot;x",
	      "svg_text() escapes quotation marks");
	check(svg_text, SPAN("a\tb\nc"), "a\tb\nc", "svg_text() keeps tabs and newlines");
	check(svg_text, SPAN("a\0b\1\x1b\r"),
	      "a\xef\xbf\xbd"
	      "b\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
	      "svg_text() replaces control characters");
	check(svg_text, SPAN("caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x94\xa5"),
	      "caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x94\xa5",
	      "svg_text() keeps characters of any size");
	check(svg_text, SPAN("\xff<\xc3"), "\xef\xbf\xbd&lt;\xef\xbf\xbd",
	      "svg_text() replaces invalid UTF-8");
	check(svg_text, SPAN("\xe2\x80\xae|\xe2\x81\xa7|\xe2\x80\x8f|\xc2\x9b|\x7f|\xe2\x80\xa6"),
	      "\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd|\xe2\x80\xa6",
	      "svg_text() replaces controls of writing direction and others");
	check(svg_text,
	      SPAN("\xd8\x9c|\xe2\x80\x8b|\xe2\x80\xa8|\xe2\x81\xa0|\xef\xbb\xbf|\xef\xbf\xb9"),
	      "\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd",
	      "svg_text() replaces invisible characters");
	check(svg_text,
	      SPAN("\xd8\x9d|\xe2\x80\x8a|\xe2\x80\xaf|\xe2\x81\xaa|\xef\xbb\xbe|\xc2\xa0"),
	      "\xd8\x9d|\xe2\x80\x8a|\xe2\x80\xaf|\xe2\x81\xaa|\xef\xbb\xbe|\xc2\xa0",
	      "svg_text() keeps characters next to those that it replaces");
	check(svg_text, SPAN("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
	      "svg_text() replaces surrogates");
	check(svg_text, SPAN("\xef\xbf\xbe|\xef\xbf\xbf|\xef\xbf\xbd|\xef\xbf\xbc"),
	      "\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbc",
	      "svg_text() replaces U+FFFE and U+FFFF, which XML does not allow");
}

static void test_ascii(void)
{
	check(svg_text_ascii, SPAN("operator<<(a)"), "operator&lt;&lt;(a)",
	      "svg_text_ascii() keeps ASCII, and escapes <");
	check(svg_text_ascii, SPAN("caf\xc3\xa9 \xdf\xbf \xe6\x97\xa5<\xf0\x9f\x94\xa5"),
	      "caf&#233; &#2047; &#26085;&lt;&#128293;",
	      "svg_text_ascii() makes characters of any size references");
	check(svg_text_ascii, SPAN("a\1b"), "a&#65533;b",
	      "svg_text_ascii() makes a control character a reference to U+FFFD");
	check(svg_text_ascii, SPAN("\xff\xe2\x80\xae"), "&#65533;&#65533;",
	      "svg_text_ascii() makes invalid and invisible characters references to U+FFFD");
	ok(svg_text_size(SPAN("\xdf\xbf")) >= strlen("&#2047;"),
	   "svg_text_size() is enough for a reference");
}

static void test_comment(void)
{
	check(svg_comment, SPAN("plain"), "plain", "svg_comment() keeps plain text");
	check(svg_comment, SPAN("a-b"), "a-b", "svg_comment() keeps a single dash");
	check(svg_comment, SPAN("a--b"), "a- -b", "svg_comment() separates two dashes");
	check(svg_comment, SPAN("---"), "- - - ",
	      "svg_comment() separates three dashes, and ends with a blank");
	check(svg_comment, SPAN("--><script>"), "- -&gt;&lt;script&gt;",
	      "svg_comment() escapes the end of a comment");
	check(svg_comment, SPAN("-"), "- ", "svg_comment() adds a blank to a lone dash");
	check(svg_comment, SPAN(""), "", "svg_comment() keeps an empty text");
}

static void print(struct output *out, struct span s)
{
	svg_printf(out, "%.*s|%d", (int)s.size, s.at, 42);
}

static void test_printf(void)
{
	check(print, SPAN("x"), "x|42", "svg_printf() formats text and numbers");
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	test_text();
	test_ascii();
	test_comment();
	test_printf();
	unlink(path);
	return done();
}

/* Whatever the bytes of a name are, they can be shown. */
#include "base/legible.h"

#include "span_tap.h"

static void check(struct span in, const char *want, const char *what)
{
	struct strbuf out = { 0 };

	strbuf_add(&out, SPAN(""));
	legible_add(&out, in);
	is_str(out.at, want, what);
	strbuf_release(&out);
}

static void check_ascii(struct span in, const char *want, const char *what)
{
	struct strbuf out = { 0 };

	legible_add_ascii(&out, in);
	is_str(out.at, want, what);
	strbuf_release(&out);
}

int main(void)
{
	check(SPAN(""), "", "legible_add adds nothing for an empty name");
	check(SPAN("std::map<int, größe>"), "std::map<int, größe>",
	      "legible_add keeps legible characters");
	check(SPAN("\033[2Jevil\007"), "\\x1b[2Jevil\\x07",
	      "legible_add escapes control sequences of a terminal");
	check(SPAN("a\tb\nc\rd"), "a\\x09b\\x0ac\\x0dd",
	      "legible_add escapes characters that move the cursor");
	check(SPAN("\x7f"), "\\x7f", "legible_add escapes DEL");
	check(SPAN("\xc2\x9b"
		   "31m"),
	      "\\x9b31m", "legible_add escapes a C1 control character");
	check(SPAN("\x9b"
		   "31m"),
	      "\xef\xbf\xbd"
	      "31m",
	      "legible_add replaces the byte of a C1 control that is not UTF-8");
	check(SPAN("a\xe2\x80\xae"
		   "b"),
	      "a\\u202eb", "legible_add escapes bidirectional controls");
	check(SPAN("\xe2\x80\x8b"), "\\u200b", "legible_add escapes invisible characters");
	check(SPAN("\xe2\x82"), "\xef\xbf\xbd", "legible_add replaces a truncated character");
	check(SPAN("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80",
	      "legible_add keeps a character of four bytes");
	check(SPAN("a\0b"), "a\\x00b", "legible_add escapes a NUL byte");
	check_ascii(SPAN("\033[1m60.0\xc2\xa0%  ██▌ └─ f(…) ±1\n"),
		    "\033[1m60.0 %  ##| `- f(~) +-1\n", "legible_add_ascii replaces signs");
	check_ascii(SPAN("gr\xc3\xb6\xc3\x9f"
			 "e \xff \xf0\x9f\x98\x80"),
		    "gr??e ? ?", "legible_add_ascii replaces other characters and invalid bytes");
	return done();
}

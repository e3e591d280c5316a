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
	check(SPAN(""), "", "nothing");
	check(SPAN("std::map<int, größe>"), "std::map<int, größe>", "what is legible stays");
	check(SPAN("\033[2Jevil\007"), "\\x1b[2Jevil\\x07", "what tells a terminal what to do");
	check(SPAN("a\tb\nc\rd"), "a\\x09b\\x0ac\\x0dd", "what moves the cursor");
	check(SPAN("\x7f"), "\\x7f", "delete");
	check(SPAN("\xc2\x9b"
		   "31m"),
	      "\\x9b31m", "an escape in two bytes");
	check(SPAN("\x9b"
		   "31m"),
	      "\xef\xbf\xbd"
	      "31m",
	      "… and in one, which is no UTF-8");
	check(SPAN("a\xe2\x80\xae"
		   "b"),
	      "a\\u202eb", "what turns the direction of writing");
	check(SPAN("\xe2\x80\x8b"), "\\u200b", "what shows nothing");
	check(SPAN("\xe2\x82"), "\xef\xbf\xbd", "a character cut off");
	check(SPAN("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80", "a character of four bytes");
	check(SPAN("a\0b"), "a\\x00b", "a zero");
	check_ascii(SPAN("\033[1m60.0\xc2\xa0%  ██▌ └─ f(…) ±1\n"),
		    "\033[1m60.0 %  ##| `- f(~) +-1\n", "legible_add_ascii replaces signs");
	check_ascii(SPAN("gr\xc3\xb6\xc3\x9f"
			 "e \xff \xf0\x9f\x98\x80"),
		    "gr??e ? ?", "legible_add_ascii replaces other characters and invalid bytes");
	return done();
}

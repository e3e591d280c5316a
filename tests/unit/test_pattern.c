#include "base/pattern.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdlib.h>

/* 1: it matches, 0: it does not, -1: it is wrong or does not end. */
static int match_bytes(const char *pattern, struct span s)
{
	struct error e = ERROR_INIT;
	struct pattern *p = pattern_new(span_of(pattern), &e);
	bool matches = false;
	int ret = p ? pattern_match(p, s, &matches, &e) : -1;

	pattern_free(p);
	return ret ? -1 : matches;
}

static int match(const char *pattern, const char *s)
{
	return match_bytes(pattern, span_of(s));
}

static void test_case(void)
{
	is_int(match("mem", "a_Memcpy"), 1, "lower case matches either case");
	is_int(match("Mem", "memcpy"), 0, "upper case does not");
	is_int(match("Mem", "Memcpy"), 1, "but upper case");
	is_int(match("me\\Scpy", "MEMCPY"), 1, "an escape is no letter");
	is_int(match("a\\\\B", "A\\b"), 0, "what follows an escaped backslash is one");
	is_int(match("^été$", "ÉTÉ"), 1, "letters that are not ASCII have case too");
}

static void test_dialect(void)
{
	is_int(match("", ""), 1, "nothing is everywhere");
	is_int(match("a$", "a\n"), 0, "the end is the end, not the end of a line");
	is_int(match("a[]", "a"), 0, "a class of nothing");
	is_int(match("\\u0061b", "ab"), 1, "\\u");
	is_int(match("^(?:(x)|y)\\1$", "y"), 1, "a group that took no part is empty");
	is_int(match("^.$", "é"), 1, "a character is a character");
	is_int(match_bytes("^..$", SPAN("a\0")), 1, "NUL is one");
	is_int(match_bytes("cpy$", SPAN("\xff\xfe mem\xc3 memcpy")), 1,
	       "what is no UTF-8 stands in nobody's way");
	is_int(match_bytes("a", (struct span){ 0 }), 0, "no bytes at all");
}

static void test_errors(void)
{
	struct error e = ERROR_INIT;
	struct pattern *p = pattern_new(SPAN("work(er"), &e);
	bool matches;

	ok(!p, "a parenthesis that is not closed");
	is_int(e.kind, ERROR_USAGE, "is the user's");
	like(e.text, "^invalid pattern 'work\\(er': at character 8: missing", "and has a place");
	is_int(match("*a", "a"), -1, "nothing to repeat");
	is_int(match("\xff", "a"), -1, "a pattern that is no UTF-8");
	is_int(match("a\\C", "a"), -1, "half a character");

	p = pattern_new(SPAN("^(a+)+$"), &e);
	if (!ok(p, "a pattern that is slow"))
		return;
	is_int(pattern_match(p, SPAN("aaaa"), &matches, &e), 0, "is fast in most names");
	ok(matches, "and matches them");
	is_int(pattern_match(p, SPAN("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"),
			     &matches, &e),
	       -1, "and given up in others");
	ok(!matches, "which is no match");
	like(e.text, "'\\^\\(a\\+\\)\\+\\$' takes too long to match 'aaaa", "but said");
	pattern_free(p);
	pattern_free(NULL);
}

/* Names of 64 kB, the longest there are, are no reason to give up. */
static void test_long(void)
{
	struct span s = { .size = 64 * 1024 };
	char *text = xmalloc(s.size);

	memset(text, 'x', s.size);
	text[s.size - 1] = 'y';
	s.at = text;
	is_int(match_bytes("x.*y$", s), 1, "a long name");
	is_int(match_bytes("z", s), 0, "is looked through");
	free(text);
}

int main(void)
{
	test_case();
	test_dialect();
	test_errors();
	test_long();
	return done();
}

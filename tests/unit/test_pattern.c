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
	is_int(match("mem", "a_Memcpy"), 1, "a lower-case pattern matches either case");
	is_int(match("Mem", "memcpy"), 0, "an upper-case letter does not match a lower-case one");
	is_int(match("Mem", "Memcpy"), 1, "an upper-case letter matches itself");
	is_int(match("me\\Scpy", "MEMCPY"), 1,
	       "the letter of an escape does not make a pattern case-sensitive");
	is_int(match("a\\\\B", "A\\b"), 0,
	       "an upper-case letter after an escaped backslash makes a pattern case-sensitive");
	is_int(match("^été$", "ÉTÉ"), 1,
	       "a lower-case pattern matches upper-case letters outside ASCII");
}

static void test_dialect(void)
{
	is_int(match("", ""), 1, "an empty pattern matches an empty string");
	is_int(match("a$", "a\n"), 0, "'$' does not match before a trailing newline");
	is_int(match("a[]", "a"), 0, "an empty class matches no character");
	is_int(match("\\u0061b", "ab"), 1, "\\u0061 matches 'a'");
	is_int(match("^(?:(x)|y)\\1$", "y"), 1,
	       "a back-reference to a group that took no part matches the empty string");
	is_int(match("^.$", "é"), 1, "'.' matches a character of several bytes");
	is_int(match_bytes("^..$", SPAN("a\0")), 1, "'.' matches NUL");
	is_int(match_bytes("cpy$", SPAN("\xff\xfe mem\xc3 memcpy")), 1,
	       "a pattern matches behind invalid UTF-8");
	is_int(match_bytes("a", (struct span){ 0 }), 0,
	       "a pattern does not match an absent string");
}

static void test_errors(void)
{
	struct error e = ERROR_INIT;
	struct pattern *p = pattern_new(SPAN("work(er"), &e);
	bool matches;

	ok(!p, "an unclosed parenthesis is rejected");
	is_int(e.kind, ERROR_USAGE, "an unclosed parenthesis is a usage error");
	like(e.text, "^invalid pattern 'work\\(er': at character 8: missing",
	     "the error of a malformed pattern says where it is");
	is_int(match("*a", "a"), -1, "'*' with nothing to repeat is rejected");
	is_int(match("\xff", "a"), -1, "a pattern in invalid UTF-8 is rejected");
	is_int(match("a\\C", "a"), -1, "\\C, which matches a single byte, is rejected");

	p = pattern_new(SPAN("^(a+)+$"), &e);
	if (!ok(p, "a pattern with nested repetition is accepted"))
		return;
	is_int(pattern_match(p, SPAN("aaaa"), &matches, &e), 0,
	       "a nested repetition ends on a short name");
	ok(matches, "a nested repetition matches a short name");
	is_int(pattern_match(p, SPAN("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"),
			     &matches, &e),
	       -1, "a match that backtracks too much is an error");
	ok(!matches, "a match that backtracks too much is rejected");
	like(e.text, "'\\^\\(a\\+\\)\\+\\$' takes too long to match 'aaaa",
	     "the error of excessive backtracking names the pattern and the string");
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
	is_int(match_bytes("x.*y$", s), 1, "a pattern matches at the end of a name of 64 KiB");
	is_int(match_bytes("z", s), 0, "a pattern that is not in a name of 64 KiB does not match");
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

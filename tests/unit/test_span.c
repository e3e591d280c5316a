#include "base/span.h"

#include "base/alloc.h"
#include "span_tap.h"

static void test_cuts(void)
{
	struct span s = SPAN("abc");

	is_span(span_from(s, 1), "bc", "span_from() drops the first bytes");
	is_span(span_from(s, 3), "", "span_from() can drop all bytes");
	is_span(span_from(s, 4), "", "span_from() drops no more bytes than there are");
	is_span(span_from(s, SIZE_MAX), "", "span_from() drops all bytes for SIZE_MAX");
	is_int(span_from((struct span){ 0 }, 5).size, 0, "span_from() of a null span is empty");
	is_span(span_upto(s, 2), "ab", "span_upto() keeps the first bytes");
	is_span(span_upto(s, SIZE_MAX), "abc", "span_upto() keeps no more bytes than there are");
	is_span(span_between(s.at, s.at + 2), "ab", "span_between() has the bytes up to its end");
	ok(span_eq(SPAN("a\0b"), SPAN("a\0b")), "span_eq() takes NUL as a byte like others");
	ok(!span_eq(SPAN("a\0b"), SPAN("a\0c")), "span_eq() compares the bytes after a NUL");
	ok(span_eq((struct span){ 0 }, SPAN("")), "span_eq() takes a null span as the empty text");
	ok(span_is(s, "abc") && !span_is(s, "ab") && !span_is(s, "abcd"),
	   "span_is() compares the whole text");
	ok(span_starts(s, "ab") && span_starts(s, "") && !span_starts(s, "abcd"),
	   "span_starts() finds a prefix, but no longer text");
	ok(span_ends(s, "bc") && span_ends(s, "") && !span_ends(s, "xabc"),
	   "span_ends() finds a suffix, but no longer text");
}

static void test_find(void)
{
	struct span s = SPAN("a;b;c"), nothing = { 0 };

	is_int(span_find(s, ';'), 1, "span_find() gives the first place of a byte");
	is_int(span_rfind(s, ';'), 3, "span_rfind() gives the last place of a byte");
	is_int(span_find(s, 'x'), 5, "span_find() gives the size if the byte is missing");
	is_int(span_rfind(s, 'x'), 5, "span_rfind() gives the size if the byte is missing");
	is_int(span_find(nothing, 'x'), 0, "span_find() gives 0 for a null span");
	is_int(span_rfind(nothing, 'x'), 0, "span_rfind() gives 0 for a null span");
	is_int(span_find(SPAN("a\0b"), '\0'), 1, "span_find() finds a NUL");
	is_int(span_find_text(SPAN("xaab"), "ab"), 2,
	       "span_find_text() continues after a false start");
	is_int(span_find_text(SPAN("abab"), "ab"), 0,
	       "span_find_text() gives the first place of a text");
	is_int(span_rfind_text(SPAN("abab"), "ab"), 2,
	       "span_rfind_text() gives the last place of a text");
	is_int(span_rfind_text(SPAN("ab"), "ab"), 0,
	       "span_rfind_text() finds a text that is the whole span");
	is_int(span_rfind_text(SPAN("b"), "ab"), 1,
	       "span_rfind_text() does not find a text longer than the span");
	is_int(span_find_text(SPAN("b"), "ab"), 1,
	       "span_find_text() does not find a text longer than the span");
	is_int(span_rfind_text(nothing, "ab"), 0, "span_rfind_text() gives 0 for a null span");
	ok(span_contains(SPAN("a->b"), "->") && !span_contains(SPAN("a- >b"), "->"),
	   "span_contains() finds a text, but no other");
	ok(!span_contains(nothing, "a"), "span_contains() finds no text in a null span");
}

static void test_words(void)
{
	struct span s = SPAN("  bash \t12  [001]\r\n");

	is_span(span_trim(s), "bash \t12  [001]", "span_trim() removes blanks at both ends");
	is_span(span_trim_start(SPAN("\f\v\t a ")), "a ",
		"span_trim_start() removes blanks of every kind");
	is_span(span_trim_end(SPAN(" a\r\n")), " a", "span_trim_end() removes a line end");
	is_span(span_trim(SPAN(" \t ")), "", "span_trim() of blanks is empty");
	is_span(span_trim(SPAN("a\xc2\xa0")), "a\xc2\xa0", "span_trim() keeps bytes outside ASCII");
	is_span(span_word(&s), "bash", "span_word() gives the first word");
	is_span(span_word(&s), "12", "span_word() gives the second word");
	is_span(span_word(&s), "[001]", "span_word() gives the last word");
	is_span(span_word(&s), "", "span_word() gives an empty word after the last");
	s = SPAN("0123456\x01\xff\xa0\x80 8901234\t\x7f~!");
	is_span(span_word(&s), "0123456\x01\xff\xa0\x80",
		"span_word() keeps control characters and bytes outside ASCII");
	is_span(span_word(&s), "8901234", "span_word() ends a word at a tab");
	is_span(span_word(&s), "\x7f~!", "span_word() gives the rest as the last word");
	is_int(s.size, 0, "span_word() leaves nothing after the last word");
}

static void test_numbers(void)
{
	static const struct {
		const char *text;
		bool good;
		uint64_t value;
	} decimal[] = {
		{ "0", true, 0 },
		{ "007", true, 7 },
		{ "18446744073709551615", true, UINT64_MAX },
		{ "018446744073709551615", true, UINT64_MAX },
		{ "18446744073709551616", false, 0 },
		{ "18446744073709551620", false, 0 },
		{ "99999999999999999999999", false, 0 },
		{ "", false, 0 },
		{ "-1", false, 0 },
		{ "+1", false, 0 },
		{ " 1", false, 0 },
		{ "1 ", false, 0 },
		{ "1.0", false, 0 },
		{ "0x1", false, 0 },
	}, hex[] = {
		{ "0", true, 0 },
		{ "fF", true, 255 },
		{ "ffffffffffffffff", true, UINT64_MAX },
		{ "ffffffff81000000", true, 0xffffffff81000000 },
		{ "00000000000000001", false, 0 },
		{ "0x1", false, 0 },
		{ "g", false, 0 },
		{ "", false, 0 },
	};
	char what[96];

	for (size_t i = 0; i < ARRAY_SIZE(decimal); i++) {
		uint64_t value = 42;
		bool good = span_u64(span_of(decimal[i].text), &value);

		snprintf(what, sizeof(what), "span_u64() parses or rejects '%s'", decimal[i].text);
		ok(good == decimal[i].good && value == (good ? decimal[i].value : 42), what);
	}
	for (size_t i = 0; i < ARRAY_SIZE(hex); i++) {
		uint64_t value = 42;
		bool good = span_hex(span_of(hex[i].text), &value);

		snprintf(what, sizeof(what), "span_hex() parses or rejects '%s'", hex[i].text);
		ok(good == hex[i].good && value == (good ? hex[i].value : 42), what);
	}
}

static void test_compare(void)
{
	/* In the order of `LC_ALL=C sort`. */
	static const struct span sorted[] = { SPAN(""),	    SPAN("\0"),	 SPAN("A"),  SPAN("a"),
					      SPAN("a "),   SPAN("a;"),	 SPAN("aa"), SPAN("b"),
					      SPAN("\x80"), SPAN("\xff") };
	bool right = true;

	for (size_t i = 0; i < ARRAY_SIZE(sorted); i++)
		for (size_t k = 0; k < ARRAY_SIZE(sorted); k++) {
			int order = span_compare(sorted[i], sorted[k]);

			right &= i < k ? order < 0 : i > k ? order > 0 : order == 0;
		}
	ok(right, "span_compare() takes bytes as unsigned, and sorts a prefix first");
}

static void test_common(void)
{
	static const char text[] = "a;bc;def;ghij;klmno;pqrstu";
	struct span whole = span_of(text);
	bool right = true;

	/* Cut, or changed, at every place. */
	for (size_t n = 0; n < whole.size; n++) {
		char other[sizeof(text)];

		memcpy(other, text, sizeof(text));
		other[n] ^= (char)0x80;
		right &= span_common(whole, span_upto(whole, n)) == n;
		right &= span_common(span_of(other), whole) == n;
	}
	ok(right, "span_common() ends at the first difference or at the end of the shorter text");
	is_int(span_common(whole, whole), whole.size, "span_common() of equal texts is their size");
}

int main(void)
{
	test_cuts();
	test_find();
	test_words();
	test_numbers();
	test_compare();
	test_common();
	return done();
}

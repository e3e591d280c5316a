#include "base/strbuf.h"

#include "span_tap.h"

static void test_add(void)
{
	struct strbuf b = { 0 };

	is_span(strbuf_peek(&b), "", "strbuf_peek() of a zeroed buffer is empty");
	ok(strbuf_peek(&b).at, "strbuf_peek() of a zeroed buffer is not NULL");
	strbuf_add(&b, SPAN(""));
	is_str(b.at, "", "strbuf_add() of an empty text adds a NUL behind the text");
	strbuf_add(&b, SPAN("ab"));
	strbuf_addch(&b, 'c');
	strbuf_addf(&b, "%d;%s", 12, "x");
	is_str(b.at, "abc12;x", "strbuf_add(), strbuf_addch() and strbuf_addf() append");
	is_int(b.size, 7, "the size of a buffer is that of its text");
	strbuf_add(&b, SPAN("\0y"));
	is_bytes(strbuf_peek(&b), SPAN("abc12;x\0y"),
		 "strbuf_add() takes NUL as a byte like others");
	strbuf_reset(&b);
	is_span(strbuf_peek(&b), "", "strbuf_reset() empties a buffer");
	strbuf_addf(&b, "%s", "");
	is_str(b.at, "", "strbuf_addf() of an empty text adds a NUL behind the text");
	strbuf_release(&b);
	ok(!b.at && !b.size && !b.cap, "strbuf_release() leaves a zeroed buffer");
}

/* Every size of what is there meets every size of what comes. */
static void test_growth(void)
{
	static const char bytes[300];
	bool right = true;

	for (size_t first = 0; first < 140; first++)
		for (size_t second = 0; second < 140; second++) {
			struct strbuf b = { 0 };

			strbuf_add(&b, (struct span){ .at = bytes, .size = first });
			strbuf_add(&b, (struct span){ .at = bytes, .size = second });
			strbuf_addf(&b, "%s", "z");
			right &= b.size == first + second + 1 && b.size < b.cap &&
				 b.at[b.size - 1] == 'z' && !b.at[b.size];
			strbuf_release(&b);
		}
	ok(right, "there is room for the text and its end, whatever the sizes");
}

int main(void)
{
	test_add();
	test_growth();
	return done();
}

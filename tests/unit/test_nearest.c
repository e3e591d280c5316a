#include "base/nearest.h"

#include "base/alloc.h"
#include "tap.h"

static const char *nearest(const char *word)
{
	static const char *const names[] = { "event", "output", "quiet", "top",
					     "a-name-that-is-longer-than-anybody-types" };
	struct nearest n;

	nearest_init(&n, span_of(word));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		nearest_offer(&n, names[i]);
	return n.name ? n.name : "none";
}

static void test_near(void)
{
	is_str(nearest("evnt"), "event", "nearest finds the name for a word that lacks a letter");
	is_str(nearest("outputs"), "output",
	       "nearest finds the name for a word with a letter too many");
	is_str(nearest("iuqet"), "quiet",
	       "nearest finds the name for a word in which two of five letters differ");
	is_str(nearest("tpo"), "top",
	       "nearest counts two swapped letters of a short word as one difference");
	is_str(nearest("out"), "output", "nearest finds the name that a word is the beginning of");
	is_str(nearest("top"), "top", "nearest finds the name that is equal to the word");
}

static void test_far(void)
{
	is_str(nearest(""), "none", "nearest finds no name for an empty word");
	is_str(nearest("xyz"), "none", "nearest finds no name for a word without a common letter");
	is_str(nearest("tip-"), "none", "a name that differs in two of four letters is not near");
	is_str(nearest("outpt-"), "output", "a name that differs in two of six letters is near");
	is_str(nearest("tix"), "none", "a name that differs in two of three letters is not near");
	is_str(nearest("a-name-that-is-longer-than-anybody-typed"), "none",
	       "nearest does not compare very long words");
}

int main(void)
{
	test_near();
	test_far();
	return done();
}

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
	is_str(nearest("evnt"), "event", "a letter is missing");
	is_str(nearest("outputs"), "output", "a letter too many");
	is_str(nearest("iuqet"), "quiet", "letters that changed places count once");
	is_str(nearest("tpo"), "top", "in a short word too");
	is_str(nearest("out"), "output", "a beginning");
	is_str(nearest("top"), "top", "the same");
}

static void test_far(void)
{
	is_str(nearest(""), "none", "nothing is near to nothing");
	is_str(nearest("xyz"), "none", "no letter in common");
	is_str(nearest("tip-"), "none", "a name that differs in two of four letters is not near");
	is_str(nearest("outpt-"), "output", "a name that differs in two of six letters is near");
	is_str(nearest("tix"), "none", "two of three are too many");
	is_str(nearest("a-name-that-is-longer-than-anybody-typed"), "none",
	       "what is very long is not compared");
}

int main(void)
{
	test_near();
	test_far();
	return done();
}

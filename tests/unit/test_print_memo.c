/* A memo that keeps fingerprints finds what was added, and nothing else. */
#include "read/text/print_memo.h"

#include "tap.h"

static struct print print_number(uint32_t n, uint64_t seed)
{
	char text[512];
	int size = snprintf(text, sizeof(text), "line %u", n);

	return print_of((struct span){ text, (size_t)size }, seed);
}

int main(void)
{
	enum { NR = 20000 };
	struct print_memo m = { 0 };
	uint64_t seed = print_seed();
	uint32_t wrong = 0, found = 0;

	is_int(print_memo_find(&m, print_number(0, seed)), MEMO_NONE,
	       "an empty memo finds nothing");
	for (uint32_t i = 0; i < NR; i++)
		print_memo_add(&m, print_number(i, seed), i);
	for (uint32_t i = 0; i < NR; i++)
		wrong += print_memo_find(&m, print_number(i, seed)) != i;
	is_int(wrong, 0, "all added texts are found with their values, including 0");
	for (uint32_t i = NR; i < 2 * NR; i++)
		found += print_memo_find(&m, print_number(i, seed)) != MEMO_NONE;
	is_int(found, 0, "texts that were not added are not found");
	for (uint32_t i = NR; i <= PRINT_MEMO_MAX; i++)
		print_memo_add(&m, print_number(i, seed), i);
	is_int(print_memo_find(&m, print_number(0, seed)), MEMO_NONE,
	       "a full memo forgets all texts");
	is_int(print_memo_find(&m, print_number(PRINT_MEMO_MAX, seed)), PRINT_MEMO_MAX,
	       "a text that was added to a full memo is found");
	print_memo_release(&m);
	return done();
}

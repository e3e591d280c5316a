/* Texts are sorted by their bytes, whatever these are. */
#include "base/sort_text.h"

#include "base/alloc.h"
#include "random.h"
#include "tap.h"

#include <stdlib.h>

/* What the order has to be, byte by byte. */
static int compare(const struct sort_text *a, const struct sort_text *b)
{
	for (size_t i = 0; i < a->size || i < b->size; i++) {
		int x = i < a->size ? (unsigned char)a->at[i] : -1;
		int y = i < b->size ? (unsigned char)b->at[i] : -1;

		if (x != y)
			return x - y;
	}
	return a->what < b->what ? -1 : 1;
}

static size_t nr_unsorted(const struct sort_text *t, size_t nr)
{
	size_t wrong = 0;

	for (size_t i = 1; i < nr; i++)
		wrong += compare(&t[i - 1], &t[i]) > 0;
	return wrong;
}

/* Random texts of some letters; those with few letters and sizes are often equal, or begin each other. */
static void test_random(size_t nr, unsigned letters, unsigned size_max, unsigned threads,
			const char *what)
{
	struct sort_text *t = xcalloc(nr, sizeof(*t));
	char *bytes = xcalloc(nr, size_max + 1);
	struct random r = { 5 + letters };

	for (size_t i = 0; i < nr; i++) {
		char *at = bytes + i * size_max;
		size_t size = random_below(&r, size_max + 1);

		for (size_t k = 0; k < size; k++)
			at[k] = (char)random_below(&r, letters);
		t[i] = sort_text((struct span){ at, size }, (uint32_t)i);
	}
	sort_texts(t, nr, threads);
	is_int((long)nr_unsorted(t, nr), 0, what);
	free(t);
	free(bytes);
}

static void test_same_beginning(void)
{
	enum { NR = 3000, SIZE = 100 };
	struct sort_text *t = xcalloc(NR, sizeof(*t));
	char *bytes = xcalloc(NR, SIZE);

	memset(bytes, 'a', (size_t)NR * SIZE);
	for (size_t i = 0; i < NR; i++) {
		char *at = bytes + i * SIZE;

		at[SIZE - 2] = (char)(i * 7919 % NR / 64);
		at[SIZE - 1] = (char)(i * 7919 % NR % 64);
		t[i] = sort_text((struct span){ at, SIZE - (i % 5 == 0) }, (uint32_t)i);
	}
	sort_texts(t, NR, 1);
	is_int((long)nr_unsorted(t, NR), 0, "texts that differ in their last bytes are sorted");
	free(t);
	free(bytes);
}

int main(void)
{
	sort_texts(NULL, 0, 2);
	test_random(5000, 256, 20, 1, "texts of any bytes are sorted");
	test_random(5000, 2, 12, 1, "texts that often are equal are sorted");
	test_random(5000, 3, 40, 1, "texts that begin like others are sorted");
	test_random(11, 2, 3, 1, "a few texts are sorted");
	test_random(100000, 256, 20, 4, "texts of any bytes are sorted by several threads");
	test_random(100000, 2, 30, 3, "texts that often are equal are sorted by several threads");
	test_same_beginning();
	return done();
}

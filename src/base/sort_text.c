#include "base/sort_text.h"

#include <stdlib.h>

/*
 * Quicksort by 8 bytes as a number.  Those that are equal in them are sorted by the next 8, so that
 * what many names begin with (`std::`) is read once by each, not once by each comparison.
 */
enum { STEP = 8, FEW = 12 };

/* The bytes from here on, as a number that sorts like them; behind the end, they are 0. */
static uint64_t front_at(const struct sort_text *t, size_t from)
{
	size_t left = t->size - from;
	uint64_t v = 0;

	if (left >= STEP) {
		memcpy(&v, t->at + from, STEP);
		return __builtin_bswap64(v);
	}
	for (size_t i = 0; i < STEP; i++)
		v = v << 8 | (i < left ? (unsigned char)t->at[from + i] : 0);
	return v;
}

static int compare(const struct sort_text *a, const struct sort_text *b, size_t from)
{
	size_t least = a->size < b->size ? a->size : b->size;
	int order = from < least ? memcmp(a->at + from, b->at + from, least - from) : 0;

	if (order)
		return order;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return a->what < b->what ? -1 : a->what > b->what;
}

static int by_bytes(const void *a, const void *b)
{
	return compare(a, b, 0);
}

static bool is_before(const struct sort_text *a, const struct sort_text *b, size_t from)
{
	return a->front != b->front ? a->front < b->front : compare(a, b, from) < 0;
}

static void swap(struct sort_text *a, struct sort_text *b)
{
	struct sort_text t = *a;

	*a = *b;
	*b = t;
}

static void sort_few(struct sort_text *t, size_t nr, size_t from)
{
	for (size_t i = 1; i < nr; i++) {
		struct sort_text moved = t[i];
		size_t to = i;

		for (; to > 0 && is_before(&moved, &t[to - 1], from); to--)
			t[to] = t[to - 1];
		t[to] = moved;
	}
}

static uint64_t middle_of(uint64_t a, uint64_t b, uint64_t c)
{
	if (a > b) {
		uint64_t t = a;

		a = b;
		b = t;
	}
	return c < a ? a : c > b ? b : c;
}

/* Moves those that end within the step, which are equal in it, to the front, and sorts them. */
static size_t sort_ended(struct sort_text *t, size_t nr, size_t from)
{
	size_t ended = 0;

	for (size_t i = 0; i < nr; i++)
		if (t[i].size <= from + STEP)
			swap(&t[i], &t[ended++]);
	if (ended > 1)
		qsort(t, ended, sizeof(*t), by_bytes);
	return ended;
}

/* All are equal before `from`, where their fronts are from.  Past the limit of bad pivots, qsort() takes over. */
static void sort_from(struct sort_text *t, size_t nr, size_t from, unsigned limit)
{
	while (nr > FEW) {
		uint64_t pivot = middle_of(t[0].front, t[nr / 2].front, t[nr - 1].front);
		size_t less = 0, greater = nr;

		if (!limit--) {
			qsort(t, nr, sizeof(*t), by_bytes);
			return;
		}
		for (size_t i = 0; i < greater;)
			if (t[i].front < pivot)
				swap(&t[i++], &t[less++]);
			else if (t[i].front > pivot)
				swap(&t[i], &t[--greater]);
			else
				i++;
		sort_from(t, less, from, limit);
		sort_from(t + greater, nr - greater, from, limit);
		less += sort_ended(t + less, greater - less, from);
		t += less;
		nr = greater - less;
		from += STEP;
		for (size_t i = 0; i < nr; i++)
			t[i].front = front_at(&t[i], from);
		/* Texts of n bytes are n / 8 steps deep, which are no bad pivots. */
		limit++;
	}
	sort_few(t, nr, from);
}

void sort_texts(struct sort_text *t, size_t nr)
{
	unsigned limit = 4;

	for (size_t n = nr; n; n >>= 1)
		limit += 2;
	for (size_t i = 0; i < nr; i++)
		t[i].front = front_at(&t[i], 0);
	sort_from(t, nr, 0, limit);
}

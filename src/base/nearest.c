#include "base/nearest.h"

enum { LONGEST = 32 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Edit distance: letters changed, inserted, deleted, or swapped with the next one. */
static size_t distance(struct span a, struct span b)
{
	size_t row[3][LONGEST + 1];

	for (size_t j = 0; j <= b.size; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= a.size; i++) {
		size_t *now = row[i % 3], *above = row[(i + 2) % 3], *swapped = row[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= b.size; j++) {
			now[j] = above[j - 1] + (a.at[i - 1] != b.at[j - 1]);
			now[j] = least(now[j], least(above[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] &&
			    a.at[i - 2] == b.at[j - 1])
				now[j] = least(now[j], swapped[j - 2] + 1);
		}
	}
	return row[a.size % 3][b.size];
}

void nearest_init(struct nearest *n, struct span word)
{
	/* In a short word, two wrong letters are too many: .foo is not .dot. */
	*n = (struct nearest){ .word = word, .distance = word.size < 5 ? 2 : 3 };
}

void nearest_offer(struct nearest *n, const char *name)
{
	enum { BEGINNING = 3 };
	struct span s = span_of(name);
	size_t d;

	if (n->word.size > LONGEST || s.size > LONGEST)
		return;
	d = distance(n->word, s);
	/* A prefix is near its name; names without a common letter never are. */
	if (n->word.size >= BEGINNING && s.size > n->word.size &&
	    span_eq(span_upto(s, n->word.size), n->word))
		d = 1;
	else if (d >= n->word.size)
		return;
	if (d < n->distance) {
		n->distance = d;
		n->name = name;
	}
}

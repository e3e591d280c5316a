/* More records than may be in memory come back in order. */
#include "base/sorted_runs.h"

#include "base/alloc.h"
#include "random.h"
#include "tap.h"

#include <stdlib.h>

struct record {
	uint64_t key, payload;
	uint32_t scale;
};

static int by_key(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* Keys are multiplied by 10 for each step of the scale that they were added before. */
static void update(void *arg, void *record)
{
	const uint32_t *scale = arg;
	struct record *r = record;

	for (; r->scale < *scale; r->scale++)
		r->key *= 10;
}

/* Of the order by keys, the first part. */
static uint32_t key_group(const void *record)
{
	const struct record *r = record;

	return (uint32_t)(r->key / 4000000000);
}

/* Adds nr records while the scale grows, with at most max in memory, and compares them with qsort(). */
static void check(size_t nr, size_t max, unsigned order, uint32_t (*group)(const void *),
		  const char *what)
{
	uint32_t scale = 0;
	struct sorted_runs s = { .size = sizeof(struct record),
				 .max = max,
				 .compare = by_key,
				 .group = group,
				 .update = update,
				 .arg = &scale };
	struct record *want = xcalloc(nr + 1, sizeof(*want)), got;
	struct error e = ERROR_INIT;
	struct random r = { 1 + nr };
	char text[100];
	size_t i = 0;
	bool same = true;

	for (; i < nr; i++) {
		if (i == nr / 3 || i == nr / 2)
			scale++;
		want[i].key = order ? order == 1 ? i : nr - i : random_below(&r, 1000000007);
		want[i].payload = i;
		want[i].scale = scale;
		sorted_runs_add(&s, &want[i]);
	}
	for (i = 0; i < nr; i++)
		update(&scale, &want[i]);
	qsort(want, nr, sizeof(*want), by_key);
	snprintf(text, sizeof(text), "%s: runs are merged", what);
	ok(sorted_runs_finish(&s, &e) == 0, text);
	for (i = 0; sorted_runs_next(&s, &got, &e) > 0; i++)
		same &= i < nr && got.key == want[i].key;
	snprintf(text, sizeof(text), "%s: all records come back", what);
	ok(i == nr, text);
	snprintf(text, sizeof(text), "%s: records come back in order", what);
	ok(same, text);
	snprintf(text, sizeof(text), "%s: the end stays the end", what);
	ok(sorted_runs_next(&s, &got, &e) == 0, text);
	sorted_runs_release(&s);
	free(want);
}

int main(void)
{
	check(0, 4, 0, NULL, "no records");
	check(3, 4, 0, NULL, "records in memory");
	check(4, 4, 0, NULL, "as many records as fit");
	check(5, 4, 0, NULL, "one record more than fits");
	check(5000, 64, 0, NULL, "many runs");
	check(5000, 64, 1, NULL, "sorted records");
	check(5000, 64, 2, NULL, "records in reverse");
	check(20000, 3000, 0, NULL, "runs of several blocks");
	check(5000, 64, 0, key_group, "many runs of groups");
	check(20000, 3000, 1, key_group, "sorted groups");
	check(20000, 30000, 0, key_group, "groups in memory");
	return done();
}

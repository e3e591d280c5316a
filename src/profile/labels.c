/* Label sets: interned like every other row, in whatever order they are given. */
#include "base/alloc.h"
#include "base/row_index.h"
#include "profile/profile.h"

#include <stdlib.h>

static uint32_t labels_hash(const struct label *label, size_t nr)
{
	uint64_t h = nr;

	for (size_t i = 0; i < nr; i++)
		h = row_mix(h, (uint64_t)label[i].key.i << 32 | label[i].value.i);
	return (uint32_t)h;
}

static bool same_labels(const struct label_set *have, const struct label *label, size_t nr)
{
	if (have->nr != nr)
		return false;
	for (size_t i = 0; i < nr; i++)
		if (have->label[i].key.i != label[i].key.i ||
		    have->label[i].value.i != label[i].value.i)
			return false;
	return true;
}

static int by_key(const void *a, const void *b)
{
	const struct label *x = a, *y = b;

	if (x->key.i != y->key.i)
		return x->key.i < y->key.i ? -1 : 1;
	return x->value.i < y->value.i ? -1 : x->value.i > y->value.i;
}

/* Adds a set that is not in the table yet; `at` is its slot in the index. */
static label_id add_set(struct profile *p, const struct label *sorted, size_t nr, uint32_t hash,
			uint32_t at)
{
	struct label *kept = NULL;

	if (nr) {
		kept = arena_take(&p->arena, nr * sizeof(*kept));
		memcpy(kept, sorted, nr * sizeof(*kept));
	}
	GROW(p->labels, p->nr_labels, p->cap_labels);
	p->labels[p->nr_labels] = (struct label_set){ .label = kept, .nr = nr };
	p->label_index.slot[at] = row_index_slot(&p->label_index, hash, p->nr_labels);
	return (label_id){ (uint32_t)p->nr_labels++ };
}

static label_id find_or_add(struct profile *p, const struct label *sorted, size_t nr)
{
	struct row_index *x = &p->label_index;
	uint32_t hash = labels_hash(sorted, nr), row, at;

	if (row_index_full(x, p->nr_labels)) {
		row_index_grow(x, p->nr_labels);
		for (size_t i = 0; i < p->nr_labels; i++)
			row_index_put(x, labels_hash(p->labels[i].label, p->labels[i].nr), i);
	}
	FOR_EACH_ROW (row, at, x, hash)
		if (same_labels(&p->labels[row], sorted, nr))
			return (label_id){ row };
	return add_set(p, sorted, nr, hash, at);
}

label_id profile_labels(struct profile *p, const struct label *label, size_t nr)
{
	struct label few[16], *sorted = few;
	label_id id;

	/* Sorted, so that equal sets are equal rows. */
	if (nr > ARRAY_SIZE(few))
		sorted = xreallocarray(NULL, nr, sizeof(*sorted));
	if (nr) {
		memcpy(sorted, label, nr * sizeof(*sorted));
		qsort(sorted, nr, sizeof(*sorted), by_key);
	}
	id = find_or_add(p, sorted, nr);
	if (sorted != few)
		free(sorted);
	return id;
}

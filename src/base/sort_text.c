#include "base/sort_text.h"

#include <pthread.h>
#include <stdlib.h>

/*
 * Quicksort by 8 bytes as a number.  Texts with the same 8 bytes are then sorted by the 8 bytes after
 * their common prefix, so that a prefix of many texts (`std::`) is read once per text, not once per
 * comparison.
 */
enum {
	STEP = 8,
	FEW = 12,
	AHEAD = 16,  /* texts are scattered in memory: this many are prefetched at a time */
	MANY = 4096, /* fewer are sorted faster than a thread starts */
	FORKS = 8,   /* a part has up to 2^FORKS threads, which each fork halves */
};

/* Texts that are equal before the offset `from`, where their fronts begin. */
struct part {
	struct sort_text *t;
	size_t nr, from;
	unsigned limit;	  /* of steps, in case of bad pivots: then qsort() takes over */
	unsigned threads; /* that may sort it */
	bool equal;	  /* the fronts are equal, too */
};

/* Two parts that are sorted by another thread. */
struct fork {
	struct part part[2];
	pthread_t thread;
};

/* The bytes from this offset on, as a number that sorts like them; 0 after the end. */
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

/* A front near the median: of many texts, the median of nine, since partly sorted texts have bad pivots at the ends. */
static uint64_t choose_pivot(const struct sort_text *t, size_t nr)
{
	enum { NINE_FROM = 128 };
	size_t step = (nr - 1) / 8;
	uint64_t of[3];

	if (nr < NINE_FROM)
		return middle_of(t[0].front, t[nr / 2].front, t[nr - 1].front);
	for (size_t i = 0; i < 3; i++)
		of[i] = middle_of(t[3 * i * step].front, t[(3 * i + 1) * step].front,
				  t[(3 * i + 2) * step].front);
	return middle_of(of[0], of[1], of[2]);
}

/* Moves texts that end within the step, in which all are equal, to the beginning, and sorts them. */
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

static struct span rest_of(const struct sort_text *t, size_t from)
{
	return (struct span){ .at = t->at + from, .size = t->size - from };
}

/* The number of bytes, from `from` on, that all texts have in common. */
static size_t common(const struct sort_text *t, size_t nr, size_t from)
{
	struct span same = rest_of(t, from);

	for (size_t i = 1; i < nr && same.size; i++) {
		if (i + AHEAD < nr)
			__builtin_prefetch(t[i + AHEAD].at + from);
		same.size = span_common(same, rest_of(&t[i], from));
	}
	return same.size;
}

/* For a part with equal fronts: sorts texts that end there, and continues after the prefix that the others share. */
static void advance(struct part *p)
{
	size_t ended = sort_ended(p->t, p->nr, p->from);

	p->t += ended;
	p->nr -= ended;
	p->equal = false;
	if (!p->nr)
		return;
	p->from += STEP;
	p->from += common(p->t, p->nr, p->from);
	for (size_t i = 0; i < p->nr; i++) {
		if (i + AHEAD < p->nr)
			__builtin_prefetch(p->t[i + AHEAD].at + p->from);
		p->t[i].front = front_at(&p->t[i], p->from);
	}
}

/* Splits a part by a pivot into texts with a smaller, a greater and an equal front; the largest part goes last. */
static void partition(const struct part *p, struct part cut[3])
{
	struct sort_text *t = p->t;
	uint64_t pivot = choose_pivot(t, p->nr);
	size_t less = 0, greater = p->nr;

	for (size_t i = 0; i < greater;)
		if (t[i].front < pivot)
			swap(&t[i++], &t[less++]);
		else if (t[i].front > pivot)
			swap(&t[i], &t[--greater]);
		else
			i++;
	cut[0] = cut[1] = cut[2] = *p;
	cut[0].nr = less;
	cut[1].t = t + greater;
	cut[1].nr = p->nr - greater;
	cut[2].t = t + less;
	cut[2].nr = greater - less;
	cut[2].equal = true;
	/* Texts of n bytes take up to n / 8 steps: those are not due to bad pivots. */
	cut[2].limit++;
	for (size_t i = 0; i < 2; i++)
		if (cut[i].nr > cut[2].nr) {
			struct part larger = cut[i];

			cut[i] = cut[2];
			cut[2] = larger;
		}
}

static void sort_part(struct part *p);

static void *sort_fork(void *arg)
{
	struct fork *f = arg;

	sort_part(&f->part[0]);
	sort_part(&f->part[1]);
	return NULL;
}

/* Sorts the two smaller parts: in a new thread, if it is worth it and one may be started (true); else right here. */
static bool sort_smaller(struct part cut[3], struct fork *f)
{
	unsigned threads = cut[2].threads / 2;

	f->part[0] = cut[0];
	f->part[1] = cut[1];
	f->part[0].threads = f->part[1].threads = threads ? threads : 1;
	if (threads && cut[0].nr + cut[1].nr >= MANY &&
	    !pthread_create(&f->thread, NULL, sort_fork, f)) {
		cut[2].threads -= threads;
		return true;
	}
	sort_fork(f);
	return false;
}

static void sort_part(struct part *p)
{
	struct fork fork[FORKS + 1]; /* the last one for parts sorted without a thread */
	size_t nr_fork = 0;

	for (;;) {
		struct part cut[3];

		if (p->equal)
			advance(p);
		if (p->nr <= FEW || !p->limit--)
			break;
		partition(p, cut);
		nr_fork += sort_smaller(cut, &fork[nr_fork]);
		*p = cut[2];
	}
	if (p->nr <= FEW)
		sort_few(p->t, p->nr, p->from);
	else
		qsort(p->t, p->nr, sizeof(*p->t), by_bytes);
	while (nr_fork)
		pthread_join(fork[--nr_fork].thread, NULL);
}

void sort_texts(struct sort_text *t, size_t nr, unsigned threads)
{
	struct part all = { .t = t, .nr = nr, .limit = 4 };

	all.threads = threads < 1U << FORKS ? threads : 1U << FORKS;

	for (size_t n = nr; n; n >>= 1)
		all.limit += 2;
	for (size_t i = 0; i < nr; i++)
		t[i].front = front_at(&t[i], 0);
	sort_part(&all);
}

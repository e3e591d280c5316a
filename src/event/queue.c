#include "event/queue.h"

#include "base/alloc.h"

#include <stdlib.h>

struct waiting {
	uint64_t time;
	size_t at; /* in bytes */
	size_t size;
};

void queue_init(struct queue *q, queue_sink *sink, void *arg)
{
	*q = (struct queue){ .sink = sink, .arg = arg, .sorted = true };
}

void queue_release(struct queue *q)
{
	strbuf_release(&q->bytes);
	strbuf_release(&q->spare);
	free(q->waiting);
	*q = (struct queue){ 0 };
}

static int by_time(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	/* Those of one time stay as they came. */
	return x->at < y->at ? -1 : x->at > y->at;
}

static void sort(struct queue *q)
{
	if (!q->sorted)
		qsort(q->waiting, q->nr, sizeof(*q->waiting), by_time);
	q->sorted = true;
}

/* Copies what is left to the other buffer; it is sorted, so it stays in order. */
static void drop_first(struct queue *q, size_t nr)
{
	struct strbuf rest = q->spare;

	strbuf_reset(&rest);
	for (size_t i = nr; i < q->nr; i++) {
		struct waiting *w = &q->waiting[i - nr];
		size_t at = rest.size;

		strbuf_add(&rest,
			   (struct span){ q->bytes.at + q->waiting[i].at, q->waiting[i].size });
		*w = (struct waiting){ .time = q->waiting[i].time,
				       .at = at,
				       .size = q->waiting[i].size };
	}
	q->nr -= nr;
	q->spare = q->bytes;
	q->bytes = rest;
}

static int give(struct queue *q, uint64_t time, struct span record, struct error *e)
{
	if (time < q->passed)
		q->nr_late++;
	else
		q->passed = time;
	return q->sink(q->arg, record, e);
}

/* Gives away what is not newer than that. */
static int give_upto(struct queue *q, uint64_t time, struct error *e)
{
	size_t i;
	int ret = 0;

	sort(q);
	for (i = 0; i < q->nr && q->waiting[i].time <= time && !ret; i++)
		ret = give(q, q->waiting[i].time,
			   (struct span){ q->bytes.at + q->waiting[i].at, q->waiting[i].size }, e);
	if (i)
		drop_first(q, i);
	return ret;
}

int queue_add(struct queue *q, uint64_t time, struct span record, struct error *e)
{
	if (!time || time == UINT64_MAX)
		return q->sink(q->arg, record, e);
	if (q->bytes.size + record.size > QUEUE_BYTES_MAX) {
		sort(q);
		if (give_upto(q, q->waiting[q->nr / 2].time, e))
			return -1;
	}
	GROW(q->waiting, q->nr, q->cap);
	if (q->nr && q->waiting[q->nr - 1].time > time)
		q->sorted = false;
	q->waiting[q->nr++] =
		(struct waiting){ .time = time, .at = q->bytes.size, .size = record.size };
	strbuf_add(&q->bytes, record);
	if (time > q->newest)
		q->newest = time;
	return 0;
}

int queue_round(struct queue *q, struct error *e)
{
	int ret = give_upto(q, q->safe, e);

	q->safe = q->newest;
	return ret;
}

int queue_end(struct queue *q, struct error *e)
{
	return give_upto(q, UINT64_MAX, e);
}

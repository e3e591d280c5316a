#include "perf/queue.h"

#include "base/alloc.h"

#include <stdlib.h>

struct waiting {
	uint64_t time, number;
	const char *stays; /* its bytes, or NULL: they were copied … */
	size_t at;	   /* … to this offset in queue.bytes */
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
	/* Records with equal times stay in the order of arrival. */
	return x->number < y->number ? -1 : 1;
}

static void sort(struct queue *q)
{
	if (!q->sorted)
		qsort(q->waiting, q->nr, sizeof(*q->waiting), by_time);
	q->sorted = true;
}

static struct span bytes_of(const struct queue *q, const struct waiting *w)
{
	return (struct span){ w->stays ? w->stays : q->bytes.at + w->at, w->size };
}

/* Removes the first records, and moves the bytes of the others to the spare buffer. */
static void drop_first(struct queue *q, size_t nr)
{
	struct strbuf rest = q->spare;

	strbuf_reset(&rest);
	q->size = 0;
	for (size_t i = nr; i < q->nr; i++) {
		struct waiting *w = &q->waiting[i - nr];
		size_t at = rest.size;

		if (!q->waiting[i].stays)
			strbuf_add(&rest, bytes_of(q, &q->waiting[i]));
		*w = q->waiting[i];
		w->at = at;
		q->size += w->size;
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

/* Passes all records up to that time to the sink. */
static int give_upto(struct queue *q, uint64_t time, struct error *e)
{
	size_t i;
	int ret = 0;

	sort(q);
	for (i = 0; i < q->nr && q->waiting[i].time <= time && !ret; i++)
		ret = give(q, q->waiting[i].time, bytes_of(q, &q->waiting[i]), e);
	if (i)
		drop_first(q, i);
	return ret;
}

/* Adds a waiting record, whose bytes the caller sets; NULL: the sink failed. */
static struct waiting *add_waiting(struct queue *q, uint64_t time, size_t size, struct error *e)
{
	if (q->nr && q->size + size > QUEUE_BYTES_MAX) {
		sort(q);
		if (give_upto(q, q->waiting[q->nr / 2].time, e))
			return NULL;
	}
	GROW(q->waiting, q->nr, q->cap);
	if (q->nr && q->waiting[q->nr - 1].time > time)
		q->sorted = false;
	q->size += size;
	if (time > q->newest)
		q->newest = time;
	q->waiting[q->nr] = (struct waiting){ .time = time, .number = q->number++, .size = size };
	return &q->waiting[q->nr++];
}

static bool has_time(uint64_t time)
{
	return time && time != UINT64_MAX;
}

int queue_add(struct queue *q, uint64_t time, struct span record, struct error *e)
{
	struct waiting *w;

	if (!has_time(time))
		return q->sink(q->arg, record, e);
	w = add_waiting(q, time, record.size, e);
	if (!w)
		return -1;
	w->at = q->bytes.size;
	strbuf_add(&q->bytes, record);
	return 0;
}

int queue_add_staying(struct queue *q, uint64_t time, struct span record, struct error *e)
{
	struct waiting *w;

	if (!has_time(time))
		return q->sink(q->arg, record, e);
	w = add_waiting(q, time, record.size, e);
	if (!w)
		return -1;
	w->stays = record.at;
	return 0;
}

void queue_keep(struct queue *q)
{
	for (size_t i = 0; i < q->nr; i++) {
		struct waiting *w = &q->waiting[i];

		if (!w->stays)
			continue;
		w->at = q->bytes.size;
		strbuf_add(&q->bytes, bytes_of(q, w));
		w->stays = NULL;
	}
}

int queue_round(struct queue *q, struct error *e)
{
	int ret = give_upto(q, q->safe, e);

	q->safe = q->limit && q->limit < q->newest ? q->limit : q->newest;
	return ret;
}

int queue_end(struct queue *q, struct error *e)
{
	return give_upto(q, UINT64_MAX, e);
}

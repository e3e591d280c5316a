#include "event/order.h"

#include "base/alloc.h"

#include <stdlib.h>

struct waiting {
	uint64_t time;
	size_t at; /* in bytes */
	size_t size;
};

void order_init(struct order *o, order_sink *sink, void *arg)
{
	*o = (struct order){ .sink = sink, .arg = arg, .sorted = true };
}

void order_release(struct order *o)
{
	strbuf_release(&o->bytes);
	free(o->waiting);
	*o = (struct order){ 0 };
}

static int by_time(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	/* Those of one time stay as they came. */
	return x->at < y->at ? -1 : x->at > y->at;
}

static void sort(struct order *o)
{
	if (!o->sorted)
		qsort(o->waiting, o->nr, sizeof(*o->waiting), by_time);
	o->sorted = true;
}

/* Moves what is left to the front; it is sorted, so it stays in order. */
static void drop_first(struct order *o, size_t nr)
{
	struct strbuf rest = { 0 };

	for (size_t i = nr; i < o->nr; i++) {
		struct waiting *w = &o->waiting[i - nr];
		size_t at = rest.size;

		strbuf_add(&rest,
			   (struct span){ o->bytes.at + o->waiting[i].at, o->waiting[i].size });
		*w = (struct waiting){ .time = o->waiting[i].time,
				       .at = at,
				       .size = o->waiting[i].size };
	}
	o->nr -= nr;
	if (!o->nr) {
		strbuf_reset(&o->bytes);
		strbuf_release(&rest);
		return;
	}
	strbuf_release(&o->bytes);
	o->bytes = rest;
}

static int give(struct order *o, uint64_t time, struct span record, struct error *e)
{
	if (time < o->passed)
		o->nr_late++;
	else
		o->passed = time;
	return o->sink(o->arg, record, e);
}

/* Gives away what is not newer than that. */
static int give_upto(struct order *o, uint64_t time, struct error *e)
{
	size_t i;
	int ret = 0;

	sort(o);
	for (i = 0; i < o->nr && o->waiting[i].time <= time && !ret; i++)
		ret = give(o, o->waiting[i].time,
			   (struct span){ o->bytes.at + o->waiting[i].at, o->waiting[i].size }, e);
	if (i)
		drop_first(o, i);
	return ret;
}

int order_add(struct order *o, uint64_t time, struct span record, struct error *e)
{
	if (!time || time == UINT64_MAX)
		return o->sink(o->arg, record, e);
	if (o->bytes.size + record.size > ORDER_BYTES_MAX) {
		sort(o);
		if (give_upto(o, o->waiting[o->nr / 2].time, e))
			return -1;
	}
	GROW(o->waiting, o->nr, o->cap);
	if (o->nr && o->waiting[o->nr - 1].time > time)
		o->sorted = false;
	o->waiting[o->nr++] =
		(struct waiting){ .time = time, .at = o->bytes.size, .size = record.size };
	strbuf_add(&o->bytes, record);
	if (time > o->newest)
		o->newest = time;
	return 0;
}

int order_round(struct order *o, struct error *e)
{
	int ret = give_upto(o, o->safe, e);

	o->safe = o->newest;
	return ret;
}

int order_end(struct order *o, struct error *e)
{
	return give_upto(o, UINT64_MAX, e);
}

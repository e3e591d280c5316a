/*
 * `perf record --threads` writes a folder: `data` is an ordinary recording, and data.0, data.1, …
 * hold the records of one recording thread each.  They are merged by time: the part that is
 * furthest behind is read next, so that few records wait in the queue.
 */
#include "perf/file/perf_data.h"

#include "base/alloc.h"
#include "base/source.h"

#include <stdio.h>
#include <stdlib.h>

struct part {
	struct perf_feed feed;
	struct perf_unpack *unpack; /* each part is a zstd stream of its own */
	uint64_t time;		    /* of the record read last: ns */
};

struct parts {
	struct part *part;
	size_t nr, cap;
};

enum { PARTS_MAX = 4096 };

static void open_parts(struct parts *p, const struct perf_data *d)
{
	struct span bytes;
	char name[32];

	while (p->nr < PARTS_MAX) {
		snprintf(name, sizeof(name), "data.%zu", p->nr);
		if (!source_beside(d->b->text->source, name, &bytes))
			return;
		GROW(p->part, p->nr, p->cap);
		p->part[p->nr++] = (struct part){ .feed = feed_beside(d->b->text, bytes) };
	}
}

/* Lets d read from this part; a second call undoes that. */
static void swap(struct part *p, struct perf_data *d)
{
	struct part other = { .feed = d->feed, .unpack = d->unpack, .time = d->time };

	d->feed = p->feed;
	d->unpack = p->unpack;
	d->time = p->time;
	*p = other;
}

/* Moves the part that is furthest behind to the end; returns the time of the second furthest. */
static uint64_t choose(struct parts *p)
{
	uint64_t next = UINT64_MAX;
	size_t first = p->nr - 1;
	struct part chosen;

	for (size_t i = 0; i < p->nr; i++)
		if (p->part[i].time < p->part[first].time)
			first = i;
	for (size_t i = 0; i < p->nr; i++)
		if (i != first && p->part[i].time < next)
			next = p->part[i].time;
	chosen = p->part[first];
	p->part[first] = p->part[p->nr - 1];
	p->part[p->nr - 1] = chosen;
	return next;
}

/* Reads the last part up to a time; removes it if it has ended. */
static int read_part(struct parts *p, struct perf_data *d, uint64_t until, struct error *e)
{
	struct part *part = &p->part[p->nr - 1];
	int ret;

	swap(part, d);
	do
		ret = perf_data_next(d, e);
	while (ret > 0 && d->time <= until);
	swap(part, d);
	if (!ret) {
		perf_unpack_free(part->unpack);
		p->nr--;
	}
	return ret < 0 ? -1 : 0;
}

int perf_folder_read(struct perf_data *d, struct error *e)
{
	struct parts p = { 0 };
	int ret = 0;

	open_parts(&p, d);
	while (p.nr && !ret)
		ret = read_part(&p, d, choose(&p), e);
	for (size_t i = 0; i < p.nr; i++)
		perf_unpack_free(p.part[i].unpack);
	free(p.part);
	return ret;
}

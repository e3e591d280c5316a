#include "record/perf_events/drain.h"

#include "base/alloc.h"
#include "record/priority.h"

#include <stdlib.h>
#include <time.h>

static size_t size_of_taken(const struct drain *d)
{
	size_t sum = 0;

	for (size_t i = 0; i < d->nr; i++)
		sum += d->taken[i].size;
	return sum;
}

/* Waits a short time, or until the thread should exit. */
static void doze(struct drain *d)
{
	const long ns = 50000000, second = 1000000000;
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += ns;
	until.tv_sec += until.tv_nsec / second;
	until.tv_nsec %= second;
	pthread_cond_timedwait(&d->wake, &d->lock, &until);
}

static void *run(void *arg)
{
	struct drain *d = arg;

	priority_raise();
	pthread_mutex_lock(&d->lock);
	while (!d->ends) {
		for (size_t i = 0; i < d->nr && size_of_taken(d) < DRAIN_SIZE_MAX; i++)
			if (d->ring[i].page && ring_pending(&d->ring[i]) > d->ring[i].size / 8)
				ring_take(&d->ring[i], &d->taken[i]);
		doze(d);
	}
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

static void release(struct drain *d)
{
	for (size_t i = 0; i < d->nr; i++)
		strbuf_release(&d->taken[i]);
	free(d->taken);
	pthread_mutex_destroy(&d->lock);
	pthread_cond_destroy(&d->wake);
	*d = (struct drain){ 0 };
}

void drain_start(struct drain *d, struct ring *ring, size_t nr)
{
	pthread_condattr_t clock;

	*d = (struct drain){ .ring = ring, .nr = nr, .taken = xcalloc(nr, sizeof(*d->taken)) };
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&d->wake, &clock);
	pthread_condattr_destroy(&clock);
	pthread_mutex_init(&d->lock, NULL);
	if (pthread_create(&d->thread, NULL, run, d))
		release(d);
	else
		d->is_on = true;
}

void drain_fetch(struct drain *d, size_t ring, struct strbuf *records)
{
	struct strbuf empty = *records;

	pthread_mutex_lock(&d->lock);
	ring_take(&d->ring[ring], &d->taken[ring]);
	*records = d->taken[ring];
	d->taken[ring] = empty;
	pthread_mutex_unlock(&d->lock);
}

void drain_stop(struct drain *d)
{
	if (!d->is_on)
		return;
	pthread_mutex_lock(&d->lock);
	d->ends = true;
	pthread_cond_signal(&d->wake);
	pthread_mutex_unlock(&d->lock);
	pthread_join(d->thread, NULL);
	release(d);
}

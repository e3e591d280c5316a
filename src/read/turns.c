#include "read/turns.h"

#include "base/alloc.h"

#include <pthread.h>
#include <stdlib.h>

struct turns {
	struct source *source;
	const struct turns_work *work;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t next; /* the number of the chunk whose turn it is */
	bool failed;
	struct error *error;
};

struct turns_thread {
	struct turns *t;
	void *arg;
	pthread_t id;
};

/*
 * Waits for the chunk's turn, then uses it.  `chunk` is what source_next() returned: 1, 0 at the
 * end, or -1 with the error `broken`.  False: the thread is done.
 */
static bool take_turn(struct turns *t, void *arg, const struct chunk *c, int chunk,
		      const struct error *broken)
{
	bool goes_on;

	pthread_mutex_lock(&t->lock);
	while (t->next != c->number)
		pthread_cond_wait(&t->changed, &t->lock);
	if (!t->failed && chunk < 0)
		*t->error = *broken;
	if (!t->failed)
		t->failed = chunk < 0 || (chunk > 0 && t->work->use(arg, c, t->error));
	t->next++;
	goes_on = chunk > 0 && !t->failed;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
	return goes_on;
}

static void *run_thread(void *thread)
{
	struct turns_thread *own = thread;
	struct turns *t = own->t;
	struct chunk c = { 0 };
	struct error e;
	int chunk;

	do {
		chunk = source_next(t->source, &c, &e);
		if (chunk > 0)
			t->work->prepare(own->arg, &c);
	} while (take_turn(t, own->arg, &c, chunk, &e));
	free(c.buf);
	return NULL;
}

int turns_run(struct source *s, const struct turns_work *work, void *const *arg, unsigned nr,
	      struct error *e)
{
	struct turns t = { .source = s,
			   .work = work,
			   .lock = PTHREAD_MUTEX_INITIALIZER,
			   .changed = PTHREAD_COND_INITIALIZER,
			   .error = e };
	struct turns_thread *thread = xcalloc(nr, sizeof(*thread));

	for (unsigned i = 0; i < nr; i++) {
		thread[i] = (struct turns_thread){ .t = &t, .arg = arg[i] };
		/* If a thread cannot be created, those before it do the work. */
		if (i && pthread_create(&thread[i].id, NULL, run_thread, &thread[i]))
			nr = i;
	}
	run_thread(&thread[0]);
	for (unsigned i = 1; i < nr; i++)
		pthread_join(thread[i].id, NULL);
	free(thread);
	return t.failed ? -1 : 0;
}

#include "capture/live.h"

#include "base/alloc.h"
#include "fold/fade.h"
#include "profile/spelling.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
	/* Ticks are copied for every picture, so the limit is lower than for a page. */
	TICKS_NEW = 64 * 1024,
	TICKS_KEPT = 128 * 1024,
};

struct live {
	struct live_opts o;
	struct capture capture; /* used by the recorder alone while it runs */
	struct profile sum;	/* used by the painter alone: all samples, with names */
	size_t nr_named;	/* frames of sum that symbolizing has seen */
	pthread_t recorder, painter;
	int fd; /* an eventfd */
	pthread_mutex_t lock;
	pthread_cond_t change; /* of anything below */
	/* Protected by the lock: */
	bool begun, ended;	     /* the recorder's state */
	bool traced;		     /* see live_is_traced() */
	bool wanted;		     /* the recorder is to set fresh */
	struct profile *fresh;	     /* samples that are not in sum yet; the painter takes it */
	bool drained;		     /* the painter took the last ones, after the recorder's end */
	bool stopping;		     /* live_stop() was called */
	bool reset;		     /* live_reset() was called */
	struct live_picture *newest; /* NULL: it was taken */
	uint64_t nr_sample, nr_lost; /* so far */
	uint64_t time;		     /* since the recording began: ns */
	uint64_t since; /* the `time` of the last reset, or of the oldest sample that counts */
	uint64_t half_life;
	int status; /* when it has ended: 0 or -1, with error */
	struct error error;
};

void live_picture_free(struct live_picture *p)
{
	if (!p)
		return;
	model_release(&p->model);
	chosen_release(&p->chosen);
	profile_release(&p->p);
	free(p);
}

static void notify(const struct live *l)
{
	uint64_t one = 1;

	/* Fails only if the eventfd's counter is full: then it is readable anyway. */
	if (write(l->fd, &one, sizeof(one)) < 0)
		return;
}

/* Moves all samples of p into a new profile; frames and stacks stay in p, for the next samples. */
static struct profile *take_fresh(struct profile *p)
{
	struct profile *fresh = xcalloc(1, sizeof(*fresh));
	bool *nobody = xcalloc(p->nr_thread, sizeof(*nobody));

	profile_init(fresh);
	profile_keep_ticks(fresh, TICKS_NEW);
	profile_merge(fresh, p);
	profile_recount(p, &(struct recount){ .thread = nobody });
	free(nobody);
	return fresh;
}

/* Called by the recorder several times a second. */
static void tick(void *arg, const struct session *s)
{
	struct live *l = arg;

	pthread_mutex_lock(&l->lock);
	l->begun = true;
	l->traced = s->sampler->trace != NULL;
	l->nr_sample = s->nr_sample;
	l->nr_lost = s->nr_lost;
	l->time = session_now() - s->begin;
	if (l->wanted && !l->fresh) {
		l->fresh = take_fresh(&l->capture.p);
		l->wanted = false;
	}
	pthread_cond_broadcast(&l->change);
	pthread_mutex_unlock(&l->lock);
}

static void *record(void *arg)
{
	struct live *l = arg;
	struct capture_opts o = *l->o.capture;
	struct launch_signals signals;
	struct error e = ERROR_INIT;
	int ret;

	o.tick = tick;
	o.tick_arg = l;
	o.signals = &signals;
	ret = signals_take(&signals, SIGNALS_FOR_US, &e);
	if (!ret) {
		ret = capture_run(&l->capture, &o, &e);
		signals_end(&signals);
	}
	pthread_mutex_lock(&l->lock);
	l->status = ret;
	l->error = e;
	l->ended = true;
	pthread_cond_broadcast(&l->change);
	pthread_mutex_unlock(&l->lock);
	return NULL;
}

/* The painter */
static void add_fresh(struct live *l, struct profile *fresh)
{
	profile_merge(&l->sum, fresh);
	profile_release(fresh);
	free(fresh);
	/* Only if there are new frames: frames that could not be symbolized before cannot be now. */
	if (l->sum.nr_frame > l->nr_named)
		naming_apply(&l->o.capture->naming, 1, &l->sum);
	l->nr_named = l->sum.nr_frame;
}

static struct live_picture *paint(const struct live *l, uint64_t half_life)
{
	struct live_picture *p = xcalloc(1, sizeof(*p));
	const struct choose_hints hints = { .spelling = SPELL_THREAD };
	struct choose_opts choose_opts = *l->o.choose;
	struct error e = ERROR_INIT;
	struct model_opts o;

	profile_init(&p->p);
	profile_keep_ticks(&p->p, TICKS_KEPT);
	profile_merge(&p->p, &l->sum);
	if (half_life && fade_apply(&p->p, half_life)) {
		p->half_life = half_life;
		/* A faded sample is a fraction of one: weights, not numbers of samples. */
		choose_opts.weight = WEIGHT_PERIOD;
	}
	if (choose_events(&choose_opts, &p->p, &hints, &p->chosen, &e)) {
		profile_release(&p->p);
		free(p);
		return NULL;
	}
	o = model_chosen(&p->p, &p->chosen);
	model_init(&p->model, &o);
	return p;
}

/* The lock is held. */
static void publish(struct live *l, struct live_picture *p)
{
	if (!p)
		return;
	p->nr_sample = l->nr_sample;
	p->nr_lost = l->nr_lost;
	p->time = l->time - l->since;
	live_picture_free(l->newest);
	l->newest = p;
	notify(l);
}

static void wait_until(struct live *l, uint64_t when)
{
	struct timespec t = { .tv_sec = (time_t)(when / 1000000000),
			      .tv_nsec = (long)(when % 1000000000) };

	while (!l->ended && !l->stopping && session_now() < when)
		pthread_cond_timedwait(&l->change, &l->lock, &t);
}

static struct profile *wait_for_fresh(struct live *l)
{
	struct profile *fresh;

	l->wanted = true;
	while (!l->fresh && !l->ended && !l->stopping)
		pthread_cond_wait(&l->change, &l->lock);
	/* The recorder has ended: the painter takes its last samples itself. */
	if (!l->fresh && l->ended && !l->drained) {
		l->fresh = take_fresh(&l->capture.p);
		l->drained = true;
	}
	fresh = l->fresh;
	l->fresh = NULL;
	return fresh;
}

static void forget(struct live *l)
{
	bool *nobody = xcalloc(l->sum.nr_thread, sizeof(*nobody));

	profile_recount(&l->sum, &(struct recount){ .thread = nobody });
	l->reset = false;
	l->since = l->time;
	free(nobody);
}

/* Samples older than FADE_LIVES half-lives do not count, so the displayed time begins there.  The lock is held. */
static void forget_old(struct live *l, uint64_t half_life)
{
	uint64_t all;

	if (half_life && !__builtin_mul_overflow(half_life, FADE_LIVES, &all) &&
	    l->time - l->since > all)
		l->since = l->time - all;
}

/* The main function of the painter. */
static void *paint_on(void *arg)
{
	struct live *l = arg;
	struct live_picture *p;

	pthread_mutex_lock(&l->lock);
	while (!l->stopping) {
		uint64_t next = session_now() + l->o.interval, half_life = l->half_life;
		struct profile *fresh = wait_for_fresh(l);

		if (!fresh)
			break;
		if (l->reset)
			forget(l);
		pthread_mutex_unlock(&l->lock);
		add_fresh(l, fresh);
		if (half_life)
			fade_forget(&l->sum, half_life);
		p = paint(l, half_life);
		pthread_mutex_lock(&l->lock);
		forget_old(l, half_life);
		publish(l, p);
		wait_until(l, next);
	}
	notify(l);
	pthread_mutex_unlock(&l->lock);
	return NULL;
}

/* The caller's side */

static void init(struct live *l, const struct live_opts *o)
{
	pthread_condattr_t clock;

	l->o = *o;
	l->half_life = o->half_life;
	capture_init(&l->capture);
	profile_keep_ticks(&l->capture.p, TICKS_NEW);
	profile_init(&l->sum);
	profile_keep_ticks(&l->sum, TICKS_KEPT);
	pthread_mutex_init(&l->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&l->change, &clock);
	pthread_condattr_destroy(&clock);
}

static void release(struct live *l)
{
	if (l->fresh)
		profile_release(l->fresh);
	free(l->fresh);
	live_picture_free(l->newest);
	capture_release(&l->capture);
	profile_release(&l->sum);
	pthread_mutex_destroy(&l->lock);
	pthread_cond_destroy(&l->change);
	if (l->fd >= 0)
		close(l->fd);
	free(l);
}

static struct live *refused(struct live *l, const struct error *why, struct error *e)
{
	*e = *why;
	release(l);
	return NULL;
}

struct live *live_start(const struct live_opts *o, struct error *e)
{
	struct live *l = xcalloc(1, sizeof(*l));
	bool failed;

	init(l, o);
	l->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (l->fd < 0 || pthread_create(&l->recorder, NULL, record, l)) {
		error_sys(&l->error, "a thread");
		return refused(l, &l->error, e);
	}
	pthread_mutex_lock(&l->lock);
	while (!l->begun && !l->ended)
		pthread_cond_wait(&l->change, &l->lock);
	failed = l->ended && l->status;
	pthread_mutex_unlock(&l->lock);
	if (failed) {
		pthread_join(l->recorder, NULL);
		return refused(l, &l->error, e);
	}
	if (pthread_create(&l->painter, NULL, paint_on, l)) {
		error_sys(e, "a thread");
		pthread_kill(l->recorder, SIGINT);
		pthread_join(l->recorder, NULL);
		release(l);
		return NULL;
	}
	return l;
}

int live_fd(const struct live *l)
{
	return l->fd;
}

struct live_picture *live_take(struct live *l)
{
	struct live_picture *p;
	uint64_t nr;

	pthread_mutex_lock(&l->lock);
	/* Resets the eventfd; EAGAIN if it was not set. */
	if (read(l->fd, &nr, sizeof(nr)) < 0)
		nr = 0;
	p = l->newest;
	l->newest = NULL;
	pthread_mutex_unlock(&l->lock);
	return p;
}

static bool get(struct live *l, const bool *flag)
{
	bool is;

	pthread_mutex_lock(&l->lock);
	is = *flag;
	pthread_mutex_unlock(&l->lock);
	return is;
}

bool live_ended(struct live *l)
{
	return get(l, &l->ended);
}

bool live_is_traced(struct live *l)
{
	return get(l, &l->traced);
}

void live_reset(struct live *l)
{
	pthread_mutex_lock(&l->lock);
	l->reset = true;
	pthread_mutex_unlock(&l->lock);
}

void live_fade(struct live *l, uint64_t half_life)
{
	pthread_mutex_lock(&l->lock);
	l->half_life = half_life;
	pthread_mutex_unlock(&l->lock);
}

int live_stop(struct live *l, struct error *e)
{
	int ret;

	pthread_mutex_lock(&l->lock);
	l->stopping = true;
	pthread_cond_broadcast(&l->change);
	pthread_mutex_unlock(&l->lock);
	/*
	 * The recorder's session handles SIGINT like Ctrl-C; after the end of the session, the signal stays
	 * pending.
	 */
	pthread_kill(l->recorder, SIGINT);
	pthread_join(l->recorder, NULL);
	pthread_join(l->painter, NULL);
	ret = l->status;
	if (ret)
		*e = l->error;
	release(l);
	return ret;
}

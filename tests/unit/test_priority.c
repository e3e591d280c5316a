/* wick's own priority is raised for a moment only. */
#include "record/priority.h"

#include "tap.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/resource.h>
#include <unistd.h>

static int nice_now(void)
{
	return getpriority(PRIO_PROCESS, 0);
}

/* Waits until this thread has the usual priority again: forever, if that never happens. */
static void wait_for(int nice)
{
	while (nice_now() != nice || sched_getscheduler(0) != SCHED_OTHER)
		usleep(10000);
}

struct other {
	int first, policy, usual;
	sem_t begun;
};

static void *be_other(void *arg)
{
	struct other *o = arg;

	o->first = nice_now();
	o->policy = sched_getscheduler(0);
	sem_post(&o->begun);
	wait_for(o->usual);
	return NULL;
}

int main(void)
{
	const struct sched_param least = { .sched_priority = 1 }, none = { 0 };
	struct other o = { .usual = nice_now() };
	int raised = o.usual, policy = SCHED_OTHER;
	pthread_t thread;

	sem_init(&o.begun, 0, 0);
	/* Who may not raise it has no other one. */
	if (!setpriority(PRIO_PROCESS, 0, -20)) {
		raised = nice_now();
		setpriority(PRIO_PROCESS, 0, o.usual);
	}
	if (!sched_setscheduler(0, SCHED_RR, &least)) {
		policy = SCHED_RR;
		sched_setscheduler(0, SCHED_OTHER, &none);
	}
	/* Long enough for any machine. */
	priority_hurry(1000 * 1000);
	is_int(nice_now(), raised, "the calling thread has the best nice value");
	is_int(sched_getscheduler(0), policy, "the calling thread comes before others");
	if (!ok(!pthread_create(&thread, NULL, be_other, &o), "a thread is created"))
		return done();
	sem_wait(&o.begun);
	is_int(o.first, raised, "a thread created in a hurry has the best nice value");
	is_int(o.policy, policy, "a thread created in a hurry comes before others");
	sched_setscheduler(0, SCHED_OTHER, &none);
	setpriority(PRIO_PROCESS, 0, o.usual);
	priority_hurry(1);
	wait_for(o.usual);
	pthread_join(thread, NULL);
	ok(nice_now() == o.usual, "all threads have the usual priority after a moment");
	priority_hurry(1000 * 1000);
	priority_keep();
	is_int(sched_getscheduler(0), policy == SCHED_RR ? SCHED_RR | SCHED_RESET_ON_FORK : policy,
	       "priority_keep() keeps the scheduling policy, but resets it on fork");
	priority_calm(o.usual);
	is_int(sched_getscheduler(0), SCHED_OTHER,
	       "priority_calm() restores the scheduling policy before its time");
	is_int(nice_now(), o.usual, "priority_calm() restores the nice value before its time");
	return done();
}

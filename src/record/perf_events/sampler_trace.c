/*
 * A sampler that uses ptrace (trace.h).  It pretends to have a clock on one CPU, and an event that records
 * switches, so that readers of its records need not know the difference.
 */
#include "base/alloc.h"
#include "record/perf_events/access.h"
#include "record/ptrace/trace.h"
#include "record/targets/running.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The tracer that one of the tasks already has; or 0.  A task can have only one. */
static pid_t tracer_of(const struct sampling *what)
{
	struct running_kin kin = { .tracer = 0 };

	for (size_t i = 0; i < what->nr_task && !kin.tracer; i++)
		running_kin(what->task[i], &kin);
	return kin.tracer;
}

/* Adds to the error, which says that events are refused, that ptrace is refused too. */
static int refused(const struct sampling *what, int why, struct error *e)
{
	long scope = access_setting("yama/ptrace_scope", 0);
	size_t at = strlen(e->text);
	pid_t tracer = tracer_of(what);

	/* The error already names this limit. */
	if (why == EMFILE)
		return -1;
	snprintf(e->text + at, sizeof(e->text) - at, "; ptrace sampling failed, too (%s)",
		 strerror(why));
	at = strlen(e->text);
	if (tracer)
		snprintf(e->text + at, sizeof(e->text) - at, ": process %d already traces it",
			 (int)tracer);
	if (scope == 1 && !what->on_exec)
		error_hint(
			e,
			"start the program with wick record, run wick as root, or: sudo sysctl kernel.yama.ptrace_scope=0");
	return -1;
}

static void add_id(struct sampler *s, uint64_t id, uint32_t event)
{
	sampler_add_attr(s, event);
	attrs_add_id(&s->attrs, id, event);
	GROW(s->fd, s->nr_fd, s->cap_fd);
	s->fd[s->nr_fd++] = (struct sampler_fd){ .fd = -1, .event = event, .id = id };
}

static void add_event(struct sampler *s, const struct sampling *what)
{
	static const struct sampled none = { .config = PERF_COUNT_SW_DUMMY };
	struct sampled clock = what->nr_event ? what->event[0] : none;
	struct sampling calls = *what;

	clock.type = PERF_TYPE_SOFTWARE;
	if (clock.or_clock)
		clock.config = PERF_COUNT_SW_CPU_CLOCK;
	clock.count = 0;
	/* Time in the kernel counts for the function that called it. */
	clock.no_kernel = false;
	calls.frequency = trace_frequency(what);
	calls.calls = CALLS_COPY;
	/* wick copies no more than there is of the stack, so the maximum size costs little more. */
	if (what->calls == CALLS_AUTO)
		calls.copy_size = STACK_COPY_MAX;
	sampler_new_event(s);
	s->event[0].is_sampled = what->nr_event;
	attribute_init(&s->attr[0], &calls, &clock);
	add_id(s, TRACE_ID, 0);
}

static void add_switches(struct sampler *s, const struct sampling *what)
{
	size_t i = sampler_new_event(s);

	attribute_init_switches(&s->attr[i], what);
	s->event[i].is_switches = true;
	add_id(s, TRACE_ID_SWITCHES, (uint32_t)i);
	strbuf_add(&s->attrs.name[i], SPAN(OFF_CPU));
}

int sampler_open_trace(struct sampler *s, const struct sampling *what, struct error *e)
{
	struct error other = ERROR_INIT;
	enum sampler_scarce scarce = s->scarce;

	sampler_close(s);
	add_event(s, what);
	if (what->switches)
		add_switches(s, what);
	s->trace = trace_open(what, &s->attrs.attr[0], what->switches ? &s->attrs.attr[1] : NULL,
			      &other);
	if (!s->trace)
		return errno == ESRCH ? sampler_none_left(what, e) : refused(what, errno, e);
	/* The session polls this descriptor in place of a ring buffer's. */
	s->nr_cpu = s->nr_ring = 1;
	s->ring = xcalloc(1, sizeof(*s->ring));
	s->ring_fd = xcalloc(1, sizeof(*s->ring_fd));
	s->ring_fd[0] = trace_fd(s->trace);
	s->scarce = scarce;
	/* ptrace was permitted, so the tasks belong to this user: the hint is what permits events of own tasks. */
	if (!scarce)
		access_denied(ACCESS_OWN, &other);
	memcpy(s->better, scarce ? e->hint : other.hint, sizeof(s->better));
	*e = (struct error)ERROR_INIT;
	return 0;
}

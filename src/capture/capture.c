#include "capture/capture.h"

#include "base/alloc.h"
#include "base/date.h"
#include "capture/wait_sample.h"
#include "ingest/ingest.h"
#include "read/perf_script/script_header.h"
#include "record/launch/executable.h"
#include "record/switches.h"
#include "record/system/system.h"
#include "record/targets/family.h"
#include "record/targets/process_memory.h"
#include "record/targets/running.h"
#include "record/usage.h"
#include "record/waits/watcher.h"
#include "record/wide_trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#define NO_EVENT UINT32_MAX

enum {
	/*
	 * A target that starts so many threads and processes in a second has many that are too
	 * short for a sample of their own, and each inherits all events, which takes time: CPUs are
	 * sampled instead.  With more CPUs than this they are not, unless asked for: samples of
	 * all that runs there would be too many.
	 */
	STARTS_MANY = 50,
	WIDE_CPUS_MAX = 16,
	SECOND_NS = 1000000000,
	/* What switching to a task and back takes at most, with its events: 4 to 18 µs on virtual machines. */
	SWITCH_NS = 30000,
	/* The CPU time of more processes than this is read once a second only. */
	USAGE_FEW = 8,
};

/* One run, from its preparation to its result. */
struct capturing {
	const struct capture_opts *o;
	struct capture *c;
	struct sampler sampler;
	struct session session;
	struct ingest ingest;
	struct naming naming;
	struct naming_files files;
	uint32_t *event;	/* by event of the sampler: the profile's, or NO_EVENT */
	struct recording *data; /* o->data, or what was spilled to; or NULL */
	uint64_t nr_sample;	/* samples of the target */
	struct sampling what;	/* the sampler's */
	struct family family;	/* if CPUs are sampled, or may be */
	bool may_widen;		/* CPUs are not sampled yet */
	uint64_t nr_start;	/* threads and processes that the target started, … */
	uint64_t start_since;	/* … those in the second that began then: ns, … */
	unsigned nr_start_since;
	bool starts_many;	  /* … which were many */
	struct switches switches; /* while may_widen */
	struct watcher watcher;
	struct wait_samples wait_samples;
	struct watch_flood wakes[2]; /* by enum sampler_whose */
	uint64_t flushed_at;	     /* session_now() of the last flush of waits */
	struct strbuf own;	     /* its records */
	struct wide_trial trial;     /* the same */
	struct usage usage;
	uint64_t usage_at; /* session_now() of the last reading */
	struct system system;
};

/* Records */

/* An ingest_sink. */
static void add_known(void *arg, const struct record *r)
{
	const struct capturing *g = arg;

	capture_data_running(g->data, &g->sampler, r);
}

/*
 * The profile takes as much memory as it may: from here on, samples are only written to a file.  A
 * file that is opened now gets the processes and mappings that are known first.
 */
static void spill(struct capturing *g)
{
	const struct capture_opts *o = g->o;

	g->c->full = true;
	g->c->nr_kept = g->c->nr_sample + g->nr_sample;
	g->ingest.chains_only = true;
	waits_settle(&g->ingest.waits);
	g->ingest.waits.sums_only = true;
	if (g->data)
		return;
	g->data = o->spill(o->spill_arg, &g->c->not_spilled);
	if (!g->data)
		return;
	capture_data_begin(g->data, o, &g->sampler);
	ingest_known(&g->ingest, add_known, g);
}

/* At half of what it may take, as tables double when they are full. */
static bool is_full(const struct capturing *g)
{
	return g->o->memory && !g->c->full && profile_size(&g->c->p) > g->o->memory / 2;
}

/* Would a longer copy, or the kernel's walk of frame pointers, have shown more of the stack? */
static bool needs_more(const struct capturing *g, const struct attr *a)
{
	return g->ingest.chain.end == CHAIN_CUT ||
	       (g->ingest.chain.at_edge && a->exclude_callchain_user);
}

/* Is what starts there recorded, too? */
static bool is_followed(const struct capturing *g, const struct record *r)
{
	return g->what.follow == FOLLOW_ALL ||
	       (g->what.follow == FOLLOW_THREADS && r->pid == r->fork.ppid);
}

static void add_start(struct capturing *g, const struct record *r)
{
	usage_add_child(&g->usage, r);
	if (!is_followed(g, r))
		return;
	sampler_see_start(&g->sampler, r);
	g->nr_start++;
	if (r->time - g->start_since > SECOND_NS) {
		g->start_since = r->time;
		g->nr_start_since = 0;
	}
	g->starts_many |= ++g->nr_start_since >= STARTS_MANY;
}

static void add_end(struct capturing *g, const struct record *r)
{
	sampler_see_end(&g->sampler, (pid_t)r->tid);
	watcher_remove(&g->watcher, (pid_t)r->tid);
	/* Of tasks, the session knows by itself when there is none left. */
	if (g->o->wide && g->o->until_gone && r->tid == (uint32_t)g->o->sampling.task[0])
		g->session.ending = true;
}

/* Is it not the target's, where CPUs are sampled? */
static bool is_stranger(struct capturing *g, const struct record *r)
{
	bool ours = !g->family.process || family_take(&g->family, r);

	return !ours && g->sampler.wide;
}

/* Leaves out what is not the target's. */
static bool is_ours(struct capturing *g, const struct record *r)
{
	if (!is_stranger(g, r))
		return true;
	g->session.nr_sample -= r->kind == RECORD_SAMPLE;
	return false;
}

/* Writes a record to the file, if there is one. */
static void keep(const struct capturing *g, const struct record *r, const struct attr *a,
		 struct span bytes)
{
	struct words chain;

	if (g->data && r->kind == RECORD_SAMPLE) {
		chain = chain_words(&g->ingest.chain);
		recording_add_open_sample(g->data, r, a, &chain, g->ingest.chain.ticket);
	} else if (g->data) {
		recording_add(g->data, bytes);
	}
}

/* The watcher's own. */
static int add_own_record(struct capturing *g, const struct record *r, const struct attr *a,
			  struct span bytes, struct error *e)
{
	if (ingest_record(&g->ingest, r, a, 0, e))
		return -1;
	/* perf takes them for samples of an event that nobody asked for, and the first one at that. */
	if (g->o->waits == WAITS_ASKED)
		keep(g, r, a, bytes);
	return 0;
}

/* A running_sink: what the threads of a process that is not recorded are called. */
static int add_stranger(void *arg, const struct record *r, struct error *e)
{
	static const struct attr none;
	struct capturing *g = arg;

	if (r->kind != RECORD_COMM)
		return 0;
	if (g->data)
		capture_data_running(g->data, &g->sampler, r);
	return ingest_record(&g->ingest, r, &none, 0, e);
}

/* A waker may be a thread of another process, whose name was not recorded. */
static int meet_waker(struct capturing *g, const struct record *r, const struct wait_record *own,
		      struct error *e)
{
	if (own->value != WAKER_THREAD || task_get(&g->ingest.processes, r->pid, r->tid)->comm.i)
		return 0;
	return running_process((pid_t)r->pid, add_stranger, g, e);
}

/* A sample of a tracepoint of the scheduler: a file has it as a sample of off-cpu. */
static int add_wait_sample(struct capturing *g, const struct record *r, size_t event,
			   struct error *e)
{
	const struct attr *a = &g->sampler.attrs.attr[event];
	enum wait_record_kind says = g->sampler.event[event].says;
	struct strbuf raw = { 0 };
	struct record written = *r;
	bool is_strange = is_stranger(g, r);
	struct wait_record own;

	if ((says == WAIT_RECORD_OUT && is_strange) ||
	    !wait_sample(&g->wait_samples, r, a, says, &own))
		return 0;
	/* Mappings of others are not known, so nothing of theirs can be unwound. */
	if (is_strange)
		written.sample.user_abi = written.sample.stack.size = 0;
	if ((says == WAIT_RECORD_WAKE && meet_waker(g, r, &own, e)) ||
	    ingest_wait(&g->ingest, &written, a, &own, e))
		return -1;
	append_u32(&raw, 0, ORDER_HOST);
	wait_record_put(&raw, &own, ORDER_HOST);
	while (raw.size % 8)
		strbuf_addch(&raw, '\0');
	store_u32(raw.at, (uint32_t)(raw.size - 4), ORDER_HOST);
	written.sample.parts.raw = strbuf_peek(&raw);
	keep(g, &written, a, SPAN(""));
	strbuf_release(&raw);
	if (is_full(g))
		spill(g);
	return 0;
}

static int add_record(void *arg, const struct record *r, size_t event, struct span bytes,
		      struct error *e)
{
	struct capturing *g = arg;
	const struct attr *a = &g->sampler.attrs.attr[event];

	if (r->kind == RECORD_SAMPLE && g->sampler.event[event].is_switches)
		return add_own_record(g, r, a, bytes, e);
	if (g->sampler.event[event].is_tracepoint)
		return r->kind == RECORD_SAMPLE ? add_wait_sample(g, r, event, e) : 0;
	if (!is_ours(g, r))
		return 0;
	if (g->family.process && g->sampler.wide && r->kind != RECORD_SAMPLE)
		held_jit_add(&g->c->jit, &g->c->kept, r);
	/* The tracker is there for other records. */
	if (r->kind == RECORD_SAMPLE && g->event[event] == NO_EVENT)
		return 0;
	if (ingest_record(&g->ingest, r, a, r->kind == RECORD_SAMPLE ? g->event[event] : 0, e))
		return -1;
	g->nr_sample += r->kind == RECORD_SAMPLE;
	if (r->kind == RECORD_SAMPLE && g->ingest.chain.walked)
		sampler_see(&g->sampler, (uint32_t)event, needs_more(g, a), g->ingest.chain.need);
	else if (r->kind == RECORD_FORK)
		add_start(g, r);
	else if (r->kind == RECORD_EXIT)
		add_end(g, r);
	else if (r->kind == RECORD_SWITCH)
		watcher_met(&g->watcher, r);
	keep(g, r, a, bytes);
	if (is_full(g))
		spill(g);
	return 0;
}

static void watch(void *arg, const struct record *r)
{
	struct capturing *g = arg;

	if (r->kind == RECORD_SWITCH) {
		watcher_switch(&g->watcher, r);
		return;
	}
	/* Of the whole machine, the first switch of a thread tells in its turn whose it is. */
	if (r->kind == RECORD_FORK && !g->sampler.wide && is_followed(g, r))
		watcher_add(&g->watcher, (pid_t)r->pid, (pid_t)r->tid, WATCH_STARTED);
	/* Of the whole machine, add_record() keeps the files of the target alone. */
	if (!g->family.process || !g->sampler.wide || !g->sampler.nr_fd)
		held_jit_add(&g->c->jit, &g->c->kept, r);
}

/* Samples CPUs from here on, if that is allowed. */
static void widen(struct capturing *g)
{
	struct error refused = ERROR_INIT;

	g->may_widen = false;
	switches_close(&g->switches);
	wide_trial_close(&g->trial);
	if (sampler_widen(&g->sampler, &g->what, &refused))
		return;
	if (g->data)
		capture_data_widened(g->data, &g->sampler);
}

static void read_usage(struct capturing *g, const struct session *s)
{
	uint64_t now = session_now();

	if (!s->ending && g->usage.nr_entry > USAGE_FEW && now - g->usage_at < SECOND_NS)
		return;
	g->usage_at = now;
	usage_read(&g->usage);
}

/* Ends what the scheduler's tracepoints tell where that is too much. */
static void stop_tracepoints(struct capturing *g, uint64_t now)
{
	struct sampler *s = &g->sampler;
	struct watcher *w = &g->watcher;
	size_t nr_cpu = s->wide ? s->nr_cpu : 1;

	if (sampler_has_tracepoint(s, WAIT_RECORD_OUT, WHOSE_TARGET) &&
	    watch_is_flooded(&w->flood, w->nr_switch, now, WATCH_STACKS_MAX * nr_cpu)) {
		sampler_stop_tracepoint(s, WAIT_RECORD_OUT, WHOSE_TARGET);
		watcher_hurry(w, WATCH_RATE_ASKED);
	}
	if (sampler_has_tracepoint(s, WAIT_RECORD_WAKE, WHOSE_TARGET) &&
	    watch_is_flooded(&g->wakes[WHOSE_TARGET], g->session.nr_wake[WHOSE_TARGET], now,
			     WATCH_STACKS_MAX * nr_cpu)) {
		sampler_stop_tracepoint(s, WAIT_RECORD_WAKE, WHOSE_TARGET);
		notes_add(&g->c->p.notes, NOTE_WAKERS_MANY, 1, 0, SPAN(""));
	}
	if (sampler_has_tracepoint(s, WAIT_RECORD_WAKE, WHOSE_ALL) &&
	    watch_is_flooded(&g->wakes[WHOSE_ALL], g->session.nr_wake[WHOSE_ALL], now,
			     WATCH_WAKES_MAX * s->nr_cpu)) {
		sampler_stop_tracepoint(s, WAIT_RECORD_WAKE, WHOSE_ALL);
		notes_add(&g->c->p.notes, NOTE_WAKERS_MANY, 1, 0, SPAN(""));
	}
}

/* Starts or pauses with the session, and ends where switches are too many. */
static void tick_watcher(struct capturing *g, const struct session *s, uint64_t now)
{
	struct watcher *w = &g->watcher;
	bool pauses = (s->delay || s->by_signal) && !s->sampling;
	size_t most = WATCH_SWITCHES_MAX * (g->sampler.wide ? g->sampler.nr_cpu : 1);

	if (pauses)
		watcher_end(w, now, WAIT_RECORD_END);
	else
		watcher_start(w);
	if (g->o->waits != WAITS_ASKED && w->event != SIZE_MAX && !w->is_stopped &&
	    watch_is_flooded(&w->flood, w->nr_switch, now, most)) {
		watcher_end(w, now, WAIT_RECORD_STOP);
		sampler_stop_switches(&g->sampler);
	}
	stop_tracepoints(g, now);
	g->session.wake_at = watcher_tick(w, now);
}

/* Adds what the system does beside the target to its series. */
static void read_system(struct capturing *g)
{
	int64_t value[NR_SYSTEM_VALUES];
	uint64_t now = session_now();
	uint32_t known = system_read(&g->system, now, value);
	struct profile *p = &g->c->p;

	for (int i = 0; i < NR_SYSTEM_VALUES; i++) {
		const struct system_value_row *row = system_value_row((enum system_value)i);
		struct series *s;

		if (!(known >> i & 1))
			continue;
		s = profile_series(p, span_of(row->name), span_of(row->unit), span_of(row->scope));
		if (!s)
			continue;
		s->scale = -row->digits;
		series_add(p, s, now, value[i]);
	}
}

/* Begins with a first reading, as rates need two. */
static void open_system(struct capturing *g)
{
	const struct targets *targets = g->o->targets;
	pid_t first = targets->nr_process ? targets->process[0] : 0;

	system_open(&g->system, g->o->sampling.on_exec ? g->c->launch.pid : first, "");
	read_system(g);
}

/*
 * Are CPUs to be sampled?  What starts and ends quickly has no samples otherwise; who only switches often may have
 * fewer by that.
 */
static bool is_widened(struct capturing *g)
{
	if (!g->may_widen || g->starts_many)
		return g->may_widen;
	if (g->trial.cpu)
		return wide_trial_look(&g->trial, &g->family, g->nr_sample) == TRIAL_GOOD;
	if (switches_are_many(&g->switches, session_now()))
		wide_trial_open(&g->trial, &g->sampler, g->nr_sample);
	return false;
}

/* Adds waits that go on, behind the records that may still come. */
static void flush_waits(struct capturing *g, uint64_t now)
{
	const uint64_t every = 500000000, behind = 300000000;

	if (now - g->flushed_at < every)
		return;
	g->flushed_at = now;
	waits_flush(&g->ingest.waits, now - behind);
}

static void tick(void *arg, const struct session *s)
{
	struct capturing *g = arg;

	tick_watcher(g, s, session_now());
	read_system(g);
	if (g->usage.known)
		read_usage(g, s);
	if (is_widened(g))
		widen(g);
	if (g->o->live)
		flush_waits(g, session_now());
	if (g->o->tick)
		g->o->tick(g->o->tick_arg, s);
}

/* Is the thread recorded from the beginning? */
static bool is_task(const struct capturing *g, const struct record *r)
{
	const struct sampling *what = &g->o->sampling;

	if (what->follow != FOLLOW_NONE)
		return what->nr_task;
	for (size_t i = 0; i < what->nr_task; i++)
		if (what->task[i] == (pid_t)r->tid)
			return true;
	return false;
}

/* A running_sink: what runs already has no event that recorded it. */
static int add_running(void *arg, const struct record *r, struct error *e)
{
	static const struct attr none;
	struct capturing *g = arg;

	watch(g, r);
	if (r->kind == RECORD_COMM && is_task(g, r))
		watcher_add(&g->watcher, (pid_t)r->pid, (pid_t)r->tid, WATCH_RUNNING);
	/* A file has no place for it before capture_data_begin(). */
	if (g->data && g->sampler.nr_fd)
		capture_data_running(g->data, &g->sampler, r);
	return ingest_record(&g->ingest, r, &none, 0, e);
}

static bool is_everybody(const struct capture_opts *o)
{
	return !o->sampling.nr_task && !o->sampling.on_exec;
}

static int tell_running(struct capturing *g, struct error *e)
{
	const struct capture_opts *o = g->o;
	int ret = running_kernel(add_running, g, e);

	if (!ret)
		ret = running_modules(add_running, g, e);
	if (!ret && is_everybody(o))
		ret = running_all(add_running, g, e);
	for (size_t i = 0; i < o->targets->nr_process && !ret; i++)
		ret = running_process(o->targets->process[i], add_running, g, e);
	return ret;
}

/* Facts */

static void inform_command(struct profile *p, const char *const *command)
{
	struct strbuf line = { 0 };

	for (size_t i = 0; command[i]; i++)
		strbuf_addf(&line, "%s%s", i ? " " : "", command[i]);
	profile_inform(p, SPAN("command"), strbuf_peek(&line));
	strbuf_release(&line);
}

static void inform(struct profile *p, const struct capture_opts *o)
{
	struct strbuf now = { 0 };
	struct utsname name;

	/* Of several runs, the first counts. */
	if (p->nr_info)
		return;
	date_add(&now, time(NULL));
	profile_inform(p, SPAN("captured"), strbuf_peek(&now));
	strbuf_release(&now);
	if (o->command)
		inform_command(p, o->command);
	if (uname(&name))
		return;
	profile_inform(p, SPAN("host"), span_of(name.nodename));
	profile_inform(p, SPAN("kernel"), span_of(name.release));
	profile_inform(p, SPAN("arch"), span_of(name.machine));
}

/* Adds the events to the profile, in the order in which they were asked for; twins have one. */
static void add_events(struct capturing *g)
{
	const struct sampler *s = &g->sampler;

	g->event = xcalloc(s->nr_attr, sizeof(*g->event));
	for (size_t i = 0; i < s->nr_attr; i++) {
		struct strbuf name = { 0 };

		g->event[i] = NO_EVENT;
		if (s->event[i].stands_for != i)
			g->event[i] = g->event[s->event[i].stands_for];
		if (!s->event[i].is_sampled || s->event[i].is_switches ||
		    s->event[i].stands_for != i)
			continue;
		attrs_name(&name, &s->attrs, i);
		g->event[i] = perf_event_add(&g->c->p, strbuf_peek(&name));
		if (!s->attrs.attr[i].freq)
			g->c->p.event[g->event[i]].period = s->attrs.attr[i].period;
		strbuf_release(&name);
	}
}

/* Steps */

static struct naming naming_of(struct capture *c, const struct capture_opts *o)
{
	struct naming n = o->naming;

	n.kept = held_files_find;
	n.kept_arg = &c->kept;
	return n;
}

/*
 * Of running processes: a thread that is made while events are being opened inherits those that
 * its maker has already, and so has all, some or none.  So all events are opened again, for the new
 * thread too, until none came meanwhile; but not forever, if a program makes threads all the time:
 * opening so many takes about half a second of CPU time.
 */
static int open_sampler(struct capturing *g, struct sampling *what, struct error *e)
{
	enum { TIMES_MAX = 20, OPENED_MAX = 32 * 1024 };
	struct targets *whom = g->o->targets;
	size_t nr_opened = 0;

	for (size_t i = 0;; i++) {
		if (sampler_open(&g->sampler, what, e))
			return -1;
		nr_opened += g->sampler.nr_fd;
		if (!what->nr_task || what->on_exec || what->follow == FOLLOW_NONE ||
		    g->sampler.trace || i == TIMES_MAX || nr_opened > OPENED_MAX ||
		    !targets_look_again(whom))
			return 0;
		sampler_close(&g->sampler);
		what->task = whom->task;
		what->nr_task = whom->nr_task;
	}
}

static bool command_changes_stacks(const char *name)
{
	struct strbuf path = { 0 };
	bool changes = executable_find(&path, name) && image_changes_stacks(path.at);

	strbuf_release(&path);
	return changes;
}

/* Of processes that are made later, sampler_see() tells. */
static bool any_changes_stacks(const struct capture_opts *o)
{
	const struct targets *whom = o->targets;
	char path[32];

	if (o->command)
		return command_changes_stacks(o->command[0]);
	for (size_t i = 0; whom && i < whom->nr_process; i++) {
		snprintf(path, sizeof(path), "/proc/%d/exe", (int)whom->process[i]);
		if (image_changes_stacks(path))
			return true;
	}
	return false;
}

/* Events that are due by the time, of some tasks: those of CPUs are as good for them. */
static bool may_be_wide(const struct sampling *what)
{
	for (size_t i = 0; i < what->nr_event; i++)
		if (what->event[i].count)
			return false;
	return what->nr_event && what->nr_task && what->cgroup < 0;
}

static void init_family(struct capturing *g)
{
	const struct targets *targets = g->o->targets;

	family_init(&g->family, g->what.follow);
	if (g->o->sampling.on_exec)
		family_add_command(&g->family, g->c->launch.pid);
	for (size_t i = 0; i < targets->nr_process; i++)
		family_add_process(&g->family, targets->process[i]);
	for (size_t i = 0; i < targets->nr_task; i++)
		family_add_thread(&g->family, targets->task[i]);
}

static int prepare(struct capturing *g, struct error *e)
{
	const struct capture_opts *o = g->o;
	struct sampling *what = &g->what;

	*what = o->sampling;
	if (o->command && launch_open(&g->c->launch, o->command, o->user, o->folder, o->signals, e))
		return -1;
	if (o->wide) {
		what->on_exec = false;
		what->nr_task = 0;
	} else if (what->on_exec) {
		what->task = &g->c->launch.pid;
		what->nr_task = 1;
	}
	what->held = o->delay || o->by_signal;
	what->switches = o->waits != WAITS_OFF;
	what->tracepoints = o->waits == WAITS_ASKED;
	what->linked = what->calls == CALLS_AUTO && any_changes_stacks(o);
	/* Once before the events are open, too: a process that ends meanwhile has a name then. */
	if (is_everybody(o) && tell_running(g, e))
		return -1;
	if (open_sampler(g, what, e))
		return -1;
	g->may_widen = !g->sampler.trace && g->sampler.nr_sampled_cpu <= WIDE_CPUS_MAX &&
		       may_be_wide(what);
	if (o->wide || g->may_widen)
		init_family(g);
	if (g->may_widen)
		switches_open(&g->switches, what, session_now());
	add_events(g);
	watcher_open(&g->watcher, &g->sampler,
		     o->waits == WAITS_ASKED && !sampler_has_tracepoint(
							&g->sampler, WAIT_RECORD_OUT, WHOSE_TARGET)
			     ? WATCH_RATE_ASKED
			     : WATCH_RATE,
		     &g->own);
	g->wakes[WHOSE_TARGET].at = g->wakes[WHOSE_ALL].at = session_now();
	g->wait_samples = (struct wait_samples){ .ingest = &g->ingest, .watcher = &g->watcher };
	g->ingest.waits.on = g->watcher.event != SIZE_MAX;
	if (!what->held)
		watcher_start(&g->watcher);
	/* Behind the start, as it waits for us until its exec: that is not the command's time. */
	if (what->on_exec)
		watcher_add(&g->watcher, g->c->launch.pid, g->c->launch.pid, WATCH_MET);
	if (g->data)
		capture_data_begin(g->data, o, &g->sampler);
	return tell_running(g, e);
}

/* A late_root_read. */
static size_t read_beyond(void *arg, uint32_t pid, uint64_t address, char *to, size_t size)
{
	(void)arg;
	return memory_read((pid_t)pid, address, to, size);
}

static void prepare_profile(struct capturing *g)
{
	const struct capture_opts *o = g->o;
	struct profile *p = &g->c->p;

	inform(p, o);
	if (o->times && !p->max_tick)
		profile_keep_ticks(p, PROFILE_TIMES_DEFAULT);
	if (o->times && !p->max_interval && !o->live)
		profile_keep_intervals(p, PROFILE_TIMES_DEFAULT);
	g->naming = naming_of(g->c, o);
	naming_files_init(&g->files, &g->naming);
	ingest_init(&g->ingest, p);
	g->ingest.stacks.image = &g->files.image;
	g->ingest.keeps_labels = o->cpus;
	g->ingest.beyond.read = read_beyond;
}

/* An ingest_sink: finds the first process that still runs. */
static void find_left(void *arg, const struct record *r)
{
	const struct capturing *g = arg;
	char path[32], byte;

	if (r->kind != RECORD_COMM || g->c->left.pid)
		return;
	/* A zombie has no exe. */
	snprintf(path, sizeof(path), "/proc/%u/exe", r->pid);
	if (readlink(path, &byte, 1) < 0)
		return;
	g->c->left.pid = r->pid;
	snprintf(g->c->left.name, sizeof(g->c->left.name), "%.*s", (int)r->comm.name.size,
		 r->comm.name.at);
}

/* All other records have been taken: says that waits end here, too. */
static int end_watcher(struct capturing *g, struct error *e)
{
	struct span bytes;
	struct record r;
	int ret = 0;

	strbuf_reset(&g->own);
	watcher_end(&g->watcher, g->session.end, WAIT_RECORD_END);
	bytes = strbuf_peek(&g->own);
	if (bytes.size &&
	    record_decode(&r, &g->sampler.attrs.attr[g->watcher.event], bytes, ORDER_HOST))
		ret = add_own_record(g, &r, &g->sampler.attrs.attr[g->watcher.event], bytes, e);
	return ret;
}

static int run(struct capturing *g, struct error *e)
{
	const struct capture_opts *o = g->o;
	struct session *s = &g->session;

	*s = (struct session){ .begin = session_now(),
			       .sampler = &g->sampler,
			       .before = o->signals,
			       .launch = &g->c->launch,
			       .duration = o->duration,
			       .delay = o->delay,
			       .by_signal = o->by_signal,
			       .until_gone = o->until_gone,
			       .sink = add_record,
			       .watch = watch,
			       .tick = tick,
			       .arg = g,
			       .own = &g->own };
	/* With a command, its end is the end, also if it is not what is recorded. */
	if (!o->command && !o->until_gone) {
		s->wait_for = o->targets->process;
		s->nr_wait_for = o->targets->nr_process;
	}
	open_system(g);
	if (o->command && launch_run(&g->c->launch, o->command[0], e))
		return -1;
	g->c->ran = o->command != NULL;
	if (!o->sampling.on_exec)
		usage_init(&g->usage, &o->sampling, o->targets);
	if (session_run(s, e) || end_watcher(g, e))
		return -1;
	if (o->sampling.on_exec && !g->c->launch.pid && !g->nr_sample)
		ingest_known(&g->ingest, find_left, g);
	ingest_finish(&g->ingest);
	if (g->data)
		recording_settle(g->data, ingest_root, &g->ingest);
	return 0;
}

void capture_wait(struct capture *c, const struct capture_opts *o)
{
	if (c->ran)
		signals_wait(&c->launch, o->signals);
}

struct used {
	uint64_t user, kernel; /* ns */
	uint64_t nr_switch;    /* context switches, by tasks rather than CPUs */
};

/* The CPU time of what was recorded; none: it is not known. */
static struct used used_time(const struct capturing *g)
{
	const struct launch *l = &g->c->launch;
	struct used used = { 0 };

	if (!g->o->sampling.on_exec && g->usage.known) {
		struct usage_time sum = usage_sum(&g->usage);

		used = (struct used){ sum.user, sum.kernel, switches_sum(&g->switches) };
	} else if (g->o->sampling.on_exec && !l->pid) {
		used = (struct used){ l->user_time, l->kernel_time, l->switches };
	}
	return used;
}

/* Is the event due so many times in a second of CPU time?  Counters are only nearly so. */
static bool is_clock(const struct attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE &&
	       (a->config == PERF_COUNT_SW_CPU_CLOCK || a->config == PERF_COUNT_SW_TASK_CLOCK);
}

static bool is_cycles(const struct attr *a)
{
	return a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_CPU_CYCLES;
}

/*
 * Compares the samples with those that the CPU time of the target should have given.  The clock
 * begins anew in each thread, and a thread that ends before its first tick has none: so there may
 * be fewer.
 */
static void compare_time(const struct capturing *g, struct capture *c)
{
	const struct sampling *what = &g->o->sampling;
	const struct attr *a = g->sampler.attrs.nr ? &g->sampler.attrs.attr[0] : NULL;
	struct used used = used_time(g);
	double samples = (double)(g->nr_sample + g->session.nr_lost), time = 0, chance = 0, least;

	c->expected = c->unseen = 0;
	if (what->nr_event != 1 || what->nr_cpu || g->o->delay || g->o->by_signal || !a ||
	    !a->freq || (!is_clock(a) && !is_cycles(a)))
		return;
	time += a->exclude_user ? 0 : (double)used.user;
	time += a->exclude_kernel ? 0 : (double)used.kernel;
	/*
	 * The kernel charges a task for being switched to and from, when none of its clocks runs.
	 * Which part of its time is the kernel's is known by ticks, which may keep step with who
	 * sleeps by timers.
	 */
	time = fmax(time - SWITCH_NS * (double)used.nr_switch, 0);
	c->expected = time / 1e9 * (double)a->period;
	/*
	 * What may be chance, three times the standard deviation: who samples CPUs finds the target
	 * there or not, and the kernel tells user from kernel time by ticks, 250 a second or more.
	 */
	if (c->wide)
		chance += 3 * sqrt(c->expected);
	/* The clock of a thread that runs has its first tick after a period: thousands may have run once. */
	else if (what->nr_task > 1)
		chance += (double)what->nr_task;
	if (a->exclude_user || a->exclude_kernel)
		chance += 3 * sqrt((double)a->period / 250 * c->expected *
				   (1 - time / (double)(used.user + used.kernel + 1)));
	least = c->expected * (is_clock(a) && !g->sampler.trace ? 0.05 : 0.25);
	if (c->expected - samples > fmax(chance, least))
		c->unseen = 1 - samples / c->expected;
}

/* Were copies as long as they can be, at the end? */
static bool copies_most(const struct sampler *s)
{
	for (uint32_t i = 0; i < s->nr_attr; i++)
		if (s->event[i].is_sampled && !s->event[i].is_switches &&
		    !s->event[i].is_tracepoint && !sampler_rests(s, i) &&
		    s->attr[i].sample_stack_user < STACK_COPY_MAX)
			return false;
	return s->nr_attr;
}

static void add_sums(struct wait_sums *to, const struct wait_sums *from)
{
	to->running += from->running;
	for (size_t i = 0; i < NR_WAIT_REASONS; i++)
		to->off[i] += from->off[i];
	to->nr_thread += from->nr_thread;
	to->nr_switch += from->nr_switch;
	to->nr_wait += from->nr_wait;
	to->nr_seen += from->nr_seen;
	to->nr_no_look += from->nr_no_look;
	to->nr_waker += from->nr_waker;
}

/* The same without switches, by ptrace sampling. */
static void add_traced(struct wait_sums *to, const struct wait_total *from)
{
	to->running += from->running;
	for (size_t i = 0; i < NR_WAIT_REASONS; i++)
		to->off[i] += from->off[i];
	to->nr_thread += from->nr_thread;
}

static void tell_result(struct capturing *g)
{
	struct capture *c = g->c;

	c->nr_sample += g->nr_sample;
	c->nr_lost += g->session.nr_lost;
	if (g->session.end)
		c->time += g->session.end - g->session.begin;
	c->interrupted = g->session.interrupted;
	add_sums(&c->waits, &g->ingest.waits.sums);
	if (g->watcher.is_stopped)
		c->switches_until += g->watcher.flood.at - g->session.begin;
	for (size_t i = 0; i < NR_BLOCKED_STATES; i++)
		if (g->watcher.nr_refused[i])
			c->refused = (enum blocked_state)i;
	c->nr_start = g->nr_start;
	c->wide = g->family.process && g->sampler.wide;
	compare_time(g, c);
	c->traced = g->sampler.trace != NULL;
	if (c->traced) {
		c->trace_frequency = trace_frequency(&g->o->sampling);
		c->trace = trace_sum(g->sampler.trace);
		add_traced(&c->waits, &c->trace.waits);
		memcpy(c->better, g->sampler.better, sizeof(c->better));
		c->scarce = g->sampler.scarce;
	}
	c->copied_most = copies_most(&g->sampler);
	c->user_only = g->sampler.user_only;
	c->clock_only = g->sampler.clock_only;
	c->frequency = g->sampler.frequency;
	c->ring_size = g->sampler.ring_size;
}

static void release(struct capturing *g)
{
	ingest_release(&g->ingest);
	sampler_close(&g->sampler);
	naming_files_release(&g->files);
	launch_close(&g->c->launch);
	family_release(&g->family);
	switches_close(&g->switches);
	watcher_close(&g->watcher);
	wait_samples_release(&g->wait_samples);
	strbuf_release(&g->own);
	system_close(&g->system);
	wide_trial_close(&g->trial);
	usage_release(&g->usage);
	free(g->event);
}

void capture_init(struct capture *c)
{
	*c = (struct capture){ .launch = LAUNCH_INIT };
	profile_init(&c->p);
}

int capture_run(struct capture *c, const struct capture_opts *o, struct error *e)
{
	struct capturing g = { .o = o, .c = c, .data = o->data, .watcher = { .event = SIZE_MAX } };
	int ret;

	prepare_profile(&g);
	ret = prepare(&g, e) || run(&g, e) ? -1 : 0;
	tell_result(&g);
	release(&g);
	return ret;
}

void capture_name(struct capture *c, const struct capture_opts *o)
{
	struct naming n = naming_of(c, o);

	held_jit_open(&c->jit, &c->kept);
	naming_apply(&n, o->threads, &c->p);
}

void capture_release(struct capture *c)
{
	held_jit_release(&c->jit);
	held_files_release(&c->kept);
	profile_release(&c->p);
}

#include "capture/capture.h"

#include "base/alloc.h"
#include "base/date.h"
#include "capture/capturing.h"
#include "capture/prefetch.h"
#include "read/perf_script/script_header.h"
#include "record/launch/executable.h"
#include "record/priority.h"
#include "record/targets/process_memory.h"
#include "record/targets/running.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#define NO_EVENT UINT32_MAX

enum {
	/*
	 * If a target starts this many threads and processes in a second, many are too short-lived to get a sample,
	 * and each inherits all events, which takes time: wick samples CPUs instead.  Not if there are more CPUs
	 * than WIDE_CPUS_MAX, unless requested: there would be too many samples of other processes.
	 */
	STARTS_MANY = 50,
	WIDE_CPUS_MAX = 16,
	SECOND_NS = 1000000000,
	/* Beyond this number, the CPU time of processes is only read once a second. */
	USAGE_FEW = 8,
};

/* Records */

/* An ingest_sink. */
static void add_known(void *arg, const struct record *r)
{
	const struct capturing *g = arg;

	capture_data_running(g->data, &g->sampler, r);
}

/*
 * The profile has reached its memory limit: from now on, samples are only written to a file.  If that is opened
 * now, it first gets all known processes and mappings.
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
	if (g->bpf)
		sched_bpf_repeat(g->bpf);
}

/* At half of the limit, because tables double when they are full. */
void capture_limit(struct capturing *g)
{
	if (g->o->memory && !g->c->full && profile_size(&g->c->p) > g->o->memory / 2)
		spill(g);
}

/* Would a larger stack copy, or the kernel's call chain by frame pointers, have shown more of the stack? */
static bool needs_more(const struct capturing *g, const struct attr *a)
{
	enum unwind_end end = g->ingest.chain.ended;

	return end == UNWIND_TRUNCATED || (end == UNWIND_EDGE && a->exclude_callchain_user);
}

/* Is the thread or process that starts a target, too? */
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

/*
 * Counts a process that a target started and that is not recorded.  Without inherit_thread, child processes inherit
 * events and are recorded.
 */
static void count_child(const struct capturing *g, const struct record *r)
{
	const struct targets *targets = g->o->targets;

	if (g->what.follow == FOLLOW_THREADS && r->pid != r->fork.ppid &&
	    (g->sampler.wide || g->sampler.attr[0].inherit_thread) &&
	    targets_has_process(targets, (pid_t)r->fork.ppid) &&
	    !targets_has_process(targets, (pid_t)r->pid))
		g->c->nr_child++;
}

static void add_end(struct capturing *g, const struct record *r)
{
	sampler_see_end(&g->sampler, (pid_t)r->tid);
	watcher_remove(&g->watcher, (pid_t)r->tid);
	/* With events per task, the session itself notices when no task is left. */
	if (g->o->wide && g->o->until_gone && r->tid == (uint32_t)g->o->sampling.task[0])
		g->session.ending = true;
}

bool capture_is_stranger(struct capturing *g, const struct record *r)
{
	bool ours = !g->family.process || family_take(&g->family, r);

	return !ours && g->sampler.wide;
}

/* Does the record belong to the target? */
static bool is_ours(struct capturing *g, const struct record *r)
{
	if (!capture_is_stranger(g, r))
		return true;
	g->session.nr_sample -= r->kind == RECORD_SAMPLE;
	g->nr_stranger += r->kind == RECORD_SAMPLE;
	return false;
}

void capture_keep(const struct capturing *g, const struct record *r, const struct attr *a,
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

/*
 * Adds lost records.  If CPUs are sampled, they may belong to any process: the target's share of them is its share
 * of the samples.
 */
static int add_losses(struct capturing *g, const struct record *r, const struct attr *a,
		      struct error *e)
{
	struct record own = *r;
	struct strbuf bytes = { 0 };
	uint64_t all = g->nr_sample + g->nr_stranger;
	int ret = 0;

	if (g->family.process && g->sampler.wide && all)
		own.lost = (uint64_t)((double)r->lost * (double)g->nr_sample / (double)all);
	if (!own.lost)
		return 0;
	g->nr_lost += own.lost;
	ret = ingest_record(&g->ingest, &own, a, 0, e);
	if (g->data && record_encode(&bytes, &own, a, ORDER_HOST))
		recording_add(g->data, strbuf_peek(&bytes));
	strbuf_release(&bytes);
	return ret;
}

/*
 * Was a CPU sampled before the recording began, while wick read what runs on the machine?  Neither the duration of the
 * recording nor the CPU time of the target includes that time.
 */
static bool is_early(const struct capturing *g, const struct record *r)
{
	return !g->what.nr_task && r->time && r->time < g->session.begin;
}

static int add_record(void *arg, const struct record *r, size_t event, struct span bytes,
		      struct error *e)
{
	struct capturing *g = arg;
	const struct attr *a = &g->sampler.attrs.attr[event];

	if (r->kind == RECORD_LOST)
		return add_losses(g, r, a, e);
	if (r->kind == RECORD_SAMPLE && g->sampler.event[event].is_switches)
		return capture_waits_add_own(g, r, a, bytes, e);
	if (g->sampler.event[event].is_tracepoint)
		return r->kind == RECORD_SAMPLE ? capture_waits_add_sample(g, r, event, e) : 0;
	if (r->kind == RECORD_FORK)
		count_child(g, r);
	if (!is_ours(g, r))
		return 0;
	if (g->family.process && g->sampler.wide && r->kind != RECORD_SAMPLE)
		held_jit_add(&g->c->jit, &g->c->kept, r);
	hidden_programs_take(&g->hidden, r);
	/* Samples of the tracker do not count: it exists for other records. */
	if (r->kind == RECORD_SAMPLE && (g->event[event] == NO_EVENT || is_early(g, r)))
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
	else if (r->kind == RECORD_MMAP)
		g->mapped |= !r->mmap.data;
	capture_keep(g, r, a, bytes);
	capture_limit(g);
	return 0;
}

static void watch(void *arg, const struct record *r)
{
	struct capturing *g = arg;

	if (r->kind == RECORD_SWITCH) {
		watcher_switch(&g->watcher, r);
		return;
	}
	/*
	 * If CPUs are sampled, a new thread is added with its first switch in order (watcher_met()), when its
	 * process is known.
	 */
	if (r->kind == RECORD_FORK && !g->sampler.wide && is_followed(g, r))
		watcher_add(&g->watcher, (pid_t)r->pid, (pid_t)r->tid, WATCH_STARTED);
	/* If CPUs are sampled, add_record() does this, for the target's files only. */
	if (!g->family.process || !g->sampler.wide || !g->sampler.nr_fd)
		held_jit_add(&g->c->jit, &g->c->kept, r);
}

/* Samples CPUs from now on, if permitted. */
static void widen(struct capturing *g)
{
	struct error refused = ERROR_INIT;

	g->may_widen = false;
	wide_trial_close(&g->trial);
	if (sampler_widen(&g->sampler, &g->what, &refused))
		return;
	g->nr_switch = switches_sum(&g->switches);
	switches_close(&g->switches);
	priority_raise();
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

/* The resources that all runs of the command so far have used, if it has exited. */
static struct system_total used_by(const struct launch *l)
{
	return (struct system_total){ .cpu = l->user_time + l->kernel_time,
				      .faults = l->major_faults,
				      .memory = l->memory };
}

/* Adds the current values of the system to their series. */
static void read_system(struct capturing *g, bool last)
{
	const bool has_exited = g->o->sampling.on_exec && !g->c->launch.pid;
	struct system_total used = used_by(&g->c->launch);
	int64_t value[NR_SYSTEM_VALUES];
	uint64_t now = session_now();
	uint32_t known;
	struct profile *p = &g->c->p;

	if (!g->system.is_open)
		return;
	used.cpu -= g->used_before;
	known = last ? system_read_last(&g->system, now, has_exited ? &used : NULL, value)
		     : system_read(&g->system, now, value);

	for (int i = 0; i < NR_SYSTEM_VALUES; i++) {
		const struct system_value_row *row = system_value_row((enum system_value)i);
		struct series *s;
		int64_t limit;

		if (!(known >> i & 1))
			continue;
		s = profile_series(p, span_of(row->name), span_of(row->unit), span_of(row->scope));
		if (!s)
			continue;
		s->scale = -row->digits;
		series_add(p, s, now, value[i]);
		limit = system_limit(&g->system, (enum system_value)i);
		if (limit)
			series_spread(s, g->system.begun, limit);
	}
}

/* Reads the values once, because rates need two readings. */
static void open_system(struct capturing *g)
{
	const struct targets *targets = g->o->targets;
	pid_t first = targets->nr_process ? targets->process[0] : 0;

	system_open(&g->system, g->o->sampling.on_exec ? g->c->launch.pid : first, "");
	if (g->o->sampling.cgroup >= 0)
		system_open_group(&g->system, g->o->sampling.cgroup);
	g->used_before = used_by(&g->c->launch).cpu;
	read_system(g, false);
}

/*
 * Should wick sample CPUs?  Otherwise, short-lived threads, and those that run too briefly, get no samples.  A
 * target that only switches often may get fewer samples that way, so a trial decides.
 */
static bool is_widened(struct capturing *g)
{
	if (!g->may_widen || g->starts_many || g->is_crowd)
		return g->may_widen;
	if (g->trial.cpu)
		return wide_trial_check(&g->trial, &g->family, g->nr_sample) == TRIAL_GOOD;
	if (switches_are_many(&g->switches, session_now()))
		wide_trial_open(&g->trial, &g->sampler, g->nr_sample);
	return false;
}

static void tick(void *arg, const struct session *s)
{
	struct capturing *g = arg;

	capture_waits_tick(g, s, session_now());
	if (g->c->prefetch && !s->ending)
		prefetch_modules(g->c->prefetch, &g->c->p);
	read_system(g, s->ending);
	if (g->usage.known)
		read_usage(g, s);
	if (is_widened(g))
		widen(g);
	if (g->o->live)
		capture_waits_flush(g, session_now());
	if (g->o->tick)
		g->o->tick(g->o->tick_arg, s);
}

/* Is the thread a target from the beginning? */
static bool is_task(const struct capturing *g, const struct record *r)
{
	const struct sampling *what = &g->o->sampling;

	if (what->cgroup >= 0)
		return targets_has_thread(g->in_group, g->nr_in_group, (pid_t)r->tid);
	if (what->follow != FOLLOW_NONE)
		return what->nr_task;
	for (size_t i = 0; i < what->nr_task; i++)
		if (what->task[i] == (pid_t)r->tid)
			return true;
	return false;
}

/* A running_sink: a record of what already runs comes from no event. */
static int add_running(void *arg, const struct record *r, struct error *e)
{
	static const struct attr none;
	struct capturing *g = arg;

	watch(g, r);
	if (r->kind == RECORD_COMM && is_task(g, r))
		watcher_add(&g->watcher, (pid_t)r->pid, (pid_t)r->tid, WATCH_RUNNING);
	/* The file cannot take it before capture_data_begin(). */
	if (g->data && g->sampler.nr_fd)
		capture_data_running(g->data, &g->sampler, r);
	return ingest_record(&g->ingest, r, &none, 0, e);
}

static bool is_everybody(const struct capture_opts *o)
{
	return !o->sampling.nr_task && !o->sampling.on_exec;
}

static int emit_running(struct capturing *g, struct error *e)
{
	const struct capture_opts *o = g->o;
	int ret = running_kernel(add_running, g, e);

	if (o->sampling.cgroup >= 0) {
		free(g->in_group);
		g->in_group = targets_group_threads(o->sampling.cgroup, &g->nr_in_group);
	}
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

	/* The facts are those of the first run. */
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

/* Adds the events to the profile, in the order in which they were requested.  Twins share one. */
static void add_events(struct capturing *g)
{
	const struct sampler *s = &g->sampler;

	g->event = xcalloc(s->nr_attr, sizeof(*g->event));
	for (size_t i = 0; i < s->nr_attr; i++) {
		struct strbuf name = { 0 };

		g->event[i] = NO_EVENT;
		if (s->event[i].is_sampled && s->event[i].stands_for != i)
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
 * A thread that a running process creates while events are being opened inherits those that its creator already
 * has: all, some or none.  So all events are opened again, for the new thread, too, until no thread was created
 * meanwhile.  TIMES_MAX and OPENED_MAX (about half a second of CPU time) limit that for programs that create
 * threads all the time.
 */
static int open_sampler(struct capturing *g, struct sampling *what, struct error *e)
{
	enum { TIMES_MAX = 20, OPENED_MAX = 32 * 1024 };
	struct targets *targets = g->o->targets;
	size_t nr_opened = 0;

	for (size_t i = 0;; i++) {
		if (sampler_open(&g->sampler, what, e))
			return -1;
		nr_opened += g->sampler.nr_fd;
		if (!what->nr_task || what->on_exec || what->follow == FOLLOW_NONE ||
		    g->sampler.trace || i == TIMES_MAX || nr_opened > OPENED_MAX ||
		    !targets_update(targets))
			return 0;
		sampler_close(&g->sampler);
		what->task = targets->task;
		what->nr_task = targets->nr_task;
	}
}

static bool command_changes_stacks(const char *name)
{
	struct strbuf path = { 0 };
	bool changes = executable_find(&path, name) && image_changes_stacks(path.at);

	strbuf_release(&path);
	return changes;
}

/* Does a target have functions that switch stacks (Go)?  sampler_see() detects it for processes that start later. */
static bool any_changes_stacks(const struct capture_opts *o)
{
	const struct targets *targets = o->targets;
	char path[32];

	if (o->command)
		return command_changes_stacks(o->command[0]);
	for (size_t i = 0; targets && i < targets->nr_process; i++) {
		snprintf(path, sizeof(path), "/proc/%d/exe", (int)targets->process[i]);
		if (image_changes_stacks(path))
			return true;
	}
	return false;
}

/* Are these events per task that can be replaced by events per CPU?  Yes, unless they have a fixed period. */
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

/*
 * Are there so many runnable threads that samples would be missing?  A thread gets its first sample after one
 * period, and none in its last, incomplete period: this many threads would lose 5 % of half a second.
 */
static bool is_crowd(const struct capturing *g)
{
	enum { CROWD_MIN = 64 };
	size_t many = g->sampler.nr_sampled_cpu * g->what.frequency / 20;

	if (many < CROWD_MIN)
		many = CROWD_MIN;
	return g->o->targets->nr_task >= many && targets_nr_runnable(g->o->targets) >= many;
}

static int prepare(struct capturing *g, struct error *e)
{
	const struct capture_opts *o = g->o;
	struct sampling *what = &g->what;

	*what = o->sampling;
	/* Samples of perf events and of ptrace cannot be added: the first run decides. */
	if (g->c->ran)
		what->by = g->c->traced ? SAMPLE_BY_PTRACE : SAMPLE_BY_EVENTS;
	if (o->command && launch_open(&g->c->launch, o->command, o->user, o->folder, o->signals, e))
		return -1;
	what->linked = what->calls == CALLS_AUTO && any_changes_stacks(o);
	if (o->waits == WAITS_ASKED)
		capture_waits_open_bpf(g);
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
	/* Also before the events are opened, so that a process that exits meanwhile has a name. */
	if (is_everybody(o) && emit_running(g, e))
		return -1;
	if (open_sampler(g, what, e))
		return -1;
	g->may_widen = !g->sampler.trace && g->sampler.nr_sampled_cpu <= WIDE_CPUS_MAX &&
		       may_be_wide(what);
	if (o->wide || g->may_widen)
		init_family(g);
	if (g->may_widen) {
		switches_open(&g->switches, what, session_now());
		g->is_crowd = is_crowd(g);
	}
	add_events(g);
	capture_waits_open(g);
	if (g->data)
		capture_data_begin(g->data, o, &g->sampler);
	return emit_running(g, e);
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
	/* A live profile is symbolized while it grows. */
	if (!o->live && !o->naming.no_inline && !g->c->prefetch)
		g->c->prefetch = prefetch_new(&g->naming);
	naming_files_init(&g->files, &g->naming);
	ingest_init(&g->ingest, p);
	g->ingest.stacks.image = &g->files.image;
	g->ingest.keeps_labels = g->ingest.waits.keeps_labels = o->cpus;
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

/* ptrace reports no start of processes that are not recorded. */
static bool has_more_children(const struct capturing *g)
{
	return g->sampler.trace && g->what.follow == FOLLOW_THREADS &&
	       (usage_has_children(&g->usage) ||
		targets_nr_children(g->o->targets) > g->o->nr_child);
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
	/* With a command, the recording ends when the command does, even if it is not the target. */
	if (!o->command && !o->until_gone) {
		s->wait_for = o->targets->process;
		s->nr_wait_for = o->targets->nr_process;
	}
	if (session_open(s, e))
		return -1;
	open_system(g);
	/* If descriptors are scarce, programs need them more than the values of the system. */
	if (!session_has_files(s))
		system_close(&g->system);
	if (o->command && launch_run(&g->c->launch, o->command[0], e)) {
		session_close(s);
		return -1;
	}
	g->c->ran = o->command != NULL;
	g->c->nr_child = o->nr_child;
	if (!o->sampling.on_exec)
		usage_init(&g->usage, &o->sampling, o->targets);
	if (session_run(s, e) || capture_waits_end(g, e))
		return -1;
	g->c->more_children = has_more_children(g);
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

static void release(struct capturing *g)
{
	ingest_release(&g->ingest);
	sampler_close(&g->sampler);
	sched_bpf_close(g->bpf);
	naming_files_release(&g->files);
	launch_close(&g->c->launch);
	family_release(&g->family);
	hidden_programs_release(&g->hidden);
	switches_close(&g->switches);
	watcher_close(&g->watcher);
	wait_samples_release(&g->wait_samples);
	strbuf_release(&g->own);
	free(g->in_group);
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
	bool was_traced = c->ran && c->traced, had_run = c->ran;
	enum sampler_scarce scarce = c->scarce;
	char better[sizeof(c->better)];
	int ret;

	memcpy(better, c->better, sizeof(better));
	prepare_profile(&g);
	ret = prepare(&g, e) || run(&g, e) ? -1 : 0;
	/* A run that did not begin does not change the result of the runs before. */
	if (!had_run || g.session.begin)
		capture_result(&g);
	/* Only the first run tried to open perf events, and knows why that failed. */
	if (was_traced) {
		c->scarce = scarce;
		memcpy(c->better, better, sizeof(better));
	}
	release(&g);
	return ret;
}

void capture_name(struct capture *c, const struct capture_opts *o)
{
	struct naming n = naming_of(c, o);

	held_jit_open(&c->jit, &c->kept);
	n.store = prefetch_end(c->prefetch);
	naming_apply(&n, o->threads, &c->p);
}

void capture_release(struct capture *c)
{
	prefetch_free(c->prefetch);
	held_jit_release(&c->jit);
	held_files_release(&c->kept);
	profile_release(&c->p);
}

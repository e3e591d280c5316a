#include "cmd/capture.h"

#include "base/alloc.h"
#include "base/date.h"
#include "ingest/ingest.h"
#include "read/perf_header.h"
#include "record/family.h"
#include "record/memory.h"
#include "record/running.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#define NO_EVENT UINT32_MAX

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
	uint64_t nr_sample;	/* samples that add_record() was given */
	struct family family;	/* for o->wide */
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

static int add_record(void *arg, const struct record *r, size_t event, struct span bytes,
		      struct error *e)
{
	struct capturing *g = arg;
	const struct attr *a = &g->sampler.attrs.attr[event];
	struct words chain;

	if (g->o->wide && !family_take(&g->family, r))
		return 0;
	if (g->o->wide && r->kind != RECORD_SAMPLE)
		kept_add(&g->c->kept, r);
	/* The tracker is there for other records. */
	if (r->kind == RECORD_SAMPLE && g->event[event] == NO_EVENT)
		return 0;
	if (ingest_record(&g->ingest, r, a, r->kind == RECORD_SAMPLE ? g->event[event] : 0, e))
		return -1;
	g->nr_sample += r->kind == RECORD_SAMPLE;
	if (r->kind == RECORD_SAMPLE && g->ingest.chain.walked)
		sampler_see(&g->sampler, (uint32_t)event, g->ingest.chain.end == CHAIN_CUT,
			    g->ingest.chain.need);
	else if (r->kind == RECORD_FORK)
		sampler_see_start(&g->sampler);
	if (g->data && r->kind == RECORD_SAMPLE) {
		chain = chain_words(&g->ingest.chain);
		recording_add_open_sample(g->data, r, a, &chain, g->ingest.chain.ticket);
	} else if (g->data) {
		recording_add(g->data, bytes);
	}
	if (is_full(g))
		spill(g);
	return 0;
}

static void watch(void *arg, const struct record *r)
{
	struct capturing *g = arg;

	/* Of the whole machine, add_record() keeps the files of the command's family alone. */
	if (!g->o->wide || !g->sampler.nr_fd)
		kept_add(&g->c->kept, r);
}

static void tick(void *arg, const struct session *s)
{
	const struct capturing *g = arg;

	if (g->o->tick)
		g->o->tick(g->o->tick_arg, s);
}

/* A running_sink: what runs already has no event that recorded it. */
static int add_running(void *arg, const struct record *r, struct error *e)
{
	static const struct attr none;
	struct capturing *g = arg;

	watch(g, r);
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
		if (!s->event[i].is_sampled || s->event[i].stands_for != i)
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

	n.kept = kept_find;
	n.kept_arg = &c->kept;
	return n;
}

/*
 * Of running processes: a thread that is made while events are being opened inherits those that
 * its maker has already, and so has all, some or none.  So all events are opened again, for the new
 * thread too, until none came meanwhile; but not forever, if a program makes threads all the time.
 */
static int open_sampler(struct capturing *g, struct sampling *what, struct error *e)
{
	enum { TIMES_MAX = 20 };
	struct targets *whom = g->o->targets;

	for (size_t i = 0;; i++) {
		if (sampler_open(&g->sampler, what, e))
			return -1;
		if (what->on_exec || what->follow == FOLLOW_NONE || g->sampler.trace ||
		    i == TIMES_MAX || !targets_look_again(whom))
			return 0;
		sampler_close(&g->sampler);
		what->task = whom->task;
		what->nr_task = whom->nr_task;
	}
}

static int prepare(struct capturing *g, struct error *e)
{
	const struct capture_opts *o = g->o;
	struct sampling what = o->sampling;

	if (o->command && launch_open(&g->c->launch, o->command, o->user, o->folder, o->signals, e))
		return -1;
	if (o->wide) {
		family_init(&g->family, g->c->launch.pid);
		what.on_exec = false;
	} else if (what.on_exec) {
		what.task = &g->c->launch.pid;
		what.nr_task = 1;
	}
	what.held = o->delay || o->by_signal;
	/* Once before the events are open, too: a process that ends meanwhile has a name then. */
	if (is_everybody(o) && tell_running(g, e))
		return -1;
	if (open_sampler(g, &what, e))
		return -1;
	add_events(g);
	if (g->data)
		capture_data_begin(g->data, o, &g->sampler);
	return tell_running(g, e);
}

/* A beyond_read. */
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
	g->naming = naming_of(g->c, o);
	naming_files_init(&g->files, &g->naming);
	ingest_init(&g->ingest, p);
	g->ingest.stacks.image = &g->files.image;
	g->ingest.keeps_cpus = o->cpus;
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
			       .arg = g };
	/* With a command, its end is the end, also if it is not what is recorded. */
	if (!o->command && !o->until_gone) {
		s->wait_for = o->targets->process;
		s->nr_wait_for = o->targets->nr_process;
	}
	if (o->command && launch_run(&g->c->launch, o->command[0], e))
		return -1;
	g->c->ran = o->command != NULL;
	if (session_run(s, e))
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

/*
 * How many samples the processor time of the command should have given.  The clock begins anew in
 * each thread, and a thread that ends before its first tick has none: so there may be fewer.
 */
static double expected(const struct capturing *g)
{
	const struct launch *l = &g->c->launch;
	const struct sampling *what = &g->o->sampling;
	const struct attr *a = g->sampler.attrs.nr ? &g->sampler.attrs.attr[0] : NULL;
	double seconds;

	if (!what->on_exec || what->nr_event != 1 || !a || !a->freq || l->pid ||
	    a->type != PERF_TYPE_SOFTWARE || a->config != PERF_COUNT_SW_CPU_CLOCK || g->o->delay ||
	    g->o->by_signal)
		return 0;
	seconds = (double)(l->user_time + (a->exclude_kernel ? 0 : l->kernel_time)) / 1e9;
	return seconds * (double)a->period;
}

static double unseen(const struct capturing *g)
{
	double samples = (double)(g->nr_sample + g->session.nr_lost), most = expected(g);

	return most > 0 && samples < most ? 1 - samples / most : 0;
}

/* Were copies as long as they can be, at the end?  The long twin is the last event. */
static bool copies_most(const struct sampler *s)
{
	size_t last = s->nr_attr - 1;

	return s->nr_attr && s->attr[last].sample_stack_user >= STACK_COPY_MAX &&
	       !sampler_rests(s, (uint32_t)last);
}

static void tell_result(struct capturing *g)
{
	struct capture *c = g->c;

	c->nr_sample += g->nr_sample;
	c->nr_lost += g->session.nr_lost;
	if (g->session.end)
		c->time += g->session.end - g->session.begin;
	c->interrupted = g->session.interrupted;
	c->expected = expected(g);
	c->unseen = unseen(g);
	c->traced = g->sampler.trace != NULL;
	if (c->traced) {
		c->trace_frequency = trace_frequency(&g->o->sampling);
		c->trace = trace_sum(g->sampler.trace);
		memcpy(c->better, g->sampler.better, sizeof(c->better));
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
	free(g->event);
}

void capture_init(struct capture *c)
{
	*c = (struct capture){ .launch = LAUNCH_INIT };
	profile_init(&c->p);
}

int capture_run(struct capture *c, const struct capture_opts *o, struct error *e)
{
	struct capturing g = { .o = o, .c = c, .data = o->data };
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

	naming_apply(&n, o->threads, &c->p);
}

void capture_release(struct capture *c)
{
	kept_release(&c->kept);
	profile_release(&c->p);
}

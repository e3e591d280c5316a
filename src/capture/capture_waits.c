#include "capture/capturing.h"

#include "record/perf_events/access.h"
#include "record/targets/running.h"

void capture_waits_open_bpf(struct capturing *g)
{
	const struct targets *targets = g->o->targets;
	struct sampling *what = &g->what;
	struct error refused = ERROR_INIT;

	/* BPF programs only know the PIDs of the host's namespace. */
	if (access_has_own("pid"))
		return;
	g->bpf = what->bpf = sched_bpf_open(what, &refused);
	if (!g->bpf)
		return;
	if (what->on_exec)
		sched_bpf_add(g->bpf, g->c->launch.pid, SCHED_FROM_EXEC);
	for (size_t i = 0; i < what->nr_task && what->follow == FOLLOW_NONE; i++)
		sched_bpf_add(g->bpf, what->task[i], SCHED_FROM_NOW);
	for (size_t i = 0; i < targets->nr_process && what->follow != FOLLOW_NONE; i++)
		sched_bpf_add(g->bpf, targets->process[i], SCHED_FROM_NOW);
}

/* Which part of the target's CPU time without samples is recorded, too. */
static enum wait_scope find_scope(const struct capturing *g)
{
	size_t sampled = sampler_find_sampled(&g->sampler);

	if (g->o->wall)
		return g->sampler.user_only ? SCOPE_WALL_USER : SCOPE_WALL;
	/* Samples of a clock weigh time, so UNSAMPLED can be added to them. */
	return g->sampler.user_only && sampled < g->sampler.attrs.nr &&
			       attr_is_clock(&g->sampler.attrs.attr[sampled])
		       ? SCOPE_USER
		       : SCOPE_WAITS;
}

void capture_waits_open(struct capturing *g)
{
	bool asked = g->o->waits == WAITS_ASKED;
	bool traced = sampler_has_tracepoint(&g->sampler, WAIT_RECORD_OUT, WHOSE_TARGET);

	watcher_open(&g->watcher, &g->sampler, asked && !traced ? WATCH_RATE_ASKED : WATCH_RATE,
		     &g->own);
	g->wakes[WHOSE_TARGET].at = g->wakes[WHOSE_ALL].at = session_now();
	g->wait_samples = (struct wait_samples){ .ingest = &g->ingest };
	g->ingest.waits.on = g->watcher.event != SIZE_MAX;
	g->watcher.scope = find_scope(g);
	if (!g->what.held)
		watcher_start(&g->watcher);
	/* After watcher_start(): until its exec, the process waits for wick, which is not the command's time. */
	if (g->what.on_exec)
		watcher_add(&g->watcher, g->c->launch.pid, g->c->launch.pid, WATCH_MET);
}

/* Beyond this size, samples of waits that were not requested are not written to the file. */
enum { HIDDEN_MAX = RECORDING_HIDDEN_MAX / 2 };

static bool is_wait_sample(const struct record *r)
{
	struct wait_record own;

	return wait_record_parse(&own, r->sample.raw, ORDER_HOST) && own.kind == WAIT_RECORD_SAMPLE;
}

int capture_waits_add_own(struct capturing *g, const struct record *r, const struct attr *a,
			  struct span bytes, struct error *e)
{
	struct words chain;

	if (ingest_record(&g->ingest, r, a, 0, e))
		return -1;
	if (!g->data)
		return 0;
	/* Unless waits were requested, hides the sample from perf, which would show it as one of the first event. */
	chain = chain_words(&g->ingest.chain);
	if (g->o->waits == WAITS_ASKED)
		capture_keep(g, r, a, bytes);
	else if (recording_hidden_size(g->data) < HIDDEN_MAX || !is_wait_sample(r))
		recording_hide_sample(g->data, r, a, &chain, g->ingest.chain.ticket);
	else
		notes_add(&g->c->p.notes, NOTE_WAIT_NOT_WRITTEN, 1, 0, SPAN(""));
	return 0;
}

/* A running_sink: adds the names of the threads of a process that is not a target. */
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

/* Adds the name of the waker, which may be a thread of another process. */
static int meet_waker(struct capturing *g, const struct record *r, const struct wait_record *own,
		      struct error *e)
{
	if (own->value != WAKER_THREAD || task_get(&g->ingest.processes, r->pid, r->tid)->comm.i)
		return 0;
	return running_process((pid_t)r->pid, add_stranger, g, e);
}

/* Takes a sample of a scheduler tracepoint, which is written to a file as a sample of off-cpu. */
int capture_waits_add_sample(struct capturing *g, const struct record *r, size_t event,
			     struct error *e)
{
	const struct attr *a = &g->sampler.attrs.attr[event];
	struct strbuf raw = { 0 };
	struct record written = *r;
	bool is_strange = capture_is_stranger(g, r);
	struct wait_record own;

	if (!(g->sampler.event[event].is_bpf
		      ? wait_sample_own(&g->wait_samples, r, a, &own)
		      : wait_sample(&g->wait_samples, r, a, g->sampler.event[event].says, &own)))
		return 0;
	if (is_strange && (own.kind == WAIT_RECORD_OUT || own.kind == WAIT_RECORD_OUT_AGAIN))
		return 0;
	/* The mappings of other processes are unknown, so their user stacks cannot be unwound. */
	if (is_strange)
		written.sample.user_abi = written.sample.stack.size = 0;
	if ((own.kind == WAIT_RECORD_WAKE && meet_waker(g, r, &own, e)) ||
	    ingest_wait(&g->ingest, &written, a, &own, e))
		return -1;
	append_u32(&raw, 0, ORDER_HOST);
	wait_record_put(&raw, &own, ORDER_HOST);
	while (raw.size % 8)
		strbuf_addch(&raw, '\0');
	store_u32(raw.at, (uint32_t)(raw.size - 4), ORDER_HOST);
	written.sample.parts.raw = strbuf_peek(&raw);
	capture_keep(g, &written, a, SPAN(""));
	strbuf_release(&raw);
	capture_limit(g);
	return 0;
}

/* Closes those of the scheduler's tracepoints that occur too often. */
static void stop_tracepoints(struct capturing *g, uint64_t now)
{
	struct sampler *s = &g->sampler;
	struct watcher *w = &g->watcher;
	size_t nr_cpu = s->wide ? s->nr_cpu : 1;

	/* The BPF programs have limits of their own. */
	if (s->bpf)
		return;
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

/* Has stacks sent again after code was mapped: other code may be at the same addresses now. */
static void repeat_stacks(struct capturing *g, uint64_t now)
{
	const uint64_t often = 1000000000;

	if (!g->bpf || !g->mapped || now - g->repeated_at < often)
		return;
	g->mapped = false;
	g->repeated_at = now;
	sched_bpf_repeat(g->bpf);
}

void capture_waits_tick(struct capturing *g, const struct session *s, uint64_t now)
{
	struct watcher *w = &g->watcher;
	bool pauses = (s->delay || s->by_signal) && !s->sampling;
	size_t most = WATCH_SWITCHES_MAX * (g->sampler.wide ? g->sampler.nr_cpu : 1);

	if (watcher_resumes(w, now))
		sampler_resume_switches(&g->sampler);
	if (pauses)
		watcher_end(w, now);
	else
		watcher_start(w);
	/* With ptrace sampling, there are no more switches than samples. */
	if (g->o->waits != WAITS_ASKED && !g->sampler.trace && w->event != SIZE_MAX &&
	    !w->is_paused && watch_is_flooded(&w->flood, w->nr_switch, now, most)) {
		watcher_stop(w, session_now(), most);
		sampler_stop_switches(&g->sampler);
	}
	stop_tracepoints(g, now);
	repeat_stacks(g, now);
	w->has_lost = s->has_lost;
	g->session.wake_at = watcher_tick(w, now);
	if (g->session.ending)
		watcher_take_accounts(w, session_now());
}

void capture_waits_flush(struct capturing *g, uint64_t now)
{
	const uint64_t every = 500000000, behind = 300000000;

	if (now - g->flushed_at < every)
		return;
	g->flushed_at = now;
	waits_flush(&g->ingest.waits, now - behind);
}

int capture_waits_end(struct capturing *g, struct error *e)
{
	struct span bytes;
	struct record r;
	int ret = 0;

	strbuf_reset(&g->own);
	watcher_end(&g->watcher, g->session.end);
	bytes = strbuf_peek(&g->own);
	if (bytes.size &&
	    record_decode(&r, &g->sampler.attrs.attr[g->watcher.event], bytes, ORDER_HOST))
		ret = capture_waits_add_own(g, &r, &g->sampler.attrs.attr[g->watcher.event], bytes,
					    e);
	return ret;
}

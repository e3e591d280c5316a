#include "ingest/ingest_parts.h"

#include "base/alloc.h"

#include <stdlib.h>

void ingest_init(struct ingest *g, struct profile *p)
{
	*g = (struct ingest){ .p = p };
	processes_init(&g->processes, p);
	stacks_init(&g->stacks, p, &g->dumps);
	waits_init(&g->waits, p, &g->processes);
}

void ingest_release(struct ingest *g)
{
	waits_release(&g->waits);
	locks_release(&g->locks);
	truncated_release(&g->truncated);
	late_root_release(&g->beyond);
	processes_release(&g->processes);
	stacks_release(&g->stacks);
	chain_release(&g->chain);
	prefix_cache_release(&g->prefixes);
	dumps_release(&g->dumps);
	files_release(&g->files);
	intern_release(&g->paths);
	arena_release(&g->arena);
	free(g->build_id);
	free(g->frame);
	sample_labels_release(&g->labels);
	*g = (struct ingest){ 0 };
}

bool ingest_root(void *ingest, uint32_t ticket, uint64_t *pc)
{
	struct ingest *g = ingest;
	const struct origin *root = truncated_root(&g->truncated, ticket);

	*pc = root ? root->pc : 0;
	return root;
}

void ingest_finish(struct ingest *g)
{
	stacks_finish(&g->stacks);
	waits_finish(&g->waits);
	truncated_finish(&g->truncated, g->p);
}

/* The files that have frames, or whose unwind rows were used.  Kernel modules are found by other means. */
static void find_used(const struct ingest *g, bool *used)
{
	for (size_t i = 0; i < g->p->nr_frame; i++)
		if (g->p->frame[i].kind == FRAME_USER)
			used[g->p->frame[i].module.i] = true;
	for (size_t i = 0; i < g->stacks.nr_table; i++)
		used[i] |= g->stacks.table[i].cfi != NULL;
}

void ingest_check_files(struct ingest *g, const struct files_recorded *r)
{
	bool *used;

	if (!g->stacks.image)
		return;
	used = xcalloc(g->p->nr_module, sizeof(*used));
	find_used(g, used);
	files_note(&g->files, g->p, used, r, g->stacks.image);
	free(used);
}

/* Samples */

/* Notes why a chain ends before the root; `truncated`: the note for a truncated stack. */
static void note_end(struct ingest *g, const struct record *r, enum note_code truncated)
{
	struct notes *notes = &g->p->notes;

	if (g->chain.walked && r->sample.user_abi == PERF_SAMPLE_REGS_ABI_32)
		notes_add(notes, NOTE_STACK_32_BIT, 1, 0, SPAN(""));
	if (g->chain.rooted)
		notes_add(notes, NOTE_STACK_ROOTED, 1, 0, SPAN(""));
	switch (g->chain.end) {
	case CHAIN_TRUNCATED:
		/* A later sample may prove the root. */
		if (g->chain.ticket)
			truncated_count(&g->truncated, g->chain.ticket, truncated);
		else
			notes_add(notes, truncated, 1, 0, SPAN(""));
		break;
	case CHAIN_NO_COPY:
		notes_add(notes, NOTE_STACK_NO_COPY, 1, 0, SPAN(""));
		break;
	case CHAIN_NO_ROW:
		notes_add(notes, NOTE_STACK_NO_ROW, 1, 0, SPAN(""));
		break;
	case CHAIN_ROOT:
	case CHAIN_TOO_DEEP: /* push_stack() adds that note for all chains */
	case NR_CHAIN_ENDS:
		break;
	}
}

static void finish_chain(struct ingest *g, struct process *process, const struct record *r,
			 const struct attr *a)
{
	if (ingest_context(r->misc) == CONTEXT_USER)
		process_ran(process);
	chain_finish(&g->chain, &g->stacks, process, r, a);
	ingest_learn(g, process, r, a);
	note_end(g, r, NOTE_STACK_TRUNCATED);
}

/* Adds a sample to the profile.  With times_only, a sample without a time does not become a tick. */
static int add_tick(struct ingest *g, const struct tick *t)
{
	struct count c = { .event = t->event,
			   .thread = t->thread,
			   .stack = t->stack,
			   .labels = t->labels,
			   .weight = t->weight,
			   .nr = 1 };

	if (!t->time)
		g->p->event[t->event].untimed = true;
	if (g->times_only && !t->time)
		return profile_add_count(g->p, &c);
	g->p->timed |= g->p->max_tick && t->time;
	if (!g->p->max_tick && t->time)
		g->p->unread |= UNREAD_TIMES;
	return profile_add(g->p, t);
}

/* Fills frame and nr from the finished chain of the sample, except for the prefix shared with the previous sample. */
static void find_frames(struct ingest *g, const struct process *process, const struct record *r,
			const struct attr *a, size_t shared)
{
	g->nr = 0;
	ingest_push_chain(g, process, r, shared);
	if (!g->nr && a->sample_type & PERF_SAMPLE_IP)
		ingest_push_ip(g, process, ingest_context(r->misc), r->sample.ip, 0);
	if (g->nr > PROFILE_DEPTH_MAX) {
		notes_add(&g->p->notes, NOTE_TOO_DEEP, 1, 0, SPAN(""));
		g->nr = PROFILE_DEPTH_MAX;
	}
}

/* Is the event sampled by CPU time, so that a running thread gets samples of it? */
static bool is_clock(const struct attr *a)
{
	return attr_is_clock(a) ||
	       (a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_CPU_CYCLES);
}

/* Pushes the stack of the sample, whose chain is finished. */
static stack_id push_stack(struct ingest *g, const struct process *process, const struct record *r,
			   const struct attr *a)
{
	struct cached_prefix *prefix = prefix_cache_of(&g->prefixes, process, r->tid, &g->chain);
	size_t shared = prefix ? cached_prefix_share(prefix, &g->chain) : 0;
	stack_id stack = prefix ? cached_prefix_stack(prefix) : (stack_id){ 0 };

	find_frames(g, process, r, a, shared);
	for (size_t i = 0; i < g->nr; i++) {
		stack = profile_push(g->p, stack, g->frame[g->nr - 1 - i]);
		if (prefix && prefix->nr < prefix->length)
			cached_prefix_add(prefix, g->chain.word[g->chain.nr - 1 - shared - i],
					  stack);
	}
	return stack;
}

static int add_sample(struct ingest *g, const struct record *r, const struct attr *a,
		      uint32_t event)
{
	struct process *process = process_get(&g->processes, r->pid);
	struct tick t = { .time = r->time, .event = event };
	uint64_t weight = is_clock(a) ? waits_take_sample(&g->waits, r) : r->sample.period;

	g->dumps.now = a->monotonic ? r->time : JIT_ANY_TIME;
	finish_chain(g, process, r, a);
	if (g->chains_only)
		return 0;
	/* A thread that is just exiting has a tid of -1. */
	t.thread = process_thread(&g->processes, r->pid, r->tid == THREAD_NONE ? r->pid : r->tid);
	t.stack = push_stack(g, process, r, a);
	if (g->keeps_labels)
		t.labels =
			sample_labels_get(&g->labels, g->p,
					  a->sample_type & PERF_SAMPLE_CPU ? r->cpu : CPU_UNKNOWN,
					  waits_running(&g->waits, r->pid, r->tid));
	else if (a->sample_type & PERF_SAMPLE_CPU)
		g->p->unread |= UNREAD_CPUS;
	t.weight = weight <= INT64_MAX ? (int64_t)weight : INT64_MAX;
	return add_tick(g, &t);
}

/* The stack of a blocked thread; if the thread could not be read, only the kernel function. */
static stack_id push_blocked(struct ingest *g, const struct process *process,
			     const struct record *r, const struct attr *a, struct span channel)
{
	struct line line = { .function = profile_string(g->p, channel) };
	struct frame function = { .kind = FRAME_KERNEL, .line = &line, .nr_line = 1 };

	if (g->chain.nr)
		return push_stack(g, process, r, a);
	return channel.size ? profile_push(g->p, (stack_id){ 0 }, profile_frame(g->p, &function))
			    : (stack_id){ 0 };
}

static bool has_user_part(const struct chain *c)
{
	for (size_t i = 0; i + 1 < c->nr; i++)
		if (c->word[i] == PERF_CONTEXT_USER && c->word[i + 1] < PERF_CONTEXT_MAX)
			return true;
	return false;
}

/* Adds a waker, with its stack, to the thread that it wakes. */
static void add_waker(struct ingest *g, const struct record *r, const struct attr *a,
		      const struct wait_record *own)
{
	struct process *process = process_get(&g->processes, r->pid);
	struct link waker = { .kind = LINK_WAKER, .interval = INTERVAL_NONE };
	struct record kernel = *r;
	struct wait_waking by = { .tid = r->tid };

	/* The waker is an interrupt, not the thread that it interrupted: the user stack does not count. */
	if (own->value == WAKER_INTERRUPT) {
		kernel.sample.user_abi = 0;
		kernel.sample.stack.size = 0;
	}
	chain_finish(&g->chain, &g->stacks, process, &kernel, a);
	if (!g->chains_only && g->p->max_interval) {
		if (own->value != WAKER_INTERRUPT)
			waker.thread = process_thread(&g->processes, r->pid, r->tid);
		find_frames(g, process, &kernel, a, 0);
		waker.stack = profile_push_path(g->p, (stack_id){ 0 }, g->frame, g->nr, LEAF_FIRST);
		by.link = profile_link(g->p, &waker);
	}
	by.is_whole = own->value == WAKER_INTERRUPT || has_user_part(&g->chain);
	waits_remember_waker(&g->waits, own->since, &by);
	waits_woken(&g->waits, own->holder, r->time, &by);
}

static void add_wait(struct ingest *g, const struct record *r, const struct attr *a,
		     const struct wait_record *own)
{
	struct process *process = process_get(&g->processes, r->pid);
	bool is_out = own->kind == WAIT_RECORD_OUT;
	struct blocked_sample sample = { .reason = own->reason,
					 .rate = is_out ? WAIT_ALWAYS : (double)own->value / 1e3,
					 .since = is_out ? r->time : own->since,
					 .time = r->time,
					 .holder = own->holder };

	g->dumps.now = a->monotonic ? r->time : JIT_ANY_TIME;
	if (own->kind == WAIT_RECORD_WAKE) {
		add_waker(g, r, a, own);
		return;
	}
	if (!is_out && own->kind != WAIT_RECORD_SAMPLE) {
		g->chain.nr = 0;
		g->chain.end = CHAIN_ROOT;
		if (own->kind == WAIT_RECORD_OUT_AGAIN)
			waits_repeat_out(&g->waits, r, own->since);
		else if (own->kind == WAIT_RECORD_WAKE_AGAIN)
			waits_repeat_waker(&g->waits, r, own->since, own->holder);
		else
			waits_take_own(&g->waits, r, own);
		return;
	}
	chain_finish(&g->chain, &g->stacks, process, r, a);
	/* The thread ran while it was sampled, so the stack may belong to another wait. */
	if (!is_out && !waits_is_blocked(&g->waits, r->tid, own->since))
		return;
	ingest_learn(g, process, r, a);
	note_end(g, r, NOTE_WAIT_TRUNCATED);
	if (!g->chains_only) {
		str_id lock = { 0 };

		if (own->lock)
			lock = locks_name(&g->locks, g->p, process, own->lock, g->stacks.image);
		sample.base = push_blocked(g, process, r, a, own->channel);
		sample.stack = waits_push_reason(&g->waits, sample.base, own->reason);
		sample.labels = waits_labels(&g->waits, own->reason, lock);
	}
	if (is_out) {
		waits_remember_out(&g->waits, own->since, &sample);
		waits_out(&g->waits, r, &sample);
	} else {
		waits_sample(&g->waits, r->tid, &sample);
	}
}

/* Adds a sample of the event off-cpu, which contains a wait record. */
static void add_wait_record(struct ingest *g, const struct record *r, const struct attr *a)
{
	struct wait_record own;

	if (wait_record_parse(&own, r->sample.raw, r->sample.callchain.order))
		add_wait(g, r, a, &own);
	else
		notes_add(&g->p->notes, NOTE_BAD_RECORD, 1, 0, SPAN(""));
}

static int check_rows(const struct ingest *g, struct error *e)
{
	if (g->p->nr_stack < PROFILE_MAX_ROWS && g->p->nr_count < PROFILE_MAX_ROWS &&
	    g->p->nr_frame < PROFILE_MAX_ROWS)
		return 0;
	return error_set(e, ERROR_INPUT, "more than %d distinct stacks", PROFILE_MAX_ROWS);
}

int ingest_wait(struct ingest *g, const struct record *r, const struct attr *a,
		const struct wait_record *own, struct error *e)
{
	add_wait(g, r, a, own);
	return check_rows(g, e);
}

/* A mapping or a process has changed: drops what was cached by address. */
static void forget(struct ingest *g)
{
	stacks_forget(&g->stacks);
	prefix_cache_forget(&g->prefixes);
}

int ingest_record(struct ingest *g, const struct record *r, const struct attr *a, uint32_t event,
		  struct error *e)
{
	struct notes *notes = &g->p->notes;

	switch (r->kind) {
	case RECORD_SAMPLE:
		if (wait_record_is_of(a))
			add_wait_record(g, r, a);
		else if (add_sample(g, r, a, event))
			notes_add(notes, NOTE_COUNT_TOO_LARGE, 1, 0, SPAN(""));
		return check_rows(g, e);
	case RECORD_MMAP:
		ingest_map(g, r);
		forget(g);
		return 0;
	case RECORD_COMM:
		process_comm(&g->processes, r->pid, r->tid, r->comm.name,
			     r->comm.exec ? COMM_EXECED : COMM_RENAMED);
		if (r->comm.exec)
			truncated_end(&g->truncated, task_get(&g->processes, r->pid, r->tid));
		waits_take(&g->waits, r);
		forget(g);
		return 0;
	case RECORD_FORK:
		process_fork(&g->processes, r->pid, r->tid, r->fork.ppid, r->fork.ptid);
		truncated_end(&g->truncated, task_get(&g->processes, r->pid, r->tid));
		waits_take(&g->waits, r);
		forget(g);
		return 0;
	case RECORD_KSYMBOL:
		ingest_kernel_symbol(g, r);
		return 0;
	case RECORD_LOST:
		notes_add(notes, NOTE_LOST, r->lost, 0, SPAN(""));
		return 0;
	case RECORD_THROTTLE:
		notes_add(notes, NOTE_THROTTLED, 1, 0, SPAN(""));
		return 0;
	case RECORD_UNKNOWN:
		notes_add(notes, NOTE_UNKNOWN_RECORD, 1, 0, SPAN(""));
		return 0;
	case RECORD_SWITCH:
		g->waits.knows_cpus = a->sample_type & PERF_SAMPLE_CPU;
		waits_take(&g->waits, r);
		return 0;
	case RECORD_EXIT: /* samples of the exiting thread may still come */
		waits_take(&g->waits, r);
		return 0;
	case RECORD_UNTHROTTLE:
	case RECORD_NAMESPACES:
	case RECORD_CGROUP:
	case RECORD_BPF:
	case RECORD_DEFERRED: /* perf/deferred.c has joined it with its samples */
	case RECORD_OTHER:
		return 0;
	}
	return 0;
}

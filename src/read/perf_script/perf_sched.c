/*
 * `perf script` output of the scheduler's tracepoints: how long threads slept,
 * by the stack with which they went to sleep.  sched_switch has that stack;
 * sched_stat_sleep and sched_stat_blocked are recorded at the wakeup, with the
 * time slept and the stack of the waker.
 *
 * Kernels without these statistics have no such events, as in `perf sched script`: then a thread is off
 * CPU from one sched_switch to the next, and waits for a CPU since its sched_waking or sched_wakeup.
 */
#include "base/alloc.h"
#include "profile/spelling.h"
#include "read/build.h"
#include "read/perf_script/script_frame.h"
#include "read/perf_script/script_header.h"
#include "read/readers.h"
#include "read/text/memo.h"
#include "read/text/names.h"

#include <stdlib.h>

/*
 * Two threads that wake each other in turn form a chain that grows without limit:
 * only this many frames of it are kept.
 */
enum { CHAIN_MAX = 1024 };

/* A thread. */
struct sleeper {
	bool asleep;
	uint32_t pid;
	stack_id stack; /* with which it went to sleep */
	stack_id chain; /* the same with the waker's stack, from its wakeup until it sleeps again */
	uint64_t since; /* without statistics: when it went off CPU; 0: unknown */
	uint64_t woken; /* … and when it was woken; 0: it was not */
};

/* The event that is being read. */
enum turn { TURN_NONE, TURN_SLEEP, TURN_WAKE };

/* Which events give the time that a thread slept. */
enum { BY_STATISTICS, BY_SWITCHES };

struct sched {
	struct build *b;
	unsigned by;	       /* BY_ */
	frame_id cpu_wait;     /* the leaf of waits for a CPU … */
	label_id cpu_label;    /* … and their label */
	struct memo frames[2]; /* text after the address → frame; [1]: of a waker */
	struct strbuf name;
	struct intern tids; /* → sleeper */
	struct sleeper *sleeper;
	size_t nr_sleeper, cap_sleeper;
	frame_id *path; /* a buffer of append() */
	size_t cap_path;
	/* Of the event being read: */
	enum turn turn;
	uint32_t who; /* the sleeper that goes to sleep or is woken */
	/* … if it is woken: */
	struct thread woken; /* the same, as a thread of the profile */
	uint32_t waker;	     /* a sleeper, too */
	frame_id waker_label;
	int64_t slept;	   /* ns */
	uint64_t woken_at; /* ns; 0: the input has no times */
};

static uint32_t find_sleeper(struct sched *s, uint32_t tid)
{
	uint32_t i =
		intern(&s->tids, (struct span){ .at = (const char *)&tid, .size = sizeof(tid) });

	if (i == s->nr_sleeper) {
		GROW(s->sleeper, s->nr_sleeper, s->cap_sleeper);
		s->sleeper[s->nr_sleeper++] = (struct sleeper){ .pid = THREAD_UNKNOWN };
	}
	return i;
}

/* Frames */

/* With TIDY_NONE, "[unknown]" is a name like any other. */
static frame_id make_frame(struct sched *s, struct script_frame *f)
{
	const struct read_opts *o = s->b->o;
	struct line with = { 0 };
	struct frame frame = { 0 };

	frame.kind = script_frame_kind(f->dso);
	if (f->dso.size && !span_is(f->dso, "[unknown]"))
		frame.module = profile_module(s->b->p, f->dso, SPAN(""));
	if (!o->offsets)
		f->symbol = name_without_offset(f->symbol);
	if (o->tidy == TIDY_NONE || (f->symbol.size && !span_is(f->symbol, "[unknown]"))) {
		with.function = profile_string(s->b->p, name_tidy(f->symbol, o->tidy, &s->name));
		frame.line = &with;
		frame.nr_line = 1;
	}
	if (s->turn == TURN_WAKE)
		frame.flags = FRAME_WAKER;
	return profile_frame(s->b->p, &frame);
}

static frame_id label_frame(struct sched *s, struct span name)
{
	struct line with = { .function = profile_string(s->b->p, name) };
	struct frame frame = {
		.kind = FRAME_LABEL, .flags = FRAME_WAKER, .line = &with, .nr_line = 1
	};

	return profile_frame(s->b->p, &frame);
}

/* Pushes the frame of a line; false if the line is not a frame. */
static bool frame_line(struct sched *s, struct span line)
{
	struct memo *memo = &s->frames[s->turn == TURN_WAKE];
	struct span rest = line, pc = span_word(&rest);
	struct script_frame f;
	struct script_header h;
	uint64_t hash, address;
	uint32_t frame;

	if (!is_blank(line.at[0]) || !span_hex(pc, &address))
		return false;
	hash = intern_hash(rest);
	frame = memo_find(memo, rest, hash);
	if (frame == MEMO_NONE) {
		/* A process name may look like an address: "dd". */
		script_frame_parse(line, &f);
		if (!f.dso.size && script_header_parse(line, &h) && h.event.size)
			return false;
		frame = make_frame(s, &f).i;
		memo_add(memo, rest, hash, frame);
	}
	/* The sleeper's stack and the waker's get half of the depth limit each. */
	if (s->turn != TURN_NONE && s->b->nr < PROFILE_DEPTH_MAX / 2)
		build_push(s->b, (frame_id){ frame });
	return true;
}

/* Stacks */

static size_t depth_of(const struct profile *p, stack_id stack)
{
	size_t depth = 0;

	for (; stack.i; stack = p->stack[stack.i].caller)
		depth++;
	return depth;
}

/* Appends the frames of another stack, from its root, up to CHAIN_MAX in total. */
static stack_id append(struct sched *s, stack_id stack, stack_id other)
{
	const struct profile *p = s->b->p;
	size_t depth = depth_of(p, stack), room = depth < CHAIN_MAX ? CHAIN_MAX - depth : 0, nr = 0;

	for (; other.i; other = p->stack[other.i].caller) {
		GROW(s->path, nr, s->cap_path);
		s->path[nr++] = p->stack[other.i].frame;
	}
	if (room > nr)
		room = nr;
	if (room < nr)
		notes_add(&s->b->p->notes, NOTE_TOO_DEEP, 1, s->b->text->line, SPAN(""));
	return profile_push_path(s->b->p, stack, s->path + (nr - room), room, LEAF_FIRST);
}

static void end_sleep(struct sched *s)
{
	struct sleeper *sleeper = &s->sleeper[s->who];

	sleeper->stack =
		profile_push_path(s->b->p, (stack_id){ 0 }, s->b->frame, s->b->nr, LEAF_FIRST);
	sleeper->asleep = true;
	sleeper->chain = (stack_id){ 0 };
	build_drop(s->b);
}

/*
 * The sleeper's stack, followed by the waker's upside down: from its leaf to its root and its name.
 */
static stack_id with_waker(struct sched *s, stack_id stack)
{
	stack = profile_push_path(s->b->p, stack, s->b->frame, s->b->nr, ROOT_FIRST);
	stack = profile_push(s->b->p, stack, s->waker_label);
	if (s->b->o->script.wake_chains && s->sleeper[s->waker].chain.i) {
		stack = profile_push(s->b->p, stack, label_frame(s, SPAN("-")));
		stack = append(s, stack, s->sleeper[s->waker].chain);
	}
	return stack;
}

static int end_wake(struct sched *s, struct error *e)
{
	struct sleeper *sleeper = &s->sleeper[s->who];
	stack_id stack = sleeper->stack;
	int ret = 0;

	/* perf prints some of these events twice: only the first counts. */
	if (sleeper->asleep) {
		if (s->b->o->script.wake_stacks || s->b->o->script.wake_chains)
			stack = with_waker(s, stack);
		sleeper->asleep = false;
		sleeper->chain = stack;
		s->woken.pid = sleeper->pid;
		s->b->thread = profile_thread(s->b->p, &s->woken);
		if (s->woken_at > (uint64_t)s->slept)
			build_extent(s->b, stack, s->woken_at - (uint64_t)s->slept, s->woken_at,
				     s->slept);
		ret = build_end_at(s->b, stack, s->slept, e);
	}
	build_drop(s->b);
	return ret;
}

static int end_event(struct sched *s, struct error *e)
{
	enum turn turn = s->turn;

	s->turn = TURN_NONE;
	switch (turn) {
	case TURN_SLEEP:
		end_sleep(s);
		return 0;
	case TURN_WAKE:
		return end_wake(s, e);
	case TURN_NONE:
		break;
	}
	return 0;
}

/* Events */

static bool parse_tid(struct span s, uint32_t *tid)
{
	uint64_t n;

	if (!span_u64(s, &n) || n >= THREAD_UNKNOWN)
		return false;
	*tid = (uint32_t)n;
	return true;
}

/* The word after the last `name` in the text. */
static struct span argument(struct span text, const char *name)
{
	struct span s = span_from(text, span_rfind_text(text, name) + strlen(name));

	return span_word(&s);
}

/*
 * "prev_comm=a b prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=…", or
 * with perf's plugin "a b:12 [120] S ==> …"
 */
static bool parse_switch(struct span tail, uint32_t *tid)
{
	struct span s = span_upto(tail, span_find_text(tail, " ==> "));

	if (parse_tid(argument(s, " prev_pid="), tid))
		return true;
	s = span_trim_end(span_upto(s, span_rfind(s, '[')));
	return parse_tid(span_from(s, span_rfind(s, ':') + 1), tid);
}

/* "==> next_comm=a b next_pid=12 next_prio=120", or "==> a b:12 [120]" */
static bool parse_next(struct span tail, struct span *comm, uint32_t *tid)
{
	struct span s = span_from(tail, span_find_text(tail, " ==> ") + 5);
	size_t pid = span_rfind_text(s, " next_pid=");

	if (pid < s.size && span_starts(s, "next_comm=")) {
		*comm = span_from(span_upto(s, pid), 10);
		return parse_tid(argument(s, " next_pid="), tid);
	}
	s = span_trim_end(span_upto(s, span_rfind(s, '[')));
	*comm = span_upto(s, span_rfind(s, ':'));
	return parse_tid(span_from(s, comm->size + 1), tid);
}

/* Was it preempted?  "prev_state=R+", or "a b:12 [120] R" */
static bool is_preempted(struct span tail)
{
	struct span s = span_upto(tail, span_find_text(tail, " ==> "));
	struct span state = span_rfind_text(s, " prev_state=") < s.size
				    ? argument(s, " prev_state=")
				    : argument(s, "] ");

	return span_starts(state, "R");
}

/* Without statistics: the next thread of a switch was off CPU until now. */
static int end_off(struct sched *s, const struct script_header *h, struct error *e)
{
	struct thread thread = { .pid = THREAD_UNKNOWN };
	struct sleeper *sleeper;
	struct span comm;
	uint64_t woken;
	uint32_t number;
	int ret = 0;

	if (!parse_next(h->tail, &comm, &thread.tid))
		return build_note(s->b, NOTE_BAD_EVENT, h->tail, e);
	number = find_sleeper(s, thread.tid); /* may move them all */
	sleeper = &s->sleeper[number];
	if (!thread.tid || !sleeper->since || h->time <= sleeper->since)
		return 0;
	thread.pid = sleeper->pid;
	thread.comm = profile_string(s->b->p, comm);
	s->b->thread = profile_thread(s->b->p, &thread);
	woken = sleeper->woken && sleeper->woken < h->time ? sleeper->woken : h->time;
	woken = woken < sleeper->since ? sleeper->since : woken;
	if (woken > sleeper->since) {
		s->b->time = sleeper->since;
		build_extent(s->b, sleeper->stack, sleeper->since, woken,
			     (int64_t)(woken - sleeper->since));
		ret = build_end_at(s->b, sleeper->stack, (int64_t)(woken - sleeper->since), e);
	}
	if (!ret && h->time > woken) {
		stack_id ready = profile_push(s->b->p, sleeper->stack, s->cpu_wait);

		s->b->time = woken;
		s->b->labels = s->cpu_label;
		build_extent(s->b, ready, woken, h->time, (int64_t)(h->time - woken));
		ret = build_end_at(s->b, ready, (int64_t)(h->time - woken), e);
		s->b->labels = (label_id){ 0 };
	}
	sleeper->since = 0;
	return ret;
}

static void begin_off(struct sched *s, const struct script_header *h)
{
	struct sleeper *sleeper = &s->sleeper[s->who];

	sleeper->since = h->time;
	sleeper->woken = is_preempted(h->tail) ? h->time : 0;
}

/* Without statistics: "comm=a b pid=12 prio=120 target_cpu=000" */
static void wake(struct sched *s, const struct script_header *h)
{
	struct sleeper *sleeper;
	uint32_t tid, number;

	if (!parse_tid(argument(h->tail, " pid="), &tid))
		return;
	number = find_sleeper(s, tid);
	sleeper = &s->sleeper[number];
	if (!sleeper->woken)
		sleeper->woken = h->time;
}

/* "comm=a b pid=12 delay=100078421 [ns]" */
static bool parse_stat(struct sched *s, struct span tail)
{
	struct span comm = span_trim(span_upto(tail, span_rfind_text(tail, " pid=")));
	uint64_t slept;

	if (!span_starts(comm, "comm=") || !parse_tid(argument(tail, " pid="), &s->woken.tid) ||
	    !span_u64(argument(tail, " delay="), &slept) || slept > INT64_MAX)
		return false;
	s->woken.comm = profile_string(s->b->p, span_from(comm, 5));
	s->slept = (int64_t)slept;
	return true;
}

static frame_id waker_label(struct sched *s, const struct script_header *h)
{
	struct span ids = span_trim(span_from(h->who, h->comm.size));

	strbuf_reset(&s->name);
	strbuf_add(&s->name, h->comm);
	if (s->b->o->script.waker_ids)
		strbuf_addf(&s->name, "-%.*s", (int)ids.size, ids.at);
	return label_frame(s, strbuf_peek(&s->name));
}

/* Other sched_stat_ events do not contain the time that a thread slept. */
static bool is_woken(struct span event)
{
	return span_is(event, "sched:sched_stat_sleep") ||
	       span_is(event, "sched:sched_stat_blocked");
}

static bool is_wakeup(struct span event)
{
	return span_is(event, "sched:sched_waking") || span_is(event, "sched:sched_wakeup");
}

static int event_line(struct sched *s, struct span line, struct error *e)
{
	struct script_header h;
	uint32_t tid;

	if (end_event(s, e))
		return -1;
	if (!script_header_parse(line, &h))
		return build_note(s->b, NOTE_BAD_EVENT, line, e);
	if (span_is(h.event, "sched:sched_switch")) {
		if (!parse_switch(h.tail, &tid))
			return build_note(s->b, NOTE_BAD_EVENT, line, e);
		s->who = find_sleeper(s, tid);
		s->sleeper[s->who].pid = h.pid;
		if (s->by == BY_SWITCHES) {
			if (end_off(s, &h, e))
				return -1;
			/* The switch to the thread is missing, so it is unknown when its wait ended. */
			if (tid && s->sleeper[s->who].since)
				notes_add(&s->b->p->notes, NOTE_SWITCHES_LOST, 1, s->b->text->line,
					  SPAN(""));
			begin_off(s, &h);
		}
		/* Thread 0 is the idle task. */
		s->turn = tid ? TURN_SLEEP : TURN_NONE;
	} else if (s->by == BY_SWITCHES) {
		if (is_wakeup(h.event))
			wake(s, &h);
	} else if (is_woken(h.event)) {
		if (!parse_stat(s, h.tail))
			return build_note(s->b, NOTE_BAD_EVENT, line, e);
		s->who = find_sleeper(s, s->woken.tid);
		s->waker = find_sleeper(s, h.tid);
		s->woken_at = h.time;
		s->waker_label = waker_label(s, &h);
		s->turn = TURN_WAKE;
	}
	return 0;
}

/* BY_… if all headers are of scheduler events, and both sleeping and waking occur; else -1. */
static int find_by(struct span head)
{
	bool sleeps = false, wakes = false, runs = false, wakeups = false;

	while (head.size && !(sleeps && wakes)) {
		size_t n = span_find(head, '\n');
		struct span line = span_trim_end(span_upto(head, n));
		struct script_frame f;
		struct script_header h;

		/* The last line of the head may be incomplete. */
		if (n == head.size && sleeps)
			break;
		head = span_from(head, n + 1);
		if (!line.size || line.at[0] == '#' ||
		    (is_blank(line.at[0]) && script_frame_parse(line, &f) && f.dso.size))
			continue;
		if (!script_header_parse(line, &h) || !span_starts(h.event, "sched:sched_"))
			return -1;
		sleeps |= span_is(h.event, "sched:sched_switch");
		wakes |= is_woken(h.event);
		/* `perf sched record` records these events, with the times that BY_SWITCHES needs. */
		runs |= span_is(h.event, "sched:sched_stat_runtime") && h.time;
		wakeups |= is_wakeup(h.event);
	}
	if (sleeps && wakes)
		return BY_STATISTICS;
	return sleeps && runs && wakeups ? BY_SWITCHES : -1;
}

static int perf_sched_read(struct build *b, struct error *e)
{
	struct sched s = { .b = b,
			   .by = find_by(b->head) == BY_SWITCHES ? BY_SWITCHES : BY_STATISTICS };
	struct label reason = { .key = profile_string(b->p, SPAN("reason")),
				.value = profile_string(b->p, SPAN("cpu wait")) };
	struct span line;
	int ret = 0;

	b->event = profile_event(b->p, SPAN("off-cpu"), SPAN("us"));
	if (profile_rescale(b->p, b->event, -3))
		return error_set(e, ERROR_INPUT, "total time out of range");
	build_measure(b, SOURCE_MEASURED, EXTENT_SHARE);
	if (s.by == BY_SWITCHES) {
		s.cpu_wait = build_frame(b, FRAME_LABEL, SPAN(""), SPAN("[cpu wait]"));
		s.cpu_label = profile_labels(b->p, &reason, 1);
	}
	while (!ret && text_line(b->text, &line)) {
		if (!span_trim(line).size)
			ret = end_event(&s, e);
		else if (line.at[0] != '#' && !frame_line(&s, line))
			ret = event_line(&s, line, e);
	}
	if (!ret)
		ret = end_event(&s, e);
	memo_release(&s.frames[0]);
	memo_release(&s.frames[1]);
	strbuf_release(&s.name);
	intern_release(&s.tids);
	free(s.sleeper);
	free(s.path);
	return ret;
}

static bool perf_sched_accepts(struct span head)
{
	return find_by(head) >= 0;
}

const struct reader reader_perf_sched = {
	.name = "perf-sched",
	.title = "perf script text of sched:* events (off-CPU time)",
	.accepts = perf_sched_accepts,
	.read = perf_sched_read,
	.split = SPLIT_LINE,
	.spelling = SPELL_THREAD,
};

/*
 * The output of `perf sched timehist`: a line each time that a thread is switched out.
 *
 *	           time    cpu  task name                       wait time  sch delay   run time
 *	                        [tid/pid]                          (msec)     (msec)     (msec)
 *	--------------- ------  ------------------------------  ---------  ---------  ---------
 *	    1075.054625 [0000]  holder[29545/29521]                 0.015      0.009      0.038    do_nanosleep <- hrtimer_nanosleep
 *
 * The wait time is that before the thread ran, and the delay the part of it in which it waited for a
 * CPU; but the call chain is where it waits from now on.  So a wait has the call chain of the thread's
 * previous line.
 */
#include "base/alloc.h"
#include "base/intern.h"
#include "profile/spelling.h"
#include "read/build.h"
#include "read/readers.h"

#include <stdlib.h>

/* A line, without its call chain: times are µs. */
struct turn {
	int64_t time, wait, delay, run;
	struct span comm;
	uint32_t pid, tid;
	struct span
		state; /* of the thread that is switched out: R is preempted; "": not in the input */
};

struct sleeper {
	stack_id stack;
	bool is_preempted;
};

struct timehist {
	struct build *b;
	uint32_t off, on; /* events */
	frame_id cpu_wait;
	label_id cpu_label;
	bool has_state, has_prio; /* columns */
	size_t visual;		  /* the width of the column with a mark for each CPU; 0: none */
	struct intern tids;	  /* → sleeper */
	struct sleeper *sleeper;
	size_t nr_sleeper, cap_sleeper;
};

static bool parse_titles(struct span line, struct timehist *h)
{
	static const char title[] = " cpu  ";
	size_t cpu = span_find_text(line, title), task = span_find_text(line, "task name");
	size_t next = cpu + sizeof(title) - 1;

	if (cpu == line.size || task == line.size ||
	    span_find_text(line, "wait time  sch delay") == line.size)
		return false;
	if (h) {
		h->visual = task > next ? task - next : 0;
		h->has_state = span_find_text(line, " state") < line.size;
		h->has_prio = span_find_text(line, " prio") < line.size;
	}
	return true;
}

/* Converts seconds (digits = 6) or milliseconds (digits = 3) to microseconds. */
static bool parse_us(struct span s, int digits, int64_t *us)
{
	struct decimal d;

	return is_digit(span_at(s, 0)) && span_find(s, '.') < s.size && decimal_parse(s, &d) &&
	       decimal_at(d, digits, us) && *us >= 0;
}

/* "[29545/29521]": thread and process, or one number if they are the same. */
static bool parse_ids(struct span s, struct turn *t)
{
	size_t slash = span_find(s, '/');
	uint64_t tid, pid;

	if (!span_u64(span_upto(s, slash), &tid) || tid >= THREAD_UNKNOWN)
		return false;
	pid = tid;
	if (slash < s.size && (!span_u64(span_from(s, slash + 1), &pid) || pid >= THREAD_UNKNOWN))
		return false;
	t->tid = (uint32_t)tid;
	t->pid = (uint32_t)pid;
	return true;
}

/* "holder[29545/29521]   0.015 …": the name may have brackets, too. */
static bool parse_task(struct span *s, struct turn *t)
{
	for (size_t close = 0; close < s->size; close++) {
		size_t open;

		if (s->at[close] != ']' || (close + 1 < s->size && !is_blank(s->at[close + 1])))
			continue;
		open = span_rfind(span_upto(*s, close), '[');
		if (open == close || !is_digit(span_at(span_trim(span_from(*s, close + 1)), 0)) ||
		    !parse_ids(span_upto(span_from(*s, open + 1), close - open - 1), t))
			continue;
		t->comm = span_upto(*s, open);
		*s = span_from(*s, close + 1);
		return true;
	}
	return false;
}

/* Leaves the call chain in *line.  False: it is another line, such as one of a wakeup. */
static bool parse_turn(const struct timehist *h, struct span *line, struct turn *t)
{
	struct span cpu;

	*t = (struct turn){ 0 };
	if (!is_blank(span_at(*line, 0)) || !parse_us(span_word(line), 6, &t->time))
		return false;
	cpu = span_word(line);
	if (!span_starts(cpu, "[") || !span_ends(cpu, "]") || !is_digit(span_at(cpu, 1)))
		return false;
	/* Two blanks precede each column. */
	*line = span_trim_start(span_from(*line, h->visual ? 2 + h->visual : 0));
	if (!parse_task(line, t))
		return false;
	if (h->has_prio)
		span_word(line);
	if (!parse_us(span_word(line), 3, &t->wait) || !parse_us(span_word(line), 3, &t->delay) ||
	    !parse_us(span_word(line), 3, &t->run))
		return false;
	if (h->has_state)
		t->state = span_word(line);
	*line = span_trim(*line);
	return true;
}

static struct sleeper *find_sleeper(struct timehist *h, uint32_t tid)
{
	uint32_t i =
		intern(&h->tids, (struct span){ .at = (const char *)&tid, .size = sizeof(tid) });

	if (i == h->nr_sleeper) {
		GROW(h->sleeper, h->nr_sleeper, h->cap_sleeper);
		h->sleeper[h->nr_sleeper++] = (struct sleeper){ 0 };
	}
	return &h->sleeper[i];
}

/* "do_nanosleep <- hrtimer_nanosleep", after "next: prog[12]" if that was requested. */
static int parse_chain(struct timehist *h, struct span text, stack_id *stack, struct error *e)
{
	static const char arrow[] = " <- ";

	if (span_starts(text, "next: "))
		text = span_trim(span_from(text, span_find_text(text, "] ") + 1));
	while (text.size) {
		size_t end = span_find_text(text, arrow);
		struct span name = span_trim(span_upto(text, end));

		if (h->b->nr <= PROFILE_DEPTH_MAX) {
			if (span_is(name, "[unknown]"))
				build_push(h->b, (frame_id){ 0 });
			else
				build_push_name(h->b, name);
		}
		text = span_from(text, end == text.size ? end : end + strlen(arrow));
	}
	return build_stack(h->b, LEAF_FIRST, stack, e);
}

/* Adds time off CPU; the interval is in ns. */
static int add_wait(struct timehist *h, stack_id stack, label_id labels, int64_t end, int64_t us,
		    struct error *e)
{
	struct build *b = h->b;

	if (us <= 0)
		return 0;
	b->event = h->off;
	b->labels = labels;
	b->time = end > us ? (uint64_t)(end - us) * 1000 : 0;
	if (b->time)
		build_extent(b, stack, b->time, (uint64_t)end * 1000, us);
	return build_end_at(b, stack, us, e);
}

static int turn_line(struct timehist *h, const struct turn *t, struct span chain, struct error *e)
{
	struct thread thread = { .pid = t->pid, .tid = t->tid };
	struct sleeper *sleeper = find_sleeper(h, t->tid);
	int64_t blocked = sleeper->is_preempted || t->delay > t->wait ? 0 : t->wait - t->delay;
	int64_t delay = sleeper->is_preempted && t->wait > t->delay ? t->wait : t->delay;
	int64_t began = t->time - t->run;
	stack_id ready = sleeper->stack;
	int ret;

	thread.comm = profile_string(h->b->p, t->comm);
	h->b->thread = profile_thread(h->b->p, &thread);
	if (delay)
		ready = profile_push(h->b->p, ready, h->cpu_wait);
	if (add_wait(h, sleeper->stack, (label_id){ 0 }, began - delay, blocked, e) ||
	    add_wait(h, ready, h->cpu_label, began, delay, e))
		return -1;
	h->b->labels = (label_id){ 0 };
	h->b->event = h->on;
	h->b->time = began > 0 ? (uint64_t)began * 1000 : 0;
	ret = t->run ? build_end_at(h->b, (stack_id){ 0 }, t->run, e) : 0;
	sleeper->is_preempted = span_starts(t->state, "R");
	return ret || parse_chain(h, chain, &sleeper->stack, e) ? -1 : 0;
}

static uint32_t add_event(struct build *b, const char *name)
{
	b->event = profile_event(b->p, span_of(name), SPAN("us"));
	build_measure(b, SOURCE_MEASURED, EXTENT_SHARE);
	return b->event;
}

static int timehist_read(struct build *b, struct error *e)
{
	struct timehist h = { .b = b,
			      .off = add_event(b, "off-cpu"),
			      .on = add_event(b, "on-cpu") };
	struct label reason = { .key = profile_string(b->p, SPAN("reason")),
				.value = profile_string(b->p, SPAN("cpu wait")) };
	struct span line;
	int ret = 0;

	h.cpu_wait = build_frame(b, FRAME_LABEL, SPAN(""), SPAN("[cpu wait]"));
	h.cpu_label = profile_labels(b->p, &reason, 1);
	while (!ret && text_line(b->text, &line)) {
		struct turn t;

		if (parse_titles(line, &h))
			continue;
		if (parse_turn(&h, &line, &t) && !span_is(t.comm, "<idle>"))
			ret = turn_line(&h, &t, line, e);
	}
	intern_release(&h.tids);
	free(h.sleeper);
	return ret;
}

/* The titles, and a line below them. */
static bool timehist_accepts(struct span head)
{
	struct timehist h = { 0 };
	bool has_titles = false;

	while (head.size) {
		struct span line = span_line(&head);
		struct turn t;

		if (parse_titles(line, &h))
			has_titles = true;
		else if (has_titles && parse_turn(&h, &line, &t))
			return true;
	}
	return false;
}

const struct reader reader_perf_timehist = {
	.name = "perf-timehist",
	.title = "perf sched timehist text",
	.accepts = timehist_accepts,
	.read = timehist_read,
	.timed = true,
	.spelling = SPELL_THREAD,
};

/* Threads that only wait, made one. */
#include "fold/idle.h"

#include "base/strbuf.h"
#include "profile/spelling.h"

#include "tap.h"

enum { CLOCK, OFF, UNSAMPLED };

static struct profile p;

static thread_id thread(uint32_t tid, const char *comm)
{
	struct thread t = { .pid = 1, .tid = tid, .comm = profile_string(&p, span_of(comm)) };

	return profile_thread(&p, &t);
}

static void add(thread_id t, const char *function, const char *reason, int64_t weight)
{
	struct line line = { .function = profile_string(&p, span_of(function)) };
	struct frame f = { .line = &line, .nr_line = 1 };
	struct label label = { .key = profile_string(&p, SPAN("reason")) };
	struct tick tick = { .time = 1,
			     .event = reason ? OFF : CLOCK,
			     .thread = t,
			     .stack = profile_push(&p, (stack_id){ 0 }, profile_frame(&p, &f)),
			     .weight = weight };
	struct interval v = { .begin = 1, .end = 1 + (uint64_t)weight, .event = OFF, .nr = 1 };

	if (!strcmp(function, "[unsampled]"))
		tick.event = UNSAMPLED;
	if (reason) {
		label.value = profile_string(&p, span_of(reason));
		tick.labels = profile_labels(&p, &label, 1);
		v.thread = t;
		v.stack = tick.stack;
		v.labels = tick.labels;
		v.weight = weight;
		profile_add_extent(&p, &v);
	}
	profile_add(&p, &tick);
}

static void begin(void)
{
	profile_init(&p);
	profile_keep_ticks(&p, 100);
	profile_keep_intervals(&p, 100);
	p.timed = true;
	profile_event(&p, SPAN("cpu-clock"), SPAN("ns"));
	profile_event(&p, SPAN("off-cpu"), SPAN("ns"));
	profile_event(&p, SPAN("unsampled"), SPAN("ns"));
	p.event[UNSAMPLED].source = SOURCE_MEASURED;
}

static void end(void)
{
	ok(!profile_check(&p), "the profile passes its check after idle_fold");
	ok(profile_intervals_add_up(&p), "intervals add up to the counts after idle_fold");
	profile_release(&p);
}

/* "thread;frame;frame weight", of a count. */
static void spell(struct strbuf *out, const struct count *c)
{
	const char *names[8];
	size_t nr = 0;

	for (stack_id at = c->stack; at.i && nr < 8; at = p.stack[at.i].caller)
		names[nr++] = profile_peek(&p, p.frame[p.stack[at.i].frame.i].line->function).at;
	strbuf_add(out, profile_peek(&p, p.thread[c->thread.i].comm));
	while (nr)
		strbuf_addf(out, ";%s", names[--nr]);
	strbuf_addf(out, " %lld\n", (long long)c->weight);
}

static bool has(const char *line)
{
	struct strbuf text = { 0 };
	bool found;

	for (size_t i = 0; i < p.nr_count; i++)
		spell(&text, &p.count[i]);
	found = span_contains(strbuf_peek(&text), line);
	if (!found)
		printf("# %s", text.at);
	strbuf_release(&text);
	return found;
}

int main(void)
{
	const bool in[] = { true, true, true };

	begin();
	add(thread(1, "main"), "work", NULL, 50);
	add(thread(1, "main"), "read", "disk", 50);
	add(thread(2, "pool"), "take", "lock", 90);
	add(thread(3, "pool"), "take", "lock", 100);
	add(thread(4, "accept"), "serve", "poll", 100);
	add(thread(5, "loads"), "read", "disk", 100);
	add(thread(6, "woken"), "serve", "poll", 1000);
	add(thread(6, "woken"), "[unsampled]", NULL, 9);
	add(thread(7, "works"), "serve", "poll", 1000);
	add(thread(7, "works"), "[unsampled]", NULL, 10);
	is_int((intmax_t)idle_fold(&p, in), 4,
	       "idle_fold merges the threads that only wait for work");
	ok(has("[idle];[lock];pool;take 190\n"),
	   "idle threads of the same name, reason and stack are one box");
	ok(has("[idle];[poll];accept;serve 100\n"),
	   "idle threads of another reason are another box");
	ok(has("main;work 50\n"), "a thread with CPU samples is not idle");
	ok(has("main;read 50\n"), "the waits of a thread with CPU samples keep their stacks");
	ok(has("loads;read 100\n"), "a thread that waits for a disk is not idle");
	ok(has("[idle];[poll];woken;serve 1000\n"), "a thread that hardly runs is idle");
	ok(has("[idle];[unsampled];woken 9\n"),
	   "the unsampled CPU time of an idle thread is a box of its own");
	ok(has("works;serve 1000\n"), "a thread that runs for 1 % of the time is not idle");
	is_int((intmax_t)idle_fold(&p, in), 1, "a second idle_fold finds only the thread [idle]");
	ok(has("[idle];[lock];pool;take 190\n"),
	   "a second idle_fold leaves idle stacks as they are");
	end();

	begin();
	add(thread(1, "main"), "pause", "sleep", 50);
	is_int((intmax_t)idle_fold(&p, in), 0,
	       "idle_fold merges no thread if all threads are idle");
	ok(has("main;pause 50\n"), "the only thread keeps its stacks even if it is idle");
	end();
	return done();
}

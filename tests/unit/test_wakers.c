/* Waits with who ended them → stacks of both. */
#include "fold/wakers.h"
#include "tap.h"

static struct profile p;

static stack_id push(stack_id caller, const char *name, enum frame_kind kind)
{
	struct line line = { .function = profile_string(&p, span_of(name)) };
	struct frame f = { .kind = kind, .line = &line, .nr_line = 1 };

	return profile_push(&p, caller, profile_frame(&p, &f));
}

static thread_id thread(uint32_t tid, const char *comm)
{
	struct thread t = { .pid = 1, .tid = tid, .comm = profile_string(&p, span_of(comm)) };

	return profile_thread(&p, &t);
}

static void add(uint32_t event, stack_id stack, int64_t weight, link_id link)
{
	struct interval v = { .begin = 10,
			      .end = 10 + (uint64_t)weight,
			      .weight = weight,
			      .event = (uint16_t)event,
			      .thread = thread(2, "waits"),
			      .stack = stack,
			      .link = link,
			      .nr = 1 };
	struct tick t = { .time = v.begin,
			  .event = event,
			  .thread = v.thread,
			  .stack = stack,
			  .weight = weight };

	profile_add(&p, &t);
	profile_add_extent(&p, &v);
}

static link_id waker(thread_id who, stack_id stack, link_id next)
{
	struct link l = { .kind = LINK_WAKER,
			  .thread = who,
			  .stack = stack,
			  .interval = INTERVAL_NONE,
			  .next = next };

	return profile_link(&p, &l);
}

/* The weight of the only stack of those frames, from the root; 0: there is none. */
static int64_t weight_of(const char *const *name, size_t nr)
{
	for (size_t i = 0; i < p.nr_count; i++) {
		stack_id s = p.count[i].stack;
		size_t k = nr;

		for (; s.i && k; s = p.stack[s.i].caller, k--) {
			const struct frame *f = &p.frame[p.stack[s.i].frame.i];

			if (!span_is(profile_peek(&p, f->line[0].function), name[k - 1]))
				break;
		}
		if (!s.i && !k)
			return p.count[i].weight;
	}
	return 0;
}

#define WEIGHT(...) \
	weight_of((const char *const[]){ __VA_ARGS__ }, \
		  sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static void test_wakers(void)
{
	const stack_id none = { 0 };
	const thread_id nobody = { 0 };
	stack_id blocked, wakes, timer;
	struct link holder = { .kind = LINK_HOLDER, .interval = INTERVAL_NONE };
	uint32_t off, cpu;

	profile_init(&p);
	profile_keep_intervals(&p, 100);
	profile_keep_ticks(&p, 100);
	p.timed = true;
	off = profile_event(&p, SPAN("off-cpu"), SPAN("ns"));
	cpu = profile_event(&p, SPAN("cpu-clock"), SPAN("ns"));
	blocked = push(push(none, "main", FRAME_USER), "[lock]", FRAME_LABEL);
	wakes = push(push(none, "serve", FRAME_USER), "unlock", FRAME_USER);
	timer = push(push(none, "idle", FRAME_KERNEL), "asm_sysvec_timer", FRAME_KERNEL);
	timer = push(timer, "wake_up", FRAME_KERNEL);
	is_int((intmax_t)wakers_apply(&p, off), 0, "a profile without waits has no wakers");
	add(off, blocked, 5, waker(thread(3, "server"), wakes, profile_link(&p, &holder)));
	add(off, blocked, 7, waker(nobody, timer, (link_id){ 0 }));
	add(off, blocked, 11, profile_link(&p, &holder));
	add(cpu, blocked, 13, (link_id){ 0 });
	is_int((intmax_t)wakers_apply(&p, off), 2,
	       "wakers_apply() returns the number of waits with a waker");
	is_int(WEIGHT("main", "[lock]", "[woken by server]", "unlock", "serve"), 5,
	       "the waker's stack follows that of the wait, from leaf to root");
	is_int(WEIGHT("main", "[lock]", "[woken by interrupt]", "wake_up", "asm_sysvec_timer"), 7,
	       "the stack of an interrupt as the waker ends at its entry");
	is_int((intmax_t)p.nr_count, 4, "a wait without a waker and other events stay as they are");
	ok(profile_intervals_add_up(&p),
	   "wakers_apply() keeps the sums of counts and intervals equal");
	is_str(profile_check(&p) ? profile_check(&p) : "", "",
	       "wakers_apply() leaves a valid profile");
	profile_release(&p);
}

int main(void)
{
	test_wakers();
	return done();
}

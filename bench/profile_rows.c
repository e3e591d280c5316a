/*
 * How much memory a large profile takes: the generator `call-tree` makes 10 M
 * distinct stack rows and 10 M ticks, the sizes of a long recording of a large
 * program, and prints what is there and the peak of memory.
 *
 *     build/bench_profile [ROWS [TICKS]]
 */
#include "profile/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static uint64_t seed = 42;

/* xorshift: the same rows in every run. */
static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

enum { NR_FRAME = 50000, NR_THREAD = 64 };

static void name_frames(struct profile *p)
{
	for (int i = 0; i < NR_FRAME; i++) {
		char name[64];
		struct line line;

		snprintf(name, sizeof(name), "space::Class%d::method_%d", i % 997, i);
		line = (struct line){ .function = profile_string(p, span_of(name)) };
		profile_frame(p, &(struct frame){ .line = &line, .nr_line = 1 });
	}
	for (uint32_t i = 0; i < NR_THREAD; i++)
		profile_thread(p, &(struct thread){ .pid = 1, .tid = i + 1 });
}

/* Hangs every new row below a random older one: a tree as deep as call trees are. */
static void grow_stacks(struct profile *p, size_t nr)
{
	while (p->nr_stack < nr) {
		stack_id caller = { (uint32_t)(next_random() % p->nr_stack) };
		frame_id callee = { (uint32_t)(1 + next_random() % NR_FRAME) };

		profile_push(p, caller, callee);
	}
}

static void add_ticks(struct profile *p, size_t nr)
{
	uint32_t event = profile_event(p, SPAN("cpu-clock"), SPAN("ns"));

	profile_keep_ticks(p, nr);
	for (size_t i = 0; i < nr; i++) {
		/* Hot stacks repeat: a sample in three is of one in a thousand. */
		uint64_t r = next_random();
		size_t among = r % 3 ? p->nr_stack : p->nr_stack / 1000;
		struct tick t = { .time = i * 1000000,
				  .event = event,
				  .thread = { (uint32_t)(1 + (r >> 8) % NR_THREAD) },
				  .stack = { (uint32_t)((r >> 16) % among) },
				  .weight = 1000000 };

		profile_add(p, &t);
	}
}

int main(int argc, char **argv)
{
	size_t rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000000;
	size_t ticks = argc > 2 ? strtoul(argv[2], NULL, 10) : 10000000;
	struct rusage usage;
	struct profile p;

	profile_init(&p);
	name_frames(&p);
	grow_stacks(&p, rows);
	add_ticks(&p, ticks);
	getrusage(RUSAGE_SELF, &usage);
	printf("call-tree: %zu stacks, %zu ticks, %zu counts, %zu frames: peak %.0f MB\n",
	       p.nr_stack, p.nr_tick, p.nr_count, p.nr_frame, (double)usage.ru_maxrss * 1024 / 1e6);
	profile_release(&p);
	return 0;
}

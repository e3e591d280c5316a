/*
 * How much memory a large profile takes: the generator `call-tree` makes 10 M
 * distinct stack rows and 10 M ticks, the sizes of a long recording of a large
 * program, and prints what is there and the peak of memory.  `waits` makes 10 M intervals of 20,000
 * stacks instead, each a little after the one before in its thread ended, and packs them; those of
 * `spread` repeat less.
 *
 *     build/bench_profile [ROWS [TICKS]]
 *     build/bench_profile waits|spread [INTERVALS]
 */
#include "base/alloc.h"
#include "pack/pack_write.h"
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

/* Numbers of all magnitudes below 2^bits, as times that threads wait and run are. */
static uint64_t next_time(unsigned bits)
{
	uint64_t r = next_random();

	return (r >> 8) >> (64 - 8 - bits) >> r % 8;
}

enum shape { WAITS, SPREAD };

static uint32_t choose_stack(const struct profile *p, enum shape shape, size_t thread, uint64_t r)
{
	/* In one of three waits, one stack in a hundred. */
	if (shape == SPREAD)
		return (uint32_t)((r >> 16) % ((r >> 8) % 3 ? p->nr_stack : p->nr_stack / 100));
	/* A thread waits in 16 places of its own, but for one wait in twenty. */
	return (r >> 8) % 20 ? (uint32_t)(thread * 16 + (r >> 16) % 16)
			     : (uint32_t)((r >> 16) % p->nr_stack);
}

static void add_waits(struct profile *p, enum shape shape, size_t nr)
{
	static const char *const reason[] = { "lock", "poll", "disk", "sleep" };
	uint32_t event = profile_event(p, SPAN("off-cpu"), SPAN("ns"));
	label_id labels[ARRAY_SIZE(reason)];
	uint64_t now[NR_THREAD] = { 0 };

	p->event[event].source = SOURCE_MEASURED;
	for (size_t i = 0; i < ARRAY_SIZE(reason); i++) {
		struct label l = { profile_string(p, SPAN("reason")),
				   profile_string(p, span_of(reason[i])) };

		labels[i] = profile_labels(p, &l, 1);
	}
	profile_keep_intervals(p, nr);
	for (size_t i = 0; i < nr; i++) {
		uint64_t r = next_random();
		size_t thread = r % NR_THREAD;
		uint32_t stack = choose_stack(p, shape, thread, r);
		struct interval v = { .event = (uint16_t)event,
				      .thread = { (uint32_t)thread + 1 },
				      .stack = { stack },
				      .labels = labels[stack % ARRAY_SIZE(reason)],
				      .nr = 1 };

		/* Half of the waits take up to 65 µs, and 130 µs lie between two. */
		v.begin = now[thread] + next_time(17);
		v.end = now[thread] = v.begin + next_time(20);
		v.weight = (int64_t)(v.end - v.begin);
		profile_add_interval(p, &v);
	}
}

static double peak(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss * 1024 / 1e6;
}

static int measure_waits(enum shape shape, size_t nr)
{
	struct strbuf pack = { 0 };
	struct profile p;

	profile_init(&p);
	name_frames(&p);
	grow_stacks(&p, 20000);
	add_waits(&p, shape, nr);
	printf("%s: %zu intervals, %zu counts: %.0f MB, peak %.0f MB",
	       shape == WAITS ? "waits" : "spread", p.nr_interval, p.nr_count,
	       (double)profile_size(&p) / 1e6, peak());
	fflush(stdout);
	pack_write(&pack, &p, NULL);
	printf("; pack %.1f MB, made with a peak of %.0f MB\n", (double)pack.size / 1e6, peak());
	strbuf_release(&pack);
	profile_release(&p);
	return 0;
}

int main(int argc, char **argv)
{
	size_t rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000000;
	size_t ticks = argc > 2 ? strtoul(argv[2], NULL, 10) : 10000000;
	struct profile p;

	if (argc > 1 && (!strcmp(argv[1], "waits") || !strcmp(argv[1], "spread")))
		return measure_waits(!strcmp(argv[1], "waits") ? WAITS : SPREAD,
				     argc > 2 ? strtoul(argv[2], NULL, 10)
					      : PROFILE_INTERVALS_DEFAULT);
	profile_init(&p);
	name_frames(&p);
	grow_stacks(&p, rows);
	add_ticks(&p, ticks);
	printf("call-tree: %zu stacks, %zu ticks, %zu counts, %zu frames: peak %.0f MB\n",
	       p.nr_stack, p.nr_tick, p.nr_count, p.nr_frame, peak());
	profile_release(&p);
	return 0;
}

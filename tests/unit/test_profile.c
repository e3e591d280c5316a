/* Rows, interning, stacks, counts, ticks, and the check of all that. */
#include "profile/profile.h"

#include "base/alloc.h"
#include "random.h"
#include "span_tap.h"

#include <stdlib.h>

static frame_id named(struct profile *p, const char *name)
{
	struct line line = { .function = profile_string(p, span_of(name)) };

	return profile_frame(p, &(struct frame){ .line = &line, .nr_line = 1 });
}

static frame_id numbered(struct profile *p, uint32_t i)
{
	char name[32];

	snprintf(name, sizeof(name), "f%u", i);
	return named(p, name);
}

static void test_row_0(void)
{
	struct profile p;

	profile_init(&p);
	is_str(profile_check(&p), NULL, "a new profile is sound");
	is_int(profile_string(&p, SPAN("")).i, 0, "string 0 is the empty one");
	is_int(profile_module(&p, SPAN(""), SPAN("")).i, 0, "module 0 is none");
	is_int(profile_frame(&p, &(struct frame){ 0 }).i, 0, "frame 0 is the unknown one");
	is_int(profile_push_path(&p, (stack_id){ 0 }, NULL, 0, ROOT_FIRST).i, 0,
	       "stack 0 is the empty one");
	is_int(profile_thread(&p, &(struct thread){ .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN })
		       .i,
	       0, "thread 0 is none");
	is_int(profile_labels(&p, NULL, 0).i, 0, "label set 0 is empty");
	is_int((intmax_t)p.nr_frame, 1, "asking for what is in every profile adds no frame");
	is_int((intmax_t)p.nr_stack, 1, "asking for what is in every profile adds no stack");
	is_int((intmax_t)p.nr_thread, 1, "asking for what is in every profile adds no thread");
	ok(!p.nr_count && !p.nr_event,
	   "asking for what is in every profile adds no count or event");
	profile_release(&p);
}

static void test_interning(void)
{
	enum { NR = 5000 };
	struct profile p;
	bool same = true;
	char name[32];

	profile_init(&p);
	/* Twice: the second time, everything is there. */
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 1; i <= NR; i++) {
			struct thread t = { .pid = i / 7, .tid = i };
			struct frame f = { .kind = FRAME_KERNEL, .address = i };

			snprintf(name, sizeof(name), "/lib/%u", i);
			same &= profile_module(&p, span_of(name), SPAN("")).i == i;
			same &= profile_thread(&p, &t).i == i;
			same &= profile_frame(&p, &f).i == i;
		}
	ok(same, "rows get numbers as they come, and keep them");
	is_str(profile_check(&p), NULL, "a profile with thousands of rows is sound");
	profile_release(&p);
}

/* Whatever differs in a fact is another row. */
static void test_frames(void)
{
	struct profile p;
	struct line a[2], b[2];

	profile_init(&p);
	a[0] = (struct line){ .function = profile_string(&p, SPAN("inner")) };
	a[1] = (struct line){ .function = profile_string(&p, SPAN("outer")) };
	b[0] = (struct line){ .function = a[0].function,
			      .file = profile_string(&p, SPAN("a.c")),
			      .line = 3 };
	b[1] = a[1];
	{
		module_id module = profile_module(&p, SPAN("/bin/a"), SPAN(""));
		struct frame f[] = {
			{ .line = a, .nr_line = 1 },
			{ .line = a, .nr_line = 2 },
			{ .line = a + 1, .nr_line = 1 },
			{ .line = b, .nr_line = 1 },
			{ .line = b, .nr_line = 2 },
			{ .line = a, .nr_line = 1, .kind = FRAME_KERNEL },
			{ .line = a, .nr_line = 1, .flags = FRAME_INLINED },
			{ .line = a, .nr_line = 1, .module = module },
			{ .address = 16 },
			{ .address = 16, .module = module },
			{ .address = 16, .flags = FRAME_RETURN_ADDRESS },
			{ .module = module },
		};
		bool apart = true;

		for (size_t i = 0; i < ARRAY_SIZE(f); i++)
			apart &= profile_frame(&p, &f[i]).i == i + 1;
		for (size_t i = 0; i < ARRAY_SIZE(f); i++)
			apart &= profile_frame(&p, &f[i]).i == i + 1;
		ok(apart, "frames that differ in any fact are different frames");
	}
	is_int(p.frame[5].nr_line, 2, "a frame keeps its lines");
	b[0].line = 99;
	is_int(p.frame[5].line[0].line, 3, "a frame keeps a copy of its lines");

	/* A name arrives at an address. */
	profile_name(&p, (frame_id){ 9 }, a, 2);
	is_int(p.frame[9].nr_line, 2, "profile_name() gives lines to an address");
	is_int(profile_frame(&p, &(struct frame){ .address = 16 }).i, 9,
	       "an address with a name is found by the address alone");
	is_int(profile_frame(&p, &(struct frame){ .address = 16, .line = b, .nr_line = 1 }).i, 9,
	       "an address with a name is found whatever name is given");
	is_str(profile_check(&p), NULL, "a profile with a named address is sound");
	profile_release(&p);
}

static void test_labels(void)
{
	struct profile p;
	struct label abc[3], cab[3];
	label_id id;

	profile_init(&p);
	for (uint32_t i = 0; i < 3; i++) {
		char key[] = { (char)('c' - (char)i), '\0' };

		abc[i] = (struct label){ .key = profile_string(&p, span_of(key)),
					 .value = profile_string(&p, SPAN("1")) };
	}
	cab[0] = abc[2];
	cab[1] = abc[0];
	cab[2] = abc[1];
	id = profile_labels(&p, abc, 3);
	is_int(id.i, 1, "a set of labels is a row");
	is_int(profile_labels(&p, cab, 3).i, 1, "a set of labels is the same row in any order");
	is_int(profile_labels(&p, abc, 2).i, 2, "fewer labels are another set");
	cab[0].value = profile_string(&p, SPAN("2"));
	is_int(profile_labels(&p, cab, 3).i, 3,
	       "a set of labels with another value is another set");
	is_int(p.labels[1].nr, 3, "a set of labels keeps all of them");
	is_str(profile_check(&p), NULL, "a profile with sets of labels is sound");
	profile_release(&p);
}

static void test_long_names(void)
{
	char *name = xmalloc(PROFILE_NAME_MAX + 2);
	struct profile p;
	str_id id;

	memset(name, 'x', PROFILE_NAME_MAX + 2);
	profile_init(&p);
	profile_string(&p, (struct span){ .at = name, .size = PROFILE_NAME_MAX });
	is_int(p.notes.count[NOTE_NAME_TOO_LONG], 0, "the longest name is kept whole");
	id = profile_string(&p, (struct span){ .at = name, .size = PROFILE_NAME_MAX + 2 });
	is_int(profile_peek(&p, id).size, PROFILE_NAME_MAX,
	       "a name above PROFILE_NAME_MAX is truncated");
	is_int(p.notes.count[NOTE_NAME_TOO_LONG], 1, "a truncated name is counted");
	profile_release(&p);
	free(name);
}

/* Stacks */

enum { MAX_DEPTH = 300, NR_FRAMES = 6 };

static stack_id push_one_by_one(struct profile *p, stack_id caller, const frame_id *frame,
				size_t nr, enum path_order order)
{
	for (size_t i = 0; i < nr; i++)
		caller = profile_push(p, caller, frame[order == ROOT_FIRST ? i : nr - 1 - i]);
	return caller;
}

static bool is_path(const struct profile *p, stack_id stack, stack_id caller, const frame_id *frame,
		    size_t nr, enum path_order order)
{
	for (size_t i = nr; i-- > 0; stack = p->stack[stack.i].caller)
		if (p->stack[stack.i].frame.i != frame[order == ROOT_FIRST ? i : nr - 1 - i].i)
			return false;
	return stack.i == caller.i;
}

/* Two profiles that get the same paths, one frame at a time and all at once, are the same. */
static void test_paths(void)
{
	static const uint32_t depths[] = { 0, 1, 2, 5, 63, 64, 65, 127, 128, 129, MAX_DEPTH };
	struct profile slow, fast;
	struct random r = { 77 };
	bool equal = true, right = true, rows;

	profile_init(&slow);
	profile_init(&fast);
	for (uint32_t i = 0; i < NR_FRAMES; i++) {
		numbered(&slow, i);
		numbered(&fast, i);
	}
	for (size_t round = 0; round < 3000; round++) {
		frame_id path[MAX_DEPTH];
		size_t nr = depths[random_below(&r, ARRAY_SIZE(depths))];
		enum path_order order = random_below(&r, 2) ? ROOT_FIRST : LEAF_FIRST;
		/* Mostly from the root, at times from any stack there is. */
		stack_id from = { random_below(&r, 4) ? 0
						      : random_below(&r, (uint32_t)fast.nr_stack) };
		stack_id a, b;

		/* Few frames, and often the same: paths that share their beginnings. */
		for (size_t i = 0; i < nr; i++)
			path[i].i = random_below(&r, 20) ? 1 : 1 + random_below(&r, NR_FRAMES);
		a = push_one_by_one(&slow, from, path, nr, order);
		b = profile_push_path(&fast, from, path, nr, order);
		equal &= a.i == b.i;
		right &= is_path(&fast, b, from, path, nr, order);
	}
	ok(equal, "pushing a path gives the same stack as pushing its frames");
	ok(right, "the stack of a pushed path has its frames in order");
	rows = slow.nr_stack == fast.nr_stack;
	for (size_t i = 1; rows && i < slow.nr_stack; i++)
		rows = slow.stack[i].caller.i == fast.stack[i].caller.i &&
		       slow.stack[i].frame.i == fast.stack[i].frame.i;
	ok(rows && slow.nr_stack > 10000,
	   "pushing paths adds the same rows as pushing their frames");
	is_str(profile_check(&fast), NULL, "pushing paths adds no stack twice");
	profile_release(&slow);
	profile_release(&fast);
}

/* Counts */

static struct tick tick_of(uint32_t event, stack_id stack, int64_t weight, uint64_t time)
{
	return (struct tick){ .event = event, .stack = stack, .weight = weight, .time = time };
}

static void test_counts(void)
{
	struct profile p;
	struct tick t;
	stack_id s;

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN("cycles"));
	is_int(profile_event(&p, SPAN("ns"), SPAN("ns")), 1, "events are numbered from 0");
	is_int(profile_event(&p, SPAN("cycles"), SPAN("cycles")), 0,
	       "an event is found by its name and unit");
	is_int(profile_event(&p, SPAN("cycles"), SPAN("ns")), 2,
	       "an event with another unit is another event");
	s = profile_push(&p, (stack_id){ 0 }, named(&p, "main"));
	t = tick_of(0, s, 5, 1);
	profile_add(&p, &t);
	t.weight = -2;
	profile_add(&p, &t);
	is_int(p.nr_count, 1, "counts of the same row are one row");
	ok(p.count[0].weight == 3 && p.count[0].nr == 2,
	   "a count has the sum of its weights and the number of its samples");
	t.event = 1;
	profile_add(&p, &t);
	t.labels = profile_labels(&p, &(struct label){ .key = profile_string(&p, SPAN("cpu")) }, 1);
	profile_add(&p, &t);
	t.thread = profile_thread(&p, &(struct thread){ .pid = 1, .tid = 2 });
	profile_add(&p, &t);
	is_int(p.nr_count, 4, "a sample of another event, label set or thread is another count");
	is_int(p.nr_tick, 0, "ticks are kept only on request");
	is_str(profile_check(&p), NULL, "a profile with counts is sound");
	profile_release(&p);
}

/* The same rows are added to both profiles; one is settled now and then. */
static void test_settle(void)
{
	struct profile plain, settled;
	struct random r = { 5 };
	bool equal = true;
	size_t size;

	profile_init(&plain);
	profile_init(&settled);
	profile_event(&plain, SPAN("cycles"), SPAN("cycles"));
	profile_event(&settled, SPAN("cycles"), SPAN("cycles"));
	for (size_t round = 0; round < 3000; round++) {
		frame_id path[8];
		size_t nr = 1 + random_below(&r, ARRAY_SIZE(path));
		struct tick t = { .weight = 1 };
		stack_id a, b;

		for (size_t i = 0; i < nr; i++) {
			uint32_t number = random_below(&r, random_below(&r, 3) ? 5 : 300);

			path[i] = numbered(&plain, number);
			equal &= numbered(&settled, number).i == path[i].i;
		}
		a = profile_push_path(&plain, (stack_id){ 0 }, path, nr, ROOT_FIRST);
		b = profile_push_path(&settled, (stack_id){ 0 }, path, nr, ROOT_FIRST);
		equal &= a.i == b.i;
		t.stack = a;
		profile_add(&plain, &t);
		profile_add(&settled, &t);
		if (round % 500 == 7)
			profile_settle(&settled);
	}
	ok(equal, "a settled profile gives the same handles to the same rows");
	is_int((intmax_t)settled.nr_frame, (intmax_t)plain.nr_frame,
	       "a settled profile adds only new frames");
	is_int((intmax_t)settled.nr_stack, (intmax_t)plain.nr_stack,
	       "a settled profile adds only new stacks");
	is_int((intmax_t)settled.nr_count, (intmax_t)plain.nr_count,
	       "a settled profile adds only new counts");
	is_str(profile_check(&settled), NULL, "a profile that was settled now and then is sound");
	size = profile_size(&settled);
	profile_settle(&settled);
	ok(profile_size(&settled) < size - size / 8, "profile_settle() makes a profile smaller");
	profile_release(&plain);
	profile_release(&settled);
}

static void test_overflow(void)
{
	static const struct {
		int64_t have, more;
		bool fits;
	} sums[] = {
		{ INT64_MAX, 0, true },		 { INT64_MAX, 1, false },
		{ INT64_MAX - 1, 1, true },	 { INT64_MAX, INT64_MAX, false },
		{ INT64_MIN, -1, false },	 { INT64_MIN, INT64_MAX, true },
		{ INT64_MIN, INT64_MIN, false },
	};
	bool right = true;

	for (size_t i = 0; i < ARRAY_SIZE(sums); i++) {
		struct tick first, second;
		struct profile p;

		profile_init(&p);
		profile_keep_ticks(&p, 10);
		profile_event(&p, SPAN("cycles"), SPAN("cycles"));
		first = tick_of(0, (stack_id){ 0 }, sums[i].have, 1);
		second = tick_of(0, (stack_id){ 0 }, sums[i].more, 2);
		right &= !profile_add(&p, &first);
		right &= !profile_add(&p, &second) == sums[i].fits;
		right &= p.count[0].nr == (sums[i].fits ? 2 : 1);
		right &= p.count[0].weight ==
			 (sums[i].fits ? sums[i].have + sums[i].more : sums[i].have);
		right &= !profile_check(&p);
		profile_release(&p);
	}
	ok(right, "a sum that does not fit is refused, and nothing is added, no tick either");
}

static void test_rescale(void)
{
	struct profile p;
	struct tick t;

	profile_init(&p);
	profile_keep_ticks(&p, 10);
	profile_event(&p, SPAN("samples"), SPAN("samples"));
	profile_event(&p, SPAN("other"), SPAN("samples"));
	t = tick_of(0, (stack_id){ 0 }, 70, 1);
	profile_add(&p, &t);
	t.event = 1;
	profile_add(&p, &t);
	is_int(profile_rescale(&p, 0, -3), 0, "profile_rescale() accepts a finer scale");
	is_int(p.event[0].scale, -3, "profile_rescale() sets the scale of its event");
	is_int(p.count[0].weight, 70000, "profile_rescale() changes counts to say the same");
	is_int(p.tick[0].weight, 70000, "profile_rescale() changes ticks to say the same");
	is_int(p.event[1].scale, 0, "profile_rescale() keeps the scale of other events");
	ok(p.count[1].weight == 70 && p.tick[1].weight == 70,
	   "profile_rescale() keeps the weights of other events");
	is_int(profile_rescale(&p, 0, -1), 0, "profile_rescale() accepts a coarser scale");
	ok(p.event[0].scale == -3 && p.count[0].weight == 70000,
	   "profile_rescale() changes nothing for a coarser scale");
	is_int(profile_rescale(&p, 0, -18), -1,
	       "profile_rescale() rejects a scale too fine for a count");
	ok(p.event[0].scale == -3 && p.count[0].weight == 70000,
	   "profile_rescale() changes nothing if it rejects a scale");
	is_int(profile_rescale(&p, 0, -3 - 19), -1,
	       "profile_rescale() rejects a scale too fine for any count");
	/* The sum fits where its parts do not. */
	t = tick_of(0, (stack_id){ 0 }, INT64_MAX - 70000, 2);
	profile_add(&p, &t);
	t.weight = -t.weight;
	profile_add(&p, &t);
	is_int(profile_rescale(&p, 0, -4), -1,
	       "profile_rescale() rejects a scale too fine for a tick");
	is_str(profile_check(&p), NULL, "a profile is sound after rejected scales");
	profile_release(&p);
}

/* Ticks */

static void check_bounded(size_t max, uint32_t nr_stack, size_t nr, bool bounded, const char *what)
{
	struct random r = { 31 };
	struct profile p;
	int64_t sum = 0, ticks = 0;
	char text[96];

	profile_init(&p);
	profile_keep_ticks(&p, max);
	profile_event(&p, SPAN("cycles"), SPAN("cycles"));
	for (size_t i = 0; i < nr; i++) {
		stack_id s =
			profile_push(&p, (stack_id){ 0 }, numbered(&p, random_below(&r, nr_stack)));
		struct tick t = tick_of(0, s, 1 + random_below(&r, 5), i * 10);

		profile_add(&p, &t);
		sum += t.weight;
	}
	for (size_t i = 0; i < p.nr_tick; i++)
		ticks += p.tick[i].weight;
	snprintf(text, sizeof(text), "%s: the ticks keep the sum", what);
	is_int(ticks, sum, text);
	snprintf(text, sizeof(text), "%s: the profile is sound", what);
	is_str(profile_check(&p), NULL, text);
	snprintf(text, sizeof(text), "%s: %zu of %zu ticks are left with room for %zu", what,
		 p.nr_tick, nr, max);
	ok((p.nr_tick <= max) == bounded, text);
	snprintf(text, sizeof(text), "%s: coarser times are noted only if needed", what);
	ok(!p.notes.count[NOTE_TICKS_COARSE] == (nr <= max), text);
	profile_release(&p);
}

static void test_ticks(void)
{
	check_bounded(1000, 5, 1000, true, "as many ticks as fit");
	check_bounded(1000, 5, 20000, true, "twenty times as many ticks as fit");
	check_bounded(7, 2, 5000, true, "hardly any room for ticks");
	/* The bound gives way rather than a sample. */
	check_bounded(10, 1000, 5000, false, "more stacks than room for ticks");
}

/* The check */

static void breaks(struct profile *p, uint32_t *field, uint32_t value, const char *what)
{
	uint32_t saved = *field;

	*field = value;
	ok(profile_check(p), what);
	*field = saved;
}

static void test_check(void)
{
	struct profile p;
	struct tick t;
	struct label label;
	struct line *line;
	struct label *kept;
	stack_id s;

	profile_init(&p);
	profile_keep_ticks(&p, 10);
	profile_event(&p, SPAN("cycles"), SPAN("cycles"));
	profile_event(&p, SPAN("ns"), SPAN("ns"));
	profile_module(&p, SPAN("/bin/a"), SPAN("1234"));
	profile_module(&p, SPAN("/bin/b"), SPAN("1234"));
	s = profile_push(&p, (stack_id){ 0 }, named(&p, "main"));
	s = profile_push(&p, s, named(&p, "f"));
	label = (struct label){ .key = profile_string(&p, SPAN("cpu")),
				.value = profile_string(&p, SPAN("1")) };
	t = tick_of(0, s, 3, 1);
	t.labels = profile_labels(&p, &label, 1);
	label.value = profile_string(&p, SPAN("2"));
	profile_labels(&p, &label, 1);
	t.thread = profile_thread(&p, &(struct thread){ .pid = 1, .tid = 2 });
	profile_thread(&p, &(struct thread){ .pid = 1, .tid = 3 });
	profile_add(&p, &t);
	t.stack = p.stack[s.i].caller;
	profile_add(&p, &t);
	is_str(profile_check(&p), NULL, "profile_check() accepts a sound profile");

	breaks(&p, &p.module[1].path.i, p.strings.nr,
	       "profile_check() rejects a module's path out of range");
	breaks(&p, &p.module[1].build_id.i, p.strings.nr,
	       "profile_check() rejects a module's build ID out of range");
	breaks(&p, &p.module[2].path.i, p.module[1].path.i,
	       "profile_check() rejects a duplicate module");
	breaks(&p, &p.frame[1].module.i, (uint32_t)p.nr_module,
	       "profile_check() rejects a frame's module out of range");
	line = (struct line *)(uintptr_t)p.frame[2].line;
	breaks(&p, &line->function.i, p.strings.nr,
	       "profile_check() rejects a function's name out of range");
	breaks(&p, &line->file.i, p.strings.nr,
	       "profile_check() rejects a file's name out of range");
	breaks(&p, &line->function.i, p.frame[1].line->function.i,
	       "profile_check() rejects a duplicate frame");
	breaks(&p, &p.thread[1].comm.i, p.strings.nr,
	       "profile_check() rejects a thread's name out of range");
	breaks(&p, &p.thread[2].tid, 2, "profile_check() rejects a duplicate thread");
	breaks(&p, &p.event[1].name.i, p.strings.nr,
	       "profile_check() rejects an event's name out of range");
	breaks(&p, &p.event[1].unit.i, p.strings.nr,
	       "profile_check() rejects an event's unit out of range");
	kept = (struct label *)(uintptr_t)p.labels[2].label;
	breaks(&p, &kept->key.i, p.strings.nr,
	       "profile_check() rejects a label's key out of range");
	breaks(&p, &kept->value.i, p.strings.nr,
	       "profile_check() rejects a label's value out of range");
	breaks(&p, &kept->value.i, p.labels[1].label->value.i,
	       "profile_check() rejects a duplicate set of labels");
	breaks(&p, &p.stack[1].caller.i, 1,
	       "profile_check() rejects a stack that is its own caller");
	breaks(&p, &p.stack[1].caller.i, 2, "profile_check() rejects a stack before its caller");
	breaks(&p, &p.stack[2].frame.i, (uint32_t)p.nr_frame,
	       "profile_check() rejects a stack's frame out of range");
	breaks(&p, &p.count[0].event, 2, "profile_check() rejects a count's event out of range");
	breaks(&p, &p.count[0].thread.i, (uint32_t)p.nr_thread,
	       "profile_check() rejects a count's thread out of range");
	breaks(&p, &p.count[0].stack.i, (uint32_t)p.nr_stack,
	       "profile_check() rejects a count's stack out of range");
	breaks(&p, &p.count[0].labels.i, (uint32_t)p.nr_labels,
	       "profile_check() rejects a count's labels out of range");
	breaks(&p, &p.count[1].stack.i, p.count[0].stack.i,
	       "profile_check() rejects a duplicate count");
	breaks(&p, &p.tick[0].event, 2, "profile_check() rejects a tick's event out of range");
	breaks(&p, &p.tick[0].thread.i, (uint32_t)p.nr_thread,
	       "profile_check() rejects a tick's thread out of range");
	breaks(&p, &p.tick[0].stack.i, (uint32_t)p.nr_stack,
	       "profile_check() rejects a tick's stack out of range");
	breaks(&p, &p.tick[0].labels.i, (uint32_t)p.nr_labels,
	       "profile_check() rejects a tick's labels out of range");
	p.tick[0].weight++;
	ok(profile_check(&p), "profile_check() rejects a tick that exceeds its count");
	p.tick[0].weight--;
	p.max_tick = 0;
	ok(profile_check(&p), "profile_check() rejects ticks that were not requested");
	p.max_tick = 10;
	p.stack[2] = p.stack[1];
	ok(profile_check(&p), "profile_check() rejects a duplicate stack");
	profile_release(&p);
}

/* Paths of few frames, of which each begins like the one before. */
static void test_walk(void)
{
	enum { ROUNDS = 300, AT_ONCE = 8, DEPTH = 12 };
	struct random r = { .state = 5 };
	frame_id path[DEPTH] = { { 0 } }, own[AT_ONCE][DEPTH], whole[AT_ONCE][DEPTH];
	stack_id last[DEPTH] = { { 0 } }, found[AT_ONCE][DEPTH];
	bool right = true, furthest = true;
	size_t nr_known = 0;
	struct profile p;

	profile_init(&p);
	for (int round = 0; round < ROUNDS; round++) {
		struct stack_walk w[AT_ONCE];

		for (size_t i = 0; i < AT_ONCE; i++) {
			uint32_t shared = round || i ? random_below(&r, DEPTH / 2) : 0;

			for (uint32_t k = shared; k < DEPTH; k++)
				own[i][k - shared] = path[k] = (frame_id){ random_below(&r, 3) };
			memcpy(whole[i], path, sizeof(path));
			w[i] = (struct stack_walk){ .frame = own[i],
						    .nr = DEPTH - shared,
						    .shared = shared,
						    .path = found[i] };
		}
		w[0].known = w[0].shared;
		memcpy(found[0], last, sizeof(last));
		profile_walk(&p, w, AT_ONCE);
		for (size_t i = 0; i < AT_ONCE; i++) {
			size_t before = p.nr_stack;
			stack_id at = { 0 };

			for (uint32_t k = 0; k < DEPTH; k++) {
				at = profile_push(&p, at, whole[i][k]);
				last[k] = at;
				right &= k >= w[i].known || found[i][k].i == at.i;
				/* Only what the walks before it added may be new. */
				furthest &= i || k < w[i].known || at.i >= before || !round;
			}
			nr_known += w[i].known;
		}
	}
	ok(right, "a walk finds the stacks that pushing gives");
	ok(furthest, "the first walk finds all stacks that are there");
	ok(nr_known > ROUNDS * AT_ONCE, "walks find more than one known stack each on average");
	profile_release(&p);
}

int main(void)
{
	test_row_0();
	test_interning();
	test_frames();
	test_labels();
	test_long_names();
	test_paths();
	test_walk();
	test_counts();
	test_settle();
	test_overflow();
	test_rescale();
	test_ticks();
	test_check();
	return done();
}

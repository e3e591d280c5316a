/* Frames and threads as they are spelled, and the paths they make. */
#include "fold/frame_labels.h"

#include "base/strbuf.h"
#include "profile/spelling.h"
#include "span_tap.h"
#include "stacks.h"

#include <stdio.h>
#include <stdlib.h>

static void check_path(const struct labels *l, const struct profile *p, thread_id thread,
		       stack_id stack, const char *want, const char *what)
{
	struct label_path path = { 0 };
	struct strbuf b = { 0 };

	strbuf_add(&b, SPAN(""));
	/* Made twice: what was in it before does not show. */
	labels_path(l, p, thread, stack, &path);
	labels_path(l, p, thread, stack, &path);
	for (size_t i = 0; i < path.nr; i++) {
		struct span name = labels_peek(l, path.label[i]);

		strbuf_addf(&b, "%s%.*s", i ? ";" : "", (int)name.size, name.at);
	}
	is_str(b.at, want, what);
	free(path.label);
	strbuf_release(&b);
}

static void test_paths(void)
{
	thread_id nobody = { 0 }, java;
	stack_id empty = { 0 }, one, deep, inlined;
	struct line line[2];
	struct labels l;
	struct profile p;

	profile_init(&p);
	one = stack_of(&p, "main");
	deep = stack_of(&p, "main;a;b;c");
	java = profile_thread(&p, &(struct thread){ .comm = profile_string(&p, SPAN("java")) });
	line[0] = (struct line){ .function = profile_string(&p, SPAN("inner")) };
	line[1] = (struct line){ .function = profile_string(&p, SPAN("outer")) };
	inlined = profile_push(
		&p, one,
		profile_frame(&p, &(struct frame){ .address = 9, .line = line, .nr_line = 2 }));

	labels_init(&l, &p, SPELL_THREAD);
	check_path(&l, &p, nobody, empty, "", "a path without a thread and a stack is empty");
	check_path(&l, &p, nobody, one, "main", "a stack of one frame is a path of one label");
	check_path(&l, &p, nobody, deep, "main;a;b;c", "a path begins with the root of its stack");
	check_path(&l, &p, java, empty, "java", "a thread without a stack is a path of its name");
	check_path(&l, &p, java, deep, "java;main;a;b;c",
		   "a path of a thread and a stack begins with the thread");
	check_path(&l, &p, java, inlined, "java;main;outer;inner",
		   "inlined calls are listed outermost first");
	ok(!l.distinct, "labels are not distinct if a frame has two names");
	labels_release(&l);

	labels_init(&l, &p, SPELL_THREAD | SPELL_PID | SPELL_TID | SPELL_ID_FRAMES);
	check_path(&l, &p, java, one, "PID=0;TID=0;java;main",
		   "process and thread IDs can be labels of their own");
	labels_release(&l);

	labels_init(&l, &p, 0);
	check_path(&l, &p, java, deep, "main;a;b;c",
		   "a path has no thread if threads are not spelled");
	labels_release(&l);
	profile_release(&p);
}

static void test_distinct(void)
{
	struct line line;
	struct labels l;
	struct profile p;

	profile_init(&p);
	stack_of(&p, "main;memcpy");
	labels_init(&l, &p, 0);
	ok(l.distinct, "labels are distinct if all names differ");
	labels_release(&l);
	line.function = profile_string(&p, SPAN("memcpy"));
	line.file = (str_id){ 0 };
	line.line = 0;
	profile_frame(&p, &(struct frame){ .module = profile_module(&p, SPAN("libc"), SPAN("")),
					   .line = &line,
					   .nr_line = 1 });
	labels_init(&l, &p, 0);
	ok(!l.distinct, "labels are not distinct if two functions share a name");
	labels_release(&l);
	labels_init(&l, &p, SPELL_MODULE);
	ok(l.distinct,
	   "labels are distinct if functions of one name are spelled with their modules");
	labels_release(&l);
	profile_release(&p);
}

/* The root of a thread whose name ends with 2, among so many of them. */
static void check_group(size_t nr, unsigned spelling, const char *want, const char *what)
{
	struct tick tick = { .weight = 1 };
	thread_id second = { 0 };
	struct labels l;
	struct profile p;

	profile_init(&p);
	profile_event(&p, SPAN("cycles"), SPAN(""));
	for (uint32_t i = 1; i <= nr; i++) {
		char name[20];

		snprintf(name, sizeof(name), "pool-%u", i);
		tick.thread = profile_thread(
			&p, &(struct thread){ .pid = 9,
					      .tid = 100 + i,
					      .comm = profile_string(&p, span_of(name)) });
		profile_add(&p, &tick);
		if (i == 2)
			second = tick.thread;
	}
	labels_init(&l, &p, spelling);
	check_path(&l, &p, second, (stack_id){ 0 }, want, what);
	labels_release(&l);
	profile_release(&p);
}

int main(void)
{
	test_paths();
	test_distinct();
	check_group(9, SPELL_THREAD, "pool-2", "a path of a thread has its name");
	check_group(8, SPELL_THREAD | SPELL_GROUP, "pool-2",
		    "eight threads with numbers are not grouped");
	check_group(9, SPELL_THREAD | SPELL_GROUP, "pool-*",
		    "nine threads with numbers are grouped");
	check_group(9, SPELL_THREAD | SPELL_TID | SPELL_GROUP, "pool-2-9/102",
		    "threads with their IDs are not grouped");
	return done();
}

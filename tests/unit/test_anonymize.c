/* A profile for strangers: what is left of a path, and that nothing else is lost. */
#include "profile/anonymize.h"

#include "span_tap.h"
#include "stacks.h"

static frame_id path_frame(struct profile *p, const char *module, const char *function,
			   const char *file)
{
	struct line line = { .function = profile_string(p, span_of(function)),
			     .file = profile_string(p, span_of(file)),
			     .line = 12 };
	struct frame f = { .module = profile_module(p, span_of(module), SPAN("cafe")),
			   .line = &line,
			   .nr_line = 1 };

	return profile_frame(p, &f);
}

static void fill(struct profile *p)
{
	struct thread thread = { .pid = 12, .tid = 13 };
	struct label label;
	struct tick t = { .time = 5, .weight = 3 };

	profile_init(p);
	profile_keep_ticks(p, 100);
	p->timed = true;
	thread.comm = profile_string(p, SPAN("bash"));
	label.key = profile_string(p, SPAN("cgroup"));
	label.value = profile_string(p, SPAN("/user/jane/app"));
	t.event = profile_event(p, SPAN("cycles"), SPAN("n"));
	profile_rescale(p, t.event, -3);
	p->event[0].period = 77;
	t.thread = profile_thread(p, &thread);
	t.labels = profile_labels(p, &label, 1);
	t.stack = profile_push(p, t.stack, path_frame(p, "/home/jane/app", "java/lang/Object", ""));
	t.stack = profile_push(
		p, t.stack, path_frame(p, "C:\\jane\\x.dll", "/home/jane/run.py", "/src/jane/a.c"));
	profile_add(p, &t);
	/* The same once more, but for the folder. */
	t.stack = profile_push(p, (stack_id){ 0 },
			       path_frame(p, "/tmp/jane/app", "java/lang/Object", ""));
	profile_add(p, &t);
	t.stack = profile_push(p, (stack_id){ 0 },
			       path_frame(p, "/home/jane/app", "java/lang/Object", ""));
	profile_add(p, &t);
	notes_add(&p->notes, NOTE_BAD_LINE, 3, 7, SPAN("jane was here"));
	profile_inform(p, SPAN("host"), SPAN("jane-pc"));
	profile_inform(p, SPAN("command"), SPAN("./jane"));
	profile_inform(p, SPAN("input"), SPAN("jane.txt"));
	profile_inform(p, SPAN("kernel"), SPAN("6.1"));
}

static bool mentions(const struct profile *p, const char *word)
{
	for (uint32_t i = 0; i < p->strings.nr; i++)
		if (span_contains(profile_peek(p, (str_id){ i }), word))
			return true;
	for (size_t i = 0; i < p->notes.nr; i++)
		if (span_contains(p->notes.note[i].text, word))
			return true;
	return false;
}

static struct span function_of(const struct profile *p, stack_id s)
{
	return profile_peek(p, p->frame[p->stack[s.i].frame.i].line[0].function);
}

int main(void)
{
	struct profile p, q;
	const struct frame *leaf;

	fill(&p);
	profile_init(&q);
	profile_anonymize(&q, &p);
	is_str(profile_check(&q), NULL, "an anonymized profile passes profile_check()");
	ok(mentions(&p, "jane"), "the original profile mentions the user's name");
	ok(!mentions(&q, "jane"),
	   "no string or note of the anonymized profile mentions the user's name");

	is_int(q.nr_count, 2, "stacks that differ only by a module's directory are merged");
	is_int(q.count[1].weight, 6, "merged stacks have the sum of their weights");
	is_int(q.count[1].nr, 2, "merged stacks have the sum of their samples");
	is_span(function_of(&q, q.count[1].stack), "java/lang/Object",
		"a function name with a slash that is not a path stays");
	is_span(function_of(&q, q.count[0].stack), "run.py",
		"a function name that is a path is shortened to its file name");
	leaf = &q.frame[q.stack[q.count[0].stack.i].frame.i];
	is_span(profile_peek(&q, leaf->line[0].file), "a.c",
		"a source path is shortened to its file name");
	is_int(leaf->line[0].line, 12, "line numbers stay");
	is_span(profile_peek(&q, q.module[leaf->module.i].path), "x.dll",
		"a module's path is shortened to its file name");
	is_span(profile_peek(&q, q.module[leaf->module.i].build_id), "cafe",
		"a module's build ID stays");
	is_span(profile_peek(&q, q.thread[q.count[0].thread.i].comm), "bash",
		"a thread's name stays");
	is_int(q.thread[q.count[0].thread.i].tid, 13, "a thread's ID stays");
	is_span(profile_peek(&q, q.labels[q.count[0].labels.i].label[0].value), "app",
		"the value of a label that is a path is shortened to its last part");
	is_int(q.event[0].scale, -3, "an event's scale stays");
	is_int(q.event[0].period, 77, "an event's period stays");
	is_int(q.nr_tick, 3, "ticks stay");
	ok(q.timed, "an anonymized profile stays timed");
	is_int(q.notes.count[NOTE_BAD_LINE], 3, "notes keep their count");
	is_int(q.notes.note[0].line, 7, "notes keep their line");
	is_int(q.nr_info, 1, "facts that identify host, command or input are removed");
	is_span(profile_peek(&q, q.info[0].key), "kernel",
		"the kernel's version stays among the facts");
	profile_release(&p);
	profile_release(&q);
	return done();
}

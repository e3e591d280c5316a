/*
 * Thread dumps of Java, as jstack prints them, one after the other:
 *
 *     "worker-12" #27 daemon prio=9 tid=0x1 nid=0xe3c runnable [0x2]
 *        java.lang.Thread.State: RUNNABLE
 *     	at org.acme.Calc.step(Calc.java:1)
 *     	- locked <0x1> (a org.acme.Calc)
 *
 * A sample is a runnable thread.  Java also reports threads that wait for the
 * network, and some of the JVM, as runnable: these are recognized by their leaf.
 */
#include "base/alloc.h"
#include "profile/spelling.h"
#include "read/java/java.h"
#include "read/readers.h"

static const char state_mark[] = "java.lang.Thread.State: ";

enum state { STATE_UNKNOWN, STATE_RUNNABLE, STATE_WAITING };

struct jstack {
	enum state state;
	thread_id thread;
};

static int end_thread(struct listing *l, struct error *e)
{
	struct jstack *j = l->state;
	struct build *b = l->b;
	int ret = 0;

	b->thread = j->thread;
	/* Threads without a state belong to the JVM, or are repeated in a deadlock report. */
	if (j->state == STATE_WAITING && b->nr)
		notes_add(&b->p->notes, NOTE_WAITING, 1, b->text->line,
			  profile_peek(b->p, b->p->thread[b->thread.i].comm));
	if (j->state == STATE_RUNNABLE && (b->nr || b->thread.i))
		ret = build_end(b, LEAF_FIRST, 1, e);
	build_drop(b);
	*j = (struct jstack){ 0 };
	return ret;
}

static bool is_background(struct span name)
{
	static const char *const names[] = { "Signal Dispatcher", "Service Thread",
					     "Attach Listener" };
	size_t compiler = span_find_text(name, " CompilerThread");

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (span_contains(name, names[i]))
			return true;
	return compiler < name.size && compiler >= 2 && name.at[compiler - 2] == 'C';
}

static int begin_thread(struct listing *l, struct span line, struct error *e)
{
	struct span name = span_from(line, 1);
	/* "nid=0xe3c", in newer versions "nid=3644": the system's id of the thread. */
	struct span id = span_from(line, span_find_text(line, " nid=") + 5);
	struct thread t = { .pid = THREAD_UNKNOWN, .tid = listing_id(id) };
	struct jstack *j = l->state;
	int ret = listing_end(l, e);

	name = span_upto(name, span_find(name, '"'));
	t.comm = profile_string(l->b->p, name);
	if (!l->b->o->drop_threads)
		j->thread = profile_thread(l->b->p, &t);
	if (is_background(name))
		j->state = STATE_WAITING;
	return ret;
}

/* Runnable, but not running. */
static bool waits(struct span function)
{
	size_t socket = span_find_text(function, "Socket");

	return span_contains(function, "epollWait") || span_contains(function, "EPoll.wait") ||
	       span_ends(function, "socketAccept") || span_ends(function, "socketRead0") ||
	       (socket < function.size && span_ends(span_from(function, socket + 6), "accept0"));
}

/* The lines that are neither a thread nor its state nor a frame. */
static bool is_known(struct span line)
{
	static const char *const beginnings[] = {
		"-",
		"Full thread dump",
		"JNI global ref",
		"Threads class SMR info:",
		"_java_thread_list=",
		"0x",
		"}",
		"Locked ownable synchronizers:",
		"Carrying virtual thread",
		"No compile task",
		"Compiling:",
		"Found ",
		"===",
		"Java stack information",
		"waiting to lock monitor",
		"waiting for ownable synchronizer",
		"which is held by",
		/* A thread of the JVM that no longer has a name. */
		"os_prio=",
	};
	struct span text = span_trim_start(line);

	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (span_starts(text, beginnings[i]))
			return true;
	/* "12978:" is the process, printed by jcmd. */
	if (span_digits(line).size && span_is(span_from(line, span_digits(line).size), ":"))
		return true;
	/* 2020-01-01 00:00:00 */
	return span_starts(line, "2") && span_digits(line).size == 4 &&
	       span_starts(span_from(line, 4), "-");
}

static int jstack_line(struct listing *l, struct span line, struct error *e)
{
	struct jstack *j = l->state;
	size_t state = span_find_text(line, state_mark);

	if (!line.size)
		return listing_end(l, e);
	if (line.at[0] == '#')
		return 0;
	if (line.at[0] == '"')
		return begin_thread(l, line, e);
	if (state < line.size) {
		struct span rest = span_from(line, state + sizeof(state_mark) - 1);

		if (j->state == STATE_UNKNOWN)
			j->state = span_is(span_word(&rest), "RUNNABLE") ? STATE_RUNNABLE
									 : STATE_WAITING;
		return 0;
	}
	if (java_frame(&line)) {
		if (waits(java_push(l, line)))
			j->state = STATE_WAITING;
		return 0;
	}
	return is_known(line) ? 0 : build_note(l->b, NOTE_BAD_LINE, line, e);
}

static int jstack_read(struct build *b, struct error *e)
{
	struct jstack j = { 0 };

	return listing_read(
		&(struct listing){ .b = b, .line = jstack_line, .end = end_thread, .state = &j },
		e);
}

/* A thread, and its state below. */
static bool jstack_accepts(struct span head)
{
	bool in_thread = false;

	while (head.size) {
		struct span line = span_line(&head);

		if (span_starts(line, "Full thread dump") ||
		    (in_thread && span_contains(line, state_mark)))
			return true;
		in_thread = span_starts(line, "\"");
	}
	return false;
}

const struct reader reader_jstack = {
	.name = "jstack",
	.title = "Java thread dumps",
	.accepts = jstack_accepts,
	.read = jstack_read,
	.spelling = SPELL_THREAD | SPELL_BLANKS | SPELL_POOL | SPELL_HEX_TID,
};

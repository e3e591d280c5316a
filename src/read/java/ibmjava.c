/*
 * Javacore files of IBM's Java:
 *
 *     3XMTHREADINFO      "Worker-1" J9VMThread:0x1, java/lang/Thread:0x3, state:R, prio=5
 *     3XMTHREADINFO1            (native thread ID:0x3158, native priority:0x5)
 *     3XMTHREADINFO3           Java callstack:
 *     4XESTACKTRACE                at java/lang/Thread.run(Thread.java:785)
 *     3XMTHREADINFO3           Native callstack:
 */
#include "profile/spelling.h"
#include "read/java/java.h"
#include "read/readers.h"

static const char native_mark[] = "(native thread ID:";

/* Removes the tag and the blanks after it from the start of a line. */
static bool cut_tag(struct span *line, const char *tag)
{
	struct span rest = *line;

	if (!span_is(span_word(&rest), tag))
		return false;
	*line = span_trim_start(rest);
	return true;
}

static struct thread nobody(void)
{
	return (struct thread){ .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN };
}

static int count_thread(struct listing *l, struct error *e)
{
	struct thread *t = l->state;
	int ret = 0;

	l->b->thread = t->comm.i ? profile_thread(l->b->p, t) : (thread_id){ 0 };
	if (l->b->nr || l->b->thread.i)
		ret = build_end(l->b, LEAF_FIRST, 1, e);
	*t = nobody();
	return ret;
}

/* If a thread has no native stack, the next thread ends it. */
static int end_thread(struct listing *l, struct error *e)
{
	return l->b->nr ? count_thread(l, e) : 0;
}

static int begin_thread(struct listing *l, struct span info, struct error *e)
{
	static const char anonymous[] = "Anonymous native thread";
	struct thread *t = l->state;
	int ret = listing_end(l, e);

	*t = nobody();
	if (span_starts(info, "\"")) {
		info = span_from(info, 1);
		if (!l->b->o->drop_threads)
			t->comm = profile_string(l->b->p, span_upto(info, span_find(info, '"')));
	} else if (span_starts(info, anonymous)) {
		/* Not dropped with drop_threads, as it is not a name. */
		t->comm = profile_string(l->b->p, span_of(anonymous));
	}
	return ret;
}

static int ibmjava_line(struct listing *l, struct span line, struct error *e)
{
	struct thread *t = l->state;

	if (cut_tag(&line, "4XESTACKTRACE")) {
		if (java_frame(&line))
			java_push(l, line);
	} else if (cut_tag(&line, "3XMTHREADINFO")) {
		return begin_thread(l, line, e);
	} else if (cut_tag(&line, "3XMTHREADINFO1")) {
		if (span_starts(line, native_mark) && !l->b->o->drop_threads)
			t->tid = listing_id(span_from(line, sizeof(native_mark) - 1));
	} else if (cut_tag(&line, "3XMTHREADINFO3")) {
		/* A thread without a Java frame is a sample too. */
		return span_starts(line, "Native callstack:") ? count_thread(l, e) : 0;
	}
	return 0;
}

static int ibmjava_read(struct build *b, struct error *e)
{
	struct thread t = nobody();
	struct listing l = { .b = b, .line = ibmjava_line, .end = end_thread, .state = &t };

	return listing_read(&l, e);
}

static bool ibmjava_accepts(struct span head)
{
	while (head.size)
		if (span_starts(span_line(&head), "3XMTHREADINFO"))
			return true;
	return false;
}

const struct reader reader_ibmjava = {
	.name = "ibmjava",
	.title = "IBM javacore files",
	.accepts = ibmjava_accepts,
	.read = ibmjava_read,
	.spelling = SPELL_THREAD | SPELL_BLANKS | SPELL_HEX_TID,
};

/*
 * The output of AIX's procstack, one run per sample:
 *
 *     4128768: /usr/bin/app -x
 *     ---------- tid# 1 (pthread ID: 1) ----------
 *     0xd0123456  poll(0x1, 0x2) + 0x18
 *     0x10000100  [main]  + 0x4
 */
#include "profile/spelling.h"
#include "read/readers.h"
#include "read/text/listing.h"

static const char thread_line[] = "---------- tid# ";

/* "4128768: /usr/bin/app -x" */
static bool is_process(struct span line, struct span *pid)
{
	*pid = span_digits(line);
	return pid->size && span_starts(span_from(line, pid->size), ":");
}

static int begin_thread(struct listing *l, const struct thread *t, struct error *e)
{
	int ret = listing_end(l, e);

	*(struct thread *)l->state = *t;
	l->b->thread = profile_thread(l->b->p, t);
	return ret;
}

static void push_frame(struct listing *l, struct span line)
{
	struct span address = span_word(&line), name = span_word(&line);

	name = span_upto(name, span_find(name, '('));
	/* A name in brackets, [main], is a guess: procstack has no symbol. */
	if (!name.size || (span_starts(name, "[") && span_ends(name, "]")))
		name = address;
	listing_push(l, name);
}

static int aix_line(struct listing *l, struct span line, struct error *e)
{
	struct thread t = *(struct thread *)l->state;
	struct span pid;

	if (is_process(line, &pid)) {
		struct span command = span_from(line, pid.size + 1);

		t.pid = listing_id(pid);
		t.tid = THREAD_UNKNOWN;
		t.comm = profile_string(l->b->p, span_word(&command));
		return begin_thread(l, &t, e);
	}
	if (span_starts(line, thread_line)) {
		t.tid = listing_id(span_from(line, sizeof(thread_line) - 1));
		return begin_thread(l, &t, e);
	}
	if (span_starts(line, "0x"))
		push_frame(l, line);
	return 0;
}

static int aix_read(struct build *b, struct error *e)
{
	struct thread t = { .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN };

	return listing_read(&(struct listing){ .b = b, .line = aix_line, .state = &t }, e);
}

/* A process, and right below it a thread or a frame. */
static bool aix_accepts(struct span head)
{
	bool in_process = false;

	while (head.size) {
		struct span line = span_line(&head), pid;

		if (in_process && (span_starts(line, thread_line) || span_starts(line, "0x")))
			return true;
		in_process = is_process(line, &pid);
	}
	return false;
}

const struct reader reader_aix = {
	.name = "aix",
	.title = "AIX procstack backtraces",
	.accepts = aix_accepts,
	.read = aix_read,
	.spelling = SPELL_THREAD,
};

/*
 * Backtraces of gdb, as `thread apply all bt` prints them:
 *
 *     Thread 2 (Thread 0x7f01 (LWP 2) "worker"):
 *     #0  0x00007f00 in poll () from /lib/libc.so
 *     #1  main (argc=1) at x.c:20
 */
#include "read/readers.h"
#include "read/text/listing.h"

static void begin_thread(struct listing *l, struct span line)
{
	struct span name = span_from(line, span_find(line, '"') + 1);
	struct thread t = { .pid = THREAD_UNKNOWN };

	name = span_upto(name, span_rfind(name, '"'));
	t.tid = listing_id(span_from(line, span_find_text(line, "(LWP ") + 5));
	t.comm = profile_string(l->b->p, name);
	l->b->thread = profile_thread(l->b->p, &t);
}

/* The first word: gdb prints a blank before the parameters.  Blanks in C++ names are cut, too. */
static struct span function_of(struct span frame)
{
	struct span rest = frame, word = span_word(&rest);

	/* <signal handler called> */
	if (span_starts(word, "<") && span_ends(frame, ">"))
		return frame;
	if (span_starts(word, "0x")) {
		span_word(&rest); /* in */
		word = span_word(&rest);
	}
	return word;
}

static int gdb_line(struct listing *l, struct span line, struct error *e)
{
	struct span frame = span_trim_end(line);
	uint64_t number;

	if (listing_number(&frame, &number)) {
		/* There may be other lines between frames: only frame #0 begins a new stack. */
		if (!number && listing_end(l, e))
			return -1;
		listing_push(l, function_of(frame));
		return 0;
	}
	if (span_starts(line, "Thread")) {
		if (listing_end(l, e))
			return -1;
		begin_thread(l, line);
	}
	return frame.size ? 0 : listing_end(l, e);
}

static int gdb_read(struct build *b, struct error *e)
{
	return listing_read(&(struct listing){ .b = b, .line = gdb_line }, e);
}

/* A frame #0 with parameters. */
static bool gdb_accepts(struct span head)
{
	while (head.size) {
		struct span line = span_line(&head);
		uint64_t number;

		if (listing_number(&line, &number) && !number)
			return span_contains(line, " (");
	}
	return false;
}

const struct reader reader_gdb = {
	.name = "gdb",
	.title = "gdb backtraces",
	.accepts = gdb_accepts,
	.read = gdb_read,
};

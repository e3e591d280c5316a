/*
 * Tracebacks of Python's faulthandler, from dump_traceback_later():
 *
 *     Thread 0x00007f (most recent call first):
 *       File "/app/x.py", line 12 in inner
 */
#include "profile/spelling.h"
#include "read/readers.h"
#include "read/text/listing.h"

struct parts {
	struct span file, line, function;
};

/* Splits *s at the text: *before is the part before it, *s becomes the part after it. */
static bool cut_around(struct span *s, const char *text, struct span *before)
{
	size_t at = span_find_text(*s, text);

	if (at == s->size)
		return false;
	*before = span_upto(*s, at);
	*s = span_from(*s, at + strlen(text));
	return true;
}

static bool parse_frame(struct span line, struct parts *f)
{
	struct span before;

	if (!cut_around(&line, "  File \"", &before) || before.size)
		return false;
	if (!cut_around(&line, "\", line ", &f->file) || !cut_around(&line, " in ", &f->line))
		return false;
	f->function = line;
	/* Not `line 12, in f`: tracebacks of exceptions have the root first. */
	return span_digits(f->line).size == f->line.size || span_is(f->line, "???");
}

static void push_frame(struct listing *l, const struct parts *f)
{
	struct profile *p = l->b->p;
	struct line line = { .function = profile_string(p, listing_name(l, f->function)),
			     .file = profile_string(p, f->file) };
	uint64_t number;

	if (span_u64(f->line, &number) && number <= UINT32_MAX)
		line.line = (uint32_t)number;
	listing_push_frame(l, profile_frame(p, &(struct frame){ .line = &line, .nr_line = 1 }));
}

/* "Thread 0x00007f [name] (most recent call first):"; Python has printed the name since 3.14. */
static void begin_thread(struct listing *l, struct span line)
{
	struct thread t = { .pid = THREAD_UNKNOWN, .tid = THREAD_UNKNOWN };
	struct span name = span_from(line, span_find(line, '[') + 1);

	t.comm = profile_string(l->b->p, span_upto(name, span_rfind(name, ']')));
	l->b->thread = profile_thread(l->b->p, &t);
}

static int faulthandler_line(struct listing *l, struct span line, struct error *e)
{
	struct parts f;

	if (parse_frame(line, &f)) {
		push_frame(l, &f);
		return 0;
	}
	if (listing_end(l, e))
		return -1;
	if (span_starts(line, "Thread ") || span_starts(line, "Current thread "))
		begin_thread(l, line);
	return 0;
}

static int faulthandler_read(struct build *b, struct error *e)
{
	return listing_read(&(struct listing){ .b = b, .line = faulthandler_line }, e);
}

static bool faulthandler_accepts(struct span head)
{
	struct parts f;

	while (head.size)
		if (parse_frame(span_line(&head), &f))
			return true;
	return false;
}

const struct reader reader_faulthandler = {
	.name = "faulthandler",
	.title = "Python faulthandler tracebacks",
	.accepts = faulthandler_accepts,
	.read = faulthandler_read,
	.spelling = SPELL_LINE_FIRST,
};

/*
 * What bcc's profile and offcputime print:
 *
 *	Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.
 *
 *	    f
 *	    main
 *	    -                prog (9037)
 *	        12
 *
 * from the leaf to the root; with -d a line `--` parts the kernel's stack from the program's.  Those
 * of libbpf-tools have no heading, and with -v frames are `#0  0x7f.. main+0x12 (/usr/bin/prog+0x1012)`.
 */
#include "base/alloc.h"
#include "profile/spelling.h"
#include "read/readers.h"
#include "read/text/listing.h"

struct bcc {
	bool has_thread; /* the line with the thread was read: the count comes next */
};

/* The first lines say what is counted. */
static const struct {
	const char *begins, *event, *unit;
} headings[] = {
	{ "Sampling at ", "samples", "samples" },
	{ "Tracing off-CPU time (us) ", "off-cpu", "us" },
	{ "Tracing blocked time (us) ", "blocked", "us" },
};

/* "    -                prog (9037)" */
static bool parse_thread(struct span line, struct span *comm, struct span *pid)
{
	struct span text = span_trim(line);
	size_t paren = span_rfind_text(text, " (");
	struct span number = span_from(text, paren + 2);

	if (!span_starts(text, "-  ") || paren == text.size || !span_ends(number, ")"))
		return false;
	*comm = span_trim(span_from(span_upto(text, paren), 1));
	*pid = span_upto(number, number.size - 1);
	return span_digits(*pid).size == pid->size && pid->size;
}

static bool read_heading(struct listing *l, struct span line)
{
	for (size_t i = 0; i < ARRAY_SIZE(headings); i++)
		if (span_starts(line, headings[i].begins)) {
			l->b->event = profile_event(l->b->p, span_of(headings[i].event),
						    span_of(headings[i].unit));
			return true;
		}
	return false;
}

/* The name of a frame, without number, address, offset and file; "[unknown]" has none. */
static struct span frame_name(struct span text)
{
	if (span_at(text, 0) == '#' && is_digit(span_at(text, 1))) {
		span_word(&text);
		span_word(&text);
		text = span_trim(text);
		text = span_upto(text, span_starts(text, "(") ? 0 : span_rfind_text(text, " ("));
		text = span_upto(text, span_rfind_text(text, "+0x"));
	}
	return span_is(text, "[unknown]") ? SPAN("") : text;
}

static int bcc_line(struct listing *l, struct span line, struct error *e)
{
	struct bcc *bcc = l->state;
	struct span text = span_trim(line), comm, pid;

	if (bcc->has_thread && text.size) {
		bcc->has_thread = false;
		return listing_count(l, text, e);
	}
	if (parse_thread(line, &comm, &pid)) {
		struct thread thread = { .pid = listing_id(pid), .tid = THREAD_UNKNOWN };

		thread.comm = profile_string(l->b->p, comm);
		l->b->thread = profile_thread(l->b->p, &thread);
		bcc->has_thread = true;
		return 0;
	}
	/* Frames are indented; ^C and what the shell says are not. */
	if (!text.size || !is_blank(line.at[0])) {
		read_heading(l, line);
		return 0;
	}
	if (!span_is(text, "--"))
		listing_push(l, frame_name(text));
	return 0;
}

static int bcc_read(struct build *b, struct error *e)
{
	struct bcc bcc = { .has_thread = false };

	b->event = profile_event(b->p, SPAN("samples"), SPAN("samples"));
	return listing_read(&(struct listing){ .b = b,
					       .line = bcc_line,
					       .end = listing_cut_short,
					       .own_events = true,
					       .state = &bcc },
			    e);
}

/* A thread, and a count below it. */
static bool bcc_accepts(struct span head)
{
	bool is_thread = false;

	while (head.size) {
		struct span line = span_line(&head), text = span_trim(line), comm, pid;

		if (is_thread && text.size && span_digits(text).size == text.size)
			return true;
		is_thread = parse_thread(line, &comm, &pid);
	}
	return false;
}

const struct reader reader_bcc = {
	.name = "bcc",
	.title = "bcc profile and offcputime stacks",
	.accepts = bcc_accepts,
	.read = bcc_read,
	.spelling = SPELL_THREAD,
};

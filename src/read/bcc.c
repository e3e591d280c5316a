/*
 * The output of bcc's and libbpf-tools' profile, offcputime, offwaketime and wakeuptime:
 *
 *	Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.
 *
 *	    f
 *	    main
 *	    -                prog (9037)
 *	        12
 *
 * from the leaf to the root; with -d a line `--` separates the kernel stack from the user stack.  The
 * tools of libbpf-tools print no heading, and with -v frames are `#0  0x7f.. main+0x12 (/usr/bin/prog+0x1012)`.
 * offwaketime prints two stacks, the waker's upside down, so that they meet at the wakeup:
 *
 *	    waker:           prog 9038
 *	    main
 *	    pthread_mutex_unlock
 *	    --               --
 *	    futex_wait
 *	    main
 *	    target:          prog 9037
 *	        12
 *
 * wakeuptime only prints the waker's stack, from its leaf, between `target:` and `waker:`.
 */
#include "base/alloc.h"
#include "profile/spelling.h"
#include "read/readers.h"
#include "read/text/listing.h"

struct bcc {
	bool has_thread;     /* the line with the thread was read: the count comes next */
	bool has_heading;    /* the heading or the first stack was read, which sets the event */
	bool is_waker;	     /* frames belong to the waker */
	struct strbuf waker; /* its name; empty: unknown */
	struct strbuf name;
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

/* "    waker:           prog 9037": old versions lack the number; an unknown thread has no name. */
static bool parse_role(struct span line, const char *role, struct span *comm, struct span *pid)
{
	struct span text = span_trim(line);
	size_t blank;

	if (!span_starts(text, role))
		return false;
	text = span_trim(span_from(text, strlen(role)));
	blank = span_rfind(text, ' ');
	*pid = span_from(text, blank == text.size ? 0 : blank + 1);
	*comm = blank == text.size ? SPAN("") : span_trim(span_upto(text, blank));
	if (!pid->size || span_digits(*pid).size != pid->size) {
		*comm = text;
		*pid = SPAN("");
	}
	return true;
}

static void set_event(struct listing *l, const char *event, const char *unit)
{
	struct bcc *bcc = l->state;

	l->b->event = profile_event(l->b->p, span_of(event), span_of(unit));
	l->is_measured = !strcmp(unit, "us");
	if (l->is_measured)
		build_measure(l->b, SOURCE_MEASURED, EXTENT_SHARE);
	bcc->has_heading = true;
}

static void read_heading(struct listing *l, struct span line)
{
	for (size_t i = 0; i < ARRAY_SIZE(headings); i++)
		if (span_starts(line, headings[i].begins))
			set_event(l, headings[i].event, headings[i].unit);
}

/*
 * Without a heading, the first stack shows what is counted: if its leaf, below the BPF program, is in
 * the scheduler, the thread is being switched out.
 */
static void guess_event(struct listing *l, struct span leaf)
{
	static const char *const ends[] = { "__schedule", "schedule", "finish_task_switch" };
	struct bcc *bcc = l->state;

	if (bcc->has_heading || span_starts(leaf, "bpf_") || span_starts(leaf, "__traceiter_"))
		return;
	bcc->has_heading = true;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (span_is(span_upto(leaf, span_find(leaf, '.')), ends[i]))
			set_event(l, "off-cpu", "us");
}

/* The name of a frame, without number, address, offset and file; "[unknown]" has none. */
static struct span frame_name(struct span text)
{
	struct span rest = text, first = span_word(&rest);
	uint64_t address;

	if (span_at(text, 0) == '#' && is_digit(span_at(text, 1))) {
		span_word(&rest);
		text = span_trim(rest);
		text = span_upto(text, span_starts(text, "(") ? 0 : span_rfind_text(text, " ("));
		text = span_upto(text, span_rfind_text(text, "+0x"));
	} else if (first.size == 16 && span_hex(first, &address)) {
		text = span_trim(rest); /* ffffffff821f6b4f schedule */
	}
	return span_is(text, "[unknown]") ? SPAN("") : text;
}

static void push_frame(struct listing *l, struct span name)
{
	struct bcc *bcc = l->state;
	struct line line = { 0 };
	struct frame f = { .flags = FRAME_WAKER, .line = &line, .nr_line = 1 };

	if (!bcc->is_waker) {
		guess_event(l, name);
		listing_push(l, name);
		return;
	}
	line.function = profile_string(l->b->p, listing_name(l, name));
	f.nr_line = name.size > 0;
	listing_push_frame(l, profile_frame(l->b->p, &f));
}

/* Pushes the name of the waker, between its stack and that of the thread that it woke. */
static void push_waker(struct listing *l)
{
	struct bcc *bcc = l->state;
	struct span comm = strbuf_peek(&bcc->waker);

	bcc->is_waker = false;
	if (!comm.size)
		return;
	strbuf_reset(&bcc->name);
	strbuf_addf(&bcc->name, "[woken by %.*s]", (int)comm.size, comm.at);
	listing_push_label(l, strbuf_peek(&bcc->name));
}

static void set_thread(struct listing *l, struct span comm, struct span pid)
{
	struct thread thread = { .pid = listing_id(pid), .tid = THREAD_UNKNOWN };

	thread.comm = profile_string(l->b->p, comm);
	l->b->thread = profile_thread(l->b->p, &thread);
}

/* wakeuptime: reverses the waker's stack, which is shown upside down, above the name of the woken thread. */
static void turn_stack(struct build *b)
{
	for (size_t i = 0; i < b->nr / 2; i++) {
		frame_id f = b->frame[i];

		b->frame[i] = b->frame[b->nr - 1 - i];
		b->frame[b->nr - 1 - i] = f;
	}
}

/* A line with the name of a thread; false if it is not one. */
static bool thread_line(struct listing *l, struct span line)
{
	struct bcc *bcc = l->state;
	struct span comm, pid;

	if (parse_thread(line, &comm, &pid)) {
		set_thread(l, comm, pid);
		bcc->has_thread = true;
	} else if (parse_role(line, "waker:", &comm, &pid)) {
		strbuf_reset(&bcc->waker);
		strbuf_add(&bcc->waker, comm);
		bcc->has_thread = bcc->is_waker;
		if (bcc->is_waker) {
			turn_stack(l->b);
			push_waker(l);
		} else {
			bcc->is_waker = true;
		}
	} else if (parse_role(line, "target:", &comm, &pid)) {
		set_thread(l, comm, pid);
		bcc->has_thread = l->b->nr || strbuf_peek(&bcc->waker).size;
		bcc->is_waker = !bcc->has_thread;
	} else {
		return false;
	}
	return true;
}

/* "--" and "-" separate kernel and user stack, "--   --" the stack of the waker from that of the target. */
static bool delimiter_line(struct listing *l, struct span text)
{
	struct bcc *bcc = l->state;
	struct span rest = text, first = span_word(&rest);

	if (!span_is(first, "--") && !span_is(first, "-"))
		return false;
	rest = span_trim(rest);
	if (bcc->is_waker && span_is(rest, first.size == 2 ? "--" : "-"))
		push_waker(l);
	return true;
}

static int bcc_line(struct listing *l, struct span line, struct error *e)
{
	struct bcc *bcc = l->state;
	struct span text = span_trim(line);

	if (bcc->has_thread && text.size) {
		bcc->has_thread = bcc->is_waker = false;
		strbuf_reset(&bcc->waker);
		return listing_count(l, text, e);
	}
	/* Frames are indented; ^C and messages of the shell are not. */
	if (!text.size || !is_blank(line.at[0]))
		read_heading(l, line);
	else if (!thread_line(l, line) && !delimiter_line(l, text))
		push_frame(l, frame_name(text));
	return 0;
}

static int bcc_read(struct build *b, struct error *e)
{
	struct bcc bcc = { .has_thread = false };
	int ret;

	b->event = profile_event(b->p, SPAN("samples"), SPAN("samples"));
	ret = listing_read(&(struct listing){ .b = b,
					      .line = bcc_line,
					      .end = listing_cut_short,
					      .own_events = true,
					      .state = &bcc },
			   e);
	strbuf_release(&bcc.waker);
	strbuf_release(&bcc.name);
	return ret;
}

/* A thread, followed by a count; for offwaketime and wakeuptime both threads. */
static bool bcc_accepts(struct span head)
{
	bool is_thread = false, has_waker = false, has_target = false;

	while (head.size) {
		struct span line = span_line(&head), text = span_trim(line), comm, pid;

		if (is_thread && text.size && span_digits(text).size == text.size)
			return true;
		if (!is_blank(span_at(line, 0)))
			text = SPAN("");
		has_waker |= parse_role(text, "waker:", &comm, &pid);
		has_target |= parse_role(text, "target:", &comm, &pid);
		is_thread = parse_thread(line, &comm, &pid) ||
			    (has_waker && has_target &&
			     (span_starts(text, "waker:") || span_starts(text, "target:")));
	}
	return false;
}

const struct reader reader_bcc = {
	.name = "bcc",
	.title = "bcc profile, offcputime, offwaketime and wakeuptime stacks",
	.accepts = bcc_accepts,
	.read = bcc_read,
	.spelling = SPELL_THREAD,
};

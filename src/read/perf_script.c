/*
 * What `perf script` prints: a header (perf_header.h), one frame a line from
 * the leaf to the root (perf_frame.h), an empty line.
 */
#include "profile/spelling.h"
#include "read/build.h"
#include "read/memo.h"
#include "read/perf_frame.h"
#include "read/perf_header.h"
#include "read/readers.h"

struct perf {
	struct build *b;
	struct perf_frames frames;
	struct memo threads, events;
	/* Of the sample that is being read */
	bool in_event;
	uint64_t line; /* of its header */
	int64_t weight;
	bool is_guess; /* the header was no more than a name: it is one when a frame follows */
	struct strbuf name;
};

static uint32_t remember_thread(struct perf *f, const struct perf_header *h)
{
	uint64_t hash = intern_hash(h->who);
	uint32_t thread = memo_find(&f->threads, h->who, hash);

	if (thread == MEMO_NONE) {
		struct thread t = { .pid = h->pid,
				    .tid = h->tid,
				    .comm = profile_string(f->b->p, h->comm) };

		thread = profile_thread(f->b->p, &t).i;
		memo_add(&f->threads, h->who, hash, thread);
	}
	return thread;
}

static bool is_clock(struct span event)
{
	return span_starts(event, "cpu-clock") || span_starts(event, "task-clock");
}

static uint32_t remember_event(struct perf *f, struct span event)
{
	uint64_t hash = intern_hash(event);
	uint32_t number = memo_find(&f->events, event, hash);

	if (number == MEMO_NONE) {
		char buf[256];
		struct span name = perf_event_name(event, buf, sizeof(buf));
		struct span unit = span_upto(name, span_find(name, ':'));

		if (!name.size)
			name = unit = SPAN("samples");
		number = profile_event(f->b->p, name, is_clock(name) ? SPAN("ns") : unit);
		memo_add(&f->events, event, hash, number);
	}
	return number;
}

/* Whose sample it is, and of what. */
static void set_facts(struct perf *f, const struct perf_header *h)
{
	f->b->thread.i = remember_thread(f, h);
	f->b->event = remember_event(f, h->event);
	f->b->time = h->time;
}

static void begin_sample(struct perf *f, struct span comm)
{
	f->in_event = true;
	f->is_guess = false;
	f->line = f->b->text->line;
	f->weight = 1;
	f->frames.skip_callers = false;
	f->frames.is_java = span_starts(comm, "java");
}

static int end_sample(struct perf *f, struct error *e)
{
	thread_id thread;
	int ret;

	if (!f->in_event)
		return 0;
	f->in_event = false;
	perf_frames_flush(&f->frames);
	if (!f->b->nr && f->is_guess)
		return build_note_at(f->b, f->line, NOTE_BAD_EVENT, strbuf_peek(&f->name), e);
	if (!f->b->nr) {
		notes_add(&f->b->p->notes, NOTE_NO_STACK, 1, f->line, SPAN(""));
		if (f->b->o->drop_empty)
			return 0;
	}
	if (f->is_guess) {
		struct span name = strbuf_peek(&f->name);

		set_facts(f, &(struct perf_header){ .comm = name,
						    .who = name,
						    .pid = UINT32_MAX,
						    .tid = UINT32_MAX });
	}
	thread = f->b->thread;
	/* Whose callers are dropped has no process to hang below either. */
	if (f->frames.skip_callers)
		f->b->thread = (thread_id){ 0 };
	ret = build_end(f->b, LEAF_FIRST, f->weight, e);
	f->b->thread = thread;
	return ret;
}

static int header_line(struct perf *f, struct span line, struct error *e)
{
	struct perf_header h;

	/* A frame where a header should be. */
	if (is_blank(line.at[0]) && perf_is_frame(line))
		return build_note(f->b, NOTE_BAD_EVENT, line, e);
	if (!perf_header_parse(line, &h)) {
		/* `perf script -F comm,ip,sym` prints nothing but the name. */
		if (is_blank(line.at[0]))
			return build_note(f->b, NOTE_BAD_EVENT, line, e);
		strbuf_reset(&f->name);
		strbuf_add(&f->name, span_trim(line));
		begin_sample(f, strbuf_peek(&f->name));
		f->is_guess = true;
		return 0;
	}
	if (h.record) {
		if (h.lost)
			notes_add(&f->b->p->notes, NOTE_LOST, h.lost, f->b->text->line, SPAN(""));
		return 0;
	}
	begin_sample(f, h.comm);
	set_facts(f, &h);
	if (h.period > INT64_MAX) {
		if (build_note(f->b, NOTE_COUNT_TOO_LARGE, line, e))
			return -1;
	} else if (h.period) {
		f->weight = (int64_t)h.period;
	}
	/* The whole stack behind the event, when it is one frame. */
	if (h.tail.size && perf_frames_push(&f->frames, h.tail, DSO_NEEDED))
		return end_sample(f, e);
	return 0;
}

/* "  file.c:12", "  libc.so.6[27b25]": where the frame before it is in the source. */
static bool source_line(struct perf *f, struct span line)
{
	struct span s = span_trim(line), number;
	size_t colon = span_rfind(s, ':');
	uint64_t n;

	if (!f->b->nr)
		return false;
	if (s.at[s.size - 1] == ']')
		return span_find(s, '[') > 0 || span_contains(s, "][");
	if (s.at[0] == '|')
		return true; /* -F +srccode: the source itself */
	if (span_starts(s, "??:"))
		return true; /* perf does not know */
	number = span_from(s, colon + 1);
	number = span_upto(number, span_find(number, ' '));
	if (colon == s.size || !span_u64(number, &n) || n > UINT32_MAX)
		return false;
	if (f->b->o->srcline)
		perf_frames_source(&f->frames, span_upto(s, colon), (uint32_t)n);
	return true;
}

/* A header that says more than a name: below a stack, nothing else looks like it. */
static bool is_header(struct span line, struct perf_header *h)
{
	return perf_header_parse(line, h) && (h->event.size || h->time);
}

static bool perf_begins(struct span line)
{
	struct perf_header h;

	return !perf_is_frame(line) && is_header(line, &h);
}

/* A line below a header that is not plainly a frame. */
static int odd_line(struct perf *f, struct span line, struct error *e)
{
	struct perf_header h;

	perf_frames_flush(&f->frames);
	/* Nothing but blanks is an empty line. */
	if (!span_trim(line).size)
		return end_sample(f, e);
	if (source_line(f, line))
		return 0;
	/*
	 * Events without a stack may follow each other without an empty line,
	 * and a process may be called "dd" or "cafe".
	 */
	if (is_header(line, &h)) {
		if (end_sample(f, e))
			return -1;
		return header_line(f, line, e);
	}
	if (perf_frames_push(&f->frames, line, DSO_OPTIONAL))
		return 0;
	return build_note(f->b, NOTE_BAD_STACK_LINE, span_trim(line), e);
}

static int read_line(struct perf *f, struct span line, struct error *e)
{
	if (!line.size)
		return end_sample(f, e);
	if (line.at[0] == '#')
		return 0;
	if (f->in_event)
		return perf_frames_line(&f->frames, line) ? 0 : odd_line(f, line, e);
	return span_trim(line).size ? header_line(f, line, e) : 0;
}

static int perf_read(struct build *b, struct error *e)
{
	struct perf f = { .b = b, .frames = { .b = b } };
	struct span line;
	int ret = 0;

	while (!ret && text_line(b->text, &line)) {
		ret = read_line(&f, line, e);
		/* The next line is in another chunk, which takes the place of this one. */
		if (b->text->at == b->text->end)
			perf_frames_flush(&f.frames);
	}
	if (!ret)
		ret = end_sample(&f, e);
	perf_frames_release(&f.frames);
	memo_release(&f.threads);
	memo_release(&f.events);
	strbuf_release(&f.name);
	return ret;
}

/*
 * A header with a frame below it, or one with its only frame behind it.  A
 * line of folded text ("main loop 5") could be a header without time and
 * event: then what is below must be indented, as perf does.
 */
static bool perf_accepts(struct span head)
{
	bool below_header = false, sure = false;

	while (head.size) {
		size_t n = span_find(head, '\n');
		struct span line = span_trim_end(span_upto(head, n));
		struct perf_header h;
		uint64_t address;

		head = span_from(head, n + 1);
		if (!line.size || line.at[0] == '#') {
			below_header = false;
			continue;
		}
		if (below_header)
			return sure ? span_hex(span_word(&line), &address)
				    : is_blank(line.at[0]) && perf_is_frame(line);
		if (!perf_header_parse(line, &h))
			return false;
		if (perf_is_frame(h.tail))
			return true;
		below_header = !h.record;
		sure = h.time || (h.event.size && h.tid != UINT32_MAX);
	}
	return false;
}

const struct reader reader_perf = {
	.name = "perf",
	.title = "perf script text",
	.accepts = perf_accepts,
	.read = perf_read,
	.split = SPLIT_BLANK_LINE,
	.parallel = true,
	.begins = perf_begins,
	.spelling = SPELL_THREAD | SPELL_INLINED,
};

/*
 * The output of `perf script`: a header (script_header.h), one frame per line
 * from the leaf to the root (script_frame.h), an empty line.
 */
#include "profile/cpu_labels.h"
#include "profile/spelling.h"
#include "read/build.h"
#include "read/perf_script/script_facts.h"
#include "read/perf_script/script_frame.h"
#include "read/perf_script/script_header.h"
#include "read/readers.h"
#include "read/text/memo.h"

struct perf {
	struct build *b;
	struct perf_frames frames;
	struct memo threads, events;
	struct cpu_labels cpus;
	struct perf_headers headers;
	bool is_headerless; /* samples have stacks, but no headers */
	/* Of the sample that is being read: */
	enum {
		BETWEEN,     /* none: the next line is a header */
		BEHIND_TAIL, /* its header ended in a frame, usually the only one */
		IN_STACK,
	} state;
	uint64_t line; /* of its header */
	int64_t weight;
	bool is_guess;	      /* the header may be just a thread's name: it is if a frame follows */
	struct strbuf header; /* … its text until then */
};

static uint32_t remember_event(struct perf *f, struct span event)
{
	uint64_t hash = intern_hash(event);
	uint32_t number = memo_find(&f->events, event, hash);

	if (number == MEMO_NONE) {
		number = perf_event_add(f->b->p, event);
		memo_add(&f->events, event, hash, number);
	}
	return number;
}

static label_id cpu_of(struct perf *f, const struct script_header *h)
{
	uint64_t cpu;

	if (!h->cpu.size || !span_u64(h->cpu, &cpu))
		return (label_id){ 0 };
	return cpu_labels_get(&f->cpus, f->b->p, cpu);
}

/* Sets the thread, event, time and CPU of the next sample. */
static void set_facts(struct perf *f, const struct script_header *h)
{
	f->b->thread = script_header_thread(f->b, &f->threads, h);
	f->b->event = remember_event(f, h->event);
	f->b->time = h->time;
	if (build_wants_labels(f->b, UNREAD_CPUS, h->cpu.size > 0))
		f->b->labels = cpu_of(f, h);
}

/* `perf script -F comm,ip,sym` only prints the name. */
static void parse_guess(struct perf *f, struct span line, struct script_header *h)
{
	if (!perf_headers_parse(&f->headers, line, h))
		h->comm = h->who = span_trim(line);
}

static int end_sample(struct perf *f, struct error *e)
{
	thread_id thread;
	stack_id stack;
	int ret = 0;

	if (f->state == BETWEEN)
		return 0;
	f->state = BETWEEN;
	stack = perf_frames_find(&f->frames);
	if (!stack.i && !f->b->nr && f->is_guess)
		return build_note_at(f->b, f->line, NOTE_BAD_EVENT,
				     span_trim(strbuf_peek(&f->header)), e);
	if (!stack.i && !f->b->nr) {
		notes_add(&f->b->p->notes, NOTE_NO_STACK, 1, f->line, SPAN(""));
		if (f->b->o->drop_empty)
			return 0;
	}
	if (f->is_guess) {
		struct script_header h;

		parse_guess(f, strbuf_peek(&f->header), &h);
		set_facts(f, &h);
	}
	thread = f->b->thread;
	/* When callers are dropped, so is the thread, which is the outermost of them. */
	if (f->frames.skip_callers)
		f->b->thread = (thread_id){ 0 };
	if (!stack.i) {
		ret = build_stack(f->b, LEAF_FIRST, &stack, e);
		perf_frames_keep(&f->frames, stack);
	}
	if (!ret)
		ret = build_end_at(f->b, stack, f->weight, e);
	f->b->thread = thread;
	return ret;
}

/*
 * "    7f1234 main+0x12 (/bin/a)" after the event is the whole stack, unless
 * frames follow on the next lines.  With -F addr, a data address comes before it:
 * the last address counts.
 */
static bool push_tail(struct perf *f, struct span tail)
{
	enum { ADDRESS_WIDTH = 17 };
	struct span rest = tail, frame = tail;
	enum perf_dso dso = DSO_NEEDED;

	while (rest.size) {
		const char *before = rest.at;
		struct span word = span_word(&rest);
		uint64_t address;

		if ((size_t)(rest.at - before) < ADDRESS_WIDTH || !span_hex(word, &address))
			continue;
		frame = span_between(word.at, tail.at + tail.size);
		dso = DSO_OPTIONAL;
	}
	return tail.size &&
	       (perf_frames_line(&f->frames, frame) || perf_frames_push(&f->frames, frame, dso));
}

/* -F +cgroup: the path after the event becomes a label, in addition to that of the CPU. */
static void set_cgroup(struct perf *f, struct span tail)
{
	enum { CGROUP_AND_CPU = 2 };
	struct profile *p = f->b->p;
	const struct label_set *set = &p->labels[f->b->labels.i];
	struct label label[CGROUP_AND_CPU] = { 0 };
	struct span path = span_trim(tail);

	if (!span_starts(path, "/") || span_find(path, ' ') < path.size ||
	    !build_wants_labels(f->b, UNREAD_LABELS, true))
		return;
	label[0].key = profile_string(p, SPAN("cgroup"));
	label[0].value = profile_string(p, path);
	if (set->nr)
		label[1] = set->label[0];
	f->b->labels = profile_labels(p, label, set->nr ? CGROUP_AND_CPU : 1);
}

static int begin_sample(struct perf *f, const struct script_header *h, struct span line,
			struct error *e)
{
	bool is_unnamed;

	f->state = IN_STACK;
	f->line = f->b->text->line;
	is_unnamed = f->b->o->script.timed_events && (h->tail.size || !h->has_time);
	f->weight = h->period && h->period <= INT64_MAX && !is_unnamed ? (int64_t)h->period : 1;
	f->frames.skip_callers = false;
	f->frames.is_java = span_starts(h->comm, "java");
	f->is_guess = !h->has_time && !h->event.size;
	if (f->is_guess) {
		strbuf_reset(&f->header);
		strbuf_add(&f->header, line);
	} else {
		set_facts(f, h);
		if (is_unnamed)
			f->b->event = remember_event(f, SPAN(""));
		set_cgroup(f, h->tail);
	}
	if (push_tail(f, h->tail))
		f->state = BEHIND_TAIL;
	return h->period > INT64_MAX ? build_note(f->b, NOTE_COUNT_TOO_LARGE, line, e) : 0;
}

/* -F +srccode: "|12  return x;", -F +insn: " ilen: 3 insn: 48 01 ca" */
static bool is_code(struct span line)
{
	return (line.size > 1 && line.at[0] == '|' && is_digit(line.at[1])) ||
	       span_starts(line, " ilen: ") || span_starts(line, " insn: ");
}

/* In perf's output, only frames begin with a tab; copied text may have blanks instead. */
static bool looks_like_frame(struct span line)
{
	struct script_header h;
	struct script_frame frame;

	if (line.at[0] == '\t')
		return script_frame_parse(line, &frame);
	return is_blank(line.at[0]) && perf_is_frame(line) &&
	       !(script_header_parse(line, &h) && script_header_is_sure(&h));
}

/* "file.c:12 (discriminator 3)", or if the line is unknown, "libc.so.6[27b25]" */
static bool parse_source(struct span s, struct span *file, uint32_t *line)
{
	size_t bracket = span_rfind(s, '['), colon = span_rfind(s, ':');
	struct span number = span_from(s, colon + 1);
	uint64_t value;

	*file = SPAN("");
	*line = 0;
	if (span_ends(s, "]") &&
	    span_hex(span_upto(span_from(s, bracket + 1), s.size - bracket - 2), &value)) {
		/* The kernel's name is in brackets, and is not a file. */
		if (s.at[0] != '[')
			*file = span_upto(s, bracket);
		return true;
	}
	if (span_starts(s, "??:"))
		return true; /* unknown to perf */
	number = span_upto(number, span_find(number, ' '));
	if (colon == s.size || !span_u64(number, &value) || value > UINT32_MAX)
		return false;
	*file = span_upto(s, colon);
	*line = (uint32_t)value;
	return true;
}

/* -F +srcline: the source line of the frame on the previous line. */
static bool source_line(struct perf *f, struct span line)
{
	struct span file;
	uint32_t number;

	if (!f->b->nr || !parse_source(span_trim(line), &file, &number))
		return false;
	if (build_wants_lines(f->b, number != 0) && file.size)
		perf_frames_source(&f->frames, file, number);
	return true;
}

static int odd_line(struct perf *f, struct span line, struct error *e);

static int stack_line(struct perf *f, struct span line, struct error *e)
{
	return perf_frames_line(&f->frames, line) ? 0 : odd_line(f, line, e);
}

/* A frame where a header should be. */
static int stray_frame(struct perf *f, struct span line, struct error *e)
{
	static const struct script_header nothing = { .has_time = true, .tid = THREAD_UNKNOWN };

	/* So the text after the event was a data address, not a frame. */
	if (f->state == BEHIND_TAIL) {
		build_drop(f->b);
		f->frames.skip_callers = false;
		f->state = IN_STACK;
	} else if (!f->is_headerless) {
		return build_note(f->b, NOTE_BAD_EVENT, line, e);
	} else if (begin_sample(f, &nothing, line, e)) {
		return -1;
	}
	return stack_line(f, line, e);
}

/* A line where a header is expected. */
static int header_line(struct perf *f, struct span line, struct error *e)
{
	struct script_header h;
	bool is_sure;

	if (is_code(line))
		return 0;
	perf_frames_flush(&f->frames);
	if (f->state == BEHIND_TAIL ? line.at[0] == '\t' : looks_like_frame(line))
		return stray_frame(f, line, e);
	parse_guess(f, line, &h);
	is_sure = script_header_is_sure(&h);
	if (!is_sure && (line.at[0] == '#' || (f->state == BEHIND_TAIL && source_line(f, line))))
		return 0;
	if (end_sample(f, e))
		return -1;
	if (!span_trim(line).size)
		return 0;
	if (h.record) {
		if (h.lost)
			notes_add(&f->b->p->notes, NOTE_LOST, h.lost, f->b->text->line, SPAN(""));
		return 0;
	}
	return begin_sample(f, &h, line, e);
}

/* A header with more than a name: no line of a stack looks like it. */
static bool perf_begins(struct span line)
{
	struct script_header h;

	return !perf_is_frame(line) && script_header_parse(line, &h) && script_header_is_sure(&h);
}

/* A line after a header that is not clearly a frame. */
static int odd_line(struct perf *f, struct span line, struct error *e)
{
	struct script_header h;

	perf_frames_flush(&f->frames);
	/* A line of blanks counts as empty. */
	if (!span_trim(line).size)
		return end_sample(f, e);
	if (is_code(line) ||
	    (line.at[0] == '\t' && perf_frames_push(&f->frames, line, DSO_OPTIONAL)))
		return 0;
	/*
	 * Events without a stack may follow each other without an empty line,
	 * and a process may be called "dd" or "cafe".
	 */
	if (script_header_parse(line, &h) && script_header_is_sure(&h))
		return header_line(f, line, e);
	/* `f0a ~f a.js:1 (/tmp/perf-1.map) ` ends like a source line, but has an address and a DSO. */
	if (line.at[0] == '#' || perf_frames_push(&f->frames, line, DSO_NEEDED) ||
	    source_line(f, line) || perf_frames_push(&f->frames, line, DSO_OPTIONAL))
		return 0;
	return build_note(f->b, NOTE_BAD_STACK_LINE, span_trim(line), e);
}

/* `perf script -F ip,sym` prints an empty line in place of the header. */
static bool is_headerless(struct span head)
{
	struct span line = span_from(head, 1);

	line = span_upto(line, span_find(line, '\n'));
	return span_starts(head, "\n") && line.size && looks_like_frame(line);
}

static int read_line(struct perf *f, struct span line, struct error *e)
{
	if (!line.size)
		return end_sample(f, e);
	return f->state == IN_STACK ? stack_line(f, line, e) : header_line(f, line, e);
}

static int perf_read(struct build *b, struct error *e)
{
	struct perf f = { .b = b, .frames = { .b = b }, .is_headerless = is_headerless(b->head) };
	struct span line;
	int ret = 0;

	perf_facts(b->p, b->head);
	if (b->o->script.inlines)
		f.frames.addr2line = addr2line_new();
	while (!ret && text_line(b->text, &line)) {
		ret = read_line(&f, line, e);
		/* The next line is in another chunk, which replaces this one. */
		if (b->text->at == b->text->end)
			perf_frames_flush(&f.frames);
	}
	if (!ret)
		ret = end_sample(&f, e);
	perf_facts_sources(b->p, b->head);
	perf_frames_release(&f.frames);
	perf_headers_release(&f.headers);
	memo_release(&f.threads);
	memo_release(&f.events);
	cpu_labels_release(&f.cpus);
	strbuf_release(&f.header);
	return ret;
}

/* A tab and an address of 16 columns: only perf writes this. */
static bool has_padded_address(struct span line)
{
	struct span address = span_upto(span_from(line, 1), 16);
	uint64_t unused;

	return address.size == 16 && span_hex(span_trim_start(address), &unused) &&
	       (line.size == 17 || line.at[17] == ' ');
}

/* -F ip,sym,dso: an empty line in place of the header, then a padded address, which only perf writes. */
static bool is_headerless_perf(struct span head)
{
	struct span line;

	if (!is_headerless(head))
		return false;
	line = span_from(head, 1);
	return has_padded_address(span_upto(line, span_find(line, '\n')));
}

/* A tracepoint without a stack: the header is complete, and arguments follow. */
static bool is_tracepoint(const struct script_header *h)
{
	return h->has_time && h->tid != THREAD_UNKNOWN && h->tail.size &&
	       span_find(h->event, ':') < h->event.size;
}

/*
 * A header followed by a frame, on the next line or the same one.  If the header
 * could be something else, the frame must have perf's exact format.  Tracepoints
 * may all lack stacks, if these were not requested.
 */
static bool perf_accepts(struct span head)
{
	enum { NOTHING, SOMETHING, HEADER } above = NOTHING;
	bool all_tracepoints = true;

	if (is_headerless_perf(head))
		return true;

	while (head.size) {
		size_t n = span_find(head, '\n');
		struct span line = span_trim_end(span_upto(head, n));
		struct script_frame frame;
		struct script_header h;

		head = span_from(head, n + 1);
		if (!line.size || line.at[0] == '#') {
			above = NOTHING;
			continue;
		}
		if (above != NOTHING && line.at[0] == '\t' &&
		    (perf_is_frame(line) || has_padded_address(line)))
			return true;
		if (above == SOMETHING)
			return false;
		if (!script_header_parse(line, &h) || !script_header_is_sure(&h)) {
			if (above == HEADER || perf_is_frame(line))
				return above == HEADER && script_frame_parse(line, &frame);
			above = SOMETHING;
			continue;
		}
		if (perf_is_frame(h.tail))
			return true;
		all_tracepoints &= h.record || is_tracepoint(&h);
		above = h.record ? NOTHING : HEADER;
	}
	return above == HEADER && all_tracepoints;
}

const struct reader reader_perf = {
	.name = "perf",
	.title = "perf script text",
	.accepts = perf_accepts,
	.read = perf_read,
	.timed = true,
	.split = SPLIT_BLANK_LINE,
	.parallel = true,
	.begins = perf_begins,
	.spelling = SPELL_THREAD | SPELL_INLINED,
};

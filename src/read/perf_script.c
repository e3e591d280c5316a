/*
 * What `perf script` prints: a header (perf_header.h), one frame a line from
 * the leaf to the root, an empty line.  Addresses and times are new in every
 * sample, all else repeats: the text behind the address is worked on once and
 * remembered.
 */
#include "base/alloc.h"
#include "profile/spelling.h"
#include "read/addr2line.h"
#include "read/build.h"
#include "read/memo.h"
#include "read/names.h"
#include "read/perf_frame.h"
#include "read/perf_header.h"
#include "read/readers.h"

#include <stdlib.h>

/* What a stack line comes to when it is not simply one frame. */
struct several {
	frame_id *frame; /* caller first */
	size_t nr;
	bool skip_callers;
};

/* Set in a remembered value: an index into `several`, not a frame. */
#define SEVERAL (UINT32_C(1) << 31)

struct perf {
	struct build *b;
	struct memo lines[2]; /* by whether the process is Java's */
	struct memo threads, events;
	struct several *several;
	size_t nr_several, cap_several;
	struct strbuf rust, tidy;
	struct addr2line *addr2line; /* NULL: not asked for */
	bool by_address;	     /* equal text is no equal frame: the address counts too */
	bool is_headerless;	     /* samples are stacks and nothing else */
	/* Of the sample that is being read */
	enum { BETWEEN, BEHIND_TAIL, IN_STACK } state;
	bool is_java;
	bool is_guess; /* the header was no more than a name: a frame must follow */
	bool skip_callers;
	int64_t weight;
	struct frame last; /* of the line read last: its source line may follow */
};

static bool is_skipped_after(const struct perf *f, struct span name)
{
	for (size_t i = 0; i < f->b->o->nr_skip_after; i++)
		if (span_is(name, f->b->o->skip_after[i]))
			return true;
	return false;
}

/* One function of a line: `a->b` in a JIT's map means that b is inlined into a. */
static frame_id function_frame(struct perf *f, struct frame frame, struct span name)
{
	struct line line = { 0 };
	frame_id id;

	if (!span_is(name, "[unknown]")) {
		name = name_tidy(name, f->b->o->tidy, &f->tidy);
		if (f->is_java)
			name = name_java(name);
		line.function = profile_string(f->b->p, name);
		frame.address = 0;
		frame.line = &line;
		frame.nr_line = 1;
	}
	id = profile_frame(f->b->p, &frame);
	frame.line = NULL;
	f->last = frame;
	return id;
}

/* Would addr2line know more?  It reads executables, not what a JIT or the kernel has in memory. */
static bool is_executable(const struct frame *frame, struct span dso)
{
	return dso.size && frame->kind != FRAME_JIT && !(frame->flags & FRAME_INLINED) &&
	       span_find(dso, '[') == dso.size && !span_contains(dso, "kernel.");
}

/* One frame for a function and all that was inlined into it there. */
static bool inlined_frame(struct perf *f, struct frame frame, struct span symbol, struct span dso,
			  uint64_t address, uint32_t *value)
{
	struct line line[ADDR2LINE_MAX];

	if (!f->addr2line || !is_executable(&frame, dso))
		return false;
	frame.nr_line = addr2line_find(f->addr2line, dso, address, symbol, f->b->p, line);
	if (!frame.nr_line)
		return false;
	for (size_t i = 0; i < frame.nr_line && !f->b->o->inline_lines; i++)
		line[i] = (struct line){ .function = line[i].function };
	frame.line = line;
	*value = profile_frame(f->b->p, &frame).i;
	return true;
}

/* The symbol and dso of one line, worked out: a frame, or an index of several. */
static uint32_t parse_frame(struct perf *f, struct span symbol, struct span dso, uint64_t address)
{
	struct frame frame = { 0 };
	struct several several = { 0 };
	uint32_t value;

	symbol = span_trim(symbol);
	if (span_is(dso, "inlined")) {
		frame.flags |= FRAME_INLINED;
	} else {
		frame.kind = perf_frame_kind(dso);
		if (!span_is(dso, "[unknown]") && dso.size)
			frame.module = profile_module(f->b->p, dso, SPAN(""));
	}
	if (inlined_frame(f, frame, symbol, dso, address, &value))
		return value;
	if (!symbol.size)
		symbol = SPAN(" ");
	symbol = name_without_offset(symbol);
	if (!f->b->o->mangled_rust)
		symbol = name_rust(symbol, &f->rust);
	if (f->b->o->addresses)
		frame.address = address;
	several.skip_callers = is_skipped_after(f, symbol);
	/* A symbol in parentheses is the name of a process. */
	while (symbol.at[0] != '(' || several.nr) {
		size_t arrow = span_find_text(symbol, "->");
		struct frame one = frame;

		if (several.nr)
			one.flags |= FRAME_JIT_INLINED;
		several.frame =
			xreallocarray(several.frame, several.nr + 1, sizeof(*several.frame));
		several.frame[several.nr++] = function_frame(f, one, span_upto(symbol, arrow));
		if (arrow == symbol.size)
			break;
		symbol = span_from(symbol, arrow + 2);
		if (!symbol.size)
			symbol = SPAN(" ");
	}
	if (several.nr == 1 && !several.skip_callers) {
		value = several.frame[0].i;
		free(several.frame);
		return value;
	}
	GROW(f->several, f->nr_several, f->cap_several);
	f->several[f->nr_several] = several;
	return (uint32_t)f->nr_several++ | SEVERAL;
}

static void push_value(struct perf *f, uint32_t value)
{
	const struct several *s;

	if (__builtin_expect(!(value & SEVERAL), 1)) {
		build_push(f->b, (frame_id){ value });
		return;
	}
	s = &f->several[value & ~SEVERAL];
	for (size_t i = s->nr; i-- > 0;)
		build_push(f->b, s->frame[i]);
	f->skip_callers = s->skip_callers;
}

static int end_sample(struct perf *f, struct error *e)
{
	thread_id thread = f->b->thread;
	bool was_guess = f->is_guess;
	int ret;

	if (f->state == BETWEEN)
		return 0;
	f->state = BETWEEN;
	f->is_guess = false;
	if (!f->b->nr) {
		if (was_guess)
			return build_note(f->b, NOTE_BAD_EVENT,
					  profile_peek(f->b->p, f->b->p->thread[thread.i].comm), e);
		notes_add(&f->b->p->notes, NOTE_NO_STACK, 1, f->b->text->line, SPAN(""));
		if (f->b->o->drop_empty)
			return 0;
	}
	/* Whose callers are dropped has no process to hang below either. */
	if (f->skip_callers)
		f->b->thread = (thread_id){ 0 };
	ret = build_end(f->b, LEAF_FIRST, f->weight, e);
	f->b->thread = thread;
	return ret;
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

/*
 * "    7f1234 main+0x12 (/bin/a)" behind the event is the whole stack, when
 * there is none below.  The address of data may come first: the last counts.
 */
static bool push_tail(struct perf *f, struct span tail)
{
	enum { ADDRESS_WIDTH = 17 };
	struct span rest = tail, frame = tail;
	bool is_padded = false;
	struct perf_frame parsed;

	while (rest.size) {
		const char *before = rest.at;
		struct span word = span_word(&rest);
		uint64_t address;

		if ((size_t)(rest.at - before) < ADDRESS_WIDTH || !span_hex(word, &address))
			continue;
		frame = span_between(word.at, tail.at + tail.size);
		is_padded = true;
	}
	if (!perf_frame_parse(frame, &parsed) || (!parsed.dso.size && !is_padded))
		return false;
	push_value(f, parse_frame(f, parsed.symbol, parsed.dso, parsed.address));
	return true;
}

static void begin_sample(struct perf *f, const struct perf_header *h)
{
	f->state = IN_STACK;
	/* Nothing but a name or a number: a frame must follow. */
	f->is_guess = !h->has_time && !h->event.size;
	f->skip_callers = false;
	f->weight = 1;
	if (h->period > INT64_MAX)
		notes_add(&f->b->p->notes, NOTE_COUNT_TOO_LARGE, 1, f->b->text->line, SPAN(""));
	else if (h->period)
		f->weight = (int64_t)h->period;
	f->is_java = span_starts(h->comm, "java");
	f->b->thread = perf_header_thread(f->b, &f->threads, h);
	f->b->event = remember_event(f, h->event);
	f->b->time = h->time;
	if (h->tail.size && push_tail(f, h->tail))
		f->state = BEHIND_TAIL;
}

/* "\t  7f1234 main+0x12 (/bin/a)"; perf begins them with a tab, and nothing else. */
static bool looks_like_frame(struct span line)
{
	struct perf_frame frame;
	struct perf_header h;

	if (!is_blank(line.at[0]) || !perf_frame_parse(line, &frame))
		return false;
	if (line.at[0] == '\t')
		return true;
	return frame.dso.size && !(perf_header_parse(line, &h) && perf_header_is_sure(&h));
}

/* -F +srccode: "|12  return x;", -F +insn: " ilen: 3 insn: 48 01 ca" */
static bool is_code(struct span line)
{
	return (line.size > 1 && line.at[0] == '|' && is_digit(line.at[1])) ||
	       span_starts(line, " ilen: ") || span_starts(line, " insn: ");
}

/* "file.c:12 (discriminator 3)", or where there is no more to know "libc.so.6[27b25]" */
static bool parse_source(struct span s, struct span *file, uint32_t *line)
{
	size_t bracket = span_rfind(s, '['), colon = span_rfind(s, ':');
	struct span number = span_from(s, colon + 1);
	uint64_t value;

	*file = SPAN("");
	*line = 0;
	if (span_ends(s, "]") &&
	    span_hex(span_upto(span_from(s, bracket + 1), s.size - bracket - 2), &value)) {
		/* The kernel's name stands in brackets, and is no file. */
		if (s.at[0] != '[')
			*file = span_upto(s, bracket);
		return true;
	}
	if (span_is(s, "??:0") || span_is(s, "??:?"))
		return true;
	number = span_upto(number, span_find(number, ' '));
	if (colon == s.size || !span_u64(number, &value) || value > UINT32_MAX)
		return false;
	*file = span_upto(s, colon);
	*line = (uint32_t)value;
	return true;
}

/* Where the frame before it is in the source: perf script -F +srcline. */
static bool source_line(struct perf *f, struct span line)
{
	struct span s = span_trim(line), file;
	struct line with = { 0 };
	frame_id *frame;

	if (!f->b->nr || !s.size)
		return false;
	if (!parse_source(s, &file, &with.line))
		return false;
	if (!f->last.nr_line || !f->b->o->srcline || !file.size)
		return true;
	frame = &f->b->frame[f->b->nr - 1];
	with.file = profile_string(f->b->p, file);
	with.function = f->b->p->frame[frame->i].line[0].function;
	f->last.line = &with;
	*frame = profile_frame(f->b->p, &f->last);
	return true;
}

static inline int frame_line(struct perf *f, struct span line, struct error *e);

/* A frame where a header should be. */
static int stray_frame(struct perf *f, struct span line, struct error *e)
{
	static const struct perf_header nothing = { .tid = THREAD_UNKNOWN };

	/* What stood behind the event was no frame, then, but the address of some data. */
	if (f->state == BEHIND_TAIL) {
		build_drop(f->b);
		f->state = IN_STACK;
		return frame_line(f, line, e);
	}
	if (!f->is_headerless)
		return build_note(f->b, NOTE_BAD_EVENT, line, e);
	begin_sample(f, &nothing);
	return frame_line(f, line, e);
}

/* A line where a header is expected. */
static int header_line(struct perf *f, struct span line, struct error *e)
{
	struct perf_header h;
	bool is_header;

	if (is_code(line))
		return 0;
	if (f->state == BEHIND_TAIL ? line.at[0] == '\t' : looks_like_frame(line))
		return stray_frame(f, line, e);
	is_header = perf_header_parse(line, &h);
	if (!is_header || !perf_header_is_sure(&h)) {
		if (line.at[0] == '#' || (f->state == BEHIND_TAIL && source_line(f, line)))
			return 0;
	}
	if (end_sample(f, e))
		return -1;
	if (!span_trim(line).size)
		return 0;
	/* `perf script -F comm,ip,sym` prints nothing but the name. */
	if (!is_header) {
		if (is_blank(line.at[0]))
			return build_note(f->b, NOTE_BAD_EVENT, line, e);
		h.comm = h.who = span_trim(line);
	}
	if (!h.record)
		begin_sample(f, &h);
	else if (h.lost)
		notes_add(&f->b->p->notes, NOTE_LOST, h.lost, f->b->text->line, SPAN(""));
	return 0;
}

/* A line below a header that does not begin as a frame does. */
static int odd_line(struct perf *f, struct span line, struct error *e)
{
	struct perf_header h;

	if (!span_trim(line).size)
		return end_sample(f, e);
	if (is_code(line))
		return 0;
	/* Events without a stack may follow each other without an empty line. */
	if (perf_header_parse(line, &h) && perf_header_is_sure(&h))
		return header_line(f, line, e);
	if (line.at[0] == '#' || source_line(f, line))
		return 0;
	return build_note(f->b, NOTE_BAD_STACK_LINE, span_trim(line), e);
}

/* The first sight of a line, or one that is not remembered. */
static int new_frame_line(struct perf *f, struct span line, struct span key, uint64_t hash,
			  struct error *e)
{
	struct span symbol = line, dso = SPAN(""), pc = span_word(&symbol);
	struct perf_header h;
	uint64_t address = 0;
	uint32_t value;

	(void)span_hex(pc, &address);
	symbol = symbol.size ? span_trim_end(span_from(symbol, 1)) : SPAN("[unknown]");
	/* Without a dso it may be a header whose process is called "dd" or "cafe". */
	if (!perf_frame_cut_dso(&symbol, &dso) && line.at[0] != '\t' &&
	    perf_header_parse(line, &h) && perf_header_is_sure(&h))
		return odd_line(f, line, e);
	value = parse_frame(f, symbol, dso, address);
	if (!f->b->o->srcline)
		memo_add(&f->lines[f->is_java], key, hash, value);
	push_value(f, value);
	return 0;
}

static const bool hex_digit[256] = {
	['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true,
	['6'] = true, ['7'] = true, ['8'] = true, ['9'] = true, ['a'] = true, ['b'] = true,
	['c'] = true, ['d'] = true, ['e'] = true, ['f'] = true, ['A'] = true, ['B'] = true,
	['C'] = true, ['D'] = true, ['E'] = true, ['F'] = true,
};

static inline int frame_line(struct perf *f, struct span line, struct error *e)
{
	const char *at = line.at, *end = line.at + line.size, *pc;
	struct span key;
	uint32_t value;
	uint64_t hash;

	while (at < end && is_blank(*at))
		at++;
	pc = at;
	while (at < end && hex_digit[(unsigned char)*at])
		at++;
	if (at == pc || (at < end && *at != ' '))
		return odd_line(f, line, e);
	if (f->skip_callers)
		return 0;
	key = span_between(f->by_address ? pc : at, end);
	hash = intern_hash(key);
	value = memo_find(&f->lines[f->is_java], key, hash);
	if (__builtin_expect(value == MEMO_NONE, 0))
		return new_frame_line(f, line, key, hash, e);
	push_value(f, value);
	return 0;
}

/* `perf script -F ip,sym` prints an empty line where the header would be. */
static bool is_headerless(struct span head)
{
	struct span line = span_from(head, 1);

	line = span_upto(line, span_find(line, '\n'));
	return span_starts(head, "\n") && line.size && looks_like_frame(line);
}

static int perf_read(struct build *b, struct error *e)
{
	struct perf f = { .b = b, .by_address = b->o->addresses || b->o->inlines };
	struct span line;
	int ret = 0;

	f.is_headerless = is_headerless(b->head);
	if (b->o->inlines)
		f.addr2line = addr2line_new();
	while (!ret && text_line(b->text, &line)) {
		if (!line.size)
			ret = end_sample(&f, e);
		else if (f.state == IN_STACK)
			ret = frame_line(&f, line, e);
		else
			ret = header_line(&f, line, e);
	}
	if (!ret)
		ret = end_sample(&f, e);
	for (size_t i = 0; i < f.nr_several; i++)
		free(f.several[i].frame);
	free(f.several);
	addr2line_free(f.addr2line);
	memo_release(&f.lines[0]);
	memo_release(&f.lines[1]);
	memo_release(&f.threads);
	memo_release(&f.events);
	strbuf_release(&f.rust);
	strbuf_release(&f.tidy);
	return ret;
}

/* A header with a frame below it, or one with its only frame behind it. */
static bool perf_accepts(struct span head)
{
	bool below_header = false;

	while (head.size) {
		size_t n = span_find(head, '\n');
		struct span line = span_trim_end(span_upto(head, n));
		struct perf_frame frame;
		struct perf_header h;

		head = span_from(head, n + 1);
		if (!line.size || line.at[0] == '#') {
			below_header = false;
			continue;
		}
		if (!perf_header_parse(line, &h) || !perf_header_is_sure(&h))
			return below_header && perf_frame_parse(line, &frame);
		if (perf_frame_parse(h.tail, &frame) && frame.dso.size)
			return true;
		below_header = !h.record;
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
	.spelling = SPELL_THREAD | SPELL_INLINED,
};

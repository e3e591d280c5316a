#include "read/perf_script/script_frame.h"

#include "base/alloc.h"
#include "base/swar.h"
#include "read/text/names.h"

#include <stdlib.h>

enum frame_kind script_frame_kind(struct span dso)
{
	size_t vmlinux = span_rfind_text(dso, "vmlinux");
	bool is_vmlinux = vmlinux < dso.size;

	if (span_is(dso, "[unknown]"))
		return FRAME_USER;
	for (size_t i = vmlinux; i < dso.size; i++) {
		char c = dso.at[i];

		if (!is_digit(c) && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z') && c != '.' &&
		    c != '_' && c != '-')
			is_vmlinux = false;
	}
	if (span_starts(dso, "[") || span_ends(dso, ".ko") || is_vmlinux)
		return FRAME_KERNEL;
	if ((span_starts(dso, "/tmp/perf-") && span_ends(dso, ".map")) ||
	    (span_contains(dso, "/jitted-") && span_ends(dso, ".so")))
		return FRAME_JIT;
	return FRAME_USER;
}

/* The same with script_policy.plain_kinds. */
static enum frame_kind plain_kind(struct span dso)
{
	static const char MAP[] = "/tmp/perf-";
	struct span pid = span_from(dso, span_rfind_text(dso, MAP) + sizeof(MAP) - 1);
	struct span digits = span_digits(pid);

	if ((span_starts(dso, "[") || span_ends(dso, "vmlinux")) && !span_contains(dso, "unknown"))
		return FRAME_KERNEL;
	return digits.size && span_starts(span_from(pid, digits.size), ".map") ? FRAME_JIT
									       : FRAME_USER;
}

/*
 * Removes " (dso)" from the end.  The parentheses are matched from the end, since
 * a path may contain blanks and parentheses: (/opt/My App (x86)/a b.so).
 */
static bool cut_dso(struct span *s, struct span *dso)
{
	size_t open = s->size, depth = 0;

	if (!s->size || s->at[s->size - 1] != ')')
		return false;
	for (size_t i = s->size; i-- > 0;) {
		depth += s->at[i] == ')';
		depth -= s->at[i] == '(';
		if (!depth) {
			open = i;
			break;
		}
	}
	/* Unbalanced: takes the last parenthesis after a blank. */
	if (open == s->size || (open > 0 && !is_blank(s->at[open - 1]))) {
		open = span_rfind_text(*s, " (") + 1;
		if (open > s->size)
			return false;
	}
	*dso = span_upto(span_from(*s, open + 1), s->size - open - 2);
	if (span_ends(*dso, " (deleted)"))
		dso->size -= sizeof(" (deleted)") - 1;
	*s = span_upto(*s, open);
	return true;
}

bool script_frame_parse(struct span line, struct script_frame *f)
{
	struct span s = line;

	f->dso = SPAN("");
	if (!span_hex(span_word(&s), &f->address))
		return false;
	s = span_trim(s);
	cut_dso(&s, &f->dso);
	f->symbol = span_trim_end(s);
	return true;
}

/* A frame of this DSO, without names. */
static struct frame frame_in(struct perf_frames *f, struct span dso)
{
	struct frame frame = { 0 };

	if (span_is(dso, "inlined")) {
		frame.flags |= FRAME_INLINED;
		return frame;
	}
	frame.kind = f->b->o->script.plain_kinds ? plain_kind(dso) : script_frame_kind(dso);
	if (!span_is(dso, "[unknown]") && dso.size)
		frame.module = profile_module(f->b->p, dso, SPAN(""));
	return frame;
}

static bool is_skipped_after(const struct perf_frames *f, struct span name)
{
	for (size_t i = 0; i < f->b->o->script.nr_skip_after; i++)
		if (span_is(name, f->b->o->script.skip_after[i]))
			return true;
	return false;
}

/* One function of a line. */
static frame_id function_frame(struct perf_frames *f, struct frame *frame, struct span name)
{
	const struct read_opts *o = f->b->o;
	struct line line = { 0 };
	frame_id id;

	if (span_is(name, "[unknown]"))
		return profile_frame(f->b->p, frame);
	name = name_tidy(name, o->tidy, &f->tidy);
	if (f->is_java)
		name = name_java(name);
	line.function = profile_string(f->b->p, name);
	if (o->script.names_alone)
		frame->module = (module_id){ 0 };
	frame->address = 0;
	frame->line = &line;
	frame->nr_line = 1;
	id = profile_frame(f->b->p, frame);
	frame->line = NULL;
	return id;
}

/* addr2line can only read ELF files: not JIT code, and not the kernel. */
static bool is_executable(const struct frame *frame, struct span dso)
{
	return dso.size && frame->kind != FRAME_JIT && !(frame->flags & FRAME_INLINED) &&
	       span_find(dso, '[') == dso.size && !span_contains(dso, "kernel.");
}

/* Pushes one frame for a function and the calls inlined at that address. */
static bool push_inlined(struct perf_frames *f, struct frame frame, const struct script_frame *from)
{
	struct line line[ADDR2LINE_MAX];

	if (!f->addr2line || !is_executable(&frame, from->dso))
		return false;
	frame.nr_line = (uint32_t)addr2line_find(f->addr2line, from->dso, from->address,
						 from->symbol, f->b->p, line);
	for (size_t i = 0; i < frame.nr_line && !f->b->o->script.inline_lines; i++)
		line[i] = (struct line){ .function = line[i].function };
	frame.line = line;
	if (frame.nr_line)
		build_push(f->b, profile_frame(f->b->p, &frame));
	return frame.nr_line > 0;
}

/* The offset of the arrow before the last inlined function of a symbol; symbol.size: there is none. */
static size_t find_inlined(enum script_arrows arrows, const struct frame *frame, struct span symbol)
{
	size_t arrow = span_rfind_text(symbol, "->");

	/* An arrow without a name on both sides is part of an operator. */
	if (arrows == ARROWS_OF_JIT &&
	    (frame->kind != FRAME_JIT || !arrow || arrow + 2 >= symbol.size))
		return symbol.size;
	return arrow;
}

/* Pushes the functions of a symbol, the innermost first, which is the last in the text. */
static void push_functions(struct perf_frames *f, const struct frame *frame, struct span symbol)
{
	enum script_arrows arrows = f->b->o->script.arrows;

	while (arrows == ARROWS_INSIDE && span_ends(symbol, "->"))
		symbol.size -= 2;
	for (;;) {
		size_t arrow = find_inlined(arrows, frame, symbol);
		bool has_caller = arrow < symbol.size;
		struct frame one = *frame;

		if (has_caller)
			one.flags |= FRAME_JIT_INLINED;
		build_push(f->b,
			   function_frame(f, &one,
					  has_caller ? span_from(symbol, arrow + 2) : symbol));
		if (!has_caller)
			return;
		symbol = span_upto(symbol, arrow);
	}
}

/* Pushes the frames of a symbol; `frame` has everything but their names. */
static void push_symbol(struct perf_frames *f, struct span symbol, struct frame frame)
{
	if (!symbol.size)
		symbol = SPAN(" ");
	symbol = name_without_offset(symbol);
	if (!f->b->o->mangled_rust)
		symbol = name_rust(symbol, &f->rust);
	f->skip_callers = is_skipped_after(f, symbol);
	/* A symbol in parentheses is the name of a process. */
	if (!span_starts(symbol, "("))
		push_functions(f, &frame, symbol);
}

/* Pushes the frames of a line with this symbol and dso. */
static void push_parsed(struct perf_frames *f, struct span symbol, struct span dso,
			uint64_t address)
{
	struct frame frame = frame_in(f, dso);

	symbol = span_trim(symbol);
	if (push_inlined(f, frame, &(struct script_frame){ address, symbol, dso }))
		return;
	if (f->b->o->addresses)
		frame.address = address;
	push_symbol(f, symbol, frame);
}

static void push_value(struct perf_frames *f, uint32_t value)
{
	frame_runs_push(&f->runs, value, f->b);
	if (value & FRAME_RUN)
		f->skip_callers = value & FRAME_RUN_LAST;
}

/*
 * The end of a line: blank, parenthesis, DSO, parenthesis.  Lines have few different DSOs, so the end of
 * a line is compared with a cached one, and neither parsed nor hashed.  NULL: the DSO must be parsed.
 */
static struct line_tail *find_tail(struct perf_frames *f, struct span text)
{
	struct line_tail *tail;
	uint64_t last;
	size_t open;

	if (text.size < sizeof(last))
		return NULL;
	memcpy(&last, text.at + text.size - sizeof(last), sizeof(last));
	tail = &f->tail[last * 0x9e3779b97f4a7c15u >> 60];
	if (tail->text.size && tail->text.size <= text.size &&
	    !memcmp(text.at + text.size - tail->text.size, tail->text.at, tail->text.size))
		return tail;
	open = span_rfind(text, '(');
	/* If only cut_dso() can find the DSO, the whole text is looked up. */
	if (open == text.size || !open || !is_blank(text.at[open - 1]) ||
	    span_find(span_from(text, open), ')') != text.size - 1 - open)
		return NULL;
	strbuf_reset(&tail->text);
	strbuf_add(&tail->text, span_from(text, open - 1));
	tail->seed = print_of(strbuf_peek(&tail->text), f->seed).low;
	tail->has_frame = false;
	return tail;
}

/* A frame in the DSO of this tail, without names. */
static const struct frame *frame_of_tail(struct perf_frames *f, struct line_tail *tail)
{
	struct span dso = span_from(strbuf_peek(&tail->text), 2);

	if (!tail->has_frame)
		tail->frame = frame_in(f, span_upto(dso, dso.size - 1));
	tail->has_frame = true;
	return &tail->frame;
}

/* Pushes the frames of a line that is not cached. */
static void push_new(struct perf_frames *f, const struct queued_line *q)
{
	struct line_tail *tail = f->addr2line ? NULL : find_tail(f, q->text);
	struct span symbol = q->text, dso = SPAN("");
	size_t from = f->b->nr;
	/* With these options, frames also differ by address: the text is not sufficient as a key. */
	bool by_address = f->b->o->addresses || f->b->o->srcline;
	uint32_t value;

	if (tail && !by_address) {
		symbol = span_trim(span_upto(symbol, symbol.size - tail->text.size));
		push_symbol(f, symbol, *frame_of_tail(f, tail));
	} else {
		uint64_t address = 0;

		(void)span_hex(q->pc, &address);
		if (f->addr2line)
			symbol = span_from(symbol, q->pc.size);
		(void)cut_dso(&symbol, &dso);
		push_parsed(f, symbol, dso, address);
	}
	/* build_grow() has dropped frames, because the stack is far too deep. */
	if (by_address || f->b->nr < from)
		return;
	value = frame_runs_add(&f->runs, f->b, from, f->skip_callers ? FRAME_RUN_LAST : 0);
	print_memo_add(&f->lines[f->is_java], q->print, value);
}

void perf_frames_flush(struct perf_frames *f)
{
	const struct print_memo *memo = &f->lines[f->is_java];
	size_t nr = f->nr_queue, i;

	for (i = 0; i < nr && !f->skip_callers; i++) {
		const struct queued_line *q = &f->queue[i];
		uint32_t value = print_memo_find(memo, q->print);

		if (__builtin_expect(value != MEMO_NONE, 1))
			push_value(f, value);
		else
			push_new(f, q);
	}
	if (nr)
		f->dropped = i < nr;
	f->nr_queue = 0;
}

/* Is the whole sample in the queue, do equal lines imply equal stacks, and are hits frequent enough? */
static bool is_stack_cached(const struct perf_frames *f)
{
	enum { TRIES = 32768, RARE = 8 };
	const struct read_opts *o = f->b->o;

	return !f->b->nr && f->nr_queue && !o->script.nr_skip_after && !o->addresses &&
	       !o->srcline && (f->nr_miss < TRIES || f->nr_hit >= f->nr_miss / RARE);
}

stack_id perf_frames_find(struct perf_frames *f)
{
	uint32_t found = MEMO_NONE;

	f->has_missed = is_stack_cached(f);
	if (f->has_missed) {
		f->missed = f->queue_print;
		f->missed.high ^= f->is_java;
		found = print_memo_find(&f->stacks, f->missed);
	}
	if (found == MEMO_NONE) {
		perf_frames_flush(f);
		return (stack_id){ 0 };
	}
	f->nr_hit++;
	f->nr_queue = 0;
	return (stack_id){ found };
}

void perf_frames_keep(struct perf_frames *f, stack_id stack)
{
	if (!f->has_missed || !stack.i)
		return;
	f->nr_miss++;
	print_memo_add(&f->stacks, f->missed, stack.i);
}

/*
 * Adds a line to the fingerprint of the queue: a polynomial, since the order of lines matters.
 */
static void add_print(struct perf_frames *f, struct print line)
{
	static const uint64_t LOW = 0x9fb21c651e98df27u;
	static const uint32_t HIGH = 0x85ebca77u;

	if (!f->nr_queue)
		f->queue_print = (struct print){ 0 };
	f->queue_print.low = f->queue_print.low * LOW + line.low;
	f->queue_print.high = f->queue_print.high * HIGH + line.high;
}

static const bool hex_digit[256] = {
	['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true,
	['6'] = true, ['7'] = true, ['8'] = true, ['9'] = true, ['a'] = true, ['b'] = true,
	['c'] = true, ['d'] = true, ['e'] = true, ['f'] = true, ['A'] = true, ['B'] = true,
	['C'] = true, ['D'] = true, ['E'] = true, ['F'] = true,
};

/* Replaces leading blanks by zeros; returns their number. */
static unsigned fill_blanks(uint64_t *v)
{
	uint64_t other = *v ^ SWAR_EACH(' ');
	unsigned nr = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
	uint64_t blanks = nr < 8 ? (UINT64_C(1) << 8 * nr) - 1 : UINT64_MAX;

	*v = (*v & ~blanks) | (SWAR_EACH('0') & blanks);
	return nr;
}

/* The same as cut_pc() for perf's usual format: a tab and 16 columns, eight at a time. */
static inline bool cut_padded_pc(struct span *line, struct span *pc)
{
	enum { BEGIN = 1, END = 17 };
	uint64_t v[2];
	unsigned blanks;

	if (line->size < END + 1 || line->at[0] != '\t' || line->at[END] != ' ')
		return false;
	memcpy(v, line->at + BEGIN, sizeof(v));
	blanks = fill_blanks(&v[0]);
	if (blanks == 8)
		blanks += fill_blanks(&v[1]);
	if (blanks == END - BEGIN || swar_not_hex(v[0]) | swar_not_hex(v[1]))
		return false;
	*pc = span_between(line->at + BEGIN + blanks, line->at + END);
	*line = span_from(*line, END + 1);
	return true;
}

/* Removes the address from the start of a line. */
static inline bool cut_pc(struct span *line, struct span *pc)
{
	const char *at = line->at, *end = line->at + line->size, *begin;

	while (at < end && is_blank(*at))
		at++;
	begin = at;
	while (at < end && hex_digit[(unsigned char)*at])
		at++;
	if (at == begin || at == end || *at != ' ')
		return false;
	*pc = span_between(begin, at);
	*line = span_between(at + 1, end);
	return true;
}

/* "main+0x12 (/bin/a)": the frames are the same for all offsets. */
static struct print print_line(struct perf_frames *f, struct span text)
{
	const struct line_tail *tail = f->addr2line ? NULL : find_tail(f, text);

	if (!tail)
		return print_of(text, f->seed);
	return print_of(name_without_offset(span_upto(text, text.size - tail->text.size)),
			tail->seed);
}

bool perf_frames_line(struct perf_frames *f, struct span line)
{
	struct queued_line *q = &f->queue[f->nr_queue];
	struct span text = line;

	if ((!cut_padded_pc(&text, &q->pc) && !cut_pc(&text, &q->pc)) || !text.size ||
	    text.at[text.size - 1] != ')')
		return false;
	if (f->addr2line)
		text = span_between(q->pc.at, text.at + text.size);
	q->text = text;
	if (!f->seed)
		f->seed = print_seed() | 1;
	q->print = print_line(f, text);
	add_print(f, q->print);
	print_memo_fetch(&f->lines[f->is_java], q->print);
	if (++f->nr_queue == ARRAY_SIZE(f->queue))
		perf_frames_flush(f);
	return true;
}

bool perf_frames_push(struct perf_frames *f, struct span line, enum perf_dso need)
{
	struct span symbol = span_trim(line), pc = span_word(&symbol), dso = SPAN("");
	uint64_t address;

	if (!span_hex(pc, &address) || (!cut_dso(&symbol, &dso) && need == DSO_NEEDED))
		return false;
	/* -F ip: only addresses. */
	if (!symbol.size && !dso.size)
		symbol = SPAN("[unknown]");
	f->dropped = f->skip_callers;
	if (!f->skip_callers)
		push_parsed(f, symbol, dso, address);
	return true;
}

bool perf_is_frame(struct span line)
{
	struct span pc = span_word(&line), dso;
	uint64_t address;

	return span_hex(pc, &address) && cut_dso(&line, &dso);
}

void perf_frames_source(struct perf_frames *f, struct span file, uint32_t line)
{
	frame_id *id = &f->b->frame[f->b->nr - 1];
	struct frame placed = f->b->p->frame[id->i];
	struct line place;

	if (f->dropped || !placed.nr_line)
		return;
	place = (struct line){ .function = placed.line[0].function,
			       .file = profile_string(f->b->p, file),
			       .line = line };
	placed.line = &place;
	placed.nr_line = 1;
	*id = profile_frame(f->b->p, &placed);
}

void perf_frames_release(struct perf_frames *f)
{
	addr2line_free(f->addr2line);
	frame_runs_release(&f->runs);
	for (size_t i = 0; i < 2; i++)
		print_memo_release(&f->lines[i]);
	print_memo_release(&f->stacks);
	for (size_t i = 0; i < ARRAY_SIZE(f->tail); i++)
		strbuf_release(&f->tail[i].text);
	strbuf_release(&f->rust);
	strbuf_release(&f->tidy);
}

/*
 * An aggregation of stacks printed by DTrace: a heading, then for each stack
 * its frames from the leaf to the root, one `module`function+0x12` per line,
 * and a line with the count.
 */
#include "profile/spelling.h"
#include "read/perf_script/frame_memo.h"
#include "read/readers.h"
#include "read/text/names.h"

struct dtrace {
	struct build *b;
	struct frame_memo lines;
	struct strbuf rust, name, part;
};

/* Removes the last + and what follows it: "+0x12". */
static inline struct span cut_offset(struct span s)
{
	size_t at = s.size;

	while (at > 0 && s.at[at - 1] != '+')
		at--;
	return at ? span_upto(s, at - 1) : s;
}

/* C++: removes the text from the last ( or < on, if it is after the first ::. */
static struct span cut_parameters(struct span s)
{
	size_t scope = span_find_text(s, "::");

	for (size_t i = s.size; i > scope + 2; i--)
		if (s.at[i - 1] == '(' || s.at[i - 1] == '<')
			return span_upto(s, i - 1);
	return s;
}

/* Completes a partly demangled Rust name after the module; its offset is kept. */
static struct span fix_rust(struct dtrace *d, struct span s, bool has_offset)
{
	size_t tick = span_find(s, '`');
	struct span function = span_from(s, tick + 1);
	struct span name = span_trim_end(has_offset ? cut_offset(function) : function);
	struct span fixed = name_rust(name, &d->rust);

	if (d->b->o->mangled_rust || fixed.at == name.at)
		return s;
	strbuf_reset(&d->name);
	strbuf_add(&d->name, span_upto(s, tick + 1));
	strbuf_add(&d->name, fixed);
	if (has_offset)
		strbuf_add(&d->name, span_from(function, cut_offset(function).size));
	return strbuf_peek(&d->name);
}

/* `Lcom/acme/App;`: the descriptor of a Java class. */
static struct span cut_class_letter(struct span s)
{
	bool is_class = span_starts(s, "L") && (span_contains(s, ";") || span_contains(s, "/"));

	return span_from(s, is_class);
}

static void push_function(struct dtrace *d, struct span s, unsigned flags)
{
	struct frame frame = { .flags = flags };
	struct line line = { 0 };
	size_t tick;

	/* A frame's name must not look like two in folded text. */
	s = name_tidy(cut_class_letter(s), TIDY_NONE, &d->part);
	tick = span_find(s, '`');
	if (tick > 0 && tick < s.size) {
		frame.module = profile_module(d->b->p, span_upto(s, tick), SPAN(""));
		s = span_from(s, tick + 1);
	}
	line.function = profile_string(d->b->p, s);
	frame.line = &line;
	frame.nr_line = 1;
	build_push(d->b, profile_frame(d->b->p, &frame));
}

/* `a->b`: b is inlined into a.  `operator->` is a name. */
static void push_functions(struct dtrace *d, struct span text, bool has_offset)
{
	bool has_arrow = span_contains(text, "->");
	struct span s = cut_parameters(text);

	s = s.size ? fix_rust(d, s, has_offset) : SPAN("-");
	while (has_arrow) {
		size_t arrow = span_rfind_text(s, "->");

		if (arrow + 2 >= s.size)
			break;
		push_function(d, span_from(s, arrow + 2), FRAME_JIT_INLINED);
		s = span_upto(s, arrow);
	}
	push_function(d, s, 0);
}

/* If offsets are not part of names, lines are cached without them. */
static void line_without_offset(struct dtrace *d, struct span s)
{
	size_t from = d->b->nr;
	uint64_t hash;

	s = cut_offset(s);
	hash = intern_hash(s);
	if (frame_memo_push(&d->lines, s, hash, d->b))
		return;
	push_functions(d, s, false);
	frame_memo_keep(&d->lines, s, hash, d->b, from);
}

/*
 * Callers are cached by the whole line, with blanks and newline, so that it can be predicted.
 */
static void caller_line(struct dtrace *d, struct span s, struct span whole)
{
	uint64_t hash = intern_hash(whole);
	size_t from = d->b->nr;

	if (frame_memo_push(&d->lines, whole, hash, d->b))
		return;
	if (d->b->o->offsets)
		push_functions(d, s, true);
	else
		line_without_offset(d, s);
	frame_memo_keep(&d->lines, whole, hash, d->b, from);
}

static int end_stack(struct dtrace *d, struct span count, struct error *e)
{
	uint64_t n;

	if (!span_u64(count, &n) || n > INT64_MAX) {
		build_drop(d->b);
		return build_note(d->b, NOTE_COUNT_TOO_LARGE, count, e);
	}
	if (!d->b->nr) {
		notes_add(&d->b->p->notes, NOTE_NO_STACK, n, d->b->text->line, SPAN(""));
		if (d->b->o->drop_empty)
			return 0;
	}
	return build_end_many(d->b, LEAF_FIRST, (int64_t)n, n, e);
}

static inline bool is_count(struct span s)
{
	for (size_t i = 0; i < s.size; i++)
		if (!is_digit(s.at[i]))
			return false;
	return s.size > 0;
}

/* `unix`idle+0x12` alone on a line: the heading has ended. */
static bool is_bare_frame(struct span line)
{
	struct span word = span_word(&line);

	return !span_trim(line).size && span_find(word, '`') < word.size;
}

/*
 * The number of lines of the heading, which ends at the first empty line, or
 * before a stack.  If there is neither, a large input has no heading, and a
 * small one consists of it.
 */
static uint64_t count_heading(struct span head, bool *found)
{
	size_t whole = head.size;

	*found = true;
	for (uint64_t lines = 0; head.size; lines++) {
		size_t n = span_find(head, '\n');
		struct span line = span_upto(head, n);

		if (is_bare_frame(line))
			return lines;
		if (!span_trim(line).size)
			return lines + 1;
		head = span_from(head, n + 1);
	}
	*found = whole == SOURCE_HEAD_SIZE;
	return *found ? 0 : UINT64_MAX;
}

/* The heading is in the first chunk only. */
static int skip_heading(struct dtrace *d, struct error *e)
{
	struct build *b = d->b;
	uint64_t lines = b->o->heading_lines;
	bool found = true;
	struct span line;

	if (!lines)
		lines = count_heading(b->head, &found);
	for (uint64_t i = 0; i < lines && text_line(b->text, &line); i++)
		if (!i && !text_at_start(b->text)) {
			text_unread(b->text, line);
			return 0;
		}
	return found ? 0 : build_note(b, NOTE_NO_HEADER, SPAN(""), e);
}

/* Without the blanks around it; eight at a time, for DTrace puts fourteen in front. */
static inline struct span trim(struct span s)
{
	const char *at = s.at, *end = s.at + s.size;
	uint64_t word;

	while (end - at >= (ptrdiff_t)sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		if (word != UINT64_C(0x2020202020202020))
			break;
		at += sizeof(word);
	}
	while (at < end && is_blank(*at))
		at++;
	while (end > at && is_blank(end[-1]))
		end--;
	return span_between(at, end);
}

static int read_line(struct dtrace *d, struct span whole, struct error *e)
{
	struct span line = trim(whole);

	if (!line.size)
		return 0;
	if (is_digit(line.at[0]) && is_count(line))
		return end_stack(d, line, e);
	/* A leaf has a different offset in almost every sample, a caller has few. */
	if (d->b->nr)
		caller_line(d, line, whole);
	else
		line_without_offset(d, line);
	return 0;
}

static int dtrace_read(struct build *b, struct error *e)
{
	struct dtrace d = { .b = b };
	struct span line;
	int ret = skip_heading(&d, e);

	b->event = profile_event(b->p, SPAN("samples"), SPAN("samples"));
	while (!ret) {
		if (b->nr && frame_memo_push_next(&d.lines, b->text, b))
			continue;
		if (!text_line(b->text, &line))
			break;
		ret = read_line(&d, span_between(line.at, b->text->at), e);
	}
	if (!ret && b->nr)
		ret = build_note(b, NOTE_CUT_SHORT, SPAN(""), e);
	frame_memo_release(&d.lines);
	strbuf_release(&d.rust);
	strbuf_release(&d.name);
	strbuf_release(&d.part);
	return ret;
}

/* An empty line or none, frames (the first with a ` or nothing but an address), a count. */
static bool dtrace_accepts(struct span head)
{
	bool below_heading = false, in_stack = false;
	uint64_t address;

	while (head.size) {
		size_t n = span_find(head, '\n');
		struct span line = span_trim(span_upto(head, n));

		head = span_from(head, n + 1);
		below_heading |= !line.size || is_bare_frame(line);
		if (!line.size || !below_heading)
			continue;
		if (is_count(line))
			return in_stack;
		if (!in_stack && span_find(line, '`') == line.size &&
		    !(span_starts(line, "0x") && span_hex(span_from(line, 2), &address)))
			return false;
		in_stack = true;
	}
	return false;
}

const struct reader reader_dtrace = {
	.name = "dtrace",
	.title = "DTrace stacks",
	.accepts = dtrace_accepts,
	.read = dtrace_read,
	.split = SPLIT_NUMBER_LINE,
	.parallel = true,
	.spelling = SPELL_MODULE | SPELL_INLINED,
};

/*
 * Folded stacks: `root;caller;callee 42`, one line a stack; a fraction behind
 * the count, blanks in names, comments (`# …`) and a second count (before,
 * after) are fine.  docs/folded.md is the specification.
 */
#include "profile/spelling.h"
#include "read/build.h"
#include "read/memo.h"
#include "read/readers.h"

struct folded {
	struct build *b;
	struct memo names;
	bool differential;
	uint32_t before, after;
};

/* "12" or "12.5" behind the last blank; what is before it stays in *line. */
static bool cut_count(struct span *line, struct span *count)
{
	struct span s = span_trim_end(*line);
	size_t at = s.size;
	bool point = false;

	while (at > 0 && (is_digit(s.at[at - 1]) || (s.at[at - 1] == '.' && !point))) {
		point |= s.at[at - 1] == '.';
		at--;
	}
	if (at == s.size || at == 0 || !is_blank(s.at[at - 1]) || s.at[at] == '.')
		return false;
	*count = span_from(s, at);
	*line = span_trim_end(span_upto(s, at));
	return true;
}

static bool is_comment(struct span line)
{
	return span_starts(line, "# ") || span_is(line, "#");
}

/* Two counts in the first sample make every line a pair of before and after. */
static bool is_differential(struct span head)
{
	while (head.size) {
		size_t n = span_find(head, '\n');
		struct span line = span_trim(span_upto(head, n)), count;

		head = span_from(head, n + 1);
		if (line.size && !is_comment(line) && cut_count(&line, &count))
			return cut_count(&line, &count);
	}
	return false;
}

/* `name_[k]`: what kind of frame it is, told by the name's end. */
static frame_id name_frame(struct folded *f, struct span name)
{
	struct frame frame = { .kind = FRAME_USER };
	struct line line = { .function = profile_string(f->b->p, spelling_unmark(name, &frame)) };

	frame.line = &line;
	frame.nr_line = 1;
	return profile_frame(f->b->p, &frame);
}

static void push_frame(struct folded *f, struct span name)
{
	uint64_t hash = intern_hash(name);
	uint32_t frame = memo_find(&f->names, name, hash);

	if (frame == MEMO_NONE) {
		frame = name_frame(f, name).i;
		memo_add(&f->names, name, hash, frame);
	}
	build_push(f->b, (frame_id){ frame });
}

static void push_frames(struct folded *f, struct span stack)
{
	const char *at = stack.at, *end = stack.at + stack.size;

	for (;;) {
		const char *semicolon = memchr(at, ';', (size_t)(end - at));

		push_frame(f, span_between(at, semicolon ? semicolon : end));
		if (!semicolon)
			return;
		at = semicolon + 1;
	}
}

/* Adds the pushed frames to one event and keeps them for the next. */
static int add_count(struct folded *f, uint32_t event, struct span count, bool last,
		     struct error *e)
{
	size_t depth = f->b->nr;
	int64_t weight;
	int ret;

	f->b->event = event;
	/* It is a number: cut_count() saw to that. */
	if (!build_weight(f->b, count, &weight))
		return build_note(f->b, NOTE_COUNT_TOO_LARGE, count, e);
	ret = build_end(f->b, ROOT_FIRST, weight, e);
	if (!last)
		f->b->nr = depth;
	return ret;
}

static int read_line(struct folded *f, struct span line, struct error *e)
{
	struct span whole = line, count, before;
	bool pair;
	int ret;

	if (!cut_count(&line, &count) || !line.size)
		return build_note(f->b, NOTE_BAD_LINE, whole, e);
	pair = f->differential && cut_count(&line, &before);
	if (!line.size)
		return build_note(f->b, NOTE_BAD_LINE, whole, e);
	push_frames(f, line);
	ret = f->differential ? add_count(f, f->before, pair ? before : count, false, e) : 0;
	if (!ret)
		ret = add_count(f, f->after, count, true, e);
	build_drop(f->b);
	return ret;
}

static int folded_read(struct build *b, struct error *e)
{
	struct folded f = { .b = b, .differential = is_differential(b->head) };
	struct span line;
	int ret = 0;

	if (f.differential)
		f.before = profile_event(b->p, SPAN("before"), SPAN("samples"));
	f.after = profile_event(b->p, f.differential ? SPAN("after") : SPAN("samples"),
				SPAN("samples"));
	while (!ret && text_line(b->text, &line)) {
		if (line.size &&
		    (is_blank(line.at[0]) || line.at[0] == '#' || text_at_start(b->text))) {
			/* What Windows' editors put in front of a text. */
			if (text_at_start(b->text) && span_starts(line, "\xef\xbb\xbf"))
				line = span_from(line, 3);
			line = span_trim(line);
			if (is_comment(line))
				continue;
		}
		if (line.size)
			ret = read_line(&f, line, e);
	}
	memo_release(&f.names);
	return ret;
}

/* Some line with a count, and none that is something else. */
static bool folded_accepts(struct span head)
{
	size_t good = 0;

	while (head.size) {
		size_t n = span_find(head, '\n');
		struct span line = span_trim(span_upto(head, n)), count;

		/* The head may end in the middle of a line. */
		if (n == head.size && good)
			break;
		head = span_from(head, n + 1);
		if (!line.size || is_comment(line))
			continue;
		if (!cut_count(&line, &count) || !line.size)
			return false;
		good++;
	}
	return good > 0;
}

const struct reader reader_folded = {
	.name = "folded",
	.title = "folded stacks",
	.accepts = folded_accepts,
	.read = folded_read,
	.split = SPLIT_LINE,
	/* Most lines are distinct: putting two threads' stacks together costs what they saved. */
	.parallel = false,
	.spelling = SPELL_MARKS,
};

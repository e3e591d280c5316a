/*
 * Folded stacks: `root;caller;callee 42`, one line a stack; a fraction behind
 * the count, blanks in names, comments (`# …`) and a second count (before,
 * after) are fine.  docs/folded.md is the specification.
 */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "profile/spelling.h"
#include "read/build.h"
#include "read/readers.h"

#include <stdlib.h>

/* Where a frame of the line before ends, and the stack up to there. */
struct step {
	size_t end;
	stack_id stack;
};

struct folded {
	struct build *b;
	struct strbuf last; /* the line before, without its count */
	struct step *step;  /* its frames */
	size_t nr_step, cap_step;
	struct intern names; /* of frames, as they are written */
	frame_id *frame;     /* by number of the name */
	size_t cap_frame;
	uint32_t *name_of; /* by frame: the number of its name, or INTERN_NONE */
	size_t nr_name_of;
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

/* The frame of a name; what is done for a distinct name is done once. */
static frame_id find_frame(struct folded *f, struct span name, uint64_t hash)
{
	uint32_t known = f->names.nr, number = intern_hashed(&f->names, name, hash);
	frame_id frame;

	if (number < known)
		return f->frame[number];
	frame = name_frame(f, name);
	GROW(f->frame, (size_t)number, f->cap_frame);
	f->frame[number] = frame;
	while (f->nr_name_of <= frame.i) {
		size_t nr = f->nr_name_of ? f->nr_name_of * 2 : 1024;

		f->name_of = xreallocarray(f->name_of, nr, sizeof(*f->name_of));
		memset(f->name_of + f->nr_name_of, 0xff,
		       (nr - f->nr_name_of) * sizeof(*f->name_of));
		f->nr_name_of = nr;
	}
	f->name_of[frame.i] = number;
	return frame;
}

/* How many names are looked up side by side. */
enum { BATCH = 32 };

static void add_step(struct folded *f, size_t size, stack_id stack)
{
	size_t begin = f->nr_step ? f->step[f->nr_step - 1].end + 1 : 0;

	GROW(f->step, f->nr_step, f->cap_step);
	f->step[f->nr_step++] = (struct step){ .end = begin + size, .stack = stack };
}

/* Below a stack, the frames of the text: names are cut first, then looked up. */
static stack_id push_names(struct folded *f, stack_id at, struct span text)
{
	struct span name[BATCH];
	uint64_t hash[BATCH];
	bool more = true;

	while (more) {
		size_t nr = 0;

		for (; more && nr < BATCH; nr++) {
			name[nr] = span_upto(text, span_find(text, ';'));
			hash[nr] = intern_hash(name[nr]);
			intern_fetch_slot(&f->names, hash[nr]);
			more = name[nr].size < text.size;
			text = span_from(text, name[nr].size + 1);
		}
		for (size_t i = 0; i < nr; i++)
			intern_fetch_bytes(&f->names, hash[i]);
		for (size_t i = 0; i < nr; i++) {
			at = profile_push(f->b->p, at, find_frame(f, name[i], hash[i]));
			add_step(f, name[i].size, at);
		}
	}
	return at;
}

/* Does the text go on with this name, and does the name end there? */
static inline bool goes_on_with(struct span text, struct span name)
{
	return text.size >= name.size && !memcmp(text.at, name.at, name.size) &&
	       (text.size == name.size || text.at[name.size] == ';');
}

/* Without the frames next to the root that are too many. */
static struct span cut_depth(struct span text)
{
	size_t depth = 1;

	for (size_t i = 0; i < text.size; i++)
		depth += text.at[i] == ';';
	for (; depth > PROFILE_DEPTH_MAX; depth--)
		text = span_from(text, span_find(text, ';') + 1);
	return text;
}

/* Keeps those frames of the line before with which the text begins. */
static void keep_shared(struct folded *f, struct span text)
{
	size_t same = span_common(text, strbuf_peek(&f->last));

	while (f->nr_step) {
		size_t end = f->step[f->nr_step - 1].end;

		if (end <= same && (end == text.size || text.at[end] == ';'))
			break;
		f->nr_step--;
	}
	f->last.size = same;
	strbuf_add(&f->last, span_from(text, same));
}

/*
 * The stack of `a;b;c`.  Most lines share their first frames with the line before, which are
 * passed over at the speed of a comparison; and many go on with what a known stack calls
 * first, which is compared with the text before anything is looked up.
 */
static stack_id find_stack(struct folded *f, struct span text)
{
	const struct profile *p = f->b->p;
	stack_id at = { 0 }, next;

	keep_shared(f, text);
	if (f->nr_step) {
		const struct step *shared = &f->step[f->nr_step - 1];

		at = shared->stack;
		if (shared->end == text.size)
			return at;
		text = span_from(text, shared->end + 1);
	}
	while ((next.i = at.i + 1) < p->nr_stack && p->stack[next.i].caller.i == at.i) {
		uint32_t frame = p->stack[next.i].frame.i;
		struct span name;

		/* Another file's frame has no name here yet. */
		if (frame >= f->nr_name_of || f->name_of[frame] == INTERN_NONE)
			break;
		name = intern_peek(&f->names, f->name_of[frame]);
		if (!goes_on_with(text, name))
			break;
		at = next;
		add_step(f, name.size, at);
		if (name.size == text.size)
			return at;
		text = span_from(text, name.size + 1);
	}
	return push_names(f, at, text);
}

static struct span cut_fraction(struct folded *f, struct span count)
{
	size_t point = span_find(count, '.');

	for (size_t i = point + 1; i < count.size; i++)
		if (count.at[i] != '0') {
			notes_add(&f->b->p->notes, NOTE_FRACTION, 1, f->b->text->line, count);
			break;
		}
	return span_upto(count, point);
}

static int add_count(struct folded *f, uint32_t event, stack_id stack, struct span count,
		     struct error *e)
{
	int64_t weight;

	f->b->event = event;
	if (f->b->o->cut_fractions)
		count = cut_fraction(f, count);
	if (f->b->o->whole_counts && span_find(count, '.') < count.size)
		return build_note(f->b, NOTE_BAD_COUNT, count, e);
	/* It is a number: cut_count() saw to that. */
	if (!build_weight(f->b, count, &weight))
		return build_note(f->b, NOTE_COUNT_TOO_LARGE, count, e);
	/* What is counted in whole numbers is samples. */
	return build_add(f->b, stack, weight, f->b->p->event[event].scale ? 1 : (uint64_t)weight,
			 e);
}

static int read_line(struct folded *f, struct span line, struct error *e)
{
	struct span whole = line, count, before;
	stack_id stack;
	bool pair;

	if (!cut_count(&line, &count) || !line.size)
		return build_note(f->b, NOTE_BAD_LINE, whole, e);
	pair = f->differential && cut_count(&line, &before);
	if (!line.size)
		return build_note(f->b, NOTE_BAD_LINE, whole, e);
	/* `a;  3`: perf's symbol without a name is a blank. */
	if (!f->b->o->trim_names && line.at[line.size - 1] == ';' &&
	    is_blank(line.at[line.size + 1]))
		line.size++;
	if (line.size > PROFILE_DEPTH_MAX) {
		struct span cut = cut_depth(line);

		if (cut.size < line.size && build_note(f->b, NOTE_TOO_DEEP, SPAN(""), e))
			return -1;
		line = cut;
	}
	stack = find_stack(f, line);
	if (f->differential && add_count(f, f->before, stack, pair ? before : count, e))
		return -1;
	return add_count(f, f->after, stack, count, e);
}

static int folded_read(struct build *b, struct error *e)
{
	struct folded f = { .b = b,
			    .differential = !b->o->single_count && is_differential(b->head) };
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
	intern_release(&f.names);
	strbuf_release(&f.last);
	free(f.step);
	free(f.frame);
	free(f.name_of);
	return ret;
}

/* Lines with a count, and few that are something else. */
static bool folded_accepts(struct span head)
{
	size_t good = 0, bad = 0;

	while (head.size) {
		size_t n = span_find(head, '\n');
		struct span line = span_trim(span_upto(head, n)), count;

		/* The head may end in the middle of a line. */
		if (n == head.size && good)
			break;
		head = span_from(head, n + 1);
		if (!line.size || is_comment(line))
			continue;
		if (cut_count(&line, &count) && line.size)
			good++;
		else
			bad++;
	}
	return good > 0 && bad <= good / 10;
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

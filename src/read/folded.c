/*
 * Folded stacks: `root;caller;callee 42`, one stack a line.  Counts may have a
 * fraction, names blanks; there may be comments (`# …`), and two counts a line (before
 * and after).  docs/folded.md is the specification.
 */
#include "base/alloc.h"
#include "profile/spelling.h"
#include "read/build.h"
#include "read/folded_rows.h"
#include "read/readers.h"
#include "read/turns.h"

#include <stdlib.h>

struct folded {
	struct build *b;
	bool differential;	/* lines have two counts */
	uint32_t before, after; /* events; without two counts, `after` alone */
	uint64_t nr_line;	/* of all chunks before this one */
	stack_id *path;		/* by depth: the stack of the last row */
	size_t cap_path;
	size_t woken; /* the depth in it at which frames of wakers begin; 0: it has none */
};

/* One for each thread. */
struct cutter {
	struct folded *f;
	struct folded_rows rows;
	frame_id *frame; /* by name: handles of rows.names */
	size_t nr_frame, cap_frame;
};

/* Does the first line have two counts?  Then every line is read as before and after. */
static bool is_differential(struct span head)
{
	while (head.size) {
		size_t n = span_find(head, '\n');
		struct span line = span_trim(span_upto(head, n)), count;

		head = span_from(head, n + 1);
		if (line.size && !folded_is_comment(line) && folded_cut_count(&line, &count))
			return folded_cut_count(&line, &count);
	}
	return false;
}

/* A suffix of the name, as in `name_[k]`, is the kind of the frame. */
static frame_id name_frame(struct folded *f, struct span name, unsigned flags)
{
	struct frame frame = { .kind = FRAME_USER, .flags = flags };
	struct line line = { .function = profile_string(f->b->p, spelling_unmark(name, &frame)) };

	frame.line = &line;
	frame.nr_line = 1;
	return profile_frame(f->b->p, &frame);
}

/* Makes frames of the names that are new in a chunk. */
static void make_frames(struct cutter *c)
{
	for (; c->nr_frame < c->rows.names.nr; c->nr_frame++) {
		GROW(c->frame, c->nr_frame, c->cap_frame);
		c->frame[c->nr_frame] =
			name_frame(c->f, intern_peek(&c->rows.names, (uint32_t)c->nr_frame), 0);
	}
}

/* The frame of a name at this depth: behind a frame `--` it is one of the waker's. */
static frame_id frame_at(struct cutter *c, uint32_t number, size_t depth)
{
	struct folded *f = c->f;
	struct span name = intern_peek(&c->rows.names, number);
	bool dashes = f->b->o->dashed_wakers && span_is(name, "--");

	if (dashes && !f->woken)
		f->woken = depth + 1;
	return f->woken && !dashes ? name_frame(f, name, FRAME_WAKER) : c->frame[number];
}

/* The stack of a row: the frames that it shares with the row before, then its own: rows.name[name…]. */
static stack_id push_names(struct cutter *c, const struct folded_row *row, size_t name)
{
	struct folded *f = c->f;
	size_t depth = row->nr_shared;
	stack_id at = { depth ? f->path[depth - 1].i : 0 };

	if (f->woken > depth)
		f->woken = 0;
	for (size_t i = 0; i < row->nr_name; i++) {
		at = profile_push(f->b->p, at, frame_at(c, c->rows.name[name + i], depth));
		GROW(f->path, depth, f->cap_path);
		f->path[depth++] = at;
	}
	return at;
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
	/* It is a number: folded_cut_count() saw to that. */
	if (!build_weight(f->b, count, &weight))
		return build_note(f->b, NOTE_COUNT_TOO_LARGE, count, e);
	/* What is counted in whole numbers is samples. */
	return build_add(f->b, stack, weight, f->b->p->event[event].scale ? 1 : (uint64_t)weight,
			 e);
}

static int add_row(struct cutter *c, const struct folded_row *row, size_t name, struct error *e)
{
	struct folded *f = c->f;
	stack_id stack;

	f->b->text->line = f->nr_line + row->line;
	if (!row->count.size)
		return build_note(f->b, NOTE_BAD_LINE, row->text, e);
	if (row->cut && build_note(f->b, NOTE_TOO_DEEP, SPAN(""), e))
		return -1;
	stack = push_names(c, row, name);
	if (f->differential &&
	    add_count(f, f->before, stack, row->before.size ? row->before : row->count, e))
		return -1;
	return add_count(f, f->after, stack, row->count, e);
}

static void prepare(void *arg, const struct chunk *chunk)
{
	struct cutter *c = arg;

	folded_rows_cut(&c->rows, chunk);
}

static int use(void *arg, const struct chunk *chunk, struct error *e)
{
	struct cutter *c = arg;
	size_t name = 0;
	int ret = 0;

	(void)chunk;
	make_frames(c);
	for (size_t i = 0; i < c->rows.nr_row && !ret; i++) {
		ret = add_row(c, &c->rows.row[i], name, e);
		name += c->rows.row[i].nr_name;
	}
	c->f->nr_line += c->rows.nr_line;
	return ret;
}

static const struct turns_work work = { .prepare = prepare, .use = use };

static int read_chunks(struct folded *f, unsigned nr, struct error *e)
{
	struct cutter *cutter = xcalloc(nr, sizeof(*cutter));
	void **arg = xcalloc(nr, sizeof(*arg));
	int ret;

	for (unsigned i = 0; i < nr; i++) {
		cutter[i] = (struct cutter){ .f = f };
		cutter[i].rows.pairs = f->differential;
		cutter[i].rows.trim_names = f->b->o->trim_names;
		arg[i] = &cutter[i];
	}
	ret = turns_run(f->b->text->source, &work, arg, nr, e);
	for (unsigned i = 0; i < nr; i++) {
		folded_rows_release(&cutter[i].rows);
		free(cutter[i].frame);
	}
	free(cutter);
	free(arg);
	return ret;
}

static int folded_read(struct build *b, struct error *e)
{
	struct folded f = { .b = b,
			    .differential = !b->o->single_count && is_differential(b->head) };
	int ret;

	/* They are samples mostly, but folded text does not say so: no unit. */
	if (f.differential)
		f.before = profile_event(b->p, SPAN("before"), SPAN(""));
	f.after = profile_event(b->p, f.differential ? SPAN("after") : SPAN("samples"), SPAN(""));
	ret = read_chunks(&f, b->threads, e);
	free(f.path);
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
		if (!line.size || folded_is_comment(line))
			continue;
		if (folded_cut_count(&line, &count) && line.size)
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
	/* Not .parallel: most stacks are distinct, and merging two profiles would cost what threads save. */
	.turns = true,
	.spelling = SPELL_MARKS,
};

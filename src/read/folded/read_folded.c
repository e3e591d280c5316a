/*
 * Folded stacks: `root;caller;callee 42`, one stack per line.  Counts may have a
 * fraction, and names blanks; there may be comments (`# …`), and two counts per line
 * (before and after).  docs/folded.md is the specification.
 */
#include "base/alloc.h"
#include "profile/spelling.h"
#include "read/build.h"
#include "read/folded/folded_rows.h"
#include "read/readers.h"
#include "read/turns.h"

#include <stdlib.h>

struct folded {
	struct build *b;
	bool differential;	/* lines have two counts */
	uint32_t before, after; /* events; without two counts, only `after` */
	uint64_t nr_line;	/* number of lines in all chunks before this one */
	stack_id *path;		/* by depth: the stack of the last row */
	size_t cap_path;
	size_t woken; /* the depth at which its frames of wakers begin; 0: it has none */
	/* The rows that are looked up at a time, their frames, and the stacks found for these. */
	struct stack_walk *walk;
	frame_id *walk_frame;
	stack_id *walk_path;
	size_t cap_walk_frame, cap_walk_path;
};

/* How many rows are looked up at a time: enough for their cache misses to overlap. */
enum { WALKS = 16 };

/* A stem, and the stacks of the frames that it adds; 0: not pushed yet. */
struct stem {
	struct folded_stem s;
	stack_id path[FOLDED_STEM];
};

/* One for each thread. */
struct cutter {
	struct folded *f;
	struct folded_rows rows;
	frame_id *frame;   /* by the number of a name */
	struct stem *stem; /* by number */
	size_t cap_frame, cap_stem;
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

enum { NAMES = 16 }; /* how many names become frames at a time, for the same reason */

/* Makes frames of up to NAMES names.  A suffix, as in `name_[k]`, sets the kind of the frame. */
static void name_frames(struct profile *p, const struct span *name, size_t nr, frame_id *id)
{
	struct frame frame[NAMES];
	struct line line[NAMES];

	for (size_t i = 0; i < nr; i++)
		intern_fetch_slot(&p->strings, intern_hash(name[i]));
	for (size_t i = 0; i < nr; i++) {
		frame[i] = (struct frame){ .kind = FRAME_USER, .line = &line[i], .nr_line = 1 };
		line[i] = (struct line){
			.function = profile_string(p, spelling_unmark(name[i], &frame[i])),
		};
		profile_fetch_frame(p, &frame[i]);
	}
	for (size_t i = 0; i < nr; i++)
		id[i] = profile_frame(p, &frame[i]);
}

/* Makes frames of the names that are new in a chunk. */
static void make_frames(struct cutter *c)
{
	const struct folded_rows *r = &c->rows;
	size_t number = r->nr_number - r->nr_fresh, nr;

	while (r->nr_number > c->cap_frame)
		GROW(c->frame, c->cap_frame, c->cap_frame);
	for (size_t i = 0; i < r->nr_fresh; i += nr, number += nr) {
		nr = r->nr_fresh - i < NAMES ? r->nr_fresh - i : NAMES;
		name_frames(c->f->b->p, r->fresh + i, nr, c->frame + number);
	}
}

/* … and stems, which get their stacks with the first row that has them. */
static void make_stems(struct cutter *c)
{
	const struct folded_rows *r = &c->rows;
	size_t number = r->nr_stem_number - r->nr_fresh_stem;

	for (size_t i = 0; i < r->nr_fresh_stem; i++, number++) {
		while (number >= c->cap_stem)
			GROW(c->stem, c->cap_stem, c->cap_stem);
		c->stem[number] = (struct stem){ .s = r->fresh_stem[i] };
	}
}

/* Sets the first stacks of a path, those of a row's stem. */
static void put_stem(const struct cutter *c, uint32_t stem, stack_id *path)
{
	while (stem) {
		const struct stem *s = &c->stem[stem - 1];

		memcpy(path + s->s.depth - FOLDED_STEM, s->path, sizeof(s->path));
		stem = s->s.before;
	}
}

/* Does the row begin with a stem whose stacks do not exist yet, since its first row is not pushed yet? */
static bool is_waiting(const struct cutter *c, const struct folded_row *row)
{
	return row->stem && !c->stem[row->stem - 1].path[0].i;
}

static bool is_dashes(const struct profile *p, const struct frame *frame)
{
	return !frame->kind && !frame->flags &&
	       span_is(profile_peek(p, frame->line[0].function), "--");
}

/* The frame of a name at this depth: after a frame `--`, it belongs to the waker. */
static frame_id frame_at(struct cutter *c, uint32_t number, size_t depth)
{
	struct folded *f = c->f;
	struct frame frame;

	if (!f->b->o->folded.dashed_wakers)
		return c->frame[number];
	frame = f->b->p->frame[c->frame[number].i];
	if (is_dashes(f->b->p, &frame)) {
		if (!f->woken)
			f->woken = depth + 1;
		return c->frame[number];
	}
	frame.flags |= f->woken ? FRAME_WAKER : 0;
	return profile_frame(f->b->p, &frame);
}

/*
 * Looks up the existing stacks of nr rows from `row` on.  That only helps if rows have little in common
 * with the previous row: otherwise, what pushing them reads is already in the cache.
 */
static bool walk_rows(struct cutter *c, const struct folded_row *row, size_t nr, size_t name)
{
	struct folded *f = c->f;
	const struct profile *p = f->b->p;
	size_t own = 0, shared = 0, last = 0, nr_walk = 0, frame = 0, path = 0;

	for (size_t i = 0; i < nr; i++) {
		own += row[i].nr_name;
		shared += row[i].nr_shared;
		last += row[i].stem ? 0 : row[i].nr_shared;
	}
	if (own <= last || p->fold_recursion || f->b->o->folded.dashed_wakers)
		return false;
	if (own > f->cap_walk_frame) {
		f->cap_walk_frame = own;
		f->walk_frame = xreallocarray(f->walk_frame, own, sizeof(*f->walk_frame));
	}
	if (own + shared > f->cap_walk_path) {
		f->cap_walk_path = own + shared;
		f->walk_path = xreallocarray(f->walk_path, own + shared, sizeof(*f->walk_path));
	}
	for (size_t i = 0; i < own; i++)
		f->walk_frame[i] = c->frame[c->rows.name[name + i]];
	for (size_t i = 0; i < nr; i++) {
		if (!row[i].count.size)
			continue;
		f->walk[nr_walk] = (struct stack_walk){ .frame = f->walk_frame + frame,
							.nr = row[i].nr_name,
							.shared = row[i].nr_shared,
							.path = f->walk_path + path };
		put_stem(c, row[i].stem, f->walk[nr_walk].path);
		f->walk[nr_walk++].known = row[i].stem ? row[i].nr_shared : 0;
		frame += row[i].nr_name;
		path += row[i].nr_name + row[i].nr_shared;
	}
	if (!nr_walk)
		return false;
	for (uint32_t i = f->walk[0].known; i < f->walk[0].shared; i++)
		f->walk[0].path[i] = f->path[i];
	f->walk[0].known = f->walk[0].shared;
	profile_walk(p, f->walk, nr_walk);
	return true;
}

/*
 * Pushes the stack of a row: the frames shared with the previous row or its stem, then its own,
 * rows.name[name…], of which `walk` may already have found some (NULL: none).
 */
static stack_id push_names(struct cutter *c, const struct folded_row *row, size_t name,
			   const struct stack_walk *walk)
{
	struct folded *f = c->f;
	size_t depth = row->nr_shared, found = 0;
	stack_id at;

	if (f->woken > depth)
		f->woken = 0;
	while (depth + row->nr_name > f->cap_path)
		GROW(f->path, f->cap_path, f->cap_path);
	put_stem(c, row->stem, f->path);
	at = (stack_id){ depth ? f->path[depth - 1].i : 0 };
	for (; walk && depth < walk->known; found++) {
		at = walk->path[depth];
		f->path[depth++] = at;
	}
	for (size_t i = found; i < row->nr_name; i++) {
		at = profile_push(f->b->p, at, frame_at(c, c->rows.name[name + i], depth));
		f->path[depth++] = at;
	}
	if (row->new_stem) {
		struct stem *s = &c->stem[row->new_stem - 1];

		memcpy(s->path, f->path + s->s.depth - FOLDED_STEM, sizeof(s->path));
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
	if (f->b->o->folded.cut_fractions)
		count = cut_fraction(f, count);
	if (f->b->o->folded.whole_counts && span_find(count, '.') < count.size)
		return build_note(f->b, NOTE_BAD_COUNT, count, e);
	/* It is a number, as folded_cut_count() has checked: it can only be too large. */
	if (!build_weight(f->b, count, &weight))
		return build_note(f->b, NOTE_COUNT_TOO_LARGE, count, e);
	/* Integers are numbers of samples. */
	return build_add(f->b, stack, weight, f->b->p->event[event].scale ? 1 : (uint64_t)weight,
			 e);
}

static int add_row(struct folded *f, const struct folded_row *row, stack_id stack, struct error *e)
{
	f->b->text->line = f->nr_line + row->line;
	if (!row->count.size)
		return build_note(f->b, NOTE_BAD_LINE, row->text, e);
	if (row->cut && build_note(f->b, NOTE_TOO_DEEP, SPAN(""), e))
		return -1;
	if (f->differential &&
	    add_count(f, f->before, stack, row->before.size ? row->before : row->count, e))
		return -1;
	return add_count(f, f->after, stack, row->count, e);
}

/* Finds or adds the stacks of nr rows, whose names begin at `name`, and prefetches their counts. */
static void push_rows(struct cutter *c, const struct folded_row *row, size_t nr, size_t name,
		      stack_id *stack)
{
	struct folded *f = c->f;
	const struct stack_walk *walk = walk_rows(c, row, nr, name) ? f->walk : NULL;

	for (size_t i = 0; i < nr; i++) {
		if (!row[i].count.size)
			continue;
		stack[i] = push_names(c, &row[i], name, walk);
		build_fetch_count(f->b, f->after, stack[i]);
		if (f->differential)
			build_fetch_count(f->b, f->before, stack[i]);
		name += row[i].nr_name;
		if (walk)
			walk++;
	}
}

static void prepare(void *arg, const struct chunk *chunk)
{
	struct cutter *c = arg;

	folded_rows_cut(&c->rows, chunk);
}

static int use(void *arg, const struct chunk *chunk, struct error *e)
{
	struct cutter *c = arg;
	struct folded *f = c->f;
	const struct folded_row *row = c->rows.row;
	stack_id stack[WALKS] = { { 0 } };
	size_t name = 0, left = c->rows.nr_row;
	int ret = 0;

	(void)chunk;
	make_frames(c);
	make_stems(c);
	while (left && !ret) {
		size_t nr = 1;

		while (nr < WALKS && nr < left && !is_waiting(c, &row[nr]))
			nr++;
		push_rows(c, row, nr, name, stack);
		for (size_t i = 0; i < nr && !ret; i++, row++) {
			ret = add_row(f, row, stack[i], e);
			name += row->nr_name;
		}
		left -= nr;
	}
	f->nr_line += c->rows.nr_line;
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
		cutter[i].rows.trim_names = f->b->o->folded.trim_names;
		cutter[i].rows.empty_leaf = f->b->o->folded.empty_leaf;
		cutter[i].rows.trim_leaf = f->b->o->folded.trim_leaf;
		cutter[i].rows.keep_indent = f->b->o->folded.keep_indent;
		cutter[i].rows.no_stems = f->b->o->folded.dashed_wakers;
		arg[i] = &cutter[i];
	}
	ret = turns_run(f->b->text->source, &work, arg, nr, e);
	for (unsigned i = 0; i < nr; i++) {
		folded_rows_release(&cutter[i].rows);
		free(cutter[i].frame);
		free(cutter[i].stem);
	}
	free(cutter);
	free(arg);
	return ret;
}

static int folded_read(struct build *b, struct error *e)
{
	struct folded f = { .b = b,
			    .differential =
				    !b->o->folded.single_count && is_differential(b->head) };
	int ret;

	/* Counts are mostly samples, but folded text does not say so: no unit. */
	if (f.differential)
		f.before = profile_event(b->p, SPAN("before"), SPAN(""));
	f.after = profile_event(b->p, f.differential ? SPAN("after") : SPAN("samples"), SPAN(""));
	f.walk = xcalloc(WALKS, sizeof(*f.walk));
	ret = read_chunks(&f, b->threads, e);
	free(f.walk);
	free(f.walk_frame);
	free(f.walk_path);
	free(f.path);
	return ret;
}

/* Mostly lines with a count: at most a tenth of them are others, or one line if most stacks have callers. */
static bool folded_accepts(struct span head)
{
	size_t good = 0, deep = 0, bad = 0;

	while (head.size) {
		size_t n = span_find(head, '\n');
		struct span line = span_trim(span_upto(head, n)), count;

		/* The head may end in the middle of a line. */
		if (n == head.size && good)
			break;
		head = span_from(head, n + 1);
		if (!line.size || folded_is_comment(line))
			continue;
		if (folded_cut_count(&line, &count) && line.size) {
			good++;
			deep += span_find(line, ';') < line.size;
		} else {
			bad++;
		}
	}
	return good > 0 && (bad <= good / 10 || (bad == 1 && good > 1 && deep > good / 2));
}

const struct reader reader_folded = {
	.name = "folded",
	.title = "folded stacks",
	.accepts = folded_accepts,
	.read = folded_read,
	.split = SPLIT_LINE,
	/* Not .parallel: most stacks are distinct, so merging profiles would cost as much as threads save. */
	.turns = true,
	.spelling = SPELL_MARKS,
};

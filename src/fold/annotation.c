#include "fold/annotation.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "profile/spelling.h"

#include <assert.h>
#include <stdlib.h>

/*
 * The calls of a frame that belong to the function: its own, and those inlined into it.  Readers of
 * text make a frame (FRAME_INLINED) of each inlined call, which belongs to the function only on
 * stacks where the function is the frame that it was inlined into.
 */
struct part {
	uint32_t nr;	/* calls: from the innermost up to the function; all of an inlined frame */
	uint32_t first; /* their lines: builder.line_of[first] on */
	uint32_t place; /* of the frame's address; NOWHERE: it has none, or is an inlined call */
	bool is;	/* the function is among the calls */
	bool is_innermost; /* … and is the innermost */
};

#define NOWHERE UINT32_MAX

struct builder {
	struct annotation *a;
	const struct profile *p;
	const struct annotation_opts *o;
	struct part *part; /* by frame */
	uint32_t *line_of; /* rows of a->line, part after part */
	size_t nr_line_of, cap_line_of;
	struct intern lines, places; /* content → row of a->line, a->place */
	uint32_t *row;		     /* of the sample's lines: those that were added */
	size_t nr_row, cap_row;
	const struct part **inlined; /* the inlined frames just below the current one */
	size_t nr_inlined, cap_inlined;
};

/* Frames */

static uint32_t add_line(struct builder *b, const struct line *line, bool is_own)
{
	struct annotation *a = b->a;
	const uint32_t key[] = { line->function.i, line->file.i, line->line, is_own };
	uint32_t row = intern(&b->lines, (struct span){ (const char *)key, sizeof(key) });

	if (row == a->nr_line) {
		GROW(a->line, a->nr_line, a->cap_line);
		a->line[a->nr_line++] = (struct annotation_line){ .function = line->function,
								  .file = line->file,
								  .line = line->line,
								  .is_own = is_own };
	}
	return row;
}

/* A return address is after the call: one byte less is inside the call. */
static uint32_t add_place(struct builder *b, const struct frame *f)
{
	struct annotation *a = b->a;
	uint64_t address = f->address - (f->flags & FRAME_RETURN_ADDRESS && f->address ? 1 : 0);
	const uint64_t key[] = { f->module.i, address };
	uint32_t row;

	if (!(f->flags & FRAME_IN_MODULE))
		return NOWHERE;
	row = intern(&b->places, (struct span){ (const char *)key, sizeof(key) });
	if (row == a->nr_place) {
		GROW(a->place, a->nr_place, a->cap_place);
		a->place[a->nr_place++] = (struct annotation_place){ .module = f->module,
								     .address = address,
								     .kind = f->kind };
	}
	return row;
}

static bool is_function(const struct builder *b, frame_id id, size_t line, struct strbuf *text)
{
	strbuf_reset(text);
	spelling_frame(text, b->p, id, line, b->o->spelling);
	return span_eq(strbuf_peek(text), b->o->function);
}

static void find_part(struct builder *b, frame_id id, struct strbuf *text)
{
	const struct frame *f = &b->p->frame[id.i];
	struct part *part = &b->part[id.i];
	size_t nr = 0;

	/* If the function is inlined into itself, its outermost call counts. */
	for (size_t i = f->nr_line; i > 0 && !nr; i--)
		if (is_function(b, id, i - 1, text))
			nr = i;
	*part = (struct part){ .is = nr, .first = (uint32_t)b->nr_line_of, .place = NOWHERE };
	if (!nr && f->flags & FRAME_INLINED)
		nr = f->nr_line;
	part->nr = (uint32_t)nr;
	for (size_t i = 0; i < nr; i++) {
		bool is_own = part->is && is_function(b, id, i, text);

		part->is_innermost |= !i && is_own;
		GROW(b->line_of, b->nr_line_of, b->cap_line_of);
		b->line_of[b->nr_line_of++] = add_line(b, &f->line[i], is_own);
	}
	if (part->is && nr == f->nr_line && !(f->flags & FRAME_INLINED))
		part->place = add_place(b, f);
}

/* Samples */

/* Is one of the rows a line of the same function? */
static bool has_function(const struct builder *b, const struct annotation_line *line)
{
	for (size_t i = 0; i < b->nr_row; i++) {
		const struct annotation_line *other = &b->a->line[b->row[i]];

		if (other->function.i == line->function.i && other->is_own == line->is_own)
			return true;
	}
	return false;
}

/* Adds a count to the totals of a part's lines: to one of each function, the innermost. */
static void add_lines(struct builder *b, const struct part *part, weight_sum weight)
{
	for (uint32_t i = 0; i < part->nr; i++) {
		struct annotation_line *line;
		uint32_t row;

		assert(b->line_of); /* a part with calls has lines */
		row = b->line_of[part->first + i];
		line = &b->a->line[row];
		if (has_function(b, line))
			continue;
		line->total += weight;
		GROW(b->row, b->nr_row, b->cap_row);
		b->row[b->nr_row++] = row;
	}
}

/*
 * Adds a sample that was taken in the function's code: to the innermost line, which may be an
 * inlined function's, and to the place of the frame that holds it.
 */
static void add_end(struct builder *b, const struct part *innermost, uint32_t place,
		    weight_sum weight)
{
	b->a->code += weight;
	if (innermost->nr)
		b->a->line[b->line_of[innermost->first]].self += weight;
	if (innermost->is_innermost)
		b->a->self += weight;
	if (place == NOWHERE)
		return;
	b->a->placed_self += weight;
	b->a->place[place].self += weight;
}

/* Adds a frame of the function, and the separate frames of calls inlined into it. */
static void add_function(struct builder *b, const struct part *part, weight_sum weight)
{
	b->nr_row = 0;
	for (size_t i = 0; i < b->nr_inlined; i++)
		add_lines(b, b->inlined[i], weight);
	add_lines(b, part, weight);
	b->a->total += weight;
	if (part->place == NOWHERE)
		return;
	b->a->place[part->place].total += weight;
	b->a->placed_total += weight;
}

/*
 * Adds a count where the function is innermost on the stack: in recursion, too, a sample counts once,
 * so that the totals of all addresses add up to that of the function.
 */
static void add_count(struct builder *b, const struct count *c)
{
	const struct profile *p = b->p;
	const struct part *leaf = &b->part[p->stack[c->stack.i].frame.i];
	weight_sum weight = b->o->samples ? (weight_sum)c->nr
					  : tree_weight(p, c->event, c->weight, b->a->scale);
	bool in_leaf = true;

	b->a->all += weight;
	b->nr_inlined = 0;
	for (stack_id at = c->stack; at.i; at = p->stack[at.i].caller) {
		frame_id id = p->stack[at.i].frame;
		const struct part *part = &b->part[id.i];

		if (part->is) {
			add_function(b, part, weight);
			if (in_leaf)
				add_end(b, leaf, part->place, weight);
			return;
		}
		if (p->frame[id.i].flags & FRAME_INLINED) {
			GROW(b->inlined, b->nr_inlined, b->cap_inlined);
			b->inlined[b->nr_inlined++] = part;
		} else {
			b->nr_inlined = 0;
			in_leaf = false;
		}
	}
}

/* Lines without a sample: of frames that were filtered out, or inlined into other functions. */
static void drop_unmet(struct annotation *a)
{
	size_t nr = 0;

	for (size_t i = 0; i < a->nr_line; i++)
		if (a->line[i].total)
			a->line[nr++] = a->line[i];
	a->nr_line = nr;
	nr = 0;
	for (size_t i = 0; i < a->nr_place; i++)
		if (a->place[i].total)
			a->place[nr++] = a->place[i];
	a->nr_place = nr;
}

/* Order */

static int by_line(const void *x, const void *y, void *arg)
{
	const struct annotation_line *a = x, *b = y;
	const struct profile *p = arg;
	int order = (int)b->is_own - (int)a->is_own;

	if (!order)
		order = span_compare(profile_peek(p, a->function), profile_peek(p, b->function));
	if (!order)
		order = span_compare(profile_peek(p, a->file), profile_peek(p, b->file));
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int by_place(const void *x, const void *y)
{
	const struct annotation_place *a = x, *b = y;

	if (a->module.i != b->module.i)
		return a->module.i < b->module.i ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

void annotation_init(struct annotation *a, const struct profile *p, const struct annotation_opts *o)
{
	struct builder b = { .a = a, .p = p, .o = o };
	struct strbuf text = { 0 };

	*a = (struct annotation){ .scale = o->samples ? 0 : tree_scale(p, o->in) };
	b.part = xcalloc(p->nr_frame, sizeof(*b.part));
	for (uint32_t f = 0; f < p->nr_frame; f++)
		find_part(&b, (frame_id){ f }, &text);
	for (size_t i = 0; i < p->nr_count; i++)
		if (o->in[p->count[i].event])
			add_count(&b, &p->count[i]);
	drop_unmet(a);
	if (a->nr_line)
		qsort_r(a->line, a->nr_line, sizeof(*a->line), by_line, (void *)(uintptr_t)p);
	if (a->nr_place)
		qsort(a->place, a->nr_place, sizeof(*a->place), by_place);
	free(b.part);
	free(b.line_of);
	free(b.inlined);
	free(b.row);
	intern_release(&b.lines);
	intern_release(&b.places);
	strbuf_release(&text);
}

void annotation_release(struct annotation *a)
{
	free(a->line);
	free(a->place);
	*a = (struct annotation){ 0 };
}

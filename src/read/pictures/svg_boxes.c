/*
 * inferno and flamegraph.pl write a group for each frame:
 *
 *	<g><title>work (1,234 samples, 12.50%)</title>
 *	<rect x="0.0%" y="37" width="12.5%" height="15" fill="…" fg:x="2" fg:w="1234"/><text …/></g>
 *
 * A frame's caller is the adjacent box in the direction of the root row, which is
 * one box, "all".  fg:x and fg:w, which inferno writes, are exact; without them
 * positions are rounded to a tenth of a pixel, and weights decide where a position
 * is ambiguous.  Frames too narrow to be drawn are lost: their weight becomes their
 * caller's self weight.  The titles of a comparison end in `; +1.25%`, which is ignored.
 */
#include "read/pictures/svg_boxes.h"

#include "base/alloc.h"
#include "base/xml.h"
#include "profile/spelling.h"

#include <math.h>
#include <stdlib.h>

struct box {
	double x, width;       /* samples if boxes.exact, else pixels or percent */
	double y;	       /* pixels, downwards */
	int64_t weight, below; /* its total, and the sum of its callees' totals */
	frame_id frame;
	stack_id stack;
	uint64_t line; /* of the SVG, for notes */
	uint32_t row;  /* 0: the root's */
};

struct boxes {
	struct build *b;
	struct box *box; /* row after row */
	size_t nr, cap;
	bool exact; /* positions are inferno's fg:x and fg:w */
	bool named; /* the first box was seen: event and `exact` are set */
};

/* Titles */

/* "1,234" */
static bool parse_weight(struct span s, int64_t *weight)
{
	uint64_t v = 0;

	if (!s.size || !is_digit(s.at[0]))
		return false;
	for (size_t i = 0; i < s.size; i++) {
		if (s.at[i] == ',')
			continue;
		if (!is_digit(s.at[i]) || v > INT64_MAX / 10 - 1)
			return false;
		v = v * 10 + (uint64_t)(s.at[i] - '0');
	}
	*weight = (int64_t)v;
	return true;
}

/* "work (1,234 samples, 12.50%; +1.25%)" */
static bool parse_title(struct span title, struct span *name, int64_t *weight, struct span *unit)
{
	size_t at = span_rfind_text(title, " (");
	struct span rest = span_from(title, at + 2), number;

	if (at == title.size || !span_ends(rest, "%)"))
		return false;
	number = span_word(&rest);
	rest = span_trim_start(rest);
	*name = span_upto(title, at);
	*unit = span_upto(rest, span_rfind_text(rest, ", "));
	return unit->size < rest.size && parse_weight(number, weight);
}

/* Boxes */

static bool place(struct xml *x, const char *name, double *value)
{
	struct span s;

	if (!xml_attribute(x, name, &s))
		return false;
	if (span_ends(s, "%"))
		s.size--;
	return span_double(s, value) && isfinite(*value);
}

/* The attributes fg:x and fg:w, which only inferno writes. */
static bool exact_place(struct xml *x, struct box *box)
{
	struct span at, width;
	uint64_t from, nr;

	if (!xml_attribute(x, "fg:x", &at) || !xml_attribute(x, "fg:w", &width) ||
	    !span_u64(at, &from) || !span_u64(width, &nr) || nr > INT64_MAX)
		return false;
	box->x = (double)from;
	box->width = (double)nr;
	box->weight = (int64_t)nr;
	return true;
}

static frame_id name_frame(struct profile *p, struct span name)
{
	struct frame frame = { .kind = FRAME_USER };
	struct line line = { .function = profile_string(p, spelling_unmark(name, &frame)) };

	frame.line = &line;
	frame.nr_line = 1;
	return profile_frame(p, &frame);
}

/* A rectangle with a title; false: it is not a frame. */
static bool add_box(struct boxes *s, struct xml *x, struct span title)
{
	struct box box = { .line = x->text->line };
	struct span name = title, unit = SPAN("samples");
	bool told = parse_title(title, &name, &box.weight, &unit);
	bool exact = exact_place(x, &box);

	if (!told && !exact)
		return false;
	if (!exact && (!place(x, "x", &box.x) || !place(x, "width", &box.width)))
		return false;
	if (!place(x, "y", &box.y))
		return false;
	if (!s->named) {
		/* Programs that draw folded text call every unit samples. */
		s->b->event =
			profile_event(s->b->p, unit, span_is(unit, "samples") ? SPAN("") : unit);
		if (!span_is(unit, "samples"))
			build_measure(s->b, SOURCE_MEASURED, EXTENT_SHARE);
		s->exact = exact;
	}
	/* Samples and pixels cannot be compared. */
	if (exact != s->exact)
		return false;
	s->named = true;
	box.frame = name_frame(s->b->p, name);
	GROW(s->box, s->nr, s->cap);
	s->box[s->nr++] = box;
	return true;
}

static int collect(struct boxes *s, struct text *text, struct error *e)
{
	struct strbuf title = { 0 };
	bool in_title = false, has_title = false;
	enum xml_piece piece;
	struct xml x;
	int ret = 0;

	xml_init(&x, text);
	while (!ret && (piece = xml_next(&x)) != XML_END) {
		if (piece == XML_TEXT) {
			if (in_title)
				strbuf_add(&title, x.content);
		} else if (span_is(x.name, "title")) {
			in_title = piece == XML_OPEN;
			has_title = !in_title;
			if (in_title)
				strbuf_reset(&title);
		} else if (span_is(x.name, "rect") && piece == XML_OPEN && has_title) {
			has_title = false;
			if (!add_box(s, &x, strbuf_peek(&title)))
				ret = build_note(s->b, NOTE_BAD_STACK_LINE, strbuf_peek(&title), e);
		} else if (span_is(x.name, "g")) {
			has_title = false;
		}
	}
	if (!ret && x.broken)
		ret = build_note(s->b, NOTE_NO_END, SPAN(""), e);
	xml_release(&x);
	strbuf_release(&title);
	return ret;
}

/* Rows */

static int by_y(const void *a, const void *b)
{
	const struct box *x = a, *y = b;

	return x->y < y->y ? -1 : x->y > y->y;
}

static int by_row(const void *a, const void *b)
{
	const struct box *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->x < y->x || x->x > y->x)
		return x->x < y->x ? -1 : 1;
	/*
	 * If several boxes begin at the same tenth of a pixel, all but the last are narrower than that.
	 */
	if (x->width < y->width || x->width > y->width)
		return x->width < y->width ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Is the box alone in its row, and is none wider? */
static bool is_root(const struct boxes *s, size_t i, size_t neighbor, double widest)
{
	bool alone = s->nr == 1 || s->box[neighbor].row != s->box[i].row;

	return alone && s->box[i].width >= widest;
}

static bool is_called_all(const struct boxes *s, size_t i)
{
	const struct frame *f = &s->b->p->frame[s->box[i].frame.i];

	return span_starts(profile_peek(s->b->p, f->line[0].function), "all");
}

/* Numbers rows from the root, at the bottom or (icicle graph) at the top; sorts by them. */
static void find_rows(struct boxes *s)
{
	double widest = 0;
	uint32_t row = 0;
	bool at_top, at_bottom; /* may the root be there? */
	qsort(s->box, s->nr, sizeof(*s->box), by_y);
	for (size_t i = 0; i < s->nr; i++) {
		/* Rows are at least a pixel apart. */
		if (i && s->box[i].y - s->box[i - 1].y > 0.5)
			row++;
		s->box[i].row = row;
		widest = s->box[i].width > widest ? s->box[i].width : widest;
	}
	at_top = is_root(s, 0, 1, widest);
	at_bottom = is_root(s, s->nr - 1, s->nr - 2, widest);
	if (at_top && at_bottom)
		at_top = is_called_all(s, 0) && !is_called_all(s, s->nr - 1);
	for (size_t i = 0; i < s->nr && !at_top; i++)
		s->box[i].row = row - s->box[i].row;
	qsort(s->box, s->nr, sizeof(*s->box), by_row);
}

/* Callers */

/* Pixels are rounded to tenths: the edges of two boxes may differ by one. */
static double tolerance(const struct boxes *s)
{
	return s->exact ? 0 : 0.11;
}

/*
 * Could this be the box's caller?  If the box is narrower than the rounding error, its weight decides.
 */
static bool fits(const struct boxes *s, const struct box *box, const struct box *caller)
{
	double middle = box->x + box->width / 2, doubt = tolerance(s);

	if (middle < caller->x - doubt || middle > caller->x + caller->width + doubt)
		return false;
	return box->width > 2 * doubt || caller->weight - caller->below >= box->weight;
}

/* The caller of a box among those in the row before, from *at on; NULL: none. */
static struct box *find_caller(struct boxes *s, const struct box *box, size_t *at, size_t end)
{
	for (; *at < end; ++*at) {
		const struct box *next = &s->box[*at + 1];

		/* A box that begins at the edge between two callers belongs to the second. */
		if (*at + 1 < end && next->x <= box->x && box->width > tolerance(s) &&
		    fits(s, box, next))
			continue;
		if (fits(s, box, &s->box[*at]))
			return &s->box[*at];
		if (s->box[*at].x > box->x + box->width + tolerance(s))
			break;
	}
	return NULL;
}

static int note_lost(struct boxes *s, const struct box *box, enum note_code code, struct error *e)
{
	const struct frame *f = &s->b->p->frame[box->frame.i];

	return build_note_at(s->b, box->line, code, profile_peek(s->b->p, f->line[0].function), e);
}

/* Finds the callers of the row that begins at `begin`, which are those from `before` on. */
static int climb(struct boxes *s, size_t before, size_t begin, size_t end, struct error *e)
{
	size_t at = before;

	for (size_t i = begin; i < end; i++) {
		struct box *box = &s->box[i], *caller = find_caller(s, box, &at, begin);

		if (!caller || box->row > PROFILE_DEPTH_MAX) {
			if (note_lost(s, box, caller ? NOTE_TOO_DEEP : NOTE_BAD_REF, e))
				return -1;
			box->weight = 0;
			continue;
		}
		caller->below += box->weight;
		box->stack = profile_push(s->b->p, caller->stack, box->frame);
	}
	return 0;
}

static size_t end_of_row(const struct boxes *s, size_t begin)
{
	size_t end = begin;

	while (end < s->nr && s->box[end].row == s->box[begin].row)
		end++;
	return end;
}

static int climb_all(struct boxes *s, struct error *e)
{
	size_t before = 0, begin = end_of_row(s, 0);

	/* A single box is the root, "all", and no frame; several are the outermost frames. */
	if (begin > 1)
		for (size_t i = 0; i < begin; i++)
			s->box[i].stack = profile_push(s->b->p, (stack_id){ 0 }, s->box[i].frame);
	while (begin < s->nr) {
		size_t end = end_of_row(s, begin);

		if (climb(s, before, begin, end, e))
			return -1;
		before = begin;
		begin = end;
	}
	return 0;
}

/* Adds each box's self weight. */
static int count_own(struct boxes *s, struct error *e)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct box *box = &s->box[i];
		int64_t own = box->weight - box->below;

		s->b->time = i + 1;
		if (own > 0 && build_add(s->b, box->stack, own, (uint64_t)own, e))
			return -1;
	}
	/* The root has no self weight: the difference is frames too narrow to be drawn. */
	if (end_of_row(s, 0) == 1 && s->box[0].weight > s->box[0].below && s->nr > 1)
		notes_add(&s->b->p->notes, NOTE_NOT_DRAWN,
			  (uint64_t)(s->box[0].weight - s->box[0].below), 0, SPAN(""));
	return 0;
}

/* SVGs that wick drew show rounded numbers: they are only read from the pack in them. */
static int check_own(struct span svg, struct error *e)
{
	if (span_find_text(svg, " data-letter=\"") == svg.size)
		return 0;
	if (span_ends(span_trim(svg), "</svg>"))
		return error_set(e, ERROR_INPUT,
				 "SVG written with --static, which holds no profile");
	return error_set(e, ERROR_INPUT, "truncated SVG");
}

int boxes_read(struct build *b, struct span svg, struct error *e)
{
	struct text text, *before = b->text;
	struct boxes s = { .b = b };
	int ret;

	if (check_own(svg, e))
		return -1;
	text_over(&text, svg);
	text.line = 1;
	b->text = &text;
	ret = collect(&s, &text, e);
	if (!ret && !s.box) {
		ret = error_set(e, ERROR_INPUT, "not a flame graph");
	} else if (!ret) {
		find_rows(&s);
		ret = climb_all(&s, e);
		if (!ret)
			ret = count_own(&s, e);
	}
	b->text = before;
	text_release(&text);
	free(s.box);
	return ret;
}

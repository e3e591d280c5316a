/*
 * Draws a row of boxes on a row of cells.  Block characters (▏ to ▉) split a cell into eight columns
 * of two colors, so boxes are laid out in columns first, and then each cell shows one edge.
 */
#include "base/alloc.h"
#include "render/shorten.h"
#include "tui/icicle.h"

#include <limits.h>
#include <stdlib.h>

enum {
	EIGHTHS = 8,
	SHORT_LEAST = 5, /* cells: shorter names are useless: "r…d", "[…]" */
	/* Columns without a segment: */
	NOTHING = -1, /* no box */
	SLIVERS = -2, /* boxes narrower than the column */
	GAP = -3,     /* the line between two boxes */
};

/* The visible part of a box. */
struct row_segment {
	size_t place;	/* in the order of the graph */
	int begin, end; /* columns */
	struct ink ink;
};

struct row {
	const struct icicle *f;
	const struct theme *l;
	const struct area *a;
	struct screen *s;
	int y;
	struct row_segment *segment;
	int nr_segment;
	int *column;	     /* by column: a number of a segment, or NOTHING, SLIVERS, GAP */
	double from, to;     /* the zoom: weights at the left and the right end */
	double scale;	     /* columns per unit of weight */
	uint32_t same;	     /* the label of the selected box */
	bool faded;	     /* the row is that of a caller of the zoom */
	struct strbuf *text; /* scratch */
};

static int column_of(const struct row *r, double at)
{
	double column = (at - r->from) * r->scale + 0.5;

	if (column < 0)
		return 0;
	return column > r->a->width * EIGHTHS ? r->a->width * EIGHTHS : (int)column;
}

static enum box_style how(const struct row *r, size_t place)
{
	const struct graph *g = r->f->g;

	if (g->order[place] == r->f->selected && !r->f->passive)
		return BOX_SELECTED;
	if (r->faded || g->begin[place] < r->from || g->end[place] > r->to)
		return BOX_FADED;
	return g->label[place] == r->same ? BOX_SAME : BOX_PLAIN;
}

static void add_segment(struct row *r, size_t place, int begin, int end)
{
	const struct graph *g = r->f->g;
	/* A box of two cells or more leaves a column for the line to the next one. */
	int drawn = end - begin >= 2 * EIGHTHS && g->end[place] < r->to ? end - 1 : end;

	r->segment[r->nr_segment] =
		(struct row_segment){ .place = place,
				      .begin = begin,
				      .end = end,
				      .ink = theme_box(r->l, g, place, how(r, place)) };
	for (int i = begin; i < drawn; i++)
		r->column[i] = r->nr_segment;
	if (drawn < end)
		r->column[drawn] = GAP;
	r->nr_segment++;
}

/*
 * Lays out the boxes of a row, from left to right.  Many boxes may begin in one column, but only
 * the last of them can reach beyond it: a search skips the others.
 */
static void lay_columns(struct row *r, size_t depth)
{
	const struct graph *g = r->f->g;
	size_t at = graph_from(g, depth, graph_box(g, r->f->zoom)->begin),
	       end = g->first[depth + 1];
	int nr_column = r->a->width * EIGHTHS;

	while (at < end && g->begin[at] < r->to) {
		int first = column_of(r, g->begin[at]), last = column_of(r, g->end[at]);
		bool selected = g->order[at] == r->f->selected;

		if (last > first || (selected && first < nr_column)) {
			add_segment(r, at++, first, last > first ? last : first + 1);
			continue;
		}
		if (first < nr_column && r->column[first] == NOTHING)
			r->column[first] = SLIVERS;
		at++;
		if (at < end && column_of(r, g->end[at]) <= first)
			at = graph_on(g, depth, at, r->from + (first + 0.5) / r->scale);
	}
}

static struct ink ink_of(const struct row *r, int column)
{
	if (column >= 0)
		return r->segment[column].ink;
	if (column == SLIVERS && r->l->depth != TINT_NONE)
		return (struct ink){ .fg = INK_DEFAULT, .bg = theme_sliver(r->l) };
	return INK_PLAIN;
}

/*
 * The contents of a cell: the two values that fill most of its columns.  A GAP is one of them only
 * if there are no two others.
 */
struct edge {
	int left, right; /* as in `column`; equal: there is no edge */
	unsigned at;	 /* how many columns the left one has */
};

/* Does the terminal's background show there? */
static bool is_ground(int column)
{
	return column == NOTHING || column == GAP;
}

static unsigned count(const int *column, int what)
{
	unsigned nr = 0;

	for (int i = 0; i < EIGHTHS; i++)
		nr += column[i] == what;
	return nr;
}

/* The value with most columns, other than `but`; `but`: there is no other. */
static int widest(const int *column, int but)
{
	unsigned most = 0;
	int found = but;

	for (int i = 0; i < EIGHTHS; i++) {
		unsigned nr = column[i] == but	 ? 0
			      : column[i] == GAP ? 1
						 : 2 * count(column, column[i]);

		if (nr > most) {
			most = nr;
			found = column[i];
		}
	}
	return found;
}

static unsigned first_of(const int *column, int what)
{
	unsigned i = 0;

	while (column[i] != what)
		i++;
	return i;
}

static struct edge find_edge(const int *column)
{
	int a = widest(column, INT_MIN), b = widest(column, a);
	struct edge e = { .left = a, .right = b };

	if (a == b)
		return e;
	if (first_of(column, a) > first_of(column, b)) {
		e.left = b;
		e.right = a;
	}
	e.at = first_of(column, e.right);
	/*
	 * A box with background on both sides needs three colors.  It keeps its width, and moves to
	 * the nearer side of the cell.
	 */
	if (is_ground(e.left) && is_ground(column[EIGHTHS - 1])) {
		if (e.at < EIGHTHS / 2)
			e = (struct edge){ e.right, e.left, count(column, e.right) };
		else
			e.at = EIGHTHS - count(column, e.right);
	}
	return e;
}

static void draw_edge(struct row *r, int x, const int *column)
{
	struct edge e = find_edge(column);
	struct ink left = ink_of(r, e.left), right = ink_of(r, e.right);

	if (e.left == e.right)
		screen_fill(r->s, x, r->y, 1, (struct ink){ left.fg, left.bg, 0 });
	else if (is_ground(e.left))
		/* The background's color is unknown: the block is drawn in reverse. */
		screen_block(r->s, x, r->y, e.at,
			     (struct ink){ right.bg, INK_DEFAULT, INK_REVERSE });
	else if (left.bg == right.bg)
		screen_put(r->s, x, r->y, 1, SPAN("│"),
			   (struct ink){ theme_line(r->l), left.bg, 0 });
	else
		screen_block(r->s, x, r->y, e.at, (struct ink){ left.bg, right.bg, 0 });
}

/* Without colors: a line where a box begins, or ends with nothing to its right. */
static void draw_line(struct row *r, int x, const int *column)
{
	bool line = false;
	struct ink ink = ink_of(r, column[EIGHTHS - 1]);

	ink.style &= INK_REVERSE;
	for (int i = 0; i < EIGHTHS; i++) {
		int before = column + i == r->column ? NOTHING : column[i - 1];

		line |= column[i] != GAP && column[i] != before;
	}
	if (line)
		screen_put(r->s, x, r->y, 1, SPAN("▏"), ink);
	else
		screen_fill(r->s, x, r->y, 1, ink);
}

static void draw_cells(struct row *r)
{
	for (int i = 0; i < r->a->width; i++) {
		const int *column = r->column + (size_t)i * EIGHTHS;

		if (r->l->depth == TINT_NONE)
			draw_line(r, r->a->x + i, column);
		else
			draw_edge(r, r->a->x + i, column);
	}
}

/* Writes the name on the cells that are entirely the box's. */
static void draw_label(struct row *r, const struct row_segment *p)
{
	int first = (p->begin + EIGHTHS - 1) / EIGHTHS, end = p->end / EIGHTHS;
	const struct graph *g = r->f->g;
	struct span name = theme_name(r->l, g->label[p->place]);
	bool lined = r->l->depth == TINT_NONE;

	if (lined && p->begin % EIGHTHS == 0)
		first++;
	if (p->end % EIGHTHS == 0 && g->end[p->place] < r->to && !lined)
		end--;
	if (end <= first ||
	    (end - first < SHORT_LEAST && (size_t)(end - first) < glyph_width(name)))
		return;
	strbuf_reset(r->text);
	shorten(r->text, name, (size_t)(end - first));
	screen_put(r->s, r->a->x + first, r->y, end - first, strbuf_peek(r->text), p->ink);
}

static void draw_row(struct row *r, size_t depth)
{
	for (int i = 0; i < r->a->width * EIGHTHS; i++)
		r->column[i] = NOTHING;
	r->nr_segment = 0;
	r->faded = depth < graph_box(r->f->g, r->f->zoom)->depth;
	lay_columns(r, depth);
	draw_cells(r);
	for (int i = 0; i < r->nr_segment; i++)
		draw_label(r, &r->segment[i]);
}

void icicle_draw(const struct icicle *f, const struct theme *l, const struct area *a,
		 struct screen *s)
{
	const struct box *zoom = graph_box(f->g, f->zoom);
	size_t width = (size_t)a->width * EIGHTHS;
	struct strbuf text = { 0 };
	struct row r = { .f = f,
			 .l = l,
			 .a = a,
			 .s = s,
			 .from = (double)zoom->begin,
			 .to = (double)zoom->end,
			 .same = graph_box(f->g, f->selected)->label,
			 .text = &text };

	if (a->width < 1 || r.to <= r.from)
		return;
	r.scale = (double)width / (r.to - r.from);
	r.segment = xcalloc(width + 1, sizeof(*r.segment));
	r.column = xcalloc(width, sizeof(*r.column));
	for (int i = 0; i < a->height && f->top + i < (int)f->g->nr_row; i++) {
		r.y = f->upward ? a->y + a->height - 1 - i : a->y + i;
		draw_row(&r, (size_t)f->top + (size_t)i);
	}
	free(r.segment);
	free(r.column);
	strbuf_release(&text);
}

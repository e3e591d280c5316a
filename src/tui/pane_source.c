/* The lines of the selected function, with what each costs. */
#include "tui/panes.h"

enum { SELF = 0, TOTAL = 9, NUMBER = 18, NUMBER_WIDTH = 6, TEXT = 25, HEAD_ROWS = 1 };

static size_t nr_rows(const struct source_lines *s)
{
	return s->text.size ? s->last - s->first + 1 : s->nr;
}

/* The line that costs most is where one looks first. */
static void find_heaviest(struct viewer *v)
{
	const struct source_lines *s = &v->source;
	weight_sum most = 0;

	v->source_list = (struct list){ .nr = nr_rows(s) };
	for (size_t i = 0; i < s->nr && s->text.size; i++)
		if (s->row[i].file.i == s->file.i && s->row[i].total > most) {
			most = s->row[i].total;
			v->source_list.selected = s->row[i].line - s->first;
		}
}

static void enter(struct viewer *v)
{
	uint32_t before = v->source.label;

	source_lines_fill(&v->source, v->m, v->function, v->load);
	if (v->source.label != before)
		find_heaviest(v);
	list_set(&v->source_list, nr_rows(&v->source));
}

static void move(struct viewer *v, enum move m)
{
	list_step(&v->source_list, m, v->area.height - HEAD_ROWS);
}

static enum viewer_ask open(struct viewer *v)
{
	(void)v;
	return ASK_NOTHING;
}

static bool click(struct viewer *v, int x, int y)
{
	size_t row = v->source_list.top + (size_t)(y - v->area.y - HEAD_ROWS);

	(void)x;
	if (y < v->area.y + HEAD_ROWS || row >= v->source_list.nr)
		return false;
	v->source_list.selected = row;
	return true;
}

static void scroll(struct viewer *v, int rows)
{
	list_move(&v->source_list, rows);
}

static void put_costs(const struct viewer *v, const struct source_row *r, const struct area *a,
		      int y, struct screen *s, struct ink ink)
{
	weight_sum all = model_total(v->m);

	if (!r)
		return;
	if (r->self)
		put_share(s, a->x + SELF, y, r->self, all, ink);
	put_share(s, a->x + TOTAL, y, r->total, all, ink);
}

static void draw_line(const struct viewer *v, size_t line, const struct area *a, int y,
		      struct screen *s, struct ink ink)
{
	const struct source_lines *l = &v->source;
	const struct source_row *r = source_lines_find(l, line);
	struct span text =
		span_between(l->text.at + l->begin[line - 1], l->text.at + l->begin[line] - 1);
	struct strbuf number = { 0 };

	if (r && !(ink.style & INK_REVERSE))
		ink.style |= INK_BOLD;
	put_costs(v, r, a, y, s, ink);
	strbuf_addf(&number, "%*zu", NUMBER_WIDTH, line);
	screen_put(s, a->x + NUMBER, y, NUMBER_WIDTH, strbuf_peek(&number),
		   ink.style & INK_REVERSE ? ink
					   : (struct ink){ INK_DEFAULT, INK_DEFAULT, INK_DIM });
	screen_put(s, a->x + TEXT, y, a->width - TEXT, text, ink);
	strbuf_release(&number);
}

/* Without the text: "sort.c:120" */
static void draw_place(const struct viewer *v, const struct source_row *r, const struct area *a,
		       int y, struct screen *s, struct ink ink)
{
	struct span file = profile_peek(v->m->o.p, r->file);
	struct strbuf text = { 0 };

	put_costs(v, r, a, y, s, ink);
	strbuf_addf(&text, "%.*s:%u", (int)file.size, file.at, r->line);
	screen_put(s, a->x + NUMBER, y, a->width - NUMBER, strbuf_peek(&text), ink);
	strbuf_release(&text);
}

static void draw_head(const struct viewer *v, const struct area *a, struct screen *s)
{
	struct ink ink = { INK_DEFAULT, INK_DEFAULT, INK_BOLD | INK_UNDERLINE };
	struct span file = profile_peek(v->m->o.p, v->source.file);

	screen_fill(s, a->x, a->y, a->width, ink);
	screen_put(s, a->x + SELF + 4, a->y, 4, SPAN("self"), ink);
	screen_put(s, a->x + TOTAL + 3, a->y, 5, SPAN("total"), ink);
	screen_put(s, a->x + NUMBER + 2, a->y, a->width - NUMBER - 2,
		   v->source.text.size ? file : SPAN("line"), ink);
}

static void draw(struct viewer *v, const struct area *a, struct screen *s)
{
	struct list *l = &v->source_list;

	enter(v);
	if (!v->source.nr) {
		screen_put(
			s, a->x + 1, a->y + 1, a->width - 2,
			v->source.label == LAYOUT_ALL
				? SPAN("Choose a function in the flame graph (1) or the table (2) first.")
				: SPAN("No lines of the source are known for this function."),
			INK_PLAIN);
		return;
	}
	list_show(l, a->height - HEAD_ROWS);
	draw_head(v, a, s);
	for (int i = 0; i + HEAD_ROWS < a->height && l->top + (size_t)i < l->nr; i++) {
		size_t row = l->top + (size_t)i;
		struct ink ink = INK_PLAIN;

		if (row == l->selected)
			ink.style = INK_REVERSE;
		screen_fill(s, a->x, a->y + HEAD_ROWS + i, a->width, ink);
		if (v->source.text.size)
			draw_line(v, v->source.first + row, a, a->y + HEAD_ROWS + i, s, ink);
		else
			draw_place(v, &v->source.row[row], a, a->y + HEAD_ROWS + i, s, ink);
	}
}

const struct pane_ops pane_source = {
	.name = "Source",
	.hints = "↑↓ lines",
	.enter = enter,
	.move = move,
	.open = open,
	.click = click,
	.scroll = scroll,
	.draw = draw,
};

/* The key bindings and their commands. */
#include "base/alloc.h"
#include "tui/panes.h"

/* Commands */

typedef enum viewer_ask viewer_command(struct viewer *v, const struct key *k);

static enum viewer_ask quit(struct viewer *v, const struct key *k)
{
	(void)v;
	(void)k;
	return ASK_QUIT;
}

static enum viewer_ask suspend(struct viewer *v, const struct key *k)
{
	(void)v;
	(void)k;
	return ASK_SUSPEND;
}

/* Is this a key that moves the selection?  Sets *move. */
static bool find_move(const struct key *k, enum move *move)
{
	static const struct {
		enum key_kind kind;
		uint32_t ch;
		enum move move;
	} moves[] = {
		{ KEY_UP, 'k', MOVE_UP },	    { KEY_DOWN, 'j', MOVE_DOWN },
		{ KEY_LEFT, 'h', MOVE_LEFT },	    { KEY_RIGHT, 'l', MOVE_RIGHT },
		{ KEY_HOME, 'g', MOVE_HOME },	    { KEY_END, 'G', MOVE_END },
		{ KEY_PAGE_UP, 'b', MOVE_PAGE_UP }, { KEY_PAGE_DOWN, ' ', MOVE_PAGE_DOWN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(moves); i++)
		if (k->kind == KEY_CHAR ? !k->mods && moves[i].ch == k->ch
					: moves[i].kind == k->kind) {
			*move = moves[i].move;
			return true;
		}
	return false;
}

static enum viewer_ask open(struct viewer *v, const struct key *k)
{
	(void)k;
	return pane_ops(v->pane)->open(v);
}

/* Undoes the search (only Escape), else a zoom, else a filter; else it goes to the flame graph. */
static enum viewer_ask back(struct viewer *v, const struct key *k)
{
	const struct pane_ops *p = pane_ops(v->pane);

	if (k->kind == KEY_ESCAPE && v->pattern) {
		strbuf_reset(&v->line);
		viewer_search(v);
		return ASK_NOTHING;
	}
	if ((p->back && p->back(v)) || viewer_widen(v))
		return ASK_NOTHING;
	if (v->pane != PANE_FLAME)
		pane_show(v, PANE_FLAME);
	return ASK_NOTHING;
}

static enum viewer_ask reset(struct viewer *v, const struct key *k)
{
	(void)k;
	icicle_reset(&v->flame);
	return ASK_NOTHING;
}

static enum viewer_ask next_pane(struct viewer *v, const struct key *k)
{
	int step = k->kind == KEY_BACKTAB ? NR_PANES - 1 : 1;

	pane_show(v, (enum pane)(((int)v->pane + step) % NR_PANES));
	return ASK_NOTHING;
}

static enum viewer_ask pick_pane(struct viewer *v, const struct key *k)
{
	uint32_t number = k->kind == KEY_FUNCTION ? k->ch : k->ch - '0';

	if (number >= 1 && number <= NR_PANES)
		pane_show(v, (enum pane)(number - 1));
	return ASK_NOTHING;
}

static enum viewer_ask flip(struct viewer *v, const struct key *k)
{
	(void)k;
	v->flame.upward = !v->flame.upward;
	return ASK_NOTHING;
}

static enum viewer_ask reverse(struct viewer *v, const struct key *k)
{
	bool upward = v->flame.upward;
	uint32_t function = v->function;

	(void)k;
	v->direction = v->direction == MODEL_FORWARD ? MODEL_REVERSE : MODEL_FORWARD;
	icicle_release(&v->flame);
	icicle_init(&v->flame, viewer_graph(v, v->m));
	v->flame.upward = upward;
	viewer_choose(v, function);
	viewer_search_again(v);
	pane_show(v, PANE_FLAME);
	return ASK_NOTHING;
}

static enum viewer_ask sort(struct viewer *v, const struct key *k)
{
	(void)k;
	if (pane_ops(v->pane)->sort)
		pane_ops(v->pane)->sort(v);
	return ASK_NOTHING;
}

static enum viewer_ask search(struct viewer *v, const struct key *k)
{
	(void)k;
	v->prompt = PROMPT_SEARCH;
	strbuf_reset(&v->line);
	return ASK_NOTHING;
}

static enum viewer_ask search_same(struct viewer *v, const struct key *k)
{
	(void)k;
	if (v->function >= LAYOUT_MORE)
		return ASK_NOTHING;
	strbuf_reset(&v->line);
	narrow_add_pattern(&v->line, labels_peek(v->theme.labels, v->function));
	viewer_search(v);
	return ASK_NOTHING;
}

static enum viewer_ask find_next(struct viewer *v, const struct key *k)
{
	const struct pane_ops *p = pane_ops(v->pane);

	if (p->next)
		p->next(v, k->ch == 'N' ? -1 : 1);
	return ASK_NOTHING;
}

static enum viewer_ask write_file(struct viewer *v, const struct key *k)
{
	(void)k;
	v->prompt = PROMPT_WRITE;
	strbuf_reset(&v->line);
	strbuf_add(&v->line, SPAN("flamegraph.svg"));
	return ASK_NOTHING;
}

/* Copies a name as it was shown, without control characters. */
static void add_legible(struct strbuf *out, struct span name)
{
	struct glyph g;

	while (glyph_next(&name, &g))
		strbuf_add(out, (struct span){ .at = g.text, .size = g.size });
}

static enum viewer_ask copy_name(struct viewer *v, const struct key *k)
{
	(void)k;
	strbuf_reset(&v->said);
	add_legible(&v->said, theme_name(&v->theme, v->function));
	return ASK_COPY;
}

/* Copies the call chain of the selected box, root first, a line for each frame. */
static enum viewer_ask copy_stack(struct viewer *v, const struct key *k)
{
	const struct graph *g = v->flame.g;
	const struct box *b = graph_box(g, v->flame.selected);

	(void)k;
	strbuf_reset(&v->said);
	for (size_t row = 1; row <= b->depth; row++) {
		const struct box *on_way = graph_box(g, graph_find(g, row, b->begin));

		add_legible(&v->said, theme_name(&v->theme, on_way->label));
		strbuf_addch(&v->said, '\n');
	}
	return v->said.size ? ASK_COPY : ASK_NOTHING;
}

static enum viewer_ask help(struct viewer *v, const struct key *k)
{
	(void)k;
	v->help = true;
	v->help_top = 0;
	return ASK_NOTHING;
}

static enum viewer_ask limit(struct viewer *v, const struct key *k)
{
	static const struct {
		uint32_t ch;
		enum narrow_kind kind;
	} limits[] = {
		{ 'f', NARROW_FOCUS },	{ 'x', NARROW_HIDE },	{ 'c', NARROW_RECURSION },
		{ 't', NARROW_THREAD }, { 'd', NARROW_MODULE }, { 'K', NARROW_KERNEL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		if (limits[i].ch == k->ch)
			viewer_limit(v, limits[i].kind);
	return ASK_NOTHING;
}

static enum viewer_ask widen(struct viewer *v, const struct key *k)
{
	(void)k;
	viewer_widen(v);
	return ASK_NOTHING;
}

static enum viewer_ask mark(struct viewer *v, const struct key *k)
{
	(void)k;
	if (v->pane == PANE_THREADS)
		v->time_mark = v->time_mark < 0 ? v->time_at : -1;
	return ASK_NOTHING;
}

static enum viewer_ask show_source(struct viewer *v, const struct key *k)
{
	(void)k;
	pane_show(v, PANE_SOURCE);
	return ASK_NOTHING;
}

static enum viewer_ask show_sandwich(struct viewer *v, const struct key *k)
{
	(void)k;
	pane_show(v, PANE_SANDWICH);
	return ASK_NOTHING;
}

static enum viewer_ask freeze(struct viewer *v, const struct key *k)
{
	(void)k;
	v->frozen = v->live && !v->frozen;
	return v->live ? ASK_FREEZE : ASK_NOTHING;
}

static enum viewer_ask begin_anew(struct viewer *v, const struct key *k)
{
	(void)k;
	return v->live ? ASK_RESET : ASK_NOTHING;
}

static enum viewer_ask fade(struct viewer *v, const struct key *k)
{
	(void)k;
	v->fading = v->live && !v->fading;
	return v->live ? ASK_FADE : ASK_NOTHING;
}

static const struct binding {
	enum key_kind kind;
	uint32_t ch;
	unsigned mods;
	viewer_command *run;
} bindings[] = {
	{ KEY_CHAR, 'q', 0, quit },	      { KEY_CHAR, 'c', KEY_CTRL, quit },
	{ KEY_CHAR, 'z', KEY_CTRL, suspend }, { KEY_ENTER, 0, 0, open },
	{ KEY_ESCAPE, 0, 0, back },	      { KEY_BACKSPACE, 0, 0, back },
	{ KEY_CHAR, '0', 0, reset },	      { KEY_TAB, 0, 0, next_pane },
	{ KEY_BACKTAB, 0, 0, next_pane },     { KEY_FUNCTION, 1, 0, pick_pane },
	{ KEY_FUNCTION, 2, 0, pick_pane },    { KEY_FUNCTION, 3, 0, pick_pane },
	{ KEY_FUNCTION, 4, 0, pick_pane },    { KEY_FUNCTION, 5, 0, pick_pane },
	{ KEY_CHAR, '1', 0, pick_pane },      { KEY_CHAR, '2', 0, pick_pane },
	{ KEY_CHAR, '3', 0, pick_pane },      { KEY_CHAR, '4', 0, pick_pane },
	{ KEY_CHAR, '5', 0, pick_pane },      { KEY_CHAR, 'i', 0, flip },
	{ KEY_CHAR, 'r', 0, reverse },	      { KEY_CHAR, '/', 0, search },
	{ KEY_CHAR, 'f', KEY_CTRL, search },  { KEY_CHAR, '#', 0, search_same },
	{ KEY_CHAR, 'n', 0, find_next },      { KEY_CHAR, 'N', 0, find_next },
	{ KEY_CHAR, 'w', 0, write_file },     { KEY_CHAR, 'y', 0, copy_name },
	{ KEY_CHAR, 'Y', 0, copy_stack },     { KEY_CHAR, 'f', 0, limit },
	{ KEY_CHAR, 'x', 0, limit },	      { KEY_CHAR, 'c', 0, limit },
	{ KEY_CHAR, 't', 0, limit },	      { KEY_CHAR, 'd', 0, limit },
	{ KEY_CHAR, 'K', 0, limit },	      { KEY_CHAR, 'u', 0, widen },
	{ KEY_CHAR, 'v', 0, mark },	      { KEY_CHAR, 'a', 0, show_source },
	{ KEY_CHAR, 'S', 0, show_sandwich },  { KEY_CHAR, 's', 0, sort },
	{ KEY_CHAR, 'z', 0, freeze },	      { KEY_CHAR, 'R', 0, begin_anew },
	{ KEY_CHAR, 'D', 0, fade },	      { KEY_CHAR, '?', 0, help },
};

static enum viewer_ask press(struct viewer *v, const struct key *k)
{
	enum move move;

	if (find_move(k, &move)) {
		pane_move(v, move);
		return ASK_NOTHING;
	}
	for (size_t i = 0; i < ARRAY_SIZE(bindings); i++) {
		const struct binding *b = &bindings[i];

		if (b->kind == k->kind && b->ch == k->ch &&
		    b->mods == (k->mods & ~(unsigned)KEY_SHIFT))
			return b->run(v, k);
	}
	return ASK_NOTHING;
}

enum viewer_ask viewer_key(struct viewer *v, const struct key *k)
{
	enum move move;

	if (k->kind == KEY_NOTHING)
		return ASK_NOTHING;
	if (k->kind == KEY_GROUND) {
		theme_ground(&v->theme, k->ch ? COLOR_LIGHT : COLOR_DARK);
		return ASK_NOTHING;
	}
	if (k->kind == KEY_PASTE || k->kind == KEY_PASTE_END) {
		v->pasting = k->kind == KEY_PASTE;
		return ASK_NOTHING;
	}
	/* Pasted text goes only into a line that is being typed: it must not run commands. */
	if (v->pasting && (v->prompt == PROMPT_NONE || k->kind != KEY_CHAR))
		return ASK_NOTHING;
	strbuf_reset(&v->message);
	if (v->help && k->kind != KEY_MOUSE) {
		v->help = find_move(k, &move) && viewer_scroll_help(v, move);
		return ASK_NOTHING;
	}
	if (k->kind == KEY_MOUSE)
		return viewer_mouse(v, k);
	v->click_x = -1;
	if (v->prompt != PROMPT_NONE)
		return viewer_line_key(v, k);
	return press(v, k);
}

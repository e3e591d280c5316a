/* Typing in the last line: a search, or a file name. */
#include "base/utf8.h"
#include "tui/panes.h"

enum { LINE_MAX_SIZE = 1000 };

static void add_char(struct strbuf *line, uint32_t c)
{
	char text[4];
	size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	if (line->size + size > LINE_MAX_SIZE)
		return;
	text[0] = (char)(size == 1 ? c : (0xf00 >> size | c >> 6 * (size - 1)));
	for (size_t i = 1; i < size; i++)
		text[i] = (char)(0x80 | (c >> 6 * (size - 1 - i) & 0x3f));
	strbuf_add(line, (struct span){ .at = text, .size = size });
}

static void drop_char(struct strbuf *line)
{
	while (line->size && utf8_is_inside(line->at[line->size - 1]))
		line->size--;
	if (line->size)
		line->size--;
	strbuf_add(line, SPAN(""));
}

static enum viewer_ask finish_line(struct viewer *v)
{
	enum prompt prompt = v->prompt;

	v->prompt = PROMPT_NONE;
	if (prompt == PROMPT_WRITE && v->line.size) {
		strbuf_reset(&v->said);
		strbuf_add(&v->said, strbuf_peek(&v->line));
		return ASK_WRITE;
	}
	/* Enter has cleared the message about an invalid pattern: searches again to show it. */
	if (prompt == PROMPT_SEARCH && !v->hit)
		viewer_search(v);
	if (prompt == PROMPT_SEARCH && v->hit && pane_ops(v->pane)->next)
		pane_ops(v->pane)->next(v, 1);
	return ASK_NOTHING;
}

enum viewer_ask viewer_line_key(struct viewer *v, const struct key *k)
{
	bool changed = true;

	if (k->kind == KEY_ENTER)
		return finish_line(v);
	if (k->kind == KEY_ESCAPE || (k->kind == KEY_CHAR && k->ch == 'c' && k->mods == KEY_CTRL)) {
		strbuf_reset(&v->line);
		if (v->prompt == PROMPT_SEARCH)
			viewer_search(v);
		v->prompt = PROMPT_NONE;
		return ASK_NOTHING;
	}
	if (k->kind == KEY_BACKSPACE)
		drop_char(&v->line);
	else if (k->kind == KEY_CHAR && k->ch == 'u' && k->mods == KEY_CTRL)
		strbuf_reset(&v->line);
	else if (k->kind == KEY_CHAR && !k->mods)
		add_char(&v->line, k->ch);
	else
		changed = false;
	/* Hits are shown while the pattern is being typed. */
	if (changed && v->prompt == PROMPT_SEARCH)
		viewer_search(v);
	return ASK_NOTHING;
}

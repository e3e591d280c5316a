#include "render/brackets.h"

#include "base/alloc.h"

#include <assert.h>
#include <stdlib.h>

static bool is_name_char(char c)
{
	return is_word(c) || c == '$' || (unsigned char)c > 0x7f;
}

/* The end of the operator name that begins here: operator<, operator(), operator bool; 0: none. */
static size_t operator_end(struct span text, size_t at)
{
	size_t name = at + strlen("operator"), end = name;

	if (!span_starts_at(text, at, "operator") || (at && is_name_char(text.at[at - 1])))
		return 0;
	if (span_starts_at(text, name, "()") || span_starts_at(text, name, "[]"))
		return name + 2;
	while (is_one_of(span_at(text, end), "<>=!+-*/%^&|~,"))
		end++;
	if (end > name)
		return end;
	if (span_at(text, name) != ' ')
		return 0;
	return name + span_find(span_from(text, name), '(');
}

static char partner_of(char closing)
{
	switch (closing) {
	case ')':
		return '(';
	case ']':
		return '[';
	case '}':
		return '{';
	case '>':
		return '<';
	default:
		return '\0';
	}
}

/* Pops the group that this bracket closes, and any unclosed < inside; false: it closes none. */
static bool close_group(struct bracket_group *open, size_t *nr_open, char closing)
{
	while (closing != '>' && *nr_open && open[*nr_open - 1].kind == '<')
		(*nr_open)--;
	if (!*nr_open || open[*nr_open - 1].kind != partner_of(closing))
		return false;
	(*nr_open)--;
	return true;
}

void brackets_init(struct brackets *b, struct span text)
{
	struct bracket_group *open = NULL;
	size_t nr_open = 0, cap_open = 0;

	*b = (struct brackets){ .text = text, .place = xcalloc(text.size + 1, 1) };
	for (size_t i = 0; i < text.size; i++) {
		char c = text.at[i];
		size_t end = operator_end(text, i);

		if (end) {
			b->place[end] |= BRACKETS_BEHIND_OPERATOR;
			i = end - 1;
		} else if (is_one_of(c, "([{<")) {
			const struct bracket_group *up = nr_open ? &open[nr_open - 1] : NULL;
			struct bracket_group g = { .open = i, .kind = c, .around = nr_open };

			g.inside = up ? up->inside + (up->kind != '{') : 0;
			GROW(open, nr_open, cap_open);
			assert(open);
			open[nr_open++] = g;
		} else if (partner_of(c) && !(c == '>' && i && text.at[i - 1] == '-')) {
			if (open && close_group(open, &nr_open, c)) {
				GROW(b->group, b->nr, b->cap);
				b->group[b->nr] = open[nr_open];
				b->group[b->nr++].close = i + 1;
			}
		} else if (!nr_open) {
			b->place[i] |= BRACKETS_PLAIN;
		}
	}
	free(open);
}

void brackets_release(struct brackets *b)
{
	free(b->group);
	free(b->place);
}

bool brackets_is_list(const struct brackets *b, const struct bracket_group *g)
{
	char before = brackets_before(b, g);

	if (g->inside || !is_one_of(g->kind, "(<") || !before)
		return false;
	if (is_name_char(before) || partner_of(before))
		return true;
	if (b->place[g->open] & BRACKETS_BEHIND_OPERATOR)
		return true;
	return g->kind == '<' && before == ' ' && b->place[g->open - 1] & BRACKETS_BEHIND_OPERATOR;
}

const struct bracket_group *brackets_last_arguments(const struct brackets *b)
{
	for (size_t i = b->nr; i-- > 0;)
		if (b->group[i].kind == '(' && !b->group[i].around &&
		    brackets_is_list(b, &b->group[i]))
			return &b->group[i];
	return NULL;
}

size_t brackets_find(const struct brackets *b, const char *word)
{
	for (size_t i = 0; i < b->text.size; i++)
		if (brackets_is_plain(b, i) && span_starts_at(b->text, i, word))
			return i;
	return b->text.size;
}

size_t brackets_rfind(const struct brackets *b, const char *word)
{
	for (size_t i = b->text.size; i-- > 0;)
		if (brackets_is_plain(b, i) && span_starts_at(b->text, i, word))
			return i;
	return b->text.size;
}

/*
 * The rule is written down in web/shorten.js, and tests/shorten/cases.tsv holds
 * both to it: arguments go first, then what is in templates, then the tail, then
 * namespaces from the left, and only then letters from the middle.
 */
#include "render/shorten.h"

#include "base/alloc.h"
#include "base/utf8.h"

#include <assert.h>
#include <stdlib.h>

#define ELLIPSIS SPAN("…")

/* Whoever has a longer name gets its begin and its end. */
enum { READ_MAX = 4096 };

/* A pair of brackets: text[open] up to text[close]. */
struct group {
	size_t open, close;
	size_t around; /* brackets around it */
	size_t inside; /* those of them that are no { } */
	char kind;     /* the opening one */
};

/* What there is at a place of the text. */
enum place { PLACE_PLAIN = 1, PLACE_BEHIND_OPERATOR = 2 };

struct scan {
	struct span text;
	struct group *group; /* in the order in which they close */
	size_t nr, cap;
	unsigned char
		*place; /* enum place: outside of brackets and operators, or right behind one */
};

static bool is_name_char(char c)
{
	return is_word(c) || c == '$' || (unsigned char)c > 0x7f;
}

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static bool starts_at(struct span text, size_t at, const char *word)
{
	return span_starts(span_from(text, at), word);
}

static char char_at(struct span text, size_t at)
{
	return at < text.size ? text.at[at] : '\0';
}

/* The end of the operator at this place, or 0. */
static size_t operator_end(struct span text, size_t at)
{
	size_t name = at + strlen("operator"), end = name;

	if (!starts_at(text, at, "operator") || (at && is_name_char(text.at[at - 1])))
		return 0;
	if (starts_at(text, name, "()") || starts_at(text, name, "[]"))
		return name + 2;
	while (is_one_of(char_at(text, end), "<>=!+-*/%^&|~,"))
		end++;
	if (end > name)
		return end;
	if (char_at(text, name) != ' ')
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

/* Takes the group that this bracket closes off the open ones; false: it closes none. */
static bool close_group(struct group *open, size_t *nr_open, char closing)
{
	while (closing != '>' && *nr_open && open[*nr_open - 1].kind == '<')
		(*nr_open)--;
	if (!*nr_open || open[*nr_open - 1].kind != partner_of(closing))
		return false;
	(*nr_open)--;
	return true;
}

static void scan_init(struct scan *s, struct span text)
{
	struct group *open = NULL;
	size_t nr_open = 0, cap_open = 0;

	*s = (struct scan){ .text = text, .place = xcalloc(text.size + 1, 1) };
	for (size_t i = 0; i < text.size; i++) {
		char c = text.at[i];
		size_t end = operator_end(text, i);

		if (end) {
			s->place[end] |= PLACE_BEHIND_OPERATOR;
			i = end - 1;
		} else if (is_one_of(c, "([{<")) {
			const struct group *up = nr_open ? &open[nr_open - 1] : NULL;
			struct group g = { .open = i, .kind = c, .around = nr_open };

			g.inside = up ? up->inside + (up->kind != '{') : 0;
			GROW(open, nr_open, cap_open);
			assert(open);
			open[nr_open++] = g;
		} else if (partner_of(c) && !(c == '>' && i && text.at[i - 1] == '-')) {
			if (open && close_group(open, &nr_open, c)) {
				GROW(s->group, s->nr, s->cap);
				s->group[s->nr] = open[nr_open];
				s->group[s->nr++].close = i + 1;
			}
		} else if (!nr_open) {
			s->place[i] |= PLACE_PLAIN;
		}
	}
	free(open);
}

static void scan_release(struct scan *s)
{
	free(s->group);
	free(s->place);
}

static bool is_plain(const struct scan *s, size_t at)
{
	return s->place[at] & PLACE_PLAIN;
}

static char char_before(const struct scan *s, const struct group *g)
{
	return g->open ? s->text.at[g->open - 1] : '\0';
}

/* Is it a list of arguments or of a template? */
static bool is_list(const struct scan *s, const struct group *g)
{
	char before = char_before(s, g);

	if (g->inside || !is_one_of(g->kind, "(<") || !before)
		return false;
	if (is_name_char(before) || partner_of(before))
		return true;
	if (s->place[g->open] & PLACE_BEHIND_OPERATOR)
		return true;
	return g->kind == '<' && before == ' ' && s->place[g->open - 1] & PLACE_BEHIND_OPERATOR;
}

static int by_place(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return x->open < y->open ? -1 : x->open > y->open;
}

/* What becomes of a group: NULL leaves it as it is. */
typedef void replacer(struct strbuf *out, const struct scan *s, const struct group *g);
typedef replacer *chooser(const struct scan *s, const struct group *g);

/* The text with its groups replaced; those inside of one that is are gone with it. */
static void replace_groups(struct strbuf *out, struct span text, chooser *choose)
{
	struct scan s;
	size_t at = 0;

	scan_init(&s, text);
	if (s.nr)
		qsort(s.group, s.nr, sizeof(*s.group), by_place);
	for (size_t i = 0; i < s.nr; i++) {
		const struct group *g = &s.group[i];
		replacer *replace = g->open < at ? NULL : choose(&s, g);

		if (!replace)
			continue;
		strbuf_add(out, span_between(text.at + at, text.at + g->open));
		replace(out, &s, g);
		at = g->close;
	}
	strbuf_add(out, span_from(text, at));
	scan_release(&s);
}

static struct span text_of(const struct scan *s, const struct group *g)
{
	return span_between(s->text.at + g->open, s->text.at + g->close);
}

/* `(…)`, unless that saves nothing. */
static void put_dots(struct strbuf *out, const struct scan *s, const struct group *g)
{
	struct span list = text_of(s, g);

	if (utf8_length(list) <= 3) {
		strbuf_add(out, list);
		return;
	}
	strbuf_addch(out, list.at[0]);
	strbuf_add(out, ELLIPSIS);
	strbuf_addch(out, list.at[list.size - 1]);
}

static void put_nothing(struct strbuf *out, const struct scan *s, const struct group *g)
{
	(void)out;
	(void)s;
	(void)g;
}

static replacer put_paths;

static replacer *choose_arguments(const struct scan *s, const struct group *g)
{
	return g->kind == '(' && is_list(s, g) ? put_dots : NULL;
}

/* `f::<T>`, and not `<impl T for U>`. */
static bool is_turbofish(const struct scan *s, const struct group *g)
{
	return char_before(s, g) == ':' && !starts_at(s->text, g->open, "<impl ");
}

static replacer *choose_templates(const struct scan *s, const struct group *g)
{
	if (g->kind != '<' || g->inside)
		return NULL;
	return is_list(s, g) || is_turbofish(s, g) ? put_dots : put_paths;
}

static replacer *choose_lists(const struct scan *s, const struct group *g)
{
	return is_list(s, g) ? put_nothing : NULL;
}

/* Where a word stands outside of brackets: the first place, or the last; text.size: nowhere. */
static size_t find_plain(const struct scan *s, const char *word)
{
	for (size_t i = 0; i < s->text.size; i++)
		if (is_plain(s, i) && starts_at(s->text, i, word))
			return i;
	return s->text.size;
}

static size_t rfind_plain(const struct scan *s, const char *word)
{
	for (size_t i = s->text.size; i-- > 0;)
		if (is_plain(s, i) && starts_at(s->text, i, word))
			return i;
	return s->text.size;
}

static void put_last_component(struct strbuf *out, struct span path)
{
	struct strbuf folded = { 0 };
	struct scan s;
	size_t at;

	replace_groups(&folded, path, choose_templates);
	scan_init(&s, strbuf_peek(&folded));
	at = rfind_plain(&s, "::");
	strbuf_add(out, at == s.text.size ? s.text : span_from(s.text, at + 2));
	scan_release(&s);
	strbuf_release(&folded);
}

/*
 * `<alloc::vec::Vec<u8> as core::iter::Iterator>` is `<Vec<…> as Iterator>`, and
 * `<alloc::string::String>` is `<String>`.
 */
static void put_paths(struct strbuf *out, const struct scan *s, const struct group *g)
{
	struct span list = text_of(s, g),
		    inner = span_between(list.at + 1, list.at + list.size - 1);
	struct scan in;
	size_t as;

	scan_init(&in, inner);
	as = find_plain(&in, " as ");
	if (as == inner.size && find_plain(&in, "::") == inner.size) {
		strbuf_add(out, list);
		scan_release(&in);
		return;
	}
	strbuf_addch(out, '<');
	put_last_component(out, span_upto(inner, as));
	if (as < inner.size) {
		strbuf_add(out, SPAN(" as "));
		put_last_component(out, span_from(inner, as + 4));
	}
	strbuf_addch(out, '>');
	scan_release(&in);
}

/* The last argument list that is inside of nothing, or NULL. */
static const struct group *last_arguments(const struct scan *s)
{
	for (size_t i = s->nr; i-- > 0;)
		if (s->group[i].kind == '(' && !s->group[i].around && is_list(s, &s->group[i]))
			return &s->group[i];
	return NULL;
}

/* What compilers put behind a name: .isra.0, .cold */
static bool is_suffix(struct span text, size_t at)
{
	static const char *const words[] = { "isra", "constprop",  "part", "cold", "lto_priv",
					     "llvm", "localalias", "plt",  "so" };

	if (is_digit(char_at(text, at + 1)))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		char next = char_at(text, at + 1 + strlen(words[i]));

		if (starts_at(text, at + 1, words[i]) && !(next >= 'a' && next <= 'z') &&
		    !(next >= 'A' && next <= 'Z'))
			return true;
	}
	return false;
}

static bool is_numbered(struct span text)
{
	size_t end = text.size;

	while (end && is_digit(text.at[end - 1]))
		end--;
	return end < text.size && end && text.at[end - 1] == ':';
}

/* A `.` before this place separates nothing, since something else does so behind it. */
static size_t dots_begin(const struct scan *s)
{
	for (size_t i = s->text.size; i-- > 0;)
		if (is_plain(s, i) && is_one_of(s->text.at[i], ":/\\!`"))
			return i;
	return 0;
}

/* Where the tail begins, or the end. */
static size_t tail_of(const struct scan *s, const struct group *list)
{
	struct span text = s->text;
	bool numbered = is_numbered(text);
	size_t dots_from = dots_begin(s);

	for (size_t i = list ? list->close : 1; i < text.size; i++) {
		char next = char_at(text, i + 1);
		bool found = false;

		if (!is_plain(s, i))
			continue;
		if (text.at[i] == ' ')
			found = list || is_one_of(next, "/[({");
		else if (text.at[i] == '.')
			found = i >= dots_from && is_suffix(text, i);
		else if (text.at[i] == '@')
			found = true;
		else if (text.at[i] == ':')
			found = numbered && text.at[i - 1] != ':' && next != ':';
		if (found)
			return i;
	}
	return text.size;
}

/* The length of the separator at this place, or 0. */
static size_t separator_at(struct span text, size_t at, size_t dots_from)
{
	switch (text.at[at]) {
	case ':':
		return char_at(text, at + 1) == ':' ? 2 : 1;
	case '/':
	case '\\':
	case '!':
	case '`':
		return 1;
	case '.':
		return at >= dots_from;
	default:
		return 0;
	}
}

static bool is_telling(struct span text, size_t at)
{
	return !is_one_of(text.at[at], "([{<") && !starts_at(text, at, "operator()");
}

/* Where a shorter text may begin, from left to right. */
struct beginnings {
	size_t *at;
	size_t nr, cap;
};

static void add_beginning(struct beginnings *b, size_t at)
{
	GROW(b->at, b->nr, b->cap);
	b->at[b->nr++] = at;
}

/* The place behind the last blank in front of the arguments, or 0. */
static size_t first_beginning(const struct scan *s, const struct group *list)
{
	for (size_t i = list ? list->open : 0; i-- > 0;)
		if (is_plain(s, i) && s->text.at[i] == ' ' &&
		    !(s->place[i] & PLACE_BEHIND_OPERATOR))
			return i + 1;
	return 0;
}

/* From where on a `.` separates. */
static size_t separating_dots(const struct scan *s)
{
	return find_plain(s, "::") < s->text.size ? s->text.size : dots_begin(s);
}

static void find_beginnings(struct beginnings *b, const struct scan *s, const struct group *list)
{
	struct span text = s->text;
	size_t first = first_beginning(s, list), dots_from = separating_dots(s), telling;

	if (first)
		add_beginning(b, first);
	telling = b->nr;
	for (size_t i = 0; i < text.size; i++) {
		size_t size = is_plain(s, i) ? separator_at(text, i, dots_from) : 0, to = i + size;

		if (!size)
			continue;
		if (i >= first && to < text.size && !is_digit(text.at[to])) {
			add_beginning(b, to);
			if (is_telling(text, to))
				telling = b->nr;
		}
		i = to - 1;
	}
	b->nr = telling;
}

/* The begin and the end, with dots between. */
static void cut_middle(struct strbuf *out, struct span text, size_t max)
{
	size_t nr = utf8_length(text), back = (max - 1) / 2;

	strbuf_add(out, span_upto(text, utf8_bytes(text, max - 1 - back)));
	strbuf_add(out, ELLIPSIS);
	strbuf_add(out, span_from(text, utf8_bytes(text, nr - back)));
}

/* From a later beginning on: the first that fits; false: none does, and *rest is what is left. */
static bool drop_front(struct strbuf *out, struct span head, const struct beginnings *b, size_t max,
		       struct span *rest)
{
	*rest = head;
	for (size_t i = 0; i < b->nr; i++) {
		*rest = span_from(head, b->at[i]);
		if (utf8_length(*rest) <= max) {
			strbuf_add(out, *rest);
			return true;
		}
	}
	return false;
}

/* Where the first separator is; text.size: nowhere. */
static size_t first_separator(struct span text)
{
	struct scan s;
	size_t at = 0, dots_from;

	scan_init(&s, text);
	dots_from = separating_dots(&s);
	while (at < text.size && !(is_plain(&s, at) && separator_at(text, at, dots_from)))
		at++;
	scan_release(&s);
	return at;
}

/* The function's own name, or of that what fits. */
static void cut_name(struct strbuf *out, struct span own, size_t max)
{
	size_t first, nr;

	if (utf8_length(own) <= max) {
		strbuf_add(out, own);
		return;
	}
	first = first_separator(own);
	if (first < own.size && first && is_telling(own, 0))
		own = span_upto(own, first);
	nr = utf8_length(own);
	if (nr > max) {
		cut_middle(out, own, max);
		return;
	}
	strbuf_add(out, own);
	if (nr < max)
		strbuf_add(out, ELLIPSIS);
}

static void drop_outer(struct strbuf *out, struct span text, size_t max)
{
	struct beginnings b = { 0 };
	struct strbuf own = { 0 };
	const struct group *list;
	struct span rest;
	struct scan s;

	scan_init(&s, text);
	list = last_arguments(&s);
	s.text = span_upto(text, tail_of(&s, list));
	if (utf8_length(s.text) <= max) {
		strbuf_add(out, s.text);
	} else {
		find_beginnings(&b, &s, list);
		if (!drop_front(out, s.text, &b, max, &rest)) {
			replace_groups(&own, rest, choose_lists);
			while (own.size && own.at[own.size - 1] == ' ')
				own.size--;
			cut_name(out, strbuf_peek(&own), max);
		}
	}
	scan_release(&s);
	free(b.at);
	strbuf_release(&own);
}

void shorten(struct strbuf *out, struct span name, size_t max)
{
	static chooser *const steps[] = { choose_arguments, choose_templates };
	struct strbuf text = { 0 }, next = { 0 }, swap;

	if (utf8_length(name) <= max) {
		strbuf_add(out, name);
		return;
	}
	if (max < 2 || name.size > READ_MAX) {
		if (max == 1)
			strbuf_add(out, ELLIPSIS);
		else if (max)
			cut_middle(out, name, max);
		return;
	}
	strbuf_add(&text, name);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		strbuf_reset(&next);
		replace_groups(&next, strbuf_peek(&text), steps[i]);
		swap = text;
		text = next;
		next = swap;
		if (utf8_length(strbuf_peek(&text)) <= max)
			break;
	}
	if (utf8_length(strbuf_peek(&text)) <= max)
		strbuf_add(out, strbuf_peek(&text));
	else
		drop_outer(out, strbuf_peek(&text), max);
	strbuf_release(&text);
	strbuf_release(&next);
}

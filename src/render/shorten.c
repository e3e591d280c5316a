/*
 * Drops parts until the name fits: first arguments, then template arguments, then the tail
 * (`.isra.0`, ` const`, ` (file.c:12)`), then namespaces from the left, and only then letters from
 * the middle.  web/shorten.js has the rule in full, and tests/shorten/cases.tsv tests both.
 */
#include "render/shorten.h"

#include "base/alloc.h"
#include "base/utf8.h"
#include "render/brackets.h"
#include "render/shorten_lists.h"

#include <stdlib.h>

#define ELLIPSIS SPAN("…")

/* Longer names, in bytes, are not parsed: their begin and end are shown. */
enum { READ_MAX = 4096 };

/* Does the `.` here begin a suffix of compilers or linkers: .isra.0, .cold, .123? */
static bool is_suffix(struct span text, size_t at)
{
	static const char *const words[] = { "isra", "constprop",  "part", "cold", "lto_priv",
					     "llvm", "localalias", "plt",  "so" };

	if (is_digit(span_at(text, at + 1)))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		char next = span_at(text, at + 1 + strlen(words[i]));

		if (span_starts_at(text, at + 1, words[i]) && !(next >= 'a' && next <= 'z') &&
		    !(next >= 'A' && next <= 'Z'))
			return true;
	}
	return false;
}

/* Does the text end in a line number: file.py:12? */
static bool is_numbered(struct span text)
{
	size_t end = text.size;

	while (end && is_digit(text.at[end - 1]))
		end--;
	return end < text.size && end && text.at[end - 1] == ':';
}

/*
 * The begin of the name in a JavaScript function, `JS:*name /file.js:1:2`, or of its file if it has
 * no name, `JS:* /file.js:1:2`; 0: it is not one.  Old versions of V8 omit the mark (`*`).
 */
static size_t name_of_script(struct span text)
{
	size_t at = 0, blank;

	while (is_word(span_at(text, at)) && !is_digit(text.at[at]) && text.at[at] != '_')
		at++;
	if (!at || span_at(text, at++) != ':' || !is_numbered(text))
		return 0;
	if (is_one_of(span_at(text, at), "*~^+")) {
		at += span_at(text, at + 1) == '\'' ? 2 : 1;
		return at + (span_at(text, at) == ' ');
	}
	for (blank = at; blank < text.size && text.at[blank] != ' ';)
		blank++;
	return blank > at && text.at[at] != ':' && span_at(text, blank + 1) == '/' ? at : 0;
}

/* The begin of a JavaScript function's tail: its file. */
static size_t tail_of_script(struct span text, size_t name)
{
	size_t last = text.size;

	if (text.at[name - 1] == ' ')
		return last;
	for (size_t i = name; i < text.size; i++) {
		if (text.at[i] == ' ')
			last = i;
		if (last == i && span_at(text, i + 1) == '/')
			break;
	}
	return last;
}

/*
 * A `.` is a separator only after the last of all other separators; returns the position of that,
 * or 0.
 */
static size_t dots_begin(const struct brackets *b)
{
	for (size_t i = b->text.size; i-- > 0;)
		if (brackets_is_plain(b, i) && is_one_of(b->text.at[i], ":/\\!`"))
			return i;
	return 0;
}

/* The begin of the tail; text.size: there is none. */
static size_t tail_of(const struct brackets *b, const struct bracket_group *list)
{
	struct span text = b->text;
	bool numbered = is_numbered(text);
	size_t dots_from = dots_begin(b);

	for (size_t i = list ? list->close : 1; i < text.size; i++) {
		char next = span_at(text, i + 1);
		bool found = false;

		if (!brackets_is_plain(b, i))
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

/* The length of the separator at this position, or 0. */
static size_t separator_at(struct span text, size_t at, size_t dots_from)
{
	switch (text.at[at]) {
	case ':':
		return span_at(text, at + 1) == ':' ? 2 : 1;
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

/* Does a component begin with a name, not with brackets as {lambda()#1} and operator() do? */
static bool is_telling(struct span text, size_t at)
{
	return !is_one_of(text.at[at], "([{<") && !span_starts_at(text, at, "operator()");
}

/* Positions at which the name without its outer namespaces may begin, from left to right. */
struct beginnings {
	size_t *at;
	size_t nr, cap;
};

static void add_beginning(struct beginnings *b, size_t at)
{
	GROW(b->at, b->nr, b->cap);
	b->at[b->nr++] = at;
}

/*
 * The begin of the name: after the last blank before the arguments (a return type), or as
 * name_of_script() says, or 0.
 */
static size_t first_beginning(const struct brackets *b, const struct bracket_group *list,
			      size_t script)
{
	for (size_t i = list ? list->open : 0; i-- > 0;)
		if (brackets_is_plain(b, i) && b->text.at[i] == ' ' &&
		    !(b->place[i] & BRACKETS_BEHIND_OPERATOR))
			return i + 1;
	return script;
}

/* The position from which `.` is a separator; text.size: nowhere, as the name has `::`. */
static size_t separating_dots(const struct brackets *b)
{
	return brackets_find(b, "::") < b->text.size ? b->text.size : dots_begin(b);
}

static void find_beginnings(struct beginnings *to, const struct brackets *b,
			    const struct bracket_group *list, size_t script)
{
	struct span text = b->text;
	size_t first = first_beginning(b, list, script), dots_from = separating_dots(b), telling;

	if (first)
		add_beginning(to, first);
	telling = to->nr;
	for (size_t i = 0; i < text.size; i++) {
		size_t size = brackets_is_plain(b, i) ? separator_at(text, i, dots_from) : 0,
		       end = i + size;

		if (!size)
			continue;
		if (i >= first && end < text.size && !is_digit(text.at[end])) {
			add_beginning(to, end);
			if (is_telling(text, end))
				telling = to->nr;
		}
		i = end - 1;
	}
	to->nr = telling;
}

/* The begin and the end of the text, with an ellipsis between. */
static void cut_middle(struct strbuf *out, struct span text, size_t max)
{
	size_t nr = utf8_length(text), back = (max - 1) / 2;

	strbuf_add(out, span_upto(text, utf8_bytes(text, max - 1 - back)));
	strbuf_add(out, ELLIPSIS);
	strbuf_add(out, span_from(text, utf8_bytes(text, nr - back)));
}

/* Appends the longest rest of the name that fits; false: none does, and *rest is the shortest. */
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

/* The position of the first separator; text.size: there is none. */
static size_t first_separator(struct span text)
{
	struct brackets b;
	size_t at = 0, dots_from;

	brackets_init(&b, text);
	dots_from = separating_dots(&b);
	while (at < text.size && !(brackets_is_plain(&b, at) && separator_at(text, at, dots_from)))
		at++;
	brackets_release(&b);
	return at;
}

/* Appends a function's own name, or as much of it as fits. */
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

/* Drops the tail, then namespaces, then all lists, then letters. */
static void drop_outer(struct strbuf *out, struct span text, size_t max)
{
	struct beginnings begin = { 0 };
	struct strbuf own = { 0 };
	const struct bracket_group *list;
	struct span rest;
	struct brackets b;
	size_t script = name_of_script(text);

	brackets_init(&b, text);
	list = script ? NULL : brackets_last_arguments(&b);
	b.text = span_upto(text, script ? tail_of_script(text, script) : tail_of(&b, list));
	if (utf8_length(b.text) <= max) {
		strbuf_add(out, b.text);
	} else {
		find_beginnings(&begin, &b, list, script);
		if (!drop_front(out, b.text, &begin, max, &rest)) {
			shorten_lists(&own, rest, SHORTEN_LISTS);
			while (own.size && own.at[own.size - 1] == ' ')
				own.size--;
			cut_name(out, strbuf_peek(&own), max);
		}
	}
	brackets_release(&b);
	free(begin.at);
	strbuf_release(&own);
}

void shorten(struct strbuf *out, struct span name, size_t max)
{
	static const enum shorten_lists steps[] = { SHORTEN_ARGUMENTS, SHORTEN_TEMPLATES };
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
		shorten_lists(&next, strbuf_peek(&text), steps[i]);
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

#include "symbol/closures.h"

#include <stdbool.h>

enum { NESTED_MAX = 16 /* limit of nested closures: outer ones stay as they are */ };

static size_t spelled(struct span text)
{
	if (span_starts(text, "{{closure}}"))
		return strlen("{{closure}}");
	return span_starts(text, "{closure#0}") ? strlen("{closure#0}") : 0;
}

void closures_tidy(struct strbuf *names, size_t begin)
{
	static const char tidy[] = "{closure}";
	struct span rest = span_from(strbuf_peek(names), begin);
	char *to = names->at;

	if (!to)
		return;
	to += begin;
	/* In place: the new spelling is never longer. */
	while (rest.size) {
		size_t n = spelled(rest);

		if (n) {
			memcpy(to, tidy, strlen(tidy));
			to += strlen(tidy);
		} else {
			*to++ = rest.at[0];
			n = 1;
		}
		rest = span_from(rest, n);
	}
	names->size = (size_t)(to - names->at);
	names->at[names->size] = '\0';
}

/* Removes the last part of a path, after ::, if it has the form {…}. */
static bool cut_last(struct span *path, struct span *last)
{
	size_t at = span_rfind_text(*path, "{"), begin = at;

	if (at == path->size || !span_ends(*path, "}"))
		return false;
	if (begin >= 2 && path->at[begin - 1] == ':' && path->at[begin - 2] == ':')
		begin -= 2;
	else if (begin)
		return false;
	*last = span_from(*path, at);
	*path = span_upto(*path, begin);
	return true;
}

/*
 * Appends "{async_block#1}" as ::{async block#1}; nothing for {async_fn#0}, the body of a function.
 */
static void add_part(struct strbuf *names, struct span part)
{
	size_t hash = span_find(part, '#');
	struct span kind = span_upto(part, hash), number = span_from(part, hash);

	if (span_ends(kind, "_fn"))
		return;
	strbuf_add(names, SPAN("::"));
	for (size_t i = 0; i < kind.size; i++)
		strbuf_addch(names, kind.at[i] == '_' ? ' ' : kind.at[i]);
	strbuf_add(names, span_is(number, "#0}") ? SPAN("}") : number);
}

void closures_number(struct strbuf *names, size_t begin, struct span compiler)
{
	struct span name = span_from(strbuf_peek(names), begin), part[NESTED_MAX], linker;
	size_t nr = 0;

	while (nr < NESTED_MAX && name.size && cut_last(&compiler, &part[nr])) {
		struct span before = name;

		if (!cut_last(&name, &linker) || !span_starts(linker, "{closure")) {
			name = before;
			break;
		}
		nr++;
	}
	if (!nr || !name.size)
		return;
	names->size = begin + name.size;
	names->at[names->size] = '\0';
	while (nr--)
		add_part(names, part[nr]);
}

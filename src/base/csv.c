#include "base/csv.h"

#include "base/alloc.h"

#include <stdlib.h>

void csv_release(struct csv *c)
{
	free(c->field);
	strbuf_release(&c->text);
	*c = (struct csv){ 0 };
}

/* Copies the field in quotes at the front of s and returns how long it is as written. */
static size_t parse_quoted(struct csv *c, struct span s, struct span *text)
{
	size_t begin = c->text.size, at = 1;

	for (;;) {
		size_t plain = span_find(span_from(s, at), '"');

		strbuf_add(&c->text, span_upto(span_from(s, at), plain));
		at += plain;
		if (at >= s.size) {
			c->unclosed = true;
			break;
		}
		if (at + 1 >= s.size || s.at[at + 1] != '"') {
			at++;
			break;
		}
		strbuf_addch(&c->text, '"');
		at += 2;
	}
	/* Text between the closing quote and the comma is part of the field. */
	if (at < s.size) {
		size_t comma = span_find(span_from(s, at), ',');

		strbuf_add(&c->text, span_upto(span_from(s, at), comma));
		at += comma;
	}
	*text = span_from(strbuf_peek(&c->text), begin);
	return at < s.size ? at : s.size;
}

void csv_parse(struct csv *c, struct span line)
{
	size_t at = 0;

	if (span_starts(line, "\xef\xbb\xbf"))
		line = span_from(line, 3);
	c->nr = 0;
	c->unclosed = false;
	strbuf_reset(&c->text);
	/* The fields point into the text: it must not move while it grows. */
	strbuf_reserve(&c->text, line.size + 1);
	do {
		struct span rest = span_from(line, at);
		struct csv_field f = { .quoted = rest.size && rest.at[0] == '"' };
		size_t n;

		if (c->nr + 1 == CSV_FIELDS_MAX) {
			n = rest.size;
			f.text = rest;
		} else if (f.quoted) {
			n = parse_quoted(c, rest, &f.text);
		} else {
			n = span_find(rest, ',');
			f.text = span_upto(rest, n);
		}
		f.written = span_upto(rest, n);
		GROW(c->field, c->nr, c->cap);
		c->field[c->nr++] = f;
		at += n + 1;
	} while (at <= line.size);
}

size_t csv_find(const struct csv *c, const char *text)
{
	size_t i = 0;

	while (i < c->nr && !span_is(c->field[i].text, text))
		i++;
	return i;
}

struct span csv_written(const struct csv *c, size_t first, size_t last)
{
	const struct span *end = &c->field[last].written;

	return span_between(c->field[first].written.at, end->at + end->size);
}

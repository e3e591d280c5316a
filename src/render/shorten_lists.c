#include "render/shorten_lists.h"

#include "base/alloc.h"
#include "base/utf8.h"
#include "render/brackets.h"

#include <stdlib.h>

#define ELLIPSIS SPAN("…")

static int by_place(const void *a, const void *b)
{
	const struct bracket_group *x = a, *y = b;

	return x->open < y->open ? -1 : x->open > y->open;
}

/*
 * A replacer appends the replacement of a group; a chooser picks a replacer, or NULL to keep the
 * group.
 */
typedef void replacer(struct strbuf *out, const struct brackets *b, const struct bracket_group *g);
typedef replacer *chooser(const struct brackets *b, const struct bracket_group *g);

/* Appends the text with its groups replaced; groups inside of a replaced one are skipped. */
static void replace_groups(struct strbuf *out, struct span text, chooser *choose)
{
	struct brackets b;
	size_t at = 0;

	brackets_init(&b, text);
	if (b.nr)
		qsort(b.group, b.nr, sizeof(*b.group), by_place);
	for (size_t i = 0; i < b.nr; i++) {
		const struct bracket_group *g = &b.group[i];
		replacer *replace = g->open < at ? NULL : choose(&b, g);

		if (!replace)
			continue;
		strbuf_add(out, span_between(text.at + at, text.at + g->open));
		replace(out, &b, g);
		at = g->close;
	}
	strbuf_add(out, span_from(text, at));
	brackets_release(&b);
}

/* `(…)`, unless that saves nothing. */
static void put_dots(struct strbuf *out, const struct brackets *b, const struct bracket_group *g)
{
	struct span list = brackets_text(b, g);

	if (utf8_length(list) <= 3) {
		strbuf_add(out, list);
		return;
	}
	strbuf_addch(out, list.at[0]);
	strbuf_add(out, ELLIPSIS);
	strbuf_addch(out, list.at[list.size - 1]);
}

static void put_nothing(struct strbuf *out, const struct brackets *b, const struct bracket_group *g)
{
	(void)out;
	(void)b;
	(void)g;
}

static replacer put_paths; /* it is recursive: templates inside of paths are replaced too */

static replacer *choose_arguments(const struct brackets *b, const struct bracket_group *g)
{
	return g->kind == '(' && brackets_is_list(b, g) ? put_dots : NULL;
}

/* Rust's `f::<T>`, and not `<impl T for U>`. */
static bool is_turbofish(const struct brackets *b, const struct bracket_group *g)
{
	return brackets_before(b, g) == ':' && !span_starts_at(b->text, g->open, "<impl ");
}

static replacer *choose_templates(const struct brackets *b, const struct bracket_group *g)
{
	if (g->kind != '<' || g->inside)
		return NULL;
	return brackets_is_list(b, g) || is_turbofish(b, g) ? put_dots : put_paths;
}

static replacer *choose_lists(const struct brackets *b, const struct bracket_group *g)
{
	return brackets_is_list(b, g) ? put_nothing : NULL;
}

/* `alloc::vec::Vec<u8>` → `Vec<…>` */
static void put_last_component(struct strbuf *out, struct span path)
{
	struct strbuf folded = { 0 };
	struct brackets b;
	size_t at;

	replace_groups(&folded, path, choose_templates);
	brackets_init(&b, strbuf_peek(&folded));
	at = brackets_rfind(&b, "::");
	strbuf_add(out, at == b.text.size ? b.text : span_from(b.text, at + 2));
	brackets_release(&b);
	strbuf_release(&folded);
}

/*
 * `<alloc::vec::Vec<u8> as core::iter::Iterator>` → `<Vec<…> as Iterator>`, and
 * `<alloc::string::String>` → `<String>`.
 */
static void put_paths(struct strbuf *out, const struct brackets *b, const struct bracket_group *g)
{
	struct span list = brackets_text(b, g),
		    inner = span_between(list.at + 1, list.at + list.size - 1);
	struct brackets in;
	size_t as;

	brackets_init(&in, inner);
	as = brackets_find(&in, " as ");
	if (as == inner.size && brackets_find(&in, "::") == inner.size) {
		strbuf_add(out, list);
		brackets_release(&in);
		return;
	}
	strbuf_addch(out, '<');
	put_last_component(out, span_upto(inner, as));
	if (as < inner.size) {
		strbuf_add(out, SPAN(" as "));
		put_last_component(out, span_from(inner, as + 4));
	}
	strbuf_addch(out, '>');
	brackets_release(&in);
}

void shorten_lists(struct strbuf *out, struct span text, enum shorten_lists how)
{
	static chooser *const choosers[] = { [SHORTEN_ARGUMENTS] = choose_arguments,
					     [SHORTEN_TEMPLATES] = choose_templates,
					     [SHORTEN_LISTS] = choose_lists };

	replace_groups(out, text, choosers[how]);
}

#include "read/java/java.h"

bool java_frame(struct span *line)
{
	struct span s = span_trim_start(*line);

	if (!span_starts(s, "at "))
		return false;
	*line = span_from(s, 3);
	return true;
}

/*
 * Where the class begins in `org.acme.Foo.bar` and `org/acme/Foo.bar`; 0 if it
 * is not in a package.  In `Foo$$Lambda$14/0x0800.run`, what follows the slash
 * is not a class, because it begins with a digit.
 */
static size_t class_begin(struct span name)
{
	size_t method = span_rfind(name, '.'), begin;
	struct span rest = span_upto(name, method);

	if (method + 1 >= name.size)
		return 0;
	begin = span_rfind(rest, '.') + 1;
	if (begin > rest.size)
		for (begin = rest.size; begin > 0; begin--)
			if (rest.at[begin - 1] == '/' && begin < rest.size &&
			    !is_digit(rest.at[begin]))
				break;
	return begin < rest.size ? begin : 0;
}

/* `o.a.Foo.bar` for `org.acme.Foo.bar` */
static void shorten(struct span name, size_t begin, struct strbuf *out)
{
	strbuf_reset(out);
	for (size_t i = 0; i < begin; i++)
		if (!i || !is_word(name.at[i]) || !is_word(name.at[i - 1]))
			strbuf_addch(out, name.at[i]);
	strbuf_add(out, span_from(name, begin));
}

struct span java_packages(struct span name, enum packages packages, struct strbuf *out)
{
	switch (packages) {
	case PACKAGES_KEEP:
		break;
	case PACKAGES_SHORTEN:
		shorten(name, class_begin(name), out);
		return strbuf_peek(out);
	case PACKAGES_DROP:
		return span_from(name, class_begin(name));
	}
	return name;
}

/* "Foo.java:12" in "(java.base@11/Foo.java:12)" and "(Foo.java:12(Compiled Code))" */
static void parse_source(struct span in_parens, struct profile *p, struct line *line)
{
	struct span s = span_upto(in_parens, span_find(in_parens, ')')), number;
	size_t slash, colon;
	uint64_t n;

	s = span_upto(s, span_find(s, '('));
	slash = span_rfind(s, '/');
	if (slash < s.size)
		s = span_from(s, slash + 1);
	colon = span_rfind(s, ':');
	number = span_from(s, colon + 1);
	if (!span_u64(number, &n) || n > UINT32_MAX)
		return;
	line->file = profile_string(p, span_upto(s, colon));
	line->line = (uint32_t)n;
}

struct span java_push(struct listing *l, struct span frame)
{
	struct profile *p = l->b->p;
	size_t paren = span_find(frame, '(');
	struct span name = java_packages(span_upto(frame, paren), l->b->o->packages, &l->part);
	struct line line = { 0 };

	name = listing_name(l, name);
	line.function = profile_string(p, name);
	if (build_wants_lines(l->b, span_contains(frame, ":")))
		parse_source(span_from(frame, paren + 1), p, &line);
	listing_push_frame(l, profile_frame(p, &(struct frame){ .line = &line, .nr_line = 1 }));
	return name;
}

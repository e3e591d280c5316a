#include "read/text/names.h"

#include "base/alloc.h"
#include "base/swar.h"

/* The number of hexadecimal digits at the end. */
static size_t last_digits(struct span name)
{
	size_t nr = 0;

	if (name.size >= sizeof(uint64_t)) {
		uint64_t v;

		memcpy(&v, name.at + name.size - sizeof(v), sizeof(v));
		v = swar_not_hex(v);
		if (v)
			return (size_t)__builtin_clzll(v) / 8;
		nr = sizeof(v);
	}
	while (nr < name.size && is_hex(name.at[name.size - 1 - nr]))
		nr++;
	return nr;
}

struct span name_without_offset(struct span name)
{
	static const char before[] = "+0x";
	const size_t size = sizeof(before) - 1;
	size_t at = name.size - last_digits(name);

	if (at < size || memcmp(name.at + at - size, before, size) != 0)
		return name;
	return span_upto(name, at - size);
}

/* Rust's legacy mangling escapes characters that symbols cannot contain as $…$. */
static const struct {
	const char *escape, *text;
} rust_escapes[] = {
	{ "$SP$", "@" },  { "$BP$", "*" },  { "$RF$", "&" },  { "$LT$", "<" },	{ "$GT$", ">" },
	{ "$LP$", "(" },  { "$RP$", ")" },  { "$C$", "," },   { "$u7e$", "~" }, { "$u20$", " " },
	{ "$u27$", "'" }, { "$u3d$", "=" }, { "$u5b$", "[" }, { "$u5d$", "]" }, { "$u7b$", "{" },
	{ "$u7d$", "}" }, { "$u3b$", ";" }, { "$u2b$", "+" }, { "$u21$", "!" }, { "$u22$", "\"" },
};

/* "h" and 16 hex digits at the end. */
static bool has_rust_hash(struct span name)
{
	enum { HASH_SIZE = 17 };

	if (name.size < HASH_SIZE || name.at[name.size - HASH_SIZE] != 'h')
		return false;
	for (size_t i = name.size - HASH_SIZE + 1; i < name.size; i++)
		if (!is_hex(name.at[i]))
			return false;
	return true;
}

/* Decodes the escape at the start of *s; false if it is unknown. */
static bool decode_escape(struct span *s, struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(rust_escapes); i++) {
		if (!span_starts(*s, rust_escapes[i].escape))
			continue;
		strbuf_add(out, span_of(rust_escapes[i].text));
		*s = span_from(*s, strlen(rust_escapes[i].escape));
		return true;
	}
	return false;
}

struct span name_rust(struct span name, struct strbuf *out)
{
	struct span rest;

	if (!has_rust_hash(name))
		return name;
	rest = span_upto(name, name.size - 17);
	if (span_ends(rest, "::"))
		rest.size -= 2;
	if (span_starts(rest, "_$"))
		rest = span_from(rest, 1);
	strbuf_reset(out);
	while (rest.size) {
		size_t plain = 0;

		if (rest.at[0] == '$') {
			if (decode_escape(&rest, out))
				continue;
			strbuf_add(out, rest);
			break;
		}
		if (rest.at[0] == '.') {
			bool two = rest.size > 1 && rest.at[1] == '.';

			strbuf_add(out, two ? SPAN("::") : SPAN("."));
			rest = span_from(rest, two ? 2 : 1);
			continue;
		}
		while (plain < rest.size && rest.at[plain] != '$' && rest.at[plain] != '.')
			plain++;
		strbuf_add(out, span_upto(rest, plain));
		rest = span_from(rest, plain);
	}
	return strbuf_peek(out);
}

static const char anonymous[] = "(anonymous namespace)";

/*
 * Where the parameter list begins: the first ( outside of all brackets that is
 * neither a Go receiver (`http.(*Client).Do`) nor a C++ anonymous namespace.
 */
static size_t parameters_balanced(struct span name)
{
	static const signed char nests[256] = {
		['<'] = 1, ['{'] = 1, ['['] = 1, ['>'] = -1, ['}'] = -1, [']'] = -1, [')'] = -1,
	};
	size_t first = span_find(name, '(');
	int depth = 0;

	if (first == name.size)
		return first;
	for (size_t i = 0; i < first; i++)
		depth += nests[(unsigned char)name.at[i]];
	for (size_t i = first; i < name.size; i++) {
		switch (name.at[i]) {
		case '<':
		case '{':
		case '[':
			depth++;
			break;
		case '>':
		case '}':
		case ']':
		case ')':
			depth--;
			break;
		case '(':
			if (!depth && !(i && name.at[i - 1] == '.') &&
			    !span_starts(span_from(name, i), anonymous))
				return i;
			depth++;
			break;
		}
	}
	return name.size;
}

/* The first ( that is not an anonymous namespace, unless it is a Go method. */
static size_t parameters_first_paren(struct span name)
{
	size_t first = span_find(name, '('), receiver;

	if (first == name.size)
		return first;
	receiver = span_find_text(name, ".(");
	if (receiver < name.size && span_contains(span_from(name, receiver + 2), ")."))
		return name.size;
	for (size_t i = first; i < name.size; i++)
		if (name.at[i] == '(' && !span_starts(span_from(name, i), anonymous))
			return i;
	return name.size;
}

/* Does it contain characters that name_tidy() replaces or drops? */
static bool is_untidy(struct span name, enum tidy tidy)
{
	return span_find(name, ';') < name.size ||
	       (tidy == TIDY_FIRST_PAREN &&
		(span_find(name, '"') < name.size || span_find(name, '\'') < name.size));
}

struct span name_tidy(struct span name, enum tidy tidy, struct strbuf *out)
{
	size_t kept = 0;

	switch (tidy) {
	case TIDY_BALANCED:
		name = span_upto(name, parameters_balanced(name));
		break;
	case TIDY_FIRST_PAREN:
		name = span_upto(name, parameters_first_paren(name));
		break;
	case TIDY_NONE:
		break;
	}
	if (!is_untidy(name, tidy))
		return name;
	strbuf_reset(out);
	strbuf_add(out, name);
	for (size_t i = 0; i < out->size; i++) {
		char c = out->at[i];

		if (tidy == TIDY_FIRST_PAREN && (c == '"' || c == '\''))
			continue;
		/* A frame's name must not look like two in folded text. */
		out->at[kept++] = c == ';' ? ':' : c;
	}
	out->size = kept;
	return strbuf_peek(out);
}

struct span name_plain(struct span name, const char *leave_out, struct strbuf *out)
{
	struct span left_out = span_of(leave_out ? leave_out : "");

	strbuf_reset(out);
	for (size_t i = 0; i < name.size; i++) {
		char c = name.at[i];

		if (span_find(left_out, c) < left_out.size)
			continue;
		if (c == ';')
			c = ':';
		else if (c == '\n' || c == '\r')
			c = ' ';
		strbuf_addch(out, c);
	}
	return strbuf_peek(out);
}

struct span name_java(struct span name)
{
	if (name.size && name.at[0] == 'L' && span_find(name, '/') < name.size)
		return span_from(name, 1);
	return name;
}

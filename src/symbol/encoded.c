#include "symbol/encoded.h"

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static int hex_value(char c)
{
	if (is_digit(c))
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Haskell */

static char find_letter(const char *table, char c)
{
	for (; *table; table += 2)
		if (*table == c)
			return table[1];
	return 0;
}

/* "Z3T" is a tuple of three, "Z2H" an unboxed one; "Z0T" is the unit. */
static size_t add_tuple(struct strbuf *out, struct span code)
{
	enum { TUPLE_MAX = 64 };
	struct span digits = span_digits(span_from(code, 1));
	uint64_t nr;
	char kind;

	if (!digits.size || !span_u64(digits, &nr) || nr > TUPLE_MAX || code.size < 2 + digits.size)
		return 0;
	kind = code.at[1 + digits.size];
	if (kind != 'T' && kind != 'H')
		return 0;
	strbuf_add(out, kind == 'H' ? SPAN("(#") : SPAN("("));
	for (uint64_t i = 1; i < nr; i++)
		strbuf_addch(out, ',');
	strbuf_add(out, kind == 'H' ? SPAN("#)") : SPAN(")"));
	return 2 + digits.size;
}

/* Decodes one code of the z-encoding; returns its number of letters, 0: not a code. */
static size_t add_code(struct strbuf *out, struct span code)
{
	static const char small[] = "a&b|c^d$e=g>h#i.l<m-n!p+q'r\\s/t*u_v%zz";
	static const char large[] = "C:L(M[N]R)ZZ";
	char plain;

	if (code.size < 2)
		return 0;
	if (code.at[0] == 'Z' && is_digit(code.at[1]))
		return add_tuple(out, code);
	plain = find_letter(code.at[0] == 'z' ? small : large, code.at[1]);
	if (!plain)
		return 0;
	strbuf_addch(out, plain);
	return 2;
}

/*
 * A name has letters or operator characters, not both; only the compiler's own names mix them:
 * "$c==".
 */
static bool is_one_word(struct span part)
{
	bool letters = false, others = false;

	for (size_t i = 0; i < part.size; i++) {
		char c = part.at[i];

		if (c == '$')
			return true;
		letters |= is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z');
		others |= !!strchr("&|^=><!+\\/*%:", c);
	}
	return !letters || !others;
}

/*
 * Adds one part of a name, and counts its codes.  A name with a z that does not begin a code is not
 * Haskell's.
 */
static bool add_part(struct strbuf *out, struct span part, size_t *codes)
{
	size_t begin = out->size;

	while (part.size) {
		size_t size = 1;

		if (part.at[0] == 'z' || part.at[0] == 'Z') {
			size = add_code(out, part);
			++*codes;
		} else {
			strbuf_addch(out, part.at[0]);
		}
		if (!size)
			return false;
		part = span_from(part, size);
	}
	return is_one_word(span_from(strbuf_peek(out), begin));
}

/* Removes the suffix for the kind of object; empty if there is none. */
static struct span without_kind(struct span name)
{
	static const char *const kinds[] = { "_con_info", "_static_info", "_info",   "_entry",
					     "_slow",	  "_fast",	  "_closure" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (span_ends(name, kinds[i]))
			return span_upto(name, name.size - strlen(kinds[i]));
	return (struct span){ 0 };
}

/*
 * "containerszm0zi6_DataziMap_insert_info" is Data.Map.insert: package, module, name.  The program
 * itself (Main) has no package.  C names may end in _info, too, so a name without codes is not
 * Haskell's.
 */
static bool add_haskell(struct strbuf *out, struct span name)
{
	struct span rest = without_kind(name);
	size_t begin = out->size, codes = 0, parts = 0;
	bool is_main = span_starts(rest, "Main_"), sound = rest.size;

	while (sound && rest.size) {
		struct span part = span_upto(rest, span_find(rest, '_'));

		rest = span_from(rest, part.size + 1);
		sound = part.size && (parts || rest.size);
		/* The package, which begins in lower case, is checked, but not shown. */
		if (sound && !parts && !is_upper(part.at[0])) {
			sound = is_upper(rest.at[0]) && add_part(out, part, &codes);
			out->size = begin;
			continue;
		}
		if (parts++)
			strbuf_addch(out, '.');
		sound = sound && add_part(out, part, &codes);
	}
	sound = sound && parts >= 2 && (codes || is_main);
	if (!sound)
		out->size = begin;
	return sound;
}

/* OCaml */

/* Operators are hex codes: "$2b" is a plus. */
static void add_ocaml_word(struct strbuf *out, struct span word)
{
	while (word.size) {
		int high = -1, low = -1;

		if (word.at[0] == '$' && word.size > 2) {
			high = hex_value(word.at[1]);
			low = hex_value(word.at[2]);
		}
		if (high >= 0 && low >= 0) {
			strbuf_addch(out, (char)(high * 16 + low));
			word = span_from(word, 3);
		} else {
			strbuf_addch(out, word.at[0]);
			word = span_from(word, 1);
		}
	}
}

/* The size of the module name at the start, 0: none; and of the separator after it. */
static size_t module_size(struct span name, size_t *behind)
{
	*behind = 0;
	if (!name.size || !is_upper(name.at[0]))
		return 0;
	for (size_t i = 1; i < name.size; i++) {
		if (name.at[i] == '.')
			*behind = 1;
		else if (name.at[i] == '_' && i + 2 < name.size && name.at[i + 1] == '_')
			*behind = 2;
		if (*behind)
			return i;
	}
	return 0;
}

/*
 * Removes the compiler's number, which changes with any edit above the function.  Only anonymous
 * functions keep it.
 */
static struct span without_number(struct span word)
{
	size_t end = word.size;

	while (end && is_digit(word.at[end - 1]))
		end--;
	if (end == word.size || end < 2 || word.at[end - 1] != '_')
		return word;
	return span_is(span_upto(word, end - 1), "fun") ? word : span_upto(word, end - 1);
}

/* "camlStdlib__List__map_236" is Stdlib.List.map. */
static bool add_ocaml(struct strbuf *out, struct span name)
{
	size_t begin = out->size, size, behind;

	if (!span_starts(name, "caml"))
		return false;
	name = span_from(name, 4);
	/* The build system dune wraps the modules of a program in this module. */
	if (span_starts(name, "Dune__exe__"))
		name = span_from(name, strlen("Dune__exe__"));
	while ((size = module_size(name, &behind))) {
		strbuf_add(out, span_upto(name, size));
		strbuf_addch(out, '.');
		name = span_from(name, size + behind);
	}
	if (out->size == begin || !name.size) {
		out->size = begin;
		return false;
	}
	if (span_ends(name, "_code"))
		name = span_upto(name, name.size - strlen("_code"));
	add_ocaml_word(out, without_number(name));
	return true;
}

/* Fortran: "__work_MOD_solve" is work::solve, as gfortran writes it. */
static bool add_fortran(struct strbuf *out, struct span name)
{
	static const char mark[] = "_MOD_";
	size_t at = span_find_text(name, mark);
	struct span function = span_from(name, at + strlen(mark));

	if (!span_starts(name, "__") || at < 3 || !function.size)
		return false;
	strbuf_add(out, span_from(span_upto(name, at), 2));
	strbuf_add(out, SPAN("::"));
	strbuf_add(out, function);
	return true;
}

bool encoded_name(struct strbuf *out, struct span name)
{
	return add_fortran(out, name) || add_ocaml(out, name) || add_haskell(out, name);
}

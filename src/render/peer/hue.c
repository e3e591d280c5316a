#include "render/peer/hue.h"

#include "base/alloc.h"

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool all_blank(struct span name)
{
	return name.size && !span_trim(name).size;
}

static enum palette java_hue(struct span name)
{
	struct span bare = name.size && name.at[0] == 'L' ? span_from(name, 1) : name;

	if (span_ends(name, "_[k]"))
		return PALETTE_ORANGE;
	if (span_ends(name, "_[i]"))
		return PALETTE_AQUA;
	if (span_ends(name, "_[j]"))
		return PALETTE_GREEN;
	if (span_contains(name, "::") || span_starts(name, "-[") || span_starts(name, "+["))
		return PALETTE_YELLOW;
	if (span_contains(bare, "/") || (span_contains(bare, ".") && !span_starts(bare, "[")) ||
	    (bare.size && is_upper(bare.at[0])))
		return PALETTE_GREEN;
	return PALETTE_RED;
}

static enum palette java_hue_perl(struct span name)
{
	static const char *const packages[] = { "java/", "javax/", "jdk/", "net/",
						"org/",	 "com/",   "io/",  "sun/" };
	struct span bare = name.size && name.at[0] == 'L' ? span_from(name, 1) : name;

	if (span_ends(name, "_[j]"))
		return PALETTE_GREEN;
	if (span_ends(name, "_[i]"))
		return PALETTE_AQUA;
	for (size_t i = 0; i < ARRAY_SIZE(packages); i++)
		if (span_starts(bare, packages[i]) || span_starts(name, packages[i]))
			return PALETTE_GREEN;
	if (span_contains(name, ":::"))
		return PALETTE_GREEN;
	if (span_contains(name, "::"))
		return PALETTE_YELLOW;
	return span_ends(name, "_[k]") ? PALETTE_ORANGE : PALETTE_RED;
}

static enum palette js_hue(struct span name)
{
	size_t slash = span_find(name, '/');

	if (all_blank(name))
		return PALETTE_GREEN;
	if (span_ends(name, "_[k]"))
		return PALETTE_ORANGE;
	if (span_ends(name, "_[j]"))
		return slash < name.size ? PALETTE_GREEN : PALETTE_AQUA;
	if (span_contains(name, "::"))
		return PALETTE_YELLOW;
	if (span_contains(name, ":"))
		return PALETTE_AQUA;
	if (slash < name.size) {
		struct span rest = span_from(name, slash);

		if (span_contains(rest, "node_modules/"))
			return PALETTE_PURPLE;
		if (span_contains(rest, ".js"))
			return PALETTE_GREEN;
	}
	return PALETTE_RED;
}

static enum palette js_hue_perl(struct span name)
{
	size_t slash = span_find(name, '/');

	if (span_ends(name, "_[j]"))
		return slash < name.size ? PALETTE_GREEN : PALETTE_AQUA;
	if (span_contains(name, "::"))
		return PALETTE_YELLOW;
	if (slash < name.size && span_contains(span_from(name, slash), ".js"))
		return PALETTE_GREEN;
	if (span_contains(name, ":"))
		return PALETTE_AQUA;
	if (span_is(name, " "))
		return PALETTE_GREEN;
	return span_contains(name, "_[k]") ? PALETTE_ORANGE : PALETTE_RED;
}

static enum palette perl_hue(struct span name)
{
	if (span_ends(name, "_[k]"))
		return PALETTE_ORANGE;
	if (span_contains(name, "Perl") || span_contains(name, ".pl"))
		return PALETTE_GREEN;
	return span_contains(name, "::") ? PALETTE_YELLOW : PALETTE_RED;
}

static enum palette perl_hue_perl(struct span name)
{
	if (span_contains(name, "::"))
		return PALETTE_YELLOW;
	if (span_contains(name, "Perl") || span_contains(name, ".pl"))
		return PALETTE_GREEN;
	return span_ends(name, "_[k]") ? PALETTE_ORANGE : PALETTE_RED;
}

/* "python3.11" */
static bool is_python_folder(struct span part)
{
	if (!span_starts(part, "python") && !span_starts(part, "Python"))
		return false;
	for (size_t i = 6; i < part.size; i++)
		if (!is_digit(part.at[i]) && part.at[i] != '.')
			return false;
	return true;
}

static enum palette python_hue(struct span name)
{
	bool library = span_starts(name, "<built-in") || span_starts(name, "<method") ||
		       span_starts(name, "<frozen");

	for (struct span rest = name; rest.size;) {
		size_t n = 0;

		while (n < rest.size && rest.at[n] != '/' && rest.at[n] != '\\')
			n++;
		if (span_is(span_upto(rest, n), "site-packages"))
			return PALETTE_AQUA;
		library |= is_python_folder(span_upto(rest, n));
		rest = span_from(rest, n + 1);
	}
	return library ? PALETTE_YELLOW : PALETTE_RED;
}

static enum palette rust_hue(struct span name)
{
	static const char *const system[] = { "core::",	 "std::",  "alloc::",
					      "<core::", "<std::", "<alloc::" };
	size_t backtick = span_find(name, '`');

	if (backtick < name.size)
		name = span_from(name, backtick + 1);
	for (size_t i = 0; i < ARRAY_SIZE(system); i++)
		if (span_starts(name, system[i]) &&
		    !span_starts(name, "<core::future::from_generator::GenFuture<T>"))
			return PALETTE_ORANGE;
	return span_contains(name, "::") ? PALETTE_AQUA : PALETTE_YELLOW;
}

enum palette hue_pick(enum palette palette, enum name_rules rules, struct span name)
{
	bool perl = rules == NAME_RULES_PERL;

	switch (palette) {
	case PALETTE_JAVA:
		return perl ? java_hue_perl(name) : java_hue(name);
	case PALETTE_JS:
		return perl ? js_hue_perl(name) : js_hue(name);
	case PALETTE_PERL:
		return perl ? perl_hue_perl(name) : perl_hue(name);
	case PALETTE_PYTHON:
		return python_hue(name);
	case PALETTE_RUST:
		return rust_hue(name);
	case PALETTE_WAKEUP:
		return PALETTE_AQUA;
	case PALETTE_CHAIN:
		return span_contains(name, "_[w]") ? PALETTE_AQUA : PALETTE_BLUE;
	case PALETTE_HOT:
	case PALETTE_MEM:
	case PALETTE_IO:
	case PALETTE_RED:
	case PALETTE_GREEN:
	case PALETTE_BLUE:
	case PALETTE_YELLOW:
	case PALETTE_PURPLE:
	case PALETTE_AQUA:
	case PALETTE_ORANGE:
	case NR_PALETTES:
		break;
	}
	return palette;
}

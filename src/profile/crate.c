#include "profile/crate.h"

bool crate_is_compilers(struct span crate)
{
	return span_is(crate, "std") || span_is(crate, "core") || span_is(crate, "alloc");
}

/* Cuts off the first word, and all before it. */
static struct span next_word(struct span *text)
{
	struct span word;
	size_t end = 0;

	while (text->size && !is_word(text->at[0]))
		*text = span_from(*text, 1);
	while (end < text->size && is_word(text->at[end]))
		end++;
	word = span_upto(*text, end);
	*text = span_from(*text, end);
	return word;
}

static bool is_before_type(struct span word)
{
	return span_is(word, "dyn") || span_is(word, "mut") || span_is(word, "const");
}

/* The first word of a type, if it begins a path: "&mut app::T". */
static struct span first_crate(struct span text)
{
	struct span word = next_word(&text);

	while (is_before_type(word) && span_starts(text, " "))
		word = next_word(&text);
	return span_starts(text, "::") ? word : SPAN("");
}

/* Where the trait is in "<type as trait>::f", or the end. */
static size_t find_trait(struct span function)
{
	static const char as[] = " as ";
	size_t depth = 0;

	for (size_t i = 0; i < function.size; i++) {
		char c = function.at[i];

		if (c == '<')
			depth++;
		else if (c == '>' && function.at[i - 1] != '-' && !--depth)
			break;
		else if (depth == 1 && span_starts(span_from(function, i), as))
			return i + strlen(as);
	}
	return function.size;
}

/*
 * "<type as trait>::f" is in the crate of the type or of the trait, by Rust's orphan rule.  It is the one
 * outside the standard library, unless both are inside.
 */
struct span crate_of(struct span function)
{
	struct span type = first_crate(function), trait;
	size_t at;

	if (!span_starts(function, "<") || (type.size && !crate_is_compilers(type)))
		return type;
	at = find_trait(function);
	if (at == function.size)
		return type.size || !span_contains(function, ">::") ? type : SPAN("core");
	trait = first_crate(span_from(function, at));
	return type.size && (!trait.size || crate_is_compilers(trait)) ? type : trait;
}

#include "cli/options.h"

#include "base/alloc.h"
#include "base/nearest.h"
#include "base/span.h"
#include "base/strbuf.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

void option_list_add(struct option_list *l, const char *s)
{
	GROW(l->at, l->nr, l->cap);
	l->at[l->nr++] = s;
}

void option_list_release(struct option_list *l)
{
	free(l->at);
	*l = (struct option_list){ 0 };
}

static void option_steps_add(struct option_steps *s, const struct option *o, const char *value)
{
	GROW(s->at, s->nr, s->cap);
	s->at[s->nr++] = (struct option_step){ .what = o->bits, .name = o->name, .value = value };
}

void option_steps_release(struct option_steps *s)
{
	free(s->at);
	*s = (struct option_steps){ 0 };
}

static const struct option *rows_end(const struct option *o)
{
	while (o->name || o->letter)
		o++;
	return o;
}

const struct option *option_next(const struct option_table *t, const struct option *o)
{
	o = o ? o + 1 : t->option;
	if (t->shared.option && o == rows_end(t->option))
		o = t->shared.option;
	return o->name || o->letter ? o : NULL;
}

/* The offset of the struct whose field a row fills: 0, or that of the shared rows. */
static size_t base_of(const struct option_table *t, const struct option *row)
{
	for (const struct option *o = t->shared.option; o && (o->name || o->letter); o++)
		if (o == row)
			return t->shared.offset;
	return 0;
}

bool option_takes_value(const struct option *o)
{
	switch (o->type) {
	case OPTION_UINT:
	case OPTION_NUMBER:
	case OPTION_STRING:
	case OPTION_LIST:
	case OPTION_TUPLE:
	case OPTION_CHOICE:
		return true;
	case OPTION_STEP:
		return o->argument != NULL;
	case OPTION_FLAG:
	case OPTION_OFF:
	case OPTION_NEGATE:
	case OPTION_BITS:
	case OPTION_CLEAR:
	case OPTION_VALUE:
	case OPTION_COUNT:
	case OPTION_MAYBE:
	case OPTION_NEXT:
	case OPTION_HELP:
		break;
	}
	return false;
}

static int set_uint(unsigned *field, struct span shown, unsigned least, const char *value,
		    struct error *e)
{
	uint64_t n;

	if (!span_u64(span_of(value), &n) || n > UINT32_MAX)
		return error_set(
			e, ERROR_USAGE,
			"invalid value '%s' for %.*s: expected a whole number from %u to %u", value,
			(int)shown.size, shown.at, least, UINT32_MAX);
	if (n < least)
		return error_set(e, ERROR_USAGE, "%.*s must be at least %u", (int)shown.size,
				 shown.at, least);
	*field = (unsigned)n;
	return 0;
}

static int set_number(double *field, struct span shown, const char *value, struct error *e)
{
	char *end;
	double n = strtod(value, &end);

	if (end == value || *end || !isfinite(n))
		return error_set(e, ERROR_USAGE, "invalid value '%s' for %.*s: expected a number",
				 value, (int)shown.size, shown.at);
	*field = n;
	return 0;
}

/* Takes the next of "a|b|c"; empty: there are no more. */
static struct span next_choice(struct span *rest)
{
	struct span choice = span_upto(*rest, span_find(*rest, '|'));

	*rest = span_from(*rest, choice.size + 1);
	return choice;
}

static int find_choice(const char *choices, const char *value)
{
	struct span rest = span_of(choices);

	for (int i = 0; rest.size; i++)
		if (span_is(next_choice(&rest), value))
			return i;
	return -1;
}

/* `where` says which command lists the choices, so that the error need not; NULL: none does. */
static int choice_wrong(struct span what, const char *choices, const char *value, const char *where,
			struct error *e)
{
	struct strbuf list = { 0 };
	struct span rest = span_of(choices);
	struct nearest n;
	char nearest[64];

	nearest_init(&n, span_of(value));
	while (rest.size) {
		struct span choice = next_choice(&rest);
		char name[sizeof(nearest)];

		strbuf_addf(&list, "%s%.*s",
			    !list.size	? ""
			    : rest.size ? ", "
					: " or ",
			    (int)choice.size, choice.at);
		snprintf(name, sizeof(name), "%.*s", (int)choice.size, choice.at);
		nearest_offer(&n, name);
		if (n.name == name) {
			memcpy(nearest, name, sizeof(nearest));
			n.name = nearest;
		}
	}
	error_set(e, ERROR_USAGE, "invalid value '%s' for %.*s%s%s", value, (int)what.size, what.at,
		  where ? "" : ": expected ", where ? "" : list.at);
	strbuf_release(&list);
	if (n.name)
		return error_hint(e, "did you mean '%s'?%s%s", n.name, where ? "  " : "",
				  where ? where : "");
	return where ? error_hint(e, "%s", where) : -1;
}

int option_choice_wrong(struct span what, const char *choices, const char *value, struct error *e)
{
	return choice_wrong(what, choices, value, NULL, e);
}

/* "`wick convert --formats` lists them", if that is how the help ends. */
static const char *listed_by(const struct option *o)
{
	const char *at = o->help ? strstr(o->help, "; `") : NULL;

	return at ? at + strlen("; ") : NULL;
}

static int set_choice(int *field, struct span shown, const struct option *o, const char *value,
		      struct error *e)
{
	int choice;

	assert(o->argument); /* lists the choices */
	choice = find_choice(o->argument, value);
	if (choice < 0)
		return choice_wrong(shown, o->argument, value, listed_by(o), e);
	*field = choice;
	return 0;
}

/* An option on the command line. */
struct given {
	const struct option *option;
	struct span shown; /* as it was spelled, without the value, for errors */
	const char *value; /* or NULL */
	bool negated;	   /* --no-name */
};

static void set_bits(unsigned *field, unsigned bits, bool on)
{
	*field = on ? *field | bits : *field & ~bits;
}

/* Fills the field of an option; 1: the help was asked for. */
static int apply(const struct option_table *t, const struct given *g, void *into, struct error *e)
{
	const struct option *o = g->option;
	void *field = (char *)into + base_of(t, o) + o->offset;

	switch (o->type) {
	case OPTION_FLAG:
	case OPTION_NEGATE:
		*(bool *)field = !g->negated;
		break;
	case OPTION_OFF:
		*(bool *)field = g->negated;
		break;
	case OPTION_BITS:
		set_bits(field, o->bits, !g->negated);
		break;
	case OPTION_CLEAR:
		set_bits(field, o->bits, g->negated);
		break;
	case OPTION_VALUE:
		*(int *)field = (int)o->bits;
		break;
	case OPTION_COUNT:
		++*(int *)field;
		break;
	case OPTION_UINT:
		return set_uint(field, g->shown, o->bits, g->value, e);
	case OPTION_NUMBER:
		return set_number(field, g->shown, g->value, e);
	case OPTION_STRING:
		*(const char **)field = g->value;
		break;
	case OPTION_MAYBE:
	case OPTION_NEXT:
		*(const char **)field = g->value ? g->value : "";
		break;
	case OPTION_LIST:
	case OPTION_TUPLE:
		option_list_add(field, g->value);
		break;
	case OPTION_STEP:
		option_steps_add(field, o, g->value);
		break;
	case OPTION_CHOICE:
		return set_choice(field, g->shown, o, g->value, e);
	case OPTION_HELP:
		return 1;
	}
	return 0;
}

static int unknown(const struct option_table *t, struct span shown, struct span name,
		   struct error *e)
{
	struct nearest n;

	if (t->syntax == SYNTAX_PERL)
		return error_set(e, ERROR_USAGE, "Unknown option: %.*s", (int)name.size, name.at);
	error_set(e, ERROR_USAGE, "unknown option '%.*s'", (int)shown.size, shown.at);
	nearest_init(&n, name);
	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o))
		if (o->name && o->help)
			nearest_offer(&n, o->name);
	if (n.name)
		error_hint(e, "did you mean --%s?", n.name);
	return -1;
}

static bool name_fits(const char *have, struct span name, bool whole)
{
	size_t n = strlen(have);

	return (whole ? n == name.size : n >= name.size) && !strncasecmp(have, name.at, name.size);
}

/*
 * Finds a name as Getopt::Long does: the whole name in any case, else the only one with that
 * prefix.
 */
static const struct option *find_perl(const struct option_table *t, struct span name,
				      bool *ambiguous)
{
	const struct option *found = NULL;

	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o))
		if ((o->name && name_fits(o->name, name, true)) ||
		    (name.size == 1 && o->letter && name.at[0] == o->letter))
			return o;
	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o)) {
		if (!o->name || !name.size || !name_fits(o->name, name, false))
			continue;
		*ambiguous |= found != NULL;
		found = o;
	}
	return *ambiguous ? NULL : found;
}

static const struct option *find_gnu(const struct option_table *t, struct span name)
{
	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o))
		if (o->name && span_is(name, o->name))
			return o;
	return NULL;
}

/* Sorts names as Getopt::Long lists them. */
static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int name_ambiguous(const struct option_table *t, struct span name, struct error *e)
{
	struct option_list fit = { 0 };
	struct strbuf list = { 0 };

	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o))
		if (o->name && name_fits(o->name, name, false))
			option_list_add(&fit, o->name);
	assert(fit.at);
	qsort(fit.at, fit.nr, sizeof(*fit.at), compare_names);
	for (size_t i = 0; i < fit.nr; i++)
		strbuf_addf(&list, "%s%s", i ? ", " : "", fit.at[i]);
	error_set(e, ERROR_USAGE, "Option %.*s is ambiguous (%s)", (int)name.size, name.at,
		  list.at);
	strbuf_release(&list);
	option_list_release(&fit);
	return -1;
}

static int find_long(const struct option_table *t, struct span name, struct given *g,
		     struct error *e)
{
	bool perl = t->syntax == SYNTAX_PERL, ambiguous = false;

	g->option = perl ? find_perl(t, name, &ambiguous) : find_gnu(t, name);
	if (ambiguous)
		return name_ambiguous(t, name, e);
	if (!g->option && span_starts(name, "no")) {
		struct span rest = span_from(name, span_starts(name, "no-") ? 3 : 2);

		g->option = perl ? find_perl(t, rest, &ambiguous) : find_gnu(t, rest);
		if (g->option && g->option->type != OPTION_NEGATE)
			g->option = NULL;
		g->negated = true;
	}
	if (g->option)
		return 0;
	return unknown(t, g->shown, name, e);
}

/* "+name", Getopt::Long's third spelling; other words with a + are files. */
static bool is_plus_name(const struct option_table *t, const char *word)
{
	struct span name = span_from(span_of(word), 1);
	bool ambiguous = false;

	return t->syntax == SYNTAX_PERL && word[0] == '+' &&
	       find_perl(t, span_upto(name, span_find(name, '=')), &ambiguous);
}

/* The rest of the command line. */
struct cursor {
	int argc, at;
	char **argv;
};

/* Fills the field; a tuple has more values after the first. */
static int apply_all(const struct option_table *t, struct given *g, void *into, struct cursor *c,
		     struct error *e)
{
	struct span words = span_of(g->option->argument ? g->option->argument : "");
	int ret = apply(t, g, into, e);

	if (g->option->type != OPTION_TUPLE)
		return ret;
	for (span_word(&words); span_word(&words).size && !ret;) {
		if (c->at == c->argc)
			return error_set(e, ERROR_USAGE, "%.*s requires %s", (int)g->shown.size,
					 g->shown.at, g->option->argument);
		g->value = c->argv[c->at++];
		ret = apply(t, g, into, e);
	}
	return ret;
}

enum value_fault { VALUE_MISSING, VALUE_SURPLUS };

/*
 * The option's name in an error: wick prints it as it was typed, Getopt::Long its whole name or its
 * letter.
 */
static struct span name_in_fault(const struct option_table *t, const struct given *g)
{
	if (t->syntax != SYNTAX_PERL)
		return g->shown;
	return g->option->name ? span_of(g->option->name) : (struct span){ &g->option->letter, 1 };
}

static int value_fault(const struct option_table *t, const struct given *g, enum value_fault fault,
		       struct error *e)
{
	static const char *const words[][2] = {
		[VALUE_MISSING] = { "requires a value", "requires an argument" },
		[VALUE_SURPLUS] = { "takes no value", "does not take an argument" },
	};
	bool perl = t->syntax == SYNTAX_PERL;
	struct span name = name_in_fault(t, g);

	return error_set(e, ERROR_USAGE, "%s%.*s %s", perl ? "Option " : "", (int)name.size,
			 name.at, words[fault][perl]);
}

/* The error of Getopt::Long, which says what kind of number it expected. */
static int number_fault(const struct option_table *t, const struct given *g, struct error *e)
{
	struct span name = name_in_fault(t, g);

	return error_set(e, ERROR_USAGE, "Value \"%s\" invalid for option %.*s (%s expected)",
			 g->value, (int)name.size, name.at,
			 g->option->type == OPTION_NUMBER ? "real number" : "number");
}

static int parse_long(const struct option_table *t, void *into, struct cursor *c, size_t dashes,
		      struct error *e)
{
	struct span word = span_from(span_of(c->argv[c->at++]), dashes);
	size_t equals = span_find(word, '=');
	bool has_equals = equals < word.size, perl = t->syntax == SYNTAX_PERL;
	struct given g = { .shown = span_upto(span_of(c->argv[c->at - 1]), dashes + equals) };
	int ret;

	if (find_long(t, span_upto(word, equals), &g, e))
		return -1;
	assert(g.option);
	if (option_takes_value(g.option)) {
		if (has_equals)
			g.value = word.at + equals + 1;
		else if (c->at < c->argc)
			g.value = c->argv[c->at++];
		if (!g.value || (perl && has_equals && !*g.value))
			return value_fault(t, &g, VALUE_MISSING, e);
	} else if (has_equals &&
		   (g.option->type == OPTION_MAYBE || g.option->type == OPTION_NEXT)) {
		g.value = word.at + equals + 1;
	} else if (g.option->type == OPTION_NEXT && c->at < c->argc && c->argv[c->at][0] != '-') {
		g.value = c->argv[c->at++];
	} else if (has_equals) {
		return value_fault(t, &g, VALUE_SURPLUS, e);
	}
	ret = apply_all(t, &g, into, c, e);
	if (ret < 0 && perl && (g.option->type == OPTION_NUMBER || g.option->type == OPTION_UINT))
		return number_fault(t, &g, e);
	return ret;
}

static int parse_letters(const struct option_table *t, void *into, struct cursor *c,
			 struct error *e)
{
	const char *word = c->argv[c->at++] + 1, *letters = word;

	for (; *letters; letters++) {
		char shown[] = { '-', *letters, '\0' };
		struct given g = { .shown = span_of(shown) };
		int ret;

		for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o))
			if (o->letter == *letters)
				g.option = o;
		if (!g.option)
			/* `-title` may be meant as --title: the hint gets the whole word. */
			return unknown(t, g.shown, span_of(letters == word ? word : ""), e);
		if (g.option->type == OPTION_MAYBE && letters[1] == '=') {
			g.value = letters + 2;
			return apply(t, &g, into, e);
		}
		if (option_takes_value(g.option)) {
			if (letters[1])
				g.value = letters + 1 + (letters[1] == '=');
			else if (c->at < c->argc)
				g.value = c->argv[c->at++];
			else
				return error_set(e, ERROR_USAGE, "%s requires a value", shown);
			return apply_all(t, &g, into, c, e);
		}
		ret = apply(t, &g, into, e);
		if (ret)
			return ret;
	}
	return 0;
}

/* In awk, empty strings and numbers equal to 0 are false. */
static bool awk_is_true(const char *value)
{
	char *end;
	bool is_number = strtod(value, &end) == 0 && end != value;

	return *value && !(is_number && !span_trim(span_of(end)).size);
}

/* The NAME of NAME=VALUE; "": not an assignment, but a file. */
static struct span awk_name(const char *word)
{
	struct span s = span_of(word), name = span_upto(s, span_find(s, '='));

	for (size_t i = 0; i < name.size; i++)
		if (!isalnum((unsigned char)name.at[i]) && name.at[i] != '_')
			return SPAN("");
	return name.size == s.size || is_digit(*word) ? SPAN("") : name;
}

static int awk_assign(const struct option_table *t, void *into, const char *word, struct error *e)
{
	struct span name = awk_name(word);
	struct given g = { .option = find_gnu(t, name), .shown = name };

	g.value = word + name.size + 1;
	g.negated = !awk_is_true(g.value);
	/* Ignores unknown variables, as awk does; `help` is one of them. */
	return g.option && g.option->type != OPTION_HELP ? apply(t, &g, into, e) : 0;
}

static int parse_awk(const struct option_table *t, void *into, struct cursor *c,
		     struct option_list *operands, struct error *e)
{
	int ret = 0;

	while (!ret && c->at < c->argc && c->argv[c->at][0] == '-' && c->argv[c->at][1]) {
		const char *word = c->argv[c->at++], *value = word + 2;

		if (!strcmp(word, "--"))
			break;
		if (!strcmp(word, "-h") || !strcmp(word, "--help"))
			return 1;
		if (word[1] != 'v')
			return unknown(t, span_of(word), SPAN(""), e);
		if (!*value && c->at < c->argc)
			value = c->argv[c->at++];
		if (!awk_name(value).size)
			return error_set(e, ERROR_USAGE,
					 "invalid assignment '%s': expected NAME=VALUE", value);
		ret = awk_assign(t, into, value, e);
	}
	for (; !ret && c->at < c->argc; c->at++) {
		const char *word = c->argv[c->at];

		if (!awk_name(word).size)
			option_list_add(operands, word);
		else if (!operands->nr)
			ret = awk_assign(t, into, word, e);
	}
	return ret;
}

int options_dashes(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return i;
	return argc;
}

int options_parse(const struct option_table *t, void *into, int argc, char **argv,
		  struct option_list *operands, struct error *e)
{
	struct cursor c = { .argc = argc, .at = 1, .argv = argv };
	int ret = 0;

	if (t->syntax == SYNTAX_AWK)
		return parse_awk(t, into, &c, operands, e);
	while (c.at < argc && !ret) {
		const char *word = argv[c.at];

		if (!strcmp(word, "--")) {
			for (c.at++; c.at < argc; c.at++)
				option_list_add(operands, argv[c.at]);
		} else if (!strncmp(word, "--", 2)) {
			ret = parse_long(t, into, &c, 2, e);
		} else if (is_plus_name(t, word)) {
			ret = parse_long(t, into, &c, 1, e);
		} else if (word[0] == '-' && word[1]) {
			ret = t->syntax == SYNTAX_PERL ? parse_long(t, into, &c, 1, e)
						       : parse_letters(t, into, &c, e);
		} else {
			option_list_add(operands, word);
			c.at++;
			while (t->command && c.at < argc)
				option_list_add(operands, argv[c.at++]);
		}
	}
	return ret;
}

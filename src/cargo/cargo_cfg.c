/*
 * cargo flamegraph: evaluates conditions on the target platform, as in cargo's configuration:
 *
 *     cfg(all(unix, target_arch = "x86_64", not(target_env = "musl")))
 *
 * The facts are the lines that `rustc --print cfg` prints: `unix`, `target_arch="x86_64"`.
 */
#include "cargo/cargo.h"

enum { NESTED_MAX = 64 };

struct condition {
	struct span rest;
	struct span facts;
	bool bad; /* a syntax error */
};

static bool holds(struct condition *c, unsigned nested);

static bool take_char(struct condition *c, char wanted)
{
	c->rest = span_trim_start(c->rest);
	if (!c->rest.size || c->rest.at[0] != wanted)
		return false;
	c->rest = span_from(c->rest, 1);
	return true;
}

static struct span take_name(struct condition *c)
{
	struct span name;
	size_t n = 0;

	c->rest = span_trim_start(c->rest);
	while (n < c->rest.size && is_word(c->rest.at[n]))
		n++;
	name = span_upto(c->rest, n);
	c->rest = span_from(c->rest, n);
	c->bad |= !n;
	return name;
}

static struct span take_text(struct condition *c)
{
	struct span text;
	size_t n;

	c->bad |= !take_char(c, '"');
	n = span_find(c->rest, '"');
	c->bad |= n == c->rest.size;
	text = span_upto(c->rest, n);
	c->rest = span_from(c->rest, n + 1);
	return text;
}

static bool is_fact(struct span facts, struct span name, const struct span *value)
{
	while (facts.size) {
		struct span line = span_line(&facts);
		size_t n = span_find(line, '=');

		if (!span_eq(span_upto(line, n), name) || (n < line.size) != !!value)
			continue;
		line = span_from(line, n + 1);
		if (!value || (line.size == value->size + 2 &&
			       span_eq(span_upto(span_from(line, 1), value->size), *value)))
			return true;
	}
	return false;
}

/* `all(…)`, `any(…)`, `not(…)`: c->rest begins after the opening parenthesis. */
static bool list_holds(struct condition *c, struct span name, unsigned nested)
{
	bool is_not = span_is(name, "not"), is_any = span_is(name, "any");
	bool all = true, any = false;
	size_t nr = 0;

	c->bad |= !is_not && !is_any && !span_is(name, "all");
	while (!c->bad && !take_char(c, ')')) {
		bool one = holds(c, nested + 1);

		nr++;
		all &= one;
		any |= one;
		if (take_char(c, ','))
			continue;
		c->bad |= !take_char(c, ')');
		break;
	}
	c->bad |= is_not && nr != 1;
	return is_not ? !all : is_any ? any : all;
}

static bool holds(struct condition *c, unsigned nested)
{
	struct span name = take_name(c), value;

	c->bad |= nested > NESTED_MAX;
	if (c->bad)
		return false;
	if (take_char(c, '('))
		return list_holds(c, name, nested);
	if (span_is(name, "true") || span_is(name, "false"))
		return span_is(name, "true");
	if (!take_char(c, '='))
		return is_fact(c->facts, name, NULL);
	value = take_text(c);
	return is_fact(c->facts, name, &value);
}

bool cargo_cfg_holds(struct span condition, struct span facts)
{
	struct condition c = { .rest = condition, .facts = facts };
	bool ret;

	c.bad = !span_is(take_name(&c), "cfg") || !take_char(&c, '(');
	ret = !c.bad && holds(&c, 0);
	return take_char(&c, ')') && !span_trim(c.rest).size && !c.bad && ret;
}

/* Command lines: shells, words, and substitution of parameters. */
#include "base/alloc.h"
#include "base/decimal.h"
#include "cmd/bench/bench_parts.h"

#include <stdlib.h>
#include <unistd.h>

/* More combinations of parameters are an error. */
enum { COMMANDS_MAX = 10000 };

/* Splits a line into words as a shell does, with quotes and backslashes but without expansions. */
static const char *const *split(struct bench *b, const char *line, size_t *nr, struct error *e)
{
	char *text = arena_take(&b->arena, strlen(line) + 1), quote = '\0';
	const char **word = NULL, **kept;
	size_t cap = 0;
	bool inside = false;

	*nr = 0;
	for (const char *p = line; *p; p++) {
		if (!quote && is_blank(*p)) {
			if (inside)
				*text++ = '\0';
			inside = false;
			continue;
		}
		if (!inside) {
			GROW(word, *nr, cap);
			word[(*nr)++] = text;
			inside = true;
		}
		if (*p == '\\' && quote != '\'' && p[1] && (!quote || is_one_of(p[1], "\\\"$`")))
			*text++ = *++p;
		else if (quote ? *p == quote : is_one_of(*p, "'\""))
			quote = quote ? '\0' : *p;
		else
			*text++ = *p;
	}
	*text = '\0';
	kept = arena_take(&b->arena, (*nr + 1) * sizeof(*kept));
	for (size_t i = 0; i < *nr; i++)
		kept[i] = word[i];
	kept[*nr] = NULL;
	free(word);
	if (quote) {
		error_set(e, ERROR_USAGE, "'%s': missing closing quote", line);
		return NULL;
	}
	if (!*nr) {
		error_set(e, ERROR_USAGE, "empty command");
		return NULL;
	}
	return kept;
}

const char *const *bench_words(struct bench *b, const char *line, struct error *e)
{
	const char **argv;
	size_t nr;

	if (!b->uses_shell)
		return split(b, line, &nr, e);
	argv = arena_take(&b->arena, (b->nr_shell + 3) * sizeof(*argv));
	for (size_t i = 0; i < b->nr_shell; i++)
		argv[i] = b->shell[i];
	argv[b->nr_shell] = "-c";
	argv[b->nr_shell + 1] = line;
	argv[b->nr_shell + 2] = NULL;
	return argv;
}

static int set_shell(struct bench *b, struct error *e)
{
	const char *shell = b->o.shell ? b->o.shell : "default";

	b->uses_shell = !b->o.no_shell && strcmp(shell, "none") != 0;
	if (!b->uses_shell)
		return 0;
	b->shell = split(b, strcmp(shell, "default") != 0 ? shell : "sh", &b->nr_shell, e);
	return b->shell ? 0 : error_within(e, "--shell");
}

/* Parameters: -P and -L */

struct values {
	const char *name;
	const char **at;
	size_t nr, cap;
};

struct dimensions {
	struct values *at;
	size_t nr, cap;
};

static struct values *add_dimension(struct dimensions *d, const char *name, struct error *e)
{
	for (size_t i = 0; i < d->nr; i++)
		if (!strcmp(d->at[i].name, name)) {
			error_set(e, ERROR_USAGE, "parameter '%s' is given twice", name);
			return NULL;
		}
	GROW(d->at, d->nr, d->cap);
	d->at[d->nr] = (struct values){ .name = name };
	return &d->at[d->nr++];
}

static int add_value(struct values *v, const char *value, struct error *e)
{
	if (v->nr == COMMANDS_MAX)
		return error_set(e, ERROR_USAGE, "parameter '%s' has more than %d values", v->name,
				 COMMANDS_MAX);
	GROW(v->at, v->nr, v->cap);
	v->at[v->nr++] = value;
	return 0;
}

static const char *decimal_text(struct bench *b, struct decimal d)
{
	decimal_value whole = 1;

	for (int i = 0; i < d.digits; i++)
		whole *= 10;
	if (!d.digits)
		return bench_text(b, "%lld", (long long)d.value);
	return bench_text(b, "%s%lld.%0*lld", d.value < 0 ? "-" : "",
			  (long long)((d.value < 0 ? -d.value : d.value) / whole), d.digits,
			  (long long)((d.value < 0 ? -d.value : d.value) % whole));
}

static int parse_decimal(const char *text, struct decimal *d, struct error *e)
{
	/* The limit of decimal_text(). */
	const decimal_value most = 1000000000000000000;

	const char *point = strchr(text, '.');
	struct decimal zero = { .digits = point ? (int)strspn(point + 1, "0123456789") : 0 };

	if (!decimal_parse(span_of(text), d) || zero.digits > DECIMAL_DIGITS_MAX)
		return error_set(e, ERROR_USAGE, "--parameter-scan: invalid number '%s'", text);
	/* Keeps trailing zeros: 0.30 has two digits, so 0.50 follows. */
	*d = decimal_add(*d, zero);
	if (d->value > most || d->value < -most)
		return error_set(e, ERROR_USAGE, "--parameter-scan: invalid number '%s'", text);
	return 0;
}

/* Compares with the same number of digits. */
static bool is_less(struct decimal a, struct decimal b)
{
	struct decimal zero = { .digits = a.digits > b.digits ? a.digits : b.digits };

	return decimal_add(a, zero).value < decimal_add(b, zero).value;
}

static int add_scan(struct bench *b, struct dimensions *d, const char *const *words,
		    struct error *e)
{
	struct decimal at, end, step = { .value = 1 };
	struct values *v = add_dimension(d, words[0], e);

	if (!v || parse_decimal(words[1], &at, e) || parse_decimal(words[2], &end, e) ||
	    (b->o.step && parse_decimal(b->o.step, &step, e)))
		return -1;
	if (step.value <= 0)
		return error_set(e, ERROR_USAGE, "--parameter-step-size must be positive");
	if (is_less(end, at))
		return error_set(e, ERROR_USAGE, "--parameter-scan: empty range %s to %s", words[1],
				 words[2]);
	for (; !is_less(end, at); at = decimal_add(at, step))
		if (add_value(v, decimal_text(b, at), e))
			return -1;
	return 0;
}

/* Comma-separated values; \, is a literal comma. */
static int add_list(struct bench *b, struct dimensions *d, const char *const *words,
		    struct error *e)
{
	struct values *v = add_dimension(d, words[0], e);
	struct strbuf value = { 0 };
	int ret = v ? 0 : -1;

	for (const char *p = words[1]; !ret; p++) {
		if (*p == '\\' && (p[1] == ',' || p[1] == '\\')) {
			strbuf_addch(&value, *++p);
		} else if (*p && *p != ',') {
			strbuf_addch(&value, *p);
		} else {
			ret = add_value(
				v, bench_text(b, "%.*s", (int)value.size, strbuf_peek(&value).at),
				e);
			strbuf_reset(&value);
			if (!*p)
				break;
		}
	}
	strbuf_release(&value);
	return ret;
}

static int find_dimensions(struct bench *b, struct dimensions *d, struct error *e)
{
	enum { SCAN_WORDS = 3, LIST_WORDS = 2 };

	if (b->o.step && !b->o.scan.nr)
		return error_set(e, ERROR_USAGE, "--parameter-step-size requires --parameter-scan");
	for (size_t i = 0; i < b->o.scan.nr; i += SCAN_WORDS)
		if (add_scan(b, d, b->o.scan.at + i, e))
			return -1;
	for (size_t i = 0; i < b->o.list.nr; i += LIST_WORDS)
		if (add_list(b, d, b->o.list.at + i, e))
			return -1;
	return 0;
}

/* The text with each {name} replaced by its value. */
static const char *fill_in(struct bench *b, const char *text, const struct bench_command *c)
{
	struct span rest = span_of(text);
	struct strbuf out = { 0 };

	while (rest.size) {
		size_t i = 0;

		for (; i < c->nr_parameter; i++) {
			size_t n = strlen(c->parameter[i].name);

			if (rest.at[0] == '{' && rest.size > n + 1 && rest.at[n + 1] == '}' &&
			    !memcmp(rest.at + 1, c->parameter[i].name, n))
				break;
		}
		if (i < c->nr_parameter) {
			strbuf_add(&out, span_of(c->parameter[i].value));
			rest = span_from(rest, strlen(c->parameter[i].name) + 2);
		} else {
			strbuf_addch(&out, rest.at[0]);
			rest = span_from(rest, 1);
		}
	}
	text = bench_text(b, "%s", strbuf_peek(&out).at);
	strbuf_release(&out);
	return text;
}

/* Commands */

static int set_command(struct bench *b, struct bench_command *c, const char *line, struct error *e)
{
	line = fill_in(b, line, c);
	if (!*line)
		return error_set(e, ERROR_USAGE, "empty command");
	c->argv = bench_words(b, line, e);
	if (!c->argv)
		return -1;
	c->path = bench_find(b, c->argv[0]);
	c->name = line;
	c->in_shell = b->uses_shell;
	return 0;
}

/* Numbers of commands, which lists of options must match. */
struct numbers {
	size_t nr_line;	   /* on the command line */
	size_t nr_made;	   /* these with all combinations of parameters */
	size_t nr_command; /* with the reference */
};

/* The item of a list that has one for each line or command; NULL: there is none. */
static const char *item_of(const struct option_list *l, size_t i, const struct numbers *n,
			   size_t nr_command)
{
	if (l->nr == 1)
		return l->at[0];
	i = l->nr == nr_command ? i : i % n->nr_line;
	return i < l->nr ? l->at[i] : NULL;
}

static const char *text_of(struct bench *b, const struct option_list *l, size_t i,
			   const struct numbers *n)
{
	const char *text = item_of(l, i, n, n->nr_command);

	return text ? fill_in(b, text, &b->command[i]) : NULL;
}

/*
 * The name from -n.  Without parameters, names are for the first commands; with parameters, a
 * single name is for all.
 */
static const char *name_of(const struct bench *b, size_t i, const struct numbers *n)
{
	const struct option_list *l = &b->o.name;

	if (n->nr_made == n->nr_line)
		return i < l->nr ? l->at[i] : NULL;
	return item_of(l, i, n, n->nr_made);
}

/* An option must be given once, or once for each command. */
static int check_list(const struct bench *b, const char *option, const struct option_list *l,
		      const struct numbers *n, struct error *e)
{
	if (l->nr <= 1 || l->nr == n->nr_command || (!b->o.reference && l->nr == n->nr_line))
		return 0;
	return error_set(e, ERROR_USAGE,
			 "%s must be given once, or once for each of %zu commands%s", option,
			 n->nr_command,
			 b->o.reference ? ", of which --reference is the first" : "");
}

static int check_lists(const struct bench *b, const struct numbers *n, struct error *e)
{
	/* --git makes two commands of one. */
	size_t most = b->o.git ? 2 : n->nr_made;
	bool fits = n->nr_made == n->nr_line ? b->o.name.nr <= most
					     : b->o.name.nr <= 1 || b->o.name.nr == n->nr_line ||
						       b->o.name.nr == most;

	if (!fits)
		return error_set(e, ERROR_USAGE,
				 "--command-name is given %zu times for %zu command%s",
				 b->o.name.nr, most, most == 1 ? "" : "s");
	if (check_list(b, "--prepare", &b->o.prepare, n, e) ||
	    check_list(b, "--conclude", &b->o.conclude, n, e) ||
	    check_list(b, "--output", &b->o.output, n, e))
		return -1;
	return 0;
}

/* The name with parameters that are not part of the command: "make (threads = 2)" */
static const char *title_of(struct bench *b, const struct bench_command *c, const char *line)
{
	struct strbuf title = { 0 };
	const char *between = " (";

	strbuf_addf(&title, "%s", c->name);
	for (size_t i = 0; i < c->nr_parameter; i++) {
		const struct bench_parameter *p = &c->parameter[i];

		if (strstr(line, bench_text(b, "{%s}", p->name)))
			continue;
		strbuf_addf(&title, "%s%s = %s", between, p->name, p->value);
		between = ", ";
	}
	strbuf_addf(&title, "%s", *between == ',' ? ")" : "");
	line = bench_text(b, "%s", title.at);
	strbuf_release(&title);
	return line;
}

/*
 * Sets what is not on the command lines; `line` has those, or is NULL for commands given as words.
 */
static int set_rest(struct bench *b, const char *const *line, const struct numbers *n,
		    struct error *e)
{
	size_t first = n->nr_command - n->nr_made;

	if (check_lists(b, n, e))
		return -1;
	for (size_t i = 0; i < n->nr_command; i++) {
		struct bench_command *c = &b->command[i];
		const char *name = i < first ? b->o.reference_name : name_of(b, i - first, n);
		const char *output = item_of(&b->o.output, i, n, n->nr_command);

		c->name = name ? fill_in(b, name, c) : c->name;
		c->title = title_of(b, c, line && i >= first ? line[(i - first) % n->nr_line] : "");
		c->prepare = text_of(b, &b->o.prepare, i, n);
		c->conclude = text_of(b, &b->o.conclude, i, n);
		c->setup = b->o.setup ? fill_in(b, b->o.setup, c) : NULL;
		c->cleanup = b->o.cleanup ? fill_in(b, b->o.cleanup, c) : NULL;
		c->output = b->o.show_output ? "inherit" : output ? output : "null";
	}
	return 0;
}

/*
 * Adds every line with every combination of values: lines change fastest, then the first parameter.
 */
static int combine(struct bench *b, const char *const *line, size_t nr_line, struct error *e)
{
	size_t first = b->nr_command, nr = nr_line;
	struct dimensions d = { 0 };
	int ret = find_dimensions(b, &d, e);

	for (size_t k = 0; k < d.nr && !ret; k++) {
		nr *= d.at[k].nr;
		if (nr > COMMANDS_MAX)
			ret = error_set(e, ERROR_USAGE, "more than %d combinations of parameters",
					COMMANDS_MAX);
	}
	if (!ret)
		b->command = xreallocarray(b->command, first + nr, sizeof(*b->command));
	for (size_t i = 0; i < nr && !ret; i++) {
		struct bench_command *c = &b->command[b->nr_command++];
		size_t rest = i / nr_line;

		*c = (struct bench_command){ .nr_parameter = d.nr };
		c->parameter = arena_take(&b->arena, (d.nr + 1) * sizeof(*c->parameter));
		for (size_t k = 0; k < d.nr; k++) {
			c->parameter[k] = (struct bench_parameter){ d.at[k].name,
								    d.at[k].at[rest % d.at[k].nr] };
			rest /= d.at[k].nr;
		}
		ret = set_command(b, c, line[i % nr_line], e);
	}
	if (!ret)
		ret = set_rest(b, line, &(struct numbers){ nr_line, nr, first + nr }, e);
	for (size_t k = 0; k < d.nr; k++)
		free(d.at[k].at);
	free(d.at);
	return ret;
}

/* Adds the words up to the next :: as a command that runs without a shell. */
static int add_words(struct bench *b, const char *const *word, size_t nr, struct error *e)
{
	const char **argv = arena_take(&b->arena, (nr + 1) * sizeof(*argv));
	struct strbuf name = { 0 };
	struct bench_command *c;
	size_t at = b->nr_command;

	if (!nr)
		return error_set(e, ERROR_USAGE, "empty command before or after '::'");
	b->command = xreallocarray(b->command, at + 1, sizeof(*b->command));
	c = &b->command[b->nr_command++];
	*c = (struct bench_command){ .argv = argv };
	for (size_t i = 0; i < nr; i++) {
		argv[i] = word[i];
		strbuf_addf(&name, "%s%s", i ? " " : "", word[i]);
	}
	argv[nr] = NULL;
	c->path = bench_find(b, argv[0]);
	c->name = bench_text(b, "%s", name.at);
	strbuf_release(&name);
	return 0;
}

static int add_from_dashes(struct bench *b, const struct option_list *operands, struct error *e)
{
	size_t begin = 0, first = b->nr_command, nr;

	if (b->o.scan.nr || b->o.list.nr) {
		error_set(e, ERROR_USAGE, "parameters cannot be used in commands after --");
		return error_hint(e, "quote each command instead: 'COMMAND {%s}'",
				  b->o.list.nr ? b->o.list.at[0] : b->o.scan.at[0]);
	}
	for (size_t i = 0; i <= operands->nr; i++)
		if (i == operands->nr || !strcmp(operands->at[i], "::")) {
			if (add_words(b, operands->at + begin, i - begin, e))
				return -1;
			begin = i + 1;
		}
	nr = b->nr_command - first;
	return set_rest(b, NULL, &(struct numbers){ nr, nr, first + nr }, e);
}

int bench_commands(struct bench *b, const struct option_list *operands, bool after_dashes,
		   struct error *e)
{
	if (set_shell(b, e))
		return -1;
	if (!operands->nr) {
		error_set(e, ERROR_USAGE, "no command given");
		return error_hint(e, "wick bench 'COMMAND A' 'COMMAND B'");
	}
	if (b->o.reference) {
		b->command = xcalloc(1, sizeof(*b->command));
		if (set_command(b, &b->command[b->nr_command++], b->o.reference, e))
			return error_within(e, "--reference");
	}
	if (after_dashes ? add_from_dashes(b, operands, e)
			 : combine(b, operands->at, operands->nr, e))
		return -1;
	for (size_t i = 1; i < b->nr_command; i++)
		b->in_blocks |= b->command[i].setup && b->command[0].setup &&
				strcmp(b->command[i].setup, b->command[0].setup) != 0;
	return 0;
}

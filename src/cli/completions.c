#include "cli/completions.h"

#include "base/alloc.h"
#include "cli/complete.h"
#include "cli/messages.h"

#include <ctype.h>

/* Values: their name in the help determines their kind. */

static const struct {
	const char *name;
	enum value_kind kind;
} kinds[] = {
	{ "FILE", VALUE_FILE },	    { "DIR", VALUE_FOLDER },
	{ "FOLDER", VALUE_FOLDER }, { "COMMAND", VALUE_PROGRAM },
	{ "PID", VALUE_PROCESS },   { "EVENT", VALUE_EVENT },
	{ "USER", VALUE_USER },	    { "SUBCOMMAND", VALUE_SUBCOMMAND },
};

bool value_next_word(struct span *words, struct span *word)
{
	size_t n = span_find(*words, '|');

	if (!words->size)
		return false;
	*word = span_upto(*words, n);
	*words = span_from(*words, n + 1);
	return true;
}

/* Adds one of the alternatives in an argument's name: "FILE", "PID,...". */
static void value_add(struct value *v, const struct option_table *t, struct span name)
{
	name = span_upto(name, span_find(name, ','));
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (span_is(name, kinds[i].name))
			v->kind = kinds[i].kind;
	for (const struct option_words *w = t->words; w && w->argument; w++)
		if (span_is(name, w->argument))
			v->words = span_of(w->words);
}

struct value value_of(const struct option_table *t, const struct option *o)
{
	const char *name = o ? o->argument : t->operand;
	struct value v = { .name = name ? name : o ? "VALUE" : "FILE" };
	struct span rest = span_of(v.name), one;

	/* A lower-case name is the list of words itself: "a|b|c". */
	if (o && islower((unsigned char)*v.name) && strchr(v.name, '|')) {
		v.words = rest;
		v.name = o->name;
		return v;
	}
	if (!o && t->command && !t->operand)
		rest = SPAN("COMMAND");
	v.list = span_ends(rest, ",...");
	while (value_next_word(&rest, &one))
		value_add(&v, t, one);
	return v;
}

bool option_repeats(const struct option *o)
{
	return o->type == OPTION_LIST || o->type == OPTION_STEP || o->type == OPTION_COUNT;
}

/* Printing */

void complete_put_escaped(const char *text, const char *special, char escape)
{
	for (; *text; text++) {
		if (strchr(special, *text))
			putchar(escape);
		putchar(*text);
	}
}

void complete_put_words(const struct program *p, const struct value *v)
{
	struct span words = v->words, word;

	while (value_next_word(&words, &word))
		printf("%.*s%s", (int)word.size, word.at, words.size ? " " : "");
	if (v->kind != VALUE_SUBCOMMAND || !p->command)
		return;
	for (const struct subcommand *c = p->command; c->name; c++)
		if (c->about)
			printf("%s%s", c > p->command ? " " : "", c->name);
}

/* cargo */

const char *program_cargo_word(const struct program *p)
{
	return p->name + strlen("cargo-");
}

const struct program *program_next_of_cargo(const struct program *p)
{
	while (p->name && strncmp(p->name, "cargo-", strlen("cargo-")) != 0)
		p++;
	return p->name ? p : NULL;
}

/* The command */

static const struct shell {
	const char *name;
	void (*write)(const struct program *p);
	/* NULL: cargo's own completion does this, or it is not possible. */
	void (*write_cargo)(const struct program *list);
} shells[] = {
	{ "bash", complete_bash, complete_bash_cargo },
	{ "zsh", complete_zsh, NULL },
	{ "fish", complete_fish, complete_fish_cargo },
	{ "powershell", complete_powershell, NULL },
	{ "elvish", complete_elvish, NULL },
};

static const struct shell *find_shell(const char *name, struct error *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(shells); i++)
		if (!strcmp(shells[i].name, name))
			return &shells[i];
	option_choice_wrong(SPAN("SHELL"), COMPLETIONS_SHELLS, name, e);
	return NULL;
}

int completions_write(const struct program *p, const char *shell, struct error *e)
{
	const struct shell *s = find_shell(shell, e);

	if (s)
		s->write(p);
	return s ? 0 : -1;
}

static const struct option options[] = {
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option_words values[] = { { "SHELL", COMPLETIONS_SHELLS }, { 0 } };

const struct option_table completions_table = {
	.usage = "wick completions " COMPLETIONS_SHELLS " [PROGRAM]",
	.about =
		"Prints a completion script for the shell: for wick, or for flamegraph, cargo-flamegraph or\n"
		"cargo-wick if PROGRAM names one.  With PROGRAM cargo, the script makes bash and fish complete\n"
		"`cargo flamegraph` and `cargo wick`; zsh needs no script for that.",
	.option = options,
	.syntax = SYNTAX_GNU,
	.operand = "SHELL",
	.words = values,
};

static int no_program(const struct program *list, const char *name, struct error *e)
{
	struct strbuf names = { 0 };

	for (const struct program *p = list; p->name; p++)
		strbuf_addf(&names, "%s%s", names.size ? ", " : "", p->name);
	error_set(e, ERROR_USAGE, "no completions for '%s'", name);
	error_hint(e, "programs with completions: %s", names.at);
	strbuf_release(&names);
	return -1;
}

static int write_asked(const struct program *list, const struct option_list *asked, struct error *e)
{
	const char *name = asked->nr == 2 ? asked->at[1] : list->name;
	const struct program *p = program_find(list, name);
	const struct shell *s;

	if (asked->nr < 1 || asked->nr > 2)
		return error_set(e, ERROR_USAGE,
				 "expected a shell (" COMPLETIONS_SHELLS
				 ") and at most one program");
	s = find_shell(asked->at[0], e);
	if (!s)
		return -1;
	if (p)
		s->write(p);
	else if (!strcmp(name, "cargo") && s->write_cargo)
		s->write_cargo(list);
	else
		return no_program(list, name, e);
	return 0;
}

int completions_main(const struct program *list, int argc, char **argv)
{
	struct option_list asked = { 0 };
	struct error e = ERROR_INIT;
	char nothing = 0; /* no option has a field */
	int ret = options_parse(&completions_table, &nothing, argc, argv, &asked, &e);

	if (ret > 0) {
		options_help(&completions_table);
		ret = 0;
	} else if (!ret) {
		ret = write_asked(list, &asked, &e);
	}
	option_list_release(&asked);
	if (!ret)
		return 0;
	message_error(&e);
	return message_status(&e);
}

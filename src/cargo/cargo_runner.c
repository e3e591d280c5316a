/*
 * cargo flamegraph: the runner that the user has configured for cargo to start programs with, in an
 * environment variable or in a configuration file.  Only an unstable command, `cargo config get`,
 * shows the latter.
 */
#include "base/alloc.h"
#include "cargo/cargo.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* "PROGRAM ARGUMENTS" */
static void add_words(struct cargo *c, struct option_list *words, const char *text)
{
	struct span rest = span_of(text), word;

	while ((word = span_word(&rest)).size)
		cargo_push(words, cargo_text(c, "%.*s", (int)word.size, word.at));
}

static void add_value(struct cargo *c, struct option_list *words, const struct json_node *runner)
{
	if (runner->type == JSON_STRING)
		add_words(c, words, runner->text.at);
	for (const struct json_node *n = runner->first; n && runner->type == JSON_ARRAY;
	     n = n->next)
		if (n->type == JSON_STRING)
			cargo_push(words, n->text.at);
}

/* The value of a key in cargo's configuration; empty if there is none. */
static void get_config(struct cargo *c, const char *how, const char *key, struct strbuf *out)
{
	const char *const command[] = { "-Zunstable-options", "config", "get", how, key };
	struct option_list words = { 0 };
	struct error e = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(command); i++)
		cargo_push(&words, command[i]);
	cargo_push(&c->env, "RUSTC_BOOTSTRAP=1");
	if (cargo_call(c, cargo_program(), &words, CARGO_QUIET, out, &e))
		strbuf_reset(out);
	c->env.nr--;
	option_list_release(&words);
}

/* The value of the key `target`: an object by triples and conditions. */
static const struct json_node *configured(struct cargo *c)
{
	const struct json_node *targets;
	struct error e = ERROR_INIT;
	struct strbuf out = { 0 };

	get_config(c, "--format=json-value", "target", &out);
	targets = json_tree_parse(&c->arena, strbuf_peek(&out), &e);
	strbuf_release(&out);
	return targets;
}

/*
 * The file of a line that ends with ` # FILE`; both the value and the path may contain # as well.
 */
static const char *origin(struct cargo *c, struct span line)
{
	static const char sign[] = " # /";
	size_t n;

	while ((n = span_find_text(line, sign)) < line.size) {
		const char *file;

		line = span_from(line, n + strlen(sign) - 1);
		file = cargo_text(c, "%.*s", (int)line.size, line.at);
		if (!access(file, F_OK))
			return file;
	}
	return NULL;
}

/* Paths in a configuration file are relative to the folder above the file's (.cargo). */
static const char *root_of(struct cargo *c, const char *file)
{
	struct span path = span_of(file);

	for (int up = 0; up < 2; up++)
		path = span_upto(path, span_rfind(path, '/'));
	return cargo_text(c, "%.*s", (int)path.size, path.at);
}

/*
 * The settings, starting at the line that sets the runner of this target, whose name may be quoted.
 */
static struct span find_setting(struct cargo *c, struct span settings, struct span target)
{
	static const char *const quote[] = { "", "\"", "'" };
	size_t at = settings.size;

	for (size_t i = 0; i < ARRAY_SIZE(quote) && at == settings.size; i++)
		at = span_find_text(settings, cargo_text(c, "target.%s%.*s%s.runner = ", quote[i],
							 (int)target.size, target.at, quote[i]));
	return span_from(settings, at);
}

/*
 * The folder that a runner's path is relative to: root_of() the file that sets it.  That file is on
 * the runner's line, or on the next one if it is a list.  NULL: unknown.
 */
static const char *configured_root(struct cargo *c, struct span target)
{
	const char *file = NULL;
	struct strbuf out = { 0 };
	struct span rest;

	/*
	 * For the runner's key alone, cargo would print our own variable, which overrides the file.
	 */
	get_config(c, "--show-origin", "target", &out);
	rest = find_setting(c, strbuf_peek(&out), target);
	for (int i = 0; i < 2 && !file; i++)
		file = origin(c, span_line(&rest));
	strbuf_release(&out);
	return file ? root_of(c, file) : NULL;
}

/* Makes a relative path absolute, since the target may run in another folder; a bare name stays. */
static const char *locate(struct cargo *c, const char *program, const struct json_node *target)
{
	const char *root = NULL, *path = program;
	char *here = NULL;

	if (program[0] == '/' || !strchr(program, '/'))
		return program;
	if (target)
		root = configured_root(c, target->name);
	if (!root)
		root = here = getcwd(NULL, 0);
	if (root)
		path = cargo_text(c, "%s/%s", root, program);
	free(here);
	return path;
}

/* The output of `rustc --print cfg` about the platform; empty if it fails. */
static void get_facts(struct cargo *c, struct strbuf *out)
{
	const char *compiler = getenv("RUSTC"), *flags = getenv("RUSTFLAGS");
	struct option_list words = { 0 };
	struct error e = ERROR_INIT;

	if (flags)
		add_words(c, &words, flags);
	cargo_push(&words, "--print=cfg");
	cargo_push(&words, cargo_text(c, "--target=%s", c->triple));
	if (cargo_call(c, compiler && *compiler ? compiler : "rustc", &words, CARGO_QUIET, out, &e))
		strbuf_reset(out);
	option_list_release(&words);
}

/* The target whose condition holds; cargo rejects more than one. */
static const struct json_node *find_by_condition(struct cargo *c, const struct json_node *targets)
{
	const struct json_node *n = targets ? targets->first : NULL;
	struct strbuf facts = { 0 };

	for (; n; n = n->next) {
		if (!span_starts(n->name, "cfg(") || !json_find(n, "runner"))
			continue;
		if (!facts.size)
			get_facts(c, &facts);
		if (cargo_cfg_holds(n->name, strbuf_peek(&facts)))
			break;
	}
	strbuf_release(&facts);
	return n;
}

void cargo_add_runner(struct cargo *c, struct option_list *words)
{
	const char *variable = getenv(cargo_runner_variable(c, c->triple));
	const struct json_node *targets = variable ? NULL : configured(c);
	const struct json_node *target = json_find(targets, c->triple);
	size_t first = words->nr;

	if (!json_find(target, "runner"))
		target = find_by_condition(c, targets);
	if (variable)
		add_words(c, words, variable);
	else if (target)
		add_value(c, words, json_find(target, "runner"));
	if (words->nr > first)
		words->at[first] = locate(c, words->at[first], target);
}

/*
 * cargo flamegraph: a runner that cargo is told to start programs with.  Only an
 * unstable command of cargo's tells what its files say, as for the unit graph.
 */
#include "base/alloc.h"
#include "cli/messages.h"
#include "dropin/cargo.h"

#include <stdio.h>
#include <stdlib.h>

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

/* What cargo's configuration says of targets: an object by their names. */
static const struct json_node *configured(struct cargo *c)
{
	static const char *const command[] = { "-Zunstable-options", "config", "get",
					       "--format=json-value", "target" };
	const struct json_node *targets = NULL;
	struct option_list words = { 0 };
	struct error e = ERROR_INIT;
	struct strbuf out = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(command); i++)
		cargo_push(&words, command[i]);
	cargo_push(&c->env, "RUSTC_BOOTSTRAP=1");
	if (!cargo_call(c, cargo_program(), &words, CARGO_QUIET, &out, &e))
		targets = json_tree_parse(&c->arena, strbuf_peek(&out), &e);
	c->env.nr--;
	option_list_release(&words);
	strbuf_release(&out);
	return targets;
}

/* Which of these hold, only the compiler knows. */
static void tell_unused(const struct json_node *targets)
{
	for (const struct json_node *n = targets ? targets->first : NULL; n; n = n->next)
		if (span_starts(n->name, "cfg(") && json_find(n, "runner"))
			message_peer(stderr, "warning: the runner of [target.'%.*s'] is not used\n",
				     (int)n->name.size, n->name.at);
}

void cargo_add_runner(struct cargo *c, struct option_list *words)
{
	const char *variable = getenv(cargo_runner_variable(c, c->triple));
	const struct json_node *targets = variable ? NULL : configured(c);
	const struct json_node *runner = json_find(json_find(targets, c->triple), "runner");

	if (variable)
		add_words(c, words, variable);
	else if (runner)
		add_value(c, words, runner);
	else
		tell_unused(targets);
}

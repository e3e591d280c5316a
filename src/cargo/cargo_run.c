/*
 * cargo flamegraph: the target has to run as `cargo run`, `cargo test` or `cargo bench` would run
 * it.  To find out how, wick calls cargo with wick itself as the runner (CARGO_TARGET_…_RUNNER):
 * `wick runner` prints its arguments, folder and environment, and runs nothing.
 */
#include "base/alloc.h"
#include "cargo/cargo.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Separates the output of cargo from that of the runner, which follows. */
#define MARK "wick was started so"

/* The runner: prints NUL-terminated strings. */
int cargo_runner_main(int argc, char **argv)
{
	char *here = getcwd(NULL, 0);

	printf(MARK "%c%s%c%d%c", 0, here ? here : "", 0, argc - 1, 0);
	for (int i = 1; i < argc; i++)
		printf("%s%c", argv[i], 0);
	for (char **v = environ; *v; v++)
		printf("%s%c", *v, 0);
	free(here);
	return 0;
}

/* Calling it */

/* CARGO_TARGET_<T>_RUNNER */
const char *cargo_runner_variable(struct cargo *c, const char *triple)
{
	struct strbuf name = { 0 };
	const char *text;

	for (; *triple; triple++)
		strbuf_addch(&name, *triple == '-' ? '_' : (char)toupper((unsigned char)*triple));
	text = cargo_text(c, "CARGO_TARGET_%s_RUNNER", name.at);
	strbuf_release(&name);
	return text;
}

/* The triple in the executable's path, if there is one: FOLDER/[TRIPLE/]PROFILE/[deps/]NAME */
static const char *triple_below(struct cargo *c, const char *folder)
{
	struct span path = span_of(json_string(c->artifact, "executable"));
	size_t nr;

	if (!folder || !span_starts(path, folder) || path.at[strlen(folder)] != '/')
		return NULL;
	path = span_from(path, strlen(folder) + 1);
	path = span_upto(path, span_rfind(path, '/'));
	if (span_ends(path, "/deps") || span_ends(path, "/examples"))
		path = span_upto(path, span_rfind(path, '/'));
	nr = span_find(path, '/');
	return nr < path.size ? cargo_text(c, "%.*s", (int)nr, path.at) : NULL;
}

/* The triple of cargo itself, for which it builds by default. */
static const char *host_triple(struct cargo *c)
{
	struct option_list words = { 0 };
	struct error e = ERROR_INIT;
	const char *triple = NULL;
	struct strbuf out = { 0 };
	struct span rest;

	cargo_push(&words, "-vV");
	if (!cargo_call(c, cargo_program(), &words, CARGO_QUIET, &out, &e))
		for (rest = strbuf_peek(&out); rest.size && !triple;) {
			struct span line = span_line(&rest);

			if (span_starts(line, "host: "))
				triple = cargo_text(c, "%.*s", (int)line.size - 6, line.at + 6);
		}
	option_list_release(&words);
	strbuf_release(&out);
	return triple ? triple : "unknown";
}

static const char *find_triple(struct cargo *c)
{
	const char *triple = triple_below(c, json_string(c->metadata, "target_directory"));

	if (!triple)
		triple = triple_below(c, json_string(c->metadata, "build_directory"));
	return triple ? triple : host_triple(c);
}

/* Is the word redundant?  cargo adds --bench itself. */
static bool is_spare(const struct cargo *c, const char *word)
{
	return cargo_is_bench(c) && !strcmp(word, "--bench");
}

/*
 * Calls cargo with our runner.  The target is built already, so cargo has only messages to print.
 */
static int ask(struct cargo *c, struct error *e)
{
	struct option_list words = { 0 };
	int ret;

	cargo_words(c, &words, CARGO_RUNS);
	cargo_push(&words, "--message-format=json");
	cargo_push(&words, "--");
	for (size_t i = 0; i < c->rs.argv.nr; i++)
		if (!is_spare(c, c->rs.argv.at[i]))
			cargo_push(&words, c->rs.argv.at[i]);
	c->self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	/* This path has no blanks, at which cargo would split it, and any user may open it. */
	cargo_push(&c->env, cargo_text(c, "%s=/proc/self/fd/%d runner",
				       cargo_runner_variable(c, c->triple), c->self));
	/*
	 * cargo would pass --quiet on to tests, so instead its messages are dropped; if it fails, a
	 * second call shows them.
	 */
	ret = cargo_call(c, cargo_program(), &words, CARGO_QUIET, &c->told, e);
	if (ret > 0)
		ret = cargo_call(c, cargo_program(), &words, CARGO_LOUD, &c->told, e);
	close(c->self);
	c->self = -1;
	option_list_release(&words);
	return ret > 0 ? error_set(e, ERROR_INPUT, "cargo %s failed", cargo_command(c, CARGO_RUNS))
		       : ret;
}

/* Parsing its output */

/* The next string, or NULL. */
static const char *next_text(struct span *rest)
{
	const char *text = rest->at;
	size_t n = span_find(*rest, '\0');

	if (n == rest->size)
		return NULL;
	*rest = span_from(*rest, n + 1);
	return text;
}

static bool is_set_for_cargo(const struct cargo *c, const char *variable, size_t name_size)
{
	for (size_t i = 0; i < c->env.nr; i++)
		if (!strncmp(c->env.at[i], variable, name_size + 1))
			return true;
	return false;
}

static void set_env(const struct cargo *c, struct span rest)
{
	const char *variable;

	while ((variable = next_text(&rest))) {
		const char *equals = strchr(variable, '=');
		char *name;

		if (!equals || is_set_for_cargo(c, variable, (size_t)(equals - variable)))
			continue;
		name = strndup(variable, (size_t)(equals - variable));
		if (name)
			setenv(name, equals + 1, 1);
		free(name);
	}
}

static void set_folder(struct cargo *c, const char *folder)
{
	char *here = getcwd(NULL, 0);

	if (*folder && (!here || strcmp(here, folder) != 0))
		c->rs.folder = folder;
	free(here);
}

/* Sets the arguments; the program is known already, and its path here may be relative. */
static int set_command(struct cargo *c, const char *count, struct span *rest)
{
	struct option_list *argv = &c->rs.argv;
	uint64_t nr;

	if (!count || !span_u64(span_of(count), &nr) || !nr || !next_text(rest))
		return -1;
	argv->nr = 0;
	cargo_add_runner(c, argv);
	cargo_push(argv, json_string(c->artifact, "executable"));
	while (--nr) {
		const char *word = next_text(rest);

		if (!word)
			return -1;
		cargo_push(argv, word);
	}
	return 0;
}

int cargo_run_prepare(struct cargo *c, struct error *e)
{
	struct span rest;
	const char *folder;

	c->triple = find_triple(c);
	if (ask(c, e))
		return -1;
	rest = span_from(strbuf_peek(&c->told), span_find_text(strbuf_peek(&c->told), MARK));
	next_text(&rest);
	folder = next_text(&rest);
	if (!folder || set_command(c, next_text(&rest), &rest)) {
		error_set(e, ERROR_INPUT, "cargo did not report how it runs %s",
			  json_string(c->target.target, "name"));
		return error_hint(e, "a runner set by --config interferes; set %s instead",
				  cargo_runner_variable(c, c->triple));
	}
	set_folder(c, folder);
	set_env(c, rest);
	return 0;
}

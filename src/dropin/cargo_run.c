/*
 * cargo flamegraph: the target is run as `cargo run`, `cargo test` and `cargo
 * bench` would run it.
 */
#include "base/alloc.h"
#include "dropin/cargo.h"

#include <stdio.h>
#include <stdlib.h>

static void add_env(struct cargo *c, const char *name, const char *value)
{
	cargo_push(&c->run_env, cargo_text(c, "%s=%s", name, value));
}

/* What a build script has set, and its libraries: only folders of its own, as for cargo. */
void cargo_run_script(struct cargo *c, const struct json_node *message, enum cargo_whose whose)
{
	const struct json_node *env = json_find(message, "env");
	const struct json_node *paths = json_find(message, "linked_paths");
	const char *out = json_string(message, "out_dir");

	for (const struct json_node *n = paths ? paths->first : NULL; n && out; n = n->next) {
		struct span equals = { n->text.at, n->text.size }, path = equals;

		/* "native=/path" */
		if (span_find(equals, '=') < equals.size)
			path = span_from(equals, span_find(equals, '=') + 1);
		if (n->type == JSON_STRING && span_starts(path, out))
			strbuf_addf(&c->libraries, "%s:", path.at);
	}
	if (whose != CARGO_OURS)
		return;
	if (out)
		add_env(c, "OUT_DIR", out);
	for (const struct json_node *n = env ? env->first : NULL; n; n = n->next)
		if (n->type == JSON_ARRAY && n->first && n->first->type == JSON_STRING &&
		    n->first->next && n->first->next->type == JSON_STRING)
			add_env(c, n->first->text.at, n->first->next->text.at);
}

void cargo_run_program(struct cargo *c, const struct json_node *message)
{
	const char *name = json_string(json_find(message, "target"), "name");
	const char *path = json_string(message, "executable");

	if (name && path && cargo_is_test(c))
		cargo_push(&c->run_env, cargo_text(c, "CARGO_BIN_EXE_%s=%s", name, path));
}

/* The package */

static const struct {
	const char *member, *variable;
} facts[] = {
	{ "name", "CARGO_PKG_NAME" },
	{ "version", "CARGO_PKG_VERSION" },
	{ "description", "CARGO_PKG_DESCRIPTION" },
	{ "homepage", "CARGO_PKG_HOMEPAGE" },
	{ "repository", "CARGO_PKG_REPOSITORY" },
	{ "license", "CARGO_PKG_LICENSE" },
	{ "license_file", "CARGO_PKG_LICENSE_FILE" },
	{ "rust_version", "CARGO_PKG_RUST_VERSION" },
	{ "readme", "CARGO_PKG_README" },
	{ "manifest_path", "CARGO_MANIFEST_PATH" },
};

/* 1.2.3-rc.1+build: three numbers, and what is between - and + */
static void add_version(struct cargo *c, const char *version)
{
	static const char *const names[] = { "CARGO_PKG_VERSION_MAJOR", "CARGO_PKG_VERSION_MINOR",
					     "CARGO_PKG_VERSION_PATCH" };
	struct span rest = span_of(version);
	size_t dash;

	rest = span_upto(rest, span_find(rest, '+'));
	dash = span_find(rest, '-');
	cargo_push(&c->run_env,
		   cargo_text(c, "CARGO_PKG_VERSION_PRE=%.*s", (int)span_from(rest, dash + 1).size,
			      span_from(rest, dash + 1).at));
	rest = span_upto(rest, dash);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t dot = span_find(rest, '.');

		cargo_push(&c->run_env, cargo_text(c, "%s=%.*s", names[i], (int)dot, rest.at));
		rest = span_from(rest, dot + 1);
	}
}

static void add_authors(struct cargo *c)
{
	const struct json_node *authors = json_find(c->target.package, "authors");
	struct strbuf text = { 0 };

	strbuf_add(&text, SPAN(""));
	for (const struct json_node *n = authors ? authors->first : NULL; n; n = n->next)
		strbuf_addf(&text, "%s%s", text.size ? ":" : "",
			    n->type == JSON_STRING ? n->text.at : "");
	add_env(c, "CARGO_PKG_AUTHORS", text.at);
	strbuf_release(&text);
}

static void add_package(struct cargo *c)
{
	const char *version = json_string(c->target.package, "version");

	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		const char *value = json_string(c->target.package, facts[i].member);

		add_env(c, facts[i].variable, value ? value : "");
	}
	if (version)
		add_version(c, version);
	add_authors(c);
}

/* Libraries */

/* Where the compiler keeps its own, for what is linked with -C prefer-dynamic. */
static void add_compiler(struct cargo *c)
{
	const char *rustc = getenv("RUSTC");
	struct option_list words = { 0 };
	struct error e = ERROR_INIT;
	struct strbuf out = { 0 };

	cargo_push(&words, "--print");
	cargo_push(&words, "target-libdir");
	for (size_t i = 0; i < c->passed.nr; i++)
		if (!strcmp(c->passed.at[i].name, "target")) {
			cargo_push(&words, "--target");
			cargo_push(&words, c->passed.at[i].value);
		}
	if (!cargo_call(c, rustc && *rustc ? rustc : "rustc", &words, CARGO_QUIET, &out, &e)) {
		strbuf_add(&c->libraries, span_trim(strbuf_peek(&out)));
		strbuf_addch(&c->libraries, ':');
	}
	option_list_release(&words);
	strbuf_release(&out);
}

static void add_libraries(struct cargo *c, const char *program)
{
	const char *before = getenv("LD_LIBRARY_PATH");
	struct span folder = span_upto(span_of(program), span_rfind(span_of(program), '/'));

	/* Tests and benchmarks are built into deps itself, programs beside it. */
	if (span_ends(folder, "/deps"))
		folder.size -= strlen("/deps");
	else if (span_ends(folder, "/examples"))
		folder.size -= strlen("/examples");
	strbuf_addf(&c->libraries, "%.*s:%.*s/deps:", (int)folder.size, folder.at, (int)folder.size,
		    folder.at);
	add_compiler(c);
	if (before && *before)
		strbuf_addf(&c->libraries, "%s:", before);
	strbuf_addch(&c->libraries, '\0');
	c->libraries.at[c->libraries.size - 2] = '\0';
	add_env(c, "LD_LIBRARY_PATH", c->libraries.at);
}

static bool has_word(const struct option_list *l, const char *word)
{
	for (size_t i = 0; i < l->nr; i++)
		if (!strcmp(l->at[i], word))
			return true;
	return false;
}

/* The program goes in front of its arguments. */
static void set_command(struct cargo *c, const char *program)
{
	struct option_list *argv = &c->rs.argv;

	if (cargo_is_bench(c) && !has_word(argv, "--bench"))
		cargo_push(argv, "--bench");
	cargo_push(argv, NULL);
	memmove(argv->at + 1, argv->at, (argv->nr - 1) * sizeof(*argv->at));
	argv->at[0] = program;
}

static void set_env(const struct option_list *env)
{
	for (size_t i = 0; i < env->nr; i++) {
		const char *equals = strchr(env->at[i], '=');
		char *name = strndup(env->at[i], (size_t)(equals - env->at[i]));

		if (name)
			setenv(name, equals + 1, 1);
		free(name);
	}
}

void cargo_run_prepare(struct cargo *c)
{
	const char *program = json_string(c->artifact, "executable");
	const char *manifest = json_string(c->target.package, "manifest_path");
	struct span folder = span_of(manifest ? manifest : "/");

	folder = span_upto(folder, span_rfind(folder, '/'));
	strbuf_addf(&c->folder, "%.*s", (int)folder.size, folder.at);
	add_env(c, "CARGO_MANIFEST_DIR", c->folder.at);
	add_package(c);
	add_libraries(c, program);
	set_env(&c->run_env);
	if (cargo_is_test(c))
		c->rs.folder = c->folder.at;
	set_command(c, program);
}

/*
 * cargo flamegraph: chooses the target, as cargo itself does, among its default packages; if none
 * of these has such a target, among all packages below the folder.
 */
#include "base/alloc.h"
#include "cargo/cargo.h"
#include "cli/messages.h"

#include <stdio.h>
#include <stdlib.h>

struct choice {
	struct cargo *c;
	const char *root; /* the folder of the nearest manifest */
	struct cargo_target *at;
	size_t nr, cap;
	size_t nr_package;
	struct cargo_target lacking; /* skipped because its features are not enabled */
	bool is_default;	     /* a target was found by its package's default-run */
};

bool cargo_target_is(const struct json_node *target, const char *kind)
{
	const struct json_node *kinds = json_find(target, "kind");

	for (const struct json_node *k = kinds ? kinds->first : NULL; k; k = k->next)
		if (k->type == JSON_STRING && span_is(k->text, kind))
			return true;
	return false;
}

static bool is_library(const struct json_node *target)
{
	static const char *const kinds[] = { "lib",    "rlib",	    "dylib",
					     "cdylib", "staticlib", "proc-macro" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (cargo_target_is(target, kinds[i]))
			return true;
	return false;
}

static bool is_of_kind(const struct cargo *c, const struct json_node *target)
{
	switch (c->kind) {
	case CARGO_BIN:
		return cargo_target_is(target, "bin");
	case CARGO_EXAMPLE:
		return cargo_target_is(target, "example");
	case CARGO_TEST:
		return cargo_target_is(target, "test");
	case CARGO_BENCH:
		return cargo_target_is(target, "bench");
	case CARGO_UNIT_TEST:
	case CARGO_UNIT_BENCH:
		return (c->unit != UNIT_LIB && cargo_target_is(target, "bin")) ||
		       (c->unit != UNIT_BIN && is_library(target));
	case NR_CARGO_KINDS:
		break;
	}
	return false;
}

/* Packages */

/* NAME or NAME@VERSION */
static bool is_package(const struct json_node *package, const char *spec)
{
	const char *name = json_string(package, "name"), *version = json_string(package, "version");
	struct span s = span_of(spec);
	size_t at = span_find(s, '@');

	if (!name || !span_is(span_upto(s, at), name))
		return false;
	return at == s.size || (version && span_is(span_from(s, at + 1), version));
}

static bool is_below(const struct json_node *package, const char *root)
{
	const char *path = json_string(package, "manifest_path");
	size_t n = strlen(root);

	return path && !strncmp(path, root, n) && path[n] == '/';
}

static bool is_member(const struct json_node *list, const char *id)
{
	for (const struct json_node *n = list->first; n && id; n = n->next)
		if (n->type == JSON_STRING && span_is(n->text, id))
			return true;
	return false;
}

/*
 * Does cargo build the package here by default?  The root of a workspace has a list of default
 * members.
 */
static bool is_default(const struct choice *k, const struct json_node *package)
{
	const char *path = json_string(package, "manifest_path");
	const char *workspace = json_string(k->c->metadata, "workspace_root");
	const struct json_node *members = json_find(k->c->metadata, "workspace_default_members");

	if (workspace && !strcmp(workspace, k->root) && members && members->type == JSON_ARRAY)
		return is_member(members, json_string(package, "id"));
	return path && is_below(package, k->root) && !strchr(path + strlen(k->root) + 1, '/');
}

/* The packages to search: cargo's default ones, then all below the root. */
enum reach { REACH_DEFAULT, REACH_BELOW, NR_REACHES };

static bool is_in_reach(const struct choice *k, const struct json_node *package, enum reach reach)
{
	if (k->c->package)
		return is_package(package, k->c->package);
	if (k->c->workspace)
		return true;
	return reach == REACH_DEFAULT ? is_default(k, package) : is_below(package, k->root);
}

/* Targets */

/* A library has the name of its package, with _ for -. */
static bool is_called(const struct json_node *target, const char *name, const char *asked)
{
	if (!is_library(target))
		return !strcmp(name, asked);
	for (; *name && *asked; name++, asked++)
		if (*name != *asked && !(*name == '_' && *asked == '-'))
			return false;
	return *name == *asked;
}

static void add_target(struct choice *k, const struct json_node *package,
		       const struct json_node *target)
{
	struct cargo_target found = { package, target };
	const char *name = json_string(target, "name"), *run = json_string(package, "default_run");

	if (!name || !is_of_kind(k->c, target))
		return;
	if (k->c->name ? !is_called(target, name, k->c->name)
		       : k->c->kind == CARGO_BIN && run && strcmp(run, name) != 0)
		return;
	/* A target requested by name is kept: cargo will report the features that it needs. */
	if (!k->c->name && !cargo_has_features(k->c, &found)) {
		k->lacking = found;
		return;
	}
	k->is_default = run != NULL;
	GROW(k->at, k->nr, k->cap);
	k->at[k->nr++] = found;
}

static void add_targets(struct choice *k, enum reach reach)
{
	const struct json_node *all = json_find(k->c->metadata, "packages");

	k->nr_package = 0;
	for (const struct json_node *p = all ? all->first : NULL; p; p = p->next) {
		const struct json_node *targets = json_find(p, "targets");

		if (!is_in_reach(k, p, reach))
			continue;
		k->nr_package++;
		for (const struct json_node *t = targets ? targets->first : NULL; t; t = t->next)
			add_target(k, p, t);
	}
}

static const char *string_or(const char *s)
{
	return s ? s : "?";
}

/* Says which kind the target is, since a library and a program often have the same name. */
static const char *label(const struct cargo *c, const struct json_node *target)
{
	if (c->kind != CARGO_UNIT_TEST && c->kind != CARGO_UNIT_BENCH)
		return "target";
	return is_library(target) ? "lib target" : "bin target";
}

static void add_names(struct strbuf *text, const struct choice *k)
{
	for (size_t i = 0; i < k->nr; i++)
		strbuf_addf(text, "%s%s %s in package %s", i ? ", " : "",
			    label(k->c, k->at[i].target), json_string(k->at[i].target, "name"),
			    string_or(json_string(k->at[i].package, "name")));
}

static const char *const kind_names[NR_CARGO_KINDS] = {
	[CARGO_BIN] = "bin",
	[CARGO_EXAMPLE] = "example",
	[CARGO_TEST] = "test",
	[CARGO_BENCH] = "bench",
	[CARGO_UNIT_TEST] = "lib or bin",
	[CARGO_UNIT_BENCH] = "lib or bin",
};

/* No target has the name: lists the existing ones. */
static int no_such_name(struct choice *k, struct error *e)
{
	const char *name = k->c->name;
	struct strbuf text = { 0 };

	k->c->name = NULL;
	add_targets(k, REACH_BELOW);
	add_names(&text, k);
	error_set(e, ERROR_INPUT, "no %s target named '%s'", kind_names[k->c->kind], name);
	if (k->nr)
		error_hint(e, "available: %s", text.at);
	strbuf_release(&text);
	return -1;
}

static int no_package(const struct choice *k, struct error *e)
{
	if (k->c->package)
		return error_set(e, ERROR_INPUT, "workspace has no package named %s",
				 k->c->package);
	return error_set(e, ERROR_INPUT, "failed to find any package in '%s' or below", k->root);
}

/* Reports the features that the target requires, in cargo's words. */
static int no_features(const struct choice *k, struct error *e)
{
	const struct json_node *wanted = json_find(k->lacking.target, "required-features");
	struct strbuf text = { 0 };

	for (const struct json_node *n = wanted->first; n; n = n->next)
		if (n->type == JSON_STRING)
			strbuf_addf(&text, "%s%s", text.size ? "," : "", n->text.at);
	error_set(e, ERROR_INPUT, "target `%s` in package `%s` requires the features: %s",
		  json_string(k->lacking.target, "name"),
		  string_or(json_string(k->lacking.package, "name")), text.at);
	error_hint(e, "enable them with --features %s", text.at);
	strbuf_release(&text);
	return -1;
}

static int none(struct choice *k, struct error *e)
{
	if (k->lacking.target)
		return no_features(k, e);
	if (!k->nr_package)
		return no_package(k, e);
	if (k->c->name)
		return no_such_name(k, e);
	error_set(e, ERROR_INPUT, "crate has no automatically selectable target");
	return error_hint(
		e, "choose one with --example NAME, --test NAME, --bench NAME or --unit-test");
}

static int several(const struct choice *k, struct error *e)
{
	struct strbuf text = { 0 };

	add_names(&text, k);
	error_set(e, ERROR_INPUT,
		  "several possible targets found: [%s], please pass an explicit target.", text.at);
	strbuf_release(&text);
	if (k->c->kind == CARGO_UNIT_TEST || k->c->kind == CARGO_UNIT_BENCH)
		return error_hint(
			e,
			k->c->name
				? "choose with --unit-test-kind lib (or bin) or -p PACKAGE"
				: "choose with --unit-test-kind lib (or bin), the name of a target, or -p PACKAGE");
	return error_hint(
		e,
		k->c->name
			? "choose one with -p PACKAGE"
			: "choose one with --bin NAME, -p PACKAGE, or default-run in Cargo.toml");
}

static int choose(struct choice *k, struct error *e)
{
	/* If a target was found that only lacks features, the search is not extended. */
	for (enum reach r = 0; r < NR_REACHES && !k->nr && !k->lacking.target; r++)
		add_targets(k, r);
	if (!k->nr)
		return none(k, e);
	if (k->nr > 1)
		return several(k, e);
	k->c->target = k->at[0];
	if (!k->c->name && (k->nr_package != 1 || !k->is_default))
		message_peer(
			stderr,
			"automatically selected target %s in package %s as it is the only valid target\n",
			json_string(k->at[0].target, "name"),
			string_or(json_string(k->at[0].package, "name")));
	return 0;
}

/* The workspace */

/* Runs a command of cargo, and parses the JSON that it prints. */
static const struct json_node *ask(struct cargo *c, const char *command,
				   const char *const more[static 2], struct error *e)
{
	const struct json_node *answer = NULL;
	struct option_list words = { 0 };
	struct strbuf out = { 0 };
	int status;

	cargo_push(&words, command);
	for (size_t i = 0; i < 2; i++)
		cargo_push(&words, more[i]);
	if (c->manifest_path) {
		cargo_push(&words, "--manifest-path");
		cargo_push(&words, c->manifest_path);
	}
	cargo_pass(c, &words, PASS_METADATA);
	status = cargo_call(c, cargo_program(), &words, CARGO_LOUD, &out, e);
	if (!status) {
		answer = json_tree_parse(&c->arena, strbuf_peek(&out), e);
		if (!answer)
			error_within(e, "output of cargo %s", command);
	} else if (status > 0) {
		error_set(e, ERROR_INPUT, "cargo %s failed", command);
	}
	option_list_release(&words);
	strbuf_release(&out);
	return answer;
}

int cargo_choose(struct cargo *c, struct error *e)
{
	static const char *const where[] = { "--message-format", "json" };
	static const char *const what[] = { "--no-deps", "--format-version=1" };
	struct choice k = { .c = c };
	const char *manifest, *slash;
	int ret;

	manifest = json_string(ask(c, "locate-project", where, e), "root");
	slash = manifest ? strrchr(manifest, '/') : NULL;
	if (!slash)
		return e->kind ? -1
			       : error_set(e, ERROR_INPUT,
					   "cargo did not report the project's location");
	k.root = cargo_text(c, "%.*s", (int)(slash - manifest), manifest);
	c->metadata = ask(c, "metadata", what, e);
	if (!c->metadata)
		return -1;
	ret = choose(&k, e);
	free(k.at);
	return ret;
}

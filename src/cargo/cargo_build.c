/* cargo flamegraph: builds the target, and finds its executable in cargo's messages. */
#include "cargo/cargo.h"
#include "cli/messages.h"

#include <stdio.h>

static bool is_unit(const struct cargo *c)
{
	return c->kind == CARGO_UNIT_TEST || c->kind == CARGO_UNIT_BENCH;
}

const char *cargo_profile(const struct cargo *c)
{
	if (c->profile)
		return c->profile;
	if (c->dev)
		return cargo_is_test(c) && !cargo_is_bench(c) ? "test" : "dev";
	return cargo_is_bench(c) ? "bench" : "release";
}

static void add_profile(struct cargo *c, struct option_list *words)
{
	if (c->profile || (c->dev && cargo_is_bench(c))) {
		cargo_push(words, "--profile");
		cargo_push(words, c->profile ? c->profile : "dev");
	} else if (!c->dev && !cargo_is_bench(c)) {
		cargo_push(words, "--release");
	}
}

static void add_target(struct cargo *c, struct option_list *words)
{
	static const char *const options[] = {
		[CARGO_BIN] = "--bin",
		[CARGO_EXAMPLE] = "--example",
		[CARGO_TEST] = "--test",
		[CARGO_BENCH] = "--bench",
	};

	if (is_unit(c) && !cargo_target_is(c->target.target, "bin")) {
		cargo_push(words, "--lib");
		return;
	}
	cargo_push(words, is_unit(c) ? "--bin" : options[c->kind]);
	cargo_push(words, json_string(c->target.target, "name"));
}

const char *cargo_command(const struct cargo *c, enum cargo_does what)
{
	if (cargo_is_test(c))
		return cargo_is_bench(c) ? "bench" : "test";
	return what == CARGO_RUNS ? "run" : "build";
}

void cargo_words(struct cargo *c, struct option_list *words, enum cargo_does what)
{
	const char *manifest = json_string(c->target.package, "manifest_path");

	cargo_push(words, cargo_command(c, what));
	if (cargo_is_test(c) && what == CARGO_BUILDS)
		cargo_push(words, "--no-run");
	add_profile(c, words);
	/* The manifest is unambiguous, even if another package has the same name. */
	if (manifest) {
		cargo_push(words, "--manifest-path");
		cargo_push(words, manifest);
	}
	add_target(c, words);
	cargo_pass(c, words, PASS_BUILD);
}

/* Messages */

static bool same(const struct json_node *a, const struct json_node *b, const char *member)
{
	const char *x = json_string(a, member), *y = json_string(b, member);

	return x && y && !strcmp(x, y);
}

bool cargo_is_target(const struct cargo *c, const struct json_node *target)
{
	return same(target, c->target.target, "name") && same(target, c->target.target, "src_path");
}

static bool is_of_package(const struct cargo *c, const struct json_node *message)
{
	const char *id = json_string(message, "package_id");
	const char *want = json_string(c->target.package, "id");

	return id && want && !strcmp(id, want);
}

static bool is_test(const struct json_node *message)
{
	const struct json_node *test = json_find(json_find(message, "profile"), "test");

	return test && test->type == JSON_TRUE;
}

/* Is the message about the chosen target?  A library and a program may have the same name. */
static bool is_ours(const struct cargo *c, const struct json_node *message)
{
	return is_of_package(c, message) && cargo_is_target(c, json_find(message, "target")) &&
	       is_test(message) == cargo_is_test(c);
}

static int read_message(struct cargo *c, struct span line, bool *any, struct error *e)
{
	struct arena arena = { 0 };
	const struct json_node *message = json_tree_parse(&arena, line, e);

	if (message && json_string(message, "executable")) {
		*any = true;
		if (!c->artifact && is_ours(c, message))
			c->artifact = json_tree_parse(&c->arena, line, e);
	}
	arena_release(&arena);
	return message ? 0 : -1;
}

static int read_messages(struct cargo *c, struct span text, struct error *e)
{
	bool any = false;

	c->artifact = NULL;
	for (unsigned nr = 1; text.size; nr++) {
		struct span line = span_line(&text);

		/* Other lines come from a wrapper of rustc. */
		if (span_starts(line, "{") && read_message(c, line, &any, e))
			return error_within(e, "message %u of cargo", nr);
	}
	if (c->artifact)
		return 0;
	return error_set(
		e, ERROR_INPUT,
		any ? "build artifacts do not contain target %s"
		    : "build artifacts do not contain any executable to profile: target %s",
		json_string(c->target.target, "name"));
}

static void print_command(const struct option_list *words)
{
	message_peer(stdout, "build command: \"%s\"", cargo_program());
	for (size_t i = 0; i < words->nr; i++)
		message_peer(stdout, " \"%s\"", words->at[i]);
	message_peer(stdout, "\n");
}

static int build(struct cargo *c, struct error *e)
{
	struct option_list words = { 0 };
	struct strbuf out = { 0 };
	int ret;

	cargo_words(c, &words, CARGO_BUILDS);
	cargo_push(&words, "--message-format=json-render-diagnostics");
	if (c->rs.job.verbose)
		print_command(&words);
	ret = cargo_call(c, cargo_program(), &words, CARGO_LOUD, &out, e);
	if (ret > 0)
		ret = error_set(e, ERROR_INPUT, "cargo build failed");
	if (!ret)
		ret = read_messages(c, strbuf_peek(&out), e);
	option_list_release(&words);
	strbuf_release(&out);
	return ret;
}

int cargo_build(struct cargo *c, struct error *e)
{
	cargo_debug_foresee(c);
	do
		if (build(c, e))
			return -1;
	while (cargo_debug_again(c));
	return 0;
}

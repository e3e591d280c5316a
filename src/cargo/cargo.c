/*
 * cargo flamegraph (of flamegraph-rs) and cargo wick: flame graphs of a target of a cargo
 * workspace.  As for all its subcommands, cargo passes the subcommand's name ("flamegraph", "wick")
 * as the first argument.
 */
#include "cargo/cargo.h"
#include "base/alloc.h"
#include "base/version.h"
#include "cli/messages.h"
#include "dropin/dropin.h"

#include <stdio.h>
#include <stdlib.h>

#define AT(field) offsetof(struct cargo, field)
#define PASS_BOTH (PASS_BUILD | PASS_METADATA)

static const struct option options[] = {
	{ "bin", 'b', OPTION_STRING, AT(asked[CARGO_BIN]), "NAME", "run this binary", 0 },
	{ "example", 0, OPTION_STRING, AT(asked[CARGO_EXAMPLE]), "NAME", "run this example", 0 },
	{ "test", 0, OPTION_STRING, AT(asked[CARGO_TEST]), "NAME", "run this integration test", 0 },
	{ "bench", 0, OPTION_STRING, AT(asked[CARGO_BENCH]), "NAME",
	  "run this benchmark, with --bench added to its arguments", 0 },
	{ "unit-test", 0, OPTION_NEXT, AT(asked[CARGO_UNIT_TEST]), "[NAME]",
	  "run the unit tests of a library or binary", 0 },
	{ "unit-bench", 0, OPTION_NEXT, AT(asked[CARGO_UNIT_BENCH]), "[NAME]",
	  "run the benchmarks of a library or binary", 0 },
	{ "unit-test-kind", 0, OPTION_STRING, AT(unit_kind), "bin|lib",
	  "kind of target for --unit-test and --unit-bench", 0 },
	{ "lib", 0, OPTION_FLAG, AT(lib), NULL,
	  "run the library's unit tests, or benchmarks with --unit-bench", 0 },
	{ "package", 'p', OPTION_STRING, AT(package), "NAME", "package to run", 0 },
	{ "workspace", 0, OPTION_FLAG, AT(workspace), NULL, "search all packages of the workspace",
	  0 },
	{ "manifest-path", 0, OPTION_STRING, AT(manifest_path), "FILE",
	  "path to Cargo.toml [nearest]", 0 },
	{ "release", 'r', OPTION_FLAG, AT(release), NULL,
	  "build with the release profile [default]", 0 },
	{ "dev", 0, OPTION_FLAG, AT(dev), NULL, "build with the dev profile", 0 },
	{ "profile", 0, OPTION_STRING, AT(profile), "NAME", "build with this profile", 0 },
	{ "no-debuginfo-override", 0, OPTION_FLAG, AT(keep_debuginfo), NULL,
	  "do not override the profile's debug info settings", 0 },
	{ "features", 'f', OPTION_STEP, AT(passed), "NAMES", "features to enable", PASS_BUILD },
	{ "all-features", 0, OPTION_STEP, AT(passed), NULL, "enable all features", PASS_BUILD },
	{ "no-default-features", 0, OPTION_STEP, AT(passed), NULL, "disable default features",
	  PASS_BUILD },
	{ "target", 0, OPTION_STEP, AT(passed), "TRIPLE", "target triple to build for",
	  PASS_BUILD },
	{ "target-dir", 0, OPTION_STEP, AT(passed), "FOLDER", "directory for build output",
	  PASS_BUILD },
	{ "jobs", 'j', OPTION_STEP, AT(passed), "N", "number of parallel build jobs", PASS_BUILD },
	{ "locked", 0, OPTION_STEP, AT(passed), NULL, "require Cargo.lock to be up to date",
	  PASS_BOTH },
	{ "offline", 0, OPTION_STEP, AT(passed), NULL, "do not access the network", PASS_BOTH },
	{ "frozen", 0, OPTION_STEP, AT(passed), NULL, "both", PASS_BOTH },
	{ "config", 0, OPTION_STEP, AT(passed), "KEY=VALUE",
	  "override a cargo setting (KEY=VALUE), or load a cargo configuration file", PASS_BOTH },
	{ 0 },
};

#define ABOUT \
	"Builds a target of a cargo workspace, runs it with the arguments, and draws a flame graph of it."

const struct option_table cargo_flamegraph_table = {
	.usage = "cargo flamegraph [OPTIONS] [--] [ARGUMENTS...]",
	.about = ABOUT,
	.option = options,
	.shared = { flamegraph_rs_options, AT(rs) },
	.syntax = SYNTAX_GNU,
	.command = true,
	.operand = "FILE",
	.words = flamegraph_rs_values,
};

const struct option_table cargo_wick_table = {
	.usage = "cargo wick [OPTIONS] [--] [ARGUMENTS...]",
	.about = ABOUT,
	.option = options,
	.shared = { flamegraph_rs_options, AT(rs) },
	.syntax = SYNTAX_GNU,
	.command = true,
	.operand = "FILE",
	.words = flamegraph_rs_values,
};

static const struct option no_options[] = { { 0 } };

const struct option_table cargo_runner_table = {
	.usage = "wick runner COMMAND...",
	.about =
		"Internal: cargo flamegraph sets this as cargo's runner to learn how cargo runs a target.",
	.option = no_options,
	.syntax = SYNTAX_GNU,
	.command = true,
};

/* The differences between the two subcommands. */
struct cargo_name {
	const struct option_table *table;
	const char *word; /* the first argument that cargo passes */
	enum draw_style style;
};

static const struct cargo_name flamegraph = { &cargo_flamegraph_table, "flamegraph", STYLE_PEER };
static const struct cargo_name wick = { &cargo_wick_table, "wick", STYLE_WICK };

/* Options */

static const char *option_of(enum cargo_kind kind)
{
	for (const struct option *o = options; o->name; o++)
		if (o->offset == AT(asked) + kind * sizeof(((struct cargo *)0)->asked[0]))
			return o->name;
	return "";
}

static int set_kind(struct cargo *c, struct error *e)
{
	bool any = false;

	for (enum cargo_kind k = 0; k < NR_CARGO_KINDS; k++) {
		if (!c->asked[k])
			continue;
		if (any)
			return error_set(e, ERROR_USAGE,
					 "the argument '--%s' cannot be used with '--%s'",
					 option_of(c->kind), option_of(k));
		any = true;
		c->kind = k;
		c->name = *c->asked[k] ? c->asked[k] : NULL;
	}
	if (c->lib && !any)
		c->kind = CARGO_UNIT_TEST;
	return 0;
}

static int set_unit(struct cargo *c, struct error *e)
{
	bool is_unit = c->kind == CARGO_UNIT_TEST || c->kind == CARGO_UNIT_BENCH;

	if (c->unit_kind && strcmp(c->unit_kind, "bin") != 0 && strcmp(c->unit_kind, "lib") != 0)
		return error_set(e, ERROR_USAGE,
				 "invalid value '%s' for '--unit-test-kind <bin|lib>'",
				 c->unit_kind);
	if (c->lib && (!is_unit || (c->unit_kind && !strcmp(c->unit_kind, "bin"))))
		return error_set(e, ERROR_USAGE, "the argument '--lib' cannot be used with '%s%s'",
				 is_unit ? "--unit-test-kind bin" : "--",
				 is_unit ? "" : option_of(c->kind));
	if (c->lib || (c->unit_kind && !strcmp(c->unit_kind, "lib")))
		c->unit = UNIT_LIB;
	else if (c->unit_kind)
		c->unit = UNIT_BIN;
	return 0;
}

/* No target has :: in its name, so `--unit-test some::test` names a test. */
static void take_test_name(struct cargo *c)
{
	struct option_list *argv = &c->rs.argv;

	if (c->kind != CARGO_UNIT_TEST || !c->name || !strstr(c->name, "::"))
		return;
	cargo_push(argv, NULL);
	memmove(argv->at + 1, argv->at, (argv->nr - 1) * sizeof(*argv->at));
	argv->at[0] = c->name;
	c->name = NULL;
}

/* Is the word an option of this table: "-o", "--output", "--output=x"? */
static bool is_option(const struct option_table *t, const char *word)
{
	struct span name = span_of(word);

	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o)) {
		if (span_starts(name, "--") && o->name &&
		    span_is(span_upto(span_from(name, 2), span_find(span_from(name, 2), '=')),
			    o->name))
			return true;
		if (name.size == 2 && name.at[0] == '-' && name.at[1] == o->letter)
			return true;
	}
	return false;
}

/*
 * Warns about our options after the first operand, which are passed to the target.  cargo itself
 * would accept them there, as in `cargo test NAME --release`, so they may have been meant for wick.
 */
static void warn_taken(const struct option_table *t, const struct cargo *c, char **argv)
{
	const struct option_list *taken = &c->rs.argv;

	while (*argv && taken->nr && *argv != taken->at[0])
		argv++;
	if (!taken->nr || !*argv || !strcmp(argv[-1], "--"))
		return;
	for (size_t i = 1; i < taken->nr && strcmp(taken->at[i], "--") != 0; i++)
		if (is_option(t, taken->at[i])) {
			message_peer(
				stderr,
				"warning: %s is passed to the target, like everything after %s\n"
				"hint: put options of cargo %s first, and -- before the target's arguments\n",
				taken->at[i], taken->at[0],
				t == &cargo_wick_table ? "wick" : "flamegraph");
			return;
		}
}

/* Keeps the variables that select cargo and the compiler, which sudo would drop. */
static void add_toolchain(struct cargo *c, struct option_list *env)
{
	static const char *const names[] = {
		"PATH",	 "CARGO",     "CARGO_HOME",	 "RUSTUP_HOME", "RUSTUP_TOOLCHAIN",
		"RUSTC", "RUSTFLAGS", "CARGO_TARGET_DIR"
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (getenv(names[i]))
			cargo_push(env, cargo_text(c, "%s=%s", names[i], getenv(names[i])));
}

static int as_root(struct cargo *c, char **argv, struct error *e)
{
	struct option_list env = { 0 };
	int ret;

	add_toolchain(c, &env);
	ret = flamegraph_rs_as_root(&c->rs, &env, argv, e);
	option_list_release(&env);
	return ret;
}

static int check(struct cargo *c, struct error *e)
{
	if (set_kind(c, e) || set_unit(c, e))
		return -1;
	take_test_name(c);
	return flamegraph_rs_check(&c->rs, e);
}

static void release(struct cargo *c)
{
	flamegraph_rs_release(&c->rs);
	option_steps_release(&c->passed);
	option_list_release(&c->env);
	strbuf_release(&c->told);
	arena_release(&c->arena);
}

static int cargo_main(const struct dropin *d, int argc, char **argv)
{
	const struct cargo_name *name = d->detail;
	int skip = argc > 1 && !strcmp(argv[1], name->word);
	struct error e = ERROR_INIT;
	struct cargo c = { .self = -1 };
	int ret;

	flamegraph_rs_init(&c.rs, name->style);
	ret = options_parse(name->table, &c, argc - skip, argv + skip, &c.rs.argv, &e);
	if (!ret)
		warn_taken(name->table, &c, argv + skip + 1);
	if (ret > 0) {
		options_help(name->table);
		ret = 0;
	} else if (!ret && c.rs.version) {
		printf("cargo-%s (wick %s)\n", name->word, wick_version);
	} else if (!ret && !check(&c, &e) && !as_root(&c, argv, &e) &&
		   !record_job_user(&c.rs.job, &e) && !cargo_choose(&c, &e) &&
		   !cargo_build(&c, &e) && !cargo_run_prepare(&c, &e)) {
		ret = flamegraph_rs_run(&c.rs);
	}
	if (e.kind != ERROR_NONE)
		ret = flamegraph_rs_print_error(name->table, &e);
	release(&c);
	return ret;
}

const struct dropin dropins_cargo[] = {
	{ "cargo-flamegraph", cargo_main, &flamegraph },
	{ "cargo-wick", cargo_main, &wick },
	{ 0 },
};

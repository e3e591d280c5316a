/*
 * cargo flamegraph: finds and builds a target of a cargo workspace, and learns how
 * cargo would run it.  Recording and drawing are flamegraph's (flamegraph_rs.h).
 *
 *	cargo_choose         which target, from `cargo metadata`
 *	cargo_build          builds it, with debug info (cargo_debug)
 *	cargo_run_prepare    its command line, folder and environment
 */
#ifndef WICK_CARGO_CARGO_H
#define WICK_CARGO_CARGO_H

#include "base/arena.h"
#include "base/json_tree.h"
#include "base/strbuf.h"
#include "cli/options.h"
#include "dropin/flamegraph_rs.h"

extern const struct option_table cargo_flamegraph_table, cargo_wick_table;

/* The kinds of targets, as options name them; the first is the default. */
enum cargo_kind {
	CARGO_BIN,
	CARGO_EXAMPLE,
	CARGO_TEST,
	CARGO_BENCH,
	CARGO_UNIT_TEST,
	CARGO_UNIT_BENCH,
	NR_CARGO_KINDS,
};

/* Which of cargo's commands an option is passed on to: bits. */
enum { PASS_BUILD = 1 << 0, PASS_METADATA = 1 << 1 };

/* For CARGO_UNIT_TEST and CARGO_UNIT_BENCH: the unit tests of a program, or of the library. */
enum cargo_unit { UNIT_ANY, UNIT_BIN, UNIT_LIB };

/* One of cargo's targets, in the output of `cargo metadata`. */
struct cargo_target {
	const struct json_node *package, *target;
};

struct cargo {
	struct flamegraph_rs rs;
	/* Options as given: */
	/* a target's name; "": any of the kind; NULL: not given */
	const char *asked[NR_CARGO_KINDS];
	const char *profile, *package, *manifest_path, *unit_kind;
	struct option_steps passed; /* options for cargo, each with a set of PASS_… */
	bool dev, release, lib, workspace, keep_debuginfo;
	/* Chosen from them: */
	enum cargo_kind kind;
	enum cargo_unit unit;
	const char *name;		  /* of the target; NULL: the only one */
	const struct json_node *metadata; /* the output of `cargo metadata` */
	struct cargo_target target;
	/* Built: */
	const struct json_node *artifact; /* cargo's message `compiler-artifact` of the target */
	struct option_list env;		  /* "NAME=VALUE", for cargo but not for the target */
	/* How cargo would run it: */
	const char *triple; /* the platform it is built for, x86_64-unknown-linux-gnu */
	int self;	    /* a descriptor of our executable, inherited by cargo; -1: closed */
	struct strbuf told; /* the output of cargo and of our runner: see cargo_run.c */
	struct arena arena; /* of all strings and JSON here; freed at the end */
};

/* Does the target run as a test or benchmark, not as a program? */
static inline bool cargo_is_test(const struct cargo *c)
{
	return c->kind != CARGO_BIN && c->kind != CARGO_EXAMPLE;
}

static inline bool cargo_is_bench(const struct cargo *c)
{
	return c->kind == CARGO_BENCH || c->kind == CARGO_UNIT_BENCH;
}

/* A formatted string in c->arena. */
const char *cargo_text(struct cargo *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void cargo_push(struct option_list *l, const char *word);

/* cargo_call.c: cargo itself. */

/* $CARGO, the cargo that started wick; else "cargo". */
const char *cargo_program(void);

/*
 * Runs cargo, or rustc, with these words; under sudo, as the user who called that.  Its standard
 * output is appended to `out`; its standard error passes through, or is dropped (CARGO_QUIET).
 * Returns its exit status, 128 + the signal that ended it, or -1.
 */
enum cargo_voice { CARGO_LOUD, CARGO_QUIET };
int cargo_call(struct cargo *c, const char *program, const struct option_list *words,
	       enum cargo_voice voice, struct strbuf *out, struct error *e);

/* Appends the options that are passed on to a command of cargo: `to` is one PASS_…. */
void cargo_pass(struct cargo *c, struct option_list *words, unsigned to);

/* cargo_choose.c: sets c->metadata and c->target: the selected target of the workspace. */
int cargo_choose(struct cargo *c, struct error *e);

/* Is the target of this kind ("lib", "bin", …)? */
bool cargo_target_is(const struct json_node *target, const char *kind);

/* cargo_features.c: are all features enabled that the target requires? */
bool cargo_has_features(const struct cargo *c, const struct cargo_target *t);

/* cargo_build.c: builds the target, with debug info, and sets c->artifact. */
int cargo_build(struct cargo *c, struct error *e);

/* cargo's command that builds the target ("build", "test", …), or that also runs it. */
enum cargo_does { CARGO_BUILDS, CARGO_RUNS };
const char *cargo_command(const struct cargo *c, enum cargo_does what);

/* Appends that command and its options, without --message-format. */
void cargo_words(struct cargo *c, struct option_list *words, enum cargo_does what);

/* The name of cargo's build profile: "release", "dev", … */
const char *cargo_profile(const struct cargo *c);

/* Is this target, from a message of cargo, the chosen one? */
bool cargo_is_target(const struct cargo *c, const struct json_node *target);

/* cargo_debug.c: if the build profile has no debug info, sets variables in c->env that add it. */

/*
 * To be called before the build: checks cargo's plan (unit graph), if cargo prints one, since a
 * second build may take minutes.
 */
void cargo_debug_foresee(struct cargo *c);

/* To be called after the build: did it lack debug info, so that it must be repeated? */
bool cargo_debug_again(struct cargo *c);

/* cargo_run.c: the command line, folder and environment as cargo would run it. */

/*
 * To be called after the build: sets these for the recorded command; its environment becomes wick's
 * own.
 */
int cargo_run_prepare(struct cargo *c, struct error *e);

/* `wick runner TARGET ARGUMENTS...`, which cargo runs in place of the target: prints its argv. */
int cargo_runner_main(int argc, char **argv);
extern const struct option_table cargo_runner_table;

/* The environment variable for a runner: CARGO_TARGET_<TRIPLE>_RUNNER. */
const char *cargo_runner_variable(struct cargo *c, const char *triple);

/* cargo_runner.c: appends the words of the runner that the user has configured, if any. */
void cargo_add_runner(struct cargo *c, struct option_list *words);

/* cargo_cfg.c: does a condition (`cfg(…)`) hold?  facts: the output of `rustc --print cfg`. */
bool cargo_cfg_holds(struct span condition, struct span facts);

#endif

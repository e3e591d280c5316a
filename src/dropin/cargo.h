/*
 * cargo flamegraph: cargo is asked what there is to run and builds it; the rest
 * is flamegraph's.
 */
#ifndef WICK_DROPIN_CARGO_H
#define WICK_DROPIN_CARGO_H

#include "base/arena.h"
#include "base/json_tree.h"
#include "base/strbuf.h"
#include "cli/options.h"
#include "dropin/flamegraph_rs.h"

extern const struct option_table cargo_flamegraph_table, cargo_wick_table;

/* What is run; the first of them unless something else is asked for. */
enum cargo_kind {
	CARGO_BIN,
	CARGO_EXAMPLE,
	CARGO_TEST,
	CARGO_BENCH,
	CARGO_UNIT_TEST,
	CARGO_UNIT_BENCH,
	NR_CARGO_KINDS,
};

/* Of an option that is passed on to cargo: to which of its commands? */
enum { PASS_BUILD = 1 << 0, PASS_METADATA = 1 << 1 };

enum cargo_unit { UNIT_ANY, UNIT_BIN, UNIT_LIB };

/* One of cargo's targets, in what `cargo metadata` printed. */
struct cargo_target {
	const struct json_node *package, *target;
};

struct cargo {
	struct flamegraph_rs rs;
	/* As they were given */
	const char
		*asked[NR_CARGO_KINDS]; /* the name of the target; "": any; NULL: not asked for */
	const char *profile, *package, *manifest_path, *unit_kind;
	struct option_steps passed;
	bool dev, release, lib, workspace, keep_debuginfo;
	/* What comes of them */
	enum cargo_kind kind;
	enum cargo_unit unit;
	const char *name;		  /* of the target; NULL: the only one */
	const struct json_node *metadata; /* what `cargo metadata` printed */
	struct cargo_target target;
	/* What cargo's messages say of the target that was built */
	const struct json_node *artifact;
	struct option_list env; /* "NAME=VALUE", for cargo and not for the target */
	/* How cargo would run it */
	const char *triple; /* the machine it is built for */
	int self;	    /* our own program, which cargo gets as a descriptor; -1: it does not */
	struct strbuf told; /* what our runner told */
	struct arena arena; /* of texts and documents that stay */
};

/* Is it run as a test or a benchmark, and not as a program of its own? */
static inline bool cargo_is_test(const struct cargo *c)
{
	return c->kind != CARGO_BIN && c->kind != CARGO_EXAMPLE;
}

static inline bool cargo_is_bench(const struct cargo *c)
{
	return c->kind == CARGO_BENCH || c->kind == CARGO_UNIT_BENCH;
}

/* A text that stays. */
const char *cargo_text(struct cargo *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void cargo_push(struct option_list *l, const char *word);

/* cargo_call.c: cargo itself. */

/* The one that called us, if there is one. */
const char *cargo_program(void);

/*
 * Runs cargo, or rustc, with these words, as whoever called sudo, and keeps what it prints; what
 * it says to people passes through, or is dropped.  Its status, 128 + the signal that ended it,
 * or -1.
 */
enum cargo_voice { CARGO_LOUD, CARGO_QUIET };
int cargo_call(struct cargo *c, const char *program, const struct option_list *words,
	       enum cargo_voice voice, struct strbuf *out, struct error *e);

/* The options that are passed on to such a command of cargo's. */
void cargo_pass(struct cargo *c, struct option_list *words, unsigned to);

/* cargo_choose.c: which of a workspace's targets is meant. */
int cargo_choose(struct cargo *c, struct error *e);

/* Is it of this kind ("lib", "bin", …)? */
bool cargo_target_is(const struct json_node *target, const char *kind);

/* cargo_features.c: does the target get all features that it needs? */
bool cargo_has_features(const struct cargo *c, const struct cargo_target *t);

/* cargo_build.c: builds the target, with debug info; its artifact. */
int cargo_build(struct cargo *c, struct error *e);

/* The command of cargo's that builds the target, or also runs it. */
enum cargo_does { CARGO_BUILDS, CARGO_RUNS };
const char *cargo_command(const struct cargo *c, enum cargo_does what);

/* With all its words, but for how cargo is to tell about it. */
void cargo_words(struct cargo *c, struct option_list *words, enum cargo_does what);

/* The name of the profile that cargo builds with. */
const char *cargo_profile(const struct cargo *c);

/* Is this, in what cargo says, the target that was chosen? */
bool cargo_is_target(const struct cargo *c, const struct json_node *target);

/* cargo_debug.c: sets what makes cargo's build have debug info, and says so. */

/* Before the build, as far as cargo tells what it will do: a second one may take minutes. */
void cargo_debug_foresee(struct cargo *c);

/* When it is built: must it be built again? */
bool cargo_debug_again(struct cargo *c);

/* cargo_run.c: the command line, folder and environment as cargo would run it. */

/* To be called when it is built: from here on, all that we start is started so. */
int cargo_run_prepare(struct cargo *c, struct error *e);

/* The command that cargo then runs in place of the target: `wick runner TARGET ARGUMENTS...`. */
int cargo_runner_main(int argc, char **argv);
extern const struct option_table cargo_runner_table;

/* The variable that names a runner. */
const char *cargo_runner_variable(struct cargo *c, const char *triple);

/* cargo_runner.c: the words of the runner that people have set, if they have. */
void cargo_add_runner(struct cargo *c, struct option_list *words);

/* cargo_cfg.c: is a condition (`cfg(…)`) true, where these lines of the compiler's are? */
bool cargo_cfg_holds(struct span condition, struct span facts);

#endif

/*
 * flamegraph (of flamegraph-rs): records a command or processes, and draws an SVG.  wick records;
 * with --cmd, or PERF in the environment, perf does.
 */
#include "dropin/flamegraph_rs.h"

#include "base/version.h"
#include "cli/completions.h"
#include "dropin/dropin.h"

#include <stdio.h>

struct flamegraph {
	struct flamegraph_rs rs;
	const char *completions;
};

#define AT(field) offsetof(struct flamegraph, field)

static const struct option options[] = {
	{ "pid", 'p', OPTION_LIST, AT(rs.pid), "PID,...", "attach to these processes", 0 },
	{ "perfdata", 0, OPTION_STRING, AT(rs.perfdata), "FILE",
	  "draw an existing recording of perf", 0 },
	{ "completions", 0, OPTION_STRING, AT(completions), "SHELL",
	  "print a completion script for bash, zsh, fish, powershell or elvish", 0 },
	{ 0 },
};

const struct option_table flamegraph_rs_table = {
	.usage = "flamegraph [OPTIONS] [--] COMMAND...",
	.about = "Runs a command and draws a flame graph of it.",
	.option = options,
	.shared = { flamegraph_rs_options, offsetof(struct flamegraph, rs) },
	.syntax = SYNTAX_GNU,
	.command = true,
	.words = flamegraph_rs_values,
};

static int check(struct flamegraph_rs *f, struct error *e)
{
	if (f->pid.nr && f->perfdata)
		return error_set(
			e, ERROR_USAGE,
			"the argument '--perfdata <FILE>' cannot be used with '--pid <PID>'");
	if (flamegraph_rs_check(f, e))
		return -1;
	if (f->pid.nr && f->argv.nr)
		return error_set(e, ERROR_INPUT, "cannot pass in command with --pid");
	if (!f->pid.nr && !f->argv.nr && !f->perfdata)
		return error_set(e, ERROR_INPUT, "no workload given to generate a flamegraph for");
	return 0;
}

static int complete(const struct program *p, const char *shell, struct error *e)
{
	if (!completions_write(p, shell, e))
		return 0;
	return option_choice_wrong(SPAN("'--completions <SHELL>'"), COMPLETIONS_SHELLS, shell, e);
}

static int flamegraph_main(const struct dropin *d, int argc, char **argv)
{
	const struct program program = { d->name, &flamegraph_rs_table, NULL };
	struct flamegraph f = { 0 };
	struct error e = ERROR_INIT;
	int ret;

	flamegraph_rs_init(&f.rs, STYLE_PEER);
	ret = options_parse(&flamegraph_rs_table, &f, argc, argv, &f.rs.argv, &e);
	if (ret > 0) {
		options_help(&flamegraph_rs_table);
		ret = 0;
	} else if (!ret && f.rs.version) {
		printf("flamegraph (wick %s)\n", wick_version);
	} else if (!ret && f.completions) {
		ret = complete(&program, f.completions, &e);
	} else if (!ret && !check(&f.rs, &e) && !flamegraph_rs_as_root(&f.rs, NULL, argv, &e)) {
		ret = flamegraph_rs_run(&f.rs);
	}
	if (e.kind != ERROR_NONE)
		ret = flamegraph_rs_print_error(&flamegraph_rs_table, &e);
	flamegraph_rs_release(&f.rs);
	return ret;
}

const struct dropin dropins_flamegraph_rs[] = {
	{ "flamegraph", flamegraph_main, NULL },
	{ 0 },
};

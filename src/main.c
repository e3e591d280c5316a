/* The table of commands and of drop-in names. */
#include "base/alloc.h"
#include "base/span.h"
#include "base/version.h"
#include "cargo/cargo.h"
#include "cli/completions.h"
#include "cli/help.h"
#include "cli/messages.h"
#include "cmd/annotate/annotate.h"
#include "cmd/bench/bench.h"
#include "cmd/collapse.h"
#include "cmd/convert.h"
#include "cmd/diff/diff.h"
#include "cmd/doctor/doctor.h"
#include "cmd/flame.h"
#include "cmd/list.h"
#include "cmd/record/record.h"
#include "cmd/report/report.h"
#include "cmd/serve.h"
#include "cmd/stat/stat.h"
#include "cmd/top.h"
#include "cmd/view/view.h"
#include "dropin/dropin.h"
#include "dropin/flamegraph_rs.h"

#include <stdio.h>

static int main_completions(int argc, char **argv);
static int main_help(int argc, char **argv);

static const struct subcommand commands[] = {
	{ "annotate", annotate_main, "annotate the source or instructions of a function",
	  &annotate_table },
	{ "bench", bench_main, "compare the run time of commands", &bench_table },
	{ "collapse", collapse_main, "convert a profile to folded stacks", &collapse_table },
	{ "completions", main_completions, "print a completion script for a shell",
	  &completions_table },
	{ "convert", convert_main, "convert between profile formats", &convert_table },
	{ "diff", diff_main, "compare two profiles", &diff_table },
	{ "doctor", doctor_main, "check what can be profiled on this machine", &doctor_table },
	{ "flame", flame_main, "draw a profile as a flame graph", &flame_table },
	{ "help", main_help, "show the manual page or help of a command", &help_table },
	{ "list", list_main, "list the events that can be recorded and counted", &list_table },
	{ "record", record_main, "run a program and draw its flame graph", &record_table },
	{ "report", report_main, "print a profile as a table or call tree", &report_table },
	{ "runner", cargo_runner_main, NULL, &cargo_runner_table },
	{ "serve", serve_main, "show a profile in the browser", &serve_table },
	{ "stat", stat_main, "count events, time and memory for a command", &stat_table },
	{ "top", top_main, "show a live flame graph of running processes", &top_table },
	{ "view", view_main, "view a profile in the terminal", &view_table },
	{ 0 },
};

/* wick's own options, in front of a command */
struct own {
	bool version;
};

static const struct option own_options[] = {
	{ "version", 'V', OPTION_FLAG, offsetof(struct own, version), NULL,
	  "print the version and build options", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option_table own_table = {
	.usage = "wick COMMAND [options]",
	.about = "Records programs, reads the files of other profilers, and draws flame graphs.\n"
		 "Start with `wick record ./app`, which writes flamegraph.svg.",
	.option = own_options,
	.after =
		"`wick COMMAND --help` lists the options of a command.  Under the name of a program that it\n"
		"replaces (flamegraph, stackcollapse-perf.pl, inferno-collapse-perf, ...), wick accepts that\n"
		"program's options.",
	.syntax = SYNTAX_GNU,
	.command = true,
};

/* What has pages in the manual and is completed; wick itself is the first. */
static const struct program programs[] = {
	{ "wick", &own_table, commands },
	{ "cargo-flamegraph", &cargo_flamegraph_table, NULL },
	{ "cargo-wick", &cargo_wick_table, NULL },
	{ "flamegraph", &flamegraph_rs_table, NULL },
	{ 0 },
};

static int main_completions(int argc, char **argv)
{
	return completions_main(programs, argc, argv);
}

static int main_help(int argc, char **argv)
{
	return help_main(programs, argc, argv);
}

static const struct dropin *const families[] = {
	dropins_cargo,	       dropins_chrome_tracing,	   dropins_diff_folded,
	dropins_files,	       dropins_flamegraph_pl,	   dropins_flamegraph_rs,
	dropins_inferno,       dropins_inferno_flamegraph, dropins_range_perf,
	dropins_stackcollapse,
};

static const struct dropin *find_dropin(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		for (const struct dropin *d = families[i]; d->name; d++)
			if (!strcmp(d->name, name))
				return d;
	return NULL;
}

extern const char wick_commit[]; /* the build knows */

static void print_version(void)
{
	printf("wick %s%s%s%s\n", wick_version, *wick_commit ? " (" : "", wick_commit,
	       *wick_commit ? ")" : "");
	puts("built with " WICK_BUILT_WITH);
}

static int run_command(int argc, char **argv, struct error *e)
{
	const struct subcommand *c = subcommand_find(commands, argv[0]);

	return c ? c->main(argc, argv) : help_unknown(programs, argv[0], e);
}

static int run(int argc, char **argv)
{
	struct option_list words = { 0 };
	struct error e = ERROR_INIT;
	struct own own = { 0 };
	int ret = options_parse(&own_table, &own, argc, argv, &words, &e);
	int nr = (int)words.nr;

	option_list_release(&words);
	if (ret > 0) {
		help_program(programs);
		return 0;
	}
	if (!ret && own.version) {
		print_version();
		return 0;
	}
	if (!ret && !nr) {
		help_missing(programs);
		return 2;
	}
	if (!ret)
		ret = run_command(nr, argv + argc - nr, &e);
	return message_result(ret, &e);
}

int main(int argc, char **argv)
{
	const char *name = argc ? argv[0] : "wick";
	const char *slash = strrchr(name, '/');
	const struct dropin *d = find_dropin(slash ? slash + 1 : name);

	alloc_init();
	messages_init();
	return messages_end(d ? d->main(d, argc, argv) : run(argc, argv));
}

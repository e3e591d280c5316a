/* The table of commands and of drop-in names. */
#include "base/alloc.h"
#include "base/span.h"
#include "cli/messages.h"
#include "cmd/annotate.h"
#include "cmd/collapse.h"
#include "cmd/convert.h"
#include "cmd/diff.h"
#include "cmd/doctor.h"
#include "cmd/flame.h"
#include "cmd/list.h"
#include "cmd/record.h"
#include "cmd/report.h"
#include "cmd/stat.h"
#include "dropin/dropin.h"

#include <stdio.h>

static const struct command {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *about;
} commands[] = {
	{ "annotate", annotate_main,
	  "the source or the instructions of a function, with what each took" },
	{ "collapse", collapse_main, "what any profiler wrote in, folded stacks out" },
	{ "convert", convert_main, "what any profiler wrote in, a file of another kind out" },
	{ "diff", diff_main, "what changed between two profiles" },
	{ "doctor", doctor_main, "what can be recorded here, and what helps" },
	{ "flame", flame_main, "what any profiler wrote in, a flame graph out" },
	{ "list", list_main, "the events that can be recorded and counted" },
	{ "record", record_main, "run a program and draw its flame graph" },
	{ "report", report_main, "where the time went, as a table" },
	{ "stat", stat_main, "what a program takes: time, memory, counters" },
};

static const struct dropin *const families[] = {
	dropins_chrome_tracing,	    dropins_diff_folded,   dropins_files,
	dropins_flamegraph_pl,	    dropins_flamegraph_rs, dropins_inferno,
	dropins_inferno_flamegraph, dropins_range_perf,	   dropins_stackcollapse,
};

static const struct dropin *find_dropin(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		for (const struct dropin *d = families[i]; d->name; d++)
			if (!strcmp(d->name, name))
				return d;
	return NULL;
}

static void usage(FILE *out)
{
	fputs("Usage: wick COMMAND [options]\n\nCommands:\n", out);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].about);
	fputs("\nwick COMMAND --help tells more.  Linked under the name of a script it replaces\n"
	      "(stackcollapse-perf.pl, inferno-collapse-perf, ...), wick takes that one's options.\n",
	      out);
}

static int run(const char *name, int argc, char **argv)
{
	const struct dropin *d = find_dropin(name);

	if (d)
		return d->main(d, argc, argv);
	if (argc < 2) {
		usage(stderr);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		usage(stdout);
		return 0;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("wick " WICK_VERSION);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].main(argc - 1, argv + 1);
	message("unknown command '%s'; wick --help lists them", argv[1]);
	return 2;
}

int main(int argc, char **argv)
{
	const char *name = argc ? argv[0] : "wick";
	const char *slash = strrchr(name, '/');

	messages_init();
	return messages_end(run(slash ? slash + 1 : name, argc, argv));
}

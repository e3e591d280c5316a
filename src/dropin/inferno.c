/* The inferno-collapse-* programs: clap's options, env_logger's messages, one input. */
#include "base/alloc.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/collapse.h"
#include "cmd/print_notes.h"
#include "dropin/dropin.h"
#include "dropin/inferno_log.h"

#include <stdio.h>

struct inferno_opts {
	struct collapse_opts o;
	struct option_list skip_after;
	struct inferno_log log;
	bool time, ticks, bytes; /* ghcprof: at most one of them */
};

#define AT(field) offsetof(struct inferno_opts, field)

/* Options that all, or almost all, programs of the family have. */
#define HELP \
	{ \
		"help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 \
	}
#define COMMON \
	{ "quiet", 'q', OPTION_FLAG, AT(log.quiet), NULL, "silence all messages", 0 }, \
		{ "verbose", \
		  'v', \
		  OPTION_COUNT, \
		  AT(log.verbose), \
		  NULL, \
		  "more messages (-v, -vv, -vvv)", \
		  0 }, \
		HELP
#define THREADS \
	{ \
		"nthreads", 'n', OPTION_UINT, AT(o.in.read.threads), "UINT", "number of threads", \
			0 \
	}

static const struct option perf_options[] = {
	{ "addrs", 0, OPTION_FLAG, AT(o.in.read.addresses), NULL,
	  "include raw addresses where symbols can't be found", 0 },
	{ "all", 0, OPTION_BITS, AT(o.choose.spell), NULL, "all annotations (--kernel --jit)",
	  SPELL_KERNEL | SPELL_JIT },
	{ "jit", 0, OPTION_BITS, AT(o.choose.spell), NULL, "annotate jit functions with _[j]",
	  SPELL_JIT },
	{ "kernel", 0, OPTION_BITS, AT(o.choose.spell), NULL, "annotate kernel functions with _[k]",
	  SPELL_KERNEL },
	{ "pid", 0, OPTION_BITS, AT(o.choose.spell), NULL, "include PID with process names",
	  SPELL_PID },
	{ "tid", 0, OPTION_BITS, AT(o.choose.spell), NULL, "include TID and PID with process names",
	  SPELL_PID | SPELL_TID },
	{ "event-filter", 0, OPTION_STRING, AT(o.choose.event), "STRING",
	  "event to keep [the first one in the input]", 0 },
	{ "skip-after", 0, OPTION_LIST, AT(skip_after), "STRING",
	  "omit the callers of this function", 0 },
	THREADS,
	COMMON,
	{ 0 },
};

static const struct option dtrace_options[] = {
	{ "includeoffset", 0, OPTION_FLAG, AT(o.in.read.offsets), NULL, "include offsets", 0 },
	THREADS,
	COMMON,
	{ 0 },
};

/* sample, vtune */
static const struct option module_options[] = {
	{ "no-modules", 0, OPTION_BITS, AT(o.choose.spell_not), NULL,
	  "don't include modules with function names", SPELL_MODULE },
	COMMON,
	{ 0 },
};

static const struct option ghcprof_options[] = {
	{ "time", 0, OPTION_FLAG, AT(time), NULL,
	  "count individual time in the %time column [the default]", 0 },
	{ "bytes", 0, OPTION_FLAG, AT(bytes), NULL, "count bytes allocated", 0 },
	{ "ticks", 0, OPTION_FLAG, AT(ticks), NULL, "count runtime ticks", 0 },
	COMMON,
	{ 0 },
};

static const struct option plain_options[] = { COMMON, { 0 } };
static const struct option recursive_options[] = { THREADS, HELP, { 0 } };
static const struct option guess_options[] = { THREADS, COMMON, { 0 } };

/* How one program of the family differs from the others. */
struct program {
	const char *reader; /* NULL: guess */
	const struct option *option;
	const char *about;
	struct read_opts read;
};

/* inferno-collapse-guess tries these readers, in this order. */
static const char *const guessed[] = { "perf",	 "dtrace",  "sample", "vtune",
				       "vsprof", "ghcprof", "xctrace" };

/* With -v, reports the chosen format and event. */
static void print_choices(const struct inferno_opts *i, const struct load_result *r)
{
	char using[64];
	struct span event;

	if (!i->o.in.reader) {
		snprintf(using, sizeof(using), "Using %s collapser", r->reader->name);
		inferno_print(&i->log, INFERNO_INFO, "collapse::guess", using, SPAN(""));
	}
	if (!strcmp(r->reader->name, "perf") && !i->o.choose.event && r->p.nr_event) {
		event = profile_peek(&r->p, r->p.event[0].name);
		inferno_print(
			&i->log, INFERNO_INFO, "collapse::perf::logging",
			"Filtering for events of type: ", span_upto(event, span_find(event, ':')));
	}
}

static int run(const struct dropin *d, struct inferno_opts *i)
{
	const struct program *program = d->detail;
	const struct reader *among[ARRAY_SIZE(guessed) + 1] = { NULL };
	struct load_result r;
	struct error e = ERROR_INIT;
	int ret;

	for (size_t k = 0; k < ARRAY_SIZE(guessed); k++)
		among[k] = reader_find(span_of(guessed[k]));
	i->o.in.reader = program->reader ? reader_find(span_of(program->reader)) : NULL;
	i->o.in.among = among;
	i->o.check = inferno_check;
	i->o.in.read.script.arrows = ARROWS_ALL;
	i->o.in.read.script.skip_after = i->skip_after.at;
	i->o.in.read.script.nr_skip_after = i->skip_after.nr;
	i->o.choose.spell |= SPELL_UTF8;
	if (i->o.in.read.addresses)
		i->o.choose.spell |= SPELL_ADDRESS;
	ret = collapse(&i->o, &r, NULL, &e);
	/* If the reader failed, inferno's message replaces ours. */
	if (ret && e.kind == ERROR_INPUT)
		inferno_check(&r, &e);
	if (r.reader)
		print_choices(i, &r);
	inferno_print_notes(&i->log, &r);
	if (!i->log.quiet)
		print_losses(&r.p);
	if (ret && e.kind == ERROR_FORMAT) {
		/* inferno's exit status is 0 even if no format fits. */
		inferno_print(&i->log, INFERNO_ERROR, "collapse::guess",
			      "No applicable collapse implementation found for input", SPAN(""));
		ret = 0;
	} else if (ret && e.kind != ERROR_PIPE) {
		message_peer(stderr, "Error: %s\n", e.text);
	}
	load_release(&r);
	return ret ? 1 : 0;
}

/* Selects the column of ghcprof; at most one option may be given. */
static int choose_weight(struct inferno_opts *i, struct error *e)
{
	if (i->time + i->ticks + i->bytes > 1)
		return error_set(e, ERROR_USAGE, "The argument '--%s' cannot be used with '--%s'",
				 i->time ? "time" : "ticks",
				 i->time && i->ticks ? "ticks" : "bytes");
	if (i->ticks)
		i->o.in.read.ghc_weight = GHC_TICKS;
	if (i->bytes)
		i->o.in.read.ghc_weight = GHC_BYTES;
	return 0;
}

static int inferno_main(const struct dropin *d, int argc, char **argv)
{
	const struct program *program = d->detail;
	char usage[96];
	struct option_table table = { .usage = usage,
				      .about = program->about,
				      .option = program->option,
				      .syntax = SYNTAX_GNU };
	struct inferno_opts i = {
		.o = { .in = { .read = program->read },
		       .choose = { .event_match = EVENT_FIRST_PART,
				   .event_may_miss = true,
				   .weight = WEIGHT_PERIOD } },
	};
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret;

	snprintf(usage, sizeof(usage), "%s [OPTIONS] [PATH]", d->name);
	i.o.in.read.threads = load_threads();
	i.o.in.read.drop_empty = true;
	i.o.in.read.rows.last_counts = true;
	i.o.in.read.rows.whole_ms = true;
	i.o.in.read.rows.optional_counts = true;
	i.o.in.read.rows.quote_level = true;
	ret = options_parse(&table, &i, argc, argv, &operands, &e);
	if (!ret)
		ret = choose_weight(&i, &e);

	if (!ret && operands.nr > 1)
		ret = error_set(&e, ERROR_USAGE, "unexpected argument '%s' found", operands.at[1]);
	if (ret < 0) {
		message_peer(stderr,
			     "error: %s\n\nUsage: %s\n\nFor more information, try '--help'.\n",
			     e.text, usage);
		ret = 2;
	} else if (ret > 0) {
		options_help(&table);
		ret = 0;
	} else {
		i.o.in.file = operands.at;
		i.o.in.nr_file = operands.nr;
		ret = run(d, &i);
	}
	option_list_release(&operands);
	option_list_release(&i.skip_after);
	return ret;
}

static const struct program perf = {
	.reader = "perf",
	.option = perf_options,
	.about = "Folds the output of perf script.",
};

static const struct program dtrace = {
	.reader = "dtrace",
	.option = dtrace_options,
	.about = "Folds the output of dtrace ustack() and stack().",
};

static const struct program sample = {
	.reader = "sample",
	.option = module_options,
	.about = "Folds the output of sample on macOS.",
};

static const struct program vtune = {
	.reader = "vtune",
	.option = module_options,
	.about = "Folds the hotspots that VTune's amplxe-cl exports as CSV.",
};

static const struct program vsprof = {
	.reader = "vsprof",
	.option = plain_options,
	.about = "Folds the call trees that Visual Studio exports as CSV.",
};

static const struct program ghcprof = {
	.reader = "ghcprof",
	.option = ghcprof_options,
	.about = "Folds the .prof files of GHC programs.",
};

static const struct program xctrace = {
	.reader = "xctrace",
	.option = plain_options,
	.about = "Folds the time profiles that xctrace exports as XML.",
};

static const struct program recursive = {
	.reader = "folded",
	.option = recursive_options,
	.about = "Merges direct recursion in folded stacks into one frame.",
	.read = { .fold_recursion = true,
		  .folded.single_count = true,
		  .folded.whole_counts = true,
		  .folded.empty_leaf = true,
		  .folded.keep_indent = true },
};

static const struct program guess = {
	.option = guess_options,
	.about = "Folds the output of any supported profiler, which it detects.",
};

const struct dropin dropins_inferno[] = {
	{ "inferno-collapse-perf", inferno_main, &perf },
	{ "inferno-collapse-dtrace", inferno_main, &dtrace },
	{ "inferno-collapse-sample", inferno_main, &sample },
	{ "inferno-collapse-vtune", inferno_main, &vtune },
	{ "inferno-collapse-vsprof", inferno_main, &vsprof },
	{ "inferno-collapse-ghcprof", inferno_main, &ghcprof },
	{ "inferno-collapse-xctrace", inferno_main, &xctrace },
	{ "inferno-collapse-recursive", inferno_main, &recursive },
	{ "inferno-collapse-guess", inferno_main, &guess },
	{ 0 },
};

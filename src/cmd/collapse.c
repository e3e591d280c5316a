#include "cmd/collapse.h"

#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/filtering.h"
#include "cmd/tell.h"

#include <stdio.h>

static int write_folded(const struct collapse_opts *o, struct collapse_result *r, struct error *e)
{
	struct folded_opts f = { .order = o->order, .number = o->number, .reverse = o->reverse };
	struct chosen c;
	struct output out;
	int ret = -1;

	if (collapse_choose(o, r, &c, e))
		return -1;
	f.spelling = c.spelling;
	f.samples = c.samples;
	f.nr_column = c.nr_column;
	f.in[0] = c.in[0];
	f.in[1] = c.in[1];
	if (!output_open(&out, o->output ? o->output : "-", e)) {
		r->nr_line = folded_write(&out, &r->p, &f);
		ret = output_close(&out, e);
	}
	chosen_release(&c);
	return ret;
}

int collapse(const struct collapse_opts *o, struct collapse_result *r, struct error *e)
{
	if (collapse_read(o, r, e))
		return -1;
	if (o->check && o->check(r, e))
		return -1;
	return write_folded(o, r, e);
}

int collapse_nothing(const struct collapse_opts *o, struct error *e)
{
	if (o->filter)
		return error_set(e, ERROR_INPUT,
				 "no stacks left: the filter takes all samples out");
	return error_set(e, ERROR_INPUT, "no stacks found: the input has no samples");
}

/* The command */

struct command {
	struct collapse_opts o;
	struct progress progress;
	struct option_list skip_after;
	struct filtering filtering;
	bool quiet, verbose, list;
	int order, packages, cost;
};

/* What --cost names, in the order of its choices. */
enum cost { COST_TIME, COST_TICKS, COST_BYTES, COST_CALLS };

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	COLLAPSE_EVENT_OPTIONS(o),
	{ "order", 0, OPTION_CHOICE, AT(order), "sorted|input", "of the lines [sorted]", 0 },
	{ "pid", 0, OPTION_BITS, AT(o.spell), NULL, "put the process id behind the process name",
	  SPELL_PID },
	{ "tid", 0, OPTION_BITS, AT(o.spell), NULL, "put process and thread id there",
	  SPELL_PID | SPELL_TID },
	{ "kernel", 0, OPTION_BITS, AT(o.spell), NULL, "mark kernel functions with _[k]",
	  SPELL_KERNEL },
	{ "jit", 0, OPTION_BITS, AT(o.spell), NULL, "mark JIT-compiled functions with _[j]",
	  SPELL_JIT },
	{ "all", 0, OPTION_BITS, AT(o.spell), NULL, "all marks", SPELL_MARKS },
	{ "addrs", 0, OPTION_FLAG, AT(o.read.addresses), NULL,
	  "show the address where there is no name", 0 },
	{ "srcline", 0, OPTION_FLAG, AT(o.read.srcline), NULL,
	  "put file and line behind the name, where the input has them", 0 },
	{ "offsets", 0, OPTION_FLAG, AT(o.read.offsets), NULL,
	  "keep the offset in the function (dtrace)", 0 },
	{ "no-modules", 0, OPTION_BITS, AT(o.spell_not), NULL,
	  "leave the module out of the name (dtrace, sample, vtune)", SPELL_MODULE },
	FILTERING_OPTIONS(filtering),
	{ "reverse", 0, OPTION_FLAG, AT(o.reverse), NULL, "from the leaf: who called it", 0 },
	{ "packages", 0, OPTION_CHOICE, AT(packages), "keep|shorten|drop",
	  "what to do with Java packages [keep]", 0 },
	{ "cost", 0, OPTION_CHOICE, AT(cost), "time|ticks|bytes|calls",
	  "what counts where an input has several: ghcprof has time, ticks and bytes, vtune-mc bytes, xdebug calls",
	  0 },
	{ "skip-after", 0, OPTION_LIST, AT(skip_after), "FUNCTION",
	  "drop the callers of this function (perf)", 0 },
	{ "threads", 'n', OPTION_UINT, AT(o.read.threads), "N", "read with N threads [all]", 0 },
	{ "output", 'o', OPTION_STRING, AT(o.output), "FILE", "write there [standard output]", 0 },
	NAMING_OPTIONS(o.naming),
	{ "strict", 0, OPTION_FLAG, AT(o.read.strict), NULL,
	  "stop at the first thing that cannot be read", 0 },
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "do not say what was left out", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list what was left out, with lines", 0 },
	{ "formats", 0, OPTION_FLAG, AT(list), NULL, "list the formats", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

/* The same as --formats lists; tests/cli/completions.sh compares them. */
static const struct option_words values[] = {
	{ "FORMAT",
	  "perf-data|page|pprof|chrome-tracing|v8|speedscope|firefox|bpftrace|perf-sched|perf|"
	  "perf-packages|stap|dtrace|sample|vtune|vtune-mc|vsprof|ghcprof|xctrace|ibmjava|jstack|"
	  "jfr|xdebug|callgrind|go|goroutine|elfutils|gdb|faulthandler|wcp|aix|pmc|instruments|"
	  "ljp|java-exceptions|folded" },
	{ 0 },
};

const struct option_table collapse_table = {
	.usage = "wick collapse [FORMAT] [options] [FILE...]",
	.about =
		"Turns what a profiler wrote into folded stacks: one line a stack, `root;caller;callee 42`.\n"
		"Reads standard input when there is no FILE, unpacks gzip and zstd, and guesses the\n"
		"FORMAT from the content when it is not named (--formats lists them; a file of that name is ./FORMAT).",
	.option = options,
	.after = FILTERING_AFTER,
	.syntax = SYNTAX_GNU,
	.operand = "FORMAT|FILE",
	.words = values,
};

static void list_formats(void)
{
	for (const struct reader *const *r = reader_list(); *r; r++)
		printf("%-18s %s\n", (*r)->name, (*r)->title);
}

static int run(struct command *c, struct error *e)
{
	struct collapse_result r;
	int ret;

	collapse_watch(&c->o, &c->progress);
	ret = collapse(&c->o, &r, e);
	progress_end(&c->progress);
	tell_notes(&r.p, c->quiet ? TELL_NOTHING : c->verbose ? TELL_EACH : TELL_SUM);
	if (!ret && !r.nr_line)
		ret = collapse_nothing(&c->o, e);
	collapse_release(&r);
	return ret;
}

static void set_cost(struct read_opts *read, enum cost cost)
{
	if (cost == COST_TICKS)
		read->ghc_weight = GHC_TICKS;
	if (cost == COST_BYTES)
		read->ghc_weight = GHC_BYTES;
	read->allocated_bytes = cost == COST_BYTES;
	read->call_counts = cost == COST_CALLS;
}

/* The first operand may be a format; a file of that name is written ./perf. */
static void set_files(struct collapse_opts *o, const struct option_list *operands)
{
	size_t named = 0;

	if (operands->nr) {
		o->reader = reader_find(span_of(operands->at[0]));
		named = o->reader != NULL;
	}
	o->nr_file = operands->nr - named;
	o->file = o->nr_file ? operands->at + named : NULL;
}

static int set_opts(struct command *c, const struct option_list *operands, struct error *e)
{
	struct collapse_opts *o = &c->o;

	if (o->reverse && c->order == FOLDED_INPUT)
		return error_set(e, ERROR_USAGE, "--reverse goes with --order sorted only");
	if (filtering_parse(&c->filtering, &o->filter, e))
		return -1;
	set_files(o, operands);
	o->read.skip_after = c->skip_after.at;
	o->read.nr_skip_after = c->skip_after.nr;
	o->order = (enum folded_order)c->order;
	o->read.packages = (enum packages)c->packages;
	set_cost(&o->read, (enum cost)c->cost);
	o->read.ticks = o->order == FOLDED_INPUT || c->filtering.time;
	if (o->read.addresses)
		o->spell |= SPELL_ADDRESS;
	if (o->read.srcline)
		o->spell |= SPELL_SRCLINE;
	return 0;
}

int collapse_main(int argc, char **argv)
{
	struct command c = { .o = { .read = { .threads = collapse_threads() } } };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&collapse_table, &c, argc, argv, &operands, &e);

	if (ret > 0) {
		options_help(&collapse_table);
		return 0;
	}
	if (!ret && c.list) {
		list_formats();
		return 0;
	}
	if (!ret)
		ret = set_opts(&c, &operands, &e) ||
				      collapse_check_input(&c.o, "wick collapse", &e) || run(&c, &e)
			      ? -1
			      : 0;
	option_list_release(&operands);
	option_list_release(&c.skip_after);
	filtering_release(&c.filtering);
	return message_result(ret, &e);
}

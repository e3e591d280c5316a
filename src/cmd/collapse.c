#include "cmd/collapse.h"

#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/print_notes.h"
#include "load/filtering.h"
#include "write/formats.h"

#include <stdio.h>

static int write_folded(const struct collapse_opts *o, struct load_result *r, size_t *nr_line,
			struct error *e)
{
	struct folded_opts f = { .order = o->order, .number = o->number, .reverse = o->reverse };
	struct chosen c;
	struct output out;
	int ret = -1;

	if (choose_events(&o->choose, &r->p, &r->hints, &c, e))
		return -1;
	f.spelling = c.spelling;
	f.samples = c.samples;
	f.nr_column = c.nr_column;
	f.in[0] = c.in[0];
	f.in[1] = c.in[1];
	if (!output_open_whole(&out, o->output ? o->output : "-", e)) {
		*nr_line = folded_write(&out, &r->p, &f);
		ret = output_close(&out, e);
	}
	chosen_release(&c);
	return ret;
}

int collapse(const struct collapse_opts *o, struct load_result *r, size_t *nr_line, struct error *e)
{
	struct load_opts in = o->in;
	size_t unused;

	/*
	 * Only filters need the modules of named functions; without modules, more stacks are merged
	 * while they are read, which saves memory.
	 */
	in.read.script.names_alone = !o->choose.filter;
	if (load(&in, r, e))
		return -1;
	if (o->check && o->check(r, e))
		return -1;
	return write_folded(o, r, nr_line ? nr_line : &unused, e);
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

/* The values of --cost, in the order of its choices. */
enum cost { COST_TIME, COST_TICKS, COST_BYTES, COST_CALLS };

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	FORMAT_FROM_OPTION(o.in.from),
	CHOOSE_OPTIONS(o.choose),
	WAKERS_OPTION(o.choose),
	{ "order", 0, OPTION_CHOICE, AT(order), "sorted|input", "order of the lines [sorted]", 0 },
	{ "pid", 0, OPTION_BITS, AT(o.choose.spell), NULL,
	  "append the process ID to the process name", SPELL_PID },
	{ "tid", 0, OPTION_BITS, AT(o.choose.spell), NULL,
	  "append process and thread ID to the process name", SPELL_PID | SPELL_TID },
	{ "kernel", 0, OPTION_BITS, AT(o.choose.spell), NULL, "mark kernel functions with _[k]",
	  SPELL_KERNEL },
	{ "jit", 0, OPTION_BITS, AT(o.choose.spell), NULL, "mark JIT-compiled functions with _[j]",
	  SPELL_JIT },
	{ "all", 0, OPTION_BITS, AT(o.choose.spell), NULL, "add all marks", SPELL_MARKS },
	{ "addrs", 0, OPTION_FLAG, AT(o.in.read.addresses), NULL,
	  "show the address of unresolved frames", 0 },
	{ "srcline", 0, OPTION_FLAG, AT(o.in.read.srcline), NULL,
	  "append file and line to names, if the input has them", 0 },
	{ "offsets", 0, OPTION_FLAG, AT(o.in.read.offsets), NULL,
	  "keep offsets after names (dtrace)", 0 },
	{ "no-modules", 0, OPTION_BITS, AT(o.choose.spell_not), NULL,
	  "omit the module from names (dtrace, sample, vtune)", SPELL_MODULE },
	FILTERING_OPTIONS(filtering),
	{ "reverse", 0, OPTION_FLAG, AT(o.reverse), NULL, "reverse stacks: start at the leaf", 0 },
	{ "packages", 0, OPTION_CHOICE, AT(packages), "keep|shorten|drop",
	  "how to show Java packages [keep]", 0 },
	{ "cost", 0, OPTION_CHOICE, AT(cost), "time|ticks|bytes|calls",
	  "cost to count if the input has several: time, ticks and bytes (ghcprof), bytes (vtune-mc), calls (xdebug)",
	  0 },
	{ "skip-after", 0, OPTION_LIST, AT(skip_after), "FUNCTION",
	  "drop the callers of FUNCTION (perf)", 0 },
	{ "threads", 'n', OPTION_UINT, AT(o.in.read.threads), "N",
	  "number of reader threads [one per CPU]", 0 },
	{ "output", 'o', OPTION_STRING, AT(o.output), "FILE", "output file [standard output]", 0 },
	NAMING_OPTIONS(o.in.naming),
	{ "strict", 0, OPTION_FLAG, AT(o.in.read.strict), NULL,
	  "stop at the first error in the input", 0 },
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "do not report dropped data", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list dropped data, with line numbers",
	  0 },
	{ "formats", 0, OPTION_FLAG, AT(list), NULL, "list the input formats", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option_words values[] = { FORMAT_FROM_WORDS, { 0 } };

const struct option_table collapse_table = {
	.usage = "wick collapse [FORMAT] [options] [FILE...]",
	.about =
		"Converts a profile to folded stacks, one line per stack: `root;caller;callee 42`.\n"
		"Reads standard input if no FILE is given, and decompresses gzip, zstd and xz.  The FORMAT is\n"
		"detected from the content unless given (--formats lists all; write ./FORMAT for a file of that name).",
	.option = options,
	.after = FILTERING_AFTER,
	.syntax = SYNTAX_GNU,
	.operand = "FORMAT|FILE",
	.words = values,
};

static int run(struct command *c, struct error *e)
{
	struct load_result r;
	size_t nr_line = 0;
	int ret;

	load_watch(&c->o.in, &c->progress);
	ret = collapse(&c->o, &r, &nr_line, e);
	progress_end(&c->progress);
	print_notes(&r.p, c->quiet ? NOTES_HIDDEN : c->verbose ? NOTES_EACH : NOTES_SUMMED);
	if (!ret && !nr_line)
		ret = choose_nothing(&c->o.choose, e);
	if (!ret)
		ret = choose_weightless(&r.p, e);
	load_release(&r);
	return ret;
}

static void set_cost(struct read_opts *read, enum cost cost)
{
	if (cost == COST_TICKS)
		read->ghc_weight = GHC_TICKS;
	if (cost == COST_BYTES)
		read->ghc_weight = GHC_BYTES;
	read->rows.allocated_bytes = cost == COST_BYTES;
	read->call_counts = cost == COST_CALLS;
}

/* The first operand may be a format; a file with such a name must be given as ./perf. */
static void set_files(struct load_opts *o, const struct option_list *operands)
{
	size_t named = 0;

	if (operands->nr && !o->from) {
		o->reader = reader_find(span_of(operands->at[0]));
		named = o->reader != NULL;
	}
	o->nr_file = operands->nr - named;
	o->file = o->nr_file ? operands->at + named : NULL;
}

static int set_opts(struct command *c, const struct option_list *operands, struct error *e)
{
	struct collapse_opts *o = &c->o;
	struct read_opts *read = &o->in.read;

	if (o->reverse && c->order == FOLDED_INPUT)
		return error_set(e, ERROR_USAGE, "--reverse requires --order sorted");
	if (filtering_parse(&c->filtering, &o->choose.filter, e))
		return -1;
	set_files(&o->in, operands);
	read->script.skip_after = c->skip_after.at;
	read->script.nr_skip_after = c->skip_after.nr;
	o->order = (enum folded_order)c->order;
	read->packages = (enum packages)c->packages;
	set_cost(read, (enum cost)c->cost);
	read->cpus |= choose_needs_labels(&o->choose);
	read->ticks = o->order == FOLDED_INPUT || c->filtering.time;
	read->times = o->choose.wakers;
	if (read->addresses)
		o->choose.spell |= SPELL_ADDRESS;
	if (read->srcline)
		o->choose.spell |= SPELL_SRCLINE;
	return 0;
}

int collapse_main(int argc, char **argv)
{
	struct command c = { .o = { .in = { .read = { .threads = load_threads() } } } };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&collapse_table, &c, argc, argv, &operands, &e);

	if (ret > 0) {
		options_help(&collapse_table);
		return 0;
	}
	if (!ret && c.list) {
		format_list_read();
		return 0;
	}
	if (!ret)
		ret = set_opts(&c, &operands, &e) ||
				      load_check_input(&c.o.in, "wick collapse", &e) || run(&c, &e)
			      ? -1
			      : 0;
	option_list_release(&operands);
	option_list_release(&c.skip_after);
	filtering_release(&c.filtering);
	return message_result(ret, &e);
}

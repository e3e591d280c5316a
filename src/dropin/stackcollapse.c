/*
 * FlameGraph's stackcollapse scripts: .pl with Getopt::Long's options, .awk with
 * -v NAME=VALUE, .py and .php.  They read files one after the other, or standard
 * input, and write to standard output.
 */
#include "base/alloc.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/collapse.h"
#include "cmd/print_notes.h"
#include "dropin/dropin.h"

#include <stdio.h>

struct script_opts {
	struct collapse_opts o;
	bool thread_names, thread_ids, pool_numbers;
	bool short_packages, no_packages;
};

#define AT(field) offsetof(struct script_opts, field)
#define HELP \
	{ \
		"help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 \
	}

/* How one script differs from the others. */
struct script {
	const char *reader;
	const struct option *option; /* Getopt::Long's, or awk's; NULL: none but --help */
	bool awk;		     /* the options are variables: -v NAME=VALUE */
	const char *about;
	bool needs_file; /* standard input is not read */
	struct collapse_opts defaults;
};

static const struct option no_options[] = { HELP, { 0 } };

static const struct option perf_options[] = {
	{ "pid", 0, OPTION_BITS, AT(o.choose.spell), NULL, "include PID with process names",
	  SPELL_PID },
	{ "tid", 0, OPTION_BITS, AT(o.choose.spell), NULL, "include TID and PID with process names",
	  SPELL_PID | SPELL_TID },
	{ "inline", 0, OPTION_FLAG, AT(o.in.read.script.inlines), NULL, "un-inline using addr2line",
	  0 },
	{ "context", 0, OPTION_FLAG, AT(o.in.read.script.inline_lines), NULL,
	  "adds source context to --inline", 0 },
	{ "all", 0, OPTION_BITS, AT(o.choose.spell), NULL, "all annotations (--kernel --jit)",
	  SPELL_KERNEL | SPELL_JIT },
	{ "kernel", 0, OPTION_BITS, AT(o.choose.spell), NULL, "annotate kernel functions with _[k]",
	  SPELL_KERNEL },
	{ "jit", 0, OPTION_BITS, AT(o.choose.spell), NULL, "annotate jit functions with _[j]",
	  SPELL_JIT },
	{ "srcline", 0, OPTION_FLAG, AT(o.in.read.srcline), NULL,
	  "add the source lines that perf script -F+srcline printed", 0 },
	{ "addrs", 0, OPTION_FLAG, AT(o.in.read.addresses), NULL,
	  "include raw addresses where symbols can't be found", 0 },
	{ "event-filter", 0, OPTION_STRING, AT(o.choose.event), "EVENT", "event name filter", 0 },
	HELP,
	{ 0 },
};

#define THREAD_NAMES \
	{ \
		"include-tname", 0, OPTION_NEGATE, AT(thread_names), NULL, \
			"thread names in stacks (default: include)", 0 \
	}
#define SHORT_PACKAGES \
	{ \
		"shorten-pkgs", 0, OPTION_NEGATE, AT(short_packages), NULL, \
			"shorten package names (default: don't shorten)", 0 \
	}

/* In this script, IDs are the numbers at the end of thread names. */
static const struct option jstack_options[] = {
	THREAD_NAMES,
	{ "include-tid", 0, OPTION_NEGATE, AT(pool_numbers), NULL,
	  "thread IDs in stacks (default: omit)", 0 },
	SHORT_PACKAGES,
	HELP,
	{ 0 },
};

static const struct option ibmjava_options[] = {
	THREAD_NAMES,
	{ "include-tid", 0, OPTION_NEGATE, AT(thread_ids), NULL,
	  "thread IDs in stacks (default: omit)", 0 },
	SHORT_PACKAGES,
	HELP,
	{ 0 },
};

static const struct option java_exceptions_options[] = {
	SHORT_PACKAGES,
	{ "no-pkgs", 0, OPTION_NEGATE, AT(no_packages), NULL, "suppress package names", 0 },
	HELP,
	{ 0 },
};

static const struct option elfutils_options[] = {
	{ "pid", 0, OPTION_BITS, AT(o.choose.spell), NULL, "include PID", SPELL_PID },
	{ "tid", 0, OPTION_BITS, AT(o.choose.spell), NULL, "include TID", SPELL_TID },
	HELP,
	{ 0 },
};

static const struct option xdebug_options[] = {
	{ NULL, 't', OPTION_BITS, AT(o.choose.spell), NULL, "weigh stacks by time, in us (default)",
	  0 },
	{ NULL, 'c', OPTION_FLAG, AT(o.in.read.call_counts), NULL, "count calls instead", 0 },
	HELP,
	{ 0 },
};

static const struct script perf = {
	.reader = "perf",
	.option = perf_options,
	.about = "Folds the output of perf script.",
	.defaults = { .in = { .read = { .tidy = TIDY_FIRST_PAREN,
					.mangled_rust = true,
					.script = { .arrows = ARROWS_INSIDE,
						    .plain_kinds = true,
						    .timed_events = true } } },
		      .choose = { .event_match = EVENT_EXACT, .event_may_miss = true } },
};

static const struct option perf_sched_variables[] = {
	{ "record_tid", 0, OPTION_FLAG, AT(o.in.read.script.waker_ids), NULL,
	  "include the thread id with process names", 0 },
	{ "record_wake_stack", 0, OPTION_FLAG, AT(o.in.read.script.wake_stacks), NULL,
	  "include the stack of the waker", 0 },
	{ "recurse", 0, OPTION_FLAG, AT(o.in.read.script.wake_chains), NULL,
	  "include the waker's waker, and so on", 0 },
	HELP,
	{ 0 },
};

static const struct script perf_sched = {
	.reader = "perf-sched",
	.option = perf_sched_variables,
	.awk = true,
	.about = "Folds the time off CPU, in us, of perf script's sched events.",
	.defaults = { .in = { .read = { .tidy = TIDY_NONE, .offsets = true } },
		      .number = FOLDED_WHOLE },
};

static const struct script perf_packages = {
	.reader = "perf-packages",
	.about = "Folds perf script samples without stacks by the package of their function.",
	.defaults = { .order = FOLDED_INPUT },
};

static const struct script dtrace = {
	.reader = "dtrace",
	.about = "Folds the output of dtrace stack() and ustack().",
	.defaults = { .in = { .read = { .heading_lines = 3, .mangled_rust = true } } },
};

static const struct script recursive = {
	.reader = "folded",
	.about = "Merges direct recursion in folded stacks into one frame.",
	.defaults = { .in = { .read = { .fold_recursion = true,
					.folded.single_count = true,
					.folded.empty_leaf = true,
					.folded.keep_indent = true } } },
};

static const struct option sample_variables[] = {
	{ "MODULES", 0, OPTION_CLEAR, AT(o.choose.spell_not), "0",
	  "leave the module out of the function's name", SPELL_MODULE },
	HELP,
	{ 0 },
};

static const struct script sample = {
	.reader = "sample",
	.option = sample_variables,
	.awk = true,
	.about = "Folds the output of sample on macOS.",
	.defaults = { .in = { .read = { .rows.two_words = true,
					.keep_zero = true,
					.mangled_rust = true } },
		      .order = FOLDED_INPUT },
};

static const struct script vtune = {
	.reader = "vtune",
	.about = "Folds the hotspots that VTune exports as CSV.",
	.defaults = { .in = { .read = { .rows.any_header = true,
					.rows.quote_line = true,
					.rows.leave_out = "\"" } },
		      .choose = { .spell = SPELL_MODULE_BANG, .spell_not = SPELL_MODULE },
		      .order = FOLDED_INPUT },
};

static const struct option vtune_mc_options[] = {
	{ "size", 0, OPTION_FLAG, AT(o.in.read.rows.allocated_bytes), NULL,
	  "sum the bytes allocated, not the allocations", 0 },
	HELP,
	{ 0 },
};

static const struct script vtune_mc = {
	.reader = "vtune-mc",
	.option = vtune_mc_options,
	.about = "Folds the memory consumption that VTune exports as CSV.",
	.defaults = { .in = { .read = { .rows.any_header = true,
					.rows.quote_line = true,
					.rows.leave_out = "\"" } },
		      .choose = { .spell = SPELL_MODULE_BEHIND, .spell_not = SPELL_MODULE },
		      .order = FOLDED_INPUT },
};

static const struct script vsprof = {
	.reader = "vsprof",
	.about = "Folds the call trees that Visual Studio exports as CSV.",
	.defaults = { .in = { .read = { .rows.any_header = true,
					.rows.leaf_totals = true,
					.rows.quote_line = true,
					.rows.leave_out = " \t\v\f\r" } },
		      .order = FOLDED_INPUT },
};

/* Java */

static const struct script jstack = {
	.reader = "jstack",
	.option = jstack_options,
	.about = "Folds the running threads of Java thread dumps.",
};

static const struct script ibmjava = {
	.reader = "ibmjava",
	.option = ibmjava_options,
	.about = "Folds the threads of IBM javacore files.",
};

static const struct script java_exceptions = {
	.reader = "java-exceptions",
	.option = java_exceptions_options,
	.about = "Folds the stack traces of Java exceptions in a log.",
};

static const struct script ljp = {
	.reader = "ljp",
	.awk = true,
	.about = "Folds reports of the lightweight Java profiler.",
	.defaults = { .order = FOLDED_INPUT },
};

/* Other languages */

static const struct script faulthandler = {
	.reader = "faulthandler",
	.about = "Folds tracebacks of Python's faulthandler.",
};

static const struct script go = {
	.reader = "go",
	.about = "Folds the output of go tool pprof -raw.",
	.defaults = { .in = { .read = { .drop_inlined = true,
					.keep_zero = true,
					.first_type = true } } },
};

static const struct script xdebug = {
	.reader = "xdebug",
	.option = xdebug_options,
	.about = "Folds function traces of PHP's Xdebug (xdebug.trace_format = 1).",
	.needs_file = true,
	.defaults = { .order = FOLDED_FIRST },
};

/* Debuggers and tracers */

static const struct script aix = {
	.reader = "aix",
	.about = "Folds backtraces of AIX procstack.",
};

static const struct script bpftrace = {
	.reader = "bpftrace",
	.about = "Folds bpftrace stack maps.",
	.defaults = { .in = { .read = { .offsets = true,
					.stack_commas = true,
					.drop_empty = true } },
		      .choose = { .event = "all" },
		      .order = FOLDED_INPUT },
};

static const struct script elfutils = {
	.reader = "elfutils",
	.option = elfutils_options,
	.about = "Folds backtraces of eu-stack.",
};

static const struct script gdb = {
	.reader = "gdb",
	.about = "Folds gdb backtraces.",
};

static const struct script instruments = {
	.reader = "instruments",
	.about = "Folds call trees copied out of Instruments.",
	.defaults = { .in = { .read = { .keep_zero = true } },
		      .order = FOLDED_INPUT,
		      .number = FOLDED_ROUNDED },
};

static const struct script pmc = {
	.reader = "pmc",
	.about = "Folds the call graphs of pmcstat -G.",
	.defaults = { .in = { .read = { .rows.leaf_totals = true } },
		      .choose = { .event = "all" },
		      .order = FOLDED_INPUT },
};

static const struct script stap = {
	.reader = "stap",
	.about = "Folds stacks printed by SystemTap.",
	.defaults = { .in = { .read = { .drop_empty = true } } },
};

static const struct script wcp = {
	.reader = "wcp",
	.about = "Folds the stacks of wallClockProfiler.",
};

/* The scripts' messages for our notes; for other notes they have none. */
static const struct spoken {
	const char *reader;
	enum note_code code;
	const char *text;
	enum { GOES_ON, DIES } then;
	bool numbered; /* preceded by the number of the line */
} spoken[] = {
	{ "perf", NOTE_BAD_EVENT, "Unrecognized line: ", GOES_ON, false },
	{ "perf", NOTE_BAD_STACK_LINE, "Unrecognized line: ", GOES_ON, false },
	{ "perf", NOTE_NO_PROGRAM, "cannot run ", GOES_ON, false },
	{ "perf", NOTE_NO_DEBUG_INFO, "addr2line does not read ", GOES_ON, false },
	{ "perf", NOTE_FILTERED, "Filtering for events of type: ", GOES_ON, false },
	{ "perf-sched", NOTE_BAD_EVENT, "Unrecognized line: ", GOES_ON, false },
	{ "jstack", NOTE_BAD_LINE, "Unrecognized line: ", GOES_ON, false },
	{ "xdebug", NOTE_BAD_LINE, "[WARNING] Discarding line: ", GOES_ON, false },
	{ "instruments", NOTE_BAD_LINE, "Died at line ", DIES, true },
	{ "vtune", NOTE_BAD_LINE, "Error in regular expression on the current line ", DIES, false },
	{ "vtune", NOTE_BAD_COUNT, "Error in regular expression on the current line ", DIES,
	  false },
	{ "vtune-mc", NOTE_BAD_LINE, "Error in regular expression on the current line ", DIES,
	  false },
	{ "vtune-mc", NOTE_BAD_COUNT, "Error in regular expression on the current line ", DIES,
	  false },
	{ "vsprof", NOTE_BAD_LINE, "Error in regular expression at line ", DIES, true },
	{ "vsprof", NOTE_NO_FUNCTION, "Error in regular expression at line ", DIES, true },
	{ "vsprof", NOTE_BAD_STACK_LINE, "Error in regular expression at line ", DIES, true },
	{ "vsprof", NOTE_BAD_COUNT, "Error in regular expression at line ", DIES, true },
	{ "vsprof", NOTE_SKIPPED_INDENT, "Error in stack at line ", DIES, true },
};

static const struct spoken *find_spoken(const struct reader *reader, enum note_code code)
{
	for (size_t i = 0; i < ARRAY_SIZE(spoken); i++)
		if (spoken[i].code == code && !strcmp(spoken[i].reader, reader->name))
			return &spoken[i];
	return NULL;
}

/* Prints the messages for notes; -1 if the script would have died at one. */
static int speak(const struct collapse_opts *o, const struct profile *p)
{
	bool filtered = o->choose.event; /* an event was requested: no message about the others */

	for (size_t n = 0; n < p->notes.nr; n++) {
		const struct note *note = &p->notes.note[n];
		const struct spoken *s = find_spoken(o->in.reader, note->code);

		if (!s || (note->code == NOTE_FILTERED && filtered))
			continue;
		filtered |= note->code == NOTE_FILTERED;
		message_peer(stderr, "%s", s->text);
		if (s->numbered)
			message_peer(stderr, "%llu : ", (unsigned long long)note->line);
		message_peer(stderr, "%.*s\n", (int)note->text.size, note->text.at);
		if (s->then == DIES)
			return -1;
	}
	return 0;
}

static int run(const struct collapse_opts *o)
{
	struct error e = ERROR_INIT;
	struct load_result r;
	int ret = collapse(o, &r, NULL, &e), died = speak(o, &r.p);

	print_losses(&r.p);
	if (ret && e.kind != ERROR_PIPE)
		message_peer(stderr, "%s\n", e.text);
	load_release(&r);
	return ret ? 2 : died ? 255 : 0;
}

/* Sets reading and spelling from the options that several scripts share. */
static void settle(struct script_opts *s)
{
	s->o.in.read.drop_threads = !s->thread_names;
	if (s->thread_ids)
		s->o.choose.spell |= SPELL_TID;
	if (s->pool_numbers)
		s->o.choose.spell_not |= SPELL_POOL;
	if (s->short_packages)
		s->o.in.read.packages = PACKAGES_SHORTEN;
	if (s->no_packages)
		s->o.in.read.packages = PACKAGES_DROP;
	s->o.choose.weight = WEIGHT_PERIOD;
	s->o.in.read.threads = load_threads();
	s->o.in.read.ticks = s->o.order == FOLDED_INPUT;
	if (s->o.in.read.addresses)
		s->o.choose.spell |= SPELL_ADDRESS;
	if (s->o.in.read.srcline || s->o.in.read.script.inline_lines)
		s->o.choose.spell |= SPELL_SRCLINE;
	if (s->o.in.read.script.waker_ids)
		s->o.choose.spell |= SPELL_TID | SPELL_LONE_TID;
}

static int script_main(const struct dropin *d, int argc, char **argv)
{
	const struct script *script = d->detail;
	char usage[96];
	struct option_table table = { .usage = usage,
				      .about = script->about,
				      .option = script->option ? script->option : no_options,
				      .syntax = script->awk ? SYNTAX_AWK : SYNTAX_PERL };
	struct script_opts s = { .o = script->defaults, .thread_names = true };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret;

	snprintf(usage, sizeof(usage), "%s [%s] infile > outfile", d->name,
		 script->awk ? "-v NAME=VALUE..." : "options");
	ret = options_parse(&table, &s, argc, argv, &operands, &e);
	if (ret < 0) {
		message_peer(stderr, "%s\nUSAGE: %s\n", e.text, usage);
		ret = script->awk ? 2 : 255;
	} else if (ret > 0) {
		options_help(&table);
		ret = 0;
	} else if (script->needs_file && !operands.nr) {
		options_help(&table);
		ret = 1;
	} else {
		s.o.in.reader = reader_find(span_of(script->reader));
		s.o.in.file = operands.at;
		s.o.in.nr_file = operands.nr;
		settle(&s);
		ret = run(&s.o);
	}
	option_list_release(&operands);
	return ret;
}

const struct dropin dropins_stackcollapse[] = {
	{ "pkgsplit-perf.pl", script_main, &perf_packages },
	{ "stackcollapse-aix.pl", script_main, &aix },
	{ "stackcollapse-bpftrace.pl", script_main, &bpftrace },
	{ "stackcollapse-elfutils.pl", script_main, &elfutils },
	{ "stackcollapse-faulthandler.pl", script_main, &faulthandler },
	{ "stackcollapse-gdb.pl", script_main, &gdb },
	{ "stackcollapse-go.pl", script_main, &go },
	{ "stackcollapse-ibmjava.pl", script_main, &ibmjava },
	{ "stackcollapse-instruments.pl", script_main, &instruments },
	{ "stackcollapse-java-exceptions.pl", script_main, &java_exceptions },
	{ "stackcollapse-jstack.pl", script_main, &jstack },
	{ "stackcollapse-ljp.awk", script_main, &ljp },
	{ "stackcollapse-perf-sched.awk", script_main, &perf_sched },
	{ "stackcollapse-perf.pl", script_main, &perf },
	{ "stackcollapse-pmc.pl", script_main, &pmc },
	{ "stackcollapse-recursive.pl", script_main, &recursive },
	{ "stackcollapse-sample.awk", script_main, &sample },
	{ "stackcollapse-stap.pl", script_main, &stap },
	{ "stackcollapse-vsprof.pl", script_main, &vsprof },
	{ "stackcollapse-vtune-mc.pl", script_main, &vtune_mc },
	{ "stackcollapse-vtune.pl", script_main, &vtune },
	{ "stackcollapse-wcp.pl", script_main, &wcp },
	{ "stackcollapse-xdebug.php", script_main, &xdebug },
	{ "stackcollapse.pl", script_main, &dtrace },
	{ 0 },
};

/*
 * FlameGraph's scripts: stackcollapse*.pl with Getopt::Long's options, .awk
 * with -v NAME=VALUE, .py and .php.  They read files one after the other or
 * standard input, and write to standard output.
 */
#include "base/alloc.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/collapse.h"
#include "dropin/dropin.h"

#include <stdio.h>

struct script_opts {
	struct collapse_opts o;
};

#define AT(field) offsetof(struct script_opts, field)
#define HELP \
	{ \
		"help", 'h', OPTION_HELP, 0, NULL, "show this", 0 \
	}

/* How one script differs from the others. */
struct script {
	const char *reader;
	const struct option *option; /* Getopt::Long's, or awk's; NULL: none but --help */
	bool awk;		     /* the options are variables: -v NAME=VALUE */
	const char *about;
	struct collapse_opts defaults;
};

static const struct option no_options[] = { HELP, { 0 } };

static const struct option perf_options[] = {
	{ "pid", 0, OPTION_BITS, AT(o.spell), NULL, "include PID with process names", SPELL_PID },
	{ "tid", 0, OPTION_BITS, AT(o.spell), NULL, "include TID and PID with process names",
	  SPELL_PID | SPELL_TID },
	{ "inline", 0, OPTION_FLAG, AT(o.read.inlines), NULL, "un-inline using addr2line", 0 },
	{ "context", 0, OPTION_FLAG, AT(o.read.inline_lines), NULL,
	  "adds source context to --inline", 0 },
	{ "all", 0, OPTION_BITS, AT(o.spell), NULL, "all annotations (--kernel --jit)",
	  SPELL_KERNEL | SPELL_JIT },
	{ "kernel", 0, OPTION_BITS, AT(o.spell), NULL, "annotate kernel functions with _[k]",
	  SPELL_KERNEL },
	{ "jit", 0, OPTION_BITS, AT(o.spell), NULL, "annotate jit functions with _[j]", SPELL_JIT },
	{ "srcline", 0, OPTION_FLAG, AT(o.read.srcline), NULL,
	  "add the source lines that perf script -F+srcline printed", 0 },
	{ "addrs", 0, OPTION_FLAG, AT(o.read.addresses), NULL,
	  "include raw addresses where symbols can't be found", 0 },
	{ "event-filter", 0, OPTION_STRING, AT(o.event), "EVENT", "event name filter", 0 },
	HELP,
	{ 0 },
};

static const struct script perf = {
	.reader = "perf",
	.option = perf_options,
	.about = "Folds the output of perf script.",
	.defaults = { .read = { .tidy = TIDY_FIRST_PAREN, .mangled_rust = true },
		      .event_match = EVENT_EXACT },
};

static const struct option perf_sched_options[] = {
	{ "record_tid", 0, OPTION_FLAG, AT(o.read.waker_ids), NULL,
	  "include the thread id with process names", 0 },
	{ "record_wake_stack", 0, OPTION_FLAG, AT(o.read.wake_stacks), NULL,
	  "include the stack of who woke the thread", 0 },
	{ "recurse", 0, OPTION_FLAG, AT(o.read.wake_chains), NULL,
	  "include who woke that one, and so on", 0 },
	HELP,
	{ 0 },
};

static const struct script perf_sched = {
	.reader = "perf-sched",
	.option = perf_sched_options,
	.awk = true,
	.about = "Folds the time off CPU, in us, of perf script's sched events.",
	.defaults = { .read = { .tidy = TIDY_NONE, .offsets = true }, .number = FOLDED_WHOLE },
};

static const struct script perf_packages = {
	.reader = "perf-packages",
	.about = "Folds perf script samples without stacks by the package of their function.",
	.defaults = { .order = FOLDED_INPUT },
};

/* What the scripts say; what is not here they pass over in silence. */
static const struct {
	enum note_code code;
	const char *text;
} spoken[] = {
	{ NOTE_BAD_EVENT, "Unrecognized line: " },
	{ NOTE_BAD_STACK_LINE, "Unrecognized line: " },
	{ NOTE_BAD_LINE, "Unrecognized line: " },
	{ NOTE_NO_PROGRAM, "cannot run " },
	{ NOTE_NO_DEBUG_INFO, "addr2line does not read " },
	{ NOTE_FILTERED, "Filtering for events of type: " },
};

static void tell_notes(const struct profile *p, const struct collapse_opts *o)
{
	bool filtered = o->event; /* who asks for an event needs not be told */

	for (size_t n = 0; n < p->notes.nr; n++) {
		const struct note *note = &p->notes.note[n];

		if (note->code == NOTE_FILTERED) {
			if (filtered)
				continue;
			filtered = true;
		}
		for (size_t k = 0; k < ARRAY_SIZE(spoken); k++)
			if (spoken[k].code == note->code)
				fprintf(stderr, "%s%.*s\n", spoken[k].text, (int)note->text.size,
					note->text.at);
	}
}

static int run(const struct collapse_opts *o)
{
	struct error e = ERROR_INIT;
	struct collapse_result r;
	int ret = collapse(o, &r, &e);

	tell_notes(&r.p, o);
	if (ret && e.kind != ERROR_PIPE)
		fprintf(stderr, "%s\n", e.text);
	collapse_release(&r);
	return ret ? 2 : 0;
}

static int script_main(const struct dropin *d, int argc, char **argv)
{
	const struct script *script = d->detail;
	struct option_table table = { .usage = d->name,
				      .about = script->about,
				      .option = script->option ? script->option : no_options,
				      .syntax = script->awk ? SYNTAX_AWK : SYNTAX_PERL };
	struct script_opts s = { .o = script->defaults };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&table, &s, argc, argv, &operands, &e);

	if (ret < 0) {
		fprintf(stderr, "%s\nUSAGE: %s [options] infile > outfile\n", e.text, d->name);
		ret = script->awk ? 2 : 255;
	} else if (ret > 0) {
		options_help(&table);
		ret = 0;
	} else {
		s.o.reader = reader_find(span_of(script->reader));
		s.o.file = operands.at;
		s.o.nr_file = operands.nr;
		s.o.weight = WEIGHT_PERIOD;
		s.o.read.threads = collapse_threads();
		s.o.read.ticks = s.o.order == FOLDED_INPUT;
		if (s.o.read.addresses)
			s.o.spell |= SPELL_ADDRESS;
		if (s.o.read.srcline || s.o.read.inline_lines)
			s.o.spell |= SPELL_SRCLINE;
		if (s.o.read.waker_ids)
			s.o.spell |= SPELL_TID;
		ret = run(&s.o);
	}
	option_list_release(&operands);
	return ret;
}

const struct dropin dropins_stackcollapse[] = {
	{ "pkgsplit-perf.pl", script_main, &perf_packages },
	{ "stackcollapse-perf-sched.awk", script_main, &perf_sched },
	{ "stackcollapse-perf.pl", script_main, &perf },
	{ 0 },
};

/*
 * inferno: Rust programs with clap's options, env_logger's messages and one
 * input each.
 */
#include "base/alloc.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/collapse.h"
#include "dropin/dropin.h"

#include <stdio.h>

struct inferno_opts {
	struct collapse_opts o;
	struct option_list skip_after;
	bool quiet;
	int verbose;
};

#define AT(field) offsetof(struct inferno_opts, field)

/* What every program of the family has. */
#define COMMON \
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "silence all messages", 0 }, \
		{ "verbose", 'v', OPTION_COUNT, AT(verbose), NULL, "more messages (-v, -vv, -vvv)", \
		  0 }, \
	{ \
		"help", 'h', OPTION_HELP, 0, NULL, "show this", 0 \
	}
#define THREADS \
	{ \
		"nthreads", 'n', OPTION_UINT, AT(o.read.threads), "UINT", "number of threads", 0 \
	}

static const struct option perf_options[] = {
	{ "addrs", 0, OPTION_FLAG, AT(o.read.addresses), NULL,
	  "include raw addresses where symbols can't be found", 0 },
	{ "all", 0, OPTION_BITS, AT(o.spell), NULL, "all annotations (--kernel --jit)",
	  SPELL_KERNEL | SPELL_JIT },
	{ "jit", 0, OPTION_BITS, AT(o.spell), NULL, "annotate jit functions with _[j]", SPELL_JIT },
	{ "kernel", 0, OPTION_BITS, AT(o.spell), NULL, "annotate kernel functions with _[k]",
	  SPELL_KERNEL },
	{ "pid", 0, OPTION_BITS, AT(o.spell), NULL, "include PID with process names", SPELL_PID },
	{ "tid", 0, OPTION_BITS, AT(o.spell), NULL, "include TID and PID with process names",
	  SPELL_PID | SPELL_TID },
	{ "event-filter", 0, OPTION_STRING, AT(o.event), "STRING",
	  "event to keep [the first one in the input]", 0 },
	{ "skip-after", 0, OPTION_LIST, AT(skip_after), "STRING",
	  "omit the callers of this function", 0 },
	THREADS,
	COMMON,
	{ 0 },
};

/* How one program of the family differs from the others. */
struct program {
	const char *reader; /* NULL: guess */
	const struct option *option;
	const char *about;
	bool strict; /* what cannot be read is an error, not a warning */
};

/* What inferno calls the things that go wrong. */
static const struct {
	enum note_code code;
	const char *level, *text;
} spoken[] = {
	{ NOTE_BAD_EVENT, "WARN ", "Weird event line: " },
	{ NOTE_BAD_STACK_LINE, "WARN ", "Weird stack line: " },
};

static void tell_notes(const struct inferno_opts *i, const struct collapse_result *r)
{
	if (i->quiet)
		return;
	for (size_t n = 0; n < r->p.notes.nr; n++) {
		const struct note *note = &r->p.notes.note[n];

		for (size_t k = 0; k < ARRAY_SIZE(spoken); k++)
			if (spoken[k].code == note->code)
				fprintf(stderr, "[%s inferno::collapse] %s%.*s\n", spoken[k].level,
					spoken[k].text, (int)note->text.size, note->text.at);
	}
}

static int run(const struct dropin *d, struct inferno_opts *i)
{
	const struct program *program = d->detail;
	struct collapse_result r;
	struct error e = ERROR_INIT;
	int ret;

	i->o.reader = program->reader ? reader_find(span_of(program->reader)) : NULL;
	i->o.read.strict = program->strict;
	i->o.read.skip_after = i->skip_after.at;
	i->o.read.nr_skip_after = i->skip_after.nr;
	i->o.spell |= SPELL_UTF8;
	if (i->o.read.addresses)
		i->o.spell |= SPELL_ADDRESS;
	ret = collapse(&i->o, &r, &e);
	tell_notes(i, &r);
	if (ret && e.kind != ERROR_PIPE)
		fprintf(stderr, "Error: %s\n", e.text);
	collapse_release(&r);
	return ret ? 1 : 0;
}

static int inferno_main(const struct dropin *d, int argc, char **argv)
{
	const struct program *program = d->detail;
	struct option_table table = { .usage = d->name,
				      .about = program->about,
				      .option = program->option,
				      .syntax = SYNTAX_GNU };
	struct inferno_opts i = {
		.o = { .weight = WEIGHT_PERIOD,
		       .event_match = EVENT_FIRST_PART,
		       .read = { .threads = collapse_threads(), .drop_empty = true } },
	};
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&table, &i, argc, argv, &operands, &e);

	if (!ret && operands.nr > 1)
		ret = error_set(&e, ERROR_USAGE, "unexpected argument '%s' found", operands.at[1]);
	if (ret < 0) {
		fprintf(stderr,
			"error: %s\n\nUsage: %s [OPTIONS] [PATH]\n\n"
			"For more information, try '--help'.\n",
			e.text, d->name);
		ret = 2;
	} else if (ret > 0) {
		options_help(&table);
		ret = 0;
	} else {
		i.o.file = operands.at;
		i.o.nr_file = operands.nr;
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

const struct dropin dropins_inferno[] = {
	{ "inferno-collapse-perf", inferno_main, &perf },
	{ 0 },
};

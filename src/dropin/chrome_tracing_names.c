/*
 * stackcollapse-chrome-tracing.py: argparse's options and messages, and all
 * files read as one trace.
 */
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/collapse.h"
#include "dropin/dropin.h"

#include <stdio.h>

#define USAGE "usage: %s [-h] input_file [input_file ...]\n"

static const struct option options[] = {
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help message and exit", 0 },
	{ 0 },
};

static int usage_error(const struct dropin *d, const char *what)
{
	message_peer(stderr, USAGE "%s: error: %s\n", d->name, d->name, what);
	return 2;
}

/* Prints messages for notes at which the script would fail; wick continues if it can. */
static int print_notes(const struct dropin *d, const struct profile *p)
{
	for (int code = 0; code < NR_NOTE_CODES; code++)
		if (p->notes.count[code] && code != NOTE_NO_END_EVENT)
			message_peer(stderr, "%s: %llu %s\n", d->name,
				     (unsigned long long)p->notes.count[code],
				     note_what((enum note_code)code, p->notes.count[code]));
	return p->notes.count[NOTE_NO_START] ? 1 : 0;
}

static int run(const struct dropin *d, const struct option_list *files)
{
	struct collapse_opts o = {
		.in = { .reader = reader_find(SPAN("chrome-tracing")),
			.file = files->at,
			.nr_file = files->nr,
			.joined = true,
			.read = { .threads = 1, .complete_only = true } },
		.choose = { .weight = WEIGHT_PERIOD, .spell_not = SPELL_THREAD },
		.order = FOLDED_FIRST,
		.number = FOLDED_POINT,
	};
	struct error e = ERROR_INIT;
	struct load_result r;
	int ret = collapse(&o, &r, NULL, &e), status;

	status = print_notes(d, &r.p);
	if (ret && e.kind == ERROR_SYSTEM) {
		error_within(&e, "argument input_file: can't open");
		status = usage_error(d, e.text);
	} else if (ret) {
		if (e.kind != ERROR_PIPE)
			message_peer(stderr, "%s: %s\n", d->name, e.text);
		status = 1;
	}
	load_release(&r);
	return status;
}

static int chrome_tracing_main(const struct dropin *d, int argc, char **argv)
{
	static const struct option_table table = { .option = options, .syntax = SYNTAX_GNU };
	struct option_list files = { 0 };
	struct error e = ERROR_INIT;
	char none; /* no option has a field */
	int ret = options_parse(&table, &none, argc, argv, &files, &e);

	if (ret > 0) {
		printf(USAGE "\nFolds the slices of Chrome traces.\n", d->name);
		ret = 0;
	} else if (ret < 0) {
		ret = usage_error(d, e.text);
	} else if (!files.nr) {
		ret = usage_error(d, "the following arguments are required: input_file");
	} else {
		ret = run(d, &files);
	}
	option_list_release(&files);
	return ret;
}

const struct dropin dropins_chrome_tracing[] = {
	{ "stackcollapse-chrome-tracing.py", chrome_tracing_main, NULL },
	{ 0 },
};

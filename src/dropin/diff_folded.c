/*
 * inferno-diff-folded and difffolded.pl: merge two folded files into one with two counts per line.
 */
#include "base/alloc.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/diff/diff.h"
#include "cmd/print_notes.h"
#include "dropin/dropin.h"
#include "dropin/inferno_log.h"

#include <stdio.h>

struct diff_folded_opts {
	struct diff_opts o;
	struct inferno_log log;
};

#define AT(field) offsetof(struct diff_folded_opts, field)

static const struct option inferno_options[] = {
	{ "normalize", 'n', OPTION_VALUE, AT(o.normalize), NULL, "normalize sample counts",
	  NORMALIZE_TOTAL },
	{ "strip-hex", 's', OPTION_FLAG, AT(o.strip_hex), NULL, "strip hex numbers (addresses)",
	  0 },
	{ "quiet", 'q', OPTION_FLAG, AT(log.quiet), NULL, "silence all messages", 0 },
	{ "verbose", 'v', OPTION_COUNT, AT(log.verbose), NULL, "more messages", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option perl_options[] = {
	{ NULL, 'n', OPTION_VALUE, AT(o.normalize), NULL, "normalize sample counts",
	  NORMALIZE_TOTAL },
	{ NULL, 's', OPTION_FLAG, AT(o.strip_hex), NULL, "strip hex numbers (addresses)", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

struct program {
	struct option_table table;
	bool perl;
};

static const struct program inferno = {
	.table = { .usage = "inferno-diff-folded [OPTIONS] <PATH1> <PATH2>",
		   .about = "Compares two folded files.",
		   .option = inferno_options },
};

static const struct program perl = {
	.table = { .usage = "difffolded.pl [-hns] folded1 folded2",
		   .about = "Compares two folded files.",
		   .option = perl_options },
	.perl = true,
};

static void print_peer_notes(const struct diff_folded_opts *f, const struct notes *notes)
{
	for (size_t i = 0; i < notes->nr; i++) {
		const struct note *n = &notes->note[i];

		if (n->code == NOTE_BAD_LINE || n->code == NOTE_BAD_COUNT)
			inferno_print(&f->log, INFERNO_WARN, "differential",
				      "Unable to parse line: ", n->text);
	}
	if (notes->count[NOTE_FRACTION])
		inferno_print(
			&f->log, INFERNO_WARN, "differential",
			"The input data has fractional sample counts that will be truncated to integers",
			SPAN(""));
}

static int run(const struct program *p, struct diff_folded_opts *f, const struct option_list *files)
{
	struct diff_result r;
	struct error e = ERROR_INIT;
	int ret;

	f->o.in.reader = reader_find(SPAN("folded"));
	f->o.choose.weight = WEIGHT_PERIOD;
	f->o.choose.spell = SPELL_MARKS;
	f->o.in.read.folded.cut_fractions = !p->perl;
	f->o.in.read.folded.trim_names = !p->perl;
	f->o.in.read.folded.empty_leaf = true;
	f->o.in.read.threads = load_threads();
	f->o.before = files->at;
	f->o.after = files->at + 1;
	f->o.nr_before = f->o.nr_after = 1;
	ret = diff(&f->o, &r, &e);
	if (!p->perl)
		print_peer_notes(f, &r.p.notes);
	if (!f->log.quiet)
		print_losses(&r.p);
	if (ret && e.kind != ERROR_PIPE) {
		/* If no line was written, reading failed. */
		const char *reading = p->perl && !r.nr_line ? "Can't read " : "";

		message_peer(stderr, "%s: %s%s\n", p->perl ? "ERROR" : "Error", reading, e.text);
	}
	diff_release(&r);
	return ret ? (p->perl ? 2 : 1) : 0;
}

static int diff_folded_main(const struct dropin *d, int argc, char **argv)
{
	const struct program *p = d->detail;
	struct diff_folded_opts f = { 0 };
	struct option_list files = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&p->table, &f, argc, argv, &files, &e);

	if (!ret && files.nr != 2)
		ret = error_set(&e, ERROR_USAGE, "two files are needed");
	if (ret > 0) {
		options_help(&p->table);
		ret = 0;
	} else if (ret < 0) {
		message_peer(stderr, "error: %s\n\nUsage: %s\n", e.text, p->table.usage);
		ret = 2;
	} else {
		ret = run(p, &f, &files);
	}
	option_list_release(&files);
	return ret;
}

const struct dropin dropins_diff_folded[] = {
	{ "inferno-diff-folded", diff_folded_main, &inferno },
	{ "difffolded.pl", diff_folded_main, &perl },
	{ 0 },
};

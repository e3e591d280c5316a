#include "cmd/diff.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/diff_lines.h"
#include "cmd/diff_report.h"
#include "cmd/filtering.h"
#include "cmd/flame.h"
#include "cmd/sides.h"
#include "cmd/tell.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

int diff(const struct diff_opts *o, struct diff_result *r, struct error *e)
{
	int ret = diff_lines(o, r, e);

	if (ret)
		return ret < 0 ? -1 : 0;
	return diff_read(o, r, e) ? -1 : diff_write(o, r, e);
}

/* The command */

enum { COUNTS_UNKNOWN, COUNTS_SAMPLES };

enum {
	NORMALIZE_DEFAULT = -1, /* none for folded stacks, total for reports and pictures */
	STATUS_REGRESSION = 3,
};

struct command {
	struct diff_opts o;
	struct diff_report_opts report;
	struct filtering filtering;
	struct option_list output;
	struct flame_output *picture; /* the outputs that are pictures */
	size_t nr_picture;
	const char *title;
	bool quiet, verbose, wants_report;
	int normalize, counts;
	double confidence, fail_above;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "normalize", 0, OPTION_CHOICE, AT(normalize), "none|total|duration",
	  "hold changes against nothing, the total or the time [folded: none, else total]", 0 },
	{ NULL, 'n', OPTION_VALUE, AT(normalize), NULL, "--normalize total", NORMALIZE_TOTAL },
	{ "strip-hex", 's', OPTION_FLAG, AT(o.strip_hex), NULL,
	  "addresses in names are all the same", 0 },
	{ "report", 0, OPTION_FLAG, AT(wants_report), NULL,
	  "print what changed by more than the noise, to standard output", 0 },
	{ "fail-above", 0, OPTION_NUMBER, AT(fail_above), "POINTS",
	  "--report, and exit with 3 when a function became that much slower", 0 },
	{ "counts", 0, OPTION_CHOICE, AT(counts), "unknown|samples",
	  "what those of folded text are: only of samples noise can be told [unknown]", 0 },
	{ "confidence", 0, OPTION_NUMBER, AT(confidence), "PERCENT",
	  "of all that is claimed together [95]", 0 },
	{ "top", 0, OPTION_UINT, AT(report.most), "N", "rows of a table of the report [20]", 0 },
	COLLAPSE_EVENT_OPTIONS(o.in),
	FILTERING_OPTIONS(filtering),
	{ "threads", 0, OPTION_UINT, AT(o.in.read.threads), "N", "read with N threads [all]", 0 },
	{ "output", 'o', OPTION_LIST, AT(output), "FILE",
	  "write there; an .svg, .html or .wick is a picture of it; may be given several times [standard output]",
	  0 },
	{ "title", 0, OPTION_STRING, AT(title), "TEXT", "of the picture [Before and after]", 0 },
	{ "anonymize", 0, OPTION_FLAG, AT(o.in.anonymize), NULL,
	  "leave out host, user, command line and paths: for files that strangers see", 0 },
	NAMING_OPTIONS(o.in.naming),
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "do not say what was left out", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list what was left out, with lines", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

const struct option_table diff_table = {
	.usage = "wick diff [options] BEFORE AFTER\n"
		 "       wick diff [options] BEFORE... -- AFTER...",
	.about =
		"Compares two profiles of any format: folded stacks with two counts, before and after,\n"
		"which `wick flame` draws.  Several files of a side are runs of the same: they are added\n"
		"up, and how much they differ tells what is noise.",
	.option = options,
	.after = FILTERING_AFTER,
	.syntax = SYNTAX_GNU,
};

/* The index of "--" among the arguments; argc if there is none. */
static int find_dashes(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return i;
	return argc;
}

static size_t nr_standard_input(const char *const *file, size_t nr)
{
	size_t found = 0;

	for (size_t i = 0; i < nr; i++)
		found += !strcmp(file[i], "-");
	return found;
}

/* -1 if standard input is used twice, or an option seems to stand behind --. */
static int check_sides(const struct command *c, bool dashes, struct error *e)
{
	const struct diff_opts *o = &c->o;

	if (nr_standard_input(o->before, o->nr_before) + nr_standard_input(o->after, o->nr_after) >
	    1)
		return error_set(e, ERROR_USAGE, "-: standard input can be read once only");
	for (size_t i = 0; dashes && i < o->nr_after; i++)
		if (o->after[i][0] == '-' && o->after[i][1] && access(o->after[i], F_OK)) {
			error_set(e, ERROR_USAGE, "%s: there is no such file", o->after[i]);
			return error_hint(e, "options stand before --");
		}
	return 0;
}

static int set_sides(struct command *c, const struct option_list *files, int argc, char **argv,
		     struct error *e)
{
	int dashes = find_dashes(argc, argv);

	if (dashes < argc) {
		c->o.before = files->at;
		c->o.nr_before = files->nr;
		c->o.after = (const char *const *)argv + dashes + 1;
		c->o.nr_after = (size_t)(argc - dashes - 1);
	} else if (files->nr == 2) {
		c->o.before = files->at;
		c->o.after = files->at + 1;
		c->o.nr_before = c->o.nr_after = 1;
	}
	if (c->o.nr_before && c->o.nr_after)
		return check_sides(c, dashes < argc, e);
	return error_set(e, ERROR_USAGE, "two files are compared, or several before and after --");
}

/* Folded stacks: the name has no ending, or one of these. */
static bool is_folded(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');

	return !dot || !strcmp(dot, ".folded") || !strcmp(dot, ".txt") || !dot[1];
}

/* Sorts the outputs into pictures, any number, and folded stacks, at most one. */
static int set_outputs(struct command *c, struct error *e)
{
	if (flame_paths_check(c->output.at, c->output.nr, e))
		return -1;
	c->picture = xcalloc(c->output.nr, sizeof(*c->picture));
	for (size_t i = 0; i < c->output.nr; i++) {
		const char *path = c->output.at[i];
		struct flame_output *to = &c->picture[c->nr_picture];

		if (flame_format_find(path, &to->format)) {
			to->path = path;
			c->nr_picture++;
		} else if (!is_folded(path)) {
			error_set(e, ERROR_USAGE,
				  "%s: the name of the file does not tell its format", path);
			return error_hint(e, "let it end in .svg, .html, .wick, .folded or .txt");
		} else if (c->o.in.output) {
			return error_set(e, ERROR_USAGE,
					 "%s and %s: folded stacks are written to one file",
					 c->o.in.output, path);
		} else {
			c->o.in.output = path;
		}
	}
	return 0;
}

/* By default reports and pictures (judged) compare shares, and folded stacks keep their counts. */
static enum normalize normalize_of(const struct command *c, bool judged)
{
	if (c->normalize != NORMALIZE_DEFAULT)
		return (enum normalize)c->normalize;
	return judged ? NORMALIZE_TOTAL : NORMALIZE_NONE;
}

static int check(struct command *c, struct error *e)
{
	if (!(c->confidence > 0 && c->confidence < 100))
		return error_set(e, ERROR_USAGE, "--confidence: it is between 0 and 100 percent");
	c->o.confidence = c->confidence / 100;
	c->o.counts_are_samples = c->counts == COUNTS_SAMPLES;
	c->report.fails = !isnan(c->fail_above);
	if (c->fail_above < 0)
		return error_set(e, ERROR_USAGE, "--fail-above: it is 0 points or more");
	c->report.fail_above = c->fail_above / 100;
	c->wants_report |= c->report.fails;
	if (set_outputs(c, e))
		return -1;
	c->o.normalize = normalize_of(c, c->wants_report || c->nr_picture);
	return filtering_parse(&c->filtering, &c->o.in.filter, e);
}

/* Frames are as wide as their wider side, so what is gone in `after` is still visible. */
static int draw(const struct command *c, struct diff_result *r, struct error *e)
{
	bool is_before[] = { true, false }, is_after[] = { false, true };
	struct chosen chosen = { .nr_column = 2,
				 .in = { is_before, is_after },
				 .spelling = r->spelling };
	struct flame_opts o = { .in = c->o.in,
				.output = c->picture,
				.nr_output = c->nr_picture,
				.svg = SVG_OPTS_DEFAULT,
				.shade = SHADE_NAME,
				.min_pixels = 1,
				.either = true,
				.not_normalized = c->o.normalize != NORMALIZE_TOTAL,
				.run_time =
					c->o.normalize == NORMALIZE_DURATION ? r->run_time : NULL,
				.nr_run = { c->o.nr_before, c->o.nr_after },
				.confidence = c->o.confidence };
	struct flame_result picture = { .in = { .p = r->p, .spelling = r->spelling } };
	int ret;

	o.svg.title = c->title ? c->title : "Before and after";
	o.svg.count_name = NULL;
	o.svg.root_on_top = true;
	ret = flame_draw(&o, &picture, &chosen, e);
	if (!ret && picture.empty)
		ret = collapse_nothing(&o.in, e);
	for (size_t i = 0; !ret && !c->quiet && i < c->nr_picture; i++)
		flame_tell(&o, &picture, &c->picture[i]);
	/* Take the profile back from flame_draw(). */
	r->p = picture.in.p;
	profile_init(&picture.in.p);
	flame_release(&picture);
	return ret;
}

/* Pictures first: folded stacks are normalized in place. */
static int write_outputs(const struct command *c, struct diff_result *r, struct error *e)
{
	struct diff_opts folded = c->o;

	folded.normalize = normalize_of(c, false);
	if (c->nr_picture && draw(c, r, e))
		return -1;
	return c->o.in.output ? diff_write(&folded, r, e) : 0;
}

/* "before has page-faults, after has cpu-clock: …" */
static void tell_events(const struct profile *p)
{
	struct strbuf text = { 0 };

	sides_list_events(p, &text);
	message("%s: two different things are compared (--event chooses one)", text.at);
	strbuf_release(&text);
}

/* The exit status, or -1. */
static int run(struct command *c, struct error *e)
{
	struct diff_result r;
	int ret;

	c->o.in.read.ticks = c->filtering.time != NULL;
	if (!c->wants_report && !c->nr_picture) {
		ret = diff(&c->o, &r, e);
	} else {
		ret = diff_read(&c->o, &r, e);
		if (!ret && c->wants_report)
			ret = diff_report(&c->o, &r, &c->report, e);
		if (ret >= 0 && write_outputs(c, &r, e))
			ret = -1;
	}
	tell_notes(&r.p, c->quiet ? TELL_NOTHING : c->verbose ? TELL_EACH : TELL_SUM);
	if (r.other_event && !c->quiet)
		tell_events(&r.p);
	diff_release(&r);
	return ret > 0 ? STATUS_REGRESSION : ret;
}

int diff_main(int argc, char **argv)
{
	struct command c = { .o = { .in = { .spell = SPELL_MARKS,
					    .read = { .threads = collapse_threads() } } },
			     .report = { .most = 20 },
			     .normalize = NORMALIZE_DEFAULT,
			     .confidence = 95,
			     .fail_above = NAN };
	struct option_list files = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&diff_table, &c, find_dashes(argc, argv), argv, &files, &e);

	if (ret > 0) {
		options_help(&diff_table);
		return 0;
	}
	if (!ret)
		ret = set_sides(&c, &files, argc, argv, &e);
	if (!ret)
		ret = check(&c, &e);
	if (!ret)
		ret = run(&c, &e);
	option_list_release(&files);
	option_list_release(&c.output);
	free(c.picture);
	filtering_release(&c.filtering);
	return message_result(ret, &e);
}

#include "cmd/diff/diff.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/diff/diff_lines.h"
#include "cmd/diff/diff_report.h"
#include "cmd/diff/sides.h"
#include "cmd/flame.h"
#include "cmd/print_notes.h"
#include "load/filtering.h"
#include "render/number.h"
#include "write/formats.h"

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
enum { MATCH_POSITION, MATCH_NAME };

enum {
	NORMALIZE_DEFAULT = -1, /* none for folded stacks, total for reports and pictures */
	STATUS_REGRESSION = 3,
};

struct command {
	struct diff_opts o;
	struct diff_report_opts report;
	struct filtering filtering;
	struct option_list output;
	struct sink *picture; /* the outputs that are pictures */
	size_t nr_picture;
	const char *title;
	bool quiet, verbose, wants_report, keep_interrupts, json, markdown;
	int match;
	int normalize, counts, to;
	double confidence, fail_above;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "normalize", 0, OPTION_CHOICE, AT(normalize), "none|total|duration",
	  "scale both sides to equal totals or equal durations [total; none for folded output]",
	  0 },
	{ NULL, 'n', OPTION_VALUE, AT(normalize), NULL, "same as --normalize total",
	  NORMALIZE_TOTAL },
	{ "strip-hex", 's', OPTION_FLAG, AT(o.strip_hex), NULL,
	  "treat all hexadecimal addresses in names as equal", 0 },
	{ "report", 0, OPTION_FLAG, AT(wants_report), NULL,
	  "print significant changes to standard output", 0 },
	{ "json", 0, OPTION_FLAG, AT(json), NULL, "print the report as JSON", 0 },
	{ "markdown", 0, OPTION_FLAG, AT(markdown), NULL, "print the report as Markdown", 0 },
	{ "fail-above", 0, OPTION_NUMBER, AT(fail_above), "POINTS",
	  "print the report, and exit with status 3 if a function got slower by more than POINTS percentage points",
	  0 },
	{ "counts", 0, OPTION_CHOICE, AT(counts), "unknown|samples",
	  "whether the counts in folded stacks are samples, as significance requires [unknown]",
	  0 },
	{ "confidence", 0, OPTION_NUMBER, AT(confidence), "PERCENT",
	  "confidence that all reported changes are real [95]", 0 },
	{ "match-process", 0, OPTION_CHOICE, AT(match), "position|name",
	  "match processes and threads by name only, or renamed ones also by position [position]",
	  0 },
	{ "keep-interrupts", 0, OPTION_FLAG, AT(keep_interrupts), NULL,
	  "also compare interrupts and preemption, which depend on other processes", 0 },
	{ "top", 0, OPTION_UINT, AT(report.most), "N", "rows per table of the report [20]", 0 },
	FORMAT_FROM_OPTION(o.in.from),
	CHOOSE_OPTIONS(o.choose),
	FILTERING_OPTIONS(filtering),
	{ "threads", 0, OPTION_UINT, AT(o.in.read.threads), "N",
	  "number of reader threads [one per CPU]", 0 },
	{ "output", 'o', OPTION_LIST, AT(output), "FILE",
	  "output file; the extension (.svg, .html, .wick, .folded) selects the format; repeatable [standard output]",
	  0 },
	FORMAT_COMPARISON_TO_OPTION(to),
	{ "title", 0, OPTION_STRING, AT(title), "TEXT", "title [Before and after]", 0 },
	{ "anonymize", 0, OPTION_FLAG, AT(o.in.anonymize), NULL,
	  "remove host, user, command line and paths, for sharing", 0 },
	NAMING_OPTIONS(o.in.naming),
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "do not report dropped data", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list dropped data, with line numbers",
	  0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option_words values[] = { FORMAT_FROM_WORDS, { 0 } };

const struct option_table diff_table = {
	.usage = "wick diff [options] BEFORE AFTER\n"
		 "       wick diff [options] BEFORE... -- AFTER...",
	.about =
		"Compares two profiles of any format.  The output is folded stacks with two counts, before and\n"
		"after, which `wick flame` draws.  Several files on a side are runs of the same program: they\n"
		"are added up, and their variation shows which changes are noise.",
	.option = options,
	.after = FILTERING_AFTER,
	.syntax = SYNTAX_GNU,
	.words = values,
};

static size_t nr_standard_input(const char *const *file, size_t nr)
{
	size_t found = 0;

	for (size_t i = 0; i < nr; i++)
		found += !strcmp(file[i], "-");
	return found;
}

/* -1 if standard input is used twice, or an argument after -- looks like an option. */
static int check_sides(const struct command *c, bool dashes, struct error *e)
{
	const struct diff_opts *o = &c->o;

	if (nr_standard_input(o->before, o->nr_before) + nr_standard_input(o->after, o->nr_after) >
	    1)
		return error_set(e, ERROR_USAGE, "-: standard input can only be read once");
	for (size_t i = 0; dashes && i < o->nr_after; i++)
		if (o->after[i][0] == '-' && o->after[i][1] && access(o->after[i], F_OK)) {
			error_set(e, ERROR_USAGE, "%s: No such file or directory", o->after[i]);
			return error_hint(e, "options must come before --");
		}
	return 0;
}

static int set_sides(struct command *c, const struct option_list *files, int argc, char **argv,
		     struct error *e)
{
	int dashes = options_dashes(argc, argv);

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
	error_set(e, ERROR_USAGE, "expected two files, or several on each side of --");
	return error_hint(e, "wick diff BEFORE AFTER, or wick diff BEFORE... -- AFTER...");
}

/* Folded stacks: the name has no extension, or one of these. */
static bool is_folded(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');

	return !dot || !strcmp(dot, ".folded") || !strcmp(dot, ".txt") || !dot[1];
}

/* The hint for two formats: the report has them, on standard output. */
static int no_comparison(const char *path, enum format format, struct error *e)
{
	const char *name = format_writer(format)->name;

	error_set(e, ERROR_USAGE, "%s: %s cannot hold a comparison", path, name);
	if (format == FORMAT_JSON || format == FORMAT_MARKDOWN)
		error_hint(e, "--%s prints the report as %s to standard output", name, name);
	return -1;
}

/* Sorts the outputs into pictures, any number, and folded stacks, at most one. */
static int set_outputs(struct command *c, struct error *e)
{
	const char *const standard_output = "-";
	bool piped = !c->output.nr && c->to != FORMAT_BY_NAME;
	const char *const *at = piped ? &standard_output : c->output.at;
	size_t nr = piped ? 1 : c->output.nr;

	if (sinks_check_paths(at, nr, e))
		return -1;
	c->picture = xcalloc(nr, sizeof(*c->picture));
	for (size_t i = 0; i < nr; i++) {
		const char *path = at[i];
		struct sink *to = &c->picture[c->nr_picture];

		/* A name without an extension is for folded stacks. */
		to->format = FORMAT_FOLDED;
		if ((c->to != FORMAT_BY_NAME || !is_folded(path)) &&
		    format_choose(path, c->to, FORMAT_FOLDED, &to->format, e))
			return -1;
		if (!(format_writer(to->format)->holds & HOLDS_COMPARISON))
			return no_comparison(path, to->format, e);
		if (format_is_picture(to->format)) {
			to->path = path;
			c->nr_picture++;
		} else if (c->o.output) {
			return error_set(e, ERROR_USAGE,
					 "%s and %s: only one output file for folded stacks",
					 c->o.output, path);
		} else {
			c->o.output = path;
		}
	}
	return 0;
}

/* By default, reports and pictures (`judged`) compare shares, and folded stacks keep their counts. */
static enum normalize normalize_of(const struct command *c, bool judged)
{
	if (c->normalize != NORMALIZE_DEFAULT)
		return (enum normalize)c->normalize;
	return judged ? NORMALIZE_TOTAL : NORMALIZE_NONE;
}

static int check(struct command *c, struct error *e)
{
	if (!(c->confidence > 0 && c->confidence < 100))
		return error_set(e, ERROR_USAGE, "--confidence must be between 0 and 100 %%");
	c->o.confidence = c->confidence / 100;
	c->o.counts_are_samples = c->counts == COUNTS_SAMPLES;
	c->report.fails = !isnan(c->fail_above);
	if (c->fail_above < 0)
		return error_set(e, ERROR_USAGE, "--fail-above must not be negative");
	c->report.fail_above = c->fail_above / 100;
	if (c->json && c->markdown)
		return error_set(e, ERROR_USAGE, "--json and --markdown are mutually exclusive");
	c->report.format = c->json ? DIFF_JSON : c->markdown ? DIFF_MARKDOWN : DIFF_TEXT;
	c->wants_report |= c->report.fails || c->json || c->markdown;
	if (set_outputs(c, e))
		return -1;
	c->o.judged = c->wants_report || c->nr_picture;
	c->o.normalize = normalize_of(c, c->o.judged);
	c->o.match_roots = c->match == MATCH_POSITION;
	/* Folded stacks cannot hold what is set apart. */
	c->o.set_apart = !c->keep_interrupts && c->o.judged;
	if (filtering_parse(&c->filtering, &c->o.choose.filter, e))
		return -1;
	/* Programs and threads may have another name on the other side. */
	c->filtering.filter.some = true;
	return 0;
}

static int write_pictures(const struct command *c, const struct diff_result *r,
			  const struct chosen *chosen, struct drawing *d, struct error *e)
{
	struct write_what what = sink_what(&r->p, chosen, c->o.choose.event);

	what.drawing = d;
	if (drawing_peek(d)->empty)
		return choose_nothing(&c->o.choose, e);
	for (size_t i = 0; i < c->nr_picture; i++)
		if (sink_write(&c->picture[i], &what, e))
			return -1;
	return 0;
}

/* Frames are as wide as their wider side, so what is gone in `after` is still visible. */
static int draw(const struct command *c, const struct diff_result *r, struct error *e)
{
	bool is_before[DIFF_EVENTS] = { [EVENT_BEFORE] = true },
	     is_after[DIFF_EVENTS] = { [EVENT_AFTER] = true };
	const struct chosen chosen = { .nr_column = 2,
				       .in = { is_before, is_after },
				       .spelling = r->spelling,
				       .input_spelling = r->spelling };
	struct draw_opts o = DRAW_OPTS_DEFAULT;
	struct drawing *d;
	int ret;

	o.svg.title = c->title ? c->title : "Before and after";
	o.packs = true;
	o.either = true;
	o.not_normalized = c->o.normalize != NORMALIZE_TOTAL;
	o.run_size = c->o.normalize == NORMALIZE_TOTAL ? NULL : r->run_size;
	o.in_time = c->o.normalize == NORMALIZE_DURATION;
	o.nr_run[0] = c->o.nr_before;
	o.nr_run[1] = c->o.nr_after;
	o.confidence = c->o.confidence;
	d = drawing_new(&o, e);
	ret = !d || drawing_make(d, &r->p, &chosen, e) || write_pictures(c, r, &chosen, d, e) ? -1
											      : 0;
	for (size_t i = 0; !ret && !c->quiet && i < c->nr_picture; i++)
		flame_print_written(&c->picture[i], &o, &r->p, drawing_peek(d));
	drawing_free(d);
	return ret;
}

/* Pictures first: folded stacks are normalized in place. */
static int write_outputs(const struct command *c, struct diff_result *r, struct error *e)
{
	struct diff_opts folded = c->o;

	folded.normalize = normalize_of(c, false);
	if (c->nr_picture && draw(c, r, e))
		return -1;
	return c->o.output ? diff_write(&folded, r, e) : 0;
}

/* "before has page-faults, after has cpu-clock: …" */
static void print_events(const struct profile *p)
{
	struct strbuf text = { 0 };

	sides_list_events(p, &text);
	message("%s: comparing different events; choose one with --event", text.at);
	strbuf_release(&text);
}

/* Reports what was done to make the sides comparable. */
static void print_adjustments(const struct command *c, const struct diff_result *r)
{
	struct strbuf text = { 0 };

	for (size_t i = 0; i < r->matches.nr; i++)
		message("comparing %s with %s; --match-process name compares by name only",
			r->matches.at[i].before, r->matches.at[i].after);
	if (r->no_kernel)
		message("some files have samples of user code only (:u): samples in the kernel are excluded");
	if (!c->wants_report && (r->apart[0] > 0 || r->apart[1] > 0)) {
		struct span unit = profile_peek(&r->p, r->p.event[EVENT_AFTER].unit);

		if (r->basis == BASIS_SAMPLES)
			unit = SPAN("samples");
		number_add_count(&text, r->apart[0], unit);
		strbuf_add(&text, SPAN(" before, "));
		number_add_count(&text, r->apart[1], unit);
		message("interrupts and preemption excluded: %s after (--keep-interrupts includes them)",
			text.at);
		strbuf_reset(&text);
	}
	if (!c->wants_report && r->basis == BASIS_SAMPLES && sides_list_sampling(&r->p, &text))
		message("%s", text.at);
	strbuf_release(&text);
}

/* The exit status, or -1. */
static int run(struct command *c, struct error *e)
{
	struct diff_result r;
	int ret;

	c->o.in.read.cpus |= choose_needs_labels(&c->o.choose);
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
	/* Each file has hints of its own, mostly the same. */
	print_notes_below(&r.p, c->quiet ? NOTES_HIDDEN : c->verbose ? NOTES_EACH : NOTES_SUMMED);
	if (r.other_event && !c->quiet)
		print_events(&r.p);
	if (ret >= 0 && !c->quiet)
		print_adjustments(c, &r);
	diff_release(&r);
	return ret > 0 ? STATUS_REGRESSION : ret;
}

int diff_main(int argc, char **argv)
{
	struct command c = { .o = { .in = { .read = { .threads = load_threads() } },
				    .choose = { .spell = SPELL_MARKS } },
			     .report = { .most = 20 },
			     .normalize = NORMALIZE_DEFAULT,
			     .to = FORMAT_BY_NAME,
			     .confidence = 95,
			     .fail_above = NAN };
	struct option_list files = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&diff_table, &c, options_dashes(argc, argv), argv, &files, &e);

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

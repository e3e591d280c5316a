#include "cmd/flame.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cmd/filtering.h"
#include "cmd/formats.h"
#include "cmd/tell.h"
#include "render/number.h"

#include <math.h>
#include <stdlib.h>

bool flame_format_find(const char *path, enum flame_format *format)
{
	enum format found;

	if (!format_find(path, &found))
		return false;
	switch (found) {
	case FORMAT_SVG:
		*format = FLAME_SVG;
		return true;
	case FORMAT_HTML:
		*format = FLAME_HTML;
		return true;
	case FORMAT_WICK:
		*format = FLAME_WICK;
		return true;
	case FORMAT_FOLDED:
	case FORMAT_DATA:
		return false;
	}
	return false;
}

int flame_paths_check(const char *const *path, size_t nr, struct error *e)
{
	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(path[i], path[k]))
				return error_set(e, ERROR_USAGE, "%s would be written twice",
						 path[i]);
	return 0;
}

bool flame_keeps_events(const struct flame_output *output, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (output[i].format == FLAME_SVG)
			return false;
	return true;
}

struct command {
	struct flame_opts o;
	struct progress progress;
	struct option_list output;
	struct filtering filtering;
	struct flame_output *outputs;
	bool quiet, verbose, flame;
	int order, format;
	const char *palette, *color;
	double min_pixels, width; /* NAN: not given */
};

enum { ORDER_NAME, ORDER_WIDTH, ORDER_TIME };
enum { FORMAT_BY_NAME = -1, MAX_WIDTH = 1000000 };

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "output", 'o', OPTION_LIST, AT(output), "FILE",
	  "write there: FILE.svg, .html or .wick; may be given several times [flame.svg]", 0 },
	{ "format", 0, OPTION_CHOICE, AT(format), "svg|html|wick",
	  "of all files, whatever they are called", 0 },
	{ "static", 0, OPTION_FLAG, AT(o.is_static), NULL,
	  "an SVG that is nothing but a picture: no script, no data", 0 },
	{ "title", 0, OPTION_STRING, AT(o.svg.title), "TEXT", "over the picture [Flame Graph]", 0 },
	{ "subtitle", 0, OPTION_STRING, AT(o.svg.subtitle), "TEXT", "below the title", 0 },
	{ "notes", 0, OPTION_STRING, AT(o.svg.notes), "TEXT", "kept in the file, not shown", 0 },
	{ "flame", 0, OPTION_FLAG, AT(flame), NULL, "root at the bottom, not on top", 0 },
	{ "reverse", 0, OPTION_FLAG, AT(o.reverse), NULL, "from the leaf: who called it", 0 },
	FILTERING_OPTIONS(filtering),
	{ "sort", 0, OPTION_CHOICE, AT(order), "name|width|time",
	  "order of what a function calls [name]", 0 },
	{ "flamechart", 0, OPTION_FLAG, AT(o.chart), NULL,
	  "the same as --sort time: when it ran, each thread by itself", 0 },
	{ "color", 0, OPTION_STRING, AT(color), "BY",
	  "kind (user, library, kernel, inlined, JIT), module, function, self or diff [kind; diff of a comparison]",
	  0 },
	{ "palette", 0, OPTION_STRING, AT(palette), "PALETTE",
	  "instead: hot, mem, io, red, green, blue, yellow, purple, aqua, orange, java, js, perl, python, rust, wakeup or chain",
	  0 },
	{ "width", 0, OPTION_NUMBER, AT(width), "PIXELS",
	  "of the picture [1200, then that of the window]", 0 },
	{ "min-width", 0, OPTION_NUMBER, AT(min_pixels), "PIXELS",
	  "draw no narrower frames before one zooms in [1; 0.5 with --static]", 0 },
	{ "count-name", 0, OPTION_STRING, AT(o.svg.count_name), "TEXT",
	  "what is counted [samples, or the event's unit]", 0 },
	COLLAPSE_EVENT_OPTIONS(o.in),
	NAMING_OPTIONS(o.in.naming),
	{ "anonymize", 0, OPTION_FLAG, AT(o.in.anonymize), NULL,
	  "leave out host, user, command line and paths: for files that strangers see", 0 },
	{ "threads", 'n', OPTION_UINT, AT(o.in.read.threads), "N", "read with N threads [all]", 0 },
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "say nothing but errors", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list what was left out, with lines", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

static const struct option_words values[] = {
	{ "BY", "kind|module|function|self|diff" },
	{ "PALETTE",
	  "hot|mem|io|red|green|blue|yellow|purple|aqua|orange|java|js|perl|python|rust|wakeup|chain" },
	{ 0 },
};

const struct option_table flame_table = {
	.usage = "wick flame [options] [FILE...] -o OUT.svg|OUT.html|OUT.wick",
	.about =
		"Draws what a profiler wrote, in any format that `wick collapse` reads, as a flame graph.\n"
		"Several files are added up; without one, standard input is read.  An .svg is a picture\n"
		"anywhere and can be zoomed and searched in a browser; an .html is a whole viewer; a .wick\n"
		"is only the data.  Each holds all of the profile, and wick reads it back.",
	.option = options,
	.after = FILTERING_AFTER,
	.syntax = SYNTAX_GNU,
	.words = values,
};

/* "wrote flame.html: 1 234 samples, 567 stacks (open it in a browser)" */
void flame_tell(const struct flame_opts *o, const struct flame_result *r,
		const struct flame_output *to)
{
	static const char *const hints[] = { " (open it in a browser)", " (open it in a browser)",
					     "" };
	struct strbuf text = { 0 };

	if (!strcmp(to->path, "-"))
		return;
	number_add_count(&text, r->total, span_of(r->unit));
	strbuf_add(&text, SPAN(", "));
	number_add_count(&text, (double)r->nr_stack,
			 r->nr_stack == 1 ? SPAN("stack") : SPAN("stacks"));
	message("wrote %s: %s%s", to->path, text.at, o->is_static ? "" : hints[to->format]);
	strbuf_release(&text);
}

static void tell(const struct command *c, const struct flame_result *r)
{
	if (c->quiet)
		return;
	tell_notes(&r->in.p, c->verbose ? TELL_EACH : TELL_SUM);
	for (size_t i = 0; i < c->o.nr_output; i++)
		flame_tell(&c->o, r, &c->o.output[i]);
}

static int no_palette(const char *name, struct error *e)
{
	error_set(e, ERROR_USAGE, "--palette: '%s' is none of ", name);
	for (int i = 0; i < NR_PALETTES; i++)
		error_add(e, "%s%s", i ? ", " : "", palette_name((enum palette)i));
	return -1;
}

static int set_colors(struct command *c, struct error *e)
{
	c->o.has_palette = c->palette != NULL;
	if (c->palette && !palette_find(span_of(c->palette), &c->o.palette))
		return no_palette(c->palette, e);
	if (c->palette && c->color)
		return error_set(e, ERROR_USAGE, "--color and --palette: it is one or the other");
	c->o.scheme_given = c->color != NULL;
	if (c->color && !color_scheme_find(span_of(c->color), &c->o.scheme))
		return error_set(e, ERROR_USAGE,
				 "--color: '%s' is none of kind, module, function, self, diff",
				 c->color);
	return 0;
}

/* Files and their formats; a file is never written twice. */
static int set_outputs(struct command *c, struct error *e)
{
	static const char *const by_default[] = { "flame.svg" };
	const char *const *path = c->output.nr ? c->output.at : by_default;
	size_t nr = c->output.nr ? c->output.nr : 1;

	if (flame_paths_check(path, nr, e))
		return -1;
	c->outputs = xcalloc(nr, sizeof(*c->outputs));
	for (size_t i = 0; i < nr; i++) {
		struct flame_output *to = &c->outputs[i];

		to->path = path[i];
		/* A pipe has no name: it gets an SVG, as from other programs. */
		to->format = c->format == FORMAT_BY_NAME ? FLAME_SVG : (enum flame_format)c->format;
		if (c->format == FORMAT_BY_NAME && strcmp(path[i], "-") != 0 &&
		    !flame_format_find(path[i], &to->format)) {
			error_set(e, ERROR_USAGE,
				  "%s: the name of the file does not tell its format", path[i]);
			return error_hint(
				e, "let it end in .svg, .html or .wick, or name one with --format");
		}
		if (c->o.is_static && to->format != FLAME_SVG)
			return error_set(e, ERROR_USAGE, "--static is for an .svg, and %s is none",
					 path[i]);
	}
	/* Pages can show times, processors and source lines, so the pack has to hold them. */
	c->o.in.read.times = c->o.in.read.cpus = c->o.in.read.srcline = !c->o.is_static;
	c->o.in.keeps_events = flame_keeps_events(c->outputs, nr);
	c->o.output = c->outputs;
	c->o.nr_output = nr;
	return 0;
}

static int set_opts(struct command *c, struct error *e)
{
	c->o.order = c->order == ORDER_WIDTH ? TREE_WIDTH : TREE_NAME;
	c->o.chart |= c->order == ORDER_TIME;
	c->o.in.read.ticks = c->o.chart || c->filtering.time;
	c->o.svg.root_on_top = !c->flame;
	c->o.min_pixels = c->min_pixels;
	if (isnan(c->min_pixels))
		c->o.min_pixels = c->o.is_static ? 0.5 : 1;
	else if (c->min_pixels < 0)
		return error_set(e, ERROR_USAGE, "--min-width: it is 0 or more pixels");
	if (!isnan(c->width)) {
		if (!(c->width >= 1 && c->width <= MAX_WIDTH && c->width == floor(c->width)))
			return error_set(e, ERROR_USAGE, "--width: it is 1 to %d whole pixels",
					 MAX_WIDTH);
		c->o.svg.width = (unsigned)c->width;
	}
	if (filtering_parse(&c->filtering, &c->o.in.filter, e))
		return -1;
	return set_colors(c, e) || set_outputs(c, e) ? -1 : 0;
}

static int run(struct command *c, struct error *e)
{
	struct flame_result r;
	int ret;

	collapse_watch(&c->o.in, &c->progress);
	ret = flame(&c->o, &r, e);
	progress_end(&c->progress);
	if (!ret && r.empty)
		ret = collapse_nothing(&c->o.in, e);
	if (!ret)
		tell(c, &r);
	flame_release(&r);
	return ret;
}

int flame_main(int argc, char **argv)
{
	struct command c = { .o = { .svg = SVG_OPTS_DEFAULT,
				    .shade = SHADE_NAME,
				    .in = { .read = { .threads = collapse_threads() } } },
			     .format = FORMAT_BY_NAME,
			     .min_pixels = NAN,
			     .width = NAN };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret;

	c.o.svg.count_name = NULL;
	ret = options_parse(&flame_table, &c, argc, argv, &operands, &e);
	if (ret > 0) {
		options_help(&flame_table);
		return 0;
	}
	if (!ret) {
		c.o.in.file = operands.at;
		c.o.in.nr_file = operands.nr;
		ret = set_opts(&c, &e) || collapse_check_input(&c.o.in, "wick flame", &e) ||
				      run(&c, &e)
			      ? -1
			      : 0;
	}
	option_list_release(&operands);
	option_list_release(&c.output);
	filtering_release(&c.filtering);
	free(c.outputs);
	return message_result(ret, &e);
}

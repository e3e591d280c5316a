#include "cmd/flame.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cmd/convert.h"
#include "cmd/print_notes.h"
#include "load/filtering.h"
#include "render/number.h"
#include "write/formats.h"

#include <math.h>
#include <stdlib.h>

/* A comparison that wick wrote is drawn with its original settings. */
static void compare_again(struct draw_opts *o, const struct load_result *in)
{
	const struct compared *c = &in->compared;
	bool sized = compared_has_sizes(c);

	/* Settings of several inputs cannot be combined. */
	if (in->nr_input != 1 || o->style != STYLE_WICK)
		return;
	o->either |= c->either;
	o->not_normalized |= c->not_normalized && (sized || !c->in_time);
	if (o->confidence <= 0)
		o->confidence = c->confidence;
	if (sized) {
		o->run_size = c->run_size;
		o->in_time = c->in_time;
		o->nr_run[0] = c->nr_run[0];
		o->nr_run[1] = c->nr_run[1];
	}
}

static int write_files(const struct flame_opts *o, const struct flame_result *r, struct error *e)
{
	struct write_what what = sink_what(&r->in.p, &r->chosen, o->choose.event);

	what.reverse = o->draw.reverse;
	what.drawing = r->drawing;
	for (size_t i = 0; i < o->nr_output; i++)
		if (sink_write(&o->output[i], &what, e))
			return -1;
	return drawing_keep_colors(r->drawing, e);
}

int flame(const struct flame_opts *o, struct flame_result *r, struct error *e)
{
	*r = (struct flame_result){ .draw = o->draw };
	r->draw.packs = sinks_draw(o->output, o->nr_output);
	r->drawing = drawing_new(&r->draw, e);
	if (!r->drawing || load(&o->in, &r->in, e) ||
	    choose_events(&o->choose, &r->in.p, &r->in.hints, &r->chosen, e))
		return -1;
	if (r->chosen.nr_column == 2)
		compare_again(&r->draw, &r->in);
	profile_settle(&r->in.p);
	if (drawing_make(r->drawing, &r->in.p, &r->chosen, e))
		return -1;
	r->drawn = *drawing_peek(r->drawing);
	return r->drawn.empty && !o->draw_empty ? 0 : write_files(o, r, e);
}

void flame_release(struct flame_result *r)
{
	drawing_free(r->drawing);
	chosen_release(&r->chosen);
	load_release(&r->in);
}

/* The command */

struct command {
	struct flame_opts o;
	struct progress progress;
	struct option_list output;
	struct filtering filtering;
	struct sink *outputs;
	const char *data; /* the output that is perf.data; NULL: none */
	bool quiet, verbose, flame;
	int order, to;
	const char *palette, *color;
	double min_pixels, width; /* NAN: not given */
};

enum { ORDER_NAME, ORDER_WIDTH, ORDER_TIME };
enum { MAX_WIDTH = 1000000 };

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "output", 'o', OPTION_LIST, AT(output), "FILE",
	  "output file; the extension (.svg, .html, .wick, .folded, .pb.gz, .data, …) selects the format; repeatable [flamegraph.svg]",
	  0 },
	FORMAT_TO_OPTION(to),
	/* Hidden: the former name of --to. */
	{ "format", 0, OPTION_CHOICE, AT(to), FORMAT_CHOICES, NULL, 0 },
	FORMAT_FROM_OPTION(o.in.from),
	{ "static", 0, OPTION_FLAG, AT(o.draw.is_static), NULL,
	  "write a plain SVG, without script and embedded profile", 0 },
	{ "title", 0, OPTION_STRING, AT(o.draw.svg.title), "TEXT", "title [Flame Graph]", 0 },
	{ "subtitle", 0, OPTION_STRING, AT(o.draw.svg.subtitle), "TEXT", "text below the title",
	  0 },
	{ "notes", 0, OPTION_STRING, AT(o.draw.svg.notes), "TEXT",
	  "text to store in the file, not shown", 0 },
	{ "flame", 0, OPTION_FLAG, AT(flame), NULL, "draw the root at the bottom", 0 },
	{ "reverse", 0, OPTION_FLAG, AT(o.draw.reverse), NULL, "reverse stacks: start at the leaf",
	  0 },
	FILTERING_OPTIONS(filtering),
	{ "sort", 0, OPTION_CHOICE, AT(order), "name|width|time", "order of callees [name]", 0 },
	{ "flamechart", 0, OPTION_FLAG, AT(o.draw.chart), NULL,
	  "same as --sort time: order by time, per thread", 0 },
	{ "color", 0, OPTION_STRING, AT(color), "BY",
	  "color by kind (user, library, kernel, inlined, JIT), module, function, self, diff or state (running, or the reason for a wait) [kind; diff for comparisons, state for waits]",
	  0 },
	{ "palette", 0, OPTION_STRING, AT(palette), "PALETTE",
	  "use a palette instead: hot, mem, io, red, green, blue, yellow, purple, aqua, orange, java, js, perl, python, rust, wakeup or chain",
	  0 },
	{ "width", 0, OPTION_NUMBER, AT(width), "PIXELS",
	  "width of the picture in pixels [1200, then the window's width]", 0 },
	{ "min-width", 0, OPTION_NUMBER, AT(min_pixels), "PIXELS",
	  "omit frames narrower than this until zoomed in [1; 0.5 with --static]", 0 },
	{ "count-name", 0, OPTION_STRING, AT(o.draw.svg.count_name), "TEXT",
	  "unit of the counts [samples, or the event's unit]", 0 },
	CHOOSE_OPTIONS(o.choose),
	WAKERS_OPTION(o.choose),
	PER_THREAD_OPTION(o.choose),
	NAMING_OPTIONS(o.in.naming),
	{ "anonymize", 0, OPTION_FLAG, AT(o.in.anonymize), NULL,
	  "remove host, user, command line and paths, for sharing", 0 },
	{ "threads", 'n', OPTION_UINT, AT(o.in.read.threads), "N",
	  "number of reader threads [one per CPU]", 0 },
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "print errors only", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list dropped data, with line numbers",
	  0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option_words values[] = {
	FORMAT_FROM_WORDS,
	{ "BY", "kind|module|function|self|diff|state" },
	{ "PALETTE",
	  "hot|mem|io|red|green|blue|yellow|purple|aqua|orange|java|js|perl|python|rust|wakeup|chain" },
	{ 0 },
};

const struct option_table flame_table = {
	.usage = "wick flame [options] [FILE...] -o OUT.svg|OUT.html|OUT.wick",
	.about =
		"Draws a profile in any supported format (wick convert --formats lists them) as a flame graph.\n"
		"Several files are added up; without any, wick reads standard input.  An .svg is a picture that\n"
		"browsers can zoom and search, an .html page adds more views, and a .wick file is data only.\n"
		"Each holds the whole profile: wick can read it again.",
	.option = options,
	.after = FILTERING_AFTER,
	.syntax = SYNTAX_GNU,
	.words = values,
};

/* "wrote flame.html: 1,234 samples, 567 stacks (open it in a browser)" */
void flame_print_written(const struct sink *to, const struct draw_opts *o, const struct profile *p,
			 const struct drawn *drawn)
{
	bool opens = !o->is_static && (to->format == FORMAT_SVG || to->format == FORMAT_HTML);
	struct strbuf text = { 0 };

	print_lost(to->path, to->format, p);
	if (!strcmp(to->path, "-"))
		return;
	number_add_count(&text, drawn->total, span_of(drawn->unit));
	strbuf_add(&text, SPAN(", "));
	number_add_count(&text, (double)drawn->nr_stack,
			 drawn->nr_stack == 1 ? SPAN("stack") : SPAN("stacks"));
	message("wrote %s: %s%s", to->path, text.at, opens ? " (open it in a browser)" : "");
	strbuf_release(&text);
}

static void print_result(const struct command *c, const struct flame_result *r)
{
	if (c->quiet)
		return;
	print_notes(&r->in.p, c->verbose ? NOTES_EACH : NOTES_SUMMED);
	for (size_t i = 0; i < c->o.nr_output; i++)
		flame_print_written(&c->o.output[i], &r->draw, &r->in.p, &r->drawn);
}

static int no_palette(const char *name, struct error *e)
{
	error_set(e, ERROR_USAGE, "invalid palette '%s': expected one of ", name);
	for (int i = 0; i < NR_PALETTES; i++)
		error_add(e, "%s%s", i ? ", " : "", palette_name((enum palette)i));
	return -1;
}

static int set_colors(struct command *c, struct error *e)
{
	c->o.draw.has_palette = c->palette != NULL;
	if (c->palette && !palette_find(span_of(c->palette), &c->o.draw.palette))
		return no_palette(c->palette, e);
	if (c->palette && c->color)
		return error_set(e, ERROR_USAGE, "--color and --palette are mutually exclusive");
	c->o.draw.scheme_given = c->color != NULL;
	if (c->color && !color_scheme_find(span_of(c->color), &c->o.draw.scheme))
		return error_set(
			e, ERROR_USAGE,
			"invalid color scheme '%s': expected kind, module, function, self, diff or state",
			c->color);
	return 0;
}

/* Files and their formats; a file is never written twice. */
static int set_outputs(struct command *c, struct error *e)
{
	const char *by_default = format_default_path(c->to);
	const char *const *path = c->output.nr ? c->output.at : &by_default;
	size_t nr = c->output.nr ? c->output.nr : 1;

	if (sinks_check_paths(path, nr, e))
		return -1;
	c->outputs = xcalloc(nr, sizeof(*c->outputs));
	c->o.output = c->outputs;
	for (size_t i = 0; i < nr; i++) {
		struct sink *to = &c->outputs[c->o.nr_output];

		to->path = path[i];
		/*
		 * Standard output has no extension: it gets an SVG, as with other flame graph
		 * programs.
		 */
		if (format_choose(path[i], c->to, FORMAT_SVG, &to->format, e))
			return -1;
		if (c->o.draw.is_static && to->format != FORMAT_SVG)
			return error_set(e, ERROR_USAGE,
					 "--static requires SVG output, and %s is not SVG",
					 path[i]);
		if (!format_is_copied(to->format))
			c->o.nr_output++;
		else if (c->data)
			return error_set(e, ERROR_USAGE,
					 "%s and %s: only one .data output is possible", c->data,
					 path[i]);
		else
			c->data = path[i];
	}
	/* Pages can show times, CPUs and source lines, so the pack must contain them. */
	c->o.in.read.times = c->o.in.read.cpus = c->o.in.read.srcline = !c->o.draw.is_static;
	c->o.in.read.times |= c->o.choose.wakers;
	c->o.choose.keeps_events = sinks_keep_events(c->outputs, c->o.nr_output);
	c->o.choose.loses_waits = sinks_lose_events(c->outputs, c->o.nr_output);
	return 0;
}

static int set_opts(struct command *c, struct error *e)
{
	c->o.draw.order = c->order == ORDER_WIDTH ? TREE_WIDTH : TREE_NAME;
	c->o.draw.chart |= c->order == ORDER_TIME;
	c->o.in.read.cpus |= choose_needs_labels(&c->o.choose);
	c->o.in.read.ticks = c->o.draw.chart || c->filtering.time;
	c->o.draw.svg.root_on_top = !c->flame;
	c->o.draw.min_pixels = c->min_pixels;
	if (isnan(c->min_pixels))
		c->o.draw.min_pixels = c->o.draw.is_static ? 0.5 : 1;
	else if (c->min_pixels < 0)
		return error_set(e, ERROR_USAGE, "--min-width must not be negative");
	if (!isnan(c->width)) {
		if (!(c->width >= 1 && c->width <= MAX_WIDTH && c->width == floor(c->width)))
			return error_set(e, ERROR_USAGE,
					 "--width must be a whole number from 1 to %d", MAX_WIDTH);
		c->o.draw.svg.width = (unsigned)c->width;
	}
	if (filtering_parse(&c->filtering, &c->o.choose.filter, e))
		return -1;
	return set_colors(c, e) || set_outputs(c, e) ? -1 : 0;
}

/* perf.data is copied, not written from the profile: the input is read again. */
static int write_data(struct command *c, struct error *e)
{
	enum note_detail how = c->quiet ? NOTES_HIDDEN : c->verbose ? NOTES_EACH : NOTES_SUMMED;

	if (c->o.nr_output && !c->o.in.nr_file)
		return error_set(e, ERROR_USAGE,
				 "%s: standard input can only be read once; name a file", c->data);
	return convert_data(&c->o.in, &c->o.choose, c->data, &c->progress, how, e);
}

static int run(struct command *c, struct error *e)
{
	struct flame_result r;
	int ret;

	load_watch(&c->o.in, &c->progress);
	if (c->data && write_data(c, e))
		return -1;
	if (!c->o.nr_output)
		return 0;
	ret = flame(&c->o, &r, e);
	progress_end(&c->progress);
	if (!ret && r.drawn.empty)
		ret = choose_nothing(&c->o.choose, e);
	if (!ret)
		print_result(c, &r);
	flame_release(&r);
	return ret;
}

int flame_main(int argc, char **argv)
{
	struct command c = { .o = { .draw = DRAW_OPTS_DEFAULT,
				    .in = { .read = { .threads = load_threads() } } },
			     .to = FORMAT_BY_NAME,
			     .min_pixels = NAN,
			     .width = NAN };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret;

	ret = options_parse(&flame_table, &c, argc, argv, &operands, &e);
	if (ret > 0) {
		options_help(&flame_table);
		return 0;
	}
	if (!ret) {
		c.o.in.file = operands.at;
		c.o.in.nr_file = operands.nr;
		ret = set_opts(&c, &e) || load_check_input(&c.o.in, "wick flame", &e) || run(&c, &e)
			      ? -1
			      : 0;
	}
	option_list_release(&operands);
	option_list_release(&c.output);
	filtering_release(&c.filtering);
	free(c.outputs);
	return message_result(ret, &e);
}

/* inferno-flamegraph: draws folded stacks as an SVG. */
#include "base/alloc.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/flame.h"
#include "cmd/print_notes.h"
#include "dropin/dropin.h"
#include "dropin/inferno_log.h"

#include <stdio.h>

struct flamegraph_opts {
	struct flame_opts o;
	struct inferno_log log;
	struct option_list base;
	const char *palette;
	bool hash, deterministic, keep_colors, inverted, no_sort, pretty, no_script, cut_right;
	const char *ui_color, *stroke_color, *search_color;
};

static const struct sink standard_output = { .path = "-", .format = FORMAT_SVG };

#define AT(field) offsetof(struct flamegraph_opts, field)

static const struct option options[] = {
	{ "cp", 0, OPTION_FLAG, AT(keep_colors), NULL, "keep colors in palette.map", 0 },
	{ "hash", 0, OPTION_FLAG, AT(hash), NULL, "choose colors by the start of the name", 0 },
	{ "deterministic", 0, OPTION_FLAG, AT(deterministic), NULL,
	  "choose colors by function name", 0 },
	{ "inverted", 'i', OPTION_FLAG, AT(inverted), NULL, "draw the root at the top", 0 },
	{ "truncate-text-right", 0, OPTION_FLAG, AT(cut_right), NULL,
	  "truncate long names on the right", 0 },
	{ "negate", 0, OPTION_FLAG, AT(o.draw.svg.negate), NULL,
	  "swap the colors of a differential graph", 0 },
	{ "no-javascript", 0, OPTION_FLAG, AT(no_script), NULL, NULL, 0 },
	{ "no-sort", 0, OPTION_FLAG, AT(no_sort), NULL, "input lines are already sorted", 0 },
	{ "pretty-xml", 0, OPTION_FLAG, AT(pretty), NULL, "indent the SVG", 0 },
	{ "reverse", 0, OPTION_FLAG, AT(o.draw.reverse), NULL, "reverse stacks: start at the leaf",
	  0 },
	{ "flamechart", 0, OPTION_FLAG, AT(o.draw.chart), NULL,
	  "keep the order of the lines (flame chart)", 0 },
	{ "colordiffusion", 0, OPTION_FLAG, AT(o.draw.svg.by_width), NULL,
	  "color by width: the widest are reddest", 0 },
	{ "bgcolors", 0, OPTION_STRING, AT(o.draw.background), "STRING",
	  "yellow, blue, green, grey or #rrggbb", 0 },
	{ "colors", 'c', OPTION_STRING, AT(palette), "STRING",
	  "aqua, blue, green, hot, io, java, js, mem, orange, perl, python, purple, red, rust, wakeup or yellow [hot]",
	  0 },
	{ "countname", 0, OPTION_STRING, AT(o.draw.svg.count_name), "STRING", "[samples]", 0 },
	{ "factor", 0, OPTION_NUMBER, AT(o.draw.svg.factor), "FLOAT",
	  "multiply displayed counts [1]", 0 },
	{ "fontsize", 0, OPTION_NUMBER, AT(o.draw.svg.font_size), "UINT", "[12]", 0 },
	{ "fonttype", 0, OPTION_STRING, AT(o.draw.svg.font), "STRING", "[monospace]", 0 },
	{ "fontwidth", 0, OPTION_NUMBER, AT(o.draw.svg.font_width), "FLOAT", "[0.59]", 0 },
	{ "height", 0, OPTION_UINT, AT(o.draw.svg.row_height), "UINT", "of a frame [16]", 0 },
	{ "minwidth", 0, OPTION_NUMBER, AT(o.draw.min_percent), "FLOAT",
	  "omit frames below this percentage [0.01]", 0 },
	{ "nameattr", 0, OPTION_STRING, AT(o.draw.attributes), "PATH",
	  "file with attributes of functions", 0 },
	{ "nametype", 0, OPTION_STRING, AT(o.draw.svg.name_type), "STRING", "[Function:]", 0 },
	{ "notes", 0, OPTION_STRING, AT(o.draw.svg.notes), "STRING", "text to store in the file",
	  0 },
	{ "search-color", 0, OPTION_STRING, AT(search_color), "STRING", "[#e600e6]", 0 },
	{ "stroke-color", 0, OPTION_STRING, AT(stroke_color), "STRING",
	  "color around frames [none]", 0 },
	{ "uicolor", 0, OPTION_STRING, AT(ui_color), "#RRGGBB",
	  "color of the text around the frames", 0 },
	{ "subtitle", 0, OPTION_STRING, AT(o.draw.svg.subtitle), "STRING", "text below the title",
	  0 },
	{ "title", 0, OPTION_STRING, AT(o.draw.svg.title), "STRING", "title [Flame Graph]", 0 },
	{ "width", 0, OPTION_UINT, AT(o.draw.svg.width), "UINT", "width in pixels [as the window]",
	  0 },
	{ "base", 0, OPTION_LIST, AT(base), "STRING", "start stacks at this function", 0 },
	{ "quiet", 'q', OPTION_FLAG, AT(log.quiet), NULL, "silence all messages", 0 },
	{ "verbose", 'v', OPTION_COUNT, AT(log.verbose), NULL, "more messages", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option_table table = {
	.usage = "inferno-flamegraph [OPTIONS] [PATH]...",
	.about = "Draws folded stacks as a flame graph, on standard output.",
	.option = options,
	.syntax = SYNTAX_GNU,
};

/* Rejects pairs of mutually exclusive options. */
static int check_conflicts(const struct flamegraph_opts *f, struct error *e)
{
	const struct {
		bool first, second;
		const char *names[2];
	} pairs[] = {
		{ f->hash, f->deterministic, { "--hash", "--deterministic" } },
		{ f->o.draw.reverse, f->no_sort, { "--reverse", "--no-sort" } },
		{ f->o.draw.chart, f->no_sort, { "--flamechart", "--no-sort" } },
		{ f->o.draw.chart, f->o.draw.reverse, { "--flamechart", "--reverse" } },
		{ f->o.draw.svg.by_width, f->palette != NULL, { "--colordiffusion", "--colors" } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		if (pairs[i].first && pairs[i].second)
			return error_set(e, ERROR_USAGE,
					 "The argument '%s' cannot be used with '%s'",
					 pairs[i].names[0], pairs[i].names[1]);
	return 0;
}

static int check_color(const char *color, const char *what, struct error *e)
{
	struct rgb unused;

	if (!color || rgb_parse(span_of(color), &unused))
		return 0;
	return error_set(e, ERROR_USAGE, "Invalid value '%s' for '%s'", color, what);
}

static int set_colors(struct flamegraph_opts *f, struct error *e)
{
	struct svg_opts *svg = &f->o.draw.svg;

	if (f->stroke_color && !strcmp(f->stroke_color, "none"))
		f->stroke_color = NULL;
	if (check_color(f->stroke_color, "--stroke-color", e) ||
	    check_color(f->ui_color, "--uicolor", e) ||
	    check_color(f->search_color, "--search-color", e))
		return -1;
	svg->stroke = f->stroke_color;
	svg->ui_color = f->ui_color;
	svg->search_color = f->search_color ? f->search_color : "#e600e6";
	if (f->palette && (!palette_find(span_of(f->palette), &f->o.draw.palette) ||
			   f->o.draw.palette == PALETTE_CHAIN))
		return error_set(e, ERROR_USAGE, "Invalid value '%s' for '--colors'", f->palette);
	if (f->hash)
		f->o.draw.shade = SHADE_HASH;
	else if (f->deterministic)
		f->o.draw.shade = SHADE_NAME;
	return 0;
}

static void set_order(struct flamegraph_opts *f)
{
	bool untitled = !strcmp(f->o.draw.svg.title, "Flame Graph");

	f->o.draw.svg.root_on_top = f->inverted;
	if (f->o.draw.chart && untitled)
		f->o.draw.svg.title = "Flame Chart";
	else if (f->inverted && untitled)
		f->o.draw.svg.title = "Icicle Graph";
	f->o.draw.direction = CHART_BACKWARD;
	f->o.draw.sorted_input = f->no_sort;
	/* inferno trims its lines again when their frames are reversed. */
	f->o.in.read.folded.trim_leaf = f->o.draw.reverse;
	f->o.in.read.ticks = f->o.draw.chart || f->no_sort;
	/* inferno ignores --base unless it sorts the lines itself. */
	if (!f->o.draw.reverse && !f->o.draw.chart && !f->no_sort) {
		f->o.draw.base = f->base.at;
		f->o.draw.nr_base = f->base.nr;
	}
}

static void warn_attribute(void *arg, enum attribute_trouble trouble, struct span key,
			   struct span function)
{
	const struct inferno_log *log = arg;
	struct strbuf text = { 0 };

	if (trouble == ATTRIBUTE_NONE)
		return;
	strbuf_add(&text, key);
	strbuf_add(&text, trouble == ATTRIBUTE_TWICE ? SPAN("` in nameattr file for `")
						     : SPAN(" found for "));
	strbuf_add(&text, function);
	inferno_print(log, INFERNO_WARN, "flamegraph::attrs",
		      trouble == ATTRIBUTE_TWICE ? "duplicate attribute `" : "invalid attribute ",
		      strbuf_peek(&text));
	strbuf_release(&text);
}

static void print_peer_notes(const struct flamegraph_opts *f, const struct flame_result *r)
{
	const struct notes *notes = &r->in.p.notes;
	uint64_t bad = notes->count[NOTE_BAD_LINE] + notes->count[NOTE_BAD_COUNT];
	char text[64];

	if (notes->count[NOTE_FRACTION])
		inferno_print(
			&f->log, INFERNO_WARN, "flamegraph::merge",
			"The input data has fractional sample counts that will be truncated to integers; "
			"scale them up and use --factor to scale them down again",
			SPAN(""));
	snprintf(text, sizeof(text), "Ignored %llu lines with invalid format",
		 (unsigned long long)bad);
	if (bad)
		inferno_print(&f->log, INFERNO_WARN, "flamegraph", text, SPAN(""));
	snprintf(text, sizeof(text), "Ignored %zu lines with invalid format",
		 r->drawn.nr_bad_colors);
	if (r->drawn.nr_bad_colors)
		inferno_print(&f->log, INFERNO_WARN, "flamegraph::color::palette_map", text,
			      SPAN(""));
}

static int print_usage_error(const struct error *e)
{
	message_peer(stderr, "error: %s\n\nUsage: %s\n\nFor more information, try '--help'.\n",
		     e->text, table.usage);
	return 2;
}

static int run(struct flamegraph_opts *f)
{
	struct flame_result r;
	struct error e = ERROR_INIT;
	int ret;

	f->o.draw.watcher = warn_attribute;
	f->o.draw.watcher_arg = &f->log;
	ret = flame(&f->o, &r, &e);
	print_peer_notes(f, &r);
	if (!f->log.quiet)
		print_losses(&r.in.p);
	if (!ret && r.drawn.empty) {
		inferno_print(&f->log, INFERNO_ERROR, "flamegraph", "No stack counts found",
			      SPAN(""));
		ret = error_set(&e, ERROR_INPUT, "No stack counts found");
	}
	if (ret && e.kind != ERROR_PIPE && e.kind != ERROR_USAGE)
		message_peer(stderr, "Error: Custom { kind: InvalidData, error: \"%s\" }\n",
			     e.text);
	flame_release(&r);
	if (ret && e.kind == ERROR_USAGE)
		return print_usage_error(&e);
	return ret ? 1 : 0;
}

static int flamegraph_main(const struct dropin *d, int argc, char **argv)
{
	struct flamegraph_opts f = {
		.o = { .in = { .reader = reader_find(SPAN("folded")),
			       .read = { .threads = load_threads(),
					 .folded.cut_fractions = true,
					 .folded.trim_names = true,
					 .folded.empty_leaf = true } },
		       .choose = { .weight = WEIGHT_PERIOD, .spell = SPELL_MARKS },
		       .draw = { .svg = SVG_OPTS_DEFAULT,
				 .style = STYLE_PEER,
				 .order = TREE_NAME,
				 .min_percent = 0.01 },
		       .draw_empty = true,
		       .output = &standard_output,
		       .nr_output = 1 },
	};
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&table, &f, argc, argv, &operands, &e);

	(void)d;
	f.o.draw.svg.rounded = true;
	f.o.draw.svg.cut_left = !f.cut_right;
	if (!f.o.draw.svg.name_type)
		f.o.draw.svg.name_type = "Function:";
	f.o.draw.is_static = f.no_script;
	if (!ret && !check_conflicts(&f, &e) && !set_colors(&f, &e)) {
		set_order(&f);
		if (f.keep_colors)
			f.o.draw.color_map = "palette.map";
		f.o.in.file = operands.at;
		f.o.in.nr_file = operands.nr;
		ret = run(&f);
	} else if (ret > 0) {
		options_help(&table);
		ret = 0;
	} else {
		ret = print_usage_error(&e);
	}
	option_list_release(&operands);
	option_list_release(&f.base);
	return ret;
}

const struct dropin dropins_inferno_flamegraph[] = {
	{ "inferno-flamegraph", flamegraph_main, NULL },
	{ 0 },
};

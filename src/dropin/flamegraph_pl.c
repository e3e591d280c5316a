/* flamegraph.pl: draws folded stacks as an SVG. */
#include "base/alloc.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cmd/flame.h"
#include "cmd/print_notes.h"
#include "dropin/dropin.h"

#include <stdio.h>
#include <string.h>

struct flamegraph_pl_opts {
	struct flame_opts o;
	const char *palette, *min_width;
	bool hash, random, keep_colors, inverted;
	bool has_bad_attribute; /* a line of the attributes has no tab */
};

static const struct sink standard_output = { .path = "-", .format = FORMAT_SVG };

#define FEW_SAMPLES 100
#define ROUNDING    0.02 /* a --total below this share of the true one is silently ignored */

#define AT(field) offsetof(struct flamegraph_pl_opts, field)

static const struct option options[] = {
	{ "title", 0, OPTION_STRING, AT(o.draw.svg.title), "TEXT", "change title text", 0 },
	{ "subtitle", 0, OPTION_STRING, AT(o.draw.svg.subtitle), "TEXT", "second level title", 0 },
	{ "width", 0, OPTION_UINT, AT(o.draw.svg.width), "NUM", "width of image [1200]", 0 },
	{ "height", 0, OPTION_UINT, AT(o.draw.svg.row_height), "NUM", "height of each frame [16]",
	  0 },
	{ "minwidth", 0, OPTION_STRING, AT(min_width), "NUM",
	  "omit smaller functions, in pixels or with a percent sign [0.1]", 0 },
	{ "fonttype", 0, OPTION_STRING, AT(o.draw.svg.font), "FONT", "[Verdana]", 0 },
	{ "fontsize", 0, OPTION_NUMBER, AT(o.draw.svg.font_size), "NUM", "[12]", 0 },
	{ "fontwidth", 0, OPTION_NUMBER, AT(o.draw.svg.font_width), "NUM", "[0.59]", 0 },
	{ "countname", 0, OPTION_STRING, AT(o.draw.svg.count_name), "TEXT", "[samples]", 0 },
	{ "nametype", 0, OPTION_STRING, AT(o.draw.svg.name_type), "TEXT", "[Function:]", 0 },
	{ "colors", 0, OPTION_STRING, AT(palette), "PALETTE", "[hot]", 0 },
	{ "bgcolors", 0, OPTION_STRING, AT(o.draw.background), "COLOR",
	  "yellow, blue, green, grey or #rrggbb", 0 },
	{ "hash", 0, OPTION_FLAG, AT(hash), NULL, "choose colors by function name", 0 },
	{ "random", 0, OPTION_FLAG, AT(random), NULL, "choose colors at random", 0 },
	{ "cp", 0, OPTION_FLAG, AT(keep_colors), NULL, "keep colors in palette.map", 0 },
	{ "reverse", 0, OPTION_FLAG, AT(o.draw.reverse), NULL, "reverse stacks: start at the leaf",
	  0 },
	{ "inverted", 0, OPTION_FLAG, AT(inverted), NULL, "icicle graph", 0 },
	{ "flamechart", 0, OPTION_FLAG, AT(o.draw.chart), NULL,
	  "keep the order of the lines (flame chart)", 0 },
	{ "negate", 0, OPTION_FLAG, AT(o.draw.svg.negate), NULL,
	  "swap the colors of a differential graph", 0 },
	{ "notes", 0, OPTION_STRING, AT(o.draw.svg.notes), "TEXT", "text to store in the SVG", 0 },
	{ "nameattr", 0, OPTION_STRING, AT(o.draw.attributes), "FILE",
	  "file with attributes of functions", 0 },
	{ "total", 0, OPTION_NUMBER, AT(o.draw.svg.total), "NUM", "count that is 100 %", 0 },
	{ "factor", 0, OPTION_NUMBER, AT(o.draw.svg.factor), "NUM", "multiply displayed counts",
	  0 },
	{ "encoding", 0, OPTION_STRING, AT(o.draw.svg.encoding), "NAME",
	  "encoding in the XML declaration", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this help", 0 },
	{ 0 },
};

static const struct option_table table = {
	.usage = "flamegraph.pl [options] infile > outfile.svg",
	.about = "Draws folded stacks as a flame graph, on standard output.",
	.option = options,
	.syntax = SYNTAX_PERL,
};

/* "0.5" pixels, "1%" of the whole */
static int set_min_width(struct flamegraph_pl_opts *f, struct error *e)
{
	struct span text = span_of(f->min_width);
	bool percent = span_ends(text, "%");
	double value;

	if (percent)
		text.size--;
	/* The script accepts neither "1e3" nor "-1". */
	if (strspn(f->min_width, "0123456789.") < text.size || !span_double(text, &value))
		return error_set(e, ERROR_USAGE,
				 "Value '%s' is invalid for minwidth, expected a float.",
				 f->min_width);
	if (percent)
		f->o.draw.min_percent = value;
	else
		f->o.draw.min_pixels = value;
	return 0;
}

/*
 * Is it a valid encoding ("iso-8859-1")?  It goes into the XML declaration, where nothing can be
 * escaped.
 */
static bool is_encoding(const char *name)
{
	for (const char *c = name; *c; c++) {
		bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');

		if (!letter && (c == name || (!is_digit(*c) && !strchr("._-", *c))))
			return false;
	}
	return *name;
}

/* Is it a valid background?  "" is the palette's own. */
static bool is_background(struct span name)
{
	struct background gradient;
	struct rgb flat;

	return !name.size || rgb_parse(name, &flat) || background_find(name, &gradient);
}

static int set_opts(struct flamegraph_pl_opts *f, struct error *e)
{
	bool untitled = !f->o.draw.svg.title || !*f->o.draw.svg.title;

	if (set_min_width(f, e))
		return -1;
	if (f->o.draw.svg.notes && strpbrk(f->o.draw.svg.notes, "<>"))
		return error_set(e, ERROR_USAGE, "Notes string can't contain < or >");
	if (f->o.draw.svg.encoding && !is_encoding(f->o.draw.svg.encoding))
		return error_set(e, ERROR_USAGE, "\"%s\" is not the name of an encoding",
				 f->o.draw.svg.encoding);
	if (f->o.draw.background && !is_background(span_of(f->o.draw.background)))
		return error_set(e, ERROR_USAGE, "Unrecognized bgcolor option \"%s\"",
				 f->o.draw.background);
	if (!palette_find(span_of(f->palette), &f->o.draw.palette))
		return error_set(e, ERROR_USAGE, "Unrecognized palette \"%s\"", f->palette);
	f->o.draw.shade = f->hash ? SHADE_HASH : f->random ? SHADE_RANDOM : SHADE_LETTERS;
	f->o.draw.svg.root_on_top = f->inverted;
	f->o.draw.svg.details_below = true;
	if (untitled)
		f->o.draw.svg.title = f->o.draw.chart ? "Flame Chart"
				      : f->inverted   ? "Icicle Graph"
						      : "Flame Graph";
	f->o.in.read.ticks = f->o.draw.chart;
	f->o.in.read.folded.keep_indent = true;
	f->o.in.read.folded.dashed_wakers = f->o.draw.palette == PALETTE_CHAIN;
	if (f->keep_colors)
		f->o.draw.color_map = "palette.map";
	return 0;
}

/* The script ignores other problems, and dies at the first line without a tab. */
static void watch_attribute(void *arg, enum attribute_trouble trouble, struct span key,
			    struct span function)
{
	struct flamegraph_pl_opts *f = arg;

	(void)key;
	(void)function;
	f->has_bad_attribute |= trouble == ATTRIBUTE_NONE;
}

/* Warns about probable mistakes, in the script's words. */
static void warn(const struct draw_opts *o, const struct flame_result *r)
{
	const struct notes *notes = &r->in.p.notes;
	uint64_t bad = notes->count[NOTE_BAD_LINE] + notes->count[NOTE_BAD_COUNT];

	if (r->drawn.total < FEW_SAMPLES && !strcmp(o->svg.count_name, "samples"))
		message_peer(stderr, "Stack count is low (%.15g). Did something go wrong?\n",
			     r->drawn.total);
	if (bad)
		message_peer(stderr, "Ignored %llu lines with invalid format\n",
			     (unsigned long long)bad);
	if (o->svg.total < r->drawn.total && o->svg.total > ROUNDING * r->drawn.total)
		message_peer(
			stderr,
			"Specified --total %.15g is less than actual total %.15g, so ignored\n",
			o->svg.total, r->drawn.total);
}

static int run(struct flamegraph_pl_opts *f)
{
	struct flame_result r;
	struct error e = ERROR_INIT;
	int ret;

	f->o.draw.watcher = watch_attribute;
	f->o.draw.watcher_arg = f;
	ret = flame(&f->o, &r, &e);
	if (!ret)
		warn(&f->o.draw, &r);
	print_losses(&r.in.p);
	if (!ret && r.drawn.empty) {
		message_peer(stderr, "ERROR: No stack counts found\n");
		ret = -1;
	} else if (ret && e.kind != ERROR_PIPE) {
		message_peer(stderr, "%s\n", e.text);
	}
	if (f->has_bad_attribute)
		message_peer(stderr, "Invalid format in %s\n", f->o.draw.attributes);
	flame_release(&r);
	if (f->has_bad_attribute || (ret && e.kind == ERROR_USAGE))
		return 255;
	return ret ? 2 : 0;
}

static int flamegraph_pl_main(const struct dropin *d, int argc, char **argv)
{
	struct flamegraph_pl_opts f = {
		.o = { .in = { .reader = reader_find(SPAN("folded")),
			       .read = { .threads = load_threads() } },
		       .choose = { .weight = WEIGHT_PERIOD, .spell = SPELL_MARKS },
		       .draw = { .svg = SVG_OPTS_DEFAULT,
				 .style = STYLE_PEER,
				 .order = TREE_NAME,
				 .rules = NAME_RULES_PERL },
		       .draw_empty = true,
		       .output = &standard_output,
		       .nr_output = 1 },
		.palette = "hot",
		.min_width = "0.1",
	};
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret;

	(void)d;
	f.o.draw.svg.title = NULL;
	f.o.draw.svg.name_type = "Function:";
	f.o.draw.svg.search_color = "#e600e6";
	f.o.draw.svg.font = "Verdana";
	f.o.draw.svg.width = 1200;
	f.o.draw.svg.diff_scale = DIFF_SCALE_PERL;
	f.o.draw.svg.half_even = true;
	f.o.draw.svg.snug = true;
	f.o.draw.svg.soft = true;
	f.o.draw.svg.rounded = true;
	ret = options_parse(&table, &f, argc, argv, &operands, &e);
	if (!ret)
		ret = set_opts(&f, &e);
	if (ret > 0) {
		options_help(&table);
		ret = 0;
	} else if (ret < 0) {
		message_peer(stderr, "%s\nUSAGE: %s\n", e.text, table.usage);
		ret = 255;
	} else {
		f.o.in.file = operands.at;
		f.o.in.nr_file = operands.nr;
		ret = run(&f);
	}
	option_list_release(&operands);
	return ret;
}

const struct dropin dropins_flamegraph_pl[] = {
	{ "flamegraph.pl", flamegraph_pl_main, NULL },
	{ 0 },
};

#include "cmd/flame.h"

#include "base/strbuf.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cmd/filtering.h"
#include "cmd/tell.h"
#include "cmd/view.h"
#include "export/wick.h"

#include <stdio.h>
#include <stdlib.h>

static int set_background(const struct flame_opts *o, struct svg_opts *svg, struct error *e)
{
	struct span name = o->background ? span_of(o->background) : SPAN("");
	struct rgb flat;

	if (!name.size)
		svg->background = palette_background(o->palette);
	else if (rgb_parse(name, &flat))
		svg->background = (struct background){ o->background, o->background };
	else if (!background_find(name, &svg->background))
		return error_set(e, ERROR_USAGE,
				 "'%s' is no background: yellow, blue, green, grey or #rrggbb",
				 o->background);
	return 0;
}

/* The whole path of a tick, as it would be printed. */
static void spell_path(struct strbuf *out, const struct labels *labels, const struct profile *p,
		       const struct tick *t)
{
	struct label_path path = { 0 };

	labels_path(labels, p, t->thread, t->stack, &path);
	strbuf_reset(out);
	for (size_t i = 0; i < path.nr; i++) {
		if (i)
			strbuf_addch(out, ';');
		strbuf_add(out, labels_peek(labels, path.label[i]));
	}
	free(path.label);
}

static int check_sorted(const struct profile *p, const struct labels *labels, struct error *e)
{
	struct strbuf path = { 0 }, last = { 0 }, swap;
	int ret = 0;

	for (size_t i = 0; i < p->nr_tick && !ret; i++) {
		spell_path(&path, labels, p, &p->tick[i]);
		if (span_compare(strbuf_peek(&last), strbuf_peek(&path)) > 0)
			ret = error_set(e, ERROR_INPUT, "unsorted input lines detected");
		swap = last;
		last = path;
		path = swap;
	}
	strbuf_release(&path);
	strbuf_release(&last);
	return ret;
}

struct drawing {
	const struct flame_opts *o;
	struct svg_opts svg;
	struct layout layout;
	struct tree tree;
	struct attributes attributes;
	struct color_map color_map;
};

static int lay_out(struct drawing *d, const struct flame_result *r, const struct chosen *c,
		   struct error *e)
{
	const struct flame_opts *o = d->o;
	struct layout_least least = { .share = o->min_percent / 100, .whole = o->svg.total };
	struct tree_opts to = { .spelling = c->spelling,
				.samples = c->samples,
				.nr_column = c->nr_column,
				.in = { c->in[0], c->in[1] },
				.reverse = o->reverse,
				.base = o->base,
				.nr_base = o->nr_base };

	if (svg_share_of_pixels(&d->svg, o->min_pixels) > least.share)
		least.share = svg_share_of_pixels(&d->svg, o->min_pixels);
	tree_build(&d->tree, &r->in.p, &to);
	if (o->sorted_input && check_sorted(&r->in.p, &d->tree.labels, e))
		return -1;
	if (o->chart)
		layout_chart(&d->layout, &r->in.p, &d->tree.labels, &to, o->direction, least);
	else
		layout_tree(&d->layout, &d->tree, o->order, least);
	return 0;
}

static int draw(struct drawing *d, struct flame_result *r, struct error *e)
{
	const struct flame_opts *o = d->o;
	struct colors colors;
	struct output out;
	int ret;

	r->empty = d->layout.total <= 0;
	if (r->empty && !o->draw_empty)
		return 0;
	if (output_open(&out, o->in.output ? o->in.output : "-", e))
		return -1;
	colors_init(&colors, o->palette, o->shade, o->rules);
	if (r->empty)
		svg_write_error(&out, "ERROR: No valid input provided to flamegraph", &d->svg);
	else
		svg_write(&out, &d->layout, &d->tree.labels, &colors, &d->svg);
	ret = output_close(&out, e);
	if (!ret && o->color_map)
		ret = color_map_write(&d->color_map, o->color_map, e);
	return ret;
}

static int load_files(struct drawing *d, struct flame_result *r, struct error *e)
{
	const struct flame_opts *o = d->o;

	if (o->attributes) {
		if (attributes_read(&d->attributes, o->attributes, o->watcher, o->watcher_arg, e))
			return -1;
		d->svg.attributes = &d->attributes;
	}
	if (o->color_map) {
		if (color_map_read(&d->color_map, o->color_map, e))
			return -1;
		r->nr_bad_colors = d->color_map.nr_bad;
		d->svg.color_map = &d->color_map;
	}
	return 0;
}

/* The whole profile, and how it is to be shown, without a picture. */
static int save(const struct flame_opts *o, struct flame_result *r, const struct chosen *c,
		struct error *e)
{
	struct view v;
	int ret;

	r->empty = !r->in.p.nr_count;
	if (r->empty)
		return 0;
	view_init(&v, o, &r->in, c);
	ret = wick_write(o->in.output, &r->in.p, &v.pack, e);
	view_release(&v);
	return ret;
}

int flame(const struct flame_opts *o, struct flame_result *r, struct error *e)
{
	bool bare = o->in.output && span_ends(span_of(o->in.output), ".wick");
	struct drawing d = { .o = o, .svg = o->svg };
	struct chosen c = { 0 };
	int ret = -1;

	*r = (struct flame_result){ 0 };
	/* What is wrong with the options is told before a long file is read. */
	if (!set_background(o, &d.svg, e) && !load_files(&d, r, e) &&
	    !collapse_read(&o->in, &r->in, e) && !collapse_choose(&o->in, &r->in, &c, e)) {
		if (bare)
			ret = save(o, r, &c, e);
		else if (!lay_out(&d, r, &c, e))
			ret = draw(&d, r, e);
	}
	layout_release(&d.layout);
	tree_release(&d.tree);
	attributes_release(&d.attributes);
	color_map_release(&d.color_map);
	chosen_release(&c);
	return ret;
}

void flame_release(struct flame_result *r)
{
	collapse_release(&r->in);
}

/* The command */

struct command {
	struct flame_opts o;
	struct progress progress;
	struct option_list base;
	struct filtering filtering;
	bool quiet, verbose, flame;
	int order;
	const char *palette;
};

#define AT(field) offsetof(struct command, field)

static const struct option options[] = {
	{ "output", 'o', OPTION_STRING, AT(o.in.output), "FILE.svg", "write there [flame.svg]", 0 },
	{ "title", 0, OPTION_STRING, AT(o.svg.title), "TEXT", "over the picture [Flame Graph]", 0 },
	{ "subtitle", 0, OPTION_STRING, AT(o.svg.subtitle), "TEXT", "below the title", 0 },
	{ "notes", 0, OPTION_STRING, AT(o.svg.notes), "TEXT", "kept in the file, not shown", 0 },
	{ "flame", 0, OPTION_FLAG, AT(flame), NULL, "root at the bottom, not on top", 0 },
	{ "reverse", 0, OPTION_FLAG, AT(o.reverse), NULL, "from the leaf: who called it", 0 },
	{ "base", 0, OPTION_LIST, AT(base), "FUNCTION", "only what this function calls", 0 },
	FILTERING_OPTIONS(filtering),
	{ "sort", 0, OPTION_CHOICE, AT(order), "name|width|time",
	  "order of what a function calls [name]", 0 },
	{ "palette", 0, OPTION_STRING, AT(palette), "NAME",
	  "hot, mem, io, red, green, blue, yellow, purple, aqua, orange, java, js, perl, python, rust, wakeup or chain [hot]",
	  0 },
	{ "width", 0, OPTION_UINT, AT(o.svg.width), "PIXELS", "of the picture [1200]", 0 },
	{ "min-width", 0, OPTION_NUMBER, AT(o.min_pixels), "PIXELS",
	  "leave narrower frames out [0.5]", 0 },
	{ "event", 'e', OPTION_STRING, AT(o.in.event), "NAME",
	  "only this event, or all [the first]", 0 },
	{ "weight", 0, OPTION_CHOICE, AT(o.in.weight), "auto|samples|period",
	  "what a sample counts [auto: 1 for clocks, else its period]", 0 },
	NAMING_OPTIONS(o.in.naming),
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, "say nothing but errors", 0 },
	{ "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "list what was left out, with lines", 0 },
	{ "help", 'h', OPTION_HELP, 0, NULL, "show this", 0 },
	{ 0 },
};

static const struct option_table table = {
	.usage = "wick flame [options] [FILE...] -o OUT.svg",
	.about =
		"Draws what a profiler wrote, in any format that `wick collapse` reads, as a flame graph.\n"
		"Several files are added up; without one, standard input is read.",
	.option = options,
	.after = FILTERING_AFTER,
	.syntax = SYNTAX_GNU,
};

static void tell(const struct command *c, const struct flame_result *r)
{
	if (c->quiet)
		return;
	tell_notes(&r->in.p, c->verbose ? TELL_EACH : TELL_SUM);
	if (strcmp(c->o.in.output, "-") != 0)
		message("wrote %s", c->o.in.output);
}

static int no_palette(const char *name, struct error *e)
{
	size_t at;

	error_set(e, ERROR_USAGE, "--palette: '%s' is none of ", name);
	at = strlen(e->text);
	for (int i = 0; i < NR_PALETTES && at < sizeof(e->text); i++)
		at += (size_t)snprintf(e->text + at, sizeof(e->text) - at, "%s%s", i ? ", " : "",
				       palette_name((enum palette)i));
	return -1;
}

static int run(struct command *c, struct error *e)
{
	static const enum tree_order orders[] = { TREE_NAME, TREE_WIDTH, TREE_NAME };
	struct flame_result r;
	int ret;

	c->o.order = orders[c->order];
	c->o.chart = c->order == 2;
	c->o.in.read.ticks = c->o.chart || c->filtering.time;
	c->o.in.spell = SPELL_MARKS;
	if (filtering_parse(&c->filtering, &c->o.in.filter, e))
		return -1;
	if (c->palette && !palette_find(span_of(c->palette), &c->o.palette))
		return no_palette(c->palette, e);
	c->o.svg.root_on_top = !c->flame;
	c->o.svg.font_width = 0.61;
	c->o.base = c->base.at;
	c->o.nr_base = c->base.nr;
	progress_init(&c->progress);
	c->o.in.watcher = progress_show;
	c->o.in.watcher_arg = &c->progress;
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
				    .min_pixels = 0.5,
				    .in = { .output = "flame.svg",
					    .read = { .threads = collapse_threads() } } } };
	struct option_list operands = { 0 };
	struct error e = ERROR_INIT;
	int ret = options_parse(&table, &c, argc, argv, &operands, &e);

	if (ret > 0) {
		options_help(&table);
		return 0;
	}
	if (!ret) {
		c.o.in.file = operands.at;
		c.o.in.nr_file = operands.nr;
		ret = run(&c, &e);
	}
	option_list_release(&operands);
	option_list_release(&c.base);
	filtering_release(&c.filtering);
	if (!ret)
		return 0;
	message_error(&e);
	return message_status(&e);
}

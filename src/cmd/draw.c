/* A profile that was read, as the files that were asked for. */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "cmd/flame.h"
#include "cmd/view.h"
#include "fold/changes.h"
#include "render/html.h"
#include "render/live.h"
#include "render/number.h"
#include "render/picture.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct drawing {
	const struct flame_opts *o;
	struct flame_result *r;
	const struct chosen *c;
	struct svg_opts svg;
	struct picture_opts picture;
	struct layout layout;
	struct tree tree;
	struct attributes attributes;
	struct color_map color_map;
	struct colors colors; /* of a palette */
	struct color_modules modules;
	uint8_t *color; /* by label */
	uint8_t *noise; /* by node */
	struct rgb *rgb;
	uint32_t *picked;
	struct strbuf unit, changed, missing, subtitle;
	struct strbuf pack; /* `packer` fills it while `packing` */
	struct view view;
	pthread_t packer;
	bool packing;
};

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

static int load_files(struct drawing *d, struct error *e)
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
		d->r->nr_bad_colors = d->color_map.nr_bad;
		d->svg.color_map = &d->color_map;
	}
	return 0;
}

static bool is_own(const struct drawing *d)
{
	return d->o->look == LOOK_WICK;
}

/* The least share of the width that is drawn. */
static double least_share(const struct drawing *d)
{
	double percent = d->o->min_percent / 100;
	double pixels = is_own(d) ? picture_share_of_pixels(&d->picture, d->o->min_pixels)
				  : svg_share_of_pixels(&d->svg, d->o->min_pixels);

	return pixels > percent ? pixels : percent;
}

/* Before in the time of after. */
static double flame_factor(const struct flame_opts *o)
{
	double time[2] = { 0 };

	if (!o->run_time)
		return 0;
	for (size_t i = 0; i < o->nr_run[0] + o->nr_run[1]; i++)
		time[i >= o->nr_run[0]] += o->run_time[i];
	return time[1] / time[0];
}

/* Where the wider side counts, the width is more than any side has: after's total is told. */
static weight_sum total_told(const struct drawing *d)
{
	const struct tree *t = &d->tree;
	weight_sum sum = 0;

	if (!d->o->either)
		return d->layout.total;
	for (size_t i = 0; i < t->nr_line; i++)
		sum += t->line[i].sum[t->nr_column - 1];
	return sum;
}

/* Kinds have colors: wick's own picture does not spell them out, and a thread has one that is no function's. */
static unsigned own_spelling(const struct chosen *c)
{
	return (c->spelling & ~(unsigned)SPELL_MARKS) | SPELL_APART;
}

static int lay_out(struct drawing *d, struct error *e)
{
	const struct flame_opts *o = d->o;
	const struct chosen *c = d->c;
	struct layout_least least = { .share = least_share(d),
				      .whole = o->svg.total,
				      .more = is_own(d),
				      .either = o->either };
	struct tree_opts to = { .spelling = is_own(d) ? own_spelling(c) : c->spelling,
				.samples = c->samples,
				.nr_column = c->nr_column,
				.in = { c->in[0], c->in[1] },
				.factor = flame_factor(o),
				.reverse = o->reverse,
				.base = o->base,
				.nr_base = o->nr_base };

	tree_build(&d->tree, &d->r->in.p, &to);
	if (o->sorted_input && check_sorted(&d->r->in.p, &d->tree.labels, e))
		return -1;
	if (o->chart)
		layout_chart(&d->layout, &d->r->in.p, &d->tree.labels, &to, o->direction, least);
	else
		layout_tree(&d->layout, &d->tree, o->order, least);
	d->r->empty = d->layout.total <= 0;
	d->r->total = (double)total_told(d) * pow(10, d->layout.scale);
	d->r->nr_stack = d->tree.nr_line;
	return 0;
}

static uint32_t way_to(uint32_t caller, struct span name)
{
	return (caller ^ color_hash(name)) * 0x9e3779b1u + 1;
}

/* The ways from the root to nodes whose change is more than noise, as subject.js hashes them. */
static void list_changed(struct drawing *d, const struct changes *c)
{
	const struct tree *t = &c->tree;
	uint32_t *way = xcalloc(t->nr_node, sizeof(*way));

	/* Where all stacks begin with the same name, that name and everything are one node. */
	if (t->root) {
		way[0] = way_to(0, labels_peek(&t->labels, t->root - 1));
		if (c->nodes.verdict[0] != NOISE_INSIDE)
			strbuf_add(&d->changed, SPAN("0"));
	}
	for (uint32_t n = 0; n < t->nr_node; n++) {
		if (n)
			way[n] = way_to(way[tree_parent(t, n)],
					labels_peek(&t->labels, tree_label(t, n)));
		if (c->nodes.verdict[n] != NOISE_INSIDE)
			strbuf_addf(&d->changed, "%s%x", d->changed.size ? "," : "", way[n]);
	}
	/* Nothing is an answer too. */
	strbuf_reserve(&d->changed, 1);
	d->changed.at[d->changed.size] = '\0';
	d->picture.changed = d->changed.at;
	free(way);
}

/* Which changes are no news: those that chance explains. */
static void find_noise(struct drawing *d)
{
	const struct flame_opts *o = d->o;
	const struct profile *p = &d->r->in.p;
	struct changes_opts co = {
		.tree = { .spelling = own_spelling(d->c),
			  .reverse = o->reverse,
			  .base = o->base,
			  .nr_base = o->nr_base },
		.normalize = o->run_time	 ? NORMALIZE_DURATION
			     : o->not_normalized ? NORMALIZE_NONE
						 : NORMALIZE_TOTAL,
		.nr_run = { o->nr_run[0], o->nr_run[1] },
		.run_time = o->run_time,
		.confidence = o->confidence > 0 ? o->confidence : CONFIDENCE_DEFAULT,
		.known = true,
	};
	struct changes changes;

	if (!is_own(d) || !d->picture.is_diff || o->chart || !changes_known(p))
		return;
	changes_init(&changes, p, &co);
	assert(changes.nodes.nr == d->tree.nr_node);
	if (changes.claim) {
		list_changed(d, &changes);
		d->noise = xcalloc(changes.nodes.nr, sizeof(*d->noise));
		for (size_t i = 0; i < changes.nodes.nr; i++)
			d->noise[i] = changes.nodes.verdict[i] == NOISE_INSIDE;
	}
	d->picture.noise = d->noise;
	changes_release(&changes);
}

/* What numbers are called: what was asked for, or else what the event counts. */
static void set_unit(struct drawing *d)
{
	const struct profile *p = &d->r->in.p;
	struct span unit = SPAN("samples");

	if (d->o->svg.count_name) {
		unit = span_of(d->o->svg.count_name);
	} else if (!d->c->samples) {
		unit = chosen_unit(p, d->c);
	}
	strbuf_add(&d->unit, unit);
	d->svg.count_name = d->picture.count_name = d->unit.at;
	d->r->unit = xstrdup(d->unit.at);
}

/* ", 12 samples lost" */
static void add_lost(struct strbuf *out, const struct notes *n)
{
	if (!n->count[NOTE_LOST])
		return;
	strbuf_add(out, SPAN(", "));
	number_add_count(out, (double)n->count[NOTE_LOST], SPAN("samples"));
	strbuf_add(out, SPAN(" lost"));
}

/* " (not shown: page-faults, …)": a picture cannot be asked for them. */
static void add_not_shown(struct strbuf *out, const struct notes *n)
{
	bool any = false;

	for (size_t i = 0; i < n->nr; i++) {
		if (n->note[i].code != NOTE_FILTERED)
			continue;
		strbuf_add(out, any ? SPAN(", ") : SPAN(" (not shown: "));
		strbuf_add(out, n->note[i].text);
		any = true;
	}
	if (any)
		strbuf_addch(out, ')');
}

static void set_missing(struct drawing *d)
{
	const struct notes *n = &d->r->in.p.notes;

	add_lost(&d->missing, n);
	add_not_shown(&d->missing, n);
	if (d->missing.size)
		d->picture.missing = d->missing.at;
}

/* Another program's picture has no place for what is missing but below its title. */
static void set_lost(struct drawing *d)
{
	struct strbuf *text = &d->subtitle;

	if (is_own(d) || !d->r->in.p.notes.count[NOTE_LOST])
		return;
	if (d->svg.subtitle)
		strbuf_add(text, span_of(d->svg.subtitle));
	add_lost(text, &d->r->in.p.notes);
	d->svg.subtitle = d->o->svg.subtitle ? text->at : text->at + strlen(", ");
}

static void set_picture(struct drawing *d)
{
	const struct flame_opts *o = d->o;
	bool is_diff = d->c->nr_column == 2;

	d->picture = (struct picture_opts){
		.title = o->svg.title,
		.subtitle = o->svg.subtitle,
		.notes = o->svg.notes,
		.width = o->svg.width,
		.root_on_top = o->svg.root_on_top,
		.scheme = is_diff && !o->scheme_given ? COLOR_DIFF : o->scheme,
		.is_diff = is_diff,
		.normalized = !o->not_normalized,
	};
}

/* The palette looks at names with their marks, the picture shows them without. */
static void pick_palette(struct drawing *d)
{
	const struct labels *shown = &d->tree.labels;
	const struct profile *p = &d->r->in.p;
	struct labels marked;

	labels_init(&marked, p, d->c->spelling | SPELL_MARKS);
	d->rgb = xcalloc(shown->names.nr, sizeof(*d->rgb));
	/* Threads have no marks. */
	for (size_t i = 0; i < p->nr_thread; i++) {
		const uint32_t *root = &shown->first_of_root[shown->of_thread[i]];

		for (uint32_t k = root[0]; k < root[1]; k++)
			d->rgb[shown->of_root[k]] =
				colors_pick(&d->colors, labels_peek(shown, shown->of_root[k]));
	}
	for (size_t i = shown->nr_of_frame; i-- > 0;)
		d->rgb[shown->of_frame[i]] =
			colors_pick(&d->colors, labels_peek(&marked, marked.of_frame[i]));
	labels_release(&marked);
}

static void pick_own(struct drawing *d)
{
	const struct profile *p = &d->r->in.p;

	if (d->picture.scheme == COLOR_MODULE) {
		color_modules_init(&d->modules, p);
		d->picture.modules = &d->modules;
	}
	d->color = color_labels(p, &d->tree.labels, d->picture.scheme, &d->modules);
}

static void set_colors(struct drawing *d)
{
	const struct flame_opts *o = d->o;

	colors_init(&d->colors, o->palette, o->shade, o->rules);
	if (!is_own(d))
		d->picked = xcalloc(d->tree.labels.names.nr, sizeof(*d->picked));
	else if (o->has_palette)
		pick_palette(d);
	else if (d->picture.scheme != COLOR_SELF && d->picture.scheme != COLOR_DIFF)
		pick_own(d);
	d->picture.color = d->color;
	d->picture.rgb = d->rgb;
	d->svg.picked = d->picked;
}

/* The color of a word for the page: that of its first box, or what the palette says. */
static uint32_t color_of_word(void *arg, struct span word)
{
	struct drawing *d = arg;
	const struct intern *names = &d->tree.labels.names;
	uint32_t label = d->picked ? intern_find(names, word, intern_hash(word)) : INTERN_NONE;
	struct rgb c;

	if (label != INTERN_NONE && d->picked[label])
		return d->picked[label] & (RGB_PICKED - 1);
	c = d->svg.color_map ? color_map_find(d->svg.color_map, &d->colors, word)
			     : colors_pick(&d->colors, word);
	return (uint32_t)(c.r << 16 | c.g << 8 | c.b);
}

static void *pack(void *arg)
{
	struct drawing *d = arg;

	view_init(&d->view, d->o, &d->r->in, d->c, &d->picture);
	if (d->picked || d->rgb) {
		d->view.pack.color = color_of_word;
		d->view.pack.color_arg = d;
	}
	pack_write(&d->pack, &d->r->in.p, &d->view.pack);
	view_release(&d->view);
	return NULL;
}

static bool has_pack(const struct drawing *d)
{
	for (size_t i = 0; i < d->o->nr_output; i++)
		if (d->svg.live || d->o->output[i].format != FLAME_SVG)
			return true;
	return false;
}

/* Below that many stacks a thread costs more than it saves. */
enum { STACKS_WORTH_A_THREAD = 20000 };

/* Packs while the picture is drawn, where the pack says nothing of what is found out for that. */
static void start_packing(struct drawing *d)
{
	if (is_own(d) && !d->o->has_palette && !d->picture.is_diff && has_pack(d) &&
	    d->r->in.p.nr_stack > STACKS_WORTH_A_THREAD)
		d->packing = !pthread_create(&d->packer, NULL, pack, d);
}

static void end_packing(struct drawing *d)
{
	if (d->packing)
		pthread_join(d->packer, NULL);
	d->packing = false;
}

/* The pack, which all files share. */
static struct span make_pack(struct drawing *d)
{
	end_packing(d);
	if (!d->pack.size)
		pack(d);
	return strbuf_peek(&d->pack);
}

static void write_svg(struct drawing *d, struct output *out)
{
	if (is_own(d))
		picture_write(out, &d->layout, &d->tree.labels, &d->picture);
	else
		svg_write(out, &d->layout, &d->tree.labels, &d->colors, &d->svg);
	live_end(out, d->svg.live ? make_pack(d) : SPAN(""));
}

static void write_html(struct drawing *d, struct output *out)
{
	struct html_opts h = { .picture = &d->picture,
			       .layout = &d->layout,
			       .tree = &d->tree,
			       .profile = &d->r->in.p,
			       .pack = make_pack(d) };

	html_write(out, &h);
}

static int write_file(struct drawing *d, const struct flame_output *to, struct error *e)
{
	struct output out;

	if (output_open(&out, to->path, e))
		return -1;
	if (d->r->empty) {
		svg_write_error(&out, "ERROR: No valid input provided to flamegraph", &d->svg);
		live_end(&out, SPAN(""));
		return output_close(&out, e);
	}
	switch (to->format) {
	case FLAME_SVG:
		write_svg(d, &out);
		break;
	case FLAME_HTML:
		write_html(d, &out);
		break;
	case FLAME_WICK:
		output_add(&out, make_pack(d));
		break;
	}
	return output_close(&out, e);
}

static int write_files(struct drawing *d, struct error *e)
{
	const struct flame_opts *o = d->o;
	int ret = 0;

	if (d->r->empty && !o->draw_empty)
		return 0;
	for (size_t i = 0; i < o->nr_output && !ret; i++)
		ret = write_file(d, &o->output[i], e);
	if (!ret && o->color_map)
		ret = color_map_write(&d->color_map, o->color_map, e);
	return ret;
}

/*
 * A picture of what no query of the page can ask for stays what it is: a chart that runs
 * backward, or what is below some functions.
 */
static bool is_live(const struct flame_opts *o)
{
	return !o->is_static && !o->nr_base && !(o->chart && o->look == LOOK_PEER);
}

/* What is wrong with the options is told before a long file is read. */
static int prepare(struct drawing *d, const struct flame_opts *o, struct flame_result *r,
		   struct error *e)
{
	*d = (struct drawing){ .o = o, .r = r, .svg = o->svg };
	d->svg.live = is_live(o);
	return set_background(o, &d->svg, e) || load_files(d, e) ? -1 : 0;
}

static int check_colors(const struct flame_opts *o, const struct chosen *c, struct error *e)
{
	if (!o->scheme_given || o->scheme != COLOR_DIFF || c->nr_column == 2)
		return 0;
	error_set(e, ERROR_USAGE, "--color diff: this is no comparison, so nothing has changed");
	return error_hint(e, "wick diff BEFORE AFTER -o OUT.html compares two");
}

static int draw(struct drawing *d, const struct chosen *c, struct error *e)
{
	if (check_colors(d->o, c, e))
		return -1;
	d->c = c;
	set_picture(d);
	set_missing(d);
	set_lost(d);
	set_unit(d);
	start_packing(d);
	if (lay_out(d, e))
		return -1;
	set_colors(d);
	find_noise(d);
	return write_files(d, e);
}

static void release(struct drawing *d)
{
	end_packing(d);
	layout_release(&d->layout);
	tree_release(&d->tree);
	attributes_release(&d->attributes);
	color_map_release(&d->color_map);
	color_modules_release(&d->modules);
	free(d->color);
	free(d->noise);
	free(d->rgb);
	free(d->picked);
	strbuf_release(&d->unit);
	strbuf_release(&d->pack);
	strbuf_release(&d->changed);
	strbuf_release(&d->missing);
	strbuf_release(&d->subtitle);
}

int flame_draw(const struct flame_opts *o, struct flame_result *r, const struct chosen *c,
	       struct error *e)
{
	struct drawing d;
	int ret = prepare(&d, o, r, e);

	if (!ret)
		ret = draw(&d, c, e);
	release(&d);
	return ret;
}

/* A comparison that is drawn again is the same one. */
static void compare_again(struct flame_opts *o, const struct collapse_result *in)
{
	const struct compared *c = &in->compared;
	bool timed = compared_has_times(c);

	/* Several would have to be added up first. */
	if (in->nr_input != 1 || o->look != LOOK_WICK)
		return;
	o->either |= c->either;
	o->not_normalized |= c->not_normalized && (timed || !c->in_time);
	if (o->confidence <= 0)
		o->confidence = c->confidence;
	if (timed) {
		o->run_time = c->run_time;
		o->nr_run[0] = c->nr_run[0];
		o->nr_run[1] = c->nr_run[1];
	}
}

int flame(const struct flame_opts *o, struct flame_result *r, struct error *e)
{
	struct flame_opts own = *o;
	struct chosen c = { 0 };
	struct drawing d;
	int ret = -1;

	*r = (struct flame_result){ 0 };
	if (!prepare(&d, &own, r, e) && !collapse_read(&o->in, &r->in, e) &&
	    !collapse_choose(&o->in, &r->in, &c, e)) {
		if (c.nr_column == 2)
			compare_again(&own, &r->in);
		ret = draw(&d, &c, e);
	}
	release(&d);
	chosen_release(&c);
	return ret;
}

void flame_release(struct flame_result *r)
{
	collapse_release(&r->in);
	free(r->unit);
}

/* Draws a profile, and writes the files that were asked for. */
#include "cmd/draw.h"

#include "render/html.h"
#include "render/live.h"

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

static void *pack(void *arg)
{
	struct drawing *d = arg;

	view_init(&d->view, d->o, &d->r->in, d->c, &d->picture);
	if (d->picked || d->rgb) {
		d->view.pack.color = drawing_color_of_word;
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

/* With fewer stacks a thread costs more than it saves. */
enum { STACKS_WORTH_A_THREAD = 20000 };

/* Packs in a thread while we draw, unless the pack needs results of drawing: colors, changes. */
static void start_packing(struct drawing *d)
{
	if (drawing_is_own(d) && !d->o->has_palette && !d->picture.is_diff && has_pack(d) &&
	    d->r->in.p.nr_stack > STACKS_WORTH_A_THREAD)
		d->packing = !pthread_create(&d->packer, NULL, pack, d);
}

static void end_packing(struct drawing *d)
{
	if (d->packing)
		pthread_join(d->packer, NULL);
	d->packing = false;
}

/* The pack, made once for all files. */
static struct span make_pack(struct drawing *d)
{
	end_packing(d);
	if (!d->pack.size)
		pack(d);
	return strbuf_peek(&d->pack);
}

static void write_svg(struct drawing *d, struct output *out)
{
	if (drawing_is_own(d))
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
 * May the picture redraw itself?  Not if the script in it could not draw the same: another program's
 * chart, or only what is below some functions.
 */
static bool is_live(const struct flame_opts *o)
{
	return !o->is_static && !o->nr_base && !(o->chart && o->look == LOOK_PEER);
}

/* Comes before reading, so that errors in the options are found at once. */
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
	drawing_set_words(d);
	start_packing(d);
	if (drawing_lay_out(d, e))
		return -1;
	drawing_set_colors(d);
	drawing_find_noise(d);
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

/* If the input is a comparison that wick wrote, it is drawn with the settings it was made with. */
static void compare_again(struct flame_opts *o, const struct collapse_result *in)
{
	const struct compared *c = &in->compared;
	bool timed = compared_has_times(c);

	/* Settings of several inputs cannot be combined. */
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

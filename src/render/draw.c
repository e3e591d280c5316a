/* Draws a profile: the steps, and the output. */
#include "base/alloc.h"
#include "render/color_states.h"
#include "render/drawing.h"
#include "render/html.h"
#include "render/live_script.h"

#include <stdlib.h>

static int set_background(const struct draw_opts *o, struct svg_opts *svg, struct error *e)
{
	struct span name = o->background ? span_of(o->background) : SPAN("");
	struct rgb flat;

	if (!name.size)
		svg->background = palette_background(o->palette);
	else if (rgb_parse(name, &flat))
		svg->background = (struct background){ o->background, o->background };
	else if (!background_find(name, &svg->background))
		return error_set(
			e, ERROR_USAGE,
			"invalid background '%s': expected yellow, blue, green, grey or #rrggbb",
			o->background);
	return 0;
}

static int load_files(struct drawing *d, struct error *e)
{
	const struct draw_opts *o = d->o;

	if (o->attributes) {
		if (attributes_read(&d->attributes, o->attributes, o->watcher, o->watcher_arg, e))
			return -1;
		d->svg.attributes = &d->attributes;
	}
	if (o->color_map) {
		if (color_map_read(&d->color_map, o->color_map, e))
			return -1;
		d->drawn.nr_bad_colors = d->color_map.nr_bad;
		d->svg.color_map = &d->color_map;
	}
	return 0;
}

static void set_picture(struct drawing *d)
{
	const struct draw_opts *o = d->o;
	bool is_diff = d->c->nr_column == 2;

	d->picture = (struct picture_opts){
		.title = o->svg.title,
		.subtitle = o->svg.subtitle,
		.notes = o->svg.notes,
		.width = o->svg.width,
		.root_on_top = o->svg.root_on_top,
		.scheme = o->scheme,
		.is_diff = is_diff,
		.normalized = !o->not_normalized,
	};
	if (!o->scheme_given && is_diff)
		d->picture.scheme = COLOR_DIFF;
	else if (!o->scheme_given && color_has_states(d->p, d->c->in[0]))
		d->picture.scheme = COLOR_STATE;
}

/* For the packer: waits until the picture is drawn, since palettes pick colors while it is. */
static uint32_t color_when_drawn(void *arg, struct span word, const frame_id *frame, size_t line)
{
	struct drawing *d = arg;

	/* Keeps the semaphore posted. */
	if (!d->is_colored) {
		while (sem_wait(&d->colored))
			;
		sem_post(&d->colored);
		d->is_colored = true;
	}
	return drawing_color_of_word(d, word, frame, line);
}

static void *pack(void *arg)
{
	struct drawing *d = arg;

	view_init(&d->view, d->o, d->p, d->c, &d->picture);
	if (!drawing_is_own(d) || d->o->has_palette) {
		d->view.pack.color = color_when_drawn;
		d->view.pack.color_arg = d;
	}
	pack_write(&d->pack, d->p, &d->view.pack);
	view_release(&d->view);
	return NULL;
}

/* With fewer stacks, a thread costs more than it saves. */
enum { STACKS_WORTH_A_THREAD = 20000 };

/*
 * Packs in a thread while the picture is drawn, except in a comparison: its pack has the
 * significant changes, which are only known after drawing.
 */
static void start_packing(struct drawing *d)
{
	if (!d->picture.is_diff && d->o->packs && d->svg.live &&
	    d->p->nr_stack > STACKS_WORTH_A_THREAD)
		d->packing = !pthread_create(&d->packer, NULL, pack, d);
}

static void end_packing(struct drawing *d)
{
	sem_post(&d->colored);
	if (d->packing)
		pthread_join(d->packer, NULL);
	d->packing = false;
}

/* The pack, which is made once for all files. */
static struct span make_pack(struct drawing *d)
{
	end_packing(d);
	if (!d->pack.size)
		pack(d);
	return strbuf_peek(&d->pack);
}

/*
 * May the picture redraw itself?  Not if its script could not draw the same: another program's
 * chart, or a tree that starts at given functions.
 */
static bool is_live(const struct draw_opts *o)
{
	return !o->is_static && !o->nr_base && !(o->chart && o->style == STYLE_PEER);
}

struct drawing *drawing_new(const struct draw_opts *o, struct error *e)
{
	struct drawing *d = xcalloc(1, sizeof(*d));

	d->o = o;
	d->svg = o->svg;
	d->svg.live = is_live(o);
	sem_init(&d->colored, 0, 0);
	colors_init(&d->colors, o->palette, o->shade, o->rules);
	if (!set_background(o, &d->svg, e) && !load_files(d, e))
		return d;
	drawing_free(d);
	return NULL;
}

static int check_colors(const struct draw_opts *o, const struct chosen *c, struct error *e)
{
	if (!o->scheme_given || o->scheme != COLOR_DIFF || c->nr_column == 2)
		return 0;
	error_set(e, ERROR_USAGE, "--color diff requires a comparison");
	return error_hint(e, "compare two profiles first: wick diff BEFORE AFTER -o OUT.html");
}

int drawing_make(struct drawing *d, const struct profile *p, const struct chosen *c,
		 struct error *e)
{
	if (check_colors(d->o, c, e))
		return -1;
	d->p = p;
	d->c = c;
	set_picture(d);
	drawing_set_words(d);
	start_packing(d);
	if (drawing_lay_out(d, e))
		return -1;
	drawing_set_colors(d);
	drawing_find_noise(d);
	return 0;
}

const struct drawn *drawing_peek(const struct drawing *d)
{
	return &d->drawn;
}

void drawing_svg(struct drawing *d, struct output *out)
{
	if (d->drawn.empty) {
		svg_write_error(out, "ERROR: No valid input provided to flamegraph", &d->svg);
		live_end(out, SPAN(""));
		return;
	}
	if (drawing_is_own(d))
		picture_write(out, &d->layout, &d->tree.labels, &d->picture);
	else
		svg_write(out, &d->layout, &d->tree.labels, &d->colors, &d->svg);
	live_end(out, d->svg.live ? make_pack(d) : SPAN(""));
}

void drawing_page(struct drawing *d, struct output *out)
{
	struct html_opts h = { .picture = &d->picture,
			       .layout = &d->layout,
			       .tree = &d->tree,
			       .profile = d->p,
			       .pack = make_pack(d) };

	html_write(out, &h);
}

void drawing_pack(struct drawing *d, struct output *out)
{
	output_add(out, make_pack(d));
}

int drawing_keep_colors(struct drawing *d, struct error *e)
{
	return d->o->color_map ? color_map_write(&d->color_map, d->o->color_map, e) : 0;
}

void drawing_free(struct drawing *d)
{
	if (!d)
		return;
	end_packing(d);
	sem_destroy(&d->colored);
	layout_release(&d->layout);
	tree_release(&d->tree);
	attributes_release(&d->attributes);
	color_map_release(&d->color_map);
	color_modules_release(&d->modules);
	free(d->color);
	free(d->noise);
	free(d->state);
	free(d->rgb);
	free(d->picked);
	strbuf_release(&d->unit);
	strbuf_release(&d->pack);
	strbuf_release(&d->changed);
	strbuf_release(&d->missing);
	strbuf_release(&d->subtitle);
	free(d);
}

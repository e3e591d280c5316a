/* The colors of a picture by label: wick's scheme, or a palette of another program. */
#include "base/alloc.h"
#include "render/color_states.h"
#include "render/drawing.h"

/* Palettes use names with marks (_[k]), but the picture shows them without. */
static void pick_palette(struct drawing *d)
{
	const struct labels *shown = &d->tree.labels;
	const struct profile *p = d->p;
	struct labels marked;

	labels_init(&marked, p, d->c->spelling | SPELL_MARKS);
	d->rgb = xcalloc(shown->nr, sizeof(*d->rgb));
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
	const struct profile *p = d->p;

	if (d->picture.scheme == COLOR_MODULE) {
		color_modules_init(&d->modules, p);
		d->picture.modules = &d->modules;
	}
	d->color = color_labels(p, &d->tree.labels, d->picture.scheme, &d->modules);
}

void drawing_set_colors(struct drawing *d)
{
	const struct draw_opts *o = d->o;

	if (!drawing_is_own(d))
		d->picked = xcalloc(d->tree.labels.nr, sizeof(*d->picked));
	else if (o->has_palette)
		pick_palette(d);
	else if (d->picture.scheme == COLOR_STATE)
		d->state = color_states(&d->tree);
	else if (d->picture.scheme != COLOR_SELF && d->picture.scheme != COLOR_DIFF)
		pick_own(d);
	d->picture.color = d->color;
	d->picture.state = d->state;
	d->picture.rgb = d->rgb;
	d->svg.picked = d->picked;
}

/* The label of a name in the pack, which has marks; INTERN_NONE: the picture has no such name. */
static uint32_t label_of_word(const struct drawing *d, struct span word, const frame_id *frame,
			      size_t line)
{
	const struct labels *l = &d->tree.labels;

	/* If the picture's names have marks, too, the frame's label is the one. */
	if (frame && d->c->spelling & SPELL_MARKS)
		return l->of_frame[l->first[frame->i + 1] - 1 - line];
	return labels_find(l, word);
}

/* The color of the name's first box; the palette's color if it has no box. */
uint32_t drawing_color_of_word(struct drawing *d, struct span word, const frame_id *frame,
			       size_t line)
{
	uint32_t label = d->picked ? label_of_word(d, word, frame, line) : INTERN_NONE;
	struct rgb c;

	if (label != INTERN_NONE && d->picked[label])
		return d->picked[label] & (RGB_PICKED - 1);
	c = d->svg.color_map ? color_map_find(d->svg.color_map, &d->colors, word)
			     : colors_pick(&d->colors, word);
	return (uint32_t)(c.r << 16 | c.g << 8 | c.b);
}

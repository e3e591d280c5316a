/* The inside of a drawing: its settings, and the results of the steps in draw.c, in order. */
#ifndef WICK_RENDER_DRAWING_H
#define WICK_RENDER_DRAWING_H

#include "base/strbuf.h"
#include "profile/spelling.h"
#include "render/draw.h"
#include "render/page_settings.h"
#include "render/picture.h"

#include <pthread.h>
#include <semaphore.h>

struct drawing {
	const struct draw_opts *o;
	const struct profile *p;
	const struct chosen *c;
	struct drawn drawn;
	/*
	 * Options of the two kinds of pictures: another program's, and wick's.  They point to
	 * fields below.
	 */
	struct svg_opts svg;
	struct picture_opts picture;
	/* Files that the settings refer to */
	struct attributes attributes;
	struct color_map color_map;
	/* draw_layout.c */
	struct tree tree;
	struct layout layout;
	/* draw_colors.c */
	struct colors colors; /* of a palette */
	struct color_modules modules;
	/* By label; at most one of these is set: */
	uint8_t *color;	  /* of a scheme */
	struct rgb *rgb;  /* of a palette, in wick's own picture */
	uint32_t *picked; /* of a palette, in another program's: filled while it is drawn */
	uint8_t *state;	  /* for COLOR_STATE, by node: color_states() */
	/* draw_changes.c */
	uint8_t *noise;	       /* by node of the tree: 1 if its change is noise */
	struct strbuf changed; /* the nodes with significant changes, as hashes for the page */
	/* draw_words.c */
	struct strbuf unit, missing, subtitle;
	/* The pack; while `packing`, the thread `packer` writes it */
	struct strbuf pack;
	struct view view;
	pthread_t packer;
	bool packing;
	sem_t colored;	 /* posted when the pack may ask for colors */
	bool is_colored; /* the packer has seen `colored` */
};

/* Is it wick's own picture, or as another program draws it? */
static inline bool drawing_is_own(const struct drawing *d)
{
	return d->o->style == STYLE_WICK;
}

/*
 * The spelling of names in wick's own picture: without marks (_[k]), since colors show kinds;
 * threads are kept apart from functions, and threads whose names differ by a number only are
 * merged.
 */
static inline unsigned drawing_own_spelling(const struct drawing *d)
{
	return (d->c->spelling & ~(unsigned)SPELL_MARKS) | SPELL_APART | SPELL_GROUP;
}

/* Sets the texts about the whole picture: its unit, and what is missing. */
void drawing_set_words(struct drawing *d);

/* Builds the tree and lays out its boxes. */
int drawing_lay_out(struct drawing *d, struct error *e);

/*
 * Sets the colors by label.  drawing_color_of_word(): the color of a name in the page, for
 * pack_view.color.
 */
void drawing_set_colors(struct drawing *d);
uint32_t drawing_color_of_word(struct drawing *d, struct span word, const frame_id *frame,
			       size_t line);

/* In a comparison, finds the nodes whose change is not significant. */
void drawing_find_noise(struct drawing *d);

#endif

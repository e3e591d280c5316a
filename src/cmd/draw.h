/* A picture while it is made: what was asked for, and what the steps of draw.c find out one after the other. */
#ifndef WICK_CMD_DRAW_H
#define WICK_CMD_DRAW_H

#include "base/strbuf.h"
#include "cmd/flame.h"
#include "cmd/view.h"
#include "render/picture.h"

#include <pthread.h>

struct drawing {
	const struct flame_opts *o;
	struct flame_result *r;
	const struct chosen *c;
	/* What the two kinds of pictures are told; they point at what is below. */
	struct svg_opts svg;
	struct picture_opts picture;
	/* Files that people keep */
	struct attributes attributes;
	struct color_map color_map;
	/* draw_layout.c */
	struct tree tree;
	struct layout layout;
	/* draw_colors.c */
	struct colors colors; /* of a palette */
	struct color_modules modules;
	uint8_t *color;	  /* by label: a scheme's */
	struct rgb *rgb;  /* … a palette's, in wick's own picture */
	uint32_t *picked; /* … in another's, which picks while it is drawn */
	/* draw_changes.c */
	uint8_t *noise; /* by node */
	struct strbuf changed;
	/* draw_words.c */
	struct strbuf unit, missing, subtitle;
	/* The pack, which `packer` fills while `packing` */
	struct strbuf pack;
	struct view view;
	pthread_t packer;
	bool packing;
};

/* Is it wick's own picture, or as another program draws it? */
static inline bool drawing_is_own(const struct drawing *d)
{
	return d->o->look == LOOK_WICK;
}

/* How names are spelled there: kinds have colors, and a thread has one that is no function's. */
static inline unsigned drawing_own_spelling(const struct drawing *d)
{
	return (d->c->spelling & ~(unsigned)SPELL_MARKS) | SPELL_APART;
}

/* What is told of all of it: its unit, and what is not there. */
void drawing_set_words(struct drawing *d);

/* Boxes with their places. */
int drawing_lay_out(struct drawing *d, struct error *e);

/* By label; and that of a word for the page, where `arg` is the drawing. */
void drawing_set_colors(struct drawing *d);
uint32_t drawing_color_of_word(void *arg, struct span word);

/* Of a comparison: which changes are no news, since chance explains them. */
void drawing_find_noise(struct drawing *d);

#endif

/*
 * The names that are shown: every frame and every thread of a profile spelled,
 * equal spellings one label, but for threads that are to be apart (SPELL_APART).
 */
#ifndef WICK_FOLD_LABELS_H
#define WICK_FOLD_LABELS_H

#include "base/intern.h"
#include "profile/profile.h"

struct labels {
	struct intern names;
	/* Labels of frame f, outermost first: of_frame[first[f]] up to first[f + 1]. */
	uint32_t *of_frame, *first;
	size_t nr_of_frame;
	uint32_t
		first_apart; /* labels from here on are of threads, and have a zero behind their text */
	/*
	 * What the stacks of threads begin with.  Root 0 is nothing, others are
	 * mostly one label: of_root[first_of_root[r]] up to first_of_root[r + 1].
	 */
	uint32_t *of_root, *first_of_root;
	uint32_t *of_thread; /* the root of each; threads that are spelled alike share it */
	bool distinct;	     /* every frame has one label, and no two the same */
};

void labels_init(struct labels *l, const struct profile *p, unsigned spelling);
void labels_release(struct labels *l);

static inline struct span labels_peek(const struct labels *l, uint32_t label)
{
	struct span text = intern_peek(&l->names, label);

	return label < l->first_apart ? text : span_upto(text, text.size - 1);
}

/* A path of labels from the root. */
struct label_path {
	uint32_t *label;
	size_t nr, cap;
};

/* Makes *path that of a thread's stack. */
void labels_path(const struct labels *l, const struct profile *p, thread_id thread, stack_id stack,
		 struct label_path *path);

#endif

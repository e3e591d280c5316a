/*
 * The names that are shown.  Every frame and every thread of a profile is
 * spelled, and equal spellings are one label: a number.  With SPELL_APART a
 * thread never shares a label with a function.
 */
#ifndef WICK_FOLD_LABELS_H
#define WICK_FOLD_LABELS_H

#include "base/intern.h"
#include "profile/profile.h"

struct labels {
	struct intern names; /* label → text */
	/* Labels of frame f, outermost call first: of_frame[first[f]] up to of_frame[first[f + 1]]. */
	uint32_t *of_frame, *first;
	size_t nr_of_frame;
	/* Labels from here on are of threads, and keep apart by a NUL at the end of their text. */
	uint32_t first_apart;
	/*
	 * A root is what the stacks of a thread begin with: no label (root 0), mostly one, or
	 * several: of_root[first_of_root[r]] up to of_root[first_of_root[r + 1]].
	 */
	uint32_t *of_root, *first_of_root;
	uint32_t *of_thread; /* by thread: its root; threads that are spelled alike share it */
	bool distinct;	     /* every frame has one label, and no two the same */
};

void labels_init(struct labels *l, const struct profile *p, unsigned spelling);
void labels_release(struct labels *l);

/* The text of a label, good as long as the labels are. */
static inline struct span labels_peek(const struct labels *l, uint32_t label)
{
	struct span text = intern_peek(&l->names, label);

	return label < l->first_apart ? text : span_upto(text, text.size - 1);
}

/* A path of labels, root first.  Starts as { 0 }; free(path.label) releases it. */
struct label_path {
	uint32_t *label;
	size_t nr, cap;
};

/* Sets *path to the labels of a thread's stack; what it held before is overwritten. */
void labels_path(const struct labels *l, const struct profile *p, thread_id thread, stack_id stack,
		 struct label_path *path);

#endif

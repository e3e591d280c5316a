/*
 * The displayed names.  Every frame and every thread of a profile is spelled, and equal spellings
 * share a label: a number.  With SPELL_APART, a thread never shares a label with a function.
 */
#ifndef WICK_FOLD_FRAME_LABELS_H
#define WICK_FOLD_FRAME_LABELS_H

#include "base/error.h"
#include "base/intern.h"
#include "profile/profile.h"

struct labels {
	const struct interned **text; /* by label: a string of the profile, or of `own` */
	uint32_t nr;
	size_t cap;
	const struct intern *strings; /* of the profile */
	uint32_t *of_string;	      /* by string: 1 + its label; 0: it is none */
	uint32_t nr_string;	      /* of these: the profile may get more */
	struct intern own;	      /* spellings that are no strings of the profile */
	uint32_t *of_own;	      /* by number: its label */
	size_t cap_own;
	/* Labels of frame f, outermost call first: of_frame[first[f]] up to of_frame[first[f + 1]]. */
	uint32_t *of_frame, *first;
	size_t nr_of_frame;
	/*
	 * Labels from here on are of threads; a NUL at the end of their text keeps them distinct.
	 */
	uint32_t first_apart;
	/*
	 * A root is what the stacks of a thread begin with: no label (root 0), usually one, or
	 * several: of_root[first_of_root[r]] up to of_root[first_of_root[r + 1]].
	 */
	uint32_t *of_root, *first_of_root;
	uint32_t *of_thread; /* by thread: its root; threads with equal spelling share it */
	bool distinct;	     /* every frame has one label, and no two have the same */
};

/* The profile must outlive the labels. */
void labels_init(struct labels *l, const struct profile *p, unsigned spelling);
void labels_release(struct labels *l);

/* What labels_find() finds a label by: its text, with the NUL that keeps a thread apart. */
static inline struct span labels_key(const struct labels *l, uint32_t label)
{
	return (struct span){ .at = l->text[label]->bytes, .size = l->text[label]->size };
}

/* The text of a label, valid as long as the labels are. */
static inline struct span labels_peek(const struct labels *l, uint32_t label)
{
	struct span key = labels_key(l, label);

	return label < l->first_apart ? key : span_upto(key, key.size - 1);
}

/* Starts to fetch the text of a label. */
static inline void labels_fetch(const struct labels *l, uint32_t label)
{
	__builtin_prefetch(l->text[label]);
}

/* The label with this key, or INTERN_NONE. */
uint32_t labels_find(const struct labels *l, struct span text);

/* Does a name match?  -1: error. */
typedef int label_test(const void *arg, struct span name, bool *fits, struct error *e);

/*
 * By index in l->of_frame: does the name match in any form in which it is displayed?  That is in
 * the given spelling (libc`read_[k]), without marks (libc`read), or alone (read), as in tables that
 * have a column for the module.  NULL: the test failed.
 */
bool *labels_fitting(const struct labels *l, const struct profile *p, unsigned spelling,
		     label_test *test, const void *arg, struct error *e);

/* A path of labels, root first.  Starts as { 0 }; free(path.label) releases it. */
struct label_path {
	uint32_t *label;
	size_t nr, cap;
};

/* Sets *path to the labels of a thread's stack; its previous contents are overwritten. */
void labels_path(const struct labels *l, const struct profile *p, thread_id thread, stack_id stack,
		 struct label_path *path);

#endif

/*
 * The roots of a comparison: the names of processes and threads, or the outermost frames of text.
 * A program that was renamed between before and after is still the same program, so a root that
 * only before has is matched with one that only after has.  docs/diff.md.
 */
#ifndef WICK_FOLD_ROOTS_H
#define WICK_FOLD_ROOTS_H

#include "profile/profile.h"

/* Two names that were compared as one; the second is shown. */
struct root_match {
	char *before, *after;
};

struct root_matches {
	struct root_match *at;
	size_t nr, cap;
};

/*
 * Renames the roots that only EVENT_BEFORE has to those that only EVENT_AFTER has, and lists them
 * in *matches, which starts as { 0 }.
 */
void roots_match(struct profile *p, unsigned spelling, struct root_matches *matches);

/* Adds a match of two names, for callers with roots of their own. */
void root_matches_add(struct root_matches *matches, struct span before, struct span after);

/*
 * May a root of this size be matched, given its size on the other side and the size of the whole side?  In text,
 * roots are matched if each side has one such root.
 */
static inline bool root_is_left(double size, double other, double whole)
{
	/* Smaller roots are matched by name only: it is chance whether they have samples at all. */
	static const double SHARE_LEAST = 0.05;

	return other <= 0 && size > 0 && size >= SHARE_LEAST * whole;
}

void root_matches_release(struct root_matches *matches);

#endif

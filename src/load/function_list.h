/* Finds functions by a name or pattern from the command line. */
#ifndef WICK_LOAD_FUNCTION_LIST_H
#define WICK_LOAD_FUNCTION_LIST_H

#include "base/error.h"
#include "fold/frame_labels.h"

struct function_list {
	const char **at; /* names, owned by the labels */
	size_t nr, cap;
};

/*
 * The functions with exactly this name, in any form in which it is displayed (labels_fitting, with
 * the spelling of the profile); else all whose names match it as a pattern.  -1: none does.  The
 * labels must have been built without SPELL_THREAD, and outlive the list.
 */
int function_list_find(struct function_list *f, const struct labels *l, const struct profile *p,
		       unsigned spelling, const char *wanted, struct error *e);
void function_list_release(struct function_list *f);

#endif

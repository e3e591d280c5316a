/* Finds functions by a name or pattern that was given on the command line. */
#ifndef WICK_CMD_FUNCTIONS_H
#define WICK_CMD_FUNCTIONS_H

#include "base/error.h"
#include "fold/labels.h"

struct function_list {
	const char **at; /* names, owned by the labels */
	size_t nr, cap;
};

/*
 * The function of exactly this name; else all whose names match it as a pattern.  -1: none does.
 * The labels must have been made without SPELL_THREAD, and outlive the list.
 */
int function_list_find(struct function_list *f, const struct labels *l, const char *wanted,
		       struct error *e);
void function_list_release(struct function_list *f);

#endif

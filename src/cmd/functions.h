/* Which functions are meant by what somebody typed. */
#ifndef WICK_CMD_FUNCTIONS_H
#define WICK_CMD_FUNCTIONS_H

#include "base/error.h"
#include "fold/labels.h"

struct function_list {
	const char **at; /* the labels' */
	size_t nr, cap;
};

/*
 * The function that is called so; else all whose names match it as a pattern.  -1: none does.
 * The labels must have been made without threads, and outlive the list.
 */
int function_list_find(struct function_list *f, const struct labels *l, const char *wanted,
		       struct error *e);
void function_list_release(struct function_list *f);

#endif

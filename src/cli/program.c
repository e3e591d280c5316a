#include "cli/program.h"

#include "base/nearest.h"

const struct program *program_find(const struct program *list, const char *name)
{
	for (; list->name; list++)
		if (!strcmp(list->name, name))
			return list;
	return NULL;
}

const struct subcommand *subcommand_find(const struct subcommand *list, const char *name)
{
	for (; list->name; list++)
		if (!strcmp(list->name, name))
			return list;
	return NULL;
}

const char *subcommand_nearest(const struct subcommand *list, const char *name)
{
	struct nearest n;

	nearest_init(&n, span_of(name));
	for (; list->name; list++)
		if (list->about)
			nearest_offer(&n, list->name);
	return n.name;
}

#include "image/dwarf/scopes.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "image/dwarf/entries.h"

#include <dwarf.h>
#include <stdlib.h>

enum { SCOPES_MAX = 16 * 1024 * 1024, SCOPED_NAME_MAX = 16 * 1024 };

struct collect {
	struct scopes *s;
	uint32_t inside[ENTRY_LEVELS_MAX + 1]; /* by level of entries: the enclosing scope */
};

static bool visit(void *arg, const struct entry *entry, size_t level)
{
	struct collect *c = arg;

	c->inside[level + 1] = c->inside[level];
	switch (entry->tag) {
	case DW_TAG_lexical_block:
		return true;
	case DW_TAG_subprogram:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		break;
	default:
		return false;
	}
	if (c->s->nr == SCOPES_MAX)
		return false;
	c->inside[level + 1] = (uint32_t)c->s->nr;
	GROW(c->s->scope, c->s->nr, c->s->cap);
	c->s->scope[c->s->nr++] = (struct scope){ .entry = entry->at, .outer = c->inside[level] };
	return true;
}

static void load(struct scopes *s, const struct unit_view *unit)
{
	struct collect *c = xcalloc(1, sizeof(*c));

	s->known = true;
	c->s = s;
	c->inside[0] = SCOPE_NONE;
	(void)entries_walk(unit, visit, c);
	free(c);
}

static int by_entry(const void *key, const void *scope)
{
	uintptr_t a = (uintptr_t)key, b = (uintptr_t)((const struct scope *)scope)->entry;

	return a < b ? -1 : a > b;
}

/* Scopes without a name are spelled as demanglers do. */
static const char *own_name(Dwarf_Die entry)
{
	for (int i = 0; i < ORIGINS_MAX; i++) {
		const char *name = entry_string(&entry, DW_AT_name);

		if (name)
			return name;
		if (!entry_origin(&entry))
			break;
	}
	return dwarf_tag(&entry) == DW_TAG_namespace ? "(anonymous namespace)" : "{unnamed type}";
}

/* The separator between a scope and a name, by language. */
static const char *find_mark(const Dwarf_Die *entry)
{
	Dwarf_Die any = *entry, unit;

	return dwarf_diecu(&any, &unit, NULL, NULL) && dwarf_srclang(&unit) == DW_LANG_D ? "."
											 : "::";
}

static void add_outer(const struct scopes *s, const Dwarf_Die *function, uint32_t i,
		      struct strbuf *out)
{
	const char *mark = find_mark(function);
	uint32_t path[ORIGINS_MAX];
	size_t nr = 0;

	for (; i != SCOPE_NONE && nr < ORIGINS_MAX; i = s->scope[i].outer)
		path[nr++] = i;
	while (nr) {
		Dwarf_Die entry = { .addr = (void *)(uintptr_t)s->scope[path[--nr]].entry,
				    .cu = function->cu };

		strbuf_addf(out, "%s%s", own_name(entry), mark);
	}
}

const char *scopes_name(struct scopes *s, const struct unit_view *unit, const Dwarf_Die *function,
			const char *name, struct arena *names)
{
	struct strbuf out = { 0 };
	const struct scope *found;
	char *kept;

	if (!s->known)
		load(s, unit);
	found = s->nr ? bsearch(function->addr, s->scope, s->nr, sizeof(*s->scope), by_entry)
		      : NULL;
	if (!found || found->outer == SCOPE_NONE)
		return name;
	add_outer(s, function, found->outer, &out);
	strbuf_add(&out, span_of(name));
	if (out.size <= SCOPED_NAME_MAX) {
		kept = arena_take(names, out.size + 1);
		memcpy(kept, out.at, out.size + 1);
		name = kept;
	}
	strbuf_release(&out);
	return name;
}

void scopes_release(struct scopes *s)
{
	free(s->scope);
	*s = (struct scopes){ 0 };
}

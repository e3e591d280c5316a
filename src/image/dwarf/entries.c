#include "image/dwarf/entries.h"

#include "base/alloc.h"

#include <dwarf.h>
#include <stdlib.h>

struct walk {
	const struct unit_view *v;
	const struct abbrevs *abbrevs;
	struct bytes at;
	bool broken;
	struct entry entry;
};

static void read_slot(struct walk *w, const struct abbrev_step *s, uint64_t form)
{
	struct entry_value *value = &w->entry.slot[s->slot];
	uint32_t size;

	switch (abbrev_shape(form, &w->v->format, &size)) {
	case SHAPE_FIXED:
		*value = (struct entry_value){ .form = (uint16_t)form, .value = s->constant };
		if (size > sizeof(value->value))
			(void)bytes_fail(&w->at);
		else if (size)
			value->value = dwarf_number(&w->at, size, w->v->format.order);
		break;
	case SHAPE_NUMBER:
		*value = (struct entry_value){ .form = (uint16_t)form,
					       .value = bytes_varint(&w->at) };
		break;
	case SHAPE_TEXT:
	case SHAPE_BLOCK:
	case SHAPE_INDIRECT:
	case SHAPE_UNKNOWN:
		(void)bytes_fail(&w->at);
		break;
	}
}

/* DW_FORM_indirect: the form is in the entry. */
static void skip_indirect(struct walk *w)
{
	uint64_t form = bytes_varint(&w->at);
	uint32_t size;
	enum abbrev_shape shape = abbrev_shape(form, &w->v->format, &size);

	abbrev_skip(&w->at, form == DW_FORM_implicit_const ? SHAPE_UNKNOWN : shape, size,
		    w->v->format.order);
}

/* Reads an entry with that abbreviation, and moves past it. */
static void read_entry(struct walk *w, const struct abbrev *a)
{
	w->entry.tag = a->tag;
	memset(w->entry.slot, 0, sizeof(w->entry.slot));
	for (size_t i = 0; i < a->nr; i++) {
		const struct abbrev_step *s = &w->abbrevs->step[a->first + i];

		if (s->slot != SLOT_NONE)
			read_slot(w, s,
				  s->shape == SHAPE_INDIRECT ? bytes_varint(&w->at) : s->form);
		else if (s->shape == SHAPE_INDIRECT)
			skip_indirect(w);
		else
			abbrev_skip(&w->at, s->shape, s->size, w->v->format.order);
	}
}

/*
 * Jumps to the next sibling, if the entry has its offset.  Only forward, or the walk might never
 * end.
 */
static bool skip_children(struct walk *w)
{
	const struct entry_value *sibling = &w->entry.slot[SLOT_SIBLING];
	const struct unit_view *v = w->v;

	if (!sibling->form || sibling->form == DW_FORM_ref_addr)
		return false;
	if (sibling->value >= (uint64_t)(v->end - v->begin) ||
	    v->begin + sibling->value < w->at.at) {
		w->broken = true;
		return false;
	}
	w->at.at = v->begin + sibling->value;
	return true;
}

/* Reads the next entry; NULL at the end of a list of siblings, or on errors (at.failed). */
static const struct abbrev *next(struct walk *w)
{
	const struct abbrev *a;
	uint64_t code;

	w->entry.at = w->at.at;
	code = bytes_varint(&w->at);
	if (!code)
		return NULL;
	a = abbrevs_find(w->abbrevs, code);
	if (!a) {
		(void)bytes_fail(&w->at);
		return NULL;
	}
	read_entry(w, a);
	return a;
}

/*
 * `hidden` is the level of children that the visitor has rejected, if the entry had no sibling
 * offset to jump over them: they are read, but not visited.
 */
static void walk(struct walk *w, entry_visitor *visit, void *arg)
{
	size_t level = 0, hidden = SIZE_MAX;

	while (bytes_left(&w->at) && !w->broken) {
		const struct abbrev *a = next(w);

		if (w->at.failed)
			break;
		if (!a) {
			if (!level--)
				return;
			if (level < hidden)
				hidden = SIZE_MAX;
			continue;
		}
		if (hidden == SIZE_MAX &&
		    (!visit(arg, &w->entry, level) || level + 1 >= ENTRY_LEVELS_MAX)) {
			if (a->has_children && !skip_children(w))
				hidden = ++level;
			continue;
		}
		if (a->has_children && (hidden == SIZE_MAX || !skip_children(w)))
			level++;
	}
	/* A missing terminator of the last list is not an error: some compilers omit it. */
	w->broken |= w->at.failed;
}

size_t entries_walk(const struct unit_view *v, entry_visitor *visit, void *arg)
{
	struct walk w = { .v = v };
	const struct abbrev *root;

	w.at = (struct bytes){ .at = v->root, .end = v->end };
	w.abbrevs = abbrev_cache_get(v->cache, v->abbrevs, &v->format);
	root = next(&w);
	if (root && root->has_children && !w.at.failed)
		walk(&w, visit, arg);
	return w.broken || w.at.failed;
}

const char *entry_string(Dwarf_Die *entry, unsigned attribute)
{
	Dwarf_Attribute a;

	return dwarf_formstring(dwarf_attr(entry, attribute, &a));
}

bool entry_origin(Dwarf_Die *entry)
{
	Dwarf_Attribute a;

	return (dwarf_attr(entry, DW_AT_abstract_origin, &a) ||
		dwarf_attr(entry, DW_AT_specification, &a)) &&
	       dwarf_formref_die(&a, entry);
}

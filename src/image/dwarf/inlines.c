#include "image/dwarf/inlines.h"

#include "base/alloc.h"
#include "image/dwarf/debug_sections.h"
#include "image/dwarf/dwarf_package.h"
#include "image/dwarf/entry_ranges.h"
#include "image/dwarf/lines.h"
#include "image/dwarf/scopes.h"
#include "image/dwarf/units.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdlib.h>

enum {
	/*
	 * Limit of bytes of all line programs that are run: in malicious files, all units may refer
	 * to the same long program.
	 */
	LINE_BYTES_MAX = INT32_MAX,
};

/* A function, or an inlined call. */
struct node {
	const unsigned char *entry;
	uint32_t outer; /* the node that it is inlined into; PIECE_NONE: it is a function */
	bool known;	/* the members below were looked up, which happens on demand */
	uint32_t line;	/* where it is called */
	const char *file;
	const char *name;
	bool plain; /* as in struct source_line */
	const char *closure;
};

struct unit {
	bool walked;
	struct flat_ranges nodes;
	struct node *node;
	size_t nr_node, cap_node;
	struct lines lines;
	Dwarf_Die head;	   /* the root entry in the program: it refers to the line table */
	Dwarf_Die entries; /* the root of the functions: head, or in a .dwo if DWARF is split */
	bool linker_names; /* the language does not mangle names */
	struct unit_view view;
	struct file_table files;
	struct scopes scopes;
};

struct inlines {
	struct unpacked unpacked;
	struct debug_bytes bytes;
	struct abbrev_cache abbrevs;
	uint64_t nr_line_byte; /* see LINE_BYTES_MAX */
	struct package package;
	Dwarf *dwarf;
	struct code_range code;
	struct units units;
	struct unit *unit; /* by its number */
	struct arena texts;
	size_t damage, missing, unnamed;
};

struct inlines *inlines_new(const struct elf_file *file, const struct elf_file *program,
			    struct section_store *store)
{
	Elf *elf = file->elf;
	struct inlines *x;
	GElf_Ehdr header;

	/* Object files and kernel modules have no addresses: they are not linked yet. */
	if (!gelf_getehdr(elf, &header) || header.e_type == ET_REL)
		return NULL;
	x = xcalloc(1, sizeof(*x));
	x->package = (struct package){ .beside = { file, program } };
	debug_sections_unpack(elf, store, &x->unpacked);
	x->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!x->dwarf) {
		inlines_free(x);
		return NULL;
	}
	debug_sections_find(elf, DWARF_PLAIN, &x->bytes);
	x->code = code_range_of(elf);
	units_init(&x->units, x->dwarf, &x->code);
	x->unit = xcalloc(x->units.nr + 1, sizeof(*x->unit));
	return x;
}

void inlines_free(struct inlines *x)
{
	if (!x)
		return;
	for (size_t i = 0; i < x->units.nr; i++) {
		flat_ranges_release(&x->unit[i].nodes);
		lines_release(&x->unit[i].lines);
		file_table_release(&x->unit[i].files);
		scopes_release(&x->unit[i].scopes);
		free(x->unit[i].node);
	}
	free(x->unit);
	units_release(&x->units);
	arena_release(&x->texts);
	package_release(&x->package);
	abbrevs_release(&x->abbrevs.table);
	dwarf_end(x->dwarf);
	unpacked_release(&x->unpacked);
	free(x);
}

struct image_trouble inlines_trouble(const struct inlines *x)
{
	return (struct image_trouble){ .damaged = x->damage + x->units.damage,
				       .missing = x->missing,
				       .unnamed = x->unnamed };
}

/* The entries of a unit */

struct walk {
	struct inlines *x;
	struct unit *u;
	struct ranges ranges; /* of all nodes so far */
	size_t nr_seen;	      /* number of ranges, including ignored ones */
	/* By level of entries: the enclosing node, and the nesting depth of a node inside it. */
	struct inside {
		uint32_t node, depth;
	} inside[ENTRY_LEVELS_MAX + 1];
};

/* The ranges of a node that is being added. */
struct adding {
	struct walk *w;
	struct range r;
};

static bool add_node_range(void *arg, uint64_t begin, uint64_t end)
{
	struct adding *a = arg;

	ranges_add(&a->w->ranges, &a->w->x->code, begin, end, a->r);
	return a->w->nr_seen++ < RANGES_MAX;
}

/* Adds a node if the entry has code: then true, and *inside is set for its children. */
static bool visit_function(struct walk *w, const struct entry *entry, struct inside *inside,
			   uint32_t outer)
{
	struct adding a = { .w = w,
			    .r = { .what = (uint32_t)w->u->nr_node, .depth = inside->depth } };
	size_t before = w->ranges.nr;

	w->x->damage += !entry_ranges(&w->u->view, entry, add_node_range, &a);
	/* No code: a declaration, or the abstract origin of inlined calls. */
	if (w->ranges.nr == before)
		return false;
	GROW(w->u->node, w->u->nr_node, w->u->cap_node);
	w->u->node[w->u->nr_node++] = (struct node){ .entry = entry->at, .outer = outer };
	*inside = (struct inside){ .node = a.r.what, .depth = a.r.depth + 1 };
	return true;
}

static bool visit(void *arg, const struct entry *entry, size_t level)
{
	struct walk *w = arg;
	struct inside *inside = &w->inside[level + 1];

	*inside = w->inside[level];
	switch (entry->tag) {
	case DW_TAG_subprogram:
		return visit_function(w, entry, inside, PIECE_NONE);
	case DW_TAG_inlined_subroutine:
		return visit_function(w, entry, inside, inside->node);
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_common_block:
		return true;
	default:
		return false;
	}
}

static void walk_entries(struct inlines *x, struct unit *u)
{
	struct walk *w = xcalloc(1, sizeof(*w));

	w->x = x;
	w->u = u;
	w->inside[0].node = PIECE_NONE;
	x->damage += entries_walk(&u->view, visit, w);
	flat_ranges_init(&u->nodes, w->ranges.range, w->ranges.nr);
	free(w->ranges.range);
	free(w);
}

static bool has_linker_names(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	/* In Ada, the name has the scope: "geo__shapes__area". */
	case DW_LANG_Ada83:
	case DW_LANG_Ada95:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

static bool find_table(struct line_table *t, Dwarf_Die *unit, const struct debug_bytes *d)
{
	Dwarf_Attribute a;
	Dwarf_Word offset = 0;

	return !dwarf_formudata(dwarf_attr(unit, DW_AT_stmt_list, &a), &offset) &&
	       line_table_parse(t, d, offset);
}

static void read_lines(struct inlines *x, struct unit *u)
{
	struct line_table t;

	if (!dwarf_hasattr(&u->head, DW_AT_stmt_list))
		return;
	if (!find_table(&t, &u->head, &x->bytes) || x->nr_line_byte > LINE_BYTES_MAX) {
		x->damage++;
		return;
	}
	x->nr_line_byte += bytes_left(&t.program);
	x->damage += !lines_init(&u->lines, &t, &x->code);
	file_table_init(&u->files, &t, &x->bytes, entry_string(&u->head, DW_AT_comp_dir));
}

/* The entries of a unit are in the file itself, in a .dwo file, or in a package (.dwp). */
static void find_entries(struct inlines *x, struct unit *u, struct debug_bytes *own)
{
	Dwarf_Die split = { 0 };
	uint8_t type = 0;
	uint64_t id;

	u->entries = u->head;
	*own = x->bytes;
	if (dwarf_cu_info(x->units.cu[u - x->unit], NULL, &type, NULL, &split, &id, NULL, NULL) ||
	    type != DW_UT_skeleton)
		return;
	if (split.addr)
		debug_sections_find(dwarf_getelf(dwarf_cu_getdwarf(split.cu)), DWARF_SPLIT, own);
	else if (!package_unit(&x->package, id, &split, own)) {
		*own = x->bytes;
		x->missing++;
		return;
	}
	u->entries = split;
}

static void walk_unit(struct inlines *x, struct unit *u)
{
	struct debug_bytes own;

	u->walked = true;
	if (dwarf_cu_info(x->units.cu[u - x->unit], NULL, NULL, &u->head, NULL, NULL, NULL, NULL)) {
		x->damage++;
		return;
	}
	find_entries(x, u, &own);
	u->linker_names = has_linker_names(&u->entries);
	read_lines(x, u);
	if (unit_view_init(&u->view, &u->entries, &own, &u->head, &x->bytes, &x->abbrevs))
		walk_entries(x, u);
	else
		x->damage++;
}

/* Names */

/* Is it a closure inside a closure, in either mangling of Rust (v0 or legacy)? */
static bool is_closure_in_closure(const char *linkage)
{
	static const char legacy[] = "$u7b$$u7b$closure$u7d$$u7d$";
	const char *first = strstr(linkage, legacy);

	return strstr(linkage, "NCNC") || (first && strstr(first + 1, legacy));
}

/*
 * Rust's linkage names do not distinguish closures.  DWARF numbers them, and distinguishes the
 * state machines of async functions from closures.
 */
static const char *find_closure(struct inlines *x, struct unit *u, Dwarf_Die *entry,
				const char *linkage)
{
	const char *name = entry_string(entry, DW_AT_name);

	if (!name || name[0] != '{')
		return NULL;
	/* scopes_name() cannot find an entry that dwz has moved to another unit. */
	if (is_closure_in_closure(linkage) && entry->cu == u->entries.cu)
		return scopes_name(&u->scopes, &u->view, entry, name, &x->texts);
	return name;
}

/*
 * The name may be in the entry, its abstract origin, or the declaration of that.  The linkage name
 * is preferred: it has the scope and the template's arguments.
 */
static void find_name(struct inlines *x, struct unit *u, struct node *n, Dwarf_Die entry)
{
	for (int i = 0; i < ORIGINS_MAX; i++) {
		const char *linkage = entry_string(&entry, DW_AT_linkage_name);

		if (!linkage)
			linkage = entry_string(&entry, DW_AT_MIPS_linkage_name);
		if (linkage) {
			n->name = linkage;
			n->closure = find_closure(x, u, &entry, linkage);
			return;
		}
		if (!n->name)
			n->name = entry_string(&entry, DW_AT_name);
		if (!entry_origin(&entry))
			break;
	}
	n->plain = !u->linker_names;
	/* As above, scopes_name() cannot find entries of another unit. */
	if (n->name && n->plain && entry.cu == u->entries.cu)
		n->name = scopes_name(&u->scopes, &u->view, &entry, n->name, &x->texts);
}

static uint32_t number_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;
	Dwarf_Word value;

	if (dwarf_formudata(dwarf_attr(die, attribute, &a), &value) || value > UINT32_MAX)
		return 0;
	return (uint32_t)value;
}

/* Is the file with shared debug info (dwz) missing? */
static bool lacks_shared(const struct inlines *x)
{
	const void *build_id;
	const char *name;

	return dwelf_dwarf_gnu_debugaltlink(x->dwarf, &name, &build_id) > 0 &&
	       !dwarf_getalt(x->dwarf);
}

static const struct node *find_node(struct inlines *x, struct unit *u, uint32_t i)
{
	struct node *n = &u->node[i];

	if (!n->known) {
		Dwarf_Die die = { .addr = (void *)(uintptr_t)n->entry, .cu = u->entries.cu };

		n->known = true;
		find_name(x, u, n, die);
		if (n->outer != PIECE_NONE) {
			if (!n->name && lacks_shared(x))
				x->unnamed++;
			else if (!n->name)
				x->damage++;
			n->line = number_of(&die, DW_AT_call_line);
			n->file = file_table_path(&u->files, number_of(&die, DW_AT_call_file),
						  &x->texts);
		}
	}
	return n;
}

size_t inlines_find(struct inlines *x, uint64_t address, struct source_line *line, size_t max)
{
	uint32_t place = (uint32_t)(address - x->code.begin), i;
	const struct line_row *row;
	struct source_line at = { 0 };
	struct unit *u;
	size_t nr = 0;

	if (address < x->code.begin || address >= x->code.end)
		return 0;
	i = units_find(&x->units, place);
	if (i == PIECE_NONE)
		return 0;
	u = &x->unit[i];
	if (!u->walked)
		walk_unit(x, u);
	row = lines_find(&u->lines, place);
	if (row)
		at = (struct source_line){
			.file = file_table_path(&u->files, row->file, &x->texts),
			.line = row->line,
		};
	i = flat_ranges_find(&u->nodes, place);
	while (i != PIECE_NONE && nr < max) {
		const struct node *n = find_node(x, u, i);

		at.function = n->name;
		at.plain = n->plain;
		at.closure = n->closure;
		/* An inlined call without a name is skipped, but the line of the call is used. */
		if (n->name || n->outer == PIECE_NONE)
			line[nr++] = at;
		at = (struct source_line){ .file = n->file, .line = n->line };
		i = n->outer;
	}
	if (!nr && row && max)
		line[nr++] = at;
	return nr;
}

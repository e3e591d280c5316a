/* Entries of DWARF and their ranges, byte by byte. */
#include "image/dwarf/entry_ranges.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "tap.h"

#include <dwarf.h>

#define BYTES(...) \
	((struct span){ (const char *)(const unsigned char[]){ __VA_ARGS__ }, \
			sizeof((const unsigned char[]){ __VA_ARGS__ }) })

/* 5 before 1: rows may come in any order; 200 is far away from both. */
static const unsigned char abbrevs[] = { 5,
					 DW_TAG_subprogram,
					 1,
					 DW_AT_sibling,
					 DW_FORM_ref1,
					 DW_AT_low_pc,
					 DW_FORM_addr,
					 DW_AT_high_pc,
					 DW_FORM_data1,
					 0,
					 0,
					 1,
					 DW_TAG_compile_unit,
					 1,
					 0,
					 0,
					 0xc8,
					 1,
					 DW_TAG_variable,
					 0,
					 DW_AT_const_value,
					 DW_FORM_sdata,
					 DW_AT_name,
					 DW_FORM_string,
					 DW_AT_location,
					 DW_FORM_exprloc,
					 0,
					 0,
					 2,
					 DW_TAG_base_type,
					 1,
					 0,
					 0,
					 3,
					 DW_TAG_inlined_subroutine,
					 0,
					 DW_AT_ranges,
					 DW_FORM_rnglistx,
					 0,
					 0,
					 4,
					 DW_TAG_namespace,
					 1,
					 DW_AT_decl_line,
					 DW_FORM_indirect,
					 0,
					 0,
					 0 };

#define ADDRESS(low) low, 0x10, 0, 0

struct seen {
	struct strbuf text;
	const struct unit_view *v;
	bool (*wants)(unsigned tag);
};

static bool add_range(void *arg, uint64_t begin, uint64_t end)
{
	strbuf_addf(arg, " %x-%x", (unsigned)begin, (unsigned)end);
	return true;
}

/* Level and tag of each, and its ranges. */
static bool visit(void *arg, const struct entry *e, size_t level)
{
	struct seen *s = arg;

	strbuf_addf(&s->text, "[%zu %x", level, e->tag);
	if (!entry_ranges(s->v, e, add_range, &s->text))
		strbuf_addf(&s->text, " bad");
	strbuf_addch(&s->text, ']');
	return s->wants(e->tag);
}

static bool all(unsigned tag)
{
	return tag;
}

static bool no_types(unsigned tag)
{
	return tag != DW_TAG_base_type;
}

static bool no_functions(unsigned tag)
{
	return tag != DW_TAG_subprogram;
}

static struct abbrev_cache cache;

static struct unit_view view_of(struct span unit)
{
	const unsigned char *at = (const unsigned char *)unit.at;

	return (struct unit_view){ .begin = at,
				   .end = at + unit.size,
				   .root = at,
				   .format = { .version = 5,
					       .address_size = 4,
					       .offset_size = 4,
					       .order = ORDER_LITTLE },
				   .abbrevs = { (const char *)abbrevs, sizeof(abbrevs) },
				   .cache = &cache,
				   .addresses = SPAN(""),
				   .ranges = SPAN("") };
}

static void walks(const struct unit_view *v, bool (*wants)(unsigned tag), size_t damage,
		  const char *want, const char *what)
{
	struct seen s = { .v = v, .wants = wants };
	size_t got;

	strbuf_addf(&s.text, "%s", "");
	got = entries_walk(v, visit, &s);
	is_str(s.text.at, want, what);
	is_int((intmax_t)got, (intmax_t)damage,
	       damage ? "a malformed unit is counted" : "a valid unit has no malformed place");
	strbuf_release(&s.text);
}

static void test_tree(void)
{
	/* A function with a type in it, a variable with the smallest of numbers beside it. */
	struct unit_view v =
		view_of(BYTES(1, 5, 16, ADDRESS(0x20), 8, 2, 0xc8, 1, 0, 0, 0, 0, 0, 0xc8, 1, 0x80,
			      0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f, 'v', 0, 2, 'e',
			      'e', 4, DW_FORM_udata, 0x80, 1, 0, 0));

	walks(&v, all, 0, "[0 2e 1020-1028][1 24][2 34][0 34][0 39]",
	      "all entries of a unit are visited");
	walks(&v, no_types, 0, "[0 2e 1020-1028][1 24][0 34][0 39]",
	      "children of a type are not visited if the visitor declines");
	walks(&v, no_functions, 0, "[0 2e 1020-1028][0 34][0 39]",
	      "children of a function with DW_AT_sibling are skipped");
}

static void test_damage(void)
{
	struct unit_view backward = view_of(BYTES(1, 5, 0, ADDRESS(0x20), 8, 0, 0));
	struct unit_view unknown = view_of(BYTES(1, 9, 0, 0));
	struct unit_view cut = view_of(BYTES(1, 5, 9, 1, 2));
	struct unit_view open = view_of(BYTES(1, 2));
	struct unit_view empty = view_of(BYTES(0));

	walks(&backward, no_functions, 1, "[0 2e 1020-1028]",
	      "a sibling that points backwards is not followed");
	walks(&unknown, all, 1, "", "an entry with an unknown abbreviation is not visited");
	walks(&cut, all, 1, "", "a truncated entry is not visited");
	walks(&open, all, 0, "[0 24]", "entries without a terminator end with the unit");
	walks(&empty, all, 0, "", "a unit without entries has nothing to visit");
}

/* The ranges of one entry, by the number of its list. */
static void ranges_are(const struct unit_view *tables, unsigned char number, const char *want,
		       const char *what)
{
	struct unit_view v = view_of(BYTES(1, 3, number, 0));
	struct seen s = { .v = &v, .wants = all };

	v.addresses = tables->addresses;
	v.ranges = tables->ranges;
	v.base = 0x100;
	strbuf_addf(&s.text, "%s", "");
	(void)entries_walk(&v, visit, &s);
	is_str(s.text.at, want, what);
	strbuf_release(&s.text);
}

static void test_lists(void)
{
	/* Where four lists begin; then they. */
	struct unit_view v = {
		.addresses = BYTES(ADDRESS(0), ADDRESS(0x40)),
		.ranges = BYTES(16, 0, 0, 0, 23, 0, 0, 0, 38, 0, 0, 0, 0xff, 0, 0, 0,
				DW_RLE_offset_pair, 2, 4, DW_RLE_offset_pair, 6, 7,
				DW_RLE_end_of_list, DW_RLE_base_addressx, 1, DW_RLE_offset_pair, 0,
				1, DW_RLE_startx_length, 0, 3, DW_RLE_start_length, ADDRESS(0x50),
				5, DW_RLE_end_of_list, DW_RLE_startx_endx, 0, 2, DW_RLE_end_of_list)
	};

	ranges_are(&v, 0, "[0 1d 102-104 106-107]",
		   "offset pairs are relative to the base address of the unit");
	ranges_are(&v, 1, "[0 1d 1040-1041 1000-1003 1050-1055]",
		   "a range list may mix indexed and direct addresses");
	ranges_are(&v, 2, "[0 1d bad]",
		   "a range list with an address index beyond the table is malformed");
	ranges_are(&v, 3, "[0 1d bad]",
		   "a range list whose offset exceeds the section is malformed");
	ranges_are(&v, 99, "[0 1d bad]", "a range list index beyond the offsets is malformed");
}

int main(void)
{
	test_tree();
	test_damage();
	test_lists();
	abbrevs_release(&cache.table);
	return done();
}

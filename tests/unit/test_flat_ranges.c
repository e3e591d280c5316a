/* Ranges inside ranges. */
#include "image/dwarf/flat_ranges.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdlib.h>

/* What is at each place, as letters from '0' on; '-' is nothing. */
static void shows(const struct range *range, size_t nr, const char *want, const char *what)
{
	struct flat_ranges p;
	char got[64] = "";

	flat_ranges_init(&p, range, nr);
	for (uint32_t i = 0; want[i] && i < sizeof(got) - 1; i++) {
		uint32_t found = flat_ranges_find(&p, i);

		got[i] = found == PIECE_NONE ? '-' : (char)('0' + found);
	}
	is_str(got, want, what);
	flat_ranges_release(&p);
}

static void test_nesting(void)
{
	static const struct range inside[] = { { 2, 12, 0, 0 }, { 4, 8, 1, 1 }, { 5, 6, 2, 2 } };
	static const struct range beside[] = { { 1, 3, 0, 0 }, { 3, 5, 1, 0 }, { 7, 8, 2, 0 } };
	static const struct range whole[] = { { 2, 6, 0, 0 }, { 2, 6, 1, 1 }, { 2, 4, 2, 2 } };
	static const struct range split[] = {
		{ 0, 4, 0, 0 }, { 8, 12, 0, 0 }, { 2, 4, 1, 1 }, { 8, 9, 1, 1 }
	};

	shows(NULL, 0, "---", "nothing is found if there are no ranges");
	shows(inside, ARRAY_SIZE(inside), "--0012110000--",
	      "the innermost of nested ranges is found");
	shows(beside, ARRAY_SIZE(beside), "-0011--2-", "a range ends where the next one begins");
	shows(whole, ARRAY_SIZE(whole), "--2211--",
	      "an inlined call that fills its caller is found");
	shows(split, ARRAY_SIZE(split), "0011----1000-",
	      "a number with several ranges is found in each of them");
}

static void test_disorder(void)
{
	static const struct range crossing[] = { { 0, 6, 0, 0 }, { 3, 9, 1, 0 } };
	static const struct range outside[] = { { 2, 5, 0, 0 }, { 0, 8, 1, 1 } };
	static const struct range backward[] = { { 6, 8, 2, 1 }, { 2, 4, 1, 1 }, { 0, 9, 0, 0 } };

	shows(crossing, ARRAY_SIZE(crossing), "000111111-",
	      "of two ranges that cross, the one that begins last is found");
	shows(outside, ARRAY_SIZE(outside), "11111111-",
	      "a deeper range that is larger than the outer one is found");
	shows(backward, ARRAY_SIZE(backward), "001100220-", "ranges may be given in any order");
}

static void test_many(void)
{
	struct range *range = xcalloc(PIECES_OVERLAP_MAX * 4, sizeof(*range));
	struct flat_ranges p;

	for (uint32_t i = 0; i < PIECES_OVERLAP_MAX * 4; i++)
		range[i] = (struct range){ i, 10000 - i, i, i };
	flat_ranges_init(&p, range, PIECES_OVERLAP_MAX * 4);
	ok(flat_ranges_find(&p, 5) == 5, "the innermost of few overlapping ranges is found");
	ok(flat_ranges_find(&p, 5000) == PIECES_OVERLAP_MAX - 1,
	   "ranges beyond PIECES_OVERLAP_MAX overlapping ones are ignored");
	ok(flat_ranges_find(&p, 10000) == PIECE_NONE, "nothing is found behind all ranges");
	flat_ranges_release(&p);
	free(range);
}

int main(void)
{
	test_nesting();
	test_disorder();
	test_many();
	return done();
}
